"""Collatz: for each start up to `n`, count the steps down to 1, and keep the longest chain.

The inner loop's trips depend on the outer loop's counter, and the outer's on the argument.
"""

import jax.numpy as jnp
import numpy as np
from jax import lax


def chain_length(start):
    def step(carry):
        value, steps = carry
        return jnp.where(value % 2 == 0, value // 2, 3 * value + 1), steps + 1

    _, steps = lax.while_loop(lambda carry: carry[0] != 1, step, (start, jnp.int32(0)))
    return steps


def fn(n):
    def step(carry):
        start, best_start, best = carry
        steps = chain_length(start)
        better = steps > best
        return start + 1, jnp.where(better, start, best_start), jnp.maximum(steps, best)

    init = (jnp.int32(1), jnp.int32(1), jnp.int32(0))
    _, best_start, best = lax.while_loop(lambda carry: carry[0] <= n, step, init)
    return best_start, best


def example_args():
    return (np.int32(30),)
