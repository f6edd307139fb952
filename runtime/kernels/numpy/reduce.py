"""`reduce`: along dimensions, with a region that combines two elements.

Order. A region that is one op NumPy can reduce (add, multiply, max, min, and, or, xor) uses that
ufunc's `reduce` on a C-contiguous array laid out as (kept dimensions, reduced dimensions): the
same elements are combined in the same order whatever the operand's strides were. Leading dimensions
before long rows are reduced where they lie, row by row in blocks of rows. Sums of 16-bit floats are
taken in f32 and rounded once. Any other region combines adjacent pairs, level by level, keeping index
order (a tree, which StableHLO allows); the initial value is combined last, on the left.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final

import numpy as np
from xdsl.ir import Operation

from ...values import DType, shape_of
from .. import Kernel, Scope, kernel
from .attributes import ints
from .binary import maximum_of, minimum_of
from .common import (
    contiguous,
    first_operand,
    is_bool,
    is_float,
    operand_dtype,
    where,
    wide_float,
    wide_int,
)
from .regions import array_function, single_op

_UFUNCS: Final[dict[str, np.ufunc]] = {
    "stablehlo.add": np.add,
    "stablehlo.multiply": np.multiply,
    "stablehlo.maximum": np.maximum,
    "stablehlo.minimum": np.minimum,
    "stablehlo.and": np.bitwise_and,
    "stablehlo.or": np.bitwise_or,
    "stablehlo.xor": np.bitwise_xor,
}
LONG_ROW: Final = 16
"""From this many elements on, rows are added to each other; adding along shorter ones is slow."""
BLOCK: Final = 64
"""Rows that are combined one after the other; then their results are, again in blocks: a sum of many
rows is as exact as NumPy's own along a row."""

_ON_BOOL: Final[dict[np.ufunc, np.ufunc]] = {
    np.add: np.logical_or,
    np.multiply: np.logical_and,
    np.maximum: np.logical_or,
    np.minimum: np.logical_and,
}


@kernel("stablehlo.reduce")
def _reduce(op: Operation, scope: Scope) -> Kernel:
    dims = tuple(sorted(ints(op, "dimensions")))
    rank = len(shape_of(op.operands[0]))
    count = len(op.operands) // 2
    if not dims:  # as XLA: the initial values, which should be neutral, are left out
        if count == 1:
            return first_operand

        def unreduced(*operands: Any) -> Any:
            return operands[:count]

        return unreduced
    name = single_op(op.regions[0])
    if name in _UFUNCS:
        kept = [size for d, size in enumerate(shape_of(op.operands[0])) if d not in dims]
        by_rows = dims == tuple(range(len(dims))) and min(kept, default=0) > 0
        by_rows = by_rows and prod(kept) >= LONG_ROW
        return reduce_ufunc(_UFUNCS[name], dims, rank, operand_dtype(op), by_rows=by_rows)
    combine = array_function(op.regions[0], op, scope)

    def reduce(*operands: Any) -> Any:
        inputs, inits = operands[:count], operands[count:]
        rows = [rows_first(np.asarray(x), dims, rank) for x in inputs]
        found = reduce_tree(combine, rows)
        kept = tuple(inputs[0].shape[d] for d in range(rank) if d not in dims)
        if found is None:
            results = [np.broadcast_to(init, kept).copy() for init in inits]
        else:
            values = combine(*[np.asarray(init) for init in inits], *found)
            results = [np.broadcast_to(x, kept).copy() for x in values]
        return results[0] if count == 1 else tuple(results)

    return reduce


def rows_first(x: Any, dims: tuple[int, ...], rank: int) -> Any:
    """(n, kept...): the n elements of each reduced line, in index order, along the first
    dimension."""
    kept = tuple(d for d in range(rank) if d not in dims)
    moved = x.transpose(dims + kept)
    return contiguous(moved).reshape((prod(x.shape[d] for d in dims), *(x.shape[d] for d in kept)))


