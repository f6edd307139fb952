"""Messages between devices: `dfg.send` and `dfg.recv`. A key is (run, channel, frame path)."""

from __future__ import annotations

from xdsl.dialects.builtin import I64, IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..dcf.assembly import Attributes, parse_attributes, parse_i64, print_attributes
from ..dcf.types import ArrayType, StackType
from .types import TokenType


@irdl_op_definition
class SendOp(IRDLOperation):
    """`dfg.send %v to "cpu:1" channel 3 : type`: a dead value sends nothing, unless `ship_dead`.

    `{ship_dead}`, for graphs written by hand, ships the bit. Errors: a stack or an array. When the
    program declares channels: a channel that is not declared, that does not start on this device or
    end on the target, or that carries another type; two sends on one channel.
    Source: docs/semantics.md §4; TensorFlow's `Send`.
    """

    name = "dfg.send"
    value = operand_def()
    target = prop_def(StringAttr)
    channel = prop_def(IntegerAttr[I64])
    ship_dead = opt_prop_def(UnitAttr)

    def __init__(
        self, value: SSAValue | Operation, target: str, channel: int, *, ship_dead: bool = False
    ):
        super().__init__(
            operands=[value],
            properties={
                "target": StringAttr(target),
                "channel": IntegerAttr(channel, i64),
                "ship_dead": UnitAttr() if ship_dead else None,
            },
        )

    def verify_(self) -> None:
        check_crosses(self.value.type)

    @classmethod
    def parse(cls, parser: Parser) -> SendOp:
        value = parser.parse_unresolved_operand()
        ends = _parse_end(parser, "to", "target")
        properties, attributes = parse_attributes(parser, cls, ("target", "channel"))
        parser.parse_punctuation(":")
        return cls.create(
            operands=[parser.resolve_operand(value, parser.parse_type())],
            properties=properties | ends,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(" to ")
        printer.print_string_literal(self.target.data)
        printer.print_string(f" channel {self.channel.value.data}")
        print_attributes(printer, self, ("target", "channel"))
        printer.print_string(" : ")
        printer.print_attribute(self.value.type)


@irdl_op_definition
class RecvOp(IRDLOperation):
    """`%v = dfg.recv from "cpu:0" channel 3 after %t : type`: the value sent for this iteration.

    Its token gates it (`after` may be left out outside loops and branches): a dead token awaits
    nothing, unless `ship_dead`. Errors: as for `dfg.send`.
    Source: docs/semantics.md §4; TensorFlow's `Recv`.
    """

    name = "dfg.recv"
    after = opt_operand_def(TokenType)
    source = prop_def(StringAttr)
    channel = prop_def(IntegerAttr[I64])
    ship_dead = opt_prop_def(UnitAttr)
    output = result_def()

    def __init__(
        self,
        source: str,
        channel: int,
        type: Attribute,
        after: SSAValue | Operation | None = None,
        *,
        ship_dead: bool = False,
    ):
        super().__init__(
            operands=[[after] if after is not None else []],
            result_types=[type],
            properties={
                "source": StringAttr(source),
                "channel": IntegerAttr(channel, i64),
                "ship_dead": UnitAttr() if ship_dead else None,
            },
        )

    def verify_(self) -> None:
        check_crosses(self.output.type)

    @classmethod
    def parse(cls, parser: Parser) -> RecvOp:
        ends = _parse_end(parser, "from", "source")
        operands: list[SSAValue] = []
        if parser.parse_optional_keyword("after") is not None:
            operands.append(parser.parse_operand(TokenType()))
        properties, attributes = parse_attributes(parser, cls, ("source", "channel"))
        parser.parse_punctuation(":")
        return cls.create(
            operands=operands,
            result_types=[parser.parse_type()],
            properties=properties | ends,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" from ")
        printer.print_string_literal(self.source.data)
        printer.print_string(f" channel {self.channel.value.data}")
        if self.after is not None:
            printer.print_string(" after ")
            printer.print_ssa_value(self.after)
        print_attributes(printer, self, ("source", "channel"))
        printer.print_string(" : ")
        printer.print_attribute(self.output.type)


def check_crosses(type: Attribute) -> None:
    """Stacks and arrays stay on their device: all their ops are there."""
    if isinstance(type, StackType | ArrayType):
        raise VerifyException(f"expected a tensor or a token to cross a channel, got {type}")


def _parse_end(parser: Parser, keyword: str, name: str) -> Attributes:
    """`to "device" channel 3`: the device under `name`, and the channel."""
    parser.parse_keyword(keyword)
    device = StringAttr(parser.parse_str_literal())
    parser.parse_keyword("channel")
    return {name: device, "channel": parse_i64(parser)}
