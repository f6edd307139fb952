"""Tables of outcomes for the scripts of this folder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns side by side: numbers to the right, text to the left."""
    texts = [list(header), *[[str(cell) for cell in row] for row in rows]]
    widths = [max(len(row[k]) for row in texts) for k in range(len(header))]
    numeric = [all(row[k].isdigit() for row in texts[1:]) for k in range(len(header))]
    lines = [
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, numeric)
        ).rstrip()
        for row in texts
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def alike(reason: str) -> str:
    """A reason without what differs from case to case, so that equal causes count together."""
    reason = re.sub(r"tensor<[^ ]*>|dense<[^>]*>", "T", reason.splitlines()[0])
    reason = re.sub(r"-?\b(\d+(\.\d+)?(e[-+]?\d+)?|nan|inf)j?\b", "N", reason)
    reason = re.sub(r"\[N(, N)*\]", "[N]", reason)
    return reason if len(reason) <= 110 else reason[:107] + "..."


def reasons(outcomes: Iterable[tuple[str, str]]) -> str:
    """A table of reasons, the most frequent first, each with one case; from (case, reason)."""
    counts: Counter[str] = Counter()
    example: dict[str, str] = {}
    for case, reason in outcomes:
        kind = alike(reason)
        counts[kind] += 1
        example.setdefault(kind, case)
    rows = [(count, kind, example[kind]) for kind, count in counts.most_common()]
    return table(("count", "reason", "for example"), rows)
