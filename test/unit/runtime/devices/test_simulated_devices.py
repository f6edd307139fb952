"""Simulated devices: results come after declared times, on the machine's clock or one that jumps."""

from __future__ import annotations

import time

import numpy as np
import pytest
from xdsl.context import Context

import anabranch as ab
from anabranch.lowering.dcf_to_dfg_pipeline import DcfToDfgPipeline
from anabranch.runtime.costs import HEAVY, estimate
from anabranch.runtime.engine.clock import Timers, VirtualClock
from anabranch.runtime.graph import load_graph
from anabranch.runtime.stats import Stats
from anabranch.runtime.trace import Trace

X = np.arange(4, dtype=np.float32)
MULTIPLY = "stablehlo.multiply"


def devices(count, times):
    return {f"cpu:{k}": ab.Simulated(times) for k in range(count)}


def elapsed(module, trips, count, seconds=5e-3, **options):
    providers = devices(count, {MULTIPLY: seconds})
    exe = ab.compile(module, providers=providers, **{"clock": "virtual", **options})
    stats = Stats()
    results = exe.run([np.int32(trips), X], stats=stats, deadline=60)
    return stats.elapsed, results[0], stats


def test_a_ring_of_eight_serial_devices_overlaps_as_the_theory_says(texts):
    """The chain comes back to the first device within the trip, so only its window lets trips
    overlap: windows of 1, 2, 4 and 8 are that many times as fast, but for filling the ring once."""
    module = ab.parse(texts.ring(8, state=False, op=MULTIPLY))
    trips, step = 200, 5e-3
    for window in (1, 2, 4, 8):
        seconds, result, _ = elapsed(module, trips, 8, parallel_iterations=window)
        assert result.tobytes() == (X * np.float32(0.5)).tobytes()
        rounds = trips // window
        assert seconds == pytest.approx(step * (8 * rounds + (window - 1)), rel=1e-6)
    assert 8 * trips * step / seconds >= 7


def test_a_chain_overlaps_with_a_window_of_one(texts):
    """Each device has a window of its own."""
    module = ab.parse(texts.one_way(4))
    adds = {f"cpu:{k}": ab.Simulated({"stablehlo.add": 1.0}) for k in (1, 2)}
    exe = ab.compile(module, providers=adds, clock="virtual", parallel_iterations=1)
    stats = Stats()
    exe.run([np.int32(50), X], stats=stats)
    # Two adds a trip (the counter's is one) on either device; the second starts one later.
    assert 100 <= stats.elapsed <= 104


def test_state_around_the_ring_cannot_overlap(texts):
    module = ab.parse(texts.ring(4, op=MULTIPLY))
    for window in (1, 8):
        seconds, _, _ = elapsed(module, 10, 4, parallel_iterations=window)
        assert seconds == pytest.approx(10 * 4 * 5e-3)


def test_real_time_takes_as_long_as_virtual_time(texts):
    module = ab.parse(texts.ring(4, state=False, op=MULTIPLY))
    virtual, result, _ = elapsed(module, 8, 4, 0.01)
    before = time.perf_counter()
    real, same, _ = elapsed(module, 8, 4, 0.01, clock="real")
    assert time.perf_counter() - before >= real >= virtual > 0.1
    assert result.tobytes() == same.tobytes()


def test_virtual_time_takes_no_time(texts):
    before = time.perf_counter()
    seconds, _, stats = elapsed(ab.parse(texts.ring(2, op=MULTIPLY)), 3, 2, 3600.0)
    assert seconds == 6 * 3600 == stats.seconds
    assert time.perf_counter() - before < 60


def test_an_op_takes_the_default_time_unless_named(texts):
    module = ab.parse(texts.ring(2))
    exe = ab.compile(
        module,
        clock="virtual",
        fuse=False,
        providers={"cpu:0": ab.Simulated({MULTIPLY: 2.0, "stablehlo.compare": 0.0}, default=0.5)},
    )
    stats = Stats()
    exe.run([np.int32(4), X], stats=stats)
    assert stats.devices["cpu:0"].seconds == 4 * (2.0 + 0.5)
    assert stats.devices["cpu:1"].seconds == 0


