"""Ops that start or gate activity: tokens, gated constants and stacks, probes, kernels."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

from ..dcf.types import StackType
from .types import TokenType


@irdl_op_definition
class TokenOp(IRDLOperation):
    """`dfg.token`: fires once, when the graph starts."""

    name = "dfg.token"
    token = result_def(TokenType)

    def __init__(self):
        super().__init__(result_types=[TokenType()])


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """`dfg.constant dense<…> after %t : tensor<…>`: a constant delivered when its token is."""

    name = "dfg.constant"
    value = prop_def(DenseIntOrFPElementsAttr)
    after = operand_def(TokenType)
    output = result_def()
    traits = traits_def(Pure())

    def __init__(self, value: DenseIntOrFPElementsAttr, after: SSAValue | Operation):
        super().__init__(
            operands=[after], result_types=[value.type], properties={"value": value}
        )


@irdl_op_definition
class StackNewOp(IRDLOperation):
    """`dfg.stack_new after %t : !dcf.stack<T>`: an empty stack, one for each token."""

    name = "dfg.stack_new"
    after = operand_def(TokenType)
    stack = result_def(StackType)
    traits = traits_def(Pure())

    def __init__(self, stack_type: StackType, after: SSAValue | Operation):
        super().__init__(operands=[after], result_types=[stack_type])


@irdl_op_definition
class ProbeOp(IRDLOperation):
    """`%t1 = dfg.probe "label" %values after %t`: reports the values, then passes the token on."""

    name = "dfg.probe"
    label = prop_def(StringAttr)
    values = var_operand_def()
    after = operand_def(TokenType)
    done = result_def(TokenType)

    def __init__(self, label: str, values: Sequence[SSAValue], after: SSAValue | Operation):
        super().__init__(
            operands=[values, after],
            result_types=[TokenType()],
            properties={"label": StringAttr(label)},
        )


@irdl_op_definition
class KernelOp(IRDLOperation):
    """`dfg.kernel @f(%operands)`: runs a function of the module as one node."""

    name = "dfg.kernel"
    callee = prop_def(SymbolRefAttr)
    arguments = var_operand_def()
    outputs = var_result_def()
    traits = traits_def(Pure())

    def __init__(self, callee: str, arguments: Sequence[SSAValue], results: Sequence[Attribute]):
        super().__init__(
            operands=[arguments],
            result_types=[results],
            properties={"callee": SymbolRefAttr(callee)},
        )
