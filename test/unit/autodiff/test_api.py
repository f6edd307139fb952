"""Derivatives of Python functions: what JAX gives, on Anabranch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import anabranch as ab
from anabranch.passes._symbols import functions_of

jax: Any = pytest.importorskip("jax")
jnp: Any = jax.numpy

X = np.float32([0.5, 2.0])
Y = np.float32([3.0, -1.0])


def close(found: Any, expected: Any) -> None:
    """Two pytrees with the same structure and values."""
    assert jax.tree.structure(found) == jax.tree.structure(expected)
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected)):
        assert one.dtype == other.dtype and one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-5)


def pair(x: Any, y: Any) -> Any:
    return jnp.sum(jnp.sin(x) * y**2)


def iterated(params: Any, trips: Any) -> Any:
    """A loop that JAX does not differentiate in reverse mode."""

    def more(state: Any) -> Any:
        return state[0] < trips

    def step(state: Any) -> Any:
        return state[0] + 1, jnp.sin(state[1]) * params["w"]

    return jax.lax.while_loop(more, step, (0, params["b"]))[1].sum()


def unrolled(params: Any, trips: int) -> Any:
    value = params["b"]
    for _ in range(trips):
        value = jnp.sin(value) * params["w"]
    return value.sum()


@pytest.mark.parametrize("argnums", [0, 1, -1, (0, 1), (1, 0), [1]])
def test_grad_by_chosen_arguments(argnums: Any):
    close(ab.grad(pair, argnums)(X, Y), jax.grad(pair, argnums)(X, Y))
    close(ab.value_and_grad(pair, argnums)(X, Y), jax.value_and_grad(pair, argnums)(X, Y))


@pytest.mark.parametrize("policy", [None, "recompute", "sqrt", "treeverse:2"])
def test_grad_of_a_data_dependent_loop(policy: str | None):
    params = {"w": X, "b": Y}
    for trips in (0, 1, 5):
        found = ab.value_and_grad(iterated, policy=policy)(params, np.int32(trips))
        close(found, jax.value_and_grad(unrolled)(params, trips))


def test_aux():
    def function(x: Any) -> Any:
        return jnp.sum(x**3), {"squares": x * x, "count": jnp.int32(2)}

    close(ab.grad(function, has_aux=True)(X), jax.grad(function, has_aux=True)(X))
    found = ab.value_and_grad(function, has_aux=True)(X)
    close(found, jax.value_and_grad(function, has_aux=True)(X))


def test_vjp():
    def function(x: Any, y: Any) -> Any:
        return {"product": x * y, "sum": jnp.sum(x)}

    outputs, pull = ab.vjp(function, X, Y)
    expected, jax_pull = jax.vjp(function, X, Y)
    close(outputs, expected)
    for scale in (1.0, 2.0):  # called twice
        cotangent = {"product": scale * Y, "sum": np.float32(scale)}
        close(pull(cotangent), jax_pull(cotangent))


def test_vjp_runs_the_function_once(monkeypatch: pytest.MonkeyPatch):
    from anabranch.frontends import options

    texts: dict[str, str] = {}

    def compile(module: Any, function: str) -> Any:
        texts[function] = str(functions_of(module)[function])
        return ab.compile(module, function=function)

    monkeypatch.setattr(options, "compile", compile)

    def function(params: Any, trips: Any) -> Any:
        return iterated(params, trips)

    params = {"w": X, "b": Y}
    value, pull = ab.vjp(function, params, np.int32(5))
    assert texts["main.forward"].count("stablehlo.sine") == 1
    assert texts["main.backward"].count("stablehlo.sine") == 0
    expected, jax_pull = jax.vjp(lambda params: unrolled(params, 5), params)
    close(value, expected)
    for scale in (1.0, 3.0):
        close(pull(np.float32(scale))[0], jax_pull(np.float32(scale))[0])


def test_vjp_of_a_function_with_derivatives():
    def slope(x: Any) -> Any:
        return ab.grad(lambda x: jnp.sum(jnp.sin(x) * x))(x)

    outputs, pull = ab.vjp(slope, X)
    expected, jax_pull = jax.vjp(jax.grad(lambda x: jnp.sum(jnp.sin(x) * x)), X)
    close(outputs, expected)
    close(pull(Y), jax_pull(Y))
    # What gives cotangents is itself a function with derivatives.
    found = ab.grad(lambda y: jnp.sum(pull(y)[0] * y))(Y)
    close(found, jax.grad(lambda y: jnp.sum(jax_pull(y)[0] * y))(Y))


def test_integers_have_no_cotangents_and_no_tangents():
    outputs, pull = ab.vjp(lambda x, n: (x * n, n + 1), X, np.int32(3))
    assert outputs[1] == 4
    assert pull((X, None))[1] is None
    value, tangent = ab.jvp(lambda x, n: (x * n, n + 1), (X, np.int32(3)), (Y, None))
    np.testing.assert_allclose(tangent[0], 3 * Y)
    assert value[1] == 4 and tangent[1] is None


def test_jvp():
    close(ab.jvp(pair, (X, Y), (Y, X)), jax.jvp(pair, (X, Y), (Y, X)))
    params, tangents = {"w": X, "b": Y}, {"w": Y, "b": X}
    found = ab.jvp(lambda p: iterated(p, 4), (params,), (tangents,))
    close(found, jax.jvp(lambda p: unrolled(p, 4), (params,), (tangents,)))


@pytest.mark.parametrize("derivative", [ab.jvp, ab.hessian_vector_product])
def test_an_entry_for_each_argument(derivative: Any):
    with pytest.raises(TypeError, match="expected primals as a tuple, .*, got ndarray"):
        derivative(pair, X, Y)
    with pytest.raises(TypeError, match="expected .*s as a tuple, .*, got ndarray"):
        derivative(pair, (X, Y), Y)
    with pytest.raises(ValueError, match="expected 2 .*s, one for each primal, got 1"):
        derivative(pair, (X, Y), (X,))


def test_hessian_vector_product():
    expected = jax.jvp(jax.grad(pair, (0, 1)), (X, Y), (Y, X))[1]
    close(ab.hessian_vector_product(pair, (X, Y), (Y, X)), expected)
    params = {"w": X, "b": Y}
    found = ab.hessian_vector_product(lambda p: iterated(p, 3), (params,), (params,))
    expected = jax.jvp(jax.grad(lambda p: unrolled(p, 3)), (params,), (params,))[1]
    close(found, (expected,))


def test_derivatives_nest():
    def cube(x: Any) -> Any:
        return jnp.sin(x) * x**3

    third = ab.grad(ab.grad(ab.grad(cube)))
    close(third(1.25), np.float32(jax.grad(jax.grad(jax.grad(cube)))(1.25)))
    mixed = ab.grad(lambda x, y: ab.jvp(lambda z: cube(z) * y, (x,), (y,))[1])
    expected = jax.grad(lambda x, y: jax.jvp(lambda z: cube(z) * y, (x,), (y,))[1])
    close(mixed(1.25, 0.5), np.float32(expected(1.25, 0.5)))


def test_a_gradient_inside_a_loop_and_of_that_loop():
    def descend(x: Any, grad: Any) -> Any:
        def step(_: Any, a: Any) -> Any:
            return a - 0.1 * grad(lambda z: jnp.sum(jnp.sin(z) * x))(a)

        return jax.lax.fori_loop(0, 4, step, x).sum()

    module = ab.from_jax(lambda x: descend(x, ab.grad), X)
    for engine in ("local", "reference"):
        result = ab.compile(module, engine=engine)(X)
        close(result, [np.asarray(descend(X, jax.grad))])
    found = ab.grad(lambda x: descend(x, ab.grad))(X)
    close(found, jax.grad(lambda x: descend(x, jax.grad))(X))


def test_stop_gradient():
    for stop in (ab.stop_gradient, jax.lax.stop_gradient):
        np.testing.assert_allclose(ab.grad(lambda x, s=stop: jnp.sum(s(x) * x))(X), X)
        np.testing.assert_allclose(ab.grad(lambda x, s=stop: s(jnp.sum(x * x)))(X), 0 * X)
        second = ab.grad(lambda x, s=stop: jnp.sum(s(ab.grad(pair)(x, Y)) * x))
        close(second(X), jax.grad(pair)(X, Y))
    tree = ab.stop_gradient({"a": X, "b": (Y,)})
    np.testing.assert_array_equal(tree["b"][0], Y)


def test_custom_vjp():
    @ab.custom_vjp
    def scaled(x: Any, y: Any) -> Any:
        return x * y

    scaled.defvjp(lambda x, y: (x * y, y), lambda y, ct: (100 * ct * y, None))
    np.testing.assert_array_equal(scaled(X, Y), X * Y)

    def function(x: Any, y: Any) -> Any:
        def step(_: Any, a: Any) -> Any:
            return scaled(a, y)

        return jax.lax.fori_loop(0, 2, step, jnp.sin(x)).sum()

    expected = (1e4 * np.cos(X) * Y**2, 0 * Y)
    for policy in (None, "recompute", "sqrt", "treeverse:1"):
        close(ab.grad(function, (0, 1), policy=policy)(X, Y), expected)
    with pytest.raises(ab.ProgramError, match="no forward-mode one"):
        ab.jvp(function, (X, Y), (X, Y))


def test_a_custom_rule_may_call_its_function():
    @ab.custom_vjp
    def root(a):
        return jnp.sqrt(a)

    def forward(a):
        r = root(a)
        return r, r

    root.defvjp(forward, lambda r, cotangent: (cotangent / (2 * r),))
    gradient = ab.grad(lambda a: root(a) * 3)(np.float32(7))
    np.testing.assert_allclose(gradient, 1.5 / np.sqrt(7), rtol=1e-6)


def test_custom_vjp_that_captures():
    def function(x: Any, y: Any) -> Any:
        rule = ab.custom_vjp(lambda z: z * y)
        rule.defvjp(lambda z: (z * y, None), lambda _, ct: (7 * ct,))
        return jnp.sum(rule(x))

    close(ab.grad(function, (0, 1))(X, Y), (7 + 0 * X, 0 * Y))


def test_wrong_rules():
    @ab.custom_vjp
    def f(x: Any) -> Any:
        return x

    with pytest.raises(TypeError, match="f has no rule yet: call defvjp"):
        f(X)
    f.defvjp(lambda x: (x, None), lambda _, ct: ct)
    with pytest.raises(TypeError, match="expected a tuple of cotangents from a custom_vjp rule"):
        ab.grad(lambda x: f(x).sum())(X)
    f.defvjp(lambda x: (x, None), lambda _, ct: (ct, ct))
    with pytest.raises(TypeError, match="expected 1 cotangents from a custom_vjp rule, got 2"):
        ab.grad(lambda x: f(x).sum() + 0)(X)


def test_what_is_wrong_is_told():
    with pytest.raises(TypeError, match="expected floating-point arguments .*, got int32"):
        ab.grad(pair)(np.int32([1, 2]), Y)
    with pytest.raises(TypeError, match=r"real floating-point scalar result, got float32\[2\]"):
        ab.grad(lambda x: x)(X)
    with pytest.raises(ValueError, match="expected argnums below 2, the arguments given, got 5"):
        ab.grad(pair, 5)(X, Y)
    with pytest.raises(ValueError, match='expected residual_policy to be save, .* got "most"'):
        ab.grad(pair, policy="most")
    with pytest.raises(TypeError, match="works in functions that Anabranch runs"):
        jax.jit(ab.grad(pair))(X, Y)


def test_compiled_once_for_each_type(monkeypatch: pytest.MonkeyPatch):
    from anabranch.frontends import options

    compiled: list[Any] = []

    def compile(*args: Any, **kwargs: Any) -> Any:
        compiled.append(args)
        return ab.compile(*args, **kwargs)

    monkeypatch.setattr(options, "compile", compile)

    def function(x: Any) -> Any:
        return jnp.sum(x * x)

    for _ in range(2):
        ab.grad(function)(X)
    assert len(compiled) == 1
    ab.grad(function)(X[:1])
    ab.grad(function)(np.int8(1) * X.astype(np.float16))
    assert len(compiled) == 3
