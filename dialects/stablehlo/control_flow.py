"""Control flow as JAX prints it (`while`, `if`, `case`, `return`) and the ordering of effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect

from .assembly import AssembledOp
from .constraints import BOOLEAN, TENSOR_OR_TOKEN, TOKEN, TensorOf
from .signatures import PAIRWISE_TYPES, SAME_TYPE


@irdl_op_definition
class WhileOp(IRDLOperation):
    """`stablehlo.while(%i = %x, ...) : types cond {...} do {...}`: loops while the condition holds.

    Both regions take the carried values; the condition returns a boolean, the body the next values.
    """

    name = "stablehlo.while"
    operand = var_operand_def()
    cond: Region = region_def("single_block")
    body: Region = region_def("single_block")
    outputs = var_result_def()
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, operand: Sequence[SSAValue], cond: Region, body: Region):
        super().__init__(
            operands=[operand],
            regions=[cond, body],
            result_types=[[value.type for value in operand]],
        )


@irdl_op_definition
class IfOp(IRDLOperation):
    """`"stablehlo.if"(%p) ({...}, {...})`: runs one of two regions."""

    name = "stablehlo.if"
    pred = operand_def(TensorOf(BOOLEAN, rank=0, label="if_i1"))
    true_branch: Region = region_def("single_block")
    false_branch: Region = region_def("single_block")
    outputs = var_result_def()
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        pred: SSAValue | Operation,
        true_branch: Region,
        false_branch: Region,
        result_types: Sequence[Attribute],
    ):
        super().__init__(
            operands=[pred], regions=[true_branch, false_branch], result_types=[result_types]
        )


@irdl_op_definition
class CaseOp(IRDLOperation):
    """`"stablehlo.case"(%i) ({...}, {...})`: runs region `%i`, the last when out of range."""

    name = "stablehlo.case"
    index = operand_def(TensorOf(("signed integer",), rank=0, label="case_i1"))
    branches = var_region_def("single_block")
    outputs = var_result_def()
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        index: SSAValue | Operation,
        branches: Sequence[Region],
        result_types: Sequence[Attribute],
    ):
        super().__init__(operands=[index], regions=[branches], result_types=[result_types])


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """`stablehlo.return %x : tensor<f32>`: ends a region, giving its values."""

    name = "stablehlo.return"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=[values])


@irdl_op_definition
class OptimizationBarrierOp(AssembledOp):
    """`stablehlo.optimization_barrier %x`: keeps what makes `%x` before what uses the result."""

    name = "stablehlo.optimization_barrier"
    operand = var_operand_def(TENSOR_OR_TOKEN)
    result = var_result_def(TENSOR_OR_TOKEN)
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = PAIRWISE_TYPES


@irdl_op_definition
class AfterAllOp(AssembledOp):
    """`stablehlo.after_all %t0, %t1`: a token that comes after all the given ones."""

    name = "stablehlo.after_all"
    inputs = var_operand_def(TOKEN)
    result = result_def(TOKEN)
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = SAME_TYPE


@irdl_op_definition
class CreateTokenOp(AssembledOp):
    """`stablehlo.create_token`: a token that comes after nothing."""

    name = "stablehlo.create_token"
    output = result_def(TOKEN)
    traits = traits_def(Pure())
    SIGNATURE: ClassVar = SAME_TYPE
