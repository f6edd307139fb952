"""What the families share: classes of dtypes, wrappers for the small ones, operand dtypes of an
op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import ml_dtypes
import numpy as np
from xdsl.ir import Operation

from ...values import BOOL, AnyArray, DType, dtype_of
from .. import Kernel

_SMALL_SIGNED: Final = (np.dtype(ml_dtypes.int2), np.dtype(ml_dtypes.int4))
_SMALL_UNSIGNED: Final = (np.dtype(ml_dtypes.uint2), np.dtype(ml_dtypes.uint4))
SMALL_INTS: Final = _SMALL_SIGNED + _SMALL_UNSIGNED
BFLOAT16: Final = np.dtype(ml_dtypes.bfloat16)


def is_bool(dtype: DType) -> bool:
    return dtype == BOOL


def is_signed(dtype: DType) -> bool:
    return dtype.kind == "i" or dtype in _SMALL_SIGNED


def is_unsigned(dtype: DType) -> bool:
    return dtype.kind == "u" or dtype in _SMALL_UNSIGNED


def is_int(dtype: DType) -> bool:
    """Whether a dtype is an integer (bool is not)."""
    return dtype.kind in "iu" or dtype in SMALL_INTS


def is_complex(dtype: DType) -> bool:
    return dtype.kind == "c"


def is_float(dtype: DType) -> bool:
    """Whether a dtype is a real floating-point one, NumPy's or an extension."""
    return dtype.kind == "f" or (dtype.kind == "V" and dtype not in SMALL_INTS)


def bit_width(dtype: DType) -> int:
    """The bits of an element."""
    if is_bool(dtype):
        return 1
    if dtype in SMALL_INTS:
        return ml_dtypes.iinfo(dtype).bits
    return dtype.itemsize * 8


def wide_float(dtype: DType) -> DType:
    """The dtype in which to compute what must be rounded only once: f32 for 16 bits and fewer."""
    return np.dtype(np.float32) if is_float(dtype) and dtype.itemsize < 4 else dtype


def wide_int(dtype: DType) -> DType:
    """The native dtype that computes a small integer's arithmetic; the result wraps on the way
    back."""
    if dtype in _SMALL_SIGNED:
        return np.dtype(np.int8)
    if dtype in _SMALL_UNSIGNED:
        return np.dtype(np.uint8)
    return dtype


def in_dtype(function: Callable[..., Any], compute: DType, result: DType) -> Callable[..., Any]:
    """`function` on operands cast to `compute`, its result cast to `result`; itself if both are
    equal."""
    if compute == result:
        return function

    def run(*operands: Any) -> Any:
        return function(*[operand.astype(compute) for operand in operands]).astype(result)

    return run


# NumPy's own type of `where` makes everything it meets unknown.
where: Final[Callable[..., Any]] = np.where


def identity(x: Any) -> Any:
    """The kernel that gives its operand back."""
    return x


def identities(*operands: Any) -> tuple[Any, ...]:
    """The kernel that gives its operands back."""
    return operands


def first_operand(x: Any, *others: Any) -> Any:
    """The kernel that gives its first operand back."""
    return x


def constantly(value: Any) -> Kernel:
    """The kernel of something constant; its operands, if any, only gate it."""

    def constant(*gates: Any) -> Any:
        return value

    return constant


# For the type checker only: what these return is what they are given.
def one(function: Callable[[Any], Any]) -> Kernel:
    """A kernel of one operand."""
    return function


def two(function: Callable[[Any, Any], Any]) -> Kernel:
    """A kernel of two operands."""
    return function


def three(function: Callable[[Any, Any, Any], Any]) -> Kernel:
    """A kernel of three operands."""
    return function


def operand_dtype(op: Operation, index: int = 0) -> DType:
    return dtype_of(op.operands[index].type)


def result_dtype(op: Operation, index: int = 0) -> DType:
    return dtype_of(op.results[index].type)


def unsigned_view(value: Any) -> Any:
    """The same bits as an unsigned integer of the same size."""
    return value.view(UNSIGNED[value.dtype.itemsize])


UNSIGNED: Final[dict[int, DType]] = {
    1: np.dtype(np.uint8),
    2: np.dtype(np.uint16),
    4: np.dtype(np.uint32),
    8: np.dtype(np.uint64),
}
SIGNED: Final[dict[int, DType]] = {
    1: np.dtype(np.int8),
    2: np.dtype(np.int16),
    4: np.dtype(np.int32),
    8: np.dtype(np.int64),
}


def contiguous(x: Any, dtype: DType | None = None) -> AnyArray:
    """A C-contiguous array of the same rank (NumPy's own function makes scalars one-dimensional)."""
    return np.asarray(x, dtype, order="C")


def own(array: Any) -> AnyArray:
    """A C-contiguous array that owns its memory."""
    return np.array(array, order="C", copy=True)
