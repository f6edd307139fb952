"""`dcf`, dynamic control flow: the structured level, where values are immutable.

Between StableHLO's structured control flow (above) and the dataflow graph, `dfg` (below): loops and
branches over tensors, stacks and arrays, and requests for derivatives. Gradients, placement and
partitioning all happen here.
"""

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
from .loops import WhileOp
from .probes import ProbeOp
from .requests import GradientOp, JvpOp, StopGradientOp, VjpOp
from .scan import ScanOp
from .stacks import StackAddOp, StackNewOp, StackPopOp, StackPushOp
from .terminators import ConditionOp, YieldOp
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
