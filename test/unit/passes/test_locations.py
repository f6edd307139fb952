"""Every op that a pass makes has a position in the program's text."""

from __future__ import annotations

from anabranch.dialects.diagnostics import position_of
from anabranch.frontends.mlir_text import make_context, parse_module
from anabranch.lowering.convert_stablehlo_to_dcf import ConvertStablehloToDcfPass
from anabranch.passes import get_pass

TEXT = """
func.func @main(%a: tensor<f32>, %xs: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %0:2 = stablehlo.while(%x = %a, %y = %a) : tensor<f32>, tensor<f32>
  cond {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.add %one, %one : tensor<i32>
    %p = stablehlo.compare LT, %one, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %q = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %r = stablehlo.and %p, %q : tensor<i1>
    stablehlo.return %r : tensor<i1>
  } do {
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z, %y : tensor<f32>, tensor<f32>
  }
  %r, %ys, %unused = dcf.scan (%c = %0#0 : tensor<f32>) ins(%x = %xs : tensor<4xf32>)
      -> (tensor<f32>, tensor<4xf32>, tensor<4xf32>) do {
    %d = stablehlo.add %c, %x : tensor<f32>
    dcf.yield %d, %c, %d : tensor<f32>, tensor<f32>, tensor<f32>
  } {reverse}
  func.return %r, %ys : tensor<f32>, tensor<4xf32>
}
"""


def test_positions_survive_every_pass():
    module = parse_module(TEXT, "program.mlir")
    context = make_context()
    ConvertStablehloToDcfPass().apply(context, module)
    for name in (
        "fold-scalar-constants",
        "forward-invariant-carries",
        "remove-unused-carries",
        "remove-dead-code",
        "expand-scan",
        "name-frames",
    ):
        get_pass(name)().apply(context, module)
        for op in module.walk():
            position = position_of(op.location)
            assert position is not None and position[0] == "program.mlir", f"{name}: {op.name}"
