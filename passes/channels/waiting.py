"""Who waits for whom: a graph over events of all devices, and its circles within one trip.

Time only moves forward through the trips of a loop, so a circle that some trip closes is one of a
single trip: the edge from a loop's last event back to its first is left out for the loop whose trip
is looked at, and kept for the loops inside it, all of whose trips take place within it. Events in
branches that exclude each other do not meet in a circle.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

Frame = tuple[str, ...]
"""Names of loops, outermost first."""


Chooser = Operation | SSAValue
"""A structured op that takes one of its branches, or the predicate of switches."""


class Choice(NamedTuple):
    """A branch that an event is in: by which op or predicate, which branch, and the loops in whose
    trips that changes."""

    by: Chooser
    region: int
    loops: Frame


@dataclass(eq=False)
class Event:
    """Something that a device does. `op` is None for a point between others."""

    op: Operation | None
    device: str
    loops: Frame
    choices: tuple[Choice, ...] = ()
    next: list[tuple[Event, Frame | None]] = field(
        default_factory=list["tuple[Event, Frame | None]"]
    )
    """What waits for it; with the loop's frame where that is in the next trip of a loop."""

    def before(self, other: Event, next_trip_of: Frame | None = None) -> None:
        """`other` waits for this."""
        self.next.append((other, next_trip_of))


SameBranch = Callable[[Chooser, Chooser], bool]
"""Whether two always choose the same branch."""


def find_circle(events: Sequence[Event], same_branch: SameBranch) -> list[Event] | None:
    """Events each of which waits for the one before it, and the first for the last."""
    frames = {event.loops[:depth] for event in events for depth in range(len(event.loops) + 1)}
    for frame in sorted(frames, key=lambda frame: (len(frame), frame)):
        depth = len(frame)
        inside = {event: None for event in events if event.loops[:depth] == frame}
        circle = _circle_in(inside, frame, same_branch)
        if circle is not None:
            return circle
    return None


def _circle_in(
    events: dict[Event, None], frame: Frame, same_branch: SameBranch
) -> list[Event] | None:
    """A circle within one trip of the loop `frame` that is not one of a loop inside it alone."""
    depth = len(frame)
    for component in _components(events, frame):
        if len({event.loops[: depth + 1] for event in component}) == 1:
            # Either a single event, or all in one loop further in.
            if len(component[0].loops) > depth or len(component) == 1:
                continue
        chosen = set(component)
        members = {event: None for event in events if event in chosen}
        exclusive = _exclusive(members, depth, same_branch)
        if exclusive is None:
            return _shortest(members, frame)
        for region in sorted({region for regions in exclusive.values() for region in regions}):
            kept = {event: None for event in members if exclusive.get(event, {region}) == {region}}
            circle = _circle_in(kept, frame, same_branch)
            if circle is not None:
                return circle
    return None


def _exclusive(
    events: Collection[Event], depth: int, same_branch: SameBranch
) -> dict[Event, set[int]] | None:
    """The branches of one choice that events are in, if they are in several of them.

    An event in two of them never happens.
    """
    found: list[tuple[Chooser, dict[Event, set[int]]]] = []
    for event in events:
        for choice in event.choices:
            # What changes in a loop further in is chosen anew by each of its trips.
            if len(choice.loops) <= depth:
                regions = _regions_of(choice.by, found, same_branch)
                regions.setdefault(event, set()).add(choice.region)
    for _, regions in found:
        if len({region for taken in regions.values() for region in taken}) > 1:
            return regions
    return None


def _regions_of(
    chooser: Chooser,
    found: list[tuple[Chooser, dict[Event, set[int]]]],
    same_branch: SameBranch,
) -> dict[Event, set[int]]:
    """What was found of the choice that `chooser` makes, perhaps with others."""
    for known, regions in found:
        if known is chooser or same_branch(known, chooser):
            return regions
    found.append((chooser, {}))
    return found[-1][1]


def _followers(event: Event, events: Collection[Event], frame: Frame) -> Iterator[Event]:
    for following, back in event.next:
        if back != frame and following in events:
            yield following


def _components(events: Collection[Event], frame: Frame) -> list[list[Event]]:
    """The strongly connected components (Tarjan), without recursion."""
    number: dict[Event, int] = {}
    low: dict[Event, int] = {}
    open_events: dict[Event, None] = {}
    components: list[list[Event]] = []
    for root in events:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        open_events[root] = None
        stack = [(root, _followers(root, events, frame))]
        while stack:
            event, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                stack.pop()
                if stack:
                    parent = stack[-1][0]
                    low[parent] = min(low[parent], low[event])
                if low[event] == number[event]:
                    component: list[Event] = []
                    while not component or component[-1] is not event:
                        component.append(open_events.popitem()[0])
                    components.append(component)
            elif following not in number:
                number[following] = low[following] = len(number)
                open_events[following] = None
                stack.append((following, _followers(following, events, frame)))
            elif following in open_events:
                low[event] = min(low[event], number[following])
    return components


def _shortest(events: Collection[Event], frame: Frame) -> list[Event]:
    """A short circle through an event of the trip itself, or else through two loops inside."""
    depth = len(frame)
    direct = [event for event in events if len(event.loops) == depth]
    if direct:
        circles = [_path(event, [event], events, frame) for event in direct[:50]]
        return min(circles, key=len)
    first = next(iter(events))
    others = [event for event in events if event.loops[depth] != first.loops[depth]]
    there = _path(first, others, events, frame)
    return there + _path(there[-1], [first], events, frame)


def _path(
    start: Event, goals: Iterable[Event], events: Collection[Event], frame: Frame
) -> list[Event]:
    """A shortest way of one or more steps to a goal; without the start, with the goal."""
    wanted = set(goals)
    came_from: dict[Event, Event] = {}
    layer = [start]
    while layer:
        following: list[Event] = []
        for event in layer:
            for other in _followers(event, events, frame):
                if other not in came_from:
                    came_from[other] = event
                    if other in wanted:
                        way = [other]
                        while came_from[way[-1]] is not start:
                            way.append(came_from[way[-1]])
                        return way[::-1]
                    following.append(other)
        layer = following
    raise AssertionError("expected a way within a strongly connected component")
