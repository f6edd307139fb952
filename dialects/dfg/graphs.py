"""What runs on one device: a flat dataflow graph, or before that level a structured partition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import I64, DenseArrayBase, StringAttr, i64
from xdsl.ir import Operation, Region, SSAValue
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
from xdsl.traits import IsolatedFromAbove, IsTerminator

from ..dcf.assembly import (
    parse_attributes,
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
from .rules import blaming_malformed, verify_cycles, verify_ends, verify_flat, verify_structured


class DeviceCode(IRDLOperation):
    """The code of one device of a program: what it is fed, what it computes, what is fetched.

    `feeds[i]` is the number of the program argument that block argument i receives; `fetches[j]`
    the number of the program result that operand j of `dfg.fetch` gives. Both are omitted in the
    text when they are 0, 1, 2, ….
    """

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

    @classmethod
    def parse(cls, parser: Parser) -> Self:
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
class GraphOp(DeviceCode):
    """`dfg.graph on "cpu:0" (%feeds) -> (fetch types) { … dfg.fetch %r }`: one device's graph.

    ```
    dfg.graph on "cpu:0" (%b: tensor<f32>) -> tensor<f32> feeds [1] fetches [0] {
      …
      dfg.fetch %r : tensor<f32>
    }
    ```

    A flat graph region: the order of ops has no meaning, and cycles go only through
    `dfg.next_iteration`.

    Errors: `feeds` or `fetches` of another length or out of range, or whose types differ from the
    program's; structured control flow or a function inside; a region that captures; a cycle without
    a next_iteration; an edge between frames that is no enter and no exit (`frames.py`); a loop
    without its condition, or that would go on when its condition is false (`gating.py`).
    Source: docs/semantics.md §4.
    """

    name = "dfg.graph"

    def verify_(self) -> None:
        with blaming_malformed(self):
            verify_ends(self)
            verify_flat(self)
            verify_cycles(self)
            verify_gating(self, frame_of(self))


@irdl_op_definition
class PartitionOp(DeviceCode):
    """`dfg.partition on "cpu:0" (%feeds) -> (fetch types) { … dfg.fetch %r }`: one device's part of
    a structured program.

    ```
    dfg.partition on "cpu:1" (%b: tensor<f32>) -> tensor<f32> feeds [1] fetches [0] {
      %a = dfg.recv from "cpu:0" channel 0 : tensor<f32>
      %r = dcf.while "loop" (%x = %b : tensor<f32>) cond { … } do { … }
      dfg.fetch %r : tensor<f32>
    }
    ```

    What `dfg.graph` is before its loops and branches become primitives: ops in the order of the
    text, structured control flow of `dcf`, `dfg.send` and `dfg.recv` at every depth.

    Errors: `feeds` or `fetches` of another length or out of range, or whose types differ from the
    program's; primitives of the dataflow level, or a function inside.
    Source: docs/semantics.md §3.
    """

    name = "dfg.partition"

    def verify_(self) -> None:
        with blaming_malformed(self):
            verify_ends(self)
            verify_structured(self)


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
