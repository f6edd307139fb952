"""Time of a training step through a loop: forward and gradient, beside the peers in the same run.

    lstm         loss of an LSTM over T steps (batch 64) and its gradient by weights and bias
    fixed point  x = tanh(W x + u) until it stands still, and the gradient of sum(x * x) by W and u;
                 JAX cannot differentiate that loop, so it runs a masked scan of twice the trips

Peers, each in a process of its own: NumPy by hand (as one writes it, and with all that can be moved
out of the loops), JAX (jitted), TensorFlow v1 and v2 (`--tf-python`). All take turns in one run, in
rotating order and with pauses: compare within a run only. Every gradient is checked against the one
by hand.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Callable
from typing import Any

from gradient_steps import (
    Arrays,
    check,
    fixed_point_data,
    fixed_point_jax,
    fixed_point_numpy,
    lstm_data,
    lstm_jax,
    lstm_numpy,
    trips_of,
)
from loop import ANABRANCH, Case, TensorFlow, measure, timed

# isort: split

import numpy as np
from xdsl.context import Context

import anabranch as ab
from anabranch.lowering.gradient_pipeline import GradientPipeline

BAR = 1.3
"""The most that Anabranch may take for the LSTM, as a multiple of the best peer's time."""
BY_HAND = "NumPy by hand"


def anabranch_step(function: Callable[..., Any], arguments: Arrays, wrt: tuple[int, ...]) -> Any:
    """A compiled gradient of a JAX function: arguments -> loss, then gradients."""
    module = ab.from_jax(function, *arguments)
    GradientPipeline(wrt=wrt).apply(Context(), module)
    return ab.compile(module, function="main.grad")


def anabranch_case(
    function: Callable[..., Any], by_hand: Callable[..., Arrays], arguments: Arrays
) -> Case:
    """Anabranch's step, checked."""
    step = anabranch_step(function, arguments, (0, 1))
    check(ANABRANCH, step(*arguments)[1:], by_hand(*arguments))
    return timed(lambda: step(*arguments))


def run(options: Any, title: str, mine: Case, peers: dict[str, str], *work: object) -> float:
    """One table; Anabranch's time as a multiple of the best peer's."""
    started: dict[str, TensorFlow] = {}
    for name, system in peers.items():
        if system in ("v1", "v2"):
            if options.tf_python is None:
                continue
            worker = TensorFlow(options.tf_python, "gradient_tensorflow.py", system, *work)
        else:
            worker = TensorFlow(sys.executable, "gradient_peer.py", system, *work)
        started[name] = worker
    systems = {ANABRANCH: mine, **{name: peer.case("step") for name, peer in started.items()}}
    times = measure(systems, options.repeats)
    report(title, times)
    for peer in started.values():
        peer.close()
    medians = {name: statistics.median(seconds) for name, seconds in times.items()}
    best = min((name for name in medians if name != ANABRANCH), key=medians.__getitem__)
    ratio = medians[ANABRANCH] / medians[best]
    print(f"Anabranch takes {ratio:.2f} of the best peer, {best}")
    return ratio


def report(title: str, times: dict[str, list[float]]) -> None:
    """Milliseconds of each system, and Anabranch's time as a multiple of it."""
    print(f"\n{title}: ms a step")
    print(f"{'':23}{'median':>9}{'min':>9}{'max':>9}{'Anabranch / it':>16}")
    mine = statistics.median(times[ANABRANCH])
    for name, seconds in times.items():
        median = statistics.median(seconds)
        columns = "".join(f"{1e3 * s:>9.2f}" for s in (median, min(seconds), max(seconds)))
        print(f"{name:23}{columns}{mine / median:>16.2f}")


LSTM_PEERS = {
    BY_HAND: "numpy",
    f"{BY_HAND}, hoisted": "hoisted",
    "JAX": "jax",
    "TensorFlow v1": "v1",
    "TensorFlow v2": "v2",
}
FIXED_POINT_PEERS = {
    BY_HAND: "numpy",
    "JAX, masked scan": "jax",
    "TensorFlow v1": "v1",
    "TensorFlow v2": "v2",
}
"""Names of peers in tables -> how their processes are asked for them."""


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--repeats", type=int, default=7, help="measurements of each (default: 7)")
    parser.add_argument(
        "--sizes",
        default="100x128,300x128,100x512,300x512",
        help="LSTM steps x width (default: all four: %(default)s)",
    )
    parser.add_argument("--gains", default="0.5,0.93", help="of the fixed point: 1 never ends")
    parser.add_argument("--tf-python", help="a Python that has TensorFlow")
    options = parser.parse_args()
    if options.tf_python is None:
        print("--tf-python was not given: without TensorFlow")
    print(f"NumPy {np.__version__}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    ratios: list[float] = []
    for size in filter(None, options.sizes.split(",")):
        steps, width = map(int, size.split("x"))
        mine = anabranch_case(lstm_jax, lstm_numpy, lstm_data(steps, width))
        title = f"lstm T={steps} width={width}"
        ratios.append(run(options, title, mine, LSTM_PEERS, "lstm", steps, width))
    for text in filter(None, options.gains.split(",")):
        arguments = fixed_point_data(64, float(text))
        mine = anabranch_case(fixed_point_jax, fixed_point_numpy, arguments)
        title = f"fixed point, {trips_of(*arguments)} trips"
        run(options, title, mine, FIXED_POINT_PEERS, "fixed_point", 64, text)
    if ratios:
        verdict = "reached" if max(ratios) <= BAR else "missed"
        print(f"\nbar for lstm: {BAR} of the best peer: {verdict} ({max(ratios):.2f} at worst)")


if __name__ == "__main__":
    main()
