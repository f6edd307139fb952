"""Ops whose result shape is an operand: dynamic broadcast, reshape, iota, pad."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from ...values import shape_of
from .. import Kernel, Scope, kernel
from .attributes import int_of, ints
from .common import contiguous, one, result_dtype
from .shapes import broadcast_of, iota, pad


def _as_shape(shape: Any) -> tuple[int, ...]:
    return tuple(int(dim) for dim in shape)


@kernel("stablehlo.dynamic_broadcast_in_dim")
def _dynamic_broadcast_in_dim(op: Operation, scope: Scope) -> Kernel:
    dims, dtype = ints(op, "broadcast_dimensions"), result_dtype(op)

    def broadcast(x: Any, shape: Any) -> Any:
        return broadcast_of(x.shape, _as_shape(shape), dims, dtype)(x)

    return broadcast


@kernel("stablehlo.dynamic_reshape")
def _dynamic_reshape(op: Operation, scope: Scope) -> Kernel:
    def reshape(x: Any, shape: Any) -> Any:
        return contiguous(x).reshape(_as_shape(shape))

    return reshape


@kernel("stablehlo.dynamic_iota")
def _dynamic_iota(op: Operation, scope: Scope) -> Kernel:
    dimension, dtype = int_of(op, "iota_dimension"), result_dtype(op)
    return one(lambda shape: iota(_as_shape(shape), dimension, dtype))


@kernel("stablehlo.dynamic_pad")
def _dynamic_pad(op: Operation, scope: Scope) -> Kernel:
    def dynamic_pad(x: Any, value: Any, low: Any, high: Any, interior: Any) -> Any:
        return pad(x, value, _as_shape(low), _as_shape(high), _as_shape(interior))

    return dynamic_pad


@kernel("stablehlo.set_dimension_size")
def _set_dimension_size(op: Operation, scope: Scope) -> Kernel:
    """The leading part of a dimension: the rest would be outside the dynamic size."""
    dimension = int_of(op, "dimension")
    rank = len(shape_of(op.operands[0]))

    def set_size(x: Any, size: Any) -> Any:
        index = tuple(slice(0, int(size)) if d == dimension else slice(None) for d in range(rank))
        return x[index].copy()

    return set_size
