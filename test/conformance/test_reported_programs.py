"""Gradients that other systems refuse, get wrong or pay too much for, as their users reported them.

Each program is written as small as the report allows. Right answers come from the formula, or from JAX's
gradient of the program with its loops unrolled.
"""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import anabranch as ab

pytest.importorskip("jax", reason="jax is not installed")
import jax
import jax.numpy as jnp
from jax import lax

from anabranch.lowering.gradient_pipeline import with_gradient
from anabranch.passes.autodiff.policies import Policy
from anabranch.runtime.stats import Stats

f32, f64, i32 = np.float32, np.float64, np.int32
POLICIES = ["save", "recompute", "sqrt", "treeverse:1", "treeverse:3"]


def compiled(
    function: Callable[..., Any],
    *arguments: Any,
    policy: str = "save",
    wrt: tuple[int, ...] | None = None,
    **options: Any,
) -> ab.Executable:
    """Results, then gradients of the first floating-point one."""
    module, name = with_gradient(
        ab.from_jax(function, *arguments), policy=Policy.parse(policy), wrt=wrt
    )
    return ab.compile(module, function=name, **options)


def results_of(function: Callable[..., Any], *arguments: Any, **options: Any) -> list[Any]:
    return compiled(function, *arguments, **options)(*arguments)


def executed(exe: ab.Executable, *arguments: Any) -> Counter[str]:
    """How often each op ran."""
    stats = Stats()
    exe.run(arguments, stats=stats)
    return Counter(stats.ops)


def repeat(n: Any, body: Callable[[Any], Any], init: Any) -> Any:
    """`body` n times, n known at run time only."""
    return lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, body(s[1])), (0, init))[1]


@pytest.mark.parametrize("policy", POLICIES)
def test_newton_until_a_tolerance(policy: str):
    """The number of trips depends on the data; jax.grad refuses it."""

    def newton(a: Any, x0: Any) -> Any:
        return lax.while_loop(lambda x: jnp.abs(x * x - a) > 1e-3, lambda x: 0.5 * (x + a / x), x0)

    def unrolled(a: Any, x: Any) -> Any:
        while abs(x * x - a) > 1e-3:
            x = 0.5 * (x + a / x)
        return x

    for a, x0 in ((7, 1), (9, 3), (4, 2.1)):
        arguments = f32(a), f32(x0)
        want = jax.grad(unrolled, (0, 1))(*arguments)
        _, *got = results_of(newton, *arguments, policy=policy)
        np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-5)
    assert abs(float(results_of(newton, f32(7), f32(1))[1]) - 0.189) < 1e-3


def test_a_value_used_twice_by_one_op_of_the_body():
    def double(x: Any) -> Any:
        return repeat(6, lambda v: v + v, x)

    assert [float(v) for v in results_of(double, f32(5))] == [320, 64]


@pytest.mark.parametrize("trips", [0, 1, 5])
def test_a_value_that_the_loop_passes_through(trips: int):
    def through(n: Any, v: Any) -> Any:
        _, v = repeat(n, lambda s: (s[0] + 1, s[1]), (0, v))
        return v * v

    assert [float(v) for v in results_of(through, i32(trips), f32(3))] == [9, 6]


def indexed(xs: Any, n: Any) -> Any:
    """ys[i] = sin(xs[i]) * xs[i] for i < n."""

    def step(i: Any, ys: Any) -> Any:
        return ys.at[i].set(jnp.sin(xs[i]) * xs[i])

    return lax.fori_loop(0, n, step, jnp.zeros_like(xs))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("trips", [0, 7, 9, 12])
def test_a_captured_array_read_at_an_index(trips: int, policy: str):
    xs = np.linspace(0.3, 2, 9)
    with jax.enable_x64(True):
        _, got = results_of(indexed, xs, i32(trips), policy=policy)
    want = np.cos(xs) * xs + np.sin(xs)
    want[trips:] = 0
    np.testing.assert_allclose(got, want, rtol=1e-12)


