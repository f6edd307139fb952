"""Which loop frames can be fused, and their structured form.

A frame is fusable when it is a loop as the lowering makes it, all of it local: one loop_cond, each
merge either a loop's (enter, next_iteration) or a cond's whose inputs are live under predicates
that exclude each other, every value live under one chain of predicates, exits on the loop_cond's
false side. Anything else is left to the token machine, which runs every graph.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..graph import Graph, Node, NodeKind
from .schedule import Item, schedule
from .transfers import TRANSFERS
from .tree import (
    Call,
    Carry,
    Choose,
    ChooseTree,
    Guard,
    If,
    Loop,
    Ref,
    Statement,
    count_statements,
)


class NotFusable(Exception):
    """The frame has a form that only the token machine runs."""


@dataclass
class FrameNodes:
    """The nodes that touch one frame."""

    inside: list[int]
    enters: list[int]
    exits: list[int]
    children: list[int]


def frame_nodes(graph: Graph) -> list[FrameNodes]:
    """For each frame its nodes, those that enter and leave it, and the frames inside it."""
    frames = [FrameNodes([], [], [], []) for _ in graph.frames]
    for node in graph.nodes:
        frames[node.frame].inside.append(node.id)
        if node.kind in (NodeKind.ENTER, NodeKind.CONST_ENTER):
            frames[node.child].enters.append(node.id)
        elif node.kind == NodeKind.EXIT:
            frames[node.frame].exits.append(node.id)
    for info in graph.frames[1:]:
        frames[info.parent].children.append(info.index)
    return frames


ALIASES = frozenset(
    {
        NodeKind.SWITCH,
        NodeKind.LOOP_COND,
        NodeKind.CONST_ENTER,
        NodeKind.NEXT_ITERATION,
    }
)
"""Nodes that only pass a value on; in generated code both have one name."""

INSIDE = ALIASES | {
    NodeKind.OP,
    NodeKind.MERGE,
    NodeKind.LOOP_MERGE,
    NodeKind.ENTER,
    NodeKind.EXIT,
    NodeKind.SEND,
    NodeKind.RECV,
}
"""The kinds of node that a fused frame may hold."""


class LoopBuilder:
    """Builds the `Loop` of frame `root`, with the frames inside it."""

    def __init__(self, graph: Graph, frames: Sequence[FrameNodes], root: int):
        self.graph = graph
        self.frames = frames
        self.root = root

    def build(self, frame: int) -> Loop:
        """The frame as a tree; raises `NotFusable`."""
        info = self.graph.frames[frame]
        nodes = [self.graph.nodes[id] for id in self.frames[frame].inside]
        if any(node.kind not in INSIDE or not node.inputs or node.ship_dead for node in nodes):
            raise NotFusable
        loop_conds = [node for node in nodes if node.kind == NodeKind.LOOP_COND]
        if len(loop_conds) != 1:
            raise NotFusable
        loop_cond = loop_conds[0]
        children = {child: self.build(child) for child in self.frames[frame].children}
        guards = _Guards(self, frame, loop_cond, children)
        condition, body = _blocks(guards.items(), guards.governing)
        return Loop(
            frame=frame,
            name=info.name,
            loop_cond=loop_cond.id,
            carries=[
                self._carry(node, guards) for node in nodes if node.kind == NodeKind.LOOP_MERGE
            ],
            condition=condition,
            predicate=self.canonical(loop_cond.inputs[0]),
            body=body,
            exits=[self._exit(id, guards) for id in self.frames[frame].exits],
            trip_bound=info.trip_bound,
        )

    def canonical(self, ref: Ref) -> Ref:
        """The value that `ref` names, through nodes that only pass it on; stops at the root."""
        node = self.graph.nodes[ref[0]]
        while node.kind in ALIASES and node.child != self.root:
            ref = node.inputs[0]
            node = self.graph.nodes[ref[0]]
        return ref

    def _carry(self, merge: Node, guards: _Guards) -> Carry:
        nodes = self.graph.nodes
        (first, second) = merge.inputs
        if nodes[first[0]].kind != NodeKind.ENTER:
            first, second = second, first
        enter, back = nodes[first[0]], nodes[second[0]]
        if back.kind != NodeKind.NEXT_ITERATION or enter.kind != NodeKind.ENTER:
            raise NotFusable
        if guards.of(back.inputs[0]) != ((guards.governing, True),):
            raise NotFusable
        if merge.outputs[1]:
            raise NotFusable  # whether a trip is the first is not kept in generated code
        init = (enter.id, 0) if enter.child == self.root else self.canonical(enter.inputs[0])
        return Carry((merge.id, 0), init, self.canonical(back.inputs[0]))

    def _exit(self, id: int, guards: _Guards) -> tuple[Ref, Ref]:
        node = self.graph.nodes[id]
        if guards.of(node.inputs[0]) != ((guards.governing, False),):
            raise NotFusable
        return (id, 0), self.canonical(node.inputs[0])


def _blocks(items: list[Item], governing: Ref) -> tuple[list[Statement], list[Statement]]:
    """The blocks of the condition and the body: what runs on the governing true side."""
    if any(item.guard[:1] == ((governing, False),) for item in items):
        raise NotFusable
    block = schedule(items, last=governing)
    body: list[Statement] = []
    end = block[-1] if block else None
    if isinstance(end, If) and end.predicate == governing:
        body = end.then
        block.pop()
    if count_statements(block) + count_statements(body) != len(items):
        raise NotFusable
    return block, body


class _Guards:
    """The guard of every value of a frame, and the frame's work as items to schedule."""

    def __init__(
        self, builder: LoopBuilder, frame: int, loop_cond: Node, children: dict[int, Loop]
    ):
        self.builder = builder
        self.graph = builder.graph
        self.frame = frame
        self.governing: Ref = (loop_cond.id, 0)
        self.children = children
        self.guards: dict[Ref, Guard] = {}
        self.made_by: dict[Ref, Item] = {}
        self.result: list[Item] = []

    def of(self, ref: Ref) -> Guard:
        """The guard of a value in this frame."""
        known = self.guards.get(ref)
        if known is None:
            raise NotFusable
        return known

    def items(self) -> list[Item]:
        for entry in self.builder.frames[self.frame].enters:
            self.guards[(entry, 0)] = ()
        for unit in self._order():
            if isinstance(unit, Node):
                self._visit(unit)
            else:
                self._visit_child(unit)
        self._keep_order_of_transfers()
        return self.result

    def _keep_order_of_transfers(self) -> None:
        """Sends and receives, and loops that hold some, come in the order of the text."""
        found: list[tuple[int, Item]] = []
        for item in self.result:
            first = self._first_transfer(item.statement)
            if first is not None:
                found.append((first, item))
        found.sort(key=lambda entry: entry[0])
        for (_, before), (_, after) in pairwise(found):
            before.followers.append(after)
            after.waits_for += 1

    def _first_transfer(self, statement: Statement) -> int | None:
        """The number of the first send or receive in a statement."""
        match statement:
            case Call(node):
                return node if self.graph.nodes[node].kind in TRANSFERS else None
            case Loop():
                inside = [self._first_transfer(s) for s in (*statement.condition, *statement.body)]
            case If():
                inside = [self._first_transfer(s) for s in (*statement.then, *statement.orelse)]
            case _:
                return None
        return min((number for number in inside if number is not None), default=None)

    def _order(self) -> list[Node | int]:
        """Nodes, and whole inner frames (by index), so that each comes after what it reads."""
        nodes = self.graph.nodes
        inside = self.builder.frames[self.frame].inside
        # A unit is a node, or an inner frame: its enters stand for it (key: -1 - frame).
        unit_of: dict[int, int] = {}
        for id in inside:
            node = nodes[id]
            entering = node.kind in (NodeKind.ENTER, NodeKind.CONST_ENTER)
            unit_of[id] = -1 - node.child if entering else id
        for child in self.children:
            for exit in self.builder.frames[child].exits:
                unit_of[exit] = -1 - child
        missing: dict[int, int] = {unit: 0 for unit in unit_of.values()}
        followers: dict[int, list[int]] = {unit: [] for unit in missing}
        for id in inside:
            for producer, _ in nodes[id].inputs:
                if nodes[producer].kind == NodeKind.NEXT_ITERATION or producer not in unit_of:
                    continue
                if nodes[producer].kind != NodeKind.EXIT or nodes[producer].frame != self.frame:
                    followers[unit_of[producer]].append(unit_of[id])
                    missing[unit_of[id]] += 1
        ready = deque(unit for unit, count in missing.items() if count == 0)
        order: list[Node | int] = []
        while ready:
            unit = ready.popleft()
            order.append(nodes[unit] if unit >= 0 else -1 - unit)
            for follower in followers[unit]:
                missing[follower] -= 1
                if not missing[follower]:
                    ready.append(follower)
        if len(order) != len(missing):
            raise NotFusable
        return order

    def _visit(self, node: Node) -> None:
        match node.kind:
            case NodeKind.LOOP_MERGE:
                self.guards[(node.id, 0)] = self.guards[(node.id, 1)] = ()
            case NodeKind.SWITCH:
                guard = self._join(node.inputs)
                predicate = node.inputs[1]
                self.guards[(node.id, 0)] = (*guard, (predicate, False))
                self.guards[(node.id, 1)] = (*guard, (predicate, True))
            case NodeKind.LOOP_COND | NodeKind.NEXT_ITERATION | NodeKind.EXIT:
                guard = self._join(node.inputs)
                if node.kind == NodeKind.LOOP_COND and guard:
                    raise NotFusable
                if node.kind != NodeKind.EXIT:
                    self.guards[(node.id, 0)] = guard
            case NodeKind.MERGE:
                self._visit_merge(node)
            case _:
                guard = self._join(node.inputs)
                results: list[Ref] = [(node.id, k) for k in range(len(node.outputs))]
                arguments = [self.builder.canonical(ref) for ref in node.inputs]
                if node.kind == NodeKind.RECV:
                    arguments = []  # its token says when, which the guard does as well
                statement = Call(node.id, arguments, results)
                self._add(statement, guard, node.inputs, results)

    def _visit_merge(self, node: Node) -> None:
        guards = [self.of(ref) for ref in node.inputs]
        prefix, tree = _decide(guards, list(range(len(guards))), 0)
        canonical = self.builder.canonical
        results: list[Ref] = [(node.id, 0), (node.id, 1)]
        statement = Choose(
            node.id, _canonical_tree(tree, canonical), [canonical(r) for r in node.inputs], results
        )
        predicates = [ref for guard in guards for ref, _ in guard[len(prefix) :]]
        self._add(statement, prefix, [*node.inputs, *predicates], results)

    def _visit_child(self, frame: int) -> None:
        loop = self.children[frame]
        inputs = [self.graph.nodes[enter].inputs[0] for enter in self.builder.frames[frame].enters]
        guard = self._join(inputs)
        self._add(loop, guard, inputs, [exit for exit, _ in loop.exits])

    def _join(self, refs: Sequence[Ref]) -> Guard:
        """The longest of the guards, of which all others must be prefixes."""
        longest: Guard = ()
        for ref in refs:
            guard = self.of(ref)
            short, long = sorted((longest, guard), key=len)
            if long[: len(short)] != short:
                raise NotFusable
            longest = long
        return longest

    def _add(
        self, statement: Statement, guard: Guard, reads: Sequence[Ref], results: Sequence[Ref]
    ) -> None:
        item = Item(statement, _canonical_guard(guard, self))
        before: set[int] = set()
        for ref in (*reads, *(predicate for predicate, _ in guard)):
            maker = self.made_by.get(self.builder.canonical(ref))
            if maker is not None and id(maker) not in before:
                before.add(id(maker))
                maker.followers.append(item)
                item.waits_for += 1
        for ref in results:
            self.guards[ref] = guard
            self.made_by[ref] = item
        self.result.append(item)


