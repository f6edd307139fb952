"""Ops whose shapes are computed at run time."""

from __future__ import annotations

from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import I64, BoolAttr, IntegerAttr
from xdsl.ir import SSAValue
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
from .constraints import ANY_TENSOR, DIMENSION, FALSE, I64_ARRAY, INTEGER, TENSOR, TensorOf
from .gather_scatter_rules import verify_dynamic_gather
from .inference import constant_integers, element_of, padded_shape, shape_of, tensor_of
from .quantization_rules import (
    expect_broadcast_axis,
    expect_reshaped_axis,
    expect_same_elements,
)
from .rules import (
    expect_broadcast,
    expect_dims,
    expect_element,
    expect_positive,
    expect_shape,
    expect_size,
    expect_stated_shape,
    expect_unique,
)

_SHAPE = TensorOf(DIMENSION, rank=1)


def _expect_length(numbers: SSAValue, tensor: SSAValue, label: str) -> None:
    """One number for each dimension of the tensor."""
    expect_shape("a list of sizes", numbers.type, (len(shape_of(tensor)),), label)


@irdl_op_definition
class DynamicBroadcastInDimOp(AssembledOp):
    """`stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1]`: broadcasts to a computed shape."""

    name = "stablehlo.dynamic_broadcast_in_dim"
    operand = operand_def(ANY_TENSOR)
    output_dimensions = operand_def(_SHAPE)
    broadcast_dimensions = prop_def(I64_ARRAY)
    known_expanding_dimensions = opt_prop_def(I64_ARRAY)
    known_nonexpanding_dimensions = opt_prop_def(I64_ARRAY)
    result = result_def(ANY_TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Dims("dims", "broadcast_dimensions"),)

    def verify_(self) -> None:
        element = element_of(self.operand)
        expect_same_elements("result", self.result.type, element, "dynamic_broadcast_in_dim_c1")
        dimensions = self.broadcast_dimensions.get_values()
        expect_broadcast(self, self.operand, self.result, dimensions)
        expect_broadcast_axis("dynamic_broadcast_in_dim", self.operand, self.result, dimensions)
        _expect_length(self.output_dimensions, self.result, "dynamic_broadcast_in_dim_c7")
        expect_stated_shape(self.output_dimensions, self.result, "dynamic_broadcast_in_dim_c7")
        known = [
            () if dims is None else dims.get_values()
            for dims in (self.known_expanding_dimensions, self.known_nonexpanding_dimensions)
        ]
        rank = len(shape_of(self.operand))
        expect_unique("known dimensions", known[0] + known[1], "dynamic_broadcast_in_dim_c8")
        expect_dims("known_expanding_dimensions", known[0], rank, "dynamic_broadcast_in_dim_c9")
        expect_dims("known_nonexpanding_dimensions", known[1], rank, "dynamic_broadcast_in_dim_c10")


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

    def verify_(self) -> None:
        verify_dynamic_gather(self)


@irdl_op_definition
class DynamicIotaOp(AssembledOp):
    """`stablehlo.dynamic_iota %shape, dim = 0`: counts along one dimension of a computed shape."""

    name = "stablehlo.dynamic_iota"
    output_shape = operand_def(_SHAPE)
    iota_dimension = prop_def(IntegerAttr[I64])
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Int("dim", "iota_dimension"),)

    def verify_(self) -> None:
        dimension, rank = self.iota_dimension.value.data, len(shape_of(self.result))
        expect_dims("iota_dimension", [dimension], rank, "dynamic_iota_c1")
        _expect_length(self.output_shape, self.result, "dynamic_iota_c2")
        expect_stated_shape(self.output_shape, self.result, "dynamic_iota_c2")


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

    def verify_(self) -> None:
        element = element_of(self.operand)
        expect_element("padding_value", self.padding_value.type, element, "dynamic_pad_c1")
        expect_element("result", self.result.type, element, "dynamic_pad_c1")
        rank = len(shape_of(self.operand))
        expect_size("dimensions of the result", len(shape_of(self.result)), rank, "dynamic_pad_c4")
        for amounts in (self.edge_padding_low, self.edge_padding_high, self.interior_padding):
            _expect_length(amounts, self.operand, "dynamic_pad_c2")
        interior = constant_integers(self.interior_padding)
        if interior is not None:
            expect_positive("interior_padding", interior, "dynamic_pad_c3", least=0)
        low = constant_integers(self.edge_padding_low)
        high = constant_integers(self.edge_padding_high)
        if low is not None and high is not None and interior is not None:
            expected = padded_shape(shape_of(self.operand), low, high, interior)
            expect_shape("result", self.result.type, expected, "dynamic_pad_c4")


@irdl_op_definition
class DynamicReshapeOp(AssembledOp):
    """`stablehlo.dynamic_reshape %x, %shape`: the same elements in a computed shape."""

    name = "stablehlo.dynamic_reshape"
    operand = operand_def(ANY_TENSOR)
    output_shape = operand_def(_SHAPE)
    result = result_def(ANY_TENSOR)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        element = element_of(self.operand)
        expect_same_elements("result", self.result.type, element, "dynamic_reshape_c1")
        operand, result = tensor_of(self.operand), tensor_of(self.result)
        if operand.has_static_shape() and result.has_static_shape():
            count, got = prod(operand.get_shape()), prod(result.get_shape())
            expect_size("elements in the result", got, count, "dynamic_reshape_c2")
        expect_reshaped_axis(self.operand, self.result, "dynamic_reshape_c3")
        _expect_length(self.output_shape, self.result, "dynamic_reshape_c4")
        expect_stated_shape(self.output_shape, self.result, "dynamic_reshape_c4")


@irdl_op_definition
class GetDimensionSizeOp(AssembledOp):
    """`stablehlo.get_dimension_size %x, dim = 0`: the size of one dimension, a `tensor<i32>`."""

    name = "stablehlo.get_dimension_size"
    operand = operand_def(ANY_TENSOR)
    dimension = prop_def(IntegerAttr[I64])
    result = result_def(TensorOf(("signed integer",), rank=0))
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Int("dim", "dimension"),)

    def verify_(self) -> None:
        dimension, rank = self.dimension.value.data, len(shape_of(self.operand))
        expect_dims("dimension", [dimension], rank, "get_dimension_size_c1")


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

    def verify_(self) -> None:
        expect_element(
            "result", self.result.type, element_of(self.operand), "real_dynamic_slice_c1"
        )
        rank = len(shape_of(self.operand))
        got = len(shape_of(self.result))
        expect_size("dimensions of the result", got, rank, "real_dynamic_slice_c2")
        for numbers in (self.start_indices, self.limit_indices, self.strides):
            _expect_length(numbers, self.operand, "real_dynamic_slice_c3")


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

    def verify_(self) -> None:
        expect_element(
            "result", self.result.type, element_of(self.operand), "set_dimension_size_c1"
        )
        dimension, rank = self.dimension.value.data, len(shape_of(self.operand))
        expect_dims("dimension", [dimension], rank, "set_dimension_size_c2")
