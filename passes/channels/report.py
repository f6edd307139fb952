"""The table of channels: what travels between which devices, and how often."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Operation

from ...dialects.dcf import ScanOp, WhileOp
from ...dialects.dfg import GraphOp, ProgramOp
from .._counted_loops import counter_of
from .._tables import bytes_text, columns, place_text, value_text
from .ends import Channel, End, channels_of, value_of
from .gates import Places
from .positions import Level, Path, loop_name, path_of
from .sameness import Sameness, static_length

HEADER = ("channel", "value", "type", "bytes", "from", "to", "loops", "per trip", "per run", "at")
NUMBERS = ("channel", "bytes", "per trip", "per run")


def table(program: ProgramOp) -> str:
    """The channels of a program as text."""
    channels = channels_of(program)
    name = f"channels of @{program.sym_name.data}"
    if not channels:
        return f"{name}: none"
    places = Places(program, Sameness(channels))
    count = "1 channel" if len(channels) == 1 else f"{len(channels)} channels"
    rows = [_row(channel, places) for channel in channels.values()]
    return f"{name}: {count}\n{columns(HEADER, rows, NUMBERS)}"


def _row(channel: Channel, places: Places) -> Sequence[str]:
    ends = [*channel.sends, *channel.receives]
    declared = channel.declared
    value = value_of(channel)
    if declared is not None:
        source, target, type = declared.source.data, declared.target.data, declared.value_type
    else:
        assert value is not None
        end = ends[0]
        source, target = (end.device, end.peer) if channel.sends else (end.peer, end.device)
        type = value.type
    return (
        str(channel.number),
        "-" if value is None else value_text(value) or _maker(ends),
        str(type),
        bytes_text(type),
        source,
        target,
        *_times(ends, places),
        place_text(_location(channel)),
    )


def _maker(ends: Sequence[End]) -> str:
    """A value without a name, by what makes it."""
    value = value_of(Channel(0, None, list(ends), []))
    owner = None if value is None else value.owner
    return f"a result of {owner.name}" if isinstance(owner, Operation) else "an argument"


def _location(channel: Channel) -> LocationAttr | None:
    ops = (end.op for end in (*channel.sends, *channel.receives))
    return next((op.location for op in (*ops, channel.declared) if op is not None), None)


def _times(ends: Sequence[End], places: Places) -> tuple[str, str, str]:
    """The loops around, messages in a trip of the innermost, and in a run of the program."""
    if not ends:
        return "-", "0", "0"
    if isinstance(ends[0].code, GraphOp):
        return _times_in_graph(ends[0].op, places)
    paths = [path_of(end) for end in ends]
    loops = [_loop_text(level) for level in paths[0] if level.is_loop]
    per_trip, per_run, sure = "1", 1, True
    for level in paths[0]:
        if level.is_loop:
            per_trip = "1"
        else:
            per_trip, sure = "at most 1", False
    for depth, level in enumerate(paths[0]):
        if level.is_loop and per_run is not None:
            trips = next((t for path in paths if (t := _trips(path, depth)) is not None), None)
            per_run = None if trips is None else per_run * trips
    total = "?" if per_run is None else f"{per_run:,}" if sure else f"at most {per_run:,}"
    return _joined(loops), per_trip, total


def _times_in_graph(op: Operation, places: Places) -> tuple[str, str, str]:
    """The same for a graph, which does not tell how often a loop runs."""
    frame = places.frames[op]
    branches = [gate for gate in places.gates[op] if not gate.is_loop]
    per_trip = "at most 1" if any(gate.frame == frame for gate in branches) else "1"
    bodies = {gate.frame for gate in places.gates[op] if gate.is_loop and gate.side}
    names = [
        name if frame[: depth + 1] in bodies else f"{name} (condition)"
        for depth, name in enumerate(frame)
    ]
    return _joined(names), per_trip, "?" if frame else per_trip


def _joined(names: Sequence[str]) -> str:
    return "/".join(names) or "-"


def _loop_text(level: Level) -> str:
    name = loop_name(level.op) or level.op.name
    return f"{name} (condition)" if level.region == 0 and len(level.op.regions) == 2 else name


def _trips(path: Path, depth: int) -> int | None:
    """How often the region of a loop runs, if that is known."""
    if depth >= len(path):
        return None
    op, region = path[depth]
    if isinstance(op, ScanOp):
        return static_length(op)
    counter = counter_of(op) if isinstance(op, WhileOp) else None
    if counter is None or counter.trips is None:
        return None
    return counter.trips + (1 if region == 0 else 0)
