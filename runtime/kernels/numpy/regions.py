"""Regions of kernels (the body of a `reduce`, a comparator): recognised, or evaluated on many
elements at once.

Such a region computes scalars from scalars. When all its ops are elementwise it can be evaluated
on whole arrays, which costs a few NumPy calls however many elements there are; otherwise it is
evaluated element by element.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import BlockArgument, Operation, Region, SSAValue

from ....dialects.diagnostics import ProgramError
from ...values import dtype_of, shape_of
from .. import ELEMENTWISE, Kernel, Scope, kernel_for


class BatchedScope:
    """A scope for kernels whose scalar operands may be arrays."""

    batched = True

    def __init__(self, outer: Scope):
        self._outer = outer

    def eval_region(self, region: Region) -> Kernel:
        return self._outer.eval_region(region)

    def function(self, symbol: str) -> Kernel:
        return self._outer.function(symbol)


def returned(region: Region) -> tuple[SSAValue, ...]:
    """The values a region's terminator returns."""
    terminator = region.block.last_op
    assert terminator is not None
    return tuple(terminator.operands)


def check_closed(region: Region, op: Operation) -> None:
    """Refuses a region that uses a value from outside: the kernel could not get at it."""
    for inner in region.walk():
        for operand in inner.operands:
            owner = operand.owner
            block = owner if not isinstance(owner, Operation) else owner.parent
            if block is None or not _inside(block, region):
                raise ProgramError(f"the region of {op.name} uses a value from outside", op)


def _inside(block: Any, region: Region) -> bool:
    while block is not None:
        parent = block.parent
        if parent is region:
            return True
        outer = None if parent is None else parent.parent
        block = None if outer is None else outer.parent
    return False


def single_op(region: Region) -> str | None:
    """The name of the op when the region is `return op(first argument, second argument)`, in
    either order for ops that commute."""
    block = region.block
    if len(block.args) != 2 or len(list(block.ops)) != 2:
        return None
    op = block.first_op
    assert op is not None
    if returned(region) != tuple(op.results):
        return None
    operands = tuple(op.operands)
    if operands == tuple(block.args) or (
        operands == tuple(reversed(block.args)) and op.name in _COMMUTATIVE
    ):
        return op.name
    return None


_COMMUTATIVE = {
    "stablehlo.add",
    "stablehlo.multiply",
    "stablehlo.maximum",
    "stablehlo.minimum",
    "stablehlo.and",
    "stablehlo.or",
    "stablehlo.xor",
}


def returned_argument(region: Region) -> int | None:
    """The number of the argument a region with one result returns as it is, if it does."""
    values = returned(region)
    if len(values) == 1 and isinstance(values[0], BlockArgument):
        if values[0].owner is region.block:
            return values[0].index
    return None


def is_batchable(region: Region) -> bool:
    """Whether a region consists of elementwise ops on scalars."""
    for op in region.block.ops:
        if op is region.block.last_op:
            continue
        if op.name not in ELEMENTWISE or op.regions:
            return False
        for value in (*op.operands, *op.results):
            if not isinstance(value.type, TensorType) or shape_of(value) != ():
                return False
    return True


def array_function(region: Region, op: Operation, scope: Scope) -> Callable[..., tuple[Any, ...]]:
    """The region as a function of arrays of one shape (or of scalars) to a tuple of such arrays."""
    check_closed(region, op)
    if is_batchable(region):
        return compile_batched(region, returned(region), scope)
    each = scope.eval_region(region)
    dtypes = [dtype_of(value.type) for value in returned(region)]

    def elementwise(*operands: Any) -> tuple[Any, ...]:
        shape = np.broadcast_shapes(*(operand.shape for operand in operands))
        spread = [np.broadcast_to(operand, shape) for operand in operands]
        results = [np.empty(shape, dtype) for dtype in dtypes]
        for index in np.ndindex(shape):
            for result, value in zip(results, each(*[x[index] for x in spread])):
                result[index] = value
        return tuple(results)

    return elementwise


def compile_batched(
    region: Region, results: tuple[SSAValue, ...], scope: Scope
) -> Callable[..., tuple[Any, ...]]:
    """A batchable region as a function of its arguments to the values `results`, computing only
    what they need."""
    block = region.block
    needed = _needed(results)
    inner = BatchedScope(scope)
    slots: dict[SSAValue, int] = {arg: k for k, arg in enumerate(block.args)}
    steps: list[tuple[Kernel, list[int]]] = []
    for op in block.ops:
        if op in needed:
            steps.append((kernel_for(op, inner), [slots[value] for value in op.operands]))
            slots[op.results[0]] = len(slots)
    outs = [slots[value] for value in results]

    def run(*operands: Any) -> tuple[Any, ...]:
        values = list(operands)
        for function, inputs in steps:
            values.append(function(*[values[k] for k in inputs]))
        return tuple([values[k] for k in outs])

    return run


def _needed(results: tuple[SSAValue, ...]) -> set[Operation]:
    needed: set[Operation] = set()
    todo = list(results)
    while todo:
        owner = todo.pop().owner
        if isinstance(owner, Operation) and owner not in needed:
            needed.add(owner)
            todo.extend(owner.operands)
    return needed
