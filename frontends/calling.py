"""Runs a function of pytrees on Anabranch, compiled once for each structure, shapes and types."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy.typing as npt
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from ..lowering.gradient_pipeline import without_requests
from ..passes.autodiff.policies import Policy
from ..runtime.executable import Executable, compile
from .extras import import_jax
from .jax import flatten, from_jax
from .markers import check_reading

Function = Callable[..., Any]
Made = TypeVar("Made")

_compiled: WeakKeyDictionary[Any, dict[Hashable, Any]] = WeakKeyDictionary()
"""Function of the user -> what was asked of it and the types of arguments -> what runs it, and the
structure of the results."""


def runnable(
    fn: Function, traced: Function, what: str, options: Hashable, policy: str | None
) -> Function:
    """`traced`, which is made of `fn`, as a function of arrays; traced values go straight through.

    `what` and `options` tell it from other functions made of `fn`.
    """
    chosen = checked_policy(policy)

    @wraps(fn)
    def call(*args: Any) -> Any:
        jax = import_jax()
        if is_traced(args):
            check_reading(what)
            return traced(*args)
        leaves, tree = jax.tree.flatten(args)
        arrays = flatten(*leaves)

        def make() -> tuple[Executable, Any]:
            module, out_tree = read(fn, traced, jax.tree.unflatten(tree, arrays), chosen)
            return compile(module), out_tree

        executable, out_tree = once(fn, (what, options, policy, tree, types_of(arrays)), make)
        return jax.tree.unflatten(out_tree, executable(*arrays))

    return call


def is_traced(args: Any) -> bool:
    """Whether JAX traces any of the leaves."""
    jax = import_jax()
    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(args))


def types_of(arrays: Sequence[npt.NDArray[Any]]) -> Hashable:
    """What a compiled function depends on of its arguments."""
    return tuple((array.shape, array.dtype) for array in arrays)


def checked_policy(policy: str | None) -> Policy | None:
    """The residual policy; a ValueError for what is none."""
    try:
        return None if policy is None else Policy.parse(policy)
    except VerifyException as error:
        raise ValueError(str(error)) from None


def once(fn: Function, key: tuple[Hashable, ...], make: Callable[[], Made]) -> Made:
    """What `make` gives, made once for `fn` and `key` as long as `fn` lives."""
    try:
        cache = _compiled.setdefault(fn, {})
    except TypeError:  # not hashable, or nothing that a weak reference can be of
        return make()
    key = (*key, import_jax().config.jax_enable_x64)
    found = cache.get(key)
    if found is None:
        found = cache[key] = make()
    return found


def read(fn: Function, traced: Function, args: Any, policy: Policy | None) -> tuple[ModuleOp, Any]:
    """The module of `traced`, without requests, and the structure of its results."""
    jax = import_jax()
    trees: list[Any] = []

    @wraps(fn)
    def leaves(*args: Any) -> Any:
        found, tree = jax.tree.flatten(traced(*args))
        trees.append(tree)
        return found

    return without_requests(from_jax(leaves, *args), "main", policy), trees[-1]
