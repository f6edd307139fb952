"""Runs with memory budgets: the same bits, within the budget, whatever the window."""

from __future__ import annotations

import gc
import os
import threading
import tracemalloc

import numpy as np
import pytest

import anabranch as ab
from anabranch.dialects.diagnostics import ProgramError, position_of
from anabranch.lowering.gradient_pipeline import with_gradient
from anabranch.runtime.reports import RunError
from anabranch.runtime.stats import Stats

WINDOWS = [1, 8, 32]
KIB = 1024
# Residuals of 2 × 120 values (960 KiB); of 16 + 16 + 120 + 80 or so.
TRIPS = {"flat": 120, "nested": 16}
BUDGET = {"flat": 80 * KIB, "nested": 60 * KIB}


@pytest.fixture(scope="module")
def expected(programs):
    return {
        name: ab.compile(module, function=function)(np.int32(TRIPS[name]), programs.x)
        for name, (module, function) in programs.gradients.items()
    }


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("name", ["flat", "nested"])
def test_residuals_of_ten_budgets_on_one_device(programs, expected, name, window):
    module, function = programs.gradients[name]
    exe = ab.compile(module, function=function, memory=BUDGET[name], parallel_iterations=window)
    results, memory = programs.run(exe, TRIPS[name], programs.x)
    (memory,) = memory.values()
    assert programs.same(results, expected[name])
    assert memory.peak <= memory.budget == BUDGET[name]
    assert memory.unswapped >= 10 * memory.budget
    assert memory.bytes_out > 8 * memory.budget and memory.bytes_in >= memory.bytes_out
    assert memory.stored <= memory.bytes_out
    # And without anybody who watches.
    assert programs.same(exe(np.int32(TRIPS[name]), programs.x), expected[name])


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("name", ["flat", "nested"])
@pytest.mark.parametrize("executors", [1, 2])
@pytest.mark.parametrize("seed", [1, 6])
def test_two_devices(programs, expected, name, window, executors, seed):
    module, function = programs.gradients[name]
    exe = ab.compile(
        module,
        function=function,
        memory={"cpu:0": "64KiB", "cpu:1": "64KiB"},
        parallel_iterations=window,
        devices=2,
        assign=f"random:{seed}",
        executors=executors,
    )
    results, memory = programs.run(exe, TRIPS[name], programs.x)
    assert programs.same(results, expected[name])
    assert all(one.peak <= 64 * KIB for one in memory.values())
    assert sum(one.unswapped for one in memory.values()) > 5 * 2 * 64 * KIB
    assert programs.same(exe(np.int32(TRIPS[name]), programs.x), expected[name])


@pytest.mark.parametrize("budget", [{"cpu:0": "64KiB"}, {"cpu:1": "64KiB"}])
@pytest.mark.parametrize("seed", [2, 4])
def test_a_budget_beside_a_device_without_one(programs, expected, budget, seed):
    module, function = programs.gradients["flat"]
    exe = ab.compile(module, function=function, memory=budget, devices=2, assign=f"random:{seed}")
    assert programs.same(exe(np.int32(TRIPS["flat"]), programs.x), expected["flat"])
    results, memory = programs.run(exe, TRIPS["flat"], programs.x)
    assert programs.same(results, expected["flat"])
    assert {name for name, one in memory.items() if one is not None} == set(budget)


@pytest.mark.parametrize("devices", [None, 2])
@pytest.mark.parametrize("seed", range(3))
def test_any_order_of_firing(programs, expected, devices, seed):
    module, function = programs.gradients["nested"]
    draw = np.random.default_rng(seed)
    placing = {} if devices is None else {"devices": devices, "assign": "random:1"}
    exe = ab.compile(module, function=function, memory="64KiB", parallel_iterations=4, **placing)
    results, memory = programs.run(
        exe, 12, programs.x, order=lambda ready: int(draw.integers(len(ready)))
    )
    plain = ab.compile(module, function=function)(np.int32(12), programs.x)
    assert programs.same(results, plain)
    assert all(one.peak <= one.budget for one in memory.values())


