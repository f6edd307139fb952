"""List scheduling of guarded statements into nested `if`s.

Statements come with the guard under which they run and the statements they wait for. Those of one
guard are kept together as long as dependences allow; a predicate is tested again when they do not.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from .tree import Guard, If, Ref, Statement


@dataclass(eq=False)
class Item:
    """A statement, its guard within the block, and the items that must come before it."""

    statement: Statement
    guard: Guard
    waits_for: int = 0
    followers: list[Item] = field(default_factory=list["Item"])


class _Zone:
    """The items of one guard, and the zones of guards that extend it."""

    def __init__(self, parent: _Zone | None):
        self.parent = parent
        self.ready: deque[Item] = deque()
        self.live = 0  # ready items here and in the zones below
        self.children: dict[Ref, tuple[_Zone, _Zone]] = {}

    def below(self, guard: Guard) -> _Zone:
        zone = self
        for predicate, side in guard:
            sides = zone.children.get(predicate)
            if sides is None:
                sides = zone.children[predicate] = (_Zone(zone), _Zone(zone))
            zone = sides[side]
        return zone

    def push(self, item: Item) -> None:
        self.ready.append(item)
        self._count(1)

    def pop(self) -> Item:
        self._count(-1)
        return self.ready.popleft()

    def _count(self, change: int) -> None:
        zone: _Zone | None = self
        while zone is not None:
            zone.live += change
            zone = zone.parent


def schedule(items: list[Item], last: Ref | None = None) -> list[Statement]:
    """The items as a block of statements; items in a cycle are left out.

    What runs under predicate `last` comes after all else.
    """
    root = _Zone(None)
    zones = {id(item): root.below(item.guard) for item in items}
    for item in items:
        if item.waits_for == 0:
            zones[id(item)].push(item)
    block: list[Statement] = []
    _fill(root, block, zones, last)
    return block


def _fill(
    zone: _Zone, block: list[Statement], zones: dict[int, _Zone], last: Ref | None = None
) -> None:
    while zone.live:
        while zone.ready:
            item = zone.pop()
            block.append(item.statement)
            for follower in item.followers:
                follower.waits_for -= 1
                if follower.waits_for == 0:
                    zones[id(follower)].push(follower)
        live = [p for p, (no, yes) in zone.children.items() if no.live or yes.live]
        if live:
            predicate = next((p for p in live if p != last), live[0])
            no, yes = zone.children[predicate]
            branch = If(predicate)
            _fill(yes, branch.then, zones)
            _fill(no, branch.orelse, zones)
            block.append(branch)
