"""`number-draws`: gives every `stablehlo.rng` of a function a number of its own.

What an rng draws depends on the run's seed, its number, and the iterations of the loops around it.
So it must be numbered before passes move or copy code, and after calls are inlined: an rng in a
function that is called twice is two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..dialects.stablehlo import RngOp
from ._symbols import functions_of
from .inline_calls import InlineCallsPass

DRAW = "dcf.draw"
"""The attribute that holds the number."""


@dataclass(frozen=True)
class NumberDrawsPass(ModulePass):
    """Sets `dcf.draw` of each `stablehlo.rng`, counting from 0 in each function, in program order.

    Numbers that are there stay; the others are greater than those.
    """

    name = "number-draws"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op).values():
            draws = [draw for draw in function.walk() if isinstance(draw, RngOp)]
            numbers = [_number(draw) for draw in draws]
            following = max((number + 1 for number in numbers if number is not None), default=0)
            for draw, number in zip(draws, numbers):
                if number is None:
                    draw.attributes[DRAW] = IntegerAttr(following, i64)
                    following += 1


def _number(draw: Operation) -> int | None:
    number = draw.attributes.get(DRAW)
    return number.value.data if isinstance(number, IntegerAttr) else None


def with_numbered_draws(module: ModuleOp, function: str) -> ModuleOp:
    """The module itself, or if `number-draws` has work to do a copy, inlined, after it."""
    if all(op.name != "stablehlo.rng" or DRAW in op.attributes for op in module.walk()):
        return module
    module = module.clone()
    # The entry must survive inlining.
    functions_of(module)[function].properties["sym_visibility"] = StringAttr("public")
    InlineCallsPass(function).apply(Context(), module)
    NumberDrawsPass().apply(Context(), module)
    return module
