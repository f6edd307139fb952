"""Comparison and choice: `compare`, `select`, `clamp`."""

from __future__ import annotations

from typing import ClassVar, Self

from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from .assembly import AssembledOp, print_operands
from .constraints import BOOLEAN, TENSOR, TensorOf
from .enums import (
    ComparisonDirection,
    ComparisonDirectionAttr,
    ComparisonType,
    ComparisonTypeAttr,
)
from .inference import element_of, shape_of, with_element_type
from .rules import expect_element, expect_shape, expect_type
from .signatures import SAME_TYPE, SELECT_TYPES


@irdl_op_definition
class CompareOp(AssembledOp):
    """`stablehlo.compare LT, %x, %y, SIGNED`: compares elements, giving booleans.

    Without a type, floats compare as FLOAT, integers by their signedness. NaN is unequal to
    everything, except under TOTALORDER. The type means nothing for elements of another family: it
    may be any, as in MLIR.
    """

    name = "stablehlo.compare"
    lhs = operand_def(TENSOR)
    rhs = operand_def(TENSOR)
    result = result_def(TensorOf(BOOLEAN))
    comparison_direction = prop_def(ComparisonDirectionAttr)
    compare_type = opt_prop_def(ComparisonTypeAttr)
    traits = traits_def(Pure())

    def __init__(
        self,
        lhs: SSAValue | Operation,
        rhs: SSAValue | Operation,
        direction: ComparisonDirectionAttr | str,
        compare_type: ComparisonTypeAttr | str | None = None,
    ):
        left = SSAValue.get(lhs)
        if isinstance(direction, str):
            direction = ComparisonDirectionAttr(ComparisonDirection(direction))
        if isinstance(compare_type, str):
            compare_type = ComparisonTypeAttr(ComparisonType(compare_type))
        super().__init__(
            operands=[left, rhs],
            result_types=[with_element_type(left.type, i1)],
            properties={"comparison_direction": direction, "compare_type": compare_type},
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        direction = ComparisonDirectionAttr.parse_parameter(parser)
        properties: dict[str, Attribute] = {
            "comparison_direction": ComparisonDirectionAttr(direction)
        }
        parser.parse_punctuation(",")
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        if parser.parse_optional_punctuation(",") is not None:
            kind = ComparisonTypeAttr.parse_parameter(parser)
            properties["compare_type"] = ComparisonTypeAttr(kind)
        return cls.finish_parsing(parser, (lhs, rhs), properties)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.comparison_direction.data.value}, ")
        print_operands(printer, self.operands)
        if self.compare_type is not None:
            printer.print_string(f", {self.compare_type.data.value}")
        self.finish_printing(printer, ("comparison_direction", "compare_type"))

    def verify_(self) -> None:
        expect_element("rhs", self.rhs.type, element_of(self.lhs), "compare_c1")
        expect_shape("rhs", self.rhs.type, shape_of(self.lhs), "compare_c2")
        expect_shape("result", self.result.type, shape_of(self.lhs), "compare_c2")


@irdl_op_definition
class SelectOp(AssembledOp):
    """`stablehlo.select %p, %x, %y`: `%x` where `%p` is true, else `%y`; `%p` may be a scalar."""

    name = "stablehlo.select"
    pred = operand_def(TensorOf(BOOLEAN, label="select_i1"))
    on_true = operand_def(TENSOR)
    on_false = operand_def(TENSOR)
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = SELECT_TYPES

    def __init__(
        self,
        pred: SSAValue | Operation,
        on_true: SSAValue | Operation,
        on_false: SSAValue | Operation,
        result_type: Attribute | None = None,
    ):
        chosen = SSAValue.get(on_true)
        super().__init__(
            operands=[pred, chosen, on_false], result_types=[result_type or chosen.type]
        )

    def verify_(self) -> None:
        expect_type("on_false", self.on_false.type, self.on_true.type, "select_c2")
        expect_type("result", self.result.type, self.on_true.type, "select_c2")
        if shape_of(self.pred):
            expect_shape("pred", self.pred.type, shape_of(self.on_true), "select_c1")


@irdl_op_definition
class ClampOp(AssembledOp):
    """`stablehlo.clamp %min, %x, %max`: limits elements; the limits may be scalars."""

    name = "stablehlo.clamp"
    min = operand_def(TENSOR)
    operand = operand_def(TENSOR)
    max = operand_def(TENSOR)
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = SAME_TYPE

    def __init__(
        self,
        min: SSAValue | Operation,
        operand: SSAValue | Operation,
        max: SSAValue | Operation,
    ):
        value = SSAValue.get(operand)
        super().__init__(operands=[min, value, max], result_types=[value.type])

    def verify_(self) -> None:
        expect_type("result", self.result.type, self.operand.type, "clamp_c4")
        for name, limit, label in (("min", self.min, "clamp_c1"), ("max", self.max, "clamp_c2")):
            expect_element(name, limit.type, element_of(self.operand), "clamp_c3")
            if shape_of(limit):
                expect_shape(name, limit.type, shape_of(self.operand), label)
