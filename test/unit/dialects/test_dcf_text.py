"""What the text of dcf and dfg keeps beside the ops: places of arguments, and names."""

from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.ir import BlockArgument
from xdsl.parser import Parser
from xdsl.printer import Printer

from anabranch.dialects.dcf import ScanOp, WhileOp
from anabranch.dialects.dfg import GraphOp
from anabranch.dialects.diagnostics import ProgramError, render_error, user_frame_of
from anabranch.frontends.mlir_text import parse_module, print_module, verify_module

LOCATED = """
func.func @main(%p: tensor<i1>, %xs: tensor<4xf32>, %x0: tensor<f32>, %i0: tensor<i32>) {
  %r:2 = dcf.while "w" (%x = %x0, %i = %i0 : tensor<f32> loc("model.py":7:3), tensor<i32>) cond {
    dcf.condition %p loc("model.py":8:3)
  } do {
    dcf.yield %x, %i : tensor<f32>, tensor<i32>
  } {parallel_iterations = 2 : i64} loc("model.py":6:1)
  dcf.scan () ins(%row = %xs : tensor<4xf32> loc("model.py":9:3)) do {
    dcf.yield
  }
  func.return
}
dfg.program @graph (tensor<f32>) -> tensor<f32> {
  dfg.graph on "cpu:0" (%a: tensor<f32> loc("model.py":1:5)) -> tensor<f32> {
    dfg.fetch %a : tensor<f32> loc("model.py":2:5)
  }
}
"""


def places(text: str) -> dict[str, str | None]:
    module = parse_module(text)
    found: dict[str, str | None] = {}
    for op in module.walk():
        if isinstance(op, WhileOp | ScanOp | GraphOp):
            for region in op.regions:
                for argument in region.block.args:
                    found[f"{op.name} {name(argument)}"] = user_frame_of(argument.location)
        if op.name in ("dcf.while", "dcf.condition", "dfg.fetch"):
            found[op.name] = user_frame_of(op.location)
    return found


def name(argument: BlockArgument) -> str:
    return argument.name_hint or str(argument.index)


def test_places_of_ops_and_arguments_are_read_and_printed():
    expected = {
        "dcf.while x": "model.py:7:3",
        "dcf.while i": None,
        "dcf.while": "model.py:6:1",
        "dcf.condition": "model.py:8:3",
        "dcf.scan row": "model.py:9:3",
        "dfg.graph a": "model.py:1:5",
        "dfg.fetch": "model.py:2:5",
    }
    assert places(LOCATED) == expected
    printed = print_module(parse_module(LOCATED, "given.mlir"), debuginfo=True)
    # What had no place of its own now has its position in the first text.
    assert {key: value for key, value in places(printed).items() if expected[key]} == {
        key: value for key, value in expected.items() if value
    }


def test_an_error_names_the_line_of_the_user():
    text = LOCATED.replace(
        "dcf.yield %x, %i : tensor<f32>, tensor<i32>", 'dcf.yield loc("m.py":1:2)'
    )
    with pytest.raises(ProgramError) as raised:
        verify_module(parse_module(text, "given.mlir"))
    assert render_error(raised.value, "x") == (
        "given.mlir:6:5: error: 'dcf.yield' op expected 2 yielded values, got 0 [m.py:1:2]"
    )


@pytest.mark.parametrize("generic", [False, True])
def test_xdsl_alone_reads_and_prints_the_same(generic: bool):
    """The dialects do not need the project's own parser and printer."""
    from io import StringIO

    from anabranch.dialects import DIALECTS

    def read(text: str):
        context = Context()
        for dialect in ("builtin", "func", "dcf", "dfg"):
            context.register_dialect(dialect, DIALECTS[dialect])
        return Parser(context, text).parse_module()

    def write(module: object) -> str:
        stream = StringIO()
        Printer(stream, print_generic_format=generic, print_debuginfo=True).print_op(module)  # pyright: ignore[reportArgumentType]
        return stream.getvalue()

    module = read(LOCATED)
    module.verify()
    text = write(module)
    assert write(read(text)) == text
