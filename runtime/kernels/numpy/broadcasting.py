"""`chlo.broadcast_*`: the op of the same name without "broadcast", on operands spread to one shape.

NumPy aligns the last dimensions by itself; `broadcast_dimensions`, when given, says where the
dimensions of the operand of lower rank go.
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from xdsl.ir import Operation

from ...values import shape_of
from .. import KERNELS, Kernel, Scope, kernel
from .attributes import ints
from .regions import BatchedScope

_OPS: Final = (
    "stablehlo.add",
    "stablehlo.and",
    "stablehlo.atan2",
    "stablehlo.compare",
    "stablehlo.complex",
    "stablehlo.divide",
    "stablehlo.maximum",
    "stablehlo.minimum",
    "stablehlo.multiply",
    "chlo.next_after",
    "stablehlo.or",
    "chlo.polygamma",
    "stablehlo.power",
    "stablehlo.remainder",
    "stablehlo.select",
    "stablehlo.shift_left",
    "stablehlo.shift_right_arithmetic",
    "stablehlo.shift_right_logical",
    "stablehlo.subtract",
    "stablehlo.xor",
    "chlo.zeta",
)
_BASES: Final = {f"chlo.broadcast_{name.partition('.')[2]}": name for name in _OPS}


class _Renamed:
    """An op as its elementwise counterpart's builder sees it."""

    def __init__(self, op: Operation, name: str):
        self.name = name
        self.operands = op.operands
        self.results = op.results
        self.properties = op.properties
        self.attributes = op.attributes


@kernel(*_BASES)
def _broadcast(op: Operation, scope: Scope) -> Kernel:
    name = _BASES[op.name]
    renamed = cast(Operation, cast(object, _Renamed(op, name)))
    function = KERNELS[name](renamed, BatchedScope(scope))
    dims = ints(op, "broadcast_dimensions")
    ranks = [len(shape_of(operand)) for operand in op.operands]
    rank = max(ranks)
    lower = [k for k, r in enumerate(ranks) if r < rank]
    if not dims or not lower:
        return function

    def broadcast(*operands: Any) -> Any:
        spread = list(operands)
        for k in lower:
            shape = [1] * rank
            for dim, size in zip(dims, np.shape(operands[k])):
                shape[dim] = size
            spread[k] = operands[k].reshape(tuple(shape))
        return function(*spread)

    return broadcast
