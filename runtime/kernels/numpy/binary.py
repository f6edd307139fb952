"""Elementwise arithmetic of two operands, and `clamp`.

Exactness: integers wrap; division truncates, x / 0 is all ones, x % 0 is x, INT_MIN / -1 is
INT_MIN; the remainder has the dividend's sign; max and min propagate NaN and order -0 below +0; an
integer to a negative power is 0 but for bases 1 and -1. On booleans add is or, multiply is and.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from xdsl.ir import Operation

from ...values import DType, shape_of
from .. import Kernel, Scope, kernel
from .common import (
    contiguous,
    in_dtype,
    is_complex,
    is_float,
    is_int,
    is_unsigned,
    operand_dtype,
    where,
    wide_int,
)


def _prebound(function: Callable[..., Any], dtype: DType) -> Kernel:
    """`function` itself; on integers of less than a byte, computed in a byte and wrapped."""
    return in_dtype(function, wide_int(dtype), dtype)


_PLAIN: Final[dict[str, Callable[..., Any]]] = {
    # NumPy's add and multiply on bool are or and and, as in StableHLO.
    "stablehlo.add": np.add,
    "stablehlo.subtract": np.subtract,
    "stablehlo.multiply": np.multiply,
    "stablehlo.atan2": np.arctan2,
}


@kernel(*_PLAIN, elementwise=True)
def _plain(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    if op.name == "stablehlo.atan2" and is_complex(dtype):
        return _atan2_complex
    return _prebound(_PLAIN[op.name], dtype)


def _atan2_complex(y: Any, x: Any) -> Any:
    """-i log((x + iy) / sqrt(x² + y²))."""
    i = y.dtype.type(1j)
    over = np.sqrt(np.add(np.multiply(x, x), np.multiply(y, y)))
    return np.multiply(-i, np.log(np.divide(np.add(x, np.multiply(i, y)), over)))


@kernel("stablehlo.divide", elementwise=True)
def _divide(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    if not scope.batched and dtype.kind in "iu" and shape_of(op.operands[0]) == ():
        return _divide_scalars(dtype)
    return _prebound(divide_of(dtype), dtype)


def divide_of(dtype: DType) -> Kernel:
    """Division: true for floats, truncating for integers."""
    if not is_int(dtype):
        return np.divide
    ones = np.array(-1, np.int64).astype(wide_int(dtype))
    if is_unsigned(dtype):

        def divide_unsigned(x: Any, y: Any) -> Any:
            return where(np.equal(y, 0), ones, np.floor_divide(x, y))

        return divide_unsigned

    def divide_signed(x: Any, y: Any) -> Any:
        # fmod has the dividend's sign, so the difference divides evenly, where floor is trunc.
        # INT_MIN / -1 wraps to INT_MIN in floor_divide.
        quotient = np.floor_divide(np.subtract(x, np.fmod(x, y)), y)
        return where(np.equal(y, 0), ones, quotient)

    return divide_signed


def _divide_scalars(dtype: DType) -> Kernel:
    # Python's integers: one division instead of five ufuncs.
    make = dtype.type
    ones = np.array(-1, np.int64).astype(dtype)[()]

    def divide(x: Any, y: Any) -> Any:
        a, b = int(x), int(y)
        if b == 0:
            return ones
        if b == -1:
            return np.negative(x)  # wraps INT_MIN
        return make(a // b if (a < 0) == (b < 0) else -(-a // b))

    return divide


def _remainder_scalars(dtype: DType) -> Kernel:
    make = dtype.type

    def remainder(x: Any, y: Any) -> Any:
        a, b = int(x), int(y)
        if b == 0:
            return x
        return make(a % abs(b) if a >= 0 else -(-a % abs(b)))

    return remainder


@kernel("stablehlo.remainder", elementwise=True)
def _remainder(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    if not scope.batched and dtype.kind in "iu" and shape_of(op.operands[0]) == ():
        return _remainder_scalars(dtype)
    return _prebound(remainder_of(dtype), dtype)


def remainder_of(dtype: DType) -> Kernel:
    """The remainder with the dividend's sign."""
    if not is_int(dtype):
        return np.fmod

    def remainder(x: Any, y: Any) -> Any:
        return where(np.equal(y, 0), x, np.fmod(x, y))

    return remainder


