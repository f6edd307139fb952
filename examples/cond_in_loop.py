"""A step size that adapts: a branch in a loop accepts a step and grows it, or refuses and shrinks
it.

Only the branch that is taken runs; both use the target from outside the loop.
"""

import jax.numpy as jnp
import numpy as np
from jax import lax


def loss(x, target):
    return jnp.sum((x - target) ** 2)


def fn(x0, target):
    def unfinished(carry):
        x, _, trips = carry
        return (loss(x, target) > 1e-4) & (trips < 200)

    def step(carry):
        x, rate, trips = carry
        proposal = x - rate * 2.0 * (x - target)

        def accept(_):
            return proposal, rate * 1.2

        def refuse(_):
            return x, rate * 0.5

        x, rate = lax.cond(loss(proposal, target) < loss(x, target), accept, refuse, None)
        return x, rate, trips + 1

    return lax.while_loop(unfinished, step, (x0, jnp.float32(1.5), jnp.int32(0)))


def example_args():
    return np.zeros(3, np.float32), np.array([1.0, -2.0, 0.5], np.float32)
