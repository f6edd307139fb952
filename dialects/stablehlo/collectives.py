"""Ops that talk to other processes: collectives, channels, process numbers."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    BoolAttr,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

from .assembly import AssembledOp
from .attributes import ChannelHandleAttr
from .constraints import FALSE, TENSOR, TENSOR_OR_TOKEN, TOKEN, TensorOf
from .signatures import SAME_TYPE

_NUMBER = TensorOf(("unsigned integer",), rank=0)


@irdl_op_definition
class ReplicaIdOp(AssembledOp):
    """`stablehlo.replica_id : tensor<ui32>`: the replica number of this process."""

    name = "stablehlo.replica_id"
    result = result_def(_NUMBER)
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = SAME_TYPE


@irdl_op_definition
class PartitionIdOp(AssembledOp):
    """`stablehlo.partition_id : tensor<ui32>`: the partition number of this process."""

    name = "stablehlo.partition_id"
    result = result_def(_NUMBER)
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = SAME_TYPE


@irdl_op_definition
class AllGatherOp(IRDLOperation):
    """`"stablehlo.all_gather"`: joins the operands of a group of processes along one dimension."""

    name = "stablehlo.all_gather"
    inputs = var_operand_def(TENSOR)
    all_gather_dim = prop_def(IntegerAttr[I64])
    replica_groups = prop_def()
    channel_handle = opt_prop_def(ChannelHandleAttr)
    use_global_device_ids = opt_prop_def(UnitAttr)
    outputs = var_result_def(TENSOR)


@irdl_op_definition
class AllReduceOp(IRDLOperation):
    """`"stablehlo.all_reduce"`: combines the operands of a group of processes with a region."""

    name = "stablehlo.all_reduce"
    inputs = var_operand_def(TENSOR)
    replica_groups = prop_def()
    channel_handle = opt_prop_def(ChannelHandleAttr)
    use_global_device_ids = opt_prop_def(UnitAttr)
    computation: Region = region_def("single_block")
    outputs = var_result_def(TENSOR)


@irdl_op_definition
class ReduceScatterOp(IRDLOperation):
    """`"stablehlo.reduce_scatter"`: `all_reduce`, of which each process keeps its part."""

    name = "stablehlo.reduce_scatter"
    operand = operand_def(TENSOR)
    scatter_dimension = prop_def(IntegerAttr[I64])
    replica_groups = prop_def()
    channel_handle = opt_prop_def(ChannelHandleAttr)
    use_global_device_ids = opt_prop_def(UnitAttr)
    computation: Region = region_def("single_block")
    result = result_def(TENSOR)


@irdl_op_definition
class AllToAllOp(IRDLOperation):
    """`"stablehlo.all_to_all"`: each process sends a part of its operand to each of its group."""

    name = "stablehlo.all_to_all"
    inputs = var_operand_def(TENSOR)
    split_dimension = prop_def(IntegerAttr[I64])
    concat_dimension = prop_def(IntegerAttr[I64])
    split_count = prop_def(IntegerAttr[I64])
    replica_groups = prop_def()
    channel_handle = opt_prop_def(ChannelHandleAttr)
    outputs = var_result_def(TENSOR)


@irdl_op_definition
class CollectiveBroadcastOp(IRDLOperation):
    """`"stablehlo.collective_broadcast"`: the operand of the first process of each group."""

    name = "stablehlo.collective_broadcast"
    inputs = var_operand_def(TENSOR)
    replica_groups = prop_def()
    channel_handle = opt_prop_def(ChannelHandleAttr)
    has_dynamic_root = opt_prop_def(UnitAttr)
    outputs = var_result_def(TENSOR)


@irdl_op_definition
class CollectivePermuteOp(IRDLOperation):
    """`"stablehlo.collective_permute"`: sends operands along (source, target) pairs."""

    name = "stablehlo.collective_permute"
    operand = operand_def(TENSOR)
    source_target_pairs = prop_def(DenseIntOrFPElementsAttr)
    channel_handle = opt_prop_def(ChannelHandleAttr)
    result = result_def(TENSOR)


@irdl_op_definition
class SendOp(IRDLOperation):
    """`"stablehlo.send"(%x, %token)`: sends over a channel."""

    name = "stablehlo.send"
    inputs = var_operand_def(TENSOR)
    token = operand_def(TOKEN)
    channel_handle = prop_def(ChannelHandleAttr)
    is_host_transfer = opt_prop_def(BoolAttr, FALSE)
    source_target_pairs = opt_prop_def(DenseIntOrFPElementsAttr)
    result = result_def(TOKEN)


@irdl_op_definition
class RecvOp(IRDLOperation):
    """`"stablehlo.recv"(%token)`: receives from a channel."""

    name = "stablehlo.recv"
    token = operand_def(TOKEN)
    channel_handle = prop_def(ChannelHandleAttr)
    is_host_transfer = opt_prop_def(BoolAttr, FALSE)
    source_target_pairs = opt_prop_def(DenseIntOrFPElementsAttr)
    outputs = var_result_def(TENSOR_OR_TOKEN)


@irdl_op_definition
class InfeedOp(IRDLOperation):
    """`"stablehlo.infeed"(%token)`: reads from the host."""

    name = "stablehlo.infeed"
    token = operand_def(TOKEN)
    infeed_config = prop_def(StringAttr, StringAttr(""))
    layout = opt_prop_def(ArrayAttr)
    outputs = var_result_def(TENSOR_OR_TOKEN)


@irdl_op_definition
class OutfeedOp(IRDLOperation):
    """`"stablehlo.outfeed"(%x, %token)`: writes to the host."""

    name = "stablehlo.outfeed"
    inputs = var_operand_def(TENSOR)
    token = operand_def(TOKEN)
    outfeed_config = prop_def(StringAttr, StringAttr(""))
    result = result_def(TOKEN)
