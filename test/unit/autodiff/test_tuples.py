"""Tuples have no rules: members are used directly where a tuple is made, and the rest is an error."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.context import Context

import anabranch as ab
from anabranch.lowering.gradient_pipeline import GradientPipeline, with_gradient

PAIR = "tuple<tensor<f64>, tensor<f64>>"


def test_members_of_tuples_of_tuples():
    text = f"""
    func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {{
      %t = stablehlo.tuple %x, %y : {PAIR}
      %u = stablehlo.tuple %t, %x : tuple<{PAIR}, tensor<f64>>
      %v = stablehlo.get_tuple_element %u[0] : (tuple<{PAIR}, tensor<f64>>) -> {PAIR}
      %a = stablehlo.get_tuple_element %v[0] : ({PAIR}) -> tensor<f64>
      %b = stablehlo.get_tuple_element %v[1] : ({PAIR}) -> tensor<f64>
      %r = stablehlo.multiply %a, %b : tensor<f64>
      return %r : tensor<f64>
    }}"""
    module, name = with_gradient(ab.parse(text))
    results = ab.compile(module, function=name)(np.float64(3), np.float64(5))
    assert [float(value) for value in results] == [15, 5, 3]


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_a_tuple_that_a_branch_gives_is_an_error_not_zero(mode: str):
    text = f"""
    func.func @main(%p: tensor<i1>, %x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {{
      %v = dcf.cond %p : tensor<i1> -> {PAIR} then {{
        %t = stablehlo.tuple %x, %y : {PAIR}
        dcf.yield %t : {PAIR}
      }} else {{
        %t = stablehlo.tuple %y, %x : {PAIR}
        dcf.yield %t : {PAIR}
      }}
      %a = stablehlo.get_tuple_element %v[0] : ({PAIR}) -> tensor<f64>
      return %a : tensor<f64>
    }}"""
    with pytest.raises(ab.ProgramError, match=r"tuple.*use its members.*path argument 1"):
        GradientPipeline(mode=mode).apply(Context(), ab.parse(text))
