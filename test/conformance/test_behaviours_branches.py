"""Behaviours 16–22 of forward control flow: branches, and loops with branches."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import anabranch as ab

i32 = np.int32
f32 = np.float32
BOTH = list(itertools.product([False, True], repeat=2))


@pytest.mark.parametrize(
    "pred", [np.bool_(True), np.bool_(False), i32(0), i32(7), f32(0), f32(0.5)]
)
def test_behaviour_16_predicate_of_any_type(run_jax: Any, jax: Any, pred: Any):
    (got,) = run_jax(
        lambda p, x: jax.lax.cond(p, lambda x: x + 1, lambda x: x * 3, x), pred, f32(5)
    )
    assert got == (6 if pred else 15)


@pytest.mark.parametrize(("p", "q"), BOTH)
def test_behaviour_16_nested(run_jax: Any, jax: Any, p: bool, q: bool):
    cond = jax.lax.cond

    def fn(p: Any, q: Any, x: Any, y: Any):
        return cond(
            p,
            lambda: cond(q, lambda: x + y, lambda: x - y),
            lambda: cond(q, lambda: x * y, lambda: x),
        )

    (got,) = run_jax(fn, np.bool_(p), np.bool_(q), f32(7), f32(2))
    assert got == ((9 if q else 5) if p else (14 if q else 7))


@pytest.mark.parametrize("p", [False, True])
def test_behaviour_16_structured_operands_and_results(run_jax: Any, jax: Any, p: bool):
    def fn(p: Any, operands: Any):
        def swap(o: Any):
            return {"pair": (o["y"][0], o["x"]), "deep": [o["y"][1], ()], "none": None}

        def keep(o: Any):
            return {"pair": (o["x"], o["y"][0]), "deep": [o["y"][1] * 2, ()], "none": None}

        return jax.lax.cond(p, swap, keep, operands)

    run_jax(fn, np.bool_(p), {"x": f32(1), "y": (f32(2), np.arange(3, dtype=f32))})


@pytest.mark.parametrize("index", [-(2**31), -1, 0, 1, 2, 3, 99])
def test_behaviour_17_switch_index_out_of_range_in_jax(run_jax: Any, jax: Any, index: int):
    branches = [lambda x: x, lambda x: x + 10, lambda x: x + 20]
    (got,) = run_jax(lambda i, x: jax.lax.switch(i, branches, x), i32(index), f32(1))
    assert got == 1 + 10 * min(max(index, 0), 2)


@pytest.mark.parametrize("index", [-1, 0, 1, 2, 3])
def test_behaviour_17_case_index_out_of_range_runs_the_last(run: Any, index: int):
    text = """
    func.func @main(%i: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
      %r = dcf.case %i : tensor<i32> -> tensor<f32> {
        dcf.yield %x : tensor<f32>
      }, {
        %y = stablehlo.add %x, %x : tensor<f32>
        dcf.yield %y : tensor<f32>
      }, {
        %y = stablehlo.negate %x : tensor<f32>
        dcf.yield %y : tensor<f32>
      }
      return %r : tensor<f32>
    }
    """
    (got,) = run(text, i32(index), f32(3))
    assert got == {0: 3, 1: 6}.get(index, -3)


@pytest.mark.parametrize("index", [-1, 0, 5])
def test_behaviour_17_one_branch_only(run: Any, index: int):
    text = """
    func.func @main(%i: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
      %r = dcf.case %i : tensor<i32> -> tensor<f32> {
        %y = stablehlo.add %x, %x : tensor<f32>
        dcf.yield %y : tensor<f32>
      }
      return %r : tensor<f32>
    }
    """
    (got,) = run(text, i32(index), f32(3))
    assert got == 6


@pytest.mark.parametrize("p", [False, True])
def test_behaviour_18_constant_forwarded_and_shared_branch_values(run_probed: Any, p: bool):
    """A branch that yields a constant, one that yields what it was given, both yield one value."""
    text = """
    func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
      %r:3 = dcf.cond %p : tensor<i1> -> (tensor<f32>, tensor<f32>, tensor<f32>) then {
        %c = stablehlo.constant dense<1.0> : tensor<f32>
        dcf.probe "then" %c : tensor<f32>
        dcf.yield %c, %c, %x : tensor<f32>, tensor<f32>, tensor<f32>
      } else {
        %c = stablehlo.constant dense<2.0> : tensor<f32>
        dcf.probe "else" %x : tensor<f32>
        dcf.yield %x, %c, %x : tensor<f32>, tensor<f32>, tensor<f32>
      }
      return %r#0, %r#1, %r#2 : tensor<f32>, tensor<f32>, tensor<f32>
    }
    """
    results, events = run_probed(text, np.bool_(p), f32(7))
    assert [float(r) for r in results] == ([1, 1, 7] if p else [7, 2, 7])
    assert events == ([("then", (1.0,))] if p else [("else", (7.0,))])


@pytest.mark.parametrize(("p", "q"), BOTH)
def test_behaviour_19_first_true_wins_and_default(run_probed: Any, p: bool, q: bool):
    text = """
    func.func @main(%p: tensor<i1>, %q: tensor<i1>) -> tensor<i32> {
      %r = dcf.cond %p : tensor<i1> -> tensor<i32> then {
        %c = stablehlo.constant dense<1> : tensor<i32>
        dcf.probe "first"
        dcf.yield %c : tensor<i32>
      } else {
        %s = dcf.cond %q : tensor<i1> -> tensor<i32> then {
          %c = stablehlo.constant dense<2> : tensor<i32>
          dcf.probe "second"
          dcf.yield %c : tensor<i32>
        } else {
          %c = stablehlo.constant dense<3> : tensor<i32>
          dcf.probe "default"
          dcf.yield %c : tensor<i32>
        }
        dcf.yield %s : tensor<i32>
      }
      return %r : tensor<i32>
    }
    """
    (got,), events = run_probed(text, np.bool_(p), np.bool_(q))
    want, label = (1, "first") if p else (2, "second") if q else (3, "default")
    assert got == want
    assert events == [(label, ())]


@pytest.mark.parametrize("p", [False, True])
def test_behaviour_20_effects_of_the_taken_branch_once_and_in_order(run_probed: Any, p: bool):
    text = """
    func.func @main(%p: tensor<i1>, %n: tensor<i32>) -> tensor<i32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      dcf.probe "start"
      %r = dcf.while "loop" (%i = %zero : tensor<i32>) cond {
        dcf.probe "condition" %i : tensor<i32>
        %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        dcf.condition %go
      } do {
        dcf.cond %p : tensor<i1> then {
          dcf.probe "then 1" %i : tensor<i32>
          dcf.probe "then 2"
          dcf.yield
        } else {
          dcf.probe "else" %i : tensor<i32>
          dcf.yield
        }
        %i1 = stablehlo.add %i, %one : tensor<i32>
        dcf.probe "body" %i1 : tensor<i32>
        dcf.yield %i1 : tensor<i32>
      }
      dcf.probe "end" %r : tensor<i32>
      return %r : tensor<i32>
    }
    """
    (got,), events = run_probed(text, np.bool_(p), i32(3))
    assert got == 3
    want: list[tuple[str, tuple[int, ...]]] = [("start", ())]
    for i in range(4):
        want.append(("condition", (i,)))
        if i < 3:
            want += [("then 1", (i,)), ("then 2", ())] if p else [("else", (i,))]
            want.append(("body", (i + 1,)))
    want.append(("end", (3,)))
    assert events == want


BRANCHES = """
func.func @main(%p: tensor<i1>, %x: tensor<f32>, %v: tensor<3xi32>) -> tensor<f32> {
  %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
    dcf.yield %x : tensor<f32>
  } else {
    dcf.yield YIELD
  }
  return %r : tensor<f32>
}
"""


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ("%v : tensor<3xi32>", r"tensor<3xi32>"),
        ("%x, %x : tensor<f32>, tensor<f32>", r"tensor<f32>"),
    ],
    ids=["type", "arity"],
)
def test_behaviour_21_branches_that_differ_are_an_error_listing_both(values: str, shown: str):
    with pytest.raises(Exception, match=rf"(?s)expected.*tensor<f32>.*got.*{shown}"):
        ab.compile(ab.parse(BRANCHES.replace("YIELD", values)))


def test_behaviour_21_branches_of_the_source_level_too():
    text = """
    func.func @main(%i: tensor<i32>, %x: tensor<f32>, %v: tensor<3xi32>) -> tensor<f32> {
      %r = "stablehlo.case"(%i) ({
        stablehlo.return %x : tensor<f32>
      }, {
        stablehlo.return %v : tensor<3xi32>
      }) : (tensor<i32>) -> tensor<f32>
      return %r : tensor<f32>
    }
    """
    with pytest.raises(Exception, match=r"(?s)expected.*tensor<f32>.*got.*tensor<3xi32>"):
        ab.compile(ab.parse(text))


def test_behaviour_22_cond_in_a_while_body(run_jax: Any, jax: Any):
    def fn(n: Any):
        def step(carry: Any):
            i, evens, odds = carry
            evens, odds = jax.lax.cond(
                i % 2 == 0, lambda: (evens + i, odds), lambda: (evens, odds * 2 + i)
            )
            return i + 1, evens, odds

        return jax.lax.while_loop(lambda c: c[0] < n, step, (i32(0), i32(0), i32(0)))

    for n in (0, 1, 9):
        run_jax(fn, i32(n))


def test_behaviour_22_cond_in_a_while_condition(run_jax: Any, jax: Any):
    def fn(x: Any, strict: Any):
        def more(x: Any):
            return jax.lax.cond(strict, lambda: x < 10, lambda: x <= 10)

        return jax.lax.while_loop(more, lambda x: x + 1, x)

    for strict, want in ((True, 10), (False, 11)):
        (got,) = run_jax(fn, i32(0), np.bool_(strict))
        assert got == want


@pytest.mark.parametrize("p", [False, True])
def test_behaviour_22_while_in_cond(run_jax: Any, jax: Any, p: bool):
    def fn(p: Any, n: Any, x: Any):
        return jax.lax.cond(
            p,
            lambda x: jax.lax.fori_loop(0, n, lambda i, x: x * 2 + i, x),
            lambda x: x - 1,
            x,
        )

    for n in (0, 4):
        run_jax(fn, np.bool_(p), i32(n), i32(3))


def test_behaviour_22_while_in_cond_in_while(run_jax: Any, jax: Any):
    def fn(n: Any):
        def inner(x: Any):
            return jax.lax.while_loop(lambda y: y % 7 != 0, lambda y: y + 2, x)

        def step(carry: Any):
            i, x = carry
            return i + 1, jax.lax.cond(i % 3 == 1, inner, lambda x: x + i, x)

        return jax.lax.while_loop(lambda c: c[0] < n, step, (i32(0), i32(1)))

    for n in (0, 1, 12):
        run_jax(fn, i32(n))
