"""Rules of gathers and scatters.

The inverse of a gather adds to a scatter with the same numbers, and the other way round. Start indices
of a gather are moved into the operand, so those of its inverse are too; updates of a scatter outside the
operand are dropped, so their cotangents are zero. A cotangent of an array that several gathers read
is scattered into, row by row. Scatters that add are in this file, other ones in `scatters`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, i1, i64
from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.inference import element_of, shape_of, tensor_of
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, vjp
from .common import (
    binary_region,
    integers,
    is_true,
    largest,
    linear,
    only,
    second_region,
    sizes_in_forward,
)
from .expansion import expands

linear("stablehlo.gather", "stablehlo.dynamic_gather")


@vjp("stablehlo.gather")
def _gather(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.GatherOp)
    numbers, sizes = op.dimension_numbers, op.slice_sizes.get_values()
    limits = [shape_of(op.operand)[d] - sizes[d] for d in numbers.start_index_map.data]
    indices = clamped(b.emit, b.value(op.start_indices), numbers.index_vector_dim.data, limits)
    _add_slices(b, op.operand, indices, only(cotangents), numbers, is_true(op.indices_are_sorted))
    return [None, None]


@vjp("stablehlo.dynamic_gather")
def _dynamic_gather(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.DynamicGatherOp)
    e = b.emit
    numbers = op.dimension_numbers
    indices = b.value(op.start_indices)
    # Of each indexed dimension, the last place where a slice may start.
    total = sizes_in_forward(b, op.operand, op)
    room = e.sub(total, e.convert(b.value(op.slice_sizes), i64))
    room = e.value(stablehlo.MaximumOp(room, e.zeros_like(room)))
    picked = [
        e.value(stablehlo.SliceOp(room, [d], [d + 1], [1])) for d in numbers.start_index_map.data
    ]
    limits = e.convert(e.value(stablehlo.ConcatenateOp(picked, 0)), element_of(indices))
    rank, vector = len(shape_of(indices)), numbers.index_vector_dim.data
    if vector == rank:
        limits, dimensions = e.reshape(limits, []), []
    else:
        dimensions = [vector]
    if tensor_of(indices).has_static_shape():
        high = e.broadcast(limits, shape_of(indices), dimensions)
        low = e.zeros_like(indices)
        indices = e.value(stablehlo.ClampOp(low, indices, high))
    _add_slices(b, op.operand, indices, only(cotangents), numbers, is_true(op.indices_are_sorted))
    return [None, None, None]


def clamped(e: Emitter, indices: SSAValue, vector: int, limits: Sequence[int]) -> SSAValue:
    """Index vectors, along dimension `vector`, moved into [0, limits]."""
    element = element_of(indices)
    top = largest(element)
    bounds = [min(max(limit, 0), top) for limit in limits]
    low = e.constant(0, TensorType(element, []))
    if len(set(bounds)) <= 1:
        high = e.constant(bounds[0] if bounds else 0, TensorType(element, []))
        return e.value(stablehlo.ClampOp(low, indices, high))
    high = e.convert(integers(e, bounds), element)
    shape = shape_of(indices)
    wide = e.broadcast(high, shape, [vector])
    return e.value(stablehlo.ClampOp(e.broadcast(low, shape, []), indices, wide))


def _add_slices(
    b: Backward,
    operand: SSAValue,
    indices: SSAValue,
    ct: SSAValue,
    numbers: stablehlo.GatherDimensionNumbersAttr,
    is_sorted: bool,
) -> None:
    """Add to the cotangent of `operand` where slices of it were read."""
    known = b.cotangents.pop(operand, None)
    if known is None:
        known = b.zero(operand)
    b.cotangents[operand] = scatter(
        b.emit, "add", known, indices, ct, scatter_numbers(numbers), is_sorted=is_sorted
    )


def scatter_numbers(
    numbers: stablehlo.GatherDimensionNumbersAttr,
) -> stablehlo.ScatterDimensionNumbersAttr:
    """Those of the scatter that writes where a gather reads."""
    return stablehlo.ScatterDimensionNumbersAttr(
        numbers.offset_dims,
        numbers.collapsed_slice_dims,
        numbers.operand_batching_dims,
        numbers.start_indices_batching_dims,
        numbers.start_index_map,
        numbers.index_vector_dim,
    )


def scatter(
    e: Emitter,
    kind: str,
    operand: SSAValue,
    indices: SSAValue,
    updates: SSAValue,
    numbers: stablehlo.ScatterDimensionNumbersAttr,
    *,
    is_sorted: bool = False,
    is_unique: bool = False,
) -> SSAValue:
    """A scatter that adds, multiplies or sets."""
    element = element_of(operand)
    if kind == "set":
        region = second_region(element)
    else:
        region = binary_region(
            {"add": stablehlo.AddOp, "multiply": stablehlo.MultiplyOp}[kind], element
        )
    made = stablehlo.ScatterOp(
        [operand],
        indices,
        [updates],
        numbers,
        region,
        indices_are_sorted=is_sorted,
        unique_indices=is_unique,
    )
    return e.value(made)


# Reading where a scatter writes.


class Written:
    """Where a scatter writes: reads the slices of arrays of the operand's shape that its updates go to,
    with zeros for what lies outside the operand."""

    def __init__(self, op: stablehlo.ScatterOp, indices: SSAValue, e: Emitter):
        self.op = op
        self.emit = e
        numbers = op.scatter_dimension_numbers
        self.numbers = numbers
        self.shape = shape_of(op.inputs[0])
        self.updates = shape_of(op.updates[0])
        dropped = (*numbers.inserted_window_dims.data, *numbers.input_batching_dims.data)
        kept = [d for d in range(len(self.shape)) if d not in dropped]
        window = dict(zip(kept, (self.updates[d] for d in numbers.update_window_dims.data)))
        self.sizes = [window.get(d, 1) for d in range(len(self.shape))]
        self.placed = list(numbers.scatter_dims_to_operand_dims.data)
        self.vector = numbers.index_vector_dim.data
        self.indices = indices
        self.is_inside = self._always_inside()

    @property
    def is_unique(self) -> bool:
        """Whether no place is written twice."""
        if is_true(self.op.unique_indices):
            return True
        numbers = self.numbers
        batching = set(numbers.scatter_indices_batching_dims.data)
        shape = shape_of(self.indices)
        return all(size == 1 or d == self.vector or d in batching for d, size in enumerate(shape))

    def _always_inside(self) -> bool:
        """Whether the program's text shows that no update lies outside."""
        known = constant_numbers(self.op.scatter_indices)
        if known is None or not self.placed:
            return not self.placed
        limits = [self.shape[d] - self.sizes[d] for d in self.placed]
        low, high = min(known, default=0), max(known, default=0)
        return low >= 0 and high <= min(limits)

    def read(self, array: SSAValue) -> SSAValue:
        """The slices of `array`, one per update."""
        e = self.emit
        if self.is_inside:
            return self._gather(array, self.indices)
        if all(self.sizes[d] == 1 for d in self.placed):
            found = self._gather(array, self.indices)
            return e.select(self.inside(), found, e.zeros_like(found))
        # A window may lie half outside: surround the array with zeros.
        margin = [self.sizes[d] if d in self.placed else 0 for d in range(len(self.shape))]
        zero = e.constant(0, TensorType(element_of(array), []))
        wide = e.value(stablehlo.PadOp(array, zero, margin, margin, [0] * len(margin)))
        shift = e.convert(integers(e, [margin[d] for d in self.placed]), i64)
        indices = e.convert(self.indices, i64)
        shape = shape_of(indices)
        spread = (
            e.broadcast(e.reshape(shift, []), shape, [])
            if self.vector == len(shape)
            else e.broadcast(shift, shape, [self.vector])
        )
        return self._gather(wide, e.value(stablehlo.AddOp(indices, spread)))

    def inside(self) -> SSAValue:
        """For each element of the updates, whether it is written: for windows of one place along the
        dimensions that are indexed."""
        e = self.emit
        indices = self.indices
        shape = shape_of(indices)
        element = element_of(indices)
        lowest = e.zeros_like(indices)
        last = [min(self.shape[d] - 1, largest(element)) for d in self.placed]
        if self.vector == len(shape):
            top = e.constant(last[0], indices.type)
        else:
            top = e.broadcast(e.convert(integers(e, last), element), shape, [self.vector])
        good = e.value(
            stablehlo.AndOp(e.compare("GE", indices, lowest), e.compare("LE", indices, top))
        )
        if self.vector < len(shape):
            good = _all_of(e, good, self.vector)
        window = self.numbers.update_window_dims.data
        outer = [d for d in range(len(self.updates)) if d not in window]
        return e.broadcast(good, self.updates, outer)

    def _gather(self, array: SSAValue, indices: SSAValue) -> SSAValue:
        numbers = self.numbers
        return self.emit.value(
            stablehlo.GatherOp(
                array,
                indices,
                stablehlo.GatherDimensionNumbersAttr(
                    numbers.update_window_dims,
                    numbers.inserted_window_dims,
                    numbers.input_batching_dims,
                    numbers.scatter_indices_batching_dims,
                    numbers.scatter_dims_to_operand_dims,
                    numbers.index_vector_dim,
                ),
                self.sizes,
                indices_are_sorted=is_true(self.op.indices_are_sorted),
            )
        )

    def write(self, kind: str, array: SSAValue, updates: SSAValue) -> SSAValue:
        """A scatter to the same places."""
        return scatter(
            self.emit,
            kind,
            array,
            self.indices,
            updates,
            self.numbers,
            is_sorted=is_true(self.op.indices_are_sorted),
            is_unique=self.is_unique,
        )


