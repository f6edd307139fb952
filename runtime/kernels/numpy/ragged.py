"""`chlo.ragged_dot`: products of groups of rows.

The groups lie one after the other along the left operand's ragged dimension; where their sizes
differ by the index of dimensions before it, each index is done by itself. What belongs to no group
adds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...values import shape_of
from .. import Kernel, Scope, kernel
from .attributes import as_ints, attribute
from .common import operand_dtype, result_dtype
from .dot import compute_dtype, dot_general_of

Slices = list[Any]


@kernel("chlo.ragged_dot")
def _ragged_dot(op: Operation, scope: Scope) -> Kernel:
    numbers = attribute(op, "ragged_dot_dimension_numbers")
    lhs_batch = as_ints(numbers.lhs_batching_dimensions)
    rhs_batch = as_ints(numbers.rhs_batching_dimensions)
    lhs_sum = as_ints(numbers.lhs_contracting_dimensions)
    rhs_sum = as_ints(numbers.rhs_contracting_dimensions)
    (ragged,) = as_ints(numbers.lhs_ragged_dimensions)
    groups = as_ints(numbers.rhs_group_dimensions)
    lhs_rank, rhs_rank = (len(shape_of(operand)) for operand in op.operands[:2])
    result = result_dtype(op)
    # The group's dimension of the right operand, sliced to one index, is a free one to drop.
    dot = dot_general_of(
        lhs_batch,
        rhs_batch,
        lhs_sum,
        rhs_sum,
        lhs_rank,
        rhs_rank,
        compute_dtype(operand_dtype(op), result),
        result,
    )
    lhs_free = [d for d in range(lhs_rank) if d not in lhs_batch + lhs_sum]
    rhs_free = [d for d in range(rhs_rank) if d not in rhs_batch + rhs_sum]
    places = [*lhs_batch, *lhs_free]  # the result's leading dimensions, by the left operand's
    if ragged in lhs_batch:
        before = lhs_batch[: lhs_batch.index(ragged)]
    elif ragged in lhs_sum:
        before = lhs_batch + lhs_sum[: lhs_sum.index(ragged)]
    else:
        before = lhs_batch + tuple(d for d in lhs_free if d < ragged)
    partners = dict(zip(lhs_batch + lhs_sum, rhs_batch + rhs_sum))
    # Where a product has the group's dimension of size 1.
    dropped = [len(places) + rhs_free.index(d) for d in groups]

    def run(lhs: Any, rhs: Any, sizes: Any) -> Any:
        free = [rhs.shape[d] for d in rhs_free if d not in groups]
        shape = [*(lhs.shape[d] for d in places), *free]
        by_group = ragged in lhs_sum
        total = np.zeros([sizes.shape[-1], *shape] if by_group else shape, result)
        for group, left in _parts(lhs, sizes, before, ragged):
            right: Slices = [slice(None)] * rhs_rank
            for d, partner in partners.items():
                right[partner] = left[d]
            for d in groups:
                right[d] = slice(group, group + 1)
            value = dot(lhs[tuple(left)], rhs[tuple(right)])
            for axis in dropped:
                value = value.squeeze(axis)
            where: Slices = [left[d] for d in places]
            if by_group:
                part = total[(group, *where)]
                np.add(part, value, out=part)
            else:
                total[tuple(where)] = value
        return total

    return run


def _parts(
    lhs: Any, sizes: Any, before: tuple[int, ...], ragged: int
) -> Iterator[tuple[int, Slices]]:
    """Each group with its slices of the left operand."""
    per_index = before if sizes.ndim > 1 else ()
    for at in np.ndindex(*(lhs.shape[d] for d in per_index)):
        start = 0
        for group, size in enumerate(sizes[at]):
            stop = min(start + max(int(size), 0), lhs.shape[ragged])
            left: Slices = [slice(None)] * lhs.ndim
            for d, index in zip(per_index, at):
                left[d] = slice(index, index + 1)
            left[ragged] = slice(start, stop)
            if stop > start:
                yield group, left
            start = stop
