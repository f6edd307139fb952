"""Options of compiling and running of `ab.grad` and its like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import anabranch as ab

jax: Any = pytest.importorskip("jax")
jnp: Any = jax.numpy

X = np.float32([0.5, 2.0])
Y = np.float32([3.0, -1.0])


def looped(x: Any, y: Any) -> Any:
    def more(state: Any) -> Any:
        return state[0] < 40

    def step(state: Any) -> Any:
        with ab.device("cpu:1"):
            h = jnp.sin(state[1]) * y
        return state[0] + 1, h

    return jnp.sum(jax.lax.while_loop(more, step, (0, x))[1])


def endless(x: Any) -> Any:
    return jax.lax.while_loop(lambda v: v > -2, jnp.sin, x)


def plain(x: Any, y: Any) -> Any:
    def step(_: Any, v: Any) -> Any:
        return jnp.sin(v) * y

    return jnp.sum(jax.lax.fori_loop(0, 40, step, x))


def pulled(fn: Any, **options: Any) -> Any:
    value, pull = ab.vjp(fn, X, Y, **options)
    return value, pull(1), pull(2)


DERIVATIVES: dict[str, Callable[..., Any]] = {
    "grad": lambda fn, **options: ab.grad(fn, (0, 1), **options)(X, Y),
    "value_and_grad": lambda fn, **options: ab.value_and_grad(fn, **options)(X, Y),
    "vjp": pulled,
    "jvp": lambda fn, **options: ab.jvp(fn, (X, Y), (Y, X), **options),
    "product": lambda fn, **options: ab.hessian_vector_product(fn, (X, Y), (Y, X), **options),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "deadline": {"deadline": 60},
    "window": {"parallel_iterations": 1},
    "nodes": {"fuse": False},
    "devices": {"devices": ["cpu:0", "cpu:1"], "executors": 2, "own": ["cpu:1"]},
    "random": {"devices": 3, "assign": "random:1"},
    "memory": {"memory": "16KiB"},
    "memory by device": {"devices": 2, "memory": {"cpu:0": ab.MemoryBudget("16KiB", threshold=1)}},
    "simulated": {
        "devices": 2,
        "providers": {"cpu:1": ab.Simulated({"stablehlo.sine": "2s"})},
        "clock": "virtual",
    },
}


@pytest.mark.parametrize("name", DERIVATIVES)
@pytest.mark.parametrize("options", OPTIONS)
def test_results_are_the_same(name: str, options: str):
    derivative = DERIVATIVES[name]
    fn = plain if options in ("deadline", "window", "nodes", "memory") else looped
    expected = jax.tree.leaves(derivative(plain))
    found = jax.tree.leaves(derivative(fn, **OPTIONS[options]))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("name", DERIVATIVES)
def test_unknown_options_are_told(name: str):
    message = "expected one of the options policy, deadline, devices, .*clock, got device"
    with pytest.raises(TypeError, match=message):
        DERIVATIVES[name](plain, device=2)


@pytest.mark.parametrize("name", DERIVATIVES)
def test_deadlines(name: str):
    def fn(x: Any, y: Any) -> Any:
        return endless(jnp.sum(x * y))

    with pytest.raises(ab.ProgramError, match="deadline of 0.3 s passed"):
        DERIVATIVES[name](fn, deadline=0.3, policy="recompute")
    with pytest.raises(ValueError, match="expected a deadline above 0 seconds, got 0"):
        DERIVATIVES[name](fn, deadline=0)


def test_memory_ends_an_endless_loop():
    def fn(x: Any) -> Any:
        return jnp.sum(jax.lax.while_loop(lambda v: v[0] > -2, jnp.sin, x))

    budget = ab.MemoryBudget("64KiB", swap=False)
    with pytest.raises(ab.ProgramError, match="memory budget of 64KiB"):
        ab.grad(fn, memory=budget, deadline=60)(np.ones(1024, np.float32))


def test_memory_swaps_what_a_gradient_keeps():
    """Which would be arrays of all trips if gradients were made as without a budget."""
    rows = np.linspace(0, 1, 64 * 512, dtype=np.float32).reshape(64, 512)

    def total(w: Any, rows: Any) -> Any:
        def step(h: Any, row: Any) -> Any:
            return jnp.tanh(h * w + row), None

        return jnp.sum(jax.lax.scan(step, rows[0], rows)[0])

    expected = ab.grad(total)(rows[1], rows)
    # Arguments and some rows fit, not what is kept of all trips.
    found = ab.grad(total, memory=rows.nbytes + 40_000)(rows[1], rows)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_compiled_once_for_each_set_of_options(monkeypatch: pytest.MonkeyPatch):
    from anabranch.frontends import options

    compiled: list[Any] = []

    def compile(module: Any, **options: Any) -> Any:
        compiled.append(options)
        return ab.compile(module, **options)

    monkeypatch.setattr(options, "compile", compile)

    def fn(x: Any) -> Any:
        return jnp.sum(x * x)

    simulated = ab.Simulated()
    for count, (first, again) in enumerate(
        [
            ({}, {"deadline": 5}),
            ({"devices": ["cpu:0", "cpu:1"]}, {"devices": ("cpu:0", "cpu:1")}),
            ({"devices": 2}, {"devices": 2, "deadline": 3}),
            ({"fuse": False}, {"fuse": False}),
            ({"memory": {"cpu:0": "1MiB"}}, {"memory": {"cpu:0": "1MiB"}}),
            ({"memory": {"cpu:0": "2MiB"}}, {"memory": {"cpu:0": "2MiB"}}),
            ({"providers": {"cpu:0": simulated}}, {"providers": {"cpu:0": simulated}}),
            ({"providers": {"cpu:0": ab.Simulated()}}, {"devices": 2}),
        ],
        1,
    ):
        for given in (first, again):
            np.testing.assert_array_equal(ab.grad(fn, **given)(X), 2 * X)
        assert len(compiled) == count


def test_options_that_have_no_hash():
    class Odd(ab.Simulated):
        __hash__ = None  # pyright: ignore[reportAssignmentType]

    for _ in range(2):
        found = ab.grad(lambda x: jnp.sum(x * x), providers={"cpu:0": Odd()})(X)
        np.testing.assert_array_equal(found, 2 * X)


def test_wrong_options_are_those_of_compile():
    for options, error in (
        ({"devices": 1.5}, TypeError),
        ({"executors": 0}, ValueError),
        ({"memory": "much"}, ValueError),
        ({"providers": {"cpu:0": 5}}, TypeError),
    ):
        with pytest.raises(error, match="expected|must be"):
            ab.grad(plain, **options)(X, Y)


def test_inside_a_program_options_do_nothing():
    def fn(x: Any) -> Any:
        return ab.grad(plain, devices=7, memory=1, policy="sqrt")(x, Y)

    np.testing.assert_allclose(
        ab.compile(ab.from_jax(fn, X))(X)[0], ab.grad(plain)(X, Y), rtol=1e-5
    )


def test_what_is_placed_is_reported(capsys: pytest.CaptureFixture[str]):
    ab.grad(looped, report_devices=True, devices=2)(X, Y)
    assert "cpu:1" in capsys.readouterr().err
