"""Rules of `dot_general` and `dot`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.inference import shape_of, tensor_of
from ..backward import Backward
from . import Contributions, vjp


@vjp("stablehlo.dot_general")
def _dot_general(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.DotGeneralOp)
    (ct,) = cotangents
    assert ct is not None
    numbers = op.dot_dimension_numbers
    left = (numbers.lhs_batching_dimensions.data, numbers.lhs_contracting_dimensions.data)
    right = (numbers.rhs_batching_dimensions.data, numbers.rhs_contracting_dimensions.data)
    return [
        _factor(b, op, ct, op.lhs, op.rhs, left, right, first=True),
        _factor(b, op, ct, op.rhs, op.lhs, right, left, first=False),
    ]


@vjp("stablehlo.dot")
def _dot(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    lhs, rhs = op.operands
    left = ((), (len(shape_of(lhs)) - 1,))
    right = ((), (0,))
    return [
        _factor(b, op, ct, lhs, rhs, left, right, first=True),
        _factor(b, op, ct, rhs, lhs, right, left, first=False),
    ]


Dimensions = tuple[Sequence[int], Sequence[int]]
"""Batching and contracting dimensions of one factor."""


def _factor(
    b: Backward,
    op: Operation,
    ct: SSAValue,
    mine: SSAValue,
    other: SSAValue,
    my_dims: Dimensions,
    other_dims: Dimensions,
    *,
    first: bool,
) -> SSAValue | None:
    """The cotangent of factor `mine`: the product of `ct` and the other factor over what is `other`'s
    alone. The result of the forward product has dimensions (batch, lhs free, rhs free)."""
    if not b.is_active(mine):
        return None
    batch, contracted = my_dims
    other_batch, other_contracted = other_dims
    my_free = [d for d in range(len(shape_of(mine))) if d not in (*batch, *contracted)]
    other_free = [
        d for d in range(len(shape_of(other))) if d not in (*other_batch, *other_contracted)
    ]
    offset = len(batch) + (len(my_free) if first else 0)
    over = list(range(offset, offset + len(other_free)))
    product = b.emit.value(
        stablehlo.DotGeneralOp(
            b.emit.convert(ct, tensor_of(mine).element_type),
            b.value(other),
            stablehlo.DotDimensionNumbersAttr(
                list(range(len(batch))), list(other_batch), over, list(other_free)
            ),
        )
    )
    # The product has (batch, my free, other's contracted in the other's order).
    remaining = [d for d in range(len(shape_of(other))) if d in other_contracted]
    origin = [
        *batch,
        *my_free,
        *(contracted[list(other_contracted).index(d)] for d in remaining),
    ]
    permutation = [origin.index(d) for d in range(len(origin))]
    if permutation == list(range(len(origin))):
        return product
    return b.emit.value(stablehlo.TransposeOp(product, permutation))