def test_memory_of_a_loop_over_a_captured_array_is_linear():
    """Neither the array nor its cotangent is copied per trip."""
    peaks: list[int] = []
    for rows in (500, 2000):
        xs = np.linspace(0.3, 2, rows, dtype=f32)
        exe = compiled(indexed, xs, i32(rows))
        exe(xs, i32(rows))
        tracemalloc.start()
        exe(xs, i32(rows))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 8 * peaks[0]  # 16 would be quadratic


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("b", "trips"), [(1.1, 7), (1.1, 0), (0.1, 4)])
def test_a_branch_in_a_loop_uses_an_outer_value(b: float, trips: int, policy: str):
    def loop(y: Any, w: Any, b: Any, n: Any) -> Any:
        def body(y: Any) -> Any:
            return lax.cond(y > 2, lambda y: y * w / 2, lambda y: y + b * b, y)

        return repeat(n, body, y)

    def unrolled(y: Any, w: Any, b: Any) -> Any:
        for _ in range(trips):
            y = y * w / 2 if y > 2 else y + b * b
        return y

    arguments = f32(0.3), f32(1.2), f32(b)
    want = jax.grad(unrolled, (0, 1, 2))(*arguments)
    _, *got = results_of(loop, *arguments, i32(trips), policy=policy)
    np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_scan_masked_by_a_boolean_carry(policy: str):
    def masked(x: Any, limit: Any) -> Any:
        def step(carry: Any, _: Any) -> Any:
            y, done = carry
            y = lax.cond(done, lambda y: y, lambda y: y * x, y)
            return (y, y > limit), carry

        (y, _), _ = lax.scan(step, (1.0 * x / x, False), None, length=6)
        return y

    got = results_of(masked, f32(3), f32(80.5), policy=policy)
    np.testing.assert_allclose(got, [81, 108, 0], rtol=1e-5, atol=1e-5)


def test_the_results_of_a_loop_that_never_runs_are_used_again():
    def never(n: Any, x: Any, w: Any) -> Any:
        y = repeat(n, lambda v: v * w, x)
        return jnp.sin(y) + y - x

    x = np.array([[0.4], [1.2]], f32)
    kept = x.copy()
    y, by_x, by_w = results_of(never, i32(0), x, f32(2))
    np.testing.assert_allclose(by_x, np.cos(x), rtol=1e-6)
    assert by_w.shape == () and float(by_w) == 0
    y += 1
    assert x.tolist() == kept.tolist()


def test_a_counter_that_steps_past_its_bound():
    def loop(x: Any) -> Any:
        return lax.while_loop(lambda s: s[0] < 1, lambda s: (s[0] + 2, s[1] * 3), (0, x))

    i, y, slope = results_of(loop, f32(1.5))
    assert (int(i), float(y), float(slope)) == (2, 4.5, 3)


@pytest.mark.parametrize("policy", POLICIES)
def test_an_integer_beside_a_float_in_the_carry(policy: str):
    def loop(v: Any, ts: Any) -> Any:
        def step(carry: Any, t: Any) -> Any:
            k, v = carry
            return (k + 1, 0.9 * v), v + t * k

        return lax.scan(step, (0, v), ts)[1]

    ts = np.linspace(0, 1, 10, dtype=f32)
    _, by_v, by_ts = results_of(loop, f32(1), ts, policy=policy)
    np.testing.assert_allclose(by_v, sum(0.9**k for k in range(10)), rtol=1e-5)
    assert by_ts.tolist() == list(range(10))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("trips", [0, 3, 5])
