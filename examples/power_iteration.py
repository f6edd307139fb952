"""Power iteration: the largest eigenvalue of a symmetric matrix, until it stops moving."""

import jax.numpy as jnp
import numpy as np
from jax import lax


def fn(matrix, v0):
    def moving(carry):
        _, value, previous, trips = carry
        return (jnp.abs(value - previous) > 1e-5 * jnp.abs(value)) & (trips < 500)

    def step(carry):
        v, value, _, trips = carry
        w = matrix @ v
        return w / jnp.linalg.norm(w), jnp.dot(v, w), value, trips + 1

    init = (v0 / jnp.linalg.norm(v0), jnp.float32(0), jnp.float32(jnp.inf), jnp.int32(0))
    v, value, _, trips = lax.while_loop(moving, step, init)
    return value, v, trips


def example_args():
    rng = np.random.default_rng(2)
    half = rng.normal(size=(5, 5)).astype(np.float32)
    return half @ half.T, np.ones(5, np.float32)
