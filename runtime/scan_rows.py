"""Rows of a scan's inputs and outputs, for the structured reference."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from .values import AnyArray, dtype_of, shape_of


def scan_length(given: list[Any], xs: list[Any], static: int) -> int:
    rows = {x.shape[0] for x in xs}
    if len(rows) > 1:
        raise ValueError(f"inputs differ in length: {sorted(rows)}")
    available = rows.pop() if rows else None
    length = int(given[0]) if given else static if static >= 0 else available
    if length is None:
        raise ValueError("a scan without inputs needs a length")
    if length < 0 or (available is not None and length > available):
        allowed = "at least 0" if available is None else f"0 to {available}"
        raise ValueError(f"length: expected {allowed}, got {length}")
    return length


def row_of(x: Any, row: int) -> Any:
    return x[row].copy()


def collect_rows(rows: list[Any], buffer: Any, result: SSAValue) -> AnyArray:
    """Rows stacked along a new leading dimension; rows past the last keep the buffer's."""
    if buffer is not None:
        filled = np.array(buffer, order="C", copy=True)
        if len(rows) > len(filled):
            raise ValueError(f"length: expected at most {len(filled)} (outs), got {len(rows)}")
        for k, row in enumerate(rows):
            filled[k] = row
        return filled
    if not rows:
        shape = tuple(max(dim, 0) for dim in shape_of(result)[1:])
        return np.empty((0, *shape), dtype_of(result.type))
    return np.stack(rows)
