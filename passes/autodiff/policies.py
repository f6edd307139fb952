"""Residual policies: what a loop's forward trips keep for its backward loop.

`save`: what the derivative rules read. `recompute`: the carries; each trip runs again before it is
reversed. `treeverse:C`: at most C states; trips run again from the nearest one. `sqrt`: about
the square root of the trips in states and as many trips' residuals, each trip running again once.
The gradients are the same. A loop has the policy of its attribute `residual_policy`; a loop in a body that
runs again is differentiated, by its own policy, as part of that run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from xdsl.dialects.builtin import StringAttr, TensorType, i1
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import dcf, stablehlo
from ...dialects.dcf.checks import check_residual_policy
from ..expand_scan import expand_scan
from .backward import Backward
from .checkpointing import reverse_recomputed, reverse_treeverse
from .emitter import Emitter
from .rerun import Rerun
from .structures import COUNT, STRUCTURES, active_carries, reverse_while

Kind = Literal["save", "recompute", "treeverse", "sqrt"]


@dataclass(frozen=True)
class Policy:
    """A residual policy; `budget` is the number of states of `treeverse`."""

    kind: Kind = "save"
    budget: int = 0

    @classmethod
    def parse(cls, text: str) -> Policy:
        """`save`, `recompute`, `sqrt` or `treeverse:C`; anything else is a `VerifyException`."""
        check_residual_policy(StringAttr(text))
        kind, _, budget = text.partition(":")
        return cls(cast(Kind, kind), int(budget) if budget else 0)

    def __str__(self) -> str:
        return f"{self.kind}:{self.budget}" if self.budget else self.kind


def policy_of(op: dcf.WhileOp | dcf.ScanOp) -> Policy:
    """The policy of a loop."""
    return Policy() if op.residual_policy is None else Policy.parse(op.residual_policy.data)


def reverse_loop(backward: Backward, op: Operation) -> None:
    """The backward code of a loop, by its policy.

    A loop that cannot run again with the same outcome (random numbers, effects, stacks as state)
    saves what it must whatever its policy says.
    """
    assert isinstance(op, dcf.WhileOp)
    policy = policy_of(op)
    if policy.kind in ("recompute", "treeverse"):
        active = [k for k, value in enumerate(op.body.block.args) if backward.is_active(value)]
        rerun = Rerun.of(op, active)
        if not active:
            active_carries(backward, op)
        elif not rerun.is_possible:
            reverse_while(backward, op)
        elif policy.kind == "treeverse":
            reverse_treeverse(backward, op, rerun, policy.budget)
        else:
            reverse_recomputed(backward, op, rerun)
    else:
        reverse_while(backward, op)


STRUCTURES[dcf.WhileOp] = reverse_loop


def prepare_loops(block: Block, default: Policy | None) -> None:
    """Give `default` to the loops without a policy, and split those of policy `sqrt`.

    A scan of another policy than `save` becomes a loop first.
    """
    for op in reversed(_walk(block)):  # inner ones first: an expanded scan is made anew
        if isinstance(op, dcf.WhileOp | dcf.ScanOp) and op.residual_policy is None:
            if default is not None:
                op.properties["residual_policy"] = StringAttr(str(default))
        if isinstance(op, dcf.ScanOp) and policy_of(op).kind != "save":
            expand_scan(op)
    for loop in [op for op in _walk(block) if isinstance(op, dcf.WhileOp)]:
        if policy_of(loop).kind == "sqrt" and _may_split(loop):
            _split(loop)


def _walk(block: Block) -> list[Operation]:
    return [inner for op in block.ops for inner in op.walk()]


def _may_split(op: dcf.WhileOp) -> bool:
    return Rerun.of(op, range(len(op.inits))).is_possible and not any(
        isinstance(inner, dcf.ProbeOp) for inner in op.condition.walk()
    )


def _split(op: dcf.WhileOp) -> None:
    """Make a loop of segments of it: the first has one trip, and each has one more than the last.

    So the number of segments and their lengths are about the square root of twice the trips,
    which need not be known. The segments are recomputed, and each saves its trips' residuals while
    it is.
    """
    count = len(op.inits)
    types = [value.type for value in op.inits]
    name = op.loop_name.data if op.loop_name is not None else "while"
    block = op.parent_block()
    assert block is not None

    before = _emitter(op, [])
    one_init = before.constant(1, COUNT)
    for made in list(before.block.ops):
        made.detach()
        block.insert_op_before(made, op)

    outer_condition = op.condition.clone()
    outer_condition.block.insert_arg(COUNT, count)

    inner_body = op.detach_region(op.body)
    inner_condition = op.detach_region(op.condition)
    position = inner_condition.block.insert_arg(COUNT, count)
    inner_body.block.insert_arg(COUNT, count)

    outer = _emitter(op, [*types, COUNT])
    for old, new in zip(inner_body.block.args, outer.block.args):
        new.name_hint = old.name_hint
    length = outer.block.args[count]
    zero, one = outer.constant(0, COUNT), outer.constant(1, COUNT)
    _limit(op, inner_condition.block, position, length)
    _count(op, inner_body.block, one)
    inner = dcf.WhileOp(
        [*outer.block.args[:count], zero],
        inner_condition,
        inner_body,
        loop_name=f"{name}.segment",
        parallel_iterations=op.window if op.parallel_iterations is not None else None,
    )
    outer.emit(inner)
    longer = outer.value(stablehlo.AddOp(length, one))
    outer.emit(dcf.YieldOp(*inner.outputs[:count], longer))
    made = dcf.WhileOp(
        [*op.inits, one_init],
        outer_condition,
        Region(outer.block),
        loop_name=name,
        parallel_iterations=op.window if op.parallel_iterations is not None else None,
        residual_policy="recompute",
    )
    made.location = op.location
    made.attributes.update(op.attributes)
    block.insert_op_before(made, op)
    for old, new in zip(op.outputs, made.outputs):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    block.erase_op(op)


def _emitter(op: Operation, types: list[object]) -> Emitter:
    emit = Emitter(Block(arg_types=types))  # pyright: ignore[reportArgumentType]
    emit.source = op
    return emit


def _limit(op: Operation, condition: Block, position: SSAValue, length: SSAValue) -> None:
    """Go on as before, but for `length` trips at most."""
    end = condition.last_op
    assert isinstance(end, dcf.ConditionOp)
    old = end.operands[0]
    condition.erase_op(end)
    emit = Emitter(condition)
    emit.source = op
    more = emit.compare("LT", position, length)
    both = emit.value(stablehlo.AndOp(old, more))
    assert both.type == TensorType(i1, [])
    emit.emit(dcf.ConditionOp(both))


def _count(op: Operation, body: Block, one: SSAValue) -> None:
    end = body.last_op
    assert isinstance(end, dcf.YieldOp)
    values = list(end.operands)
    body.erase_op(end)
    emit = Emitter(body)
    emit.source = op
    following = emit.value(stablehlo.AddOp(body.args[len(values)], one))
    emit.emit(dcf.YieldOp(*values, following))
