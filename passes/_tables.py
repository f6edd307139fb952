"""Tables of text that passes print to standard error, and what goes into their cells."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import prod

from xdsl.dialects.builtin import LocationAttr, TensorType
from xdsl.ir import Attribute, SSAValue

from ..dialects import dcf
from ..dialects.dfg import TokenType
from ..dialects.diagnostics import position_of, user_frame_of
from ..dialects.stablehlo.inference import tensor_of


def columns(
    header: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[str] = ()
) -> str:
    """Lines of aligned columns, indented; those named in `right` to the right."""
    lines = [header, *rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(header))]
    return "\n".join(
        "  "
        + "  ".join(
            text.rjust(width) if name in right else text.ljust(width)
            for name, text, width in zip(header, line, widths)
        ).rstrip()
        for line in lines
    )


def value_text(value: SSAValue) -> str | None:
    """`%name`; None for a value without a name."""
    return f"%{value.name_hint}" if value.name_hint is not None else None


def byte_count(type: Attribute) -> int | None:
    """Bytes of one value; None when its size is known at run time only."""
    if isinstance(type, TokenType):
        return 0
    if isinstance(type, dcf.StackType | dcf.ArrayType):
        return None
    from ..runtime.values import dtype_of

    tensor: TensorType[Attribute] = tensor_of(type)
    shape = tensor.get_shape()
    return None if min(shape, default=0) < 0 else prod(shape) * dtype_of(tensor).itemsize


def bytes_text(type: Attribute) -> str:
    """Bytes of one value; `?` when its size is known at run time only."""
    count = byte_count(type)
    return "?" if count is None else f"{count:,}"


def place_text(location: LocationAttr | None) -> str:
    """The line of the user's program, else the position in the text."""
    frame = user_frame_of(location)
    if frame is not None:
        return frame
    position = position_of(location)
    return ":".join(map(str, position)) if position is not None else "unknown"
