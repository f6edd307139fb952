"""`raise-while-to-scan`: from counted loops that go through arrays row by row to `dcf.scan`.

Runs after `inline-calls`, since JAX prints a scan's body as a private function, and before
`dcf-gradient`, which keeps a scan's residuals in arrays and never touches a whole array per trip.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects import stablehlo
from ..dialects.dcf import ProbeOp, WhileOp
from ._counted_loops import Access, Counter, access_of, counter_of, invariant
from ._effects import Effects
from ._slots import terminator_of
from ._while_to_scan import Plan, replace_by_scan


@dataclass(frozen=True)
class RaiseWhileToScanPass(ModulePass):
    """Replaces `dcf.while` loops that count from 0 to n by `dcf.scan`.

    The condition is exactly `i < n` with n invariant, and i goes from constant 0 by +1. An array
    from outside that the body reads by `dynamic_slice` at row i, extent 1 there and full
    elsewhere, becomes an input of the scan, and a carry that each trip writes once at row i an output;
    row n - 1 - i, when n is a constant no greater than the number of rows, makes a reverse scan.
    The row may be in any dimension: other than in the first, the array is transposed. Where n can
    exceed the number of rows, the scan does what rows there are, and the original loop the rest.

    A loop stays as it is when a carry is written in any other way (twice, in a branch, at another
    row, read elsewhere, written to another carry's place), when it has effects other than
    probes, or draws random numbers, and when n is not a constant and no array bounds it. Other
    carries, and other reads of arrays from outside, stay what they are. The
    counter stays as a carry if the body uses it otherwise.
    """

    name = "raise-while-to-scan"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        effects = Effects(op)
        # Inner loops first: where an outer one keeps its loop for the rest, both copies profit.
        for loop in reversed([nested for nested in op.walk() if isinstance(nested, WhileOp)]):
            plan = plan_scan(loop, effects)
            if plan is not None:
                replace_by_scan(plan, effects)


def plan_scan(loop: WhileOp, effects: Effects) -> Plan | None:
    """What becomes of the loop's carries and reads in a scan; None if it has to stay a loop."""
    counter = counter_of(loop)
    if counter is None or not _may_be_copied(loop, counter, effects):
        return None
    writes: dict[int, Access] = {}
    for argument in loop.body.block.args:
        if invariant(loop, argument) is argument and _is_updated(argument):
            access = _clean_write(loop, counter, argument.index)
            if access is None:
                return None
            writes[argument.index] = access
    reads = _reads(loop, counter, writes)
    directions = {access.reverse for access in (writes.values() or reads)}
    if writes and len(directions) > 1:
        return None
    reverse = bool(directions) and min(directions)
    reads = [access for access in reads if access.reverse == reverse]
    sizes = [access.size for access in (*writes.values(), *reads)]
    if not sizes and counter.trips is None:
        return None
    rows = min(sizes) if sizes else counter.trips
    assert rows is not None
    if rows == 0 and counter.trips != 0:
        return None
    return Plan(loop, counter, writes, reads, reverse, rows)


def _may_be_copied(loop: WhileOp, counter: Counter, effects: Effects) -> bool:
    bound = loop.trip_bound
    if bound is not None and (counter.trips is None or counter.trips > bound.value.data):
        return False
    if any(effects.of(op) for op in loop.condition.block.ops):
        return False
    for op in loop.body.walk():
        if op.name == "stablehlo.rng":
            return False
        if not op.regions and effects.of(op) and not isinstance(op, ProbeOp):
            return False
    return True


def _is_updated(argument: SSAValue) -> bool:
    """Whether something in the body, nested or not, makes a changed copy of the carry."""
    return any(
        isinstance(use.operation, stablehlo.DynamicUpdateSliceOp | stablehlo.ScatterOp)
        and use.index == 0
        for use in argument.uses
    )


def _clean_write(loop: WhileOp, counter: Counter, position: int) -> Access | None:
    """The carry's one write per trip, if all other uses read the old row at the same place."""
    body = loop.body.block
    argument = body.args[position]
    written = terminator_of(loop.body).operands[position]
    op = written.owner
    if not isinstance(op, Operation) or op.parent is not body or not written.has_one_use():
        return None
    access = access_of(loop, counter, op)
    if access is None or access.array is not argument:
        return None
    for use in argument.uses:
        if use.operation is op and use.index == 0:
            continue
        read = access_of(loop, counter, use.operation)
        if read is None or not isinstance(read.op, stablehlo.DynamicSliceOp):
            return None
        if (read.dimension, read.reverse) != (access.dimension, access.reverse):
            return None
    return access


def _reads(loop: WhileOp, counter: Counter, writes: dict[int, Access]) -> list[Access]:
    """Reads, in the body or nested in it, of rows of arrays from outside and of written carries."""
    body = loop.body.block
    reads: list[Access] = []
    for op in loop.body.walk():
        if not isinstance(op, stablehlo.DynamicSliceOp):
            continue
        access = access_of(loop, counter, op)
        if access is None:
            continue
        array = invariant(loop, access.array)
        if array.owner is body and any(body.args[k] is array for k in writes):
            reads.append(access)
        elif not _is_inside(array, body):
            reads.append(Access(op, array, access.dimension, access.reverse))
    return reads


def _is_inside(value: SSAValue, body: Block) -> bool:
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
    while block is not None:
        if block is body:
            return True
        parent = block.parent_op()
        block = parent.parent_block() if parent is not None else None
    return False
