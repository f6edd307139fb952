"""Time of a training step through a loop: forward and gradient, beside the peers in the same run.

    lstm         loss of an LSTM over T steps (batch 64) and its gradient by weights and bias
    fixed point  x = tanh(W x + u) until it stands still, and the gradient of sum(x * x) by W and u;
                 JAX cannot differentiate that loop, so it runs a masked scan of twice the trips

Peers: NumPy by hand, JAX (jitted), TensorFlow v1 (`--tf-python`, a process of its own). All take turns
in one run, in rotating order and with pauses: compare within a run only. Every gradient is checked
against the one by hand.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from typing import Any

from loop import ANABRANCH, TENSORFLOW, Case, TensorFlow, measure, timed

# isort: split

import jax
import jax.numpy as jnp
import numpy as np
from xdsl.context import Context

import anabranch as ab
from anabranch.lowering.gradient_pipeline import GradientPipeline
from anabranch.passes import get_pass

Arrays = list[Any]
BATCH = 64
TOLERANCE = 1e-5


def anabranch_step(function: Callable[..., Any], arguments: Arrays, wrt: tuple[int, ...]) -> Any:
    """A compiled gradient of a JAX function: arguments -> loss, then gradients."""
    module = ab.from_jax(function, *arguments)
    context = Context()
    GradientPipeline(wrt=wrt).apply(context, module)
    for name in ("optimize-scan", "remove-dead-code"):
        get_pass(name)().apply(context, module)
    return ab.compile(module, function="main.grad")


def lstm_data(steps: int, width: int) -> Arrays:
    """Weights (2 width, 4 width), bias (4 width) and inputs (steps, batch, width)."""
    draw = np.random.default_rng(0)
    weights = draw.standard_normal((2 * width, 4 * width)) / np.sqrt(2 * width)
    bias = np.zeros(4 * width)
    bias[2 * width : 3 * width] = 1
    inputs = draw.standard_normal((steps, BATCH, width))
    return [array.astype(np.float32) for array in (weights, bias, inputs)]


def lstm_jax(weights: Any, bias: Any, inputs: Any) -> Any:
    """The mean square of the hidden states."""
    width = inputs.shape[2]

    def step(state: Any, x: Any) -> Any:
        c, h = state
        i, j, f, o = jnp.split(jnp.concatenate([x, h], 1) @ weights + bias, 4, 1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(j)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (c, h), h

    zeros = jnp.zeros((BATCH, width), jnp.float32)
    _, states = jax.lax.scan(step, (zeros, zeros), inputs)
    return jnp.mean(states**2)


def lstm_numpy(weights: Any, bias: Any, inputs: Any) -> Arrays:
    """Gradients of `lstm_jax` by hand: one product and one sum a step, as one would write it."""
    steps, batch, width = inputs.shape
    h = c = np.zeros((batch, width), np.float32)
    saved: Arrays = []
    states: Arrays = []

    def sigmoid(z: Any) -> Any:
        return 1 / (1 + np.exp(-z))

    for x in inputs:
        joined = np.concatenate([x, h], 1)
        z = joined @ weights + bias
        i, j = sigmoid(z[:, :width]), np.tanh(z[:, width : 2 * width])
        f, o = sigmoid(z[:, 2 * width : 3 * width]), sigmoid(z[:, 3 * width :])
        before, c = c, f * c + i * j
        t = np.tanh(c)
        h = o * t
        saved.append((joined, i, j, f, o, before, t))
        states.append(h)
    factor = np.float32(2 / (steps * batch * width))
    dh = dc = np.zeros_like(h)
    dw, db = np.zeros_like(weights), np.zeros_like(bias)
    for (joined, i, j, f, o, before, t), h in zip(reversed(saved), reversed(states)):
        dh = dh + factor * h
        dc = dc + dh * o * (1 - t * t)
        parts = (
            dc * j * i * (1 - i),
            dc * i * (1 - j * j),
            dc * before * f * (1 - f),
            dh * t * o * (1 - o),
        )
        dz = np.concatenate(parts, 1)
        dw += joined.T @ dz
        db += dz.sum(0)
        dh, dc = (dz @ weights.T)[:, width:], dc * f
    return [dw, db]


def fixed_point_data(width: int, gain: float) -> Arrays:
    """A contracting matrix and an offset."""
    draw = np.random.default_rng(1)
    matrix = draw.standard_normal((width, width))
    matrix *= gain / np.linalg.norm(matrix, 2)
    return [matrix.astype(np.float32), draw.standard_normal(width).astype(np.float32)]


def fixed_point_jax(matrix: Any, offset: Any) -> Any:
    """The loop that ends when the data says so."""

    def go_on(state: Any) -> Any:
        before, x = state
        return jnp.max(jnp.abs(x - before)) > TOLERANCE

    def step(state: Any) -> Any:
        _, x = state
        return x, jnp.tanh(matrix @ x + offset)

    start = jnp.zeros_like(offset)
    _, x = jax.lax.while_loop(go_on, step, (start, jnp.tanh(offset)))
    return jnp.sum(x * x)


def fixed_point_masked(bound: int) -> Callable[[Any, Any], Any]:
    """The same as a scan of `bound` trips that stands still once the loop would have ended."""

    def function(matrix: Any, offset: Any) -> Any:
        def step(state: Any, _: Any) -> Any:
            before, x = state
            go_on = jnp.max(jnp.abs(x - before)) > TOLERANCE
            new = jnp.tanh(matrix @ x + offset)
            return (jnp.where(go_on, x, before), jnp.where(go_on, new, x)), None

        start = jnp.zeros_like(offset)
        (_, x), _ = jax.lax.scan(step, (start, jnp.tanh(offset)), None, length=bound)
        return jnp.sum(x * x)

    return function


def fixed_point_numpy(matrix: Any, offset: Any) -> Arrays:
    """Gradients of `fixed_point_jax` by hand."""
    before, x = np.zeros_like(offset), np.tanh(offset)
    xs = [x]
    while np.max(np.abs(x - before)) > TOLERANCE:
        before, x = x, np.tanh(matrix @ x + offset)
        xs.append(x)
    dx = 2 * x
    dm, do = np.zeros_like(matrix), np.zeros_like(offset)
    for k in range(len(xs) - 1, 0, -1):
        dz = dx * (1 - xs[k] * xs[k])
        dm += np.outer(dz, xs[k - 1])
        do += dz
        dx = matrix.T @ dz
    do += dx * (1 - xs[0] * xs[0])
    return [dm, do]


def trips_of(matrix: Any, offset: Any) -> int:
    """The trips that the fixed point takes."""
    before, x, trips = np.zeros_like(offset), np.tanh(offset), 0
    while np.max(np.abs(x - before)) > TOLERANCE:
        before, x, trips = x, np.tanh(matrix @ x + offset), trips + 1
    return trips


def check(name: str, got: Arrays, expected: Arrays) -> None:
    """Ends the benchmark when a gradient is wrong."""
    for one, other in zip(got, expected, strict=True):
        error = np.max(np.abs(np.asarray(one) - other)) / np.max(np.abs(other))
        if not error < 1e-3:
            raise SystemExit(f"{name}: gradients differ by {error:.1e} of their size")


def jax_case(function: Callable[..., Any], arguments: Arrays, expected: Arrays) -> Case:
    """A jitted value and gradient, with its arguments on the device."""
    compiled = jax.jit(jax.value_and_grad(function, argnums=(0, 1)))
    there = [jnp.asarray(argument) for argument in arguments]
    check("JAX", list(compiled(*there)[1]), expected)
    return timed(lambda: jax.block_until_ready(compiled(*there)))


def cases(
    function: Callable[..., Any],
    by_hand: Callable[..., Arrays],
    in_jax: Callable[..., Any],
    arguments: Arrays,
) -> dict[str, Case]:
    """The step in each system but TensorFlow, checked."""
    expected = by_hand(*arguments)
    step = anabranch_step(function, arguments, (0, 1))
    check(ANABRANCH, step(*arguments)[1:], expected)
    return {
        ANABRANCH: timed(lambda: step(*arguments)),
        "NumPy by hand": timed(lambda: by_hand(*arguments)),
        "JAX": jax_case(in_jax, arguments, expected),
    }


def report(title: str, times: dict[str, list[float]]) -> None:
    """Milliseconds of each system, and Anabranch's time as a multiple of it."""
    print(f"\n{title}: ms a step")
    print(f"{'':20}{'median':>9}{'min':>9}{'max':>9}{'Anabranch / it':>16}")
    mine = statistics.median(times[ANABRANCH])
    for name, seconds in times.items():
        median = statistics.median(seconds)
        columns = "".join(f"{1e3 * s:>9.2f}" for s in (median, min(seconds), max(seconds)))
        print(f"{name:20}{columns}{mine / median:>16.2f}")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=7, help="measurements of each (default: 7)")
    parser.add_argument("--sizes", default="100x128", help="LSTM steps x width, as 100x128,300x512")
    parser.add_argument("--tf-python", help="a Python that has TensorFlow")
    options = parser.parse_args()
    for size in options.sizes.split(","):
        steps, width = map(int, size.split("x"))
        arguments = lstm_data(steps, width)
        systems = cases(lstm_jax, lstm_numpy, lstm_jax, arguments)
        run(options, f"lstm T={steps} width={width}", systems, "lstm", steps, width)
    for gain in (0.5, 0.93):
        arguments = fixed_point_data(64, gain)
        trips = trips_of(*arguments)
        masked = fixed_point_masked(2 * trips)
        systems = cases(fixed_point_jax, fixed_point_numpy, masked, arguments)
        run(options, f"fixed point, {trips} trips", systems, "fixed_point", 64, gain)


def run(options: Any, title: str, systems: dict[str, Case], work: str, *size: object) -> None:
    """One table."""
    peer = None
    if options.tf_python is not None:
        peer = TensorFlow(options.tf_python, "gradient_tensorflow.py", work, *size)
        systems[TENSORFLOW] = peer.case("step")
    report(title, measure(systems, options.repeats))
    if peer is not None:
        peer.close()


if __name__ == "__main__":
    main()
