"""Kernel providers: what runs a device's ops, and how long that is said to take.

Every device has one. `Provider` runs the kernels the graph was loaded with, on this machine.
`Simulated` does too, but each op's result comes only after a declared time, so that how devices
overlap can be tested on any machine, in real time or on a clock that jumps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from xdsl.utils.exceptions import VerifyException

from ..dialects.plan.quantities import seconds_of
from ..dialects.spelling import unknown_op
from .graph import Kernel, Node


class Provider:
    """Runs kernels as they are."""

    serial = False
    """Whether the device does one op at a time, each for its declared time."""

    def kernel(self, node: Node) -> Kernel | None:
        """The kernel of an op's node."""
        return node.kernel

    def seconds(self, node: Node) -> float:
        """How long an op takes, if declared."""
        return 0.0


class Simulated(Provider):
    """A serial device whose ops take the given times, by op name; others take `default`.

    A time is a number of seconds, or text as in a topology: "5ms" (s, ms, us or ns).

    Plumbing of control flow takes no time, and neither does an op of time 0: both go on while the
    device is busy.
    """

    serial = True

    def __init__(self, times: Mapping[str, float | str] | None = None, default: float | str = 0.0):
        self.times: dict[str, float] = {}
        for name, time in _by_op(times):
            if (wrong := unknown_op(name)) is not None:
                raise ValueError(wrong)
            self.times[name] = _seconds(time, name)
        self.default = _seconds(default, "default")

    def seconds(self, node: Node) -> float:
        """The declared time."""
        return self.times.get(node.name, self.default)


def _by_op(times: object) -> list[tuple[str, object]]:
    """The entries of `times`, which is checked to have names of ops for keys."""
    if times is None:
        return []
    if not isinstance(times, Mapping):
        raise TypeError(f"expected times by the names of ops, as a dict, got {times!r}")
    entries = list(cast("Mapping[object, object]", times).items())
    for name, _ in entries:
        if not isinstance(name, str):
            raise TypeError(f"expected the name of an op for a key of times, got {name!r}")
    return cast("list[tuple[str, object]]", entries)


def _seconds(time: object, name: str) -> float:
    """Seconds, of a number of them or text."""
    if isinstance(time, str):
        try:
            return seconds_of(time, "a time")
        except VerifyException as error:
            raise ValueError(f"{name}: {error}") from None
    try:
        seconds = float(cast(Any, time))
    except (TypeError, ValueError):
        raise TypeError(
            f'{name}: expected a time in seconds, or as text such as "5ms", got {time!r}'
        ) from None
    if not 0 <= seconds < float("inf"):
        raise ValueError(f"{name}: expected seconds of at least 0, got {seconds}")
    return seconds
