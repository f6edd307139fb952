"""`name-frames`: gives every loop a name that no other loop of the module has.

Before the dataflow level, where a loop's name is its frame's: tags, traces and error messages
are made of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..dialects.dcf import ScanOp, WhileOp
from ..dialects.diagnostics import CallPlace, FusedPlace, NamedPlace, Place, place_of


@dataclass(frozen=True)
class NameFramesPass(ModulePass):
    """Sets `loop_name` of every `dcf.while` and `dcf.scan`, unique in the module.

    A name that a loop has stays; a second loop with it gets `_1` behind it, and so on. A loop
    without one is named after the function of the user's program that its location names, if
    any (`newton_fn.<locals>.body` gives `newton_fn.body`), else `while` or `scan`.
    """

    name = "name-frames"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        loops = [loop for loop in op.walk() if isinstance(loop, WhileOp | ScanOp)]
        names = _Names({loop.loop_name.data for loop in loops if loop.loop_name is not None})
        seen: set[str] = set()
        for loop in loops:
            if loop.loop_name is None:
                kind = "while" if isinstance(loop, WhileOp) else "scan"
                loop.loop_name = StringAttr(names.unused(_function_name(loop) or kind))
            elif loop.loop_name.data in seen:
                loop.loop_name = StringAttr(names.unused(loop.loop_name.data))
            seen.add(loop.loop_name.data)


@dataclass
class _Names:
    taken: set[str]
    next_number: dict[str, int] = field(default_factory=dict[str, int])

    def unused(self, base: str) -> str:
        """`base`, or `base` with the next number that makes it new."""
        number = self.next_number.get(base, 0)
        name = base if number == 0 else f"{base}_{number}"
        while name in self.taken:
            number += 1
            name = f"{base}_{number}"
        self.next_number[base] = number
        self.taken.add(name)
        return name


def _function_name(op: Operation) -> str | None:
    """The innermost function of the user's program that the location of `op` names.

    JAX writes the op's path (`jit(f)/while`) around a chain of call sites, whose innermost part is
    named by the function that the source line is in.
    """
    place: Place | None = place_of(op.location)
    name: str | None = None
    while place is not None:
        match place:
            case NamedPlace():
                name = _readable(place.name) or name
                place = place.child
            case CallPlace():
                place = place.callee
            case FusedPlace():
                place = next(iter(place.children), None)
            case _:
                place = None
    return name


def _readable(text: str) -> str | None:
    """`text` without its `<locals>` and `<lambda>` parts, if it is a function's name."""
    parts = [part for part in text.split(".") if not part.startswith("<")]
    return ".".join(parts) if parts and all(part.isidentifier() for part in parts) else None
