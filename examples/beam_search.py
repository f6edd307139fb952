"""Beam search over a Markov model of tokens, with early exit once every beam has ended.

Each trip extends every beam by every token, keeps the best, and stops at the latest after `STEPS`
trips.
"""

import jax.numpy as jnp
import numpy as np
from jax import lax

BEAMS, TOKENS, STEPS, END = 3, 6, 12, 0


def fn(log_probs, start):
    """The best token sequences (rows), their scores, and the trips needed."""

    def unfinished(carry):
        step, _, _, ended = carry
        return (step < STEPS) & ~jnp.all(ended)

    def extend(carry):
        step, sequences, scores, ended = carry
        last = jnp.where(step == 0, start, sequences[:, jnp.maximum(step - 1, 0)])
        # A beam that has ended goes on only with END, at no cost.
        stay = jnp.where(jnp.arange(TOKENS) == END, 0.0, -jnp.inf)
        steps = jnp.where(ended[:, None], stay, log_probs[last])
        candidates = (scores[:, None] + steps).reshape(-1)
        order = jnp.argsort(-candidates, stable=True)[:BEAMS]
        beam, token = order // TOKENS, order % TOKENS
        sequences = sequences[beam].at[:, step].set(token)
        return step + 1, sequences, candidates[order], ended[beam] | (token == END)

    # Only the first beam is alive at the start, so that the beams differ.
    scores = jnp.where(jnp.arange(BEAMS) == 0, 0.0, -jnp.inf).astype(jnp.float32)
    init = (
        jnp.int32(0),
        jnp.full((BEAMS, STEPS), END, jnp.int32),
        scores,
        jnp.zeros(BEAMS, jnp.bool_),
    )
    step, sequences, scores, _ = lax.while_loop(unfinished, extend, init)
    return sequences, scores, step


def example_args():
    rng = np.random.default_rng(4)
    logits = rng.normal(size=(TOKENS, TOKENS)) * 1.5
    logits[:, END] += 1.0
    log_probs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return log_probs.astype(np.float32), np.int32(4)
