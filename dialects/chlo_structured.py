"""The ops of `chlo` with a structure of their own: `ragged_dot` and `scan`."""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Region
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, Pure, RecursiveMemoryEffect

from .chlo_attributes import PrecisionAttr, RaggedDotDimensionNumbersAttr
from .stablehlo.assembly import print_operands, split_attributes
from .stablehlo.attributes import DotDimensionNumbersAttr
from .stablehlo.constraints import ANY_TENSOR, FALSE, INTEGER, TensorOf
from .stablehlo.inference import reduced_shape, shape_of, tensor_of, with_shape
from .stablehlo.linear_algebra import expect_dot_dimensions
from .stablehlo.rules import (
    expect_arguments,
    expect_dims,
    expect_shape,
    expect_size,
    expect_type,
    expect_unique,
    mismatch,
    region_block,
    returned_types,
)


@irdl_op_definition
class RaggedDotOp(IRDLOperation):
    """`"chlo.ragged_dot"(%x, %y, %group_sizes)`: a product whose ragged dimension comes in groups.

    Where the ragged dimension is one of the result's, each group has its own slice of `%y`; where it
    is contracted, the result has a leading dimension of groups.
    """

    name = "chlo.ragged_dot"
    lhs = operand_def(ANY_TENSOR)
    rhs = operand_def(ANY_TENSOR)
    group_sizes = operand_def(TensorOf(INTEGER))
    ragged_dot_dimension_numbers = prop_def(RaggedDotDimensionNumbersAttr)
    precision_config = opt_prop_def(ArrayAttr[PrecisionAttr])
    result = result_def(ANY_TENSOR)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        numbers = self.ragged_dot_dimension_numbers
        lhs, rhs = shape_of(self.lhs), shape_of(self.rhs)
        dot = DotDimensionNumbersAttr(
            numbers.lhs_batching_dimensions,
            numbers.rhs_batching_dimensions,
            numbers.lhs_contracting_dimensions,
            numbers.rhs_contracting_dimensions,
        )
        expect_dot_dimensions(dot, lhs, rhs, "")
        if self.precision_config is not None and self.precision_config.data:
            expect_size("precisions", len(self.precision_config.data), 2, "")
        ragged, groups = numbers.lhs_ragged_dimensions.data, numbers.rhs_group_dimensions.data
        expect_size("lhs ragged dimension", len(ragged), 1, "")
        expect_dims("the lhs ragged dimension", ragged, len(lhs), "")
        expect_dims("the rhs group dimensions", groups, len(rhs), "")
        rhs_used = dot.rhs_batching_dimensions.data + dot.rhs_contracting_dimensions.data
        expect_unique("rhs group dimensions and the others", groups + rhs_used, "")
        count = self._verify_group_sizes(ragged[0])

        lhs_used = dot.lhs_batching_dimensions.data + dot.lhs_contracting_dimensions.data
        expect_size("rhs group dimensions", len(groups), int(ragged[0] not in lhs_used), "")
        if groups and DYNAMIC_INDEX not in (count, rhs[groups[0]]) and rhs[groups[0]] != count:
            raise mismatch(f"a group dimension of size {count}", rhs[groups[0]])
        expected = [count] if ragged[0] in dot.lhs_contracting_dimensions.data else []
        expected += [lhs[i] for i in dot.lhs_batching_dimensions.data]
        expected += reduced_shape(lhs, lhs_used)
        expected += reduced_shape(rhs, rhs_used + groups)
        expect_shape("result", self.result.type, expected)

    def _verify_group_sizes(self, ragged: int) -> int:
        """Sizes of the groups alone, or for each index of what goes before the ragged dimension."""
        numbers, lhs = self.ragged_dot_dimension_numbers, shape_of(self.lhs)
        batching = numbers.lhs_batching_dimensions.data
        contracting = numbers.lhs_contracting_dimensions.data
        if ragged in batching:
            before = batching[: batching.index(ragged)]
        elif ragged in contracting:
            before = batching + contracting[: contracting.index(ragged)]
        else:
            free = (i for i in range(ragged) if i not in batching + contracting)
            before = (*batching, *free)
        sizes = shape_of(self.group_sizes)
        if not sizes:
            raise mismatch("group_sizes of rank 1 or more", 0)
        if len(sizes) > 1:
            expected = [*(lhs[i] for i in before), sizes[-1]]
            expect_shape("group_sizes", self.group_sizes.type, expected)
        return sizes[len(sizes) - 1]


