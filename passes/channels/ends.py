"""The channels of a program with their two ends, and the rule that both are there and agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.dfg import ChannelOp, PartitionOp, ProgramOp, RecvOp, SendOp
from ...dialects.dfg.graphs import DeviceCode
from ...dialects.diagnostics import ProgramError, position_of, user_frame_of


class End(NamedTuple):
    """A send or a receive, and the code of the device that it is in."""

    op: SendOp | RecvOp
    code: DeviceCode

    @property
    def device(self) -> str:
        """The device of this end."""
        return self.code.device.data

    @property
    def peer(self) -> str:
        """The device that the other end should be on."""
        op = self.op
        return op.target.data if isinstance(op, SendOp) else op.source.data

    @property
    def type(self) -> Attribute:
        """The type of what goes over the channel."""
        op = self.op
        return op.value.type if isinstance(op, SendOp) else op.output.type

    def __str__(self) -> str:
        return f'the {self.op.name} on "{self.device}"{at(self.op)}'


@dataclass
class Channel:
    """A number, and what there is under it; `send` and `recv` are those of a sound channel."""

    number: int
    declared: ChannelOp | None = None
    sends: list[End] = field(default_factory=list[End])
    receives: list[End] = field(default_factory=list[End])

    @property
    def send(self) -> End:
        """The end that sends."""
        return self.sends[0]

    @property
    def recv(self) -> End:
        """The end that receives."""
        return self.receives[0]


def codes_of(program: ProgramOp) -> list[DeviceCode]:
    """The parts of all devices, in order."""
    return [op for op in program.body.block.ops if isinstance(op, DeviceCode)]


def channels_of(program: ProgramOp) -> dict[int, Channel]:
    """All channels that are declared or used, in the order of their numbers."""
    found: dict[int, Channel] = {}
    for op in program.channels:
        number = op.channel.value.data
        found.setdefault(number, Channel(number)).declared = op
    for end in _ends(program):
        number = end.op.channel.value.data
        channel = found.setdefault(number, Channel(number))
        (channel.sends if isinstance(end.op, SendOp) else channel.receives).append(end)
    return dict(sorted(found.items()))


def _ends(program: ProgramOp) -> Iterator[End]:
    for code in codes_of(program):
        for op in code.body.walk():
            if isinstance(op, SendOp | RecvOp):
                yield End(op, code)


def value_of(channel: Channel) -> SSAValue | None:
    """What is sent, else what is received; None where nothing is."""
    for end in (*channel.sends, *channel.receives):
        return end.op.value if isinstance(end.op, SendOp) else end.op.output
    return None


def place_text(location: LocationAttr | None) -> str | None:
    """`FILE:LINE:COL`, and the line of the user's program where there is one."""
    position, frame = position_of(location), user_frame_of(location)
    if position is None:
        return frame
    text = ":".join(map(str, position))
    return f"{text} [{frame}]" if frame is not None else text


def at(op: Operation) -> str:
    """` at FILE:LINE:COL`."""
    place = place_text(op.location)
    return f" at {place}" if place is not None else ""


def checked_channels(program: ProgramOp) -> dict[int, Channel]:
    """The channels; raises a `ProgramError` at the first that lacks an end or whose ends differ."""
    channels = channels_of(program)
    for channel in channels.values():
        _check_ends(channel, program)
    return channels


def _check_ends(channel: Channel, program: ProgramOp) -> None:
    """One send and one receive, on the devices that they name, of one type."""
    for ends in (channel.sends, channel.receives):
        if len(ends) > 1:
            name = ends[0].op.name
            raise ProgramError(
                f"channel {channel.number}: expected one {name}, got this one and {ends[0]}",
                ends[1].op,
            )
    if not channel.sends and not channel.receives:
        assert channel.declared is not None
        op = channel.declared
        raise ProgramError(
            f"channel {channel.number}: expected a dfg.send on"
            f" {_device(program, op.source.data)} and a dfg.recv on"
            f" {_device(program, op.target.data)}, got neither",
            op,
        )
    if not channel.sends or not channel.receives:
        (end,) = (*channel.sends, *channel.receives)
        other = "dfg.recv" if channel.sends else "dfg.send"
        raise ProgramError(
            f"channel {channel.number}: expected a {other} on {_device(program, end.peer)} for this"
            f' {end.op.name} on "{end.device}", got none',
            end.op,
        )
    send, recv = channel.send, channel.recv
    if (send.device, send.peer) != (recv.peer, recv.device):
        raise ProgramError(
            f"channel {channel.number}: expected both ends from one device to another, got this one"
            f' from "{send.device}" to "{send.peer}", and {recv} from "{recv.peer}"',
            send.op,
        )
    if send.device == send.peer:
        raise ProgramError(
            f'channel {channel.number}: expected two devices, got "{send.device}" at both ends:'
            f" here and {recv}",
            send.op,
        )
    types = {send.type, recv.type}
    if channel.declared is not None:
        types.add(channel.declared.value_type)
    if len(types) > 1:
        declared = channel.declared
        as_declared = f", {declared.value_type} declared{at(declared)}" if declared else ""
        raise ProgramError(
            f"channel {channel.number}: expected one type at both ends, got {send.type} here and"
            f" {recv.type} for {recv}{as_declared}",
            send.op,
        )
    if (send.op.ship_dead is None) != (recv.op.ship_dead is None):
        raise ProgramError(
            f"channel {channel.number}: expected ship_dead at both ends or at none, got it at one:"
            f" here and {recv}",
            send.op,
        )


def _device(program: ProgramOp, device: str) -> str:
    """A device, and where its code is."""
    for code in codes_of(program):
        if code.device.data == device:
            return f'"{device}" ({code.name}{at(code)})'
    kind = PartitionOp.name if program.partitions else "dfg.graph"
    return f'"{device}" (which has no {kind})'
