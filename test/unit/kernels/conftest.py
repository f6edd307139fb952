"""What the kernel tests share: running one op from text, and the same text compiled by XLA on
CPU."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from anabranch.frontends.mlir_text import parse_module
from anabranch.runtime.reference import evaluate
from anabranch.runtime.values import mlir_name_of

os.environ.setdefault("JAX_PLATFORMS", "cpu")

FLOATS = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]
INTS = [np.int8, np.int32, np.int64, np.uint8, np.uint32, np.uint64]


def tensor_type(array: Any) -> str:
    """The MLIR type of an array."""
    dims = "".join(f"{dim}x" for dim in np.shape(array))
    return f"tensor<{dims}{mlir_name_of(np.asarray(array).dtype)}>"


def special_values(dtype: Any) -> np.ndarray:
    """Numbers that corner cases are made of: ends of the range, zeros, ties, infinities, NaN."""
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        found = {0, 1, 2, 3, 7, 31, info.bits - 1, info.bits, info.max, info.max - 1, info.min}
        found |= {-1, -2, -7, info.min + 1} if info.min < 0 else set()
        return np.array(sorted(found), dtype)
    if dtype.kind == "c":
        parts = [0.0, -0.0, 1.0, -2.5, np.inf, np.nan]
        return np.array([complex(a, b) for a in parts for b in parts], dtype)
    # No very large ones, whose quotients are subnormal numbers: XLA on CPU flushes them to zero.
    numbers = [0.0, 0.5, 0.49999997, 1.0, 1.5, 2.5, 3.0, 7.25, np.inf, 16384.0, 2.0**-6]
    return np.array([*numbers, *(-x for x in numbers), np.nan], np.float64).astype(dtype)


def all_pairs(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every pair of values, as two arrays."""
    return np.repeat(values, len(values)), np.tile(values, len(values))


def assert_same(got: Any, want: Any, *, rtol: float = 0.0) -> None:
    """Same dtype and shape; the same values, or within a relative tolerance; zeros with their
    sign."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    if got.dtype.kind in "biu" or got.dtype.kind == "V" and "int" in got.dtype.name:
        np.testing.assert_array_equal(got, want)
        return
    wide = np.complex128 if got.dtype.kind == "c" else np.float64
    a, b = got.astype(wide), want.astype(wide)
    np.testing.assert_allclose(a, b, rtol=rtol, atol=0, equal_nan=True)
    if got.dtype.kind != "c":
        zeros = (a == 0) & (b == 0)
        np.testing.assert_array_equal(np.signbit(a[zeros]), np.signbit(b[zeros]))


Runner = Callable[..., list[np.ndarray]]


def module_text(body: str, args: Sequence[Any], results: Sequence[str]) -> str:
    """A module whose @main takes `%0`-style arguments a, b, c, … and runs `body`, ending in a
    return."""
    names = [f"%{chr(97 + k)}: {tensor_type(arg)}" for k, arg in enumerate(args)]
    return f"func.func @main({', '.join(names)}) -> ({', '.join(results)}) {{\n{body}\n}}\n"


@pytest.fixture
def run() -> Runner:
    """`run(body, args, results)`: the results of our kernels."""

    def run_text(body: str, args: Sequence[Any], results: Sequence[str]) -> list[np.ndarray]:
        return evaluate(parse_module(module_text(body, args, results)), list(args))

    return run_text


@pytest.fixture
def xla() -> Iterator[Runner]:
    """`xla(body, args, results)`: the results of XLA on CPU for the same text."""
    pytest.importorskip("jax")
    import jax
    import jax.extend
    from jaxlib import xla_client

    # As jax.jit has it: without it NaN does not go through max and min.
    options = xla_client.CompileOptions()
    options.env_option_overrides = [("xla_cpu_enable_fast_min_max", False)]
    backend = jax.extend.backend.get_backend("cpu")
    devices = backend.local_devices()[:1]

    def run_text(body: str, args: Sequence[Any], results: Sequence[str]) -> list[np.ndarray]:
        text = f"module {{\n{module_text(body, args, results)}}}\n"
        executable = backend.compile_and_load(text, devices, options)
        outputs = executable.execute([jax.device_put(arg) for arg in args])
        return [np.asarray(output) for output in outputs]

    with jax.enable_x64(True):  # for these tests alone: others run in the same process
        yield run_text


@pytest.fixture
def same(run: Runner, xla: Runner) -> Callable[..., None]:
    """`same(body, args, results, rtol=0)`: our kernels and XLA agree."""

    def check(body: str, args: Sequence[Any], results: Sequence[str], *, rtol: float = 0.0) -> None:
        ours, theirs = run(body, args, results), xla(body, args, results)
        assert len(ours) == len(theirs)
        for got, want in zip(ours, theirs):
            assert_same(got, want, rtol=rtol)

    return check


@pytest.fixture
def helpers() -> Any:
    """The functions above; a test module cannot import them from here."""

    class Helpers:
        floats = FLOATS
        ints = INTS
        type = staticmethod(tensor_type)
        special = staticmethod(special_values)
        pairs = staticmethod(all_pairs)
        assert_same = staticmethod(assert_same)

    return Helpers
