"""Sinkhorn's balancing in the log domain: an outer loop until converged around an inner
`fori_loop`.

The result is the plan that moves the weights `a` to the weights `b` at least (regularised) cost.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

REGULARISATION, INNER_STEPS, TOLERANCE = 0.1, 5, 1e-4


def fn(cost, a, b):
    def plan(f, g):
        return jnp.exp((f[:, None] + g[None, :] - cost) / REGULARISATION)

    def update(_, potentials):
        f, g = potentials
        soft = jax.nn.logsumexp((g[None, :] - cost) / REGULARISATION, axis=1)
        f = REGULARISATION * (jnp.log(a) - soft)
        soft = jax.nn.logsumexp((f[:, None] - cost) / REGULARISATION, axis=0)
        return f, REGULARISATION * (jnp.log(b) - soft)

    def unbalanced(carry):
        f, g, trips = carry
        return (jnp.sum(jnp.abs(plan(f, g).sum(axis=1) - a)) > TOLERANCE) & (trips < 100)

    def sweep(carry):
        f, g, trips = carry
        f, g = lax.fori_loop(0, INNER_STEPS, update, (f, g))
        return f, g, trips + 1

    init = (jnp.zeros_like(a), jnp.zeros_like(b), jnp.int32(0))
    f, g, trips = lax.while_loop(unbalanced, sweep, init)
    return jnp.sum(plan(f, g) * cost), plan(f, g), trips


def example_args():
    rng = np.random.default_rng(4)
    x, y = rng.uniform(size=(4, 1)), rng.uniform(size=(5, 1))
    cost = ((x - y.T) ** 2).astype(np.float32)
    a, b = rng.uniform(0.5, 1.5, size=4), rng.uniform(0.5, 1.5, size=5)
    return cost, (a / a.sum()).astype(np.float32), (b / b.sum()).astype(np.float32)
