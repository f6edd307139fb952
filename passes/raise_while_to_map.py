"""`raise-while-to-map`: from counted loops whose trips are independent to scans without carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.dcf import WhileOp
from ._effects import Effects
from ._while_to_scan import replace_by_scan
from .raise_while_to_scan import plan_scan


@dataclass(frozen=True)
class RaiseWhileToMapPass(ModulePass):
    """Replaces loops that `raise-while-to-scan` would, if no trip needs another: a map.

    Every carry but the counter is an output or passes on unchanged. A counter that the body uses
    becomes an input of the scan (0, 1, 2, …). Other loops stay as they are.
    """

    name = "raise-while-to-map"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        effects = Effects(op)
        for loop in reversed([nested for nested in op.walk() if isinstance(nested, WhileOp)]):
            plan = plan_scan(loop, effects)
            if plan is not None and plan.writes and not plan.plain_carries():
                replace_by_scan(plan, effects, counter_as_input=True)
