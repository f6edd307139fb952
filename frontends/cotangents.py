"""What is given for cotangents of results and tangents of primals, checked against those."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from .extras import import_jax
from .markers import is_float


def cotangents_of(given: Any, outputs: Sequence[Any], tree: Any) -> list[Any]:
    """The cotangents of the floating-point leaves of a result, arrays or traced values; what is given
    for others does not count.

    Python numbers do where they are exact, or what JAX makes of them is of the type of the leaf.
    Raises TypeError for other structures, shapes and types than those of the result.
    """
    return _checked(given, outputs, tree, "cotangent", "result")


def tangents_of(given: Any, primals: Any) -> Any:
    """The tangents of primals, in their structure, with None where they are not floating-point; checked
    as cotangents are."""
    jax = import_jax()
    leaves, tree = jax.tree.flatten(primals)
    like = [jax.numpy.asarray(leaf) for leaf in leaves]
    found = iter(_checked(given, like, tree, "tangent", "primal"))
    return jax.tree.unflatten(tree, [next(found) if is_float(leaf) else None for leaf in like])


def _checked(given: Any, outputs: Sequence[Any], tree: Any, what: str, of: str) -> list[Any]:
    try:
        leaves = tree.flatten_up_to(given)
    except (TypeError, ValueError):
        jax = import_jax()
        expected = jax.tree.unflatten(tree, [_Text(_type_text(output)) for output in outputs])
        got = jax.tree.map(lambda leaf: _Text(_text(leaf)), given)
        raise TypeError(
            f"expected {what}s of the structure of the {of}, {expected}, got {got}"
        ) from None
    pairs = zip(leaves, outputs, strict=True)
    return [_typed(leaf, output, what, of) for leaf, output in pairs if is_float(output)]


def _typed(leaf: Any, output: Any, what: str, of: str) -> Any:
    found = _exactly(leaf, output.dtype) if _is_number(leaf) else None
    if found is None:
        found = leaf
        if _is_number(leaf) or hasattr(leaf, "dtype"):
            with suppress(OverflowError, TypeError, ValueError):
                found = import_jax().numpy.asarray(leaf)
    if not hasattr(found, "dtype") or (found.shape, found.dtype) != (output.shape, output.dtype):
        raise TypeError(
            f"expected a {what} {_type_text(output)}, as its {of} is, got"
            f" {_text(leaf)}{_advice(leaf, output)}"
        )
    return found


def _is_number(value: Any) -> bool:
    # NumPy's float64 is a float of Python's as well, but has a dtype to keep to.
    return isinstance(value, bool | int | float | complex) and not isinstance(value, np.generic)


def _exactly(number: Any, dtype: Any) -> Any:
    """The number as an array of the type, if it is one of it; a bool is none."""
    if isinstance(number, bool):
        return None
    try:
        with np.errstate(all="ignore"):
            array = np.array(number, dtype)
            kept = complex(array)
    except (OverflowError, TypeError, ValueError):
        return None
    return array if kept == number or number != number else None


def _text(value: Any) -> str:
    if hasattr(value, "dtype"):
        return _type_text(value)
    return repr(value) if value is None or _is_number(value) else f"a {type(value).__name__}"


def _type_text(value: Any) -> str:
    return f"{value.dtype}[{','.join(map(str, value.shape))}]"


def _advice(leaf: Any, output: Any) -> str:
    if not isinstance(leaf, list | tuple):
        return ""
    return f" (jnp.asarray(…, jnp.{output.dtype}) converts)"


class _Text:
    """A leaf of a structure that is shown."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return self.text
