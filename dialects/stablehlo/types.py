"""Types of `stablehlo` that are not tensors."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, TensorType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException


@irdl_attr_definition
class TokenType(ParametrizedAttribute, TypeAttribute):
    """`!stablehlo.token`: orders effects; carries no data."""

    name = "stablehlo.token"


@irdl_attr_definition
class FutureType(ParametrizedAttribute, TypeAttribute):
    """`!stablehlo.future<T, ...>`: the pending results of an asynchronous operation."""

    name = "stablehlo.future"
    types: ArrayAttr[Attribute]

    def __init__(self, types: Sequence[Attribute] | ArrayAttr[Attribute]):
        super().__init__(types if isinstance(types, ArrayAttr) else ArrayAttr(types))

    def verify(self) -> None:
        for type in self.types.data:
            if not isinstance(type, TensorType):
                raise VerifyException(f"expected a future of tensors, got {type}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        types = parser.parse_comma_separated_list(parser.Delimiter.ANGLE, parser.parse_type)
        return [ArrayAttr(types)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(self.types.data, printer.print_attribute)
