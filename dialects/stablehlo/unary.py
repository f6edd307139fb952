"""Elementwise ops of one operand."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from .assembly import AssembledOp
from .attributes import ResultAccuracyAttr
from .constraints import (
    BOOLEAN,
    BOOLEAN_INTEGER,
    FLOAT,
    FLOAT_COMPLEX,
    FLOAT_COMPLEX_QUANTIZED,
    FLOAT_QUANTIZED,
    INTEGER,
    INTEGER_FLOAT_COMPLEX_QUANTIZED,
    SIGNED_FLOAT_COMPLEX_QUANTIZED,
    TENSOR,
    TensorOf,
)
from .inference import element_of, real_part, shape_of, with_element_type
from .rules import expect_element, expect_same_types, expect_shape
from .signatures import SAME_TYPE


class UnaryElementwiseOp(AssembledOp, ABC):
    """Base: the result has the operand's shape; its type too, unless a subclass says otherwise."""

    operand = operand_def(TENSOR)
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = SAME_TYPE

    def __init__(self, operand: SSAValue | Operation, result_type: Attribute | None = None):
        value = SSAValue.get(operand)
        super().__init__(operands=[value], result_types=[result_type or value.type])

    def verify_(self) -> None:
        expect_same_types(self, f"{self.name.removeprefix('stablehlo.')}_c1")


class TranscendentalOp(UnaryElementwiseOp, ABC):
    """Base of the functions whose accuracy can be asked for with `result_accuracy`."""

    operand = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED))
    result_accuracy = opt_prop_def(ResultAccuracyAttr, ResultAccuracyAttr.default())


def expect_real_part(op: UnaryElementwiseOp) -> None:
    """The result has the operand's shape, and the type of its parts when it is complex."""
    label = op.name.removeprefix("stablehlo.")
    expect_shape("result", op.result.type, shape_of(op.operand), f"{label}_c1")
    expect_element("result", op.result.type, real_part(element_of(op.operand)), f"{label}_c2")


@irdl_op_definition
class AbsOp(UnaryElementwiseOp):
    """`stablehlo.abs %x`: the magnitude; real for complex operands."""

    name = "stablehlo.abs"
    operand = operand_def(TensorOf(SIGNED_FLOAT_COMPLEX_QUANTIZED, label="abs_i1"))

    def verify_(self) -> None:
        expect_real_part(self)


@irdl_op_definition
class CbrtOp(TranscendentalOp):
    """`stablehlo.cbrt %x`: the cube root."""

    name = "stablehlo.cbrt"
    operand = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="cbrt_i1"))


@irdl_op_definition
class CosineOp(TranscendentalOp):
    """`stablehlo.cosine %x`: the cosine of an angle in radians."""

    name = "stablehlo.cosine"
    operand = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="cosine_i1"))


@irdl_op_definition
class ExponentialOp(TranscendentalOp):
    """`stablehlo.exponential %x`: e to the power of the operand."""

    name = "stablehlo.exponential"
    operand = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="exponential_i1"))


@irdl_op_definition
class ExponentialMinusOneOp(TranscendentalOp):
    """`stablehlo.exponential_minus_one %x`: e^x - 1, exact near 0."""

    name = "stablehlo.exponential_minus_one"
    operand = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="exponential_minus_one_i1"))


@irdl_op_definition
class LogOp(TranscendentalOp):
    """`stablehlo.log %x`: the natural logarithm."""

    name = "stablehlo.log"
    operand = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="log_i1"))


@irdl_op_definition
class LogPlusOneOp(TranscendentalOp):
    """`stablehlo.log_plus_one %x`: log(1 + x), exact near 0."""

    name = "stablehlo.log_plus_one"
    operand = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="log_plus_one_i1"))


@irdl_op_definition
class LogisticOp(TranscendentalOp):
    """`stablehlo.logistic %x`: 1 / (1 + e^-x)."""

    name = "stablehlo.logistic"
    operand = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="logistic_i1"))


@irdl_op_definition
class RsqrtOp(TranscendentalOp):
    """`stablehlo.rsqrt %x`: one over the square root."""

    name = "stablehlo.rsqrt"
    operand = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="rsqrt_i1"))


@irdl_op_definition
class SineOp(TranscendentalOp):
    """`stablehlo.sine %x`: the sine of an angle in radians."""

    name = "stablehlo.sine"
    operand = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="sine_i1"))


@irdl_op_definition
class SqrtOp(TranscendentalOp):
    """`stablehlo.sqrt %x`: the square root."""

    name = "stablehlo.sqrt"
    operand = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="sqrt_i1"))


