"""What users of other systems found about devices and messages: placements inside loops ignored,
sends without receives, queues that block each other, loops that are entered twice.

Programs in parts run every way there is: by the reference with devices taking turns in several
orders, and as graphs, fused and node by node, with several windows and orders of messages.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

import anabranch as ab
from anabranch.dialects.dfg import PartitionOp, ProgramOp
from anabranch.dialects.diagnostics import ProgramError
from anabranch.frontends.mlir_text import parse_module, verify_module
from anabranch.passes import get_pass
from anabranch.passes.verify_channels import VerifyChannelsPass
from anabranch.runtime.reference import evaluate

f32 = np.float32
i32 = np.int32
DEADLINE = 60.0
F = "tensor<f32>"
I = "tensor<i32>"  # noqa: E741


def same_bits(got: Sequence[Any], want: Sequence[Any], how: str) -> None:
    assert len(got) == len(want), how
    for number, (g, w) in enumerate(zip(got, want)):
        same = g.dtype == w.dtype and g.shape == w.shape and g.tobytes() == w.tobytes()
        assert same, f"{how}: result {number}: expected {w!r}, got {g!r}"


def split(text: str) -> ModuleOp:
    """A function whose ops say where they run, in parts."""
    module = ab.parse(text)
    for name in ("name-frames", "assign-devices", "partition-devices", "verify-channels"):
        get_pass(name)().apply(Context(), module)
    verify_module(module)
    return module


def run_parts(module: ModuleOp, *args: Any) -> Sequence[Any]:
    """The results of a program in parts, the same in every way of running."""
    verify_module(module)
    VerifyChannelsPass().apply(Context(), module)
    want = evaluate(module, args, deadline=DEADLINE)
    for turns in range(5):
        same_bits(evaluate(module, args, order=turns), want, f"reference, order {turns}")
    for window in (1, 2, 32):
        for fuse in (True, False):
            run = ab.compile(module, parallel_iterations=window, fuse=fuse)
            same_bits(run.run(args, deadline=DEADLINE), want, f"window {window}, fuse {fuse}")
    run = ab.compile(module, fuse=False)
    shuffle = random.Random(0)

    def order(ready: Sequence[Any]) -> int:
        return shuffle.randrange(len(ready))

    for _ in range(5):
        got = run.run(args, deadline=DEADLINE, order=order)
        same_bits(got, want, "random order")
    return want


def refused(text: str) -> str:
    """What `verify-channels` says of a program."""
    module = parse_module(text, "file.mlir")
    verify_module(module)
    with pytest.raises(ProgramError) as caught:
        VerifyChannelsPass().apply(Context(), module)
    return caught.value.message


def ops_on(module: ModuleOp, device: str) -> list[str]:
    """The names of all ops in the part of a device."""
    (program,) = module.ops
    assert isinstance(program, ProgramOp)
    parts = [op for op in program.partitions if op.device.data == device]
    return [op.name for part in parts for op in part.walk() if not isinstance(op, PartitionOp)]


COUNT = f"""
func.func @main(%n: {I}, %x: {F}) -> ({F}, {I}) {{
  %zero = stablehlo.constant dense<0> : {I}
  %one = stablehlo.constant dense<1> : {I}
  %r, %k = dcf.while "loop" (%v = %x, %i = %zero : {F}, {I}) cond {{
    %go = stablehlo.compare LT, %i, %n : ({I}, {I}) -> tensor<i1>
    dcf.condition %go
  }} do {{
    %s = stablehlo.sine %v {{plan.device = "cpu:1"}} : {F}
    %big = stablehlo.compare GT, %s, %x : ({F}, {F}) -> tensor<i1>
    %t = dcf.cond %big : tensor<i1> -> {F} then {{
      %e = stablehlo.exponential %s {{plan.device = "cpu:2"}} : {F}
      dcf.yield %e : {F}
    }} else {{
      %c = stablehlo.cosine %s : {F}
      dcf.yield %c : {F}
    }}
    %w = stablehlo.add %t, %v : {F}
    %j = stablehlo.add %i, %one : {I}
    dcf.yield %w, %j : {F}, {I}
  }} {{plan.device = "cpu:0"}}
  return %r, %k : {F}, {I}
}}"""


def test_ops_in_bodies_and_branches_run_where_they_are_placed():
    module = split(COUNT)
    assert "stablehlo.sine" in ops_on(module, "cpu:1")
    assert "stablehlo.exponential" in ops_on(module, "cpu:2")
    here = ops_on(module, "cpu:0")
    assert "stablehlo.cosine" in here
    assert "stablehlo.sine" not in here and "stablehlo.exponential" not in here
    for trips in (0, 1, 4):
        want = evaluate(ab.parse(COUNT), [i32(trips), f32(0.4)])
        same_bits(run_parts(module, i32(trips), f32(0.4)), want, f"{trips} trips")


def two(first: str, second: str) -> str:
    """Each of two devices has a value; what it does, by lines such as `send 1` and `recv 0`."""

    def lines(device: int, text: str) -> str:
        made: list[str] = []
        for line in text.split(", "):
            kind, channel = line.split()
            if kind == "send":
                made.append(f'dfg.send %x to "cpu:{1 - device}" channel {channel} : {F}')
            else:
                made.append(f'%y = dfg.recv from "cpu:{1 - device}" channel {channel} : {F}')
        return "\n    ".join(made)

    return f"""\
