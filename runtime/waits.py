"""What generated code waits for, and the object through which it meets other devices.

A fused loop is a generator. Between its quanta it may yield one of the small objects below; the
engine (`runtime/engine/devices.py`) resumes it when what it waits for is there. What it sends and
says of its own progress goes through its `Link`, which never blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final, Protocol

Numbers = tuple[int, ...]
"""Iteration numbers, outermost first."""

InboxKey = int | Numbers
"""Iteration numbers as an inbox has them: a single one as it is, which is quicker."""

CLOSED: Final = 1 << 62
"""The count of retired trips of a frame that has ended: more than any loop makes."""


def inbox_key(numbers: Numbers) -> InboxKey:
    """The key of a message under which its inbox keeps it."""
    return numbers[0] if len(numbers) == 1 else numbers


def key_numbers(key: InboxKey) -> Numbers:
    """The iteration numbers of a key."""
    return (key,) if isinstance(key, int) else key


class Receive:
    """Waits until a message is in the inbox of a channel; the generator takes it out itself."""

    __slots__ = ("channel", "key")

    def __init__(self, channel: int, key: InboxKey):
        self.channel = channel
        self.key = key

    def __repr__(self) -> str:
        return f"Receive({self.channel}, {self.key})"


class Credit:
    """Waits until `device` has retired `count` trips of its copy of a frame.

    `numbers` are those of the iteration that the frame is in.
    """

    __slots__ = ("count", "device", "frame", "numbers")

    def __init__(self, frame: str, numbers: Numbers, device: str, count: int):
        self.frame = frame
        self.numbers = numbers
        self.device = device
        self.count = count

    def __repr__(self) -> str:
        return f"Credit({self.frame!r}, {self.numbers}, {self.device!r}, {self.count})"


class Job:
    """Waits for a kernel that runs elsewhere: resumed with its result, or with its exception.

    A kernel of several results gives their tuple. Where there is no pool it runs at once.
    """

    __slots__ = ("arguments", "kernel")

    def __init__(self, kernel: Callable[..., Any], arguments: tuple[Any, ...]):
        self.kernel = kernel
        self.arguments = arguments


Wait = Receive | Credit | Job
WAITS: Final = (Receive, Credit, Job)


class SetItem(Protocol):
    """`outbox[key] = value` sends a message."""

    def __setitem__(self, key: InboxKey, value: Any, /) -> None: ...


Outbox = tuple[SetItem, Collection[Any], Callable[[InboxKey], None]]
"""Where to put messages; who waits for some; what to call with the key of a message that was put
there while anybody waits. Three things, so that sending takes no call."""


class Link(Protocol):
    """What a kernel with `needs_link` gets as its first argument, before a tag if it needs one.

    One per firing of a fused node: the methods that return something to call do so once, before
    the loop, so that a trip costs little.
    """

    @property
    def numbers(self) -> Numbers:
        """The numbers of the iterations around the fused node."""
        ...

    @property
    def pooled(self) -> bool:
        """Whether jobs go to a pool; if not, kernels are better called than yielded."""
        ...

    def inbox(self, channel: int) -> dict[InboxKey, Any]:
        """The messages of a channel that have come and were not taken yet."""
        ...

    def outbox(self, channel: int) -> Outbox:
        """How messages of a channel leave."""
        ...

    def retired(self, frame: str, numbers: Numbers, device: str) -> int:
        """How many trips another device's copy of a frame has retired, as far as is known here;
        `CLOSED` when it has ended. `numbers` are those of the iteration around the frame."""
        ...

    def publish(self, frame: str, numbers: Numbers) -> Callable[[int], None]:
        """What tells the devices that send to this one how many trips have retired here."""
        ...

    def closed(self, frame: str, numbers: Numbers) -> None:
        """Tells them that the frame has ended."""
        ...
