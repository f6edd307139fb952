"""`stack-scan-rows`: rows that one scan makes and a later one takes from the end go on a stack.

For devices with a memory budget, after differentiation: what a gradient keeps of a scan is an array of
all its trips, there as a whole from the first trip to the last. A stack grows and shrinks with the
trips, and can be swapped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ..dialects.dcf import ScanOp, StackNewOp, StackPopOp, StackPushOp, StackType
from ._scan_parts import Carry, ScanParts, trips_of
from ._slots import terminator_of
from ._tables import byte_count
from ._types import as_tensor


@dataclass(frozen=True)
class StackScanRowsPass(ModulePass):
    """Turns an output of a `dcf.scan` into a stack if all that uses it is one scan that takes its rows
    in the opposite order.

    Both are in one block, and have the same number of trips: the same run-time length, or as many as
    there are rows. The scan that makes them keeps an array if it has a run-time length, which must be
    within the rows. Scans in different branches keep their arrays. `min_bytes`: only rows of at least
    so many bytes; those of unknown size stay.
    """

    name = "stack-scan-rows"
    exactness: ClassVar[str] = "exact"

    min_bytes: int = 0

    def __post_init__(self) -> None:
        if self.min_bytes < 0:
            raise PassFailedException(f"expected min_bytes of at least 0, got {self.min_bytes}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for taker in [nested for nested in op.walk() if isinstance(nested, ScanOp)]:
            arrays = [array for array in taker.inputs if self._may_be_stack(array, taker)]
            arrays = _leaving_a_bound(arrays)
            if arrays:
                _make_stacks(taker, arrays)

    def _may_be_stack(self, array: SSAValue, taker: ScanOp) -> bool:
        maker = array.owner
        if not isinstance(maker, ScanOp) or not isinstance(array, OpResult):
            return False
        if maker.parent is not taker.parent or not array.has_one_use():
            return False
        if maker.length is not taker.length:
            return False
        trips = trips_of(maker)
        if maker.length is None and (trips is None or trips != trips_of(taker)):
            return False
        if array.index < len(maker.inits) or (maker.reverse is None) == (taker.reverse is None):
            return False
        row = terminator_of(maker.body).operands[array.index]
        size = byte_count(row.type) if as_tensor(row.type) is not None else None
        return size is not None and size >= self.min_bytes


def _leaving_a_bound(arrays: list[SSAValue]) -> list[SSAValue]:
    """All but those by which alone a maker's run-time length is known to be too large. (Its taker comes
    later, and has the same length.)"""
    left: dict[ScanOp, int] = {}
    chosen: list[SSAValue] = []
    for array in arrays:
        maker = array.owner
        assert isinstance(maker, ScanOp)
        count = left.setdefault(maker, len(maker.inputs) + len(maker.outs))
        if maker.length is None or count > 1:
            left[maker] = count - 1
            chosen.append(array)
    return chosen


def _make_stacks(taker: ScanOp, arrays: list[SSAValue]) -> None:
    by_maker: dict[ScanOp, list[SSAValue]] = {}
    for array in arrays:
        assert isinstance(array.owner, ScanOp)
        by_maker.setdefault(array.owner, []).append(array)
    done: list[ScanParts] = []
    stacks: list[tuple[SSAValue, Carry]] = []
    for maker, its in by_maker.items():
        makes = ScanParts(maker, trips_of(maker))
        stacks += [(array, _push(makes, array)) for array in its]
        makes.rebuild()
        done.append(makes)
    takes = ScanParts(taker, trips_of(taker))
    for array, stack in stacks:
        assert stack.new is not None
        _pop(takes, array, stack.new)
    takes.rebuild()
    for parts in (takes, *done):
        parts.finish()


def _push(makes: ScanParts, array: SSAValue) -> Carry:
    """Make a carry, the stack, of the output `array`."""
    (output,) = (output for output in makes.outputs if output.old is array)
    makes.outputs.remove(output)
    row = as_tensor(output.row.type)
    assert row is not None
    empty = makes.before(StackNewOp(StackType(row)))
    argument = makes.add_argument(empty.type, array.name_hint)
    push = StackPushOp(argument, output.row)
    makes.add_op(push)
    carry = Carry(empty, argument, push.result)
    makes.carries.append(carry)
    return carry


def _pop(takes: ScanParts, array: SSAValue, stack: SSAValue) -> None:
    """Take the rows of `array` from the stack."""
    (taken,) = (part for part in takes.inputs if part.array is array)
    takes.inputs.remove(taken)
    argument = takes.add_argument(stack.type, array.name_hint)
    pop = StackPopOp(argument)
    takes.add_op(pop, first=True)
    takes.replace(taken.row, pop.value)
    takes.carries.append(Carry(stack, argument, pop.rest))
