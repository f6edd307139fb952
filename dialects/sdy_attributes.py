"""Shardy's attributes as JAX prints them: meshes, and how tensors are split over their axes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, IntAttr, NoneAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, OpaqueSyntaxAttribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from .stablehlo.attributes import DimsAttr


@irdl_attr_definition
class MeshAxisAttr(ParametrizedAttribute):
    """`"x"=2`: a named axis of a mesh and its size."""

    name = "sdy.mesh_axis"
    axis_name: StringAttr
    size: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        name = StringAttr(parser.parse_str_literal())
        parser.parse_punctuation("=")
        return [name, IntAttr(parser.parse_integer())]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_attribute(self.axis_name)
        printer.print_string(f"={self.size.data}")


@irdl_attr_definition
class MeshAttr(ParametrizedAttribute):
    """`<["x"=2, "y"=2]>`: devices along axes; `device_ids` if in another order than 0, 1, ..."""

    name = "sdy.mesh"
    axes: ArrayAttr[MeshAxisAttr]
    device_ids: DimsAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        device_ids: tuple[int, ...] = ()
        with parser.in_angle_brackets():
            axes = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE,
                lambda: MeshAxisAttr.new(MeshAxisAttr.parse_parameters(parser)),
            )
            if parser.parse_optional_punctuation(",") is not None:
                parser.parse_keyword("device_ids")
                parser.parse_punctuation("=")
                device_ids = DimsAttr.parse_parameter(parser)
        return [ArrayAttr(axes), DimsAttr(device_ids)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            with printer.in_square_brackets():
                printer.print_list(self.axes.data, lambda axis: axis.print_parameters(printer))
            if self.device_ids.data:
                printer.print_string(", device_ids=")
                self.device_ids.print_parameter(printer)


@irdl_attr_definition
class AxisRefAttr(ParametrizedAttribute):
    """`"x"`, or `"x":(2)4`: the part of size 4 of an axis that comes after a part of size 2."""

    name = "sdy.axis_ref"
    axis_name: StringAttr
    sub_axis: DimsAttr
    """Empty, or the size before and the size of the part."""

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        name = StringAttr(parser.parse_str_literal())
        sub_axis: tuple[int, ...] = ()
        if parser.parse_optional_punctuation(":") is not None:
            with parser.in_parens():
                before = parser.parse_integer()
            sub_axis = (before, parser.parse_integer())
        return [name, DimsAttr(sub_axis)]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_attribute(self.axis_name)
        if self.sub_axis.data:
            before, size = self.sub_axis.data
            printer.print_string(f":({before}){size}")


def _parse_axes(parser: AttrParser) -> ArrayAttr[AxisRefAttr]:
    axes = parser.parse_comma_separated_list(
        parser.Delimiter.BRACES, lambda: AxisRefAttr.new(AxisRefAttr.parse_parameters(parser))
    )
    return ArrayAttr(axes)


def _print_axes(printer: Printer, axes: ArrayAttr[AxisRefAttr]) -> None:
    with printer.in_braces():
        printer.print_list(axes.data, lambda axis: axis.print_parameters(printer))


@irdl_attr_definition
class DimensionShardingAttr(ParametrizedAttribute):
    """`{"x", "y"}`: the axes that split a dimension; `?` says that propagation may add more.

    A priority (`{"x"}p1`) orders propagation.
    """

    name = "sdy.dimension_sharding"
    axes: ArrayAttr[AxisRefAttr]
    is_closed: BoolAttr
    priority: IntAttr | NoneAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        axes: list[AxisRefAttr] = []
        is_closed = True
        parser.parse_punctuation("{")
        while parser.parse_optional_punctuation("}") is None:
            if parser.parse_optional_punctuation("?") is not None:
                is_closed = False
                parser.parse_punctuation("}")
                break
            axes.append(AxisRefAttr.new(AxisRefAttr.parse_parameters(parser)))
            if parser.parse_optional_punctuation(",") is None:
                parser.parse_punctuation("}")
                break
        priority: IntAttr | NoneAttr = NoneAttr()
        text = parser.parse_optional_identifier()
        if text is not None:
            if text[0] != "p" or not text[1:].isdigit():
                parser.raise_error(f"expected a priority such as p0, got {text}")
            priority = IntAttr(int(text[1:]))
        return [ArrayAttr(axes), BoolAttr.from_bool(is_closed), priority]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_braces():
            printer.print_list(self.axes.data, lambda axis: axis.print_parameters(printer))
            if not self.is_closed.value.data:
                printer.print_string(", ?" if self.axes.data else "?")
        if isinstance(self.priority, IntAttr):
            printer.print_string(f"p{self.priority.data}")


_NO_AXES = ArrayAttr[AxisRefAttr]([])


@irdl_attr_definition
class TensorShardingAttr(ParametrizedAttribute):
    """`#sdy.sharding<@mesh, [{"x"}, {}]>`: how each dimension of a tensor is split over a mesh.

    `replicated={"y"}` names axes that propagation must not use, `unreduced={"z"}` axes over which
    the value has yet to be reduced (`unreduced=max{"z"}` when not by a sum).
    """

    name = "sdy.sharding"
    mesh: SymbolRefAttr | MeshAttr
    dimensions: ArrayAttr[DimensionShardingAttr]
    replicated: ArrayAttr[AxisRefAttr]
    unreduced: ArrayAttr[AxisRefAttr]
    reduction: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        axes = {"replicated": _NO_AXES, "unreduced": _NO_AXES}
        reduction = ""
        with parser.in_angle_brackets():
            mesh = _parse_mesh(parser)
            parser.parse_punctuation(",")
            dimensions = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE,
                lambda: DimensionShardingAttr.new(DimensionShardingAttr.parse_parameters(parser)),
            )
            while parser.parse_optional_punctuation(",") is not None:
                field = parser.parse_keyword_in(tuple(axes))
                parser.parse_punctuation("=")
                if field == "unreduced":
                    reduction = parser.parse_optional_identifier() or ""
                axes[field] = _parse_axes(parser)
        return [
            mesh,
            ArrayAttr(dimensions),
            axes["replicated"],
            axes["unreduced"],
            StringAttr(reduction),
        ]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            if isinstance(self.mesh, MeshAttr):
                printer.print_string("mesh")
                self.mesh.print_parameters(printer)
            else:
                printer.print_attribute(self.mesh)
            printer.print_string(", ")
            with printer.in_square_brackets():
                printer.print_list(self.dimensions.data, lambda dim: dim.print_parameters(printer))
            if self.replicated.data:
                printer.print_string(", replicated=")
                _print_axes(printer, self.replicated)
            if self.unreduced.data:
                printer.print_string(f", unreduced={self.reduction.data}")
                _print_axes(printer, self.unreduced)


def _parse_mesh(parser: AttrParser) -> Attribute:
    if parser.parse_optional_keyword("mesh") is not None:
        return MeshAttr.new(MeshAttr.parse_parameters(parser))
    return parser.parse_attribute()


@irdl_attr_definition
class TensorShardingPerValueAttr(ParametrizedAttribute):
    """`#sdy.sharding_per_value<[<@mesh, [{"x"}]>]>`: the shardings of several values."""

    name = "sdy.sharding_per_value"
    shardings: ArrayAttr[TensorShardingAttr]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return [cls.parse_stripped(parser)]

    @staticmethod
    def parse_stripped(parser: AttrParser) -> ArrayAttr[TensorShardingAttr]:
        """Parses `[<@mesh, [{"x"}]>]`."""
        shardings = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE,
            lambda: TensorShardingAttr.new(TensorShardingAttr.parse_parameters(parser)),
        )
        return ArrayAttr(shardings)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            self.print_stripped(printer)

    def print_stripped(self, printer: Printer) -> None:
        """Prints `[<@mesh, [{"x"}]>]`."""
        with printer.in_square_brackets():
            printer.print_list(self.shardings.data, lambda each: each.print_parameters(printer))


@irdl_attr_definition
class ManualAxesAttr(ParametrizedAttribute, OpaqueSyntaxAttribute):
    """`#sdy<manual_axes{"x", "y"}>`: the axes over which a computation is written per device."""

    name = "sdy.manual_axes"
    axes: ArrayAttr[StringAttr]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        names = parser.parse_comma_separated_list(
            parser.Delimiter.BRACES, lambda: StringAttr(parser.parse_str_literal())
        )
        return [ArrayAttr(names)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_braces():
            printer.print_list(self.axes.data, printer.print_attribute)


_FACTOR_KINDS = ("reduction", "need_replication", "permutation", "blocked_propagation")


@irdl_attr_definition
class OpShardingRuleAttr(ParametrizedAttribute):
    """`#sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2} reduction={k}>`.

    How the dimensions of an op's operands and results belong together: dimensions that name one
    factor are split alike. Factors are kept by name.
    """

    name = "sdy.op_sharding_rule"
    operands: ArrayAttr[ArrayAttr[StringAttr]]
    outputs: ArrayAttr[ArrayAttr[StringAttr]]
    factors: ArrayAttr[StringAttr]
    factor_sizes: DimsAttr
    kinds: ArrayAttr[ArrayAttr[StringAttr]]
    """The factors that need a reduction, replication, a permutation, or block propagation."""
    is_custom: BoolAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        sizes: list[tuple[StringAttr, int]] = []
        kinds = {kind: ArrayAttr[StringAttr]([]) for kind in _FACTOR_KINDS}
        custom = False
        with parser.in_angle_brackets():
            operands = _parse_mappings(parser)
            parser.parse_punctuation("->")
            outputs = _parse_mappings(parser)
            entries = parser.parse_optional_comma_separated_list(
                parser.Delimiter.BRACES, lambda: _parse_factor_size(parser)
            )
            sizes.extend(entries or ())
            while (kind := parser.parse_optional_keyword_in(_FACTOR_KINDS)) is not None:
                parser.parse_punctuation("=")
                names = parser.parse_comma_separated_list(
                    parser.Delimiter.BRACES, lambda: StringAttr(parser.parse_identifier())
                )
                kinds[kind] = ArrayAttr(names)
            if parser.parse_optional_punctuation(",") is not None:
                parser.parse_keyword("custom")
                custom = True
        return [
            operands,
            outputs,
            ArrayAttr([name for name, _ in sizes]),
            DimsAttr(tuple(size for _, size in sizes)),
            ArrayAttr(list(kinds.values())),
            BoolAttr.from_bool(custom),
        ]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            text = f"{_show_mappings(self.operands)}->{_show_mappings(self.outputs)}"
            if self.factors.data:
                pairs = zip(self.factors.data, self.factor_sizes.data)
                text += f" {{{', '.join(f'{name.data}={size}' for name, size in pairs)}}}"
            for kind, names in zip(_FACTOR_KINDS, self.kinds.data):
                if names.data:
                    text += f" {kind}={{{', '.join(name.data for name in names.data)}}}"
            printer.print_string(text + (", custom" if self.is_custom.value.data else ""))


def _parse_factor_size(parser: AttrParser) -> tuple[StringAttr, int]:
    name = StringAttr(parser.parse_identifier())
    parser.parse_punctuation("=")
    return name, parser.parse_integer()


def _parse_mappings(parser: AttrParser) -> ArrayAttr[ArrayAttr[StringAttr]]:
    """Parses `([i, j], [])`, the factors of each dimension of each tensor."""
    tensors = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN,
        lambda: parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: StringAttr(parser.parse_identifier())
        ),
    )
    return ArrayAttr([ArrayAttr(tensor) for tensor in tensors])


def _show_mappings(mappings: ArrayAttr[ArrayAttr[StringAttr]]) -> str:
    tensors = [f"[{', '.join(dim.data for dim in tensor.data)}]" for tensor in mappings.data]
    return f"({', '.join(tensors)})"
