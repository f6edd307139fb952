"""`verify-channels`: proves that every message of a program of many devices is sent and received.

Runs on a `dfg.program`, of structured parts or of graphs. What goes wrong at run time is a device
that waits for ever, far from the cause; here both ends of the channel are named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..dialects.dfg import ProgramOp
from .channels.circles import check_circles
from .channels.ends import checked_channels
from .channels.gates import Places
from .channels.positions import Path, check_names, check_positions, path_of
from .channels.sameness import Sameness


@dataclass(frozen=True)
class VerifyChannelsPass(ModulePass):
    """Check the channels of each `dfg.program`; an error names both ends and where they are.

    Each channel, declared or not, has one send and one receive, on the devices that they name, of
    one type and at the same place: inside loops of the same names that go on under the same
    condition, and in the same branches of ops that branch on the same value. Of graphs, loops are
    known by their frames, and branches by the switches that values came through. No devices wait
    for each other in a circle: in the order of the text for structured parts, by data for graphs.
    Sends do not wait, and branches that exclude each other do not meet. A module without a
    `dfg.program` has nothing to check.
    """

    name = "verify-channels"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for program in op.body.block.ops:
            if isinstance(program, ProgramOp):
                verify_channels(program)


def verify_channels(program: ProgramOp) -> None:
    """Raises a `ProgramError` at the first channel that is wrong."""
    channels = checked_channels(program)
    if not channels:
        return
    sameness = Sameness(channels)
    places: Places | None = None
    if program.graphs:
        places = Places(program, sameness)
        for channel in channels.values():
            places.check(channel)
    else:
        ends = [end for channel in channels.values() for end in (channel.send, channel.recv)]
        paths: dict[Operation, Path] = {end.op: path_of(end) for end in ends}
        check_names(paths, {end.op: end.device for end in ends})
        for channel in channels.values():
            check_positions(channel, sameness, paths)
    check_circles(program, channels, sameness, places)
