"""Branches of the structured level: `dcf.cond` and `dcf.case`. Only the taken branch runs."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    traits_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ..diagnostics import RuleError
from .assembly import (
    parse_result_types,
    print_attributes,
    print_result_types,
)
from .checks import check_predicate, check_type, terminator_of, type_list
from .loops import print_body
from .terminators import YieldOp


@irdl_op_definition
class CondOp(IRDLOperation):
    """`dcf.cond`: `%p : tensor<i1>` chooses a region; both yield the result types.

    ```
    %r = dcf.cond %p : tensor<i1> -> tensor<f32> then {
      …
      dcf.yield %a : tensor<f32>
    } else {
      …
      dcf.yield %b : tensor<f32>
    }
    ```

    Without results the arrow is left out. The regions take no arguments and may use values from
    outside. Errors: a predicate that is not a `tensor<i1>`; a branch that yields other types than
    the results (both lists are shown).
    Source: docs/semantics.md §1; `stablehlo.if`.
    """

    name = "dcf.cond"
    predicate = operand_def()
    outputs = var_result_def()
    then_region: Region = region_def("single_block")
    else_region: Region = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        predicate: SSAValue | Operation,
        result_types: Sequence[Attribute],
        then_region: Region,
        else_region: Region,
    ):
        super().__init__(
            operands=[predicate],
            result_types=[result_types],
            regions=[then_region, else_region],
        )

    def verify_(self) -> None:
        check_predicate("a predicate", self.predicate.type, self)
        _verify_branch(self, "the then branch", self.then_region)
        _verify_branch(self, "the else branch", self.else_region)

    @classmethod
    def parse(cls, parser: Parser) -> CondOp:
        predicate = _parse_selector(parser)
        result_types = parse_result_types(parser)
        parser.parse_keyword("then")
        then_region = parser.parse_region(())
        parser.parse_keyword("else")
        else_region = parser.parse_region(())
        return cls.create(
            operands=[predicate],
            result_types=result_types,
            regions=[then_region, else_region],
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        _print_selector(printer, self.predicate)
        print_result_types(printer, self.outputs.types)
        printer.print_string(" then ")
        print_body(printer, self.then_region)
        printer.print_string(" else ")
        print_body(printer, self.else_region)
        print_attributes(printer, self)


@irdl_op_definition
class CaseOp(IRDLOperation):
    """`dcf.case`: `%index : tensor<i32>` chooses a region; an index out of range runs the last.

    ```
    %r = dcf.case %i : tensor<i32> -> tensor<f32> {
      dcf.yield %a : tensor<f32>
    }, {
      dcf.yield %b : tensor<f32>
    }
    ```

    At least one region; they take no arguments and may use values from outside. Errors: an index
    that is not a `tensor<i32>`; no branch; a branch that yields other types than the results.
    Source: docs/semantics.md §1; `stablehlo.case`.
    """

    name = "dcf.case"
    index = operand_def()
    outputs = var_result_def()
    branches = var_region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        index: SSAValue | Operation,
        result_types: Sequence[Attribute],
        branches: Sequence[Region],
    ):
        super().__init__(operands=[index], result_types=[result_types], regions=[branches])

    def verify_(self) -> None:
        check_type("an index", TensorType(i32, []), self.index.type)
        if not self.branches:
            raise VerifyException("expected at least one branch, got none")
        for number, branch in enumerate(self.branches):
            _verify_branch(self, f"branch {number}", branch)

    @classmethod
    def parse(cls, parser: Parser) -> CaseOp:
        index = _parse_selector(parser)
        result_types = parse_result_types(parser)
        branches = [parser.parse_region(())]
        while parser.parse_optional_punctuation(",") is not None:
            branches.append(parser.parse_region(()))
        return cls.create(
            operands=[index],
            result_types=result_types,
            regions=branches,
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        _print_selector(printer, self.index)
        print_result_types(printer, self.outputs.types)
        printer.print_string(" ")
        printer.print_list(self.branches, lambda branch: print_body(printer, branch))
        print_attributes(printer, self)


def _verify_branch(op: CondOp | CaseOp, name: str, region: Region) -> None:
    """A branch has no arguments and yields what the op returns."""
    if region.block.args:
        raise VerifyException(f"expected {name} without arguments, got {len(region.block.args)}")
    end = terminator_of(region, YieldOp, name)
    expected = list(op.outputs.types)
    if list(end.operand_types) != expected:
        raise RuleError(
            f"expected {name} to yield {type_list(expected)}, the types of the results of"
            f" {op.name}, got {type_list(end.operand_types)}",
            end,
        )


def _parse_selector(parser: Parser) -> SSAValue:
    """`%value : type`."""
    selector = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    return parser.resolve_operand(selector, parser.parse_type())


def _print_selector(printer: Printer, selector: SSAValue) -> None:
    """The counterpart of `_parse_selector`."""
    printer.print_string(" ")
    printer.print_ssa_value(selector)
    printer.print_string(" : ")
    printer.print_attribute(selector.type)
