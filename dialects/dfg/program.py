"""The container of a program: its channels, and the code of each device (`graphs.py`)."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    I64,
    FunctionType,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Region, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, NoTerminator, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from ..dcf.assembly import (
    parse_attributes,
    parse_i64,
    parse_result_types,
    print_attributes,
    print_result_types,
)
from ..dcf.loops import print_body
from .graphs import GraphOp, PartitionOp
from .rules import (
    blaming_malformed,
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

    Holds `dfg.channel` declarations and one `dfg.graph` per device (one `dfg.partition` before the
    dataflow level). The function type gives the types of the feeds (program arguments) and fetches
    (program results).

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

    @property
    def partitions(self) -> list[PartitionOp]:
        """The structured parts, in order, where there are no graphs yet."""
        return [op for op in self.body.block.ops if isinstance(op, PartitionOp)]

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
