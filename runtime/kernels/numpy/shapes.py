"""Constants and changes of shape: broadcast, reshape, transpose, reverse, concatenate, pad,
iota."""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation, SSAValue

from ....dialects.diagnostics import ProgramError
from ...values import DType, array_from_dense, dtype_of, is_static, shape_of
from .. import Kernel, Scope, kernel, taking_out
from .attributes import attribute, int_of, ints
from .common import constantly, contiguous, first_operand, identity, one, own, result_dtype, two

LARGE: Final = 1 << 16
"""From this many elements on, a broadcast is a read-only view: writing the copy would cost more
than it saves. Below, it is a contiguous array, which the functions that read it like better."""


def dense_of(op: Operation, name: str = "value") -> DenseIntOrFPElementsAttr:
    """The dense constant an op holds."""
    value = attribute(op, name)
    if not isinstance(value, DenseIntOrFPElementsAttr):
        raise ProgramError(f"{op.name}: expected a dense constant, got {value}", op)
    return cast("DenseIntOrFPElementsAttr", value)


@kernel("stablehlo.constant", "chlo.constant", elementwise=True)
def _constant(op: Operation, scope: Scope) -> Kernel:
    array = array_from_dense(dense_of(op))
    return constantly(array)


@kernel("dfg.constant")
def _gated_constant(op: Operation, scope: Scope) -> Kernel:
    array = array_from_dense(dense_of(op))
    return constantly(array)


def constant_behind(value: SSAValue) -> DenseIntOrFPElementsAttr | None:
    """The constant that `value` always is, also when it enters a loop's frame as a loop
    constant."""
    while isinstance(op := value.owner, Operation):
        if op.name in ("stablehlo.constant", "dfg.constant"):
            found = attribute(op, "value")
            return (
                cast("DenseIntOrFPElementsAttr", found)
                if isinstance(found, DenseIntOrFPElementsAttr)
                else None
            )
        if op.name != "dfg.enter" or attribute(op, "constant") is None:
            return None
        value = op.operands[0]
    return None


@kernel("stablehlo.broadcast_in_dim", elementwise=True)
def _broadcast_in_dim(op: Operation, scope: Scope) -> Kernel:
    source, shape = shape_of(op.operands[0]), shape_of(op.results[0])
    if source == shape:
        return identity  # also in a batched region, where everything is a scalar
    broadcast = broadcast_of(source, shape, ints(op, "broadcast_dimensions"), result_dtype(op))
    constant = constant_behind(op.operands[0])
    if constant is not None:
        result = broadcast(array_from_dense(constant))
        result.setflags(write=False)
        return constantly(result)
    return broadcast


def broadcast_of(
    source: tuple[int, ...], shape: tuple[int, ...], dims: tuple[int, ...], dtype: DType
) -> Kernel:
    """Broadcasts a tensor of shape `source` whose dimension k becomes dimension `dims[k]` of
    `shape`."""
    count = int(np.prod(shape, dtype=np.int64))
    if source == () and count < LARGE:

        def fill(x: Any) -> Any:
            result = np.empty(shape, dtype)
            result.fill(x)
            return result

        return fill
    order = tuple(int(k) for k in np.argsort(dims))
    middle = [1] * len(shape)
    for k, dim in enumerate(dims):
        middle[dim] = source[k]
    spread = tuple(middle)
    moved = order != tuple(range(len(dims)))
    if spread == shape and not moved:
        return one(lambda x: x.reshape(shape))
    if spread == shape:
        return one(lambda x: own(x.transpose(order)).reshape(shape))
    if count >= LARGE:

        def view(x: Any) -> Any:
            x = np.asarray(x)
            return np.broadcast_to((x.transpose(order) if moved else x).reshape(spread), shape)

        return view

    def copy(x: Any) -> Any:
        result = np.empty(shape, dtype)
        result[...] = (x.transpose(order) if moved else x).reshape(spread)
        return result

    return copy


