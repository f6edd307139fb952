"""Swapping: time and peak memory of a gradient step through a loop, by the length of the sequence.

    loss(n, h, W, U, x) = sum of the last state's squares, of h = tanh(h W + x[i % 8] U), n times

and its gradient by W and U: each trip leaves two states of (batch, width) on stacks. The budget fits
what `--fits` trips need, and no more. Three ways, each run in a process of its own:

    no budget    as Anabranch runs it by default: fused
    node by node without a budget, as devices with one run
    budget       stacks that need more go to a temporary file, and come back in time

Peaks: of the values, by the meter, and of the process (resident, above what it takes before). Every
result is compared with that of the first way: they must be the same bits.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

# It would choose OpenBLAS's kernels for another processor than this one.
os.environ.pop("OPENBLAS_CORETYPE", None)
# One thread: products are small, and threads that wait for a busy machine would be all one sees.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

WAYS = ("no budget", "node by node", "budget")
MIB = 1 << 20


def gradient(batch: int, width: int) -> tuple[Any, list[Any]]:
    """The module, and its arguments but the length."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    import anabranch as ab
    from anabranch.lowering.gradient_pipeline import with_gradient

    draw = np.random.default_rng(0)
    h = np.zeros((batch, width), np.float32)
    w, u = (
        (draw.standard_normal((width, width)) / np.sqrt(width)).astype(np.float32) for _ in range(2)
    )
    x = draw.standard_normal((8, batch, width)).astype(np.float32)

    def loss(n: Any, h: Any, w: Any, u: Any, x: Any) -> Any:
        def body(carry: Any) -> Any:
            i, h = carry
            return i + 1, jnp.tanh(h @ w + x[i % 8] @ u)

        return jnp.sum(jax.lax.while_loop(lambda carry: carry[0] < n, body, (0, h))[1] ** 2)

    module = ab.from_jax(loss, np.int32(2), h, w, u, x)
    return with_gradient(module, wrt=[2, 3]), [h, w, u, x]


class Resident:
    """The most memory that the process had, looked at every few milliseconds."""

    def __enter__(self) -> Resident:
        self.before = self.peak = _resident()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(0.003):
            self.peak = max(self.peak, _resident())


def _resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def one(way: str, length: int, budget: int, batch: int, width: int) -> dict[str, Any]:
    """Measures one way in this process."""
    import numpy as np

    import anabranch as ab
    from anabranch.runtime.stats import Stats

    (module, function), arguments = gradient(batch, width)
    limit = {"budget": budget, "node by node": 1 << 50}.get(way)
    exe = ab.compile(module, function=function, memory=limit)
    exe(np.int32(3), *arguments)
    with Resident() as resident:
        start = time.perf_counter()
        results = exe(np.int32(length), *arguments)
        seconds = time.perf_counter() - start
    found: dict[str, Any] = {"seconds": seconds, "resident": resident.peak - resident.before}
    digest = hashlib.sha256(b"".join(result.tobytes() for result in results))
    found["bits"] = digest.hexdigest()
    if limit is not None:
        stats = Stats()
        exe.run([np.int32(length), *arguments], stats=stats)
        memory = stats.devices["cpu:0"].memory
        assert memory is not None
        found |= {"peak": memory.peak, "out": memory.bytes_out, "waits": memory.waits}
    return found


def _measure(way: str, length: int, budget: int, options: argparse.Namespace) -> dict[str, Any]:
    command = [sys.executable, __file__, "--one", way, "--lengths", str(length)]
    command += ["--budget", str(budget), "--batch", str(options.batch)]
    command += ["--width", str(options.width)]
    best: dict[str, Any] = {}
    for _ in range(options.repeat):
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found = json.loads(output)
        if not best or found["seconds"] < best["seconds"]:
            best = found
    return best


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lengths", type=int, nargs="+", default=[100, 200, 400, 700, 1000])
    parser.add_argument("--fits", type=int, default=100, help="trips that the budget fits")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--budget", type=int, default=0, help="bytes; default: by --fits")
    parser.add_argument("--one", choices=WAYS, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.one is not None:
        (length,) = options.lengths
        print(json.dumps(one(options.one, length, options.budget, options.batch, options.width)))
        return 0
    budget = options.budget
    if not budget:
        budget = int(1.05 * _measure("node by node", options.fits, 0, options)["peak"])
    print(f"budget {budget / MIB:.1f} MiB; f32[{options.batch},{options.width}]; best of")
    print(f"{options.repeat}; MiB: values at peak / resident; time against node by node\n")
    titles = ("no budget", "node by node", "budget", "out", "waits", "time")
    print(f"{'trips':>6}" + "".join(f"{title:>24}" for title in titles[:3]), end="")
    print("".join(f"{title:>9}" for title in titles[3:]))
    failed = False
    for length in options.lengths:
        found = {way: _measure(way, length, budget, options) for way in WAYS}
        cells = [f"{length:>6}"]
        for way in WAYS:
            row = found[way]
            peak = f"{row['peak'] / MIB:.1f}" if "peak" in row else "-"
            text = f"{row['seconds'] * 1e3:.0f} ms {peak:>7} / {row['resident'] / MIB:.1f}"
            cells.append(f"{text:>24}")
        swapped = found["budget"]
        times = swapped["seconds"] / found["node by node"]["seconds"]
        cells.append(f"{swapped['out'] / MIB:>9.1f}{swapped['waits']:>9}{times:>9.2f}")
        print("".join(cells), flush=True)
        if len({row["bits"] for row in found.values()}) > 1 or swapped["peak"] > budget:
            failed = True
            print("       other bits, or more than the budget")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
