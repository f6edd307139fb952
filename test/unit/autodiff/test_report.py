"""The residual report: every value that is kept, once, with its size and reason."""

from __future__ import annotations

from typing import Any

import pytest

from anabranch.passes._symbols import functions_of
from anabranch.passes.autodiff.functions import Options, add_gradient
from anabranch.passes.autodiff.policies import Policy
from anabranch.passes.autodiff.report import table
from anabranch.passes.dcf_gradient import DcfGradientPass

TEXT = """\
func.func @main(%x: tensor<2x3xf32>, %w: tensor<2x3xf32>, %n: tensor<i32>) -> tensor<2x3xf32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = dcf.while "steps" (%i = %z, %a = %x : tensor<i32>, tensor<2x3xf32>) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %b = stablehlo.multiply %a, %w : tensor<2x3xf32> loc("model.py":7:9)
    %c = stablehlo.multiply %b, %b : tensor<2x3xf32> loc("model.py":8:9)
    %d = stablehlo.add %c, %w : tensor<2x3xf32>
    dcf.yield %j, %d : tensor<i32>, tensor<2x3xf32>
  }
  return %r#1 : tensor<2x3xf32>
}
"""


def rows(tools: Any, text: str, policy: str = "save") -> list[list[str]]:
    """The report's lines, cut at double spaces."""
    module = tools.structured(text)
    options = Options(Policy.parse(policy))
    add_gradient(functions_of(module)["main"], options=options)
    lines = table(options.log).splitlines()
    return [[cell for cell in line.strip().split("  ") if cell] for line in lines]


def test_each_value_once_with_bytes_rule_and_line(tools: Any):
    title, header, *found = rows(tools, TEXT)
    assert title == ["residuals of @main.grad: 2 values"]
    assert header[:2] == ["value", "type"]
    cells = [[cell.strip() for cell in row] for row in found]
    where = "stablehlo.multiply"
    assert cells == [
        ["%b", "tensor<2x3xf32>", "24", "stack", '"steps"', where, "model.py:8:9"],
        ["%a", "tensor<2x3xf32>", "24", "stack", '"steps"', where, "model.py:7:9"],
    ]


def test_nothing_to_keep(tools: Any):
    linear = TEXT.replace("stablehlo.multiply %b, %b", "stablehlo.add %b, %b").replace(
        "stablehlo.multiply %a, %w", "stablehlo.add %a, %w"
    )
    assert rows(tools, linear) == [["residuals of @main.grad: none"]]


def test_what_is_kept_while_a_trip_runs_again_is_indented(tools: Any):
    module = tools.structured(TEXT)
    options = Options(Policy.parse("sqrt"))
    add_gradient(functions_of(module)["main"], options=options)
    lines = table(options.log).splitlines()[2:]
    outer = [line for line in lines if line.startswith("  %")]
    inner = [line for line in lines if line.startswith("    %")]
    assert {line.split()[0] for line in outer} == {"%i", "%a"}
    assert [line.split()[0] for line in inner] == ["%b", "%a"]


def test_sizes_known_at_run_time_only(tools: Any):
    module = tools.structured(TEXT.replace("2x3x", "?x3x"))
    options = Options()
    add_gradient(functions_of(module)["main"], options=options)
    assert "?" in table(options.log).splitlines()[-1].split()


def test_the_option_prints_to_standard_error(tools: Any, capsys: pytest.CaptureFixture[str]):
    module = tools.structured(TEXT)
    from xdsl.context import Context

    DcfGradientPass(residuals=True).apply(Context(), module)
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("residuals of @main.grad: 2 values\n")
