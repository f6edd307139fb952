"""`hoist-invariants`: what a loop computes anew each trip from values outside it, once before the loop.

Before `dcf-gradient`: a value that is the same in every trip is then no residual of the loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import is_side_effect_free

from ..dialects import dcf
from ..dialects.plan.devices import inherit_device


@dataclass(frozen=True)
class HoistInvariantsPass(ModulePass):
    """Moves ops of a loop's condition or body that read only values from outside in front of the loop.

    Inner loops first, so that an op leaves all the loops it does not depend on. Structured ops stay
    (a loop may not end, and a branch may not be taken), as do ops with effects and random draws. A
    loop without trips computes what it did not before, which no result can show.
    """

    name = "hoist-invariants"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        loops = [inner for inner in op.walk() if isinstance(inner, dcf.WhileOp | dcf.ScanOp)]
        for loop in reversed(loops):
            for region in loop.regions:
                _hoist(loop, region.block)


def _hoist(loop: Operation, block: Block) -> None:
    target = loop.parent_block()
    assert target is not None
    inside: set[SSAValue] = set(block.args)
    for op in list(block.ops):
        if op.next_op is not None and _is_movable(op) and not inside.intersection(op.operands):
            op.detach()
            target.insert_op_before(op, loop)
            inherit_device(loop, op)  # it was the default for what is in the loop
        else:
            inside.update(op.results)


def _is_movable(op: Operation) -> bool:
    if isinstance(op, dcf.WhileOp | dcf.ScanOp | dcf.CondOp | dcf.CaseOp) or not op.results:
        return False
    if op.name in STAYING or not is_side_effect_free(op):
        return False
    return not op.regions or _reads_only_its_own(op)


def _reads_only_its_own(op: Operation) -> bool:
    """Whether the regions of a plain op (a reducer) use nothing from around it."""
    own: set[SSAValue] = set()
    for inner in op.walk():
        if inner is op:
            continue
        block = inner.parent_block()
        if block is not None:
            own.update(block.args)
        if not own.issuperset(inner.operands):
            return False
        own.update(inner.results)
    return True


STAYING = frozenset({"stablehlo.rng", "dcf.stack_new"})
"""Ops that are not the same in every trip, though they read nothing from it, or cost nothing."""
