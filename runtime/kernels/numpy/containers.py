"""Stacks, arrays and tokens (`dcf.stack_*`, `dcf.array_*`, `dfg.stack_new`) and
`dcf.stop_gradient`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from ....dialects.dcf.types import ArrayType, StackType
from ....dialects.diagnostics import ProgramError
from ...values import EMPTY_STACK, TOKEN, Stack, TensorArray, dtype_of, is_static, shape_of
from .. import Kernel, Scope, kernel
from .attributes import attribute
from .common import constantly, identity, one, three, two


@kernel("dcf.stop_gradient", elementwise=True)
def _stop_gradient(op: Operation, scope: Scope) -> Kernel:
    return identity


@kernel("dcf.stack_new", "dfg.stack_new")
def _stack_new(op: Operation, scope: Scope) -> Kernel:
    return constantly(EMPTY_STACK)


@kernel("dcf.stack_push")
def _stack_push(op: Operation, scope: Scope) -> Kernel:
    # Not the method itself: a captured stack is gated like any other value, and may be read-only
    # data.
    return Stack


@kernel("dcf.stack_pop")
def _stack_pop(op: Operation, scope: Scope) -> Kernel:
    if attribute(op, "or_zero") is None:
        return Stack.pop
    stack_type = op.operands[0].type
    assert isinstance(stack_type, StackType)
    element: TensorType[Any] = stack_type.element_type
    dtype, shape = dtype_of(element), shape_of(element)
    if not is_static(shape) and len(op.operands) < 2:
        raise ProgramError(f"{op.name}: a zero of dynamic shape needs the operand 'like'", op)

    def pop_or_zero(stack: Stack, *like: Any) -> tuple[Stack, Any]:
        if stack.depth:
            return stack.pop()
        return stack, np.zeros(like[0].shape if like else shape, dtype)

    return pop_or_zero


@kernel("dcf.stack_add")
def _stack_add(op: Operation, scope: Scope) -> Kernel:
    return add_stacks


def add_stacks(
    lhs: Stack,
    rhs: Stack,
    value_of: Callable[[Any], Any] = lambda element: element,
    push: Callable[[Stack, Any], Stack] = Stack,
) -> Stack:
    """Sums element by element from the top; what the longer one has below is kept as it is.

    `value_of` gives the value of an element, `push` puts one on a stack.
    """
    sums: list[Any] = []
    while lhs.depth and rhs.depth:
        lhs, x = lhs.pop()
        rhs, y = rhs.pop()
        sums.append((x, y))
    result = lhs if lhs.depth else rhs
    while sums:
        x, y = sums.pop()
        result = push(result, np.add(value_of(x), value_of(y)))
    return result


def _array_type(op: Operation, value_type: Any) -> ArrayType:
    assert isinstance(value_type, ArrayType), op.name
    return value_type


@kernel("dcf.array_new")
def _array_new(op: Operation, scope: Scope) -> Kernel:
    array_type = _array_type(op, op.results[0].type)

    def array_new(size: Any, *gates: Any) -> TensorArray:
        return TensorArray.new(array_type, int(size))

    return array_new


@kernel("dcf.array_write")
def _array_write(op: Operation, scope: Scope) -> Kernel:
    return three(lambda array, index, value: array.write(int(index), value))


@kernel("dcf.array_read")
def _array_read(op: Operation, scope: Scope) -> Kernel:
    return two(lambda array, index: array.read(int(index)))


@kernel("dcf.array_stack")
def _array_stack(op: Operation, scope: Scope) -> Kernel:
    declared = shape_of(op.results[0])[0]
    if declared < 0:
        return TensorArray.stack

    def stack(array: TensorArray) -> Any:
        if array.size != declared:
            raise ValueError(
                f"expected an array of {declared}, as declared, got one of {array.size}"
            )
        return array.stack()

    return stack


@kernel("dcf.array_unstack")
def _array_unstack(op: Operation, scope: Scope) -> Kernel:
    array_type = _array_type(op, op.results[0].type)

    def unstack(tensor: Any) -> TensorArray:
        rows = [row.copy() for row in tensor]
        return TensorArray(
            array_type.element_type, rows, grad=array_type.is_grad, nbytes=tensor.nbytes
        )

    return unstack


@kernel("dcf.array_size")
def _array_size(op: Operation, scope: Scope) -> Kernel:
    make = dtype_of(op.results[0].type).type
    return one(lambda array: make(array.size))


@kernel("stablehlo.create_token", "stablehlo.after_all")
def _token(op: Operation, scope: Scope) -> Kernel:
    return constantly(TOKEN)