def _canonical_guard(guard: Guard, guards: _Guards) -> Guard:
    """Predicates by the name they have in generated code; the loop's own stays as it is."""
    canonical = guards.builder.canonical
    return tuple((ref if ref == guards.governing else canonical(ref), side) for ref, side in guard)


def _canonical_tree(tree: ChooseTree | int, canonical: Callable[[Ref], Ref]) -> ChooseTree | int:
    if isinstance(tree, int):
        return tree
    return ChooseTree(
        canonical(tree.predicate),
        _canonical_tree(tree.then, canonical),
        _canonical_tree(tree.orelse, canonical),
    )


def _decide(
    guards: Sequence[Guard], inputs: list[int], depth: int
) -> tuple[Guard, ChooseTree | int]:
    """The guard all inputs share (from `depth` on), and the decision between them below it."""
    first = guards[inputs[0]]
    shared = depth
    while all(len(guards[k]) > shared and guards[k][shared] == first[shared] for k in inputs):
        shared += 1
    if len(inputs) == 1:
        return first, inputs[0]
    if any(len(guards[k]) <= shared for k in inputs):
        raise NotFusable
    predicate = first[shared][0]
    if any(guards[k][shared][0] != predicate for k in inputs):
        raise NotFusable
    sides: list[ChooseTree | int] = []
    for side in (True, False):
        chosen = [k for k in inputs if guards[k][shared][1] == side]
        if not chosen:
            raise NotFusable
        prefix, tree = _decide(guards, chosen, shared + 1)
        if len(prefix) != shared + 1:
            raise NotFusable  # live only on a part of its side: nothing is there on the rest
        sides.append(tree)
    return first[:shared], ChooseTree(predicate, sides[0], sides[1])
