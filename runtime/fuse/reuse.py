"""Memory of values that nobody reads again, for the results that take their place."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from ..footprints import bytes_of_type
from ..graph import Graph, Node
from ..kernels import in_place_form

SMALLEST = 16 << 10
"""Bytes from which on new memory for a result costs more than a look at who holds the old one."""


@dataclass(frozen=True)
class Reuse:
    """How a node's result may be written into an operand."""

    operands: tuple[int, ...]
    """Which operands have room for it."""
    has_form: bool
    """Whether the kernel has a form of its own for that, into the first operand; else it takes `out`."""

    def text(self, kernel: str, form: str, operands: str, released: Collection[str]) -> str:
        """Source that calls `kernel` with `operands`, `(v1, v2)`, or the form that reuses one of
        those `released`: if it is an array that owns its memory, and nothing else has it."""
        plain = kernel + operands
        for number in self.operands:
            name = operands[1:-1].split(", ")[number]
            if name in released:
                reusing = form + operands if self.has_form else f"{plain[:-1]}, out={name})"
                return (
                    f"{reusing} if references({name}) == SOLE and {name}.base is None"
                    f" and {name}.flags.writeable else {plain}"
                )
        return plain


def reuses_of(graph: Graph) -> dict[int, Reuse]:
    """Nodes that may reuse operands: with kernels that have a form for that, and NumPy's elementwise
    functions of large arrays."""
    found: dict[int, Reuse] = {}
    for node in graph.nodes:
        if in_place_form(node.kernel) is not None:
            found[node.id] = Reuse((0,), True)
        elif _is_elementwise(node) and bytes_of_type(node.result_types[0]) >= SMALLEST:
            types = [graph.nodes[number].result_types[output] for number, output in node.inputs]
            same = tuple(k for k, type in enumerate(types) if type == node.result_types[0])
            found[node.id] = Reuse(same, False)
    return found


def _is_elementwise(node: Node) -> bool:
    kernel = node.kernel
    return isinstance(kernel, np.ufunc) and kernel.nout == 1 and kernel.signature is None