@irdl_op_definition
class TanOp(TranscendentalOp):
    """`stablehlo.tan %x`: the tangent of an angle in radians."""

    name = "stablehlo.tan"
    operand = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="tan_i1"))


@irdl_op_definition
class TanhOp(TranscendentalOp):
    """`stablehlo.tanh %x`: the hyperbolic tangent."""

    name = "stablehlo.tanh"
    operand = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="tanh_i1"))


@irdl_op_definition
class CeilOp(UnaryElementwiseOp):
    """`stablehlo.ceil %x`: rounds towards positive infinity."""

    name = "stablehlo.ceil"
    operand = operand_def(TensorOf(FLOAT_QUANTIZED, label="ceil_i1"))


@irdl_op_definition
class CountLeadingZerosOp(UnaryElementwiseOp):
    """`stablehlo.count_leading_zeros %x`: the number of zero bits above the highest one bit."""

    name = "stablehlo.count_leading_zeros"
    operand = operand_def(TensorOf(INTEGER, label="count_leading_zeros_i1"))


@irdl_op_definition
class FloorOp(UnaryElementwiseOp):
    """`stablehlo.floor %x`: rounds towards negative infinity."""

    name = "stablehlo.floor"
    operand = operand_def(TensorOf(FLOAT_QUANTIZED, label="floor_i1"))


@irdl_op_definition
class NegateOp(UnaryElementwiseOp):
    """`stablehlo.negate %x`: the negative; integers wrap around."""

    name = "stablehlo.negate"
    operand = operand_def(TensorOf(INTEGER_FLOAT_COMPLEX_QUANTIZED, label="negate_i1"))


@irdl_op_definition
class NotOp(UnaryElementwiseOp):
    """`stablehlo.not %x`: logical not of booleans, bitwise not of integers."""

    name = "stablehlo.not"
    operand = operand_def(TensorOf(BOOLEAN_INTEGER, label="not_i1"))


@irdl_op_definition
class PopcntOp(UnaryElementwiseOp):
    """`stablehlo.popcnt %x`: the number of one bits."""

    name = "stablehlo.popcnt"
    operand = operand_def(TensorOf(INTEGER, label="popcnt_i1"))


@irdl_op_definition
class RoundNearestAfzOp(UnaryElementwiseOp):
    """`stablehlo.round_nearest_afz %x`: rounds to the nearest integer, ties away from zero."""

    name = "stablehlo.round_nearest_afz"
    operand = operand_def(TensorOf(FLOAT_QUANTIZED, label="round_nearest_afz_i1"))


@irdl_op_definition
class RoundNearestEvenOp(UnaryElementwiseOp):
    """`stablehlo.round_nearest_even %x`: rounds to the nearest integer, ties to even."""

    name = "stablehlo.round_nearest_even"
    operand = operand_def(TensorOf(FLOAT_QUANTIZED, label="round_nearest_even_i1"))


@irdl_op_definition
class SignOp(UnaryElementwiseOp):
    """`stablehlo.sign %x`: -1, 0 or 1 (keeps -0 and NaN); x / |x| for complex."""

    name = "stablehlo.sign"
    operand = operand_def(TensorOf(SIGNED_FLOAT_COMPLEX_QUANTIZED, label="sign_i1"))


@irdl_op_definition
class RealOp(UnaryElementwiseOp):
    """`stablehlo.real %x`: the real part."""

    name = "stablehlo.real"
    operand = operand_def(TensorOf(FLOAT_COMPLEX, label="real_i1"))
    result = result_def(TensorOf(FLOAT))

    def verify_(self) -> None:
        expect_real_part(self)


@irdl_op_definition
class ImagOp(UnaryElementwiseOp):
    """`stablehlo.imag %x`: the imaginary part; zero for floats."""

    name = "stablehlo.imag"
    operand = operand_def(TensorOf(FLOAT_COMPLEX, label="imag_i1"))
    result = result_def(TensorOf(FLOAT))

    def verify_(self) -> None:
        expect_real_part(self)


@irdl_op_definition
class IsFiniteOp(AssembledOp):
    """`stablehlo.is_finite %x`: whether each element is neither infinite nor NaN."""

    name = "stablehlo.is_finite"
    x = operand_def(TensorOf(FLOAT_QUANTIZED, label="is_finite_i1"))
    y = result_def(TensorOf(BOOLEAN))
    traits = traits_def(Pure())

    def __init__(self, x: SSAValue | Operation):
        value = SSAValue.get(x)
        super().__init__(operands=[value], result_types=[with_element_type(value.type, i1)])

    def verify_(self) -> None:
        expect_shape("result", self.y.type, shape_of(self.x), "is_finite_c1")
