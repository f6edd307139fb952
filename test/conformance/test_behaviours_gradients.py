"""Behaviours 34–58: gradients through control flow. Each test's name holds the number of its
behaviour. Programs are JAX's, differentiated here; values that JAX cannot give come from the unrolled
program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import anabranch as ab

pytest.importorskip("jax", reason="jax is not installed")
import jax
import jax.numpy as jnp
from jax import lax
from xdsl.context import Context

from anabranch.lowering.gradient_pipeline import with_gradient
from anabranch.passes.dcf_gradient import DcfGradientPass
from anabranch.runtime.stats import Stats

f32 = np.float32
i32 = np.int32


def compiled(function: Callable[..., Any], *arguments: Any, **options: Any) -> ab.Executable:
    """Results, then gradients of the first floating-point result by the arguments `wrt`."""
    wrt = options.pop("wrt", None)
    module, name = with_gradient(ab.from_jax(function, *arguments), wrt=wrt)
    return ab.compile(module, function=name, **options)


def gradients(function: Callable[..., Any], *arguments: Any, **options: Any) -> list[Any]:
    """The gradients alone, with every engine giving the same bits."""
    exe = compiled(function, *arguments, **options)
    count = len(jax.tree.leaves(jax.eval_shape(function, *arguments)))
    results = exe(*arguments)[count:]
    again = compiled(function, *arguments, fuse=False, **options)(*arguments)[count:]
    assert [r.tobytes() for r in results] == [r.tobytes() for r in again]
    return results


def numbers(results: list[Any]) -> list[float]:
    return [float(result) for result in results]


def same_as_jax(
    function: Callable[..., Any], unrolled: Callable[..., Any], *arguments: Any
) -> None:
    """Gradients by all floating-point arguments equal JAX's of a program that JAX can do."""
    wrt = tuple(k for k, a in enumerate(arguments) if np.asarray(a).dtype.kind == "f")
    expected = jax.grad(unrolled, argnums=wrt)(*arguments)
    for got, want in zip(gradients(function, *arguments, wrt=wrt), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-5)


def square_up(x: Any) -> Any:
    return lax.while_loop(lambda x: x < 100, lambda x: x * x, x)


def times(v: Any, a: Any) -> Any:
    return lax.while_loop(lambda v: v < 100, lambda v: v * a, v)


def repeat(n: Any, body: Callable[[Any], Any], init: Any) -> Any:
    """`body` n times, n known at run time only."""

    def step(state: Any) -> Any:
        i, value = state
        return i + 1, body(value)

    return lax.while_loop(lambda state: state[0] < n, step, (0, init))[1]


def test_behaviour_34_squares_until_a_bound():
    assert numbers(gradients(square_up, f32(2))) == [1024]
    assert numbers(gradients(lambda x: square_up(x) + square_up(x), f32(2))) == [2048]
    assert numbers(gradients(lambda x: square_up(x) * square_up(x), f32(2))) == [524288]


@pytest.mark.parametrize("window", [1, 10])
def test_behaviour_35_a_captured_factor(window: int):
    got = gradients(times, f32(2), f32(3), parallel_iterations=window)
    assert numbers(got) == [81, 216]


def test_behaviour_36_two_coupled_carries():
    def loop(n: Any, a: Any, b: Any) -> Any:
        a, b = repeat(n, lambda s: (s[0] * s[1], s[0] + s[1]), (a, b))
        return a * b

    def unrolled(n: Any, a: Any, b: Any) -> Any:
        for _ in range(3):
            a, b = a * b, a + b
        return a * b

    same_as_jax(loop, unrolled, i32(3), f32(1.5), f32(0.5))


def test_behaviour_37_zero_trips_and_carries_that_pass_through():
    assert numbers(gradients(square_up, f32(200))) == [1]

    def ignores(n: Any, x: Any) -> Any:
        return repeat(n, lambda s: s * 0 + 3.0, x)

    def passes(n: Any, x: Any) -> Any:
        return repeat(n, lambda s: (s[0], s[1] + 1.0), (x, 0.0))[0]

    for trips, slope in ((0, 1), (2, 0)):
        assert numbers(gradients(ignores, i32(trips), f32(5))) == [slope]
    for trips in (0, 3):
        assert numbers(gradients(passes, i32(trips), f32(5))) == [1]


