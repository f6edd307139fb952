"""`plan.device` on any op survives printing and parsing, in the pretty and the generic form."""

from __future__ import annotations

import io
import pathlib

import pytest
from xdsl.ir import Operation
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from anabranch.dialects.plan import TopologyOp, topology_of
from anabranch.dialects.plan.devices import (
    DEVICE,
    argument_devices,
    copy_device,
    device_of,
    inherit_device,
    result_devices,
    set_argument_devices,
    set_device,
    set_result_devices,
)
from anabranch.dialects.plan.quantities import bytes_of, rate_of, seconds_of
from anabranch.frontends.mlir_text import parse_module, print_module

LIT = pathlib.Path(__file__).parents[2] / "lit" / "dialects"
FILES = [
    path
    for folder in ("stablehlo", "chlo", "dcf")
    for path in sorted(LIT.glob(f"{folder}/**/*.mlir"))
    if "invalid" not in path.stem
]


def placed(op: Operation) -> list[tuple[str, str | None]]:
    return [(inner.name, device_of(inner)) for inner in op.walk()]


@pytest.mark.parametrize("path", FILES, ids=[f"{path.parent.name}-{path.stem}" for path in FILES])
def test_a_device_on_every_op_is_kept(path: pathlib.Path):
    for part in path.read_text().split("// -----"):
        try:
            module = parse_module(part)
        except Exception:  # a text that is meant to be wrong
            continue
        for number, op in enumerate(module.walk()):
            set_device(op, f"cpu:{number}")
        expected = placed(module)
        generic = io.StringIO()
        Printer(generic, print_generic_format=True).print_op(module)
        for text in (print_module(module), generic.getvalue()):
            assert placed(parse_module(text)) == expected


TEXT = """
func.func @main(%a: tensor<f32> {plan.device = "cpu:1", other.note = "kept"}, %b: tensor<f32>)
    -> (tensor<f32>, tensor<f32> {plan.device = "cpu:2"}) {
  %s = dcf.stack_new : !dcf.stack<tensor<f32>>
  %c = stablehlo.add %a, %b {plan.device = "cpu:1"} : tensor<f32>
  %t = dcf.stack_push %s, %c : !dcf.stack<tensor<f32>>
  return %c, %c : tensor<f32>, tensor<f32>
}
"""


def test_arguments_and_results():
    function = next(iter(parse_module(TEXT).body.block.ops))
    from xdsl.dialects.func import FuncOp

    assert isinstance(function, FuncOp)
    assert argument_devices(function) == ["cpu:1", None]
    assert result_devices(function) == [None, "cpu:2"]
    set_argument_devices(function, [None, "cpu:3"])
    set_result_devices(function, ["cpu:4", "cpu:5"])
    assert argument_devices(function) == [None, "cpu:3"]
    assert result_devices(function) == ["cpu:4", "cpu:5"]
    assert 'other.note = "kept"' in str(function)


def test_devices_pass_on_to_what_a_pass_makes():
    function = next(iter(parse_module(TEXT).body.block.ops))
    new, add, push, end = function.regions[0].block.ops
    inherit_device(add, end)
    inherit_device(add, push)  # the place of a stack is its own
    assert device_of(end) is device_of(push) is None
    copy_device(add, push)
    inherit_device(push, new)
    assert device_of(push) == device_of(new) == "cpu:1"
    set_device(push, None)
    assert DEVICE not in push.attributes


def test_amounts():
    assert bytes_of("64MiB", "memory") == 64 * 1024**2
    assert bytes_of("1.5 kB", "memory") == 1500
    assert rate_of("10GB/s", "a bandwidth") == 1e10
    assert seconds_of("5us", "a time") == pytest.approx(5e-6)
    for text in ("", "5", "5 MiB/s", "MiB", "-5B", "0x5B"):
        with pytest.raises(VerifyException, match="expected memory"):
            bytes_of(text, "memory")
    for text in ("10GB", "0B/s", "10GB/ms"):
        with pytest.raises(VerifyException, match="expected a bandwidth above zero"):
            rate_of(text, "a bandwidth")


def test_a_topology_answers():
    module = parse_module("""
plan.topology @pair {
  plan.device "cpu:0" {memory = "1KiB"}
  plan.device "sim:1" {thread = "own", times = {default = "5us"}}
  plan.link "cpu:0" to "sim:1" {bandwidth = "1kB/s", latency = "1ms"}
}
""")
    topology = topology_of(module)
    assert isinstance(topology, TopologyOp)
    first, second = topology.devices
    assert (first.kind_name, first.memory_bytes, first.has_own_thread) == ("cpu", 1024, False)
    assert (second.kind_name, second.memory_bytes, second.has_own_thread) == ("sim", None, True)
    assert second.op_seconds == {"default": pytest.approx(5e-6)}
    link = topology.link("sim:1", "cpu:0")
    assert link is not None and link is topology.link("cpu:0", "sim:1")
    assert (link.bytes_per_second, link.latency_seconds) == (1000.0, pytest.approx(1e-3))
    assert topology.link("cpu:0", "cpu:2") is None
