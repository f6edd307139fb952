"""Optimized scans give the same within tolerance, and leave the products that they should."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import anabranch as ab
from anabranch.dialects.dcf import ScanOp
from anabranch.frontends.mlir_text import make_context, verify_module
from anabranch.passes import get_pass
from anabranch.runtime.reference import evaluate

RNN = """
func.func @main(%h: tensor<4x3xf64>, %w: tensor<2x3xf64>, %u: tensor<3x3xf64>, %b: tensor<3xf64>,
    %xs: tensor<5x4x2xf64>) -> tensor<f64> {{
  %r:2 = dcf.scan (%a = %h : tensor<4x3xf64>) ins(%x = %xs : tensor<5x4x2xf64>) {length}
      -> (tensor<4x3xf64>, tensor<{rows}x4x3xf64>) do {{
    %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<4x2xf64>, tensor<2x3xf64>) -> tensor<4x3xf64>
    %q = stablehlo.dot_general %a, %u, contracting_dims = [1] x [0]
        : (tensor<4x3xf64>, tensor<3x3xf64>) -> tensor<4x3xf64>
    %c = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf64>) -> tensor<4x3xf64>
    %s = stablehlo.add %p, %q : tensor<4x3xf64>
    %t = stablehlo.add %s, %c : tensor<4x3xf64>
    %y = stablehlo.tanh %t : tensor<4x3xf64>
    dcf.yield %y, %y : tensor<4x3xf64>, tensor<4x3xf64>
  }} {attributes}
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %z = stablehlo.multiply %r#1, %r#1 : tensor<{rows}x4x3xf64>
  %l = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<{rows}x4x3xf64>, tensor<f64>) -> tensor<f64>
  func.return %l : tensor<f64>
}}"""


def arguments(text: str) -> list[Any]:
    rng = np.random.default_rng(5)
    function: Any = ab.parse(text).body.block.first_op
    shapes: list[tuple[int, ...]] = [t.get_shape() for t in function.function_type.inputs]
    return [rng.normal(size=shape) * 0.6 for shape in shapes]


def optimized(text: str, *, gradient: bool) -> tuple[Any, Any]:
    module = ab.parse(text)
    if gradient:
        get_pass("dcf-gradient")().apply(make_context(), module)
    plain = module.clone()
    for name in ("optimize-scan", "remove-dead-code"):
        get_pass(name)().apply(make_context(), module)
        verify_module(module)
    return plain, module


def assert_close(plain: Any, module: Any, values: list[Any], function: str) -> None:
    want = evaluate(plain, values, function)
    for got in (
        evaluate(module, values, function),
        ab.compile(module.clone(), function=function)(*values),
    ):
        for one, other in zip(got, want, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("attributes", ["", "{reverse}"])
@pytest.mark.parametrize(("length", "rows"), [("", 5), ("length 3", 3)])
@pytest.mark.parametrize("gradient", [False, True])
def test_a_recurrent_network(attributes: str, length: str, rows: int, gradient: bool):
    text = RNN.format(attributes=attributes, length=length, rows=rows)
    plain, module = optimized(text, gradient=gradient)
    assert_close(plain, module, arguments(text), "main.grad" if gradient else "main")


def test_only_the_products_of_the_recurrence_are_left_in_the_trips():
    _, module = optimized(RNN.format(attributes="", length="", rows=5), gradient=True)
    scans = [op for op in module.walk() if isinstance(op, ScanOp)]
    assert len(scans) == 3  # the function's own, the forward one, the backward one
    for scan in scans:
        names = [op.name for op in scan.body.block.ops]
        assert names.count("stablehlo.dot_general") == 1
        assert "stablehlo.broadcast_in_dim" not in names
        assert "stablehlo.reduce" not in names
    assert [str(type) for type in scans[2].result_types] == ["tensor<4x3xf64>", "tensor<5x4x3xf64>"]


def test_products_with_the_row_on_the_right_and_batching_dimensions():
    text = """
func.func @main(%w: tensor<3x4xf64>, %v: tensor<3x2xf64>, %xs: tensor<5x4x2xf64>,
    %ys: tensor<5x3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2x2xf64>) {
  %zero = stablehlo.constant dense<0.0> : tensor<3x2x2xf64>
  %r:2 = dcf.scan (%a = %v, %b = %zero : tensor<3x2xf64>, tensor<3x2x2xf64>)
      ins(%x = %xs, %y = %ys : tensor<5x4x2xf64>, tensor<5x3x2xf64>)
      -> (tensor<3x2xf64>, tensor<3x2x2xf64>) do {
    %p = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0]
        : (tensor<3x4xf64>, tensor<4x2xf64>) -> tensor<3x2xf64>
    %t = stablehlo.multiply %a, %p : tensor<3x2xf64>
    %s = stablehlo.sine %t : tensor<3x2xf64>
    %q = stablehlo.dot_general %s, %y, batching_dims = [0] x [0], contracting_dims = [] x []
        : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2x2xf64>
    %c = stablehlo.add %q, %b : tensor<3x2x2xf64>
    dcf.yield %s, %c : tensor<3x2xf64>, tensor<3x2x2xf64>
  }
  func.return %r#0, %r#1 : tensor<3x2xf64>, tensor<3x2x2xf64>
}"""
    plain, module = optimized(text, gradient=False)
    assert_close(plain, module, arguments(text), "main")
    scan = next(op for op in module.walk() if isinstance(op, ScanOp))
    assert not any(op.name == "stablehlo.dot_general" for op in scan.body.block.ops)


def test_elementwise_ops_choose_and_compare_for_all_rows():
    text = """
func.func @main(%w: tensor<2x3xf64>, %k: tensor<f64>, %xs: tensor<5x2xf64>) -> tensor<5x3xf64> {
  %ys = dcf.scan () ins(%x = %xs : tensor<5x2xf64>) -> tensor<5x3xf64> do {
    %first = stablehlo.slice %x [0:1] : (tensor<2xf64>) -> tensor<1xf64>
    %one = stablehlo.reshape %first : (tensor<1xf64>) -> tensor<f64>
    %p = stablehlo.compare LT, %one, %k, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %b = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %s = stablehlo.select %p, %x, %b : tensor<i1>, tensor<2xf64>
    %c = stablehlo.clamp %k, %s, %one : (tensor<f64>, tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
    %t = stablehlo.transpose %c, dims = [0] : (tensor<2xf64>) -> tensor<2xf64>
    %q = stablehlo.dot_general %t, %w, contracting_dims = [0] x [0]
        : (tensor<2xf64>, tensor<2x3xf64>) -> tensor<3xf64>
    dcf.yield %q : tensor<3xf64>
  }
  func.return %ys : tensor<5x3xf64>
}"""
    plain, module = optimized(text, gradient=False)
    assert_close(plain, module, arguments(text), "main")
    assert not any(isinstance(op, ScanOp) for op in module.walk())
