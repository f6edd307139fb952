"""Residual policies: the same gradients, what they keep, and how often trips run again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np
import pytest

import anabranch as ab
from anabranch.runtime.kernels import load_kernels
from anabranch.runtime.stats import Stats

Array = np.ndarray[Any, Any]

LOOP = """\
func.func @main(%x: tensor<f64>, %w: tensor<f64>, %n: tensor<i32>) -> tensor<f64> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = dcf.while "w" (%i = %z, %a = %x, %sum = %x : tensor<i32>, tensor<f64>, tensor<f64>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %s = stablehlo.sine %a : tensor<f64>
    %b = stablehlo.multiply %s, %w : tensor<f64>
    %sum1 = stablehlo.add %sum, %b : tensor<f64>
    dcf.yield %j, %b, %sum1 : tensor<i32>, tensor<f64>, tensor<f64>
  }
  return %r#2 : tensor<f64>
}
"""

NEST = """\
func.func @main(%x: tensor<2xf64>, %w: tensor<2xf64>, %n: tensor<i32>) -> tensor<2xf64> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<2xf64>
  %r:2 = dcf.while "outer" (%i = %z, %a = %x : tensor<i32>, tensor<2xf64>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %c = stablehlo.sine %a : tensor<2xf64>
    %q:2 = dcf.while "inner" (%k = %z, %b = %c : tensor<i32>, tensor<2xf64>) cond {
      %p = stablehlo.compare LE, %k, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %p
    } do {
      %k1 = stablehlo.add %k, %o : tensor<i32>
      %even = stablehlo.and %k, %o : tensor<i32>
      %odd = stablehlo.compare EQ, %even, %o, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %d = dcf.cond %odd : tensor<i1> -> tensor<2xf64> then {
        %e = stablehlo.multiply %b, %w : tensor<2xf64>
        %f = stablehlo.multiply %e, %a : tensor<2xf64>
        dcf.yield %f : tensor<2xf64>
      } else {
        %e = stablehlo.cosine %b : tensor<2xf64>
        dcf.yield %e : tensor<2xf64>
      }
      dcf.yield %k1, %d : tensor<i32>, tensor<2xf64>
    }
    %m = stablehlo.add %q#1, %a : tensor<2xf64>
    %h = stablehlo.multiply %m, %half : tensor<2xf64>
    dcf.yield %j, %h : tensor<i32>, tensor<2xf64>
  }
  return %r#1 : tensor<2xf64>
}
"""

POLICIES = ("save", "recompute", "sqrt", "treeverse:1", "treeverse:2", "treeverse:7")


def gradient(tools: Any, text: str, policy: str | None = None, **options: Any) -> ab.Executable:
    """The compiled `@main.grad`."""
    module = tools.structured(text)
    tools.differentiate(module, policy=policy)
    return ab.compile(module, function="main.grad", **options)


def arguments(text: str, trips: int) -> list[Any]:
    if text is LOOP:
        return [np.float64(0.7), np.float64(1.3), np.int32(trips)]
    return [np.array([0.7, 1.1]), np.array([1.3, 0.4]), np.int32(trips)]


@pytest.mark.parametrize("policy", POLICIES[1:])
@pytest.mark.parametrize("text", [LOOP, NEST], ids=["loop", "nest"])
def test_the_gradients_are_those_of_save(tools: Any, text: str, policy: str):
    expected, found = gradient(tools, text), gradient(tools, text, policy)
    for trips in (0, 1, 2, 3, 7, 12):
        given = arguments(text, trips)
        for one, other in zip(expected(*given), found(*given), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("inner", POLICIES)
@pytest.mark.parametrize("outer", POLICIES)
def test_policies_of_a_nest_combine(tools: Any, outer: str, inner: str):
    text = NEST.replace(
        "dcf.yield %k1, %d : tensor<i32>, tensor<2xf64>\n    }",
        f'dcf.yield %k1, %d : tensor<i32>, tensor<2xf64>\n    }} {{residual_policy = "{inner}"}}',
    ).replace(
        "dcf.yield %j, %h : tensor<i32>, tensor<2xf64>\n  }",
        f'dcf.yield %j, %h : tensor<i32>, tensor<2xf64>\n  }} {{residual_policy = "{outer}"}}',
    )
    assert text.count("residual_policy") == 2
    given = arguments(NEST, 6)
    expected, found = gradient(tools, NEST)(*given), gradient(tools, text)(*given)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("window", [1, 32])
def test_node_by_node(tools: Any, window: int):
    given = arguments(NEST, 4)
    expected = gradient(tools, NEST)(*given)
    exe = gradient(tools, NEST, "treeverse:2", fuse=False, parallel_iterations=window)
    for one, other in zip(expected, exe(*given), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def bound(trips: int, states: int) -> int:
    """How many trips treeverse may run again to have the state at the start of each (SEMANTICS)."""
    repeats = 0
    while comb(states + repeats, states) < trips:
        repeats += 1
    return repeats * trips - comb(states + repeats, repeats - 1) if repeats else 0


@pytest.mark.parametrize(
    ("trips", "states"),
    [(0, 2), (1, 3), (2, 1), (6, 1), (10, 2), (35, 3), (36, 3), (60, 5), (9, 20)],
)
def test_treeverse_runs_no_trip_more_than_it_must(tools: Any, trips: int, states: int):
    stats = Stats()
    exe = gradient(tools, LOOP, f"treeverse:{states}")
    exe.run(arguments(LOOP, trips), stats=stats)
    # The forward run, the advances, and each trip once more before it is reversed.
    assert stats.ops["stablehlo.sine"] == trips + bound(trips, states) + trips
    assert stats.ops["stablehlo.cosine"] == trips


@pytest.fixture
def depths(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """The largest depth of any stack, and the number of sines, of fused runs too."""
    seen: Counter[str] = Counter()
    kernels = load_kernels()

    def watch(name: str, note: Callable[[Any], None]) -> None:
        builder = kernels[name]

        def build(op: Any, scope: Any) -> Callable[..., Any]:
            kernel = builder(op, scope)

            def run(*args: Any) -> Any:
                result = kernel(*args)
                note(result)
                return result

            return run

        monkeypatch.setitem(kernels, name, build)

    def depth(stack: Any) -> None:
        seen["depth"] = max(seen["depth"], len(stack))

    def sine(_: Any) -> None:
        seen["sines"] += 1

    watch("dcf.stack_push", depth)
    watch("stablehlo.sine", sine)
    return seen


def test_treeverse_of_ten_thousand_trips_keeps_twenty_states(tools: Any, depths: Counter[str]):
    given = arguments(LOOP, 10_000)
    expected = gradient(tools, LOOP)(*given)
    assert depths["depth"] == 10_000
    depths.clear()
    found = gradient(tools, LOOP, "treeverse:20")(*given)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10)
    assert depths["depth"] == 20
    assert depths["sines"] - 2 * 10_000 == bound(10_000, 20) == 37_976


def test_sqrt_keeps_about_the_root_of_the_trips(tools: Any, depths: Counter[str]):
    gradient(tools, LOOP, "sqrt")(*arguments(LOOP, 5_000))
    assert depths["depth"] <= 100 + 1  # the root of twice the trips
    assert depths["sines"] == 2 * 5_000


def kept(tools: Any, text: str, policy: str) -> str:
    """The residual report."""
    from anabranch.passes._symbols import functions_of
    from anabranch.passes.autodiff.functions import Options, add_gradient
    from anabranch.passes.autodiff.policies import Policy
    from anabranch.passes.autodiff.report import table

    module = tools.structured(text)
    options = Options(Policy.parse(policy))
    add_gradient(functions_of(module)["main"], options=options)
    return table(options.log)


def test_a_state_is_what_running_a_trip_again_reads(tools: Any):
    # Neither the counter nor the sum is in it.
    for policy in ("recompute", "treeverse:3"):
        outside = [
            line for line in kept(tools, LOOP, policy).splitlines() if line.startswith("  %")
        ]
        assert [line.split()[0] for line in outside] == ["%a"]


def test_second_order(tools: Any):
    results: list[list[Array]] = []
    for policy in ("save", "recompute", "sqrt", "treeverse:2"):
        module = tools.structured(LOOP)
        tools.differentiate(module, policy=policy)
        tools.differentiate(module, function="main.grad", of=1, policy=policy)
        tools.differentiate(module, function="main.grad", of=1, mode="forward")
        given = arguments(LOOP, 5)
        reverse = tools.run(module, "main.grad.grad", given)
        one, zero = np.float64(1), np.float64(0)
        forward = tools.run(module, "main.grad.jvp", [*given, one, zero])
        results.append([*reverse, *forward])
        assert np.allclose(reverse[-2], forward[-2])
    for other in results[1:]:
        np.testing.assert_allclose(results[0], other, rtol=1e-10)


def test_random_numbers_are_not_drawn_again(tools: Any):
    text = LOOP.replace(
        "%s = stablehlo.sine %a : tensor<f64>",
        """%lo = stablehlo.constant dense<1.0> : tensor<f64>
    %hi = stablehlo.constant dense<2.0> : tensor<f64>
    %shape = stablehlo.constant dense<> : tensor<0xi64>
    %u = stablehlo.rng %lo, %hi, %shape, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<0xi64>) -> tensor<f64>
    %s = stablehlo.multiply %a, %u : tensor<f64>""",  # noqa: E501
    )
    for policy in ("recompute", "sqrt", "treeverse:2"):
        assert "%u" in kept(tools, text, policy)


def test_probes_tell_once(tools: Any):
    text = LOOP.replace(
        "%s = stablehlo", '"dcf.probe"(%a) <{label = "a"}> : (tensor<f64>) -> ()\n%s = stablehlo'
    )
    for policy in POLICIES:
        told: list[str] = []

        def tell(label: str, values: Any, told: list[str] = told) -> None:
            told.append(label)

        gradient(tools, text, policy).run(arguments(LOOP, 5), probe=tell)
        assert told == ["a"] * 5, policy


SCANS = """\
func.func @main(%x: tensor<f64>, %rows: tensor<3xf64>) -> tensor<f64> {
  %r = dcf.scan (%a = %x : tensor<f64>) ins(%u = %rows : tensor<3xf64>) -> tensor<f64> do {
    %s, %ys = dcf.scan (%b = %a : tensor<f64>) ins(%v = %rows : tensor<3xf64>)
        -> (tensor<f64>, tensor<3xf64>) do {
      %c = stablehlo.sine %b : tensor<f64>
      %d = stablehlo.multiply %c, %v : tensor<f64>
      %y = stablehlo.multiply %d, %u : tensor<f64>
      dcf.yield %d, %y : tensor<f64>, tensor<f64>
    }
    %zero = stablehlo.constant dense<0.0> : tensor<f64>
    %t = stablehlo.reduce(%ys init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %z = stablehlo.add %s, %t : tensor<f64>
    dcf.yield %z : tensor<f64>
  } {reverse}
  return %r : tensor<f64>
}
"""


@pytest.mark.parametrize("policy", POLICIES[1:])
def test_scans_in_scans(tools: Any, policy: str):
    given = [np.float64(0.7), np.array([0.9, 1.1, 1.3])]
    expected, found = gradient(tools, SCANS)(*given), gradient(tools, SCANS, policy)(*given)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def test_branches_that_push_or_pass_a_stack_on_under_second_order(tools: Any):
    """A stack grows in one branch and goes through the other; its snapshots are read twice."""
    text = NEST.replace("%f = stablehlo.multiply %e, %a", "%f = stablehlo.multiply %e, %b")
    given = arguments(NEST, 4)
    results: list[list[Array]] = []
    for policy in ("save", "recompute", "treeverse:2"):
        module = tools.structured(text)
        tools.differentiate(module, policy=policy)
        tools.differentiate(module, function="main.grad", of=1, policy=policy)
        results.append(tools.run(module, "main.grad.grad", given))
    # Differences of the first gradient.
    first = gradient(tools, text)
    step = 1e-5
    for k in range(2):
        ends: list[float] = []
        for sign in (1, -1):
            moved = given[0].copy()
            moved[k] += sign * step
            ends.append(float(first(moved, *given[1:])[1].sum()))
        slope = (ends[0] - ends[1]) / (2 * step)
        for found in results:
            np.testing.assert_allclose(found[3][k], slope, rtol=1e-6, atol=1e-8)
    for other in results[1:]:
        for one, another in zip(results[0], other, strict=True):
            np.testing.assert_allclose(one, another, rtol=1e-10, atol=1e-12)
