"""Where a value is live in a dataflow graph, and how it gets to where it is used.

A scope is a region of the structured program: the function (root), a loop's condition, or a region
guarded by one side of a predicate (a loop's body, a branch). Values of an enclosing scope are
reached by `raw` (same frame, or a constant enter per frame crossed) or `gated` (also a switch on
the scope's predicate, so that the token is dead wherever the scope does not run). One switch is
enough, since a scope's predicate is itself gated in the scope around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Operation, SSAValue

from ..dialects import dcf
from ..dialects.dfg import EnterOp, LoopCondOp, SwitchOp, TokenOp

OpList = list["Operation | OpList"]
"""Ops in textual order; a nested list is a part that may still grow at its end."""


@dataclass(eq=False)
class Scope:
    """A region of the structured program inside one frame of the graph."""

    builder: GraphBuilder
    parent: Scope | None = None
    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Structured values defined in this scope, and values brought here, by their graph value."""
    token: SSAValue | None = None
    """The token that orders effects in this scope, when the scope has effects."""

    def define(self, old: SSAValue, new: SSAValue) -> None:
        """Say that graph value `new` is what structured value `old` is in this scope."""
        self.values[old] = new
        if new.name_hint is None:
            new.name_hint = old.name_hint

    def raw(self, value: SSAValue, user: Operation) -> SSAValue:
        """The value as seen from this scope's frame; it may be live where the scope is not."""
        raise NotImplementedError

    def gated(self, value: SSAValue, user: Operation) -> SSAValue:
        """The value, live only where this scope runs."""
        raise NotImplementedError

    def is_gated(self, value: SSAValue) -> bool:
        """Whether `raw` of the value is live only where this scope runs."""
        raise NotImplementedError

    def gated_token(self, user: Operation) -> SSAValue:
        """A token that is live only where this scope runs."""
        if self.token is None:
            self.token = self._find_token(user)
        return self.token

    def _find_token(self, user: Operation) -> SSAValue:
        raise NotImplementedError


class RootScope(Scope):
    """The function itself: everything in it is live once."""

    def raw(self, value: SSAValue, user: Operation) -> SSAValue:
        return self.values[value]

    gated = raw

    def is_gated(self, value: SSAValue) -> bool:
        return True

    def _find_token(self, user: Operation) -> SSAValue:
        op = TokenOp()
        op.location = user.location
        op.token.name_hint = "start"
        self.builder.constants.append(op)
        return op.token


@dataclass(eq=False)
class FrameScope(Scope):
    """A loop's frame as its condition sees it: merged carries and constant enters.

    Constant enters are gated in the scope around the loop, so all that is here is live exactly in
    the iterations that run.
    """

    frame: str = ""
    prologue: OpList = field(default_factory=list["Operation | OpList"])
    """The loop's enters, and the switches that gate them, before all its other ops."""

    def raw(self, value: SSAValue, user: Operation) -> SSAValue:
        known = self.values.get(value)
        if known is None:
            assert self.parent is not None
            known = self.enter_constant(self.parent, value, user)
            self.values[value] = known
        return known

    gated = raw

    def is_gated(self, value: SSAValue) -> bool:
        return True

    def enter_constant(self, parent: Scope, value: SSAValue, user: Operation) -> SSAValue:
        with self.builder.writing_to(self.prologue):
            outer = parent.gated(value, user)
            return self._enter(outer, user, constant=True)

    def enter(self, outer: SSAValue, user: Operation) -> SSAValue:
        """A carry's initial value, already gated outside, in iteration 0."""
        with self.builder.writing_to(self.prologue):
            return self._enter(outer, user, constant=False)

    def _enter(self, outer: SSAValue, user: Operation, *, constant: bool) -> SSAValue:
        op = EnterOp(outer, self.frame, constant=constant)
        op.location = user.location
        op.output.name_hint = suffixed(outer.name_hint, "in")
        self.builder.emit(op)
        return op.output

    def _find_token(self, user: Operation) -> SSAValue:
        assert self.parent is not None
        with self.builder.writing_to(self.prologue):
            return self._enter(self.parent.gated_token(user), user, constant=True)


