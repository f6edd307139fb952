"""`dcf`, dynamic control flow: the structured level, where values are immutable."""

from __future__ import annotations

from xdsl.ir import Dialect

from .arrays import (
    ArrayNewOp,
    ArrayReadOp,
    ArraySizeOp,
    ArrayStackOp,
    ArrayUnstackOp,
    ArrayWriteOp,
)
from .branches import CaseOp, CondOp
from .loops import ConditionOp, ScanOp, WhileOp, YieldOp
from .probes import ProbeOp
from .requests import GradientOp, JvpOp, StopGradientOp, VjpOp
from .stacks import StackAddOp, StackNewOp, StackPopOp, StackPushOp
from .types import ArrayType, StackType

DCF = Dialect(
    "dcf",
    [
        WhileOp,
        ScanOp,
        ConditionOp,
        YieldOp,
        CondOp,
        CaseOp,
        StackNewOp,
        StackPushOp,
        StackPopOp,
        StackAddOp,
        ArrayNewOp,
        ArrayWriteOp,
        ArrayReadOp,
        ArrayStackOp,
        ArrayUnstackOp,
        ArraySizeOp,
        GradientOp,
        VjpOp,
        JvpOp,
        StopGradientOp,
        ProbeOp,
    ],
    [StackType, ArrayType],
)