@kernel("stablehlo.broadcast")
def _broadcast(op: Operation, scope: Scope) -> Kernel:
    source, shape = shape_of(op.operands[0]), shape_of(op.results[0])
    dims = tuple(range(len(shape) - len(source), len(shape)))
    return broadcast_of(source, shape, dims, result_dtype(op))


@kernel("stablehlo.reshape", elementwise=True)
def _reshape(op: Operation, scope: Scope) -> Kernel:
    source, shape = shape_of(op.operands[0]), shape_of(op.results[0])
    if source == shape and is_static(shape):
        return identity
    if sum(dim < 0 for dim in shape) <= 1:
        free = tuple(max(dim, -1) for dim in shape)
        return one(lambda x: contiguous(x).reshape(free))
    raise ProgramError(f"{op.name}: at most one dimension can be dynamic, got {shape}", op)


@kernel("stablehlo.transpose")
def _transpose(op: Operation, scope: Scope) -> Kernel:
    permutation = ints(op, "permutation")
    if permutation == tuple(range(len(permutation))):
        return identity
    return one(lambda x: own(x.transpose(permutation)))


@kernel("stablehlo.reverse")
def _reverse(op: Operation, scope: Scope) -> Kernel:
    dims = ints(op, "dimensions")
    rank = len(shape_of(op.operands[0]))
    index = tuple(slice(None, None, -1) if d in dims else slice(None) for d in range(rank))
    return one(lambda x: own(x[index])) if dims else identity


@kernel("stablehlo.concatenate")
def _concatenate(op: Operation, scope: Scope) -> Kernel:
    axis = int_of(op, "dimension")
    if len(op.operands) == 1:
        return identity

    def concatenate(*inputs: Any, out: Any = None) -> Any:
        return np.concatenate(inputs, axis=axis, out=out)

    return taking_out(concatenate)


@kernel("stablehlo.iota")
def _iota(op: Operation, scope: Scope) -> Kernel:
    result = iota(shape_of(op.results[0]), int_of(op, "iota_dimension"), result_dtype(op))
    result.setflags(write=False)
    # In a graph an iota may come with a token that gates it.
    return constantly(result)


def iota(shape: tuple[int, ...], dimension: int, dtype: DType) -> Any:
    """0, 1, 2, … along a dimension; wrapping in small integers."""
    length = shape[dimension]
    line = np.arange(length, dtype=np.int64).astype(dtype)
    spread = [1] * len(shape)
    spread[dimension] = length
    result = np.empty(shape, dtype)
    result[...] = line.reshape(spread)
    return result


@kernel("stablehlo.pad")
def _pad(op: Operation, scope: Scope) -> Kernel:
    low, high = ints(op, "edge_padding_low"), ints(op, "edge_padding_high")
    interior = ints(op, "interior_padding")
    if not any(low) and not any(high) and not any(interior):
        return first_operand
    return two(lambda x, value: pad(x, value, low, high, interior))


def pad(
    x: Any,
    value: Any,
    low: tuple[int, ...],
    high: tuple[int, ...],
    interior: tuple[int, ...],
) -> Any:
    """Pads edges (negative amounts crop) and between elements."""
    shape: list[int] = []
    source: list[slice] = []
    target: list[slice] = []
    for size, before, after, between in zip(x.shape, low, high, interior):
        step = between + 1
        spread = max((size - 1) * step + 1, 0)
        length = before + spread + after
        # The elements k with 0 <= before + k * step < length stay.
        first = max(-(before // step), 0)
        last = min((length - 1 - before) // step, size - 1)
        shape.append(max(length, 0))
        source.append(slice(first, max(last + 1, first)))
        start = max(before + first * step, 0)
        target.append(slice(start, max(before + last * step + 1, start), step))
    result = np.empty(tuple(shape), x.dtype)
    result.fill(value if np.ndim(value) == 0 else np.asarray(value).reshape(()))
    result[tuple(target)] = x[tuple(source)]
    return result


@kernel("stablehlo.get_dimension_size")
def _get_dimension_size(op: Operation, scope: Scope) -> Kernel:
    dimension = int_of(op, "dimension")
    make = dtype_of(op.results[0].type).type
    return one(lambda x: make(x.shape[dimension]))
