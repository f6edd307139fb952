"""`dcf.probe`: a visible effect, for debugging and for tests of what runs and in which order."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from .assembly import begins_operation, parse_values_and_types, print_values_and_types


@irdl_op_definition
class ProbeOp(IRDLOperation):
    """`dcf.probe "label" %a, %b : type, type`: reports the label and values to the runtime.

    Any values, or none (`dcf.probe "here"`). Probes that run do so once each, in program order
    (iterations of a loop in order); those in a branch that is not taken do not run.
    Source: docs/semantics.md §1 (debugging probes).
    """

    name = "dcf.probe"
    label = prop_def(StringAttr)
    values = var_operand_def()

    def __init__(self, label: str, values: Sequence[SSAValue]):
        super().__init__(operands=[values], properties={"label": StringAttr(label)})

    @classmethod
    def parse(cls, parser: Parser) -> ProbeOp:
        label = StringAttr(parser.parse_str_literal())
        if begins_operation(parser):
            return cls.create(properties={"label": label})
        values, attributes = parse_values_and_types(parser)
        return cls.create(operands=values, properties={"label": label}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.label.data)
        print_values_and_types(printer, self.values, self, ("label",))
