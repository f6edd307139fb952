"""What `ab.vjp` computes when called with arrays: residuals once, then cotangents as often as asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt
from xdsl.context import Context

from ..passes.inline_calls import InlineCallsPass
from ..passes.split_vjp import SplitVjpPass
from ..runtime.executable import Executable
from .calling import Function, once, read, typed, types_of
from .cotangents import cotangents_of
from .extras import import_jax
from .jax import flatten
from .keys import Results
from .markers import is_float, reading
from .options import Options

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Halves:
    """A function of primals and cotangents, compiled in two halves."""

    forward: Executable
    """From the leaves of the primals to those of the results, and residuals."""
    backward: Executable
    """From residuals and cotangents to the leaves of the primals' cotangents."""
    results: Results
    """Of all that the function gives: its result, and what goes with it."""
    outputs: Sequence[Any]
    """Shape and type of each leaf of the result."""
    out_tree: Any
    primals: Results
    """Of the primals' cotangents, where integers have None."""

    def cotangents(self, given: Any) -> list[Array]:
        """The leaves that the backward half takes; raises TypeError for others than those."""
        return cotangents_of(given, self.outputs, self.out_tree)


def halves(
    fn: Function, traced: Function, primals: tuple[Any, ...], has_aux: bool, options: Options
) -> tuple[Halves, list[Array]]:
    """What computes `traced`, of primals and cotangents to results and the primals' cotangents, in two
    halves; and the leaves of the primals."""
    jax = import_jax()
    leaves, tree = jax.tree.flatten(primals)
    arrays = flatten(*leaves)
    like = typed(leaves, arrays)

    def make() -> Halves:
        given = jax.tree.unflatten(tree, like)
        with reading():
            out = result_of(jax.eval_shape(fn, *given), has_aux)
        outputs, out_tree = jax.tree.flatten(out)
        seeds = jax.tree.unflatten(out_tree, [o if is_float(o) else None for o in outputs])
        module, found = read(fn, traced, (given, seeds), options)
        results, cotangents = found.children()
        for step in (
            InlineCallsPass("main"),
            SplitVjpPass("main", len(arrays), len(results.impls)),
        ):
            step.apply(Context(), module)
        return Halves(
            options.compile(module, "main.forward"),
            options.compile(module, "main.backward"),
            results,
            outputs,
            out_tree,
            cotangents,
        )

    key = ("the vjp in halves", has_aux, options.key, tree, types_of(like))
    return once(fn, key, make), arrays


def result_of(out: Any, has_aux: bool) -> Any:
    """What is differentiated of what a function returns: with `has_aux`, the first of a pair."""
    if not has_aux:
        return out
    if not isinstance(out, tuple | list) or len(out) != 2:  # pyright: ignore[reportUnknownArgumentType]
        got = f"{len(out)} results" if isinstance(out, tuple | list) else type(out).__name__  # pyright: ignore[reportUnknownArgumentType]
        raise TypeError(f"expected a function that returns a pair (has_aux), got {got}")
    return out[0]  # pyright: ignore[reportUnknownVariableType]
