"""What gradients keep of scans is swapped too: the same bits, within a tenth of the memory."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import anabranch as ab
from anabranch.lowering.gradient_pipeline import with_gradient
from anabranch.runtime.stats import Stats
from anabranch.tools.run import main as anabranch_run

TRIPS, BATCH, WIDTH = 240, 16, 32  # 480 KiB of states of 2 KiB
BUDGET = "64KiB"


def scan(h: Any, w: Any, xs: Any) -> Any:
    return jnp.sum(jax.lax.scan(lambda h, x: (jnp.tanh(h @ w + x), None), h, xs)[0])


def up_to_n(h: Any, w: Any, xs: Any, n: Any) -> Any:
    """A loop of run-time length that is raised to a scan."""

    def body(carry: Any) -> Any:
        i, h = carry
        return i + 1, jnp.tanh(h @ w + xs[i])

    return jnp.sum(jax.lax.while_loop(lambda carry: carry[0] < n, body, (0, h))[1])


def nested(h: Any, w: Any, xs: Any) -> Any:
    def outer(h: Any, rows: Any) -> Any:
        return jax.lax.scan(lambda h, x: (jnp.tanh(h @ w + x), None), h, rows)[0], None

    return jnp.sum(jax.lax.scan(outer, h, xs.reshape(TRIPS // 4, 4))[0])


ARGUMENTS = [
    np.linspace(-1, 1, BATCH * WIDTH, dtype=np.float32).reshape(BATCH, WIDTH),
    np.linspace(-0.3, 0.2, WIDTH * WIDTH, dtype=np.float32).reshape(WIDTH, WIDTH),
    np.linspace(-0.5, 0.5, TRIPS, dtype=np.float32),
]
PROGRAMS = {
    "scan": (scan, ARGUMENTS),
    "up to n": (up_to_n, [*ARGUMENTS, np.int32(TRIPS - 7)]),
    "nested": (nested, ARGUMENTS),
}


def gradient(name: str) -> tuple[ModuleOp, str, list[Any]]:
    function, arguments = PROGRAMS[name]
    module = ab.from_jax(function, *arguments)
    return *with_gradient(module, wrt=[0, 1], optimized=False), arguments


def same(a: Any, b: Any) -> bool:
    return [one.tobytes() for one in a] == [one.tobytes() for one in b]


@pytest.mark.parametrize("window", [1, 32])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_gradient_of_many_budgets(name: str, window: int):
    module, function, arguments = gradient(name)
    expected = ab.compile(module, function=function)(*arguments)
    executable = ab.compile(module, function=function, memory=BUDGET, parallel_iterations=window)
    stats = Stats()
    assert same(executable.run(arguments, stats=stats), expected)
    memory = stats.devices["cpu:0"].memory
    assert memory is not None
    assert memory.peak <= memory.budget
    assert memory.unswapped > 7 * memory.budget
    assert memory.bytes_out > 6 * memory.budget


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", PROGRAMS)
def test_on_two_devices(name: str, seed: int):
    module, function, arguments = gradient(name)
    expected = ab.compile(module, function=function)(*arguments)
    executable = ab.compile(
        module, function=function, memory="96KiB", devices=2, assign=f"random:{seed}"
    )
    assert same(executable(*arguments), expected)


def test_small_rows_stay_in_an_array():
    """They would not be swapped, and an array holds them in less."""
    module, function, arguments = gradient("scan")
    stats = Stats()
    budget = ab.MemoryBudget("2MiB", threshold=BATCH * WIDTH * 4 + 1)
    ab.compile(module, function=function, memory=budget).run(arguments, stats=stats)
    memory = stats.devices["cpu:0"].memory
    assert memory is not None and memory.peak > TRIPS * BATCH * WIDTH * 4


@pytest.mark.parametrize("devices", [None, 2])
def test_a_jax_function_is_differentiated_for_the_budget(devices: int | None):
    module = ab.from_jax(ab.grad(scan, argnums=1), *ARGUMENTS)
    (got,) = ab.compile(module, memory="96KiB", devices=devices)(*ARGUMENTS)
    np.testing.assert_allclose(got, jax.grad(scan, 1)(*ARGUMENTS), rtol=2e-4, atol=1e-5)


@pytest.mark.parametrize("where", ["option", "topology"])
def test_the_command_differentiates_for_the_budget(where: str, tmp_path: Any, capfd: Any):
    module = ab.from_jax(scan, *ARGUMENTS)
    text = str(module)
    options: list[str] = ["--memory", BUDGET]
    if where == "topology":
        topology = f'plan.topology @t {{ plan.device "cpu:0" {{memory = "{BUDGET}"}} }}'
        text, options = text.replace("{\n", "{\n" + topology + "\n", 1), []
    program, inputs, outputs = (str(tmp_path / name) for name in ("p.mlir", "i.npz", "o.npz"))
    (tmp_path / "p.mlir").write_text(text)
    np.savez(inputs, **{f"arg{number}": value for number, value in enumerate(ARGUMENTS)})
    command = [program, "--grad", "--inputs", inputs, "--outputs", outputs, "--stats", *options]
    assert anabranch_run(command) == 0
    assert "swapped" in capfd.readouterr().err
    expected = jax.value_and_grad(scan, (0, 1, 2))(*ARGUMENTS)
    got = np.load(outputs)
    for number, value in enumerate(expected[1]):
        np.testing.assert_allclose(got[f"grad_arg{number}"], value, rtol=2e-4, atol=1e-5)