def test_one_simulated_device_alone():
    module = ab.parse(
        """
        func.func @main(%a: tensor<f32>) -> tensor<f32> {
          %b = stablehlo.multiply %a, %a : tensor<f32>
          %c = stablehlo.multiply %a, %b : tensor<f32>
          %d = stablehlo.multiply %a, %a : tensor<f32>
          %e = stablehlo.add %c, %d : tensor<f32>
          return %e : tensor<f32>
        }
        """
    )
    exe = ab.compile(module, providers=devices(1, {MULTIPLY: 1.0}), clock="virtual")
    stats = Stats()
    assert exe.run([np.float32(2)], stats=stats) == [12]
    assert stats.elapsed == 3  # one at a time


def test_a_trace_shows_virtual_time(texts):
    trace = Trace()
    exe = ab.compile(
        ab.parse(texts.ring(2, op=MULTIPLY)), providers=devices(2, {MULTIPLY: 1.0}), clock="virtual"
    )
    exe.run([np.int32(2), X], trace=trace)
    events = trace.events()
    slices = [e for e in events if e["ph"] == "X" and e["name"] == MULTIPLY and e["dur"]]
    assert sorted((e["ts"], e["dur"]) for e in slices) == [(k * 1e6, 1e6) for k in range(4)]
    starts = {e["id"] for e in events if e["ph"] == "s"}
    ends = {e["id"] for e in events if e["ph"] == "f"}
    assert starts == ends and len(starts) == 5
    names = {e["args"]["name"] for e in events if e["name"] == "process_name"}
    assert names == {"cpu:0", "cpu:1"}


def test_an_error_on_a_simulated_device_is_told():
    module = ab.parse(
        """
        func.func @main(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
          %s = dcf.stack_new : !dcf.stack<tensor<i32>>
          %t, %c = dcf.stack_pop %s : !dcf.stack<tensor<i32>>
          return %c : tensor<i32>
        }
        """
    )
    exe = ab.compile(module, providers={"cpu:0": ab.Simulated(default=1.0)}, clock="virtual")
    with pytest.raises(ab.ProgramError, match="dcf.stack_pop on cpu:0"):
        exe(np.int32(1), np.int32(2))


ADD = "stablehlo.add"


@pytest.mark.parametrize("times", [{ADD: -1.0}, {ADD: float("inf")}, {ADD: float("nan")}])
def test_times_that_cannot_be(times):
    with pytest.raises(ValueError, match="stablehlo.add: expected seconds of at least 0"):
        ab.Simulated(times)


def test_times_of_ops_that_do_not_exist():
    with pytest.raises(ValueError, match="an op of stablehlo, got .*mean 'stablehlo.multiply'"):
        ab.Simulated({"stablehlo.multply": 1.0})
    with pytest.raises(ValueError, match="such as .*mean 'stablehlo.multiply'"):
        ab.Simulated({"multiply": 1.0})
    with pytest.raises(ValueError, match='expected the name of an op such as .*, got "gpu.add"$'):
        ab.Simulated({"gpu.add": 1.0})


def test_timers_fire_in_order_of_their_time_then_of_setting():
    timers, clock, fired = Timers(), VirtualClock(), []
    for due, name in ((2.0, "b"), (1.0, "a"), (2.0, "c"), (5.0, "d")):
        timers.set(due, lambda name=name: fired.append(name))
    clock.jump(timers.due)
    assert clock.now() == 1 and timers.fire(clock.now()) == 1
    clock.jump(2.0)
    clock.jump(1.5)
    assert clock.now() == 2 and timers.fire(clock.now()) == 2
    assert fired == ["a", "b", "c"] and timers.heap