def reduce_tree(combine: Callable[..., tuple[Any, ...]], rows: list[Any]) -> tuple[Any, ...] | None:
    """Combines rows 0 and 1, 2 and 3, …, until one is left; None when there is none."""
    while (length := rows[0].shape[0]) > 1:
        even = length - length % 2
        paired = combine(*[x[0:even:2] for x in rows], *[x[1:even:2] for x in rows])
        shape = rows[0].shape[1:]
        paired = [np.broadcast_to(x, (even // 2, *shape)) for x in paired]
        if even < length:
            paired = [np.concatenate([x, row[even:]]) for x, row in zip(paired, rows)]
        rows = list(paired)
    return tuple(x[0] for x in rows) if rows[0].shape[0] else None


def reduce_ufunc(
    ufunc: np.ufunc, dims: tuple[int, ...], rank: int, dtype: DType, *, by_rows: bool = False
) -> Kernel:
    """The reduction by one ufunc over `dims`, starting from the initial value; `by_rows` if those
    come first and it is to combine rows."""
    if is_bool(dtype):
        ufunc = _ON_BOOL.get(ufunc, ufunc)
    compute = wide_int(dtype)
    if ufunc in (np.add, np.multiply):
        compute = wide_float(compute)
    narrow = compute != dtype
    order = tuple(d for d in range(rank) if d not in dims) + dims
    moved = order != tuple(range(rank)) and not by_rows
    axes = dims if by_rows else tuple(range(rank - len(dims), rank))
    axis = axes[0] if len(axes) == 1 else axes
    zeros: Kernel | None = None
    if is_float(dtype) and ufunc in (np.maximum, np.minimum):
        zeros = _zero_sign(ufunc, axes)

    def reduce(x: Any, init: Any) -> Any:
        if moved:
            x = contiguous(x.transpose(order))
        elif not x.flags.c_contiguous:
            x = contiguous(x)
        if narrow:
            x, init = x.astype(compute), init.astype(compute)
        if by_rows and x.size:
            rows = x.reshape((-1, *x.shape[len(dims) :]))
            result = ufunc(init, _reduce_rows(ufunc, rows, compute))
        else:
            result = ufunc.reduce(x, axis=axis, dtype=compute, initial=init)
        if zeros is not None and np.count_nonzero(result) != result.size:
            result = zeros(x, init, result)
        return result.astype(dtype) if narrow else result

    return reduce


def _reduce_rows(ufunc: np.ufunc, x: Any, dtype: DType) -> Any:
    """The rows of a C-contiguous array combined, in blocks; at least one row."""
    while (count := x.shape[0]) > BLOCK:
        whole = count // BLOCK * BLOCK
        blocks = x[:whole].reshape((-1, BLOCK, *x.shape[1:]))
        results = ufunc.reduce(blocks, axis=1, dtype=dtype)
        if whole < count:
            rest = ufunc.reduce(x[whole:], axis=0, dtype=dtype)
            results = np.concatenate([results, rest[None]])
        x = results
    return ufunc.reduce(x, axis=0, dtype=dtype)


def _zero_sign(ufunc: np.ufunc, axes: tuple[int, ...]) -> Kernel:
    """Gives zero results of max (min) the sign + (-) if any of the zeros reduced had it."""
    pair = maximum_of if ufunc is np.maximum else minimum_of
    wanted_negative = ufunc is np.minimum

    def fix(x: Any, init: Any, result: Any) -> Any:
        zero = result.dtype.type(0)
        other = np.negative(zero) if wanted_negative else zero
        default = zero if wanted_negative else np.negative(zero)
        marked = np.logical_and(np.equal(x, 0), np.equal(np.signbit(x), wanted_negative))
        signed = where(np.logical_or.reduce(marked, axis=axes), other, default)
        start = init if np.equal(init, 0) else default
        signed = pair(result.dtype)(signed, start)
        return where(np.equal(result, 0), signed, result)

    return fix
