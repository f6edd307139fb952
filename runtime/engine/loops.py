"""Event loops: each serves some devices of a run in one thread, until all devices of the run have
finished or one has failed.

A loop's devices touch each other's mailboxes at once; devices of other loops, and the pool, post
actions. A loop with nothing to do sleeps. When all loops sleep, no action is posted, no job is
under way and no timer is set, nothing can happen any more: the run is stuck, and ends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from threading import Condition, Lock, get_ident
from time import perf_counter
from typing import TYPE_CHECKING

from ..exchange import Mailbox
from .clock import Clock, Timers
from .local import PROGRESS

if TYPE_CHECKING:
    from .devices import Device

Action = Callable[[], None]

LATE = 0.01
"""Seconds that simulated devices may be kept waiting while other devices have something to do."""


class Stuck(Exception):
    """Nothing can happen any more, and devices are not finished."""


class Late(Exception):
    """The deadline passed."""


class RunState:
    """What the loops of a run share; `lock` guards all of it, and what is posted."""

    def __init__(self, devices: int, clock: Clock, end: float | None):
        self.lock = Lock()
        self.clock = clock
        self.end = end
        """When the run must have ended, by the machine's clock."""
        self.loops: list[EventLoop] = []
        self.unfinished = devices
        self.jobs = 0
        """Kernels that the pool runs."""
        self.stopped = False
        self.error: BaseException | None = None

    def stop(self, error: BaseException) -> None:
        """Stops all loops; the first error is the run's."""
        with self.lock:
            self._stop(error)

    def _stop(self, error: BaseException | None) -> None:
        if not self.stopped:
            self.stopped = True
            self.error = error
        for loop in self.loops:
            loop.condition.notify()

    def finished(self) -> None:
        """A device has finished; the last one ends the run."""
        with self.lock:
            self.unfinished -= 1
            if not self.unfinished:
                self._stop(None)

    def check_stuck(self) -> None:
        """With the lock held, by a loop that is about to sleep."""
        if self.jobs or not all(loop.idle and not loop.posted for loop in self.loops):
            return
        self._stop(Stuck())


class EventLoop:
    """Serves devices in turn, those with something to do first in, first out."""

    direct = True

    def __init__(self, state: RunState):
        self.state = state
        self.clock = state.clock
        self.devices: list[Device] = []
        self.ready: deque[Device] = deque()
        self.of_mailbox: dict[Mailbox, Device] = {}
        self.posted: deque[Action] = deque()
        self.condition = Condition(state.lock)
        self.idle = False
        """Whether it sleeps until something is posted."""
        self.timers = Timers()
        self.moment = self.clock.now()
        """The time for simulated devices: when the event was due that all else now follows from,
        so that a loop that comes late to it does not put off what comes after."""
        self.thread = 0
        self.look: Callable[[], None] | None = None
        """Called between turns, to report progress."""

    def add(self, device: Device) -> None:
        """Takes a device; it has something to do at first."""
        self.devices.append(device)
        self.of_mailbox[device.mailbox] = device
        self.enqueue(device)

    def enqueue(self, device: Device) -> None:
        """A device has something to do."""
        if not device.queued:
            device.queued = True
            self.ready.append(device)

    def wake(self, mailbox: Mailbox) -> None:
        """Something has come for a device of this loop."""
        device = self.of_mailbox[mailbox]
        if not device.queued:
            device.queued = True
            self.ready.append(device)

    def post(self, source: str, target: Mailbox, action: Action, order: bool) -> None:
        """Has an action done in this loop's thread, after those posted before."""
        self.post_action(action)

    def post_later(self, source: str, target: Mailbox, action: Action, seconds: float) -> None:
        """Has an action done in this loop's thread, so much later than now."""
        due = self.moment + seconds
        if get_ident() == self.thread:
            self.timers.set(due, action)
        else:
            self.post_action(partial(self.timers.set, due, action))

    def now(self) -> float:
        """The time for simulated devices."""
        return self.moment

    def post_action(self, action: Action, *, job: bool = False) -> None:
        """The same; `job`: it is the end of a job."""
        with self.state.lock:
            self.posted.append(action)
            self.state.jobs -= job
            self.condition.notify()

    def run(self) -> None:
        """Serves until the run ends; an error ends it for all loops."""
        try:
            self._serve()
        except BaseException as error:
            self.state.stop(error)
            if not isinstance(error, Exception):
                raise

    def _serve(self) -> None:
        state, ready, end, events = self.state, self.ready, self.state.end, self.timers.heap
        posted, virtual = self.posted, self.clock.virtual
        mixed = not virtual and any(device.simulated for device in self.devices)
        self.thread = get_ident()
        self.moment = self.clock.now()
        now = perf_counter()
        while not state.stopped:
            if posted:
                self.drain()
                if mixed:
                    self.moment = max(self.moment, perf_counter())
            if events and not (virtual and ready):
                late = 0.0 if virtual else perf_counter() - events[0][0]
                if late >= (LATE if ready else 0.0):
                    self._next_event()
                    continue
            if not ready:
                self._sleep()
                now = perf_counter()
                if self.look is not None:
                    self.look()
            if ready:
                device = ready.popleft()
                device.queued = False
                now = device.turn(now)
                if mixed and not device.simulated:
                    self.moment = max(self.moment, now)
                core = device.core
                if core.heap or core.suspended or device.mailbox.woken:
                    if not device.queued:
                        device.queued = True
                        ready.append(device)
                elif core.finished and not device.finished:
                    device.finished = True
                    state.finished()
                if end is not None and now >= end:
                    raise Late
                if self.look is not None:
                    self.look()

    def _next_event(self) -> None:
        """Does what is due next."""
        due = self.timers.due
        self.clock.jump(due)
        self.moment = max(self.moment, due)
        self.timers.fire(due)

    def drain(self) -> None:
        """Does what was posted."""
        with self.state.lock:
            actions = list(self.posted)
            self.posted.clear()
        for action in actions:
            action()

    def _sleep(self) -> None:
        """Waits until something is posted or due, or the run ends."""
        state = self.state
        with state.lock:
            while not self.posted and not state.stopped:
                if self.timers.heap:
                    timeout = self.timers.due - self.clock.now()
                    if timeout <= 0:
                        return
                else:
                    self.idle = True
                    state.check_stuck()
                    timeout = None
                if state.stopped:
                    return
                if state.end is not None:
                    left = state.end - perf_counter()
                    if left <= 0:
                        raise Late
                    timeout = left if timeout is None else min(timeout, left)
                if self.look is not None:
                    timeout = PROGRESS if timeout is None else min(timeout, PROGRESS)
                if not self.condition.wait(timeout) and self.look is not None:
                    break
            self.idle = False


def spread(devices: Sequence[str], executors: int, own: Sequence[str]) -> list[list[str]]:
    """The devices of each loop: those of their own, and the others in runs of neighbours."""
    shared = [device for device in devices if device not in own]
    count = max(1, min(executors, len(shared)))
    loops = [
        shared[len(shared) * k // count : len(shared) * (k + 1) // count] for k in range(count)
    ]
    loops = [loop for loop in loops if loop]
    return loops + [[device] for device in devices if device in own]
