"""What `ab.vjp` computes when called with arrays: residuals once, then cotangents as often as asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.context import Context

from ..passes.inline_calls import InlineCallsPass
from ..passes.split_vjp import SplitVjpPass
from ..runtime.executable import Executable, compile
from .calling import Function, checked_policy, once, read, types_of
from .extras import import_jax
from .jax import flatten
from .markers import is_float, reading

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Halves:
    """A function of primals and cotangents, compiled in two halves."""

    forward: Executable
    """From the leaves of the primals to those of the results, and residuals."""
    backward: Executable
    """From residuals and cotangents to the leaves of the primals' cotangents."""
    outputs: Sequence[Any]
    """Shape and type of each leaf of the result."""
    out_tree: Any
    primals_tree: Any
    """Of the primals' cotangents, where integers have None."""

    def cotangents(self, given: Any) -> list[Array]:
        """The leaves that the backward half takes; raises TypeError for others than those."""
        leaves = self.out_tree.flatten_up_to(given)
        floats = [(c, o) for c, o in zip(leaves, self.outputs, strict=True) if is_float(o)]
        arrays = flatten([c for c, _ in floats])
        if len(arrays) != len(floats):
            raise TypeError("expected a cotangent of each floating-point result, got None for one")
        for array, (_, output) in zip(arrays, floats, strict=True):
            if (array.shape, array.dtype) != (output.shape, output.dtype):
                raise TypeError(
                    f"expected a cotangent of the type of its result, {_type_text(output)},"
                    f" got {_type_text(array)}"
                )
        return arrays


def halves(
    fn: Function, traced: Function, primals: tuple[Any, ...], policy: str | None
) -> tuple[Halves, list[Array]]:
    """What computes `traced`, of primals and cotangents to results and the primals' cotangents, in two
    halves; and the leaves of the primals."""
    jax = import_jax()
    leaves, tree = jax.tree.flatten(primals)
    arrays = flatten(*leaves)
    chosen = checked_policy(policy)

    def make() -> Halves:
        given = jax.tree.unflatten(tree, arrays)
        with reading():
            outputs, out_tree = jax.tree.flatten(jax.eval_shape(fn, *given))
        seeds = jax.tree.unflatten(out_tree, [o if is_float(o) else None for o in outputs])
        module, results_tree = read(fn, traced, (given, seeds), chosen)
        for step in (
            InlineCallsPass("main"),
            SplitVjpPass("main", len(arrays), len(outputs)),
        ):
            step.apply(Context(), module)
        _, primals_tree = results_tree.children()
        forward, backward = "main.forward", "main.backward"
        return Halves(
            compile(module, function=forward),
            compile(module, function=backward),
            outputs,
            out_tree,
            primals_tree,
        )

    return once(fn, ("the vjp in halves", policy, tree, types_of(arrays)), make), arrays


def _type_text(value: Any) -> str:
    shape = ",".join(map(str, value.shape))
    return f"{np.dtype(value.dtype).name}[{shape}]"
