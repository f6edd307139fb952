"""Statistics of a run: what fired, how many iterations were live at once, how many bytes were
held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .frames import DEAD, Frame, Iteration
from .graph import Graph, NodeKind
from .layout import Outlet, Step
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
class Stats:
    """Filled by the runs it is given to; `table()` tells it."""

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
        rows: list[tuple[str, ...]] = [
            ("frame", "instances", "iterations", "live at peak", "bytes at peak")
        ]
        for path, frame in sorted(self.frames.items()):
            numbers = (frame.instances, frame.iterations, frame.live_peak, frame.bytes_peak)
            rows.append(("/".join(path) or "(root)", *(f"{number:,}" for number in numbers)))
        lines += _columns(rows)
        lines.append("")
        lines += _columns(
            [("op", "fired"), *((name, f"{count:,}") for name, count in self.ops.most_common())]
        )
        return "\n".join(lines)


def _columns(rows: Iterable[tuple[str, ...]]) -> list[str]:
    rows = list(rows)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            text.ljust(width) if not column else text.rjust(width)
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
