"""What callers of `ab.compile` and of executables give: amounts as text, and what is of a wrong type."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import anabranch as ab

ADD = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.add %x, %x : tensor<f32>
  return %y : tensor<f32>
}"""
ENDLESS = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %go = stablehlo.constant dense<true> : tensor<i1>
  %y = stablehlo.while(%v = %x) : tensor<f32>
   cond {
    stablehlo.return %go : tensor<i1>
  } do {
    %w = stablehlo.negate %v : tensor<f32>
    stablehlo.return %w : tensor<f32>
  }
  return %y : tensor<f32>
}"""


def add(**options: Any) -> ab.Executable:
    return ab.compile(ab.parse(ADD), **options)


@pytest.mark.parametrize(
    ("module", "got"), [("program.mlir", "str"), (lambda x: x, "function"), (None, "NoneType")]
)
def test_only_modules_are_compiled(module: Any, got: str):
    message = f"expected a module, as ab.parse or ab.from_jax make, got a {got}"
    with pytest.raises(TypeError, match=message):
        ab.compile(module)


@pytest.mark.parametrize("devices", [1.5, ["cpu:0", 1], {"cpu:0": 1, 2: 3}])
def test_devices_are_a_number_or_names(devices: Any):
    with pytest.raises(TypeError, match="expected a number of devices or a list of names, got"):
        add(devices=devices)


@pytest.mark.parametrize("deadline", [0, -1, float("nan"), np.float32(0)])
@pytest.mark.parametrize("engine", ["local", "reference"])
def test_deadlines_are_above_zero(deadline: Any, engine: Any):
    with pytest.raises(ValueError, match=f"expected a deadline above 0 seconds, got {deadline}"):
        add(engine=engine).run([np.float32(1)], deadline=deadline)


def test_deadlines_are_numbers():
    exe = add()
    for deadline in ("soon", [1]):
        with pytest.raises(TypeError, match="expected a deadline in seconds, got"):
            exe.run([np.float32(1)], deadline=deadline)  # pyright: ignore[reportArgumentType]
    for deadline in (10, np.float32(10), float("inf")):
        assert exe.run([np.float32(1)], deadline=deadline)[0] == 2  # pyright: ignore[reportArgumentType]
    with pytest.raises(ab.ProgramError, match="deadline of 0.2 s passed"):
        ab.compile(ab.parse(ENDLESS)).run([np.float32(1)], deadline=0.2)


def test_providers_are_providers():
    for providers in ({"cpu:0": 5}, {"cpu:0": ab.Simulated}):
        with pytest.raises(TypeError, match=r"a provider such as ab.Simulated\(…\) for 'cpu:0'"):
            add(providers=providers)
    with pytest.raises(TypeError, match="expected providers by device, as a dict, got "):
        add(providers=[ab.Simulated()])


def test_times_as_text():
    from anabranch.runtime.stats import Stats

    for time in ("5ms", 5e-3, np.float64(5e-3), "0.005 s"):
        stats = Stats()
        exe = add(providers={"cpu:0": ab.Simulated({"stablehlo.add": time})}, clock="virtual")
        assert exe.run([np.float32(1)], stats=stats) == [2]
        assert stats.elapsed == pytest.approx(5e-3)
    assert ab.Simulated(default="2us").default == pytest.approx(2e-6)


@pytest.mark.parametrize("time", [None, [1.0], {"s": 1}, 1j])
def test_times_are_numbers_or_text(time: Any):
    with pytest.raises(TypeError, match='stablehlo.add: expected a time .* such as "5ms", got '):
        ab.Simulated({"stablehlo.add": time})
    with pytest.raises(TypeError, match='default: expected a time .* such as "5ms", got '):
        ab.Simulated(default=time)


@pytest.mark.parametrize("time", ["5", "fast", "5 m", "-5ms"])
def test_text_that_is_no_time(time: str):
    with pytest.raises(ValueError, match='stablehlo.add: expected a time such as "5us"'):
        ab.Simulated({"stablehlo.add": time})


def test_times_are_by_op():
    for times in (5e-3, {5: 5e-3}):
        with pytest.raises(TypeError, match="expected (times by the names of ops|the name of an)"):
            ab.Simulated(times)  # pyright: ignore[reportArgumentType]


def test_a_threshold_as_text():
    assert ab.MemoryBudget("1MiB", threshold="1KiB").threshold == 1024
    assert ab.MemoryBudget(2**20, threshold=np.int64(7)).threshold == 7  # pyright: ignore[reportArgumentType]
    assert ab.MemoryBudget("1MiB") == ab.MemoryBudget("1MiB", threshold="2KiB")
    assert add(memory=ab.MemoryBudget("1MiB", threshold="1KiB"))(np.float32(1)) == [2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"high": 0.5, "low": 0.8},
            "expected 0 < low <= high <= 1 of a memory budget, got 0.8 and",
        ),
        ({"high": 2}, "expected 0 < low <= high <= 1"),
        ({"ahead": -1}, "expected threshold and ahead of a memory budget to be at least 0"),
        ({"threshold": -1}, "expected threshold and ahead of a memory budget to be at least 0"),
        ({"threshold": "1"}, 'expected a threshold such as "64MiB"'),
        ({"size": 0}, "expected a memory budget of at least 1 byte, got 0"),
        ({"size": "much"}, 'expected an amount of memory such as "64MiB"'),
    ],
)
def test_budgets_that_cannot_be_fail_when_made(options: Any, message: str):
    with pytest.raises(ValueError, match=message):
        ab.MemoryBudget(**{"size": 1000, **options})


@pytest.mark.parametrize("name", ["size", "threshold", "high", "low", "ahead"])
def test_budgets_are_of_numbers(name: str):
    with pytest.raises(TypeError, match="expected .* got None"):
        ab.MemoryBudget(**{"size": 1000, name: None})  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="expected an amount of memory .* as text .*, got 1.5"):
        add(memory=1.5)
