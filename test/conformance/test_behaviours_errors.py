"""Behaviour 60: a body whose values differ from the carry is an error with the position and both
types.
"""

from __future__ import annotations

import re

import pytest

import anabranch as ab
from anabranch.frontends.mlir_text import verify_module

STRUCTURED = """\
func.func @main(%n: tensor<i32>, %x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %r:2 = dcf.while "walk" (%i = %n, %v = %x : tensor<i32>, tensor<4xf32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %w = stablehlo.slice %v [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    dcf.yield YIELD
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}
"""

SOURCE = """\
func.func @main(%n: tensor<i32>, %x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %r:2 = stablehlo.while(%i = %n, %v = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %w = stablehlo.slice %v [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return YIELD
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}
"""


@pytest.mark.parametrize("program", [STRUCTURED, SOURCE], ids=["dcf", "stablehlo"])
@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ("%i, %w : tensor<i32>, tensor<2xf32>", (r"\b1\b", "tensor<4xf32>", "tensor<2xf32>")),
        ("%v, %i : tensor<4xf32>, tensor<i32>", (r"\b0\b", "tensor<i32>", "tensor<4xf32>")),
        ("%i : tensor<i32>", (r"\b2\b", r"\b1\b")),
        ("%i, %v, %w : tensor<i32>, tensor<4xf32>, tensor<2xf32>", (r"\b2\b", r"\b3\b")),
    ],
    ids=["type", "swapped", "too few", "too many"],
)
def test_behaviour_60_a_body_that_differs_from_the_carry(
    program: str, values: str, shown: tuple[str, ...]
):
    with pytest.raises(Exception) as raised:
        verify_module(ab.parse(program.replace("YIELD", values)))
    message = str(raised.value)
    for pattern in shown:
        assert re.search(pattern, message), f"expected {pattern} in: {message}"
    assert "expected" in message and "got" in message
