"""Making and recognising scalar constants; shared by passes that compute with them."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import (
    AnyDenseElement,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IntegerType,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, SSAValue

from ..dialects.stablehlo import ConstantOp


def zero_of(element_type: Attribute) -> DenseIntOrFPElementsAttr:
    """The scalar zero of an element type: all bits zero, whatever the type."""
    type = TensorType(cast(AnyDenseElement, element_type), [])
    return DenseIntOrFPElementsAttr(type, BytesAttr(bytes(type.element_type.compile_time_size)))


def scalar_constant(value: SSAValue) -> DenseIntOrFPElementsAttr | None:
    """The constant that `value`, a scalar tensor, is; None if it is not one or not a scalar."""
    op = value.owner
    if not isinstance(op, ConstantOp) or not isinstance(op.value, DenseIntOrFPElementsAttr):
        return None
    return op.value if not op.value.get_shape() and op.value.type == value.type else None


def boolean_constant(value: SSAValue) -> bool | None:
    """The truth value of a constant `tensor<i1>`; None if `value` is not one."""
    constant = scalar_constant(value)
    if constant is None or constant.get_element_type() != i1:
        return None
    return any(constant.data.data)


def integer_constant(value: SSAValue) -> int | None:
    """The value of a constant integer scalar; None if `value` is not one."""
    constant = scalar_constant(value)
    if constant is None or not isinstance(constant.get_element_type(), IntegerType):
        return None
    return int(constant.get_values()[0])  # pyright: ignore[reportArgumentType]
