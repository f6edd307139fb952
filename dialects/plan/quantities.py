"""Amounts as people write them in a plan: "64MiB", "10GB/s", "5us"."""

from __future__ import annotations

import re

from xdsl.utils.exceptions import VerifyException

BYTES = {
    "B": 1,
    **{f"{prefix}B": 1000**power for power, prefix in enumerate("kMGT", 1)},
    **{f"{prefix}iB": 1024**power for power, prefix in enumerate("KMGT", 1)},
}
"""Unit -> bytes."""

SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
"""Unit -> seconds."""

_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]+)")


def bytes_of(text: str, what: str) -> int:
    """The number of bytes of an amount of memory such as "64MiB"; `what` it is, for the error."""
    amount = _amount(text, BYTES)
    if amount is None:
        raise VerifyException(f'expected {what} such as "64MiB" ({_units(BYTES)}), got "{text}"')
    return round(amount)


def rate_of(text: str, what: str) -> float:
    """Bytes per second, of a bandwidth such as "10GB/s"."""
    number, slash, per = text.rpartition("/")
    amount = _amount(number, BYTES) if slash and per == "s" else None
    if not amount:
        raise VerifyException(
            f'expected {what} above zero such as "10GB/s" ({_units(BYTES)} per s), got "{text}"'
        )
    return amount


def seconds_of(text: str, what: str) -> float:
    """Seconds, of a time such as "5us"."""
    amount = _amount(text, SECONDS)
    if amount is None:
        raise VerifyException(f'expected {what} such as "5us" ({_units(SECONDS)}), got "{text}"')
    return amount


def _amount(text: str, units: dict[str, int] | dict[str, float]) -> float | None:
    match = _AMOUNT.fullmatch(text)
    if match is None or match[2] not in units:
        return None
    return float(match[1]) * units[match[2]]


def _units(units: dict[str, int] | dict[str, float]) -> str:
    *others, last = units
    return f"in {', '.join(others)} or {last}"
