"""The residual report: what the forward code keeps for the backward code, and why.

One row for each value kept: on a stack, as rows (an output of a scan), or as part of a state from
which trips run again. Indented rows are of code that runs again: kept only while it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from ...dialects import dcf
from ...dialects.diagnostics import position_of, user_frame_of
from ...dialects.stablehlo.inference import tensor_of
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
        parts.append(_columns([HEADER, *rows]))
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
        _bytes_text(value.type),
        how,
        _loop_text(loop),
        reader.name if reader is not None else "",
        _place_text(reader, value),
    )


def _value_text(value: SSAValue) -> str:
    if value.name_hint is not None:
        return f"%{value.name_hint}"
    if isinstance(value, BlockArgument):
        return f"argument {value.index}"
    assert isinstance(value.owner, Operation)
    return f"a result of {value.owner.name}"


def _bytes_text(type: Attribute) -> str:
    """Bytes of one value; `?` when its size is known at run time only."""
    if isinstance(type, dcf.StackType | dcf.ArrayType):
        return "?"
    from ...runtime.values import dtype_of

    tensor: TensorType[Attribute] = tensor_of(type)
    count = 1
    for size in tensor.get_shape():
        if size < 0:
            return "?"
        count *= size
    return f"{count * dtype_of(tensor).itemsize:,}"


def _loop_text(loop: Operation | None) -> str:
    """The loop or branch whose every run keeps one."""
    name = getattr(loop, "loop_name", None)
    return f'"{name.data}"' if name is not None else loop.name if loop is not None else ""


def _place_text(reader: Operation | None, value: SSAValue) -> str:
    location = reader.location if reader is not None else None
    if location is None and isinstance(value.owner, Operation):
        location = value.owner.location
    frame = user_frame_of(location)
    if frame is not None:
        return frame
    position = position_of(location)
    return ":".join(map(str, position)) if position is not None else "unknown"


def _function(block: Block) -> str:
    op = block.parent_op()
    return f"@{op.sym_name.data}" if isinstance(op, FuncOp) else "a function"


def _columns(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[k]) for row in rows) for k in range(len(HEADER))]
    right = HEADER.index("bytes per trip")
    lines = (
        "  ".join(
            text.rjust(width) if k == right else text.ljust(width)
            for k, (text, width) in enumerate(zip(row, widths))
        )
        for row in rows
    )
    return "\n".join(f"  {line}".rstrip() for line in lines)
