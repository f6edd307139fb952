"""Behaviours 31 and 32, and what users of other systems met on several devices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import anabranch as ab
from anabranch.dialects.dfg import ProgramOp
from anabranch.dialects.diagnostics import ProgramError
from anabranch.lowering.device_pipeline import DevicePipeline
from anabranch.lowering.gradient_pipeline import with_gradient
from anabranch.runtime.stats import Stats

i32 = np.int32
f32 = np.float32

SWITCHING_LOOP = """
func.func @main(%n: tensor<i32>, %x: tensor<f32> {plan.device = "cpu:0"}, %w: tensor<f32> {plan.device = "cpu:2"})
    -> (tensor<f32> {plan.device = "cpu:0"}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %i, %r = dcf.while "loop" (%k = %zero, %v = %x : tensor<i32>, tensor<f32>) cond {
    %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %go
  } do {
    %big = stablehlo.compare GT, %v, %two {plan.device = "cpu:0"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y = dcf.cond %big : tensor<i1> -> tensor<f32> then {
      %a = stablehlo.divide %v, %two {plan.device = "cpu:1"} : tensor<f32>
      dcf.yield %a : tensor<f32>
    } else {
      %b = stablehlo.multiply %v, %w {plan.device = "cpu:2"} : tensor<f32>
      dcf.yield %b : tensor<f32>
    }
    %j = stablehlo.add %k, %one : tensor<i32>
    dcf.yield %j, %y : tensor<i32>, tensor<f32>
  }
  return %r : tensor<f32>
}
"""


def on_devices(module: Any, function: str = "main", **options: Any) -> ab.Executable:
    return ab.compile(
        module, function=function, pipeline=[DevicePipeline(function=function)], **options
    )


def program_of(text: str) -> ProgramOp:
    """The dataflow program that a text becomes."""
    module = ab.parse(text)
    DevicePipeline().apply(None, module)  # pyright: ignore[reportArgumentType]
    (program,) = [op for op in module.body.block.ops if isinstance(op, ProgramOp)]
    return program


def ops_of(program: ProgramOp) -> dict[str, list[str]]:
    """The names of the ops of each device."""
    return {graph.device.data: [op.name for op in graph.body.block.ops] for graph in program.graphs}


@pytest.mark.parametrize("executors", [1, 2])
@pytest.mark.parametrize("window", [1, 2, 32])
def test_behaviour_31_body_branches_and_gradient_on_other_devices(window: int, executors: int):
    """A loop whose predicate, branches and gradient sit on three devices: sends and receives
    inside frames and branches."""
    module = ab.parse(SWITCHING_LOOP)
    arguments = [i32(9), f32(1.5), f32(1.75)]
    (want,) = ab.compile(module, engine="reference")(*arguments)
    (got,) = on_devices(module, parallel_iterations=window, executors=executors)(*arguments)
    assert got.tobytes() == want.tobytes()
    gradient, name = with_gradient(module)
    want_all = ab.compile(gradient, function=name)(*arguments)
    got_all = on_devices(gradient, name, parallel_iterations=window, executors=executors)(
        *arguments
    )
    assert [g.tobytes() for g in got_all] == [w.tobytes() for w in want_all]


def test_behaviour_32_edges_into_and_out_of_a_loop_are_cut():
    """All of the loop on one device, all around it on another: what enters and exits travels."""
    text = """
    func.func @main(%n: tensor<i32> {plan.device = "cpu:0"}, %x: tensor<4xf32> {plan.device = "cpu:0"})
        -> (tensor<4xf32> {plan.device = "cpu:0"}) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %y = stablehlo.cosine %x {plan.device = "cpu:0"} : tensor<4xf32>
      %i, %r = dcf.while "loop" (%k = %zero, %v = %y : tensor<i32>, tensor<4xf32>) cond {
        %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        dcf.condition %go
      } do {
        %w = stablehlo.sine %v : tensor<4xf32>
        %j = stablehlo.add %k, %one : tensor<i32>
        dcf.yield %j, %w : tensor<i32>, tensor<4xf32>
      } {plan.device = "cpu:1"}
      %z = stablehlo.tanh %r {plan.device = "cpu:0"} : tensor<4xf32>
      return %z : tensor<4xf32>
    }
    """
    ops = ops_of(program_of(text))
    assert "dfg.enter" not in ops["cpu:0"]
    assert "dfg.enter" in ops["cpu:1"]
    assert ops["cpu:0"].count("dfg.send") == ops["cpu:1"].count("dfg.recv") == 2
    assert ops["cpu:1"].count("dfg.send") == ops["cpu:0"].count("dfg.recv") == 1
    x = np.linspace(-1, 1, 4, dtype=f32)
    for trips in (0, 1, 100):
        (want,) = ab.compile(ab.parse(text), engine="reference")(i32(trips), x)
        (got,) = on_devices(ab.parse(text))(i32(trips), x)
        assert got.tobytes() == want.tobytes()


def test_an_op_in_a_body_runs_on_the_device_it_was_placed_on():
    """TensorFlow ignored the devices of ops in loop bodies and branches."""
    ops = ops_of(program_of(SWITCHING_LOOP))
    assert [device for device in ops if "stablehlo.divide" in ops[device]] == ["cpu:1"]
    assert [device for device in ops if "stablehlo.multiply" in ops[device]] == ["cpu:2"]


NEST = """
func.func @main(%n: tensor<i32>, %m: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %i, %total = dcf.while "outer" (%k = %zero, %sum = %zero : tensor<i32>, tensor<i32>) cond {
    %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %go
  } do {
    %j, %inner = dcf.while "inner" (%l = %zero, %s = %sum : tensor<i32>, tensor<i32>) cond {
      %more = stablehlo.compare LT, %l, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %more
    } do {
      %t = stablehlo.add %s, %one : tensor<i32>
      %l1 = stablehlo.add %l, %one : tensor<i32>
      dcf.yield %l1, %t : tensor<i32>, tensor<i32>
    }
    %k1 = stablehlo.add %k, %one : tensor<i32>
    dcf.yield %k1, %inner : tensor<i32>, tensor<i32>
  }
  return %total : tensor<i32>
}
"""


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("executors", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_nested_counters_end_under_every_executor(seed: int, executors: int, fuse: bool):
    names = ("cpu:0", "cpu:1", "cpu:2")
    pipeline = [DevicePipeline(devices=names, random=seed)]
    run = ab.compile(ab.parse(NEST), pipeline=pipeline, executors=executors, fuse=fuse)
    assert run.run([i32(3), i32(4)], deadline=30) == [12]


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("executors", [1, 2])
def test_a_loop_that_never_ends_is_named_when_the_deadline_passes(executors: int, fuse: bool):
    """`i = i + i` from 0: other systems look hung."""
    text = """
    func.func @main(%n: tensor<i32> {plan.device = "cpu:0"}, %x: tensor<2xf32> {plan.device = "cpu:1"})
        -> (tensor<i32> {plan.device = "cpu:0"}, tensor<2xf32> {plan.device = "cpu:1"}) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %i, %r = dcf.while "doubling" (%k = %zero, %v = %x : tensor<i32>, tensor<2xf32>) cond {
        %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        dcf.condition %go
      } do {
        %j = stablehlo.add %k, %k : tensor<i32>
        %w = stablehlo.sine %v {plan.device = "cpu:1"} : tensor<2xf32>
        dcf.yield %j, %w : tensor<i32>, tensor<2xf32>
      }
      return %i, %r : tensor<i32>, tensor<2xf32>
    }
    """
    run = on_devices(ab.parse(text), executors=executors, fuse=fuse)
    arguments = [i32(5), np.ones(2, f32)]
    with pytest.raises(ProgramError, match=r'deadline of 0\.3 s passed.*loop "doubling"'):
        run.run(arguments, deadline=0.3)
    # The executable stays usable.
    assert run.run([i32(0), np.ones(2, f32)], deadline=10)[0] == 0


@pytest.mark.parametrize("window", [1, 2, 10, 4000])
def test_thousands_of_trips_over_devices_for_every_window(window: int):
    """3500 trips that read rows on one device and sum them on another."""
    text = """
    func.func @main(%rows: tensor<3500x4xf32> {plan.device = "cpu:0"}) -> (tensor<1x4xf32> {plan.device = "cpu:1"}) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %n = stablehlo.constant dense<3500> : tensor<i32>
      %none = stablehlo.constant dense<0.0> : tensor<1x4xf32>
      %i, %r = dcf.while "sum" (%k = %zero, %v = %none : tensor<i32>, tensor<1x4xf32>) cond {
        %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        dcf.condition %go
      } do {
        %row = stablehlo.dynamic_slice %rows, %k, %zero, sizes = [1, 4] {plan.device = "cpu:0"}
          : (tensor<3500x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
        %w = stablehlo.add %v, %row {plan.device = "cpu:1"} : tensor<1x4xf32>
        %j = stablehlo.add %k, %one : tensor<i32>
        dcf.yield %j, %w : tensor<i32>, tensor<1x4xf32>
      }
      return %r : tensor<1x4xf32>
    }
    """
    rows = np.random.default_rng(0).standard_normal((3500, 4)).astype(f32)
    want = np.zeros((1, 4), f32)
    for row in rows:
        want = want + row
    for fuse in (True, False):
        run = on_devices(ab.parse(text), parallel_iterations=window, fuse=fuse)
        assert run.run([rows], deadline=60)[0].tobytes() == want.tobytes()


def test_a_window_of_none_is_refused():
    with pytest.raises(ValueError, match="parallel_iterations must be at least 1, got 0"):
        on_devices(ab.parse(SWITCHING_LOOP), parallel_iterations=0)


@pytest.mark.parametrize("devices", [2, 3, 5])
def test_a_predicate_on_data_costs_a_message_per_other_device_and_evaluation(devices: int):
    """Its owner tells each other device, the last, false one included; a counter costs nothing."""
    carries = range(devices)
    vector = "tensor<2xf32>"
    place = [f'{{plan.device = "cpu:{k}"}}' for k in carries]
    text = f"""
    func.func @main({", ".join(f"%x{k}: {vector} {place[k]}" for k in carries)})
        -> ({", ".join(f"{vector} {place[k]}" for k in carries)}) {{
      %small = stablehlo.constant dense<0.1> : {vector}
      {", ".join(f"%r{k}" for k in carries)} = dcf.while "loop"
          ({", ".join(f"%v{k} = %x{k}" for k in carries)} : {", ".join([vector] * devices)}) cond {{
        %first = stablehlo.slice %v0 [0:1] {place[0]} : ({vector}) -> tensor<1xf32>
        %s = stablehlo.reshape %first {place[0]} : (tensor<1xf32>) -> tensor<f32>
        %half = stablehlo.constant dense<0.5> : tensor<f32>
        %go = stablehlo.compare GT, %s, %half {place[0]} : (tensor<f32>, tensor<f32>) -> tensor<i1>
        dcf.condition %go
      }} do {{
        {chr(10).join(f"%w{k} = stablehlo.subtract %v{k}, %small {place[k]} : {vector}" for k in carries)}
        dcf.yield {", ".join(f"%w{k}" for k in carries)} : {", ".join([vector] * devices)}
      }}
      return {", ".join(f"%r{k}" for k in carries)} : {", ".join([vector] * devices)}
    }}
    """
    stats = Stats()
    on_devices(ab.parse(text)).run([np.full(2, 1.55, f32)] * devices, stats=stats)
    trips = 11  # 1.55, 1.45, …, 0.55 are above a half
    sent = sum(channel.messages for channel in stats.channels.values())
    assert sent == (trips + 1) * (devices - 1)
