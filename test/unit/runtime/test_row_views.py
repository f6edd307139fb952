"""Rows that a fused loop only reads are views; what keeps a row has a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.context import Context

import anabranch as ab
from anabranch.dialects.dfg import GraphOp
from anabranch.lowering.dcf_to_dfg_pipeline import DcfToDfgPipeline
from anabranch.runtime.fuse import FusedKernel, fuse_frames
from anabranch.runtime.graph import NodeKind, load_graph

SCAN = """
func.func @main(%a0: tensor<4xf32>, %xs: tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>) {{
  %r:2 = dcf.scan (%a = %a0 : tensor<4xf32>) ins(%x = %xs : tensor<3x4xf32>)
    -> (tensor<4xf32>, tensor<3x4xf32>) do {{
    %s = stablehlo.add %a, %x : tensor<4xf32>
    dcf.yield {yielded} : tensor<4xf32>, tensor<4xf32>
  }}
  func.return %r#0, %r#1 : tensor<4xf32>, tensor<3x4xf32>
}}
"""


def views(text: str) -> int:
    """How many kernels of the only loop give views."""
    module = ab.parse(text)
    DcfToDfgPipeline().apply(Context(), module)
    graph_op = next(op for op in module.walk() if isinstance(op, GraphOp))
    fused = fuse_frames(load_graph(graph_op, module))
    (kernel,) = [node.kernel for node in fused.nodes if node.kind is NodeKind.FUSED]
    assert isinstance(kernel, FusedKernel)
    names: dict[str, Any] = kernel._run.__globals__  # pyright: ignore[reportPrivateUsage]
    return sum(getattr(value, "__name__", "") == "view_rows" for value in names.values())


@pytest.mark.parametrize(
    ("yielded", "expected"),
    [("%s, %s", 1), ("%s, %x", 1), ("%x, %s", 0)],
    ids=["only read", "written into an output", "carried on"],
)
def test_a_row_is_a_view_when_nothing_keeps_it(yielded: str, expected: int):
    text = SCAN.format(yielded=yielded)
    assert views(text) == expected
    a0, xs = np.ones(4, np.float32), np.arange(12, dtype=np.float32).reshape(3, 4)
    before = xs.copy()
    module = ab.parse(text)
    reference = ab.compile(module, engine="reference")(a0, xs)
    for fuse in (True, False):
        results = ab.compile(module, fuse=fuse)(a0, xs)
        for one, other in zip(results, reference, strict=True):
            assert one.tobytes() == other.tobytes()
    assert np.array_equal(xs, before)


def test_rows_of_an_array_that_the_loop_changes_are_copies():
    text = """
    func.func @main(%x0: tensor<3x4xf32>) -> tensor<3x4xf32> {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %r:2 = dcf.while (%i = %zero, %x = %x0 : tensor<i32>, tensor<3x4xf32>) cond {
        %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        dcf.condition %p
      } do {
        %j = stablehlo.add %i, %one : tensor<i32>
        %row = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 4]
          : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
        %double = stablehlo.add %row, %row : tensor<1x4xf32>
        %y = stablehlo.dynamic_update_slice %x, %double, %i, %zero
          : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
        dcf.yield %j, %y : tensor<i32>, tensor<3x4xf32>
      }
      return %r#1 : tensor<3x4xf32>
    }
    """
    assert views(text) == 0
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    (result,) = ab.compile(ab.parse(text))(x)
    assert np.array_equal(result, x + x)


MAKES_ROWS = """
func.func @main(%a0: tensor<4xf32>, %xs: tensor<5x4xf32>)
    -> (tensor<4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>) {
  %r:4 = dcf.scan (%a = %a0 : tensor<4xf32>) ins(%x = %xs : tensor<5x4xf32>)
    -> (tensor<4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>) do {
    %t = stablehlo.tanh %x : tensor<4xf32>
    %l = stablehlo.logistic %a : tensor<4xf32>
    %m = stablehlo.multiply %t, %l : tensor<4xf32>
    %s = stablehlo.add %a, %m : tensor<4xf32>
    dcf.yield %s, %t, %l, %s : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } {reverse}
  func.return %r#0, %r#1, %r#2, %r#3
    : tensor<4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>
}
"""

NESTED = """
func.func @main(%a0: tensor<4xf32>, %xs: tensor<3x5x4xf32>)
    -> (tensor<4xf32>, tensor<3x5x4xf32>, tensor<3x4xf32>) {
  %r:3 = dcf.scan (%a = %a0 : tensor<4xf32>) ins(%x = %xs : tensor<3x5x4xf32>)
    -> (tensor<4xf32>, tensor<3x5x4xf32>, tensor<3x4xf32>) do {
    %i:2 = dcf.scan (%b = %a : tensor<4xf32>) ins(%y = %x : tensor<5x4xf32>)
      -> (tensor<4xf32>, tensor<5x4xf32>) do {
      %t = stablehlo.tanh %y : tensor<4xf32>
      %s = stablehlo.add %b, %t : tensor<4xf32>
      dcf.yield %s, %t : tensor<4xf32>, tensor<4xf32>
    }
    %e = stablehlo.sine %i#0 : tensor<4xf32>
    dcf.yield %i#0, %i#1, %e : tensor<4xf32>, tensor<5x4xf32>, tensor<4xf32>
  }
  func.return %r#0, %r#1, %r#2 : tensor<4xf32>, tensor<3x5x4xf32>, tensor<3x4xf32>
}
"""


@pytest.mark.parametrize(("text", "places"), [(MAKES_ROWS, 2), (NESTED, 2)])
def test_rows_are_made_in_the_outputs(text: str, places: int):
    module = ab.parse(text)
    DcfToDfgPipeline().apply(Context(), module)
    graph_op = next(op for op in module.walk() if isinstance(op, GraphOp))
    fused = fuse_frames(load_graph(graph_op, module))
    (kernel,) = [node.kernel for node in fused.nodes if node.kind is NodeKind.FUSED]
    assert isinstance(kernel, FusedKernel)
    assert kernel.text.count("= place") == places
    draw = np.random.default_rng(0)
    module = ab.parse(text)
    types: Any = ab.compile(module).signature.inputs.data
    shapes: list[tuple[int, ...]] = [type.get_shape() for type in types]
    arguments = [draw.standard_normal(shape).astype(np.float32) for shape in shapes]
    reference = ab.compile(module, engine="reference")(*arguments)
    executable = ab.compile(module)
    for _ in range(2):
        for one, other in zip(executable(*arguments), reference, strict=True):
            assert one.tobytes() == other.tobytes()
