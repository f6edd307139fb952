"""Rules of `scatter`, by what its region does: add, subtract, set, multiply, or take an extremum.

Where several updates may go to one place: of updates that set, the last one stays and has the
cotangent; of those that tie for an extremum (with the operand, too), each has its share. Updates that
multiply need unique places for their own cotangent, as in JAX.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ....dialects import stablehlo
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, NoDerivative, jvp, vjp
from .common import copy, describe, iota, is_static, only, or_zeros, returned, single_op
from .indexing import Written

_KINDS = {
    "stablehlo.add": "add",
    "stablehlo.subtract": "subtract",
    "stablehlo.multiply": "multiply",
    "stablehlo.maximum": "extremum",
    "stablehlo.minimum": "extremum",
}


def _kind(op: stablehlo.ScatterOp) -> str:
    block = op.update_computation.block
    if len(op.inputs) != 1:
        raise NoDerivative(f"'{op.name}' of several inputs has no derivative", op)
    (value,) = returned(block)
    if isinstance(value, BlockArgument) and value.index == 1:
        return "set"
    kind = _KINDS.get(single_op(block) or "")
    if kind is None or (kind == "subtract" and not _in_order(block)):
        raise NoDerivative(
            f"'{op.name}' has a derivative when its region adds, subtracts, multiplies, sets or "
            f"takes an extremum, got {describe(block)}",
            op,
        )
    return kind


def _in_order(block: Block) -> bool:
    first = block.first_op
    return first is not None and tuple(first.operands) == tuple(block.args)


@vjp("stablehlo.scatter")
def _scatter(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.ScatterOp)
    kind = _kind(op)
    ct = only(cotangents)
    (operand,), (updates,) = op.inputs, op.updates
    wants_operand, wants_updates = b.is_active(operand), b.is_active(updates)
    e = b.emit
    if kind in ("add", "subtract") and not wants_updates:
        return [ct, None, None]
    at = Written(op, b.value(op.scatter_indices), e)
    by_operand = by_updates = None
    if kind in ("add", "subtract"):
        by_operand = ct if wants_operand else None
        by_updates = at.read(ct) if kind == "add" else e.neg(at.read(ct))
    elif kind == "set":
        if wants_operand:
            by_operand = at.write("set", ct, e.zeros_like(_updates_like(b, op)))
        if wants_updates:
            by_updates = at.read(ct)
            if not at.is_unique:
                by_updates = e.select(_last_ones(at), by_updates, e.zeros_like(by_updates))
    elif kind == "multiply":
        if wants_operand:
            by_operand = at.write("multiply", ct, b.value(updates))
        if wants_updates:
            _expect_unique(op, at)
            by_updates = e.mul(at.read(ct), at.read(b.value(operand)))
    else:
        chosen, chosen_updates, number = _ties(
            at, b.value(operand), b.value(updates), b.value(op.results[0])
        )
        share = e.div(ct, number)
        by_operand = e.mul(chosen, share) if wants_operand else None
        by_updates = e.mul(chosen_updates, at.read(share)) if wants_updates else None
    return [by_operand, None, by_updates]


def _updates_like(b: Backward, op: stablehlo.ScatterOp) -> SSAValue:
    """A value of the updates' type: only its shape is used, so no forward value when it is known."""
    (updates,) = op.updates
    return updates if is_static(updates) else b.value(updates)


def _expect_unique(op: stablehlo.ScatterOp, at: Written) -> None:
    if not at.is_unique:
        raise NoDerivative(
            f"'{op.name}' that multiplies has a derivative by its updates when it has "
            "unique_indices = true",
            op,
        )


def _last_ones(at: Written) -> SSAValue:
    """For each element of the updates, whether it is the last one written to its place."""
    e = at.emit
    count = prod(at.updates)
    number = e.reshape(iota(e, 0, [count]), at.updates)
    none = e.constant(-1, TensorType(i32, at.shape))
    return e.compare("EQ", number, at.read(at.write("set", none, number)))


def _ties(
    at: Written, operand: SSAValue, updates: SSAValue, result: SSAValue
) -> tuple[SSAValue, SSAValue, SSAValue]:
    """1 where the operand is the result, 1 where an update is, and how many are, place by place."""
    e = at.emit
    one = e.full_like(1, operand)
    chosen = e.select(e.compare("EQ", operand, result), one, e.zeros_like(operand))
    ones = e.full_like(1, updates)
    equal = e.compare("EQ", updates, at.read(result))
    chosen_updates = e.select(equal, ones, e.zeros_like(updates))
    return chosen, chosen_updates, at.write("add", chosen, chosen_updates)


@jvp("stablehlo.scatter")
def _scatter_forward(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    assert isinstance(op, stablehlo.ScatterOp)
    kind = _kind(op)
    (operand,), (updates,) = op.inputs, op.updates
    by_operand, _, by_updates = tangents
    if by_operand is None and by_updates is None:
        return [None]
    at = Written(op, op.scatter_indices, e)
    if kind in ("add", "subtract", "set"):
        if kind != "set" and by_updates is None:
            return [by_operand]
        first = or_zeros(e, by_operand, operand)
        return copy(e, op, [first, op.scatter_indices, or_zeros(e, by_updates, updates)]).results
    if kind == "multiply":
        total = None if by_operand is None else at.write("multiply", by_operand, updates)
        if by_updates is not None:
            _expect_unique(op, at)
            change = e.mul(at.read(operand), by_updates)
            total = at.write("add", or_zeros(e, total, operand), change)
        return [total]
    chosen, chosen_updates, number = _ties(at, operand, updates, op.results[0])
    total = e.zeros_like(operand) if by_operand is None else e.mul(chosen, by_operand)
    if by_updates is not None:
        total = at.write("add", total, e.mul(chosen_updates, by_updates))
    return [e.div(total, number)]
