"""Rules of `reduce`: sums, products and extrema over dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.diagnostics import ProgramError
from ....dialects.stablehlo.inference import shape_of
from ..backward import Backward
from . import Contributions, vjp


@vjp("stablehlo.reduce")
def _reduce(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.ReduceOp)
    if len(op.inputs) != 1:
        raise ProgramError("'stablehlo.reduce' of several inputs has no derivative", op)
    (ct,) = cotangents
    assert ct is not None
    kind = _kind(op.body.block)
    (x,), dimensions = op.inputs, list(op.dimensions.get_values())
    if kind == "stablehlo.add":
        initial = (
            b.emit.sum(ct, range(len(shape_of(ct)))) if b.is_active(op.init_values[0]) else None
        )
        return [_spread(b, ct, x, dimensions), initial]
    if kind in ("stablehlo.maximum", "stablehlo.minimum"):
        return [_extremum(b, op, ct, x, dimensions), None]
    raise ProgramError(
        f"'stablehlo.reduce' has a derivative for sums and extrema, not for {kind or 'this body'}",
        op,
    )


def _kind(block: Block) -> str | None:
    """The name of the body's only op, when it returns that op of its two arguments."""
    ops: Sequence[Operation] = list(block.ops)
    if len(ops) == 2 and set(ops[0].operands) == set(block.args):
        return ops[0].name
    return None


def _spread(b: Backward, value: SSAValue, x: SSAValue, dimensions: Sequence[int]) -> SSAValue:
    """`value` back over the reduced dimensions of `x`."""
    shape = shape_of(x)
    kept = [d for d in range(len(shape)) if d not in dimensions]
    return b.emit.broadcast(value, shape, kept)


def _extremum(
    b: Backward,
    op: stablehlo.ReduceOp,
    ct: SSAValue,
    x: SSAValue,
    dimensions: Sequence[int],
) -> SSAValue:
    """The elements equal to the extremum share its cotangent."""
    e = b.emit
    values = b.value(x)
    best = _spread(b, b.value(op.results[0]), x, dimensions)
    chosen = e.compare("EQ", values, best)
    one, zero = e.full_like(1, values), e.zeros_like(values)
    mask = e.select(chosen, one, zero)
    number = e.sum(mask, dimensions)
    return e.mul(mask, _spread(b, e.div(ct, number), x, dimensions))
