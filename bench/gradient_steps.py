"""The steps that `gradient.py` times: their data, as JAX functions, and their gradients by hand."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

Arrays = list[Any]
BATCH = 64
TOLERANCE = 1e-5


def with_jax() -> tuple[Any, Any]:
    """JAX and its NumPy, for those who have it; its types are of no use here."""
    return import_module("jax"), import_module("jax.numpy")


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
    jax, jnp = with_jax()

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


def lstm_numpy_hoisted(weights: Any, bias: Any, inputs: Any) -> Arrays:
    """The same as fast as NumPy can: the inputs' product before the loop, the weights' gradient as
    one product after it, gates in place."""
    steps, batch, width = inputs.shape
    upper, lower = weights[:width], np.ascontiguousarray(weights[width:])
    gates = (inputs.reshape(-1, width) @ upper).reshape(steps, batch, 4 * width)
    gates += bias
    hs = np.zeros((steps + 1, batch, width), np.float32)
    cs = np.zeros((steps + 1, batch, width), np.float32)
    ts = np.empty((steps, batch, width), np.float32)
    product = np.empty((batch, 4 * width), np.float32)
    for k, z in enumerate(gates):
        np.matmul(hs[k], lower, out=product)
        z += product
        j = z[:, width : 2 * width]
        np.tanh(j, out=j)
        for part in (slice(0, width), slice(2 * width, 4 * width)):
            g = z[:, part]
            np.negative(g, out=g)
            np.exp(g, out=g)
            g += 1
            np.reciprocal(g, out=g)
        i, f, o = z[:, :width], z[:, 2 * width : 3 * width], z[:, 3 * width :]
        np.multiply(f, cs[k], out=cs[k + 1])
        cs[k + 1] += i * j
        np.tanh(cs[k + 1], out=ts[k])
        np.multiply(o, ts[k], out=hs[k + 1])
    factor = np.float32(2 / (steps * batch * width))
    dh = np.zeros((batch, width), np.float32)
    dc = np.zeros((batch, width), np.float32)
    dzs = np.empty_like(gates)
    for k in reversed(range(steps)):
        z, t, dz = gates[k], ts[k], dzs[k]
        i, j, f, o = (z[:, n * width : (n + 1) * width] for n in range(4))
        dh += factor * hs[k + 1]
        dho = dh * o
        dc += dho * (1 - t * t)
        dci, dcf = dc * i, dc * f
        dz[:, :width] = dci * j * (1 - i)
        dz[:, width : 2 * width] = dci * (1 - j * j)
        dz[:, 2 * width : 3 * width] = dcf * cs[k] * (1 - f)
        dz[:, 3 * width :] = dho * t * (1 - o)
        np.matmul(dz, lower.T, out=dh)
        dc = dcf
    dz = dzs.reshape(-1, 4 * width)
    dw = np.empty_like(weights)
    np.matmul(inputs.reshape(-1, width).T, dz, out=dw[:width])
    np.matmul(hs[:steps].reshape(-1, width).T, dz, out=dw[width:])
    return [dw, dz.sum(0)]


def fixed_point_data(width: int, gain: float) -> Arrays:
    """A contracting matrix and an offset."""
    draw = np.random.default_rng(1)
    matrix = draw.standard_normal((width, width))
    matrix *= gain / np.linalg.norm(matrix, 2)
    return [matrix.astype(np.float32), draw.standard_normal(width).astype(np.float32)]


def fixed_point_jax(matrix: Any, offset: Any) -> Any:
    """The loop that ends when the data says so."""
    jax, jnp = with_jax()

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
    jax, jnp = with_jax()

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
    """Ends the process when a gradient is wrong."""
    for one, other in zip(got, expected, strict=True):
        error = np.max(np.abs(np.asarray(one) - other)) / np.max(np.abs(other))
        if not error < 1e-3:
            raise SystemExit(f"{name}: gradients differ by {error:.1e} of their size")
