"""`ab.place` and `ab.device`: a JAX program says where it runs."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from ..dialects.plan.scopes import scope_of_device
from .extras import import_jax


@contextmanager
def device(name: str) -> Generator[None]:
    """What is traced in this context runs on the device `name`, such as "cpu:1".

        with ab.device("cpu:1"):
            h = jnp.tanh(x @ w)

    The innermost context counts. It holds for whole loops and branches, and is at home in their
    bodies and in functions that are called; gradients run where the function does. In functions that
    JAX itself compiles it does nothing.
    """
    jax = import_jax()
    with jax.named_scope(scope_of_device(_checked(name))):
        yield


def place(x: Any, name: str) -> Any:
    """`x`, of any pytree, on the device `name`: a copy there, for all that uses the result.

        h = ab.place(h, "cpu:1")

    What is computed from it stays there, if nothing says otherwise. The derivative is the identity.
    """
    jax = import_jax()
    with device(name):
        return jax.tree.map(jax.lax.optimization_barrier, x)


def _checked(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f'expected the name of a device such as "cpu:1", got {name!r}')
    if not name or any(c.isspace() for c in name):
        raise ValueError(f'expected the name of a device such as "cpu:1", got "{name}"')
    return name
