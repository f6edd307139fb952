"""Rules of stacks and arrays.

The cotangent or tangent of a stack is a stack, aligned at the top; the empty one is zero. That of an
array is a gradient array, whose elements that were not written are zero.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation, SSAValue

from ....dialects import dcf
from ....dialects.dcf.types import cotangent_type
from ....dialects.stablehlo.inference import shape_of
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, jvp, vjp

# Stacks.


@vjp("dcf.stack_push")
def _stack_push(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, dcf.StackPushOp)
    (ct,) = cotangents
    assert ct is not None
    pop = _pop_or_zero(ct, op.value, b.value)
    b.emit.emit(pop)
    return [pop.rest, pop.value]


@jvp("dcf.stack_push")
def _stack_push_tangent(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    assert isinstance(op, dcf.StackPushOp)
    stack, value = tangents
    below = stack or e.zero(op.stack)
    return [e.value(dcf.StackPushOp(below, value or e.zeros_like(op.value)))]


@vjp("dcf.stack_pop")
def _stack_pop(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, dcf.StackPopOp)
    rest, value = cotangents
    stack = b.zero(op.stack) if rest is None else rest
    top = b.zero(op.value) if value is None else value
    return [b.emit.value(dcf.StackPushOp(stack, top)), *([None] * (len(op.operands) - 1))]


@jvp("dcf.stack_pop")
def _stack_pop_tangent(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    assert isinstance(op, dcf.StackPopOp)
    stack = tangents[0]
    if stack is None:
        return [None, None]
    pop = _pop_or_zero(stack, op.value, lambda value: value)
    e.emit(pop)
    return [pop.rest, pop.value]


@vjp("dcf.stack_add")
def _stack_add(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    return [cotangents[0], cotangents[0]]


@jvp("dcf.stack_add")
def _stack_add_tangent(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    return [e.add(tangents[0], tangents[1])]


def _pop_or_zero(
    stack: SSAValue, element: SSAValue, value: Callable[[SSAValue], SSAValue]
) -> dcf.StackPopOp:
    """Pops from a derivative's stack; where it is empty, a zero of the shape of `element`."""
    dynamic = any(size < 0 for size in shape_of(element))
    return dcf.StackPopOp(stack, or_zero=True, like=value(element) if dynamic else None)


# Arrays.


@vjp("dcf.array_write")
def _array_write(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, dcf.ArrayWriteOp)
    (ct,) = cotangents
    assert ct is not None
    element = None
    if b.is_active(op.value):
        element = b.emit.value(dcf.ArrayReadOp(ct, b.value(op.index)))
    # The element that was written was nothing before, so whatever it holds goes nowhere.
    return [ct, None, element]


@jvp("dcf.array_write")
def _array_write_tangent(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    assert isinstance(op, dcf.ArrayWriteOp)
    array, _, value = tangents
    if value is None:
        return [array]
    return [e.value(dcf.ArrayWriteOp(array or e.zero(op.array), op.index, value))]


@vjp("dcf.array_read")
def _array_read(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, dcf.ArrayReadOp)
    (ct,) = cotangents
    assert ct is not None
    # Written into the array's cotangent as it is so far: adding a whole array would cost its size.
    total = b.take(op.array) or b.zero(op.array)
    return [b.emit.value(dcf.ArrayWriteOp(total, b.value(op.index), ct)), None]


@jvp("dcf.array_read")
def _array_read_tangent(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    assert isinstance(op, dcf.ArrayReadOp)
    array = tangents[0]
    assert array is not None
    return [e.value(dcf.ArrayReadOp(array, op.index))]


@vjp("dcf.array_stack")
def _array_stack(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    return [_unstack(b.emit, ct, op.operands[0])]


@jvp("dcf.array_stack")
def _array_stack_tangent(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    (array,) = tangents
    assert array is not None
    return [_stack(e, array, op.results[0])]


@vjp("dcf.array_unstack")
def _array_unstack(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    (ct,) = cotangents
    assert ct is not None
    return [_stack(b.emit, ct, op.operands[0])]


@jvp("dcf.array_unstack")
def _array_unstack_tangent(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    (tangent,) = tangents
    assert tangent is not None
    return [_unstack(e, tangent, op.results[0])]


def _stack(e: Emitter, array: SSAValue, like: SSAValue) -> SSAValue:
    return e.value(dcf.ArrayStackOp.create(operands=[array], result_types=[like.type]))


def _unstack(e: Emitter, tensor: SSAValue, like: SSAValue) -> SSAValue:
    type = cotangent_type(like.type)
    return e.value(dcf.ArrayUnstackOp.create(operands=[tensor], result_types=[type]))
