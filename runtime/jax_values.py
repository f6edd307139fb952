"""Arrays of JAX, and its typed PRNG keys, as arguments; without importing JAX."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def without_jax(value: Any) -> Any:
    """`value`; if it is an array of JAX's, as NumPy has it, and a typed key as its data."""
    jax = None if isinstance(value, np.ndarray | np.generic) else sys.modules.get("jax")
    if jax is None or not isinstance(value, jax.Array) or isinstance(value, jax.core.Tracer):
        return value
    if jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
        value = jax.random.key_data(value)
    return np.asarray(value)
