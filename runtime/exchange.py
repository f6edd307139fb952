"""What connects the devices of one run: mailboxes, and ledgers of how far each peer has come.

Every device of a run has a `Mailbox`. Only the thread of its event loop touches it: messages of
devices of other loops are posted to the loop (`Place.post`). A message is kept under its channel
and the iteration numbers around it until its receive takes it, so messages of different
iterations never mix and may come in any order.

**Back-pressure.** A device that only sends would run ahead of its receivers without end. So
iteration j of a frame with sends in it retires only when each receiver's copy of the same frame
instance has retired iteration j - W, for the frame's window W. Receivers publish how many have
retired, and senders keep that in a `Ledger` per frame and receiver. What is known of a frame
instance is dropped when the iteration around it retires on the receiver, so a ledger stays small.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from .channels import Key
from .frames import DEAD, Frame, Iteration
from .routes import Names, Routes
from .suspended import Suspended
from .values import nbytes_of
from .waits import (
    CLOSED,
    Credit,
    InboxKey,
    Numbers,
    Outbox,
    Receive,
    inbox_key,
    key_numbers,
)

Waiter = Callable[[Any], None] | Suspended
"""What is woken when a message comes: a receive's callback gets it, a fused loop takes it itself."""


class Place(Protocol):
    """The event loop of a mailbox, as others see it."""

    @property
    def direct(self) -> bool:
        """Whether mailboxes of this loop may touch each other at once."""
        ...

    def post(self, source: str, target: Mailbox, action: Callable[[], None], order: bool) -> None:
        """Has an action that touches `target` run in its loop's thread.

        `order`: after those that `source` posted to it before with `order`.
        """
        ...

    def post_later(
        self, source: str, target: Mailbox, action: Callable[[], None], seconds: float
    ) -> None:
        """Has an action done so much later than now."""
        ...

    def now(self) -> float:
        """The time, by the clock of simulated devices."""
        ...

    def wake(self, mailbox: Mailbox) -> None:
        """A mailbox of this loop has something in `woken`; called once until that is emptied."""
        ...


class Watcher(Protocol):
    """Sees the messages of node-by-node runs (statistics, traces)."""

    def sent(self, key: Key, value: Any) -> None:
        """A message leaves."""
        ...

    def receive(self, key: Key, value: Any, callback: Callable[[Any], None]) -> None:
        """A message is taken: the callback gets it."""
        ...


class Ledger:
    """What a device knows of how far one receiver's copy of one frame has come."""

    def __init__(self, frame: Names, receiver: str, parent: Ledger | None):
        self.frame = frame
        self.receiver = receiver
        self.parent = parent
        self.children: list[Ledger] = []
        self.counts: dict[Numbers, int] = {}
        """Frame instance (by the iteration around it) -> iterations retired."""
        self.gated: dict[Numbers, tuple[int, Frame | Suspended]] = {}
        """Frame instance -> the count that is waited for, and who waits."""
        if parent is not None:
            parent.children.append(self)

    def retired(self, numbers: Numbers) -> int:
        """How many iterations of an instance have retired, as far as is known."""
        count = self.counts.get(numbers)
        if count is not None:
            return count
        if self.parent is not None and self.parent.retired(numbers[:-1]) > numbers[-1]:
            return CLOSED
        return 0

    def update(self, numbers: Numbers, count: int) -> Frame | Suspended | None:
        """So many have retired; who waited for that."""
        before = self.counts.get(numbers, 0)
        self.counts[numbers] = count
        for child in self.children:
            if count == CLOSED:
                depth = len(numbers)
                for inner in [key for key in child.counts if key[:depth] == numbers]:
                    del child.counts[inner]
            else:
                for number in range(before, count):
                    child.counts.pop((*numbers, number), None)
        if numbers in self.gated and self.gated[numbers][0] <= count:
            return self.gated.pop(numbers)[1]
        return None


