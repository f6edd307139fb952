"""Which device needs which value: what runs where, and what travels.

Demand starts at the function's results and at ops with effects and goes from each need to what it
needs in turn. Only what is needed is part of a device's program, so a device takes part in a loop
or branch only if something in it concerns that device; then it needs what the loop or branch goes
by as well.

A value needed where it does not live is sent: once for each destination, where it is defined. But
a replicated carry (`replication`) is kept by each device that needs it, and what such a carry or a
predicate is computed from in the same way is computed there again, for that purpose: it is *needed
for control*. An op whose result is only data for another device runs where it was placed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.dcf import ArrayType, CaseOp, CondOp, StackType, WhileOp
from ...dialects.diagnostics import ProgramError, position_of
from ...dialects.plan.devices import result_devices
from .._effects import Effects
from .._slots import terminator_of
from .homes import Carry, Homes, carry_of, index_of, regions_around, selector_of
from .replication import Replication, is_constant

Need = tuple[str, SSAValue, Operation, bool]
"""A device, a value, the op that uses it there, and whether that is for control."""


def operands_of(op: Operation) -> Iterator[SSAValue]:
    """What a plain op reads: its operands, and what its regions capture."""
    yield from op.operands
    if op.regions:
        inside: set[Operation | Block] = set(op.walk())
        inside.update(b for o in op.walk() for region in o.regions for b in region.blocks)
        for nested in op.walk():
            if nested is not op:
                yield from (value for value in nested.operands if value.owner not in inside)


@dataclass
class Demand:
    """The outcome: sets are dictionaries, so that they keep the order of discovery."""

    results: list[str] = field(default_factory=list[str])
    """The device of each result of the function."""
    runs: dict[Operation, dict[str, None]] = field(default_factory=dict[Operation, dict[str, None]])
    """The devices on which a plain op runs."""
    participants: dict[Operation, dict[str, None]] = field(
        default_factory=dict[Operation, dict[str, None]]
    )
    """The devices that take part in a structured op."""
    slots: dict[tuple[Operation, int], dict[str, None]] = field(
        default_factory=dict[tuple[Operation, int], dict[str, None]]
    )
    """The devices that hold a carry of a loop or a result of a branch."""
    sent: dict[SSAValue, dict[str, None]] = field(default_factory=dict[SSAValue, dict[str, None]])
    """The devices that a value is sent to."""
    fed: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])
    """Where an argument of the function is fed."""


def demand_of(function: FuncOp, effects: Effects) -> Demand:
    """What each device does in `function`, every op of which has a device."""
    return _Worklist(function, effects).run()


class _Worklist:
    def __init__(self, function: FuncOp, effects: Effects):
        self.function = function
        self.homes = Homes(function)
        self.replication = Replication()
        self.found = Demand()
        self.control: deque[Need] = deque()
        self.pending: deque[Need] = deque()
        self.late: deque[Need] = deque()
        """Results of loops that a device may have anyway, if it takes part in them."""
        self.met: set[tuple[str, SSAValue, bool]] = set()
        self.effects = effects

    def run(self) -> Demand:
        end = terminator_of(self.function.body)
        places = result_devices(self.function)
        for value, place in zip(end.operands, places, strict=True):
            device = place or self.homes.of(value)
            self.found.results.append(device)
            self.need(device, value, end)
        for op in self.function.walk():
            if not op.regions and self.effects.of(op):
                self.run_on(self.homes.device(op), op)
        while queue := self.control or self.pending or self.late:
            self.meet(*queue.popleft())
        return self.found

    def need(self, device: str, value: SSAValue, user: Operation, *, control: bool = False) -> None:
        if (device, value, control) not in self.met:
            self.met.add((device, value, control))
            is_late = isinstance(value.owner, WhileOp)
            queue = self.late if is_late else self.control if control else self.pending
            queue.append((device, value, user, control))

    def meet(self, device: str, value: SSAValue, user: Operation, control: bool) -> None:
        if self.is_computed_on(device, value, control):
            self.compute(device, value)
            return
        home = self.homes.of(value)
        if isinstance(value.type, StackType | ArrayType):
            raise _split_stack(value, home, device, user)
        self.found.sent.setdefault(value, {})[device] = None
        owner = value.owner
        if isinstance(owner, Operation):
            self.join_around(device, owner)
        else:
            region_of = owner.parent_op()
            if isinstance(region_of, WhileOp):
                self.join(device, region_of)
        self.need(home, value, user)

    def is_computed_on(self, device: str, value: SSAValue, control: bool) -> bool:
        owner = value.owner
        if isinstance(owner, Operation) and is_constant(owner):
            return True
        if self.homes.of(value) == device:
            return True
        if not self.replication.of(value):
            return False
        if isinstance(owner, WhileOp):
            # The last value of a counter is not worth running a loop for.
            return device in self.found.participants.get(owner, {})
        if isinstance(owner, Block):
            return True
        return control or device in self.found.runs.get(owner, {})

    def compute(self, device: str, value: SSAValue) -> None:
        carry = carry_of(value)
        owner = value.owner
        if carry is not None:
            self.keep_carry(device, carry)
        elif isinstance(owner, Block):
            self.found.fed[value] = device
        elif isinstance(owner, CondOp | CaseOp):
            number = index_of(value)
            self.found.slots.setdefault((owner, number), {})[device] = None
            self.join(device, owner)
            for region in owner.regions:
                end = terminator_of(region)
                self.need(device, end.operands[number], end)
        else:
            self.run_on(device, owner)

    def keep_carry(self, device: str, carry: Carry) -> None:
        loop, number = carry
        holders = self.found.slots.setdefault((loop, number), {})
        if device not in holders:
            holders[device] = None
            self.join(device, loop)
            self.need(device, loop.inits[number], loop)
            end = terminator_of(loop.body)
            replicated = self.replication.carries(loop)[number]
            self.need(device, end.operands[number], end, control=replicated)

    def run_on(self, device: str, op: Operation) -> None:
        runs = self.found.runs.setdefault(op, {})
        if device not in runs:
            runs[device] = None
            self.join_around(device, op)
            for_control = self.homes.device(op) != device
            for value in operands_of(op):
                self.need(device, value, op, control=for_control)

    def join_around(self, device: str, op: Operation) -> None:
        for outer in regions_around(op):
            self.join(device, outer)

    def join(self, device: str, op: Operation) -> None:
        """Takes part in a structured op, and so in those around it."""
        participants = self.found.participants.setdefault(op, {})
        if device not in participants:
            participants[device] = None
            self.need(device, selector_of(op), op, control=True)
            self.join_around(device, op)


def _split_stack(value: SSAValue, home: str, device: str, user: Operation) -> ProgramError:
    kind = "array" if isinstance(value.type, ArrayType) else "stack"
    owner = value.owner
    made_by = owner if isinstance(owner, Operation) else owner.parent_op()
    made = "an argument" if made_by is None else f"'{made_by.name}'"
    at = None if made_by is None else position_of(made_by.location)
    where = "" if at is None else f" ({at[0]}:{at[1]}:{at[2]})"
    return ProgramError(
        f"expected all ops of one {kind} on one device, got '{user.name}' on \"{device}\" and"
        f' {made}{where} on "{home}"',
        user,
    )
