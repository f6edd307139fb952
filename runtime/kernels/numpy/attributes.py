"""Reading ops' attributes as Python values, whatever class holds them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation

from ....dialects.stablehlo.attributes import DimsAttr
from ...values import array_from_dense


def attribute(op: Operation, name: str) -> Any:
    """The property or attribute `name` of an op, or None."""
    found = op.properties.get(name)
    return op.attributes.get(name) if found is None else found


def as_ints(value: Any) -> tuple[int, ...]:
    """A tuple of Python ints from any kind of integer list; none at all is the empty tuple."""
    if value is None:
        return ()
    if isinstance(value, DenseArrayBase):
        return tuple(int(v) for v in cast("Iterable[Any]", value.iter_values()))
    if isinstance(value, DenseIntOrFPElementsAttr):
        return tuple(
            int(v) for v in array_from_dense(cast("DenseIntOrFPElementsAttr[Any]", value)).ravel()
        )
    if isinstance(value, DimsAttr):
        return value.data
    if isinstance(value, ArrayAttr):
        value = cast("ArrayAttr[Attribute]", value).data
    return tuple(as_int(v) for v in cast("Iterable[Any]", value))


def as_int(value: Any) -> int:
    """A Python int from an integer attribute or a Python int."""
    if isinstance(value, IntegerAttr):
        return int(cast("IntegerAttr[Any]", value).value.data)
    if isinstance(value, IntAttr):
        return int(cast("IntAttr[int]", value).data)
    return int(value)


def ints(op: Operation, name: str) -> tuple[int, ...]:
    """An integer list of an op; absent is empty."""
    return as_ints(attribute(op, name))


def int_of(op: Operation, name: str, default: int = 0) -> int:
    """An integer of an op."""
    value = attribute(op, name)
    return default if value is None else as_int(value)


def flag(op: Operation, name: str, default: bool = False) -> bool:
    """A boolean (`BoolAttr`, or a unit attribute, which is true when present) of an op."""
    value = attribute(op, name)
    if value is None:
        return default
    return bool(as_int(value)) if isinstance(value, IntegerAttr) else True


def float_of(op: Operation, name: str) -> float:
    """A float of an op."""
    value = attribute(op, name)
    assert isinstance(value, FloatAttr)
    return float(cast("FloatAttr[Any]", value).value.data)


def text_of(op: Operation, name: str, default: str = "") -> str:
    """A string, an enum's keyword or a symbol's name, of an op."""
    value = attribute(op, name)
    return default if value is None else as_text(value)


def as_text(value: Any) -> str:
    """The text of a string, enum or symbol attribute."""
    if isinstance(value, SymbolRefAttr):
        return value.string_value()
    if isinstance(value, StringAttr):
        return value.data
    if isinstance(value, EnumAttribute):
        return str(cast("EnumAttribute[Any]", value).data.value)
    return str(getattr(getattr(value, "data", value), "value", value))


def pairs(op: Operation, name: str, count: int) -> tuple[tuple[int, int], ...]:
    """A list of `count` (low, high) pairs, as paddings are given; absent is zeros."""
    flat = np.array(ints(op, name), np.int64)
    if flat.size == 0:
        return ((0, 0),) * count
    return tuple((int(low), int(high)) for low, high in flat.reshape(count, 2))
