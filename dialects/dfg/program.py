"""Containers of the dataflow level: a program, its graphs (one per device) and its channels."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    I64,
    DenseArrayBase,
    FunctionType,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from ..dcf.assembly import (
    parse_attributes,
    parse_i64,
    parse_result_types,
    parse_values_and_types,
    print_attributes,
    print_result_types,
    print_values_and_types,
)
from ..dcf.checks import type_list
from ..dcf.loops import print_body
from .frames import frame_of
from .gating import verify_gating
from .rules import (
    blaming_malformed,
    verify_cycles,
    verify_ends,
    verify_flat,
    verify_program,
)
from .transfers import check_crosses


@irdl_op_definition
class ProgramOp(IRDLOperation):
    """`dfg.program @main (feed types) -> (fetch types) { channels and graphs }`.

    ```
    dfg.program @main (tensor<f32>, tensor<f32>) -> tensor<f32> {
      dfg.channel 3 from "cpu:0" to "cpu:1" : tensor<f32>
      dfg.graph on "cpu:0" (%a: tensor<f32>) -> tensor<f32> { … }
      dfg.graph on "cpu:1" (%b: tensor<f32>) feeds [1] { … }
    }
    ```

    Holds `dfg.channel` declarations and one `dfg.graph` per device. The function type gives the
    types of the feeds (program arguments) and fetches (program results).

    Errors: any other op; two channels with one number; two graphs for one device; a result that no
    graph or more than one fetches; sends and receives that do not match the declared channels, if
    there are any declared.
    Source: docs/semantics.md §4.
    """

    name = "dfg.program"
    sym_name = prop_def(StringAttr)
    function_type = prop_def(FunctionType)
    body: Region = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(self, name: str, function_type: FunctionType, body: Region):
        super().__init__(
            regions=[body],
            properties={"sym_name": StringAttr(name), "function_type": function_type},
        )

    @property
    def channels(self) -> list[ChannelOp]:
        """The declared channels, in order."""
        return [op for op in self.body.block.ops if isinstance(op, ChannelOp)]

    @property
    def graphs(self) -> list[GraphOp]:
        """The graphs, in order."""
        return [op for op in self.body.block.ops if isinstance(op, GraphOp)]

    def verify_(self) -> None:
        with blaming_malformed(self):
            verify_program(self)

    @classmethod
    def parse(cls, parser: Parser) -> ProgramOp:
        name = parser.parse_symbol_name()
        feeds = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        fetches = parse_result_types(parser)
        body = parser.parse_region(())
        properties, attributes = parse_attributes(parser, cls, ("sym_name", "function_type"))
        properties["sym_name"] = name
        properties["function_type"] = FunctionType.from_lists(feeds, fetches)
        return cls.create(properties=properties, attributes=attributes, regions=[body])

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name)
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.function_type.inputs, printer.print_attribute)
        print_result_types(printer, self.function_type.outputs.data)
        printer.print_string(" ")
        print_body(printer, self.body)
        print_attributes(printer, self, ("sym_name", "function_type"))


@irdl_op_definition
class ChannelOp(IRDLOperation):
    """`dfg.channel 3 from "cpu:0" to "cpu:1" : type`: one value's way between two devices.

    Has one `dfg.send` in the graph of its source and one `dfg.recv` in that of its target, both of
    its type. Errors: the same device at both ends; a stack or an array.
    Source: docs/semantics.md §3, §4.
    """

    name = "dfg.channel"
    channel = prop_def(IntegerAttr[I64])
    source = prop_def(StringAttr)
    target = prop_def(StringAttr)
    value_type = prop_def(TypeAttribute)

    def __init__(self, channel: int, source: str, target: str, value_type: TypeAttribute):
        super().__init__(
            properties={
                "channel": IntegerAttr(channel, i64),
                "source": StringAttr(source),
                "target": StringAttr(target),
                "value_type": value_type,
            }
        )

    def verify_(self) -> None:
        if self.source == self.target:
            raise VerifyException(
                f'expected a channel between two devices, got "{self.source.data}" at both ends'
            )
        check_crosses(self.value_type)

    @classmethod
    def parse(cls, parser: Parser) -> ChannelOp:
        channel = parse_i64(parser)
        parser.parse_keyword("from")
        source = StringAttr(parser.parse_str_literal())
        parser.parse_keyword("to")
        target = StringAttr(parser.parse_str_literal())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        properties: dict[str, Attribute] = {
            "channel": channel,
            "source": source,
            "target": target,
            "value_type": parser.parse_type(),
        }
        return cls.create(properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.channel.value.data} from ")
        printer.print_string_literal(self.source.data)
        printer.print_string(" to ")
        printer.print_string_literal(self.target.data)
        print_attributes(printer, self, ("channel", "source", "target", "value_type"))
        printer.print_string(" : ")
        printer.print_attribute(self.value_type)


@irdl_op_definition
class GraphOp(IRDLOperation):
    """`dfg.graph on "cpu:0" (%feeds) -> (fetch types) { … dfg.fetch %r }`: one device's graph.

    ```
    dfg.graph on "cpu:0" (%b: tensor<f32>) -> tensor<f32> feeds [1] fetches [0] {
      …
      dfg.fetch %r : tensor<f32>
    }
    ```

    A flat graph region: the order of ops has no meaning, and cycles go only through
    `dfg.next_iteration`. `feeds[i]` is the number of the program argument that block argument i
    receives; `fetches[j]` the number of the program result that operand j of `dfg.fetch` gives.
    Both are omitted in the text when they are 0, 1, 2, ….

    Errors: `feeds` or `fetches` of another length or out of range, or whose types differ from the
    program's; structured control flow or a function inside; a region that captures; a cycle without
    a next_iteration; an edge between frames that is no enter and no exit (`frames.py`); a loop
    without its condition, or that would go on when its condition is false (`gating.py`).
    Source: docs/semantics.md §4.
    """

    name = "dfg.graph"
    device = prop_def(StringAttr)
    feeds = prop_def(DenseArrayBase[I64])
    fetches = prop_def(DenseArrayBase[I64])
    body: Region = region_def("single_block")
    traits = traits_def(IsolatedFromAbove())

    def __init__(self, device: str, feeds: Sequence[int], fetches: Sequence[int], body: Region):
        super().__init__(
            regions=[body],
            properties={
                "device": StringAttr(device),
                "feeds": DenseArrayBase.from_list(i64, feeds),
                "fetches": DenseArrayBase.from_list(i64, fetches),
            },
        )

    @property
    def fetch(self) -> FetchOp | None:
        """The op that ends the graph, if it is there."""
        last = self.body.block.last_op
        return last if isinstance(last, FetchOp) else None

    def verify_(self) -> None:
        with blaming_malformed(self):
            verify_ends(self)
            verify_flat(self)
            verify_cycles(self)
            verify_gating(self, frame_of(self))

    @classmethod
    def parse(cls, parser: Parser) -> GraphOp:
        parser.parse_keyword("on")
        device = StringAttr(parser.parse_str_literal())
        arguments = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: _parse_graph_argument(parser)
        )
        types_position = parser.pos
        fetch_types = parse_result_types(parser)
        feeds = _parse_numbers(parser, "feeds", len(arguments))
        fetches = _parse_numbers(parser, "fetches", len(fetch_types))
        body = parser.parse_region(arguments)
        op = cls(device.data, feeds, fetches, body)
        if op.fetch is not None and list(op.fetch.values.types) != fetch_types:
            expected, got = type_list(fetch_types), type_list(op.fetch.values.types)
            parser.raise_error(
                f"expected a dfg.fetch of {expected}, as declared here, got {got}", types_position
            )
        properties, attributes = parse_attributes(parser, cls, ("device", "feeds", "fetches"))
        op.properties.update(properties)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" on ")
        printer.print_string_literal(self.device.data)
        printer.print_string(" ")
        arguments = self.body.block.args
        with printer.in_parens():
            printer.print_list(arguments, printer.print_block_argument)
        fetch = self.fetch
        types = [] if fetch is None else list(fetch.values.types)
        print_result_types(printer, types)
        _print_numbers(printer, "feeds", self.feeds, len(arguments))
        _print_numbers(printer, "fetches", self.fetches, len(types))
        printer.print_string(" ")
        print_body(printer, self.body)
        print_attributes(printer, self, ("device", "feeds", "fetches"))


@irdl_op_definition
class FetchOp(IRDLOperation):
    """`dfg.fetch %a, %b : type, type`: ends a graph; the values are its results.

    Errors: values that are in a loop. At run time: a dead value, with the switch that killed it.
    Source: docs/semantics.md §4.
    """

    name = "dfg.fetch"
    values = var_operand_def()
    traits = traits_def(IsTerminator())

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=[values])

    @classmethod
    def parse(cls, parser: Parser) -> FetchOp:
        values, attributes = parse_values_and_types(parser)
        return cls.create(operands=values, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_values_and_types(printer, self.values, self)


def _parse_graph_argument(parser: Parser) -> Parser.Argument:
    """`%a: type loc(…)`."""
    argument = parser.parse_argument()
    argument.location = parser.parse_optional_location()
    return argument


def _parse_numbers(parser: Parser, keyword: str, count: int) -> list[int]:
    """`feeds [1, 0]`; without it 0, 1, 2, …."""
    if parser.parse_optional_keyword(keyword) is None:
        return list(range(count))
    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)


def _print_numbers(
    printer: Printer, keyword: str, numbers: DenseArrayBase[I64], count: int
) -> None:
    """The counterpart of `_parse_numbers`."""
    values = numbers.get_values()
    if list(values) != list(range(count)):
        printer.print_string(f" {keyword} [{', '.join(str(value) for value in values)}]")
