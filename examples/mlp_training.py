"""Training a small network by gradient descent: a `fori_loop` whose body holds `jax.grad`.

The gradient is JAX's here, part of the program; the number of steps is an argument.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

FEATURES, HIDDEN, ROWS, RATE = 2, 8, 16, 0.2


def predict(params, x):
    w1, b1, w2, b2 = params
    return jnp.tanh(x @ w1 + b1) @ w2 + b2


def loss(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)


def fn(params, x, y, steps):
    def step(_, params):
        grads = jax.grad(loss)(params, x, y)
        return jax.tree.map(lambda p, g: p - RATE * g, params, grads)

    trained = lax.fori_loop(0, steps, step, params)
    return loss(params, x, y), loss(trained, x, y), trained


def example_args():
    rng = np.random.default_rng(1)
    params = (
        rng.normal(size=(FEATURES, HIDDEN)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        rng.normal(size=(HIDDEN, 1)).astype(np.float32) / 4,
        np.zeros(1, np.float32),
    )
    x = rng.uniform(-1, 1, size=(ROWS, FEATURES)).astype(np.float32)
    y = (x[:, :1] * x[:, 1:]).astype(np.float32)
    return params, x, y, np.int32(100)
