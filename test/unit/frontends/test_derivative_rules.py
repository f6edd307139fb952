"""JAX's own derivative rules hold in the derivatives of traced functions, as they do in JAX."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import anabranch as ab
from anabranch.frontends.jax import from_jax

Function = Callable[[Any], Any]
X = np.float32([-1, 0, 2])
"""With a point where slopes are a matter of the rule."""
SymbolicZero: Any = jax.custom_derivatives.SymbolicZero


@jax.custom_jvp
def rounded(x: Any) -> Any:
    """Straight through: the rule says that it is the identity."""
    return jnp.round(x)


rounded.defjvp(lambda primals, tangents: (jnp.round(primals[0]), tangents[0]))


@partial(jax.custom_jvp, nondiff_argnums=(1,))
def power(x: Any, n: int) -> Any:
    return x**n


@power.defjvp
def _power(n: int, primals: Any, tangents: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
    return power(primals[0], n), 5 * n * power(primals[0], n - 1) * tangents[0]


@jax.custom_jvp
def product(x: Any, y: Any) -> Any:
    return x * y


def _product(primals: Any, tangents: Any) -> Any:
    (x, y), (dx, dy) = primals, tangents
    first = 0 if type(dx) is SymbolicZero else 2 * dx * y
    second = 0 if type(dy) is SymbolicZero else 3 * dy * x
    return x * y, jnp.zeros_like(x) + first + second


product.defjvp(_product, symbolic_zeros=True)


@jax.custom_jvp
def counted(x: Any, n: Any) -> Any:
    return x * n, n


@counted.defjvp
def _counted(primals: Any, tangents: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
    return counted(*primals), (11 * tangents[0] * primals[1], np.zeros((), jax.dtypes.float0))


@jax.custom_vjp
def clipped(x: Any) -> Any:
    """The identity, whose cotangents are clipped."""
    return x


clipped.defvjp(lambda x: (x, None), lambda _, ct: (jnp.clip(ct, -0.5, 0.5),))


@jax.custom_vjp
def tree(x: Any, n: Any, y: Any) -> Any:
    return x * y, n, {"a": jnp.sin(y)}


def _tree_forward(x: Any, n: Any, y: Any) -> Any:
    return (x * y, n, {"a": jnp.sin(y) + 1}), (x, y, n)


def _tree_backward(kept: Any, ct: Any) -> Any:
    x, y, n = kept
    return ct[0] * y * n, None, 7 * ct[0] * x + ct[2]["a"]


tree.defvjp(_tree_forward, _tree_backward)


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def applied(g: Function, x: Any) -> Any:
    return g(x)


applied.defvjp(lambda g, x: (g(x), x), lambda g, x, ct: (3 * g(x) * ct,))


@jax.custom_vjp
def perturbed(x: Any, y: Any) -> Any:
    return x * y, x + y


def _perturbed_backward(kept: Any, ct: Any) -> Any:
    x, y = kept
    first = jnp.zeros_like(x) if type(ct[0]) is SymbolicZero else ct[0]
    return 2 * first * y, SymbolicZero(jax.typeof(x))


perturbed.defvjp(
    lambda x, y: ((x.value * y.value, x.value + y.value), (x.value, y.value)),
    _perturbed_backward,
    symbolic_zeros=True,
)


@jax.custom_gradient
def scaled(x: Any) -> Any:
    return 2 * x, lambda ct: (4 * ct * x,)


def safe_norm(x: Any) -> Any:
    square = jnp.sum(jnp.where(x > 0, x, 0) ** 2)
    return x * jnp.where(square > 0, jnp.sqrt(jnp.where(square > 0, square, 1)), 0)


WITH_TANGENTS: dict[str, Function] = {
    "relu": jax.nn.relu,
    "relu6": jax.nn.relu6,
    "softplus": jax.nn.softplus,
    "gelu": jax.nn.gelu,
    "silu": jax.nn.silu,
    "log_sigmoid": jax.nn.log_sigmoid,
    "softmax": jax.nn.softmax,
    "logsumexp": lambda x: x * jax.nn.logsumexp(x),
    "sinc": jnp.sinc,
    "safe_norm": safe_norm,
    "rounded": rounded,
    "power": lambda x: power(x, 3),
    "product": lambda x: product(x, 2.0 * X) + product(3.0 * x, x),
    "counted": lambda x: counted(x, 3)[0],
}
REVERSE_ONLY: dict[str, Function] = {
    "clipped": lambda x: clipped(x) * x,
    "tree": lambda x: sum(jax.tree.leaves(tree(x, 2, x)), 0.0),
    "applied": lambda x: applied(jnp.sin, x),
    "perturbed": lambda x: sum(perturbed(x, x * x)),
    "scaled": scaled,
}
RULES = WITH_TANGENTS | REVERSE_ONLY


def close(got: Any, expected: Any) -> None:
    for one, other in zip(jax.tree.leaves(got), jax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


def squares(f: Function) -> Function:
    return lambda x: (f(x) ** 2).sum()


@pytest.mark.parametrize("name", RULES)
def test_gradient(name: str) -> None:
    function = squares(RULES[name])
    close(ab.value_and_grad(function)(X), jax.value_and_grad(function)(X))


@pytest.mark.parametrize("name", WITH_TANGENTS)
def test_tangent(name: str) -> None:
    close(ab.jvp(WITH_TANGENTS[name], (X,), (X,)), jax.jvp(WITH_TANGENTS[name], (X,), (X,)))


@pytest.mark.parametrize("name", RULES)
def test_derivatives_of_gradients(name: str) -> None:
    function = squares(RULES[name])
    ahead = jax.jvp(jax.grad(function), (X,), (X,))[1]
    close(ab.hessian_vector_product(function, (X,), (X,)), (ahead,))

    def twice(grad: Any) -> Any:
        return grad(lambda x: (grad(function)(x) * X).sum())(X)

    close(twice(ab.grad), twice(jax.grad))


@pytest.mark.parametrize("policy", [None, "recompute", "sqrt", "treeverse:1"])
@pytest.mark.parametrize("name", ["relu", "softplus", "rounded", "power", "clipped", "tree"])
def test_in_loops(name: str, policy: str | None) -> None:
    rule = RULES[name]

    def step(x: Any, number: Any) -> Any:
        return 0.5 * rule(x) + number * x

    def scanned(x: Any) -> Any:
        return jax.lax.scan(lambda c, n: (step(c, n), None), x, jnp.arange(3.0))[0]

    def counted(x: Any) -> Any:
        return jax.lax.fori_loop(0, 3, lambda n, c: step(c, n), x)

    def unrolled(x: Any) -> Any:
        for number in range(3):
            x = step(x, float(number))
        return x

    expected = jax.grad(squares(unrolled))(X)
    for loop in (scanned, counted):
        close(ab.grad(squares(loop), policy=policy)(X), expected)


@pytest.mark.parametrize("name", ["relu", "softplus", "power", "clipped", "applied"])
def test_in_branches_calls_and_batches(name: str) -> None:
    rule = RULES[name]

    def function(x: Any) -> Any:
        chosen = jax.lax.cond(x.sum() > 0, rule, lambda y: y, x)
        called = jax.jit(lambda y: jax.jit(rule)(y) + jax.jit(rule)(y + 1))(x)
        return (chosen * called * jax.vmap(rule)(x) + jax.checkpoint(rule)(x)).sum()

    close(ab.grad(function)(X), jax.grad(function)(X))


def test_derivatives_of_derivatives_in_loops() -> None:
    def product_with(grad: Any, loop: Any) -> Any:
        def function(x: Any) -> Any:
            return (loop(lambda _, c: power(c, 2) + jax.nn.relu(c), x) ** 2).sum()

        return grad(lambda x: (grad(function)(x) * X).sum())(X)

    def unrolled(step: Any, x: Any) -> Any:
        return step(1, step(0, x))

    def loop(step: Any, x: Any) -> Any:
        return jax.lax.fori_loop(0, 2, step, x)

    close(product_with(ab.grad, loop), product_with(jax.grad, unrolled))


def test_no_forward_mode_through_custom_vjp() -> None:
    with pytest.raises(ab.ProgramError, match="@clipped has a reverse-mode rule of its own"):
        ab.jvp(clipped, (X,), (X,))


def test_a_rule_that_reads_what_is_no_argument() -> None:
    def function(x: Any) -> Any:
        slope = jnp.sin(x)

        @jax.custom_jvp
        def f(y: Any) -> Any:
            return y

        f.defjvp(lambda primals, tangents: (f(primals[0]), slope * tangents[0]))
        return f(x).sum()

    with pytest.raises(TypeError, match="the derivative rule of f reads a traced value that is no"):
        ab.grad(function)(X)


def test_programs_that_are_not_differentiated_have_no_markers() -> None:
    def function(x: Any) -> Any:
        return jax.nn.relu(x) + clipped(x)

    module = from_jax(function, X, debug_info=False)
    assert "anabranch." not in str(module)
    np.testing.assert_array_equal(ab.compile(module)(X)[0], function(X))


def test_beside_a_gradient_functions_stay_as_they_are() -> None:
    def function(x: Any) -> Any:
        return jax.nn.relu(x) + ab.grad(lambda y: jax.nn.relu(y).sum())(x)

    for engine in ("local", "reference"):
        np.testing.assert_array_equal(
            ab.compile(from_jax(function, X), engine=engine)(X)[0], [0, 0, 3]
        )


TEXT = """
func.func private @f(%x: tensor<f64>) -> tensor<f64> attributes {RULES} {
  return %x : tensor<f64>
}
func.func private @rule(%x: tensor<f64>, %t: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  return %x, %t : tensor<f64>, tensor<f64>
}
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %y = func.call @f(%x) : (tensor<f64>) -> tensor<f64>
  return %y : tensor<f64>
}
"""


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("dcf.custom_jvp = @f", r"expected the rule @f to have the type \(tensor<f64>, tensor"),
        ("dcf.custom_jvp = @no", "expected a function of the module as dcf.custom_jvp, got no"),
        ("dcf.custom_forward = @f", "expected dcf.custom_backward with dcf.custom_forward"),
        ("dcf.custom_forward = @f, dcf.custom_backward = @rule", "expected the rule @rule to have"),
    ],
)
def test_wrong_rules_in_text(rules: str, message: str) -> None:
    text = TEXT.replace("RULES", rules).replace("@main", "@g")
    text += """
    func.func @main(%x: tensor<f64>) -> tensor<f64> {
      %g = dcf.gradient @g(%x) : (tensor<f64>) -> tensor<f64>
      return %g : tensor<f64>
    }
    """
    with pytest.raises(ab.ProgramError, match=message):
        ab.compile(ab.parse(text))
