"""`dcf-gradient`: adds functions that compute derivatives of functions of the module.

Runs on structured programs, after `convert-stablehlo-to-dcf` and the clean-ups; leaves the
primal functions as they were.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException, VerifyException

from ..dialects.diagnostics import ProgramError
from ._symbols import functions_of
from .autodiff.functions import Options, add_gradient, add_jvp
from .autodiff.policies import Policy
from .autodiff.requests import expand_requests, has_requests


@dataclass(frozen=True)
class DcfGradientPass(ModulePass):
    """Expands requests for derivatives, and adds the gradient of a function.

    The requests `dcf.gradient`, `dcf.vjp` and `dcf.jvp`, wherever they stand, become calls of
    functions that are added to the module. With `function`, `@FUNCTION.grad` is added too: the
    results of the function, then the gradients of the sum of its result `of` (default: the first
    floating-point one) by the arguments `wrt` (default: every floating-point one). With
    `mode=forward` it is `@FUNCTION.jvp`: the arguments, then tangents of those `wrt`; the results,
    then tangents of the floating-point ones. Without `function` and without requests, `function` is
    `main`.

    `policy` is the residual policy (`save`, `recompute`, `sqrt`, `"treeverse:C"`) of the loops
    without the attribute `residual_policy`; `budget=C` is that C. `residuals` prints what is kept
    to standard error.
    """

    name = "dcf-gradient"
    exactness: ClassVar[str] = "reassociates"

    function: str | None = None
    wrt: tuple[int, ...] | None = None
    of: int | None = None
    mode: str = "reverse"
    policy: str | None = None
    budget: int | None = None
    residuals: bool = False

    def __post_init__(self) -> None:
        if self.mode not in ("reverse", "forward"):
            raise PassFailedException(f"expected mode reverse or forward, got {self.mode}")
        self.options()

    def options(self) -> Options:
        """How the functions are to be made."""
        if self.policy is None:
            return Options()
        text = self.policy if self.budget is None else f"{self.policy}:{self.budget}"
        try:
            return Options(Policy.parse(text))
        except VerifyException as error:
            raise PassFailedException(str(error)) from None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        options = self.options()
        name = self.function
        if has_requests(op):
            expand_requests(op, options)
        elif name is None:
            name = "main"
        if name is not None:
            function = functions_of(op).get(name)
            if function is None:
                raise ProgramError(f"expected a function @{name}", op)
            if self.mode == "forward":
                add_jvp(function, self.wrt)
            else:
                add_gradient(function, self.wrt, self.of, options=options)
        if self.residuals:
            from .autodiff.report import table

            print(table(options.log), file=sys.stderr)
