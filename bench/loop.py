"""Iterations per second of two small loops: what a trip costs beside its kernels.

    A  i < n: i + 1
    B  the same, carrying also x = x * 0.999 + 0.1 with f32[8]

They run as Anabranch runs them by default and node by node, as a plain Python loop over NumPy,
and, when TensorFlow is there (in this environment, or in that of `--tf-python`), as TensorFlow
v1's tf.while_loop, in a process of its own. All take turns in one run, in rotating order and with
pauses, since the machine may be busy: compare within a run only.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

# It would choose OpenBLAS's kernels for another processor than this one.
os.environ.pop("OPENBLAS_CORETYPE", None)

import numpy as np

import anabranch as ab

BAR = 0.6
"""The share of TensorFlow's rate that Anabranch should reach at least."""
PAUSE = 0.1
"""Seconds between two measurements: thread pools go on spinning for a while after use."""
TENSORFLOW = "TensorFlow v1"
ANABRANCH = "Anabranch"

PROGRAM_A = """
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  return %r : tensor<i32>
}
"""
PROGRAM_B = """
func.func @main(%n: tensor<i32>, %x0: tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.constant dense<0.999> : tensor<8xf32>
  %b = stablehlo.constant dense<0.1> : tensor<8xf32>
  %r:2 = stablehlo.while(%i = %zero, %x = %x0) : tensor<i32>, tensor<8xf32>
  cond {
    %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %scaled = stablehlo.multiply %x, %a : tensor<8xf32>
    %moved = stablehlo.add %scaled, %b : tensor<8xf32>
    stablehlo.return %next, %moved : tensor<i32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<8xf32>
}
"""
X0 = np.ones(8, np.float32)

Case = Callable[[], float]
"""Runs a loop once; the seconds it took."""


def timed(run: Callable[[], object]) -> Case:
    """A case that times a call."""

    def case() -> float:
        begin = time.perf_counter()
        run()
        return time.perf_counter() - begin

    return case


def numpy_loop_a(n: int) -> np.int32:
    """Loop A by hand."""
    i, limit, one = np.int32(0), np.int32(n), np.int32(1)
    while np.less(i, limit):
        i = np.add(i, one)
    return i


def numpy_loop_b(n: int) -> np.ndarray:
    """Loop B by hand, with a Python counter."""
    a, b = np.full(8, 0.999, np.float32), np.full(8, 0.1, np.float32)
    i, x = 0, X0
    while i < n:
        i += 1
        x = np.add(np.multiply(x, a), b)
    return x


def anabranch_cases(
    text: str, arguments: list[np.ndarray], expected: np.ndarray
) -> dict[str, Case]:
    """The program as it runs by default and node by node; its last result is checked."""
    module = ab.parse(text)
    cases: dict[str, Case] = {}
    for name, fuse in ((ANABRANCH, True), (f"{ANABRANCH}, node by node", False)):
        executable = ab.compile(module, fuse=fuse)
        (*_, result) = executable(*arguments)
        if not np.array_equal(result, expected):
            raise SystemExit(f"{name}: expected {expected}, got {result}")
        cases[name] = timed(lambda executable=executable: executable(*arguments))
    return cases


class TensorFlow:
    """A process that runs TensorFlow's side, the script `worker`, when asked."""

    def __init__(self, python: str, worker: str, *arguments: object):
        script = Path(__file__).parent / worker
        self.process = subprocess.Popen(
            [python, str(script), *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.version = self._answer()

    def case(self, loop: str) -> Case:
        """The case of one loop, timed over there."""

        def case() -> float:
            assert self.process.stdin is not None
            self.process.stdin.write(loop + "\n")
            self.process.stdin.flush()
            return float(self._answer())

        return case

    def close(self) -> None:
        """Ends the process."""
        self.process.communicate()

    def _answer(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        if not line:
            _, errors = self.process.communicate()
            raise SystemExit(f"the TensorFlow process ended:\n{errors}")
        return line


def measure(cases: dict[str, Case], repeats: int) -> dict[str, list[float]]:
    """Seconds of each case: two warm-up calls, then all in turn, each round from another one on."""
    for case in cases.values():
        case()
        case()
    times: dict[str, list[float]] = {name: [] for name in cases}
    names = list(cases)
    for round in range(repeats):
        start = round % len(names)
        for name in names[start:] + names[:start]:
            time.sleep(PAUSE)
            times[name].append(cases[name]())
    return times


def report(loop: str, n: int, times: dict[str, list[float]]) -> None:
    """A table of rates, with the share of TensorFlow's where it ran."""
    print(f"\nloop {loop}, n = {n:,}: iterations per second")
    print(f"{'':26}{'median':>11}{'min':>11}{'max':>11}{'us/trip':>9}{'of TF':>7}")
    reference = times.get(TENSORFLOW)
    for name, seconds in times.items():
        median = statistics.median(seconds)
        rates = (n / median, n / max(seconds), n / min(seconds))
        share = "" if reference is None else f"{statistics.median(reference) / median:.2f}"
        columns = "".join(f"{rate:>11,.0f}" for rate in rates)
        print(f"{name:26}{columns}{median / n * 1e6:>9.2f}{share:>7}")
    if reference is not None:
        share = statistics.median(reference) / statistics.median(times[ANABRANCH])
        verdict = "reached" if share >= BAR else "missed"
        print(f"bar: {BAR} of {TENSORFLOW}: {verdict} ({share:.2f})")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--n", type=int, default=20_000, help="trips (default: 20000)")
    parser.add_argument("--repeats", type=int, default=9, help="measurements of each (default: 9)")
    parser.add_argument("--tf-python", help="a Python that has TensorFlow")
    options = parser.parse_args()
    python = options.tf_python
    if python is None and importlib.util.find_spec("tensorflow") is not None:
        python = sys.executable

    n = np.array(options.n, np.int32)
    expected = numpy_loop_b(options.n)
    loops: dict[str, dict[str, Case]] = {
        "A": {
            **anabranch_cases(PROGRAM_A, [n], n),
            "Python + NumPy": timed(lambda: numpy_loop_a(options.n)),
        },
        "B": {
            **anabranch_cases(PROGRAM_B, [n, X0], expected),
            "Python + NumPy": timed(lambda: numpy_loop_b(options.n)),
        },
    }
    versions = f"Python {sys.version.split()[0]}, NumPy {np.__version__}"
    tensorflow = None if python is None else TensorFlow(python, "loop_tensorflow.py", options.n)
    if tensorflow is None:
        print("TensorFlow is not installed here and --tf-python was not given: without it")
    else:
        versions += f", TensorFlow {tensorflow.version}"
        for loop, cases in loops.items():
            cases[TENSORFLOW] = tensorflow.case(loop)
    print(f"{versions}; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    for loop, cases in loops.items():
        report(loop, options.n, measure(cases, options.repeats))
    if tensorflow is not None:
        tensorflow.close()


if __name__ == "__main__":
    main()
