"""Reports of runs on several devices that came to no end: who waits for whom, and in which
iteration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import LocationAttr

from ..dialects.diagnostics import ProgramError, position_of
from .frames import Frame
from .graph import Node
from .reports import (
    SHOWN,
    DeadlineError,
    deadline_error,
    describe_path,
    lacks,
    live_frames,
)
from .routes import Routes
from .suspended import Suspended
from .waits import Credit, Job, Numbers, Receive, key_numbers

if TYPE_CHECKING:
    from .engine.device import Device


def stuck_error(devices: Sequence[Device], routes: Routes) -> ProgramError:
    """Nothing can happen any more and results are missing."""
    report = _Report(devices, routes)
    waiting = [device for device in devices if not device.core.finished]
    for device in waiting:
        told = len(report.lines)
        report.receives(device)
        report.credits(device)
        if len(report.lines) == told:
            # Else what other nodes lack follows from that.
            report.nodes(device)
    lines = report.lines
    more = [f"… and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    names = ", ".join(device.name for device in waiting)
    text = "; ".join(lines[:SHOWN] + more)
    return ProgramError(
        f"no node can fire and results are missing on {names}: {text}", report.location
    )


def late_error(devices: Sequence[Device], seconds: float) -> DeadlineError:
    """The deadline passed: names the loop that ran on, of the device that did most."""
    waiting = [device for device in devices if not device.core.finished] or list(devices)
    device = max(waiting, key=lambda device: device.fired)
    error = deadline_error(device.core, seconds, device.longest_blocked)
    others = [f"{other.name}: {other.position}" for other in waiting if other is not device]
    text = "; ".join([f"{error.message} on {device.name}", *others[:SHOWN]])
    return DeadlineError(text, error.location)


def lost_message(device: Device, routes: Routes) -> ProgramError | None:
    """An error for a message that came to a device and that nothing there received."""
    for channel, inbox in device.mailbox.inboxes.items():
        for numbers in map(key_numbers, inbox):
            sender, _ = routes.channels[channel]
            at = f" for iteration {_text(numbers)}" if numbers else ""
            receive = routes.ends.get((device.name, channel))
            return ProgramError(
                f"expected {device.name} to receive every message, got one of channel {channel} "
                f"from {sender}{at} that it did not",
                None if receive is None else receive.location,
            )
    return None


class _Report:
    def __init__(self, devices: Sequence[Device], routes: Routes):
        self.devices = {device.name: device for device in devices}
        self.routes = routes
        self.lines: list[str] = []
        self.location: LocationAttr | None = None

    def add(self, line: str, node: Node | None) -> None:
        self.lines.append(line)
        if self.location is None and node is not None:
            self.location = node.location

    def receives(self, device: Device) -> None:
        """What a device waits to receive."""
        awaited = list(device.core.awaiting.values())
        for wait in device.blocked.values():
            if isinstance(wait, Receive):
                awaited.append((wait.channel, key_numbers(wait.key)))
        for channel, numbers in sorted(awaited, key=lambda key: key[1]):
            self._receive(device, channel, numbers)

    def _receive(self, device: Device, channel: int, numbers: Numbers) -> None:
        routes = self.routes
        sender = routes.channels[channel][0]
        path = tuple(zip(routes.frame_of(device.name, channel), numbers))
        place = f" in {describe_path(path)}" if path else ""
        node = routes.ends[device.name, channel]
        position = None if node.location is None else position_of(node.location)
        at = "" if position is None else " ({}:{}:{})".format(*position)
        text = (
            f"{device.name} waits{place} for the message of channel {channel} from {sender}, which "
            f"{self._sender(sender, channel, numbers)}{at}"
        )
        self.add(text, node)

    def _sender(self, name: str, channel: int, numbers: Numbers) -> str:
        """What keeps a sender."""
        sender = self.devices.get(name)
        if sender is None:
            return "is not a device of this program"
        if sender.core.finished:
            return "has finished without sending it"
        if (name, channel) not in self.routes.ends:
            return "has no send for it"
        if _has_passed(sender, self.routes.frame_of(name, channel), numbers):
            return "is past that iteration and did not send it"
        return "has not sent it"

    def credits(self, device: Device) -> None:
        """Which iterations a device holds back for whom."""
        for (frame, receiver), ledger in device.mailbox.ledgers.items():
            for numbers, (needed, waiter) in ledger.gated.items():
                outer = tuple(zip(frame[:-1], numbers))
                inside = f" in {describe_path(outer)}" if outer else ""
                node = waiter.step.node if isinstance(waiter, Suspended) else None
                held = waiter.oldest.number if isinstance(waiter, Frame) else None
                what = "a trip" if held is None else f"iteration {held}"
                self.add(
                    f'{device.name} holds back {what} of "{frame[-1]}"{inside} until {receiver} '
                    f"has retired {needed} there ({ledger.retired(numbers)} now)",
                    node,
                )

    def nodes(self, device: Device) -> None:
        """The other nodes that wait, and what each lacks."""
        for suspended, wait in device.blocked.items():
            if isinstance(wait, Job | Credit):
                text = f'{device.name}: loop "{suspended.step.node.label}" waits for {wait}'
                self.add(text, suspended.step.node)
        for line, node in lacks(device.core):
            self.add(f"{device.name}: {line}", node)


def _has_passed(device: Device, path: tuple[str, ...], numbers: Numbers) -> bool:
    """Whether a device is done with an iteration of a frame."""
    live = live_frames(device.core.root.frame)
    frames = {(frame.layout.info.path, frame.parent_key[2::2]): frame for frame in live}
    for depth, number in enumerate(numbers, 1):
        frame = frames.get((path[:depth], numbers[: depth - 1]))
        if frame is None:
            return depth > 1
        if number < frame.oldest.number:
            return True
        if number > frame.newest.number:
            return False
    return False


def _text(numbers: Numbers) -> str:
    return ".".join(map(str, numbers))
