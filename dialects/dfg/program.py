"""Containers of the dataflow level: a program, its graphs (one per device) and its channels."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    I64,
    DenseArrayBase,
    FunctionType,
    IntegerAttr,
    StringAttr,
    TypeAttribute,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator, SymbolOpInterface


@irdl_op_definition
class ProgramOp(IRDLOperation):
    """`dfg.program @main : (feeds) -> (fetches) { channels and graphs }`.

    Holds `dfg.channel` declarations and one `dfg.graph` per device. The function type gives the types
    of the feeds (program arguments) and fetches (program results).
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


@irdl_op_definition
class ChannelOp(IRDLOperation):
    """`dfg.channel 3 from "cpu:0" to "cpu:1" : tensor<f32>`: one value's way between two devices."""

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


@irdl_op_definition
class GraphOp(IRDLOperation):
    """`dfg.graph on "cpu:0" (%feeds) -> (fetch types) { … dfg.fetch %r }`: one device's graph.

    A flat graph region: cycles go only through `dfg.next_iteration`. `feeds[i]` is the number of the
    program argument that block argument i receives; `fetches[j]` the number of the program result
    that operand j of `dfg.fetch` gives. Both are omitted in the text when they are 0, 1, 2, ….
    """

    name = "dfg.graph"
    device = prop_def(StringAttr)
    feeds = prop_def(DenseArrayBase.constr(i64))
    fetches = prop_def(DenseArrayBase.constr(i64))
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


@irdl_op_definition
class FetchOp(IRDLOperation):
    """`dfg.fetch %values`: ends a graph; the values are its results. A dead one is a run-time error."""

    name = "dfg.fetch"
    values = var_operand_def()
    traits = traits_def(IsTerminator())

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=[values])


