"""`assign-devices`: everything has a place, the same one each time, and rules say what they mean."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from anabranch.dialects.diagnostics import DataError, ProgramError
from anabranch.dialects.plan.devices import (
    DEVICE,
    argument_devices,
    device_of,
    is_container,
    result_devices,
)
from anabranch.frontends.mlir_text import load_module, parse_module, print_module
from anabranch.lowering.gradient_pipeline import make_structured, with_gradient
from anabranch.passes._symbols import functions_of
from anabranch.passes.assign_devices import AssignDevicesPass
from anabranch.passes.placement.groups import Groups
from anabranch.passes.placement.rules import Rules
from anabranch.passes.placement.scope import STRUCTURED, bytes_of_type, plain_ops

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"
PROGRAMS = sorted(EXAMPLES.glob("*.mlir"))
NAMES = ("cpu:0", "cpu:1", "cpu:2")


def gradient(path: pathlib.Path) -> tuple[ModuleOp, str]:
    """A program's structured gradient, or the program itself where there is none."""
    try:
        return with_gradient(load_module(str(path)), origins=True)
    except ProgramError:
        module = load_module(str(path))
        make_structured(Context(), module)
        return module, "main"


def check_placed(module: ModuleOp, name: str, devices: tuple[str, ...]) -> None:
    function = functions_of(module)[name]
    ops = plain_ops(function)
    places = [*argument_devices(function), *result_devices(function), *map(device_of, ops)]
    assert set(places) <= set(devices)
    placed = set(ops)
    for op in function.walk():
        assert op in placed or isinstance(op, STRUCTURED) or DEVICE not in op.attributes
    for group in Groups(function, ops).all:
        assert len({device_of(op) for op in ops if op in group.items}) <= 1


@pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])
def test_everything_has_a_place_and_stacks_stay_together(path: pathlib.Path):
    module, name = gradient(path)
    for seed in (None, 0, 1):
        placed = module.clone()
        AssignDevicesPass(name, NAMES, seed).apply(Context(), placed)
        check_placed(placed, name, NAMES)
        again = placed.clone()
        AssignDevicesPass(name, NAMES).apply(Context(), again)
        assert print_module(again) == print_module(placed)  # what is given stays


