"""Ops that combine elements with a region: `reduce`, `reduce_window`, `sort`, `map`, and kin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    I64,
    BoolAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicOperandSize,
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
from xdsl.traits import RecursiveMemoryEffect

from .constraints import FALSE, I64_ARRAY, TENSOR, TensorOf, i64_array
from .inference import element_of, padding_pairs, reduced_shape, shape_of, window_counts, with_shape
from .reduce_assembly import parse_reduce, print_reduce
from .rules import (
    expect_alike,
    expect_arguments,
    expect_dims,
    expect_element,
    expect_positive,
    expect_reducer,
    expect_returns,
    expect_shape,
    expect_size,
    expect_type,
    expect_unique,
    mismatch,
    region_block,
    scalar_like,
)


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """`stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0]`.

    Combines the elements along `dimensions` with the region, starting from the initial values;
    several inputs are reduced together. Region arguments: all accumulators, then all elements.
    """

    name = "stablehlo.reduce"
    inputs = var_operand_def(TENSOR)
    init_values = var_operand_def(TensorOf(rank=0, label="reduce_i2"))
    dimensions = prop_def(I64_ARRAY)
    body: Region = region_def("single_block")
    outputs = var_result_def(TENSOR)
    irdl_options = (SameVariadicOperandSize(),)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        init_values: Sequence[SSAValue],
        dimensions: Sequence[int] | DenseArrayBase[I64],
        body: Region,
        result_types: Sequence[Attribute] | None = None,
    ):
        dims = i64_array(dimensions)
        if result_types is None:
            result_types = [
                with_shape(value.type, reduced_shape(shape_of(value), dims.get_values()))
                for value in inputs
            ]
        super().__init__(
            operands=[inputs, init_values],
            properties={"dimensions": dims},
            regions=[body],
            result_types=[result_types],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return cls.create(**parse_reduce(parser))

    def print(self, printer: Printer) -> None:
        print_reduce(printer, self, self.dimensions.get_values())

    def verify_(self) -> None:
        if not self.inputs:
            raise mismatch("at least one input", 0, "reduce_c3")
        shape, dimensions = shape_of(self.inputs[0]), self.dimensions.get_values()
        expect_alike(
            self.inputs, self.init_values, self.outputs, ("reduce_c1", "reduce_c2", "reduce_c3")
        )
        expect_dims("dimensions", dimensions, len(shape), "reduce_c4")
        expect_unique("dimensions", dimensions, "reduce_c5")
        expect_reducer(
            "the reducer", self.body, self.inputs, self.outputs, "reduce_c6", "reduce_c8"
        )
        for i, output in enumerate(self.outputs):
            expect_shape(f"result {i}", output.type, reduced_shape(shape, dimensions), "reduce_c7")


@irdl_op_definition
class ReduceWindowOp(IRDLOperation):
    """`"stablehlo.reduce_window"`: combines the elements under a window that moves over the inputs.

    Absent strides and dilations are 1, absent padding is 0.
    """

    name = "stablehlo.reduce_window"
    inputs = var_operand_def(TENSOR)
    init_values = var_operand_def(TensorOf(rank=0, label="reduce_window_i2"))
    window_dimensions = prop_def(I64_ARRAY)
    window_strides = opt_prop_def(I64_ARRAY)
    base_dilations = opt_prop_def(I64_ARRAY)
    window_dilations = opt_prop_def(I64_ARRAY)
    padding = opt_prop_def(DenseIntOrFPElementsAttr)
    body: Region = region_def("single_block")
    outputs = var_result_def(TENSOR)
    irdl_options = (SameVariadicOperandSize(),)
    traits = traits_def(RecursiveMemoryEffect())

    def verify_(self) -> None:
        if not self.inputs:
            raise mismatch("at least one input", 0, "reduce_window_c1")
        labels = ("reduce_window_c2", "reduce_window_c3", "reduce_window_c1")
        expect_alike(self.inputs, self.init_values, self.outputs, labels)
        shape = shape_of(self.inputs[0])
        window = (
            ("window_dimensions", self.window_dimensions, 4),
            ("window_strides", self.window_strides, 6),
            ("base_dilations", self.base_dilations, 8),
            ("window_dilations", self.window_dilations, 10),
        )
        numbers: list[Sequence[int]] = []
        for name, attribute, constraint in window:
            values = (1,) * len(shape) if attribute is None else attribute.get_values()
            expect_size(f"{name}", len(values), len(shape), f"reduce_window_c{constraint}")
            expect_positive(name, values, f"reduce_window_c{constraint + 1}")
            numbers.append(values)
        pairs = padding_pairs(self.padding, len(shape))
        if pairs is None:
            raise mismatch(f"padding of shape [{len(shape)}, 2]", self.padding, "reduce_window_c12")
        elements = ("reduce_window_c13", "reduce_window_c16")
        expect_reducer("the reducer", self.body, self.inputs, self.outputs, *elements)
        extents, strides, base_dilations, window_dilations = numbers
        expected = window_counts(shape, extents, strides, pairs, base_dilations, window_dilations)
        for i, output in enumerate(self.outputs):
            first = shape_of(self.outputs[0])
            expect_shape(f"result {i}", output.type, first, "reduce_window_c14")
            expect_shape(f"result {i}", output.type, expected, "reduce_window_c15")


@irdl_op_definition
class SelectAndScatterOp(IRDLOperation):
    """`"stablehlo.select_and_scatter"`: adds each source element where its window's choice lies."""

    name = "stablehlo.select_and_scatter"
    operand = operand_def(TENSOR)
    source = operand_def(TENSOR)
    init_value = operand_def(TensorOf(rank=0, label="select_and_scatter_i3"))
    window_dimensions = opt_prop_def(I64_ARRAY)
    window_strides = opt_prop_def(I64_ARRAY)
    padding = opt_prop_def(DenseIntOrFPElementsAttr)
    select: Region = region_def("single_block")
    scatter: Region = region_def("single_block")
    result = result_def(TENSOR)
    traits = traits_def(RecursiveMemoryEffect())

    def verify_(self) -> None:
        element, shape = element_of(self.operand), shape_of(self.operand)
        expect_element("source", self.source.type, element, "select_and_scatter_c1")
        expect_element("init_value", self.init_value.type, element, "select_and_scatter_c3")
        expect_shape("result", self.result.type, shape, "select_and_scatter_c11")
        ones = (1,) * len(shape)
        extents = ones if self.window_dimensions is None else self.window_dimensions.get_values()
        strides = ones if self.window_strides is None else self.window_strides.get_values()
        expect_size("window_dimensions", len(extents), len(shape), "select_and_scatter_c4")
        expect_positive("window_dimensions", extents, "select_and_scatter_c5")
        expect_size("window_strides", len(strides), len(shape), "select_and_scatter_c6")
        expect_positive("window_strides", strides, "select_and_scatter_c7")
        pairs = padding_pairs(self.padding, len(shape))
        if pairs is None:
            raise mismatch(
                f"padding of shape [{len(shape)}, 2]", self.padding, "select_and_scatter_c8"
            )
        expected = window_counts(shape, extents, strides, pairs, ones, ones)
        expect_shape("source", self.source.type, expected, "select_and_scatter_c2")
        block = region_block("the selection", self.select, "select_and_scatter_c9")
        expect_arguments(
            "the selection", block, [scalar_like(self.operand)] * 2, "select_and_scatter_c9"
        )
        expect_returns("the selection", block, [TensorType(i1, ())], "select_and_scatter_c9")
        elements = ("select_and_scatter_c10", "select_and_scatter_c12")
        expect_reducer("the scattering", self.scatter, [self.operand], [self.result], *elements)


