"""`reduce`, `reduce_window`, `select_and_scatter`, `map` and `sort`."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

OPS = {"add": 0, "multiply": 1, "maximum": None, "minimum": None, "and": -1, "or": 0, "xor": 0}
EXACT = [np.int8, np.int32, np.uint8, np.int64, np.bool_]
FLOATS = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]


def reduce_text(op: str, source: str, element: str, dims: list[int], result: str) -> str:
    return (
        f"  %r = stablehlo.reduce(%a init: %b) applies stablehlo.{op} across dimensions = {dims} : "
        f"({source}, {element}) -> {result}\n  return %r : {result}"
    )


def data(shape: tuple[int, ...], dtype: Any, seed: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if np.dtype(dtype) == np.bool_:
        return rng.integers(0, 2, shape).astype(dtype)
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    return rng.integers(-8, 9, shape).astype(dtype)


@pytest.mark.parametrize("dtype", EXACT, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("dims", [[0], [1], [0, 2], [0, 1, 2], []])
def test_reduce_integers(op: str, dims: list[int], dtype: Any, same: Any, helpers: Any) -> None:
    a = data((3, 4, 2), dtype)
    init = data((), dtype, 9)
    kept = np.zeros([n for d, n in enumerate(a.shape) if d not in dims], dtype)
    result = helpers.type(kept)
    same(reduce_text(op, helpers.type(a), helpers.type(init), dims, result), [a, init], [result])


@pytest.mark.parametrize("dtype", FLOATS, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("op", ["add", "maximum", "minimum"])
@pytest.mark.parametrize("dims", [[0], [1], [0, 2], [0, 1, 2]])
def test_reduce_floats(op: str, dims: list[int], dtype: Any, same: Any, helpers: Any) -> None:
    a = data((3, 4, 2), dtype)  # small integers: sums are exact in any order
    init = np.asarray(np.zeros((), dtype))
    kept = np.zeros([n for d, n in enumerate(a.shape) if d not in dims], dtype)
    result = helpers.type(kept)
    same(reduce_text(op, helpers.type(a), helpers.type(init), dims, result), [a, init], [result])


@pytest.mark.parametrize("op, init", [("maximum", -np.inf), ("minimum", np.inf)])
def test_extrema_of_zeros_and_nan(op: str, init: float, same: Any) -> None:
    rows = [[-0.0, 0.0], [0.0, -0.0], [-0.0, -0.0], [0.0, 0.0], [-0.0, -1], [1, np.nan], [0, -1]]
    a = np.array(rows, np.float32)
    text = reduce_text(op, "tensor<7x2xf32>", "tensor<f32>", [1], "tensor<7xf32>")
    same(text, [a, np.float32(init)], ["tensor<7xf32>"])


def test_reduce_of_nothing_is_the_initial_value(run: Any) -> None:
    text = reduce_text("add", "tensor<2x0xf32>", "tensor<f32>", [1], "tensor<2xf32>")
    [got] = run(text, [np.zeros((2, 0), np.float32), np.float32(3)], ["tensor<2xf32>"])
    assert got.tolist() == [3, 3]


@pytest.mark.parametrize("dtype", FLOATS[:3], ids=lambda d: np.dtype(d).name)
def test_sums_do_not_depend_on_layout(dtype: Any, run: Any, helpers: Any) -> None:
    a = np.random.default_rng(0).normal(size=(64, 300)).astype(dtype)
    text = reduce_text(
        "add", helpers.type(a), helpers.type(a[0, 0]), [1], helpers.type(a[:, 0].copy())
    )
    zero = np.zeros((), dtype)
    results = [helpers.type(a[:, 0])]
    [want] = run(text, [a, zero], results)
    [got] = run(text, [np.asfortranarray(a), zero], results)
    np.testing.assert_array_equal(got.view(np.uint8), want.view(np.uint8))


def test_half_precision_sums_are_rounded_once(run: Any) -> None:
    a = np.ones(4000, ml_dtypes.bfloat16)
    text = reduce_text("add", "tensor<4000xbf16>", "tensor<bf16>", [0], "tensor<bf16>")
    [got] = run(text, [a, np.zeros((), a.dtype)], ["tensor<bf16>"])
    assert got == np.float32(4000).astype(ml_dtypes.bfloat16)


ARGMAX = """
  %i = stablehlo.iota dim = 1 : tensor<{rows}x{n}xi32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%a init: %lowest), (%i init: %zero) across dimensions = [1]
      : (tensor<{rows}x{n}xf32>, tensor<{rows}x{n}xi32>, tensor<f32>, tensor<i32>)
      -> (tensor<{rows}xf32>, tensor<{rows}xi32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) {{
    %gt = stablehlo.compare GT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = stablehlo.compare NE, %x, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %first = stablehlo.or %gt, %nan : tensor<i1>
    %eq = stablehlo.compare EQ, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = stablehlo.compare LT, %j, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = stablehlo.and %eq, %lt : tensor<i1>
    %pick = stablehlo.or %first, %tie : tensor<i1>
    %v = stablehlo.select %first, %x, %y : tensor<i1>, tensor<f32>
    %w = stablehlo.select %pick, %j, %k : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<f32>, tensor<i32>
  }}
  return %r#0, %r#1 : tensor<{rows}xf32>, tensor<{rows}xi32>"""


