"""Programs placed in part by hand: their gradients split over devices, with the bits of one device.

The gradient is made after the placement, so what it copies of it (for its own ops, for the stacks of
its residuals) must never ask for the impossible.
"""

from __future__ import annotations

import pathlib
import random

import pytest
from xdsl.context import Context

import anabranch as ab
from anabranch.dialects.plan.devices import handles_container, set_argument_devices, set_device
from anabranch.frontends.mlir_text import load_module
from anabranch.lowering.gradient_pipeline import make_structured, with_gradient
from anabranch.passes._symbols import functions_of
from anabranch.passes.autodiff.policies import Policy
from anabranch.passes.placement.scope import STRUCTURED, plain_ops
from anabranch.tools.npz import read_arguments

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
NAMES = ("newton", "cond_in_loop", "switch_in_loop", "lstm_scan", "power_iteration")
DEVICES = ("cpu:0", "cpu:1", "cpu:2")


@pytest.mark.parametrize("policy", ["save", "recompute"])
@pytest.mark.parametrize("name", NAMES)
def test_a_gradient_goes_by_what_is_placed(name: str, policy: str):
    module = load_module(str(EXAMPLES / f"{name}.mlir"))
    make_structured(Context(), module)
    function = functions_of(module)["main"]
    types = function.function_type.inputs.data
    arguments = read_arguments(str(EXAMPLES / f"{name}.npz"), types)
    gradient, entry = with_gradient(module, policy=Policy.parse(policy))
    expected = ab.compile(gradient, function=entry).run(arguments, deadline=60)
    for seed in range(2):
        draw = random.Random(seed)
        placed = module.clone()
        function = functions_of(placed)["main"]
        for op in function.walk():
            if isinstance(op, STRUCTURED) and draw.random() < 0.3:
                set_device(op, draw.choice(DEVICES))
        for op in plain_ops(function):
            if not handles_container(op) and draw.random() < 0.5:
                set_device(op, draw.choice(DEVICES))
        set_argument_devices(function, [draw.choice((None, *DEVICES)) for _ in types])
        gradient, entry = with_gradient(placed, policy=Policy.parse(policy))
        got = ab.compile(gradient, function=entry, devices=3).run(arguments, deadline=60)
        for one, other in zip(expected, got, strict=True):
            assert one.tobytes() == other.tobytes()
