"""A graph's static tables: per frame the node numbers, state templates and delivery lists.

Within a frame, nodes are numbered from 1 and an iteration's state is the list

    [remaining, pending 1, …, pending k, slots …]

`pending n` is twice the number of inputs still to come, plus 1 once a dead one came: 0 means
ready, 1 ready and dead. `remaining` counts what must still happen before the iteration is
complete: each node without consumers in the iteration, the last input of each merge, each child
frame and (iteration 0) each enter. Every other node is implied by one of these, so firing it
costs no counting.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..dialects.diagnostics import ProgramError
from .graph import FrameInfo, Graph, Node, NodeKind, check_acyclic

REMOTE = (NodeKind.NEXT_ITERATION, NodeKind.EXIT, NodeKind.ENTER, NodeKind.CONST_ENTER)
"""Kinds whose consumers are in another iteration or frame."""


class Outlet(NamedTuple):
    """Where one output goes."""

    plain: tuple[tuple[int, int], ...]
    """(node, slot) pairs, numbered in the receiving frame."""
    merges: tuple[tuple[int, int], ...]
    """(merge node, its input's number): merges fire on their first live input."""


class Step:
    """A node with its numbers in its frame's state."""

    __slots__ = ("arity", "base", "kind", "local", "node", "outlets", "sink")

    def __init__(self, node: Node, local: int, base: int, arity: int):
        self.node = node
        self.kind = node.kind
        self.local = local
        self.base = base
        """First input slot. A merge has three: the live value, its number, whether one came."""
        self.arity = arity
        """Number of slots to read and clear when firing."""
        self.outlets: tuple[Outlet, ...] = ()
        self.sink = False
        """Whether completing the node counts towards completing its iteration."""


class FrameLayout:
    """The tables of one frame."""

    def __init__(self, info: FrameInfo):
        self.info = info
        self.steps: list[Step] = []
        """By local number; entry 0 is not used (it repeats the first)."""
        self.first: list[Any] = []
        self.later: list[Any] = []
        self.enters: list[Step] = []
        """Steps in the parent frame that enter this one."""
        self.exits: list[Step] = []
        self.ops: list[tuple[Any, ...]] = []
        """What the fast loop reads, by local number (`runtime/dispatch.py`)."""


class Layout:
    """The tables of a graph."""

    def __init__(self, graph: Graph):
        check_acyclic(graph.nodes)
        self.graph = graph
        self.frames = [FrameLayout(info) for info in graph.frames]
        self.steps: list[Step] = []
        """By node id."""
        self._number()
        self._connect(graph)
        for frame in self.frames:
            self._templates(frame)

    def _number(self) -> None:
        by_frame: list[list[Node]] = [[] for _ in self.frames]
        for node in self.graph.nodes:
            by_frame[node.frame].append(node)
        found: dict[int, Step] = {}
        for frame, nodes in zip(self.frames, by_frame):
            base = len(nodes) + 1
            for local, node in enumerate(nodes, 1):
                slots = 3 if node.kind == NodeKind.MERGE else _arity(node)
                step = Step(node, local, base, _arity(node))
                base += slots
                found[node.id] = step
                frame.steps.append(step)
                if node.kind == NodeKind.EXIT:
                    frame.exits.append(step)
                elif node.kind in (NodeKind.ENTER, NodeKind.CONST_ENTER):
                    self.frames[node.child].enters.append(step)
            if frame.steps:
                frame.steps.insert(0, frame.steps[0])
            frame.later = [0] * (len(nodes) + 1) + [None] * (base - len(nodes) - 1)
        self.steps = [found[node.id] for node in self.graph.nodes]

    def _connect(self, graph: Graph) -> None:
        for step in self.steps:
            constant = step.kind == NodeKind.CONST_ENTER
            outlets: list[Outlet] = []
            for consumers in step.node.outputs:
                plain: list[tuple[int, int]] = []
                merges: list[tuple[int, int]] = []
                for consumer, slot in consumers:
                    target = self.steps[consumer]
                    if target.kind == NodeKind.MERGE:
                        if constant:
                            raise ProgramError(
                                "expected a dfg.merge to take no constant dfg.enter",
                                target.node.location,
                            )
                        merges.append((target.local, slot))
                    elif target.kind == NodeKind.LOOP_MERGE:
                        plain.append((target.local, target.base))
                    else:
                        plain.append((target.local, target.base + slot))
                if step.kind == NodeKind.NEXT_ITERATION:
                    _expect_merges(step, [graph.nodes[consumer] for consumer, _ in consumers])
                outlets.append(Outlet(tuple(plain), tuple(merges)))
            step.outlets = tuple(outlets)
            has_consumers = any(outlet.plain or outlet.merges for outlet in outlets)
            if step.kind in (NodeKind.NEXT_ITERATION, NodeKind.EXIT):
                step.sink = True
            elif step.kind not in REMOTE:
                step.sink = not has_consumers

    def _templates(self, frame: FrameLayout) -> None:
        first, later = frame.later.copy(), frame.later
        remaining = sum(
            step.sink + (step.kind == NodeKind.MERGE) for step in frame.steps[1:]
        ) + sum(
            other.info.parent == frame.info.index and bool(other.enters)
            for other in self.frames[1:]
        )
        for step in frame.steps[1:]:
            inputs = step.node.inputs
            if step.kind == NodeKind.MERGE:
                entered = returned = 0
                for producer, _ in inputs:
                    kind = self.graph.nodes[producer].kind
                    entered += kind == NodeKind.ENTER
                    returned += kind == NodeKind.NEXT_ITERATION
                first[step.local] = 2 * (len(inputs) - returned)
                later[step.local] = 2 * (len(inputs) - (entered if returned else 0))
                first[step.base + 2] = later[step.base + 2] = False
            else:
                pending = 1 if step.kind == NodeKind.LOOP_MERGE else len(inputs)
                first[step.local] = later[step.local] = 2 * pending
        later[0] = remaining
        first[0] = remaining + len(frame.enters)
        frame.first = first


def _arity(node: Node) -> int:
    return 1 if node.kind in (NodeKind.MERGE, NodeKind.LOOP_MERGE) else len(node.inputs)


def _expect_merges(step: Step, consumers: list[Node]) -> None:
    for consumer in consumers:
        if consumer.kind not in (NodeKind.MERGE, NodeKind.LOOP_MERGE):
            raise ProgramError(
                f"expected dfg.next_iteration to feed a dfg.merge, got {consumer.name}",
                step.node.location,
            )
