"""Behaviours 1–15 of forward control flow: loops. Each test's name holds the number of its
behaviour.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import anabranch as ab

i32 = np.int32
f32 = np.float32

COUNT = """
func.func @main(%start: tensor<i32>, %stop: tensor<i32>) -> tensor<i32> {
  %r = dcf.while "count" (%i = %start : tensor<i32>) cond {
    %more = stablehlo.compare LT, %i, %stop, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %more
  } do {
    %step = stablehlo.constant dense<STEP> : tensor<i32>
    %next = stablehlo.add %i, %step : tensor<i32>
    dcf.yield %next : tensor<i32>
  } {ATTRIBUTES}
  return %r : tensor<i32>
}
"""


def count(step: int = 1, attributes: str = "") -> str:
    text = COUNT.replace("STEP", str(step))
    return text.replace("{ATTRIBUTES}", f"{{{attributes}}}" if attributes else "")


@pytest.mark.parametrize(
    ("start", "stop", "want"), [(0, 10, 10), (3, 7, 7), (5, 3, 5), (4, 4, 4), (0, -1, 0)]
)
def test_behaviour_01_counter_to_a_bound_from_an_argument(
    run: Any, start: int, stop: int, want: int
):
    (got,) = run(count(), i32(start), i32(stop))
    assert got == want


@pytest.mark.parametrize("n", [0, 1, 5])
def test_behaviour_02_inner_bound_depends_on_the_outer_counter(run: Any, n: int):
    text = """
    func.func @main(%n: tensor<i32>) -> tensor<5x5xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %empty = stablehlo.constant dense<0.0> : tensor<5x5xf32>
      %i_end, %r = dcf.while "rows" (%i = %zero, %x = %empty : tensor<i32>, tensor<5x5xf32>) cond {
        %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        dcf.condition %p
      } do {
        %j_end, %y = dcf.while "columns" (%j = %zero, %z = %x : tensor<i32>, tensor<5x5xf32>) cond {
          %p = stablehlo.compare LE, %j, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          dcf.condition %p
        } do {
          %v = stablehlo.add %i, %j : tensor<i32>
          %f = stablehlo.convert %v : (tensor<i32>) -> tensor<f32>
          %u = stablehlo.reshape %f : (tensor<f32>) -> tensor<1x1xf32>
          %z1 = stablehlo.dynamic_update_slice %z, %u, %i, %j : (tensor<5x5xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<5x5xf32>
          %j1 = stablehlo.add %j, %one : tensor<i32>
          dcf.yield %j1, %z1 : tensor<i32>, tensor<5x5xf32>
        }
        %i1 = stablehlo.add %i, %one : tensor<i32>
        dcf.yield %i1, %y : tensor<i32>, tensor<5x5xf32>
      }
      return %r : tensor<5x5xf32>
    }
    """  # noqa: E501
    (got,) = run(text, i32(n))
    rows, columns = np.indices((5, 5))
    want = np.where((columns <= rows) & (rows < n), rows + columns, 0).astype(f32)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("n", [0, 5, 10, 15])
def test_behaviour_03_conjunction_in_the_condition(run_jax: Any, jax: Any, n: int):
    def total(n: Any, values: Any):
        def more(carry: Any):
            i, _ = carry
            return (i < n) & (i < values.shape[0])

        def add(carry: Any):
            i, total = carry
            return i + 1, total + values[i]

        return jax.lax.while_loop(more, add, (i32(0), f32(0)))

    values = np.arange(10, dtype=f32)
    trips, got = run_jax(total, i32(n), values)
    assert trips == min(n, 10)
    assert got == values[:n].sum()


@pytest.mark.parametrize("where", ["condition", "body", "both"])
def test_behaviour_04_captured_values(run_jax: Any, jax: Any, where: str):
    in_condition, in_body = where in ("condition", "both"), where in ("body", "both")

    def fn(x: Any, bound: Any, step: Any):
        return jax.lax.while_loop(
            lambda x: x < (bound if in_condition else 20.0),
            lambda x: x + (step if in_body else 3.0),
            x,
        )

    (got,) = run_jax(fn, f32(1), f32(10), f32(2))
    bound, step = (10 if in_condition else 20), (2 if in_body else 3)
    want = 1
    while want < bound:
        want += step
    assert got == want


Point = namedtuple("Point", ["x", "y"])


@pytest.mark.parametrize(
    "carry",
    [
        (i32(0), f32(1)),
        {"i": i32(0), "v": (f32(1), f32(2))},
        Point(i32(0), np.ones(3, f32)),
        [i32(0), {"empty": (), "none": None, "x": f32(4)}],
    ],
    ids=["tuple", "dict", "namedtuple", "nested"],
)
def test_behaviour_05_structured_carries(run_jax: Any, jax: Any, carry: Any):
    def fn(carry: Any):
        leaves = jax.tree.leaves
        return jax.lax.while_loop(
            lambda c: leaves(c)[0] < 5, lambda c: jax.tree.map(lambda v: v + 1, c), carry
        )

    got = run_jax(fn, carry)
    assert got[0] == 5


def test_behaviour_05_empty_carry_in_jax(run_jax: Any, jax: Any):
    def fn(x: Any):
        jax.lax.while_loop(lambda _: False, lambda _: (), ())
        return x

    (got,) = run_jax(fn, f32(3))
    assert got == 3


def test_behaviour_06_condition_false_with_an_empty_carry(run_probed: Any):
    text = """
    func.func @main() {
      dcf.while "never" () cond {
        %no = stablehlo.constant dense<false> : tensor<i1>
        dcf.condition %no
      } do {
        dcf.probe "body"
        dcf.yield
      }
      dcf.probe "after"
      return
    }
    """
    results, events = run_probed(text)
    assert results == []
    assert events == [("after", ())]


def test_behaviour_07_init_in_two_carries(run: Any):
    text = """
    func.func @main(%n: tensor<i32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %new = stablehlo.constant dense<9.0> : tensor<1xf32>
      %r:3 = dcf.while (%i = %zero, %a = %x, %b = %x : tensor<i32>, tensor<4xf32>, tensor<4xf32>) cond {
        %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        dcf.condition %p
      } do {
        %a1 = stablehlo.dynamic_update_slice %a, %new, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
        %b1 = stablehlo.add %b, %b : tensor<4xf32>
        %i1 = stablehlo.add %i, %one : tensor<i32>
        dcf.yield %i1, %a1, %b1 : tensor<i32>, tensor<4xf32>, tensor<4xf32>
      }
      return %r#1, %r#2, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    }
    """
    x = np.arange(4, dtype=f32)
    for n in (0, 2):
        written, doubled, same = run(text, i32(n), x)
        np.testing.assert_array_equal(written, [9, 9, 2, 3] if n else [0, 1, 2, 3])
        np.testing.assert_array_equal(doubled, x * 2**n)
        np.testing.assert_array_equal(same, x)
        np.testing.assert_array_equal(x, np.arange(4))
    executable = ab.compile(ab.parse(text))
    results = executable(i32(0), x)
    for array in results:
        assert not np.shares_memory(array, x)
        array[:] = -1
    np.testing.assert_array_equal(x, np.arange(4))
    np.testing.assert_array_equal(executable(i32(0), x)[0], x)


@pytest.mark.parametrize(("start", "stop", "want"), [(0, 3, 4), (0, 1, 2), (1, 2, 3), (3, 3, 3)])
def test_behaviour_08_counter_that_steps_past_its_bound(run: Any, start: int, stop: int, want: int):
    (got,) = run(count(step=2), i32(start), i32(stop))
    assert got == want


def test_behaviour_09_a_cap_in_the_condition_ends_the_loop(run: Any):
    text = """
    func.func @main(%cap: tensor<i32>) -> (tensor<i32>, tensor<f32>) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %x0 = stablehlo.constant dense<1.0> : tensor<f32>
      %big = stablehlo.constant dense<1.0e30> : tensor<f32>
      %r:2 = dcf.while (%i = %zero, %x = %x0 : tensor<i32>, tensor<f32>) cond {
        %p = stablehlo.compare LT, %x, %big, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %q = stablehlo.compare LT, %i, %cap, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %go = stablehlo.and %p, %q : tensor<i1>
        dcf.condition %go
      } do {
        %x1 = stablehlo.add %x, %x : tensor<f32>
        %i1 = stablehlo.add %i, %one : tensor<i32>
        dcf.yield %i1, %x1 : tensor<i32>, tensor<f32>
      }
      return %r#0, %r#1 : tensor<i32>, tensor<f32>
    }
    """
    trips, x = run(text, i32(4))
    assert (trips, x) == (4, 16)
    trips, x = run(text, i32(1000))
    assert (trips, x) == (100, f32(2) ** 100)


@pytest.mark.parametrize("engine", ["local", "reference"])
@pytest.mark.parametrize("fuse", [True, False])
def test_behaviour_09_a_trip_bound_is_a_checked_promise(engine: Any, fuse: bool):
    module = ab.parse(count(attributes="trip_bound = 5 : i64"))
    executable = ab.compile(module, engine=engine, fuse=fuse)
    assert executable(i32(0), i32(5))[0] == 5
    with pytest.raises(ab.ProgramError, match="count.*5"):
        executable(i32(0), i32(6))
    # An error leaves the executable usable.
    assert executable(i32(2), i32(6))[0] == 6


def test_behaviour_10_ten_thousand_trips_for_every_window(run: Any):
    text = """
    func.func @main(%n: tensor<i32>) -> tensor<f32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %x0 = stablehlo.constant dense<1.0> : tensor<f32>
      %c = stablehlo.constant dense<0.999> : tensor<f32>
      %r:2 = dcf.while (%i = %zero, %x = %x0 : tensor<i32>, tensor<f32>) cond {
        %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        dcf.condition %p
      } do {
        %y = stablehlo.multiply %x, %c : tensor<f32>
        %x1 = stablehlo.add %y, %c : tensor<f32>
        %i1 = stablehlo.add %i, %one : tensor<i32>
        dcf.yield %i1, %x1 : tensor<i32>, tensor<f32>
      }
      return %r#1 : tensor<f32>
    }
    """
    (got,) = run(text, i32(10_000), windows=(1, 5, 10, 20))
    want, c = f32(1), f32(0.999)
    for _ in range(10_000):
        want = want * c + c
    assert got == want


GROW = """
func.func @main(%n: tensor<i32>, %x0: tensor<1xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  START
  %r:2 = dcf.while "grow" (%i = %zero, %x = %s : tensor<i32>, tensor<CARRYxf32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %x1 = stablehlo.concatenate %x, %x0, dim = 0 : (tensor<CARRYxf32>, tensor<1xf32>) -> tensor<?xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %x1 : tensor<i32>, tensor<?xf32>
  }
  return %r#1 : tensor<CARRYxf32>
}
"""


@pytest.mark.parametrize("n", [0, 1, 6])
def test_behaviour_11_shapes_that_change_by_trip_when_declared(run: Any, n: int):
    start = "%s = stablehlo.convert %x0 : (tensor<1xf32>) -> tensor<?xf32>"
    (got,) = run(GROW.replace("START", start).replace("CARRY", "?"), i32(n), f32([2.5]))
    np.testing.assert_array_equal(got, np.full(n + 1, 2.5, f32))


def test_behaviour_11_shapes_that_change_are_an_error_when_not_declared():
    text = GROW.replace("START", "%s = stablehlo.add %x0, %x0 : tensor<1xf32>")
    text = text.replace("CARRY", "1")
    with pytest.raises(Exception, match=r"expected.*tensor<1xf32>.*got.*tensor<\?xf32>"):
        ab.compile(ab.parse(text))


@pytest.mark.parametrize(
    "options", [{}, {"fuse": False}, {"engine": "reference"}], ids=["fused", "nodes", "reference"]
)
def test_behaviour_12_an_endless_loop_ends_at_the_deadline(options: Any):
    executable = ab.compile(ab.parse(count(step=0)), **options)
    with pytest.raises(ab.ProgramError, match="(?s)deadline.*count|count.*deadline"):
        executable.run([i32(0), i32(1)], deadline=0.3)
    assert executable(i32(1), i32(1))[0] == 1


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("unroll", [1, 3])
@pytest.mark.parametrize("length", [0, 1, 7])
def test_behaviour_13_scan(run_jax: Any, jax: Any, reverse: bool, unroll: int, length: int):
    def fn(c: Any, xs: Any):
        def step(c: Any, x: Any):
            return c * f32(0.5) + x, (c, x * x)

        return jax.lax.scan(step, c, xs, reverse=reverse, unroll=unroll)

    run_jax(fn, f32(1), np.arange(length, dtype=f32))


def test_behaviour_13_scan_without_inputs(run_jax: Any, jax: Any):
    def fn(c: Any):
        return jax.lax.scan(lambda c, _: (c + 1, c * 2), c, None, length=5)

    run_jax(fn, i32(3))


SCAN = """
func.func @main(%c: tensor<f32>, %xs: tensor<5xf32>, %ws: tensor<WSxf32>) -> (tensor<f32>, tensor<5xf32>) {
  %last, %ys = dcf.scan "s" (%a = %c : tensor<f32>) ins(%x = %xs, %w = %ws : tensor<5xf32>, tensor<WSxf32>) -> (tensor<f32>, tensor<5xf32>) do {
    %m = stablehlo.multiply %a, %w : tensor<f32>
    %a1 = stablehlo.add %m, %x : tensor<f32>
    dcf.yield %a1, %m : tensor<f32>, tensor<f32>
  }ATTRIBUTES
  return %last, %ys : tensor<f32>, tensor<5xf32>
}
"""  # noqa: E501


@pytest.mark.parametrize("reverse", [False, True])
def test_behaviour_13_scan_of_the_structured_level(run: Any, reverse: bool):
    text = SCAN.replace("WS", "5").replace("ATTRIBUTES", " {reverse}" if reverse else "")
    xs, ws = np.arange(5, dtype=f32), np.linspace(0, 1, 5, dtype=f32)
    last, ys = run(text, f32(2), xs, ws)
    a, rows = f32(2), np.zeros(5, f32)
    for i in range(4, -1, -1) if reverse else range(5):
        rows[i] = a * ws[i]
        a = rows[i] + xs[i]
    assert last == a
    np.testing.assert_array_equal(ys, rows)


def test_behaviour_13_scan_inputs_of_different_lengths_are_an_error():
    text = SCAN.replace("WS", "4").replace("ATTRIBUTES", "")
    with pytest.raises(Exception, match=r"expected.*5.*got.*4"):
        ab.compile(ab.parse(text))


@pytest.mark.parametrize("length", [0, 1, 6])
def test_behaviour_14_map(run_jax: Any, jax: Any, length: int):
    def fn(xs: Any):
        return jax.lax.map(lambda x: (x * x, x + 1), xs)

    run_jax(fn, np.arange(length, dtype=f32))


@pytest.mark.parametrize("length", [0, 1, 2, 3, 5, 10, 1000])
def test_behaviour_14_associative_scan(run_jax: Any, jax: Any, length: int):
    (got,) = run_jax(lambda x: jax.lax.associative_scan(jax.numpy.add, x), np.arange(length))
    np.testing.assert_array_equal(got, np.cumsum(np.arange(length)))


@pytest.mark.parametrize("seed", range(6))
def test_behaviour_15_read_only_and_forwarded_carries(run_jax: Any, jax: Any, seed: int):
    """Carries that the body passes on, to themselves or to each other, keep their results."""
    generator = np.random.default_rng(seed)
    size = int(generator.integers(2, 7))
    # Half of the seeds permute the carries; the others leave some in place and read them only.
    moved = generator.permutation(size) if seed % 2 else np.arange(size)
    changed = set(generator.choice(size, size // 2, replace=False).tolist())
    results = generator.permutation(size)

    def fn(n: Any, values: Any):
        def step(_: Any, carry: Any):
            carry = [carry[k] for k in moved]
            return [v * 2 + carry[0] if k in changed else v for k, v in enumerate(carry)]

        carry = jax.lax.fori_loop(0, n, step, list(values))
        return [carry[k] for k in results], [values[k] for k in results]

    values = [f32(v) for v in generator.integers(1, 9, size)]
    for n in (0, 3):
        run_jax(fn, i32(n), values)
