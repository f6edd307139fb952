"""`print-channels`: a table of what the devices of a program send each other.

Runs on a `dfg.program`, of structured parts or of graphs, and changes nothing.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.dfg import ProgramOp
from .channels.report import table


@dataclass(frozen=True)
class PrintChannelsPass(ModulePass):
    """Print the channels of each `dfg.program` to standard error.

    One row for each: the value and its type, bytes (`?` if known at run time only), devices, the
    loops around it, and how many messages go over it in one trip of the innermost loop and in a
    run (`at most` in branches, `?` in loops whose number of trips is not known, as of graphs).
    A value without a name is called by the op that made it, before switches and merges.
    """

    name = "print-channels"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        programs = [program for program in op.body.block.ops if isinstance(program, ProgramOp)]
        if not programs:
            text = (
                "print-channels: there is no program of several devices (device-pipeline makes one)"
            )
            print(text, file=sys.stderr)
        for program in programs:
            print(table(program), file=sys.stderr)
