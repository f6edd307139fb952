"""Static and dynamic slices. Start indices of the dynamic ones are clamped so that the slice
fits."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...values import is_static, shape_of
from .. import Kernel, Scope, kernel, making_new, with_in_place, with_row, with_view
from .attributes import ints
from .common import first_operand, identity, one


@kernel("stablehlo.slice")
def _slice(op: Operation, scope: Scope) -> Kernel:
    starts, limits = ints(op, "start_indices"), ints(op, "limit_indices")
    strides = ints(op, "strides") or (1,) * len(starts)
    index = tuple(slice(*bounds) for bounds in zip(starts, limits, strides))
    if shape_of(op.results[0]) == shape_of(op.operands[0]) and set(strides) <= {1}:
        return identity
    # A copy, so that a small slice does not keep a large array alive.
    return one(lambda x: x[index].copy())


@kernel("stablehlo.dynamic_slice")
def _dynamic_slice(op: Operation, scope: Scope) -> Kernel:
    shape, sizes = shape_of(op.operands[0]), ints(op, "slice_sizes")
    if not is_static(shape):

        def any_shape(x: Any, *starts: Any) -> Any:
            return x[window(x.shape, sizes, starts)].copy()

        return any_shape
    limits = tuple(dim - size for dim, size in zip(shape, sizes))
    moving = tuple(k for k, limit in enumerate(limits) if limit > 0)
    if not moving:
        return first_operand
    if len(moving) == 1:
        # The usual slice in a loop: one row, column, or window.
        (k,) = moving
        limit, size = limits[k], sizes[k]
        before = (slice(None),) * k

        if k == 0:

            def view_rows(x: Any, start: Any, *others: Any) -> Any:
                first = int(start)
                first = 0 if first < 0 else limit if first > limit else first
                return x[first : first + size]

            def copy_rows(x: Any, start: Any, *others: Any) -> Any:
                return view_rows(x, start).copy()

            return with_view(copy_rows, view_rows)

        def one_dim(x: Any, *starts: Any) -> Any:
            first = int(starts[k])
            first = 0 if first < 0 else limit if first > limit else first
            return x[(*before, slice(first, first + size))].copy()

        return one_dim

    def dynamic_slice(x: Any, *starts: Any) -> Any:
        return x[window(shape, sizes, starts)].copy()

    return dynamic_slice


def window(
    shape: tuple[int, ...], sizes: tuple[int, ...], starts: tuple[Any, ...]
) -> tuple[slice, ...]:
    """The slices of extent `sizes` that begin at `starts`, clamped into `shape`."""
    found: list[slice] = []
    for dim, size, start in zip(shape, sizes, starts):
        first = max(min(int(start), dim - size), 0)
        found.append(slice(first, first + size))
    return tuple(found)


@kernel("stablehlo.dynamic_update_slice")
def _dynamic_update_slice(op: Operation, scope: Scope) -> Kernel:
    shape, sizes = shape_of(op.operands[0]), shape_of(op.operands[1])
    if shape == sizes and is_static(shape):

        def whole(x: Any, update: Any, *starts: Any) -> Any:
            return update

        return whole

    if len(shape) == 1 and is_static(shape) and sizes == (1,):
        limit = shape[0] - 1

        def set_element(x: Any, update: Any, start: Any) -> Any:
            first = int(start)
            x[0 if first < 0 else limit if first > limit else first] = update[0]
            return x

        def update_element(x: Any, update: Any, start: Any) -> Any:
            return set_element(x.copy(), update, start)

        return with_in_place(making_new(update_element), set_element)

    def set_slice(x: Any, update: Any, *starts: Any) -> Any:
        x[window(x.shape, update.shape, starts)] = update
        return x

    def update_slice(x: Any, update: Any, *starts: Any) -> Any:
        return set_slice(np.array(x, order="C"), update, *starts)

    update_any = with_in_place(making_new(update_slice), set_slice)
    if not is_static(shape) or len(shape) < 2 or sizes != (1, *shape[1:]):
        return update_any
    last = shape[0] - 1

    def row(x: Any, start: Any) -> Any:
        first = int(start)
        return x[0 if first < 0 else last if first > last else first]

    return with_row(update_any, row)


@kernel("stablehlo.real_dynamic_slice")
def _real_dynamic_slice(op: Operation, scope: Scope) -> Kernel:
    def real_dynamic_slice(x: Any, starts: Any, limits: Any, strides: Any) -> Any:
        bounds = zip(starts.tolist(), limits.tolist(), strides.tolist())
        return x[tuple(slice(*bound) for bound in bounds)].copy()

    return real_dynamic_slice
