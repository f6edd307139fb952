"""`uniform_quantize` and `uniform_dequantize`, per tensor and per axis.

A quantized tensor is at run time an array of its storage type. No other kernel knows quantized
types: what computes with such tensors is refused where the element type has no dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.diagnostics import ProgramError
from ....dialects.quant import UniformQuantizedType
from ...values import AnyArray, dtype_of, shape_of
from .. import Kernel, Scope, kernel
from .common import one, wide_float


@kernel("stablehlo.uniform_quantize")
def _quantize(op: Operation, scope: Scope) -> Kernel:
    operand, result = op.operands[0], op.results[0]
    given, wanted = _quantized(operand), _quantized(result)
    assert wanted is not None
    quantize = _quantizer(op, result, wanted)
    if given is None:
        return quantize
    dequantize = _dequantizer(op, operand, given)
    return one(lambda x: quantize(dequantize(x)))


@kernel("stablehlo.uniform_dequantize")
def _dequantize(op: Operation, scope: Scope) -> Kernel:
    quantized = _quantized(op.operands[0])
    assert quantized is not None
    return _dequantizer(op, op.operands[0], quantized)


def _quantized(value: SSAValue) -> UniformQuantizedType | None:
    assert isinstance(value.type, TensorType)
    element = cast("TensorType[Attribute]", value.type).element_type
    return element if isinstance(element, UniformQuantizedType) else None


def _quantizer(op: Operation, value: SSAValue, type: UniformQuantizedType) -> Callable[[Any], Any]:
    storage, expressed = dtype_of(type.storage_type), dtype_of(type.expressed_type)
    compute = wide_float(expressed)
    scales, zero_points = _parameters(op, value, type)
    low, high = (compute.type(bound.data) for bound in (type.storage_min, type.storage_max))

    def quantize(x: Any) -> Any:
        scaled = np.divide(x.astype(compute), scales.astype(compute))
        moved = np.add(scaled, zero_points.astype(compute))
        bounded = np.rint(np.clip(moved, low, high))
        # By way of f64, since f32 has no greatest 32-bit integer; NaN has no place: zero's.
        wide = np.where(np.isnan(bounded), zero_points, bounded.astype(np.float64))
        return np.clip(wide, type.storage_min.data, type.storage_max.data).astype(storage)

    return quantize


def _dequantizer(
    op: Operation, value: SSAValue, type: UniformQuantizedType
) -> Callable[[Any], Any]:
    expressed = dtype_of(type.expressed_type)
    compute = wide_float(expressed)
    scales, zero_points = _parameters(op, value, type)

    def dequantize(x: Any) -> Any:
        steps = np.subtract(x.astype(np.int64), zero_points.astype(np.int64)).astype(compute)
        return np.multiply(steps, scales.astype(compute)).astype(expressed)

    return dequantize


def _parameters(
    op: Operation, value: SSAValue, type: UniformQuantizedType
) -> tuple[AnyArray, AnyArray]:
    """Scales and zero points, in f64, of a shape that goes with the tensor's."""
    scales = np.array(type.scale_values, np.float64)
    zero_points = np.array(type.zero_point_values, np.float64)
    if type.is_per_tensor:
        return scales[0], zero_points[0]
    if type.axis is None:
        raise ProgramError(f"{op.name}: sub-channel quantization has no kernel", op)
    shape = [-1 if d == type.axis else 1 for d in range(len(shape_of(value)))]
    return scales.reshape(shape), zero_points.reshape(shape)
