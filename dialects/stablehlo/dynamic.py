"""Ops whose shapes are computed at run time."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import I64, BoolAttr, IntegerAttr
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from .assembly import AssembledOp
from .attributes import GatherDimensionNumbersAttr
from .clauses import Dims, Int
from .constraints import DIMENSION, FALSE, I64_ARRAY, INTEGER, TENSOR, TensorOf

_SHAPE = TensorOf(DIMENSION, rank=1)


@irdl_op_definition
class DynamicBroadcastInDimOp(AssembledOp):
    """`stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [1]`: broadcasts to a computed shape."""

    name = "stablehlo.dynamic_broadcast_in_dim"
    operand = operand_def(TENSOR)
    output_dimensions = operand_def(_SHAPE)
    broadcast_dimensions = prop_def(I64_ARRAY)
    known_expanding_dimensions = opt_prop_def(I64_ARRAY)
    known_nonexpanding_dimensions = opt_prop_def(I64_ARRAY)
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Dims("dims", "broadcast_dimensions"),)


@irdl_op_definition
class DynamicGatherOp(IRDLOperation):
    """`"stablehlo.dynamic_gather"(%x, %indices, %sizes)`: `gather` with computed slice sizes."""

    name = "stablehlo.dynamic_gather"
    operand = operand_def(TENSOR)
    start_indices = operand_def(TensorOf(INTEGER, label="dynamic_gather_i2"))
    slice_sizes = operand_def(TensorOf(INTEGER, rank=1, label="dynamic_gather_i3"))
    dimension_numbers = prop_def(GatherDimensionNumbersAttr)
    indices_are_sorted = opt_prop_def(BoolAttr, FALSE)
    result = result_def(TENSOR)
    traits = traits_def(Pure())


@irdl_op_definition
class DynamicIotaOp(AssembledOp):
    """`stablehlo.dynamic_iota %shape, dim = 0`: counts along one dimension of a computed shape."""

    name = "stablehlo.dynamic_iota"
    output_shape = operand_def(_SHAPE)
    iota_dimension = prop_def(IntegerAttr[I64])
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Int("dim", "iota_dimension"),)


@irdl_op_definition
class DynamicPadOp(AssembledOp):
    """`stablehlo.dynamic_pad %x, %v, %low, %high, %interior`: `pad` with computed sizes."""

    name = "stablehlo.dynamic_pad"
    operand = operand_def(TENSOR)
    padding_value = operand_def(TensorOf(rank=0, label="dynamic_pad_i2"))
    edge_padding_low = operand_def(_SHAPE)
    edge_padding_high = operand_def(_SHAPE)
    interior_padding = operand_def(_SHAPE)
    result = result_def(TENSOR)
    traits = traits_def(Pure())


@irdl_op_definition
class DynamicReshapeOp(AssembledOp):
    """`stablehlo.dynamic_reshape %x, %shape`: the same elements in a computed shape."""

    name = "stablehlo.dynamic_reshape"
    operand = operand_def(TENSOR)
    output_shape = operand_def(_SHAPE)
    result = result_def(TENSOR)
    traits = traits_def(Pure())


@irdl_op_definition
class GetDimensionSizeOp(AssembledOp):
    """`stablehlo.get_dimension_size %x, dim = 0`: the size of one dimension, a `tensor<i32>`."""

    name = "stablehlo.get_dimension_size"
    operand = operand_def(TENSOR)
    dimension = prop_def(IntegerAttr[I64])
    result = result_def(TensorOf(("signed integer",), rank=0))
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Int("dim", "dimension"),)


@irdl_op_definition
class RealDynamicSliceOp(AssembledOp):
    """`stablehlo.real_dynamic_slice %x, %start, %limit, %strides`: `slice` with computed ranges."""

    name = "stablehlo.real_dynamic_slice"
    operand = operand_def(TENSOR)
    start_indices = operand_def(_SHAPE)
    limit_indices = operand_def(_SHAPE)
    strides = operand_def(_SHAPE)
    result = result_def(TENSOR)
    traits = traits_def(Pure())


@irdl_op_definition
class SetDimensionSizeOp(AssembledOp):
    """`stablehlo.set_dimension_size %x, %n, dim = 0`: makes a dimension smaller at run time."""

    name = "stablehlo.set_dimension_size"
    operand = operand_def(TENSOR)
    size = operand_def(TensorOf(("signed integer",), rank=0))
    dimension = prop_def(IntegerAttr[I64])
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Int("dim", "dimension"),)
