"""Ops that change the element type: conversions, bit casts, rounding, quantization."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import I32, ComplexType, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.traits import Pure

from .assembly import AssembledOp
from .clauses import ExponentMantissa
from .constraints import (
    ANY_QUANTIZED,
    ANY_TENSOR,
    FLOAT,
    FLOAT_QUANTIZED,
    NOT_QUANTIZED,
    TensorOf,
    quantized_element,
)
from .inference import bit_width, bitcast_shape, element_of, shape_of
from .rules import expect_element, expect_positive, expect_same_types, expect_shape, mismatch
from .signatures import SAME_TYPE
from .unary import UnaryElementwiseOp


@irdl_op_definition
class ConvertOp(UnaryElementwiseOp):
    """`stablehlo.convert %x : (tensor<i32>) -> tensor<f32>`: converts each element's type.

    Float to integer truncates; to boolean tests for nonzero; complex to real keeps the real part.
    """

    name = "stablehlo.convert"
    operand = operand_def(TensorOf(NOT_QUANTIZED, label="convert_i1"))
    result = result_def(TensorOf(NOT_QUANTIZED))

    def verify_(self) -> None:
        expect_shape("result", self.result.type, shape_of(self.operand), "convert_c1")


@irdl_op_definition
class BitcastConvertOp(AssembledOp):
    """`stablehlo.bitcast_convert %x`: reads the bits as another element type.

    A narrower type adds a last dimension, a wider one removes it.
    """

    name = "stablehlo.bitcast_convert"
    operand = operand_def(ANY_TENSOR)
    result = result_def(ANY_TENSOR)
    traits = traits_def(Pure())

    def __init__(self, operand: SSAValue | Operation, result_type: Attribute):
        super().__init__(operands=[operand], result_types=[result_type])

    def verify_(self) -> None:
        operand, result = element_of(self.operand), element_of(self.result)
        if isinstance(operand, ComplexType) != isinstance(result, ComplexType):
            raise mismatch("both element types complex or neither", result, "bitcast_convert_c2")
        before, after = bit_width(operand), bit_width(result)
        if before is None or after is None:
            return
        expected = bitcast_shape(shape_of(self.operand), before, after)
        if expected is None:
            raise mismatch(
                f"an operand whose last dimension holds {after} bits",
                self.operand.type,
                "bitcast_convert_c1",
            )
        expect_shape("result", self.result.type, expected, "bitcast_convert_c1")


@irdl_op_definition
class ReducePrecisionOp(AssembledOp):
    """`stablehlo.reduce_precision %x, format = e8m10`: rounds to a float format and back."""

    name = "stablehlo.reduce_precision"
    operand = operand_def(TensorOf(FLOAT_QUANTIZED, label="reduce_precision_i1"))
    output = result_def(TensorOf(FLOAT_QUANTIZED))
    exponent_bits = prop_def(IntegerAttr[I32])
    mantissa_bits = prop_def(IntegerAttr[I32])
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (ExponentMantissa("format", "exponent_bits", "mantissa_bits"),)
    SIGNATURE: ClassVar = SAME_TYPE

    def verify_(self) -> None:
        expect_same_types(self, "reduce_precision_c1")
        expect_positive("exponent_bits", [self.exponent_bits.value.data], "reduce_precision_c2")
        expect_positive(
            "mantissa_bits", [self.mantissa_bits.value.data], "reduce_precision_c3", least=0
        )


@irdl_op_definition
class UniformQuantizeOp(UnaryElementwiseOp):
    """`stablehlo.uniform_quantize %x`: quantizes floats, or quantizes anew with other parameters."""

    name = "stablehlo.uniform_quantize"
    operand = operand_def(TensorOf((*FLOAT, *ANY_QUANTIZED), label="uniform_quantize_i1"))
    result = result_def(TensorOf(ANY_QUANTIZED))

    def verify_(self) -> None:
        expect_shape("result", self.result.type, shape_of(self.operand), "uniform_quantize_c1")
        before, after = map(quantized_element, (self.operand.type, self.result.type))
        assert after is not None
        expected = element_of(self.operand) if before is None else before.expressed_type
        if after.expressed_type != expected:
            label = "uniform_quantize_c2"
            raise mismatch(f"result that expresses {expected}", after.expressed_type, label)


@irdl_op_definition
class UniformDequantizeOp(UnaryElementwiseOp):
    """`stablehlo.uniform_dequantize %x`: the numbers that quantized elements stand for."""

    name = "stablehlo.uniform_dequantize"
    operand = operand_def(TensorOf(ANY_QUANTIZED, label="uniform_dequantize_i1"))
    result = result_def(TensorOf(FLOAT))

    def verify_(self) -> None:
        expect_shape("result", self.result.type, shape_of(self.operand), "uniform_dequantize_c1")
        quantized = quantized_element(self.operand.type)
        assert quantized is not None
        label = "uniform_dequantize_c2"
        expect_element("result", self.result.type, quantized.expressed_type, label)
