"""Conversions between element types.

Float to integer truncates, saturates at the type's ends, and gives 0 for NaN (as XLA on CPU;
StableHLO leaves it open). Integer to integer wraps. Anything to bool is "is not zero". Complex to
real or to bool drops the imaginary part. f64 to bf16 rounds through f32, as ml_dtypes and XLA do;
f64 to f16 rounds once.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from xdsl.ir import Operation

from ...values import DType, is_static, shape_of
from .. import Kernel, Scope, kernel
from .common import (
    SMALL_INTS,
    bit_width,
    contiguous,
    identity,
    is_bool,
    is_complex,
    is_float,
    is_int,
    one,
    operand_dtype,
    result_dtype,
    where,
    wide_int,
)


@kernel("stablehlo.convert", elementwise=True)
def _convert(op: Operation, scope: Scope) -> Kernel:
    return convert_of(operand_dtype(op), result_dtype(op))


def convert_of(source: DType, target: DType) -> Kernel:
    """The conversion from one dtype to another."""
    if source == target:
        return identity
    if is_complex(source) and not is_complex(target):
        to_target = convert_of(source.type(0).real.dtype, target)
        return one(lambda x: to_target(x.real))
    if is_bool(target):
        zero = np.zeros((), source)
        return one(lambda x: np.not_equal(x, zero))
    if is_float(source) and is_int(target):
        return _float_to_int(source, target)
    if source in SMALL_INTS and target in SMALL_INTS:
        return one(lambda x: x.astype(np.int8).astype(target))
    return one(lambda x: x.astype(target))


def _float_to_int(source: DType, target: DType) -> Kernel:
    compute = source if source.kind == "f" else np.dtype(np.float32)
    info: Any = ml_dtypes.iinfo(target) if target in SMALL_INTS else np.iinfo(target)
    native = wide_int(target)
    low, high = native.type(int(info.min)), native.type(int(info.max))
    # The first float above the range is a power of two, hence exact (infinite in f16 when too
    # large).
    bits = bit_width(target) - (1 if info.min < 0 else 0)
    with np.errstate(over="ignore"):
        end = np.array(2.0**bits).astype(compute)[()]
        start = np.array(float(info.min)).astype(compute)[()]

    def to_int(x: Any) -> Any:
        x = x.astype(compute)
        inside = np.logical_and(np.greater_equal(x, start), np.less(x, end))
        if np.all(inside):
            return x.astype(native).astype(target, copy=False)
        # Casting out of range is undefined, so those elements are replaced before the cast. A
        # number above -1 truncates to 0, which an unsigned type holds.
        safe = where(inside, x, compute.type(0)).astype(native)
        limit = where(np.greater_equal(x, end), high, where(np.less(x, start), low, safe))
        return where(np.isnan(x), native.type(0), limit).astype(target, copy=False)

    return to_int


@kernel("stablehlo.bitcast_convert")
def _bitcast_convert(op: Operation, scope: Scope) -> Kernel:
    """The same bits as another type: of equal width, split into a new last dimension, or joined
    from it."""
    source, target = operand_dtype(op), result_dtype(op)
    if bit_width(source) < 8 or bit_width(target) < 8:
        return _bitcast_small(source, target)
    if source.itemsize == target.itemsize:
        return one(lambda x: x.view(target))
    shape = shape_of(op.results[0])
    grows = source.itemsize > target.itemsize

    def bitcast(x: Any) -> Any:
        x = contiguous(x)
        if grows:
            return x.reshape((*x.shape, 1)).view(target)
        return x.view(target).reshape(x.shape[:-1])

    if is_static(shape):
        return one(lambda x: contiguous(x).reshape(-1).view(target).reshape(shape))
    return bitcast


def _bitcast_small(source: DType, target: DType) -> Kernel:
    """With integers of less than a byte (or bool): through one array element per bit, lowest bit
    first."""
    source_bits, target_bits = bit_width(source), bit_width(target)

    def bitcast(x: Any) -> Any:
        x = contiguous(x)
        raw = (x.astype(np.int8) if source_bits < 8 else x).reshape((*x.shape, 1)).view(np.uint8)
        bits = np.unpackbits(raw, axis=-1, bitorder="little")[..., :source_bits]
        if source_bits < target_bits:
            bits = bits.reshape((*x.shape[:-1], target_bits))
        elif source_bits > target_bits:
            bits = bits.reshape((*x.shape, source_bits // target_bits, target_bits))
        packed = np.packbits(bits, axis=-1, bitorder="little")
        if target_bits < 8:
            return packed[..., 0].view(np.int8).astype(target)
        return contiguous(packed).view(target)[..., 0]

    return bitcast
