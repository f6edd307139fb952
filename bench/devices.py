"""Loops over many devices: Anabranch, and TensorFlow v1 with logical CPU devices, in one run.

    spread      one multiply and one add on each of k devices a trip, independent, and chained
                (device d + 1 uses what d made in the same trip); iterations per second
    overlap     8 simulated devices that each do one thing at a time for 5 ms: how much faster than
                one after the other, by window
    unrolling   a loop of matrix products against the same written out
    predicate   messages that a loop's control costs: counted, and by a predicate on data

After Yu et al. 2018, section 6. TensorFlow's loop state is placed on the device of each carry; its
own default, all on the first, is half as fast. The machine may be busy: compare within a run only.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import statistics
import sys
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

os.environ.pop("OPENBLAS_CORETYPE", None)

import numpy as np
from device_programs import chain_with_state, ring, spread_loop, step_loop, until_small
from loop import Case, TensorFlow, measure, timed

import anabranch as ab
from anabranch.lowering.device_pipeline import DevicePipeline
from anabranch.runtime.stats import Stats

DEVICES = (1, 2, 4, 8)
WINDOWS = (1, 2, 8, 32)
BAR = 1.5
"""How many times TensorFlow's rate a loop over 8 devices should reach at least."""
OVERLAP_BAR = 7.0
ONES = np.ones(8, np.float32)


def executable(text: str, **options: Any) -> ab.Executable:
    """A program with `plan.device`, split."""
    return ab.compile(ab.parse(text), pipeline=[DevicePipeline()], **options)


def spread_reference(devices: int, trips: int, *, chained: bool) -> list[np.ndarray]:
    """What `spread_loop` gives, by hand."""
    scale, shift = np.float32(0.999), np.full(8, 0.1, np.float32)
    values = [ONES for _ in range(devices)]
    for _ in range(trips):
        for device in range(devices):
            other = values[device - 1] if chained and device else shift
            values[device] = values[device] * scale + other
    return values


def spread_cases(
    kind: str, devices: int, trips: int, tensorflow: TensorFlow | None
) -> dict[str, Case]:
    """The cases of one kind and number of devices, by (system, window)."""
    chained = kind == "chained"
    text = spread_loop(devices, chained=chained)
    arguments = [np.array(trips, np.int32), *[ONES] * devices]
    expected = spread_reference(devices, trips, chained=chained)
    cases: dict[str, Case] = {}
    for window in WINDOWS:
        run = executable(text, parallel_iterations=window)
        for got, want in zip(run(*arguments), expected, strict=True):
            if not np.array_equal(got, want):
                raise SystemExit(f"{kind}, {devices} devices: expected {want}, got {got}")
        cases[f"Anabranch {window}"] = timed(partial(run, *arguments))
        if tensorflow is not None:
            asked = f"spread {kind} {devices} {window} {trips}"
            cases[f"TensorFlow {window}"] = tensorflow.case(asked)
    return cases


def spread(trips: int, repeats: int, tensorflow: TensorFlow | None) -> None:
    """Prints the table of rates."""
    for kind in ("independent", "chained"):
        print(f"\n{kind}, n = {trips:,}: iterations per second (median; spread at the best window)")
        windows = "".join(f"window {window}".rjust(11) for window in WINDOWS)
        print(f"{'devices':>7}  {'':12}{windows}{'spread':>20}{'of TF':>7}")
        best: dict[str, float] = {}
        for devices in DEVICES:
            times = measure(spread_cases(kind, devices, trips, tensorflow), repeats)
            for system in ("Anabranch", "TensorFlow"):
                rows = [times.get(f"{system} {window}") for window in WINDOWS]
                if rows[0] is None:
                    continue
                rates = [trips / statistics.median(row) for row in rows if row]
                best[system] = max(rates)
                chosen = rows[rates.index(max(rates))]
                assert chosen is not None
                spread = f"{trips / max(chosen):,.0f}-{trips / min(chosen):,.0f}"
                share = ""
                if system == "TensorFlow":
                    share = f"{best['Anabranch'] / best[system]:.2f}"
                columns = "".join(f"{rate:>11,.0f}" for rate in rates)
                print(f"{devices:>7}  {system:12}{columns}{spread:>20}{share:>7}", flush=True)
        if len(best) == 2:
            share = best["Anabranch"] / best["TensorFlow"]
            verdict = "reached" if share >= BAR else "missed"
            print(f"bar: {BAR} times TensorFlow at {DEVICES[-1]} devices: {verdict} ({share:.2f})")


def simulated_seconds(text: str, inputs: Sequence[np.ndarray], window: int, clock: str) -> float:
    """How long a program takes whose tanhs take 5 ms on 8 serial devices."""
    providers = {f"cpu:{k}": ab.Simulated({"stablehlo.tanh": 5e-3}) for k in range(8)}
    run = executable(text, parallel_iterations=window, providers=providers, clock=clock)
    if clock == "virtual":
        stats = Stats()
        run.run(inputs, stats=stats)
        return stats.elapsed
    begin = time.perf_counter()
    run.run(inputs)
    return time.perf_counter() - begin


