"""Convolution and its dimension numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, cast

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from .assembly import AssembledOp
from .attributes import DimsAttr, print_field
from .clauses import parse_dims
from .constraints import (
    ANY_TENSOR,
    BOOL_ARRAY,
    I64_ARRAY,
    INTEGER,
    TENSOR,
    TensorOf,
    i64_array,
)
from .convolution_rules import verify_convolution
from .enums import PrecisionAttr
from .inference import constant_integers, number_pairs, padding_pairs, shape_of
from .rules import expect_shape, mismatch


@irdl_attr_definition
class ConvDimensionNumbersAttr(ParametrizedAttribute):
    """`#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>`: what each dimension is.

    Of the input and the output: batch (b), feature (f) or spatial (a number); of the kernel: input
    feature (i), output feature (o) or spatial.
    """

    name = "stablehlo.conv"
    input_batch_dimension: IntAttr
    input_feature_dimension: IntAttr
    input_spatial_dimensions: DimsAttr
    kernel_input_feature_dimension: IntAttr
    kernel_output_feature_dimension: IntAttr
    kernel_spatial_dimensions: DimsAttr
    output_batch_dimension: IntAttr
    output_feature_dimension: IntAttr
    output_spatial_dimensions: DimsAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            if parser.parse_optional_keyword("raw") is not None:
                return cls._parse_raw(parser)
            return cls.parse_stripped(parser)

    @classmethod
    def _parse_raw(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parses `input_batch_dimension = 0, ...`: all numbers by name, whether they fit or not."""
        values: list[Attribute] = []
        for field, _ in cls.get_irdl_definition().parameters:
            if values:
                parser.parse_punctuation(",")
            parser.parse_keyword(field)
            parser.parse_punctuation("=")
            if field.endswith("spatial_dimensions"):
                values.append(DimsAttr(DimsAttr.parse_parameter(parser)))
            else:
                values.append(IntAttr(parser.parse_integer()))
        return values

    @staticmethod
    def parse_stripped(parser: AttrParser) -> Sequence[Attribute]:
        """Parses `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`."""
        values = [*_parse_layout(parser, "bf")]
        parser.parse_keyword("x")
        values.extend(_parse_layout(parser, "io"))
        parser.parse_punctuation("->")
        values.extend(_parse_layout(parser, "bf"))
        return values

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            if self.is_layout():
                self.print_stripped(printer)
            else:
                printer.print_string("raw ")
                fields = (name for name, _ in self.get_irdl_definition().parameters)
                printer.print_list(
                    zip(fields, self.parameters), lambda item: print_field(printer, *item)
                )

    def is_layout(self) -> bool:
        """Whether each dimension of input, kernel and output has one meaning."""
        for first, second, spatial in (self.parameters[i : i + 3] for i in (0, 3, 6)):
            dims = [cast(IntAttr, first).data, cast(IntAttr, second).data]
            dims += cast(DimsAttr, spatial).data
            if sorted(dims) != list(range(len(dims))):
                return False
        return True

    def print_stripped(self, printer: Printer) -> None:
        """Prints `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`."""
        layouts = [
            _show_layout("bf", self.parameters[0:3]),
            _show_layout("io", self.parameters[3:6]),
            _show_layout("bf", self.parameters[6:9]),
        ]
        printer.print_string(f"{layouts[0]}x{layouts[1]}->{layouts[2]}")


def _parse_layout(parser: AttrParser, letters: str) -> Sequence[Attribute]:
    """Parses `[b, 0, 1, f]` into the places of both letters and of the spatial dimensions."""
    entries = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: _parse_layout_entry(parser, letters)
    )
    spatial = len(entries) - len(letters)
    wanted = [*letters, *range(spatial)]
    if set(entries) != set(wanted) or len(entries) != len(wanted):
        listed = ", ".join(map(str, wanted))
        parser.raise_error(f"expected each of {listed} once, got {entries}")
    places = {entry: i for i, entry in enumerate(entries)}
    dims = DimsAttr(tuple(places[number] for number in range(spatial)))
    return [IntAttr(places[letters[0]]), IntAttr(places[letters[1]]), dims]


def _parse_layout_entry(parser: AttrParser, letters: str) -> str | int:
    number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
    if number is not None:
        return number
    return parser.parse_keyword_in(tuple(letters))


def _show_layout(letters: str, parameters: Sequence[Attribute]) -> str:
    first, second, spatial = parameters
    assert isinstance(spatial, DimsAttr)
    entries = {
        cast(IntAttr, first).data: letters[0],
        cast(IntAttr, second).data: letters[1],
        **{place: str(number) for number, place in enumerate(spatial.data)},
    }
    return f"[{', '.join(entries[place] for place in sorted(entries))}]"


_WINDOW = {
    "stride": "window_strides",
    "pad": "padding",
    "lhs_dilate": "lhs_dilation",
    "rhs_dilate": "rhs_dilation",
    "reverse": "window_reversal",
}
"""Keywords of the window's part of the assembly, and the properties they say."""