dfg.program @main ({F}, {F}) -> ({F}, {F}) {{
  dfg.partition on "cpu:0" (%x: {F}) -> {F} {{
    {lines(0, first)}
    dfg.fetch %y : {F}
  }}
  dfg.partition on "cpu:1" (%x: {F}) -> {F} feeds [1] fetches [1] {{
    {lines(1, second)}
    dfg.fetch %y : {F}
  }}
}}"""


def test_a_send_without_its_receive_is_reported_before_anything_runs():
    text = two("send 0, recv 1", "send 1, recv 0")
    text = text.replace(
        f'%y = dfg.recv from "cpu:0" channel 0 : {F}', "%y = stablehlo.sine %x : " + F
    )
    assert refused(text) == (
        'channel 0: expected a dfg.recv on "cpu:1" (dfg.partition at file.mlir:7:3) for this'
        ' dfg.send on "cpu:0", got none'
    )


@pytest.mark.parametrize(
    "first, second",
    [
        ("send 1, recv 0", "send 0, recv 1"),
        ("send 1, recv 0", "recv 1, send 0"),
        ("recv 0, send 1", "send 0, recv 1"),
    ],
)
def test_queues_that_send_before_they_receive_do_not_block(first: str, second: str):
    assert run_parts(ab.parse(two(first, second)), f32(1), f32(2)) == [f32(2), f32(1)]


def test_queues_that_receive_before_they_send_are_reported_before_running():
    assert refused(two("recv 0, send 1", "recv 1, send 0")) == (
        "expected no circle of devices that wait for each other, got"
        ' "cpu:0" receives channel 0 from "cpu:1" at file.mlir:3:5 before it sends channel 1 at'
        ' file.mlir:4:5; "cpu:1" receives channel 1 from "cpu:0" at file.mlir:8:5 before it sends'
        ' channel 0 at file.mlir:9:5; "cpu:0" may send channel 1 first, which does not use channel 0'
    )


SKIP = f"""
func.func @main(%x: {F}) -> {F} {{
  %f0 = stablehlo.sine %x {{plan.device = "cpu:0"}} : {F}
  %f1 = stablehlo.exponential %f0 {{plan.device = "cpu:1"}} : {F}
  %f2 = stablehlo.tanh %f1 {{plan.device = "cpu:2"}} : {F}
  %y = stablehlo.add %f2, %f0 {{plan.device = "cpu:2"}} : {F}
  return %y : {F}
}}"""


def test_a_connection_that_skips_a_device():
    module = split(SKIP)
    want = evaluate(ab.parse(SKIP), [f32(0.7)])
    same_bits(run_parts(module, f32(0.7)), want, "split")
    (program,) = module.ops
    assert isinstance(program, ProgramOp)
    ways = [(op.source.data, op.target.data) for op in program.channels]
    assert sorted(ways) == [("cpu:0", "cpu:1"), ("cpu:0", "cpu:2"), ("cpu:1", "cpu:2")]


def exchange_in_a_loop(first: str, second: str) -> str:
    """Both devices count to %n, and in every trip give each other what they have."""

    def part(device: int, lines: str) -> str:
        other = 1 - device
        body = {
            "send": f'dfg.send %v to "cpu:{other}" channel {device} : {F}',
            "recv": f'%w = dfg.recv from "cpu:{other}" channel {other} : {F}',
        }
        text = "\n      ".join(body[line] for line in lines.split())
        return f"""
  dfg.partition on "cpu:{device}" (%n: {I}, %x: {F}) -> {F} feeds [0, {device + 1}] fetches [{device}] {{
    %zero = stablehlo.constant dense<0> : {I}
    %one = stablehlo.constant dense<1> : {I}
    %r, %k = dcf.while "loop" (%v = %x, %i = %zero : {F}, {I}) cond {{
      %go = stablehlo.compare LT, %i, %n : ({I}, {I}) -> tensor<i1>
      dcf.condition %go
    }} do {{
      {text}
      %z = stablehlo.{"add" if device else "subtract"} %v, %w : {F}
      %j = stablehlo.add %i, %one : {I}
      dcf.yield %z, %j : {F}, {I}
    }}
    dfg.fetch %r : {F}
  }}"""

    return (
        f"dfg.program @main ({I}, {F}, {F}) -> ({F}, {F}) {{{part(0, first)}{part(1, second)}\n}}"
    )


@pytest.mark.parametrize("trips", [0, 1, 7])
@pytest.mark.parametrize("second", ["send recv", "recv send"])
def test_devices_that_exchange_values_in_every_trip(second: str, trips: int):
    module = ab.parse(exchange_in_a_loop("send recv", second))
    a, b = f32(3), f32(5)
    got = run_parts(module, i32(trips), a, b)
    for _ in range(trips):
        a, b = a - b, b + a
    assert [float(value) for value in got] == [float(a), float(b)]


def test_an_exchange_in_a_loop_that_cannot_start_is_refused_and_its_run_ends_in_a_report():
    text = exchange_in_a_loop("recv send", "recv send")
    message = refused(text)
    assert '"cpu:0" receives channel 1 from "cpu:1"' in message
    assert '"cpu:1" receives channel 0 from "cpu:0"' in message
    with pytest.raises(ProgramError) as caught:
        evaluate(ab.parse(text), [i32(1), f32(1), f32(2)])
    report = caught.value.message
    assert '"cpu:0" waits for channel 1 from "cpu:1" in iteration 0 of loop "loop"' in report
    assert '"cpu:1" waits for channel 0 from "cpu:0" in iteration 0 of loop "loop"' in report


TWICE = f"""
func.func @main(%n: {I}, %m: {I}) -> {I} {{
  %zero = stablehlo.constant dense<0> : {I}
  %one = stablehlo.constant dense<1> : {I}
  %r, %k = dcf.while "outer" (%v = %one, %i = %zero : {I}, {I}) cond {{
    %go = stablehlo.compare LT, %i, %n : ({I}, {I}) -> tensor<i1>
    dcf.condition %go
  }} do {{
    %s, %l = dcf.while "inner" (%u = %v, %j = %zero : {I}, {I}) cond {{
      %go = stablehlo.compare LT, %j, %m : ({I}, {I}) -> tensor<i1>
      dcf.condition %go
    }} do {{
      %d = stablehlo.add %u, %u {{plan.device = "cpu:1"}} : {I}
      %e = stablehlo.add %d, %one {{plan.device = "cpu:0"}} : {I}
      %next = stablehlo.add %j, %one : {I}
      dcf.yield %e, %next : {I}, {I}
    }}
    %next = stablehlo.add %i, %one : {I}
    dcf.yield %s, %next : {I}, {I}
  }} {{plan.device = "cpu:0"}}
  return %r : {I}
}}"""


def test_a_loop_that_is_entered_again_and_runs_that_overlap():
    module = split(TWICE)
    for n, m in ((0, 3), (1, 3), (2, 3), (3, 2), (2, 0)):
        want = evaluate(ab.parse(TWICE), [i32(n), i32(m)])
        same_bits(run_parts(module, i32(n), i32(m)), want, f"{n} times {m} trips")
    # Several runs of one program at once, of the reference and as graphs.
    compiled = ab.compile(module, fuse=False)
    results: dict[tuple[str, int], int] = {}

    def runs(n: int) -> None:
        results["reference", n] = int(evaluate(module, [i32(n), i32(3)])[0])
        results["graph", n] = int(compiled(i32(n), i32(3))[0])

    threads = [threading.Thread(target=runs, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n in range(6):
        want = int(evaluate(ab.parse(TWICE), [i32(n), i32(3)])[0])
        assert results["reference", n] == results["graph", n] == want
