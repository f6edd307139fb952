"""`number-origins`: ops get numbers, by which `assign-devices` knows the ops of a gradient again.

Before `dcf-gradient`, which copies the number of an op to the ops that are made for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.traits import ConstantLike, IsTerminator

from ._symbols import functions_of
from .autodiff.emitter import ORIGIN
from .placement.scope import STRUCTURED


@dataclass(frozen=True)
class NumberOriginsPass(ModulePass):
    """Gives each plain op of a function, at every depth of its loops and branches, an `origin`.

    Numbers are those of the text, unique in the module; an op that has one keeps it. Constants,
    structured ops and terminators need none.
    """

    name = "number-origins"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        number = 0
        for inner in op.walk():
            known = inner.attributes.get(ORIGIN)
            if isinstance(known, IntegerAttr):
                number = max(number, known.value.data + 1)
        for function in functions_of(op).values():
            pending: list[Operation] = (
                list(reversed(function.body.ops)) if function.body.blocks else []
            )
            while pending:
                inner = pending.pop()
                if isinstance(inner, STRUCTURED):
                    for region in reversed(inner.regions):
                        pending.extend(reversed(region.block.ops))
                elif ORIGIN not in inner.attributes and _is_numbered(inner):
                    inner.attributes[ORIGIN] = IntegerAttr(number, i64)
                    number += 1


def _is_numbered(op: Operation) -> bool:
    return not op.has_trait(IsTerminator) and not op.has_trait(ConstantLike)
