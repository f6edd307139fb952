"""Typed PRNG keys of JAX's (`jax.random.key`): programs have their data, arrays of uint32."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .extras import import_jax


def is_key(value: Any) -> bool:
    """Whether a value, or a description of one, is a typed key, or an array of them."""
    jax = import_jax()
    dtype = getattr(value, "dtype", None)
    return dtype is not None and bool(jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key))


@dataclass(frozen=True)
class Results:
    """The structure of a program's results."""

    tree: Any
    impls: Sequence[Any]
    """For each leaf that is a key, of which implementation; None for arrays."""

    @staticmethod
    def of(leaves: Sequence[Any], tree: Any) -> Results:
        """That of results, traced or not."""
        jax = import_jax()
        return Results(tree, [jax.random.key_impl(x) if is_key(x) else None for x in leaves])

    def unflatten(self, arrays: Sequence[Any]) -> Any:
        """The results, of what the program gives."""
        jax = import_jax()
        leaves = [
            array if impl is None else jax.random.wrap_key_data(array, impl=impl)
            for array, impl in zip(arrays, self.impls, strict=True)
        ]
        return jax.tree.unflatten(self.tree, leaves)

    def children(self) -> list[Results]:
        """Those of the parts of a container."""
        found: list[Results] = []
        start = 0
        for tree in self.tree.children():
            found.append(Results(tree, self.impls[start : start + tree.num_leaves]))
            start += tree.num_leaves
        return found
