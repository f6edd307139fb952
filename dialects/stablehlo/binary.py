"""Elementwise ops of two operands of one type."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Commutative, Pure

from .assembly import AssembledOp
from .constraints import (
    ANY_TENSOR,
    BOOLEAN_INTEGER,
    COMPLEX,
    FLOAT,
    FLOAT_COMPLEX_QUANTIZED,
    INTEGER,
    INTEGER_FLOAT_COMPLEX_QUANTIZED,
    TENSOR,
    TensorOf,
)
from .inference import element_of, real_part, shape_of
from .quantization_rules import expect_quantized_sum
from .rules import expect_element, expect_same_types, expect_shape, expect_type
from .signatures import COMPLEX_TYPES, SAME_TYPE


class BinaryElementwiseOp(AssembledOp, ABC):
    """Base: both operands and the result have one type."""

    lhs = operand_def(TENSOR)
    rhs = operand_def(TENSOR)
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = SAME_TYPE

    def __init__(
        self,
        lhs: SSAValue | Operation,
        rhs: SSAValue | Operation,
        result_type: Attribute | None = None,
    ):
        left = SSAValue.get(lhs)
        super().__init__(operands=[left, rhs], result_types=[result_type or left.type])

    def verify_(self) -> None:
        expect_same_types(self, f"{self.name.removeprefix('stablehlo.')}_c1")


@irdl_op_definition
class AddOp(BinaryElementwiseOp):
    """`stablehlo.add %x, %y`: the sum; logical or of booleans; integers wrap around."""

    name = "stablehlo.add"
    lhs = operand_def(ANY_TENSOR)
    rhs = operand_def(ANY_TENSOR)
    result = result_def(ANY_TENSOR)
    traits = traits_def(Commutative())

    def verify_(self) -> None:
        if not expect_quantized_sum(self.lhs, self.rhs, self.result):
            expect_same_types(self, "add_c1")


@irdl_op_definition
class AndOp(BinaryElementwiseOp):
    """`stablehlo.and %x, %y`: logical and of booleans, bitwise and of integers."""

    name = "stablehlo.and"
    lhs = operand_def(TensorOf(BOOLEAN_INTEGER, label="and_i1"))
    rhs = operand_def(TensorOf(BOOLEAN_INTEGER, label="and_i2"))
    traits = traits_def(Commutative())


@irdl_op_definition
class Atan2Op(BinaryElementwiseOp):
    """`stablehlo.atan2 %x, %y`: the angle of the point (rhs, lhs), in radians."""

    name = "stablehlo.atan2"
    lhs = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="atan2_i1"))
    rhs = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="atan2_i2"))


@irdl_op_definition
class DivideOp(BinaryElementwiseOp):
    """`stablehlo.divide %x, %y`: the quotient; integers truncate, x / 0 is -1."""

    name = "stablehlo.divide"
    lhs = operand_def(TensorOf(INTEGER_FLOAT_COMPLEX_QUANTIZED, label="divide_i1"))
    rhs = operand_def(TensorOf(INTEGER_FLOAT_COMPLEX_QUANTIZED, label="divide_i2"))


@irdl_op_definition
class MaximumOp(BinaryElementwiseOp):
    """`stablehlo.maximum %x, %y`: the larger; NaN if either is; logical or of booleans."""

    name = "stablehlo.maximum"
    traits = traits_def(Commutative())


@irdl_op_definition
class MinimumOp(BinaryElementwiseOp):
    """`stablehlo.minimum %x, %y`: the smaller; NaN if either is; logical and of booleans."""

    name = "stablehlo.minimum"
    traits = traits_def(Commutative())


@irdl_op_definition
class MultiplyOp(BinaryElementwiseOp):
    """`stablehlo.multiply %x, %y`: the product; logical and of booleans; integers wrap around."""

    name = "stablehlo.multiply"
    traits = traits_def(Commutative())


@irdl_op_definition
class OrOp(BinaryElementwiseOp):
    """`stablehlo.or %x, %y`: logical or of booleans, bitwise or of integers."""

    name = "stablehlo.or"
    lhs = operand_def(TensorOf(BOOLEAN_INTEGER, label="or_i1"))
    rhs = operand_def(TensorOf(BOOLEAN_INTEGER, label="or_i2"))
    traits = traits_def(Commutative())


@irdl_op_definition
class PowerOp(BinaryElementwiseOp):
    """`stablehlo.power %x, %y`: lhs to the power of rhs; integers wrap around."""

    name = "stablehlo.power"
    lhs = operand_def(TensorOf(INTEGER_FLOAT_COMPLEX_QUANTIZED, label="power_i1"))
    rhs = operand_def(TensorOf(INTEGER_FLOAT_COMPLEX_QUANTIZED, label="power_i2"))


@irdl_op_definition
class RemainderOp(BinaryElementwiseOp):
    """`stablehlo.remainder %x, %y`: the remainder, with the sign of lhs."""

    name = "stablehlo.remainder"
    lhs = operand_def(TensorOf(INTEGER_FLOAT_COMPLEX_QUANTIZED, label="remainder_i1"))
    rhs = operand_def(TensorOf(INTEGER_FLOAT_COMPLEX_QUANTIZED, label="remainder_i2"))


@irdl_op_definition
class ShiftLeftOp(BinaryElementwiseOp):
    """`stablehlo.shift_left %x, %y`: shifts bits left; 0 when rhs is out of range."""

    name = "stablehlo.shift_left"
    lhs = operand_def(TensorOf(INTEGER, label="shift_left_i1"))
    rhs = operand_def(TensorOf(INTEGER, label="shift_left_i2"))


@irdl_op_definition
class ShiftRightArithmeticOp(BinaryElementwiseOp):
    """`stablehlo.shift_right_arithmetic %x, %y`: shifts bits right, copying the sign bit."""

    name = "stablehlo.shift_right_arithmetic"
    lhs = operand_def(TensorOf(INTEGER, label="shift_right_arithmetic_i1"))
    rhs = operand_def(TensorOf(INTEGER, label="shift_right_arithmetic_i2"))


@irdl_op_definition
class ShiftRightLogicalOp(BinaryElementwiseOp):
    """`stablehlo.shift_right_logical %x, %y`: shifts bits right, filling with zeros."""

    name = "stablehlo.shift_right_logical"
    lhs = operand_def(TensorOf(INTEGER, label="shift_right_logical_i1"))
    rhs = operand_def(TensorOf(INTEGER, label="shift_right_logical_i2"))


@irdl_op_definition
class SubtractOp(BinaryElementwiseOp):
    """`stablehlo.subtract %x, %y`: the difference; integers wrap around."""

    name = "stablehlo.subtract"
    lhs = operand_def(TensorOf(INTEGER_FLOAT_COMPLEX_QUANTIZED, label="subtract_i1"))
    rhs = operand_def(TensorOf(INTEGER_FLOAT_COMPLEX_QUANTIZED, label="subtract_i2"))


@irdl_op_definition
class XorOp(BinaryElementwiseOp):
    """`stablehlo.xor %x, %y`: logical or bitwise exclusive or."""

    name = "stablehlo.xor"
    lhs = operand_def(TensorOf(BOOLEAN_INTEGER, label="xor_i1"))
    rhs = operand_def(TensorOf(BOOLEAN_INTEGER, label="xor_i2"))
    traits = traits_def(Commutative())


@irdl_op_definition
class ComplexOp(AssembledOp):
    """`stablehlo.complex %re, %im`: the complex number of two real parts."""

    name = "stablehlo.complex"
    lhs = operand_def(TensorOf(FLOAT, label="complex_i1"))
    rhs = operand_def(TensorOf(FLOAT, label="complex_i2"))
    result = result_def(TensorOf(COMPLEX))
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = COMPLEX_TYPES

    def verify_(self) -> None:
        expect_type("rhs", self.rhs.type, self.lhs.type, "complex_c1")
        expect_shape("result", self.result.type, shape_of(self.lhs), "complex_c2")
        part = real_part(element_of(self.result))
        expect_element("lhs", self.lhs.type, part, "complex_c3")
