"""Programs that JAX lowers on the spot, read, printed and run here.

    python test/conformance/jax_programs.py [--only TEXT] [-v]

For each program: its text parses and verifies; what we print, in both forms, is for jaxlib the same
module as the original (with debug locations, when the program asks for them); it runs at the
structured reference and as a graph with the same bits; and the results are JAX's within the
tolerance of their dtype. Programs for several devices are only read and printed. The programs are
in `jax_program_*.py`; `test_jax_programs.py` runs each as a test.
Exit status 1 when a program fails.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from jaxlib_oracle import Jaxlib, first_difference
from reporting import table

import anabranch as ab
from anabranch.frontends.mlir_text import parse_module, print_module, verify_module
from anabranch.runtime.stats import Stats

DEVICES = 4
DEADLINE = 60.0
MANTISSAS = {
    np.dtype(ml_dtypes.bfloat16): 7,
    np.dtype(np.float16): 10,
    np.dtype(np.float32): 23,
    np.dtype(np.complex64): 23,
    np.dtype(np.float64): 52,
    np.dtype(np.complex128): 52,
    np.dtype(ml_dtypes.float8_e4m3fn): 3,
    np.dtype(ml_dtypes.float8_e5m2): 2,
}


@dataclass(frozen=True)
class Program:
    """A function for JAX with its arguments, which `make` makes when they are needed."""

    name: str
    make: Callable[[], tuple[Callable[..., Any], tuple[Any, ...]]]
    x64: bool = False
    debuginfo: bool = False
    devices: int = 1
    """With more than one, the program is read and printed, but not run."""
    symbolic: str | None = None
    """For `jax.export`: the dimensions of the arguments, `"n, 3; n"`, or `""` for static ones."""
    ulps: int = 64
    """How far a result may be from JAX's, in units of the last place of the largest result."""


FILES = ("jax_program_models", "jax_program_loops", "jax_program_ops", "jax_program_numerics")
PROGRAMS: dict[str, Program] = {}


