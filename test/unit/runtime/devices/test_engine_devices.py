"""Programs on several devices: the same bits however they are run."""

from __future__ import annotations

import random
import threading

import numpy as np
import pytest

import anabranch as ab
from anabranch.dialects.diagnostics import ProgramError
from anabranch.runtime.stats import Stats

X = np.arange(4, dtype=np.float32)
HALF, ONE = np.float32(0.5), np.float32(1)

PROGRAMS = {
    "ring2": lambda texts: texts.ring(2),
    "ring3": lambda texts: texts.ring(3),
    "overlapping": lambda texts: texts.ring(4, state=False),
    "chain4": lambda texts: texts.one_way(4),
    "nested": lambda texts: texts.nested,
    "branches": lambda texts: texts.branches,
    "activations": lambda texts: texts.activations,
}


def expected(name, n):
    v = X
    if name in ("ring2", "ring3"):
        for _ in range(n):
            v = v * HALF
            for _ in range(int(name[-1]) - 1):
                v = v + ONE
    elif name == "overlapping":
        v = X * HALF + ONE + ONE + ONE if n else X
    elif name == "chain4":
        total = np.ones(4, np.float32)
        for _ in range(n):
            v = v * HALF
            total = total + (v + ONE + ONE)
        v = total
    elif name == "nested":
        for i in range(n):
            start = v
            for _ in range(i):
                v = v * HALF + start
            v = v + ONE
    elif name == "activations":
        for i in range(n):
            w = X
            for _ in range(i):
                w = w * HALF + ONE
            v = w + v
    else:
        for i in range(n):
            v = v * HALF + ONE if i % 3 == 1 else v - HALF
    return v


@pytest.fixture(scope="module", params=list(PROGRAMS))
def name(request):
    return request.param


@pytest.fixture(scope="module")
def module(name, texts):
    return ab.parse(PROGRAMS[name](texts))


def check(name, exe, n, **options):
    (result,) = exe.run([np.int32(n), X], deadline=60, **options)
    assert result.tobytes() == expected(name, n).tobytes()


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("window", [1, 2, 8, 32])
def test_windows(name, module, window, fuse):
    exe = ab.compile(module, parallel_iterations=window, fuse=fuse)
    for n in (0, 1, 2, 13):
        check(name, exe, n)


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("executors", [2, 3])
def test_executor_threads(name, module, executors, fuse):
    exe = ab.compile(module, executors=executors, fuse=fuse)
    for n in (0, 1, 13):
        check(name, exe, n)


def test_a_device_with_a_thread_of_its_own(name, module):
    check(name, ab.compile(module, own=["cpu:1"]), 13)


@pytest.mark.parametrize("window", [1, 3, None])
def test_any_order_of_nodes_and_messages(name, module, window):
    exe = ab.compile(module, parallel_iterations=window)
    for seed in range(20):
        rng = random.Random(seed)
        check(name, exe, 7, order=lambda ready, rng=rng: rng.randrange(len(ready)))
    check(name, exe, 7, order=lambda ready: 0)
    check(name, exe, 7, order=lambda ready: len(ready) - 1)


def test_fused_loops_in_any_order(name, module, monkeypatch):
    """The order driver with generated code, which an executable would run node by node."""
    from anabranch.runtime import device_program

    real = device_program.run_devices
    fused = []

    def run_devices(program, feeds, options):
        return real(fused[0], feeds, options)

    made = device_program.DeviceProgram

    def keep(*arguments):
        fused.insert(0, made(*arguments))
        return fused[0]

    monkeypatch.setattr(device_program, "DeviceProgram", keep)
    monkeypatch.setattr(device_program, "run_devices", run_devices)
    exe = ab.compile(module, parallel_iterations=2)
    for seed in range(10):
        rng = random.Random(seed)
        check(name, exe, 9, order=lambda ready, rng=rng: rng.randrange(len(ready)))


