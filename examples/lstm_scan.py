"""An LSTM over the first `length` rows of a padded sequence; `length` is an argument.

The loop stops at the real length; rows beyond it are not touched.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

HIDDEN, FEATURES, LONGEST = 4, 3, 8


def cell(weights, bias, h, c, x):
    gates = jnp.concatenate([x, h]) @ weights + bias
    i, f, g, o = jnp.split(gates, 4)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c


def fn(weights, bias, xs, length):
    def step(t, carry):
        h, c, hs = carry
        h, c = cell(weights, bias, h, c, xs[t])
        return h, c, hs.at[t].set(h)

    zero = jnp.zeros(HIDDEN)
    h, _, hs = lax.fori_loop(0, length, step, (zero, zero, jnp.zeros((LONGEST, HIDDEN))))

    # A scan of fixed length over what the loop wrote: the mean activity, row by row.
    def running_sum(total, row):
        return total + row, jnp.mean(total + row)

    _, activity = lax.scan(running_sum, zero, hs)
    return h, hs, activity


def example_args():
    rng = np.random.default_rng(0)
    weights = rng.normal(size=(FEATURES + HIDDEN, 4 * HIDDEN), scale=0.5).astype(np.float32)
    bias = rng.normal(size=4 * HIDDEN, scale=0.1).astype(np.float32)
    xs = rng.normal(size=(LONGEST, FEATURES)).astype(np.float32)
    return weights, bias, xs, np.int32(5)
