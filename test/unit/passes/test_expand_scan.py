"""`expand-scan`: the loop gives what the scan gives, for every form that a scan can have."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from anabranch.dialects.diagnostics import ProgramError
from anabranch.frontends.mlir_text import make_context, parse_module, verify_module
from anabranch.passes.expand_scan import ExpandScanPass
from anabranch.runtime.reference import evaluate

ROW = {"f32": np.float32, "i8": np.int8, "i1": np.bool_, "f64": np.float64}


def expanded(module: ModuleOp) -> ModuleOp:
    ExpandScanPass().apply(make_context(), module)
    verify_module(module)
    assert all(op.name != "dcf.scan" for op in module.walk())
    return module


def scan_text(
    element: str, row: str, rows: int, *, carries: bool, outputs: bool, length: str, reverse: bool
) -> str:
    """A scan whose carry collects rows and whose output is the carry or the row."""
    vector, slice = f"tensor<{rows}x{row}{element}>", f"tensor<{row}{element}>"
    count = "tensor<i64>" if length == "i64" else "tensor<i32>"
    results = [slice] * carries + [vector] * outputs
    run_time = length in ("i32", "i64")
    body = "%d = stablehlo.maximum %c, %x" if carries else "%d = stablehlo.maximum %x, %x"
    return (
        f"func.func @main(%c0: {slice}, %xs: {vector}, %buffer: {vector}, %n: {count}) -> "
        f"({', '.join(results)}) {{\n"
        f"  %r:{len(results)} = dcf.scan ({f'%c = %c0 : {slice}' if carries else ''}) "
        f"ins(%x = %xs : {vector})"
        + (f" outs(%buffer : {vector})" if run_time and outputs else "")
        + (f" length %n : {count}" if run_time else "")
        + f" -> ({', '.join(results)}) do {{\n    {body} : {slice}\n"
        + f"    dcf.yield {', '.join(['%d'] * len(results))} : "
        + f"{', '.join([slice] * len(results))}\n"
        + ("  } {reverse}\n" if reverse else "  }\n")
        + f"  func.return {', '.join(f'%r#{i}' for i in range(len(results)))} : "
        f"{', '.join(results)}\n}}\n"
    )


@pytest.mark.parametrize("element,row", [("f32", ""), ("i8", "2x3x"), ("i1", "2x"), ("f64", "0x")])
@pytest.mark.parametrize("rows", [0, 1, 4])
@pytest.mark.parametrize("length", ["", "i32", "i64"])
def test_same_as_the_scan(element: str, row: str, rows: int, length: str):
    shape = tuple(int(dim) for dim in row.split("x") if dim)
    generator = np.random.default_rng(rows)

    def some(*dims: int) -> Any:
        return (generator.standard_normal(dims) * 3).astype(ROW[element])

    lengths = range(rows + 1) if length else [rows]
    for (carries, outputs, reverse), n in itertools.product(
        itertools.product((False, True), repeat=3), lengths
    ):
        if not (carries or outputs):
            continue
        text = scan_text(
            element, row, rows, carries=carries, outputs=outputs, length=length, reverse=reverse
        )
        count = np.array(n, np.int64 if length == "i64" else np.int32)
        arguments = [some(*shape), some(rows, *shape), some(rows, *shape), count]
        before = evaluate(parse_module(text), arguments)
        after = evaluate(expanded(parse_module(text)), arguments)
        for one, other in zip(before, after, strict=True):
            assert one.dtype == other.dtype and one.shape == other.shape
            assert one.tobytes() == other.tobytes(), text


def test_a_length_beyond_the_rows_is_still_an_error():
    text = scan_text("f32", "", 3, carries=True, outputs=True, length="i32", reverse=False)
    arguments = [np.float32(0), np.zeros(3, np.float32), np.zeros(3, np.float32), np.int32(4)]
    with pytest.raises(ProgramError):
        evaluate(parse_module(text), arguments)
    with pytest.raises(ProgramError):
        evaluate(expanded(parse_module(text)), arguments)


def test_a_scan_in_a_scan_of_no_trips():
    """It goes with the scan around it."""
    text = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %r = dcf.scan (%a = %x : tensor<f32>) length 0 -> tensor<f32> do {
    %s = dcf.scan (%b = %a : tensor<f32>) length 2 -> tensor<f32> do {
      %c = stablehlo.add %b, %b : tensor<f32>
      dcf.yield %c : tensor<f32>
    }
    dcf.yield %s : tensor<f32>
  }
  func.return %r : tensor<f32>
}"""
    module = parse_module(text)
    ExpandScanPass().apply(make_context(), module)
    assert evaluate(module, [np.float32(3)]) == [3]