@irdl_op_definition
class DynamicConvOp(IRDLOperation):
    """`"stablehlo.dynamic_conv"(%x, %w, %padding)`: `convolution` with padding from run time."""

    name = "stablehlo.dynamic_conv"
    lhs = operand_def(TENSOR)
    rhs = operand_def(ANY_TENSOR)
    padding = operand_def(TensorOf(INTEGER, rank=2, label="dynamic_conv_i3"))
    window_strides = opt_prop_def(I64_ARRAY)
    lhs_dilation = opt_prop_def(I64_ARRAY)
    rhs_dilation = opt_prop_def(I64_ARRAY)
    window_reversal = opt_prop_def(BOOL_ARRAY)
    dimension_numbers = prop_def(ConvDimensionNumbersAttr)
    feature_group_count = prop_def(IntegerAttr[I64])
    batch_group_count = prop_def(IntegerAttr[I64])
    precision_config = opt_prop_def(ArrayAttr[PrecisionAttr])
    result = result_def(ANY_TENSOR)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        count = len(shape_of(self.lhs)) - 2
        expect_shape("padding", self.padding.type, (count, 2), "dynamic_conv_c4")
        amounts = constant_integers(self.padding)
        pairs = None if amounts is None else list(zip(amounts[::2], amounts[1::2]))
        verify_convolution(self, pairs)


@irdl_op_definition
class ConvolutionOp(AssembledOp):
    """`stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {...}`.

    Sums products of the kernel with the window of the input that it covers, wherever it moves.
    """

    name = "stablehlo.convolution"
    lhs = operand_def(TENSOR)
    rhs = operand_def(ANY_TENSOR)
    window_strides = opt_prop_def(I64_ARRAY)
    padding = opt_prop_def(DenseIntOrFPElementsAttr)
    lhs_dilation = opt_prop_def(I64_ARRAY)
    rhs_dilation = opt_prop_def(I64_ARRAY)
    window_reversal = opt_prop_def(BOOL_ARRAY)
    dimension_numbers = prop_def(ConvDimensionNumbersAttr)
    feature_group_count = prop_def(IntegerAttr[I64])
    batch_group_count = prop_def(IntegerAttr[I64])
    precision_config = opt_prop_def(ArrayAttr[PrecisionAttr])
    result = result_def(ANY_TENSOR)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        count = len(shape_of(self.lhs)) - 2
        pairs = padding_pairs(self.padding, count)
        if pairs is None:
            got = "none" if self.padding is None else list(self.padding.get_shape())
            raise mismatch(f"padding of shape [{count}, 2]", got, "convolution_c4")
        verify_convolution(self, pairs)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        parser.parse_keyword("dim_numbers")
        parser.parse_punctuation("=")
        numbers = ConvDimensionNumbersAttr.parse_stripped(parser)
        properties: dict[str, Attribute] = {
            "dimension_numbers": ConvDimensionNumbersAttr.new(numbers)
        }
        parser.parse_punctuation(",")
        parser.parse_keyword("window")
        parser.parse_punctuation("=")
        entries = parser.parse_comma_separated_list(
            parser.Delimiter.BRACES, lambda: _parse_window_entry(parser)
        )
        return cls.finish_parsing(parser, operands, properties | dict(entries))

    def print(self, printer: Printer) -> None:
        printer.print_operands(self.operands)
        printer.print_string(" dim_numbers = ")
        self.dimension_numbers.print_stripped(printer)
        printer.print_string(", window = ")
        entries = [
            f"{keyword} = {_show_numbers(self.properties[name])}"
            for keyword, name in _WINDOW.items()
            if name in self.properties
        ]
        printer.print_string(f"{{{', '.join(entries)}}}")
        self.finish_printing(printer, ("dimension_numbers", *_WINDOW.values()))


def _parse_window_entry(parser: Parser) -> tuple[str, Attribute]:
    keyword = parser.parse_keyword_in(tuple(_WINDOW))
    parser.parse_punctuation("=")
    if keyword == "pad":
        pairs = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parse_dims(parser)
        )
        if any(len(pair) != 2 for pair in pairs):
            parser.raise_error(f"expected pairs of numbers, got {pairs}")
        numbers = [number for pair in pairs for number in pair]
        return "padding", DenseIntOrFPElementsAttr.from_list(
            TensorType(i64, (len(pairs), 2)), numbers
        )
    if keyword == "reverse":
        flags = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_boolean)
        return "window_reversal", DenseArrayBase.from_list(i1, flags)
    return _WINDOW[keyword], i64_array(parse_dims(parser))


def _show_numbers(attribute: Attribute) -> str:
    if isinstance(attribute, DenseIntOrFPElementsAttr):
        return str([list(pair) for pair in number_pairs(cast(DenseIntOrFPElementsAttr, attribute))])
    values = cast("DenseArrayBase[IntegerType]", attribute)
    if values.elt_type == i1:
        return f"[{', '.join('true' if value else 'false' for value in values.get_values())}]"
    return str(list(values.get_values()))
