"""Newton's iteration for the square root of `a`, until the error is within a tolerance.

The number of trips depends on the data: nothing in the program bounds it.
"""

import jax.numpy as jnp
import numpy as np
from jax import lax


def fn(a, x0):
    def too_far(carry):
        x, _ = carry
        return jnp.abs(x * x - a) > 1e-3

    def step(carry):
        x, trips = carry
        return 0.5 * (x + a / x), trips + 1

    return lax.while_loop(too_far, step, (x0, jnp.int32(0)))


def example_args():
    return np.float32(7.0), np.float32(1.0)
