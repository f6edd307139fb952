"""The elementwise ops of `chlo`: special functions, questions about floats, and kin.

They print as `chlo.erf %x : tensor<f32> -> tensor<f32>`.
"""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Commutative, Pure

from .stablehlo.assembly import AssembledOp
from .stablehlo.constraints import (
    BOOLEAN,
    COMPLEX,
    FLOAT,
    FLOAT_COMPLEX,
    INTEGER,
    TENSOR,
    TensorOf,
)
from .stablehlo.inference import shape_of, with_element_type
from .stablehlo.rules import expect_same_types, expect_shape
from .stablehlo.signatures import ARROW_TYPES


class UnaryOp(AssembledOp, ABC):
    """Base: an elementwise function whose result has the operand's type."""

    operand = operand_def(TensorOf(FLOAT_COMPLEX))
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = ARROW_TYPES

    def __init__(self, operand: SSAValue | Operation, result_type: Attribute | None = None):
        value = SSAValue.get(operand)
        super().__init__(operands=[value], result_types=[result_type or value.type])

    def verify_(self) -> None:
        expect_same_types(self)


@irdl_op_definition
class AsinAcosKernelOp(UnaryOp):
    """`chlo._asin_acos_kernel %z`: the part that complex asin and acos have in common."""

    name = "chlo._asin_acos_kernel"
    operand = operand_def(TensorOf(COMPLEX))


class RealUnaryOp(UnaryOp, ABC):
    """Base: a function of floats only."""

    operand = operand_def(TensorOf(FLOAT))


class PredicateOp(AssembledOp, ABC):
    """Base: a boolean question about each float."""

    operand = operand_def(TensorOf(FLOAT))
    result = result_def(TensorOf(BOOLEAN))
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = ARROW_TYPES

    def __init__(self, operand: SSAValue | Operation):
        value = SSAValue.get(operand)
        super().__init__(operands=[value], result_types=[with_element_type(value.type, i1)])

    def verify_(self) -> None:
        expect_shape("result", self.result.type, shape_of(self.operand))


@irdl_op_definition
class AcosOp(UnaryOp):
    """`chlo.acos %x`: the angle whose cosine is the operand."""

    name = "chlo.acos"


@irdl_op_definition
class AcoshOp(UnaryOp):
    """`chlo.acosh %x`: the inverse of cosh."""

    name = "chlo.acosh"


@irdl_op_definition
class AsinOp(UnaryOp):
    """`chlo.asin %x`: the angle whose sine is the operand."""

    name = "chlo.asin"


@irdl_op_definition
class AsinhOp(UnaryOp):
    """`chlo.asinh %x`: the inverse of sinh."""

    name = "chlo.asinh"


@irdl_op_definition
class AtanOp(UnaryOp):
    """`chlo.atan %x`: the angle whose tangent is the operand."""

    name = "chlo.atan"


@irdl_op_definition
class AtanhOp(UnaryOp):
    """`chlo.atanh %x`: the inverse of tanh."""

    name = "chlo.atanh"


@irdl_op_definition
class ConjOp(UnaryOp):
    """`chlo.conj %x`: the complex conjugate."""

    name = "chlo.conj"


@irdl_op_definition
class CoshOp(UnaryOp):
    """`chlo.cosh %x`: the hyperbolic cosine."""

    name = "chlo.cosh"


@irdl_op_definition
class SinhOp(UnaryOp):
    """`chlo.sinh %x`: the hyperbolic sine."""

    name = "chlo.sinh"


@irdl_op_definition
class TanOp(UnaryOp):
    """`chlo.tan %x`: the tangent of an angle in radians."""

    name = "chlo.tan"


@irdl_op_definition
class SquareOp(UnaryOp):
    """`chlo.square %x`: the square."""

    name = "chlo.square"


@irdl_op_definition
class BesselI1eOp(RealUnaryOp):
    """`chlo.bessel_i1e %x`: the scaled modified Bessel function of order 1."""

    name = "chlo.bessel_i1e"


@irdl_op_definition
class DigammaOp(RealUnaryOp):
    """`chlo.digamma %x`: the derivative of the logarithm of gamma."""

    name = "chlo.digamma"


@irdl_op_definition
class ErfOp(RealUnaryOp):
    """`chlo.erf %x`: the Gauss error function."""

    name = "chlo.erf"


@irdl_op_definition
class ErfInvOp(RealUnaryOp):
    """`chlo.erf_inv %x`: the inverse of erf."""

    name = "chlo.erf_inv"


@irdl_op_definition
class ErfcOp(RealUnaryOp):
    """`chlo.erfc %x`: 1 - erf(x), exact for large x."""

    name = "chlo.erfc"


@irdl_op_definition
class LgammaOp(RealUnaryOp):
    """`chlo.lgamma %x`: the logarithm of the absolute value of gamma."""

    name = "chlo.lgamma"


@irdl_op_definition
class IsInfOp(PredicateOp):
    """`chlo.is_inf %x`: whether it is infinite."""

    name = "chlo.is_inf"


@irdl_op_definition
class IsNegInfOp(PredicateOp):
    """`chlo.is_neg_inf %x`: whether it is minus infinity."""

    name = "chlo.is_neg_inf"


@irdl_op_definition
class IsPosInfOp(PredicateOp):
    """`chlo.is_pos_inf %x`: whether it is plus infinity."""

    name = "chlo.is_pos_inf"


class BinaryOp(AssembledOp, ABC):
    """Base: an elementwise function of two floats of one type."""

    lhs = operand_def(TensorOf(FLOAT))
    rhs = operand_def(TensorOf(FLOAT))
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = ARROW_TYPES

    def __init__(self, lhs: SSAValue | Operation, rhs: SSAValue | Operation):
        left = SSAValue.get(lhs)
        super().__init__(operands=[left, rhs], result_types=[left.type])

    def verify_(self) -> None:
        expect_same_types(self)


@irdl_op_definition
class NextAfterOp(BinaryOp):
    """`chlo.next_after %x, %y`: the float next to `%x` on the way to `%y`."""

    name = "chlo.next_after"


@irdl_op_definition
class PolygammaOp(BinaryOp):
    """`chlo.polygamma %n, %x`: the derivative of order `%n` of digamma."""

    name = "chlo.polygamma"


@irdl_op_definition
class ZetaOp(BinaryOp):
    """`chlo.zeta %x, %q`: the Hurwitz zeta function."""

    name = "chlo.zeta"


@irdl_op_definition
class MulhiOp(BinaryOp):
    """`chlo.mulhi %x, %y`: the upper half of the bits of the product of integers."""

    name = "chlo.mulhi"
    lhs = operand_def(TensorOf(INTEGER))
    rhs = operand_def(TensorOf(INTEGER))
    traits = traits_def(Commutative())
