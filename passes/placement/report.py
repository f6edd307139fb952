"""The table of what is placed where, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...dialects.diagnostics import position_of, user_frame_of
from .scope import Choice, Item

HEADER: tuple[str, ...] = ("what", "device", "why", "where")


def table(
    function: FuncOp,
    ops: Sequence[Operation],
    choices: Mapping[Item, Choice],
    results: Sequence[str],
) -> str:
    """A line for each argument, op and result of a function, in the order of the text."""
    rows = [HEADER]
    for argument in function.body.block.args:
        choice = choices[argument]
        rows.append((f"argument {argument.index}", choice.device, choice.why, ""))
    for op in ops:
        choice = choices[op]
        rows.append((op.name, choice.device, choice.why, _where(op)))
    rows += [(f"result {number}", device, "", "") for number, device in enumerate(results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows
    ]
    return "\n".join((f"@{function.sym_name.data}", *lines))


def _where(op: Operation) -> str:
    """The line of the source, or else of the program's text."""
    frame = user_frame_of(op.location)
    if frame is not None:
        return frame
    position = position_of(op.location)
    return "" if position is None else ":".join(map(str, position))
