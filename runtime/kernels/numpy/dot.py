"""`dot_general` and `dot`: sums of products, as one batched matrix product.

Integers wrap in their own type (no BLAS, exact); 16-bit floats and smaller are multiplied and
summed in f32 and rounded once; f32 and f64 go to BLAS, which must see C-contiguous operands for
its bits not to depend on where they come from. A result type wider than the operands'
(`preferred_element_type`) is the accumulation type.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...values import DType, shape_of
from .. import Kernel, Scope, kernel, making_new
from .attributes import as_ints, attribute
from .common import (
    contiguous,
    is_bool,
    is_float,
    is_int,
    operand_dtype,
    result_dtype,
    wide_float,
    wide_int,
)


@kernel("stablehlo.dot_general")
def _dot_general(op: Operation, scope: Scope) -> Kernel:
    numbers = attribute(op, "dot_dimension_numbers")
    return dot_general_of(
        as_ints(numbers.lhs_batching_dimensions),
        as_ints(numbers.rhs_batching_dimensions),
        as_ints(numbers.lhs_contracting_dimensions),
        as_ints(numbers.rhs_contracting_dimensions),
        len(shape_of(op.operands[0])),
        len(shape_of(op.operands[1])),
        compute_dtype(operand_dtype(op), result_dtype(op)),
        result_dtype(op),
    )


@kernel("stablehlo.dot")
def _dot(op: Operation, scope: Scope) -> Kernel:
    lhs_rank, rhs_rank = len(shape_of(op.operands[0])), len(shape_of(op.operands[1]))
    return dot_general_of(
        (),
        (),
        (lhs_rank - 1,),
        (0,),
        lhs_rank,
        rhs_rank,
        compute_dtype(operand_dtype(op), result_dtype(op)),
        result_dtype(op),
    )


def compute_dtype(operand: DType, result: DType) -> DType:
    """The type in which products are taken and summed."""
    if is_bool(operand):
        return operand
    if is_int(operand):
        return wide_int(result) if is_int(result) else result
    if is_float(operand) and is_float(result):
        wide = wide_float(operand)
        return wide if wide.itemsize >= result.itemsize else result
    return np.result_type(operand, result)


def dot_general_of(
    lhs_batch: tuple[int, ...],
    rhs_batch: tuple[int, ...],
    lhs_contract: tuple[int, ...],
    rhs_contract: tuple[int, ...],
    lhs_rank: int,
    rhs_rank: int,
    compute: DType,
    result: DType,
) -> Kernel:
    """Views or transposes operands as (batch, free, contracted) and (batch, contracted, free),
    multiplies, reshapes."""
    lhs_free = tuple(d for d in range(lhs_rank) if d not in lhs_batch + lhs_contract)
    rhs_free = tuple(d for d in range(rhs_rank) if d not in rhs_batch + rhs_contract)
    lhs_order = lhs_batch + lhs_free + lhs_contract
    rhs_order = rhs_batch + rhs_contract + rhs_free
    lhs_moved = lhs_order != tuple(range(lhs_rank))
    rhs_moved = rhs_order != tuple(range(rhs_rank))
    # BLAS reads a matrix as well by columns: then nothing has to be moved.
    lhs_turned = lhs_moved and lhs_batch + lhs_contract + lhs_free == tuple(range(lhs_rank))
    rhs_turned = rhs_moved and rhs_batch + rhs_free + rhs_contract == tuple(range(rhs_rank))

    def prepare(
        x: Any, order: tuple[int, ...], turned: bool, batch: int, rows: int, columns: int
    ) -> Any:
        if turned:
            x = contiguous(x, compute).reshape((batch, columns, rows)).swapaxes(1, 2)
        else:
            x = contiguous(np.asarray(x).transpose(order), compute).reshape((batch, rows, columns))
        return x[0] if batch == 1 else x

    # What NumPy has a function for, without any rearranging.
    direct = _direct(lhs_contract, rhs_contract, lhs_rank, rhs_rank) if not lhs_batch else None
    if direct is not None:

        def product(x: Any, y: Any) -> Any:
            value = direct(contiguous(x, compute), contiguous(y, compute))
            return value.astype(result, copy=False) if value.dtype != result else value

        return making_new(product)

    def dot_general(x: Any, y: Any) -> Any:
        batch = tuple(x.shape[d] for d in lhs_batch)
        left = tuple(x.shape[d] for d in lhs_free)
        right = tuple(y.shape[d] for d in rhs_free)
        summed = prod(x.shape[d] for d in lhs_contract)
        a = prepare(x, lhs_order, lhs_turned, prod(batch), prod(left), summed)
        b = prepare(y, rhs_order, rhs_turned, prod(batch), summed, prod(right))
        # Nothing to sum: BLAS takes several times as long for an outer product.
        product = np.multiply(a, b) if summed == 1 else np.matmul(a, b)
        value = product.reshape(batch + left + right)
        return value if value.dtype == result else value.astype(result)

    return making_new(dot_general)


def _direct(
    lhs_contract: tuple[int, ...], rhs_contract: tuple[int, ...], lhs_rank: int, rhs_rank: int
) -> Kernel | None:
    """Products of vectors and matrices, which are C-contiguous: BLAS reads a turned one as it lies."""
    ranks = lhs_rank, rhs_rank
    if ranks == (1, 1) and not lhs_contract:
        return np.multiply.outer
    if max(ranks) > 2 or min(ranks) < 1 or len(lhs_contract) != 1:
        return None
    turned = lhs_contract[0] != lhs_rank - 1, rhs_contract[0] != 0
    if ranks == (1, 2):
        return None
    if turned == (False, False):
        return np.matmul
    return _swapped if ranks == (2, 1) else _turned(*turned)


def _swapped(x: Any, y: Any) -> Any:
    return np.matmul(y, x)


def _turned(lhs: bool, rhs: bool) -> Kernel:
    def product(x: Any, y: Any) -> Any:
        return np.matmul(x.T if lhs else x, y.T if rhs else y)

    return product
