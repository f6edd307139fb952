"""Rules of ops that rearrange elements."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.inference import shape_of, tensor_of
from ..backward import Backward
from . import Contributions, vjp


@vjp("stablehlo.broadcast_in_dim")
def _broadcast_in_dim(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.BroadcastInDimOp)
    (ct,) = cotangents
    assert ct is not None
    source, target = shape_of(op.operand), shape_of(op.result)
    dimensions = list(op.broadcast_dimensions.get_values())
    kept = [d for k, d in enumerate(dimensions) if source[k] == target[d]]
    gone = [d for d in range(len(target)) if d not in kept]
    total = b.emit.sum(ct, gone)
    # What is left is in the order of the target's dimensions; put it in the source's order.
    order = sorted(kept)
    if order != kept:
        permutation = [order.index(d) for d in kept]
        total = b.emit.value(stablehlo.TransposeOp(total, permutation))
    return [b.emit.reshape(total, source)]


@vjp("stablehlo.reshape")
def _reshape(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    return [b.emit.reshape(ct, shape_of(op.operands[0]))]


@vjp("stablehlo.transpose")
def _transpose(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.TransposeOp)
    (ct,) = cotangents
    assert ct is not None
    permutation = list(op.permutation.get_values())
    inverse = [permutation.index(k) for k in range(len(permutation))]
    return [b.emit.value(stablehlo.TransposeOp(ct, inverse))]


@vjp("stablehlo.reverse")
def _reverse(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.ReverseOp)
    (ct,) = cotangents
    assert ct is not None
    copy = op.clone()
    copy.operands = [ct]
    return [b.emit.value(copy)]


@vjp("stablehlo.concatenate")
def _concatenate(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.ConcatenateOp)
    (ct,) = cotangents
    assert ct is not None
    dimension = op.dimension.value.data
    shape = shape_of(op.results[0])
    contributions: list[SSAValue | None] = []
    start = 0
    for operand in op.operands:
        size = shape_of(operand)[dimension]
        low, high = [0] * len(shape), list(shape)
        low[dimension], high[dimension] = start, start + size
        start += size
        piece = stablehlo.SliceOp(ct, low, high, [1] * len(shape))
        contributions.append(b.emit.value(piece) if b.is_active(operand) else None)
    return contributions


@vjp("stablehlo.pad")
def _pad(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.PadOp)
    (ct,) = cotangents
    assert ct is not None
    e = b.emit
    low = list(op.edge_padding_low.get_values())
    high = list(op.edge_padding_high.get_values())
    inner = list(op.interior_padding.get_values())
    zero = e.constant(0, op.padding_value.type)
    # Take the edges away with negative padding, then the elements between with a stride.
    edges = stablehlo.PadOp(ct, zero, [-n for n in low], [-n for n in high], [0] * len(low))
    inside = e.value(edges)
    shape = tensor_of(inside).get_shape()
    strides = [n + 1 for n in inner]
    picked = e.value(stablehlo.SliceOp(inside, [0] * len(low), list(shape), strides))
    padding = None
    if b.is_active(op.padding_value):
        everywhere = range(len(shape))
        padding = e.sub(e.sum(ct, everywhere), e.sum(picked, everywhere))
    return [picked if b.is_active(op.operand) else None, padding]
