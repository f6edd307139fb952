"""Ops that start or gate activity: tokens, gated constants and stacks, probes, kernels."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    DenseIntOrFPElementsAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.hints import isa

from ..dcf.assembly import parse_operand_list, parse_type_list, print_attributes
from ..dcf.checks import callee_type, check_type, check_values
from ..dcf.stacks import parse_stack_type
from ..dcf.types import StackType
from .types import TokenType


@irdl_op_definition
class TokenOp(IRDLOperation):
    """`dfg.token`: fires once, when the graph starts.

    Its token is entered, carried and switched like any value, to gate ops without operands and to
    order probes.
    Source: docs/semantics.md §4.
    """

    name = "dfg.token"
    token = result_def(TokenType)

    def __init__(self):
        super().__init__(result_types=[TokenType()])

    @classmethod
    def parse(cls, parser: Parser) -> TokenOp:
        attributes = parser.parse_optional_attr_dict()
        return cls.create(result_types=[TokenType()], attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """`dfg.constant dense<…> after %t : tensor<…>`: a constant delivered when its token is.

    Error: a result of another type than the constant.
    Source: docs/semantics.md §4.
    """

    name = "dfg.constant"
    value = prop_def(DenseIntOrFPElementsAttr)
    after = operand_def(TokenType)
    output = result_def()
    traits = traits_def(Pure())

    def __init__(self, value: DenseIntOrFPElementsAttr, after: SSAValue | Operation):
        super().__init__(operands=[after], result_types=[value.type], properties={"value": value})

    def verify_(self) -> None:
        check_type("a result", self.value.type, self.output.type)

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        # The literal can be read only when its type is known, which the text gives last: read what
        # is behind the literal, then come back to it. (Neither lists nor hex strings hold a `>`.)
        start = parser.pos
        parser.parse_keyword("dense")
        literal_end = parser.lexer.input.content.find(">", start)
        if literal_end < 0:
            parser.raise_error("expected a dense literal that ends in '>'")
        _go_to(parser, literal_end + 1)
        after = _parse_after(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_position = parser.pos
        type = parser.parse_type()
        if (
            not isa(type, TensorType[IntegerType | AnyFloat | ComplexType])
            or not type.has_static_shape()
        ):
            parser.raise_error(f"expected a tensor of static shape, got {type}", type_position)
        end = parser.pos
        _go_to(parser, start)
        parser.parse_keyword("dense")
        value = parser.parse_dense_int_or_fp_elements_attr(type)
        _go_to(parser, end)
        return cls.create(
            operands=[after],
            result_types=[type],
            properties={"value": value},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string(_dense_text(printer, self.value))
        _print_after(printer, self.after)
        print_attributes(printer, self, ("value",))
        printer.print_string(" : ")
        printer.print_attribute(self.value.type)


@irdl_op_definition
class StackNewOp(IRDLOperation):
    """`dfg.stack_new after %t : !dcf.stack<T>`: an empty stack, one for each token.

    Source: docs/semantics.md §4.
    """

    name = "dfg.stack_new"
    after = operand_def(TokenType)
    stack = result_def(StackType)
    traits = traits_def(Pure())

    def __init__(self, stack_type: StackType, after: SSAValue | Operation):
        super().__init__(operands=[after], result_types=[stack_type])

    @classmethod
    def parse(cls, parser: Parser) -> StackNewOp:
        after = _parse_after(parser)
        attributes = parser.parse_optional_attr_dict()
        return cls.create(
            operands=[after], result_types=[parse_stack_type(parser)], attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        _print_after(printer, self.after)
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.stack.type)


@irdl_op_definition
class ProbeOp(IRDLOperation):
    """`%t1 = dfg.probe "label" %a, %b after %t : type, type`: reports, then passes the token on.

    Any values, or none (`dfg.probe "here" after %t`). The tokens order the probes of a program.
    Source: docs/semantics.md §1 (debugging probes), §4 (gating).
    """

    name = "dfg.probe"
    label = prop_def(StringAttr)
    values = var_operand_def()
    after = operand_def(TokenType)
    done = result_def(TokenType)

    def __init__(self, label: str, values: Sequence[SSAValue], after: SSAValue | Operation):
        super().__init__(
            operands=[values, after],
            result_types=[TokenType()],
            properties={"label": StringAttr(label)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> ProbeOp:
        label = StringAttr(parser.parse_str_literal())
        values = parse_operand_list(parser)
        after = _parse_after(parser)
        attributes = parser.parse_optional_attr_dict()
        position = parser.pos
        types = parse_type_list(parser) if values else []
        return cls.create(
            operands=[*parser.resolve_operands(values, types, position), after],
            result_types=[TokenType()],
            properties={"label": label},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.label.data)
        if self.values:
            printer.print_string(" ")
            printer.print_list(self.values, printer.print_ssa_value)
        _print_after(printer, self.after)
        print_attributes(printer, self, ("label",))
        if self.values:
            printer.print_string(" : ")
            printer.print_list(self.values.types, printer.print_attribute)


@irdl_op_definition
class KernelOp(IRDLOperation):
    """`%r = dfg.kernel @f(%a, %b) : (types) -> types`: runs a function of the module as one node.

    Errors: no such function; operands or results that do not match it.
    Source: docs/semantics.md §4.
    """

    name = "dfg.kernel"
    callee = prop_def(SymbolRefAttr)
    arguments = var_operand_def()
    outputs = var_result_def()
    traits = traits_def(Pure())

    def __init__(self, callee: str, arguments: Sequence[SSAValue], results: Sequence[Attribute]):
        super().__init__(
            operands=[arguments],
            result_types=[results],
            properties={"callee": SymbolRefAttr(callee)},
        )

    def verify_(self) -> None:
        signature = callee_type(self, self.callee)
        if signature is None:
            return
        reason = ", that of the function"
        check_values("argument", signature.inputs.data, self.arguments.types, self, reason)
        check_values("result", signature.outputs.data, self.outputs.types, self, reason)

    @classmethod
    def parse(cls, parser: Parser) -> KernelOp:
        callee = SymbolRefAttr(parser.parse_symbol_name())
        with parser.in_parens():
            arguments = parse_operand_list(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        signature = parser.parse_function_type()
        return cls.create(
            operands=list(parser.resolve_operands(arguments, signature.inputs.data, position)),
            result_types=signature.outputs.data,
            properties={"callee": callee},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.callee.root_reference)
        printer.print_operands(self.arguments)
        print_attributes(printer, self, ("callee",))
        printer.print_string(" : ")
        printer.print_function_type(self.operand_types, self.result_types)


def _parse_after(parser: Parser) -> SSAValue:
    """`after %t`."""
    parser.parse_keyword("after")
    return parser.parse_operand(TokenType())


def _print_after(printer: Printer, token: SSAValue) -> None:
    printer.print_string(" after ")
    printer.print_ssa_value(token)


def _dense_text(printer: Printer, value: DenseIntOrFPElementsAttr) -> str:
    """`dense<…>` without the type, with the literals of this very printer."""
    stream, text = printer.stream, StringIO()
    printer.stream = text
    printer.print_attribute(value)
    printer.stream = stream
    return text.getvalue().removesuffix(f" : {value.type}")


def _go_to(parser: Parser, position: int) -> None:
    """Go on reading at `position`; the parser has no public way to do that."""
    parser._resume_from(position)  # pyright: ignore[reportPrivateUsage]
