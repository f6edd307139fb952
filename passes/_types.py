"""Looking at types; shared by passes. (`isa` on a generic type is too slow to ask for every op.)"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute


def as_tensor(type: Attribute) -> TensorType[Attribute] | None:
    """`type` if it is a tensor type, else None."""
    return cast("TensorType[Attribute]", type) if isinstance(type, TensorType) else None


def shape_of(type: Attribute) -> tuple[int, ...] | None:
    """The shape of a tensor type, None for other types; dynamic dimensions are negative."""
    tensor = as_tensor(type)
    return None if tensor is None else tensor.get_shape()
