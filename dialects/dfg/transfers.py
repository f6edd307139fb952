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

from .types import TokenType


@irdl_op_definition
class SendOp(IRDLOperation):
    """`dfg.send %v to "cpu:1" channel 3`: a dead value sends nothing, unless `ship_dead`."""

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


@irdl_op_definition
class RecvOp(IRDLOperation):
    """`dfg.recv from "cpu:0" channel 3 [after %t]`: in a graph gated by its token; a dead token awaits
    nothing, unless `ship_dead`."""

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
