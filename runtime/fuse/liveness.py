"""When a fused loop can release a value: after its last reader in the block that makes it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from .tree import Call, Choose, If, Loop, Ref, Statement, choose_predicates


@dataclass
class Traffic:
    """The values a statement (with all nested in it) reads, how often, and those it makes."""

    reads: Counter[Ref] = field(default_factory=Counter[Ref])
    makes: set[Ref] = field(default_factory=set[Ref])

    def add(self, other: Traffic) -> None:
        self.reads.update(other.reads)
        self.makes |= other.makes


class Liveness:
    """Release points of the `heavy` values of a loop."""

    def __init__(self, loop: Loop, heavy: frozenset[Ref]):
        self.heavy = heavy
        self._traffic: dict[int, Traffic] = {}
        self.total = self._of(loop).reads

    def after(self, block: list[Statement], carries: Loop | None = None) -> dict[int, list[Ref]]:
        """Position in the block -> values that are released after that statement.

        With `carries`, the block is that loop's body, and its carries are released too once the
        trip has read them for the last time.
        """
        reads: Counter[Ref] = Counter()
        makes: set[Ref] = set()
        last: dict[Ref, int] = {}
        for position, statement in enumerate(block):
            traffic = self._of(statement)
            reads.update(traffic.reads)
            makes |= traffic.makes
            for ref in traffic.reads:
                last[ref] = position
            for ref in traffic.makes:
                last.setdefault(ref, position)
        if carries is not None:
            for statement in carries.condition:
                reads.update(self._of(statement).reads)
            # Exits and the predicate are read before the body, and the body's end sets each carry.
            reads.update(value for _, value in carries.exits)
            reads[carries.predicate] += 1
            makes |= {c.value for c in carries.carries if c.back != c.value}
        released: dict[int, list[Ref]] = {}
        for ref in sorted(makes & self.heavy):
            if ref in last and reads[ref] == self.total[ref]:
                released.setdefault(last[ref], []).append(ref)
        return released

    def made_in(self, block: list[Statement]) -> set[Ref]:
        """All values that a block makes."""
        made: set[Ref] = set()
        for statement in block:
            made |= self._of(statement).makes
        return made

    def _of(self, statement: Statement) -> Traffic:
        known = self._traffic.get(id(statement))
        if known is None:
            known = self._traffic[id(statement)] = self._compute(statement)
        return known

    def _compute(self, statement: Statement) -> Traffic:
        traffic = Traffic()
        match statement:
            case Call():
                traffic.reads.update(statement.arguments)
                traffic.makes.update(statement.results)
            case Choose():
                traffic.reads.update(statement.inputs)
                traffic.reads.update(choose_predicates(statement.tree))
                traffic.makes.update(statement.results)
            case If():
                traffic.reads[statement.predicate] += 1
                for inner in (*statement.then, *statement.orelse):
                    traffic.add(self._of(inner))
            case Loop():
                for carry in statement.carries:
                    traffic.reads[carry.init] += 1
                    traffic.reads[carry.back] += 1
                traffic.reads[statement.predicate] += 1
                for inner in (*statement.condition, *statement.body):
                    traffic.reads.update(self._of(inner).reads)
                for exit, value in statement.exits:
                    traffic.reads[value] += 1
                    traffic.makes.add(exit)
        return traffic
