"""The time of each kernel beside the same op through XLA on CPU (which comes with jax).

    python bench/kernels.py [--sizes 1000,100000] [--only NAME] [--rounds 7]

Both take turns, in several rounds; medians are printed, slowest kernel first, and results are
compared loosely. Nothing fails: a kernel that takes more than 20 times XLA's time at the largest
size is marked, and the last column says why it does.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

# It would choose OpenBLAS's kernels for another processor than this one.
os.environ.pop("OPENBLAS_CORETYPE", None)
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import numpy as np
from kernel_cases import Array, Case, all_cases, side, type_of

from anabranch.frontends.mlir_text import parse_module
from anabranch.runtime.kernels import kernel_for
from anabranch.runtime.reference import ModuleScope

BAR = 20
SLICE = 0.004
"""Seconds of repeated calls in one measurement, at least."""

_SCALAR = "NumPy's loop calls C's function for each element"
_DOUBLE = "many NumPy calls in double precision, for its accuracy"
REASONS: dict[str, str] = {
    "chlo.acosh": _SCALAR,
    "chlo.asinh": _SCALAR,
    "chlo.bessel_i1e": _DOUBLE,
    "chlo.cosh": _SCALAR,
    "chlo.digamma": _DOUBLE,
    "chlo.erf": _DOUBLE,
    "chlo.erf_inv": _DOUBLE,
    "chlo.erfc": _DOUBLE,
    "chlo.lgamma": _DOUBLE,
    "chlo.sinh": _SCALAR,
    "cbrt": _SCALAR,
    "divide i32": "NumPy's quotients round down: a pass more to round towards zero",
    "dot_general, i32": "no BLAS has integers; NumPy's own loop does them",
    "exponential complex": _SCALAR,
    "log_plus_one": _SCALAR,
    "log_plus_one complex": _SCALAR,
    "power complex": _SCALAR,
    "rng_bit_generator, threefry": "a hundred NumPy calls, each over all the words",
    "scatter, add": "np.add.at, one element after the other as the order of sums demands",
    "sqrt complex": _SCALAR,
    "tanh complex": _SCALAR,
}
"""Why a kernel may take more than `BAR` times as long as XLA's, by case."""


class Pair(NamedTuple):
    """One op at one size, ready to run on both sides."""

    ours: Callable[[], Any]
    xla: Callable[[], Any]
    differ: str


