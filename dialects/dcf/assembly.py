"""Helpers for the text forms of `dcf` and `dfg`: operand lists, result types, attributes, names.

In both dialects an op without regions is written `op operands {attributes} : types`, and one with
regions ends in its attributes. Properties that the text does not spell out travel with the
discardable attributes and are told apart by name when they are read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xdsl.dialects.builtin import (
    I64,
    IntegerAttr,
    StringAttr,
    TensorType,
    UnknownLoc,
    i1,
    i64,
)
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

Attributes = dict[str, Attribute]


def parse_operand_list(parser: Parser) -> list[UnresolvedOperand]:
    """`%a, %b, …`, possibly empty."""
    operands: list[UnresolvedOperand] = []
    operand = parser.parse_optional_unresolved_operand()
    while operand is not None:
        operands.append(operand)
        if parser.parse_optional_punctuation(",") is None:
            break
        operand = parser.parse_unresolved_operand()
    return operands


def begins_operation(parser: Parser) -> bool:
    """Whether what comes next is a whole operation with results, not operands of this one.

    `dcf.probe "here"` ends where `%a, %b = …` or `%a:2 = …` may follow, so that the `=` decides
    whose `%a` it is. Nothing is consumed.
    """
    start = parser.pos
    try:
        while parser.parse_optional_unresolved_operand() is not None:
            if parser.parse_optional_punctuation(":") is not None:
                if parser.parse_optional_integer(allow_boolean=False) is None:
                    return False
            if parser.parse_optional_punctuation("=") is not None:
                return True
            if parser.parse_optional_punctuation(",") is None:
                return False
        return False
    finally:
        parser._resume_from(start)  # pyright: ignore[reportPrivateUsage]


def parse_type_list(parser: Parser) -> list[Attribute]:
    """`: type, type, …`."""
    parser.parse_punctuation(":")
    types: list[Attribute] = [parser.parse_type()]
    while parser.parse_optional_punctuation(",") is not None:
        types.append(parser.parse_type())
    return types


def parse_values_and_types(parser: Parser) -> tuple[list[SSAValue], Attributes]:
    """`%a, %b {attributes} : type, type`, or only `{attributes}` when there are no values."""
    operands = parse_operand_list(parser)
    attributes = parser.parse_optional_attr_dict()
    if not operands:
        return [], attributes
    position = parser.pos
    types = parse_type_list(parser)
    return list(parser.resolve_operands(operands, types, position)), attributes


def print_values_and_types(
    printer: Printer, values: Sequence[SSAValue], op: Operation, shown: Collection[str] = ()
) -> None:
    """The counterpart of `parse_values_and_types`."""
    if values:
        printer.print_string(" ")
        printer.print_list(values, printer.print_ssa_value)
    print_attributes(printer, op, shown)
    if values:
        printer.print_string(" : ")
        printer.print_list([value.type for value in values], printer.print_attribute)


def parse_result_types(parser: Parser) -> list[Attribute]:
    """`-> type` or `-> (type, …)`; nothing for no results."""
    if parser.parse_optional_punctuation("->") is None:
        return []
    return parse_one_or_more_types(parser)


def parse_one_or_more_types(parser: Parser) -> list[Attribute]:
    """`type` or `(type, …)`."""
    types = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return [parser.parse_type()] if types is None else list(types)


def print_result_types(printer: Printer, types: Sequence[Attribute]) -> None:
    """The counterpart of `parse_result_types`."""
    if not types:
        return
    printer.print_string(" -> ")
    if len(types) == 1:
        printer.print_attribute(types[0])
        return
    with printer.in_parens():
        printer.print_list(types, printer.print_attribute)


def split_properties(
    op_type: type[IRDLOperation], attributes: Attributes
) -> tuple[Attributes, Attributes]:
    """What of `attributes` are properties of `op_type`, and what is discardable."""
    names = op_type.get_irdl_definition().properties.keys()
    properties = {name: value for name, value in attributes.items() if name in names}
    rest = {name: value for name, value in attributes.items() if name not in names}
    return properties, rest


def parse_attributes(
    parser: Parser, op_type: type[IRDLOperation], spelled: Collection[str] = ()
) -> tuple[Attributes, Attributes]:
    """`{…}`, if it is there: its properties and its discardable attributes.

    Properties that the text spells out elsewhere, `spelled`, cannot be given here as well.
    """
    position = parser.pos
    attributes = parser.parse_optional_attr_dict()
    for name in spelled:
        if name in attributes:
            parser.raise_error(
                f"expected {name} in its own place in {op_type.name}, got it as an attribute",
                position,
            )
    return split_properties(op_type, attributes)


def print_attributes(printer: Printer, op: Operation, shown: Collection[str] = ()) -> None:
    """The properties that the text has not `shown` yet, and the discardable attributes."""
    hidden = {name: value for name, value in op.properties.items() if name not in shown}
    printer.print_op_attributes(hidden | op.attributes)


def parse_optional_label(parser: Parser) -> StringAttr | None:
    """`"text"`, if it is there."""
    text = parser.parse_optional_str_literal()
    return None if text is None else StringAttr(text)


def print_optional_label(printer: Printer, label: StringAttr | None) -> None:
    """The counterpart of `parse_optional_label`."""
    if label is not None:
        printer.print_string(" ")
        printer.print_string_literal(label.data)


def parse_i64(parser: Parser) -> IntegerAttr[I64]:
    """An integer as a 64-bit attribute."""
    return IntegerAttr(parser.parse_integer(allow_boolean=False), i64)


def optional_i64(value: int | None) -> IntegerAttr[I64] | None:
    """`value` as a 64-bit attribute, or None."""
    return None if value is None else IntegerAttr(value, i64)


def parse_bindings(
    parser: Parser,
) -> tuple[list[Parser.UnresolvedArgument], list[UnresolvedOperand]]:
    """`%arg = %value, …`, possibly empty: block arguments and what they start from."""
    names: list[Parser.UnresolvedArgument] = []
    values: list[UnresolvedOperand] = []
    name = parser.parse_optional_argument(expect_type=False)
    while name is not None:
        parser.parse_punctuation("=")
        names.append(name)
        values.append(parser.parse_unresolved_operand())
        if parser.parse_optional_punctuation(",") is None:
            break
        name = parser.parse_argument(expect_type=False)
    return names, values


def parse_typed_bindings(parser: Parser) -> tuple[list[Parser.Argument], list[SSAValue]]:
    """`(%arg = %value, … : type loc(…), …)`; nothing between the parentheses when there are none.

    The arguments returned have the types of the values.
    """
    parser.parse_punctuation("(")
    names, values = parse_bindings(parser)
    arguments: list[Parser.Argument] = []
    operands: list[SSAValue] = []
    for position, (name, value) in enumerate(zip(names, values)):
        parser.parse_punctuation("," if position else ":")
        argument = name.resolve(parser.parse_type())
        argument.location = parser.parse_optional_location()
        arguments.append(argument)
        operands.append(parser.resolve_operand(value, argument.type))
    parser.parse_punctuation(")")
    return arguments, operands


def print_typed_bindings(
    printer: Printer,
    arguments: Sequence[BlockArgument],
    values: Sequence[SSAValue],
    twins: Sequence[BlockArgument] = (),
) -> None:
    """The counterpart of `parse_typed_bindings`.

    `twins` are arguments of a second region that the text names together with `arguments`.
    """

    def print_binding(position: int) -> None:
        twin = twins[position] if position < len(twins) else None
        _print_name(printer, arguments[position], twin)
        printer.print_string(" = ")
        printer.print_ssa_value(values[position])

    def print_type(position: int) -> None:
        printer.print_attribute(values[position].type)
        location = arguments[position].location
        if printer.print_debuginfo and not isinstance(location, UnknownLoc):
            printer.print_string(" ")
            printer.print_attribute(location)

    with printer.in_parens():
        count = min(len(arguments), len(values))
        printer.print_list(range(count), print_binding)
        if count:
            printer.print_string(" : ")
            printer.print_list(range(count), print_type)


def _print_name(printer: Printer, argument: BlockArgument, twin: BlockArgument | None) -> None:
    """Prints the name of `argument`, which `twin` then has as well.

    The printer keeps names in a table of its own; nothing public enters a name into it.
    """
    names = printer._ssa_values  # pyright: ignore[reportPrivateUsage]
    if twin is None:
        printer.print_ssa_value(argument)
        return
    leader = twin if argument.name_hint is None and argument not in names else argument
    names[argument] = names[twin] = printer.print_ssa_value(leader)


PREDICATE = TensorType(i1, [])
"""The type of a predicate, which the text leaves out."""


def parse_predicate(parser: Parser) -> tuple[SSAValue, Attributes]:
    """`%p {attributes}`, a `tensor<i1>`; another type (an error later) is given after `:`."""
    predicate = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    type: Attribute = PREDICATE
    if parser.parse_optional_punctuation(":") is not None:
        type = parser.parse_type()
    return parser.resolve_operand(predicate, type), attributes


def print_predicate(printer: Printer, predicate: SSAValue, op: Operation) -> None:
    """The counterpart of `parse_predicate`."""
    printer.print_string(" ")
    printer.print_ssa_value(predicate)
    print_attributes(printer, op)
    if predicate.type != PREDICATE:
        printer.print_string(" : ")
        printer.print_attribute(predicate.type)