def test_behaviour_38_loops_in_series_in_parallel_and_inside_a_body():
    def series(n: Any, x: Any) -> Any:
        return repeat(n, jnp.sin, repeat(n, lambda v: v * 1.5, x))

    def parallel(n: Any, x: Any) -> Any:
        return repeat(n, jnp.sin, x) * repeat(n, lambda v: v * 1.5, x)

    def inside(n: Any, x: Any) -> Any:
        return repeat(n, lambda v: series(n, v) + parallel(n, v), x)

    def unroll(function: Callable[..., Any]) -> Callable[..., Any]:
        def unrolled(n: Any, x: Any) -> Any:
            def series(x: Any) -> Any:
                return jnp.sin(jnp.sin(x * 1.5 * 1.5))

            def parallel(x: Any) -> Any:
                return jnp.sin(jnp.sin(x)) * (x * 1.5 * 1.5)

            if function is inside:
                for _ in range(2):
                    x = series(x) + parallel(x)
                return x
            return {series.__name__: series, parallel.__name__: parallel}[function.__name__](x)

        return unrolled

    for function in (series, parallel, inside):
        same_as_jax(function, unroll(function), i32(2), f32(0.7))


def test_behaviour_39_nests_of_loops_and_branches():
    def nested(x: Any) -> Any:
        return repeat(3, lambda v: repeat(2, lambda w: w * w, v) / 8.0, x)

    def unrolled(x: Any) -> Any:
        for _ in range(3):
            x = (x * x) * (x * x) / 8.0
        return x

    same_as_jax(nested, unrolled, f32(2))

    def branch_in_loop(x: Any) -> Any:
        return repeat(3, lambda v: lax.cond(v > 5, lambda v: v * 2, lambda v: v * v, v), x)

    assert numbers(gradients(branch_in_loop, f32(2))) == [64]  # 2 x**4

    def loop_in_branch_in_loop(p: Any, x: Any) -> Any:
        def body(v: Any) -> Any:
            return lax.cond(p, lambda v: repeat(1, lambda w: w * 2, v), lambda v: v * v, v)

        return repeat(2, body, x)

    assert numbers(gradients(loop_in_branch_in_loop, np.array(True), f32(1))) == [4]


def test_behaviour_40_an_outer_constant_inside_a_branch_inside_a_loop():
    def loop(n: Any, c: Any, x: Any) -> Any:
        return repeat(n, lambda v: lax.cond(v < 10, lambda v: v * c, lambda v: v + c, v), x)

    def unrolled(n: Any, c: Any, x: Any) -> Any:
        return x * c * c + c + c

    same_as_jax(loop, unrolled, i32(4), f32(3), f32(1.5))


@pytest.mark.parametrize("uses", [0, 1, 4])
def test_behaviour_41_a_gather_in_the_loop(uses: int):
    def loop(n: Any, table: Any) -> Any:
        def body(state: Any) -> Any:
            i, total = state
            return i + 1, total + table[i % 3] * table[0]

        return lax.while_loop(lambda s: s[0] < n, body, (0, 0.0))[1]

    def unrolled(n: Any, table: Any) -> Any:
        return sum((table[i % 3] * table[0] for i in range(uses)), 0.0 * table[0])

    same_as_jax(loop, unrolled, i32(uses), np.array([2, 3, 5, 7], f32))


def test_behaviour_42_a_carry_that_grows():
    text = """
    func.func @main(%n: tensor<i32>, %x: tensor<1xf32>) -> tensor<?xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %size = stablehlo.constant dense<1> : tensor<1xi32>
      %x0 = stablehlo.dynamic_reshape %x, %size : (tensor<1xf32>, tensor<1xi32>) -> tensor<?xf32>
      %r:2 = dcf.while "grow" (%i = %zero, %a = %x0 : tensor<i32>, tensor<?xf32>) cond {
        %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        dcf.condition %go
      } do {
        %j = stablehlo.add %i, %one : tensor<i32>
        %b = stablehlo.multiply %a, %a : tensor<?xf32>
        %c = "stablehlo.concatenate"(%b, %x) <{dimension = 0 : i64}>
          : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
        dcf.yield %j, %c : tensor<i32>, tensor<?xf32>
      }
      return %r#1 : tensor<?xf32>
    }"""
    module, name = with_gradient(ab.parse(text))
    _, gradient = ab.compile(module, function=name)(i32(2), np.array([3], f32))
    assert gradient.tolist() == [4 * 27 + 2 * 3 + 1]


@pytest.mark.parametrize("trips", [0, 1])
def test_behaviour_43_an_integer_path_beside_the_float_path(trips: int):
    def loop(n: Any, x: Any) -> Any:
        k, v = repeat(n, lambda s: (s[0] * 2 + 1, s[1] * s[0]), (3, x))
        return v * 2 + k

    assert numbers(gradients(loop, i32(trips), f32(5), wrt=(1,))) == [6 if trips else 2]


