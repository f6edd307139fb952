"""Types of the structured level: stacks and arrays of tensors."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
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
        return self.kind.data == "grad"

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


def _parse_element_type(parser: AttrParser) -> Attribute:
    position = parser.pos
    type = parser.parse_type()
    if not isa(type, TensorType[Attribute]):
        parser.raise_error(f"expected a tensor type for the elements, got {type}", position)
    return type
