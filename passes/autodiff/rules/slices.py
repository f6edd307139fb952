"""Rules of slices and updates.

The cotangent of an array that is read slice by slice is updated slice by slice: each read costs what
the slice costs, not what the array does. Those of a few slices that lie side by side, as of an array
that was split, are put together by one `concatenate`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, i32, i64
from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.inference import shape_of
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, NoDerivative, jvp, vjp
from .common import copy, is_static, linear, only, or_zeros, scalar_type

MOST_PIECES = 32
"""An array read in more slices than these is updated in place."""

linear("stablehlo.slice", "stablehlo.dynamic_slice", "stablehlo.real_dynamic_slice")


@vjp("stablehlo.slice")
def _slice(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.SliceOp)
    ct = only(cotangents)
    starts = list(op.start_indices.get_values())
    strides = list(op.strides.get_values())
    shape, sizes = shape_of(op.operand), shape_of(op.result)
    if not is_static(op.operand):
        raise NoDerivative(
            f"'{op.name}' has a derivative for static shapes, got {op.operand.type}", op
        )
    known = b.cotangents.get(op.operand)
    if known is not None and set(strides) <= {1}:
        if _join(b, op, known, ct):
            return [None]
        _add_at(b, op.operand, _constants(b.emit, starts), sizes, ct)
        return [None]
    ends = [s + (n - 1) * k + 1 if n else s for s, n, k in zip(starts, sizes, strides)]
    high = [total - end for total, end in zip(shape, ends)]
    zero = b.emit.constant(0, scalar_type(ct))
    return [
        b.emit.value(stablehlo.PadOp(ct, zero, starts, high, [stride - 1 for stride in strides]))
    ]


Piece = tuple[int, SSAValue | None]
"""Its extent along the dimension, and its value if it is not zero."""


def _join(b: Backward, op: stablehlo.SliceOp, known: SSAValue, ct: SSAValue) -> bool:
    """Make the cotangent of the operand a concatenation in which `ct` has its place; whether that
    can be."""
    shape, sizes = shape_of(op.operand), shape_of(op.result)
    cut = [d for d, (whole, part) in enumerate(zip(shape, sizes)) if whole != part]
    if len(cut) != 1:
        return False
    (dimension,) = cut
    known_pieces = _pieces(known, dimension)
    if known_pieces is None:
        return False
    start, size = op.start_indices.get_values()[dimension], sizes[dimension]
    pieces = _with(b.emit, known_pieces, start, size, ct)
    if pieces is None or len(pieces) > MOST_PIECES:
        return False
    values: list[SSAValue] = []
    for extent, value in pieces:
        if value is None:
            gap = [*sizes[:dimension], extent, *sizes[dimension + 1 :]]
            value = b.emit.constant(0, TensorType(scalar_type(ct).element_type, gap))
        values.append(value)
    b.cotangents[op.operand] = b.emit.value(stablehlo.ConcatenateOp(values, dimension))
    if known.first_use is None and not any(known is other for other in b.cotangents.values()):
        assert isinstance(known.owner, Operation)
        known.owner.detach()
        known.owner.erase()
    return True


def _pieces(known: SSAValue, dimension: int) -> list[Piece] | None:
    """What a cotangent is made of along a dimension, if a rule of slices made it."""
    op = known.owner
    if isinstance(op, stablehlo.ConcatenateOp) and op.dimension.value.data == dimension:
        return [
            (shape_of(value)[dimension], None if _is_zero(value) else value) for value in op.inputs
        ]
    if not isinstance(op, stablehlo.PadOp) or not _is_zero(op.padding_value):
        return None
    low, high = op.edge_padding_low.get_values(), op.edge_padding_high.get_values()
    padded = {d for d, edges in enumerate(zip(low, high)) if edges != (0, 0)}
    if any(op.interior_padding.get_values()) or padded != {dimension}:
        return None
    if low[dimension] < 0 or high[dimension] < 0:
        return None
    pieces: list[Piece] = [
        (low[dimension], None),
        (shape_of(op.operand)[dimension], op.operand),
        (high[dimension], None),
    ]
    return [piece for piece in pieces if piece[0]]


def _with(
    e: Emitter, pieces: Sequence[Piece], start: int, size: int, ct: SSAValue
) -> list[Piece] | None:
    """The pieces with `ct` added to those from `start` on; None if it would cut one."""
    first = 0
    for k, (extent, value) in enumerate(pieces):
        before, after = start - first, first + extent - (start + size)
        if before >= 0 and after >= 0:
            if value is not None and (before or after):
                return None
            new: list[Piece] = [(before, None), (size, e.add(value, ct)), (after, None)]
            return [*pieces[:k], *(piece for piece in new if piece[0]), *pieces[k + 1 :]]
        first += extent
    return None


def _is_zero(value: SSAValue) -> bool:
    op = value.owner
    if not isinstance(op, stablehlo.ConstantOp):
        return False
    dense = op.value
    return isinstance(dense, DenseIntOrFPElementsAttr) and not any(dense.data.data)


def _constants(e: Emitter, numbers: Sequence[int]) -> list[SSAValue]:
    element = i32 if max(numbers, default=0) < 2**31 else i64
    return [e.constant(number, TensorType(element, [])) for number in numbers]


def _add_at(
    b: Backward, operand: SSAValue, starts: Sequence[SSAValue], sizes: Sequence[int], ct: SSAValue
) -> None:
    """Add to a slice of a cotangent that is known already (from zeros, if it is not)."""
    known = b.cotangents.pop(operand, None)
    update = ct
    if known is None:
        known = b.zero(operand)
    else:
        there = b.emit.value(stablehlo.DynamicSliceOp(known, starts, list(sizes)))
        update = b.emit.value(stablehlo.AddOp(there, ct))
    b.cotangents[operand] = b.emit.value(stablehlo.DynamicUpdateSliceOp(known, update, starts))


@vjp("stablehlo.dynamic_slice")
def _dynamic_slice(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.DynamicSliceOp)
    starts = [b.value(start) for start in op.start_indices]
    _add_at(b, op.operand, starts, op.slice_sizes.get_values(), only(cotangents))
    return [None] * len(op.operands)


@vjp("stablehlo.dynamic_update_slice")
def _dynamic_update_slice(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.DynamicUpdateSliceOp)
    ct = only(cotangents)
    starts = [b.value(start) for start in op.start_indices]
    by_update = by_operand = None
    if b.is_active(op.update):
        sizes = list(shape_of(op.update))
        by_update = b.emit.value(stablehlo.DynamicSliceOp(ct, starts, sizes))
    if b.is_active(op.operand):
        zeros = b.zero(op.update)
        by_operand = b.emit.value(stablehlo.DynamicUpdateSliceOp(ct, zeros, starts))
    return [by_operand, by_update, *([None] * len(starts))]


@jvp("stablehlo.dynamic_update_slice")
def _dynamic_update_slice_forward(
    op: Operation, tangents: Contributions, e: Emitter
) -> Contributions:
    operand, update, *starts = op.operands
    by_operand, by_update, *_ = tangents
    if by_operand is None and by_update is None:
        return [None]
    both = [or_zeros(e, by_operand, operand), or_zeros(e, by_update, update)]
    return copy(e, op, [*both, *starts]).results