@pytest.mark.parametrize("length", [1, 2, 3, 7, 8, 100])
def test_argmax_is_vectorised_and_exact(length: int, same: Any) -> None:
    a = np.random.default_rng(length).integers(-3, 4, (5, length)).astype(np.float32)
    a[1, length // 2] = np.nan
    a[2, :] = 1
    text = ARGMAX.format(rows=5, n=length)
    same(text, [a], ["tensor<5xf32>", "tensor<5xi32>"])


def test_a_region_with_control_flow_is_evaluated_by_element(run: Any) -> None:
    text = """
  %r = "stablehlo.reduce"(%a, %b) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %lt = stablehlo.compare LT, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = "stablehlo.if"(%lt) ({
      stablehlo.return %y : tensor<i32>
    }, {
      stablehlo.return %x : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    stablehlo.return %v : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<2x5xi32>, tensor<i32>) -> tensor<2xi32>
  return %r : tensor<2xi32>"""
    a = np.array([[1, 5, 2, 4, 3], [-1, -2, -3, -4, -5]], np.int32)
    assert run(text, [a, np.int32(-9)], ["tensor<2xi32>"])[0].tolist() == [5, -1]


def window_text(op: str, source: str, attributes: str, result: str, element: str) -> str:
    return f"""
  %r = "stablehlo.reduce_window"(%a, %b) <{{{attributes}}}> ({{
  ^bb0(%x: {element}, %y: {element}):
    %s = stablehlo.{op} %x, %y : {element}
    stablehlo.return %s : {element}
  }}) : ({source}, {element}) -> {result}
  return %r : {result}"""


@pytest.mark.parametrize(
    "op, init", [("add", 0), ("add", 3), ("maximum", -100), ("minimum", 100), ("multiply", 1)]
)
@pytest.mark.parametrize(
    "shape, attributes, target",
    [
        ((4, 5), "window_dimensions = array<i64: 2, 3>", (3, 3)),
        ((4, 5), "window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>", (2, 4)),
        (
            (4, 5),
            "window_dimensions = array<i64: 2, 2>, window_dilations = array<i64: 2, 3>, "
            "base_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>",
            (3, 8),
        ),
        (
            (3, 5),
            "window_dimensions = array<i64: 1, 5>, padding = dense<[[0, 0], [4, 0]]> : "
            "tensor<2x2xi64>",
            (3, 5),
        ),
        (
            (5, 3),
            "window_dimensions = array<i64: 5, 1>, padding = dense<[[0, 4], [0, 0]]> : "
            "tensor<2x2xi64>",
            (5, 3),
        ),
        ((2, 2), "window_dimensions = array<i64: 3, 1>", (0, 2)),
    ],
)
@pytest.mark.parametrize("dtype", [np.int32, np.float32, ml_dtypes.bfloat16])
def test_reduce_window(
    op: str,
    init: int,
    shape: Any,
    attributes: str,
    target: Any,
    dtype: Any,
    same: Any,
    helpers: Any,
) -> None:
    a = np.random.default_rng(1).integers(-2, 3, shape).astype(dtype)
    start = np.asarray(np.array(init).astype(dtype))
    result = helpers.type(np.zeros(target, dtype))
    text = window_text(op, helpers.type(a), attributes, result, helpers.type(start))
    same(text, [a, start], [result])


@pytest.mark.parametrize("padding", [((0, 0), (0, 0)), ((1, 1), (0, 1))])
def test_select_and_scatter(padding: Any, same: Any, helpers: Any) -> None:
    a = np.random.default_rng(1).integers(-2, 3, (4, 6)).astype(np.float32)
    counts = tuple((n + sum(p) - 2) // 2 + 1 for n, p in zip(a.shape, padding))
    source = np.arange(np.prod(counts), dtype=np.float32).reshape(counts) + 1
    rows = ", ".join(str(list(p)) for p in padding)
    text = f"""
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{{
    window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>,
    padding = dense<[{rows}]> : tensor<2x2xi64>}}> ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }}, {{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : (tensor<4x6xf32>, {helpers.type(source)}, tensor<f32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>"""
    same(text, [a, source, np.float32(0)], ["tensor<4x6xf32>"])


def test_map(same: Any) -> None:
    text = """
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %lt = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = stablehlo.select %lt, %x, %y : tensor<i1>, tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>"""
    a, b = np.array([1, 2, 3, 4], np.float32), np.array([4, 3, 2, 1], np.float32)
    same(text, [a, b], ["tensor<4xf32>"])
