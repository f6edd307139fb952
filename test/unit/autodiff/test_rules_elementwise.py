"""The rules of elementwise ops against JAX's, and against central differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-200, 3.0, -2.5])
ANY = np.array([-2.7, -1.1, -0.3, 0.2, 0.9, 1.3, 3.3])
POSITIVE = np.array([0.05, 0.3, 0.8, 1.3, 2.1, 4.7, 9.5])
INSIDE = np.array([-0.95, -0.6, -0.1, 0.04, 0.3, 0.7, 0.92])
"""Regular points, by the function's domain."""

UNARY = {
    "stablehlo.exponential": ("exp", ANY),
    "stablehlo.exponential_minus_one": ("expm1", ANY),
    "stablehlo.log": ("log", POSITIVE),
    "stablehlo.log_plus_one": ("log1p", INSIDE),
    "stablehlo.sine": ("sin", ANY),
    "stablehlo.cosine": ("cos", ANY),
    "stablehlo.tan": ("tan", ANY),
    "stablehlo.tanh": ("tanh", ANY),
    "stablehlo.logistic": ("logistic", ANY),
    "stablehlo.sqrt": ("sqrt", POSITIVE),
    "stablehlo.rsqrt": ("rsqrt", POSITIVE),
    "stablehlo.cbrt": ("cbrt", ANY),
    "stablehlo.negate": ("neg", ANY),
    "stablehlo.abs": ("abs", ANY),
    "chlo.asin": ("asin", INSIDE),
    "chlo.acos": ("acos", INSIDE),
    "chlo.atan": ("atan", ANY),
    "chlo.asinh": ("asinh", ANY),
    "chlo.acosh": ("acosh", 1 + POSITIVE),
    "chlo.atanh": ("atanh", INSIDE),
    "chlo.sinh": ("sinh", ANY),
    "chlo.cosh": ("cosh", ANY),
    "chlo.tan": ("tan", ANY),
    "chlo.square": ("square", ANY),
    "chlo.erf": ("erf", ANY),
    "chlo.erfc": ("erfc", ANY),
    "chlo.erf_inv": ("erf_inv", INSIDE),
    "chlo.lgamma": ("lgamma", POSITIVE),
    "chlo.digamma": ("digamma", POSITIVE),
    "chlo.bessel_i1e": ("bessel_i1e", ANY),
}
"""Op -> the name of JAX's function, and regular points."""

BINARY = {
    "stablehlo.add": ("add", ANY, ANY[::-1]),
    "stablehlo.subtract": ("sub", ANY, ANY[::-1]),
    "stablehlo.multiply": ("mul", ANY, ANY[::-1]),
    "stablehlo.divide": ("div", ANY, ANY[::-1]),
    "stablehlo.remainder": ("rem", 2.9 * ANY, ANY[::-1]),
    "stablehlo.power": ("pow", POSITIVE, ANY),
    "stablehlo.atan2": ("atan2", ANY, ANY[::-1]),
    "stablehlo.maximum": ("max", ANY, ANY[::-1]),
    "stablehlo.minimum": ("min", ANY, ANY[::-1]),
}


def close(got: Any, expected: Any, tolerance: float = 1e-11) -> None:
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


def weights(points: Any) -> Any:
    return np.random.default_rng(7).normal(size=np.shape(points))


def difference(function: Callable[[Any], Any], x: Any, tangent: Any, step: float = 1e-5) -> Any:
    """The derivative of `function` along a tangent, by differences."""
    return (function(x + step * tangent) - function(x - step * tangent)) / (2 * step)


@pytest.mark.parametrize("op", UNARY)
def test_unary(op: str, derive: Any, jax64: Any) -> None:
    name, points = UNARY[op]
    function = getattr(jax64.lax, name)
    x = np.concatenate([points, SPECIAL])
    if op == "chlo.bessel_i1e":
        x = x[~np.isnan(x)]  # JAX's slope at NaN is 1/2
    weight = weights(x)
    expected = jax64.vjp(function, x)[1](weight)[0]
    # The kernels of special functions are good to a few digits less.
    tolerance = 1e-9 if name in ("digamma", "bessel_i1e", "lgamma") else 1e-11
    with np.errstate(all="ignore"):
        program = derive(op, x)
        close(program.gradients(weight)[0], expected, tolerance)
        close(program.tangent([weight]), expected, tolerance)  # the slope is its own transpose
        regular = derive(op, points)
        slope = regular.tangent([np.ones_like(points)])
    close(slope, difference(regular.value, points, np.ones_like(points)), 1e-7)