def text_of(case: Case, n: int, arguments: list[Array]) -> str:
    """The module of one op."""
    letters = "abcdefgh"[: len(arguments)]
    types = {letter: type_of(x) for letter, x in zip(letters, arguments)}
    result = case.result(*arguments)
    sizes = {"n": n, "last": n - 1, "side": side(n), "half": side(n) // 2}
    body = case.body.format(**types, r=result, **sizes)
    given = ", ".join(f"%{letter}: {type}" for letter, type in types.items())
    name, at = ("%r:2", "%r#1") if body.startswith("stablehlo.rng_bit") else ("%r", "%r")
    return (
        f"module {{\nfunc.func public @main({given}) -> {result} {{\n  {name} = {body}\n"
        f"  return {at} : {result}\n}}\n}}\n"
    )


class Xla:
    """Compiles text as jax.jit compiles what it lowers."""

    def __init__(self) -> None:
        import jax
        import jax.extend
        from jaxlib import xla_client

        jax.config.update("jax_enable_x64", True)
        self.put: Callable[[Array], Any] = jax.device_put
        self.backend: Any = jax.extend.backend.get_backend("cpu")
        self.options: Any = xla_client.CompileOptions()
        self.options.env_option_overrides = [("xla_cpu_enable_fast_min_max", False)]

    def compiled(self, text: str, arguments: list[Array]) -> Callable[[], Any]:
        """The op on arrays that lie on the device."""
        devices = self.backend.local_devices()[:1]
        executable = self.backend.compile_and_load(text, devices, self.options)
        arrays = [self.put(argument) for argument in arguments]

        def run() -> Any:
            (result,) = executable.execute(arrays)
            return result.block_until_ready()

        return run


def pair_of(case: Case, n: int, xla: Xla) -> Pair:
    """Both sides of a case."""
    arguments = case.arguments(n)
    text = text_of(case, n, arguments)
    theirs = xla.compiled(text, arguments)
    module = parse_module(text)
    function: Any = next(iter(module.ops))
    op = function.body.block.first_op
    kernel = kernel_for(op, ModuleScope(module))
    by_value = dict(zip(function.body.block.args, arguments))
    operands = [by_value[operand] for operand in op.operands]

    def ours() -> Any:
        return kernel(*operands)

    result = ours()
    result = result[-1] if isinstance(result, tuple) else result
    return Pair(ours, theirs, difference(np.asarray(result), np.asarray(theirs())))


def difference(got: Array, want: Array) -> str:
    """Nothing, or a remark for who reads the table."""
    if got.dtype != want.dtype or got.shape != want.shape:
        return "OTHER TYPE "
    wide = np.complex128 if got.dtype.kind == "c" else np.float64
    a, b = got.astype(wide), want.astype(wide)
    return "" if np.allclose(a, b, rtol=2e-2, atol=1e-3, equal_nan=True) else "OTHER VALUES "


def measured(pair: Pair, rounds: int) -> tuple[float, float]:
    """Median seconds of a call of ours and of XLA's, in turns."""
    sides = (pair.ours, pair.xla)
    times: tuple[list[float], list[float]] = ([], [])
    repeats = [calls_in_a_slice(side) for side in sides]
    for number in range(rounds):
        for which in (0, 1) if number % 2 else (1, 0):
            times[which].append(timed(sides[which], repeats[which]))
    return statistics.median(times[0]), statistics.median(times[1])


def timed(run: Callable[[], Any], repeats: int) -> float:
    begin = time.perf_counter()
    for _ in range(repeats):
        run()
    return (time.perf_counter() - begin) / repeats


def calls_in_a_slice(run: Callable[[], Any]) -> int:
    run()
    return max(1, int(SLICE / max(timed(run, 2), 1e-7)))


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", default="1000,100000", help="elements (default: 1000,100000)")
    parser.add_argument("--only", default="", help="only cases with this in their name")
    parser.add_argument("--rounds", type=int, default=7, help="measurements of each (default: 7)")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    xla = Xla()
    rows: list[tuple[float, str, str]] = []
    with np.errstate(all="ignore"):
        for case in all_cases():
            if options.only not in case.name:
                continue
            columns, ratio, remark = "", 0.0, ""
            for n in sizes:
                try:
                    pair = pair_of(case, n, xla)
                except Exception as error:
                    remark = f"not measured: {str(error).splitlines()[0][:90]}"
                    break
                ours, theirs = measured(pair, options.rounds)
                ratio = ours / theirs
                columns += f"{ours * 1e6:>11.1f}{theirs * 1e6:>11.1f}{ratio:>8.2f}"
                remark = pair.differ
            if ratio > BAR:
                remark += f"over {BAR}: {REASONS.get(case.name, 'NO REASON GIVEN')}"
            rows.append((ratio, case.name, columns + "  " + remark))
    print(f"microseconds, NumPy {np.__version__}, load {os.getloadavg()[0]:.1f}")
    heads = "".join(f"{f'{n:,}: ours':>11}{'XLA':>11}{'ratio':>8}" for n in sizes)
    print(f"{'':30}{heads}")
    for _, name, columns in sorted(rows, reverse=True):
        print(f"{name:30}{columns}")
    over = sum(ratio > BAR for ratio, _, _ in rows)
    print(f"{len(rows)} kernels, {over} over {BAR} times XLA at {sizes[-1]:,} elements")


if __name__ == "__main__":
    main()
