"""`remove-dead-code`: removes ops whose results nothing uses, and functions that nothing calls.

A clean-up to run after any pass that leaves something behind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator

from ._effects import Effects
from ._slots import functions_in
from ._symbols import remove_unused_private_functions


@dataclass(frozen=True)
class RemoveDeadCodePass(ModulePass):
    """Removes ops without effects whose results are unused, and private functions that are unused.

    One walk from the end to the beginning, users before what they use. Whole loops and
    conditionals go when no result is used and nothing in them has an effect (probe, send,
    receive, a custom call that says so, an op that is not known); a loop that might not end and
    an op that might fail at run time are no exceptions. Function arguments stay, and so do
    unused carries of a loop that is needed: those are `remove-unused-carries`. Graphs
    (`dfg.graph`) are left alone.
    """

    name = "remove-dead-code"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        effects = Effects(op)
        for function in functions_in(op):
            _clean_regions(function, effects)
        remove_unused_private_functions(op)


def _clean_regions(op: Operation, effects: Effects) -> None:
    for region in reversed(op.regions):
        for block in reversed(region.blocks):
            remove_dead_ops(block, effects)


def remove_dead_ops(block: Block, effects: Effects) -> None:
    """Removes ops of `block`, and of those nested in it, that have no effect and no user."""
    op = block.last_op
    while op is not None:
        before = op.prev_op
        unused = all(result.first_use is None for result in op.results)
        if unused and not op.has_trait(IsTerminator) and not effects.of(op):
            block.erase_op(op)
        elif op.regions:
            _clean_regions(op, effects)
        op = before
