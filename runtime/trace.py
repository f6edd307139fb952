"""A trace of a run in Chrome's JSON format, which Perfetto opens.

A process per device, in it a row per frame, and arrows for the messages between devices.
"""

from __future__ import annotations

import json
from pathlib import Path as FilePath
from typing import Any

from .channels import Key
from .frames import Iteration, Path
from .graph import Graph
from .layout import Step


class Trace:
    """Collects one event per node fired; times are seconds of one clock."""

    def __init__(self) -> None:
        self._events: list[tuple[str, tuple[str, ...], Step, Path, float, float, bool]] = []
        self._messages: list[tuple[str, str, tuple[str, ...], Key, float, float]] = []

    def add(
        self,
        graph: Graph,
        step: Step,
        iteration: Iteration,
        begin: float,
        end: float,
        *,
        dead: bool,
    ) -> None:
        """A node fired, or a long one ran for a while."""
        frame = iteration.frame.layout.info.path
        self._events.append((graph.device, frame, step, iteration.path(), begin, end, dead))

    def sent(self, device: str, frame: tuple[str, ...], key: Key, time: float) -> None:
        """A message leaves a node of a frame."""
        self._messages.append(("s", device, frame, key, time, time))

    def received(
        self, device: str, frame: tuple[str, ...], key: Key, begin: float, end: float
    ) -> None:
        """A message was taken by a node of a frame."""
        self._messages.append(("f", device, frame, key, begin, end))

    def events(self) -> list[dict[str, Any]]:
        """The trace events: metadata that names processes (devices) and threads (frames) first."""
        devices: dict[str, int] = {}
        rows: dict[tuple[str, tuple[str, ...]], int] = {}
        times = [event[4] for event in (*self._events, *self._messages)]
        start = min(times, default=0.0)
        fired: list[dict[str, Any]] = []
        for device, frame, step, path, begin, end, dead in self._events:
            process = devices.setdefault(device, len(devices) + 1)
            row = rows.setdefault((device, frame), len(rows) + 1)
            arguments: dict[str, Any] = {"node": step.node.id}
            if path:
                arguments["iteration"] = path[-1][1]
                arguments["path"] = "/".join(f"{name}[{number}]" for name, number in path)
            if dead:
                arguments["dead"] = True
            fired.append(
                {
                    "name": step.node.name,
                    "cat": "dead" if dead else step.kind.name.lower(),
                    "ph": "X",
                    "pid": process,
                    "tid": row,
                    "ts": round((begin - start) * 1e6, 3),
                    "dur": round((end - begin) * 1e6, 3),
                    "args": arguments,
                }
            )
        for phase, device, frame, key, begin, end in self._messages:
            process = devices.setdefault(device, len(devices) + 1)
            row = rows.setdefault((device, frame), len(rows) + 1)
            fired += _arrow_end(
                phase, process, row, key, (begin - start) * 1e6, (end - begin) * 1e6
            )
        names = [_name("process_name", process, 0, device) for device, process in devices.items()]
        for (device, frame), row in rows.items():
            names.append(_name("thread_name", devices[device], row, "/".join(frame) or "(root)"))
        return names + fired

    def json(self) -> str:
        """The whole file."""
        return json.dumps({"traceEvents": self.events(), "displayTimeUnit": "ns"})

    def write(self, path: str | FilePath) -> None:
        """Writes the file."""
        FilePath(path).write_text(self.json(), encoding="utf-8")


def _arrow_end(
    phase: str, process: int, row: int, key: Key, begin: float, duration: float
) -> list[dict[str, Any]]:
    """One end of an arrow; where it arrives, in a slice of its own."""
    channel, numbers = key
    name = f"channel {channel}"
    place: dict[str, Any] = {"pid": process, "tid": row, "ts": round(begin, 3)}
    arrow: dict[str, Any] = {"name": name, "cat": "message", "ph": phase, **place}
    arrow["id"] = ".".join(map(str, (channel, *numbers)))
    if phase == "s":
        return [arrow]
    arrow["bp"] = "e"
    slice: dict[str, Any] = {"name": name, "cat": "message", "ph": "X", **place}
    slice["dur"] = round(duration, 3)
    slice["args"] = {"iterations": list(numbers)}
    return [slice, arrow]


def _name(kind: str, process: int, row: int, name: str) -> dict[str, Any]:
    return {"name": kind, "ph": "M", "pid": process, "tid": row, "args": {"name": name}}
