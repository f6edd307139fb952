"""Rules of `chlo.broadcast_*`: those of the op without "broadcast", on operands spread to one shape."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Operation, SSAValue

from ....dialects import chlo, stablehlo
from ....dialects.stablehlo.inference import shape_of
from ..emitter import Emitter
from .expansion import expands, expect_static

_BASES: dict[str, type[Operation]] = {
    "chlo.broadcast_add": stablehlo.AddOp,
    "chlo.broadcast_atan2": stablehlo.Atan2Op,
    "chlo.broadcast_complex": stablehlo.ComplexOp,
    "chlo.broadcast_divide": stablehlo.DivideOp,
    "chlo.broadcast_maximum": stablehlo.MaximumOp,
    "chlo.broadcast_minimum": stablehlo.MinimumOp,
    "chlo.broadcast_multiply": stablehlo.MultiplyOp,
    "chlo.broadcast_next_after": chlo.NextAfterOp,
    "chlo.broadcast_polygamma": chlo.PolygammaOp,
    "chlo.broadcast_power": stablehlo.PowerOp,
    "chlo.broadcast_remainder": stablehlo.RemainderOp,
    "chlo.broadcast_select": stablehlo.SelectOp,
    "chlo.broadcast_subtract": stablehlo.SubtractOp,
    "chlo.broadcast_zeta": chlo.ZetaOp,
}


@expands(*_BASES)
def _broadcast(op: Operation, e: Emitter, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
    expect_static(op, *operands)
    shape = shape_of(op.results[0])
    spread = [_spread(op, e, value, shape) for value in operands]
    result_types = [op.results[0].type]
    return [e.value(_BASES[op.name].create(operands=spread, result_types=result_types))]


def _spread(op: Operation, e: Emitter, value: SSAValue, shape: Sequence[int]) -> SSAValue:
    own = shape_of(value)
    if list(own) == list(shape):
        return value
    given = op.properties.get("broadcast_dimensions")
    dimensions: Sequence[int] = range(len(shape) - len(own), len(shape))
    if isinstance(given, DenseArrayBase) and len(own) < len(shape):
        dimensions = [int(d) for d in given.get_values()]
    return e.broadcast(value, shape, list(dimensions))