def test_the_heap_stays_within_the_budget_too():
    wide = "tensor<128x128xf32>"
    text = f"""
    func.func @main(%n: tensor<i32>, %x: {wide}) -> tensor<f32> {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %r:2 = dcf.while (%i = %zero, %v = %x : tensor<i32>, {wide}) cond {{
        %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        dcf.condition %go
      }} do {{
        %j = stablehlo.add %i, %one : tensor<i32>
        %w = stablehlo.sine %v : {wide}
        dcf.yield %j, %w : tensor<i32>, {wide}
      }}
      %s = stablehlo.reduce(%r#1 init: %z) applies stablehlo.add across dimensions = [0, 1]
        : ({wide}, tensor<f32>) -> tensor<f32>
      func.return %s : tensor<f32>
    }}"""
    module, function = with_gradient(ab.parse(text))
    x = np.ones((128, 128), np.float32)
    exe = ab.compile(module, function=function, memory="1MiB")
    exe(np.int32(3), x)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    exe(np.int32(200), x)
    peak = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    # 12.5 MiB of residuals; boxes and frames take some memory of their own.
    assert peak < 1.5 * 2**20


def test_small_values_are_not_swapped_and_swapping_can_be_off(programs, expected):
    module, function = programs.gradients["flat"]
    for budget in (
        ab.MemoryBudget("80KiB", swap=False),
        ab.MemoryBudget("80KiB", threshold=programs.value + 1),
    ):
        exe = ab.compile(module, function=function, memory=budget)
        with pytest.raises(RunError, match="memory budget of 80KiB"):
            programs.run(exe, TRIPS["flat"], programs.x)
        results, memory = programs.run(exe, 4, programs.x)
        assert memory["cpu:0"].values_out == 0
        assert programs.same(
            results, ab.compile(module, function=function)(np.int32(4), programs.x)
        )


def test_a_budget_that_is_large_enough_changes_nothing(programs, expected):
    module, function = programs.gradients["flat"]
    results, memory = programs.run(
        ab.compile(module, function=function, memory="1GiB"), TRIPS["flat"], programs.x
    )
    assert programs.same(results, expected["flat"])
    one = memory["cpu:0"]
    assert one.values_out == one.values_in == one.held_back == one.stored == 0
    assert one.peak == one.unswapped > 900 * KIB


@pytest.mark.parametrize("ahead", [0, 1, 4])
@pytest.mark.parametrize("levels", [(1.0, 1.0), (0.1, 0.1)])
def test_thresholds_do_not_change_results(programs, expected, ahead, levels):
    module, function = programs.gradients["flat"]
    budget = ab.MemoryBudget("80KiB", ahead=ahead, high=levels[0], low=levels[1])
    results, memory = programs.run(
        ab.compile(module, function=function, memory=budget), TRIPS["flat"], programs.x
    )
    assert programs.same(results, expected["flat"])
    assert memory["cpu:0"].peak <= 80 * KIB
    if not ahead:
        assert memory["cpu:0"].waits == memory["cpu:0"].values_in


@pytest.mark.parametrize("window", WINDOWS)
def test_too_small_for_one_op(programs, expected, window):
    module, function = programs.gradients["flat"]
    exe = ab.compile(module, function=function, memory="20KiB", parallel_iterations=window)
    with pytest.raises(RunError) as caught:
        programs.run(exe, TRIPS["flat"], programs.x)
    error = caught.value
    assert error.device == "cpu:0" and position_of(error.location) is not None
    assert 'on cpu:0 in iteration 1 of "steps' in error.message
    assert "needs 4KiB more than the" in error.message
    assert "of the memory budget of 20KiB; largest holders: " in error.message
    assert "arguments: 1 value, 4KiB" in error.message and "stacks of loop" in error.message
    # It stays usable.
    results = exe(np.int32(0), programs.x)
    assert programs.same(results, ab.compile(module, function=function)(np.int32(0), programs.x))


def test_too_small_for_what_is_there_from_the_start(programs):
    module, function = programs.gradients["flat"]
    budget = programs.x.nbytes - 1
    exe = ab.compile(module, function=function, memory=budget)
    message = rf"arguments and constants take \d+B, more than the memory budget of {budget}B"
    with pytest.raises(RunError, match=message):
        exe(np.int32(3), programs.x)


