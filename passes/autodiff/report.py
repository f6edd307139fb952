"""The residual report: what the forward code keeps for the backward code, and why.

One row for each value kept: on a stack, as rows (an output of a scan), or as part of a state from
which trips run again. Indented rows are of code that runs again: kept only while it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from .._tables import bytes_text, columns, place_text, value_text
from .backward import Records

HEADER = ("value", "type", "bytes per trip", "kept", "loop", "needed by", "at")


def table(log: Iterable[Records]) -> str:
    """The report of the functions that were made, as text."""
    parts: list[str] = []
    for records in log:
        rows = list(_rows(records, ""))
        name = _function(records.top)
        if not rows:
            parts.append(f"residuals of {name}: none")
            continue
        total = f"{len(rows)} values" if len(rows) != 1 else "1 value"
        parts.append(f"residuals of {name}: {total}")
        parts.append(columns(HEADER, rows, ("bytes per trip",)))
    return "\n".join(parts)


def _rows(records: Records, indent: str) -> Iterator[Sequence[str]]:
    for residual in records.residuals.values():
        loop = residual.block.parent_op()
        yield _row(indent, residual.value, "stack", loop, residual.reader)
    for saved in records.rows.values():
        yield _row(indent, saved.value, "rows", saved.scan, saved.reader)
    for states in records.states:
        for value in states.values:
            how = f"state, {states.budget} at most"
            yield _row(indent, value, how, states.loop, states.loop)
    for inner in records.inner:
        yield from _rows(inner, indent + "  ")


def _row(
    indent: str, value: SSAValue, how: str, loop: Operation | None, reader: Operation | None
) -> Sequence[str]:
    return (
        indent + _value_text(value),
        str(value.type),
        bytes_text(value.type),
        how,
        _loop_text(loop),
        reader.name if reader is not None else "",
        _place_text(reader, value),
    )


def _value_text(value: SSAValue) -> str:
    if (name := value_text(value)) is not None:
        return name
    if isinstance(value, BlockArgument):
        return f"argument {value.index}"
    assert isinstance(value.owner, Operation)
    return f"a result of {value.owner.name}"


def _loop_text(loop: Operation | None) -> str:
    """The loop or branch whose every run keeps one."""
    name = getattr(loop, "loop_name", None)
    return f'"{name.data}"' if name is not None else loop.name if loop is not None else ""


def _place_text(reader: Operation | None, value: SSAValue) -> str:
    location = reader.location if reader is not None else None
    if location is None and isinstance(value.owner, Operation):
        location = value.owner.location
    return place_text(location)


def _function(block: Block) -> str:
    op = block.parent_op()
    return f"@{op.sym_name.data}" if isinstance(op, FuncOp) else "a function"
