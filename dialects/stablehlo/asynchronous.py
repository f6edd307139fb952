"""Asynchronous collectives and slices: `async_start` begins one, `async_done` waits for it."""

from __future__ import annotations

from xdsl.ir import Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsolatedFromAbove, RecursiveMemoryEffect

from .constraints import TENSOR
from .rules import expect_results, expect_type, mismatch, region_block
from .types import FutureType

_STARTED = frozenset(
    f"stablehlo.{name}"
    for name in (
        "all_gather",
        "all_reduce",
        "all_to_all",
        "collective_broadcast",
        "collective_permute",
        "reduce_scatter",
        "slice",
        "dynamic_slice",
        "dynamic_update_slice",
    )
)


@irdl_op_definition
class AsyncStartOp(IRDLOperation):
    """`"stablehlo.async_start"(%x) ({...})`: begins the only op of its region; gives a future."""

    name = "stablehlo.async_start"
    inputs = var_operand_def(TENSOR)
    body: Region = region_def("single_block")
    result = result_def(FutureType)
    traits = traits_def(RecursiveMemoryEffect(), IsolatedFromAbove())

    def verify_(self) -> None:
        block = region_block("the body", self.body, "async_start_c1")
        started, last = block.first_op, block.last_op
        if started is None or started is last or started.next_op is not last:
            raise mismatch("a body of one op and a return", len(block.ops), "async_start_c1")
        if started.name not in _STARTED:
            raise mismatch("a collective or a slice in the body", started.name, "async_start_c2")
        label = "async_start_c3"
        if tuple(started.operands) != tuple(block.args):
            raise mismatch(
                "an op on the arguments of the body, in their order", started.name, label
            )
        if len(block.args) != len(self.inputs):
            raise mismatch(f"{len(self.inputs)} arguments of the body", len(block.args), label)
        for i, (argument, value) in enumerate(zip(block.args, self.inputs)):
            expect_type(f"argument {i} of the body", argument.type, value.type, label)
        expected = FutureType(started.result_types)
        if self.result.type != expected:
            raise mismatch(f"result of type {expected}", self.result.type, "async_start_c4")


@irdl_op_definition
class AsyncDoneOp(IRDLOperation):
    """`"stablehlo.async_done"(%future)`: waits for what `async_start` began; gives its results."""

    name = "stablehlo.async_done"
    operand = operand_def(FutureType)
    outputs = var_result_def(TENSOR)

    def verify_(self) -> None:
        future = self.operand.type
        assert isinstance(future, FutureType)
        expect_results(self, future.types.data, "async_done_c1")
