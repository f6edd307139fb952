"""Rules of slices and updates.

The cotangent of an array that is read slice by slice is updated slice by slice: each read costs what
the slice costs, not what the array does.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, i32, i64
from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.inference import shape_of
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, NoDerivative, jvp, vjp
from .common import copy, is_static, linear, only, or_zeros, scalar_type

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
        _add_at(b, op.operand, _constants(b.emit, starts), sizes, ct)
        return [None]
    ends = [s + (n - 1) * k + 1 if n else s for s, n, k in zip(starts, sizes, strides)]
    high = [total - end for total, end in zip(shape, ends)]
    zero = b.emit.constant(0, scalar_type(ct))
    return [
        b.emit.value(stablehlo.PadOp(ct, zero, starts, high, [stride - 1 for stride in strides]))
    ]


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