@pytest.mark.parametrize("op", UNARY)
def test_unary_second_order(op: str, derive: Any, jax64: Any) -> None:
    name, points = UNARY[op]
    function = getattr(jax64.lax, name)
    weight, tangent = weights(points), weights(points)[::-1].copy()
    if name in ("abs", "neg"):
        expected = np.zeros_like(points)
    else:

        def loss(x: Any) -> Any:
            return (weight * function(x)).sum()

        expected = jax64.jvp(jax64.grad(loss), (points,), (tangent,))[1]
    for got in derive(op, points).hessian_products(weight, tangent):
        close(got, expected, 1e-7 if name == "bessel_i1e" else 1e-9)


@pytest.mark.parametrize("op", UNARY)
def test_unary_in_single_precision(op: str, derive: Any, jax64: Any) -> None:
    name, points = UNARY[op]
    x = points.astype(np.float32)
    weight = weights(x).astype(np.float32)
    expected = jax64.vjp(getattr(jax64.lax, name), x)[1](weight)[0]
    program = derive(op, x)
    for got in (program.gradients(weight)[0], program.tangent([weight])):
        assert got.dtype == np.float32
        np.testing.assert_allclose(got, expected, rtol=3e-5, atol=1e-6)


@pytest.mark.parametrize("op", BINARY)
def test_binary(op: str, derive: Any, jax64: Any) -> None:
    name, x, y = BINARY[op]
    function = getattr(jax64.lax, name)
    weight = weights(x)
    program = derive(op, x, y)
    expected = jax64.vjp(function, x, y)[1](weight)
    for got, one in zip(program.gradients(weight, (0, 1)), expected, strict=True):
        close(got, one)
    for k, one in enumerate(expected):
        close(program.gradients(weight, (k,))[0], one)
    tangents = [weights(x), weights(x)[::-1].copy()]
    along = jax64.jvp(function, (x, y), tuple(tangents))[1]
    close(program.tangent(tangents, (0, 1)), along)
    step = 1e-6
    before, after = (
        program.value(*(v + s * t for v, t in zip((x, y), tangents))) for s in (-step, step)
    )
    close(along, (after - before) / (2 * step), 1e-6)


def pairs(points: Any) -> tuple[Any, Any]:
    x, y = np.meshgrid(points, points)
    return x.ravel(), y.ravel()


@pytest.mark.parametrize(
    "op", [op for op in BINARY if op not in ("stablehlo.power", "stablehlo.remainder")]
)
def test_binary_at_special_points(op: str, derive: Any, jax64: Any) -> None:
    function = getattr(jax64.lax, BINARY[op][0])
    x, y = pairs(np.array([0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan]))
    weight = np.ones_like(x)
    expected = jax64.vjp(function, x, y)[1](weight)
    with np.errstate(all="ignore"):
        program = derive(op, x, y)
        for k, one in enumerate(expected):
            close(program.gradients(weight, (k,))[0], one)
            close(program.tangent([weight], (k,)), one)


@pytest.mark.parametrize("op", ["stablehlo.maximum", "stablehlo.minimum"])
def test_ties_share_the_cotangent(op: str, derive: Any) -> None:
    x = np.array([2.0, 1.0, 3.0])
    y = np.array([2.0, 3.0, 1.0])
    by_x, by_y = derive(op, x, y).gradients(np.ones(3), (0, 1))
    first = [0.5, 0.0, 1.0] if op == "stablehlo.maximum" else [0.5, 1.0, 0.0]
    assert by_x.tolist() == first
    assert (by_x + by_y).tolist() == [1.0, 1.0, 1.0]


def test_remainder_has_the_slopes_of_its_quotient(derive: Any, jax64: Any) -> None:
    x, y = pairs(np.array([-7.5, -2.0, 0.0, 3.5, 9.0]))
    x, y = x[y != 0], y[y != 0]
    expected = jax64.vjp(jax64.lax.rem, x, y)[1](np.ones_like(x))
    for got, one in zip(
        derive("stablehlo.remainder", x, y).gradients(np.ones_like(x), (0, 1)), expected
    ):
        close(got, one)


def test_power_with_integer_exponents(derive: Any, jax64: Any) -> None:
    """Negative and zero bases, exponents below, at and above 0; JAX's rule for integer exponents."""
    bases = np.array([-2.0, -0.5, 0.0, -0.0, 1.0, 3.0, np.inf, np.nan])
    x, n = pairs(bases)[0], np.repeat(np.array([-2, -1, 0, 1, 2, 3, 0, 5]), len(bases))
    weight = np.ones_like(x)
    expected = jax64.vjp(lambda base: jax64.lax.pow(base, n), x)[1](weight)[0]
    with np.errstate(all="ignore"):
        program = derive("stablehlo.power", x, n.astype(np.float64))
        close(program.gradients(weight)[0], expected)
        close(program.tangent([weight]), expected)