class Mailbox:
    """One device's side of a run; also its propagator's channels and ledger."""

    def __init__(self, device: str, routes: Routes, place: Place):
        self.device = device
        self.routes = routes
        self.place = place
        self.peers: dict[str, Mailbox] = {}
        self.inboxes: dict[int, dict[InboxKey, Any]] = {}
        self.waiting: dict[int, dict[InboxKey, Waiter]] = {}
        self.woken: deque[tuple[Waiter | Frame, Key | None]] = deque()
        """What the event loop has to attend to at this device's next turn."""
        self.watcher: Watcher | None = None
        self.ledgers: dict[tuple[Names, str], Ledger] = {}
        self._outboxes: dict[int, Outbox] = {}
        self._wires: dict[str, _Wire] = {}
        self._named: dict[tuple[str, Names, str], Ledger] = {}
        self._publishers: dict[Names, list[Callable[[Numbers, int], None]]] = {}
        for channel, (_, target) in routes.channels.items():
            if target == device:
                self.inboxes[channel] = {}
                self.waiting[channel] = {}
        frames = routes.receivers.get(device, {})
        for frame in sorted(frames, key=len):
            for receiver in frames[frame]:
                parent = self.ledgers.get((frame[:-1], receiver))
                self.ledgers[frame, receiver] = Ledger(frame, receiver, parent)

    # Messages.

    def outbox(self, channel: int) -> Outbox:
        """How a channel's messages leave from here."""
        known = self._outboxes.get(channel)
        if known is None:
            target = self.peers[self.routes.channels[channel][1]]
            known = self._outboxes[channel] = self._make_outbox(channel, target)
        return known

    def _make_outbox(self, channel: int, target: Mailbox) -> Outbox:
        inbox = target.inboxes[channel]
        waiting = target.waiting[channel]

        def wake(key: InboxKey) -> None:
            if key in waiting:
                target.wake(waiting.pop(key), (channel, key_numbers(key)))

        link = self.routes.links.get((self.device, target.device))
        if target.place is self.place and target.place.direct and link is None:
            return inbox, waiting, wake

        def put(key: InboxKey, value: Any) -> None:
            inbox[key] = value
            wake(key)

        if link is not None:
            wire = self._wires.setdefault(target.device, _Wire(self, target, *link))
            return _Sent(wire, put), (), wake
        return _Posted(self.device, target, put), (), wake

    def wake(self, waiter: Waiter | Frame, key: Key | None) -> None:
        """Has the event loop attend to something at this device's next turn."""
        if not self.woken:
            self.place.wake(self)
        self.woken.append((waiter, key))

    def send(self, key: Key, value: Any) -> None:
        """A send node fires."""
        channel, numbers = key
        if self.watcher is not None:
            self.watcher.sent(key, value)
        box, waiting, wake = self.outbox(channel)
        inside = inbox_key(numbers)
        box[inside] = value
        if waiting:
            wake(inside)

    def recv(self, key: Key, callback: Callable[[Any], None]) -> None:
        """A receive node fires: takes the message if it is here."""
        channel, numbers = key
        inside = inbox_key(numbers)
        if inside in self.inboxes[channel]:
            self.take(callback, key)
        else:
            self.waiting[channel][inside] = callback

    def take(self, callback: Callable[[Any], None], key: Key) -> None:
        """Gives a message that is here to the receive that asked for it."""
        channel, numbers = key
        value = self.inboxes[channel].pop(inbox_key(numbers))
        if self.watcher is None:
            callback(value)
        else:
            self.watcher.receive(key, value, callback)

    def await_message(self, wait: Receive, suspended: Suspended) -> bool:
        """Whether a fused loop must wait for a message; it is woken when that has come."""
        if wait.key in self.inboxes[wait.channel]:
            return False
        self.waiting[wait.channel][wait.key] = suspended
        return True

    # How far others have come.

    def frame_path(self, frame: str, inside: Names = ()) -> Names:
        """The frame of a name, inside another where the name alone does not tell."""
        paths = self.routes.paths[self.device][frame]
        if len(paths) > 1:
            paths = [path for path in paths if path[: len(inside)] == inside]
        return paths[0]

    def ledger(self, frame: str, inside: Names, device: str) -> Ledger:
        """What is known of a receiver's copy of a frame."""
        key = (frame, inside, device)
        known = self._named.get(key)
        if known is None:
            known = self._named[key] = self.ledgers[self.frame_path(frame, inside), device]
        return known

    def await_credit(self, wait: Credit, inside: Names, suspended: Suspended) -> bool:
        """Whether a fused loop must wait for a receiver."""
        ledger = self.ledger(wait.frame, inside, wait.device)
        if ledger.retired(wait.numbers) >= wait.count:
            return False
        ledger.gated[wait.numbers] = (wait.count, suspended)
        return True

    def may_retire(self, iteration: Iteration) -> bool:
        """Whether all receivers have retired the iteration a window before this one."""
        frame = iteration.frame
        needed = iteration.number - frame.window + 1
        if needed <= frame.credit:
            return True
        numbers = frame.parent_key[2::2]
        info = frame.layout.info
        credit = CLOSED
        for receiver in info.receivers:
            ledger = self.ledgers[info.path, receiver]
            count = ledger.retired(numbers)
            if count < needed:
                ledger.gated[numbers] = (needed, frame)
                return False
            credit = min(credit, count)
        frame.credit = credit
        return True

    def retired(self, frame: Frame, count: int) -> None:
        """Tells the senders of a frame that so many of its iterations have retired here."""
        info = frame.layout.info
        if info.senders:
            numbers = frame.parent_key[2::2]
            for publish in self.publishers(info.path):
                publish(numbers, count)

    def closed(self, frame: Frame) -> None:
        """Tells them that the frame has ended; nobody waits for one that had iteration 0 only."""
        if frame.newest.number:
            self.retired(frame, CLOSED)

    def publishers(self, path: Names) -> list[Callable[[Numbers, int], None]]:
        """What tells each sender of a frame how far it has come here."""
        known = self._publishers.get(path)
        if known is None:
            senders = self.routes.senders[self.device][path]
            known = [self._make_publisher(path, self.peers[sender]) for sender in senders]
            self._publishers[path] = known
        return known

    def _make_publisher(self, path: Names, target: Mailbox) -> Callable[[Numbers, int], None]:
        ledger = target.ledgers[path, self.device]
        place = target.place

        def at_once(numbers: Numbers, count: int) -> None:
            waiter = ledger.update(numbers, count)
            if waiter is not None:
                target.wake(waiter, None)

        if place is self.place and place.direct:
            return at_once
        source = self.device

        def posted(numbers: Numbers, count: int) -> None:
            place.post(source, target, partial(at_once, numbers, count), True)

        return posted


