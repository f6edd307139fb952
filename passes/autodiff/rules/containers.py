"""Rules of stacks and of `dcf.stop_gradient`: the cotangent of a stack is a stack."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects import dcf
from ..backward import Backward
from . import Contributions, vjp


@vjp("dcf.stack_push")
def _stack_push(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, dcf.StackPushOp)
    (ct,) = cotangents
    assert ct is not None
    pop = dcf.StackPopOp(ct, or_zero=True)
    b.emit.emit(pop)
    return [pop.rest, pop.value]


@vjp("dcf.stack_pop")
def _stack_pop(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, dcf.StackPopOp)
    rest, value = cotangents
    stack = b.zero(op.stack) if rest is None else rest
    top = b.zero(op.value) if value is None else value
    return [b.emit.value(dcf.StackPushOp(stack, top)), *([None] * (len(op.operands) - 1))]


@vjp("dcf.stack_add")
def _stack_add(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    return [cotangents[0], cotangents[0]]


@vjp("dcf.stop_gradient")
def _stop_gradient(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    return [None]
