"""Ops that read or write places computed at run time: dynamic slices, gather, scatter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import I64, BoolAttr, DenseArrayBase, IntegerAttr
from xdsl.ir import Attribute, Operation, Region, SSAValue
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
from xdsl.traits import Pure, RecursiveMemoryEffect

from .assembly import AssembledOp
from .attributes import GatherDimensionNumbersAttr, ScatterDimensionNumbersAttr
from .clauses import Dims
from .constraints import DIMENSION, FALSE, I64_ARRAY, INTEGER, TENSOR, TensorOf, i64_array
from .gather_scatter_rules import verify_gather, verify_scatter
from .inference import element_of, gathered_shape, shape_of, with_shape
from .rules import expect_element, expect_shape, expect_size, expect_type, expect_within, mismatch


@irdl_op_definition
class DynamicSliceOp(AssembledOp):
    """`stablehlo.dynamic_slice %x, %i, %j, sizes = [1, 3]`: the slice that starts at (i, j).

    A start index is moved so that the slice lies inside the operand.
    """

    name = "stablehlo.dynamic_slice"
    operand = operand_def(TENSOR)
    start_indices = var_operand_def(TensorOf(INTEGER, rank=0, label="dynamic_slice_i2"))
    slice_sizes = prop_def(I64_ARRAY)
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Dims("sizes", "slice_sizes"),)

    def __init__(
        self,
        operand: SSAValue | Operation,
        start_indices: Sequence[SSAValue],
        slice_sizes: Sequence[int] | DenseArrayBase[I64],
    ):
        value = SSAValue.get(operand)
        sizes = i64_array(slice_sizes)
        super().__init__(
            operands=[value, start_indices],
            properties={"slice_sizes": sizes},
            result_types=[with_shape(value.type, sizes.get_values())],
        )

    def verify_(self) -> None:
        expect_element("result", self.result.type, element_of(self.operand), "dynamic_slice_c1")
        shape, sizes = shape_of(self.operand), self.slice_sizes.get_values()
        expect_size("start indices", len(self.start_indices), len(shape), "dynamic_slice_c2")
        expect_size("slice sizes", len(sizes), len(shape), "dynamic_slice_c2")
        _expect_one_index_type(self.start_indices, "dynamic_slice_c3")
        expect_within("sizes", sizes, shape, "dynamic_slice_c4")
        expect_shape("result", self.result.type, sizes, "dynamic_slice_c5")


@irdl_op_definition
class DynamicUpdateSliceOp(AssembledOp):
    """`stablehlo.dynamic_update_slice %x, %u, %i, %j`: `%x` with `%u` in place of the slice at (i, j).

    A start index is moved so that the update lies inside the operand.
    """

    name = "stablehlo.dynamic_update_slice"
    operand = operand_def(TENSOR)
    update = operand_def(TENSOR)
    start_indices = var_operand_def(TensorOf(INTEGER, rank=0, label="dynamic_update_slice_i3"))
    result = result_def(TENSOR)
    traits = traits_def(Pure())

    def __init__(
        self,
        operand: SSAValue | Operation,
        update: SSAValue | Operation,
        start_indices: Sequence[SSAValue],
    ):
        value = SSAValue.get(operand)
        super().__init__(operands=[value, update, start_indices], result_types=[value.type])

    def verify_(self) -> None:
        expect_type("result", self.result.type, self.operand.type, "dynamic_update_slice_c1")
        element = element_of(self.operand)
        expect_element("update", self.update.type, element, "dynamic_update_slice_c2")
        shape, update = shape_of(self.operand), shape_of(self.update)
        expect_size("dimensions of the update", len(update), len(shape), "dynamic_update_slice_c3")
        count = len(self.start_indices)
        expect_size("start indices", count, len(shape), "dynamic_update_slice_c4")
        _expect_one_index_type(self.start_indices, "dynamic_update_slice_c5")
        expect_within("the update's sizes", update, shape, "dynamic_update_slice_c6")


def _expect_one_index_type(indices: Sequence[SSAValue], label: str) -> None:
    for index in indices:
        if index.type != indices[0].type:
            raise mismatch(f"start indices of one type, {indices[0].type}", index.type, label)


@irdl_op_definition
class GatherOp(IRDLOperation):
    """`"stablehlo.gather"(%x, %indices)`: collects slices of `%x` that start at the given indices.

    Start indices are moved so that each slice lies inside the operand.
    """

    name = "stablehlo.gather"
    operand = operand_def(TENSOR)
    start_indices = operand_def(TensorOf(DIMENSION, label="gather_i2"))
    dimension_numbers = prop_def(GatherDimensionNumbersAttr)
    slice_sizes = prop_def(I64_ARRAY)
    indices_are_sorted = opt_prop_def(BoolAttr, FALSE)
    result = result_def(TENSOR)
    traits = traits_def(Pure())

    def __init__(
        self,
        operand: SSAValue | Operation,
        start_indices: SSAValue | Operation,
        dimension_numbers: GatherDimensionNumbersAttr,
        slice_sizes: Sequence[int] | DenseArrayBase[I64],
        result_type: Attribute | None = None,
        indices_are_sorted: bool = False,
    ):
        value, indices = SSAValue.get(operand), SSAValue.get(start_indices)
        sizes = i64_array(slice_sizes)
        if result_type is None:
            shape = gathered_shape(shape_of(indices), dimension_numbers, sizes.get_values())
            result_type = with_shape(value.type, shape)
        super().__init__(
            operands=[value, indices],
            properties={
                "dimension_numbers": dimension_numbers,
                "slice_sizes": sizes,
                "indices_are_sorted": BoolAttr.from_bool(True) if indices_are_sorted else None,
            },
            result_types=[result_type],
        )

    def verify_(self) -> None:
        verify_gather(self)


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """`"stablehlo.scatter"(%x, %indices, %updates) ({...})`: combines updates into places of `%x`.

    The region combines the present element with the update; an update that lies outside is skipped.
    """

    name = "stablehlo.scatter"
    inputs = var_operand_def(TENSOR)
    scatter_indices = operand_def(TensorOf(DIMENSION, label="scatter_i2"))
    updates = var_operand_def(TENSOR)
    scatter_dimension_numbers = prop_def(ScatterDimensionNumbersAttr)
    indices_are_sorted = opt_prop_def(BoolAttr, FALSE)
    unique_indices = opt_prop_def(BoolAttr, FALSE)
    update_computation: Region = region_def("single_block")
    outputs = var_result_def(TENSOR)
    irdl_options = (SameVariadicOperandSize(),)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        scatter_indices: SSAValue | Operation,
        updates: Sequence[SSAValue],
        scatter_dimension_numbers: ScatterDimensionNumbersAttr,
        update_computation: Region,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
    ):
        super().__init__(
            operands=[inputs, scatter_indices, updates],
            properties={
                "scatter_dimension_numbers": scatter_dimension_numbers,
                "indices_are_sorted": BoolAttr.from_bool(True) if indices_are_sorted else None,
                "unique_indices": BoolAttr.from_bool(True) if unique_indices else None,
            },
            regions=[update_computation],
            result_types=[[value.type for value in inputs]],
        )

    def verify_(self) -> None:
        verify_scatter(self)


@irdl_op_definition
class TorchIndexSelectOp(IRDLOperation):
    """`"stablehlo.torch_index_select"(%x, %index)`: the slices of `%x` along `dim` at the indices.

    The first `batch_dims` dimensions are those of both operands.
    """

    name = "stablehlo.torch_index_select"
    operand = operand_def(TENSOR)
    index = operand_def(TENSOR)
    dim = prop_def(IntegerAttr[I64])
    batch_dims = prop_def(IntegerAttr[I64])
    result = result_def(TENSOR)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        expect_element("result", self.result.type, element_of(self.operand))
