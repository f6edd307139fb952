"""`sort` and `chlo.top_k`."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

# What jax.lax.sort writes for a float key: zeros are made positive and NaN canonical, then
# compared.
JAX_LESS = """
    %z = stablehlo.constant dense<0.0> : tensor<{t}>
    %n = stablehlo.constant dense<{nan}> : tensor<{t}>
    %xz = stablehlo.compare EQ, %x, %z, FLOAT : (tensor<{t}>, tensor<{t}>) -> tensor<i1>
    %x1 = stablehlo.select %xz, %z, %x : tensor<i1>, tensor<{t}>
    %xn = stablehlo.compare NE, %x, %x, FLOAT : (tensor<{t}>, tensor<{t}>) -> tensor<i1>
    %x2 = stablehlo.select %xn, %n, %x1 : tensor<i1>, tensor<{t}>
    %yz = stablehlo.compare EQ, %y, %z, FLOAT : (tensor<{t}>, tensor<{t}>) -> tensor<i1>
    %y1 = stablehlo.select %yz, %z, %y : tensor<i1>, tensor<{t}>
    %yn = stablehlo.compare NE, %y, %y, FLOAT : (tensor<{t}>, tensor<{t}>) -> tensor<i1>
    %y2 = stablehlo.select %yn, %n, %y1 : tensor<i1>, tensor<{t}>
    %lt = stablehlo.compare LT, %x2, %y2, TOTALORDER : (tensor<{t}>, tensor<{t}>) -> tensor<i1>"""


def sort_one(type: str, element: str, comparator: str, dimension: int = 0) -> str:
    return f"""
  %r = "stablehlo.sort"(%a) <{{dimension = {dimension} : i64, is_stable = true}}> ({{
  ^bb0(%x: tensor<{element}>, %y: tensor<{element}>):
    {comparator}
    stablehlo.return %lt : tensor<i1>
  }}) : ({type}) -> {type}
  return %r : {type}"""


def sort_pair(key: str, comparator: str, shape: str) -> str:
    return f"""
  %r:2 = "stablehlo.sort"(%a, %b) <{{dimension = 1 : i64, is_stable = true}}> ({{
  ^bb0(%x: tensor<{key}>, %y: tensor<{key}>, %i: tensor<i32>, %j: tensor<i32>):
    {comparator}
    stablehlo.return %lt : tensor<i1>
  }}) : (tensor<{shape}x{key}>, tensor<{shape}xi32>) -> (tensor<{shape}x{key}>, tensor<{shape}xi32>)
  return %r#0, %r#1 : tensor<{shape}x{key}>, tensor<{shape}xi32>"""


def compare(direction: str, element: str, kind: str, left: str = "%x", right: str = "%y") -> str:
    types = f"(tensor<{element}>, tensor<{element}>) -> tensor<i1>"
    return f"%lt = stablehlo.compare {direction}, {left}, {right}, {kind} : {types}"


@pytest.mark.parametrize("dimension", [0, 1])
@pytest.mark.parametrize("direction", ["LT", "GT"])
@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.int64, np.bool_])
def test_sort_integers(direction: str, dimension: int, dtype: Any, same: Any, helpers: Any) -> None:
    a = np.random.default_rng(0).integers(0, 2 if dtype == np.bool_ else 99, (7, 6)).astype(dtype)
    element = helpers.type(a[0, 0])[7:-1]
    kind = "SIGNED" if np.dtype(dtype).kind == "i" else "UNSIGNED"
    text = sort_one(helpers.type(a), element, compare(direction, element, kind), dimension)
    same(text, [a], [helpers.type(a)])


@pytest.mark.parametrize("kind", ["FLOAT", "TOTALORDER"])
@pytest.mark.parametrize("direction", ["LT", "GT"])
def test_sort_floats_is_stable(direction: str, kind: str, same: Any) -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(-3, 4, (3, 40)).astype(np.float32)
    a = np.where(a == 0, np.copysign(np.float32(0), rng.normal(size=a.shape)), a).astype(np.float32)
    b = np.tile(np.arange(40, dtype=np.int32), (3, 1))
    text = sort_pair("f32", compare(direction, "f32", kind), "3x40")
    same(text, [a, b], ["tensor<3x40xf32>", "tensor<3x40xi32>"])


