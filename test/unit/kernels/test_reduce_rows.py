"""Reductions of leading dimensions, which combine rows in blocks."""

from __future__ import annotations

import numpy as np
import pytest

import anabranch as ab

TEXT = """
func.func @main(%x: tensor<{rows}x3x20x{type}>, %init: tensor<{type}>) -> tensor<20x{type}> {{
  %r = stablehlo.reduce(%x init: %init) applies stablehlo.{op} across dimensions = [0, 1]
    : (tensor<{rows}x3x20x{type}>, tensor<{type}>) -> tensor<20x{type}>
  func.return %r : tensor<20x{type}>
}}
"""


def reduced(op: str, type: str, x: np.ndarray, init: np.ndarray) -> np.ndarray:
    text = TEXT.format(rows=x.shape[0], type=type, op=op)
    (result,) = ab.compile(ab.parse(text))(x, init)
    return result


@pytest.mark.parametrize("rows", [0, 1, 21, 64, 65, 128, 1500])
def test_any_number_of_rows(rows: int):
    x = np.random.default_rng(rows).standard_normal((rows, 3, 20)).astype(np.float32)
    init = np.array(2, np.float32)
    exact = 2 + x.astype(np.float64).sum((0, 1))
    assert np.allclose(reduced("add", "f32", x, init), exact, atol=1e-4)
    largest = np.maximum(x.max((0, 1)) if rows else -np.inf, 2)
    assert np.all(reduced("maximum", "f32", x, init) == largest)


def test_a_long_sum_is_as_exact_as_along_a_row():
    x = np.full((20_000, 3, 20), 0.1, np.float32)
    result = reduced("add", "f32", x, np.array(0, np.float32))
    assert np.all(np.abs(result / (60_000 * float(np.float32(0.1))) - 1) < 1e-6)


def test_integers_wrap_in_their_own_type():
    x = np.full((100, 3, 20), 100, np.int8)
    result = reduced("add", "i8", x, np.array(1, np.int8))
    assert result.dtype == np.int8
    assert np.all(result == np.array(1 + 300 * 100).astype(np.int8))


def test_the_sign_of_zero_and_nan_survive():
    x = np.full((70, 3, 20), -0.0, np.float32)
    x[40, 1, 3] = 0.0
    x[69, 2, 4] = np.nan
    result = reduced("maximum", "f32", x, np.array(-0.0, np.float32))
    assert np.signbit(result[5])
    assert not np.signbit(result[3])
    assert np.isnan(result[4])


def test_the_layout_of_the_operand_does_not_change_bits():
    x = np.random.default_rng(0).standard_normal((70, 3, 20)).astype(np.float32)
    turned = np.asfortranarray(x)
    init = np.array(0, np.float32)
    assert np.array_equal(reduced("add", "f32", x, init), reduced("add", "f32", turned, init))
