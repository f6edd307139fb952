"""`raise-logistic`: `1 / (1 + exp(-x))`, as JAX writes a sigmoid, to `stablehlo.logistic`.

Before `dcf-gradient`: the derivative of the one op reads its result only, where those of the four read
three values of a trip.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, Float32Type, Float64Type, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects import stablehlo
from ._types import as_tensor


@dataclass(frozen=True)
class RaiseLogisticPass(ModulePass):
    """Replaces quotients that are a logistic function of f32 or f64 by that op.

    The kernel of `logistic` computes the same four operations, so no bit changes. (Of 16-bit floats it
    rounds once instead of four times, so those stay.) What the quotient was made of goes with
    `remove-dead-code` unless something else reads it.
    """

    name = "raise-logistic"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for nested in list(op.walk()):
            if isinstance(nested, stablehlo.DivideOp):
                argument = _argument(nested)
                if argument is not None:
                    _replace(nested, argument)


def _argument(op: stablehlo.DivideOp) -> SSAValue | None:
    """x, when the quotient is `1 / (1 + exp(-x))`."""
    tensor = as_tensor(op.result.type)
    if tensor is None or not isinstance(tensor.element_type, Float32Type | Float64Type):
        return None
    total = op.rhs.owner
    if not _is_one(op.lhs) or not isinstance(total, stablehlo.AddOp):
        return None
    for one, power in ((total.lhs, total.rhs), (total.rhs, total.lhs)):
        exponential = power.owner
        if _is_one(one) and isinstance(exponential, stablehlo.ExponentialOp):
            negated = exponential.operand.owner
            if isinstance(negated, stablehlo.NegateOp):
                return negated.operand
    return None


def _is_one(value: SSAValue) -> bool:
    """Whether every element of `value` is the constant 1."""
    op = value.owner
    while isinstance(op, stablehlo.BroadcastInDimOp):
        op = op.operand.owner
    if not isinstance(op, stablehlo.ConstantOp):
        return False
    attr = op.value
    return (
        isinstance(attr, DenseIntOrFPElementsAttr)
        and attr.is_splat()
        and attr.get_values()[0] == 1.0
    )


def _replace(op: Operation, argument: SSAValue) -> None:
    logistic = stablehlo.LogisticOp(argument)
    logistic.location = op.location
    logistic.attributes.update(op.attributes)
    logistic.result.name_hint = op.results[0].name_hint
    block = op.parent_block()
    assert block is not None
    block.insert_op_before(logistic, op)
    op.results[0].replace_all_uses_with(logistic.result)
    block.erase_op(op)
