"""Kernel providers: what runs a device's ops, and how long that is said to take.

Every device has one. `Provider` runs the kernels the graph was loaded with, on this machine.
`Simulated` does too, but each op's result comes only after a declared time, so that how devices
overlap can be tested on any machine, in real time or on a clock that jumps.
"""

from __future__ import annotations

from collections.abc import Mapping

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
    """A serial device whose ops take the given seconds, by op name; others take `default`.

    Plumbing of control flow takes no time, and neither does an op of time 0: both go on while the
    device is busy.
    """

    serial = True

    def __init__(self, times: Mapping[str, float] | None = None, default: float = 0.0):
        self.times = dict(times or {})
        self.default = default
        for name in self.times:
            if (wrong := unknown_op(name)) is not None:
                raise ValueError(wrong)
        for name, seconds in [*self.times.items(), ("default", default)]:
            if not 0 <= seconds < float("inf"):
                raise ValueError(f"{name}: expected seconds of at least 0, got {seconds}")

    def seconds(self, node: Node) -> float:
        """The declared time."""
        return self.times.get(node.name, self.default)
