"""Ops that talk to one other process or to the host: `send`, `recv`, `infeed`, `outfeed`."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DenseIntOrFPElementsAttr, StringAttr
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)

from .attributes import ChannelHandleAttr
from .collective_rules import (
    DEVICE_TO_HOST,
    HOST_TO_DEVICE,
    expect_channel_type,
    expect_pairs,
    expect_tensors_and_token,
)
from .constraints import ANY_TENSOR, ANY_TENSOR_OR_TOKEN, FALSE, TOKEN


@irdl_op_definition
class SendOp(IRDLOperation):
    """`"stablehlo.send"(%x, %token)`: sends over a channel."""

    name = "stablehlo.send"
    inputs = var_operand_def(ANY_TENSOR)
    token = operand_def(TOKEN)
    channel_handle = prop_def(ChannelHandleAttr)
    is_host_transfer = opt_prop_def(BoolAttr, FALSE)
    source_target_pairs = opt_prop_def(DenseIntOrFPElementsAttr)
    result = result_def(TOKEN)

    def verify_(self) -> None:
        expect_pairs(self.source_target_pairs, "send")
        expect_channel_type(self.channel_handle, self.is_host_transfer, DEVICE_TO_HOST, "send_c5")


@irdl_op_definition
class RecvOp(IRDLOperation):
    """`"stablehlo.recv"(%token)`: receives from a channel."""

    name = "stablehlo.recv"
    token = operand_def(TOKEN)
    channel_handle = prop_def(ChannelHandleAttr)
    is_host_transfer = opt_prop_def(BoolAttr, FALSE)
    source_target_pairs = opt_prop_def(DenseIntOrFPElementsAttr)
    outputs = var_result_def(ANY_TENSOR_OR_TOKEN)

    def verify_(self) -> None:
        expect_pairs(self.source_target_pairs, "recv")
        expect_channel_type(self.channel_handle, self.is_host_transfer, HOST_TO_DEVICE, "recv_c5")
        expect_tensors_and_token(self.outputs, ("recv", "recv", "recv"))


@irdl_op_definition
class InfeedOp(IRDLOperation):
    """`"stablehlo.infeed"(%token)`: reads from the host."""

    name = "stablehlo.infeed"
    token = operand_def(TOKEN)
    infeed_config = prop_def(StringAttr, StringAttr(""))
    layout = opt_prop_def(ArrayAttr)
    outputs = var_result_def(ANY_TENSOR_OR_TOKEN)

    def verify_(self) -> None:
        expect_tensors_and_token(self.outputs, ("infeed_c1", "infeed_c2", "infeed_c3"))


@irdl_op_definition
class OutfeedOp(IRDLOperation):
    """`"stablehlo.outfeed"(%x, %token)`: writes to the host."""

    name = "stablehlo.outfeed"
    inputs = var_operand_def(ANY_TENSOR)
    token = operand_def(TOKEN)
    outfeed_config = prop_def(StringAttr, StringAttr(""))
    result = result_def(TOKEN)
