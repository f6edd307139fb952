"""Custom calls other than those of linear algebra (`test_lapack.py` has these)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import anabranch as ab

ASSERTION = """
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %m = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %same = stablehlo.compare EQ, %m, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%same, %m, %n) {
    api_version = 2 : i32, error_message = "expected {1} rows, got {0} ({0} is not {1})",
    has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  %r = stablehlo.add %x, %y : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


@pytest.mark.parametrize("engine", ["reference", "local"])
def test_shape_assertion(engine: Any) -> None:
    exe = ab.compile(ab.parse(ASSERTION), engine=engine)
    one, three = np.ones(1, np.float32), np.ones(3, np.float32)
    (got,) = exe(three, three)
    assert got.tolist() == [2, 2, 2]
    with pytest.raises(ab.ProgramError, match=r"expected 3 rows, got 1 \(1 is not 3\)"):
        exe(one, three)


def test_an_unknown_target_is_named() -> None:
    text = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.custom_call @mystery(%x) : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
"""
    with pytest.raises(ab.ProgramError, match="custom call to 'mystery' is not supported"):
        ab.compile(ab.parse(text))
