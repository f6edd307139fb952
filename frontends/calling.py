"""Runs a function of pytrees on Anabranch, compiled once for each structure, shapes and types."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import ModuleOp

from ..runtime.executable import Executable
from .extras import import_jax
from .jax import flatten, from_jax
from .keys import Results, is_key
from .markers import check_reading, is_reading
from .options import Options

Function = Callable[..., Any]
Made = TypeVar("Made")

_compiled: WeakKeyDictionary[Any, dict[Hashable, Any]] = WeakKeyDictionary()
"""Function of the user -> what was asked of it and the types of arguments -> what runs it, and the
structure of the results."""


def runnable(
    fn: Function, traced: Function, what: str, facts: Hashable, options: Options
) -> Function:
    """`traced`, which is made of `fn`, as a function of arrays; traced values go straight through.

    `what` and `facts` tell it from other functions made of `fn`.
    """

    @wraps(fn)
    def call(*args: Any) -> Any:
        jax = import_jax()
        if is_traced(args):
            check_reading(what)
            return traced(*jax.tree.map(jax.numpy.asarray, args))
        leaves, tree = jax.tree.flatten(args)
        arrays = flatten(*leaves)
        given = typed(leaves, arrays)

        def make() -> tuple[Executable, Results]:
            module, results = read(fn, traced, jax.tree.unflatten(tree, given), options)
            return options.compile(module), results

        key = (what, facts, options.key, tree, types_of(given))
        executable, results = once(fn, key, make)
        return results.unflatten(options.run(executable, arrays))

    return call


def is_traced(args: Any) -> bool:
    """Whether JAX traces any of the leaves, or the program that all this is a part of: what else
    it traces, a function may have from outside."""
    jax = import_jax()
    return is_reading() or any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(args))


def typed(leaves: Sequence[Any], arrays: Sequence[Any]) -> list[Any]:
    """Leaves to trace with: arrays, of the types that JAX gives them, and typed keys."""
    return [leaf if is_key(leaf) else array for leaf, array in zip(leaves, arrays, strict=True)]


def types_of(leaves: Sequence[Any]) -> Hashable:
    """What a compiled function depends on of its arguments."""
    return tuple((leaf.shape, leaf.dtype) for leaf in leaves)


def once(fn: Function, key: tuple[Hashable, ...], make: Callable[[], Made]) -> Made:
    """What `make` gives, made once for `fn` and `key` as long as `fn` lives."""
    try:
        cache = _compiled.setdefault(fn, {})
    except TypeError:  # not hashable, or nothing that a weak reference can be of
        return make()
    key = (*key, import_jax().config.jax_enable_x64)
    try:
        found = cache.get(key)
    except TypeError:  # an option that is not hashable
        return make()
    if found is None:
        found = cache[key] = make()
    return found


def read(fn: Function, traced: Function, args: Any, options: Options) -> tuple[ModuleOp, Results]:
    """The module of `traced`, without requests, and the structure of its results."""
    jax = import_jax()
    results: list[Results] = []

    @wraps(fn)
    def leaves(*args: Any) -> Any:
        found, tree = jax.tree.flatten(traced(*args))
        results.append(Results.of(found, tree))
        return found

    return options.differentiated(from_jax(leaves, *args)), results[-1]
