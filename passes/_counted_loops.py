"""Recognising loops that count from 0 by 1, and what their bodies do at the counter's index.

Shared by the passes that raise loops to scans. Nothing here changes the program.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import IntegerType, Signedness
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from ..dialects import stablehlo
from ..dialects.dcf import WhileOp
from ..dialects.stablehlo.inference import shape_of
from ._constants import boolean_constant, integer_constant
from ._slots import terminator_of
from ._types import as_tensor

Index = tuple[int, int]
"""(a, b): the value a * i + b on trip i."""


@dataclass(frozen=True)
class Counter:
    """A loop's counter: from constant 0 by 1 as long as it is below `limit`, nothing else."""

    position: int
    """Which carry it is."""
    argument: BlockArgument
    """Its argument in the body."""
    limit: SSAValue
    """The bound; of outside the loop, or a constant of its condition."""
    trips: int | None
    """The number of trips, if known."""


def invariant(loop: WhileOp, value: SSAValue) -> SSAValue:
    """The initial value, if `value` is a carry that the loop passes on unchanged; else `value`."""
    block = value.owner
    if isinstance(value, BlockArgument) and block in (loop.body.block, loop.condition.block):
        argument = loop.body.block.args[value.index]
        if terminator_of(loop.body).operands[value.index] is argument:
            return loop.inits[value.index]
    return value


def counter_of(loop: WhileOp) -> Counter | None:
    """The counter that alone decides how often the body runs; None if there is no such thing."""
    condition = loop.condition.block
    compare = terminator_of(loop.condition).operands[0].owner
    if not isinstance(compare, stablehlo.CompareOp) or compare.parent is not condition:
        return None
    direction = compare.comparison_direction.data.value
    if direction not in ("LT", "GT"):
        return None
    counter, limit = compare.lhs, compare.rhs
    if direction == "GT":
        counter, limit = limit, counter
    if not isinstance(counter, BlockArgument) or counter.owner is not condition:
        return None
    limit = invariant(loop, limit)
    if _is_inside(limit, condition) and integer_constant(limit) is None:
        return None
    position = counter.index
    argument = loop.body.block.args[position]
    step = terminator_of(loop.body).operands[position].owner
    if integer_range(argument.type) is None or integer_constant(loop.inits[position]) != 0:
        return None
    if not isinstance(step, stablehlo.AddOp) or step.parent is not loop.body.block:
        return None
    addends = (step.lhs, step.rhs) if step.lhs is argument else (step.rhs, step.lhs)
    if addends[0] is not argument or integer_constant(invariant(loop, addends[1])) != 1:
        return None
    known = integer_constant(limit)
    return Counter(position, argument, limit, None if known is None else max(known, 0))


def _is_inside(value: SSAValue, block: Block) -> bool:
    owner = value.owner
    return owner is block or (isinstance(owner, Operation) and owner.parent is block)


def integer_range(type: Attribute) -> tuple[int, int] | None:
    """The least and greatest value of a scalar integer type; None for other types."""
    tensor = as_tensor(type)
    if tensor is None or tensor.get_shape() or not isinstance(tensor.element_type, IntegerType):
        return None
    element = cast(IntegerType, tensor.element_type)
    if element.width.data == 1:
        return None
    if element.signedness.data == Signedness.UNSIGNED:
        return 0, 2**element.width.data - 1
    half = 2 ** (element.width.data - 1)
    return -half, half - 1