@pytest.mark.parametrize("exponent", [-2.0, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 2.5])
def test_power_with_a_constant_exponent(exponent: float, derive: Any, jax64: Any) -> None:
    whole = exponent == int(exponent)
    x = np.array([-2.0, 0.0, 0.5, 3.0] if whole else [0.0, 0.5, 3.0])
    weight = weights(x)
    type = f"tensor<{len(x)}xf64>"
    expression = (
        f"stablehlo.power %a, %c : {type} // {{types}}"  # the comment keeps the text as it is
    )
    program = derive(expression, x)
    program.body = f"%c = stablehlo.constant dense<{exponent}> : {type}\n{program.body}"
    function = (
        (lambda base: jax64.lax.integer_pow(base, int(exponent)))
        if whole
        else (lambda base: jax64.lax.pow(base, exponent))
    )
    expected = jax64.vjp(function, x)[1](weight)[0]
    with np.errstate(all="ignore"):
        close(program.gradients(weight)[0], expected)
        close(program.tangent([weight]), expected)


def test_power_by_the_exponent_at_base_zero(derive: Any, jax64: Any) -> None:
    x = np.array([0.0, 0.0, 1.0, 2.0])
    y = np.array([2.0, 0.5, 3.0, -1.5])
    expected = jax64.vjp(lambda exponent: jax64.lax.pow(x, exponent), y)[1](np.ones(4))[0]
    close(derive("stablehlo.power", x, y).gradients(np.ones(4), (1,))[0], expected)


def test_power_by_base_and_exponent_where_the_exponent_is_zero(derive: Any) -> None:
    """The mixed second derivative is 1/x, though the first one, by the base, is 0."""
    x, y = np.array([0.5, 2.0]), np.array([0.0, 0.0])
    close(derive("stablehlo.power", x, y).mixed(np.ones(2), 0, 1), 1 / x)


def test_zeta_and_polygamma(derive: Any, jax64: Any) -> None:
    order, x = np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.7, 1.3, 4.0, 9.0])
    weight = weights(x)
    expected = jax64.vjp(lambda v: jax64.lax.polygamma(order, v), x)[1](weight)[0]
    program = derive("chlo.polygamma", order, x)
    close(program.gradients(weight, (1,))[0], expected, 1e-9)
    close(program.tangent([weight], (1,)), expected, 1e-9)
    s = np.array([1.5, 2.0, 3.3, 7.0])  # JAX has no derivative of zeta
    program = derive("chlo.zeta", s, x)
    expected = weight * difference(lambda v: program.value(s, v), x, np.ones_like(x))
    close(program.gradients(weight, (1,))[0], expected, 1e-7)


@pytest.mark.parametrize("op", ["chlo.polygamma", "chlo.zeta"])
def test_the_first_operand_has_no_derivative(op: str, derive: Any) -> None:
    ones = np.ones(2)
    with pytest.raises(Exception, match=f"'{op}' has no derivative by its"):
        derive(op, ones, ones).gradients(ones, (0,))
    with pytest.raises(Exception, match=f"'{op}' has no derivative by its"):
        derive(op, ones, ones).tangent([ones], (0,))


@pytest.mark.parametrize("x", [20.0 - 1e-9, 20.0 + 1e-9, 1e-9, 0.0, 150.0, 1e6, -35.0])
def test_bessel_by_both_series(x: float, derive: Any, jax64: Any) -> None:
    point = np.array([x])
    expected = jax64.grad(jax64.lax.bessel_i1e)(x)
    got = derive("chlo.bessel_i1e", point).gradients(np.ones(1))[0]
    np.testing.assert_allclose(got, expected, rtol=1e-9)


@pytest.mark.parametrize(
    "op",
    ["ceil", "floor", "round_nearest_afz", "round_nearest_even", "sign"],
)
def test_steps_are_flat(op: str, derive: Any) -> None:
    x = np.array([-1.5, 0.0, 0.5, 2.0])
    program = derive(f"stablehlo.{op}", x)
    assert program.gradients(np.ones(4))[0].tolist() == [0.0] * 4
    assert program.tangent([np.ones(4)]).tolist() == [0.0] * 4