def test_products_of_matrices_for_a_number_of_trips_known_at_run_time(trips: int, policy: str):
    draw = np.random.default_rng(0)
    w, u, h = (draw.normal(size=shape) / 2 for shape in ((3, 3), (3, 2), (3,)))
    xs = draw.normal(size=(5, 2))

    def loop(w: Any, u: Any, h: Any, xs: Any, n: Any) -> Any:
        return lax.fori_loop(0, n, lambda t, h: jnp.tanh(w @ h + u @ xs[t]), h)

    def unrolled(w: Any, u: Any, h: Any, xs: Any) -> Any:
        for t in range(trips):
            h = jnp.tanh(w @ h + u @ xs[t])
        return h.sum()

    with jax.enable_x64(True):
        want = jax.grad(unrolled, (0, 1, 2, 3))(w, u, h, xs)
        _, *got = results_of(loop, w, u, h, xs, i32(trips), policy=policy)
    for one, other in zip(got, want, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


def test_a_long_loop_with_any_number_of_checkpoints():
    def euler(y: Any, a: Any, b: Any, n: Any) -> Any:
        def step(y: Any) -> Any:
            return y + 0.01 * (a * jnp.sin(y) + b * jnp.roll(y, 1) * jnp.cos(y))

        return repeat(n, step, y)

    arguments = [np.linspace(-1, 1, 16), f64(1.3), f64(-0.7), np.int32(257)]
    with jax.enable_x64(True):
        want = results_of(euler, *arguments)
        for states in (2, 16, 257):
            got = results_of(euler, *arguments, policy=f"treeverse:{states}")
            for one, other in zip(got, want, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("policy", ["save", "treeverse:3"])
def test_sinkhorn_iterations_nested_until_they_converge(policy: str):
    """A loop of blocks of iterations, with a conjunction in its condition and an infinite carry."""
    draw = np.random.default_rng(3)
    cost, a, b = draw.uniform(0, 1, (4, 4)), np.full(4, 0.25), np.full(4, 0.25)
    regular = 0.3

    def smooth_max(m: Any, axis: int) -> Any:
        top = m.max(axis, keepdims=True)
        return jnp.log(jnp.exp(m - top).sum(axis)) + top.squeeze(axis)

    def iteration(cost: Any, a: Any, b: Any, g: Any) -> Any:
        f = regular * (jnp.log(a) - smooth_max((g[None, :] - cost) / regular, 1))
        return f, regular * (jnp.log(b) - smooth_max((f[:, None] - cost) / regular, 0))

    def error(cost: Any, a: Any, f: Any, g: Any) -> Any:
        plan = jnp.exp((f[:, None] + g[None, :] - cost) / regular)
        return jnp.abs(plan.sum(1) - a).sum()

    def value(cost: Any, a: Any, b: Any, f: Any, g: Any) -> Any:
        return (f * a).sum() + (g * b).sum()

    def loop(cost: Any, a: Any, b: Any) -> Any:
        def block(state: Any) -> Any:
            k, f, g, _ = state
            f, g = lax.fori_loop(0, 3, lambda _, s: iteration(cost, a, b, s[1]), (f, g))
            return k + 1, f, g, error(cost, a, f, g)

        def more(state: Any) -> Any:
            return (state[3] > 1e-5) & (state[0] < 50)

        k, f, g, _ = lax.while_loop(more, block, (0, a * 0, b * 0, jnp.inf))
        return value(cost, a, b, f, g), k

    def unrolled(cost: Any, a: Any, b: Any) -> Any:
        f, g, off = a * 0, b * 0, np.inf
        while off > 1e-5:
            for _ in range(3):
                f, g = iteration(cost, a, b, g)
            off = error(cost, a, f, g)
        return value(cost, a, b, f, g)

    with jax.enable_x64(True):
        want = jax.grad(unrolled, (0, 1, 2))(cost, a, b)
        _, k, *got = results_of(loop, cost, a, b, policy=policy)
    assert 1 < k < 50
    for one, other in zip(got, want, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-10)


def test_the_reverse_costs_the_trips_made_not_their_bound():
    """A bound of a million, and an exit after three trips."""

    def bounded(x: Any) -> Any:
        def more(state: Any) -> Any:
            return (state[0] < 2**20) & (state[1] < 100)

        return lax.while_loop(more, lambda s: (s[0] + 1, s[1] * s[1]), (0, x))[1]

    exe = compiled(bounded, f32(3))
    assert [float(v) for v in exe(f32(3))] == [6561, 8 * 3**7]
    counts = executed(exe, f32(3))
    assert counts["dcf.stack_push"] == counts["dcf.stack_pop"] == 3
    assert sum(counts.values()) < 200


@pytest.mark.parametrize("policy", ["save", "recompute", "treeverse:3"])
def test_what_is_kept_of_invariants_does_not_depend_on_the_trips(policy: str):
    size = 10_000

    def loop(n: Any, x: Any, ys: Any, big: Any) -> Any:
        def step(state: Any) -> Any:
            i, c = state
            return i + 1, c + x * (ys[i % 8] + big)

        return lax.while_loop(lambda s: s[0] < n, step, (0, 0.0 * big))[1].sum()

    x, ys, big = f32(2), np.ones(8, f32), np.ones(size, f32)
    exe = compiled(loop, i32(1), x, ys, big, policy=policy)
    peaks: list[int] = []
    for trips in (10, 80):
        by_x = exe(i32(trips), x, ys, big)[1]
        assert float(by_x) == 2 * trips * size
        tracemalloc.start()
        exe(i32(trips), x, ys, big)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] < 4 * size  # less than one such array for 70 trips more


@pytest.mark.parametrize("policy", ["save", "recompute"])
def test_ops_per_trip_do_not_grow_with_the_trips(policy: str):
    def loop(n: Any, x: Any) -> Any:
        return repeat(n, jnp.sin, x)

    exe = compiled(loop, i32(1), f32(0.5), policy=policy, fuse=False)
    few, more, most = (sum(executed(exe, i32(n), f32(0.5)).values()) for n in (50, 100, 200))
    assert most - more == 2 * (more - few)


def test_memory_of_a_scan_is_linear():
    """Neither direction copies whole arrays in a trip."""

    def scan(c: Any, xs: Any) -> Any:
        c, ys = lax.scan(lambda c, x: (jnp.sin(c) * x, c * x), c, xs)
        return c + ys.sum()

    peaks: list[int] = []
    for rows in (500, 2000):
        arguments = f32(0.5), np.linspace(0.1, 1, rows, dtype=f32)
        exe = compiled(scan, *arguments)
        exe(*arguments)
        tracemalloc.start()
        exe(*arguments)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 8 * peaks[0]  # 16 would be quadratic


def test_nothing_is_kept_of_a_loop_under_stop_gradient():
    def function(n: Any, x: Any) -> Any:
        return ab.stop_gradient(repeat(n, lambda v: jnp.sin(v) * x, x)) * x

    exe = compiled(function, i32(5), f32(0.7))
    y, slope = exe(i32(5), f32(0.7))
    assert "dcf.stack_push" not in executed(exe, i32(5), f32(0.7))
    np.testing.assert_allclose(slope * f32(0.7), y, rtol=1e-6)


def test_a_gradient_asked_for_after_the_program_was_lowered_and_run():
    """The source still gives it; the dataflow graph says what to differentiate instead."""
    from xdsl.context import Context

    from anabranch.lowering.dcf_to_dfg_pipeline import DcfToDfgPipeline

    module = ab.from_jax(lambda x: repeat(3, lambda v: v * v, x), f32(1.5))
    graph = module.clone()
    DcfToDfgPipeline().apply(Context(), graph)
    before = float(ab.compile(graph)(f32(1.5))[0])
    source, name = with_gradient(module)
    value, slope = ab.compile(source, function=name)(f32(1.5))
    assert float(value) == before and float(slope) == 8 * 1.5**7
    with pytest.raises(ab.ProgramError, match="before the lowering to dataflow"):
        with_gradient(graph)


def test_a_vjp_called_twice():
    """What a loop kept serves both calls."""
    value, pull = ab.vjp(lambda x: repeat(4, jnp.sin, x), f32(0.7))
    slope = jax.grad(lambda x: jnp.sin(jnp.sin(jnp.sin(jnp.sin(x)))))(f32(0.7))
    for cotangent in (1, 3, 1):
        np.testing.assert_allclose(pull(f32(cotangent))[0], cotangent * slope, rtol=1e-6)
    np.testing.assert_allclose(value, np.sin(np.sin(np.sin(np.sin(f32(0.7))))), rtol=1e-6)


def test_pushing_on_a_stack_in_use_copies_nothing():
    """A push makes one cell, whoever else holds the stack."""
    from anabranch.runtime.values import Stack

    row, stacks = np.zeros(1000, f32), [Stack()]
    for _ in range(300):
        stacks.append(stacks[-1].push(row))
    tracemalloc.start()
    more = [stacks[-1].push(row) for _ in range(100)]
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < 100 * 500  # bytes; a copy of the spine would take 2,400 each
    assert [len(stacks[0]), len(stacks[-1]), len(more[0])] == [0, 300, 301]
