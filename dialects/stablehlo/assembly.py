"""The custom assembly shared by the ops of `stablehlo` (and `chlo`): one small table per op.

Almost every op prints as

    operands, clause, clause {attributes} : types

where a clause is `keyword = value` (`dims = [1, 0]`) and says one property. An op names its clauses
in `CLAUSES` and the way its types print in `SIGNATURE`; ops that read differently override `parse`
and `print` and use the same helpers. Properties that no clause says print in the attribute
dictionary, unless they have their default value.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from .clauses import Clause
from .signatures import FUNCTIONAL, Signature


def parse_operands(parser: Parser) -> tuple[list[UnresolvedOperand], bool]:
    """Parses `%a, %b` and says whether a comma follows that belongs to what comes next."""
    operands: list[UnresolvedOperand] = []
    while (operand := parser.parse_optional_unresolved_operand()) is not None:
        operands.append(operand)
        if parser.parse_optional_punctuation(",") is None:
            return operands, False
    return operands, True


def print_operands(printer: Printer, operands: Sequence[SSAValue]) -> None:
    """Prints `%a, %b`."""
    printer.print_list(operands, printer.print_ssa_value)


def split_attributes(
    op_type: type[IRDLOperation], dictionary: Mapping[str, Attribute]
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """Divides an attribute dictionary into the op's properties and its other attributes."""
    known = op_type.get_irdl_definition().properties
    properties: dict[str, Attribute] = {}
    attributes: dict[str, Attribute] = {}
    for name, value in dictionary.items():
        (properties if name in known else attributes)[name] = value
    return properties, attributes


def shown_attributes(op: Operation, said: Sequence[str] = ()) -> dict[str, Attribute]:
    """What the attribute dictionary has to show: sorted, without what is `said` or is a default."""
    definitions = op.get_irdl_definition().properties if isinstance(op, IRDLOperation) else {}
    shown = dict(op.attributes)
    for name, value in op.properties.items():
        if name not in said and value != definitions[name].default_value:
            shown[name] = value
    return dict(sorted(shown.items()))


def print_attributes(
    printer: Printer, op: Operation, said: Sequence[str] = (), *, keyword: bool = False
) -> None:
    """Prints ` {name = value}` when there is something to show."""
    if op.attributes or op.properties:
        printer.print_op_attributes(shown_attributes(op, said), print_keyword=keyword)


def share_names(printer: Printer, named: Sequence[SSAValue], others: Sequence[SSAValue]) -> None:
    """Lets `others` print under the names of `named` (block arguments of sibling regions)."""
    names = printer._ssa_values  # pyright: ignore[reportPrivateUsage]  # no public way
    for value, other in zip(named, others):
        names[other] = names[value]


class AssembledOp(IRDLOperation, ABC):
    """Base of the ops whose assembly follows from `CLAUSES` and `SIGNATURE`."""

    CLAUSES: ClassVar[tuple[Clause, ...]] = ()
    SIGNATURE: ClassVar[Signature] = FUNCTIONAL

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operands, comma = parse_operands(parser)
        properties: dict[str, Attribute] = {}
        dangling = comma and bool(operands)
        for clause in cls.CLAUSES:
            if not comma:
                comma = dangling = parser.parse_optional_punctuation(",") is not None
            if comma and clause.parse(parser, properties):
                comma = dangling = False
            elif clause.required:
                parser.raise_error(f"expected '{clause.keyword} = ...'")
        if dangling:
            parser.raise_error("expected an operand or a clause after ','")
        return cls.finish_parsing(parser, operands, properties)

    @classmethod
    def finish_parsing(
        cls,
        parser: Parser,
        operands: Sequence[UnresolvedOperand],
        properties: dict[str, Attribute],
    ) -> Self:
        """Parses `{attributes} : types` and makes the op."""
        extra, attributes = split_attributes(cls, parser.parse_optional_attr_dict())
        position = parser.pos
        parser.parse_punctuation(":")
        operand_types, result_types = cls.SIGNATURE.parse(parser, len(operands))
        return cls.create(
            operands=parser.resolve_operands(operands, operand_types, position),
            result_types=result_types,
            properties=properties | extra,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        separator = " "
        if self.operands:
            printer.print_string(" ")
            print_operands(printer, self.operands)
            separator = ", "
        said: list[str] = []
        for clause in self.CLAUSES:
            if clause.present(self):
                printer.print_string(separator)
                clause.print(printer, self)
                separator = ", "
                said.extend(clause.properties)
        self.finish_printing(printer, said)

    def finish_printing(self, printer: Printer, said: Sequence[str]) -> None:
        """Prints `{attributes} : types`."""
        print_attributes(printer, self, said)
        printer.print_string(" : ")
        self.SIGNATURE.print(printer, self)


__all__ = [
    "AssembledOp",
    "parse_operands",
    "print_attributes",
    "print_operands",
    "share_names",
    "shown_attributes",
    "split_attributes",
]
