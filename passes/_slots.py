"""Dropping carries and results of structured ops; shared by passes that simplify them.

First `trim_yields` drops what the regions yield for the slots; once nothing uses their
arguments and results any more, a `keep_` function replaces the op by one without them. Regions
are moved, not copied; attributes, location and names stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ..dialects.dcf import CaseOp, CondOp, ScanOp, WhileOp

Structured = WhileOp | ScanOp | CondOp | CaseOp

T = TypeVar("T")


def terminator_of(region: Region) -> Operation:
    """The op that ends the single block of `region`."""
    last = region.block.last_op
    assert last is not None
    return last


def functions_in(module: Operation) -> list[FuncOp]:
    """Every function with a body in `module`, in textual order."""
    return [op for op in module.walk() if isinstance(op, FuncOp) and not op.is_declaration]


def select(values: Sequence[T], keep: Sequence[bool]) -> list[T]:
    """The elements of `values` whose flag is set."""
    return [value for value, kept in zip(values, keep, strict=True) if kept]


def trim_yields(op: Structured, keep: Sequence[bool]) -> None:
    """Leaves only the yields whose flag is set in the regions of `op` that give its results."""
    for region in op.regions[1:] if isinstance(op, WhileOp) else op.regions:
        end = terminator_of(region)
        end.operands = select(end.operands, keep)


def keep_carries(loop: WhileOp, keep: Sequence[bool]) -> WhileOp:
    """`loop` with only the carries whose flag is set."""
    for region in (loop.condition, loop.body):
        drop_arguments(region.block, keep)
    condition, body = (loop.detach_region(0), loop.detach_region(0))
    new = WhileOp(select(loop.inits, keep), condition, body)
    return replace_structured(loop, new, keep)


def keep_scan_slots(
    loop: ScanOp, carries: Sequence[bool], inputs: Sequence[bool], outputs: Sequence[bool]
) -> ScanOp:
    """`loop` with only the carries, inputs and outputs whose flag is set.

    The caller sees to it that the number of trips still follows from what is kept.
    """
    results = [*carries, *outputs]
    drop_arguments(loop.body.block, [*carries, *inputs])
    new = ScanOp(
        select(loop.inits, carries),
        select(loop.inputs, inputs),
        [result.type for result in select(loop.outputs, results)],
        loop.detach_region(0),
        outs=select(loop.outs, outputs) if loop.outs else (),
        length=loop.length,
    )
    return replace_structured(loop, new, results)


def keep_outputs(op: CondOp | CaseOp, keep: Sequence[bool]) -> CondOp | CaseOp:
    """The conditional `op` with only the results whose flag is set."""
    types = [result.type for result in select(op.outputs, keep)]
    regions = [op.detach_region(0) for _ in range(len(op.regions))]
    if isinstance(op, CondOp):
        return replace_structured(op, CondOp(op.predicate, types, *regions), keep)
    return replace_structured(op, CaseOp(op.index, types, regions), keep)


def drop_arguments(block: Block, keep: Sequence[bool]) -> None:
    """Erases the arguments of `block` whose flag is not set."""
    for argument, kept in reversed(list(zip(block.args, keep, strict=True))):
        if not kept:
            block.erase_arg(argument)


StructuredT = TypeVar("StructuredT", WhileOp, ScanOp, CondOp, CaseOp)


def replace_structured(
    old: Structured, new: StructuredT, keep_results: Sequence[bool]
) -> StructuredT:
    """Puts `new` in the place of `old`, with its attributes, location and the kept results."""
    for name, value in old.properties.items():
        new.properties.setdefault(name, value)
    new.attributes.update(old.attributes)
    new.location = old.location
    block = old.parent
    assert block is not None
    block.insert_op_before(new, old)
    for result, replacement in zip(select(old.results, keep_results), new.results, strict=True):
        _replace(result, replacement)
    old.detach()
    old.erase()
    return new


def _replace(old: SSAValue, new: SSAValue) -> None:
    new.name_hint = old.name_hint
    old.replace_all_uses_with(new)
