"""What the conformance tests share: run a program in every way there is and insist on the same
bits.
"""

from __future__ import annotations

import os
import pathlib
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import anabranch as ab
from anabranch.dialects.dfg import ProgramOp
from anabranch.frontends.mlir_text import verify_module

os.environ.setdefault("JAX_PLATFORMS", "cpu")

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
WINDOWS = (1, 2, 10, 4000)
DEADLINE = 60.0

Run = Callable[..., list[np.ndarray[Any, Any]]]
ProbeEvents = list[tuple[str, tuple[Any, ...]]]


def bits(array: Any) -> tuple[Any, ...]:
    """What must be equal for two arrays to be the same, NaNs included."""
    array = np.asarray(array)
    return array.dtype, array.shape, array.tobytes()


def same_bits(got: Sequence[Any], want: Sequence[Any], how: str) -> None:
    assert len(got) == len(want), how
    for number, (g, w) in enumerate(zip(got, want, strict=True)):
        assert bits(g) == bits(w), f"{how}: result {number}: expected {w!r}, got {g!r}"


def random_order(seed: int) -> Callable[..., int]:
    """A test driver that fires any ready node."""
    generator = random.Random(seed)
    return lambda ready, *_: generator.randrange(len(ready))


def probed(executable: ab.Executable, args: Sequence[Any], **options: Any):
    """The results and what the probes reported."""
    events: ProbeEvents = []

    def probe(label: str, values: tuple[Any, ...]) -> None:
        events.append((label, tuple(np.asarray(value).tolist() for value in values)))

    return executable.run(args, deadline=DEADLINE, probe=probe, **options), events


def run_every_way(
    program: str | ModuleOp, *args: Any, windows: Sequence[int] = WINDOWS
) -> tuple[list[np.ndarray[Any, Any]], ProbeEvents]:
    """Results and probe events of a program: of the reference, once all the other ways agree.

    The others: the graph with loops fused and node by node, each with several windows, and with
    nodes fired in random orders.
    """
    module = ab.parse(program) if isinstance(program, str) else program
    verify_module(module)
    # A graph written by hand has no structure to interpret: its own first run stands for it.
    by_hand = any(isinstance(op, ProgramOp) for op in module.body.ops)
    engine = "local" if by_hand else "reference"
    want, events = probed(ab.compile(module, engine=engine), args)
    for window in windows:
        for fuse in (True, False):
            how = f"parallel_iterations={window}, fuse={fuse}"
            executable = ab.compile(module, parallel_iterations=window, fuse=fuse)
            got, seen = probed(executable, args)
            same_bits(got, want, how)
            assert seen == events, how
    executable = ab.compile(module, fuse=False)
    for seed in range(3):
        got, seen = probed(executable, args, order=random_order(seed))
        same_bits(got, want, f"random order {seed}")
        assert seen == events, f"random order {seed}"
    return want, events


@pytest.fixture
def run() -> Run:
    """`run(program, *args)`: the results, the same in every way of running."""
    return lambda program, *args, **options: run_every_way(program, *args, **options)[0]


@pytest.fixture
def run_probed() -> Callable[..., tuple[list[np.ndarray[Any, Any]], ProbeEvents]]:
    """`run_probed(program, *args)`: the results and what the probes reported, in order."""
    return run_every_way


@pytest.fixture
def jax() -> Iterator[Any]:
    """The module `jax`; tests that need it are skipped where it is not installed.

    In its 32-bit mode, whatever tests of other folders in this process have set.
    """
    jax = pytest.importorskip("jax", reason="jax is not installed")
    with jax.enable_x64(False):
        yield jax


@pytest.fixture
def run_jax(jax: Any) -> Run:
    """`run_jax(fn, *args)`: the flat results of a JAX function, run in every way and close to
    JAX's.
    """
    from anabranch.frontends.jax import flatten

    def run(fn: Callable[..., Any], *args: Any) -> list[np.ndarray[Any, Any]]:
        got, _ = run_every_way(ab.from_jax(fn, *args), *flatten(*args), windows=(1, 32))
        want = flatten(jax.jit(fn)(*args))
        close(got, want)
        return got

    return run


def close(got: Sequence[Any], want: Sequence[Any]) -> None:
    """Equal types and shapes; equal integers; floats within a few units of the last place."""
    assert len(got) == len(want)
    for number, (g, w) in enumerate(zip(got, want, strict=True)):
        w = np.asarray(w)
        assert (g.dtype, g.shape) == (w.dtype, w.shape), f"result {number}"
        if w.dtype.kind in "biu":
            np.testing.assert_array_equal(g, w, err_msg=f"result {number}")
        else:
            tolerance = {2: 1e-2, 4: 2e-5, 8: 1e-12 if w.dtype.kind == "f" else 2e-5, 16: 1e-12}
            rtol = tolerance[w.dtype.itemsize]
            np.testing.assert_allclose(
                g.astype(np.complex128),
                w.astype(np.complex128),
                rtol,
                rtol,
                err_msg=f"result {number}",
            )


@pytest.fixture
def assert_close() -> Callable[..., None]:
    return close


@pytest.fixture
def assert_same_bits() -> Callable[..., None]:
    return same_bits