@dataclass(frozen=True)
class Indices:
    """Answers what integers of a loop's body are, in terms of the counter, on trips below `rows`."""

    loop: WhileOp
    counter: Counter
    rows: int

    def of(self, value: SSAValue) -> Index | None:
        """`value` as a * i + b with a in -1, 0, 1, exact on each of those trips."""
        index = self._of(value)
        return index if index is not None and self._fits(index, value.type) else None

    def _of(self, value: SSAValue) -> Index | None:
        """The same, exact but for overflow."""
        value = invariant(self.loop, value)
        if value is self.counter.argument:
            return (1, 0)
        known = integer_constant(value)
        if known is not None:
            return (0, known)
        op = value.owner
        match op:
            case stablehlo.AddOp():
                return _combine(self._of(op.lhs), self._of(op.rhs), 1)
            case stablehlo.SubtractOp():
                return _combine(self._of(op.lhs), self._of(op.rhs), -1)
            case stablehlo.ConvertOp():
                return self.of(op.operand)
            case stablehlo.SelectOp():
                chosen = self._truth(op.pred)
                if chosen is None:
                    return None
                return self._of(op.on_true if chosen else op.on_false)
            case _:
                return None

    def _truth(self, value: SSAValue) -> bool | None:
        """Whether a predicate holds, if it is the same on every trip."""
        known = boolean_constant(value)
        op = value.owner
        if known is not None or not isinstance(op, stablehlo.CompareOp):
            return known
        difference = None
        left, right = self.of(op.lhs), self.of(op.rhs)
        if left is not None and right is not None:
            difference = _combine(left, right, -1)
        if difference is None:
            return None
        low, high = self._bounds(difference)
        match op.comparison_direction.data.value:
            case "LT":
                return True if high < 0 else False if low >= 0 else None
            case "GE":
                return True if low >= 0 else False if high < 0 else None
            case _:
                return None

    def _bounds(self, index: Index) -> tuple[int, int]:
        ends = (index[1], index[0] * max(self.rows - 1, 0) + index[1])
        return min(ends), max(ends)

    def _fits(self, index: Index, type: Attribute) -> bool:
        limits = integer_range(type)
        low, high = self._bounds(index)
        return limits is not None and limits[0] <= low and high <= limits[1]


def _combine(a: Index | None, b: Index | None, sign: int) -> Index | None:
    if a is None or b is None:
        return None
    slope = a[0] + sign * b[0]
    return (slope, a[1] + sign * b[1]) if slope in (-1, 0, 1) else None


@dataclass(frozen=True)
class Access:
    """A read or write of row i, or of row trips - 1 - i, of an array, on trip i."""

    op: Operation
    array: SSAValue
    dimension: int
    """Where the array has its rows."""
    reverse: bool

    @property
    def size(self) -> int:
        """How many rows the array has."""
        return shape_of(self.array)[self.dimension]


def access_of(loop: WhileOp, counter: Counter, op: Operation) -> Access | None:
    """How `op` reads or writes a row; None if it does neither, or does it in another way."""
    match op:
        case stablehlo.DynamicSliceOp():
            array, row, starts = op.operand, op.results[0], list(op.start_indices)
        case stablehlo.DynamicUpdateSliceOp():
            array, row, starts = op.operand, op.update, list(op.start_indices)
        case stablehlo.ScatterOp():
            return _scatter(loop, counter, op)
        case _:
            return None
    shape, extent = shape_of(array), shape_of(row)
    if any(size < 0 for size in shape):
        return None
    for dimension, start in enumerate(starts):
        full = (*shape[:dimension], 1, *shape[dimension + 1 :])
        if extent == full:
            reverse = _direction(loop, counter, start, shape[dimension])
            if reverse is not None:
                return Access(op, array, dimension, reverse)
    return None


def _direction(loop: WhileOp, counter: Counter, start: SSAValue, size: int) -> bool | None:
    """Whether index `start` counts down the trips (True), or up (False), or neither (None)."""
    trips = counter.trips
    index = Indices(loop, counter, size if trips is None else min(trips, size)).of(start)
    if index == (1, 0):
        return False
    if trips is not None and trips <= size and index == (-1, trips - 1):
        return True
    return None


def _scatter(loop: WhileOp, counter: Counter, op: stablehlo.ScatterOp) -> Access | None:
    """A scatter that replaces one row, as `ys.at[i].set(row)` gives."""
    if len(op.inputs) != 1:
        return None
    array, update = op.inputs[0], op.updates[0]
    combine = op.update_computation.block
    if terminator_of(op.update_computation).operands[0] is not combine.args[1]:
        return None
    shape = shape_of(array)
    numbers = op.scatter_dimension_numbers
    scattered = numbers.scatter_dims_to_operand_dims.data
    if any(size < 0 for size in shape) or len(scattered) != 1:
        return None
    dimension = scattered[0]
    row = (*shape[:dimension], *shape[dimension + 1 :])
    if (
        numbers.inserted_window_dims.data != scattered
        or numbers.input_batching_dims.data
        or numbers.update_window_dims.data != tuple(range(len(row)))
        or shape_of(update) != row
    ):
        return None
    start = op.scatter_indices
    if shape_of(start) == (1,):
        wrapper = start.owner
        if not isinstance(wrapper, stablehlo.BroadcastInDimOp | stablehlo.ReshapeOp):
            return None
        start = wrapper.operand
    if shape_of(start):
        return None
    reverse = _direction(loop, counter, start, shape[dimension])
    return None if reverse is None else Access(op, array, dimension, reverse)
