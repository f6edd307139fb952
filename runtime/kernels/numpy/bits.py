"""Logic, shifts and bit counts.

Shift amounts count as unsigned: an amount of the bit width or more gives 0 (or the sign, for an
arithmetic shift to the right). Shifts to the right are logical or arithmetic by the op, whatever
the type's signedness.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from xdsl.ir import Operation

from ...values import DType
from .. import Kernel, Scope, kernel
from .common import (
    SIGNED,
    SMALL_INTS,
    UNSIGNED,
    bit_width,
    in_dtype,
    is_signed,
    operand_dtype,
    unsigned_view,
    wide_int,
)

_LOGIC: Final[dict[str, Callable[..., Any]]] = {
    # On bool NumPy's bitwise functions are the logical ones.
    "stablehlo.and": np.bitwise_and,
    "stablehlo.or": np.bitwise_or,
    "stablehlo.xor": np.bitwise_xor,
    "stablehlo.not": np.invert,
    # Large amounts give 0, negative ones count as huge: NumPy's rules are StableHLO's.
    "stablehlo.shift_left": np.left_shift,
}


@kernel(*_LOGIC, elementwise=True)
def _logic(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    return in_dtype(_LOGIC[op.name], wide_int(dtype), dtype)


@kernel("stablehlo.shift_right_arithmetic", elementwise=True)
def _shift_arithmetic(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    if is_signed(dtype):
        return in_dtype(np.right_shift, wide_int(dtype), dtype)
    if dtype in SMALL_INTS:
        return _on_small_bits(dtype, np.right_shift, signed=True)
    signed = SIGNED[dtype.itemsize]

    def shift(x: Any, amount: Any) -> Any:
        return np.right_shift(x.view(signed), amount.view(signed)).view(dtype)

    return shift


@kernel("stablehlo.shift_right_logical", elementwise=True)
def _shift_logical(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    if dtype in SMALL_INTS:
        return _on_small_bits(dtype, np.right_shift, signed=False)
    if not is_signed(dtype):
        return np.right_shift
    unsigned = UNSIGNED[dtype.itemsize]

    def shift(x: Any, amount: Any) -> Any:
        return np.right_shift(x.view(unsigned), amount.view(unsigned)).view(dtype)

    return shift


def _on_small_bits(dtype: DType, function: Callable[..., Any], *, signed: bool) -> Kernel:
    """A shift of an integer of less than a byte, its bits taken as signed or not."""
    free = 8 - bit_width(dtype)

    def run(x: Any, amount: Any) -> Any:
        raw = np.left_shift(x.astype(np.int8), np.int8(free))
        if signed:
            raw = np.right_shift(raw, np.int8(free))
        else:
            raw = np.right_shift(raw.view(np.uint8), np.uint8(free)).view(np.int8)
        return function(raw, amount.astype(np.int8)).astype(dtype)

    return run


@kernel("stablehlo.popcnt", elementwise=True)
def _popcnt(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    mask = np.uint8((1 << bit_width(dtype)) - 1) if dtype in SMALL_INTS else None

    def popcnt(x: Any) -> Any:
        # As unsigned: NumPy counts the bits of a negative number's absolute value.
        raw = unsigned_view(x)
        if mask is not None:
            raw = np.bitwise_and(raw, mask)
        return np.bitwise_count(raw).astype(dtype)

    return popcnt


@kernel("stablehlo.count_leading_zeros", elementwise=True)
def _count_leading_zeros(op: Operation, scope: Scope) -> Kernel:
    dtype = operand_dtype(op)
    width = bit_width(dtype)
    raw_dtype = UNSIGNED[dtype.itemsize]
    mask = raw_dtype.type((1 << width) - 1)
    shifts = [raw_dtype.type(1 << k) for k in range((width - 1).bit_length())]

    def count_leading_zeros(x: Any) -> Any:
        raw = np.bitwise_and(x.view(raw_dtype), mask)
        for shift in shifts:
            raw = np.bitwise_or(raw, np.right_shift(raw, shift))
        return np.subtract(np.uint8(width), np.bitwise_count(raw)).astype(dtype)

    return count_leading_zeros
