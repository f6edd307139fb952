"""In which frame each op of a graph is: found by following edges from the graph's sources.

A frame is the path of loop names from the outside in; the root is the empty path. Only an enter
leads into a frame and only an exit out of it, so an op is in the frame of its operands, and an op
whose operands disagree is an error. Everything here takes time linear in the graph.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeAlias

from xdsl.ir import Operation, SSAValue

from ..diagnostics import RuleError
from .primitives import EnterOp, ExitOp, LoopCondOp, NextIterationOp

if TYPE_CHECKING:
    from .graphs import GraphOp

Frame: TypeAlias = tuple[str, ...]

ROOT: Frame = ()


def frame_of(graph: GraphOp) -> dict[Operation, Frame]:
    """The frame of the results of each op: an enter is in its child frame, an exit in its parent.

    Raises a `RuleError` at the first op, in the order of the text, that breaks a rule of frames.
    """
    frames = _propagate(graph)
    parents: dict[str, tuple[Frame, EnterOp]] = {}
    for op in graph.body.block.ops:
        if op not in frames:
            raise RuleError(
                f"expected {op.name} to be reached from a feed, a constant or a token of the graph,"
                " got only operands from a cycle that nothing enters",
                op,
            )
        inside = _check_operands(op, frames)
        if isinstance(op, EnterOp):
            _check_enter(op, inside, parents)
        elif isinstance(op, ExitOp | NextIterationOp | LoopCondOp) and inside == ROOT:
            raise RuleError(f"expected a value of a loop for {op.name}, got one of root", op)
    return frames


def describe(frame: Frame) -> str:
    """`root`, `loop "a"`, or `loop "b" in loop "a"`."""
    return " in ".join(f'loop "{name}"' for name in reversed(frame)) or "root"


def value_frame(value: SSAValue, frames: dict[Operation, Frame]) -> Frame:
    """The frame of a value; the graph's arguments are in the root."""
    owner = value.owner
    return frames[owner] if isinstance(owner, Operation) else ROOT


def _propagate(graph: GraphOp) -> dict[Operation, Frame]:
    """The frame of each op by the first of its operands that is reached; none for those never."""
    block = graph.body.block
    frames: dict[Operation, Frame] = {}
    reached: deque[Operation] = deque()

    def reach(op: Operation, frame: Frame) -> None:
        if op not in frames and op.parent is block:
            if isinstance(op, EnterOp):
                frame = (*frame, op.frame.data)
            elif isinstance(op, ExitOp):
                frame = frame[:-1]
            frames[op] = frame
            reached.append(op)

    last = block.last_op
    if last is not None:
        # A fetch delivers to the program, which is in no loop, whatever it is given.
        frames[last] = ROOT
    for op in block.ops:
        if not op.operands:
            reach(op, ROOT)
    for argument in block.args:
        for use in argument.uses:
            reach(use.operation, ROOT)
    while reached:
        op = reached.popleft()
        frame = frames[op]
        for result in op.results:
            for use in result.uses:
                reach(use.operation, frame)
    return frames


def _check_operands(op: Operation, frames: dict[Operation, Frame]) -> Frame:
    """The frame that all operands of `op` come from."""
    operands = op.operands
    if not operands:
        return ROOT
    if op.name == "dfg.fetch":
        for position, value in enumerate(operands):
            frame = value_frame(value, frames)
            if frame != ROOT:
                raise RuleError(
                    f"expected operands of {op.name} from root, got operand {position}"
                    f" ({_producer(value)}) from {describe(frame)}; a value leaves a loop through"
                    " dfg.exit",
                    op,
                )
        return ROOT
    first = value_frame(operands[0], frames)
    for position, value in enumerate(operands):
        frame = value_frame(value, frames)
        if frame != first:
            raise RuleError(
                f"expected operands of {op.name} from one frame, got operand 0"
                f" ({_producer(operands[0])}) from {describe(first)} and operand {position}"
                f" ({_producer(value)}) from {describe(frame)}; a value enters a loop through"
                " dfg.enter and leaves it through dfg.exit",
                op,
            )
    return first


def _check_enter(op: EnterOp, inside: Frame, parents: dict[str, tuple[Frame, EnterOp]]) -> None:
    """A frame has one parent."""
    known, _ = parents.setdefault(op.frame.data, (inside, op))
    if known != inside:
        raise RuleError(
            f'expected all enters of loop "{op.frame.data}" in {describe(known)}, as the first,'
            f" got one in {describe(inside)}",
            op,
        )


def _producer(value: SSAValue) -> str:
    owner = value.owner
    name = owner.name if isinstance(owner, Operation) else "an argument"
    return f"%{value.name_hint}, {name}" if value.name_hint else name
