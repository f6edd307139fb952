"""Special functions of `chlo`, in double precision and rounded once.

erf, erfc and lgamma are C's (through `math`, element by element); the others are series and
iterations that reach double precision. Narrower types have quicker ways for some (`fits`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from xdsl.ir import Operation

from ...values import AnyArray, array_from_dense, dtype_of
from .. import Kernel, Scope, kernel
from . import fits
from .attributes import attribute
from .common import UNSIGNED, bit_width, in_dtype, is_signed, one, operand_dtype, two, where

_F64: Final = np.dtype(np.float64)


def _each(function: Callable[[float], float]) -> Kernel:
    """A function of Python floats on arrays."""

    def run(x: Any) -> AnyArray:
        values = map(function, np.asarray(x).ravel().tolist())
        return np.fromiter(values, np.float64, np.size(x)).reshape(np.shape(x))

    return run


def _lgamma(x: float) -> float:
    if math.isinf(x) or (x <= 0 and x == math.floor(x)):
        return math.inf
    return math.lgamma(x)


_erf: Final = _each(math.erf)
_erfc: Final = _each(math.erfc)


def _erf_inv(x: Any) -> Any:
    """Newton's iteration with the second derivative on erf, or on erfc where erf is close to 1."""
    x = np.asarray(x, np.float64)
    size = np.absolute(x)
    inside = np.less(size, 1)
    z = where(inside, size, 0.0)
    # A rational-logarithmic start (relative error 2e-3), then steps that triple the digits.
    log = np.log1p(-z * z)
    first = 2 / (math.pi * 0.147) + log / 2
    y = np.sqrt(np.sqrt(first * first - log / 0.147) - first)
    for _ in range(3):
        error = where(z < 0.5, _erf(y) - z, (1 - z) - _erfc(y))
        step = error * (math.sqrt(math.pi) / 2) * np.exp(y * y)
        y = y - step / (1 + y * step)
    end = where(np.equal(size, 1), np.inf, np.nan)
    return np.copysign(where(inside, y, end), x)


def _digamma(x: Any) -> Any:
    """Reflection for negative arguments, recurrence up to 10, then the asymptotic series."""
    x = np.asarray(x, np.float64)
    pole = np.logical_and(np.less_equal(x, 0), np.equal(x, np.floor(x)))
    reflected = np.less(x, 0)
    z = where(reflected, 1 - x, x)
    total = np.zeros_like(z)
    for _ in range(10):
        small = np.less(z, 10)
        total = total - where(small, 1 / where(small, z, 1), 0)
        z = where(small, z + 1, z)
    w = 1 / (z * z)
    series = w * (1 / 12 - w * (1 / 120 - w * (1 / 252 - w * (1 / 240 - w * (1 / 132)))))
    total = total + np.log(z) - 0.5 / z - series
    fraction = x - np.floor(x)  # tan has period pi: keeps its argument exact
    total = where(reflected, total - math.pi / np.tan(math.pi * fraction), total)
    return where(pole, np.nan, total)


def _zeta(s: Any, q: Any) -> Any:
    """Hurwitz zeta, sum of 1 / (q + k)^s: ten terms and the Euler-Maclaurin tail."""
    s, q = np.asarray(s, np.float64), np.asarray(q, np.float64)
    terms = 12
    total = np.zeros(np.broadcast_shapes(s.shape, q.shape))
    for k in range(terms):
        total = total + np.power(q + k, -s)
    a = q + terms
    power = np.power(a, -s)
    total = total + a * power / (s - 1) + power / 2
    factor = s * power / a
    for k, bernoulli in enumerate(
        (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000)
    ):
        total = total + bernoulli * factor
        factor = factor * (s + 2 * k + 1) * (s + 2 * k + 2) / (a * a)
    total = where(np.equal(s, 1), np.inf, where(np.less(s, 1), np.nan, total))
    at_pole = np.logical_and(np.less_equal(q, 0), np.equal(q, np.floor(q)))
    return where(at_pole, np.inf, total)


def _polygamma(n: Any, x: Any) -> Any:
    """(-1)^(n+1) n! zeta(n + 1, x); digamma for n = 0."""
    n, x = np.asarray(n, np.float64), np.asarray(x, np.float64)
    sign = where(np.equal(np.mod(n, 2), 0), -1.0, 1.0)
    value = sign * np.exp(_each(_lgamma)(n + 1)) * _zeta(n + 1, x)
    valid = np.logical_and(np.greater_equal(n, 0), np.equal(n, np.floor(n)))
    value = where(np.equal(n, 0), _digamma(x), value)
    return where(valid, value, np.nan)


