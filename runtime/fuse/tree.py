"""The structured form of a loop frame, between the graph and generated code: data only.

A `Ref` names a value of the graph by (node, output). A block is a list of statements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Ref = tuple[int, int]
"""(node id, output number) in the graph."""

Guard = tuple[tuple[Ref, bool], ...]
"""Predicates and their sides, outermost first, under which a value is live in its frame."""


@dataclass
class Call:
    """One node's kernel: `results = kernel(*arguments)`."""

    node: int
    arguments: list[Ref]
    results: list[Ref]


@dataclass
class Choose:
    """A cond merge: the value of the branch that ran, and its number when that is used."""

    node: int
    tree: ChooseTree | int
    inputs: list[Ref]
    results: list[Ref]


@dataclass
class ChooseTree:
    """Which merge input is live: a decision on predicates with inputs (by number) at the leaves."""

    predicate: Ref
    then: ChooseTree | int
    orelse: ChooseTree | int


@dataclass
class If:
    """Statements of the two sides of a predicate."""

    predicate: Ref
    then: list[Statement] = field(default_factory=list["Statement"])
    orelse: list[Statement] = field(default_factory=list["Statement"])


@dataclass
class Carry:
    """One loop merge: its value starts as `init` and becomes `back` after each trip."""

    value: Ref
    init: Ref
    back: Ref


@dataclass
class Loop:
    """A frame: `condition` runs trips + 1 times, `body` after each true `predicate`."""

    frame: int
    name: str
    loop_cond: int
    carries: list[Carry]
    condition: list[Statement]
    predicate: Ref
    body: list[Statement]
    exits: list[tuple[Ref, Ref]]
    """What leaves the frame: (exit's output, the value inside)."""
    trip_bound: int | None


Statement = Call | Choose | If | Loop


def choose_predicates(tree: ChooseTree | int) -> Iterator[Ref]:
    """The predicates a decision reads."""
    if not isinstance(tree, int):
        yield tree.predicate
        yield from choose_predicates(tree.then)
        yield from choose_predicates(tree.orelse)


def count_statements(block: Sequence[Statement]) -> int:
    """The number of statements of a block, `if`s not counted but what is in them."""
    total = 0
    for statement in block:
        if isinstance(statement, If):
            total += count_statements(statement.then) + count_statements(statement.orelse)
        else:
            total += 1
    return total


def calls_in(loop: Loop) -> list[int]:
    """The nodes of all calls in a loop."""
    found: list[int] = []
    pending: list[Statement] = [loop]
    while pending:
        match pending.pop():
            case Call(node):
                found.append(node)
            case If(_, then, orelse):
                pending.extend((*then, *orelse))
            case Loop() as inner:
                pending.extend((*inner.condition, *inner.body))
            case _:
                pass
    return found
