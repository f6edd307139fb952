"""The rules of complex numbers against JAX's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

UNARY = {
    "stablehlo.exponential": "exp",
    "stablehlo.exponential_minus_one": "expm1",
    "stablehlo.log": "log",
    "stablehlo.log_plus_one": "log1p",
    "stablehlo.sine": "sin",
    "stablehlo.cosine": "cos",
    "stablehlo.tan": "tan",
    "stablehlo.tanh": "tanh",
    "stablehlo.logistic": "logistic",
    "stablehlo.sqrt": "sqrt",
    "stablehlo.rsqrt": "rsqrt",
    "stablehlo.negate": "neg",
    **{
        f"chlo.{name}": name
        for name in "asin acos atan asinh acosh atanh sinh cosh tan square conj".split()
    },
}
"""Op -> the name of JAX's function."""

BINARY = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "power": "pow",
    "atan2": "atan2",
}


def close(got: Any, expected: Any, tolerance: float = 1e-11) -> None:
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


def weights(points: Any) -> Any:
    return np.random.default_rng(7).normal(size=np.shape(points))


POINTS = np.array([0.3 + 0.4j, -0.7 + 0.2j, 1.5 - 0.6j, -0.2 - 0.9j])


@pytest.mark.parametrize("op", UNARY)
def test_complex_functions(op: str, derive: Any, jax64: Any) -> None:
    function = getattr(jax64.lax, UNARY[op])
    weight = weights(POINTS) + 1j * weights(POINTS)[::-1]
    program = derive(op, POINTS)
    close(program.gradients(weight)[0], jax64.vjp(function, POINTS)[1](weight)[0], 1e-9)
    close(program.tangent([weight]), jax64.jvp(function, (POINTS,), (weight,))[1], 1e-9)


@pytest.mark.parametrize("op", ["abs", "real", "imag"])
def test_parts_of_complex_numbers(op: str, derive: Any, jax64: Any) -> None:
    function = getattr(jax64.lax, op)
    z = np.concatenate([POINTS, [0j]])
    program = derive(f"stablehlo.{op}", z, result="tensor<5xf64>")
    weight = weights(z)
    close(program.gradients(weight)[0], jax64.vjp(function, z)[1](weight)[0])
    tangent = weights(z) - 2j
    close(program.tangent([tangent]), jax64.jvp(function, (z,), (tangent,))[1])


@pytest.mark.parametrize("op", ["real", "imag"])
def test_parts_of_floats(op: str, derive: Any) -> None:
    x, weight = np.array([1.0, 2.0]), np.array([3.0, -1.0])
    expected = weight if op == "real" else np.zeros(2)
    program = derive(f"stablehlo.{op}", x)
    assert program.gradients(weight)[0].tolist() == expected.tolist()
    assert program.tangent([weight]).tolist() == expected.tolist()


def test_complex_from_parts(derive: Any, jax64: Any) -> None:
    x, y = np.array([1.0, 2.0]), np.array([0.5, -3.0])
    weight = np.array([1 + 2j, -3 + 0.5j])
    program = derive("stablehlo.complex", x, y, result="tensor<2xcomplex<f64>>")
    expected = jax64.vjp(jax64.lax.complex, x, y)[1](weight)
    for k, one in enumerate(expected):
        close(program.gradients(weight, (k,))[0], one)
        close(program.tangent([x], (k,)), x * (1, 1j)[k])
    close(program.tangent([x, y], (0, 1)), x + 1j * y)


@pytest.mark.parametrize("op", BINARY)
def test_complex_arithmetic(op: str, derive: Any, jax64: Any) -> None:
    function = getattr(jax64.lax, BINARY[op])
    x, y = POINTS, POINTS[::-1] * (0.8 - 0.3j)
    weight = weights(x) + 1j * weights(x)[::-1]
    program = derive(f"stablehlo.{op}", x, y)
    expected = jax64.vjp(function, x, y)[1](weight)
    for got, one in zip(program.gradients(weight, (0, 1)), expected, strict=True):
        close(got, one, 1e-10)
    along = jax64.jvp(function, (x, y), (weight, 2 * weight))[1]
    close(program.tangent([weight, 2 * weight], (0, 1)), along, 1e-10)


def test_conversion_between_real_and_complex(derive: Any, jax64: Any) -> None:
    x, z = np.array([1.0, -2.0]), np.array([1 + 2j, -3 + 0.5j])
    to_complex = derive("stablehlo.convert", x, result="tensor<2xcomplex<f64>>")
    assert to_complex.gradients(z)[0].tolist() == z.real.tolist()
    assert to_complex.tangent([x]).tolist() == x.tolist()
    to_real = derive("stablehlo.convert", z, result="tensor<2xf64>")
    assert to_real.gradients(x)[0].tolist() == x.tolist()
    assert to_real.tangent([z]).tolist() == z.real.tolist()