@pytest.mark.parametrize("executors", [1, 2])
def test_too_small_on_one_of_two_devices(programs, executors):
    module, function = programs.gradients["flat"]
    exe = ab.compile(
        module,
        function=function,
        memory={"cpu:1": "12KiB"},
        devices=2,
        assign="random:1",
        executors=executors,
    )
    with pytest.raises(RunError, match="on cpu:1.*memory budget of 12KiB") as caught:
        exe.run([np.int32(50), programs.x], deadline=60)
    assert caught.value.device == "cpu:1"


def open_files() -> list[str]:
    names = (f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd"))
    links = [os.readlink(name) for name in names if os.path.exists(name) or os.path.islink(name)]
    return [link for link in links if "deleted" in link or "/tmp" in link]


def files_in(folder) -> list[str]:
    return [name for name in os.listdir(folder)]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
def test_the_temporary_file_goes_also_after_errors(programs, tmp_path, monkeypatch):
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    module, function = programs.gradients["flat"]
    before = open_files()
    exe = ab.compile(module, function=function, memory="80KiB")
    exe(np.int32(100), programs.x)
    assert open_files() == before and not files_in(tmp_path)

    calls = 0

    def interrupted(fired: int, position: str) -> None:
        nonlocal calls
        calls += 1
        raise KeyboardInterrupt

    with pytest.raises(ProgramError, match="deadline"):
        exe.run([np.int32(100_000), programs.x], deadline=0.5)
    assert open_files() == before and not files_in(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        exe.run([np.int32(100_000), programs.x], progress=interrupted)
    assert calls == 1 and open_files() == before and not files_in(tmp_path)


def test_a_store_that_fails_ends_the_run(programs, monkeypatch):
    from anabranch.runtime import host_store

    def full(descriptor, buffer, offset):
        raise OSError(28, "No space left on device")

    module, function = programs.gradients["flat"]
    exe = ab.compile(module, function=function, memory="80KiB")
    with monkeypatch.context() as patch:
        patch.setattr(host_store, "_write", full)
        with pytest.raises(ProgramError, match="host store failed.*No space left"):
            exe.run([np.int32(100), programs.x], deadline=60)
    exe(np.int32(100), programs.x)


def test_runs_at_once_do_not_mix(programs):
    module, function = programs.gradients["nested"]
    plain = ab.compile(module, function=function)
    exe = ab.compile(module, function=function, memory="64KiB", devices=2, assign="random:6")
    inputs = [programs.x * np.float32(scale) for scale in (1, 0.5, -1)]
    expected = [plain(np.int32(14), x) for x in inputs]
    got: list = [None] * len(inputs)

    def work(number: int) -> None:
        got[number] = programs.run(exe, 14, inputs[number])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(inputs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for (results, memory), want in zip(got, expected):
        assert programs.same(results, want)
        assert all(one.peak <= 64 * KIB for one in memory.values())


def test_stats_tell_it(programs):
    module, function = programs.gradients["flat"]
    stats = Stats()
    exe = ab.compile(module, function=function, memory="80KiB")
    exe.run([np.int32(100), programs.x], stats=stats)
    lines = stats.table().splitlines()
    titles = next(line for line in lines if "unswapped" in line).split()
    assert titles == "device budget peak unswapped held back waits store".split()
    assert any(line.split()[:2] == ["cpu:0", "81,920"] for line in lines)
    assert any("values out" in line for line in lines)


def test_budgets_of_a_topology(programs):
    topology = 'plan.topology @one { plan.device "cpu:0" {memory = "20KiB"} }\n'
    module, function = with_gradient(ab.parse(topology + programs.flat))
    with pytest.raises(RunError, match="memory budget of 20KiB"):
        ab.compile(module, function=function)(np.int32(50), programs.x)
    ab.compile(module, function=function, memory={"cpu:0": "1MiB"})(np.int32(50), programs.x)


@pytest.mark.parametrize(
    ("memory", "message"),
    [
        ("much", 'expected an amount of memory such as "64MiB"'),
        (0, "expected a memory budget of at least 1 byte, got 0"),
        ({"cpu:7": "1MiB"}, "memory: expected one of the devices cpu:0, got 'cpu:7'"),
    ],
)
def test_budgets_that_are_none(programs, memory, message):
    module, function = programs.gradients["flat"]
    with pytest.raises(ValueError, match=message):
        ab.compile(module, function=function, memory=memory)
