"""`sdy`, Shardy's meshes, shardings and per-device computations, as JAX prints them.

They are kept as they are until a pass asks for them: the ops here only read and print.
"""

from __future__ import annotations

from abc import ABC
from typing import Self

from xdsl.dialects.builtin import I64, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, Dialect, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    Pure,
    RecursiveMemoryEffect,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from .sdy_attributes import (
    AxisRefAttr,
    DimensionShardingAttr,
    ManualAxesAttr,
    MeshAttr,
    MeshAxisAttr,
    OpShardingRuleAttr,
    TensorShardingAttr,
    TensorShardingPerValueAttr,
)
from .stablehlo.assembly import (
    parse_operands,
    print_attributes,
    print_operands,
    split_attributes,
)


@irdl_op_definition
class MeshOp(IRDLOperation):
    """`sdy.mesh @mesh = <["x"=2, "y"=2]>`: names a mesh."""

    name = "sdy.mesh"
    sym_name = prop_def(StringAttr)
    mesh = prop_def(MeshAttr)
    traits = traits_def(SymbolOpInterface())

    def __init__(self, sym_name: str, mesh: MeshAttr):
        super().__init__(properties={"sym_name": StringAttr(sym_name), "mesh": mesh})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_symbol_name()
        parser.parse_punctuation("=")
        mesh = MeshAttr.new(MeshAttr.parse_parameters(parser))
        extra, attributes = split_attributes(cls, parser.parse_optional_attr_dict())
        return cls.create(
            properties={"sym_name": name, "mesh": mesh} | extra, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name)
        printer.print_string(" = ")
        self.mesh.print_parameters(printer)
        print_attributes(printer, self, ("sym_name", "mesh"))


class ShardedValueOp(IRDLOperation, ABC):
    """Base of `op %x <@mesh, [{"x"}]> : type`, whose result is `%x`, sharded as it says."""

    input = operand_def()
    sharding = prop_def(TensorShardingAttr)
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, input: SSAValue, sharding: TensorShardingAttr):
        super().__init__(
            operands=[input], properties={"sharding": sharding}, result_types=[input.type]
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        value = parser.parse_unresolved_operand()
        sharding = TensorShardingAttr.new(TensorShardingAttr.parse_parameters(parser))
        extra, attributes = split_attributes(cls, parser.parse_optional_attr_dict())
        parser.parse_punctuation(":")
        type = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(value, type)],
            result_types=[type],
            properties={"sharding": sharding} | extra,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.input)
        printer.print_string(" ")
        self.sharding.print_parameters(printer)
        print_attributes(printer, self, ("sharding",))
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        if self.input.type != self.result.type:
            raise VerifyException(f"expected a result of {self.input.type}, got {self.result.type}")


@irdl_op_definition
class ShardingConstraintOp(ShardedValueOp):
    """`sdy.sharding_constraint %x <@mesh, [{"x"}, {}]>`: asks for a sharding of `%x`."""

    name = "sdy.sharding_constraint"


@irdl_op_definition
class ReshardOp(ShardedValueOp):
    """`sdy.reshard %x <@mesh, [{"x"}, {}]>`: `%x` moved into another sharding."""

    name = "sdy.reshard"


@irdl_op_definition
class ShardingGroupOp(IRDLOperation):
    """`sdy.sharding_group %x group_id=1`: values of one group get one sharding."""

    name = "sdy.sharding_group"
    input = operand_def()
    group_id = prop_def(IntegerAttr[I64])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        value = parser.parse_unresolved_operand()
        parser.parse_keyword("group_id")
        parser.parse_punctuation("=")
        group_id = IntegerAttr(parser.parse_integer(), i64)
        extra, attributes = split_attributes(cls, parser.parse_optional_attr_dict())
        parser.parse_punctuation(":")
        return cls.create(
            operands=[parser.resolve_operand(value, parser.parse_type())],
            properties={"group_id": group_id} | extra,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.input)
        printer.print_string(f" group_id={self.group_id.value.data}")
        print_attributes(printer, self, ("group_id",))
        printer.print_string(" : ")
        printer.print_attribute(self.input.type)


