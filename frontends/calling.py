"""Runs a function of pytrees on Anabranch, compiled once for each structure, shapes and types."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary

from xdsl.utils.exceptions import VerifyException

from ..lowering.gradient_pipeline import without_requests
from ..passes.autodiff.policies import Policy
from ..runtime.executable import Executable, compile
from .extras import import_jax
from .jax import flatten, from_jax
from .markers import check_reading

Function = Callable[..., Any]

_compiled: WeakKeyDictionary[Any, dict[Hashable, tuple[Executable, Any]]] = WeakKeyDictionary()
"""Function of the user -> what was asked of it and the types of arguments -> what runs it, and the
structure of the results."""


def runnable(
    fn: Function, traced: Function, what: str, options: Hashable, policy: str | None
) -> Function:
    """`traced`, which is made of `fn`, as a function of arrays; traced values go straight through.

    `what` and `options` tell it from other functions made of `fn`.
    """
    try:
        chosen = None if policy is None else Policy.parse(policy)
    except VerifyException as error:
        raise ValueError(str(error)) from None

    @wraps(fn)
    def call(*args: Any) -> Any:
        jax = import_jax()
        leaves, tree = jax.tree.flatten(args)
        if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
            check_reading(what)
            return traced(*args)
        arrays = flatten(*leaves)
        types = tuple((array.shape, array.dtype) for array in arrays)
        cache = _cache_of(fn)
        key = (what, options, policy, tree, types, jax.config.jax_enable_x64)
        found = cache.get(key)
        if found is None:
            found = cache[key] = _compile(fn, traced, jax.tree.unflatten(tree, arrays), chosen)
        executable, out_tree = found
        return jax.tree.unflatten(out_tree, executable(*arrays))

    return call


def _cache_of(fn: Function) -> dict[Hashable, tuple[Executable, Any]]:
    try:
        return _compiled.setdefault(fn, {})
    except TypeError:  # not hashable, or nothing that a weak reference can be of
        return {}


def _compile(
    fn: Function, traced: Function, args: Any, policy: Policy | None
) -> tuple[Executable, Any]:
    jax = import_jax()
    trees: list[Any] = []

    @wraps(fn)
    def leaves(*args: Any) -> Any:
        found, tree = jax.tree.flatten(traced(*args))
        trees.append(tree)
        return found

    module = from_jax(leaves, *args)
    return compile(without_requests(module, "main", policy)), trees[-1]
