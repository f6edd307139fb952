"""The clocks that event loops go by: that of the machine, or one that jumps from event to event."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from time import perf_counter
from typing import Protocol


class Clock(Protocol):
    """Seconds since some start."""

    @property
    def virtual(self) -> bool:
        """Whether time passes only by `jump`."""
        ...

    def now(self) -> float:
        """The time."""
        ...

    def jump(self, to: float) -> None:
        """Nothing happens before the time `to`."""
        ...


class RealClock:
    """The machine's clock."""

    virtual = False

    def now(self) -> float:
        """The time."""
        return perf_counter()

    def jump(self, to: float) -> None:
        """Real time passes by itself."""


class VirtualClock:
    """Time that passes only when nothing is left to do at the present moment."""

    virtual = True

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        """The time."""
        return self._now

    def jump(self, to: float) -> None:
        """Goes on to the next event."""
        self._now = max(self._now, to)


class Timers:
    """What is due at some time, earliest first; of one time, in the order it was set."""

    def __init__(self) -> None:
        self.heap: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()

    @property
    def due(self) -> float:
        """When the next one is due."""
        return self.heap[0][0]

    def set(self, due: float, action: Callable[[], None]) -> None:
        """Has an action done at a time."""
        heappush(self.heap, (due, next(self._numbers), action))

    def fire(self, now: float) -> int:
        """Does all that is due; how much that was."""
        fired = 0
        while self.heap and self.heap[0][0] <= now:
            heappop(self.heap)[2]()
            fired += 1
        return fired
