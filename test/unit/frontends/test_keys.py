"""Typed PRNG keys of JAX's, as arguments and as results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import anabranch as ab
from anabranch.frontends.jax import flatten

jax: Any = pytest.importorskip("jax")
jnp: Any = jax.numpy

f32 = np.float32
X = f32([0.5, 2.0, -1.0])


def data(key: Any) -> Any:
    return np.asarray(jax.random.key_data(key))


@pytest.mark.parametrize("impl", ["threefry2x32", "rbg"])
def test_an_executable_takes_keys_and_gives_their_data(impl: str):
    key = jax.random.key(1, impl=impl)
    exe = ab.compile(ab.from_jax(lambda key: (jax.random.split(key), jax.random.uniform(key)), key))
    typed = jax.ShapeDtypeStruct((), key.dtype)
    assert (
        exe.signature
        == ab.compile(
            ab.from_jax(lambda key: (jax.random.split(key), jax.random.uniform(key)), typed)
        ).signature
    )
    for given in (key, data(key), jax.random.key_data(key)):
        keys, number = exe(given)
        assert keys.dtype == np.uint32
        np.testing.assert_array_equal(keys, data(jax.random.split(key)))
        assert number == jax.random.uniform(key)


def test_an_array_of_keys():
    keys = jax.random.split(jax.random.key(3), 4)
    exe = ab.compile(ab.from_jax(jax.vmap(lambda key: jax.random.normal(key, (2,))), keys))
    expected = jax.vmap(lambda key: jax.random.normal(key, (2,)))(keys)
    np.testing.assert_allclose(exe(keys)[0], expected, rtol=1e-5)


def test_an_executable_takes_arrays_of_jax():
    exe = ab.compile(ab.from_jax(lambda x: x + 1, X))
    np.testing.assert_array_equal(exe(jnp.asarray(X))[0], X + 1)
    with pytest.raises(ab.DataError, match="argument 0: expected tensor<3xf32>, got tensor<3xi32>"):
        exe(jnp.arange(3))
    with pytest.raises(
        ab.DataError, match="argument 0: expected tensor<3xf32>, got tensor<2xui32>"
    ):
        exe(jax.random.key(1))


def test_leaves():
    key = jax.random.key(5)
    found = flatten({"key": key, "x": X})
    np.testing.assert_array_equal(found[0], data(key))
    assert found[0].dtype == np.uint32 and type(found[0]) is np.ndarray


def noisy(x: Any, key: Any) -> Any:
    """Derivatives by `x`; the key goes through a loop."""

    def step(_: Any, state: Any) -> Any:
        total, key = state
        key, now = jax.random.split(key)
        return total + jnp.sum(jnp.sin(x) * jax.random.uniform(now, (3,))), key

    return jax.lax.fori_loop(0, 3, step, (jnp.float32(0), key))


def test_gradients_with_keys():
    for seed in (1, 2):
        key = jax.random.key(seed)
        (value, last), found = ab.value_and_grad(noisy, has_aux=True)(X, key)
        (expected, expected_last), gradient = jax.value_and_grad(noisy, has_aux=True)(X, key)
        np.testing.assert_allclose(value, expected, rtol=1e-5)
        np.testing.assert_allclose(found, gradient, rtol=1e-5)
        assert last.dtype == key.dtype
        np.testing.assert_array_equal(data(last), data(expected_last))
    with pytest.raises(TypeError, match="expected floating-point arguments .*, got key<fry>"):
        ab.grad(lambda x, key: noisy(x, key)[0], 1)(X, jax.random.key(1))


def test_other_derivatives_with_keys():
    key = jax.random.key(7)

    def value(x: Any, key: Any) -> Any:
        return noisy(x, key)[0]

    (found, last), pull = ab.vjp(noisy, X, key)
    np.testing.assert_allclose(found, noisy(X, key)[0], rtol=1e-5)
    np.testing.assert_array_equal(data(last), data(noisy(X, key)[1]))
    cotangents = pull((1, None))
    np.testing.assert_allclose(cotangents[0], jax.grad(value)(X, key), rtol=1e-5)
    assert cotangents[1] is None
    outputs, tangents = ab.jvp(noisy, (X, key), (X, None))
    np.testing.assert_allclose(tangents[0], jax.grad(value)(X, key) @ X, rtol=1e-5)
    assert outputs[1].dtype == key.dtype and tangents[1] is None
    product = ab.hessian_vector_product(lambda x: value(x, key), (X,), (X,))[0]
    expected = jax.jvp(jax.grad(lambda x: value(x, key)), (X,), (X,))[1]
    np.testing.assert_allclose(product, expected, rtol=1e-5)


def test_keys_of_two_kinds_are_two_programs():
    gradient = ab.grad(lambda x, key: jnp.sum(x * jax.random.uniform(key, (3,))))
    for impl in ("threefry2x32", "rbg", "unsafe_rbg"):
        key = jax.random.key(1, impl=impl)
        np.testing.assert_array_equal(gradient(X, key), jax.random.uniform(key, (3,)))