def _all_of(e: Emitter, flags: SSAValue, dimension: int) -> SSAValue:
    true = e.constant(True, TensorType(i1, []))
    region = binary_region(stablehlo.AndOp, i1)
    return e.value(stablehlo.ReduceOp([flags], [true], [dimension], region))


def constant_numbers(value: SSAValue) -> Sequence[int] | None:
    """The numbers of an integer constant, seen through what only repeats or reshapes it."""
    op = value.owner
    while isinstance(op, stablehlo.BroadcastInDimOp | stablehlo.ReshapeOp | stablehlo.ConvertOp):
        op = op.operand.owner
    if not isinstance(op, stablehlo.ConstantOp):
        return None
    if not isinstance(op.value, DenseIntOrFPElementsAttr):
        return None
    numbers = op.value.get_values()
    return [int(number) for number in numbers if isinstance(number, int)]


# Selecting along one dimension, as a gather.


@expands("stablehlo.torch_index_select")
def _torch_index_select(
    op: Operation, e: Emitter, operands: Sequence[SSAValue]
) -> Sequence[SSAValue]:
    assert isinstance(op, stablehlo.TorchIndexSelectOp)
    operand, index = operands
    dimension, batch = op.dim.value.data, op.batch_dims.value.data
    shape, picks = shape_of(operand), shape_of(index)
    sizes = [1 if d < batch or d == dimension else size for d, size in enumerate(shape)]
    rank = len(shape) - 1 + len(picks) - batch
    places = [d for d in range(rank) if d < dimension or d >= dimension + len(picks) - batch]
    numbers = stablehlo.GatherDimensionNumbersAttr(
        [d for d in places if d >= batch],
        [dimension],
        list(range(batch)),
        list(range(batch)),
        [dimension],
        len(picks),
    )
    return [e.value(stablehlo.GatherOp(operand, index, numbers, sizes, op.result.type))]
