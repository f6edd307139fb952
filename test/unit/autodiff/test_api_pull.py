"""What the function that `ab.vjp` returns takes, and `has_aux`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import anabranch as ab

jax: Any = pytest.importorskip("jax")
jnp: Any = jax.numpy

f32 = np.float32
X = f32([0.5, 2.0, -1.0])
Mode = Callable[[Any, Any, Any], Any]


def on_arrays(fn: Any, primal: Any, cotangent: Any) -> Any:
    return ab.vjp(fn, primal)[1](cotangent)[0]


def traced(fn: Any, primal: Any, cotangent: Any) -> Any:
    """The same as part of a program."""
    module = ab.from_jax(lambda x: ab.vjp(fn, x)[1](cotangent)[0], primal)
    return ab.compile(module)(primal)[0]


modes = pytest.mark.parametrize("pull", [on_arrays, traced])


def row(x: Any) -> Any:
    return x * jnp.ones(3)


def pair(x: Any) -> Any:
    return x, {"b": jnp.sin(x) * X}


@modes
@pytest.mark.parametrize(
    ("cotangent", "got"),
    [
        ([1.0, 1.0, 1.0], r"a list \(jnp.asarray\(…, jnp.float32\) converts\)"),
        ((1, 1, 1), r"a tuple \("),
        (None, "None"),
        (1.0, "1.0"),
        ({"a": X}, "a dict"),
        (f32(1), r"float32\[\]"),
        (np.int32([1, 1, 1]), r"int32\[3\]"),
    ],
)
def test_a_cotangent_is_as_its_result(pull: Mode, cotangent: Any, got: str):
    message = rf"expected a cotangent float32\[3\], as its result is, got {got}"
    with pytest.raises(TypeError, match=message):
        pull(row, f32(2), cotangent)


@modes
@pytest.mark.parametrize(
    ("cotangent", "got"),
    [
        (1.0, "1.0"),
        ((f32(1),), r"\(float32\[\],\)"),
        ((f32(1), {"c": X}), r"\(float32\[\], {'c': float32\[3\]}\)"),
        ([f32(1), {"b": "x"}], r"\[float32\[\], {'b': a str}\]"),
    ],
)
def test_cotangents_have_the_structure_of_the_result(pull: Mode, cotangent: Any, got: str):
    expected = r"structure of the result, \(float32\[\], {'b': float32\[3\]}\)"
    with pytest.raises(TypeError, match=f"expected cotangents of the {expected}, got {got}"):
        pull(pair, f32(2), cotangent)


@modes
def test_numbers_where_they_are_exact(pull: Mode):
    for number in (1, 1.0, 0.1, -(2**24)):
        assert pull(lambda x: 3 * x, f32(2), number) == f32(3) * f32(number)
    half = np.float16(2)
    assert pull(lambda x: 3 * x, half, 0.5) == 1.5
    assert np.isnan(pull(lambda x: x, f32(2), float("nan")))
    for primal, number in (
        (f32(2), 2**24 + 1),
        (half, 0.1),
        (f32(2), True),
        (f32(2), 1j),
        (f32(2), 10**400),
    ):
        message = rf"cotangent {primal.dtype}\[\], as its result is, got {number}"
        with pytest.raises(TypeError, match=message):
            pull(lambda x: 3 * x, primal, number)
    assert pull(lambda x: 3 * x, np.complex64(2), 1) == 3


def test_what_is_given_for_integers_does_not_count():
    _, pull = ab.vjp(lambda x, n: (x * n, n), X, np.int32(3))
    for other in (None, 0, np.int32(1)):
        found = pull((X, other))
        np.testing.assert_array_equal(found[0], 3 * X)
        assert found[1] is None


def test_aux():
    def fn(x: Any, n: Any) -> Any:
        return {"a": jnp.sin(x) * n}, (jnp.exp(x), n + 1)

    value, pull, aux = ab.vjp(fn, X, np.int32(2), has_aux=True)
    expected, jax_pull, jax_aux = jax.vjp(lambda x: fn(x, 2), X, has_aux=True)
    np.testing.assert_allclose(value["a"], expected["a"], rtol=1e-6)
    np.testing.assert_allclose(aux[0], jax_aux[0], rtol=1e-6)
    assert aux[1] == 3
    found = pull({"a": X})
    np.testing.assert_allclose(found[0], jax_pull({"a": X})[0], rtol=1e-6)
    assert found[1] is None


def test_aux_in_a_program():
    def fn(x: Any) -> Any:
        value, pull, aux = ab.vjp(lambda x: (jnp.sin(x), jnp.exp(x)), x, has_aux=True)
        return value, pull(jnp.ones(3))[0], aux

    results = ab.compile(ab.from_jax(fn, X))(X)
    for result, expected in zip(results, (np.sin(X), np.cos(X), np.exp(X)), strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-6)
    _, pull, _ = ab.vjp(lambda x: (jnp.sin(x), jnp.exp(x)), X, has_aux=True)
    second = ab.grad(lambda y: jnp.sum(pull(y)[0]))(X)
    np.testing.assert_allclose(second, np.cos(X), rtol=1e-6)


def test_aux_needs_a_pair():
    for fn, got in ((lambda x: x, "got "), (lambda x: (x, x, x), "got 3 results")):
        with pytest.raises(TypeError, match=rf"a function that returns a pair \(has_aux\), {got}"):
            ab.vjp(fn, X, has_aux=True)
        with pytest.raises(TypeError, match=rf"a function that returns a pair \(has_aux\), {got}"):
            ab.grad(fn, has_aux=True)(X)


@pytest.mark.parametrize("argnums", ["a", 1.5, None, [0, "a"], (0, None)])
def test_argnums_are_ints(argnums: Any):
    for derivative in (ab.grad, ab.value_and_grad):
        with pytest.raises(
            TypeError, match="expected argnums as an int or a sequence of ints, got"
        ):
            derivative(row, argnums)


@pytest.mark.parametrize("argnums", [np.int64(1), [np.int32(1)], np.array([1]), range(1, 2)])
def test_argnums_of_other_integer_types(argnums: Any):
    found = ab.grad(lambda x, y: jnp.sum(x * y), argnums)(X, 2 * X)
    np.testing.assert_array_equal(found if isinstance(argnums, np.integer) else found[0], X)


@pytest.mark.parametrize("derivative", [ab.jvp, ab.hessian_vector_product])
def test_tangents_are_those_of_the_primals(derivative: Any):
    def function(x: Any, n: Any) -> Any:
        return jnp.sum(x["a"] ** 3) * n

    primals = {"a": np.ones(2, np.float32)}, np.float32(2)
    with pytest.raises(TypeError, match=r"expected a tangent float32\[2\], .*, got float32\[3\]"):
        derivative(function, primals, ({"a": np.ones(3, np.float32)}, 1))
    with pytest.raises(TypeError, match="expected tangents of the structure of the primal"):
        derivative(function, primals, (np.ones(2, np.float32), 1))
    with pytest.raises(TypeError, match=r"expected a tangent float32\[\], .*, got None"):
        derivative(function, primals, ({"a": np.ones(2, np.float32)}, None))
    found = derivative(function, primals, ({"a": np.ones(2, np.float32)}, 1))
    expected = derivative(function, primals, ({"a": np.ones(2, np.float32)}, np.float32(1)))
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        np.testing.assert_array_equal(one, other)