class _Posted:
    """Puts messages into an inbox of another loop's device."""

    def __init__(self, source: str, target: Mailbox, put: Callable[[InboxKey, Any], None]):
        self._source = source
        self._target = target
        self._put = put

    def __setitem__(self, key: InboxKey, value: Any) -> None:
        target = self._target
        target.place.post(self._source, target, partial(self._put, key, value), False)


class _Wire:
    """A simulated way to another device: messages take time, and each other's turn."""

    def __init__(self, source: Mailbox, target: Mailbox, latency: float, rate: float | None):
        self._source = source
        self._target = target
        self._latency = latency
        self._rate = rate
        self._free = 0.0
        """When the last message will have left."""

    def send(self, value: Any, action: Callable[[], None]) -> None:
        now = self._source.place.now()
        size = 0 if value is DEAD else nbytes_of(value)
        start = max(now, self._free)
        self._free = start if self._rate is None else start + size / self._rate
        later = self._free + self._latency - now
        self._target.place.post_later(self._source.device, self._target, action, later)


class _Sent:
    """Puts messages into an inbox by way of a wire."""

    def __init__(self, wire: _Wire, put: Callable[[InboxKey, Any], None]):
        self._wire = wire
        self._put = put

    def __setitem__(self, key: InboxKey, value: Any) -> None:
        self._wire.send(value, partial(self._put, key, value))


class DeviceLink:
    """What a fused loop meets other devices by (`runtime/waits.py` says how)."""

    def __init__(self, mailbox: Mailbox, iteration: Iteration, pooled: bool):
        self.mailbox = mailbox
        self.numbers: Numbers = iteration.numbers
        self.pooled = pooled
        self._inside: Names = iteration.frame.layout.info.path

    def inbox(self, channel: int) -> dict[InboxKey, Any]:
        """The messages of a channel that are here."""
        return self.mailbox.inboxes[channel]

    def outbox(self, channel: int) -> Outbox:
        """How messages of a channel leave."""
        return self.mailbox.outbox(channel)

    def retired(self, frame: str, numbers: Numbers, device: str) -> int:
        """How many trips of a receiver's copy have retired."""
        return self.mailbox.ledger(frame, self._inside, device).retired(numbers)

    def publish(self, frame: str, numbers: Numbers) -> Callable[[int], None]:
        """What tells the senders how many trips have retired here."""
        publishers = self.mailbox.publishers(self.mailbox.frame_path(frame, self._inside))
        if len(publishers) == 1:
            return partial(publishers[0], numbers)

        def publish(count: int) -> None:
            for publisher in publishers:
                publisher(numbers, count)

        return publish

    def closed(self, frame: str, numbers: Numbers) -> None:
        """Tells them that the frame has ended."""
        self.publish(frame, numbers)(CLOSED)
