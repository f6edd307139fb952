"""Sends and receives in fused loops: what may be fused of a program over several devices, and how.

A fused loop runs one trip after the other and waits at a receive, so it must neither wait for what
only a later statement of its own would bring about, nor give up an overlap of trips that pays:

* It keeps its sends and receives in the order of the text. If all devices' orders are parts of one
  order of all channels, the first message that is not there yet can always be made. Programs that
  `partition-devices` makes are such; a graph written by hand need not be, and then a loop is fused
  only on devices whose messages never come back to them.
* Where messages come back (a ring of devices), trips that overlap hide the time of kernels that run
  elsewhere; so with such kernels (`costs`) a loop in a ring is left to the token machine. Kernels
  that run in the event loop's own thread have nothing to overlap with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..graph import Graph, NodeKind

TRANSFERS = (NodeKind.SEND, NodeKind.RECV)


@dataclass
class Transfers:
    """What code generation knows of the channels of one graph; frames by their index."""

    sends: dict[int, int] = field(default_factory=dict[int, int])
    """SEND node -> channel."""
    receives: dict[int, int] = field(default_factory=dict[int, int])
    """RECV node -> channel."""
    receivers: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    """Frame -> the devices that are sent something from in it, or from a frame inside it."""
    receiving: set[int] = field(default_factory=set[int])
    """Frames in which something is received, or in a frame inside them."""
    windows: dict[int, int] = field(default_factory=dict[int, int])
    jobs: frozenset[int] = frozenset()
    """Nodes whose kernel is worth a pool."""

    def meets(self, node: int) -> bool:
        """Whether a node's line in generated code meets anything outside it."""
        return node in self.sends or node in self.receives or node in self.jobs


def transfers_of(graph: Graph, jobs: Iterable[int], window: int | None) -> Transfers:
    """The channels of a graph; `window` overrides that of every loop."""
    found = Transfers(jobs=frozenset(jobs))
    for node in graph.nodes:
        if node.kind not in TRANSFERS:
            continue
        sending = node.kind == NodeKind.SEND
        (found.sends if sending else found.receives)[node.id] = node.channel
        frame = node.frame
        while frame > 0:
            if not sending:
                found.receiving.add(frame)
            elif node.label not in found.receivers.setdefault(frame, []):
                found.receivers[frame].append(node.label)
            frame = graph.frames[frame].parent
    for info in graph.frames:
        found.windows[info.index] = window or info.parallel_iterations
    return found


class ProgramChannels:
    """Which loops of a program may be fused although devices meet in them."""

    def __init__(self, graphs: Sequence[Graph], jobs: Mapping[str, Iterable[int]]):
        self._edges: dict[str, dict[str, set[str]]] = {}
        self._orders: dict[str, dict[str, list[int]]] = {}
        self._waits_pay: set[str] = set()
        for graph in graphs:
            for node in graph.nodes:
                if node.kind in TRANSFERS:
                    for name in _frames_around(graph, node.frame):
                        orders = self._orders.setdefault(name, {})
                        orders.setdefault(graph.device, []).append(node.channel)
                        if node.kind == NodeKind.SEND:
                            edges = self._edges.setdefault(name, {})
                            edges.setdefault(graph.device, set()).add(node.label)
            for id in jobs.get(graph.device, ()):
                self._waits_pay.update(_frames_around(graph, graph.nodes[id].frame))

    def may_fuse(self, frame: str, device: str) -> bool:
        """Whether the loop `frame` is to be fused on `device`."""
        if frame not in self._orders:
            return True
        if device not in _reachable(self._edges.get(frame, {}), device):
            return True
        return frame not in self._waits_pay and _one_order(self._orders[frame].values())


def _frames_around(graph: Graph, frame: int) -> list[str]:
    names: list[str] = []
    while frame > 0:
        names.append(graph.frames[frame].name)
        frame = graph.frames[frame].parent
    return names


def _reachable(edges: Mapping[str, set[str]], start: str) -> set[str]:
    """The devices that messages from `start` can lead to."""
    found: set[str] = set()
    pending = list(edges.get(start, ()))
    while pending:
        device = pending.pop()
        if device not in found:
            found.add(device)
            pending.extend(edges.get(device, ()))
    return found


def _one_order(orders: Iterable[Sequence[int]]) -> bool:
    """Whether all the orders are parts of one."""
    following: dict[int, set[int]] = {}
    waiting: dict[int, int] = {}
    for order in orders:
        for channel in order:
            waiting.setdefault(channel, 0)
        for first, second in zip(order, order[1:]):
            if second not in following.setdefault(first, set()):
                following[first].add(second)
                waiting[second] += 1
    ready = [channel for channel, count in waiting.items() if not count]
    placed = 0
    while ready:
        channel = ready.pop()
        placed += 1
        for later in following.get(channel, ()):
            waiting[later] -= 1
            if not waiting[later]:
                ready.append(later)
    return placed == len(waiting)