@kernel("stablehlo.maximum", "stablehlo.minimum", elementwise=True)
def _extremum(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    scalar = not scope.batched and shape_of(op.operands[0]) == ()
    build = maximum_of if op.name == "stablehlo.maximum" else minimum_of
    return _prebound(build(dtype, scalar=scalar), dtype)


def maximum_of(dtype: DType, *, scalar: bool = False) -> Kernel:
    """The larger of two: NaN propagates, +0 is above -0, complex numbers order
    lexicographically."""
    return _signed_zeros(np.maximum, _larger_zero, dtype, scalar)


def minimum_of(dtype: DType, *, scalar: bool = False) -> Kernel:
    """The smaller of two: NaN propagates, -0 is below +0, complex numbers order
    lexicographically."""
    return _signed_zeros(np.minimum, _smaller_zero, dtype, scalar)


def _signed_zeros(
    ufunc: np.ufunc, of_zeros: Callable[..., Any], dtype: DType, scalar: bool
) -> Kernel:
    # NumPy returns either operand when both are zeros, depending on the processor. Two zeros are
    # rare, so look for a zero result first, which is cheap.
    if not is_float(dtype):
        return ufunc

    def on_scalars(x: Any, y: Any) -> Any:
        result = ufunc(x, y)
        if result:  # NaN counts as true
            return result
        return of_zeros(x, y) if np.equal(x, y) else result

    if scalar:
        return on_scalars

    def on_arrays(x: Any, y: Any) -> Any:
        result = ufunc(x, y)
        if np.count_nonzero(result) == result.size:
            return result
        return where(np.logical_or(x, y), result, of_zeros(x, y))

    return on_arrays


def _larger_zero(x: Any, y: Any) -> Any:
    return np.add(x, y)  # -0 only if both are


def _smaller_zero(x: Any, y: Any) -> Any:
    return np.negative(np.add(np.negative(x), np.negative(y)))  # +0 only if both are


@kernel("stablehlo.power", elementwise=True)
def _power(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    return _prebound(power_of(dtype), dtype)


def power_of(dtype: DType) -> Kernel:
    """x to the y. Layout can change a vectorised power's last bits, so operands are made
    contiguous."""
    if is_int(dtype):
        return np.power if is_unsigned(dtype) else _power_signed

    def power(x: Any, y: Any) -> Any:
        return np.power(contiguous(x), contiguous(y))

    return power


def _power_signed(x: Any, y: Any) -> Any:
    """By repeated squaring with wrap-around; 1/xⁿ is 0 unless x is 1 or -1, as is 0 to a negative
    power."""
    negative = np.less(y, 0)
    result = np.power(x, where(negative, 0, y).astype(y.dtype))
    if not np.any(negative):
        return result
    odd = np.bitwise_and(y, 1)
    of_minus_one = where(odd, x, np.negative(x))
    inverse = where(np.equal(x, 1), x, where(np.equal(x, -1), of_minus_one, np.zeros_like(x)))
    return where(negative, inverse, result)


@kernel("stablehlo.clamp", elementwise=True)
def _clamp(op: Operation, scope: Scope) -> Kernel:
    """min(max(operand, low), high): NaN in any of the three propagates."""
    dtype = operand_dtype(op, 1)
    scalar = not scope.batched and shape_of(op.operands[1]) == ()
    maximum = _prebound(maximum_of(dtype, scalar=scalar), dtype)
    minimum = _prebound(minimum_of(dtype, scalar=scalar), dtype)

    def clamp(low: Any, operand: Any, high: Any) -> Any:
        return minimum(maximum(operand, low), high)

    return clamp


@kernel("stablehlo.complex", elementwise=True)
def _complex(op: Operation, scope: Scope) -> Kernel:
    dtype = np.dtype(np.complex64 if operand_dtype(op) == np.float32 else np.complex128)

    def make_complex(real: Any, imag: Any) -> Any:
        # Not real + i * imag, which is NaN for infinite parts.
        result = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imag)), dtype)
        result.real = real
        result.imag = imag
        return result

    return make_complex
