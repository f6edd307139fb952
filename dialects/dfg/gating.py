"""Loops end: what goes on to the next iteration is dead once the loop's predicate is false.

There are no control edges, so whether an op is live must come from its operands. A value of a loop
is *gated* when it is dead in every iteration whose predicate is false: when it comes from the true
side of a switch on the loop's `dfg.loop_cond`, or from an op with a gated operand (any dead input
makes an op dead), or from a merge all of whose inputs are gated. A value that passes through an
inner loop stays gated: a dead enter makes what depends on it dead in each of its iterations. So an
inner loop's merge is gated if its enter is, and what its next_iteration brings back is as well.

We look for the opposite, the values that may be live when the predicate is false, from the loop's
enters and next_iterations on. That takes time linear in the ops inside the loop, inner loops
included: on the whole, in the ops of the graph times the depth of its nest.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from ..diagnostics import RuleError
from .frames import Frame, describe
from .merge import MergeOp
from .primitives import EnterOp, LoopCondOp, NextIterationOp, SwitchOp

if TYPE_CHECKING:
    from .graphs import GraphOp


def verify_gating(graph: GraphOp, frames: dict[Operation, Frame]) -> None:
    """Each loop has one condition, and ends when it is false."""
    loop_conds: dict[Frame, LoopCondOp] = {}
    sources: dict[Frame, list[Operation]] = {}
    back_edges: dict[Frame, list[NextIterationOp]] = {}
    for op in graph.body.block.ops:
        frame = frames[op]
        if isinstance(op, LoopCondOp):
            if frame in loop_conds:
                raise RuleError(
                    f"expected one dfg.loop_cond in {describe(frame)}, got a second one", op
                )
            loop_conds[frame] = op
        elif isinstance(op, EnterOp):
            sources.setdefault(frame, []).append(op)
        elif isinstance(op, NextIterationOp):
            sources.setdefault(frame, []).append(op)
            back_edges.setdefault(frame, []).append(op)
    for frame, next_iterations in back_edges.items():
        loop_cond = loop_conds.get(frame)
        if loop_cond is None:
            raise RuleError(
                f"expected a dfg.loop_cond in {describe(frame)} to end its iterations, got none",
                next_iterations[0],
            )
        ungated = _ungated_values(frame, frames, sources[frame], loop_cond)
        for op in next_iterations:
            if op.data in ungated:
                raise RuleError(
                    "expected a value from the true side of a dfg.switch on the dfg.loop_cond of"
                    f" {describe(frame)}, got {_name(op.data)}, which is live when that is false:"
                    " the loop would never end",
                    op,
                )


def _ungated_values(
    frame: Frame,
    frames: dict[Operation, Frame],
    sources: list[Operation],
    loop_cond: LoopCondOp,
) -> set[SSAValue]:
    """The values in `frame` and its inner frames that may be live when the predicate is false."""
    depth = len(frame)
    missing: dict[Operation, int] = {}
    ungated: set[SSAValue] = set()
    pending: deque[SSAValue] = deque()

    def found(op: Operation) -> None:
        outputs = op.results
        if isinstance(op, SwitchOp) and op.predicate is loop_cond.output:
            outputs = (op.false_output,)
        for value in outputs:
            if value not in ungated:
                ungated.add(value)
                pending.append(value)

    for op in sources:
        found(op)
    while pending:
        for use in pending.popleft().uses:
            op = use.operation
            if frames.get(op, ())[:depth] != frame:
                continue
            if isinstance(op, MergeOp):
                found(op)
                continue
            left = missing.get(op, len(op.operands)) - 1
            missing[op] = left
            if not left:
                found(op)
    return ungated


def _name(value: SSAValue) -> str:
    owner = value.owner
    name = owner.name if isinstance(owner, Operation) else "an argument"
    return f"%{value.name_hint} of {name}" if value.name_hint else f"a result of {name}"
