"""Stacks (`!dcf.stack<T>`): values with O(1) push and pop, used by gradients to keep residuals."""

from __future__ import annotations

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from .types import StackType


@irdl_op_definition
class StackNewOp(IRDLOperation):
    """`dcf.stack_new : !dcf.stack<T>`: an empty stack."""

    name = "dcf.stack_new"
    stack = result_def(StackType)
    traits = traits_def(Pure())

    def __init__(self, stack_type: StackType):
        super().__init__(result_types=[stack_type])


@irdl_op_definition
class StackPushOp(IRDLOperation):
    """`dcf.stack_push %s, %v`: the stack with `%v` on top; `%s` is unchanged."""

    name = "dcf.stack_push"
    stack = operand_def(StackType)
    value = operand_def()
    result = result_def(StackType)
    traits = traits_def(Pure())

    def __init__(self, stack: SSAValue | Operation, value: SSAValue | Operation):
        super().__init__(operands=[stack, value], result_types=[SSAValue.get(stack).type])


@irdl_op_definition
class StackPopOp(IRDLOperation):
    """`dcf.stack_pop %s`: the stack without its top element, and that element.

    Popping an empty stack is an error at run time, unless `or_zero`: then the element is a zero, of the
    shape of the operand `like` when T has dynamic dimensions.
    """

    name = "dcf.stack_pop"
    stack = operand_def(StackType)
    like = opt_operand_def()
    rest = result_def(StackType)
    value = result_def()
    or_zero = opt_prop_def(UnitAttr)
    traits = traits_def(Pure())

    def __init__(
        self,
        stack: SSAValue | Operation,
        *,
        or_zero: bool = False,
        like: SSAValue | None = None,
    ):
        stack_type = SSAValue.get(stack).type
        assert isinstance(stack_type, StackType)
        super().__init__(
            operands=[stack, [like] if like is not None else []],
            result_types=[stack_type, stack_type.element_type],
            properties={"or_zero": UnitAttr() if or_zero else None},
        )


@irdl_op_definition
class StackAddOp(IRDLOperation):
    """`dcf.stack_add %a, %b`: element by element sum from the top; the longer one's rest is kept."""

    name = "dcf.stack_add"
    lhs = operand_def(StackType)
    rhs = operand_def(StackType)
    result = result_def(StackType)
    traits = traits_def(Pure())

    def __init__(self, lhs: SSAValue | Operation, rhs: SSAValue | Operation):
        super().__init__(operands=[lhs, rhs], result_types=[SSAValue.get(lhs).type])
