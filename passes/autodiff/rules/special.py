"""Rules of CHLO's elementwise functions."""

from __future__ import annotations

import math
from fractions import Fraction

from xdsl.ir import SSAValue

from ....dialects import chlo, stablehlo
from ..emitter import Emitter
from .partials import (
    Values,
    elementwise,
    from_operand,
    from_result,
    minus_from,
    none_by,
    plus,
)


def _square(e: Emitter, x: SSAValue) -> SSAValue:
    return e.mul(x, x)


def _rsqrt(e: Emitter, x: SSAValue) -> SSAValue:
    return e.value(stablehlo.RsqrtOp(x))


def _exp(e: Emitter, x: SSAValue) -> SSAValue:
    return e.value(stablehlo.ExponentialOp(x))


# Trigonometric and hyperbolic functions and their inverses.


def _asin(e: Emitter, x: SSAValue) -> SSAValue:
    return _rsqrt(e, minus_from(e, 1, _square(e, x)))


def _atanh(e: Emitter, v: Values, t: SSAValue) -> SSAValue:
    x = v.operand(0)
    # Not 1 - x², which cancels near ±1.
    return e.div(t, e.mul(minus_from(e, 1, x), plus(e, x, 1)))


elementwise("chlo.asin", from_operand(_asin))
elementwise("chlo.acos", from_operand(lambda e, x: e.neg(_asin(e, x))))
elementwise("chlo.atan", lambda e, v, t: e.div(t, plus(e, _square(e, v.operand(0)), 1)))
elementwise("chlo.asinh", from_operand(lambda e, x: _rsqrt(e, plus(e, _square(e, x), 1))))
elementwise("chlo.acosh", from_operand(lambda e, x: _rsqrt(e, plus(e, _square(e, x), -1))))
elementwise("chlo.atanh", _atanh)
elementwise("chlo.sinh", from_operand(lambda e, x: e.value(chlo.CoshOp(x))))
elementwise("chlo.cosh", from_operand(lambda e, x: e.value(chlo.SinhOp(x))))
elementwise("chlo.tan", from_result(lambda e, y: plus(e, _square(e, y), 1)))
elementwise("chlo.square", from_operand(lambda e, x: e.scale(x, 2)))


# The error function.


def _gauss(e: Emitter, x: SSAValue) -> SSAValue:
    return _exp(e, e.neg(_square(e, x)))


_ERF = 2 / math.sqrt(math.pi)

elementwise("chlo.erf", from_operand(lambda e, x: e.scale(_gauss(e, x), _ERF)))
elementwise("chlo.erfc", from_operand(lambda e, x: e.scale(_gauss(e, x), -_ERF)))
elementwise("chlo.erf_inv", from_result(lambda e, y: e.scale(_exp(e, _square(e, y)), 1 / _ERF)))


# Gamma and zeta.


def _polygamma_by_x(e: Emitter, v: Values, t: SSAValue) -> SSAValue:
    order, x = v.operand(0), v.operand(1)
    return e.mul(t, e.value(chlo.PolygammaOp(plus(e, order, 1), x)))


def _zeta_by_q(e: Emitter, v: Values, t: SSAValue) -> SSAValue:
    s, q = v.operand(0), v.operand(1)
    return e.neg(e.mul(t, e.mul(s, e.value(chlo.ZetaOp(plus(e, s, 1), q)))))


def _trigamma(e: Emitter, x: SSAValue) -> SSAValue:
    return e.value(chlo.PolygammaOp(e.full_like(1, x), x))


elementwise("chlo.lgamma", from_operand(lambda e, x: e.value(chlo.DigammaOp(x))))
elementwise("chlo.digamma", from_operand(_trigamma))
elementwise("chlo.polygamma", none_by("order"), _polygamma_by_x)
elementwise("chlo.zeta", none_by("exponent"), _zeta_by_q)


# Bessel. With y = bessel_i1e(x) and x > 0, y' = y * (1/x + I2(x)/I1(x) - 1).

_FAR = 20
"""Where the asymptotic series takes over from the continued fraction."""


def _ratio(e: Emitter, x: SSAValue) -> SSAValue:
    """I2(x)/I1(x) by the continued fraction r(k) = x / (2k + x r(k+1)), begun where the ratio is
    known well enough for x up to `_FAR`."""
    start = 30
    root = e.value(stablehlo.SqrtOp(plus(e, _square(e, x), start * start - 0.25)))
    ratio = e.div(x, plus(e, root, start - 0.5))
    for k in range(start - 1, 1, -1):
        ratio = e.div(x, plus(e, e.mul(x, ratio), 2 * k))
    return ratio


def _series(terms: int) -> list[Fraction]:
    """The coefficients of y'/y in powers of 1/x, from 1/x on.

    The sum g obeys g' + 2g + g² + (1 + g)/x - 1/x² = 0, as I1 obeys Bessel's equation.
    """
    found = [Fraction(0), Fraction(-1, 2)]
    for m in range(2, terms + 1):
        products = sum(found[i] * found[m - i] for i in range(1, m))
        found.append(((m - 2) * found[m - 1] - products + (1 if m == 2 else 0)) / 2)
    return found[1:]


def _bessel_i1e(e: Emitter, v: Values, t: SSAValue) -> SSAValue:
    x, y = v.operand(0), v.result()
    zero = e.compare("EQ", x, e.zeros_like(x))
    one = e.full_like(1, x)
    size = e.select(zero, one, e.value(stablehlo.AbsOp(x)))
    inverse = e.div(one, size)
    near = plus(e, e.value(stablehlo.AddOp(inverse, _ratio(e, size))), -1)
    far = e.zeros_like(x)
    for coefficient in reversed(_series(16)):
        far = e.mul(inverse, plus(e, far, float(coefficient)))
    is_far = e.compare("GT", size, e.full_like(_FAR, x))
    slope = e.mul(e.value(stablehlo.AbsOp(y)), e.select(is_far, far, near))
    return e.mul(t, e.select(zero, e.full_like(0.5, x), slope))


elementwise("chlo.bessel_i1e", _bessel_i1e)