@irdl_op_definition
class ManualComputationOp(IRDLOperation):
    """`sdy.manual_computation(%x) in_shardings=[..] out_shardings=[..] manual_axes={"x"} (..) {..}`.

    The region is what each device does, along the manual axes; its arguments have local shapes.
    """

    name = "sdy.manual_computation"
    tensors = var_operand_def()
    in_shardings = prop_def(TensorShardingPerValueAttr)
    out_shardings = prop_def(TensorShardingPerValueAttr)
    manual_axes = prop_def(ManualAxesAttr)
    body: Region = region_def("single_block")
    outputs = var_result_def()
    traits = traits_def(IsolatedFromAbove(), RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        properties: dict[str, Attribute] = {}
        for name in ("in_shardings", "out_shardings"):
            parser.parse_keyword(name)
            parser.parse_punctuation("=")
            shardings = TensorShardingPerValueAttr.parse_stripped(parser)
            properties[name] = TensorShardingPerValueAttr(shardings)
        parser.parse_keyword("manual_axes")
        parser.parse_punctuation("=")
        properties["manual_axes"] = ManualAxesAttr.new(ManualAxesAttr.parse_parameters(parser))
        arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
        region = parser.parse_region(arguments)
        extra, attributes = split_attributes(cls, parser.parse_optional_attr_dict())
        parser.parse_punctuation(":")
        function_type = parser.parse_function_type()
        return cls.create(
            operands=parser.resolve_operands(operands, function_type.inputs.data, position),
            result_types=function_type.outputs.data,
            properties=properties | extra,
            attributes=attributes,
            regions=[region],
        )

    def print(self, printer: Printer) -> None:
        printer.print_operands(self.operands)
        printer.print_string(" in_shardings=")
        self.in_shardings.print_stripped(printer)
        printer.print_string(" out_shardings=")
        self.out_shardings.print_stripped(printer)
        printer.print_string(" manual_axes=")
        self.manual_axes.print_parameters(printer)
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.body.block.args, printer.print_block_argument)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)
        print_attributes(printer, self, ("in_shardings", "out_shardings", "manual_axes"))
        printer.print_string(" : ")
        printer.print_function_type(self.operand_types, self.result_types)

    def verify_(self) -> None:
        for what, shardings, count in (
            ("in_shardings", self.in_shardings, len(self.tensors)),
            ("out_shardings", self.out_shardings, len(self.outputs)),
            ("region arguments", self.body.block.args, len(self.tensors)),
        ):
            got = len(
                shardings.shardings
                if isinstance(shardings, TensorShardingPerValueAttr)
                else shardings
            )
            if got != count:
                raise VerifyException(f"expected {count} {what}, got {got}")


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """`sdy.return %x : tensor<f32>`: ends a per-device computation."""

    name = "sdy.return"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        operands, comma = parse_operands(parser)
        if comma and operands:
            parser.raise_error("expected an operand after ','")
        position = parser.pos
        types: list[Attribute] = []
        if parser.parse_optional_punctuation(":") is not None:
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        return cls.create(
            operands=parser.resolve_operands(operands, types, position), attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)
        if self.values:
            printer.print_string(" ")
            print_operands(printer, self.values)
            printer.print_string(" : ")
            printer.print_list(self.values.types, printer.print_attribute)


SDY = Dialect(
    "sdy",
    [MeshOp, ShardingConstraintOp, ReshardOp, ShardingGroupOp, ManualComputationOp, ReturnOp],
    [
        AxisRefAttr,
        DimensionShardingAttr,
        ManualAxesAttr,
        MeshAttr,
        MeshAxisAttr,
        OpShardingRuleAttr,
        TensorShardingAttr,
        TensorShardingPerValueAttr,
    ],
)
