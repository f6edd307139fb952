"""Where an op of a graph is: in which frame, and behind which sides of which switches.

A graph has no branches any more, but a value that a branch made has come through a switch on the
branch's predicate, and so has all that is made of it. What a merge gives is behind the switches
that all its inputs are behind.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from ...dialects.dfg import (
    EnterOp,
    ExitOp,
    GraphOp,
    LoopCondOp,
    MergeOp,
    NextIterationOp,
    ProgramOp,
    SwitchOp,
)
from ...dialects.dfg.frames import Frame, describe, frame_of
from ...dialects.dfg.graphs import DeviceCode
from ...dialects.diagnostics import ProgramError
from .ends import Channel, at
from .sameness import Sameness
from .waiting import Choice

Gates = frozenset["Gate"]


class Gate(NamedTuple):
    """One side (0: false, 1: true) of a switch on a predicate; `op` is the first such switch."""

    predicate: SSAValue
    side: int
    frame: Frame
    op: SwitchOp

    @property
    def is_loop(self) -> bool:
        """The switch between a loop's body and what comes after."""
        return isinstance(self.predicate.owner, LoopCondOp)


class Places:
    """Where the ops of all graphs of a program are."""

    def __init__(self, program: ProgramOp, sameness: Sameness):
        self.frames: dict[Operation, Frame] = {}
        self.gates: dict[Operation, Gates] = {}
        """Of a merge, those of its results."""
        self._sameness = sameness
        self._conditions: dict[tuple[DeviceCode, Frame], LoopCondOp] = {}
        self._order: dict[Operation, int] = {}
        for graph in program.graphs:
            frames = frame_of(graph)
            self.frames |= frames
            self._find_gates(graph)
            for op, frame in frames.items():
                self._order[op] = len(self._order)
                if isinstance(op, LoopCondOp):
                    self._conditions[graph, frame] = op

    def _find_gates(self, graph: GraphOp) -> None:
        first: dict[tuple[SSAValue, int], Gate] = {}
        for op in _in_order(graph):
            inputs = [
                self._of_value(value, first)
                for value in op.operands
                if not isinstance(value.owner, NextIterationOp)
            ]
            gates: Gates = frozenset()
            if isinstance(op, MergeOp) and not op.is_loop_merge:
                gates = inputs[0].intersection(*inputs[1:])
            else:
                gates = gates.union(*inputs)
            if isinstance(op, ExitOp):
                depth = len(self.frames[op])
                gates = frozenset(gate for gate in gates if len(gate.frame) <= depth)
            self.gates[op] = gates

    def _of_value(self, value: SSAValue, first: dict[tuple[SSAValue, int], Gate]) -> Gates:
        owner = value.owner
        if not isinstance(owner, Operation):
            return frozenset()
        gates = self.gates[owner]
        if not isinstance(owner, SwitchOp):
            return gates
        key = owner.predicate, 1 if value is owner.true_output else 0
        return gates | {first.setdefault(key, Gate(*key, self.frames[owner], owner))}

    def choices(self, op: Operation) -> tuple[Choice, ...]:
        """The branches that an op is in."""
        return tuple(
            Choice(gate.predicate, gate.side, self._changes_in(gate.predicate))
            for gate in self.gates[op]
            if not gate.is_loop
        )

    def _changes_in(self, predicate: SSAValue) -> Frame:
        """The loops in whose iterations a predicate changes."""
        value = self._sameness.origin(predicate)
        while isinstance(value.owner, EnterOp) and value.owner.constant is not None:
            value = self._sameness.origin(value.owner.data)
        return self.frames[value.owner] if isinstance(value.owner, Operation) else ()

    def check(self, channel: Channel) -> None:
        """Both ends are in the same loops and branches."""
        send, recv = channel.send, channel.recv
        ours, theirs = self.frames[send.op], self.frames[recv.op]
        start = f"channel {channel.number}: expected both ends"
        if ours != theirs:
            raise ProgramError(
                f"{start} in one loop, got this {send.op.name} in {describe(ours)}, and {recv} in"
                f" {describe(theirs)}",
                send.op,
            )
        bodies = [
            {gate.frame for gate in self.gates[end.op] if gate.is_loop and gate.side}
            for end in (send, recv)
        ]
        if bodies[0] != bodies[1]:
            frame = min(bodies[0] ^ bodies[1])
            where = ["behind" if frame in body else "before" for body in bodies]
            raise ProgramError(
                f"{start} on one side of the condition of {describe(frame)}, got this"
                f" {send.op.name} {where[0]} it, and {recv} {where[1]} it",
                send.op,
            )
        for a in self.gates[send.op]:
            for b in self.gates[recv.op]:
                if a.side != b.side and not a.is_loop and not b.is_loop and self._same(a, b):
                    sides = ["true" if gate.side else "false" for gate in (a, b)]
                    raise ProgramError(
                        f"{start} in the same branch, got this {send.op.name} on the {sides[0]}"
                        f" side of the dfg.switch{at(a.op)}, and {recv} on the {sides[1]} side of"
                        f" the dfg.switch{at(b.op)}",
                        send.op,
                    )
        self._check_conditions(channel)
        if send.op.ship_dead is None:
            self._check_branches(channel)

    def _check_conditions(self, channel: Channel) -> None:
        """The loops around both ends go on equally often."""
        send, recv = channel.send, channel.recv
        frame = self.frames[send.op]
        for depth in range(1, len(frame) + 1):
            ours, theirs = (self._conditions.get((end.code, frame[:depth])) for end in (send, recv))
            if ours is None or theirs is None:
                continue
            if not self._sameness.of_values(ours.results[0], theirs.results[0]):
                raise ProgramError(
                    f"channel {channel.number}: expected both ends in loops that go on under one"
                    f" condition, got this {send.op.name} in {describe(frame[:depth])} with the"
                    f" dfg.loop_cond{at(ours)}, and {recv} in one with that{at(theirs)}, which"
                    " cannot be shown to be the same",
                    send.op,
                )

    def _check_branches(self, channel: Channel) -> None:
        """No end is on a side of a switch on a predicate while the other one is on neither."""
        send, recv = channel.send, channel.recv
        for end, other in ((send, recv), (recv, send)):
            for gate in sorted(self.gates[end.op], key=lambda gate: self._order[gate.op]):
                if not gate.is_loop and not any(
                    gate.side == theirs.side and self._same(gate, theirs)
                    for theirs in self.gates[other.op]
                    if not theirs.is_loop
                ):
                    side = f"on the {'true' if gate.side else 'false'} side of the dfg.switch"
                    places = [f"{side}{at(gate.op)}", "on no side of one that is shown to be alike"]
                    if end is recv:
                        places.reverse()
                    raise ProgramError(
                        f"channel {channel.number}: expected both ends in the same branches, got"
                        f" this {send.op.name} {places[0]}, and {recv} {places[1]}",
                        send.op,
                    )

    def _same(self, a: Gate, b: Gate) -> bool:
        return self._sameness.of_values(a.predicate, b.predicate)


def _in_order(graph: GraphOp) -> list[Operation]:
    """The ops, each behind what it uses; what comes from the iteration before does not count."""
    missing: dict[Operation, int] = {}
    order: list[Operation] = []
    for op in graph.body.block.ops:
        missing[op] = sum(
            isinstance(value.owner, Operation) and not isinstance(value.owner, NextIterationOp)
            for value in op.operands
        )
        if not missing[op]:
            order.append(op)
    for op in order:
        if isinstance(op, NextIterationOp):
            continue
        for result in op.results:
            for use in result.uses:
                missing[use.operation] -= 1
                if not missing[use.operation]:
                    order.append(use.operation)
    return order
