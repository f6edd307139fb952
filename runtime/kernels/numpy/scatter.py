"""`scatter`: updates written into, or combined with, elements of the inputs.

An update element whose place is outside the input is skipped, on its own, as the StableHLO
specification and its reference interpreter have it (XLA skips the whole window). Updates of one
place are combined in index order.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from xdsl.ir import Operation

from ...values import AnyArray, shape_of
from .. import Kernel, Scope, kernel
from .attributes import as_int, as_ints, attribute, flag
from .binary import maximum_of, minimum_of
from .common import SMALL_INTS, is_bool, is_float, operand_dtype, two, where
from .gather import index_vectors
from .regions import array_function, returned_argument, single_op

_UFUNCS: Final[dict[str, np.ufunc]] = {
    "stablehlo.add": np.add,
    "stablehlo.multiply": np.multiply,
    "stablehlo.maximum": np.maximum,
    "stablehlo.minimum": np.minimum,
    "stablehlo.and": np.bitwise_and,
    "stablehlo.or": np.bitwise_or,
    "stablehlo.xor": np.bitwise_xor,
}


class ScatterPlan:
    """Where each update element goes, as flat places in the input."""

    def __init__(self, numbers: Any, operand_rank: int, updates_rank: int):
        self.window_dims = as_ints(numbers.update_window_dims)
        self.inserted = as_ints(numbers.inserted_window_dims)
        self.input_batch = as_ints(numbers.input_batching_dims)
        self.indices_batch = as_ints(numbers.scatter_indices_batching_dims)
        self.operand_dims = as_ints(numbers.scatter_dims_to_operand_dims)
        self.vector_dim = as_int(numbers.index_vector_dim)
        self.operand_rank = operand_rank
        dropped = self.inserted + self.input_batch
        self.kept = tuple(d for d in range(operand_rank) if d not in dropped)
        scatter_dims = tuple(d for d in range(updates_rank) if d not in self.window_dims)
        self.order = scatter_dims + self.window_dims

    def places(
        self, shape: tuple[int, ...], indices: Any, updates_shape: tuple[int, ...]
    ) -> tuple[Any, Any]:
        """For updates in `self.order`, flattened: the flat places, and which are inside."""
        starts = index_vectors(np.asarray(indices), self.vector_dim)
        batch: tuple[int, ...] = starts.shape[:-1]
        window = tuple(updates_shape[d] for d in self.window_dims)
        target = batch + window
        inside = np.ones(target, np.bool_)
        flat = np.zeros(target, np.int64)
        for d in range(self.operand_rank):
            line: Any = np.zeros((1,) * len(target), np.int64)
            if d in self.operand_dims:
                start = starts[..., self.operand_dims.index(d)]
                if start.dtype == np.uint64:  # what int64 cannot hold is outside in any case
                    start = np.minimum(start, np.uint64(np.iinfo(np.int64).max))
                # Far outside is as good as just outside, and cannot overflow below.
                far = shape[d] + 1
                line = np.clip(start.astype(np.int64), -far - max(window, default=0), far)
                line = line.reshape(batch + (1,) * len(window))
            elif d in self.input_batch:
                axis = self.indices_batch[self.input_batch.index(d)]
                axis = axis if axis < self.vector_dim else axis - 1
                line = np.arange(batch[axis]).reshape((-1,) + (1,) * (len(target) - axis - 1))
            if d in self.kept:
                k = self.kept.index(d)
                line = np.add(
                    line, np.arange(window[k]).reshape((-1,) + (1,) * (len(window) - k - 1))
                )
            inside &= np.logical_and(np.greater_equal(line, 0), np.less(line, shape[d]))
            flat = np.add(np.multiply(flat, shape[d]), line)
        return flat.ravel(), inside.ravel()


@kernel("stablehlo.scatter")
def _scatter(op: Operation, scope: Scope) -> Kernel:
    count = (len(op.operands) - 1) // 2
    plan = ScatterPlan(
        attribute(op, "scatter_dimension_numbers"),
        len(shape_of(op.operands[0])),
        len(shape_of(op.operands[-1])),
    )
    combine = _combiner(op, scope, count)

    def scatter(*operands: Any) -> Any:
        inputs, indices, updates = operands[:count], operands[count], operands[count + 1 :]
        results = [np.array(x, order="C", copy=True) for x in inputs]
        flat, inside = plan.places(results[0].shape, indices, updates[0].shape)
        values = [np.asarray(u).transpose(plan.order).ravel() for u in updates]
        if not inside.all():
            flat = flat[inside]
            values = [value[inside] for value in values]
        combine([result.reshape(-1) for result in results], flat, values)
        return results[0] if count == 1 else tuple(results)

    return scatter


def _combiner(op: Operation, scope: Scope, count: int) -> Kernel:
    """A function that combines flat results, in place, with values at places."""
    region = op.regions[0]
    dtype = operand_dtype(op)
    if count == 1:
        if returned_argument(region) == 1:

            def assign(results: list[AnyArray], flat: Any, values: list[Any]) -> None:
                results[0][flat] = values[0]  # the last of several values for one place stays

            return assign
        ufunc = _UFUNCS.get(single_op(region) or "")
        # ufunc.at has no loops for the extension types, and its max and min lose the sign of zeros.
        exact = not (is_float(dtype) and ufunc in (np.maximum, np.minimum))
        if ufunc is not None and exact and dtype not in SMALL_INTS and dtype.kind != "V":
            if is_bool(dtype) and ufunc in (np.add, np.multiply):
                ufunc = np.logical_or if ufunc is np.add else np.logical_and
            add_at = ufunc

            def combine_at(results: list[AnyArray], flat: Any, values: list[Any]) -> None:
                add_at.at(results[0], flat, values[0])

            return combine_at
        if ufunc in (np.maximum, np.minimum):
            pair = (maximum_of if ufunc is np.maximum else minimum_of)(dtype)
            one_of_pair = two(lambda x, y: (pair(x, y),))
            return combine_in_rounds(one_of_pair, flag(op, "unique_indices"))
    return combine_in_rounds(array_function(region, op, scope), flag(op, "unique_indices"))


def combine_in_rounds(function: Kernel, unique: bool = False) -> Kernel:
    """Combines in rounds: in round r the r-th update of every place, all places at once."""

    def combine(results: list[AnyArray], flat: Any, values: list[Any]) -> None:
        if unique:
            rounds: list[Any] = [np.arange(flat.size)]
        else:
            rounds = _rounds(flat)
        for picks in rounds:
            places = flat[picks]
            old = [result[places] for result in results]
            new = function(*old, *[value[picks] for value in values])
            for result, value in zip(results, new):
                result[places] = value

    return combine


def _rounds(flat: Any) -> list[Any]:
    """Splits positions so that no place occurs twice in a part, keeping each place's order."""
    if flat.size == 0:
        return []
    order: Any = np.argsort(flat, kind="stable")
    places = flat[order]
    first: Any = np.concatenate([[True], np.not_equal(places[1:], places[:-1])])
    numbers = np.arange(int(flat.size))
    begins: Any = np.maximum.accumulate(where(first, numbers, 0))
    rank = np.subtract(numbers, begins)
    by_rank = np.argsort(rank, kind="stable")
    bounds = np.cumsum(np.bincount(rank))[:-1]
    return [order[part] for part in np.split(by_rank, bounds)]
