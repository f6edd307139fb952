"""No device waits in a circle: for structured parts in the order of their text, for graphs by data.

A part is run in the order of its text by the structured reference, where a receive holds up all
that comes after it and a send nothing. If that ends, so does every order that follows the data. In
a graph an op waits for its operands only, and what leaves a loop for all that the loop receives: a
window of one trip, and a loop run as one function, give results at its end.
"""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.dfg import ExitOp, GraphOp, NextIterationOp, ProgramOp, RecvOp, SendOp
from ...dialects.dfg.frames import value_frame
from ...dialects.dfg.graphs import DeviceCode
from ...dialects.diagnostics import ProgramError
from .ends import Channel, at, codes_of
from .gates import Places
from .positions import LOOPS, loop_name
from .sameness import Sameness
from .waiting import Choice, Event, Frame, find_circle


def check_circles(
    program: ProgramOp,
    channels: dict[int, Channel],
    sameness: Sameness,
    places: Places | None,
) -> None:
    """Every receive gets its message, in every trip. `places` is for programs of graphs."""
    events: dict[Operation, Event] = {}
    every: list[Event] = []
    for code in codes_of(program):
        if isinstance(code, GraphOp):
            assert places is not None
            _graph_events(code, events, every, places)
        else:
            part = _Part(code, events, every, sameness)
            part.block(code.body.block, part.point(()), (), ())
    for channel in channels.values():
        events[channel.send.op].before(events[channel.recv.op])
    order = {event: number for number, event in enumerate(every)}
    circle = find_circle(every, sameness.of_choice)
    if circle is not None:
        # From the event that is first in the program.
        start = min(range(len(circle)), key=lambda k: order[circle[k]])
        raise _error(circle[start:] + circle[:start], bool(program.graphs))


def _holders(block: Block) -> set[Operation]:
    """The ops with a send or a receive somewhere inside."""
    found: set[Operation] = set()
    for op in block.walk():
        if isinstance(op, SendOp | RecvOp):
            outer = op.parent_op()
            while outer is not None and outer not in found:
                found.add(outer)
                outer = outer.parent_op()
    return found


class _Part:
    """Makes the events of a structured part: a chain that parts at branches and returns in loops."""

    def __init__(
        self,
        code: DeviceCode,
        events: dict[Operation, Event],
        every: list[Event],
        sameness: Sameness,
    ):
        self.device = code.device.data
        self.events = events
        self.every = every
        self.sameness = sameness
        self.holders = _holders(code.body.block)

    def point(
        self, loops: Frame, choices: tuple[Choice, ...] = (), op: Operation | None = None
    ) -> Event:
        event = Event(op, self.device, loops, choices)
        self.every.append(event)
        return event

    def block(self, block: Block, last: Event, loops: Frame, choices: tuple[Choice, ...]) -> Event:
        """Adds what a block does after `last`; its last event."""
        for op in block.ops:
            if isinstance(op, SendOp | RecvOp):
                event = self.events[op] = self.point(loops, choices, op)
                last.before(event)
                last = event
            elif op in self.holders:
                end = self.point(loops, choices)
                if op.name in LOOPS:
                    self.loop(op, last, end, loops, choices)
                else:
                    changing = _loops_around(self.sameness.origin(op.operands[0]))
                    for number, region in enumerate(op.regions):
                        taken = (*choices, Choice(op, number, changing))
                        self.block(region.block, last, loops, taken).before(end)
                    last.before(end)
                last = end
        return last

    def loop(
        self,
        op: Operation,
        start: Event,
        end: Event,
        loops: Frame,
        choices: tuple[Choice, ...],
    ) -> None:
        inside = (*loops, loop_name(op) or "")
        first = last = self.point(inside, choices)
        start.before(first)
        for region in op.regions:
            last = self.block(region.block, last, inside, choices)
            last.before(end)
        last.before(first, inside)


def _loops_around(value: SSAValue) -> Frame:
    """The loops that a value is defined in, outermost first."""
    names: list[str] = []
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    op = None if block is None else block.parent_op()
    while op is not None:
        if op.name in LOOPS:
            names.append(loop_name(op) or "")
        op = op.parent_op()
    return tuple(reversed(names))


def _graph_events(
    graph: GraphOp, events: dict[Operation, Event], every: list[Event], places: Places
) -> None:
    frames = places.frames
    for op in graph.body.block.ops:
        events[op] = Event(op, graph.device.data, frames[op], places.choices(op))
        every.append(events[op])
    for op in graph.body.block.ops:
        for operand in op.operands:
            owner = operand.owner
            if isinstance(owner, Operation):
                back = frames[owner] if isinstance(owner, NextIterationOp) else None
                events[owner].before(events[op], back)
    ends: dict[Frame, Event] = {}

    def end_of(frame: Frame) -> Event:
        """When all that the trips of a loop receive is there; so it is for the loops around."""
        known = ends.get(frame)
        if known is None:
            known = ends[frame] = Event(None, graph.device.data, frame)
            if len(frame) > 1:
                known.before(end_of(frame[:-1]))
        return known

    for op in graph.body.block.ops:
        if isinstance(op, RecvOp) and frames[op]:
            events[op].before(end_of(frames[op]))
    for op in graph.body.block.ops:
        if isinstance(op, ExitOp):
            frame = value_frame(op.operands[0], frames)
            if frame in ends:
                ends[frame].before(events[op])
    every.extend(ends.values())


def _error(circle: list[Event], graphs: bool) -> ProgramError:
    """The circle as one step for each device: what it waits for, and who waits for it in turn."""
    ends = [event for event in circle if isinstance(event.op, SendOp | RecvOp)]
    # Start at a receive, where a device is entered.
    count = len(ends)
    first = next(k for k in range(0, -count, -1) if ends[k].device != ends[(k - 1) % count].device)
    ends = ends[first:] + ends[:first]
    steps: list[list[Event]] = []
    for event in ends:
        if not steps or steps[-1][-1].device != event.device:
            steps.append([])
        steps[-1].append(event)
    texts: list[str] = []
    hint = ""
    for step in steps:
        recv, send = step[0].op, step[-1].op
        assert isinstance(recv, RecvOp) and isinstance(send, SendOp)
        receives = f"channel {recv.channel.value.data}{_source(recv)}{at(recv)}"
        sends = f"channel {send.channel.value.data}{at(send)}"
        if graphs:
            texts.append(f'"{step[0].device}" needs {receives} for what it sends on {sends}')
        else:
            texts.append(f'"{step[0].device}" receives {receives} before it sends {sends}')
            if not hint and _may_go_first(send, recv):
                hint = (
                    f'; "{step[0].device}" may send channel {send.channel.value.data} first, which'
                    f" does not use channel {recv.channel.value.data}"
                )
    where = steps[0][0].op
    assert where is not None
    return ProgramError(
        f"expected no circle of devices that wait for each other, got {'; '.join(texts)}{hint}",
        where,
    )


def _may_go_first(send: SendOp, recv: RecvOp) -> bool:
    """Whether the send, of the same block, does not depend on what is received before it."""
    if send.parent is not recv.parent:
        return False
    pending: list[SSAValue] = [send.value]
    seen: set[Operation] = set()
    while pending:
        op = pending.pop().owner
        if op is recv:
            return False
        if isinstance(op, Operation) and op.parent is send.parent and op not in seen:
            seen.add(op)
            pending.extend(value for inner in op.walk() for value in inner.operands)
    return True


def _source(recv: RecvOp) -> str:
    source: StringAttr = recv.source
    return f' from "{source.data}"'
