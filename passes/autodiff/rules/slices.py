"""Rules of slices and updates. Cotangents of updated arrays are updated in turn, at the slice's cost."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from ....dialects import stablehlo
from ....dialects.stablehlo.inference import shape_of, tensor_of
from ..backward import Backward
from . import Contributions, vjp


@vjp("stablehlo.slice")
def _slice(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.SliceOp)
    (ct,) = cotangents
    assert ct is not None
    starts = list(op.start_indices.get_values())
    strides = list(op.strides.get_values())
    shape, sizes = shape_of(op.operand), shape_of(op.results[0])
    ends = [s + (n - 1) * k + 1 if n else s for s, n, k in zip(starts, sizes, strides)]
    high = [total - end for total, end in zip(shape, ends)]
    zero = b.emit.constant(0, TensorType(tensor_of(ct).element_type, []))
    return [
        b.emit.value(stablehlo.PadOp(ct, zero, starts, high, [stride - 1 for stride in strides]))
    ]


@vjp("stablehlo.dynamic_slice")
def _dynamic_slice(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.DynamicSliceOp)
    (ct,) = cotangents
    assert ct is not None
    starts = [b.value(start) for start in op.start_indices]
    nothing: Contributions = [None] * len(starts)
    known = b.cotangents.pop(op.operand, None)
    if known is None:
        known = b.zero(op.operand)
        update = ct
    else:
        # Add in place: the array's cotangent is touched only where the slice was.
        size = op.slice_sizes.get_values()
        there = b.emit.value(stablehlo.DynamicSliceOp(known, starts, list(size)))
        update = b.emit.value(stablehlo.AddOp(there, ct))
    b.cotangents[op.operand] = b.emit.value(stablehlo.DynamicUpdateSliceOp(known, update, starts))
    return [None, *nothing]


@vjp("stablehlo.dynamic_update_slice")
def _dynamic_update_slice(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.DynamicUpdateSliceOp)
    (ct,) = cotangents
    assert ct is not None
    starts = [b.value(start) for start in op.start_indices]
    by_update = by_operand = None
    if b.is_active(op.update):
        sizes = list(shape_of(op.update))
        by_update = b.emit.value(stablehlo.DynamicSliceOp(ct, starts, sizes))
    if b.is_active(op.operand):
        zeros = b.zero(op.update)
        by_operand = b.emit.value(stablehlo.DynamicUpdateSliceOp(ct, zeros, starts))
    return [by_operand, by_update, *([None] * len(starts))]
