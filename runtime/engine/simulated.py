"""A simulated device: serial, node by node, each op's result only after its declared time.

The values are real. Nodes that take no time fire at once, also while an op is under way; of the
ops that wait for the device, the oldest iteration's goes first.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from time import perf_counter
from typing import Any

from ..exchange import Mailbox
from ..frames import Iteration
from ..layout import Step
from ..providers import Provider
from ..stats import Stats
from ..trace import Trace
from .device import WatchedDevice
from .local import NODES
from .loops import EventLoop

Timed = tuple[tuple[int, ...], int, Iteration, Step, list[Any]]


class SimulatedDevice(WatchedDevice):
    """Its event loop says what time it is, and when results come.

    Ops with a declared time are the nodes marked heavy, which come to `submit`.
    """

    simulated = True

    def __init__(
        self,
        mailbox: Mailbox,
        loop: EventLoop,
        provider: Provider,
        stats: Stats | None,
        trace: Trace | None,
    ):
        super().__init__(mailbox, loop, stats, trace, loop.now)
        self.loop = loop
        self.provider = provider
        self.pooled = True
        self.queue: list[Timed] = []
        """Ops that have their inputs, oldest iteration first."""
        self.occupied = False
        self._numbers = count()

    def turn(self, now: float) -> float:
        """Fires all that can fire now, and starts an op if none is under way."""
        if self.mailbox.woken:
            self.attend()
        core = self.core
        if self.stats is None and self.trace is None:
            while core.heap:
                self.fired += core.run(NODES)
        else:
            while (ready := core.pop()) is not None:
                self.fire(ready)
        if self.queue and not self.occupied:
            self._begin(heappop(self.queue))
        return perf_counter()

    def fire(self, ready: tuple[Iteration, int]) -> None:
        """Fires one node and notes it; of an op that takes time, the trace comes at its end."""
        iteration, entry = ready
        step = self.core.step_of(iteration, entry)
        if step.node.heavy and entry > 0:
            if self.stats is not None:
                self.stats.count(step, dead=False)
            self.core.fire(iteration, entry)
        else:
            super().fire(ready)

    def submit(self, iteration: Iteration, step: Step, inputs: list[Any]) -> None:
        """An op that takes time can start."""
        heappush(self.queue, (iteration.key, next(self._numbers), iteration, step, inputs))

    def _begin(self, timed: Timed) -> None:
        _, _, iteration, step, inputs = timed
        core, begin, seconds = self.core, self.loop.moment, self.provider.seconds(step.node)
        if self.stats is not None:
            self.stats.seconds += seconds
        result = core.call(iteration, step, inputs)
        self.occupied = True
        self.fired += 1

        def done() -> None:
            self.occupied = False
            if self.trace is not None:
                end = self.loop.moment
                self.trace.add(core.graph, step, iteration, begin, end, dead=False)
            core.complete(iteration, step, result)
            self.loop.enqueue(self)

        self.loop.timers.set(begin + seconds, done)
