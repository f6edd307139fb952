"""From a JAX function to a module of the source level (`func` and `stablehlo`); needs the extra
`[jax]`.

JAX traces and lowers the function; what it prints, source locations included, is read by the same
parser as any other text, so a program from JAX and one from a file cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import ModuleOp

from ..dialects.plan.scopes import has_scopes, place_by_scopes
from ..runtime.jax_values import without_jax
from .derivative_rules import derivative_order, lowering_parameters
from .extras import import_jax
from .markers import reading
from .mlir_text import parse_module


def from_jax(
    fn: Callable[..., Any],
    *example_args: Any,
    static_argnums: int | Sequence[int] | None = None,
    debug_info: bool = True,
) -> ModuleOp:
    """The module that `fn` is, called with arguments of the shapes and types of `example_args`.

    An argument is an array, a number, a `jax.ShapeDtypeStruct` (only shape and type matter), a typed
    PRNG key (in the program its data, of uint32), or any pytree of them. The arguments of `@main` are
    the leaves, argument by argument, in the order of `jax.tree.leaves`: tuples and lists from left to
    right, dicts by sorted key, None has no leaf.
    All of them are kept, used or not; the results are the leaves of what `fn` returns, in the same
    order. Arguments at `static_argnums` are compile-time values and not arguments of `@main`. With
    `debug_info`, errors name the line of the Python source.
    """
    jax = import_jax()
    jitted = jax.jit(fn, static_argnums=static_argnums, keep_unused=True)
    with reading():
        lowered = _lower(jitted, example_args)
    text: str = lowered.as_text(debug_info=debug_info)
    if not debug_info:
        named: str = lowered.as_text(debug_info=True)
        text = named if has_scopes(named) else text  # else its devices would be lost
    module = parse_module(text, f"<jax {getattr(fn, '__name__', 'function')}>")
    place_by_scopes(module)
    return module


def flatten(*args: Any) -> list[npt.NDArray[Any]]:
    """The leaves of `args` in the order of `@main`'s arguments, for `exe(*flatten(*args))`.

    As arrays of the types that JAX gives them: a Python float is an f32, and so is an f64 array
    unless JAX's 64-bit mode is on; a typed PRNG key is its data.
    """
    jax = import_jax()
    return [np.asarray(without_jax(jax.numpy.asarray(leaf))) for leaf in jax.tree.leaves(args)]


def _lower(jitted: Any, args: Sequence[Any]) -> Any:
    """What JAX lowers the function to, with what it would drop marked if it lets us."""
    traced = jitted.trace(*args)
    try:
        parameters = lowering_parameters(derivative_order(traced.jaxpr.jaxpr))
    except (ImportError, AttributeError, TypeError):
        return traced.lower()
    return traced.lower(_private_parameters=parameters)
