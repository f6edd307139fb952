"""`reduce_window`, `select_and_scatter` and `map`.

Windows are combined element by element in index order, all windows at once, starting from the
initial value; elements of the padding, which would be initial values again, are left out, as in
XLA. Running sums and the like (a window that ends at, or starts from, each element of one
dimension) use the ufunc's `accumulate`, which combines in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from xdsl.ir import Operation

from ...values import AnyArray, is_static, shape_of
from .. import Kernel, Scope, kernel
from .attributes import ints, pairs
from .common import SMALL_INTS, contiguous, is_bool, is_float, operand_dtype, two, where, wide_float
from .regions import array_function, single_op
from .scatter import combine_in_rounds
from .shapes import pad

_ACCUMULATE: Final[dict[str, np.ufunc]] = {
    "stablehlo.add": np.add,
    "stablehlo.multiply": np.multiply,
}


class Windows(NamedTuple):
    """The geometry of an op's windows."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    base_dilations: tuple[int, ...]
    dilations: tuple[int, ...]
    padding: tuple[tuple[int, int], ...]

    @staticmethod
    def of(op: Operation, rank: int) -> Windows:
        ones = (1,) * rank
        return Windows(
            ints(op, "window_dimensions") or ones,
            ints(op, "window_strides") or ones,
            ints(op, "base_dilations") or ones,
            ints(op, "window_dilations") or ones,
            pairs(op, "padding", rank),
        )

    def padded(self, x: AnyArray, value: Any) -> AnyArray:
        """`x` with its padding and the gaps of its base dilation filled."""
        return pad(
            x,
            value,
            tuple(low for low, _ in self.padding),
            tuple(high for _, high in self.padding),
            tuple(dilation - 1 for dilation in self.base_dilations),
        )

    def counts(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """How many windows fit in a padded shape."""
        counts: list[int] = []
        for size, window, stride, dilation in zip(shape, self.sizes, self.strides, self.dilations):
            extent = (window - 1) * dilation + 1 if window else 0
            counts.append((size - extent) // stride + 1 if size >= extent else 0)
        return tuple(counts)

    def elements(
        self, shape: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], tuple[slice, ...]]]:
        """For each element of a window, in index order: its offsets, and the slice of a padded
        array that holds that element of every window."""
        counts = self.counts(shape)
        for at in np.ndindex(self.sizes):
            starts = tuple(k * dilation for k, dilation in zip(at, self.dilations))
            yield (
                starts,
                tuple(
                    slice(start, start + (count - 1) * stride + 1, stride) if count else slice(0, 0)
                    for start, count, stride in zip(starts, counts, self.strides)
                ),
            )


@kernel("stablehlo.reduce_window")
def _reduce_window(op: Operation, scope: Scope) -> Kernel:
    count = len(op.operands) // 2
    shape = shape_of(op.operands[0])
    windows = Windows.of(op, len(shape))
    dtype = operand_dtype(op)
    name = single_op(op.regions[0])
    if name in _ACCUMULATE and is_static(shape) and dtype not in SMALL_INTS and not is_bool(dtype):
        running = _running(windows, shape)
        if running is not None:
            return _accumulate(_ACCUMULATE[name], *running, dtype)
    combine = array_function(op.regions[0], op, scope)
    wide = wide_float(dtype) if name in _ACCUMULATE and is_float(dtype) else dtype
    if wide != dtype:
        ufunc = _ACCUMULATE[name or ""]
        combine = two(lambda x, y: (ufunc(x, y),))

    filled = any(dilation > 1 for dilation in windows.base_dilations) or any(
        low > 0 or high > 0 for low, high in windows.padding
    )

    def reduce_window(*operands: Any) -> Any:
        inits = [np.asarray(init) for init in operands[count:]]
        arrays: list[Any] = [np.asarray(x) for x in operands[:count]]
        every: Any = np.full(arrays[0].shape, True)
        real = windows.padded(every, np.False_) if filled else None
        inputs = [windows.padded(x, init) for x, init in zip(arrays, inits)]
        if wide != dtype:
            inits = [init.astype(wide) for init in inits]
            inputs = [x.astype(wide) for x in inputs]
        counts = windows.counts(inputs[0].shape)
        totals: Sequence[Any] = [np.broadcast_to(init, counts) for init in inits]
        for _, index in windows.elements(inputs[0].shape):
            found = combine(*totals, *[x[index] for x in inputs])
            if real is not None:
                found = [where(real[index], new, old) for new, old in zip(found, totals)]
            totals = found
        results = tuple(
            np.broadcast_to(total, counts).astype(operand.dtype, order="C")
            for total, operand in zip(totals, operands)
        )
        return results[0] if count == 1 else results

    return reduce_window


