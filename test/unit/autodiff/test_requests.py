"""Requests for derivatives: what becomes of them, and what they keep."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import CallOp, FuncOp

import anabranch as ab
from anabranch.dialects.diagnostics import position_of
from anabranch.frontends.mlir_text import verify_module
from anabranch.passes._symbols import functions_of
from anabranch.passes.autodiff.requests import expand_requests

FUNCTIONS = """\
func.func private @f(%x: tensor<f64>, %n: tensor<i32>, %y: tensor<f64>) -> (tensor<i32>, tensor<f64>, tensor<f64>) {
  %a = stablehlo.sine %x : tensor<f64>
  %b = stablehlo.multiply %a, %y : tensor<f64>
  %c = stablehlo.multiply %y, %y : tensor<f64>
  return %n, %b, %c : tensor<i32>, tensor<f64>, tensor<f64>
}
"""
SIGNATURE = "(tensor<f64>, tensor<i32>, tensor<f64>)"


def expanded(text: str) -> Any:
    """The module with its requests expanded."""
    module = ab.parse(text)
    expand_requests(module)
    verify_module(module)
    return module


def main(body: str, results: int) -> str:
    types = ", ".join(["tensor<f64>"] * results)
    return (
        f"{FUNCTIONS}func.func @main(%x: tensor<f64>, %n: tensor<i32>, %y: tensor<f64>)"
        f" -> ({types}) {{\n{body}\n}}"
    )


X, N, Y = np.float64(0.5), np.int32(3), np.float64(2.0)


def test_defaults_are_all_floats_and_the_first_float_result():
    text = main(
        f"%g:2 = dcf.gradient @f(%x, %n, %y) : {SIGNATURE} -> (tensor<f64>, tensor<f64>)\n"
        "return %g#0, %g#1 : tensor<f64>, tensor<f64>",
        2,
    )
    np.testing.assert_allclose(ab.compile(ab.parse(text))(X, N, Y), [2 * np.cos(X), np.sin(X)])


def test_of_and_wrt_choose():
    text = main(
        f"%g = dcf.gradient @f(%x, %n, %y) wrt [2] of 2 : {SIGNATURE} -> tensor<f64>\n"
        f"%h:2 = dcf.gradient @f(%x, %n, %y) wrt [2, 0] : {SIGNATURE} -> (tensor<f64>, tensor<f64>)\n"
        "return %g, %h#0, %h#1 : tensor<f64>, tensor<f64>, tensor<f64>",
        3,
    )
    expected = [2 * Y, np.sin(X), 2 * np.cos(X)]
    np.testing.assert_allclose(ab.compile(ab.parse(text))(X, N, Y), expected)
    names = list(functions_of(expanded(text)))
    assert names == ["f", "f.grad.wrt_2_0", "f.grad.wrt_2.of_2", "main"]


def test_vjp_and_jvp_are_transposes():
    arguments = "tensor<f64>, tensor<i32>, tensor<f64>, tensor<f64>, tensor<f64>"
    types = "(tensor<i32>, tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>)"
    text = main(
        f"%v:5 = dcf.vjp @f(%x, %n, %y) cotangents(%x, %y) : ({arguments}) -> {types}\n"
        f"%j:5 = dcf.jvp @f(%x, %n, %y) tangents(%y, %x) : ({arguments}) -> {types}\n"
        "return %v#1, %j#2, %v#3, %v#4, %j#3, %j#4 :"
        " tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>",
        6,
    )
    b, c, dx, dy, db, dc = ab.compile(ab.parse(text))(X, N, Y)
    np.testing.assert_allclose([b, c], [np.sin(X) * Y, Y * Y])
    np.testing.assert_allclose(dx * Y + dy * X, db * X + dc * Y)


def test_a_name_that_is_taken():
    text = FUNCTIONS.replace("@f(", "@f.grad(") + main(
        f"%g:2 = dcf.gradient @f(%x, %n, %y) : {SIGNATURE} -> (tensor<f64>, tensor<f64>)\n"
        "return %g#0 : tensor<f64>",
        1,
    )
    assert list(functions_of(expanded(text))) == ["f.grad", "f", "f.grad_1", "main"]


def test_the_primal_stays_and_calls_keep_place_and_attributes():
    text = main(
        f'%g:2 = dcf.gradient @f(%x, %n, %y) {{device = "cpu:1"}} : {SIGNATURE} -> (tensor<f64>,'
        " tensor<f64>)\nreturn %g#0 : tensor<f64>",
        1,
    )
    before = ab.parse(text)
    module = expanded(text)
    one, other = functions_of(before)["f"], functions_of(module)["f"]
    assert str(one) == str(other)
    call = next(op for op in module.walk() if isinstance(op, CallOp))
    assert call.attributes["device"] == StringAttr("cpu:1")
    position = position_of(call.location)
    assert position is not None and position[1] == 8


def test_ops_keep_origin_and_place():
    text = FUNCTIONS.replace(
        "stablehlo.sine %x :", 'stablehlo.sine %x {origin = "the sine"} :'
    ) + main(
        f"%g:2 = dcf.gradient @f(%x, %n, %y) : {SIGNATURE} -> (tensor<f64>, tensor<f64>)\n"
        "return %g#0 : tensor<f64>",
        1,
    ).removeprefix(FUNCTIONS)
    function = functions_of(expanded(text))["f.grad"]
    marked = [op for op in function.walk() if op.attributes.get("origin") == StringAttr("the sine")]
    assert [op.name for op in marked] == [
        "stablehlo.sine",
        "stablehlo.cosine",
        "stablehlo.multiply",
    ]
    lines = {position[1] for op in marked if (position := position_of(op.location)) is not None}
    assert lines == {2}


def test_calls_in_the_function_are_inlined_and_left_in_the_primal():
    text = """
    func.func private @square(%x: tensor<f64>) -> tensor<f64> {
      %y = stablehlo.multiply %x, %x : tensor<f64>
      return %y : tensor<f64>
    }
    func.func private @fourth(%x: tensor<f64>) -> tensor<f64> {
      %y = func.call @square(%x) : (tensor<f64>) -> tensor<f64>
      %z = func.call @square(%y) : (tensor<f64>) -> tensor<f64>
      return %z : tensor<f64>
    }
    func.func @main(%x: tensor<f64>) -> tensor<f64> {
      %g = dcf.gradient @fourth(%x) : (tensor<f64>) -> tensor<f64>
      return %g : tensor<f64>
    }
    """
    functions = functions_of(expanded(text))

    def calls(function: FuncOp) -> int:
        return sum(isinstance(op, CallOp) for op in function.walk())

    assert calls(functions["fourth"]) == 2 and calls(functions["fourth.grad"]) == 0
    np.testing.assert_allclose(ab.compile(ab.parse(text))(Y), [4 * Y**3])


def test_a_rule_of_a_function_of_the_module():
    text = """
    func.func private @f(%x: tensor<f64>) -> tensor<f64> attributes {dcf.custom_vjp = @rule} {
      return %x : tensor<f64>
    }
    func.func private @rule(%x: tensor<f64>, %ct: tensor<f64>) -> RESULT {
      %y = stablehlo.multiply %x, %ct : tensor<f64>
      return %y : RESULT
    }
    func.func private @g(%x: tensor<f64>) -> tensor<f64> {
      %y = func.call @f(%x) : (tensor<f64>) -> tensor<f64>
      return %y : tensor<f64>
    }
    func.func @main(%x: tensor<f64>) -> tensor<f64> {
      %g = dcf.gradient @g(%x) : (tensor<f64>) -> tensor<f64>
      return %g : tensor<f64>
    }
    """
    module = ab.parse(text.replace("RESULT", "tensor<f64>"))
    for engine in ("local", "reference"):
        assert ab.compile(module, engine=engine)(Y) == [Y]
    wrong = text.replace("%ct: tensor<f64>", "%ct: tensor<f64>, %more: tensor<f64>")
    with pytest.raises(ab.ProgramError, match=r"expected the rule @rule to have the type \(tens"):
        ab.compile(ab.parse(wrong.replace("RESULT", "tensor<f64>")))
    with pytest.raises(
        ab.ProgramError, match="expected a function of the module as dcf.custom_vjp"
    ):
        ab.compile(ab.parse(text.replace("= @rule", "= @no").replace("RESULT", "tensor<f64>")))