@irdl_op_definition
class SortOp(IRDLOperation):
    """`"stablehlo.sort"(%keys, %values) ({...})`: sorts the inputs together along one dimension.

    Region arguments: the two elements of the first input, of the second, ...; it says whether the
    first of each pair goes before the second. A negative dimension counts from the end.
    """

    name = "stablehlo.sort"
    inputs = var_operand_def(TENSOR)
    dimension = opt_prop_def(IntegerAttr[I64], IntegerAttr(-1, i64))
    is_stable = opt_prop_def(BoolAttr, FALSE)
    comparator: Region = region_def("single_block")
    outputs = var_result_def(TENSOR)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        dimension: int,
        is_stable: bool,
        comparator: Region,
    ):
        super().__init__(
            operands=[inputs],
            properties={
                "dimension": IntegerAttr(dimension, i64),
                "is_stable": BoolAttr.from_bool(is_stable),
            },
            regions=[comparator],
            result_types=[[value.type for value in inputs]],
        )

    def verify_(self) -> None:
        if not self.inputs:
            raise mismatch("at least one input", 0, "sort_c1")
        expect_size("results", len(self.outputs), len(self.inputs), "sort_c2")
        rank = len(shape_of(self.inputs[0]))
        for i, (value, output) in enumerate(zip(self.inputs, self.outputs)):
            expect_type(f"result {i}", output.type, value.type, "sort_c2")
            expect_shape(f"input {i}", value.type, shape_of(self.inputs[0]), "sort_c3")
        dimension = self.dimension.value.data
        if not -rank <= dimension < max(rank, 1):
            raise mismatch(f"dimension in [-{rank}, {rank})", dimension, "sort_c4")
        block = region_block("the comparator", self.comparator, "sort_c5")
        pairs = [type for value in self.inputs for type in [scalar_like(value)] * 2]
        expect_arguments("the comparator", block, pairs, "sort_c5")
        expect_returns("the comparator", block, [TensorType(i1, ())], "sort_c5")


@irdl_op_definition
class MapOp(IRDLOperation):
    """`"stablehlo.map"(%x, %y) ({...})`: applies a region to the elements of its inputs."""

    name = "stablehlo.map"
    inputs = var_operand_def(TENSOR)
    dimensions = prop_def(I64_ARRAY)
    computation: Region = region_def("single_block")
    result = result_def(TENSOR)
    traits = traits_def(RecursiveMemoryEffect())

    def verify_(self) -> None:
        if not self.inputs:
            raise mismatch("at least one input", 0, "map_c2")
        for i, value in enumerate(self.inputs):
            expect_shape(f"input {i}", value.type, shape_of(self.result), "map_c1")
        expected = tuple(range(len(shape_of(self.result))))
        if self.dimensions.get_values() != expected:
            raise mismatch(
                f"dimensions {list(expected)}", list(self.dimensions.get_values()), "map_c3"
            )
        block = region_block("the computation", self.computation, "map_c4")
        expect_arguments("the computation", block, [scalar_like(x) for x in self.inputs], "map_c4")
        expect_returns("the computation", block, [scalar_like(self.result)], "map_c4")
