"""How the types of an op print after its colon; part of the shared assembly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, TupleType
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from .constraints import as_tensor, part_of

Types = tuple[Sequence[Attribute], Sequence[Attribute]]
"""Operand types and result types."""


class Signature(ABC):
    """A way to write operand and result types."""

    @abstractmethod
    def parse(self, parser: Parser, operand_count: int) -> Types: ...

    @abstractmethod
    def print(self, printer: Printer, op: Operation) -> None: ...


class Functional(Signature):
    """`(operand types) -> result types`."""

    def parse(self, parser: Parser, operand_count: int) -> Types:
        function_type = parser.parse_function_type()
        return function_type.inputs.data, function_type.outputs.data

    def print(self, printer: Printer, op: Operation) -> None:
        printer.print_function_type(op.operand_types, op.result_types)


class SameType(Functional):
    """One type when all operands and the result agree, else the functional form."""

    def parse(self, parser: Parser, operand_count: int) -> Types:
        if (function_type := parser.parse_optional_function_type()) is not None:
            return function_type.inputs.data, function_type.outputs.data
        common = parser.parse_type()
        return (common,) * operand_count, (common,)

    def print(self, printer: Printer, op: Operation) -> None:
        result_type = op.results[0].type
        if all(operand.type == result_type for operand in op.operands):
            printer.print_attribute(result_type)
        else:
            super().print(printer, op)


class SelectTypes(Functional):
    """`predicate type, common type` when both choices have the result's type."""

    def parse(self, parser: Parser, operand_count: int) -> Types:
        if (function_type := parser.parse_optional_function_type()) is not None:
            return function_type.inputs.data, function_type.outputs.data
        predicate = parser.parse_type()
        parser.parse_punctuation(",")
        common = parser.parse_type()
        return (predicate, common, common), (common,)

    def print(self, printer: Printer, op: Operation) -> None:
        predicate, *choices = op.operand_types
        result_type = op.results[0].type
        if any(choice != result_type for choice in choices):
            super().print(printer, op)
            return
        printer.print_attribute(predicate)
        printer.print_string(", ")
        printer.print_attribute(result_type)


class ComplexTypes(Functional):
    """The complex result type when both parts have its real type."""

    def parse(self, parser: Parser, operand_count: int) -> Types:
        if (function_type := parser.parse_optional_function_type()) is not None:
            return function_type.inputs.data, function_type.outputs.data
        result_type = parser.parse_type()
        real_type = _real_type(result_type)
        if real_type is None:
            parser.raise_error(f"expected a tensor of complex elements, got {result_type}")
        return (real_type,) * operand_count, (result_type,)

    def print(self, printer: Printer, op: Operation) -> None:
        result_type = op.results[0].type
        real_type = _real_type(result_type)
        if all(operand == real_type for operand in op.operand_types):
            printer.print_attribute(result_type)
        else:
            super().print(printer, op)


def _real_type(complex_type: Attribute) -> Attribute | None:
    tensor = as_tensor(complex_type)
    part = None if tensor is None else part_of(tensor.element_type)
    if tensor is None or part is None:
        return None
    return TensorType(part, tensor.get_shape(), tensor.encoding)


class PairwiseTypes(Signature):
    """The operand types alone; each result has the type of its operand."""

    def parse(self, parser: Parser, operand_count: int) -> Types:
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        return types, types

    def print(self, printer: Printer, op: Operation) -> None:
        printer.print_list(op.operand_types, printer.print_attribute)


class TupleTypes(Signature):
    """The tuple type of the result, whose members are the operand types."""

    def parse(self, parser: Parser, operand_count: int) -> Types:
        result_type = parser.parse_type()
        if not isinstance(result_type, TupleType):
            parser.raise_error(f"expected a tuple type, got {result_type}")
        return result_type.types.data, (result_type,)

    def print(self, printer: Printer, op: Operation) -> None:
        printer.print_attribute(op.results[0].type)


class ArrowTypes(Signature):
    """`operand type, operand type -> result type`, as `chlo` writes them."""

    def parse(self, parser: Parser, operand_count: int) -> Types:
        operand_types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        parser.parse_punctuation("->")
        return operand_types, (parser.parse_type(),)

    def print(self, printer: Printer, op: Operation) -> None:
        printer.print_list(op.operand_types, printer.print_attribute)
        printer.print_string(" -> ")
        printer.print_attribute(op.results[0].type)


FUNCTIONAL = Functional()
SAME_TYPE = SameType()
SELECT_TYPES = SelectTypes()
COMPLEX_TYPES = ComplexTypes()
PAIRWISE_TYPES = PairwiseTypes()
TUPLE_TYPES = TupleTypes()
ARROW_TYPES = ArrowTypes()
