"""A simulated device: serial, node by node, each op's result only after its declared time.

The values are real. Nodes that take no time fire at once, also while an op is under way; of the
ops that wait for the device, the oldest iteration's goes first.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from time import perf_counter

from ..exchange import Mailbox
from ..frames import Iteration
from ..graph import NodeKind
from ..layout import Step
from ..providers import Provider
from ..stats import Stats
from ..trace import Trace
from .device import WatchedDevice
from .loops import EventLoop

Timed = tuple[tuple[int, ...], int, Iteration, Step, float]


class SimulatedDevice(WatchedDevice):
    """Its event loop's clock says when results come."""

    def __init__(
        self,
        mailbox: Mailbox,
        loop: EventLoop,
        provider: Provider,
        stats: Stats | None,
        trace: Trace | None,
    ):
        super().__init__(mailbox, loop, stats, trace, loop.clock.now)
        self.loop = loop
        self.provider = provider
        self.queue: list[Timed] = []
        """Ops whose inputs are there, oldest iteration first."""
        self.occupied = False
        self._numbers = count()

    def turn(self, now: float) -> float:
        """Fires all that can fire now, and starts an op if none is under way."""
        if self.mailbox.woken:
            self.attend()
        core = self.core
        while (ready := core.pop()) is not None:
            iteration, entry = ready
            step = core.step_of(iteration, entry)
            seconds = 0.0
            if step.kind == NodeKind.OP and entry > 0:
                seconds = self.provider.seconds(step.node)
            if seconds:
                timed = (iteration.key, next(self._numbers), iteration, step, seconds)
                heappush(self.queue, timed)
            else:
                self.fire(ready)
        if self.queue and not self.occupied:
            self._begin(heappop(self.queue))
        return perf_counter()

    def _begin(self, timed: Timed) -> None:
        _, _, iteration, step, seconds = timed
        core, now = self.core, self.loop.clock.now()
        if self.stats is not None:
            self.stats.count(step, dead=False)
            self.stats.seconds += seconds
        result = core.call(iteration, step, core.begin(iteration, step))
        self.occupied = True
        self.fired += 1

        def done() -> None:
            self.occupied = False
            if self.trace is not None:
                end = self.loop.clock.now()
                self.trace.add(core.graph, step, iteration, now, end, dead=False)
            core.complete(iteration, step, result)
            self.loop.enqueue(self)

        self.loop.timers.set(now + seconds, done)
