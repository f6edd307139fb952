"""`quant`: the types of quantized elements, `!quant.uniform<...>`, which `stablehlo` tensors can have.

An element is an integer of the storage type that stands for `(integer - zero point) * scale`, a
number of the expressed type. Scales and zero points belong to the whole tensor (per-tensor), to
each index of one dimension (per-axis), or to each block of several dimensions (sub-channel):

    !quant.uniform<i8:f32, 0.5:-3>
    !quant.uniform<i8<-127:127>:f32:1, {0.5:-3,0.25}>
    !quant.uniform<i8:f32:{0:2, 1:4}, {{0.5, 0.25:7}}>

The rules are those of "quantized element types" in the StableHLO specification, by their numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatData,
    IntAttr,
    IntegerType,
    Signedness,
    f64,
)
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.mlir_lexer import MLIRTokenKind

Parameters = tuple[list[float], list[int], list[int]]
"""Scales, zero points, and the sizes of the lists that they are nested in."""

_SCALE_RANGE: dict[type[Attribute], tuple[float, float]] = {
    Float16Type: (2.0**-24, 65504.0),
    BFloat16Type: (2.0**-133, (2 - 2.0**-7) * 2.0**127),
    Float32Type: (2.0**-149, (2 - 2.0**-23) * 2.0**127),
    Float64Type: (5e-324, 1.7976931348623157e308),
}
"""The least and the greatest scale that an expressed type can hold."""


def _ints(values: Sequence[int]) -> ArrayAttr[IntAttr]:
    return ArrayAttr([IntAttr(value) for value in values])


@irdl_attr_definition
class UniformQuantizedType(ParametrizedAttribute, TypeAttribute):
    """`!quant.uniform<storage:expressed, scale:zero point>`, of any of the three granularities."""

    name = "quant.uniform"
    storage_type: IntegerType
    storage_min: IntAttr
    storage_max: IntAttr
    expressed_type: Attribute
    dimensions: ArrayAttr[IntAttr]
    """The quantized dimensions: none for per-tensor, one for per-axis."""
    block_sizes: ArrayAttr[IntAttr]
    """For sub-channel quantization, how many indices of each dimension share their parameters."""
    scales: ArrayAttr[FloatData]
    zero_points: ArrayAttr[IntAttr]
    grid: ArrayAttr[IntAttr]
    """For sub-channel quantization, the shape of the lists of parameters."""

    @property
    def is_per_tensor(self) -> bool:
        return not self.dimensions.data

    @property
    def is_per_axis(self) -> bool:
        return bool(self.dimensions.data) and not self.block_sizes.data

    @property
    def axis(self) -> int | None:
        """The quantized dimension of a per-axis type."""
        return self.dimensions.data[0].data if self.is_per_axis else None

    @property
    def scale_values(self) -> tuple[float, ...]:
        return tuple(scale.data for scale in self.scales.data)

    @property
    def zero_point_values(self) -> tuple[int, ...]:
        return tuple(zero_point.data for zero_point in self.zero_points.data)

    def baseline(self) -> tuple[Attribute, ...]:
        """All that types must share which differ only in their scales and zero points."""
        return self.parameters[:6]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            storage = _parse_storage_type(parser)
            low, high = storage_range(storage)
            if parser.parse_optional_punctuation("<") is not None:
                low = parser.parse_integer()
                parser.parse_punctuation(":")
                high = parser.parse_integer()
                parser.parse_punctuation(">")
            parser.parse_punctuation(":")
            expressed = parser.parse_type()
            dimensions: list[int] = []
            blocks: list[int] = []
            if parser.parse_optional_punctuation(":") is not None:
                if (axis := parser.parse_optional_integer(allow_boolean=False)) is not None:
                    dimensions.append(axis)
                else:
                    for axis, block in parser.parse_comma_separated_list(
                        parser.Delimiter.BRACES, lambda: _parse_block(parser)
                    ):
                        dimensions.append(axis)
                        blocks.append(block)
            parser.parse_punctuation(",")
            if not dimensions:
                scale, zero_point = _parse_parameter(parser)
                parameters: Parameters = [scale], [zero_point], []
            else:
                parameters = _parse_nested(parser)
                if not blocks and len(parameters[2]) != 1:
                    parser.raise_error("expected one list of parameters for one dimension")
        scales, zero_points, grid = parameters
        return [
            storage,
            IntAttr(low),
            IntAttr(high),
            expressed,
            _ints(dimensions),
            _ints(blocks),
            ArrayAttr([FloatData(scale) for scale in scales]),
            _ints(zero_points),
            _ints(grid if blocks else []),
        ]

    def print_parameters(self, printer: Printer) -> None:
        signed = self.storage_type.signedness.data is not Signedness.UNSIGNED
        low, high = self.storage_min.data, self.storage_max.data
        with printer.in_angle_brackets():
            printer.print_string(f"{'i' if signed else 'u'}{self.storage_type.width.data}")
            if (low, high) != storage_range(self.storage_type):
                printer.print_string(f"<{low}:{high}>")
            printer.print_string(":")
            printer.print_attribute(self.expressed_type)
            if self.block_sizes.data:
                pairs = zip(self.dimensions.data, self.block_sizes.data)
                blocks = ", ".join(f"{axis.data}:{block.data}" for axis, block in pairs)
                printer.print_string(f":{{{blocks}}}")
            elif self.dimensions.data:
                printer.print_string(f":{self.axis}")
            printer.print_string(", ")
            if self.is_per_tensor:
                self._print_parameter(printer, 0)
            elif self.is_per_axis:
                self._print_list(printer, range(len(self.scales.data)), (), ",")
            else:
                grid = [size.data for size in self.grid.data]
                self._print_list(printer, range(len(self.scales.data)), grid[1:], ", ")

    def _print_list(
        self, printer: Printer, indices: range, sizes: Sequence[int], separator: str
    ) -> None:
        """Prints `{...}` around the parameters of `indices`, nested in lists of the given sizes."""
        step = math.prod(sizes)
        printer.print_string("{")
        for start in indices[::step] if step else ():
            if start != indices[0]:
                printer.print_string(separator)
            if sizes:
                self._print_list(printer, range(start, start + step), sizes[1:], separator)
            else:
                self._print_parameter(printer, start)
        printer.print_string("}")

    def _print_parameter(self, printer: Printer, index: int) -> None:
        printer.print_float(self.scales.data[index].data, f64)
        if zero_point := self.zero_points.data[index].data:
            printer.print_string(f":{zero_point}")

    def verify(self) -> None:
        width = self.storage_type.width.data
        if not 1 <= width <= 32:
            raise VerifyException(f"expected a storage type of 1 to 32 bits, got {width}")
        low, high = self.storage_min.data, self.storage_max.data
        least, greatest = storage_range(self.storage_type)
        if not least <= low < high <= greatest:
            raise _mismatch(f"a storage range in [{least}, {greatest}]", f"{low}:{high}", 3)
        if not isinstance(self.expressed_type, AnyFloat):
            raise _mismatch("an expressed type of floats", self.expressed_type, 4)
        bounds = _SCALE_RANGE.get(type(self.expressed_type))
        for scale in self.scale_values:
            if math.isnan(scale) or math.isinf(scale):
                raise _mismatch("finite scales", scale, 6)
            if scale <= 0:
                raise _mismatch("positive scales", scale, 5)
            if bounds is not None and not bounds[0] <= scale <= bounds[1]:
                raise _mismatch(f"scales that {self.expressed_type} can hold", scale, 4)
        for zero_point in self.zero_point_values:
            if not low <= zero_point <= high:
                raise _mismatch(f"zero points in [{low}, {high}]", zero_point, 7)
        count, points = len(self.scales.data), len(self.zero_points.data)
        if count != points:
            raise _mismatch(f"{count} zero points", points, 9)
        if self.is_per_tensor and count != 1:
            raise _mismatch("one scale for the whole tensor", count, 10)
        for axis in self.dimensions.data:
            if axis.data < 0:
                raise _mismatch("a quantized dimension of at least 0", axis.data, 11)
        for block in self.block_sizes.data:
            if block.data < 1:
                raise VerifyException(f"expected block sizes of at least 1, got {block.data}")


def _mismatch(expected: str, got: object, rule: int) -> VerifyException:
    return VerifyException(f"expected {expected}, got {got} (quantized_element_type_c{rule})")


def storage_range(storage: IntegerType) -> tuple[int, int]:
    """The least and the greatest integer of a storage type; signless ones are signed."""
    width = storage.width.data
    if storage.signedness.data is Signedness.UNSIGNED:
        return 0, (1 << width) - 1
    return -(1 << width - 1), (1 << width - 1) - 1


def _parse_storage_type(parser: AttrParser) -> IntegerType:
    position = parser.pos
    for width in range(1, 33):
        if parser.parse_optional_keyword(f"u{width}") is not None:
            return IntegerType(width, Signedness.UNSIGNED)
    storage = parser.parse_type()
    if not isinstance(storage, IntegerType):
        parser.raise_error(f"expected an integer type to store in, got {storage}", position)
    return cast(IntegerType, storage)


def _parse_block(parser: AttrParser) -> tuple[int, int]:
    """Parses `0:2`: a dimension and its block size."""
    axis = parser.parse_integer()
    parser.parse_punctuation(":")
    return axis, parser.parse_integer()


def _parse_parameter(parser: AttrParser) -> tuple[float, int]:
    """Parses `0.5:-3`: a scale and its zero point, 0 when absent."""
    position = parser.pos
    scale = parser.parse_number(allow_boolean=False)
    if not isinstance(scale, float):
        parser.raise_error(f"expected a floating-point scale, got {scale}", position)
    if parser.parse_optional_punctuation(":") is None:
        return scale, 0
    return scale, parser.parse_integer()


def _parse_nested(parser: AttrParser) -> Parameters:
    """Parses `{...}` around parameters or further lists of them, all of one shape."""
    position = parser.pos
    parts = parser.parse_comma_separated_list(
        parser.Delimiter.BRACES, lambda: _parse_list_or_parameter(parser)
    )
    inner = parts[0][2] if parts else []
    if any(shape != inner for _, _, shape in parts):
        parser.raise_error("expected lists of equal lengths", position)
    scales = [scale for part, _, _ in parts for scale in part]
    zero_points = [zero_point for _, part, _ in parts for zero_point in part]
    return scales, zero_points, [len(parts), *inner]


def _parse_list_or_parameter(parser: AttrParser) -> Parameters:
    """Parses `{...}` or one parameter."""
    if _at_brace(parser):
        return _parse_nested(parser)
    scale, zero_point = _parse_parameter(parser)
    return [scale], [zero_point], []


def _at_brace(parser: AttrParser) -> bool:
    token = parser._current_token  # pyright: ignore[reportPrivateUsage]  # no public way to look
    return token.kind is MLIRTokenKind.L_BRACE


QUANT = Dialect("quant", [], [UniformQuantizedType])