def _bessel_i1e(x: Any) -> Any:
    """I1(x) exp(-|x|): the power series, then the trapezoidal rule on its integral (exact but for
    an exponentially small error), and the asymptotic series for large arguments."""
    x = np.asarray(x, np.float64)
    size = np.absolute(x)
    little = np.minimum(size, 1.0)
    start = power = little / 2
    for k in range(1, 12):
        power = power * (little * little / 4) / (k * (k + 1))
        start = start + power
    near = np.minimum(size, 60.0)
    points = 96
    total = np.zeros_like(near)
    for k in range(points + 1):
        cosine = math.cos(math.pi * k / points)
        weight = 0.5 if k in (0, points) else 1.0
        total = total + weight * cosine * np.exp(near * (cosine - 1))
    total = total / points
    far = np.maximum(size, 60.0)
    term, series = np.ones_like(far), np.ones_like(far)
    for k in range(1, 12):
        term = term * -(4.0 - (2 * k - 1) ** 2) / (k * 8 * far)
        series = series + term
    asymptotic = series / np.sqrt(2 * math.pi * far)
    middle = where(np.less(size, 1), start * np.exp(-little), total)
    return np.copysign(where(np.less(size, 60), middle, asymptotic), x)


_FUNCTIONS: Final[dict[str, Kernel]] = {
    "chlo.erf": _erf,
    "chlo.erfc": _erfc,
    "chlo.erf_inv": _erf_inv,
    "chlo.lgamma": _each(_lgamma),
    "chlo.digamma": _digamma,
    "chlo.zeta": _zeta,
    "chlo.polygamma": _polygamma,
    "chlo.bessel_i1e": _bessel_i1e,
}
_FITS: Final[dict[str, Kernel]] = {
    "chlo.erf": fits.erf,
    "chlo.erfc": fits.erfc,
    "chlo.erf_inv": fits.erf_inv(_erf_inv),
    "chlo.lgamma": fits.lgamma,
    "chlo.bessel_i1e": fits.bessel_i1e(_bessel_i1e),
}
"""What is quicker and good enough for 32 bits and fewer."""


@kernel(*_FUNCTIONS, elementwise=True)
def _special(op: Operation, scope: Scope) -> Kernel:
    function, dtype = _FUNCTIONS[op.name], operand_dtype(op)
    if dtype == _F64:
        return function
    if len(op.operands) == 1:
        return fits.in_blocks(_FITS.get(op.name, function), dtype)
    return in_dtype(function, _F64, dtype)


@kernel("chlo.next_after", elementwise=True)
def _next_after(op: Operation, scope: Scope) -> Kernel:
    return np.nextafter


@kernel("chlo.mulhi", elementwise=True)
def _mulhi(op: Operation, scope: Scope) -> Kernel:
    """The high half of the product of two integers."""
    dtype = operand_dtype(op)
    width = bit_width(dtype)
    if width < 64:
        wide = np.dtype(np.int64 if is_signed(dtype) else np.uint64)
        shift = wide.type(width)
        return in_dtype(two(lambda x, y: np.right_shift(np.multiply(x, y), shift)), wide, dtype)

    def mulhi(x: Any, y: Any) -> Any:
        high = _mulhi_unsigned(x.view(np.uint64), y.view(np.uint64)).view(dtype)
        if dtype == UNSIGNED[8]:
            return high
        # Of a negative factor, 2^64 times the other was added.
        high = np.subtract(high, where(np.less(x, 0), y, np.int64(0)))
        return np.subtract(high, where(np.less(y, 0), x, np.int64(0)))

    return mulhi


def _mulhi_unsigned(x: Any, y: Any) -> Any:
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    x0, x1 = np.bitwise_and(x, low), np.right_shift(x, half)
    y0, y1 = np.bitwise_and(y, low), np.right_shift(y, half)
    middle = np.add(np.multiply(x1, y0), np.right_shift(np.multiply(x0, y0), half))
    other = np.add(np.multiply(x0, y1), np.bitwise_and(middle, low))
    return np.add(
        np.add(np.multiply(x1, y1), np.right_shift(middle, half)), np.right_shift(other, half)
    )


@kernel("chlo.constant_like")
def _constant_like(op: Operation, scope: Scope) -> Kernel:
    dtype = dtype_of(op.results[0].type)
    value = attribute(op, "value")
    if hasattr(value, "get_shape"):
        number = array_from_dense(value)[()]
    else:
        number = np.array(value.value.data).astype(dtype)[()]
    return one(lambda x: np.full(x.shape, number, dtype))
