"""Channels: how sends and receives leave and enter a propagator.

A message's key is (channel, iteration numbers from the outermost loop in), since the frames around
both ends of a channel are known before the run. So messages of different iterations never mix and
may arrive in any order; what tells runs apart is the channels object itself, one per run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from .waits import Numbers

Key = tuple[int, Numbers]


class Channels(Protocol):
    """What a driver gives a propagator; values may be `DEAD` when the graph ships dead tokens."""

    def send(self, key: Key, value: Any) -> None:
        """Takes a message; never blocks."""
        ...

    def recv(self, key: Key, callback: Callable[[Any], None]) -> None:
        """Calls back with the message, at once or later, in the propagator's thread."""
        ...


class LoopBack:
    """Channels inside one graph: a send meets the receive with the same key."""

    def __init__(self) -> None:
        self._messages: dict[Key, Any] = {}
        self._waiting: dict[Key, Callable[[Any], None]] = {}

    def send(self, key: Key, value: Any) -> None:
        """Hands the value to the waiting receive, or keeps it until there is one."""
        callback = self._waiting.pop(key, None)
        if callback is None:
            self._messages[key] = value
        else:
            callback(value)

    def recv(self, key: Key, callback: Callable[[Any], None]) -> None:
        """Calls back at once when the message is here, else when it is sent."""
        if key in self._messages:
            callback(self._messages.pop(key))
        else:
            self._waiting[key] = callback
