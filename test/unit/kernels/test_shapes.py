"""Constants, changes of shape, and slices."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from anabranch.dialects.diagnostics import ProgramError

DTYPES = [np.bool_, np.int32, ml_dtypes.bfloat16, np.float32, np.complex64]


def some(shape: tuple[int, ...], dtype: Any = np.float32) -> np.ndarray:
    return (np.arange(np.prod(shape, dtype=int)) % 127).reshape(shape).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize(
    "source, dims, target",
    [
        ((), [], ()),
        ((), [], (2, 3)),
        ((), [], (0, 3)),
        ((3,), [1], (2, 3)),
        ((2,), [0], (2, 3)),
        ((3,), [0], (3, 1)),
        ((1, 3), [0, 1], (2, 3)),
        ((2, 1), [0, 2], (2, 4, 3)),
        ((2, 3), [2, 0], (3, 4, 2)),
        ((2, 3), [1, 0], (3, 2)),
        ((2, 0), [0, 1], (2, 0)),
        ((3,), [1], (500, 3)),
        ((1,), [0], (100_000,)),
    ],
)
def test_broadcast_in_dim(
    source: Any, dims: Any, target: Any, dtype: Any, same: Any, helpers: Any
) -> None:
    a = some(source, dtype)
    result = helpers.type(np.zeros(target, dtype))
    body = (
        f"  %r = stablehlo.broadcast_in_dim %a, dims = {dims} : ({helpers.type(a)}) -> {result}\n"
        f"  return %r : {result}"
    )
    same(body, [a], [result])


def test_broadcast_of_a_constant(run: Any) -> None:
    body = """
  %c = stablehlo.constant dense<2.5> : tensor<f32>
  %r = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %s = stablehlo.add %r, %a : tensor<3xf32>
  return %r, %s : tensor<3xf32>, tensor<3xf32>"""
    a = np.ones(3, np.float32)
    constant, total = run(body, [a], ["tensor<3xf32>", "tensor<3xf32>"])
    np.testing.assert_array_equal(constant, np.full(3, 2.5, np.float32))
    np.testing.assert_array_equal(total, np.full(3, 3.5, np.float32))
    assert constant.flags.writeable  # the caller's own, not the kernel's


@pytest.mark.parametrize(
    "op, source, attributes, target",
    [
        ("reshape", (2, 6), "", (3, 4)),
        ("reshape", (1, 1), "", ()),
        ("reshape", (0, 3), "", (3, 0)),
        ("transpose", (2, 3, 4), ", dims = [2, 0, 1]", (4, 2, 3)),
        ("transpose", (2, 0), ", dims = [1, 0]", (0, 2)),
        ("transpose", (), ", dims = []", ()),
        ("reverse", (2, 3), ", dims = [1]", (2, 3)),
        ("reverse", (2, 3), ", dims = [0, 1]", (2, 3)),
        ("slice", (5, 6), " [1:4, 0:6:2]", (3, 3)),
        ("slice", (5,), " [2:2]", (0,)),
        ("slice", (5,), " [0:5]", (5,)),
    ],
)
def test_rearranging(
    op: str, source: Any, attributes: str, target: Any, same: Any, helpers: Any
) -> None:
    a = some(source)
    result = helpers.type(np.zeros(target, np.float32))
    same_type = op == "reverse"
    signature = result if same_type else f"({helpers.type(a)}) -> {result}"
    body = f"  %r = stablehlo.{op} %a{attributes} : {signature}\n  return %r : {result}"
    same(body, [a], [result])


def test_concatenate(same: Any, helpers: Any) -> None:
    parts = [some((2, 3)), some((2, 0)), some((2, 2))]
    types = ", ".join(helpers.type(part) for part in parts)
    body = (
        f"  %r = stablehlo.concatenate %a, %b, %c, dim = 1 : ({types}) -> tensor<2x5xf32>\n"
        "  return %r : tensor<2x5xf32>"
    )
    same(body, parts, ["tensor<2x5xf32>"])


@pytest.mark.parametrize(
    "low, high, interior, target",
    [
        ([1, 2], [0, 1], [0, 0], (4, 7)),
        ([0, 0], [0, 0], [1, 2], (5, 10)),
        ([-1, 0], [0, -2], [0, 0], (2, 2)),
        ([-2, 1], [3, -3], [2, 1], (8, 5)),
        ([-4, 0], [5, 0], [0, 0], (4, 4)),
        ([0, -3], [0, -1], [0, 1], (3, 3)),
        ([2, 0], [-5, 0], [0, 0], (0, 4)),
    ],
)
def test_pad(low: Any, high: Any, interior: Any, target: Any, same: Any, helpers: Any) -> None:
    a, value = some((3, 4)), np.float32(-1)
    result = helpers.type(np.zeros(target, np.float32))
    body = (
        f"  %r = stablehlo.pad %a, %b, low = {low}, high = {high}, interior = {interior} : "
        f"(tensor<3x4xf32>, tensor<f32>) -> {result}\n  return %r : {result}"
    )
    same(body, [a, value], [result])


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.float16, np.float32, np.complex64])
def test_iota(dtype: Any, same: Any, helpers: Any) -> None:
    result = helpers.type(np.zeros((3, 4), dtype))
    same(f"  %r = stablehlo.iota dim = 1 : {result}\n  return %r : {result}", [], [result])


def test_iota_wraps(run: Any) -> None:
    [got] = run(
        "  %r = stablehlo.iota dim = 0 : tensor<200xi8>\n  return %r : tensor<200xi8>",
        [],
        ["tensor<200xi8>"],
    )
    assert got[127:129].tolist() == [127, -128]


STARTS = [-1000, -1, 0, 1, 2, 3, 1000]


@pytest.mark.parametrize("index", [np.int32, np.int64, np.uint32, np.int8])
@pytest.mark.parametrize(
    "shape, sizes",
    [
        ((4,), (2,)),
        ((4, 3), (1, 3)),
        ((3, 4), (3, 1)),
        ((4, 5), (2, 3)),
        ((4, 3), (4, 3)),
        ((4,), (0,)),
    ],
)
def test_dynamic_slice_clamps(shape: Any, sizes: Any, index: Any, same: Any, helpers: Any) -> None:
    a = some(shape)
    result = helpers.type(np.zeros(sizes, np.float32))
    info = np.iinfo(index)
    scalar = helpers.type(index(0))
    for start in STARTS:
        starts = [index(min(max(start, info.min), info.max))] * len(shape)
        names = ", ".join(f"%{chr(98 + k)}" for k in range(len(shape)))
        types = ", ".join([helpers.type(a), *[scalar] * len(shape)])
        body = (
            f"  %r = stablehlo.dynamic_slice %a, {names}, sizes = {list(sizes)} : ({types}) -> "
            f"{result}\n  return %r : {result}"
        )
        same(body, [a, *starts], [result])


@pytest.mark.parametrize(
    "shape, sizes",
    [
        ((4,), (1,)),
        ((4,), (2,)),
        ((4, 3), (1, 3)),
        ((4, 5), (2, 3)),
        ((4, 3), (4, 3)),
        ((4,), (0,)),
    ],
)
def test_dynamic_update_slice_clamps(shape: Any, sizes: Any, same: Any, helpers: Any) -> None:
    a, update = some(shape), -some(sizes) - 1
    result = helpers.type(a)
    for start in STARTS:
        starts = [np.int32(start)] * len(shape)
        names = ", ".join(f"%{chr(99 + k)}" for k in range(len(shape)))
        types = ", ".join([result, helpers.type(update), *["tensor<i32>"] * len(shape)])
        body = (
            f"  %r = stablehlo.dynamic_update_slice %a, %b, {names} : ({types}) -> {result}\n"
            f"  return %r : {result}"
        )
        before = a.copy()
        same(body, [a, update, *starts], [result])
        np.testing.assert_array_equal(a, before)


def test_dynamic_shapes(run: Any) -> None:
    body = """
  %i = stablehlo.dynamic_iota %b, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
  %r = stablehlo.dynamic_reshape %a, %b : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %n = stablehlo.get_dimension_size %r, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  return %i, %r, %n : tensor<?x?xi32>, tensor<?x?xf32>, tensor<i32>"""
    a, shape = some((6,)), np.array([2, 3], np.int32)
    iota, reshaped, size = run(
        body, [a, shape], ["tensor<?x?xi32>", "tensor<?x?xf32>", "tensor<i32>"]
    )
    assert iota.tolist() == [[0, 0, 0], [1, 1, 1]]
    assert reshaped.shape == (2, 3)
    assert size == 3


def test_constants_are_read_in_one_go(run: Any) -> None:
    body = """
  %0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %2 = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xbf16>
  %3 = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f32>>
  %4 = stablehlo.constant dense<7> : tensor<2x0xi32>
  %5 = stablehlo.constant dense<-3> : tensor<2xi4>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi1>, tensor<f32>, tensor<2xbf16>, tensor<complex<f32>>,
      tensor<2x0xi32>, tensor<2xi4>"""
    types = ["tensor<2xi1>", "tensor<f32>", "tensor<2xbf16>", "tensor<complex<f32>>"]
    got = run(body, [], [*types, "tensor<2x0xi32>", "tensor<2xi4>"])
    assert got[0].tolist() == [True, False]
    assert got[1] == -np.inf
    assert got[2].dtype == ml_dtypes.bfloat16
    assert got[3] == 1 - 2j
    assert got[4].shape == (2, 0)
    assert got[5].astype(int).tolist() == [-3, -3]


def test_an_op_without_a_kernel_is_named(run: Any) -> None:
    body = """
  %t = stablehlo.create_token : !stablehlo.token
  %r:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return %r#0 : tensor<3xf32>"""
    with pytest.raises(ProgramError, match=r"operation 'stablehlo\.infeed' has no kernel"):
        run(body, [], ["tensor<3xf32>"])