def test_the_same_seed_gives_the_same_places_in_another_process():
    path = PROGRAMS[0]
    code = "import sys; from anabranch.tools.opt import main; sys.exit(main())"
    options = 'assign-devices{devices="cpu:0","cpu:1","cpu:2" random=3}'
    passes = ["-p", f"inline-calls,convert-stablehlo-to-dcf,{options}"]
    found = {
        subprocess.run(
            [sys.executable, "-c", code, str(path), *passes],
            env=dict(os.environ, PYTHONHASHSEED=seed),
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_random_places_use_every_device_and_differ_by_seed():
    module = parse_module(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
        + "\n".join(f"  %v{i} = stablehlo.sine %x : tensor<f32>" for i in range(64))
        + "\n  return %v0 : tensor<f32>\n}"
    )
    texts: set[str] = set()
    for seed in range(5):
        placed = module.clone()
        AssignDevicesPass(None, NAMES, seed).apply(Context(), placed)
        assert {device_of(op) for op in plain_ops(functions_of(placed)["main"])} == set(NAMES)
        texts.add(print_module(placed))
    assert len(texts) == 5


def test_wrong_options():
    for options, message in (
        ({"random": 1, "rules": "file"}, "expected random or rules, got both"),
        ({"random": -1}, "expected a seed of at least 0, got -1"),
        ({"devices": ("cpu:0", "cpu:0")}, "expected devices of different names"),
        ({"devices": ("a,b",)}, 'names of devices without commas and spaces, got "a,b"; each is'),
        ({"devices": ("a", "b c")}, 'without commas and spaces, got "b c"'),
        ({"devices": ("",)}, 'got ""'),
    ):
        with pytest.raises(PassFailedException, match=message):
            AssignDevicesPass(**options)  # pyright: ignore[reportArgumentType]
    module = parse_module("func.func @f() { return }")
    with pytest.raises(ProgramError, match="expected a function @g, the module has @f"):
        AssignDevicesPass("g").apply(Context(), module)


def test_devices_come_in_the_order_of_their_numbers():
    module = parse_module("""
func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %a = stablehlo.sine %x {plan.device = "cpu:10"} : tensor<f32>
  %b = stablehlo.sine %y {plan.device = "cpu:9"} : tensor<f32>
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  return %a : tensor<f32>
}""")
    AssignDevicesPass().apply(Context(), module)
    ops = plain_ops(functions_of(module)["main"])
    assert [device_of(op) for op in ops] == ["cpu:10", "cpu:9", "cpu:9"]  # the first is the default


RULE_LINE = (
    "func.func @f(%x: tensor<f32>) {{ %y = stablehlo.sine %x : tensor<f32> loc({}) return }}"
)


@pytest.mark.parametrize(
    ("pattern", "location", "fits"),
    [
        ("layer1", '"jit(step)/layer1/mul"', True),
        ("layer1", '"jit(step)/layer10/mul"', False),
        ("layer1", '"layer1"', True),
        ("layer*", '"jit(step)/layer10/mul"', True),
        ("layer[12]", '"jit(step)/layer1/mul"', True),
        ("layer1/mul", '"jit(step)/layer1/mul"', True),
        ("step/layer1", '"jit(step)/layer1/mul"', True),
        ("jit(step)/*/mul", '"jit(step)/layer1/mul"', True),
        ("layer1/sub", '"jit(step)/transpose(jvp(layer1))/sub/mul"', True),
        ("mul", '"jit(step)/mul"', True),
        ("step", '"restep"', False),
        ("model.py:4", '"a/model.py":4:1', True),
        ("a/model.py:4", '"/home/a/model.py":4:1', True),
        ("model.py:4", '"a/model.py":40:1', False),
        ("odel.py:4", '"model.py":4:1', False),
        ("m*.py:1-4", '"n"("model.py":4:1)', True),
        ("model.py:1-3", '"model.py":4:1', False),
        ("train.py:9", 'callsite("model.py":4:1 at "train.py":9:1)', True),
        ("train.py:9", 'fused["model.py":4:1, "train.py":9:1]', True),
        ("program.mlir:1", '"model.py":4:1', True),
        ("layer1", "unknown", False),
        ("Model.encode", '"mul"(callsite("Model.encode"("m.py":4:1) at "fit"("t.py":9:1)))', True),
        ("while/body", '"mul"(callsite("while/body"("m.py":4:1) at "jit(f)"("t.py":9:1)))', True),
    ],
)
def test_what_a_pattern_fits(pattern: str, location: str, fits: bool):
    module = parse_module(RULE_LINE.format(location), "program.mlir")
    (op,) = plain_ops(functions_of(module)["f"])
    rules = Rules.parse(f"{pattern} -> cpu:1", "rules")
    assert (rules.rule_for(op.location) is not None) == fits
    if not fits:
        with pytest.raises(DataError, match="the program has none"):
            rules.check_met()


def test_the_text_of_rules():
    rules = Rules.parse("# all\n\n  a b -> cpu:1  # why\nx->y -> cpu:2\nc#d ?-> cpu:1\n", "rules")
    found = [(rule.pattern, rule.device, rule.where, rule.may_miss) for rule in rules.rules]
    assert found == [
        ("a b", "cpu:1", "rules:3", False),
        ("x->y", "cpu:2", "rules:4", False),
        ("c#d", "cpu:1", "rules:5", True),
    ]
    assert rules.devices == ["cpu:1", "cpu:2"]
    for text, message in (
        ("layer cpu:1", 'expected a rule "pattern -> device", got "layer cpu:1"'),
        ("-> cpu:1", 'expected a pattern before the arrow, got "-> cpu:1"'),
        ("layer ->", 'expected the name of a device after the arrow, got ""'),
        ("layer -> a b", 'expected the name of a device after the arrow, got "a b"'),
    ):
        with pytest.raises(DataError, match=message) as raised:
            Rules.parse(f"\n{text}", "rules")
        assert raised.value.path == "rules:2"


def test_sizes():
    text = (
        "func.func @f(%a: tensor<2x3xf32>, %b: tensor<?xi1>, %c: tensor<complex<f64>>,"
        " %d: !dcf.stack<tensor<f32>>) { return }"
    )
    arguments = functions_of(parse_module(text))["f"].body.block.args
    assert [bytes_of_type(argument.type) for argument in arguments] == [24, 1, 16, 0]
    assert [is_container(argument.type) for argument in arguments] == [False, False, False, True]
