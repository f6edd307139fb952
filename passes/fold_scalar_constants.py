"""`fold-scalar-constants`: computes scalar ops on constants, and what follows for control flow.

Runs after `convert-stablehlo-to-dcf`. Frontends leave many scalar ops on constants around loops
(bounds, steps, predicates compared with false); each of them would be a node in every trip.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BFloat16Type,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    ModuleOp,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ..dialects import stablehlo
from ..dialects.dcf import CaseOp, CondOp, WhileOp
from ..dialects.plan.devices import copy_device, inherit_device
from ._constants import boolean_constant, integer_constant, scalar_constant
from ._effects import Effects
from ._slots import functions_in, terminator_of
from ._types import as_tensor, shape_of

FOLDABLE = frozenset(
    f"stablehlo.{name}"
    for name in [
        "abs",
        "add",
        "and",
        "broadcast_in_dim",
        "clamp",
        "compare",
        "convert",
        "divide",
        "maximum",
        "minimum",
        "multiply",
        "negate",
        "not",
        "or",
        "remainder",
        "reshape",
        "select",
        "shift_left",
        "shift_right_arithmetic",
        "shift_right_logical",
        "sign",
        "subtract",
        "xor",
    ]
)
"""Ops computed when all operands are constant scalars: exact arithmetic, nothing transcendental."""


@dataclass(frozen=True)
class FoldScalarConstantsPass(ModulePass):
    """Replaces scalar ops on constants by results, and decided control flow by what it does.

    Results come from the kernels that would compute them at run time, so they have the same
    bits, those of a NaN included. Beyond that, exact simplifications only: `broadcast_in_dim`,
    `reshape` and `convert` that change nothing; `select` on a constant; comparing a boolean
    with a constant, and `and` / `or` with one; `dcf.cond` and `dcf.case` on a constant (or with
    one branch) become that branch; a `dcf.while` whose condition is constant false becomes its
    initial values. One walk in program order. Constants that are left unused are for
    `remove-dead-code`.
    """

    name = "fold-scalar-constants"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        effects = Effects(op)
        with np.errstate(all="ignore"):
            for function in functions_in(op):
                _fold_regions(function, effects)


def _fold_regions(op: Operation, effects: Effects) -> None:
    for region in op.regions:
        for block in region.blocks:
            _fold_block(block, effects)


def _fold_block(block: Block, effects: Effects) -> None:
    op = block.first_op
    while op is not None:
        following = op.next_op
        if isinstance(op, CondOp | CaseOp) and (taken := _taken_branch(op)) is not None:
            # Goes on with the first op that the branch put here.
            following = _inline_branch(op, taken)
        elif (value := _simplified(op)) is not None:
            _replace(op, [value])
        elif (constant := _folded(op)) is not None:
            new = stablehlo.ConstantOp(constant)
            new.location = op.location
            copy_device(op, new)
            block.insert_op_before(new, op)
            new.output.name_hint = op.results[0].name_hint
            _replace(op, [new.output])
        elif op.regions:
            _fold_regions(op, effects)
            if isinstance(op, WhileOp) and _never_runs(op, effects):
                _replace(op, list(op.inits))
        op = following


def _taken_branch(op: CondOp | CaseOp) -> Region | None:
    if isinstance(op, CondOp):
        truth = boolean_constant(op.predicate)
        return None if truth is None else (op.then_region if truth else op.else_region)
    if len(op.branches) == 1:
        return op.branches[0]
    index = integer_constant(op.index)
    if index is None:
        return None
    return op.branches[index if 0 <= index < len(op.branches) else -1]


def _inline_branch(op: CondOp | CaseOp, region: Region) -> Operation | None:
    """Puts the ops of `region` in the place of `op`; returns the first op to go on with."""
    block = op.parent
    assert block is not None
    before = op.prev_op
    body = region.block
    results: list[SSAValue] = list(terminator_of(region).operands)
    body.erase_op(terminator_of(region))
    while (first := body.first_op) is not None:
        first.detach()
        block.insert_op_before(first, op)
        inherit_device(op, first)  # it was the default for what is in the branch
    _replace(op, results)
    return block.first_op if before is None else before.next_op


def _never_runs(loop: WhileOp, effects: Effects) -> bool:
    predicate = terminator_of(loop.condition).operands[0]
    return boolean_constant(predicate) is False and not any(
        effects.of(op) for op in loop.condition.block.ops
    )


def _simplified(op: Operation) -> SSAValue | None:
    """The operand that `op` is always equal to, if there is one."""
    rule = _SIMPLIFICATIONS.get(op.name)
    value = rule(op) if rule is not None else None
    # An operand of another type, such as a scalar that is broadcast, is not the result.
    return value if value is not None and value.type == op.results[0].type else None


def _unchanged_broadcast(op: Operation) -> SSAValue | None:
    assert isinstance(op, stablehlo.BroadcastInDimOp)
    rank = len(op.broadcast_dimensions)
    in_order = tuple(op.broadcast_dimensions.iter_values()) == tuple(range(rank))
    return op.operand if in_order and _has_static_shape(op.operand.type) else None


def _unchanged_reshape(op: Operation) -> SSAValue | None:
    return op.operands[0] if _has_static_shape(op.operands[0].type) else None


def _unchanged_convert(op: Operation) -> SSAValue | None:
    return op.operands[0]


def _decided_select(op: Operation) -> SSAValue | None:
    assert isinstance(op, stablehlo.SelectOp)
    truth = boolean_constant(op.pred)
    return None if truth is None else (op.on_true if truth else op.on_false)


def _decided_compare(op: Operation) -> SSAValue | None:
    """A boolean that is compared so that it stays itself: `p != false`, `p == true`."""
    assert isinstance(op, stablehlo.CompareOp)
    direction = op.comparison_direction.data.value
    for value, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        truth = boolean_constant(other)
        if (truth is False and direction == "NE") or (truth is True and direction == "EQ"):
            return value
    return None


def _decided_and(op: Operation) -> SSAValue | None:
    return _decided_by(op, neutral=True)


def _decided_or(op: Operation) -> SSAValue | None:
    return _decided_by(op, neutral=False)


def _decided_by(op: Operation, *, neutral: bool) -> SSAValue | None:
    lhs, rhs = op.operands
    for value, other in ((lhs, rhs), (rhs, lhs)):
        truth = boolean_constant(other)
        if truth is not None:
            return value if truth is neutral else other
    return None


_SIMPLIFICATIONS: dict[str, Callable[[Operation], SSAValue | None]] = {
    "stablehlo.broadcast_in_dim": _unchanged_broadcast,
    "stablehlo.reshape": _unchanged_reshape,
    "stablehlo.convert": _unchanged_convert,
    "stablehlo.select": _decided_select,
    "stablehlo.compare": _decided_compare,
    "stablehlo.and": _decided_and,
    "stablehlo.or": _decided_or,
}


def _folded(op: Operation) -> DenseIntOrFPElementsAttr | None:
    """The result of `op` on constant scalars, or None."""
    if op.name not in FOLDABLE or not op.operands:
        return None
    type = as_tensor(op.results[0].type)
    if type is None or type.get_shape() or not _is_plain(type.element_type):
        return None
    constants: list[DenseIntOrFPElementsAttr] = []
    for operand in op.operands:
        constant = scalar_constant(operand)
        if constant is None or not _is_plain(constant.get_element_type()):
            return None
        constants.append(constant)
    # Loaded only when there is something to fold.
    from ..runtime.kernels import kernel_for
    from ..runtime.values import array_from_dense, dtype_of

    result = kernel_for(op, _NoScope())(*(array_from_dense(constant) for constant in constants))
    array = np.asarray(result)
    assert array.dtype == dtype_of(type) and array.shape == ()
    if type.element_type == i1:
        return DenseIntOrFPElementsAttr.from_list(TensorType(i1, []), [int(array)])
    raw = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    return DenseIntOrFPElementsAttr(type, BytesAttr(raw))  # pyright: ignore[reportArgumentType]


class _NoScope:
    """What kernels get here: the ops folded have no regions and call nothing."""

    batched = False

    def eval_region(self, region: Region) -> Callable[..., Any]:
        raise NotImplementedError

    def function(self, symbol: str) -> Callable[..., Any]:
        raise NotImplementedError


def _is_plain(element: Attribute) -> bool:
    """Whether elements of the type are whole bytes (or booleans) of a real type."""
    if isinstance(element, IntegerType):
        return cast(IntegerType, element).bitwidth in (1, 8, 16, 32, 64)
    return isinstance(element, Float16Type | BFloat16Type | Float32Type | Float64Type)


def _has_static_shape(type: Attribute) -> bool:
    shape = shape_of(type)
    return shape is not None and DYNAMIC_INDEX not in shape


def _replace(op: Operation, values: Sequence[SSAValue]) -> None:
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.detach()
    op.erase()
