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
from .reduce_assembly import parse_reduce, print_reduce


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """`stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0]`.

    Combines the elements along `dimensions` with the region, starting from the initial values; several
    inputs are reduced together. Region arguments: all accumulators, then all elements.
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
        result_types: Sequence[Attribute],
    ):
        super().__init__(
            operands=[inputs, init_values],
            properties={"dimensions": i64_array(dimensions)},
            regions=[body],
            result_types=[result_types],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return cls.create(**parse_reduce(parser))

    def print(self, printer: Printer) -> None:
        print_reduce(printer, self, self.dimensions.get_values())


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


@irdl_op_definition
class SortOp(IRDLOperation):
    """`"stablehlo.sort"(%keys, %values) ({...})`: sorts the inputs together along one dimension.

    Region arguments: the two elements of the first input, of the second, ...; it says whether the first
    of each pair goes before the second. A negative dimension counts from the end.
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


@irdl_op_definition
class MapOp(IRDLOperation):
    """`"stablehlo.map"(%x, %y) ({...})`: applies a region to the elements of its inputs."""

    name = "stablehlo.map"
    inputs = var_operand_def(TENSOR)
    dimensions = prop_def(I64_ARRAY)
    computation: Region = region_def("single_block")
    result = result_def(TENSOR)
    traits = traits_def(RecursiveMemoryEffect())
