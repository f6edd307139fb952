"""Special functions of 32 bits and fewer, by polynomials in double precision.

The polynomials interpolate the functions of `special` at Chebyshev points; they are made at first
use. Their relative errors are below 1e-9, so that nearly all results are what rounding the exact
ones gives, and they cost a few NumPy calls where `special` costs a Python call for each element.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev

from ...values import AnyArray, DType
from .common import where

BLOCK = 8192
"""Elements at a time: what stays in the processor's cache."""

Function = Callable[[Any], Any]
"""From f64 to f64, elementwise."""


def in_blocks(function: Function, dtype: DType) -> Function:
    """`function` on arrays of another dtype, block by block."""

    def run(x: Any) -> AnyArray:
        flat = np.asarray(x).reshape(-1)
        result = np.empty(flat.shape, dtype)
        for start in range(0, flat.size, BLOCK):
            block = slice(start, start + BLOCK)
            result[block] = function(flat[block].astype(np.float64)).astype(dtype)
        return result.reshape(np.shape(x))

    return run


def interpolated(function: Function, low: float, high: float, degree: int) -> Function:
    """The polynomial through `function` at the Chebyshev points of an interval."""
    middle, half = (low + high) / 2, (high - low) / 2

    def stretched(t: Any) -> Any:
        return function(t * half + middle)

    convert: Any = chebyshev.cheb2poly
    powers: list[float] = convert(chebyshev.chebinterpolate(stretched, degree)).tolist()[::-1]

    def polynomial(x: Any) -> Any:
        t = (x - middle) / half
        total = t * powers[0]
        for coefficient in powers[1:-1]:
            total += coefficient
            total *= t
        total += powers[-1]
        return total

    return polynomial


@cache
def _erf_fit() -> Function:
    """erf(x) / x by the square of x: an even function."""

    def exact(u: float) -> float:
        x = math.sqrt(max(u, 1e-30))
        return math.erf(x) / x

    return interpolated(np.vectorize(exact), 0.0, 16.0, 26)


def erf(x: Any) -> Any:
    x = np.clip(x, -4.0, 4.0)  # from there on 1 in 32 bits
    return x * _erf_fit()(x * x)


@cache
def _erfc_fit() -> Function:
    """erfc(x) exp(x^2), which falls slowly, by (x - 3) / (x + 3)."""

    def exact(t: float) -> float:
        x = 3 * (1 + t) / (1 - t)
        return math.erfc(x) * math.exp(x * x)

    return interpolated(np.vectorize(exact), -1.0, 0.6, 20)


def erfc(x: Any) -> Any:
    size = np.minimum(np.absolute(x), 11.0)  # 0 in 32 bits
    tail = np.exp(-size * size) * _erfc_fit()((size - 3.0) / (size + 3.0))
    return where(np.less(x, 0), 2.0 - tail, where(np.isnan(x), x, tail))


@cache
def _lgamma_fit() -> Function:
    """lgamma(x) / ((x - 1) (x - 2)) from 1 to 8: its zeros are exact."""

    def exact(x: float) -> float:
        return math.lgamma(x) / ((x - 1) * (x - 2))

    return interpolated(np.vectorize(exact), 1.0, 8.0, 28)


def lgamma(x: Any) -> Any:
    """Below 1 by recurrence or reflection, from 8 on Stirling's series."""
    negative = np.less(x, 0)
    z = where(negative, 1 - x, x)
    below = np.less(z, 1)
    shifted = where(below, z + 1, z)
    near, far = np.minimum(shifted, 8.0), np.maximum(shifted, 8.0)
    small = (near - 1) * (near - 2) * _lgamma_fit()(near) + 0.0  # no zero is negative
    w = 1 / (far * far)
    series = (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))) / far
    large = (far - 0.5) * (np.log(far) - 1) + (0.5 * math.log(2 * math.pi) - 0.5) + series
    value = where(np.less(shifted, 8), small, large) - where(below, np.log(z), 0.0)
    # The distance to the nearest integer keeps the sine's argument exact.
    sine = np.absolute(np.sin(math.pi * (x - np.rint(x))))
    value = where(negative, math.log(math.pi) - np.log(sine) - value, value)
    pole = np.logical_and(np.less_equal(x, 0), np.equal(x, np.floor(x)))
    return where(np.logical_or(pole, np.isinf(x)), np.inf, value)


@cache
def _erf_inv_fits(exact: Function) -> tuple[Function, Function]:
    """erf_inv(x) / x by w = -log(1 - x^2), up to 4, and by sqrt(w) from there."""

    def by_log(w: Any) -> Any:
        x = np.sqrt(-np.expm1(-np.maximum(w, 1e-12)))
        return exact(x) / x

    return interpolated(by_log, 0.0, 4.0, 18), interpolated(lambda s: by_log(s * s), 2.0, 4.25, 12)


def erf_inv(exact: Function) -> Function:
    def function(x: Any) -> Any:
        near, far = _erf_inv_fits(exact)
        size = np.absolute(x)
        w = -np.log(np.maximum((1.0 - size) * (1.0 + size), 1e-8))
        ratio = where(np.less(w, 4.0), near(np.minimum(w, 4.0)), far(np.sqrt(np.maximum(w, 4.0))))
        end = where(np.equal(size, 1.0), np.copysign(np.inf, x), np.nan)
        return where(np.less(size, 1.0), x * ratio, end)

    return function


@cache
def _bessel_i1e_fits(exact: Function) -> tuple[Function, Function]:
    """I1(x) exp(-x) / x up to 8, and times sqrt(x) by 1 / x from there."""

    def near(x: Any) -> Any:
        y = np.maximum(x, 1e-6)
        return exact(y) / y

    def far(inverse: Any) -> Any:
        y = 1 / np.maximum(inverse, 1e-12)
        return exact(y) * np.sqrt(y)

    return interpolated(near, 0.0, 8.0, 24), interpolated(far, 0.0, 0.125, 14)


def bessel_i1e(exact: Function) -> Function:
    def function(x: Any) -> Any:
        near, far = _bessel_i1e_fits(exact)
        size = np.absolute(x)
        little, large = np.minimum(size, 8.0), np.maximum(size, 8.0)
        value = where(np.less(size, 8.0), little * near(little), far(1 / large) / np.sqrt(large))
        return np.copysign(value, x)

    return function
