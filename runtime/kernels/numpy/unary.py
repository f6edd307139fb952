"""Elementwise functions of one operand.

Exactness: `sign` keeps NaN and the sign of zero; `round_nearest_afz` is exact next to one half;
16-bit floats are computed in f32 and rounded once. Transcendental functions are NumPy's, within a
few ulps of XLA's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from xdsl.ir import Operation

from ...values import DType
from .. import Kernel, Scope, kernel, taking_out
from .attributes import int_of
from .common import (
    contiguous,
    identities,
    identity,
    in_dtype,
    is_complex,
    is_float,
    one,
    operand_dtype,
    where,
    wide_float,
    wide_int,
)

_PLAIN: Final[dict[str, Callable[..., Any]]] = {
    "stablehlo.abs": np.absolute,
    "stablehlo.cbrt": np.cbrt,
    "stablehlo.ceil": np.ceil,
    "stablehlo.cosine": np.cos,
    "stablehlo.exponential": np.exp,
    "stablehlo.exponential_minus_one": np.expm1,
    "stablehlo.floor": np.floor,
    "stablehlo.log": np.log,
    "stablehlo.log_plus_one": np.log1p,
    "stablehlo.negate": np.negative,
    "stablehlo.round_nearest_even": np.rint,
    "stablehlo.sine": np.sin,
    "stablehlo.sqrt": np.sqrt,
    "stablehlo.tan": np.tan,
    "stablehlo.tanh": np.tanh,
    "chlo.tan": np.tan,
    "chlo.sinh": np.sinh,
    "chlo.cosh": np.cosh,
    "chlo.asin": np.arcsin,
    "chlo.acos": np.arccos,
    "chlo.atan": np.arctan,
    "chlo.asinh": np.arcsinh,
    "chlo.acosh": np.arccosh,
    "chlo.atanh": np.arctanh,
    "chlo.square": np.square,
}


def _complex_log1p(z: Any) -> Any:
    """NumPy's takes the logarithm of |1 + z|, which forgets a small z."""
    wide = z.astype(np.complex128)
    x, y = wide.real, wide.imag
    close = np.log1p(x * (2 + x) + y * y) / 2
    result = np.empty(np.shape(z), z.dtype)
    # Squares of large numbers would overflow.
    far = np.log(np.hypot(1 + x, y))
    result.real = where(np.less(np.abs(x) + np.abs(y), 2), close, far)
    result.imag = np.arctan2(y, 1 + x)
    return result


_COMPLEX: Final[dict[str, Callable[..., Any]]] = {
    "stablehlo.cbrt": one(lambda z: np.power(z, z.dtype.type(1 / 3))),
    "stablehlo.log_plus_one": _complex_log1p,
}
"""For complex numbers: what NumPy lacks, or computes badly."""


