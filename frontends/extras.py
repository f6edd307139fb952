"""Packages that are there only with an extra."""

from __future__ import annotations

from typing import Any


def import_jax() -> Any:
    """The module `jax`, or an error that says how to install it."""
    try:
        import jax
    except ImportError:
        raise ImportError(
            'jax is not installed; `python -m pip install "anabranch[jax]"` installs it'
        ) from None
    return jax
