"""`chlo`, the client ops that JAX emits beside `stablehlo`: special functions, top-k.

They print as `chlo.erf %x : tensor<f32> -> tensor<f32>`.
"""

from __future__ import annotations

from abc import ABC
from typing import ClassVar, Self

from xdsl.dialects.builtin import (
    I64,
    BoolAttr,
    IntegerAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Commutative, Pure
from xdsl.utils.exceptions import VerifyException

from .stablehlo.assembly import AssembledOp, print_attributes, split_attributes
from .stablehlo.constraints import (
    BOOLEAN,
    FLOAT,
    FLOAT_COMPLEX,
    INTEGER,
    TENSOR,
    TRUE,
    TensorOf,
)
from .stablehlo.inference import shape_of, tensor_of, with_element_type, with_shape
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


@irdl_op_definition
class ConstantLikeOp(IRDLOperation):
    """`"chlo.constant_like"(%x) <{value = 1.0 : f32}>`: one number in the shape of `%x`."""

    name = "chlo.constant_like"
    operand = operand_def(TENSOR)
    value = prop_def()
    result = result_def(TENSOR)
    traits = traits_def(Pure())


@irdl_op_definition
class TopKOp(IRDLOperation):
    """`chlo.top_k(%x, k = 3)`: the k largest of the last dimension, sorted, and their indices.

    Of equal elements the one with the lower index comes first. NaN counts as larger than any number.
    """

    name = "chlo.top_k"
    operand = operand_def(TENSOR)
    k = prop_def(IntegerAttr[I64])
    is_stable = opt_prop_def(BoolAttr, TRUE)
    values = result_def(TENSOR)
    indices = result_def(TensorOf(INTEGER))
    traits = traits_def(Pure())

    def __init__(self, operand: SSAValue | Operation, k: int):
        value = SSAValue.get(operand)
        values = with_shape(value.type, (*tensor_of(value).get_shape()[:-1], k))
        super().__init__(
            operands=[value],
            properties={"k": IntegerAttr(k, i64)},
            result_types=[values, with_element_type(values, i32)],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        with parser.in_parens():
            operand = parser.parse_unresolved_operand()
            parser.parse_punctuation(",")
            parser.parse_keyword("k")
            parser.parse_punctuation("=")
            properties["k"] = IntegerAttr(parser.parse_integer(), i64)
            if parser.parse_optional_punctuation(",") is not None:
                parser.parse_keyword("is_stable")
                parser.parse_punctuation("=")
                properties["is_stable"] = BoolAttr.from_bool(parser.parse_boolean())
        extra, attributes = split_attributes(cls, parser.parse_optional_attr_dict())
        parser.parse_punctuation(":")
        operand_type = parser.parse_type()
        parser.parse_punctuation("->")
        result_types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        return cls.create(
            operands=[parser.resolve_operand(operand, operand_type)],
            result_types=result_types,
            properties=properties | extra,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        with printer.in_parens():
            printer.print_ssa_value(self.operand)
            printer.print_string(f", k = {self.k.value.data}")
            if (stable := self.properties.get("is_stable")) is not None:
                printer.print_string(", is_stable = ")
                printer.print_attribute(stable)
        print_attributes(printer, self, ("k", "is_stable"))
        printer.print_string(" : ")
        printer.print_attribute(self.operand.type)
        printer.print_string(" -> ")
        with printer.in_parens():
            printer.print_list(self.result_types, printer.print_attribute)

    def verify_(self) -> None:
        operand = tensor_of(self.operand)
        k = self.k.value.data
        if not operand.get_shape():
            raise VerifyException(f"expected rank 1 or more, got {operand}")
        expected = (*operand.get_shape()[:-1], k)
        for name, value in (("values", self.values), ("indices", self.indices)):
            expect_shape(name, value.type, expected)


CHLO = Dialect(
    "chlo",
    [
        AcosOp,
        AcoshOp,
        AsinOp,
        AsinhOp,
        AtanOp,
        AtanhOp,
        ConjOp,
        CoshOp,
        SinhOp,
        TanOp,
        SquareOp,
        BesselI1eOp,
        DigammaOp,
        ErfOp,
        ErfInvOp,
        ErfcOp,
        LgammaOp,
        IsInfOp,
        IsNegInfOp,
        IsPosInfOp,
        NextAfterOp,
        PolygammaOp,
        ZetaOp,
        MulhiOp,
        ConstantLikeOp,
        TopKOp,
    ],
)
