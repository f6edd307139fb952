"""Derivatives in functions that are traced: of numbers, of constants, of what a closure has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import anabranch as ab

jax: Any = pytest.importorskip("jax")
jnp: Any = jax.numpy

f32 = np.float32


def cube(v: Any) -> Any:
    return v**3


def product(a: Any, b: Any) -> Any:
    return a * a * b


NUMBERS_BESIDE_TRACED = {
    "grad": (lambda x: ab.grad(product, (0, 1))(x, 3.0)[1], 4.0),
    "vjp": (lambda x: ab.vjp(product, x, 3.0)[1](1.0)[0], 6.0),
    "vjp of an integer": (lambda x: ab.vjp(product, x, 3)[1](1.0)[0], 6.0),
    "jvp": (lambda x: ab.jvp(product, (x, 3.0), (1.0, 1.0))[1], 10.0),
    "hvp": (lambda x: ab.hessian_vector_product(product, (x, 3.0), (1.0, 1.0))[1], 2.0),
}


@pytest.mark.parametrize("name", NUMBERS_BESIDE_TRACED)
def test_python_numbers_beside_traced_values(name: str):
    function, expected = NUMBERS_BESIDE_TRACED[name]
    assert ab.grad(function)(2.0) == pytest.approx(expected)


CONSTANTS = {
    "grad": lambda x: x * ab.grad(jnp.sin)(3.0),
    "vjp": lambda x: x * ab.vjp(jnp.sin, 3.0)[1](1.0)[0],
    "jvp": lambda x: x * ab.jvp(jnp.sin, (3.0,), (1.0,))[1],
    "a NumPy array": lambda x: x * ab.grad(lambda y: jnp.sum(jnp.sin(y)))(np.ones(2, f32) * 3)[0],
}


@pytest.mark.parametrize("name", CONSTANTS)
def test_derivatives_at_constants(name: str):
    assert ab.grad(CONSTANTS[name])(2.0) == pytest.approx(np.cos(3.0))


def test_a_function_with_traced_values_from_outside():
    def function(x: Any) -> Any:
        _, pull = ab.vjp(lambda y: x * y, 3.0)
        return pull(1.0)[0] * ab.grad(lambda y: x * y)(2.0)

    assert ab.grad(function)(2.0) == pytest.approx(4.0)


def test_a_pull_in_a_traced_function():
    _, pull = ab.vjp(cube, 2.0)
    assert ab.grad(lambda c: pull(c)[0])(1.0) == pytest.approx(12.0)
    found = ab.grad(lambda x: ab.vjp(lambda y: jnp.sin(y) * y, 3.0)[1](x)[0] ** 2)(2.0)
    slope = np.sin(3.0) + 3 * np.cos(3.0)
    assert found == pytest.approx(2 * 2.0 * slope**2, rel=1e-5)


def test_a_pull_keeps_the_primals_as_they_were():
    x, ones = np.array([1, 2, 3], f32), np.ones(3, f32)
    _, pull = ab.vjp(cube, x)
    x[:] = 10
    expected = [3, 12, 27]
    np.testing.assert_allclose(pull(ones)[0], expected)
    np.testing.assert_allclose(ab.grad(lambda c: jnp.sum(pull(c)[0]))(ones), expected)
