"""Replica groups given by the axes of a mesh: the attributes that `replica_groups` may hold.

    #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>

The mesh is a symbol, or written out: `#stablehlo.mesh<axes=[<name = "x", size = 2>]>`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IntAttr,
    NoneAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException


def _field(parser: AttrParser, name: str) -> None:
    parser.parse_keyword(name)
    parser.parse_punctuation("=")


@irdl_attr_definition
class MeshAxisAttr(ParametrizedAttribute):
    """`#stablehlo.mesh_axis<name = "x", size = 2>`: a named axis of a mesh."""

    name = "stablehlo.mesh_axis"
    axis_name: StringAttr
    size: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            _field(parser, "name")
            axis_name = StringAttr(parser.parse_str_literal())
            parser.parse_punctuation(",")
            _field(parser, "size")
            return [axis_name, IntAttr(parser.parse_integer())]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string("name = ")
            printer.print_attribute(self.axis_name)
            printer.print_string(f", size = {self.size.data}")


@irdl_attr_definition
class MeshAttr(ParametrizedAttribute):
    """`#stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<...>>`: devices in axes."""

    name = "stablehlo.mesh"
    axes: ArrayAttr[MeshAxisAttr]
    device_ids: DenseIntOrFPElementsAttr | NoneAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        device_ids: Attribute = NoneAttr()
        with parser.in_angle_brackets():
            _field(parser, "axes")
            axes = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: _parse_axis(parser)
            )
            if parser.parse_optional_punctuation(",") is not None:
                _field(parser, "device_ids")
                device_ids = parser.parse_attribute()
        return [ArrayAttr(axes), device_ids]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string("axes=")
            with printer.in_square_brackets():
                printer.print_list(self.axes.data, lambda axis: axis.print_parameters(printer))
            if not isinstance(self.device_ids, NoneAttr):
                printer.print_string(", device_ids=")
                printer.print_attribute(self.device_ids)


def _parse_axis(parser: AttrParser) -> MeshAxisAttr:
    """Parses an axis in its short form, `<name = "x", size = 2>`, or as an attribute."""
    if (axis := parser.parse_optional_attribute()) is None:
        return MeshAxisAttr.new(MeshAxisAttr.parse_parameters(parser))
    if not isinstance(axis, MeshAxisAttr):
        parser.raise_error(f"expected an axis of a mesh, got {axis}")
    return axis


@irdl_attr_definition
class SubAxisInfoAttr(ParametrizedAttribute):
    """`#stablehlo.sub_axis_info(2)4`: the part of an axis behind `pre_size`, of `size` devices."""

    name = "stablehlo.sub_axis_info"
    pre_size: IntAttr
    size: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_parens():
            pre_size = parser.parse_integer()
        return [IntAttr(pre_size), IntAttr(parser.parse_integer())]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"({self.pre_size.data}){self.size.data}")


@irdl_attr_definition
class AxisRefAttr(ParametrizedAttribute):
    """`#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>`: an axis of a mesh, or a part of it."""

    name = "stablehlo.axis_ref"
    axis_name: StringAttr
    sub_axis_info: SubAxisInfoAttr | NoneAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        info: Attribute = NoneAttr()
        with parser.in_angle_brackets():
            _field(parser, "name")
            axis_name = StringAttr(parser.parse_str_literal())
            if parser.parse_optional_punctuation(",") is not None:
                _field(parser, "sub_axis_info")
                info = SubAxisInfoAttr.new(SubAxisInfoAttr.parse_parameters(parser))
        return [axis_name, info]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string("name = ")
            printer.print_attribute(self.axis_name)
            if isinstance(self.sub_axis_info, SubAxisInfoAttr):
                printer.print_string(", sub_axis_info = ")
                self.sub_axis_info.print_parameters(printer)


@irdl_attr_definition
class ReplicaGroupMeshAxesAttr(ParametrizedAttribute):
    """`#stablehlo.replica_group_mesh_axes<mesh = @m, axes = [...]>`: groups along axes of a mesh."""

    name = "stablehlo.replica_group_mesh_axes"
    mesh: Attribute
    axes: ArrayAttr[Attribute]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            _field(parser, "mesh")
            mesh = parser.parse_attribute()
            parser.parse_punctuation(",")
            _field(parser, "axes")
            return [mesh, parser.parse_attribute()]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string("mesh = ")
            printer.print_attribute(self.mesh)
            printer.print_string(", axes = ")
            printer.print_attribute(self.axes)

    def verify(self) -> None:
        if not isinstance(self.mesh, MeshAttr | SymbolRefAttr):
            raise VerifyException(f"expected a mesh or the name of one, got {self.mesh}")
        for axis in self.axes.data:
            if not isinstance(axis, AxisRefAttr):
                raise VerifyException(f"expected references to axes, got {axis}")
