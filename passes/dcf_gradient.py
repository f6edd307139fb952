"""`dcf-gradient`: adds functions that compute derivatives of functions of the module.

Runs on structured programs, after `convert-stablehlo-to-dcf` and the clean-ups; leaves the
primal functions as they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from ..dialects.dcf.types import is_differentiable
from ..dialects.diagnostics import ProgramError
from .autodiff.activity import Activity
from .autodiff.augment import augment
from .autodiff.backward import Backward, Records
from .autodiff.forward import add_tangents
from .autodiff.structures import reverse_block


@dataclass(frozen=True)
class DcfGradientPass(ModulePass):
    """Adds `@FUNCTION.grad`: the results of `function`, then the gradients of the sum of its result
    `of` (default: the first floating-point one) by the arguments `wrt` (default: every
    floating-point one). With mode "forward", adds `@FUNCTION.jvp`: the arguments of `function`, then
    tangents of those `wrt`, to its results, then tangents of the floating-point ones."""

    name = "dcf-gradient"
    exactness: ClassVar[str] = "reassociates"

    function: str = "main"
    wrt: tuple[int, ...] | None = None
    of: int | None = None
    mode: str = "reverse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and function.sym_name.data == self.function:
                if self.mode == "forward":
                    add_tangents(function, self.wrt)
                else:
                    add_gradient(function, self.wrt, self.of)
                return
        raise ProgramError(f"expected a function @{self.function}", op)


def add_gradient(
    function: FuncOp, wrt: Sequence[int] | None = None, of: int | None = None
) -> FuncOp:
    """Add the gradient function after `function`."""
    gradient = function.clone()
    gradient.properties["sym_name"] = StringAttr(f"{function.sym_name.data}.grad")
    parent = function.parent_block()
    assert parent is not None
    parent.insert_op_after(gradient, function)
    block = gradient.body.block
    end = block.last_op
    assert isinstance(end, ReturnOp)
    results: list[SSAValue] = list(end.operands)
    inputs = [
        block.args[k]
        for k in (wrt if wrt is not None else range(len(block.args)))
        if is_differentiable(block.args[k].type)
    ]
    target = _target(function, results, of)
    end.detach()
    end.drop_all_references()

    records = Records(block, Activity(block, inputs, [target]))
    backward = Backward(records, block, block)
    seed = backward.emit.full_like(1, target)
    backward.accumulate(target, seed)
    reverse_block(backward, block)
    gradients = [backward.take(value) or backward.zero(value) for value in inputs]
    final = ReturnOp(*results, *gradients)
    final.location = function.location
    block.add_op(final)
    augment(records)
    types = [value.type for value in final.operands]
    gradient.properties["function_type"] = FunctionType.from_lists(
        [argument.type for argument in block.args], types
    )
    gradient.properties.pop("res_attrs", None)
    return gradient


def _target(function: FuncOp, results: Sequence[SSAValue], of: int | None) -> SSAValue:
    if of is not None:
        return results[of]
    for result in results:
        if is_differentiable(result.type):
            return result
    raise ProgramError("expected a floating-point result to differentiate, got none", function)
