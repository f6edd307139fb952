"""Python numbers, and lists of them, as arguments: taken where that changes none of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute

from ..dialects.diagnostics import DataError
from .values import BOOL, AnyArray, DType, dtype_of, mlir_name_of

Number = bool | int | float | complex


def as_tensor(value: Any, type: Attribute, name: str) -> Any:
    """`value`; if it is of Python numbers, as an array of the dtype of `type`.

    A `DataError` if one of them is of another kind (a bool is no integer, a float neither; an integer
    may be a float), or not exact in that dtype. Arrays are not converted.
    """
    # NumPy's float64 is a float of Python's as well, but has a dtype to keep to.
    is_python = isinstance(value, bool | int | float | complex | list | tuple)
    if isinstance(value, np.generic) or not is_python or not isinstance(type, TensorType):
        return cast(Any, value)
    dtype = dtype_of(cast(Attribute, type))
    numbers = list(_leaves(value))
    shape = _shape(value)
    if not _is_even(value, shape):
        raise DataError(f"{name}: expected {type}, got a list of uneven lists")
    tensor: AnyArray = np.empty(shape, dtype)
    flat = tensor.reshape(-1)
    for index, number in enumerate(numbers):
        if not _put(flat, index, number):
            raise DataError(f"{name}: expected {type}, {_advice(value, number, dtype)}")
    return tensor


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for part in cast("list[Any]", value):
            yield from _leaves(part)
    else:
        yield value


def _shape(value: Any) -> tuple[int, ...]:
    """The shape, if all lists of a level are as long as the first."""
    shape: list[int] = []
    while isinstance(value, list | tuple):
        parts = cast("list[Any]", value)
        shape.append(len(parts))
        value = parts[0] if parts else None
    return tuple(shape)


def _is_even(value: Any, shape: tuple[int, ...]) -> bool:
    if not isinstance(value, list | tuple):
        return not shape
    parts = cast("list[Any]", value)
    return len(shape) > 0 and len(parts) == shape[0] and all(_is_even(p, shape[1:]) for p in parts)


def _put(flat: AnyArray, index: int, number: Any) -> bool:
    """Set an element; whether it is exactly the number now."""
    if not _is_kind(number, flat.dtype):
        return False
    try:
        with np.errstate(all="ignore"):
            flat[index] = number
        kept: Any = flat[index]
        kept = complex(kept) if flat.dtype.kind == "c" else type(number)(kept)
    except (OverflowError, ValueError, TypeError):
        return False
    return bool(kept == number or (kept != kept and number != number))


def _is_kind(number: Any, dtype: DType) -> bool:
    if isinstance(number, np.generic):
        return False
    kind = mlir_name_of(dtype)
    if kind == "i1":
        return isinstance(number, bool)
    if isinstance(number, bool):
        return False
    if kind.startswith(("i", "ui")):
        return isinstance(number, int)
    allowed = int | float | complex if kind.startswith("complex") else int | float
    return isinstance(number, allowed)


def _advice(value: Any, number: Any, dtype: DType) -> str:
    """What was got instead, and how to convert it, if NumPy does."""
    is_list = isinstance(value, list | tuple)
    if isinstance(number, np.ndarray | np.generic):
        what = str(cast(AnyArray, number).dtype)
    else:
        what = f"{number!r}" if isinstance(number, Number) else f"a {type(number).__name__}"
    inside = " in a list" if is_list else ""
    home = "np" if dtype.type.__module__ == "numpy" else "ml_dtypes"
    made = "np.bool_" if dtype == BOOL else f"{home}.{dtype.type.__name__}"
    how = f" (np.asarray(…, {made}) converts)" if is_list else f" ({made}({value!r}) converts)"
    if not isinstance(number, Number | np.ndarray | np.generic):
        how = ""
    else:
        try:
            with np.errstate(all="ignore"):
                dtype.type(cast(Any, number))
        except (OverflowError, ValueError, TypeError):
            how = ""
    if _is_kind(number, dtype):
        what += f"{inside}, which is not exact in {mlir_name_of(dtype)}"
        inside = ""
    return f"got {what}{inside}{how}"
