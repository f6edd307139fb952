"""The structured reference for a program in parts: one coroutine per device.

Each device runs its `dfg.partition` in textual order. A send never blocks; a receive waits until
its message is there. A message's key is its channel with the numbers of the iterations around the
receive, which are those around the send. Only one device runs at a time: a thread each, and a baton
that goes from one that waits or has ended to the next that can go on. So a run is the same every
time, and when nobody can go on, that is known at once.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..dialects.dfg import PartitionOp, ProgramOp, RecvOp, SendOp
from ..dialects.diagnostics import DataError, ProgramError, position_of
from .reference import FunctionCode, ModuleScope
from .reference_steps import Probe, Run

Key = tuple[int, tuple[int, ...]]
"""A channel, and the numbers of the iterations around, outermost first."""

Options = tuple[float | None, Probe | None, int]
"""Deadline, probe sink and seed of a run."""


class _Stop(BaseException):
    """Ends the thread of a device when another one failed; no kernel's error handler may catch
    it."""


class _Message(NamedTuple):
    value: Any
    op: SendOp
    where: str


def evaluate_program(
    program: ProgramOp,
    values: Sequence[Any],
    scope: ModuleScope,
    options: Options,
    order: int | None = None,
) -> list[Any]:
    """Runs the partitions of a program on the values of its arguments; its results.

    Without `order` a device runs until it waits. With it, any device that can may run on after each
    message, as the random numbers of that seed say; results do not depend on it.
    """
    if not program.partitions and program.graphs:
        raise ProgramError(
            f"the structured reference runs functions and partitions; @{program.sym_name.data} has"
            " dfg.graph",
            program,
        )
    turns = _Turns(None if order is None else random.Random(order))
    for partition in program.partitions:
        feeds = [values[number] for number in partition.feeds.get_values()]
        code = FunctionCode(partition.body, scope)
        turns.devices.append(_Device(partition, code, feeds, options, turns))
    turns.run()
    results: dict[int, Any] = {}
    for device in turns.devices:
        results.update(zip(device.partition.fetches.get_values(), device.results))
    return [results[number] for number in range(len(program.function_type.outputs))]


class _Device(Run):
    """One device's run, in a thread of its own."""

    def __init__(
        self,
        partition: PartitionOp,
        code: FunctionCode,
        feeds: Sequence[Any],
        options: Options,
        turns: _Turns,
    ):
        super().__init__(*options)
        self.partition = partition
        self.name = partition.device.data
        self.on = f' on "{self.name}"'
        self.results: tuple[Any, ...] = ()
        self.ended = False
        self.awaited: tuple[RecvOp, Key] | None = None
        """What the device waits for."""
        self.baton = threading.Semaphore(0)
        self._code = code
        self._feeds = feeds
        self._turns = turns

    def live(self) -> None:
        """What the thread does."""
        turns = self._turns
        try:
            turns.wait(self)
            # What NumPy does about overflow is set for each thread.
            with np.errstate(all="ignore"):
                self.results = self._code(self, self._feeds)
            self.ended = True
            turns.pass_on()
        except _Stop:
            pass
        except RecursionError:
            turns.stop(ProgramError(f"a function calls itself without end{self.on}"))
        except BaseException as error:
            turns.stop(error)

    def key(self, channel: int) -> Key:
        """The key of a message of the iterations being run."""
        return channel, tuple([trip for _, trip in self.loops])

    def can_go_on(self) -> bool:
        """Whether the device has work and does not wait for a message."""
        if self.ended:
            return False
        return self.awaited is None or self.awaited[1] in self._turns.messages

    def check_deadline(self, op: Any, trip: int) -> None:
        self._turns.check()
        super().check_deadline(op, trip)

    def send(self, op: SendOp, value: Any) -> None:
        key = self.key(op.channel.value.data)
        messages = self._turns.messages
        if key in messages:
            raise DataError(f"expected one message on channel {key[0]}, got a second one")
        messages[key] = _Message(value, op, self.where())
        self._turns.maybe_pass_on(self)

    def receive(self, op: RecvOp) -> Any:
        key = self.key(op.channel.value.data)
        turns = self._turns
        turns.maybe_pass_on(self)
        if key not in turns.messages:
            self.awaited = op, key
            turns.pass_on(self)
            self.awaited = None
        return turns.messages.pop(key).value

    def state(self) -> str:
        """What the device does, for the report of a run in which nobody can go on."""
        if self.awaited is None:
            return f'"{self.name}" has ended'
        op, (channel, _) = self.awaited
        position = position_of(op.location)
        at = f" (at {':'.join(map(str, position))})" if position is not None else ""
        return (
            f'"{self.name}" waits for channel {channel} from "{op.source.data}"'
            f"{self.where().removesuffix(self.on)}{at}"
        )


class _Turns:
    """Whose turn it is, and the messages on their way. Only who has the baton touches them."""

    def __init__(self, picks: random.Random | None):
        self.devices: list[_Device] = []
        self.messages: dict[Key, _Message] = {}
        self._picks = picks
        self._last = -1
        self._error: BaseException | None = None
        self._stopping = False
        self._over = threading.Event()

    def run(self) -> None:
        """Run all devices to their ends; raises the first error."""
        if not self.devices:
            return
        threads = [
            threading.Thread(target=device.live, name=device.name, daemon=True)
            for device in self.devices
        ]
        for thread in threads:
            thread.start()
        try:
            self.pass_on()
            self._over.wait()
        except BaseException as error:
            # Such as the user's Ctrl-C.
            self.stop(error)
        for thread in threads:
            thread.join()
        if self._error is not None:
            raise self._error
        if self.messages:
            raise self._unreceived()

    def wait(self, device: _Device) -> None:
        """Wait for the baton."""
        device.baton.acquire()
        self.check()

    def check(self) -> None:
        """Leave if the run has failed."""
        if self._stopping:
            raise _Stop

    def stop(self, error: BaseException) -> None:
        """End the run with its first error."""
        if not self._stopping:
            self._error, self._stopping = error, True
        for device in self.devices:
            device.baton.release()
        self._over.set()

    def pass_on(self, device: _Device | None = None) -> None:
        """Give the baton to a device that can go on, and, as `device`, wait until it is back."""
        following = self._next()
        if following is not None:
            if following is not device:
                following.baton.release()
        elif all(one.ended for one in self.devices):
            self._over.set()
        else:
            raise self._stuck()
        if device is not None and following is not device:
            self.wait(device)

    def maybe_pass_on(self, device: _Device) -> None:
        """Where the order is random, any device may be the next."""
        self.check()
        if self._picks is not None:
            self.pass_on(device)

    def _next(self) -> _Device | None:
        count = len(self.devices)
        numbers = [(self._last + 1 + k) % count for k in range(count)]
        ready = [number for number in numbers if self.devices[number].can_go_on()]
        if not ready:
            return None
        self._last = ready[0] if self._picks is None else self._picks.choice(ready)
        return self.devices[self._last]

    def _stuck(self) -> ProgramError:
        waiting = next(device.awaited for device in self.devices if device.awaited is not None)
        states = "; ".join(device.state() for device in self.devices)
        return ProgramError(f"no device can go on: {states}", waiting[0])

    def _unreceived(self) -> ProgramError:
        (channel, _), first = next(iter(self.messages.items()))
        count = len(self.messages)
        total = "1 message" if count == 1 else f"{count} messages"
        return ProgramError(
            f"expected every message received, got {total} left: the first on channel {channel} to"
            f' "{first.op.target.data}", sent{first.where}',
            first.op,
        )