def program(**options: Any) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Adds a function that makes a JAX function and its arguments to the programs."""

    def add(make: Callable[[], Any]) -> Callable[[], Any]:
        assert make.__name__ not in PROGRAMS, make.__name__
        PROGRAMS[make.__name__] = Program(make.__name__, make, **options)
        return make

    return add


_random = np.random.default_rng(7)


def normal(*shape: int, dtype: Any = np.float32) -> Any:
    """Normally distributed numbers, for arguments."""
    return _random.normal(size=shape).astype(dtype)


def ints(high: int, *shape: int) -> Any:
    """Integers of 0 and more, below `high`, for arguments."""
    return _random.integers(0, high, shape).astype(np.int32)


class Mismatch(AssertionError):
    """What is wrong with a program, for a table or a failing test."""


def lowered(program: Program) -> tuple[str, Callable[..., Any], tuple[Any, ...]]:
    """The text that JAX prints, the function and its arguments."""
    import jax

    fn, args = program.make()
    jitted = fn if hasattr(fn, "lower") else jax.jit(fn, keep_unused=True)
    if program.symbolic is None:
        text = jitted.lower(*args).as_text(debug_info=program.debuginfo)
    else:
        from jax import export

        specs = args
        if program.symbolic:
            shapes = export.symbolic_args_specs(args, tuple(program.symbolic.split(";")))
            specs = shapes
        text = export.export(jitted)(*specs).mlir_module()
    return text, jitted, args


def check(program: Program, jaxlib: Jaxlib) -> str:
    """Checks a program whole; says how it was run. A `Mismatch` tells what is wrong."""
    import jax

    with jax.enable_x64(program.x64):
        text, jitted, args = lowered(program)
        check_prints(text, jaxlib, program.debuginfo)
        if program.devices > 1:
            return "read and printed"
        given = [np.asarray(leaf) for leaf in jax.tree.leaves(args)]
        want = [np.asarray(leaf) for leaf in jax.tree.leaves(jitted(*args))]
    got = run(text, given)
    compare(got, want, program.ulps)
    return "run"


def check_prints(text: str, jaxlib: Jaxlib, debuginfo: bool = False) -> None:
    """Both of our forms are the original to jaxlib, and read back to the same print."""
    module = parse_module(text, "-")  # named as jaxlib names a text
    verify_module(module)
    expected = jaxlib.canonical(text, debuginfo=debuginfo)
    for generic in (False, True):
        form = "generic" if generic else "pretty"
        printed = print_module(module, generic=generic, debuginfo=debuginfo)
        again = print_module(parse_module(printed, "-"), generic=generic, debuginfo=debuginfo)
        if again != printed:
            raise Mismatch(f"the {form} print changes: {first_difference(printed, again)}")
        got = jaxlib.canonical(printed, debuginfo=debuginfo)
        if got != expected:
            raise Mismatch(f"the {form} print is another module: {first_difference(expected, got)}")


def run(text: str, args: list[Any]) -> list[Any]:
    """The results, which are the same at the reference and as a graph, fused or not."""
    module = ab.parse(text)
    want = ab.compile(module, engine="reference").run(args, deadline=DEADLINE)
    executable = ab.compile(module)
    # Statistics count single nodes, so with them no loop is fused.
    for how, stats in (("with fused loops", None), ("node by node", Stats())):
        got = executable.run(args, deadline=DEADLINE, stats=stats)
        for number, (g, w) in enumerate(zip(got, want, strict=True)):
            if (g.dtype, g.shape, g.tobytes()) != (w.dtype, w.shape, w.tobytes()):
                raise Mismatch(f"result {number}: the graph, run {how}, has other bits")
    return want


def compare(got: list[Any], want: list[Any], ulps: int) -> None:
    """Equal integers; floats within so many ulps of the largest finite element."""
    for number, (g, w) in enumerate(zip(got, want, strict=True)):
        if (g.dtype, g.shape) != (w.dtype, w.shape):
            raise Mismatch(f"result {number}: expected {w.dtype}{w.shape}, got {g.dtype}{g.shape}")
        mantissa = MANTISSAS.get(w.dtype)
        if mantissa is None:
            good = np.asarray(g == w)
        else:
            wide = np.complex128 if w.dtype.kind == "c" else np.float64
            a, b = g.astype(wide), w.astype(wide)
            scale = float(np.max(np.abs(b), where=np.isfinite(b), initial=0.0))
            near = np.isclose(a, b, rtol=0.0, atol=scale * ulps * 2.0**-mantissa, equal_nan=True)
            good = np.asarray(near | (a == b))
        if not good.all():
            where = tuple(int(k) for k in np.argwhere(~good)[0])
            raise Mismatch(
                f"result {number}: {good.size - int(good.sum())} of {good.size} elements differ;"
                f" at {list(where)} JAX has {w[where]}, got {g[where]}"
            )


def load_programs() -> dict[str, Program]:
    """All programs, by name."""
    if __name__ == "__main__":
        sys.modules["jax_programs"] = sys.modules["__main__"]
    for name in FILES:
        importlib.import_module(name)
    return PROGRAMS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="programs whose name has TEXT")
    parser.add_argument("--devices", type=int, metavar="N", help="only programs for N devices")
    parser.add_argument("-v", "--verbose", action="store_true", help="whole messages")
    options = parser.parse_args()
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"
    chosen = [
        p
        for p in load_programs().values()
        if options.only in p.name and options.devices in (None, p.devices)
    ]
    jaxlib = Jaxlib()
    rows: list[tuple[object, ...]] = []
    failed = 0
    for program in chosen:
        start = time.monotonic()
        try:
            status, why = check(program, jaxlib), ""
        except Exception as error:
            kind = "" if isinstance(error, Mismatch | ab.ProgramError) else type(error).__name__
            status, why = "FAILED", f"{kind} {error}".strip()
            failed += 1
        if not options.verbose:
            why = why.splitlines()[0][:120] if why else ""
        rows.append((program.name, status, f"{time.monotonic() - start:.2f} s", why))
    print(table(("program", "status", "time", "why"), rows))
    print(f"\n{len(chosen)} programs: {len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