def test_behaviour_44_stop_gradient():
    def inside(n: Any, x: Any) -> Any:
        return repeat(n, lambda v: lax.stop_gradient(v) * x, x)

    def outside(n: Any, x: Any) -> Any:
        return lax.stop_gradient(repeat(n, lambda v: v * v, x)) * x

    # JAX leaves no trace of its own stop_gradient in the text, so the marker is Anabranch's.
    stop = ab.stop_gradient

    def marked_inside(n: Any, x: Any) -> Any:
        return repeat(n, lambda v: stop(v) * x, x)

    def marked_outside(n: Any, x: Any) -> Any:
        return stop(repeat(n, lambda v: v * v, x)) * x

    assert numbers(gradients(marked_inside, i32(2), f32(3))) == [9]
    assert numbers(gradients(marked_outside, i32(2), f32(3))) == [81]
    for function in (inside, outside):
        assert ab.compile(ab.from_jax(function, i32(2), f32(3)))(i32(2), f32(3))


def test_behaviour_45_no_contribution_through_a_stopped_loop():
    def function(n: Any, x: Any) -> Any:
        return ab.stop_gradient(repeat(n, lambda v: v * x, 1.0)) + x * x

    exe = compiled(function, i32(3), f32(2))
    stats = Stats()
    results = exe.run([i32(3), f32(2)], stats=stats)
    assert float(results[1]) == 4
    assert "stack_push" not in stats.table()


def test_behaviour_46_a_gradient_computed_inside_a_loop_or_branch():
    body = """
      func.func private @f(%x: tensor<f32>) -> tensor<f32> {
        %y = stablehlo.multiply %x, %x : tensor<f32>
        return %y : tensor<f32>
      }"""
    loop = f"""
      func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {{
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %r:2 = dcf.while "w" (%i = %zero, %a = %x : tensor<i32>, tensor<f32>) cond {{
          %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          dcf.condition %go
        }} do {{
          %j = stablehlo.add %i, %one : tensor<i32>
          %g = dcf.gradient @f(%a) wrt [0] of 0 : (tensor<f32>) -> tensor<f32>
          dcf.yield %j, %g : tensor<i32>, tensor<f32>
        }}
        return %r#1 : tensor<f32>
      }}{body}"""
    branch = f"""
      func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {{
        %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {{
          %g = dcf.gradient @f(%x) wrt [0] of 0 : (tensor<f32>) -> tensor<f32>
          dcf.yield %g : tensor<f32>
        }} else {{
          dcf.yield %x : tensor<f32>
        }}
        return %r : tensor<f32>
      }}{body}"""
    assert float(ab.compile(ab.parse(loop))(i32(3), f32(5))[0]) == 40
    assert float(ab.compile(ab.parse(branch))(np.array(True), f32(5))[0]) == 10
    # And the gradient of the loop of gradients.
    module, name = with_gradient(ab.parse(loop))
    assert float(ab.compile(module, function=name)(i32(3), f32(5))[1]) == 8


def test_behaviour_47_a_gradient_by_what_is_no_argument():
    text = """
    func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %g = dcf.gradient @f(%x) wrt [1] of 0 : (tensor<f32>) -> tensor<f32>
      return %g : tensor<f32>
    }
    func.func private @f(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"""
    with pytest.raises(ab.ProgramError, match="wrt"):
        ab.compile(ab.parse(text))


def test_behaviour_48_a_gradient_after_a_first_run():
    module = ab.from_jax(square_up, f32(2))
    before = ab.print_module(module)
    assert float(ab.compile(module)(f32(2))[0]) == 256
    gradient, name = with_gradient(module)
    assert float(ab.compile(gradient, function=name)(f32(2))[1]) == 1024
    assert ab.print_module(module) == before
    assert float(ab.compile(module)(f32(2))[0]) == 256


def test_behaviour_49_pushes_are_the_product_of_the_trip_counts():
    def nest(a: Any, b: Any, c: Any, x: Any) -> Any:
        return repeat(a, lambda v: repeat(b, lambda w: repeat(c, jnp.sin, w), v), x)

    arguments = [i32(2), i32(3), i32(4), f32(0.5)]
    exe = compiled(nest, *arguments)
    stats = Stats()
    exe.run(arguments, stats=stats)
    pushes = stats.ops["dcf.stack_push"]
    # One for each sine, one for each inner trip count, one for each middle one.
    assert pushes == 2 * 3 * 4 + 2 * 3 + 2


