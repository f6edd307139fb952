"""`dfg`, the dataflow graph: primitives, channels and gated sources."""

from __future__ import annotations

from xdsl.ir import Dialect

from .primitives import EnterOp, ExitOp, LoopCondOp, MergeOp, NextIterationOp, SwitchOp
from .program import ChannelOp, FetchOp, GraphOp, ProgramOp
from .sources import ConstantOp, KernelOp, ProbeOp, StackNewOp, TokenOp
from .transfers import RecvOp, SendOp
from .types import TokenType

DFG = Dialect(
    "dfg",
    [
        ProgramOp,
        ChannelOp,
        GraphOp,
        FetchOp,
        SwitchOp,
        MergeOp,
        EnterOp,
        ExitOp,
        NextIterationOp,
        LoopCondOp,
        SendOp,
        RecvOp,
        TokenOp,
        ConstantOp,
        StackNewOp,
        ProbeOp,
        KernelOp,
    ],
    [TokenType],
)
