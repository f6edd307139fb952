"""`expand-requests`: requests for derivatives become calls of functions that compute them.

Part of `dcf-to-dfg-pipeline`, so that a program with requests runs as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.dcf import GradientOp, JvpOp, VjpOp
from ._symbols import drop_own_rules, functions_of


@dataclass(frozen=True)
class ExpandRequestsPass(ModulePass):
    """Expands `dcf.gradient`, `dcf.vjp` and `dcf.jvp` as `dcf-gradient` does, and nothing else.

    Functions lose the derivative rules of their own (`dcf.custom_vjp` and its like), so that their
    calls can be inlined.
    """

    name = "expand-requests"
    exactness: ClassVar[str] = "reassociates"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if any(isinstance(nested, GradientOp | VjpOp | JvpOp) for nested in op.walk()):
            from .autodiff.requests import expand_requests

            expand_requests(op)
        for function in functions_of(op).values():
            drop_own_rules(function)
