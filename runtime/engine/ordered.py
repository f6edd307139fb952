"""A driver for tests: one of all that could happen next, on any device, is chosen each time.

That includes the messages under way. Only what devices tell each other of retired iterations stays
in the order it was told, from one device to another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING

from ..exchange import Mailbox
from ..frames import Iteration
from ..suspended import Suspended
from .local import WATCHED_TRIPS, Order

if TYPE_CHECKING:
    from .device import Device
    from .loops import EventLoop, RunState

Action = Callable[[], None]


class Message:
    """Something under way to a device."""

    __slots__ = ("action", "after", "target")

    def __init__(self, target: Mailbox, action: Action, after: deque[Message] | None = None):
        self.target = target
        self.action = action
        self.after = after
        """Those that must stay in order: this one, which is the first, and what follows it."""


class HeldPlace:
    """Keeps what devices send each other until it is chosen."""

    direct = False

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.told: dict[tuple[str, str], deque[Message]] = {}

    def post(self, source: str, target: Mailbox, action: Action, order: bool) -> None:
        """Keeps an action."""
        if not order:
            self.messages.append(Message(target, action))
            return
        queue = self.told.setdefault((source, target.device), deque())
        message = Message(target, action, queue)
        queue.append(message)
        if len(queue) == 1:
            self.messages.append(message)

    def post_later(self, source: str, target: Mailbox, action: Action, seconds: float) -> None:
        """Keeps an action: whoever chooses the order knows no time."""
        self.post(source, target, action, False)

    def now(self) -> float:
        """No time passes."""
        return 0.0

    def wake(self, mailbox: Mailbox) -> None:
        """The driver looks after every step."""


def run_in_order(state: RunState, loop: EventLoop, order: Order) -> None:
    """Runs all devices of a loop, which holds all of the run's."""
    from .loops import Late, Stuck

    place = HeldPlace()
    owners: dict[Mailbox, Device] = {}
    for device in loop.devices:
        device.mailbox.place = place
        owners[device.mailbox] = device
    pool: list[tuple[Device, Iteration, int] | Suspended | Message] = []
    homes: dict[Suspended, Device] = {}
    while True:
        for device in loop.devices:
            core = device.core
            if core.heap:
                pool.extend((device, *ready) for ready in core.pop_all())
            if core.suspended:
                homes.update((suspended, device) for suspended in core.suspended)
                pool.extend(core.suspended)
                core.suspended.clear()
        pool.extend(place.messages)
        place.messages.clear()
        if not pool:
            break
        chosen = pool.pop(order(pool))
        if isinstance(chosen, Message):
            chosen.action()
            if chosen.after is not None:
                chosen.after.popleft()
                if chosen.after:
                    place.messages.append(chosen.after[0])
            owners[chosen.target].attend()
        elif isinstance(chosen, Suspended):
            core = homes.pop(chosen).core
            chosen.trips = WATCHED_TRIPS
            core.suspended.append(chosen)
            core.resume()
        else:
            device, iteration, entry = chosen
            device.fire((iteration, entry))
        if state.end is not None and perf_counter() >= state.end:
            state.stop(Late())
            return
    if not all(device.core.finished for device in loop.devices):
        state.stop(Stuck())
