"""A node that is under way: a fused loop between two of its yields."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from .frames import Iteration
from .layout import Step
from .waits import Wait


@dataclass(slots=True, eq=False)
class Suspended:
    """A FUSED node under way."""

    iteration: Iteration
    step: Step
    generator: Generator[Any, Any, Any]
    started: bool = False
    trips: int = 1
    """For how many trips of its loop to run on, about; the driver's to change."""
    position: object = None
    """What it said of its progress when it was suspended."""
    wait: Wait | None = None
    """What it waits for, unless only its quantum was over."""
    reply: Any = None
    """What a job gave."""
    error: Exception | None = None
    """What a job raised."""

    def resume(self) -> Any:
        """Runs it on, to its next yield."""
        wait, self.wait = self.wait, None
        if wait is None:
            # A generator that has not started takes None only.
            trips = self.trips if self.started else None
            self.started = True
            return self.generator.send(trips)
        error, self.error = self.error, None
        if error is not None:
            return self.generator.throw(error)
        reply, self.reply = self.reply, None
        return self.generator.send(reply)
