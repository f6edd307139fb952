"""The table of channels: what travels between which devices, and how often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Operation, SSAValue

from ...dialects.dcf import ScanOp, WhileOp
from ...dialects.dfg import (
    EnterOp,
    ExitOp,
    GraphOp,
    MergeOp,
    NextIterationOp,
    ProgramOp,
    RecvOp,
    SendOp,
    SwitchOp,
)
from .._counted_loops import counter_of
from .._tables import bytes_text, columns, place_text, value_text
from .ends import Channel, End, channels_of, value_of
from .gates import Places
from .positions import Level, Path, loop_name, path_of
from .sameness import Sameness, static_length

Channels = Mapping[int, Channel]

HEADER = ("channel", "value", "type", "bytes", "from", "to", "loops", "per trip", "per run", "at")
UNKNOWN = place_text(None)
NUMBERS = ("channel", "bytes", "per trip", "per run")


def table(program: ProgramOp) -> str:
    """The channels of a program as text."""
    channels = channels_of(program)
    name = f"channels of @{program.sym_name.data}"
    if not channels:
        return f"{name}: none"
    places = Places(program, Sameness(channels))
    count = "1 channel" if len(channels) == 1 else f"{len(channels)} channels"
    rows = [_row(channel, channels, places) for channel in channels.values()]
    return f"{name}: {count}\n{columns(HEADER, rows, NUMBERS)}"


def _row(channel: Channel, channels: Channels, places: Places) -> Sequence[str]:
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
        "-" if value is None else _name(value, channels),
        str(type),
        bytes_text(type),
        source,
        target,
        *_times(ends, places),
        _place(channel, channels),
    )


def _name(value: SSAValue, channels: Channels) -> str:
    """A value's name; without one, that of what it is a copy of; without one too, what made it."""
    found = [value_text(value) or _made_by(value) for value in _sources(value, channels)[1]]
    return " or ".join(dict.fromkeys(found))


def _made_by(value: SSAValue) -> str:
    return (
        f"a result of {value.owner.name}" if isinstance(value.owner, Operation) else "an argument"
    )


def _sources(value: SSAValue, channels: Channels) -> tuple[list[SSAValue], list[SSAValue]]:
    """The copies that a value without a name has come through, itself first, and their sources.

    A source has a name, or is made by something that does more than to hand it on. Of a value that a loop
    carries, it is what a trip makes rather than the initial value.
    """
    seen: dict[SSAValue, None] = {}
    ends: dict[SSAValue, None] = {}
    pending = [value]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen[value] = None
        before: Sequence[SSAValue] = () if value_text(value) else _before(value, channels)
        if not before:
            ends[value] = None
        pending.extend(reversed(before))
    return list(seen), list(ends or seen)


def _before(value: SSAValue, channels: Channels) -> Sequence[SSAValue]:
    """What a value is a copy of; nothing if it is none."""
    op = value.owner
    if isinstance(op, SwitchOp | EnterOp | ExitOp | NextIterationOp):
        return [op.operands[0]]
    if isinstance(op, MergeOp) and value is op.results[0]:
        carried = [v for v in op.inputs if isinstance(v.owner, NextIterationOp)]
        return carried or list(op.inputs)
    if isinstance(op, RecvOp):
        channel = channels.get(op.channel.value.data)
        return (
            [end.op.value for end in channel.sends if isinstance(end.op, SendOp)] if channel else []
        )
    return []


def _place(channel: Channel, channels: Channels) -> str:
    """Where a channel is used; where that is not known, the nearest op before it whose place is."""
    ops: list[Operation] = [end.op for end in (*channel.sends, *channel.receives)]
    if channel.declared is not None:
        ops.append(channel.declared)
    value = value_of(channel)
    locations: list[LocationAttr | None] = [op.location for op in ops]
    if value is not None:
        locations += [
            value.owner.location
            for value in _sources(value, channels)[0]
            if isinstance(value.owner, Operation)
        ]
    return next((text for text in map(place_text, locations) if text != UNKNOWN), UNKNOWN)


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
