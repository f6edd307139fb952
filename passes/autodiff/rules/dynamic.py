"""Rules of ops whose shapes are computed at run time.

Where a rule needs the sizes of a forward value, the forward code keeps the sizes, not the value.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i64
from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.inference import element_of, shape_of
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, jvp, vjp
from .common import (
    copy,
    dynamic_reshape,
    integers,
    linear,
    only,
    or_zeros,
    plus,
    reshape_like,
    scalar_type,
    sizes_in_forward,
    transpose,
)

linear(
    "stablehlo.dynamic_broadcast_in_dim",
    "stablehlo.dynamic_reshape",
    "stablehlo.set_dimension_size",
)


@vjp("stablehlo.dynamic_reshape")
def _dynamic_reshape(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    return [reshape_like(b, only(cotangents), op.operands[0], op), None]


@vjp("stablehlo.dynamic_broadcast_in_dim")
def _dynamic_broadcast(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.DynamicBroadcastInDimOp)
    e = b.emit
    dimensions = list(op.broadcast_dimensions.get_values())
    source, target = shape_of(op.operand), shape_of(op.result)
    total = e.sum(only(cotangents), [d for d in range(len(target)) if d not in dimensions])
    order = sorted(dimensions)
    total = transpose(e, total, [order.index(d) for d in dimensions])
    # What is left has the source's rank; some of its dimensions were of size 1 and were repeated.
    repeated = [k for k, size in enumerate(source) if size == 1 and target[dimensions[k]] != 1]
    unknown = [k for k, size in enumerate(source) if size == DYNAMIC_INDEX]
    known = op.known_nonexpanding_dimensions
    if known is not None:
        unknown = [k for k in unknown if k not in known.get_values()]
    if repeated:
        total = e.sum(total, repeated)
        sizes = None if DYNAMIC_INDEX not in source else sizes_in_forward(b, op.operand, op)
        total = (
            e.reshape(total, source) if sizes is None else dynamic_reshape(e, total, sizes, source)
        )
    if unknown:
        total = _sum_repeats(b, op, total, unknown)
    return [total, None]


def _sum_repeats(
    b: Backward, op: stablehlo.DynamicBroadcastInDimOp, total: SSAValue, unknown: Sequence[int]
) -> SSAValue:
    """Sum dimensions that turn out to have been repeated: one of size t over a source of size s is
    t/s by s, which is 1 by t, or t by 1, and the first of the two is summed."""
    e = b.emit
    sizes = sizes_in_forward(b, op.operand, op)
    now = e.shape(total)
    one = integers(e, [1])
    pieces: list[SSAValue] = []
    summed: list[int] = []
    for k in range(len(shape_of(total))):
        size = _part(e, sizes, k)
        if k in unknown:
            summed.append(len(pieces))
            safe = e.value(stablehlo.MaximumOp(size, one))
            pieces.append(e.div(_part(e, now, k), safe))
        pieces.append(size)
    shape: list[int] = []
    for k, size in enumerate(shape_of(op.operand)):
        shape += [DYNAMIC_INDEX, size] if k in unknown else [size]
    split = dynamic_reshape(e, total, e.value(stablehlo.ConcatenateOp(pieces, 0)), shape)
    return e.sum(split, summed)


def _part(e: Emitter, numbers: SSAValue, k: int) -> SSAValue:
    return e.value(stablehlo.SliceOp(numbers, [k], [k + 1], [1]))


def _wide(e: Emitter, numbers: SSAValue) -> SSAValue:
    return e.convert(numbers, i64)


def _as_numbers(b: Backward, value: SSAValue) -> SSAValue:
    """A forward list of sizes as i64."""
    return _wide(b.emit, b.value(value))


def _dynamic_pad_op(
    e: Emitter, value: SSAValue, amounts: Sequence[SSAValue], shape: Sequence[int]
) -> SSAValue:
    """Zeros around `value`: low, high, interior."""
    zero = e.constant(0, scalar_type(value))
    result = TensorType(element_of(value), shape)
    made = stablehlo.DynamicPadOp.create(operands=[value, zero, *amounts], result_types=[result])
    return e.value(made)


@vjp("stablehlo.real_dynamic_slice")
def _real_dynamic_slice(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.RealDynamicSliceOp)
    ct = only(cotangents)
    e = b.emit
    low = _as_numbers(b, op.start_indices)
    step = _as_numbers(b, op.strides)
    one = integers(e, [1] * len(shape_of(ct)))
    count = e.shape(ct)
    # The elements of the slice, with gaps, take (count - 1) * step + 1 places; none take none.
    gap = e.sub(step, one)
    zero = integers(e, [0] * len(shape_of(ct)))
    spread = e.value(stablehlo.MaximumOp(e.sub(count, one), zero))
    reach = plus(e, count, e.mul(spread, gap))
    high = e.sub(e.sub(sizes_in_forward(b, op.operand, op), low), reach)
    return [_dynamic_pad_op(e, ct, (low, high, gap), shape_of(op.operand)), None, None, None]


@vjp("stablehlo.dynamic_pad")
def _dynamic_pad(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.DynamicPadOp)
    ct = only(cotangents)
    e = b.emit
    rank = len(shape_of(ct))
    low, high, interior = (_as_numbers(b, value) for value in op.operands[2:])
    none, ones = integers(e, [0] * rank), integers(e, [1] * rank)
    unknown = [DYNAMIC_INDEX] * rank
    inside = _dynamic_pad_op(e, ct, (e.neg(low), e.neg(high), none), unknown)
    steps = plus(e, interior, ones)
    picked = e.value(
        stablehlo.RealDynamicSliceOp.create(
            operands=[inside, none, e.shape(inside), steps], result_types=[op.operand.type]
        )
    )
    padding = None
    if b.is_active(op.padding_value):
        padding = e.sub(e.sum(ct, range(rank)), e.sum(picked, range(rank)))
    return [picked if b.is_active(op.operand) else None, padding, None, None, None]


@jvp("stablehlo.dynamic_pad")
def _dynamic_pad_forward(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    if tangents[0] is None and tangents[1] is None:
        return [None]
    both = [or_zeros(e, tangent, operand) for tangent, operand in zip(tangents[:2], op.operands)]
    return copy(e, op, [*both, *op.operands[2:]]).results


@vjp("stablehlo.set_dimension_size")
def _set_dimension_size(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    """The elements beyond the size have no part in the result."""
    assert isinstance(op, stablehlo.SetDimensionSizeOp)
    ct = only(cotangents)
    e = b.emit
    rank = len(shape_of(ct))
    none = integers(e, [0] * rank)
    high = e.sub(sizes_in_forward(b, op.operand, op), e.shape(ct))
    return [_dynamic_pad_op(e, ct, (none, high, none), shape_of(op.operand)), None]
