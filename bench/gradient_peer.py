"""NumPy and JAX at the steps of `gradient.py`: times one for each line it reads.

Runs in a process of its own, as each system does: how one uses memory and threads is then no matter
to the others.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

os.environ.pop("OPENBLAS_CORETYPE", None)

from gradient_steps import (
    Arrays,
    check,
    fixed_point_data,
    fixed_point_masked,
    fixed_point_numpy,
    lstm_data,
    lstm_jax,
    lstm_numpy,
    lstm_numpy_hoisted,
    trips_of,
    with_jax,
)


def jax_step(function: Callable[..., Any], arguments: Arrays, expected: Arrays) -> Any:
    """A jitted value and gradient, with its arguments on the device."""
    jax, jnp = with_jax()
    compiled = jax.jit(jax.value_and_grad(function, argnums=(0, 1)))
    there = [jnp.asarray(argument) for argument in arguments]
    check("JAX", list(compiled(*there)[1]), expected)
    return lambda: jax.block_until_ready(compiled(*there))


def step_of(system: str, work: str, first: str, second: str) -> Callable[[], object]:
    """The step to time."""
    if work == "lstm":
        arguments = lstm_data(int(first), int(second))
        by_hand, in_jax = lstm_numpy, lstm_jax
    else:
        arguments = fixed_point_data(int(first), float(second))
        by_hand, in_jax = fixed_point_numpy, fixed_point_masked(2 * trips_of(*arguments))
    if system == "jax":
        return jax_step(in_jax, arguments, by_hand(*arguments))
    if system == "hoisted":
        check("hoisted", lstm_numpy_hoisted(*arguments), by_hand(*arguments))
        return lambda: lstm_numpy_hoisted(*arguments)
    return lambda: by_hand(*arguments)


def main() -> None:
    """Prints the version, then the seconds of each step asked for."""
    system, *work = sys.argv[1:]
    step = step_of(system, *work)
    print(version("jax" if system == "jax" else "numpy"), flush=True)
    for _ in sys.stdin:
        begin = time.perf_counter()
        step()
        print(time.perf_counter() - begin, flush=True)


if __name__ == "__main__":
    main()