def test_clamp(derive: Any, jax64: Any) -> None:
    """Scalar and full limits, ties, and limits in the wrong order."""
    x = np.array([-3.0, -1.0, 0.0, 0.5, 1.0, 4.0, np.nan])
    weight = weights(x)
    for low, high in (
        (np.float64(-1.0), np.float64(1.0)),
        (np.full(7, -1.0), np.full(7, 1.0)),
        (np.float64(2.0), np.float64(1.0)),
    ):
        arguments = (np.asarray(low), x, np.asarray(high))
        clamp = jax64.lax.clamp
        if not low.shape:  # JAX's rule for scalar limits fails

            def clamp(low: Any, x: Any, high: Any) -> Any:
                return jax64.lax.clamp(*jax64.numpy.broadcast_arrays(low, x, high))

        expected = jax64.vjp(clamp, *arguments)[1](weight)
        program = derive("stablehlo.clamp", *arguments, result="tensor<7xf64>")
        for got, one in zip(program.gradients(weight, (0, 1, 2)), expected):
            close(got, one)
        tangents = [np.ones_like(value) * (k + 1) for k, value in enumerate(arguments)]
        along = jax64.jvp(clamp, arguments, tuple(tangents))[1]
        close(program.tangent(tangents, (0, 1, 2)), along)


@pytest.mark.parametrize("predicate", [np.array([True, False, True]), np.array(True)])
def test_select(predicate: Any, derive: Any, jax64: Any) -> None:
    x, y = np.array([1.0, np.nan, 2.0]), np.array([4.0, 5.0, np.inf])
    weight = weights(x)
    program = derive("stablehlo.select", predicate, x, y, result="tensor<3xf64>")
    by_x, by_y = program.gradients(weight, (1, 2))
    close(by_x, np.where(predicate, weight, 0))
    close(by_y, np.where(predicate, 0, weight))
    close(program.tangent([weight, 2 * weight], (1, 2)), np.where(predicate, 1, 2) * weight)
    close(program.tangent([weight], (2,)), np.where(predicate, 0, weight))


def test_conversions(derive: Any) -> None:
    x = np.array([0.1, 2.5, -3.0])
    weight = weights(x)
    for element in ("f32", "f64", "bf16"):
        program = derive("stablehlo.convert", x, result=f"tensor<3x{element}>")
        expected = weight.astype(np.float32).astype(np.float64)
        if element == "f32":
            close(program.gradients(weight.astype(np.float32))[0], expected)
        tangent = program.tangent([weight])
        np.testing.assert_allclose(tangent.astype(np.float64), weight, rtol=1e-2)
    # Through an integer there is no way.
    program = derive("stablehlo.convert", x, result="tensor<3xi32>")
    program.body = program.body.replace("%y", "%i") + (
        "\n%y = stablehlo.convert %i : (tensor<3xi32>) -> tensor<3xf64>"
    )
    program.result = "tensor<3xf64>"
    assert program.gradients(weight)[0].tolist() == [0.0] * 3
    assert program.tangent([weight]).tolist() == [0.0] * 3


def test_reduce_precision(derive: Any, jax64: Any) -> None:
    x = np.array([0.1, 2.5, -3.0])
    weight = weights(x)
    expression = (
        '"stablehlo.reduce_precision"(%a) {exponent_bits = 5 : i32, mantissa_bits = 3 : i32}'
        " : ({types}) -> {result}"
    )
    program = derive(expression, x)
    expected = jax64.lax.reduce_precision(weight, 5, 3)
    close(program.gradients(weight)[0], expected)
    close(program.tangent([weight]), expected)


def test_barrier_and_stop_gradient(derive: Any) -> None:
    x, weight = np.array([1.0, 2.0]), np.array([3.0, -1.0])
    program = derive("stablehlo.optimization_barrier", x)
    assert program.gradients(weight)[0].tolist() == weight.tolist()
    assert program.tangent([weight]).tolist() == weight.tolist()
    program = derive("dcf.stop_gradient", x)
    assert program.gradients(weight)[0].tolist() == [0.0, 0.0]
    assert program.tangent([weight]).tolist() == [0.0, 0.0]


def test_what_has_no_derivative_says_why(derive: Any) -> None:
    ones = np.ones(2)
    for derivative in (
        lambda: derive("chlo.next_after", ones, ones).gradients(ones),
        lambda: derive("chlo.next_after", ones, ones).tangent([ones]),
    ):
        with pytest.raises(Exception, match="'chlo.next_after' has no derivative: a step to the"):
            derivative()