def overlap(trips: int) -> None:
    """Prints how trips overlap on simulated devices."""
    n = np.array(trips, np.int32)
    serial = 8 * trips * 5e-3
    print(
        f"\n8 serial simulated devices of 5 ms, n = {trips}: times as fast as one after the other"
    )
    print(" " * 42 + "".join(f"window {window}".rjust(10) for window in (1, 2, 4, 8)))
    chains = {
        "back to the first within the trip": (ring(8), [n, ONES]),
        "state on its device": (chain_with_state(8), [n, *[ONES] * 8]),
    }
    for name, (text, inputs) in chains.items():
        for clock in ("virtual", "real"):
            gains = [
                serial / simulated_seconds(text, inputs, window, clock) for window in (1, 2, 4, 8)
            ]
            columns = "".join(f"{gain:>10.2f}" for gain in gains)
            print(f"{name + ', ' + clock:42}{columns}", flush=True)
            if text == chains["back to the first within the trip"][0]:
                verdict = "reached" if gains[-1] >= OVERLAP_BAR else "missed"
                print(f"  bar: {OVERLAP_BAR} at window 8: {verdict}")


def unrolling(trips: int, repeats: int, tensorflow: TensorFlow | None) -> None:
    """Prints what a dynamic loop costs beside its unrolling."""
    print(f"\n{trips} steps x = tanh(x w): milliseconds, as a loop and written out")
    print(f"{'width':>7}  {'':12}{'loop':>9}{'unrolled':>10}{'loop/unrolled':>15}")
    for width in (32, 128, 256):
        draw = np.random.default_rng(0)
        matrices = [
            (draw.standard_normal((width, width)) / width**0.5).astype(np.float32) for _ in range(2)
        ]
        arguments = [np.array(trips, np.int32), *matrices]
        cases: dict[str, Case] = {}
        for unrolled in (False, True):
            run = ab.compile(ab.parse(step_loop(trips, width, unrolled=unrolled)))
            cases[f"Anabranch {unrolled}"] = timed(partial(run, *arguments))
            if tensorflow is not None:
                form = "unrolled" if unrolled else "loop"
                cases[f"TensorFlow {unrolled}"] = tensorflow.case(f"steps {form} {trips} {width}")
        times = {name: statistics.median(row) for name, row in measure(cases, repeats).items()}
        for system in ("Anabranch", "TensorFlow"):
            if f"{system} True" in times:
                loop, written = times[f"{system} False"], times[f"{system} True"]
                print(
                    f"{width:>7}  {system:12}{loop * 1e3:>9.2f}{written * 1e3:>10.2f}"
                    f"{loop / written:>15.2f}",
                    flush=True,
                )


def predicate() -> None:
    """Prints what control costs in messages."""
    print("\nmessages for control: of a counted loop, and of a predicate on data")
    print(f"{'devices':>7}{'counted, per trip':>20}{'on data, per evaluation':>26}")
    for devices in DEVICES[1:]:
        counted = Stats()
        arguments = [np.array(100, np.int32), *[ONES] * devices]
        executable(spread_loop(devices, chained=False)).run(arguments, stats=counted)
        on_data = Stats()
        executable(until_small(devices)).run([ONES] * devices, stats=on_data)
        # Outside the loop a counted one sends its bound to each other device; inside, nothing.
        per_trip = (messages(counted) - (devices - 1)) / 100
        evaluations = 1 + 20  # 2**-20 is the first half that is not above 1e-6
        print(f"{devices:>7}{per_trip:>20g}{messages(on_data) / evaluations:>26g}")


def messages(stats: Stats) -> int:
    """All messages of a run."""
    return sum(channel.messages for channel in stats.channels.values())


PARTS = ("spread", "overlap", "unrolling", "predicate")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--n", type=int, default=4000, help="trips of spread loops (default: 4000)")
    parser.add_argument("--repeats", type=int, default=5, help="measurements of each (default: 5)")
    parser.add_argument("--tf-python", help="a Python that has TensorFlow")
    options = parser.parse_args()
    parts = options.parts or PARTS
    for part in parts:
        if part not in PARTS:
            parser.error(f"expected a part of {', '.join(PARTS)}, got {part}")
    python = options.tf_python
    if python is None and importlib.util.find_spec("tensorflow") is not None:
        python = sys.executable
    versions = f"Python {sys.version.split()[0]}, NumPy {np.__version__}"
    tensorflow = None
    if python is None:
        print("TensorFlow is not installed here and --tf-python was not given: without it")
    elif {"spread", "unrolling"} & set(parts):
        tensorflow = TensorFlow(python, "devices_tensorflow.py", max(DEVICES))
        versions += f", TensorFlow {tensorflow.version}"
    print(f"{versions}; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    if "spread" in parts:
        spread(options.n, options.repeats, tensorflow)
    if "overlap" in parts:
        overlap(100)
    if "unrolling" in parts:
        unrolling(100, options.repeats, tensorflow)
    if "predicate" in parts:
        predicate()
    if tensorflow is not None:
        tensorflow.close()


if __name__ == "__main__":
    main()