def test_several_runs_at_once_do_not_mix(name, module):
    exe = ab.compile(module, parallel_iterations=4)
    failed = []

    def work(n):
        try:
            for _ in range(5):
                check(name, exe, n)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in (3, 8, 21, 30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_messages_are_counted(name, module):
    stats = Stats()
    check(name, ab.compile(module), 6, stats=stats)
    trips = {"ring2": 6, "ring3": 6, "overlapping": 6, "chain4": 6, "nested": 15, "branches": 2}
    trips["activations"] = 15
    channel = 1
    assert stats.channels[channel].messages == trips[name]
    assert stats.channels[channel].bytes == 16 * trips[name]
    assert set(stats.devices) == {f"cpu:{k}" for k in range(len(stats.devices))}
    assert "cpu:1" in stats.table() and "messages" in stats.table()


def test_results_of_different_devices_go_to_their_places():
    text = """
    dfg.program @main (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
      dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<f32>
      dfg.partition on "cpu:0" (%b: tensor<f32>) -> tensor<f32> feeds [1] fetches [1] {
        %r = stablehlo.add %b, %b : tensor<f32>
        dfg.send %b to "cpu:1" channel 0 : tensor<f32>
        dfg.fetch %r : tensor<f32>
      }
      dfg.partition on "cpu:1" (%a: tensor<f32>) -> (tensor<f32>, tensor<f32>)
          feeds [0] fetches [2, 0] {
        %b = dfg.recv from "cpu:0" channel 0 : tensor<f32>
        %r = stablehlo.subtract %a, %b : tensor<f32>
        dfg.fetch %r, %a : tensor<f32>, tensor<f32>
      }
    }
    """
    exe = ab.compile(ab.parse(text))
    assert [float(r) for r in exe(np.float32(5), np.float32(2))] == [5, 4, 3]


@pytest.mark.parametrize("ship", ["", " {ship_dead}"])
def test_dead_tokens_cross_only_when_shipped(ship):
    text = f"""
    dfg.program @main (tensor<i1>, tensor<f32>) -> tensor<f32> {{
      dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<f32>
      dfg.channel 1 from "cpu:0" to "cpu:1" : tensor<i1>
      dfg.graph on "cpu:0" (%p: tensor<i1>, %x: tensor<f32>) -> () feeds [0, 1] {{
        %f, %t = dfg.switch %x, %p : tensor<f32>, tensor<i1>
        dfg.send %t to "cpu:1" channel 0{ship} : tensor<f32>
        dfg.send %p to "cpu:1" channel 1 : tensor<i1>
        dfg.fetch
      }}
      dfg.graph on "cpu:1" (%x: tensor<f32>) -> tensor<f32> feeds [1] {{
        %p = dfg.recv from "cpu:0" channel 1 : tensor<i1>
        %f, %t = dfg.switch %x, %p : tensor<f32>, tensor<i1>
        %k = dfg.token
        %kf, %kt = dfg.switch %k, %p : !dfg.token, tensor<i1>
        %r = dfg.recv from "cpu:0" channel 0 {"" if ship else "after %kt"}{ship} : tensor<f32>
        %n = stablehlo.negate %r : tensor<f32>
        %m, %index = dfg.merge %n, %f : tensor<f32>
        dfg.fetch %m : tensor<f32>
      }}
    }}
    """
    exe = ab.compile(ab.parse(text))
    for order in (None, lambda ready: 0, lambda ready: len(ready) - 1):
        assert exe.run([np.bool_(True), np.float32(3)], order=order) == [-3]
        assert exe.run([np.bool_(False), np.float32(3)], order=order) == [3]


def test_options_that_cannot_be(texts):
    module = ab.parse(texts.ring(2))
    for options in ({"executors": 0}, {"clock": "sundial"}, {"own": ["cpu:7"]}):
        with pytest.raises(ValueError, match="executors|clock|cpu:7"):
            ab.compile(module, **options)
    with pytest.raises(ValueError, match="providers: expected one of the devices cpu:0, cpu:1"):
        ab.compile(module, providers={"gpu:0": ab.Simulated()})


@pytest.mark.parametrize("option", [{"own": ["b"]}, {"memory": {"b": "1MiB"}}])
def test_options_for_a_device_that_does_nothing(option):
    """It may be one of `devices`, or of the topology."""
    text = "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"
    topology = 'plan.topology @two { plan.device "a" plan.device "b" }\n'
    assert ab.compile(ab.parse(text), devices=["a", "b"], **option)(np.float32(3)) == [3]
    assert ab.compile(ab.parse(topology + text), **option)(np.float32(3)) == [3]
    with pytest.raises(ValueError, match="expected one of the devices a, c, got 'b'"):
        ab.compile(ab.parse(text), devices=["a", "c"], **option)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('dfg.send %a to "cpu:1" channel 0 : tensor<f32>', "channel 0: expected a dfg.recv on"),
        ('%b = dfg.recv from "cpu:1" channel 0 : tensor<f32>', "channel 0: expected a dfg.send on"),
    ],
)
def test_a_channel_needs_both_ends(line, message):
    text = f"""
    dfg.program @main (tensor<f32>) -> tensor<f32> {{
      dfg.graph on "cpu:0" (%a: tensor<f32>) -> tensor<f32> {{
        {line}
        dfg.fetch %a : tensor<f32>
      }}
      dfg.graph on "cpu:1" () -> () {{
        dfg.fetch
      }}
    }}
    """
    with pytest.raises(ProgramError, match=message):
        ab.compile(ab.parse(text), verify=False)


def test_a_message_to_a_device_that_is_not_there():
    """Nor is it lost where one device runs alone."""
    text = """
    dfg.program @main (tensor<f32>) -> tensor<f32> {
      dfg.channel 0 from "cpu:0" to "cpu:1" : tensor<f32>
      dfg.graph on "cpu:0" (%a: tensor<f32>) -> tensor<f32> {
        dfg.send %a to "cpu:1" channel 0 : tensor<f32>
        dfg.fetch %a : tensor<f32>
      }
    }
    """
    message = r'expected a dfg.recv on "cpu:1" \(which has no dfg.graph\)'
    with pytest.raises(ProgramError, match=message):
        ab.compile(ab.parse(text), verify=False)


def test_activations_of_one_loop_graph_do_not_mix(texts):
    """The inner loop goes round in several iterations of the outer one at once."""
    exe = ab.compile(ab.parse(texts.activations))
    for seed in range(10):
        stats, rng = Stats(), random.Random(seed)
        (result,) = exe.run(
            [np.int32(7), X], stats=stats, order=lambda ready, rng=rng: rng.randrange(len(ready))
        )
        assert result.tobytes() == expected("activations", 7).tobytes()
        for part in stats.devices.values():
            inner = part.frames["outer", "inner"]
            assert inner.instances == 8  # the last one dead
            assert inner.live_peak > 7  # more iterations than the longest instance has


@pytest.mark.parametrize(
    "options", [{"devices": 2}, {"assign": "random:1"}, {"assign": "auto", "report_devices": True}]
)
def test_a_program_that_is_split_is_not_placed_again(texts, options):
    with pytest.raises(ProgramError, match=r"a function to place on devices, got @main as a 'dfg"):
        ab.compile(ab.parse(texts.ring(2)), **options)


def test_the_reference_runs_a_program_whole(texts):
    with pytest.raises(ValueError, match="without devices or assign"):
        ab.compile(ab.parse(texts.ring(2)), engine="reference", devices=2)
