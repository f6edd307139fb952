"""Explains why a derivative of an op is asked for: how an argument gets to a result through it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects.diagnostics import user_frame_of
from .activity import edges_of, has_derivative
from .rules import NoDerivative

UNNAMED = "function"
"""What a frontend calls a function without a name, as a lambda."""

LONGEST = 9
"""Steps of a path that are told; the middle of a longer one is left out."""


def explained(
    error: NoDerivative, function: FuncOp, wrt: Sequence[int], targets: Sequence[int]
) -> NoDerivative:
    """The error with the path from an argument of `wrt` to a result of `targets`.

    `function` has its calls inlined; the op is found in it by name and place, since the error may
    speak of a copy.
    """
    block = function.body.block
    end = block.last_op
    assert end is not None
    edges = [edge for edge in edges_of(block) if all(map(has_derivative, edge))]
    forward: dict[SSAValue, list[SSAValue]] = {}
    for source, target in edges:
        forward.setdefault(source, []).append(target)
    inputs = [block.args[k] for k in wrt]
    results = {end.operands[k]: k for k in targets}
    for op in function.walk():
        if op.name != error.op.name or op.location != error.op.location:
            continue
        before = _path(inputs, set(op.operands), forward)
        after = _path([*filter(has_derivative, op.results)], set(results), forward)
        if before is None or after is None:
            continue
        steps = [*map(_text, before), *map(_text, after), f"result {results[after[-1]]}"]
        text = " -> ".join(_shortened(_distinct(steps)))
        name = function.sym_name.data
        of = "" if name == UNNAMED else f" of @{name}"
        near = "" if _line(op) else _nearest([*after, *reversed(before)])
        return NoDerivative(
            f"{error.message}; its derivative is needed on the path {text}{of}{near}", error.op
        )
    return error


def _line(op: Operation) -> str | None:
    """The line of the user's program that an op is from; its name alone does not count."""
    frame = user_frame_of(op.location)
    return frame if frame is not None and re.search(r":\d+($| \()", frame) else None


def _nearest(values: Iterable[SSAValue]) -> str:
    """The first line of the user's program that an op of a path has; nothing if none has any."""
    owners = (value.owner for value in values)
    lines = (_line(op) for op in owners if isinstance(op, Operation))
    line = next((line for line in lines if line is not None), None)
    return f", near {line}" if line is not None else ""


def _path(
    start: Iterable[SSAValue], ends: set[SSAValue], edges: dict[SSAValue, list[SSAValue]]
) -> list[SSAValue] | None:
    """A shortest way from one of `start` to one of `ends`."""
    came_from: dict[SSAValue, SSAValue | None] = {value: None for value in start}
    pending = list(came_from)
    for value in pending:  # grows meanwhile
        if value in ends:
            path = [value]
            while (previous := came_from[path[-1]]) is not None:
                path.append(previous)
            return path[::-1]
        for following in edges.get(value, ()):
            if following not in came_from:
                came_from[following] = value
                pending.append(following)
    return None


def _text(value: SSAValue) -> str:
    hint = f" (%{value.name_hint})" if value.name_hint is not None else ""
    if isinstance(value, BlockArgument):
        parent = value.owner.parent_op()
        if isinstance(parent, FuncOp) or parent is None:
            return f"argument {value.index}{hint}"
        return f"{parent.name}{_label(parent)}"
    assert isinstance(value.owner, Operation)
    return f"{value.owner.name}{_label(value.owner)}"


def _label(op: Operation) -> str:
    name = getattr(op, "loop_name", None)
    return f' "{name.data}"' if name is not None else ""


def _distinct(steps: Iterable[str]) -> list[str]:
    found: list[str] = []
    for step in steps:
        if not found or found[-1] != step:
            found.append(step)
    return found


def _shortened(steps: list[str]) -> list[str]:
    if len(steps) <= LONGEST:
        return steps
    half = LONGEST // 2
    return [*steps[:half], "…", *steps[-half:]]
