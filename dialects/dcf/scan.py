"""The counted loop of the structured level: `dcf.scan`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I64, IntegerAttr, StringAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.hints import isa

from .assembly import (
    optional_i64,
    parse_i64,
    parse_operand_list,
    parse_optional_label,
    parse_result_types,
    parse_type_list,
    parse_typed_bindings,
    print_attributes,
    print_optional_label,
    print_result_types,
    print_typed_bindings,
    split_properties,
)
from .loops import DEFAULT_PARALLEL_ITERATIONS, print_body

_SEGMENTS = "operandSegmentSizes"


@irdl_op_definition
class ScanOp(IRDLOperation):
    """`dcf.scan`: a loop over the leading dimension of its inputs.

    ```
    %sum, %ys = dcf.scan "s" (%acc = %zero : tensor<f32>) ins(%x = %xs : tensor<9xf32>)
        -> (tensor<f32>, tensor<9xf32>) do {
      …
      dcf.yield %acc1, %y : tensor<f32>, tensor<f32>
    } {reverse}
    %ys = dcf.scan () ins(%x = %xs : tensor<9xf32>) outs(%ys0 : tensor<9xf32>)
        length %n : tensor<i32> -> tensor<9xf32> do { … }
    %last = dcf.scan (%acc = %zero : tensor<f32>) length 5 -> tensor<f32> do { … }
    ```

    Body arguments: the carries, then one slice (leading dimension dropped) per input. Body yields:
    the carries, then one row per output. Results: the carries, then the outputs (rows stacked along
    a new leading dimension). `reverse` goes from the last row to the first. The number of trips is
    the operand `length` (a scalar integer tensor, 0 <= length <= N) if given, else
    `static_length`, else N of the inputs. With buffers `outs`, outputs start from them and rows
    that no trip writes keep them; a run-time length needs them. No carries: a map; no outputs: a
    fold.

    Errors: leading dimensions of inputs and buffers that differ; an output type that is not its
    row under the number of trips; buffers that do not match the outputs; no length, or two; and
    the mismatches of `dcf.while`. At run time: a length out of range.
    Source: SEMANTICS §1; `jax.lax.scan`.
    """

    name = "dcf.scan"
    inits = var_operand_def()
    inputs = var_operand_def()
    outs = var_operand_def()
    length = opt_operand_def()
    outputs = var_result_def()
    body: Region = region_def("single_block")
    loop_name = opt_prop_def(StringAttr)
    static_length = opt_prop_def(IntegerAttr[I64])
    reverse = opt_prop_def(UnitAttr)
    parallel_iterations = opt_prop_def(IntegerAttr[I64])
    residual_policy = opt_prop_def(StringAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        inits: Sequence[SSAValue],
        inputs: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        body: Region,
        *,
        outs: Sequence[SSAValue] = (),
        length: SSAValue | None = None,
        static_length: int | None = None,
        reverse: bool = False,
        loop_name: str | None = None,
        parallel_iterations: int | None = None,
        residual_policy: str | None = None,
    ):
        super().__init__(
            operands=[inits, inputs, outs, [length] if length is not None else []],
            result_types=[result_types],
            regions=[body],
            properties={
                "loop_name": StringAttr(loop_name) if loop_name is not None else None,
                "static_length": optional_i64(static_length),
                "reverse": UnitAttr() if reverse else None,
                "parallel_iterations": optional_i64(parallel_iterations),
                "residual_policy": StringAttr(residual_policy) if residual_policy else None,
            },
        )

    @property
    def window(self) -> int:
        """`parallel_iterations`, or the default."""
        attr = self.parallel_iterations
        return attr.value.data if attr is not None else DEFAULT_PARALLEL_ITERATIONS

    @classmethod
    def parse(cls, parser: Parser) -> ScanOp:
        properties: dict[str, Attribute] = {}
        if (loop_name := parse_optional_label(parser)) is not None:
            properties["loop_name"] = loop_name
        arguments, inits = parse_typed_bindings(parser)
        slices: list[Parser.Argument] = []
        inputs: list[SSAValue] = []
        if parser.parse_optional_keyword("ins") is not None:
            slices, inputs = parse_typed_bindings(parser)
            for argument in slices:
                argument.type = parse_row_type(parser, argument.type)
        outs = parse_outs(parser) if parser.parse_optional_keyword("outs") is not None else []
        length: list[SSAValue] = []
        if parser.parse_optional_keyword("length") is not None:
            operand = parser.parse_optional_unresolved_operand()
            if operand is None:
                properties["static_length"] = parse_i64(parser)
            else:
                parser.parse_punctuation(":")
                length = [parser.resolve_operand(operand, parser.parse_type())]
        result_types = parse_result_types(parser)
        parser.parse_keyword("do")
        body = parser.parse_region([*arguments, *slices])
        given, attributes = split_properties(cls, parser.parse_optional_attr_dict())
        op = cls(inits, inputs, result_types, body, outs=outs, length=length[0] if length else None)
        op.properties.update(given | properties)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        print_optional_label(printer, self.loop_name)
        printer.print_string(" ")
        arguments = self.body.block.args
        print_typed_bindings(printer, arguments[: len(self.inits)], self.inits)
        if self.inputs:
            printer.print_string(" ins")
            print_typed_bindings(printer, arguments[len(self.inits) :], self.inputs)
        if self.outs:
            printer.print_string(" outs")
            with printer.in_parens():
                printer.print_list(self.outs, printer.print_ssa_value)
                printer.print_string(" : ")
                printer.print_list(self.outs.types, printer.print_attribute)
        shown = ["loop_name", _SEGMENTS]
        if self.length is not None:
            printer.print_string(" length ")
            printer.print_ssa_value(self.length)
            printer.print_string(" : ")
            printer.print_attribute(self.length.type)
        elif self.static_length is not None:
            printer.print_string(f" length {self.static_length.value.data}")
            shown.append("static_length")
        print_result_types(printer, self.outputs.types)
        printer.print_string(" do ")
        print_body(printer, self.body)
        print_attributes(printer, self, shown)


def parse_row_type(parser: Parser, type: Attribute) -> Attribute:
    """The type of one row of an input of type `type`."""
    row = row_type(type)
    if row is None:
        parser.raise_error(f"expected a tensor with a leading dimension to scan, got {type}")
    return row


def row_type(type: Attribute) -> TensorType[Attribute] | None:
    """`type` without its leading dimension; None when it has none."""
    if not isa(type, TensorType[Attribute]) or type.get_num_dims() == 0:
        return None
    return TensorType(type.element_type, type.get_shape()[1:], type.encoding)


def parse_outs(parser: Parser) -> list[SSAValue]:
    """`(%ys0, … : type, …)`."""
    with parser.in_parens():
        operands = parse_operand_list(parser)
        position = parser.pos
        return list(parser.resolve_operands(operands, parse_type_list(parser), position))
