"""Result types and shapes of the ops of `stablehlo`, from their operands and attributes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute


def with_element_type(tensor_type: Attribute, element_type: Attribute) -> Attribute:
    """The tensor type with other elements (unchanged when it is no tensor: the verifier tells)."""
    if not isinstance(tensor_type, TensorType):
        return tensor_type
    tensor: TensorType[Attribute] = tensor_type
    return TensorType(element_type, tensor.get_shape(), tensor.encoding)


def with_shape(tensor_type: Attribute, shape: Sequence[int]) -> Attribute:
    """The tensor type in another shape (unchanged when it is no tensor: the verifier tells)."""
    if not isinstance(tensor_type, TensorType):
        return tensor_type
    tensor: TensorType[Attribute] = tensor_type
    return TensorType(tensor.element_type, shape)