def _running(windows: Windows, shape: tuple[int, ...]) -> tuple[int, bool] | None:
    """(dimension, reversed) when each window is everything up to (from) one element of a
    dimension."""
    if {*windows.strides, *windows.base_dilations, *windows.dilations} != {1}:
        return None
    moving = [d for d, size in enumerate(windows.sizes) if size != 1]
    if len(moving) != 1 or any(
        windows.padding[d] != (0, 0) for d in range(len(shape)) if d not in moving
    ):
        return None
    (d,) = moving
    if windows.sizes[d] != shape[d]:
        return None
    before = shape[d] - 1
    if windows.padding[d] == (before, 0):
        return d, False
    return (d, True) if windows.padding[d] == (0, before) else None


def _accumulate(ufunc: np.ufunc, dim: int, backwards: bool, dtype: Any) -> Kernel:
    wide = wide_float(dtype)

    def accumulate(x: Any, init: Any) -> Any:
        lines = np.moveaxis(x, dim, 0)
        lines = contiguous(lines[::-1] if backwards else lines)
        rows = np.concatenate([np.broadcast_to(init, (1, *lines.shape[1:])), lines])
        totals = ufunc.accumulate(rows.astype(wide, copy=False), axis=0, dtype=wide)[1:]
        totals = np.moveaxis(totals[::-1] if backwards else totals, 0, dim)
        return totals.astype(dtype, order="C")

    return accumulate


@kernel("stablehlo.select_and_scatter")
def _select_and_scatter(op: Operation, scope: Scope) -> Kernel:
    """Each window selects one element of the operand (by `select`, in index order); the source
    value goes to its place, combined by `scatter`, on a background of the initial value."""
    windows = Windows.of(op, len(shape_of(op.operands[0])))
    select = array_function(op.regions[0], op, scope)
    combine = combine_in_rounds(array_function(op.regions[1], op, scope))

    def select_and_scatter(operand: Any, source: Any, init: Any) -> Any:
        places = select_places(np.asarray(operand), windows, select)
        result = np.empty(operand.shape, operand.dtype)
        result.fill(init[()])
        combine([result.reshape(-1)], places.ravel(), [np.asarray(source).ravel()])
        return result

    return select_and_scatter


def select_places(
    operand: AnyArray, windows: Windows, select: Callable[..., tuple[Any, ...]]
) -> AnyArray:
    """The flat place of the element each window selects; padding is never selected."""
    flat = np.arange(operand.size).reshape(operand.shape)
    low = tuple(low for low, _ in windows.padding)
    high = tuple(high for _, high in windows.padding)
    none = (0,) * operand.ndim
    places = pad(flat, np.int64(-1), low, high, none)
    values = pad(operand, np.zeros((), operand.dtype), low, high, none)
    counts = windows.counts(values.shape)
    best = np.zeros(counts, operand.dtype)
    best_place = np.full(counts, -1)
    for _, index in windows.elements(values.shape):
        value, place = values[index], places[index]
        keep = np.logical_and(np.greater_equal(best_place, 0), select(best, value)[0])
        keep = np.logical_or(keep, np.less(place, 0))
        best = where(keep, best, value)
        best_place = where(keep, best_place, place)
    return best_place


@kernel("stablehlo.map")
def _map(op: Operation, scope: Scope) -> Kernel:
    function = array_function(op.regions[0], op, scope)

    def run(*operands: Any) -> Any:
        [result] = function(*[np.asarray(x) for x in operands])
        shape = operands[0].shape
        return np.broadcast_to(result, shape).copy() if np.shape(result) != shape else result

    return run
