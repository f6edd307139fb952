"""Ops that make tensors from nothing: `constant`, `iota`."""

from __future__ import annotations

from typing import ClassVar, Self, cast

from xdsl.dialects.builtin import (
    I64,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
)
from xdsl.ir import Attribute
from xdsl.irdl import BaseAttr, IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure

from .assembly import AssembledOp, print_attributes, split_attributes
from .clauses import Int
from .constraints import (
    ANY_TENSOR,
    INTEGER_FLOAT_COMPLEX_QUANTIZED,
    TensorOf,
    i64_attr,
    quantized_element,
)
from .inference import shape_of
from .rules import expect_dims, expect_element, expect_shape, expect_type
from .signatures import SAME_TYPE

ELEMENTS = BaseAttr(DenseIntOrFPElementsAttr) | BaseAttr(DenseResourceAttr)
"""The values of a constant: written out, or kept beside the program."""


def parse_elements(parser: Parser) -> DenseIntOrFPElementsAttr | DenseResourceAttr:
    """Parses `dense<...> : tensor<...>`."""
    value = parser.parse_attribute()
    if not isinstance(value, DenseIntOrFPElementsAttr | DenseResourceAttr):
        parser.raise_error(f"expected the elements of a tensor, got {value}")
    return cast("DenseIntOrFPElementsAttr | DenseResourceAttr", value)


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """`stablehlo.constant dense<1.0> : tensor<f32>`: a tensor that the program contains."""

    name = "stablehlo.constant"
    value = prop_def(ELEMENTS)
    output = result_def(ANY_TENSOR)
    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: DenseIntOrFPElementsAttr | DenseResourceAttr):
        super().__init__(properties={"value": value}, result_types=[value.get_type()])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        if parser.parse_optional_punctuation("(") is not None:
            return cls._parse_generic_form(parser)
        _, attributes = split_attributes(cls, parser.parse_optional_attr_dict())
        elements = parse_elements(parser)
        return cls.create(
            properties={"value": elements},
            attributes=attributes,
            result_types=[elements.get_type()],
        )

    @classmethod
    def _parse_generic_form(cls, parser: Parser) -> Self:
        """Parses `() <{value = ...}> : () -> type`, used when the type is not the value's."""
        parser.parse_punctuation(")")
        properties = parser.parse_optional_properties_dict()
        extra, attributes = split_attributes(cls, parser.parse_optional_attr_dict())
        parser.parse_punctuation(":")
        function_type = parser.parse_function_type()
        return cls.create(
            properties=properties | extra,
            attributes=attributes,
            result_types=function_type.outputs.data,
        )

    def print(self, printer: Printer) -> None:
        if self.output.type != self.value.get_type():
            printer.print_op_with_default_format(self)
            return
        print_attributes(printer, self, ("value",))
        printer.print_string(" ")
        printer.print_attribute(self.value)

    def verify_(self) -> None:
        expected = self.value.get_type()
        if (quantized := quantized_element(self.output.type)) is not None:
            # The elements are written as the integers that are stored.
            storage = quantized.storage_type
            if storage.signedness.data is not Signedness.UNSIGNED:
                storage = IntegerType(storage.width.data)
            expect_element("value", expected, storage, "constant_c1")
            expect_shape("result", self.output.type, shape_of(expected), "constant_c1")
        else:
            expect_type("result", self.output.type, expected, "constant_c1")


@irdl_op_definition
class IotaOp(AssembledOp):
    """`stablehlo.iota dim = 0 : tensor<4xi32>`: counts 0, 1, 2, ... along one dimension."""

    name = "stablehlo.iota"
    iota_dimension = prop_def(IntegerAttr[I64])
    output = result_def(TensorOf(INTEGER_FLOAT_COMPLEX_QUANTIZED))
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Int("dim", "iota_dimension"),)
    SIGNATURE: ClassVar = SAME_TYPE

    def __init__(self, iota_dimension: int | IntegerAttr[I64], result_type: Attribute):
        super().__init__(
            properties={"iota_dimension": i64_attr(iota_dimension)}, result_types=[result_type]
        )

    def verify_(self) -> None:
        expect_dims(
            "iota_dimension",
            [self.iota_dimension.value.data],
            len(shape_of(self.output)),
            "iota_c1",
        )
