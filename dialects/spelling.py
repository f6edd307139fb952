"""What was meant by a name that is not there: for messages about names that people write."""

from __future__ import annotations

from collections.abc import Iterable

from . import DIALECTS


def did_you_mean(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """`; did you mean 'NAME'?` with the closest known name; empty if none is close."""
    import difflib  # for errors only

    close = difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)
    return f"; did you mean '{close[0]}'?" if close else ""


def unknown_op(name: str) -> str | None:
    """What is wrong with the name of an op; None if there is such an op."""
    dialect, dot, _ = name.partition(".")
    if not dot or dialect not in DIALECTS:
        example = "stablehlo.add"
        hint = did_you_mean(f"stablehlo.{name}", _ops("stablehlo"), 0.8) if not dot else ""
        return f'expected the name of an op such as "{example}", got "{name}"{hint}'
    known = _ops(dialect)
    if name in known:
        return None
    return f'expected the name of an op of {dialect}, got "{name}"{did_you_mean(name, known)}'


def _ops(dialect: str) -> set[str]:
    return {op.name for op in DIALECTS[dialect]().operations}
