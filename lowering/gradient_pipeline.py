"""`gradient-pipeline`: everything between the text JAX prints and a function of derivatives.

Built from public passes only; `anabranch-opt -p` can spell out each of them. The result is a
structured program, for `dcf-to-dfg-pipeline` or the structured reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass

from ..dialects.diagnostics import ProgramError
from ..passes import PASSES, get_pass
from ..passes._symbols import functions_of
from ..passes.autodiff.functions import Options, add_gradient
from ..passes.autodiff.policies import Policy
from ..passes.autodiff.requests import expand_requests, has_requests
from ..passes.dcf_gradient import DcfGradientPass
from ..passes.number_origins import NumberOriginsPass
from .convert_markers_to_dcf import has_markers
from .placing import is_placed

STRUCTURED_PASSES = (
    "convert-markers-to-dcf",
    "inline-calls",
    "number-draws",
    "convert-stablehlo-to-dcf",
    "fold-scalar-constants",
    "forward-invariant-carries",
    "remove-unused-carries",
    "raise-logistic",
    "remove-dead-code",
    "raise-while-to-map",
    "raise-while-to-scan",
    "split-products",
    "hoist-invariants",
)
"""The passes that lead to a structured program that `dcf-gradient` accepts."""

OPTIMIZING_PASSES = ("optimize-scan", "remove-dead-code")
"""The passes that make derivatives cheaper."""


@dataclass(frozen=True)
class GradientPipeline(ModulePass):
    """Source or structured program to the same with a gradient function, in one pass.

    Adds `@FUNCTION.grad` as `dcf-gradient` does, whose options these are, and makes it cheaper, unless
    `optimized=false`.
    """

    name = "gradient-pipeline"
    exactness: ClassVar[str] = "reassociates"

    function: str | None = None
    wrt: tuple[int, ...] | None = None
    of: int | None = None
    mode: str = "reverse"
    policy: str | None = None
    budget: int | None = None
    residuals: bool = False
    optimized: bool = True

    def __post_init__(self) -> None:
        self.gradient()  # checks the options

    def gradient(self) -> DcfGradientPass:
        """The pass that differentiates."""
        return DcfGradientPass(
            self.function, self.wrt, self.of, self.mode, self.policy, self.budget, self.residuals
        )

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        make_structured(ctx, op)
        self.gradient().apply(ctx, op)
        if self.optimized:
            optimize(ctx, op)


def make_structured(ctx: Context, module: ModuleOp) -> None:
    """Run the passes before `dcf-gradient`."""
    from . import get_lowering

    for name in STRUCTURED_PASSES:
        pass_class = get_pass(name) if name in PASSES else get_lowering(name)
        pass_class().apply(ctx, module)


def optimize(ctx: Context, module: ModuleOp) -> None:
    """Run the passes after `dcf-gradient`."""
    for name in OPTIMIZING_PASSES:
        get_pass(name)().apply(ctx, module)


def with_gradient(
    module: ModuleOp,
    function: str = "main",
    *,
    wrt: Sequence[int] | None = None,
    of: int | None = None,
    policy: Policy | None = None,
    origins: bool = False,
    optimized: bool = True,
) -> tuple[ModuleOp, str]:
    """A structured copy of `module` with the gradient of `function`, and the name of the latter.

    The gradient function returns the results of `function`, then the gradients. `policy` is for the
    loops without one of their own. `origins` numbers the ops before, for their gradients to be
    placed where they are. Without `optimized`, passes that make derivatives cheaper but keep arrays of
    all trips for it are left out, as is right for devices with little memory.
    """
    if function not in functions_of(module):
        if any(op.name == "dfg.program" for op in module.body.block.ops):
            raise ProgramError(
                "expected a source or structured program to differentiate, got a dataflow graph"
                " (dfg.program): gradients are made before the lowering to dataflow",
                module,
            )
        known = ", ".join(f"@{name}" for name in functions_of(module)) or "no function"
        raise ProgramError(f"expected a function @{function}, the module has {known}", module)
    module = _structured_copy(module, function, origins)
    options = Options(policy)
    expand_requests(module, options)
    gradient = add_gradient(functions_of(module)[function], wrt, of, options=options)
    if optimized:
        optimize(Context(), module)
    return module, gradient.sym_name.data


def without_requests(
    module: ModuleOp,
    function: str,
    policy: Policy | None = None,
    *,
    origins: bool = False,
    optimized: bool = True,
) -> ModuleOp:
    """The module itself, or if it asks for derivatives a structured copy with them in place."""
    if not has_requests(module) and not has_markers(module):
        return module
    if function in functions_of(module):
        module = _structured_copy(module, function, origins)
        expand_requests(module, Options(policy))
        if optimized:
            optimize(Context(), module)
    return module


def _structured_copy(module: ModuleOp, function: str, origins: bool) -> ModuleOp:
    """A copy for one more run of passes, which keep `function` whatever its visibility was."""
    module = module.clone()
    functions_of(module)[function].properties["sym_visibility"] = StringAttr("public")
    make_structured(Context(), module)
    if origins or is_placed(module):
        NumberOriginsPass().apply(Context(), module)
    return module
