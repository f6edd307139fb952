"""Conversions between element types and reinterpretation of bits."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

DTYPES = [
    np.bool_,
    ml_dtypes.int4,
    np.int8,
    np.int32,
    np.int64,
    ml_dtypes.uint4,
    np.uint8,
    np.uint32,
    np.uint64,
    np.float16,
    ml_dtypes.bfloat16,
    np.float32,
    np.float64,
]
NUMBERS = [0.0, -0.0, 0.9, -0.9, 1.0, -1.5, 2.5, 7.0, 300.7, -300.7, 1e10, -1e10, 1e20, -1e20]
NAMES = [np.dtype(dtype).name for dtype in DTYPES]


def body(source: str, target: str, op: str = "convert") -> str:
    return f"  %r = stablehlo.{op} %a : ({source}) -> {target}\n  return %r : {target}"


def values_of(dtype: Any, helpers: Any) -> np.ndarray:
    if np.dtype(dtype) in (np.dtype(ml_dtypes.int4), np.dtype(ml_dtypes.uint4)):
        info = ml_dtypes.iinfo(dtype)
        return np.arange(info.min, info.max + 1).astype(dtype)
    if np.dtype(dtype).kind in "fV":
        with np.errstate(over="ignore"):
            return np.array([*NUMBERS, np.inf, -np.inf, np.nan]).astype(dtype)
    return helpers.special(dtype)


@pytest.mark.parametrize("target", DTYPES, ids=NAMES)
@pytest.mark.parametrize("source", DTYPES, ids=NAMES)
def test_convert(source: Any, target: Any, same: Any, helpers: Any) -> None:
    a = values_of(source, helpers)
    result = helpers.type(np.zeros(a.shape, target))
    same(body(helpers.type(a), result), [a], [result])


def test_float_to_int_saturates(run: Any) -> None:
    a = np.array([np.nan, 300, -300, 127.9, -128.9, np.inf, -np.inf], np.float32)
    [got] = run(body("tensor<7xf32>", "tensor<7xi8>"), [a], ["tensor<7xi8>"])
    assert got.tolist() == [0, 127, -128, 127, -128, 127, -128]
    [got] = run(body("tensor<7xf32>", "tensor<7xui8>"), [a], ["tensor<7xui8>"])
    assert got.tolist() == [0, 255, 0, 127, 0, 255, 0]


def test_int_to_int_wraps(run: Any) -> None:
    a = np.array([300, -1, 2**31 - 1], np.int32)
    [got] = run(body("tensor<3xi32>", "tensor<3xui8>"), [a], ["tensor<3xui8>"])
    assert got.tolist() == [44, 255, 255]


def test_nan_is_true(run: Any) -> None:
    a = np.array([np.nan, 0.0, -0.0, 0.25], np.float64)
    [got] = run(body("tensor<4xf64>", "tensor<4xi1>"), [a], ["tensor<4xi1>"])
    assert got.tolist() == [True, False, False, True]


def test_complex_to_real_takes_the_real_part(run: Any) -> None:
    a = np.array([1.5 + 2j, -3j], np.complex64)
    [got] = run(body("tensor<2xcomplex<f32>>", "tensor<2xi32>"), [a], ["tensor<2xi32>"])
    assert got.tolist() == [1, 0]
    [got] = run(body("tensor<2xi32>", "tensor<2xcomplex<f64>>"), [got], ["tensor<2xcomplex<f64>>"])
    assert got.dtype == np.complex128


def test_complex_to_bool_takes_the_real_part(run: Any) -> None:
    a = np.array([-1.0, 1j, 1.0], np.complex64)
    [got] = run(body("tensor<3xcomplex<f32>>", "tensor<3xi1>"), [a], ["tensor<3xi1>"])
    assert got.tolist() == [True, False, True]


@pytest.mark.parametrize(
    "shape, source, target_shape, target",
    [
        ((3,), np.float32, (3,), np.int32),
        ((), np.uint32, (), np.float32),
        ((3,), np.uint64, (3, 2), np.uint32),
        ((3, 2), np.uint32, (3,), np.uint64),
        ((2, 3, 4), np.uint8, (2, 3), np.float32),
        ((2,), np.float64, (2, 8), np.int8),
        ((2,), np.uint64, (2, 4), np.float16),
        ((), np.uint32, (2,), np.uint16),
        ((2,), np.uint16, (), np.uint32),
        ((0, 2), np.uint32, (0,), np.uint64),
    ],
)
def test_bitcast(
    shape: Any, source: Any, target_shape: Any, target: Any, same: Any, helpers: Any
) -> None:
    size = int(np.prod(shape)) * np.dtype(source).itemsize
    raw = np.random.default_rng(3).integers(1, 60, size).astype(np.uint8)
    a = raw.view(source).reshape(shape) if size else np.zeros(shape, source)
    result = helpers.type(np.zeros(target_shape, target))
    same(body(helpers.type(a), result, "bitcast_convert"), [a], [result])


def test_bitcast_of_four_bits(same: Any, helpers: Any) -> None:
    a = np.arange(6, dtype=np.uint8) * 41
    same(body("tensor<6xui8>", "tensor<6x2xui4>", "bitcast_convert"), [a], ["tensor<6x2xui4>"])
    same(
        body("tensor<ui16>", "tensor<4xui4>", "bitcast_convert"),
        [np.uint16(0x1234)],
        ["tensor<4xui4>"],
    )
    b = np.arange(-8, 8).reshape(8, 2).astype(ml_dtypes.int4)
    same(body("tensor<8x2xi4>", "tensor<8xi8>", "bitcast_convert"), [b], ["tensor<8xi8>"])


def test_bitcast_to_and_from_bits(run: Any) -> None:
    a = np.array([0x8001, 0x0F30], np.uint16)
    text = body("tensor<2xui16>", "tensor<2x16xi1>", "bitcast_convert")
    [bits] = run(text, [a], ["tensor<2x16xi1>"])
    assert np.flatnonzero(bits[0]).tolist() == [0, 15]
    assert np.flatnonzero(bits[1]).tolist() == [4, 5, 8, 9, 10, 11]
    text = body("tensor<2x16xi1>", "tensor<2xui16>", "bitcast_convert")
    [back] = run(text, [bits], ["tensor<2xui16>"])
    assert back.tolist() == a.tolist()
    text = body("tensor<f64>", "tensor<64xi1>", "bitcast_convert")
    [bits] = run(text, [np.float64(-0.0)], ["tensor<64xi1>"])
    assert np.flatnonzero(bits).tolist() == [63]
