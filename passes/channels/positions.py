"""Where an op is: the loops and branches around it, outermost first.

Two positions on two devices are the same when they go through copies of the same loops and
branches. A loop is known by its name. A branch is known by what it branches on, which must be the
same value on both devices (`sameness`), and by `dfg.region_id` where a pass left one.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Operation

from ...dialects.dfg import PartitionOp
from ...dialects.diagnostics import ProgramError
from .ends import Channel, End, at
from .sameness import Sameness

LOOPS = frozenset({"dcf.while", "dcf.scan", "stablehlo.while"})
BRANCHES = frozenset({"dcf.cond", "dcf.case", "stablehlo.if", "stablehlo.case"})
REGION_ID = "dfg.region_id"
"""An integer that all copies of a structured op have in common, and no other op of the program."""


class Level(NamedTuple):
    """A structured op, and which of its regions leads further in."""

    op: Operation
    region: int

    @property
    def is_loop(self) -> bool:
        """A loop, not a branch."""
        return self.op.name in LOOPS

    def __str__(self) -> str:
        """`the body of loop "a"`, `branch 1 of the dcf.case at FILE:LINE:COL`."""
        op = self.op
        if self.is_loop:
            part = "condition" if self.region == 0 and len(op.regions) == 2 else "body"
            name = loop_name(op)
            what = f'loop "{name}"' if name is not None else f"the {op.name}"
            return f"the {part} of {what}{at(op)}"
        if op.name in ("dcf.case", "stablehlo.case"):
            return f"branch {self.region} of the {op.name}{at(op)}"
        return f"the {'else' if self.region else 'then'} branch of the {op.name}{at(op)}"


Path = tuple[Level, ...]


def loop_name(op: Operation) -> str | None:
    """The name of a loop, which all its copies have."""
    name = op.properties.get("loop_name")
    return name.data if isinstance(name, StringAttr) else None


def region_id(op: Operation) -> int | None:
    """The number that all copies of a structured op have, if a pass left one."""
    number = op.attributes.get(REGION_ID)
    return number.value.data if isinstance(number, IntegerAttr) else None


def path_of(end: End) -> Path:
    """The structured ops around an end, outermost first."""
    levels: list[Level] = []
    region = end.op.parent_region()
    while region is not None:
        op = region.parent
        if op is None or isinstance(op, PartitionOp):
            break
        if op.name not in LOOPS and op.name not in BRANCHES:
            raise ProgramError(
                f"expected {end.op.name} in loops and branches only, got it in {op.name}{at(op)}",
                end.op,
            )
        levels.append(Level(op, next(k for k, r in enumerate(op.regions) if r is region)))
        region = op.parent_region()
    return tuple(reversed(levels))


def path_text(path: Path) -> str:
    """A position in words."""
    return " in ".join(map(str, reversed(path))) or "no loop or branch"


def check_names(paths: dict[Operation, Path], devices: dict[Operation, str]) -> None:
    """A name is that of one loop on each device."""
    named: dict[tuple[str, str], Level] = {}
    for op, path in paths.items():
        for level in path:
            name = loop_name(level.op)
            if level.is_loop and name is not None:
                first = named.setdefault((devices[op], name), level)
                if first.op is not level.op:
                    raise ProgramError(
                        f'expected one loop "{name}" on "{devices[op]}", got a second one with'
                        f" {op.name} in it: the first is{at(first.op)}",
                        level.op,
                    )


def check_positions(channel: Channel, sameness: Sameness, paths: dict[Operation, Path]) -> None:
    """Both ends of a channel are at the same place of copies of the same loops and branches."""
    send, recv = channel.send, channel.recv
    ours, theirs = paths[send.op], paths[recv.op]
    start = f"channel {channel.number}: expected both ends at the same place"
    same_shape = len(ours) == len(theirs) and all(
        a.region == b.region and _alike(a.op, b.op) for a, b in zip(ours, theirs)
    )
    if not same_shape:
        raise ProgramError(
            f"{start}, got this {send.op.name} in {path_text(ours)}, and {recv} in"
            f" {path_text(theirs)}",
            send.op,
        )
    for a, b in zip(ours, theirs):
        if a.is_loop and loop_name(a.op) is None:
            raise ProgramError(
                f"{start} of loops with a name, got this {send.op.name} in {a} without one, and"
                f" {recv}",
                send.op,
            )
        ids = region_id(a.op), region_id(b.op)
        if None not in ids and ids[0] != ids[1]:
            raise ProgramError(
                f"{start}, got this {send.op.name} in {a}, and {recv} in {b}, which are copies of"
                f" two ops ({REGION_ID} {ids[0]} and {ids[1]})",
                send.op,
            )
        if not sameness.of_control(a.op, b.op):
            what = "go on under one condition" if a.is_loop else "branch on one value"
            raise ProgramError(
                f"{start}, got this {send.op.name} in {a}, and {recv} in {b}, which cannot be shown"
                f" to {what}",
                send.op,
            )


def _alike(a: Operation, b: Operation) -> bool:
    """What can be said of two copies without looking at values."""
    return a.name == b.name and len(a.regions) == len(b.regions) and loop_name(a) == loop_name(b)
