"""Branches of the structured level: `dcf.cond` and `dcf.case`. Only the taken branch runs."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    traits_def,
    var_region_def,
    var_result_def,
)
from xdsl.traits import RecursiveMemoryEffect


@irdl_op_definition
class CondOp(IRDLOperation):
    """`dcf.cond`: `%p : tensor<i1>` chooses a region; both yield the result types."""

    name = "dcf.cond"
    predicate = operand_def()
    outputs = var_result_def()
    then_region: Region = region_def("single_block")
    else_region: Region = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        predicate: SSAValue | Operation,
        result_types: Sequence[Attribute],
        then_region: Region,
        else_region: Region,
    ):
        super().__init__(
            operands=[predicate],
            result_types=[result_types],
            regions=[then_region, else_region],
        )


@irdl_op_definition
class CaseOp(IRDLOperation):
    """`dcf.case`: `%index : tensor<i32>` chooses a region; an index out of range runs the last."""

    name = "dcf.case"
    index = operand_def()
    outputs = var_result_def()
    branches = var_region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        index: SSAValue | Operation,
        result_types: Sequence[Attribute],
        branches: Sequence[Region],
    ):
        super().__init__(operands=[index], result_types=[result_types], regions=[branches])