@pytest.mark.parametrize(
    ("op", "result", "heavy"),
    [
        ("dot_general %a, %b, contracting_dims = [1] x [0] : (A, B) -> C", "C", True),
        ("tanh %a : A", "A", True),
        ("add %a, %a : A", "A", False),
        ("reshape %a : (A) -> tensor<60000xf32>", "tensor<60000xf32>", False),
    ],
)
def test_estimates(op, result, heavy):
    text = f"""
    func.func @main(%a: A, %b: B) -> {result} {{
      %r = stablehlo.{op}
      return %r : {result}
    }}
    """
    for letter, shape in (("A", "300x200"), ("B", "200x400"), ("C", "300x400")):
        text = text.replace(letter, f"tensor<{shape}xf32>")
    module = ab.parse(text)
    DcfToDfgPipeline().apply(Context(), module)
    (program,) = module.body.block.ops
    graph = load_graph(program.graphs[0], module)
    (node,) = (n for n in graph.nodes if n.name.startswith("stablehlo."))
    assert (estimate(graph, node) >= HEAVY) == heavy


def test_a_topology_says_what_devices_and_links_are(texts):
    """A ring of two that multiply for 5 s each; each message takes a second and 16 bytes at
    8 bytes a second, the way back nothing."""
    topology = """
    plan.topology @pair {
      plan.device "cpu:0" {kind = "sim", times = {stablehlo.multiply = "5s"}}
      plan.device "cpu:1" {kind = "sim", times = {stablehlo.multiply = "5s", default = "0s"}}
      plan.link "cpu:0" to "cpu:1" {latency = "1s", bandwidth = "8B/s"}
      plan.link "cpu:1" to "cpu:0" {}
    }
    """
    exe = ab.compile(ab.parse(topology + texts.ring(2, op=MULTIPLY)), clock="virtual")
    stats = Stats()
    exe.run([np.int32(3), X], stats=stats, deadline=60)
    assert stats.elapsed == 3 * (5 + 3 + 5)  # the number of trips came before the first
    order = ab.compile(ab.parse(topology + texts.ring(2, op=MULTIPLY)))
    order.run([np.int32(3), X], order=lambda ready: 0)


def test_messages_over_one_link_wait_for_each_other(texts):
    topology = """
    plan.topology @pair {
      plan.device "cpu:0" {kind = "sim"}
      plan.device "cpu:1" {thread = "own"}
      plan.link "cpu:0" to "cpu:1" {bandwidth = "16B/s"}
    }
    """
    exe = ab.compile(ab.parse(topology + texts.one_way(2)), clock="virtual")
    stats = Stats()
    exe.run([np.int32(7), X], stats=stats, deadline=60)
    assert stats.elapsed == 7 + 4 / 16


SIMULATED = """
plan.topology @m {
  plan.device "cpu:0" {memory = "64MiB"}
  plan.device "cpu:1" {kind = "sim", times = {stablehlo.sine = "3s"}}
}
func.func @main(%a: tensor<4xf32> {plan.device = "cpu:1"}) -> (tensor<4xf32> {plan.device = "cpu:0"}) {
  %b = stablehlo.sine %a {plan.device = "cpu:1"} : tensor<4xf32>
  return %b : tensor<4xf32>
}
"""


def test_a_budget_for_every_device_leaves_simulated_ones_as_they_are():
    executable = ab.compile(ab.parse(SIMULATED), clock="virtual", memory="1MiB")
    stats = Stats()
    executable.run([X], stats=stats)
    assert stats.elapsed >= 3
    assert stats.devices["cpu:0"].memory is not None
    assert stats.devices["cpu:1"].memory is None


@pytest.mark.parametrize("by_topology", [True, False])
def test_a_simulated_device_has_no_budget(by_topology):
    message = "memory: expected a device that is not simulated, got cpu:1"
    with pytest.raises(ValueError, match=message):
        if by_topology:
            ab.compile(ab.parse(SIMULATED), memory={"cpu:1": "1MiB"})
        else:
            text = SIMULATED[SIMULATED.index("func.func") :]
            providers = {"cpu:1": ab.Simulated({"stablehlo.sine": 1.0})}
            ab.compile(ab.parse(text), providers=providers, memory={"cpu:1": "1MiB"})
