"""Loops raised to scans give the same bits, at the reference and as graphs, whatever the trips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import anabranch as ab
from anabranch.dialects.dcf import ScanOp, WhileOp
from anabranch.frontends.mlir_text import make_context, verify_module
from anabranch.lowering.dcf_to_dfg_pipeline import STRUCTURED_PASSES
from anabranch.passes import PASSES, get_pass
from anabranch.runtime.reference import evaluate

N = 5


def loop(
    *,
    body: str,
    trips: str = "%n",
    yields: str = "%c1, %y1",
    index: str = "tensor<i32>",
    rows: str = f"tensor<{N}x2xf32>",
) -> str:
    """A loop over i with a carry %c and an array %y, for `body` to make %c1 and %y1 of."""
    return f"""
func.func @main(%n: {index}, %xs: {rows}, %ys: {rows}, %c0: tensor<2xf32>)
    -> ({index}, tensor<2xf32>, {rows}) {{
  %zero = stablehlo.constant dense<0> : {index}
  %one = stablehlo.constant dense<1> : {index}
  %three = stablehlo.constant dense<3> : {index}
  %four = stablehlo.constant dense<4> : {index}
  %five = stablehlo.constant dense<{N}> : {index}
  %eight = stablehlo.constant dense<8> : {index}
  %r:3 = dcf.while (%i = %zero, %c = %c0, %y = %ys : {index}, tensor<2xf32>, {rows}) cond {{
    %p = stablehlo.compare LT, %i, {trips}, SIGNED : ({index}, {index}) -> tensor<i1>
    dcf.condition %p
  }} do {{
{body}
    %i1 = stablehlo.add %i, %one : {index}
    dcf.yield %i1, {yields} : {index}, tensor<2xf32>, {rows}
  }}
  func.return %r#0, %r#1, %r#2 : {index}, tensor<2xf32>, {rows}
}}"""


def read(name: str, array: str, index: str) -> str:
    return f"""
    %{name}_slice = stablehlo.dynamic_slice {array}, {index}, %zero, sizes = [1, 2]
        : (tensor<{N}x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %{name} = stablehlo.reshape %{name}_slice : (tensor<1x2xf32>) -> tensor<2xf32>"""


def write(row: str, index: str) -> str:
    return f"""
    %row = stablehlo.broadcast_in_dim {row}, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %row, {index}, %zero
        : (tensor<{N}x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<{N}x2xf32>"""


def scatter(row: str, index: str) -> str:
    return f"""
    %at = stablehlo.broadcast_in_dim {index}, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %y1 = "stablehlo.scatter"(%y, %at, {row}) <{{indices_are_sorted = true,
        scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0],
        inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}}> ({{
    ^bb0(%old: tensor<f32>, %new: tensor<f32>):
      stablehlo.return %new : tensor<f32>
    }}) : (tensor<{N}x2xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<{N}x2xf32>"""


STEP = """
    %s = stablehlo.sine %c : tensor<2xf32>
    %c1 = stablehlo.multiply %s, %x : tensor<2xf32>"""
WRAPPED = """
    %negative = stablehlo.compare LT, %i, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %up = stablehlo.add %i, %five : tensor<i32>
    %k = stablehlo.select %negative, %up, %i : tensor<i1>, tensor<i32>"""
REVERSE = """
    %d = stablehlo.subtract %five, %i : tensor<i32>
    %k = stablehlo.subtract %d, %one : tensor<i32>"""
COUNTED = """
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %g = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %x = stablehlo.multiply %x0, %g : tensor<2xf32>"""

RAISED = {
    "rows": loop(body=read("x", "%xs", "%i") + STEP + write("%c1", "%i")),
    "wrapped": loop(body=WRAPPED + read("x", "%xs", "%k") + STEP + write("%c1", "%k")),
    "scatter": loop(body=WRAPPED + read("x", "%xs", "%k") + STEP + scatter("%c1", "%k")),
    "old_value": loop(body=read("x", "%y", "%i") + STEP + write("%c1", "%i")),
    "counter": loop(body=read("x0", "%xs", "%i") + COUNTED + STEP + write("%c1", "%i")),
    "reverse": loop(
        trips="%five", body=REVERSE + read("x", "%xs", "%k") + STEP + write("%c1", "%k")
    ),
    "fewer_trips": loop(trips="%four", body=read("x", "%xs", "%i") + STEP + write("%c1", "%i")),
    "more_trips": loop(trips="%eight", body=read("x", "%xs", "%i") + STEP + write("%c1", "%i")),
    "more_trips_scatter": loop(
        trips="%eight", body=read("x", "%xs", "%i") + STEP + scatter("%c1", "%i")
    ),
    "read_only": loop(body=read("x", "%xs", "%i") + STEP, yields="%c1, %y"),
    "both_ways": loop(
        trips="%five",
        body=REVERSE + read("x", "%xs", "%k") + STEP + write("%c1", "%i"),
    ),
}
ROWS = f"tensor<{N}x2xf32>"


def third_carry(text: str, following: str) -> str:
    """The loop with one more carry %z, which starts as %y does; it is returned in the place of %y."""
    text = text.replace("%y = %ys : ", "%y = %ys, %z = %ys : ").replace("%r:3", "%r:4")
    text = text.replace(f"tensor<2xf32>, {ROWS}) cond", f"tensor<2xf32>, {ROWS}, {ROWS}) cond")
    text = text.replace("dcf.yield %i1, %c1, %y1 : ", f"dcf.yield %i1, %c1, %y1, {following} : ")
    end = f"tensor<i32>, tensor<2xf32>, {ROWS}\n  }}"
    assert end in text
    return text.replace(end, f"tensor<i32>, tensor<2xf32>, {ROWS}, {ROWS}\n  }}").replace(
        "%r#2", "%r#3"
    )


PLAIN = loop(body=read("x", "%xs", "%i") + STEP + write("%c1", "%i"))
RAISED["reads_what_it_starts_from"] = loop(body=read("x", "%ys", "%i") + STEP + write("%c1", "%i"))
RAISED["carries_the_row_it_reads"] = loop(
    body=read("x", "%xs", "%i") + STEP + write("%c1", "%i"), yields="%x, %y1"
)
RAISED["equal_carry_that_stays"] = third_carry(PLAIN, "%z")
STAY = {
    "carry_of_the_same_result": third_carry(PLAIN, "%y1"),
    "carry_of_the_old_array": third_carry(PLAIN, "%y"),
    "read_through_another_carry": third_carry(
        loop(body=read("x", "%z", "%i") + STEP + write("%c1", "%i")), "%y1"
    ),
    "read_as_a_whole": loop(
        body=read("x", "%xs", "%i")
        + STEP
        + write("%c1", "%i")
        + f"\n    %whole = stablehlo.slice %y [0:1, 0:2] : ({ROWS}) -> tensor<1x2xf32>"
        + "\n    %first = stablehlo.reshape %whole : (tensor<1x2xf32>) -> tensor<2xf32>"
        + "\n    %c2 = stablehlo.add %c1, %first : tensor<2xf32>",
        yields="%c2, %y1",
    ),
    "write_under_a_condition": loop(
        body=read("x", "%xs", "%i")
        + STEP
        + write("%c1", "%i").replace("%y1 =", "%y2 =")
        + "\n    %q = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>)"
        + " -> tensor<i1>"
        + f"\n    %y1 = stablehlo.select %q, %y2, %y : tensor<i1>, {ROWS}"
    ),
    "steps_of_two": PLAIN.replace(
        "%i1 = stablehlo.add %i, %one", "%i0 = stablehlo.add %i, %one : tensor<i32>\n"
        "    %i1 = stablehlo.add %i0, %one"
    ),
    "counting_down": PLAIN.replace("%i = %zero", "%i = %n")
    .replace("compare LT, %i, %n", "compare GT, %i, %zero")
    .replace("stablehlo.add %i, %one", "stablehlo.subtract %i, %one"),
    "from_one": PLAIN.replace("%i = %zero", "%i = %one"),
    "bound_that_moves": PLAIN.replace("compare LT, %i, %n", "compare LT, %i, %m").replace(
        "    %p = stablehlo", "    %m = stablehlo.subtract %n, %i : tensor<i32>\n    %p = stablehlo"
    ),
    "previous_row": loop(
        body="\n    %j = stablehlo.subtract %i, %one : tensor<i32>"
        + read("x", "%y", "%j") + STEP + write("%c1", "%i")
    ),
    "other_row": loop(body=read("x", "%xs", "%i") + STEP + write("%c1", "%three")),
    "unknown_reverse": loop(
        body="\n    %k = stablehlo.subtract %n, %i : tensor<i32>"
        + read("x", "%xs", "%i") + STEP + write("%c1", "%k")
    ),
}  # fmt: skip


def arguments(n: int) -> list[Any]:
    rng = np.random.default_rng(n + 3)
    rows = [rng.normal(size=(N, 2)).astype(np.float32) for _ in range(2)]
    return [np.asarray(np.int32(n)), *rows, rng.normal(size=2).astype(np.float32)]


def raised(text: str, name: str = "raise-while-to-scan") -> Any:
    module = ab.parse(text)
    get_pass(name)().apply(make_context(), module)
    verify_module(module)
    return module


def count(module: Any) -> tuple[int, int]:
    """Scans and loops."""
    ops = list(module.walk())
    return sum(isinstance(op, ScanOp) for op in ops), sum(isinstance(op, WhileOp) for op in ops)


def assert_same(text: str, module: Any, values: Sequence[Any]) -> None:
    want = evaluate(ab.parse(text), values)
    for got in (evaluate(module, values), ab.compile(module.clone())(*values)):
        for one, other in zip(got, want, strict=True):
            assert np.asarray(one).dtype == other.dtype
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", RAISED)
def test_raised_loops_give_the_same_bits(name: str):
    module = raised(RAISED[name])
    assert count(module)[0] == 1
    for n in (-2, 0, 1, N - 1, N, N + 1, N + 4):
        assert_same(RAISED[name], module, arguments(n))


@pytest.mark.parametrize("name", STAY)
def test_other_loops_stay(name: str):
    module = raised(STAY[name])
    assert count(module) == (0, 1)
    for n in (0, 1, 2, N, N + 2):
        assert_same(STAY[name], module, arguments(n))


@pytest.mark.parametrize(
    ("name", "loops"),
    [("rows", 1), ("reverse", 0), ("fewer_trips", 0), ("more_trips", 1), ("both_ways", 0)],
)
def test_a_loop_remains_only_where_trips_can_exceed_the_rows(name: str, loops: int):
    assert count(raised(RAISED[name])) == (1, loops)


def test_raising_twice_changes_nothing():
    module = raised(RAISED["rows"])
    text = ab.print_module(module)
    get_pass("raise-while-to-scan")().apply(make_context(), module)
    assert ab.print_module(module) == text


def test_arrays_of_different_sizes_and_in_other_dimensions():
    text = """
func.func @main(%xs: tensor<2x4xf32>, %ys: tensor<6x2xf32>, %zs: tensor<2x5xf32>)
    -> (tensor<6x2xf32>, tensor<2x5xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<6> : tensor<i32>
  %r:3 = dcf.while (%i = %zero, %y = %ys, %z = %zs
      : tensor<i32>, tensor<6x2xf32>, tensor<2x5xf32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %x = stablehlo.dynamic_slice %xs, %zero, %i, sizes = [2, 1]
        : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x1xf32>
    %row = stablehlo.reshape %x : (tensor<2x1xf32>) -> tensor<1x2xf32>
    %y1 = stablehlo.dynamic_update_slice %y, %row, %i, %zero
        : (tensor<6x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<6x2xf32>
    %old = stablehlo.dynamic_slice %z, %zero, %i, sizes = [2, 1]
        : (tensor<2x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x1xf32>
    %new = stablehlo.multiply %old, %x : tensor<2x1xf32>
    %z1 = stablehlo.dynamic_update_slice %z, %new, %zero, %i
        : (tensor<2x5xf32>, tensor<2x1xf32>, tensor<i32>, tensor<i32>) -> tensor<2x5xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %i1, %y1, %z1 : tensor<i32>, tensor<6x2xf32>, tensor<2x5xf32>
  }
  func.return %r#1, %r#2 : tensor<6x2xf32>, tensor<2x5xf32>
}"""
    rng = np.random.default_rng(1)
    values = [rng.normal(size=shape).astype(np.float32) for shape in ((2, 4), (6, 2), (2, 5))]
    module = raised(text)
    assert count(module) == (1, 1)
    assert_same(text, module, values)


@pytest.mark.parametrize("name", ["scatter", "reverse", "fewer_trips"])
def test_maps(name: str):
    text = RAISED[name].replace(STEP, "\n    %c1 = stablehlo.sine %x : tensor<2xf32>")
    text = text.replace("dcf.yield %i1, %c1,", "dcf.yield %i1, %c,")
    module = raised(text, "raise-while-to-map")
    scans = [op for op in module.walk() if isinstance(op, ScanOp)]
    assert len(scans) == 1 and not scans[0].inits
    for n in (-1, 0, 3, N, N + 2):
        assert_same(text, module, arguments(n))


def test_maps_that_use_the_counter():
    text = RAISED["counter"].replace(STEP, "\n    %c1 = stablehlo.sine %x : tensor<2xf32>")
    text = text.replace("dcf.yield %i1, %c1,", "dcf.yield %i1, %c,")
    module = raised(text, "raise-while-to-map")
    scans = [op for op in module.walk() if isinstance(op, ScanOp)]
    assert len(scans) == 1 and not scans[0].inits and len(scans[0].inputs) == 2
    for n in (0, 3, N, N + 2):
        assert_same(text, module, arguments(n))


def from_jax(function: Any, *values: Any) -> Any:
    """The module JAX gives, up to where loops are raised."""
    module = ab.from_jax(function, *values)
    for name in STRUCTURED_PASSES[: STRUCTURED_PASSES.index("expand-scan")]:
        if name in PASSES:
            get_pass(name)().apply(make_context(), module)
        else:
            from anabranch.lowering import get_lowering

            get_lowering(name)().apply(make_context(), module)
    return module


@pytest.fixture(scope="module")
def jax() -> Any:
    return pytest.importorskip("jax")


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("length", [1, 5])
def test_behaviour_13_a_scan_of_jax_is_raised(jax: Any, reverse: bool, length: int):
    def fn(c: Any, xs: Any) -> Any:
        def step(c: Any, x: Any) -> Any:
            return jax.numpy.sin(c) * x, c + x

        return jax.lax.scan(step, c, xs, reverse=reverse)

    c, xs = np.float32(0.3), np.linspace(0.1, 0.9, length).astype(np.float32)
    module = from_jax(fn, c, xs)
    plain = module.clone()
    get_pass("raise-while-to-scan")().apply(make_context(), module)
    assert count(module) == (1, 0)
    scan = next(op for op in module.walk() if isinstance(op, ScanOp))
    assert (scan.reverse is not None) == reverse
    for got, want in zip(evaluate(module, [c, xs]), evaluate(plain, [c, xs]), strict=True):
        np.testing.assert_array_equal(got, want)


def test_behaviour_14_a_map_of_jax_is_raised(jax: Any):
    def fn(xs: Any) -> Any:
        def one(x: Any) -> Any:
            return jax.numpy.sin(x) * x

        return jax.lax.map(one, xs)

    xs = np.linspace(0.1, 0.9, 5).astype(np.float32)
    module = from_jax(fn, xs)
    plain = module.clone()
    get_pass("raise-while-to-map")().apply(make_context(), module)
    assert count(module) == (1, 0)
    np.testing.assert_array_equal(evaluate(module, [xs])[0], evaluate(plain, [xs])[0])


def test_writes_by_index_in_a_loop_of_jax_are_raised(jax: Any):
    def fn(xs: Any, ys: Any, n: Any) -> Any:
        def step(i: Any, ys: Any) -> Any:
            return ys.at[i].set(jax.numpy.sin(xs[i]))

        return jax.lax.fori_loop(0, n, step, ys)

    xs, ys = np.ones((5, 2), np.float32), np.zeros((5, 2), np.float32)
    module = from_jax(fn, xs, ys, 3)
    plain = module.clone()
    get_pass("raise-while-to-scan")().apply(make_context(), module)
    assert count(module) == (1, 1)
    for n in (-1, 0, 3, 5, 7):
        values = [xs, ys, np.asarray(np.int32(n))]
        got, want = evaluate(module, values)[0], evaluate(plain, values)[0]
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", RAISED)
def test_gradients_are_the_same_as_of_the_loop(name: str):
    want = ab.parse(RAISED[name])
    got = raised(RAISED[name])
    for module in (want, got):
        get_pass("dcf-gradient")(of=2).apply(make_context(), module)  # pyright: ignore[reportCallIssue]
    for n in (0, 3, N, N + 2):
        values = arguments(n)
        for one, other in zip(
            evaluate(got, values, "main.grad"), evaluate(want, values, "main.grad"), strict=True
        ):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


def test_what_the_passes_declare():
    for name in ("raise-while-to-scan", "raise-while-to-map"):
        cls: Any = get_pass(name)
        assert (cls.name, cls.exactness) == (name, "exact")
    optimize: Any = get_pass("optimize-scan")
    assert optimize.exactness == "reassociates"
