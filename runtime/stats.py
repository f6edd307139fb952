"""Statistics of a run: what fired, how many iterations were live at once, how many bytes were
held, what went from device to device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .frames import DEAD, Frame, Iteration
from .graph import Graph, NodeKind
from .layout import Outlet, Step
from .memory import MemoryStats
from .propagator import Propagator
from .values import nbytes_of


@dataclass
class FrameStats:
    """A frame over all its instances; `path` is () for the root."""

    path: tuple[str, ...]
    instances: int = 0
    iterations: int = 0
    live_peak: int = 0
    bytes: int = 0
    """Of the distinct values that wait in the frame's slots now: 0 after a run but for errors."""
    bytes_peak: int = 0
    held: dict[int, int] = field(default_factory=dict[int, int], repr=False)
    open: list[Frame] = field(default_factory=list[Frame], repr=False)

    def hold(self, value: Any, times: int) -> None:
        """A value was put in so many slots."""
        if not times:
            return
        key = id(value)
        count = self.held.get(key, 0)
        self.held[key] = count + times
        if not count:
            self.bytes += nbytes_of(value)
            self.bytes_peak = max(self.bytes_peak, self.bytes)

    def drop(self, value: Any) -> None:
        """A value left one slot."""
        key = id(value)
        count = self.held[key] - 1
        if count:
            self.held[key] = count
        else:
            del self.held[key]
            self.bytes -= nbytes_of(value)

    def opened(self) -> None:
        """An iteration began."""
        self.iterations += 1
        self.live_peak = max(self.live_peak, sum(frame.live for frame in self.open))


@dataclass
class ChannelStats:
    """What a channel's sender sent."""

    source: str
    target: str
    messages: int = 0
    bytes: int = 0


@dataclass
class Stats:
    """Filled by the runs it is given to; `table()` tells it.

    On several devices, `devices` holds those of each, `channels` what was sent, and this the sums
    (but for the frames).
    """

    fired: int = 0
    """Nodes that fired live."""
    fired_dead: int = 0
    dead_tokens: int = 0
    """Dead tokens that reached a node."""
    ops: Counter[str] = field(default_factory=Counter[str])
    """Live firings by op name."""
    frames: dict[tuple[str, ...], FrameStats] = field(
        default_factory=dict[tuple[str, ...], FrameStats]
    )
    seconds: float = 0.0
    """The declared time of the ops of simulated devices."""
    elapsed: float = 0.0
    """Seconds that the last run on several devices took, by its clock."""
    devices: dict[str, Stats] = field(default_factory=dict[str, "Stats"])
    channels: dict[int, ChannelStats] = field(default_factory=dict[int, ChannelStats])
    memory: MemoryStats | None = None
    """What a memory budget did, on a device that has one."""

    def of_device(self, device: str) -> Stats:
        """The part of one device, which only its own thread changes during a run."""
        return self.devices.setdefault(device, Stats())

    def sent(self, channel: int, source: str, target: str, value: Any) -> None:
        """A message leaves."""
        found = self.channels.get(channel)
        if found is None:
            found = self.channels[channel] = ChannelStats(source, target)
        found.messages += 1
        found.bytes += 0 if value is DEAD else nbytes_of(value)

    def gather(self, elapsed: float) -> None:
        """Sums up the devices after a run."""
        parts = self.devices.values()
        self.elapsed = elapsed
        self.seconds = sum(part.seconds for part in parts)
        self.fired = sum(part.fired for part in parts)
        self.fired_dead = sum(part.fired_dead for part in parts)
        self.dead_tokens = sum(part.dead_tokens for part in parts)
        self.ops = sum((part.ops for part in parts), Counter[str]())
        self.channels = {
            channel: part.channels[channel] for part in parts for channel in sorted(part.channels)
        }

    def count(self, step: Step, *, dead: bool) -> None:
        """A node fires."""
        if dead:
            self.fired_dead += 1
        else:
            self.fired += 1
            self.ops[step.node.name] += 1

    def of_frame(self, path: tuple[str, ...]) -> FrameStats:
        """The entry of a frame."""
        found = self.frames.get(path)
        if found is None:
            found = self.frames[path] = FrameStats(path)
        return found

    def propagator(self, graph: Graph, feeds: Any, **options: Any) -> Propagator:
        """A propagator that keeps these statistics."""
        return WatchedPropagator(self, graph, feeds, **options)

    def table(self) -> str:
        """The statistics as text."""
        lines = [
            f"nodes fired      {self.fired:>12,}",
            f"nodes fired dead {self.fired_dead:>12,}",
            f"dead tokens      {self.dead_tokens:>12,}",
            "",
        ]
        if self.devices:
            lines += self._device_table()
        rows: list[tuple[str, ...]] = [
            ("frame", "instances", "iterations", "live at peak", "bytes at peak")
        ]
        rows += self._frame_rows()
        if self.devices:
            rows[0] = ("device", *rows[0])
            for device, part in sorted(self.devices.items()):
                rows += [(device, *row) for row in part._frame_rows()]
        lines += _columns(rows, 2 if self.devices else 1)
        lines.append("")
        names = sorted(self.devices) if len(self.devices) > 1 else []
        ops: list[tuple[str, ...]] = [("op", "fired", *names)]
        for name, count in self.ops.most_common():
            each = (f"{self.devices[device].ops[name]:,}" for device in names)
            ops.append((name, f"{count:,}", *each))
        lines += _columns(ops)
        return "\n".join(lines)

    def _frame_rows(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = []
        for path, frame in sorted(self.frames.items()):
            numbers = (frame.instances, frame.iterations, frame.live_peak, frame.bytes_peak)
            rows.append(("/".join(path) or "(root)", *(f"{number:,}" for number in numbers)))
        return rows

    def _device_table(self) -> list[str]:
        rows = [("device", "nodes fired", "messages sent", "bytes sent")]
        for device, part in sorted(self.devices.items()):
            channels = part.channels.values()
            messages = sum(channel.messages for channel in channels)
            sent = sum(channel.bytes for channel in channels)
            rows.append((device, f"{part.fired:,}", f"{messages:,}", f"{sent:,}"))
        lines = [*_columns(rows), ""]
        if self.channels:
            table = [("channel", "from", "to", "messages", "bytes")]
            for number, channel in sorted(self.channels.items()):
                counts = (f"{channel.messages:,}", f"{channel.bytes:,}")
                table.append((str(number), channel.source, channel.target, *counts))
            lines += [*_columns(table, 3), ""]
        budgets = {device: part.memory for device, part in sorted(self.devices.items())}
        return lines + memory_table(budgets)


def memory_table(budgets: Mapping[str, MemoryStats | None]) -> list[str]:
    """What the budgets of devices did, and what the peak would have been without swapping."""
    table: list[tuple[str, ...]] = [
        ("device", "budget", "peak", "unswapped", "held back", "waits", "store")
    ]
    swaps: list[tuple[str, ...]] = [("device", "values out", "bytes out", "values in", "bytes in")]
    for device, memory in budgets.items():
        if memory is not None:
            numbers = [memory.budget, memory.peak, memory.unswapped, memory.held_back]
            numbers += [memory.waits, memory.stored]
            table.append((device, *(f"{number:,}" for number in numbers)))
            numbers = [memory.values_out, memory.bytes_out, memory.values_in, memory.bytes_in]
            swaps.append((device, *(f"{number:,}" for number in numbers)))
    return [] if len(table) == 1 else [*_columns(table), "", *_columns(swaps), ""]


def _columns(rows: Iterable[tuple[str, ...]], texts: int = 1) -> list[str]:
    """Aligned lines: the first columns are texts, the others numbers."""
    rows = list(rows)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            text.ljust(width) if column < texts else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in rows
    ]


