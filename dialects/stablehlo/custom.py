"""Ops that stand for something else: custom calls, composites; and tuples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self, cast

from xdsl.dialects.builtin import (
    I32,
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    IntegerAttr,
    StringAttr,
    TupleType,
    i32,
)
from xdsl.ir import Attribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    BaseAttr,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure

from .assembly import AssembledOp, parse_operands, print_operands
from .attributes import OutputOperandAliasAttr
from .constraints import FALSE
from .custom_rules import verify_composite, verify_custom_call
from .rules import expect_dims, expect_type, mismatch
from .signatures import TUPLE_TYPES


@irdl_op_definition
class CustomCallOp(AssembledOp):
    """`stablehlo.custom_call @target(%x) {backend_config = ...}`: calls what is not in the program."""

    name = "stablehlo.custom_call"
    inputs = var_operand_def()
    call_target_name = prop_def(StringAttr)
    has_side_effect = opt_prop_def(BoolAttr, FALSE)
    backend_config = opt_prop_def(BaseAttr(StringAttr) | BaseAttr(DictionaryAttr))
    api_version = opt_prop_def(IntegerAttr[I32], IntegerAttr(1, i32))
    called_computations = opt_prop_def(ArrayAttr, ArrayAttr([]))
    operand_layouts = opt_prop_def(ArrayAttr)
    result_layouts = opt_prop_def(ArrayAttr)
    output_operand_aliases = opt_prop_def(ArrayAttr[OutputOperandAliasAttr], ArrayAttr([]))
    result_tilings = opt_prop_def(ArrayAttr)
    outputs = var_result_def()

    def verify_(self) -> None:
        verify_custom_call(self)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        target = parser.parse_symbol_name()
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        return cls.finish_parsing(parser, operands, {"call_target_name": target})

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.call_target_name)
        printer.print_operands(self.operands)
        self.finish_printing(printer, ("call_target_name",))


@irdl_op_definition
class CompositeOp(AssembledOp):
    """`stablehlo.composite "ns.name" %x {decomposition = @f}`: a named op made of simpler ones.

    It means what its decomposition, a function of the module, means.
    """

    name = "stablehlo.composite"
    inputs = var_operand_def()
    composite_name = prop_def(StringAttr, prop_name="name")
    composite_attributes = opt_prop_def(DictionaryAttr, DictionaryAttr({}))
    decomposition = prop_def(FlatSymbolRefAttrConstr)
    version = opt_prop_def(IntegerAttr[I32], IntegerAttr(0, i32))
    composite_regions = var_region_def()
    outputs = var_result_def()

    def verify_(self) -> None:
        verify_composite(self)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = StringAttr(parser.parse_str_literal())
        operands: list[UnresolvedOperand]
        operands, comma = parse_operands(parser)
        if comma and operands:
            parser.raise_error("expected an operand after ','")
        regions = parser.parse_region_list()
        op = cls.finish_parsing(parser, operands, {"name": name})
        for region in regions:
            op.add_region(region)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.composite_name)
        if self.operands:
            printer.print_string(" ")
            print_operands(printer, self.operands)
        printer.print_regions(self.regions)
        self.finish_printing(printer, ("name",))


@irdl_op_definition
class GetTupleElementOp(AssembledOp):
    """`stablehlo.get_tuple_element %t[0]`: one member of a tuple."""

    name = "stablehlo.get_tuple_element"
    operand = operand_def(TupleType)
    index = prop_def(IntegerAttr[I32])
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, operand: SSAValue, index: int, result_type: Attribute):
        super().__init__(
            operands=[operand],
            properties={"index": IntegerAttr(index, i32)},
            result_types=[result_type],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operand = parser.parse_unresolved_operand()
        with parser.in_square_brackets():
            index = parser.parse_integer()
        return cls.finish_parsing(parser, [operand], {"index": IntegerAttr(index, i32)})

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_operands(printer, self.operands)
        printer.print_string(f"[{self.index.value.data}]")
        self.finish_printing(printer, ("index",))

    def verify_(self) -> None:
        members = self.operand.type.types.data if isinstance(self.operand.type, TupleType) else ()
        index = self.index.value.data
        expect_dims("index", [index], len(members), "get_tuple_element_c1")
        expect_type("result", self.result.type, members[index], "get_tuple_element_c2")


def _tuple_type(members: Sequence[Attribute]) -> TupleType:
    return TupleType(tuple(cast(TypeAttribute, member) for member in members))


@irdl_op_definition
class TupleOp(AssembledOp):
    """`stablehlo.tuple %x, %y : tuple<tensor<f32>, tensor<i32>>`: packs values together."""

    name = "stablehlo.tuple"
    val = var_operand_def()
    result = result_def(TupleType)
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = TUPLE_TYPES

    def __init__(self, val: Sequence[SSAValue]):
        super().__init__(operands=[val], result_types=[_tuple_type([value.type for value in val])])

    def verify_(self) -> None:
        expected = _tuple_type(self.val.types)
        if self.result.type != expected:
            raise mismatch(f"result of type {expected}", self.result.type, "tuple_c1")
