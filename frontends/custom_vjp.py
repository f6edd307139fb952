"""`ab.custom_vjp`: a function with a derivative rule of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any, cast

from .calling import Function
from .extras import import_jax
from .markers import CUSTOM_VJP, is_float, is_reading, label_of, mark

_IN_RULE: ContextVar[frozenset[int]] = ContextVar("in_rule", default=frozenset())
"""The functions, by their id, whose rules are being traced: inside, they are as written."""


class custom_vjp:
    """A function with a derivative rule of its own.

        @ab.custom_vjp
        def f(x, y): …
        f.defvjp(forward, backward)

    `forward(x, y)` returns the result of `f` and residuals, any pytree; `backward(residuals,
    cotangent)` a tuple of cotangents, one for each argument (None: zero). A rule may call `f`, which
    it then differentiates, at second order, as written. Forward mode through `f` is an error.
    """

    def __init__(self, fn: Function):
        self.fn = fn
        self.forward: Function | None = None
        self.backward: Function | None = None
        self.__name__ = getattr(fn, "__name__", "function")
        self.__doc__ = fn.__doc__

    def defvjp(self, forward: Function, backward: Function) -> None:
        """Set the rule."""
        self.forward, self.backward = forward, backward

    def __call__(self, *args: Any) -> Any:
        jax = import_jax()
        forward, backward = self.forward, self.backward
        if forward is None or backward is None:
            raise TypeError(f"{self.__name__} has no rule yet: call defvjp")
        if not is_reading() or id(self) in _IN_RULE.get():
            return self.fn(*args)
        leaves, tree = jax.tree.flatten(args)
        outputs, out_tree = jax.tree.flatten(jax.eval_shape(self.fn, *args))

        def decomposition(*operands: Any) -> Sequence[Any]:
            primals = jax.tree.unflatten(tree, operands[: len(leaves)])
            seeds = iter(operands[len(leaves) :])
            given = [next(seeds) if is_float(o) else None for o in outputs]
            token = _IN_RULE.set(_IN_RULE.get() | {id(self)})
            try:
                _, residuals = forward(*primals)
                found = backward(residuals, jax.tree.unflatten(out_tree, given))
            finally:
                _IN_RULE.reset(token)
            return [*jax.tree.leaves(self.fn(*primals)), *_cotangents(primals, found)]

        seeds = [jax.numpy.zeros(o.shape, o.dtype) for o in outputs if is_float(o)]
        results = mark(
            CUSTOM_VJP,
            decomposition,
            [*leaves, *seeds],
            arguments=len(leaves),
            results=len(outputs),
            label=label_of(self.fn),
        )
        return jax.tree.unflatten(out_tree, results[: len(outputs)])


def _cotangents(primals: Any, found: Any) -> list[Any]:
    """The leaves of a rule's result, one for each floating-point leaf of the primals."""
    jax = import_jax()
    if not isinstance(found, tuple | list):
        got = type(found).__name__
        raise TypeError(f"expected a tuple of cotangents from a custom_vjp rule, got {got}")
    cotangents = cast("Sequence[Any]", found)
    if len(cotangents) != len(primals):
        raise TypeError(
            f"expected {len(primals)} cotangents from a custom_vjp rule, got {len(cotangents)}"
        )
    result: list[Any] = []
    for primal, cotangent in zip(primals, cotangents):
        leaves, tree = jax.tree.flatten(primal)
        given = [None] * len(leaves) if cotangent is None else tree.flatten_up_to(cotangent)
        for leaf, value in zip(leaves, given):
            if is_float(leaf):
                result.append(jax.numpy.zeros_like(leaf) if value is None else value)
    return result
