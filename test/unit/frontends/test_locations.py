"""Locations: every form is read, reaches the op, and prints as text that MLIR reads the same."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from anabranch.dialects.diagnostics import (
    ProgramError,
    SourceLoc,
    place_of,
    position_of,
    user_frame_of,
)
from anabranch.frontends.mlir_text import parse_module, print_module

FORMS = [
    "unknown",
    '"name"',
    '"name"("f.py":1:2)',
    '"f.py":1:2',
    '"f.py":1:2 to :5',
    '"f.py":1:2 to 1:5',
    '"f.py":1:2 to 3:5',
    '"f.py":1',
    'callsite("a" at "f.py":3:4)',
    'callsite(callsite("a" at "b") at "c")',
    'fused["a", "b":1:2]',
    'fused<"m">["a"]',
    'fused<{k = 1 : i32}>["a", unknown]',
    "fused[]",
    r'"caf\C3\A9.py":1:2',
    '"é.py":1:2',
    r'"a\22b"("x\\y":3:4)',
]

TEXT = """\
module @m {{
  func.func @main(%arg0: tensor<f32> {{jax.buffer_donor = true}} loc({0}), %arg1: tensor<f32>) -> tensor<f32> {{
    %0 = stablehlo.add %arg0, %arg1 : tensor<f32> loc({0})
    %1 = "stablehlo.while"(%0) ({{
    ^bb0(%arg2: tensor<f32> loc({0})):
      %2 = stablehlo.constant dense<true> : tensor<i1> loc({0})
      "stablehlo.return"(%2) : (tensor<i1>) -> () loc({0})
    }}, {{
    ^bb0(%arg2: tensor<f32> loc({0})):
      stablehlo.return %arg2 : tensor<f32> loc({0})
    }}) : (tensor<f32>) -> tensor<f32> loc({0})
    return %1 : tensor<f32> loc({0})
  }} loc({0})
}} loc(unknown)
"""


@pytest.fixture(scope="module")
def mlir() -> Any:
    """A function: MLIR's print of a module's text, with locations."""
    pytest.importorskip("jax", reason="the oracle needs jax")
    from jax._src.interpreters import mlir as jax_mlir
    from jax._src.lib.mlir import ir

    context = jax_mlir.make_ir_context()

    def print_again(text: str) -> str:
        with context:
            return ir.Module.parse(text).operation.get_asm(enable_debug_info=True)

    return print_again


def only(module: ModuleOp, name: str) -> Operation:
    (op,) = (op for op in module.walk() if op.name == name)
    return op


@pytest.mark.parametrize("form", FORMS)
def test_every_form_survives(mlir: Any, form: str) -> None:
    text = TEXT.format(form).replace("%arg1: tensor<f32>)", '%arg1: tensor<f32> loc("b"))')
    expected = mlir(text)
    module = parse_module(text, "t.mlir")
    for generic in (False, True):
        printed = print_module(module, generic=generic, debuginfo=True)
        assert mlir(printed) == expected
        again = parse_module(printed, "again.mlir")
        assert print_module(again, generic=generic, debuginfo=True) == printed
    # MLIR's own text has aliases at both ends.
    assert mlir(print_module(parse_module(expected), debuginfo=True)) == expected


ALIASES = """\
#loc1 = loc("x")
#early = "early"
module @m attributes {a = #early, b = #late} {
  func.func @main(%arg0: tensor<f32> loc("x")) -> !t {
    %0 = stablehlo.add %arg0, %arg0 : !t loc(#loc3)
    return %0 : tensor<f32> loc(#loc4)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc2 = loc("./m.py":7:14 to :82)
#loc3 = loc("jit(f)/add"(#loc2))
#loc4 = loc(fused<"x">[#loc3, callsite(#loc2 at "m.py":1:2)])
#late = "late"
!t = tensor<f32>
"""


def test_aliases_may_follow_their_uses() -> None:
    module = parse_module(ALIASES, "t.mlir")
    assert str(module.attributes["a"]) == '"early"'
    assert str(module.attributes["b"]) == '"late"'
    add = only(module, "stablehlo.add")
    assert str(add.location) == 'loc("jit(f)/add"("./m.py":7:14 to :82))'
    assert position_of(add.location) == ("t.mlir", 5, 5)
    assert user_frame_of(add.location) == "m.py:7:14 (jit(f)/add)"
    # Several uses of an alias share one place.
    assert place_of(only(module, "func.return").location).children[0] is place_of(add.location)  # pyright: ignore[reportAttributeAccessIssue]


def test_positions_are_those_of_the_first_token() -> None:
    text = TEXT.format("unknown")
    module = parse_module(text, "t.mlir")
    lines = text.splitlines()
    for op in module.walk():
        position = position_of(op.location)
        assert position is not None
        file, line, column = position
        rest = lines[line - 1][column - 1 :]
        assert file == "t.mlir"
        assert lines[line - 1][: column - 1].strip() == ""
        assert op.name.split(".")[1] in rest
        assert rest.startswith("%") == bool(op.results)


def test_block_arguments_have_positions_and_places() -> None:
    module = parse_module(TEXT.format('"a"'), "t.mlir")
    for op in module.walk():
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    assert isinstance(argument.location, SourceLoc)
                    given = argument.name_hint != "arg1"
                    assert user_frame_of(argument.location) == ("a" if given else None)
    main = only(module, "func.func")
    assert position_of(main.regions[0].block.args[0].location) == ("t.mlir", 2, 19)


def test_reducer_arguments_have_locations() -> None:
    text = """\
func.func @main(%a: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32> loc("p"), %y: tensor<f32> loc("q"))  {
    %s = stablehlo.atan2 %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  } loc("r")
  return %r : tensor<f32>
}
"""
    module = parse_module(text, "t.mlir")
    reduce = only(module, "stablehlo.reduce")
    assert user_frame_of(reduce.location) == "r"
    assert [user_frame_of(arg.location) for arg in reduce.regions[0].block.args] == ["p", "q"]


def test_without_locations_the_position_is_printed() -> None:
    module = parse_module("module {\n}\n", "t.mlir")
    assert 'loc("t.mlir":1:1)' in print_module(module, debuginfo=True)
    assert user_frame_of(module.location) is None


def test_location_as_an_attribute() -> None:
    text = 'module attributes {a = loc("f.py":1:2)} {}'
    printed = print_module(parse_module(text))
    assert "a = loc(#loc1)" in printed and '#loc1 = loc("f.py":1:2)' in printed
    assert print_module(parse_module(printed)) == printed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("module {} loc(#a)", "alias #a is used but never defined"),
        ("module {} loc(#a)\n#a = loc(#b)\n#b = loc(#a)\n", "is defined by itself"),
        ("#a = 1\n#a = 2\nmodule {}", "alias #a is defined twice"),
        ("module {} loc(#a)\n#a = loc(unknown)\n#a = loc(unknown)\n", "alias #a is defined twice"),
        ("module {} loc(#a)\n#a = 1 : i32\n", "expected a location, got 1 : i32"),
        ("module {} loc(nowhere)", "expected a location"),
        ('module {} loc("f":)', "in location"),
        ('module {} loc("f":1:2 to 3)', "expected ':' in location range, got ')'"),
        ('module {} loc(callsite("a" "b"))', "expected 'at' in callsite location"),
        ('module {} loc("a"', "got the end of the file"),
    ],
)
def test_bad_locations(text: str, message: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse_module(text, "t.mlir")
    assert message in caught.value.message
    assert position_of(caught.value.location) is not None
