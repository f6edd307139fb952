"""Packages that are there only with an extra."""

from __future__ import annotations

import os
from typing import Any

_excluded: set[str] = set()
"""What JAX was told already."""


def import_jax() -> Any:
    """The module `jax`, or an error that says how to install it."""
    try:
        import jax
    except ImportError:
        raise ImportError(
            'jax is not installed; `python -m pip install "anabranch[jax]"` installs it'
        ) from None
    _leave_out(os.path.dirname(__file__) + os.sep)
    return jax


def _leave_out(folder: str) -> None:
    """The lines of this folder are not the user's: JAX's locations shall name who calls them."""
    if folder in _excluded:
        return
    _excluded.add(folder)
    try:
        from jax._src.source_info_util import register_exclusion
    except ImportError:  # not JAX's public interface
        return
    register_exclusion(folder)
