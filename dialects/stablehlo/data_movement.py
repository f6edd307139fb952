"""Ops that rearrange elements: broadcast, reshape, transpose, slice, pad, reverse, concatenate."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar, Self

from xdsl.dialects.builtin import DYNAMIC_INDEX, I64, DenseArrayBase, IntegerAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from .assembly import AssembledOp, print_operands
from .clauses import Dims, Int
from .constraints import ANY_TENSOR, I64_ARRAY, TENSOR, TensorOf, i64_array, i64_attr
from .inference import (
    concatenated_shape,
    element_of,
    padded_shape,
    shape_of,
    sliced_shape,
    tensor_of,
    transposed_shape,
    with_shape,
)
from .quantization_rules import (
    expect_broadcast_axis,
    expect_reshaped_axis,
    expect_same_elements,
    expect_transposed_axis,
)
from .rules import (
    expect_broadcast,
    expect_dims,
    expect_element,
    expect_positive,
    expect_same_types,
    expect_shape,
    expect_size,
    expect_unique,
    expect_within,
    mismatch,
)
from .signatures import SAME_TYPE

Ints = Sequence[int] | DenseArrayBase[I64]


@irdl_op_definition
class BroadcastInDimOp(AssembledOp):
    """`stablehlo.broadcast_in_dim %x, dims = [1]`: repeats along new and size-1 dimensions.

    `dims` says which dimension of the result each dimension of the operand is.
    """

    name = "stablehlo.broadcast_in_dim"
    operand = operand_def(ANY_TENSOR)
    broadcast_dimensions = prop_def(I64_ARRAY)
    result = result_def(ANY_TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Dims("dims", "broadcast_dimensions"),)

    def __init__(
        self, operand: SSAValue | Operation, broadcast_dimensions: Ints, result_type: Attribute
    ):
        super().__init__(
            operands=[operand],
            properties={"broadcast_dimensions": i64_array(broadcast_dimensions)},
            result_types=[result_type],
        )

    def verify_(self) -> None:
        label, element = "broadcast_in_dim_c1", element_of(self.operand)
        expect_same_elements("result", self.result.type, element, label)
        dimensions = self.broadcast_dimensions.get_values()
        expect_broadcast(self, self.operand, self.result, dimensions)
        expect_broadcast_axis("broadcast_in_dim", self.operand, self.result, dimensions)


@irdl_op_definition
class BroadcastOp(AssembledOp):
    """`stablehlo.broadcast %x, sizes = [2, 3]`: repeats along new leading dimensions."""

    name = "stablehlo.broadcast"
    operand = operand_def(TENSOR)
    broadcast_sizes = prop_def(I64_ARRAY)
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Dims("sizes", "broadcast_sizes"),)

    def verify_(self) -> None:
        expect_element("result", self.result.type, element_of(self.operand), "broadcast_c1")
        sizes = self.broadcast_sizes.get_values()
        expect_positive("sizes", sizes, "broadcast_c2", least=0)
        expect_shape("result", self.result.type, (*sizes, *shape_of(self.operand)), "broadcast_c2")


@irdl_op_definition
class ConcatenateOp(AssembledOp):
    """`stablehlo.concatenate %x, %y, dim = 0`: joins tensors along one dimension."""

    name = "stablehlo.concatenate"
    inputs = var_operand_def(TENSOR)
    dimension = prop_def(IntegerAttr[I64])
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Int("dim", "dimension"),)

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        dimension: int | IntegerAttr[I64],
        result_type: Attribute | None = None,
    ):
        along = i64_attr(dimension)
        if result_type is None:
            shape = concatenated_shape([shape_of(value) for value in inputs], along.value.data)
            result_type = with_shape(inputs[0].type, shape)
        super().__init__(
            operands=[inputs],
            properties={"dimension": along},
            result_types=[result_type],
        )

    def verify_(self) -> None:
        if not self.inputs:
            raise mismatch("at least one input", 0, "concatenate_c3")
        shapes = [shape_of(value) for value in self.inputs]
        dimension = self.dimension.value.data
        expect_dims("dimension", [dimension], len(shapes[0]), "concatenate_c4")
        for i, value in enumerate(self.inputs):
            expect_element(f"input {i}", value.type, element_of(self.inputs[0]), "concatenate_c1")
            expected = list(shapes[0])
            if len(shapes[i]) == len(expected):
                expected[dimension] = shapes[i][dimension]
            expect_shape(f"input {i}", value.type, expected, "concatenate_c2")
        expect_element("result", self.result.type, element_of(self.inputs[0]), "concatenate_c5")
        joined = concatenated_shape(shapes, dimension)
        expect_shape("result", self.result.type, joined, "concatenate_c6")


@irdl_op_definition
class PadOp(AssembledOp):
    """`stablehlo.pad %x, %v, low = [1], high = [0], interior = [2]`: surrounds, spreads elements.

    Negative `low` and `high` cut elements off.
    """

    name = "stablehlo.pad"
    operand = operand_def(TENSOR)
    padding_value = operand_def(TensorOf(rank=0, label="pad_i2"))
    edge_padding_low = prop_def(I64_ARRAY)
    edge_padding_high = prop_def(I64_ARRAY)
    interior_padding = prop_def(I64_ARRAY)
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (
        Dims("low", "edge_padding_low"),
        Dims("high", "edge_padding_high"),
        Dims("interior", "interior_padding"),
    )

    def __init__(
        self,
        operand: SSAValue | Operation,
        padding_value: SSAValue | Operation,
        low: Ints,
        high: Ints,
        interior: Ints,
        result_type: Attribute | None = None,
    ):
        value = SSAValue.get(operand)
        amounts = [i64_array(numbers) for numbers in (low, high, interior)]
        if result_type is None:
            shape = padded_shape(shape_of(value), *(each.get_values() for each in amounts))
            result_type = with_shape(value.type, shape)
        super().__init__(
            operands=[value, padding_value],
            properties={
                "edge_padding_low": amounts[0],
                "edge_padding_high": amounts[1],
                "interior_padding": amounts[2],
            },
            result_types=[result_type],
        )

    def verify_(self) -> None:
        element = element_of(self.operand)
        expect_element("padding_value", self.padding_value.type, element, "pad_c1")
        expect_element("result", self.result.type, element, "pad_c1")
        shape = shape_of(self.operand)
        low, high = self.edge_padding_low.get_values(), self.edge_padding_high.get_values()
        interior = self.interior_padding.get_values()
        for name, amounts in (("low", low), ("high", high), ("interior", interior)):
            expect_size(f"numbers in {name}", len(amounts), len(shape), "pad_c2")
        expect_positive("interior", interior, "pad_c3", least=0)
        expected = padded_shape(shape, low, high, interior)
        expect_within("the padded sizes", expected, (DYNAMIC_INDEX,) * len(expected), "pad_c4")
        expect_shape("result", self.result.type, expected, "pad_c4")


@irdl_op_definition
class ReshapeOp(AssembledOp):
    """`stablehlo.reshape %x : (tensor<6xf32>) -> tensor<2x3xf32>`: the elements in a new shape."""

    name = "stablehlo.reshape"
    operand = operand_def(ANY_TENSOR)
    result = result_def(ANY_TENSOR)
    traits = traits_def(Pure())

    def __init__(self, operand: SSAValue | Operation, result_type: Attribute):
        super().__init__(operands=[operand], result_types=[result_type])

    def verify_(self) -> None:
        element = element_of(self.operand)
        expect_same_elements("result", self.result.type, element, "reshape_c1")
        operand, result = tensor_of(self.operand), tensor_of(self.result)
        if operand.has_static_shape() and result.has_static_shape():
            count, got = prod(operand.get_shape()), prod(result.get_shape())
            if count != got:
                raise mismatch(f"a result of {count} elements", f"{got}, {result}", "reshape_c2")
        expect_reshaped_axis(self.operand, self.result, "reshape_c3")


@irdl_op_definition
class ReverseOp(AssembledOp):
    """`stablehlo.reverse %x, dims = [0]`: reverses the order along dimensions."""

    name = "stablehlo.reverse"
    operand = operand_def(TENSOR)
    dimensions = prop_def(I64_ARRAY)
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Dims("dims", "dimensions"),)
    SIGNATURE: ClassVar = SAME_TYPE

    def __init__(self, operand: SSAValue | Operation, dimensions: Ints):
        value = SSAValue.get(operand)
        super().__init__(
            operands=[value],
            properties={"dimensions": i64_array(dimensions)},
            result_types=[value.type],
        )

    def verify_(self) -> None:
        expect_same_types(self, "reverse_c1")
        dimensions = self.dimensions.get_values()
        expect_unique("dims", dimensions, "reverse_c2")
        expect_dims("dims", dimensions, len(shape_of(self.result)), "reverse_c3")


@irdl_op_definition
class SliceOp(AssembledOp):
    """`stablehlo.slice %x [0:4, 2:8:2]`: elements start, start + stride, ... below the limit."""

    name = "stablehlo.slice"
    operand = operand_def(TENSOR)
    start_indices = prop_def(I64_ARRAY)
    limit_indices = prop_def(I64_ARRAY)
    strides = prop_def(I64_ARRAY)
    result = result_def(TENSOR)
    traits = traits_def(Pure())

    def __init__(
        self,
        operand: SSAValue | Operation,
        start_indices: Ints,
        limit_indices: Ints,
        strides: Ints,
        result_type: Attribute | None = None,
    ):
        value = SSAValue.get(operand)
        ranges = [i64_array(numbers) for numbers in (start_indices, limit_indices, strides)]
        if result_type is None:
            shape = sliced_shape(*(each.get_values() for each in ranges))
            result_type = with_shape(value.type, shape)
        super().__init__(
            operands=[value],
            properties={
                "start_indices": ranges[0],
                "limit_indices": ranges[1],
                "strides": ranges[2],
            },
            result_types=[result_type],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operand = parser.parse_unresolved_operand()
        ranges = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: _parse_range(parser)
        )
        names = ("start_indices", "limit_indices", "strides")
        properties: dict[str, Attribute] = {
            name: DenseArrayBase.from_list(i64, [part[i] for part in ranges])
            for i, name in enumerate(names)
        }
        return cls.finish_parsing(parser, [operand], properties)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_operands(printer, self.operands)
        ranges = zip(
            self.start_indices.get_values(),
            self.limit_indices.get_values(),
            self.strides.get_values(),
        )
        texts = [f"{a}:{b}" + (f":{step}" if step != 1 else "") for a, b, step in ranges]
        printer.print_string(f" [{', '.join(texts)}]")
        self.finish_printing(printer, ("start_indices", "limit_indices", "strides"))

    def verify_(self) -> None:
        expect_element("result", self.result.type, element_of(self.operand), "slice_c1")
        shape = shape_of(self.operand)
        start, limit = self.start_indices.get_values(), self.limit_indices.get_values()
        strides = self.strides.get_values()
        for name, numbers in (("start", start), ("limit", limit), ("stride", strides)):
            expect_size(f"{name} numbers", len(numbers), len(shape), "slice_c2")
        expect_within("the limits", limit, shape, "slice_c3")
        expect_within("the starts", start, limit, "slice_c3")
        expect_positive("the strides", strides, "slice_c4")
        expected = sliced_shape(start, limit, strides)
        expect_shape("result", self.result.type, expected, "slice_c5")


def _parse_range(parser: Parser) -> tuple[int, int, int]:
    start = parser.parse_integer()
    parser.parse_punctuation(":")
    limit = parser.parse_integer()
    stride = 1
    if parser.parse_optional_punctuation(":") is not None:
        stride = parser.parse_integer()
    return start, limit, stride


@irdl_op_definition
class TransposeOp(AssembledOp):
    """`stablehlo.transpose %x, dims = [1, 0]`: dimension i of the result is `dims[i]` of `%x`."""

    name = "stablehlo.transpose"
    operand = operand_def(ANY_TENSOR)
    permutation = prop_def(I64_ARRAY)
    result = result_def(ANY_TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Dims("dims", "permutation"),)

    def __init__(
        self,
        operand: SSAValue | Operation,
        permutation: Ints,
        result_type: Attribute | None = None,
    ):
        value, order = SSAValue.get(operand), i64_array(permutation)
        if result_type is None:
            shape = transposed_shape(shape_of(value), order.get_values())
            result_type = with_shape(value.type, shape)
        super().__init__(
            operands=[value],
            properties={"permutation": order},
            result_types=[result_type],
        )

    def verify_(self) -> None:
        element = element_of(self.operand)
        expect_same_elements("result", self.result.type, element, "transpose_c1")
        shape = shape_of(self.operand)
        permutation = self.permutation.get_values()
        if sorted(permutation) != list(range(len(shape))):
            expected = f"dims to be a permutation of {list(range(len(shape)))}"
            raise mismatch(expected, list(permutation), "transpose_c2")
        expect_shape(
            "result", self.result.type, transposed_shape(shape, permutation), "transpose_c3"
        )
        expect_transposed_axis(self.operand, self.result, permutation, "transpose_c4")
