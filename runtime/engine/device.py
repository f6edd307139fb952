"""One device of a run: its propagator, and what its event loop does with it turn by turn."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from os import cpu_count
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from ..channels import Key
from ..exchange import DeviceLink, Mailbox
from ..frames import Frame, Iteration
from ..graph import Kernel
from ..layout import Step
from ..propagator import Propagator
from ..reports import loop_position
from ..stats import Stats
from ..suspended import Suspended
from ..trace import Trace
from ..waits import Job, Link, Receive, Wait
from .local import NODES, WATCHED_TRIPS, adapted, fire_watched, resume_watched


class Home(Protocol):
    """The event loop of a device, as the device sees it."""

    def enqueue(self, device: Device) -> None:
        """The device has something to do."""
        ...

    def post_action(self, action: Callable[[], None], *, job: bool = False) -> None:
        """Has an action done in the loop's thread."""
        ...


class Device:
    """Hosts a propagator; `turn` is called by its event loop whenever it has something to do."""

    simulated = False
    """Whether time passes for it as declared, not as it does."""

    def __init__(self, mailbox: Mailbox, home: Home, *, pooled: bool = False):
        self.mailbox = mailbox
        self.home = home
        self.ledger = mailbox
        self.pooled = pooled
        self.queued = False
        self.finished = False
        self.fired: int = 0
        self.blocked: dict[Suspended, Wait] = {}
        """Fused loops that wait for others."""
        self.under_way = 0
        """Kernels that the pool runs."""
        self.begin_job: Callable[[], None] = _nothing
        """Called before a kernel goes to the pool."""
        self.core: Propagator
        """Set by what makes the device, since each needs the other."""
        self._nodes = 1

    @property
    def name(self) -> str:
        """The device's name."""
        return self.mailbox.device

    @property
    def longest_blocked(self) -> Suspended | None:
        """Of the fused loops that wait for others, the first."""
        return next(iter(self.blocked), None)

    @property
    def position(self) -> str:
        """How far it is."""
        return loop_position(self.core, self.longest_blocked)[0]

    def turn(self, now: float) -> float:
        """Does some of it; takes the time before, gives that after, by the machine's clock."""
        if self.mailbox.woken:
            self.attend()
        core = self.core
        if core.heap:
            self.fired += core.run(self._nodes)
            before, now = now, perf_counter()
            self._nodes = min(adapted(self._nodes, now - before), NODES)
        if core.suspended:
            suspended = core.suspended[0]
            core.resume()
            before, now = now, perf_counter()
            if suspended.wait is None:
                suspended.trips = adapted(suspended.trips, now - before)
            self.fired += 1
        return now

    def fire(self, ready: tuple[Iteration, int]) -> None:
        """Fires one node, for a driver that chooses it."""
        self.core.fire(*ready)
        self.fired += 1

    def attend(self) -> None:
        """Goes on with what has come from others."""
        mailbox, core = self.mailbox, self.core
        woken = mailbox.woken
        while woken:
            waiter, key = woken.popleft()
            if isinstance(waiter, Suspended):
                del self.blocked[waiter]
                core.suspended.append(waiter)
            elif isinstance(waiter, Frame):
                core.retire(waiter.oldest)
            else:
                assert key is not None
                mailbox.take(waiter, key)

    # What the propagator asks of its host.

    def link(self, iteration: Iteration, step: Step) -> Link:
        """What a fused loop meets other devices by."""
        return DeviceLink(self.mailbox, iteration, self.pooled)

    def wait(self, suspended: Suspended, wait: Wait) -> None:
        """A fused loop waits for a message, a receiver or a kernel."""
        if isinstance(wait, Receive):
            waits = self.mailbox.await_message(wait, suspended)
        elif isinstance(wait, Job):
            self._start_job(suspended, wait)
            return
        else:
            inside = suspended.iteration.frame.layout.info.path
            waits = self.mailbox.await_credit(wait, inside, suspended)
        if waits:
            self.blocked[suspended] = wait
        else:
            self.core.suspended.append(suspended)

    def _start_job(self, suspended: Suspended, job: Job) -> None:
        if not self.pooled:
            self.core.run_job(suspended, job)
            return

        def done(result: Any, error: Exception | None) -> None:
            del self.blocked[suspended]
            suspended.reply, suspended.error = result, error
            self.core.suspended.append(suspended)

        self.blocked[suspended] = job
        self._to_pool(job.kernel, job.arguments, done)

    def submit(self, iteration: Iteration, step: Step, inputs: list[Any]) -> None:
        """A heavy node fires."""

        def done(result: Any, error: Exception | None) -> None:
            if error is not None:
                raise error  # which `call` has placed
            self.core.complete(iteration, step, result)

        self._to_pool(partial(self.core.call, iteration, step), (inputs,), done)

    def _to_pool(
        self,
        kernel: Kernel,
        arguments: tuple[Any, ...],
        done: Callable[[Any, Exception | None], None],
    ) -> None:
        def finish(result: Any, error: Exception | None) -> None:
            self.under_way -= 1
            self.home.enqueue(self)
            done(result, error)

        def work() -> None:
            result = error = None
            try:
                with np.errstate(all="ignore"):
                    result = kernel(*arguments)
            except Exception as raised:
                error = raised
            self.home.post_action(partial(finish, result, error), job=True)

        self.under_way += 1
        self.begin_job()
        pool().submit(work)

    def close(self) -> None:
        """Ends a run early."""
        self.core.close()
        for suspended in self.blocked:
            suspended.generator.close()


class WatchedDevice(Device):
    """Fires node by node and notes each."""

    def __init__(
        self,
        mailbox: Mailbox,
        home: Home,
        stats: Stats | None,
        trace: Trace | None,
        now: Callable[[], float] = perf_counter,
    ):
        super().__init__(mailbox, home)
        self.stats = stats
        self.trace = trace
        self.now = now
        mailbox.watcher = self

    def fire(self, ready: tuple[Iteration, int]) -> None:
        """Fires one node and notes it."""
        fire_watched(self.core, ready, self.stats, self.trace, self.now)
        self.fired += 1

    def turn(self, now: float) -> float:
        """Fires some nodes."""
        if self.mailbox.woken:
            self.attend()
        core = self.core
        for _ in range(WATCHED_TRIPS):
            ready = core.pop()
            if ready is None:
                break
            self.fire(ready)
        if core.suspended:
            core.suspended[0].trips = WATCHED_TRIPS
            resume_watched(core, self.trace)
        return perf_counter()

    # The messages of the mailbox it watches.

    def sent(self, key: Key, value: Any) -> None:
        """A message leaves."""
        channel, routes = key[0], self.mailbox.routes
        if self.stats is not None:
            self.stats.sent(channel, self.name, routes.channels[channel][1], value)
        if self.trace is not None:
            self.trace.sent(self.name, routes.frame_of(self.name, channel), key, self.now())

    def receive(self, key: Key, value: Any, callback: Callable[[Any], None]) -> None:
        """A message is taken."""
        begin = self.now()
        callback(value)
        if self.trace is not None:
            frame = self.mailbox.routes.frame_of(self.name, key[0])
            self.trace.received(self.name, frame, key, begin, self.now())


@cache
def pool() -> ThreadPoolExecutor:
    """The threads for heavy kernels, of all runs."""
    return ThreadPoolExecutor(max(2, cpu_count() or 1), "anabranch-kernels")


def _nothing() -> None:
    pass
