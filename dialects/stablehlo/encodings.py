"""Encodings of tensor types: upper bounds of dynamic dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from .attributes import DimsAttr, parse_dimension_size, print_dimension_size


@irdl_attr_definition
class BoundsAttr(ParametrizedAttribute):
    """`#stablehlo.bounds<3, ?>`: upper bounds of a tensor's dynamic dimensions, as its encoding."""

    name = "stablehlo.bounds"
    bounds: DimsAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        sizes = parser.parse_comma_separated_list(
            parser.Delimiter.ANGLE, lambda: parse_dimension_size(parser)
        )
        return [DimsAttr(tuple(sizes))]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(self.bounds.data, lambda size: print_dimension_size(printer, size))


@irdl_attr_definition
class TypeExtensionsAttr(ParametrizedAttribute):
    """`#stablehlo.type_extensions<bounds = [3, ?]>`: the former name of `bounds`, read as that."""

    name = "stablehlo.type_extensions"
    bounds: DimsAttr

    @classmethod
    def new(cls, params: Sequence[Attribute]) -> Any:
        return BoundsAttr.new(params)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            parser.parse_keyword("bounds")
            parser.parse_punctuation("=")
            return [DimsAttr(DimsAttr.parse_parameter(parser))]
