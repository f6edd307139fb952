"""What ends the regions of the structured level: `dcf.condition` and `dcf.yield`."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure

from .assembly import (
    parse_predicate,
    parse_values_and_types,
    print_predicate,
    print_values_and_types,
)
from .checks import check_parent


@irdl_op_definition
class ConditionOp(IRDLOperation):
    """`dcf.condition %p`: ends the condition region of a `dcf.while`.

    `%p : tensor<i1>` says whether the body runs (again). Errors: a predicate of another type; a
    parent that is not a `dcf.while`.
    Source: docs/semantics.md §1.
    """

    name = "dcf.condition"
    predicate = operand_def()
    traits = traits_def(IsTerminator(), Pure())

    def __init__(self, predicate: SSAValue | Operation):
        super().__init__(operands=[predicate])

    def verify_(self) -> None:
        check_parent(self, ("dcf.while",))

    @classmethod
    def parse(cls, parser: Parser) -> ConditionOp:
        predicate, attributes = parse_predicate(parser)
        return cls.create(operands=[predicate], attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_predicate(printer, self.predicate, self)


@irdl_op_definition
class YieldOp(IRDLOperation):
    """`dcf.yield %a, %b : type, type`: ends the body of a loop or a branch with its values.

    Errors: a parent that is not a loop or branch of `dcf`; values that the parent does not expect.
    Source: docs/semantics.md §1.
    """

    name = "dcf.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=[values])

    def verify_(self) -> None:
        check_parent(self, ("dcf.while", "dcf.scan", "dcf.cond", "dcf.case"))

    @classmethod
    def parse(cls, parser: Parser) -> YieldOp:
        values, attributes = parse_values_and_types(parser)
        return cls.create(operands=values, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_values_and_types(printer, self.values, self)
