"""`chlo`, the client ops that JAX emits beside `stablehlo`: special functions, top-k, scans.

Here are the constants and `top_k`; the other ops are in the modules beside this one.
"""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    BoolAttr,
    IntegerAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Dialect, Operation, SSAValue, TypedAttribute
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
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.exceptions import VerifyException

from .chlo_attributes import (
    ComparisonDirectionAttr,
    ComparisonTypeAttr,
    PrecisionAttr,
    RaggedDotDimensionNumbersAttr,
)
from .chlo_broadcast import BROADCASTING_OPS
from .chlo_elementwise import (
    AcoshOp,
    AcosOp,
    AsinAcosKernelOp,
    AsinhOp,
    AsinOp,
    AtanhOp,
    AtanOp,
    BesselI1eOp,
    ConjOp,
    CoshOp,
    DigammaOp,
    ErfcOp,
    ErfInvOp,
    ErfOp,
    IsInfOp,
    IsNegInfOp,
    IsPosInfOp,
    LgammaOp,
    MulhiOp,
    NextAfterOp,
    PolygammaOp,
    SinhOp,
    SquareOp,
    TanOp,
    ZetaOp,
)
from .chlo_structured import RaggedDotOp, ScanOp
from .stablehlo.assembly import print_attributes, split_attributes
from .stablehlo.constraints import (
    ANY_TENSOR,
    INTEGER,
    TENSOR,
    TRUE,
    TensorOf,
)
from .stablehlo.creation import ELEMENTS, parse_elements
from .stablehlo.inference import shape_of, tensor_of, with_element_type, with_shape
from .stablehlo.rules import expect_element, expect_shape, expect_type


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """`chlo.constant dense<1.0> : tensor<f32>`: a tensor that the program contains."""

    name = "chlo.constant"
    value = prop_def(ELEMENTS)
    output = result_def(TENSOR)
    traits = traits_def(Pure(), ConstantLike())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        value = parse_elements(parser)
        return cls.create(
            properties={"value": value}, attributes=attributes, result_types=[value.get_type()]
        )

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self, ("value",))
        printer.print_string(" ")
        printer.print_attribute(self.value)

    def verify_(self) -> None:
        expect_type("result", self.output.type, self.value.get_type())


@irdl_op_definition
class ConstantLikeOp(IRDLOperation):
    """`"chlo.constant_like"(%x) <{value = 1.0 : f32}>`: one number in the shape of `%x`."""

    name = "chlo.constant_like"
    operand = operand_def(ANY_TENSOR)
    value = prop_def()
    result = result_def(ANY_TENSOR)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        if not isinstance(self.value, TypedAttribute):
            raise VerifyException(f"expected a value with a type, got {self.value}")
        expect_shape("result", self.result.type, shape_of(self.operand))
        expect_element("result", self.result.type, self.value.get_type())


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
        last = operand.get_shape()[-1]
        if k < 0 or (last != DYNAMIC_INDEX and k > last):
            raise VerifyException(f"expected k in [0, {last}], got {k}")
        expected = (*operand.get_shape()[:-1], k)
        for name, value in (("values", self.values), ("indices", self.indices)):
            expect_shape(name, value.type, expected)


CHLO = Dialect(
    "chlo",
    [
        *BROADCASTING_OPS,
        AsinAcosKernelOp,
        ConstantOp,
        RaggedDotOp,
        ScanOp,
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
    [ComparisonDirectionAttr, ComparisonTypeAttr, PrecisionAttr, RaggedDotDimensionNumbersAttr],
)
