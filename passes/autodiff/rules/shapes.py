"""Rules of ops that rearrange elements, of static shapes."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.inference import shape_of, tensor_of
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, NoDerivative, jvp, vjp
from .common import (
    copy,
    integers,
    is_static,
    linear,
    only,
    or_zeros,
    plus,
    reshape_like,
    sizes_in_forward,
    transpose,
)

linear(
    "stablehlo.broadcast_in_dim",
    "stablehlo.broadcast",
    "stablehlo.reshape",
    "stablehlo.transpose",
    "stablehlo.reverse",
)


@vjp("stablehlo.broadcast_in_dim")
def _broadcast_in_dim(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.BroadcastInDimOp)
    ct = only(cotangents)
    source, target = shape_of(op.operand), shape_of(op.result)
    dimensions = list(op.broadcast_dimensions.get_values())
    for k, d in enumerate(dimensions):
        if source[k] < 0 <= target[d]:
            raise NoDerivative(
                f"'{op.name}' has a derivative for operands of static shape, got {op.operand.type}",
                op,
            )
    kept = [d for k, d in enumerate(dimensions) if source[k] == target[d]]
    total = b.emit.sum(ct, [d for d in range(len(target)) if d not in kept])
    # What is left is in the order of the target's dimensions; put it in the source's order.
    order = sorted(kept)
    total = transpose(b.emit, total, [order.index(d) for d in kept])
    return [reshape_like(b, total, op.operand, op)]


@vjp("stablehlo.broadcast")
def _broadcast(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.BroadcastOp)
    return [b.emit.sum(only(cotangents), range(len(op.broadcast_sizes.get_values())))]


@vjp("stablehlo.reshape")
def _reshape(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    return [reshape_like(b, only(cotangents), op.operands[0], op)]


@vjp("stablehlo.transpose")
def _transpose(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.TransposeOp)
    permutation = list(op.permutation.get_values())
    inverse = [permutation.index(k) for k in range(len(permutation))]
    return [transpose(b.emit, only(cotangents), inverse)]


@vjp("stablehlo.reverse")
def _reverse(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    return copy(b.emit, op, [only(cotangents)]).results


@vjp("stablehlo.concatenate")
def _concatenate(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.ConcatenateOp)
    ct = only(cotangents)
    dimension = op.dimension.value.data
    shape = shape_of(ct)
    contributions: list[SSAValue | None] = []
    start = 0
    for operand in op.operands:
        size = shape_of(operand)[dimension]
        if size < 0 or not is_static(ct):
            return _concatenate_dynamic(op, ct, b)
        low, high = [0] * len(shape), list(shape)
        low[dimension], high[dimension] = start, start + size
        start += size
        if b.is_active(operand):
            piece = stablehlo.SliceOp(ct, low, high, [1] * len(shape))
            contributions.append(b.emit.value(piece))
        else:
            contributions.append(None)
    return contributions


def _concatenate_dynamic(
    op: stablehlo.ConcatenateOp, ct: SSAValue, b: Backward
) -> list[SSAValue | None]:
    """Slices between run-time limits, which are sums of the operands' sizes."""
    dimension = op.dimension.value.data
    rank = len(shape_of(ct))
    start = integers(b.emit, [0] * rank)
    along = integers(b.emit, [int(d == dimension) for d in range(rank)])
    ones = integers(b.emit, [1] * rank)
    contributions: list[SSAValue | None] = []
    for operand in op.operands:
        sizes = sizes_in_forward(b, operand, op)
        limit = plus(b.emit, start, sizes)
        piece = None
        if b.is_active(operand):
            piece = b.emit.value(
                stablehlo.RealDynamicSliceOp.create(
                    operands=[ct, start, limit, ones], result_types=[operand.type]
                )
            )
        contributions.append(piece)
        start = plus(b.emit, start, b.emit.mul(sizes, along))
    return contributions


@jvp("stablehlo.concatenate")
def _concatenate_forward(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    if all(tangent is None for tangent in tangents):
        return [None]
    pieces = [or_zeros(e, tangent, operand) for tangent, operand in zip(tangents, op.operands)]
    return copy(e, op, pieces).results


@vjp("stablehlo.pad")
def _pad(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.PadOp)
    ct = only(cotangents)
    e = b.emit
    if not is_static(op.operand):
        raise NoDerivative(
            f"'{op.name}' has a derivative for static shapes, got {op.operand.type}", op
        )
    low = list(op.edge_padding_low.get_values())
    high = list(op.edge_padding_high.get_values())
    inner = list(op.interior_padding.get_values())
    # Take the edges away with negative padding, then the elements between with a stride.
    inside = ct
    if any(low) or any(high):
        zero = e.constant(0, op.padding_value.type)
        none = [0] * len(low)
        edges = stablehlo.PadOp(ct, zero, [-n for n in low], [-n for n in high], none)
        inside = e.value(edges)
    shape = tensor_of(inside).get_shape()
    picked = inside
    if any(inner):
        strides = [n + 1 for n in inner]
        picked = e.value(stablehlo.SliceOp(inside, [0] * len(low), list(shape), strides))
    padding = None
    if b.is_active(op.padding_value):
        everywhere = range(len(shape))
        padding = e.sub(e.sum(ct, everywhere), e.sum(picked, everywhere))
    return [picked if b.is_active(op.operand) else None, padding]


@jvp("stablehlo.pad")
def _pad_forward(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    if all(tangent is None for tangent in tangents):
        return [None]
    both = [or_zeros(e, tangent, operand) for tangent, operand in zip(tangents, op.operands)]
    return copy(e, op, both).results
