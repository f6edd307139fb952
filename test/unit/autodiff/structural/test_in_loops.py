"""Structural rules in a loop, against JAX's derivatives of the loop unrolled; and what loops keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context

import anabranch as ab
from anabranch.dialects import dcf
from anabranch.lowering.dcf_to_dfg_pipeline import pipeline_passes
from anabranch.passes._symbols import functions_of
from anabranch.passes.autodiff.functions import add_vjp

TRIPS = 3
Step = Callable[..., Any]


def steps(jax: Any) -> dict[str, tuple[Step, tuple[int, ...], tuple[int, ...]]]:
    """Name -> a step of (trip, carry, other argument), and the shapes of the last two."""
    jnp, lax = jax.numpy, jax.lax
    return {
        "dot_general": (lambda i, x, w: jnp.tanh(x @ w), (2, 3), (3, 3)),
        "convolution": (
            lambda i, x, w: jnp.tanh(lax.conv(x, w, (1,), "SAME")),
            (2, 3, 5),
            (3, 3, 3),
        ),
        "sort": (lambda i, x, w: jnp.sort(jnp.sin(3 * x) * w), (6,), (6,)),
        "gather": (lambda i, x, w: jnp.sin(x + w[i % 3] + w[2]), (3,), (3, 3)),
        "scatter": (lambda i, x, w: x.at[i].set(jnp.sin(x[i - 1]) * w[i]), (5,), (5,)),
        "slices": (
            lambda i, x, w: lax.dynamic_update_slice(
                x, jnp.sin(w * lax.dynamic_slice(x, (i,), (2,))), (i + 1,)
            ),
            (7,),
            (2,),
        ),
        "cumsum": (lambda i, x, w: jnp.cumsum(jnp.sin(x * w)), (4,), (4,)),
        "cumprod": (lambda i, x, w: jnp.cumprod(jnp.sin(x * w)), (4,), (4,)),
        "maximum": (lambda i, x, w: jnp.sin(w * (x - jnp.max(x))), (4,), (4,)),
        "product": (lambda i, x, w: jnp.sin(w * x * jnp.prod(x)), (4,), (4,)),
        "top_k": (
            lambda i, x, w: jnp.concatenate([lax.top_k(jnp.sin(x * w), 2)[0], x[:2]]),
            (4,),
            (4,),
        ),
    }


NAMES = (
    "dot_general",
    "convolution",
    "sort",
    "gather",
    "scatter",
    "slices",
    "cumsum",
    "cumprod",
    "maximum",
    "product",
    "top_k",
)


@pytest.mark.parametrize("name", NAMES)
def test_in_a_loop(name: str, against_jax: Any, jax64: Any, random: Any) -> None:
    step, carry, other = steps(jax64)[name]

    def loop(x: Any, w: Any) -> Any:
        def following(state: Any) -> Any:
            return state[0] + 1, step(state[0], state[1], w)

        return jax64.lax.while_loop(lambda state: state[0] < TRIPS, following, (0, x))[1]

    def unrolled(x: Any, w: Any) -> Any:
        for trip in range(TRIPS):
            x = step(trip, x, w)
        return x

    second = name in ("sort", "scatter")
    against_jax(loop, random(*carry), random(*other), reference=unrolled, second=second)


def test_lists_are_the_same(jax64: Any) -> None:
    assert tuple(steps(jax64)) == NAMES


def stacks_of(function: Callable[..., Any], *arguments: Any, wrt: Any = None) -> list[str]:
    """The element types of the stacks that a gradient's forward loop fills."""
    module = ab.from_jax(function, *arguments)
    for pass_class in pipeline_passes():
        if pass_class.name == "name-frames":
            break
        pass_class().apply(Context(), module)
    made = add_vjp(functions_of(module)["main"], wrt)
    found = [
        str(op.stack.type.element_type) for op in made.walk() if isinstance(op, dcf.StackNewOp)
    ]
    return sorted(found)


def repeated(jax: Any, step: Step) -> Callable[..., Any]:
    def loop(x: Any, *others: Any) -> Any:
        def following(state: Any) -> Any:
            return state[0] + 1, step(state[0], state[1], *others)

        return jax.lax.while_loop(lambda state: state[0] < state[1].sum() + 5, following, (0, x))[1]

    return loop


def test_a_factor_is_kept_only_for_the_other(jax64: Any) -> None:
    """x @ w: w does not change, and without its gradient x is not needed."""
    loop = repeated(jax64, lambda i, x, w: x @ w)
    x, w = np.ones((2, 3)), np.ones((3, 3))
    assert stacks_of(loop, x, w, wrt=[0]) == []
    assert stacks_of(loop, x, w) == ["tensor<2x3xf64>"]


def test_slices_keep_their_start(jax64: Any) -> None:
    def step(i: Any, x: Any, table: Any) -> Any:
        return x + jax64.lax.dynamic_slice(table, (i, 0), (1, 3))[0]

    found = stacks_of(repeated(jax64, step), np.ones(3), np.ones((9, 3)))
    assert set(found) <= {"tensor<i64>", "tensor<i32>"}


def test_gathers_keep_their_indices(jax64: Any) -> None:
    def step(i: Any, x: Any, table: Any, places: Any) -> Any:
        return x + table[(places + i) % 9]

    places = np.array([0, 3, 3], np.int32)
    found = stacks_of(repeated(jax64, step), np.ones(3), np.ones(9), places)
    assert not any("f64" in type for type in found)


def test_sorts_keep_places(jax64: Any) -> None:
    loop = repeated(jax64, lambda i, x: jax64.lax.sort(x))
    assert stacks_of(loop, np.ones(7)) == ["tensor<7xi32>"]


def test_sums_keep_nothing(jax64: Any) -> None:
    loop = repeated(jax64, lambda i, x: jax64.lax.cumsum(x) + x.sum() + jax64.lax.rev(x, (0,)))
    assert stacks_of(loop, np.ones(7)) == []
