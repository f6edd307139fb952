"""The lines of a fused loop that meet other devices: through its `link` (`runtime/waits.py`).

A message's key is the tuple of iteration numbers around its op. Trip i begins once every device
that this loop sends to has retired its trip i - 2W, as when a trip stays open until its receivers
have retired the one W before it (W is the window); and a loop that receives says what it retired.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..waits import Credit, Job, Receive
from .transfers import Transfers
from .tree import Loop

Line = Callable[[int, str, "int | None"], None]

NAMES = {"Credit": Credit, "Job": Job, "Receive": Receive, "MISSING": object()}
"""What the lines refer to."""


class TransferLines:
    """Writes them; `at_root` says that the fused loop is in no other loop."""

    def __init__(self, facts: Transfers, line: Line, at_root: bool):
        self.facts = facts
        self.line = line
        self.outer = "" if at_root else "*numbers, "

    def key(self, trips: Sequence[str]) -> str:
        """The tuple of iteration numbers in a loop whose trip variables, outermost first, these
        are."""
        inside = ", ".join(trips)
        return f"({self.outer}{inside},)" if trips else ("()" if not self.outer else "numbers")

    def inbox_key(self, trips: Sequence[str]) -> str:
        """The same as an inbox has it (`waits.inbox_key`); only a linked loop at the root can have
        one number alone."""
        return trips[0] if not self.outer and len(trips) == 1 else self.key(trips)

    def start(self, depth: int, nodes: Sequence[int]) -> None:
        """What is looked up once, before the loop."""
        self.line(depth, "numbers, pooled = link.numbers, link.pooled", None)
        for node in nodes:
            if node in self.facts.sends:
                channel = self.facts.sends[node]
                names = f"out{channel}, waiting{channel}, wake{channel}"
                self.line(depth, f"{names} = link.outbox({channel})", None)
            elif node in self.facts.receives:
                channel = self.facts.receives[node]
                self.line(depth, f"take{channel} = link.inbox({channel}).pop", None)

    def send(self, depth: int, node: int, value: str, trips: Sequence[str]) -> None:
        """A message of this trip."""
        channel, key = self.facts.sends[node], self.inbox_key(trips)
        self.line(depth, f"out{channel}[{key}] = {value}", node)
        self.line(depth, f"if waiting{channel}: wake{channel}({key})", node)

    def receive(self, depth: int, node: int, name: str, loop: int, trips: Sequence[str]) -> None:
        """Takes a message of this trip, or waits for it."""
        channel = self.facts.receives[node]
        key = self.inbox_key(trips)
        self.line(depth, f"{name} = take{channel}({key}, MISSING)", node)
        self.line(depth, f"while {name} is MISSING:", None)
        self.line(depth + 1, f"at = {loop}", None)
        self.line(depth + 1, f"quantum = (yield Receive({channel}, {key})) or quantum", node)
        self.line(depth + 1, f"{name} = take{channel}({key}, MISSING)", node)

    def call(self, node: int, kernel: str, arguments: str, plain: str) -> str:
        """A kernel that goes to a pool when there is one."""
        if node not in self.facts.jobs:
            return plain
        return f"(yield Job({kernel}, {arguments})) if pooled else {plain}"

    def open_loop(self, depth: int, loop: Loop, around: Sequence[str]) -> None:
        """Before the first trip."""
        frame = loop.frame
        window = self.facts.windows[frame]
        if self.facts.receivers.get(frame):
            self.line(depth, f"limit{frame} = {2 * window}", None)
        if frame in self.facts.receiving:
            self.line(
                depth, f"retire{frame} = link.publish({loop.name!r}, {self.key(around)})", None
            )

    def begin_trip(self, depth: int, loop: Loop, trip: str, around: Sequence[str]) -> None:
        """Waits while this loop is too far ahead of those it sends to."""
        frame = loop.frame
        receivers = self.facts.receivers.get(frame)
        if not receivers:
            return
        ahead = 2 * self.facts.windows[frame]
        place = f"{loop.name!r}, {self.key(around)}"
        self.line(depth, f"if {trip} >= limit{frame}:", None)
        for position, device in enumerate(receivers):
            retired = f"link.retired({place}, {device!r})"
            self.line(depth + 1, f"while (there := {retired}) + {ahead} <= {trip}:", None)
            self.line(depth + 2, f"at = {frame}", None)
            # For more than one trip's worth: every wait costs a switch of devices.
            wait = f"Credit({place}, {device!r}, {trip} - {ahead // 2})"
            self.line(depth + 2, f"quantum = (yield {wait}) or quantum", None)
            limit = f"there + {ahead}"
            limit = f"min(limit{frame}, {limit})" if position else limit
            self.line(depth + 1, f"limit{frame} = {limit}", None)

    def end_trip(self, depth: int, loop: Loop, trip: str) -> None:
        """Says that a trip is over, often enough to keep senders going."""
        frame = loop.frame
        if frame not in self.facts.receiving:
            return
        period = max(1, self.facts.windows[frame] // 4)
        count = f"retire{frame}({trip} + 1)"
        self.line(depth, count if period == 1 else f"if not ({trip} + 1) % {period}: {count}", None)

    def close_loop(self, depth: int, loop: Loop, around: Sequence[str]) -> None:
        """After the last trip."""
        if loop.frame in self.facts.receiving:
            self.line(depth, f"link.closed({loop.name!r}, {self.key(around)})", None)
