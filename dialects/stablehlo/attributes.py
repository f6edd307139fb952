"""Structured attributes of `stablehlo`: dimension numbers, accuracy, channels, bounds, aliases.

Lists of dimensions are `DimsAttr` (`.data` is a tuple of integers), single numbers `IntAttr`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Self, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    FloatAttr,
    IntAttr,
    f64,
)
from xdsl.ir import Attribute, Data, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .enums import ResultAccuracyMode, ResultAccuracyModeAttr


@irdl_attr_definition
class DimsAttr(Data[tuple[int, ...]]):
    """A list of dimension numbers or sizes, `[0, 2]`; `?` stands for `DYNAMIC_INDEX`."""

    name = "stablehlo.dims"

    @property
    def ints(self) -> tuple[int, ...]:
        return self.data

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[int, ...]:
        return tuple(
            parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: parse_dimension_size(parser)
            )
        )

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_square_brackets():
            printer.print_list(self.data, lambda size: print_dimension_size(printer, size))


def parse_dimension_size(parser: AttrParser) -> int:
    """Parses an integer, or `?`."""
    if parser.parse_optional_punctuation("?") is not None:
        return DYNAMIC_INDEX
    return parser.parse_integer()


def print_dimension_size(printer: Printer, size: int) -> None:
    """Prints an integer, or `?`."""
    printer.print_string("?" if size == DYNAMIC_INDEX else str(size))


def _dims(values: Sequence[int] | DimsAttr) -> DimsAttr:
    return values if isinstance(values, DimsAttr) else DimsAttr(tuple(values))


def _number(value: int | IntAttr) -> IntAttr:
    return value if isinstance(value, IntAttr) else IntAttr(value)


class DimensionNumbersAttr(ParametrizedAttribute):
    """Base of `<name = [..], other_name = 1>`: fields in any order, empty or zero ones left out."""

    NUMBERS: ClassVar[tuple[str, ...]] = ()
    """The fields that are one number, not a list."""

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        fields = tuple(name for name, _ in cls.get_irdl_definition().parameters)
        found: dict[str, Attribute] = {}
        parser.parse_punctuation("<")
        while parser.parse_optional_punctuation(">") is None:
            field = parser.parse_keyword_in(fields)
            if field in found:
                parser.raise_error(f"expected each field once, got '{field}' twice")
            parser.parse_punctuation("=")
            if field in cls.NUMBERS:
                found[field] = IntAttr(parser.parse_integer())
            else:
                found[field] = DimsAttr(DimsAttr.parse_parameter(parser))
            if parser.parse_optional_punctuation(",") is None:
                parser.parse_punctuation(">")
                break
        return [found.get(field, cls._default(field)) for field in fields]

    def print_parameters(self, printer: Printer) -> None:
        names = (name for name, _ in self.get_irdl_definition().parameters)
        shown = [
            (name, value)
            for name, value in zip(names, self.parameters)
            if value != self._default(name)
        ]
        with printer.in_angle_brackets():
            printer.print_list(shown, lambda item: print_field(printer, *item))

    @classmethod
    def _default(cls, field: str) -> DimsAttr | IntAttr:
        return _ZERO if field in cls.NUMBERS else _NO_DIMS


def print_field(printer: Printer, field: str, value: Attribute) -> None:
    """Prints `field = value`."""
    printer.print_string(f"{field} = ")
    if isinstance(value, DimsAttr):
        value.print_parameter(printer)
    elif isinstance(value, IntAttr):
        printer.print_string(str(cast(IntAttr, value).data))
    else:
        printer.print_attribute(value)


_NO_DIMS = DimsAttr(())
_ZERO = IntAttr(0)


@irdl_attr_definition
class DotDimensionNumbersAttr(DimensionNumbersAttr):
    """Which dimensions `dot_general` runs over in step (batching) and sums over (contracting)."""

    name = "stablehlo.dot"
    lhs_batching_dimensions: DimsAttr
    rhs_batching_dimensions: DimsAttr
    lhs_contracting_dimensions: DimsAttr
    rhs_contracting_dimensions: DimsAttr

    def __init__(
        self,
        lhs_batching_dimensions: Sequence[int] | DimsAttr,
        rhs_batching_dimensions: Sequence[int] | DimsAttr,
        lhs_contracting_dimensions: Sequence[int] | DimsAttr,
        rhs_contracting_dimensions: Sequence[int] | DimsAttr,
    ):
        super().__init__(
            _dims(lhs_batching_dimensions),
            _dims(rhs_batching_dimensions),
            _dims(lhs_contracting_dimensions),
            _dims(rhs_contracting_dimensions),
        )


@irdl_attr_definition
class GatherDimensionNumbersAttr(DimensionNumbersAttr):
    """How `gather` maps indices to slices of its operand, and slices to its result."""

    name = "stablehlo.gather"
    offset_dims: DimsAttr
    collapsed_slice_dims: DimsAttr
    operand_batching_dims: DimsAttr
    start_indices_batching_dims: DimsAttr
    start_index_map: DimsAttr
    index_vector_dim: IntAttr
    NUMBERS: ClassVar = ("index_vector_dim",)

    def __init__(
        self,
        offset_dims: Sequence[int] | DimsAttr,
        collapsed_slice_dims: Sequence[int] | DimsAttr,
        operand_batching_dims: Sequence[int] | DimsAttr,
        start_indices_batching_dims: Sequence[int] | DimsAttr,
        start_index_map: Sequence[int] | DimsAttr,
        index_vector_dim: int | IntAttr,
    ):
        super().__init__(
            _dims(offset_dims),
            _dims(collapsed_slice_dims),
            _dims(operand_batching_dims),
            _dims(start_indices_batching_dims),
            _dims(start_index_map),
            _number(index_vector_dim),
        )


@irdl_attr_definition
class ScatterDimensionNumbersAttr(DimensionNumbersAttr):
    """How `scatter` maps update slices to places in its inputs."""

    name = "stablehlo.scatter"
    update_window_dims: DimsAttr
    inserted_window_dims: DimsAttr
    input_batching_dims: DimsAttr
    scatter_indices_batching_dims: DimsAttr
    scatter_dims_to_operand_dims: DimsAttr
    index_vector_dim: IntAttr
    NUMBERS: ClassVar = ("index_vector_dim",)

    def __init__(
        self,
        update_window_dims: Sequence[int] | DimsAttr,
        inserted_window_dims: Sequence[int] | DimsAttr,
        input_batching_dims: Sequence[int] | DimsAttr,
        scatter_indices_batching_dims: Sequence[int] | DimsAttr,
        scatter_dims_to_operand_dims: Sequence[int] | DimsAttr,
        index_vector_dim: int | IntAttr,
    ):
        super().__init__(
            _dims(update_window_dims),
            _dims(inserted_window_dims),
            _dims(input_batching_dims),
            _dims(scatter_indices_batching_dims),
            _dims(scatter_dims_to_operand_dims),
            _number(index_vector_dim),
        )


class RecordAttr(ParametrizedAttribute):
    """Base of `<field = value, ...>` with every field present and in order."""

    FIELDS: ClassVar[dict[str, Callable[[AttrParser], Attribute]]]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        values: list[Attribute] = []
        with parser.in_angle_brackets():
            for field, parse in cls.FIELDS.items():
                if values:
                    parser.parse_punctuation(",")
                parser.parse_keyword(field)
                parser.parse_punctuation("=")
                values.append(parse(parser))
        return values

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(
                zip(self.FIELDS, self.parameters), lambda item: print_field(printer, *item)
            )


def _int_field(parser: AttrParser) -> Attribute:
    return IntAttr(parser.parse_integer())


def _dims_field(parser: AttrParser) -> Attribute:
    return DimsAttr(DimsAttr.parse_parameter(parser))


def _bool_field(parser: AttrParser) -> Attribute:
    return BoolAttr.from_bool(parser.parse_boolean())


def _type_field(parser: AttrParser) -> Attribute:
    return parser.parse_type()


@irdl_attr_definition
class ChannelHandleAttr(RecordAttr):
    """`#stablehlo.channel_handle<handle = 1, type = 0>`: names a channel between processes."""

    name = "stablehlo.channel_handle"
    handle: IntAttr
    type: IntAttr
    FIELDS: ClassVar = {"handle": _int_field, "type": _int_field}


@irdl_attr_definition
class OutputOperandAliasAttr(RecordAttr):
    """An output of a custom call that shares memory with one of its operands."""

    name = "stablehlo.output_operand_alias"
    output_tuple_indices: DimsAttr
    operand_index: IntAttr
    operand_tuple_indices: DimsAttr
    FIELDS: ClassVar = {
        "output_tuple_indices": _dims_field,
        "operand_index": _int_field,
        "operand_tuple_indices": _dims_field,
    }


@irdl_attr_definition
class DotAlgorithmAttr(RecordAttr):
    """The algorithm a `dot_general` must use: precisions of operands and of accumulation."""

    name = "stablehlo.dot_algorithm"
    lhs_precision_type: Attribute
    rhs_precision_type: Attribute
    accumulation_type: Attribute
    lhs_component_count: IntAttr
    rhs_component_count: IntAttr
    num_primitive_operations: IntAttr
    allow_imprecise_accumulation: BoolAttr
    FIELDS: ClassVar = {
        "lhs_precision_type": _type_field,
        "rhs_precision_type": _type_field,
        "accumulation_type": _type_field,
        "lhs_component_count": _int_field,
        "rhs_component_count": _int_field,
        "num_primitive_operations": _int_field,
        "allow_imprecise_accumulation": _bool_field,
    }

    def is_known(self) -> bool:
        """Whether it is one of the combinations that there is an implementation of."""
        if (self.lhs_component_count.data, self.rhs_component_count.data) != (1, 1):
            return False
        operations = self.num_primitive_operations.data
        types = [str(type) for type in self.parameters[:3]]
        if all(type.startswith("f8") for type in types[:2]):
            return types[2] == "f32" and operations == 1
        imprecise = self.allow_imprecise_accumulation == BoolAttr.from_bool(True)
        return not imprecise and operations in _KNOWN_ALGORITHMS.get(" ".join(types), ())


_KNOWN_ALGORITHMS = {
    "f16 f16 f16": (1,),
    "f16 f16 f32": (1,),
    "bf16 bf16 bf16": (1,),
    "bf16 bf16 f32": (1, 3, 6, 9),
    "tf32 tf32 f32": (1, 3),
    "f32 f32 f32": (1,),
    "f64 f64 f64": (1,),
}
"""By the types of the operands and of the sum: how many products stand for one."""


@irdl_attr_definition
class ResultAccuracyAttr(ParametrizedAttribute):
    """The accuracy asked of a transcendental function: tolerances, or a mode."""

    name = "stablehlo.result_accuracy"
    atol: FloatAttr
    rtol: FloatAttr
    ulps: IntAttr
    mode: ResultAccuracyModeAttr

    def verify(self) -> None:
        tolerances = (self.atol.value.data, self.rtol.value.data, self.ulps.data)
        if min(tolerances) < 0:
            raise VerifyException(f"expected tolerances of at least 0, got {min(tolerances)}")
        if self.mode.data != ResultAccuracyMode.TOLERANCE and any(tolerances):
            mode = self.mode.data.value
            raise VerifyException(f"expected no tolerances with mode {mode}, got {tolerances}")

    @classmethod
    def default(cls) -> Self:
        zero = FloatAttr(0.0, f64)
        return cls(zero, zero, IntAttr(0), ResultAccuracyModeAttr(ResultAccuracyMode.DEFAULT))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        tolerances = {"atol": 0.0, "rtol": 0.0}
        ulps = 0
        with parser.in_angle_brackets():
            for field in tolerances:
                if parser.parse_optional_keyword(field) is not None:
                    parser.parse_punctuation("=")
                    tolerances[field] = float(parser.parse_number())
                    parser.parse_punctuation(",")
            if parser.parse_optional_keyword("ulps") is not None:
                parser.parse_punctuation("=")
                ulps = parser.parse_integer()
                parser.parse_punctuation(",")
            parser.parse_keyword("mode")
            parser.parse_punctuation("=")
            mode = parser.parse_attribute()
        return [
            FloatAttr(tolerances["atol"], f64),
            FloatAttr(tolerances["rtol"], f64),
            IntAttr(ulps),
            mode,
        ]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            for field, value in (("atol", self.atol), ("rtol", self.rtol)):
                if value.value.data:
                    printer.print_string(f"{field} = ")
                    printer.print_float(value.value.data, f64)
                    printer.print_string(", ")
            if self.ulps.data:
                printer.print_string(f"ulps = {self.ulps.data}, ")
            printer.print_string("mode = ")
            printer.print_attribute(self.mode)
