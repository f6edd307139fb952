"""`gather`, `dynamic_gather` and `torch_index_select`. Start indices are clamped so that each
slice fits.

A gather becomes one fancy index: the operand's dimensions that are indexed come first, those taken
whole last, so that a lookup of whole rows copies rows and not elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...values import AnyArray, shape_of
from .. import Kernel, Scope, kernel
from .attributes import as_int, as_ints, attribute, int_of, ints
from .common import contiguous, own, three, two


class GatherPlan:
    """Where a gather's dimensions go; only sizes are left for run time."""

    def __init__(
        self,
        numbers: Any,
        operand_rank: int,
        indices_rank: int,
    ):
        self.offset_dims = as_ints(numbers.offset_dims)
        self.collapsed = as_ints(numbers.collapsed_slice_dims)
        self.operand_batch = as_ints(numbers.operand_batching_dims)
        self.indices_batch = as_ints(numbers.start_indices_batching_dims)
        self.start_map = as_ints(numbers.start_index_map)
        self.vector_dim = as_int(numbers.index_vector_dim)
        self.operand_rank = operand_rank
        dropped = self.collapsed + self.operand_batch
        self.kept = tuple(d for d in range(operand_rank) if d not in dropped)
        batch_rank = indices_rank - (1 if self.vector_dim < indices_rank else 0)
        result_rank = batch_rank + len(self.offset_dims)
        self.batch_dims = tuple(d for d in range(result_rank) if d not in self.offset_dims)

    def run(self, operand: Any, indices: Any, sizes: Sequence[int]) -> AnyArray:
        operand, indices = np.asarray(operand), np.asarray(indices)
        starts = index_vectors(indices, self.vector_dim)
        batch: tuple[int, ...] = starts.shape[:-1]
        whole = tuple(d for d in self.kept if sizes[d] == operand.shape[d])
        indexed = tuple(d for d in range(self.operand_rank) if d not in whole)
        windows = tuple(d for d in indexed if d in self.kept)
        picks: list[Any] = []
        for d in indexed:
            if d in self.operand_batch:
                axis = _batch_axis(self.indices_batch[self.operand_batch.index(d)], self.vector_dim)
                line: Any = np.arange(batch[axis]).reshape(
                    (1,) * axis + (-1,) + (1,) * (len(batch) - axis - 1)
                )
            elif d in self.start_map:
                line = clamp_starts(
                    starts[..., self.start_map.index(d)], operand.shape[d] - sizes[d]
                )
            else:
                line = np.zeros((1,) * len(batch), np.intp)
            line = line.reshape(line.shape + (1,) * len(windows))
            if d in windows:
                position = windows.index(d)
                inside = np.arange(sizes[d]).reshape((-1,) + (1,) * (len(windows) - position - 1))
                line = np.add(line, inside)
            picks.append(line)
        moved = operand.transpose(indexed + whole)
        target = batch + tuple(sizes[d] for d in windows)
        if picks:
            # One pick is spread to the whole target, so that the index has its rank even where no
            # pick varies; NumPy broadcasts the others.
            picks[0] = np.broadcast_to(picks[0], target)
            found = moved[tuple(picks)]
        else:
            found = np.broadcast_to(moved, (*target, *moved.shape))
        # Now (batch, window dims, whole dims); the result wants the offset dims in operand order.
        places: dict[int, int] = {}
        for k, dim in enumerate(self.batch_dims):
            places[dim] = k
        arranged = windows + whole
        for k, d in enumerate(self.kept):
            places[self.offset_dims[k]] = len(batch) + arranged.index(d)
        order = tuple(places[dim] for dim in range(len(places)))
        return contiguous(found.transpose(order))


def clamp_starts(starts: Any, limit: int) -> Any:
    """Start indices as non-negative machine integers of at most `limit`."""
    if starts.dtype.kind == "u":
        return np.minimum(starts, np.uint64(max(limit, 0))).astype(np.intp)
    return np.clip(starts.astype(np.int64), 0, max(limit, 0))


def index_vectors(indices: Any, vector_dim: int) -> Any:
    """The indices with the dimension of the index vectors last."""
    if vector_dim == indices.ndim:
        return indices.reshape((*indices.shape, 1))
    return np.moveaxis(indices, vector_dim, -1)


def _batch_axis(dim: int, vector_dim: int) -> int:
    """A dimension of the indices as one of the batch, which lacks that of the index vectors."""
    return dim if dim < vector_dim else dim - 1


@kernel("stablehlo.gather")
def _gather(op: Operation, scope: Scope) -> Kernel:
    sizes = ints(op, "slice_sizes")
    plan = GatherPlan(
        attribute(op, "dimension_numbers"),
        len(shape_of(op.operands[0])),
        len(shape_of(op.operands[1])),
    )
    return two(lambda operand, indices: plan.run(operand, indices, sizes))


@kernel("stablehlo.dynamic_gather")
def _dynamic_gather(op: Operation, scope: Scope) -> Kernel:
    plan = GatherPlan(
        attribute(op, "dimension_numbers"),
        len(shape_of(op.operands[0])),
        len(shape_of(op.operands[1])),
    )
    return three(lambda operand, indices, sizes: plan.run(operand, indices, sizes.tolist()))


@kernel("stablehlo.torch_index_select")
def _torch_index_select(op: Operation, scope: Scope) -> Kernel:
    dim, batch_dims = int_of(op, "dim"), int_of(op, "batch_dims")

    def select(operand: Any, index: Any) -> Any:
        picks = clamp_starts(np.asarray(index), operand.shape[dim] - 1)
        if not batch_dims:
            return own(np.take(operand, picks, axis=dim))
        rows = [
            np.take(operand[at], picks[at], axis=dim - batch_dims)
            for at in np.ndindex(operand.shape[:batch_dims])
        ]
        return np.stack(rows).reshape(operand.shape[:batch_dims] + rows[0].shape)

    return select