@dataclass(eq=False)
class GuardedScope(Scope):
    """A region that runs only when `predicate` (live only where the parent runs) is `side`."""

    predicate: SSAValue | None = None
    side: bool = True

    def raw(self, value: SSAValue, user: Operation) -> SSAValue:
        known = self.values.get(value)
        if known is not None:
            return known
        assert self.parent is not None
        return self.parent.raw(value, user)

    def gated(self, value: SSAValue, user: Operation) -> SSAValue:
        known = self.values.get(value)
        if known is None:
            known = self.switched(self.raw(value, user), user)
            self.values[value] = known
        return known

    def is_gated(self, value: SSAValue) -> bool:
        return value in self.values

    def switched(self, raw: SSAValue, user: Operation) -> SSAValue:
        """This scope's side of a switch of `raw` on its predicate; both sides share one switch."""
        assert self.predicate is not None
        op = self.builder.switch(raw, self.predicate, user.location)
        return op.true_output if self.side else op.false_output

    def _find_token(self, user: Operation) -> SSAValue:
        assert self.parent is not None
        return self.switched(self.parent.gated_token(user), user)


class GraphBuilder:
    """Collects the graph's ops in a readable order: constants first, a loop's enters before it."""

    def __init__(self, function: Operation):
        self.constants: OpList = []
        self.out: OpList = []
        self.parts: OpList = [self.constants, self.out]
        self.root = RootScope(self)
        self.switches: dict[tuple[SSAValue, SSAValue], SwitchOp] = {}
        self.constant_values: dict[object, SSAValue] = {}
        self.frame_names: set[str] = set()
        self.effectful = _ancestors_of_probes(function)

    def emit(self, op: Operation | OpList) -> None:
        """Append an op, or a part that may still grow at its end."""
        self.out.append(op)

    def has_effects(self, op: Operation) -> bool:
        """Whether a probe is nested in the op, so that a token must keep its order."""
        return op in self.effectful

    def writing_to(self, target: OpList) -> _WritingTo:
        """Emit into `target` for the extent of a `with` block."""
        return _WritingTo(self, target)

    def switch(self, data: SSAValue, predicate: SSAValue, location: LocationAttr) -> SwitchOp:
        """The switch of `data` on `predicate`, made at most once."""
        key = (data, predicate)
        op = self.switches.get(key)
        if op is None:
            op = SwitchOp(data, predicate)
            op.location = location
            governs_loop = isinstance(predicate.owner, LoopCondOp)
            no, yes = ("done", "body") if governs_loop else ("no", "yes")
            op.false_output.name_hint = suffixed(data.name_hint, no)
            op.true_output.name_hint = suffixed(data.name_hint, yes)
            self.switches[key] = op
            self.emit(op)
        return op

    def unique_frame(self, name: str) -> str:
        """`name`, with a number when another loop of the graph has it already."""
        candidate, number = name, 0
        while candidate in self.frame_names:
            number += 1
            candidate = f"{name}_{number}"
        self.frame_names.add(candidate)
        return candidate

    def finish(self) -> list[Operation]:
        """All ops in order."""
        return _flatten(self.parts)


class _WritingTo:
    def __init__(self, builder: GraphBuilder, target: OpList):
        self.builder = builder
        self.target = target
        self.previous = builder.out

    def __enter__(self) -> None:
        self.previous = self.builder.out
        self.builder.out = self.target

    def __exit__(self, *_: object) -> None:
        self.builder.out = self.previous


def _ancestors_of_probes(function: Operation) -> set[Operation]:
    ancestors: set[Operation] = set()
    for op in function.walk():
        if isinstance(op, dcf.ProbeOp):
            parent = op.parent_op()
            while parent is not None and parent not in ancestors:
                ancestors.add(parent)
                parent = parent.parent_op()
    return ancestors


def _flatten(parts: Sequence[Operation | OpList]) -> list[Operation]:
    ops: list[Operation] = []
    pending: list[Operation | OpList] = list(reversed(parts))
    while pending:
        part = pending.pop()
        if isinstance(part, Operation):
            ops.append(part)
        else:
            pending.extend(reversed(part))
    return ops


def suffixed(hint: str | None, suffix: str) -> str | None:
    """A readable name for a derived value: `x` -> `x_in`; keeps only one such suffix."""
    if hint is None:
        return None
    for old in ("_in", "_no", "_yes", "_done", "_body", "_next"):
        hint = hint.removesuffix(old)
    return f"{hint}_{suffix}"
