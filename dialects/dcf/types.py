"""Types of the structured level: stacks and arrays of tensors."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, ComplexType, StringAttr, TensorType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa


@irdl_attr_definition
class StackType(ParametrizedAttribute, TypeAttribute):
    """`!dcf.stack<T>`: a persistent stack; push and pop return a new stack in O(1)."""

    name = "dcf.stack"

    element_type: TensorType[Attribute] = param_def()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            return [_parse_element_type(parser)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.element_type)


@irdl_attr_definition
class ArrayType(ParametrizedAttribute, TypeAttribute):
    """`!dcf.array<T>` (TensorArray): elements of one tensor type, each index written at most once.

    `!dcf.array<T, grad>` is a gradient array: repeated writes add, unwritten elements read as
    zeros.
    """

    name = "dcf.array"

    element_type: TensorType[Attribute] = param_def()
    kind: StringAttr = param_def()

    def __init__(self, element_type: TensorType[Attribute], *, grad: bool = False):
        super().__init__(element_type, StringAttr("grad" if grad else ""))

    @property
    def is_grad(self) -> bool:
        """Whether this is a gradient array."""
        return self.kind.data == "grad"

    def verify(self) -> None:
        if self.kind.data not in ("", "grad"):
            raise VerifyException(f'expected an array or a "grad" array, got "{self.kind.data}"')
        if self.is_grad and not is_differentiable(self.element_type):
            raise VerifyException(
                f"expected floating-point elements in a gradient array, got {self.element_type}"
            )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            element_type = _parse_element_type(parser)
            kind = ""
            if parser.parse_optional_punctuation(",") is not None:
                parser.parse_keyword("grad")
                kind = "grad"
            return [element_type, StringAttr(kind)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.element_type)
            if self.is_grad:
                printer.print_string(", grad")


def row_type(type: Attribute) -> TensorType[Attribute] | None:
    """`type` without its leading dimension; None when it has none."""
    if not isa(type, TensorType[Attribute]) or type.get_num_dims() == 0:
        return None
    return TensorType(type.element_type, type.get_shape()[1:], type.encoding)


def is_differentiable(type: Attribute) -> bool:
    """Whether values of `type` carry a gradient: floating-point and complex ones do."""
    if isinstance(type, StackType | ArrayType):
        type = type.element_type
    return isa(type, TensorType[Attribute]) and isinstance(
        type.element_type, AnyFloat | ComplexType
    )


def cotangent_type(type: Attribute) -> Attribute:
    """The type of a cotangent: that of the value, and a gradient array for an array."""
    return ArrayType(type.element_type, grad=True) if isinstance(type, ArrayType) else type


def _parse_element_type(parser: AttrParser) -> Attribute:
    position = parser.pos
    type = parser.parse_type()
    if not isa(type, TensorType[Attribute]):
        parser.raise_error(f"expected a tensor type for the elements, got {type}", position)
    return type
