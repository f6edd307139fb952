"""`dfg`, the dataflow graph: primitives, channels and gated sources.

The lowest level, below `dcf`: what the runtime loads and runs.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from .graphs import DeviceCode as DeviceCode
from .graphs import FetchOp, GraphOp, PartitionOp
from .merge import MergeOp
from .primitives import EnterOp, ExitOp, LoopCondOp, NextIterationOp, SwitchOp
from .program import ChannelOp, ProgramOp
from .sources import ConstantOp, KernelOp, ProbeOp, StackNewOp, TokenOp
from .transfers import RecvOp, SendOp
from .types import TokenType

DFG = Dialect(
    "dfg",
    [
        ProgramOp,
        ChannelOp,
        GraphOp,
        PartitionOp,
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
