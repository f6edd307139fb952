"""A small accumulator machine: `lax.switch` picks one of four instructions on each trip.

The program is an array of opcodes and one of operands; an opcode beyond the last instruction runs
the last, which halts.
"""

import jax.numpy as jnp
import numpy as np
from jax import lax


def fn(opcodes, operands, start):
    def running(carry):
        pc, _, halted = carry
        return (pc < opcodes.shape[0]) & ~halted

    def step(carry):
        pc, acc, _ = carry
        operand = operands[pc]
        acc, halted = lax.switch(
            opcodes[pc],
            [
                lambda acc: (acc + operand, False),
                lambda acc: (acc * operand, False),
                lambda acc: (jnp.tanh(acc), False),
                lambda acc: (acc, True),
            ],
            acc,
        )
        return pc + 1, acc, halted

    return lax.while_loop(running, step, (jnp.int32(0), start, jnp.bool_(False)))


def example_args():
    opcodes = np.array([0, 1, 2, 1, 0, 9, 0, 0], np.int32)
    operands = np.array([2.0, 0.25, 0.0, 3.0, -1.0, 0.0, 100.0, 100.0], np.float32)
    return opcodes, operands, np.float32(0.5)
