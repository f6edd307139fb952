"""The `keyword = value` clauses of the shared assembly; each says properties of an op."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any, cast

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    i32,
    i64,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from .attributes import DimsAttr, DotAlgorithmAttr, DotDimensionNumbersAttr
from .enums import Precision, PrecisionAttr


class Clause(ABC):
    """A piece of an op's assembly that says the values of `properties`."""

    keyword: str
    properties: tuple[str, ...]
    required: bool

    def __init__(self, keyword: str, *properties: str, required: bool = True):
        self.keyword = keyword
        self.properties = properties
        self.required = required

    def present(self, op: Operation) -> bool:
        """Whether the op has something for this clause to print."""
        return self.properties[0] in op.properties

    def parse(self, parser: Parser, properties: dict[str, Attribute]) -> bool:
        """Parses the clause if its keyword is next, and says whether it was."""
        if parser.parse_optional_keyword(self.keyword) is None:
            return False
        parser.parse_punctuation("=")
        self.parse_value(parser, properties)
        return True

    def print(self, printer: Printer, op: Operation) -> None:
        printer.print_string(f"{self.keyword} = ")
        self.print_value(printer, op)

    @abstractmethod
    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None: ...

    @abstractmethod
    def print_value(self, printer: Printer, op: Operation) -> None: ...


def parse_dims(parser: Parser) -> tuple[int, ...]:
    """Parses `[0, 1]`."""
    return DimsAttr.parse_parameter(parser)


def print_dims(printer: Printer, dims: tuple[int, ...]) -> None:
    """Prints `[0, 1]`."""
    printer.print_string(f"[{', '.join(map(str, dims))}]")


class Dims(Clause):
    """`dims = [0, 1]`: an `array<i64>` property."""

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        properties[self.properties[0]] = DenseArrayBase.from_list(i64, parse_dims(parser))

    def print_value(self, printer: Printer, op: Operation) -> None:
        value = op.properties[self.properties[0]]
        dims = cast("DenseArrayBase[I64]", value)
        print_dims(printer, dims.get_values())


class Int(Clause):
    """`dim = 0`: an `i64` property."""

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        properties[self.properties[0]] = IntegerAttr(parser.parse_integer(), i64)

    def print_value(self, printer: Printer, op: Operation) -> None:
        value = op.properties[self.properties[0]]
        assert isinstance(value, IntegerAttr)
        printer.print_string(str(value.value.data))


class Bool(Clause):
    """`lower = true`."""

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        properties[self.properties[0]] = BoolAttr.from_bool(parser.parse_boolean())

    def print_value(self, printer: Printer, op: Operation) -> None:
        printer.print_attribute(op.properties[self.properties[0]])


class Text(Clause):
    """`config = "ab,bc->ac"`: a string property."""

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        properties[self.properties[0]] = StringAttr(parser.parse_str_literal())

    def print_value(self, printer: Printer, op: Operation) -> None:
        printer.print_attribute(op.properties[self.properties[0]])


class Choice(Clause):
    """`algorithm = PHILOX`: a property that is an enumeration."""

    def __init__(self, keyword: str, name: str, attribute: type[EnumAttribute[Any]]):
        super().__init__(keyword, name)
        self.attribute = attribute

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        properties[self.properties[0]] = self.attribute(self.attribute.parse_parameter(parser))

    def print_value(self, printer: Printer, op: Operation) -> None:
        value = op.properties[self.properties[0]]
        choice = cast("EnumAttribute[Any]", value)
        choice.print_parameter(printer)


class ExponentMantissa(Clause):
    """`format = e8m10`: the sizes of a floating-point format, two `i32` properties."""

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        text = parser.parse_identifier()
        match = re.fullmatch(r"e([0-9]+)m([0-9]+)", text)
        if match is None:
            parser.raise_error(f"expected a format such as e8m10, got {text}")
        for name, size in zip(self.properties, match.groups()):
            properties[name] = IntegerAttr(int(size), i32)

    def print_value(self, printer: Printer, op: Operation) -> None:
        for letter, name in zip("em", self.properties):
            value = op.properties[name]
            assert isinstance(value, IntegerAttr)
            printer.print_string(f"{letter}{value.value.data}")


class DotDimensions(Clause):
    """`batching_dims = [0] x [0], contracting_dims = [1] x [0]`; the first part may be absent."""

    def parse(self, parser: Parser, properties: dict[str, Attribute]) -> bool:
        batching: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
        if parser.parse_optional_keyword("batching_dims") is not None:
            parser.parse_punctuation("=")
            batching = self._parse_pair(parser)
            parser.parse_punctuation(",")
            parser.parse_keyword("contracting_dims")
        elif parser.parse_optional_keyword("contracting_dims") is None:
            return False
        parser.parse_punctuation("=")
        contracting = self._parse_pair(parser)
        properties[self.properties[0]] = DotDimensionNumbersAttr(*batching, *contracting)
        return True

    def print(self, printer: Printer, op: Operation) -> None:
        self.print_value(printer, op)

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        raise NotImplementedError("this clause starts with one of two keywords")

    def print_value(self, printer: Printer, op: Operation) -> None:
        numbers = op.properties[self.properties[0]]
        assert isinstance(numbers, DotDimensionNumbersAttr)
        batching = numbers.lhs_batching_dimensions.data, numbers.rhs_batching_dimensions.data
        if any(batching):
            printer.print_string("batching_dims = ")
            self._print_pair(printer, *batching)
            printer.print_string(", ")
        printer.print_string("contracting_dims = ")
        self._print_pair(
            printer,
            numbers.lhs_contracting_dimensions.data,
            numbers.rhs_contracting_dimensions.data,
        )

    @staticmethod
    def _parse_pair(parser: Parser) -> tuple[tuple[int, ...], tuple[int, ...]]:
        lhs = parse_dims(parser)
        parser.parse_keyword("x")
        return lhs, parse_dims(parser)

    @staticmethod
    def _print_pair(printer: Printer, lhs: tuple[int, ...], rhs: tuple[int, ...]) -> None:
        print_dims(printer, lhs)
        printer.print_string(" x ")
        print_dims(printer, rhs)


class Precisions(Clause):
    """`precision = [DEFAULT, HIGH]`."""

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        values = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: PrecisionAttr(parser.parse_str_enum(Precision))
        )
        properties[self.properties[0]] = ArrayAttr(values)

    def print_value(self, printer: Printer, op: Operation) -> None:
        values = op.properties[self.properties[0]]
        precisions = cast("ArrayAttr[PrecisionAttr]", values)
        names = [value.data.value for value in precisions.data]
        printer.print_string(f"[{', '.join(names)}]")


class Algorithm(Clause):
    """`algorithm = <lhs_precision_type = tf32, ...>`."""

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        fields = DotAlgorithmAttr.parse_parameters(parser)
        properties[self.properties[0]] = DotAlgorithmAttr.new(fields)

    def print_value(self, printer: Printer, op: Operation) -> None:
        value = op.properties[self.properties[0]]
        assert isinstance(value, DotAlgorithmAttr)
        value.print_parameters(printer)
