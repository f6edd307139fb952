"""Python source of a fused loop: a generator function whose statements call the nodes' kernels.

Scalar integers and booleans are kept as Python numbers (`scalars`) where all that computes them
allows; `n…` names hold those, `v…` names NumPy values, and a value has both where both are read. A
loop yields now and then, so that a deadline can end it and other work goes on. Each line knows its
node, so an error names the op and the iteration as node-by-node execution does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from sys import getrefcount
from typing import Any

import numpy as np

from .emit_transfers import NAMES, TransferLines
from .facts import Facts
from .liveness import Liveness
from .plain_values import plain_values
from .rows import Row, rows_in
from .scalars import ScalarOp
from .tree import Call, Choose, ChooseTree, If, Loop, Ref, Statement, calls_in, choose_predicates

QUANTUM = 1
"""Trips of a loop before its first yield; the engine adapts the number to the time they take."""


def _sole_reference() -> int:
    value = object()
    return getrefcount(value)


SOLE_REFERENCE = _sole_reference()
"""What `getrefcount` says of a value that only one local variable holds."""


class TripBoundExceeded(Exception):
    """A loop went on after its promised number of trips, `bound`."""

    def __init__(self, bound: int):
        super().__init__(bound)
        self.bound = bound


@dataclass
class Source:
    """Generated source: its text and the node of each line (1-based)."""

    text: str
    nodes: dict[int, int]
    kernels: dict[str, int]
    """Name in the source -> node whose kernel it calls."""
    reusing: dict[str, int]
    """The same for the form of a kernel that reuses its first operand."""
    names: dict[str, Any]
    """Other names the source uses: NumPy scalar types and constants."""
    tagged: bool = False
    """Whether the function takes the tag of the iteration it is called in."""
    linked: bool = False
    """Whether it takes a link to other devices, before the tag."""
    rows: dict[str, int] = field(default_factory=dict[str, int])
    """Name in the source -> node that writes a row whose place it gives."""


@dataclass
class _Uses:
    boxed: set[Ref] = field(default_factory=set[Ref])
    plain: set[Ref] = field(default_factory=set[Ref])


def emit_loop(loop: Loop, inputs: Sequence[Ref], facts: Facts) -> Source:
    """The generator function `run(position, *inputs)` that runs `loop` and returns the tuple of its
    exits; it yields `position` when a quantum is over, and what it waits for (`runtime/waits.py`).

    Before the inputs come a link and a tag, where the source needs them.
    """
    return _Emitter(loop, inputs, facts).source()


def boxed_name(ref: Ref) -> str:
    """The name of a value in its NumPy form."""
    return f"v{ref[0]}" if ref[1] == 0 else f"v{ref[0]}_{ref[1]}"


def plain_name(ref: Ref) -> str:
    """The name of a scalar in its Python form."""
    return f"n{ref[0]}" if ref[1] == 0 else f"n{ref[0]}_{ref[1]}"


class _Emitter:
    def __init__(self, loop: Loop, inputs: Sequence[Ref], facts: Facts):
        self.loop = loop
        self.inputs = inputs
        self.facts = facts
        self.lines: list[str] = []
        self.nodes: dict[int, int] = {}
        self.kernels: dict[str, int] = {}
        self.reusing: dict[str, int] = {}
        self.rows: dict[int, Row] = {}
        self.row_names: dict[str, int] = {}
        self.trips: list[str] = []
        self.frames: list[int] = []
        self.names: dict[str, Any] = {
            "TripBoundExceeded": TripBoundExceeded,
            "references": getrefcount,
            "SOLE": SOLE_REFERENCE,
        }
        self.liveness = Liveness(loop, facts.heavy)
        self.plain = plain_values(loop, facts.scalar_types, facts.scalar_ops)
        self.transfers = TransferLines(facts.transfers, self._line, facts.at_root)
        self.uses = _Uses()
        self._collect_loop(loop)
        for exit, _ in loop.exits:
            self.uses.boxed.add(exit)

    def source(self) -> Source:
        arguments = [boxed_name(ref) for ref in self.inputs]
        nodes = calls_in(self.loop)
        tagged = bool(self.facts.tagged)
        linked = any(self.facts.transfers.meets(node) for node in nodes)
        extra = ["position", *(["link"] if linked else []), *(["tag"] if tagged else [])]
        self._line(0, f"def run({', '.join([*extra, *arguments])}):")
        self._line(1, f"quantum = {QUANTUM}")
        if linked:
            self.names.update(NAMES)
            self.transfers.start(1, nodes)
        for ref in self.inputs:
            if ref in self.uses.plain:
                self._unbox(1, ref)
        self._loop(1, self.loop)
        exits = "".join(f"{boxed_name(exit)}, " for exit, _ in self.loop.exits)
        self._line(1, f"return ({exits})")
        text = "\n".join(self.lines) + "\n"
        rest = (self.names, tagged, linked, self.row_names)
        return Source(text, self.nodes, self.kernels, self.reusing, *rest)

    # Which form of each value is read.

    def _read(self, ref: Ref, plain: bool) -> None:
        (self.uses.plain if plain else self.uses.boxed).add(ref)

    def _read_either(self, ref: Ref) -> None:
        self._read(ref, ref in self.plain)

    def _collect(self, block: Sequence[Statement]) -> None:
        for statement in block:
            match statement:
                case Call():
                    plain = statement.node in self.facts.scalar_ops
                    for ref in statement.arguments:
                        self._read(ref, plain)
                case Choose():
                    plain = statement.results[0] in self.plain
                    for ref in statement.inputs:
                        self._read(ref, plain)
                    for predicate in choose_predicates(statement.tree):
                        self._read_either(predicate)
                case If():
                    self._read_either(statement.predicate)
                    self._collect(statement.then)
                    self._collect(statement.orelse)
                case Loop():
                    self._collect_loop(statement)

    def _collect_loop(self, loop: Loop) -> None:
        for carry in loop.carries:
            plain = carry.value in self.plain
            self._read(carry.init, plain)
            self._read(carry.back, plain)
        self._collect(loop.condition)
        self._read_either(loop.predicate)
        self._collect(loop.body)
        for _, value in loop.exits:
            self._read_either(value)

    # Statements.

    def _line(self, depth: int, text: str, node: int | None = None) -> None:
        self.lines.append("    " * depth + text)
        if node is not None:
            self.nodes[len(self.lines)] = node

    def _block(self, depth: int, block: list[Statement], body_of: Loop | None = None) -> None:
        releases = self.liveness.after(block, body_of)
        if body_of is not None:
            self.rows.update(rows_in(block, body_of, self.facts.rows))
        for position, statement in enumerate(block):
            match statement:
                case Call():
                    self._call(depth, statement, releases.get(position, ()))
                case Choose():
                    self._choose(depth, statement)
                case If():
                    self._if(depth, statement)
                case Loop():
                    self._loop(depth, statement)
            names = [f"{boxed_name(ref)} = " for ref in releases.get(position, ())]
            if names:
                self._line(depth, "".join(names) + "None")

    def _call(self, depth: int, call: Call, released: Sequence[Ref]) -> None:
        scalar = self.facts.scalar_ops.get(call.node)
        if scalar is not None:
            self._scalar(depth, call, scalar)
            return
        if call.node in self.facts.transfers.sends:
            self.transfers.send(depth, call.node, boxed_name(call.arguments[0]), self.trips)
            return
        if call.node in self.facts.transfers.receives:
            name = boxed_name(call.results[0])
            self.transfers.receive(depth, call.node, name, self.frames[-1], self.trips)
            self._other_form(depth, call.results[0])
            return
        kernel = f"k{call.node}"
        self.kernels[kernel] = call.node
        operands = f"({', '.join(boxed_name(ref) for ref in call.arguments)})"
        if call.node in self.facts.tagged:
            operands = f"((*tag, {', '.join(self.trips)}), {operands[1:]}"
        arguments = operands if len(call.arguments) != 1 else f"{operands[:-1]},)"
        application = self.transfers.call(call.node, kernel, arguments, kernel + operands)
        row = self.rows.get(call.node)
        if row is None and application == kernel + operands:
            application = self._reusing(call, released, operands)
        if row is not None and application == kernel + operands:
            self._place(depth, row)
            application = f"{kernel}{operands[:-1]}, out=row{row.update})"
        elif call.node in self.row_names.values():
            place = f"row{call.node}"
            application = (
                f"{boxed_name(call.arguments[0])} if {place} is not None else {application}"
            )
        if len(call.results) == 1:
            application = f"{boxed_name(call.results[0])} = {application}"
        elif call.results:
            targets = "".join(f"{boxed_name(ref)}, " for ref in call.results)
            application = f"{targets.rstrip()} = {application}"
        self._line(depth, application, call.node)
        for ref in call.results:
            self._other_form(depth, ref)
        if call.node in self.row_names.values():
            self._line(depth, f"row{call.node} = None")  # the next trip must hold the buffer alone

    def _reusing(self, call: Call, released: Sequence[Ref], operands: str) -> str:
        """A call of a kernel, that writes into an operand which nobody reads again if it can."""
        kernel = f"k{call.node}"
        reuse = self.facts.reuses.get(call.node)
        if reuse is None:
            return kernel + operands
        names = {boxed_name(ref) for ref in released}
        if not reuse.has_form:
            return reuse.text(kernel, kernel, operands, names)
        self.reusing[f"{kernel}_in"] = call.node
        return reuse.text(kernel, f"{kernel}_in", operands, names)

    def _place(self, depth: int, row: Row) -> None:
        """Where a row goes that its kernel can write into a buffer, if the buffer is ours alone."""
        place, buffer = f"row{row.update}", boxed_name(row.buffer)
        self.row_names[f"place{row.update}"] = row.update
        self._line(
            depth,
            f"{place} = place{row.update}({buffer}, {boxed_name(row.index)})"
            f" if references({buffer}) == SOLE and {buffer}.base is None"
            f" and {buffer}.flags.writeable else None",
        )

    def _scalar(self, depth: int, call: Call, scalar: ScalarOp) -> None:
        name = plain_name(call.results[0])
        expression = scalar.expression.format(*(plain_name(ref) for ref in call.arguments))
        self._line(depth, f"{name} = {expression}", call.node)
        if scalar.may_overflow:
            low, high = scalar.result.bounds
            wrapped = f"({name} - {low} & {high - low}) + {low}" if low else f"{name} & {high}"
            self._line(depth, f"if not {low} <= {name} <= {high}: {name} = {wrapped}", call.node)
        self._other_form(depth, call.results[0])

    def _choose(self, depth: int, choose: Choose) -> None:
        value = choose.results[0]
        name = self._name_in(value)
        text = self._tree(choose.tree, [name(ref) for ref in choose.inputs])
        self._line(depth, f"{name(value)} = {text}", choose.node)
        self._other_form(depth, value)
        for index in choose.results[1:]:
            if index in self.uses.boxed or index in self.uses.plain:
                numbers = [self._index(number) for number in range(len(choose.inputs))]
                text = self._tree(choose.tree, numbers)
                self._line(depth, f"{boxed_name(index)} = {text}", choose.node)
                self._other_form(depth, index)

    def _index(self, number: int) -> str:
        self.names[f"INDEX_{number}"] = np.int32(number)
        return f"INDEX_{number}"

    def _tree(self, tree: ChooseTree | int, leaves: Sequence[str]) -> str:
        if isinstance(tree, int):
            return leaves[tree]
        then, orelse = self._tree(tree.then, leaves), self._tree(tree.orelse, leaves)
        return f"({then} if {self._either(tree.predicate)} else {orelse})"

    def _if(self, depth: int, branch: If) -> None:
        test = self._either(branch.predicate)
        if branch.then:
            self._line(depth, f"if {test}:")
            self._block(depth + 1, branch.then)
            if branch.orelse:
                self._line(depth, "else:")
                self._block(depth + 1, branch.orelse)
        else:
            self._line(depth, f"if not {test}:")
            self._block(depth + 1, branch.orelse)

    def _loop(self, depth: int, loop: Loop) -> None:
        trip, base = f"i{loop.frame}", f"base{loop.frame}"
        around = list(self.trips)
        self.transfers.open_loop(depth, loop, around)
        self.trips.append(trip)
        self.frames.append(loop.frame)
        for carry in loop.carries:
            name = self._name_in(carry.value)
            self._line(depth, f"{name(carry.value)} = {name(carry.init)}")
        self._line(depth, f"{base} = 0")
        self._line(depth, "while True:")
        self._line(depth + 1, f"for {trip} in range({base}, {base} + quantum):")
        self.transfers.begin_trip(depth + 2, loop, trip, around)
        self._trip(depth + 2, loop, trip)
        self.transfers.end_trip(depth + 2, loop, trip)
        self._line(depth + 1, "else:")
        # Not by the quantum: an inner loop that yielded has changed it since.
        self._line(depth + 2, f"{base} = {trip} + 1")
        self._line(depth + 2, f"at = {loop.frame}")
        self._line(depth + 2, "quantum = (yield position) or quantum")
        self._line(depth + 2, "continue")
        self._line(depth + 1, "break")
        self.trips.pop()
        self.frames.pop()
        self.transfers.close_loop(depth, loop, around)
        for exit, value in loop.exits:
            name = self._name_in(exit)
            self._line(depth, f"{name(exit)} = {name(value)}")
            self._other_form(depth, exit)

    def _trip(self, depth: int, loop: Loop, trip: str) -> None:
        for carry in loop.carries:
            self._other_form(depth, carry.value)
        self._block(depth, loop.condition)
        self._line(depth, f"if not {self._either(loop.predicate)}: break", loop.loop_cond)
        if loop.trip_bound is not None:
            check = f"if {trip} >= {loop.trip_bound}: raise TripBoundExceeded({loop.trip_bound})"
            self._line(depth, check, loop.loop_cond)
        self._block(depth, loop.body, loop)
        changed = [carry for carry in loop.carries if carry.back != carry.value]
        if changed:
            names = [self._name_in(carry.value) for carry in changed]
            targets = ", ".join(name(carry.value) for name, carry in zip(names, changed))
            values = ", ".join(name(carry.back) for name, carry in zip(names, changed))
            self._line(depth, f"{targets} = {values}")
        if self.facts.reuses:
            self._forget_backs(depth, loop)

    def _forget_backs(self, depth: int, loop: Loop) -> None:
        """A second name would keep the next trip from reusing a carry's memory."""
        made = self.liveness.made_in(loop.body)
        for ref in sorted({carry.back for carry in loop.carries} & made & self.facts.heavy):
            self._line(depth, f"{boxed_name(ref)} = None")

    # Forms of scalars.

    def _name_in(self, ref: Ref):
        """The naming function of the form in which `ref` is made."""
        return plain_name if ref in self.plain else boxed_name

    def _either(self, ref: Ref) -> str:
        return self._name_in(ref)(ref)

    def _other_form(self, depth: int, ref: Ref) -> None:
        """A value was made in one form: make the other if anything reads it."""
        if ref not in self.plain:
            if ref in self.uses.plain:
                self._unbox(depth, ref)
        elif ref in self.uses.boxed:
            dtype = self.facts.scalar_types[ref].dtype
            self.names[dtype] = getattr(np, dtype)
            self._line(depth, f"{boxed_name(ref)} = {dtype}({plain_name(ref)})")

    def _unbox(self, depth: int, ref: Ref) -> None:
        convert = "bool" if self.facts.scalar_types[ref].is_bool else "int"
        self._line(depth, f"{plain_name(ref)} = {convert}({boxed_name(ref)})")
