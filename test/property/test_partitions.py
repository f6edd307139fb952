"""Random programs split over devices at random: channels are right, and bits as on one device.

Parts are run by the structured reference, one device at a time, with devices taking turns in random
orders.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

import anabranch as ab
from anabranch.dialects.dfg import ProgramOp
from anabranch.frontends.mlir_text import parse_module, print_module, verify_module
from anabranch.lowering import get_lowering
from anabranch.lowering.gradient_pipeline import with_gradient
from anabranch.passes import get_pass
from anabranch.passes.assign_devices import AssignDevicesPass
from anabranch.passes.partition_devices import PartitionDevicesPass
from anabranch.passes.verify_channels import verify_channels
from anabranch.runtime.reference import evaluate

sys.path.insert(0, str(Path(__file__).parent))
from programs import Program, programs

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def partitioned(module: ModuleOp, function: str, devices: int, seed: int) -> ModuleOp:
    """A copy with `function` split over devices at random, its channels verified."""
    module = module.clone()
    for name in ("inline-calls", "expand-scan", "name-frames"):
        get_pass(name)().apply(Context(), module)
    names = tuple(f"cpu:{number}" for number in range(devices))
    AssignDevicesPass(function=function, devices=names, random=seed).apply(Context(), module)
    PartitionDevicesPass(function=function).apply(Context(), module)
    verify_module(module)
    for program in module.ops:
        if isinstance(program, ProgramOp):
            verify_channels(program)
    return module


def check(module: ModuleOp, function: str, program: Program, devices: int, seed: int) -> None:
    expected = [value.tobytes() for value in evaluate(module, program.arguments, function)]
    parts = partitioned(module, function, devices, seed)
    for order in (None, seed):
        results = evaluate(parts, program.arguments, function, order=order)
        assert [value.tobytes() for value in results] == expected
    # As text it is the same program.
    again = parse_module(print_module(parts))
    results = evaluate(again, program.arguments, function)
    assert [value.tobytes() for value in results] == expected
    # The graphs are still seen to be right.
    get_lowering("convert-dcf-to-dfg")().apply(Context(), parts)
    get_pass("verify-channels")().apply(Context(), parts)


@settings(max_examples=25, deadline=None, suppress_health_check=SLOW)
@given(programs(), st.sampled_from((2, 3, 5)), st.integers(0, 2**32))
def test_parts_give_the_bits_of_the_whole(program: Program, devices: int, seed: int) -> None:
    check(ab.parse(program.text), "main", program, devices, seed)


@settings(max_examples=10, deadline=None, suppress_health_check=SLOW)
@given(programs(probes=False), st.sampled_from((2, 3, 5)), st.integers(0, 2**32))
def test_parts_of_gradients(program: Program, devices: int, seed: int) -> None:
    module, function = with_gradient(ab.parse(program.text))
    check(module, function, program, devices, seed)
