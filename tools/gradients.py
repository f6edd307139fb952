"""What `anabranch-run --grad` adds to a program: its gradient function, and names for the results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialects.dcf.types import is_differentiable
from ..dialects.diagnostics import ProgramError
from ..lowering.gradient_pipeline import with_gradient
from ..passes._symbols import functions_of
from ..passes.autodiff.policies import Policy

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


def add_gradients(
    module: ModuleOp,
    function: str,
    policy: str | None = None,
    *,
    origins: bool = False,
    optimized: bool = True,
) -> tuple[ModuleOp, str, list[str]]:
    """A copy of `module` with the gradient of `function`, the name of that, and of its results.

    The results are `out0 …`, and `grad_argK` for every floating-point argument K; there must be one.
    """
    original = functions_of(module).get(function)
    if original is not None:
        types = original.function_type.inputs.data
        if not any(map(is_differentiable, types)):
            got = ", ".join(map(str, types)) or "none"
            raise ProgramError(
                f"expected @{function} to have a floating-point argument to differentiate by,"
                f" got {got}",
                original,
            )
    changed, name = with_gradient(
        module,
        function,
        policy=None if policy is None else Policy.parse(policy),
        origins=origins,
        optimized=optimized,
    )
    primal = functions_of(changed)[function].function_type
    names = [f"out{number}" for number in range(len(primal.outputs.data))]
    names += [
        f"grad_arg{number}"
        for number, type in enumerate(primal.inputs.data)
        if is_differentiable(type)
    ]
    return changed, name, names
