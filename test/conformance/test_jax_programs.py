"""Programs that JAX lowers on the spot: read, printed, and run as JAX runs them.

Also behaviours 59 and 61 of the list that `BEHAVIOURS_NOTES.md` speaks of.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax", reason="jax is not installed")
sys.path.insert(0, str(Path(__file__).parent))
import jax_programs

import anabranch as ab

PROGRAMS = jax_programs.load_programs()


@pytest.fixture(scope="module")
def jaxlib() -> jax_programs.Jaxlib:
    return jax_programs.Jaxlib()


def test_there_are_programs():
    assert len(PROGRAMS) >= 60


@pytest.mark.parametrize("name", [n for n, p in PROGRAMS.items() if p.devices == 1])
def test_program(name: str, jaxlib: jax_programs.Jaxlib):
    jax_programs.check(PROGRAMS[name], jaxlib)


def test_programs_for_several_devices():
    # JAX must be told how many devices there are before it starts: so in a process of its own.
    script = Path(jax_programs.__file__)
    command = [sys.executable, str(script), "--devices", str(jax_programs.DEVICES), "-v"]
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ))
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 failed" in done.stdout and "sharded_jit" in done.stdout


# Behaviour 59: vmap of while. Each lane makes its own trips.


def test_behaviour_59_vmap_of_while_per_lane_trips(jax: Any, run_jax: Any):
    lax = jax.lax

    def trips(limit: Any, start: Any) -> Any:
        """How many trips, and where they led: a lane that is done stays as it is."""
        return lax.while_loop(
            lambda s: s[1] < limit, lambda s: (s[0] + 1, s[1] * 2), (np.int32(0), start)
        )

    limits = np.array([100, 1, 7, 2, 0], np.int32)
    count, last = run_jax(jax.vmap(trips, (0, None)), limits, np.int32(1))
    assert count.tolist() == [7, 0, 3, 1, 0]
    assert last.tolist() == [128, 1, 8, 2, 1]


def test_behaviour_59_vmap_of_while_with_a_batched_condition(jax: Any, run_jax: Any):
    jnp, lax = jax.numpy, jax.lax

    def f(limit: Any) -> Any:
        # Only the condition sees the batched value; the body's constant is shared by all lanes.
        step = jnp.arange(3, dtype=jnp.int32)
        return lax.while_loop(lambda s: s.sum() < limit, lambda s: s + step, step * 0)

    (got,) = run_jax(jax.vmap(f), np.array([0, 3, 4, 10], np.int32))
    assert got.tolist() == [[0, 0, 0], [0, 1, 2], [0, 2, 4], [0, 4, 8]]


def test_behaviour_59_vmap_of_while_with_batched_body_constants(jax: Any, run_jax: Any):
    lax = jax.lax

    def f(step: Any) -> Any:
        return lax.while_loop(lambda s: s < 10, lambda s: s + step, np.float32(0))

    (got,) = run_jax(jax.vmap(f), np.array([1, 3, 4, 20], np.float32))
    assert got.tolist() == [10, 12, 12, 20]


def test_behaviour_59_nested_vmap_of_nested_while(jax: Any, run_jax: Any):
    lax = jax.lax

    def triangle(n: Any) -> Any:
        def outer(s: Any) -> Any:
            i, total = s
            inner = lax.while_loop(
                lambda t: t[0] < i, lambda t: (t[0] + 1, t[1] + t[0]), (np.int32(0), total)
            )
            return i + 1, inner[1]

        return lax.while_loop(lambda s: s[0] < n, outer, (np.int32(0), np.int32(0)))[1]

    n = np.array([[0, 3, 5], [1, 2, 6]], np.int32)
    (got,) = run_jax(jax.vmap(jax.vmap(triangle)), n)
    want = [[sum(j for i in range(k) for j in range(i)) for k in row] for row in n.tolist()]
    assert got.tolist() == want


def test_behaviour_59_vmap_with_in_axes_and_a_loop_that_ends_at_once(jax: Any, run_jax: Any):
    lax = jax.lax

    def f(x: Any, n: Any) -> Any:
        return lax.fori_loop(np.int32(0), n, lambda i, x: x + i, x)

    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    (got,) = run_jax(jax.vmap(f, (1, 0)), x, np.array([0, 0, 0], np.int32))
    assert got.tolist() == x.T.tolist()
    (got,) = run_jax(jax.vmap(f, (1, 0)), x, np.array([0, 4, 2], np.int32))
    assert got.tolist() == [[0, 3], [7, 10], [3, 6]]


def test_behaviour_59_collective_in_a_vmapped_loop(jax: Any, run_jax: Any):
    lax = jax.lax

    def f(x: Any) -> Any:
        # A sum over the lanes in every trip: all lanes make as many.
        return lax.fori_loop(0, 3, lambda _, s: s + lax.psum(s, "lanes"), x)

    (got,) = run_jax(jax.vmap(f, axis_name="lanes"), np.array([1.0, 2.0, 4.0], np.float32))
    assert got.tolist() == [148, 149, 151]


# Behaviour 61: weak types, compiling once per shape, no buffers leaked.

DOUBLING = """\
func.func @main(%n: tensor<i32>, %x: tensor<{0}xf32>) -> tensor<{0}xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<{0}xf32>
  cond {{
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.add %s, %s : tensor<{0}xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<{0}xf32>
  }}
  return %r#1 : tensor<{0}xf32>
}}
"""
WAYS = [{"engine": "reference"}, {}, {"fuse": False}]


def test_behaviour_61_weak_types_are_promoted_by_a_fixed_point(jax: Any, run_jax: Any):
    lax = jax.lax

    def f(x: Any) -> Any:
        # The carries start as weak Python numbers and take the type of what the body adds.
        step = lambda s: (s[1] + x, s[0] + 1, s[2] + 1)  # noqa: E731
        return lax.while_loop(lambda s: s[2] < 3, step, (0.0, 1.0, 0))

    got = run_jax(f, np.float32(2))
    assert [value.dtype for value in got] == [np.float32, np.float32, np.int32]
    assert [value.item() for value in got] == [6, 4, 3]


@pytest.mark.parametrize("way", WAYS, ids=["reference", "fused", "node by node"])
def test_behaviour_61_compiled_once_per_shape(way: dict[str, Any], monkeypatch: Any):
    import anabranch.runtime.fuse as fuse
    import anabranch.runtime.graph as graph
    import anabranch.runtime.kernels as kernels
    from anabranch.lowering.dcf_to_dfg_pipeline import DcfToDfgPipeline

    exe = ab.compile(ab.parse(DOUBLING.format(3)), **way)
    first = exe(np.int32(2), np.ones(3, np.float32))

    def compiles_again(*_: Any, **__: Any) -> Any:
        raise AssertionError("a run compiles")

    if "engine" not in way:
        for module, name in ((graph, "load_graph"), (fuse, "fuse_frames"), (kernels, "kernel_for")):
            monkeypatch.setattr(module, name, compiles_again)
    monkeypatch.setattr(DcfToDfgPipeline, "apply", compiles_again)
    for trips in range(4):
        (got,) = exe(np.int32(trips), np.ones(3, np.float32))
        assert got.tolist() == [2.0**trips] * 3
    assert first[0].tolist() == [4.0] * 3
    # Another shape is another program, and an error for this one.
    with pytest.raises(ab.DataError, match="argument 1: expected"):
        exe(np.int32(1), np.ones(4, np.float32))


@pytest.mark.parametrize("way", WAYS, ids=["reference", "fused", "node by node"])
def test_behaviour_61_a_dynamic_dimension_takes_every_shape(way: dict[str, Any]):
    exe = ab.compile(ab.parse(DOUBLING.format("?")), **way)
    for size in (3, 0, 5):
        (got,) = exe(np.int32(3), np.ones(size, np.float32))
        assert got.tolist() == [8.0] * size


@pytest.mark.parametrize("way", WAYS, ids=["reference", "fused", "node by node"])
def test_behaviour_61_no_buffers_are_leaked(way: dict[str, Any]):
    exe = ab.compile(ab.parse(DOUBLING.format(1000)), **way)

    argument = np.ones(1000, np.float32)
    results = exe(np.int32(5), argument)
    kept = [weakref.ref(argument), *map(weakref.ref, results)]
    del argument, results
    gc.collect()
    assert [ref() for ref in kept] == [None] * len(kept)
    assert traced_growth(exe) < 1000 * 4  # less than one buffer


def traced_growth(exe: ab.Executable) -> int:
    """Bytes that 20 more runs of a program leave behind."""
    import tracemalloc

    def run() -> None:
        exe(np.int32(9), np.ones(1000, np.float32))

    tracemalloc.start()
    try:
        run()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(20):
            run()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("way", WAYS, ids=["reference", "fused", "node by node"])
def test_behaviour_61_an_error_leaks_no_buffers(way: dict[str, Any]):
    exe = ab.compile(ab.parse(DOUBLING.format(1000)), **way)
    argument = np.ones(1000, np.float32)
    ref = weakref.ref(argument)
    with pytest.raises(ab.ProgramError, match="deadline"):
        exe.run([np.int32(2**31 - 1), argument], deadline=0.05)
    del argument
    gc.collect()
    assert ref() is None
    (got,) = exe(np.int32(1), np.ones(1000, np.float32))
    assert got[0] == 2.0
