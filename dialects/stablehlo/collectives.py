"""Collectives, the ops of a group of processes, and the numbers of processes."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
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
from .collective_rules import (
    expect_channel_id,
    expect_pairs,
    expect_replica_groups,
    expect_root,
    expect_scaled,
    group_size,
)
from .constraints import TENSOR, TensorOf
from .inference import constant_integers, element_of, shape_of
from .rules import (
    expect_dims,
    expect_element,
    expect_positive,
    expect_reducer,
    expect_same_types,
    expect_shape,
    expect_size,
    expect_type,
    mismatch,
)
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


class CollectiveOp(IRDLOperation, ABC):
    """Base of the collectives over groups of processes."""

    replica_groups = prop_def()
    channel_handle = opt_prop_def(ChannelHandleAttr)

    def _groups(
        self, unique: int, inside: int, *, padded: bool = False, some: bool = False
    ) -> tuple[int, int] | None:
        """Checks the groups by the constraints of these numbers; their count and size."""
        name = self.name.removeprefix("stablehlo.")
        labels = f"{name}_c{unique}", f"{name}_c{inside}"
        return expect_replica_groups(self, self.replica_groups, *labels, padded=padded, some=some)


@irdl_op_definition
class AllGatherOp(CollectiveOp):
    """`"stablehlo.all_gather"`: joins the operands of a group of processes along one dimension."""

    name = "stablehlo.all_gather"
    inputs = var_operand_def(TENSOR)
    all_gather_dim = prop_def(IntegerAttr[I64])
    use_global_device_ids = opt_prop_def(UnitAttr)
    outputs = var_result_def(TENSOR)

    def verify_(self) -> None:
        groups = self._groups(2, 4)
        expect_channel_id(self.channel_handle, self.use_global_device_ids, "all_gather_c5")
        expect_size("results", len(self.outputs), len(self.inputs), "all_gather_c6")
        size = group_size(groups, self.channel_handle, self.use_global_device_ids)
        dimension = self.all_gather_dim.value.data
        for i, (value, output) in enumerate(zip(self.inputs, self.outputs)):
            shape, label = shape_of(value), "all_gather_c6"
            expect_dims("all_gather_dim", [dimension], len(shape), "all_gather_c1")
            expect_element(f"result {i}", output.type, element_of(value), label)
            expect_scaled(f"result {i}", shape_of(output), shape, dimension, size, label)


@irdl_op_definition
class AllReduceOp(CollectiveOp):
    """`"stablehlo.all_reduce"`: combines the operands of a group of processes with a region."""

    name = "stablehlo.all_reduce"
    inputs = var_operand_def(TENSOR)
    use_global_device_ids = opt_prop_def(UnitAttr)
    computation: Region = region_def("single_block")
    outputs = var_result_def(TENSOR)

    def verify_(self) -> None:
        self._groups(1, 3, padded=True)
        expect_channel_id(self.channel_handle, self.use_global_device_ids, "all_reduce_c4")
        expect_size("results", len(self.outputs), len(self.inputs), "all_reduce_c6")
        for i, (value, output) in enumerate(zip(self.inputs, self.outputs)):
            what, labels = "the computation", ("all_reduce_c5", "all_reduce_c7")
            expect_reducer(what, self.computation, [value], [output], *labels)
            expect_shape(f"result {i}", output.type, shape_of(value), "all_reduce_c6")


@irdl_op_definition
class ReduceScatterOp(CollectiveOp):
    """`"stablehlo.reduce_scatter"`: `all_reduce`, of which each process keeps its part."""

    name = "stablehlo.reduce_scatter"
    operand = operand_def(TENSOR)
    scatter_dimension = prop_def(IntegerAttr[I64])
    use_global_device_ids = opt_prop_def(UnitAttr)
    computation: Region = region_def("single_block")
    result = result_def(TENSOR)

    def verify_(self) -> None:
        groups = self._groups(3, 5)
        expect_channel_id(self.channel_handle, self.use_global_device_ids, "reduce_scatter_c6")
        what, labels = "the computation", ("reduce_scatter_c7", "reduce_scatter_c9")
        expect_reducer(what, self.computation, [self.operand], [self.result], *labels)
        dimension, shape = self.scatter_dimension.value.data, shape_of(self.operand)
        expect_dims("scatter_dimension", [dimension], len(shape), "reduce_scatter_c2")
        size = group_size(groups, self.channel_handle, self.use_global_device_ids)
        whole = shape[dimension]
        if size is not None and whole != DYNAMIC_INDEX and whole % size:
            expected = f"dimension {dimension} of the operand to be a multiple of {size}"
            raise mismatch(expected, whole, "reduce_scatter_c1")
        result = shape_of(self.result)
        expect_scaled("the operand", shape, result, dimension, size, "reduce_scatter_c8")


@irdl_op_definition
class AllToAllOp(CollectiveOp):
    """`"stablehlo.all_to_all"`: each process sends a part of its operand to each of its group."""

    name = "stablehlo.all_to_all"
    inputs = var_operand_def(TENSOR)
    split_dimension = prop_def(IntegerAttr[I64])
    concat_dimension = prop_def(IntegerAttr[I64])
    split_count = prop_def(IntegerAttr[I64])
    outputs = var_result_def(TENSOR)

    def verify_(self) -> None:
        split, concat = self.split_dimension.value.data, self.concat_dimension.value.data
        count = self.split_count.value.data
        expect_positive("split_count", [count], "all_to_all_c4")
        groups = self._groups(5, 7)
        if groups is not None and groups[1] != count:
            raise mismatch(f"replica_groups of {count} processes", groups[1], "all_to_all_c8")
        expect_size("results", len(self.outputs), len(self.inputs), "all_to_all_c9")
        for i, (value, output) in enumerate(zip(self.inputs, self.outputs)):
            shape = list(shape_of(value))
            expect_dims("split_dimension", [split], len(shape), "all_to_all_c1")
            expect_dims("concat_dimension", [concat], len(shape), "all_to_all_c3")
            if shape[split] != DYNAMIC_INDEX:
                if shape[split] % count:
                    expected = f"dimension {split} of operand {i} to be a multiple of {count}"
                    raise mismatch(expected, shape[split], "all_to_all_c2")
                shape[split] //= count
            if shape[concat] != DYNAMIC_INDEX:
                shape[concat] *= count
            expect_shape(f"result {i}", output.type, shape, "all_to_all_c9")
            expect_element(f"result {i}", output.type, element_of(value), "all_to_all_c9")


@irdl_op_definition
class CollectiveBroadcastOp(CollectiveOp):
    """`"stablehlo.collective_broadcast"`: the operands of the first process of each group.

    With `has_dynamic_root` the last operand tells the process, for each of the others.
    """

    name = "stablehlo.collective_broadcast"
    inputs = var_operand_def(TENSOR)
    has_dynamic_root = opt_prop_def(UnitAttr)
    outputs = var_result_def(TENSOR)

    def verify_(self) -> None:
        groups = self._groups(1, 2, some=True)
        values, label = self.inputs, "collective_broadcast_c3"
        if self.has_dynamic_root is not None:
            label = "collective_broadcast_c4"
            expect_root(values, label)
            roots = constant_integers(values[-1])
            if roots is not None and groups is not None:
                expect_dims("the roots", roots, groups[1], "collective_broadcast_c6")
            values = values[:-1]
        if not values:
            raise mismatch("at least one operand", 0, label)
        expect_size("results", len(self.outputs), len(values), "collective_broadcast_c5")
        for i, (value, output) in enumerate(zip(values, self.outputs)):
            expect_type(f"result {i}", output.type, value.type, label)


@irdl_op_definition
class CollectiveReduceOp(CollectiveOp):
    """`"stablehlo.collective_reduce"`: `all_reduce` whose result only the root of each group gets.

    The root is the first process of a group; with `has_dynamic_root` the last operand tells it, for
    each of the others.
    """

    name = "stablehlo.collective_reduce"
    inputs = var_operand_def(TENSOR)
    use_global_device_ids = opt_prop_def(UnitAttr)
    has_dynamic_root = opt_prop_def(UnitAttr)
    computation: Region = region_def("single_block")
    outputs = var_result_def(TENSOR)

    def verify_(self) -> None:
        self._groups(1, 2, some=True)
        values, label = self.inputs, "collective_reduce_c3"
        if self.has_dynamic_root is not None:
            expect_root(values, label)
            values = values[:-1]
        expect_size("results", len(self.outputs), len(values), label)
        for i, (value, output) in enumerate(zip(values, self.outputs)):
            expect_shape(f"result {i}", output.type, shape_of(value), label)
            what, labels = "the computation", ("collective_reduce_c4", "collective_reduce_c4")
            expect_reducer(what, self.computation, [value], [output], *labels)


@irdl_op_definition
class CollectivePermuteOp(IRDLOperation):
    """`"stablehlo.collective_permute"`: sends operands along (source, target) pairs."""

    name = "stablehlo.collective_permute"
    operand = operand_def(TENSOR)
    source_target_pairs = prop_def(DenseIntOrFPElementsAttr)
    channel_handle = opt_prop_def(ChannelHandleAttr)
    result = result_def(TENSOR)

    def verify_(self) -> None:
        expect_pairs(self.source_target_pairs, "collective_permute")
        expect_type("result", self.result.type, self.operand.type, "collective_permute_c5")


@irdl_op_definition
class CrossReplicaSumOp(IRDLOperation):
    """`"stablehlo.cross-replica-sum"`: the sum of the operands of a group of replicas.

    A relic of HLO without constraints of its own; `all_reduce` says the same.
    """

    name = "stablehlo.cross-replica-sum"
    operand = operand_def(TENSOR)
    replica_groups = prop_def(DenseIntOrFPElementsAttr)
    result = result_def(TENSOR)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        expect_same_types(self)