@pytest.mark.parametrize("index", [0, 1, 2])
def test_behaviour_50_second_order_at_every_branch(index: int):
    branches = [jnp.sin, lambda x: x * x * x, lambda x: x]

    def function(k: Any, x: Any) -> Any:
        return lax.switch(k, branches, x)

    module, name = with_gradient(ab.from_jax(function, i32(index), f32(0.7)), wrt=(1,))
    DcfGradientPass(function=name, wrt=(1,), of=1).apply(Context(), module)
    second = ab.compile(module, function=f"{name}.grad")(i32(index), f32(0.7))[-1]
    want = jax.grad(jax.grad(branches[index]))(f32(0.7))
    np.testing.assert_allclose(second, want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_behaviour_51_branches_that_forward_their_inputs(seed: int):
    draw = np.random.default_rng(seed)
    orders = [draw.permutation(4) for _ in range(3)]

    def function(k: Any, *xs: Any) -> Any:
        branches = [lambda *vs, o=order: tuple(vs[j] for j in o) for order in orders]
        ys = lax.switch(k, branches, *xs)
        return sum((j + 1) * y * y for j, y in enumerate(ys))

    xs = [f32(v) for v in (1, 2, 3, 4)]
    for k in range(3):
        got = gradients(function, i32(k), *xs, wrt=(1, 2, 3, 4))
        want = [2 * x * (1 + list(orders[k]).index(j)) for j, x in enumerate(xs)]
        assert numbers(got) == want


def test_behaviour_52_a_branch_not_taken_pushes_nothing():
    def function(n: Any, k: Any, x: Any) -> Any:
        return repeat(n, lambda v: lax.switch(k, [jnp.sin, jnp.exp, jnp.negative], v), x)

    exe = compiled(function, i32(3), i32(0), f32(0.3), wrt=(2,))
    # The carry that the sine's slope reads is the body's, pushed once a trip; the exponential's
    # result is its branch's.
    for k, pushed in ((0, 3), (1, 6), (2, 3)):
        stats = Stats()
        exe.run([i32(3), i32(k), f32(0.3)], stats=stats)
        assert stats.ops.get("dcf.stack_push", 0) == pushed


def test_behaviour_53_no_nan_from_the_branch_not_taken():
    def function(x: Any) -> Any:
        return lax.cond(x > 0, jnp.sqrt, lambda v: v * 0.0, x)

    assert numbers(gradients(function, f32(0))) == [0]
    assert numbers(gradients(function, f32(-1))) == [0]


def test_behaviour_54_scans_every_way():
    def function(xs: Any, c: Any) -> Any:
        c, ys = lax.scan(lambda c, x: (jnp.sin(c * x), c * c), c, xs, reverse=True)
        return c + ys.sum()

    xs = np.linspace(0.1, 1, 5, dtype=f32)
    same_as_jax(function, function, xs, f32(0.9))
    same_as_jax(function, function, xs[:0], f32(0.9))
    checkpointed = jax.checkpoint(function)
    same_as_jax(checkpointed, function, xs, f32(0.9))


def test_behaviour_55_activity_grows_over_trips():
    def loop(n: Any, x: Any) -> Any:
        a, b, c = repeat(n, lambda s: (s[1], s[2], s[2] * x), (1.0, 1.0, 1.0))
        return a

    assert numbers(gradients(loop, i32(2), f32(3))) == [0]
    assert numbers(gradients(loop, i32(3), f32(3))) == [1]
    assert numbers(gradients(loop, i32(5), f32(3))) == [27]


def test_behaviour_56_invariants_are_not_saved():
    def loop(n: Any, y: Any, big: Any, x: Any) -> Any:
        return repeat(n, lambda c: c + x * (y + big), 0.0 * x * big).sum()

    big = np.ones(1000, f32)
    exe = compiled(loop, i32(3), f32(2), big, f32(1), wrt=(3,))
    stats = Stats()
    exe.run([i32(3), f32(2), big, f32(1)], stats=stats)
    assert "dcf.stack_push" not in stats.ops


def test_behaviour_57_reverse_through_while_and_dynamic_fori():
    with pytest.raises(ValueError, match="Reverse-mode differentiation"):
        jax.grad(square_up)(f32(2))

    def fori(n: Any, x: Any) -> Any:
        return lax.fori_loop(0, n, lambda i, v: v * x, 1.0)

    assert numbers(gradients(fori, i32(4), f32(2))) == [32]

    def in_cond(p: Any, x: Any) -> Any:
        return lax.cond(p, square_up, lambda v: v, x)

    assert numbers(gradients(in_cond, np.array(True), f32(2))) == [1024]

    def in_scan(xs: Any) -> Any:
        return lax.scan(lambda c, x: (c + square_up(x), None), 0.0, xs)[0]

    (got,) = gradients(in_scan, np.array([2, 3, 200], f32))
    assert got.tolist() == [8 * 2**7, 8 * 3**7, 1]


def test_behaviour_58_a_loop_under_remat():
    function = jax.checkpoint(square_up)
    assert numbers(gradients(function, f32(2))) == [1024]