@irdl_op_definition
class ScanOp(IRDLOperation):
    """`chlo.scan(%xs) inits (%c) dimension=0 {...}`: carries values along a dimension of its inputs.

    The region takes a slice of each input and the carries; it returns a slice of each output and the
    next carries.
    """

    name = "chlo.scan"
    inputs = var_operand_def(ANY_TENSOR)
    inits = var_operand_def(ANY_TENSOR)
    dimension = prop_def(IntegerAttr[I64])
    scan_dim_size = opt_prop_def(IntegerAttr[I64])
    is_reverse = opt_prop_def(BoolAttr, FALSE)
    is_associative = opt_prop_def(BoolAttr)
    body: Region = region_def("single_block")
    outputs = var_result_def(ANY_TENSOR)
    carries = var_result_def(ANY_TENSOR)
    irdl_options = (
        AttrSizedOperandSegments(as_property=True),
        AttrSizedResultSegments(as_property=True),
    )
    traits = traits_def(RecursiveMemoryEffect(), IsolatedFromAbove())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        parens, position = parser.Delimiter.PAREN, parser.pos
        inputs = parser.parse_comma_separated_list(parens, parser.parse_unresolved_operand)
        parser.parse_keyword("inits")
        inits = parser.parse_comma_separated_list(parens, parser.parse_unresolved_operand)
        parser.parse_keyword("dimension")
        parser.parse_punctuation("=")
        dimension = IntegerAttr(parser.parse_integer(), i64)
        dictionary = parser.parse_optional_attr_dict_with_keyword()
        body = parser.parse_region()
        parser.parse_punctuation(":")
        types = parser.parse_function_type()
        outputs = len(types.outputs.data) - len(inits)
        if outputs < 0:
            parser.raise_error(f"expected at least {len(inits)} results, one for each carry")
        given = DictionaryAttr({}) if dictionary is None else dictionary
        properties, attributes = split_attributes(cls, given.data)
        sizes = DenseArrayBase.from_list(i32, [len(inputs), len(inits)])
        segments: dict[str, Attribute] = {
            "dimension": dimension,
            "operandSegmentSizes": sizes,
            "resultSegmentSizes": DenseArrayBase.from_list(i32, [outputs, len(inits)]),
        }
        return cls.create(
            operands=parser.resolve_operands([*inputs, *inits], types.inputs.data, position),
            result_types=types.outputs.data,
            properties=properties | segments,
            attributes=attributes,
            regions=[body],
        )

    def print(self, printer: Printer) -> None:
        with printer.in_parens():
            print_operands(printer, self.inputs)
        printer.print_string(" inits ")
        with printer.in_parens():
            print_operands(printer, self.inits)
        printer.print_string(f" dimension={self.dimension.value.data} ")
        said = ("dimension", "operandSegmentSizes", "resultSegmentSizes")
        shown = {name: value for name, value in self.properties.items() if name not in said}
        printer.print_op_attributes(
            dict(sorted((shown | self.attributes).items())), print_keyword=True
        )
        printer.print_string(" ")
        printer.print_region(self.body)
        printer.print_string(" : ")
        printer.print_function_type(self.operand_types, self.result_types)

    def verify_(self) -> None:
        if not self.inputs and not self.outputs:
            raise mismatch("at least one input or output", 0)
        axis = self.dimension.value.data
        size = DYNAMIC_INDEX if self.scan_dim_size is None else self.scan_dim_size.value.data
        arguments: list[Attribute] = []
        for i, value in enumerate(self.inputs):
            shape = shape_of(value)
            expect_dims("dimension", [axis], len(shape), "")
            if DYNAMIC_INDEX not in (size, shape[axis]) and shape[axis] != size:
                raise mismatch(f"dimension {axis} of input {i} of size {size}", shape[axis])
            size = shape[axis] if size == DYNAMIC_INDEX else size
            arguments.append(with_shape(value.type, reduced_shape(shape, (axis,))))
        arguments += self.inits.types
        block = region_block("the body", self.body, "")
        expect_arguments("the body", block, arguments, "")
        returned = returned_types("the body", block, "")
        expect_size("returned values", len(returned), len(self.results), "")
        for i, (result, type) in enumerate(zip(self.results, returned)):
            if i < len(self.outputs):
                shape = list(tensor_of(type).get_shape())
                shape.insert(axis, size)
                type = with_shape(type, shape)
            expect_type(f"result {i}", result.type, type)