@kernel(*_PLAIN, elementwise=True)
def _plain(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    function = _PLAIN[op.name]
    if is_complex(dtype):
        return _COMPLEX.get(op.name, function)
    return in_dtype(function, wide_int(dtype), dtype)


@kernel("stablehlo.is_finite", elementwise=True)
def _is_finite(op: Operation, scope: Scope) -> Kernel:
    return np.isfinite


@kernel("chlo.is_inf", elementwise=True)
def _is_inf(op: Operation, scope: Scope) -> Kernel:
    return np.isinf


@kernel("chlo.is_pos_inf", "chlo.is_neg_inf", elementwise=True)
def _is_signed_inf(op: Operation, scope: Scope) -> Kernel:
    infinity = np.array(np.inf if op.name == "chlo.is_pos_inf" else -np.inf).astype(
        operand_dtype(op)
    )

    def is_infinity(x: Any) -> Any:
        return np.equal(x, infinity)

    return is_infinity


@kernel("stablehlo.rsqrt", elementwise=True)
def _rsqrt(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    compute = wide_float(dtype)
    one = compute.type(1)

    def rsqrt(x: Any) -> Any:
        return np.divide(one, np.sqrt(x))

    return in_dtype(rsqrt, compute, dtype)


@kernel("stablehlo.logistic", elementwise=True)
def _logistic(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    compute = wide_float(dtype)
    one = compute.type(1)

    def logistic(x: Any, out: Any = None) -> Any:
        y: Any = np.negative(x, out=out)
        if y.ndim == 0:  # a NumPy scalar, which cannot be written into
            return np.divide(one, np.add(one, np.exp(y)))
        np.exp(y, out=y)
        np.add(one, y, out=y)
        return np.divide(one, y, out=y)

    return in_dtype(taking_out(logistic), compute, dtype)


@kernel("stablehlo.sign", elementwise=True)
def _sign(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    if is_float(dtype):

        def sign(x: Any) -> Any:
            return np.copysign(np.sign(x), x)

        return sign
    if is_complex(dtype):
        return _sign_complex
    return in_dtype(np.sign, wide_int(dtype), dtype)


def _sign_complex(z: Any) -> Any:
    """z / |z|; zero for zero; NaN in both parts when either is NaN."""
    size = np.absolute(z)
    nan = np.isnan(z)
    result = np.divide(z, where(np.equal(size, 0), size.dtype.type(1), size))
    return where(nan, z.dtype.type(complex(np.nan, np.nan)), result)


@kernel("stablehlo.round_nearest_afz", elementwise=True)
def _round_away(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    compute = wide_float(dtype)
    half, one = compute.type(0.5), compute.type(1)

    def round_away(x: Any) -> Any:
        # Not trunc(x + 0.5), which is wrong for the number before one half and for large odd ones.
        truncated = np.trunc(x)
        far = np.greater_equal(np.absolute(np.subtract(x, truncated)), half)
        rounded = where(far, np.add(truncated, np.copysign(one, x)), truncated)
        return np.copysign(rounded, x)

    return in_dtype(round_away, compute, dtype)


@kernel("stablehlo.real", "stablehlo.imag", elementwise=True)
def _part(op: Operation, scope: Scope) -> Kernel:
    real = op.name == "stablehlo.real"
    if is_complex(operand_dtype(op)):
        # The parts of an array are strided views of it; a copy is contiguous.
        return one(lambda z: z.real.copy()) if real else one(lambda z: z.imag.copy())
    return identity if real else one(np.zeros_like)


@kernel("chlo.conj", elementwise=True)
def _conj(op: Operation, scope: Scope) -> Kernel:
    return np.conjugate


@kernel("stablehlo.reduce_precision", elementwise=True)
def _reduce_precision(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    return reduce_precision_of(dtype, int_of(op, "exponent_bits"), int_of(op, "mantissa_bits"))


def reduce_precision_of(dtype: DType, exponent_bits: int, mantissa_bits: int) -> Kernel:
    """Rounds to the nearest float with fewer bits, ties to even; underflow is a signed zero."""
    bits = {2: np.uint16, 4: np.uint32, 8: np.uint64}[dtype.itemsize]
    info_mantissa = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}[dtype.name]
    info_exponent = dtype.itemsize * 8 - 1 - info_mantissa
    exponent_bits = min(exponent_bits, info_exponent)
    drop = max(info_mantissa - mantissa_bits, 0)
    bias = (1 << (info_exponent - 1)) - 1
    small_bias = (1 << (exponent_bits - 1)) - 1
    exponent_mask = ((1 << info_exponent) - 1) << info_mantissa
    sign_mask = bits(1 << (dtype.itemsize * 8 - 1))
    infinity = bits(exponent_mask)
    too_large = bits((bias + small_bias) << info_mantissa)
    too_small = bits((bias - small_bias) << info_mantissa)

    def reduce_precision(x: Any) -> Any:
        x = np.asarray(x)
        raw = x.view(bits)
        if drop:
            odd = np.bitwise_and(np.right_shift(raw, bits(drop)), bits(1))
            raw = np.add(raw, np.add(bits((1 << (drop - 1)) - 1), odd))
            raw = np.bitwise_and(raw, np.bitwise_not(bits((1 << drop) - 1)))
        if exponent_bits < info_exponent:
            exponent = np.bitwise_and(raw, bits(exponent_mask))
            sign = np.bitwise_and(raw, sign_mask)
            raw = where(np.greater(exponent, too_large), np.bitwise_or(sign, infinity), raw)
            raw = where(np.less_equal(exponent, too_small), sign, raw)
        # An infinity must not become a NaN, nor a NaN whose bits were dropped an infinity: unless
        # there are no bits left to tell them apart.
        if mantissa_bits:
            nan: Any = x
        else:
            nan = np.bitwise_or(np.bitwise_and(x.view(bits), sign_mask), infinity).view(dtype)
        return where(np.isnan(x), nan, contiguous(raw).view(dtype))

    return reduce_precision


@kernel("stablehlo.optimization_barrier")
def _barrier(op: Operation, scope: Scope) -> Kernel:
    if len(op.results) == 1:
        return identity
    return identities