@pytest.mark.parametrize("element, nan", [("f32", "0x7FC00000"), ("f64", "0x7FF8000000000000")])
def test_sort_as_jax_writes_it(element: str, nan: str, same: Any) -> None:
    dtype = np.float32 if element == "f32" else np.float64
    values = [1.0, np.nan, -0.0, 0.0, -np.inf, np.inf, -1.0, 0.0, -0.0, -np.nan]
    a = np.tile(np.array(values, dtype), (2, 1))
    a[1] = a[1][::-1]
    b = np.tile(np.arange(10, dtype=np.int32), (2, 1))
    text = sort_pair(element, JAX_LESS.format(t=element, nan=nan), "2x10")
    same(text, [a, b], [f"tensor<2x10x{element}>", "tensor<2x10xi32>"])


@pytest.mark.parametrize("form", ["or", "select"])
def test_sort_by_two_keys(form: str, same: Any) -> None:
    equal = compare("EQ", "f32", "TOTALORDER").replace("%lt", "%eq")
    first = compare("LT", "f32", "TOTALORDER").replace("%lt", "%l1")
    second = compare("GT", "i32", "SIGNED", "%i", "%j").replace("%lt", "%l2")
    join = {
        "or": "%both = stablehlo.and %eq, %l2 : tensor<i1>\n"
        "    %lt = stablehlo.or %l1, %both : tensor<i1>",
        "select": "%lt = stablehlo.select %eq, %l2, %l1 : tensor<i1>, tensor<i1>",
    }[form]
    rng = np.random.default_rng(3)
    a = rng.integers(0, 3, (2, 20)).astype(np.float32)
    b = rng.integers(0, 4, (2, 20)).astype(np.int32)
    text = sort_pair("f32", "\n    ".join([equal, first, second, join]), "2x20")
    same(text, [a, b], ["tensor<2x20xf32>", "tensor<2x20xi32>"])


def test_any_comparator(run: Any) -> None:
    """By the last decimal digit: no order of keys that is recognised."""
    comparator = """
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %p = stablehlo.remainder %x, %ten : tensor<i32>
    %q = stablehlo.remainder %y, %ten : tensor<i32>
    %d = stablehlo.subtract %p, %q : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %lt = stablehlo.compare LT, %d, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>"""
    a = np.array([19, 42, 8, 31, 1, 2], np.int32)
    [got] = run(sort_one("tensor<6xi32>", "i32", comparator), [a], ["tensor<6xi32>"])
    assert got.tolist() == [31, 1, 42, 2, 8, 19]


def test_sort_by_a_function_of_the_key(same: Any) -> None:
    comparator = """
    %p = stablehlo.abs %x : tensor<i32>
    %q = stablehlo.abs %y : tensor<i32>
    %lt = stablehlo.compare GT, %p, %q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>"""
    a = np.array([3, -4, 4, 0, -3, 1, -1], np.int32)
    same(sort_one("tensor<7xi32>", "i32", comparator), [a], ["tensor<7xi32>"])


@pytest.mark.parametrize("shape", ["0", "1"])
def test_sort_little(shape: str, run: Any) -> None:
    a = np.zeros(int(shape), np.int32)
    type = f"tensor<{shape}xi32>"
    [got] = run(sort_one(type, "i32", compare("LT", "i32", "SIGNED")), [a], [type])
    assert got.shape == a.shape


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.float32, ml_dtypes.bfloat16])
def test_top_k(dtype: Any, same: Any, helpers: Any) -> None:
    a = np.random.default_rng(0).integers(0, 5, (3, 12)).astype(dtype)
    if np.dtype(dtype).kind in "fV":
        a[1, :6] = [np.nan, -0.0, 0.0, np.inf, -np.inf, -np.nan]
    values = helpers.type(a[:, :4])
    text = (
        f"  %v, %i = chlo.top_k(%a, k = 4) : {helpers.type(a)} -> ({values}, tensor<3x4xi32>)\n"
        f"  return %v, %i : {values}, tensor<3x4xi32>"
    )
    same(text, [a], [values, "tensor<3x4xi32>"])