class WatchedPropagator(Propagator):
    """Does the same, and keeps statistics; only `fire` may drive it, not the fast loop."""

    def __init__(self, stats: Stats, graph: Graph, feeds: Any, **options: Any):
        self.stats = stats
        self._frame_stats = [stats.of_frame(info.path) for info in graph.frames]
        self._constants: dict[Frame, list[Any]] = {}
        self._entering_constant = False
        super().__init__(graph, feeds, **options)

    def _of(self, frame: Frame) -> FrameStats:
        return self._frame_stats[frame.layout.info.index]

    def deliver(self, iteration: Iteration, outlet: Outlet, value: Any) -> None:
        if not self._entering_constant:
            self._of(iteration.frame).hold(value, len(outlet.plain))
        super().deliver(iteration, outlet, value)

    def merge_live(self, iteration: Iteration, local: int, number: int, value: Any) -> None:
        self._of(iteration.frame).hold(value, 1)
        super().merge_live(iteration, local, number, value)

    def deliver_dead(self, iteration: Iteration, outlet: Outlet) -> None:
        self.stats.dead_tokens += len(outlet.plain) + len(outlet.merges)
        super().deliver_dead(iteration, outlet)

    def begin(self, iteration: Iteration, step: Step) -> list[Any]:
        inputs = super().begin(iteration, step)
        stats = self._of(iteration.frame)
        nodes = self.graph.nodes
        for (producer, _), value in zip(step.node.inputs, inputs):
            if value is not None and nodes[producer].kind != NodeKind.CONST_ENTER:
                stats.drop(value)
        return inputs

    def open_frame(self, index: int, parent: Iteration | None) -> Frame:
        frame = super().open_frame(index, parent)
        stats = self._of(frame)
        stats.instances += 1
        stats.open.append(frame)
        stats.opened()
        return frame

    def open_iteration(self, frame: Frame) -> Iteration:
        deferred = frame.deferred
        fresh = super().open_iteration(frame)
        stats = self._of(frame)
        for _, value in deferred:
            stats.drop(value)
        stats.opened()
        return fresh

    def next_iteration(self, iteration: Iteration, step: Step, value: Any) -> None:
        frame = iteration.frame
        waiting = len(frame.deferred)
        super().next_iteration(iteration, step, value)
        if len(frame.deferred) > waiting:
            self._of(frame).hold(value, 1)

    def enter_constant(self, frame: Frame, outlet: Outlet, value: Any) -> None:
        if value is not DEAD:
            self._of(frame).hold(value, 1)
            self._constants.setdefault(frame, []).append(value)
        self._entering_constant = True
        super().enter_constant(frame, outlet, value)
        self._entering_constant = False

    def close_frame(self, frame: Frame, parent: Iteration) -> None:
        stats = self._of(frame)
        for value in self._constants.pop(frame, ()):
            stats.drop(value)
        stats.open.remove(frame)
        super().close_frame(frame, parent)
