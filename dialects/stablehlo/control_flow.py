"""Control flow as JAX prints it (`while`, `if`, `case`, `return`) and the ordering of effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect

from .assembly import AssembledOp, parse_operands, print_attributes, print_operands, share_names
from .constraints import BOOLEAN, TENSOR_OR_TOKEN, TOKEN, TensorOf
from .inference import compatible_types
from .rules import (
    expect_arguments,
    expect_carries,
    expect_results,
    expect_returns,
    mismatch,
    region_block,
    returned_types,
)
from .signatures import PAIRWISE_TYPES, SAME_TYPE


@irdl_op_definition
class WhileOp(IRDLOperation):
    """`stablehlo.while(%i = %x, ...) : types cond {...} do {...}`: loops while the condition holds.

    Both regions take the carried values; the condition returns a boolean, the body the next values.
    """

    name = "stablehlo.while"
    operand = var_operand_def()
    cond: Region = region_def("single_block")
    body: Region = region_def("single_block")
    outputs = var_result_def()
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, operand: Sequence[SSAValue], cond: Region, body: Region):
        super().__init__(
            operands=[operand],
            regions=[cond, body],
            result_types=[[value.type for value in operand]],
        )

    def verify_(self) -> None:
        types = self.operand.types
        cond = region_block("the condition", self.cond, "while_c1")
        expect_carries("the condition", cond.args, types, "while_c1")
        returned = returned_types("the condition", cond, "while_c1")
        if len(returned) != 1 or not compatible_types(returned[0], TensorType(i1, ())):
            got = ", ".join(map(str, returned)) or "nothing"
            raise mismatch("the condition to return tensor<i1>", got, "while_c1")
        body = region_block("the body", self.body, "while_c2")
        expect_carries("the body", body.args, types, "while_c2")
        last = body.last_op
        returned_types("the body", body, "while_c2")
        if last is not None:
            expect_carries("the body's return", last.operands, types, "while_c2")
        expect_carries("the loop's results", self.outputs, types, "while_c3")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        pairs = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: _parse_carry(parser)
        )
        types: list[Attribute] = []
        if pairs:
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        if len(types) != len(pairs):
            parser.raise_error(f"expected {len(pairs)} types, got {len(types)}", position)
        dictionary = parser.parse_optional_attr_dict_with_keyword()
        arguments = [argument.resolve(type) for (argument, _), type in zip(pairs, types)]
        operands = parser.resolve_operands([value for _, value in pairs], types, position)
        parser.parse_keyword("cond")
        cond = parser.parse_region(arguments)
        parser.parse_keyword("do")
        body = parser.parse_region(arguments)
        return cls.create(
            operands=operands,
            result_types=types,
            attributes=dictionary.data if dictionary is not None else {},
            regions=[cond, body],
        )

    def print(self, printer: Printer) -> None:
        arguments = self.body.block.args
        with printer.in_parens():
            printer.print_list(
                zip(arguments, self.operand), lambda carry: _print_carry(printer, *carry)
            )
        share_names(printer, arguments, self.cond.block.args)
        if self.operand:
            printer.print_string(" : ")
            printer.print_list(self.operand.types, printer.print_attribute)
        print_attributes(printer, self, keyword=True)
        printer.print_string("\ncond ")
        printer.print_region(self.cond, print_entry_block_args=False)
        printer.print_string(" do ")
        printer.print_region(self.body, print_entry_block_args=False)


def _parse_carry(parser: Parser) -> tuple[Parser.UnresolvedArgument, UnresolvedOperand]:
    argument = parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    return argument, parser.parse_unresolved_operand()


def _print_carry(printer: Printer, argument: SSAValue, operand: SSAValue) -> None:
    printer.print_ssa_value(argument)
    printer.print_string(" = ")
    printer.print_ssa_value(operand)


@irdl_op_definition
class IfOp(IRDLOperation):
    """`"stablehlo.if"(%p) ({...}, {...})`: runs one of two regions."""

    name = "stablehlo.if"
    pred = operand_def(TensorOf(BOOLEAN, rank=0, label="if_i1"))
    true_branch: Region = region_def("single_block")
    false_branch: Region = region_def("single_block")
    outputs = var_result_def()
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        pred: SSAValue | Operation,
        true_branch: Region,
        false_branch: Region,
        result_types: Sequence[Attribute],
    ):
        super().__init__(
            operands=[pred], regions=[true_branch, false_branch], result_types=[result_types]
        )

    def verify_(self) -> None:
        types = None
        for name, region in (("true", self.true_branch), ("false", self.false_branch)):
            block = region_block(f"the {name} branch", region, "if_c1")
            expect_arguments(f"the {name} branch", block, (), "if_c1")
            types = types or returned_types(f"the {name} branch", block, "if_c2")
            expect_returns(f"the {name} branch", block, types, "if_c2")
        expect_results(self, types or (), "if_c3")


@irdl_op_definition
class CaseOp(IRDLOperation):
    """`"stablehlo.case"(%i) ({...}, {...})`: runs region `%i`, the last when out of range."""

    name = "stablehlo.case"
    index = operand_def(TensorOf(("signed integer",), rank=0, label="case_i1"))
    branches = var_region_def("single_block")
    outputs = var_result_def()
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        index: SSAValue | Operation,
        branches: Sequence[Region],
        result_types: Sequence[Attribute],
    ):
        super().__init__(operands=[index], regions=[branches], result_types=[result_types])

    def verify_(self) -> None:
        if not self.branches:
            raise mismatch("at least one branch", 0, "case_c1")
        types = None
        for i, region in enumerate(self.branches):
            block = region_block(f"branch {i}", region, "case_c2")
            expect_arguments(f"branch {i}", block, (), "case_c2")
            types = types or returned_types(f"branch {i}", block, "case_c3")
            expect_returns(f"branch {i}", block, types, "case_c3")
        expect_results(self, types or (), "case_c4")


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """`stablehlo.return %x : tensor<f32>`: ends a region, giving its values."""

    name = "stablehlo.return"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=[values])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operands, comma = parse_operands(parser)
        if comma and operands:
            parser.raise_error("expected an operand after ','")
        attributes = parser.parse_optional_attr_dict()
        position = parser.pos
        types: list[Attribute] = []
        if parser.parse_optional_punctuation(":") is not None:
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        return cls.create(
            operands=parser.resolve_operands(operands, types, position), attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        if self.values:
            printer.print_string(" ")
            print_operands(printer, self.values)
        print_attributes(printer, self)
        if self.values:
            printer.print_string(" : ")
            printer.print_list(self.values.types, printer.print_attribute)


@irdl_op_definition
class OptimizationBarrierOp(AssembledOp):
    """`stablehlo.optimization_barrier %x`: keeps what makes `%x` before what uses the result."""

    name = "stablehlo.optimization_barrier"
    operand = var_operand_def(TENSOR_OR_TOKEN)
    result = var_result_def(TENSOR_OR_TOKEN)
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = PAIRWISE_TYPES

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        operands, _ = parse_operands(parser)
        if not operands:
            parser.parse_punctuation("(")
            parser.parse_punctuation(")")
            return cls.create(attributes=attributes)
        position = parser.pos
        parser.parse_punctuation(":")
        types, _ = cls.SIGNATURE.parse(parser, len(operands))
        return cls.create(
            operands=parser.resolve_operands(operands, types, position),
            result_types=types,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)
        if not self.operands:
            printer.print_string("()")
            return
        printer.print_string(" ")
        print_operands(printer, self.operands)
        printer.print_string(" : ")
        self.SIGNATURE.print(printer, self)

    def verify_(self) -> None:
        expect_results(self, self.operand.types, "optimization_barrier_c1")


@irdl_op_definition
class AfterAllOp(AssembledOp):
    """`stablehlo.after_all %t0, %t1`: a token that comes after all the given ones."""

    name = "stablehlo.after_all"
    inputs = var_operand_def(TOKEN)
    result = result_def(TOKEN)
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = SAME_TYPE


@irdl_op_definition
class CreateTokenOp(AssembledOp):
    """`stablehlo.create_token`: a token that comes after nothing."""

    name = "stablehlo.create_token"
    output = result_def(TOKEN)
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = SAME_TYPE
