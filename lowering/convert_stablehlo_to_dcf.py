"""`convert-stablehlo-to-dcf`: from the source level to the structured level.

Only control flow changes: the ops in the regions stay as they are, and keep using values from
outside. Runs after `inline-calls` (calls that are left stay calls).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, i1
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ..dialects import dcf, stablehlo
from ..dialects.diagnostics import ProgramError


@dataclass(frozen=True)
class ConvertStablehloToDcfPass(ModulePass):
    """Turns `stablehlo.while`, `if` and `case` into `dcf.while`, `dcf.cond` and `dcf.case`.

    A case of two branches whose index is a converted `tensor<i1>`, as JAX writes `lax.cond`,
    becomes a `dcf.cond`.

    Regions are moved, so the cost does not depend on their size. A loop whose condition or body
    does not fit its carries, and a branch that does not return what the op results in, is an
    error that tells the position and both types. Loops get no name here; `name-frames` does
    that.
    """

    name = "convert-stablehlo-to-dcf"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # A list, since ops are replaced on the way; outer ops first, for the order of errors.
        for nested in list(op.walk()):
            if isinstance(nested, stablehlo.WhileOp):
                _replace(nested, _convert_while(nested))
            elif isinstance(nested, stablehlo.IfOp):
                _replace(nested, _convert_if(nested))
            elif isinstance(nested, stablehlo.CaseOp):
                _replace(nested, _convert_case(nested))


def _convert_while(op: stablehlo.WhileOp) -> dcf.WhileOp:
    inits = op.operands
    carried = [value.type for value in inits]
    _check(op, "carry", "as initial value", carried, "as result", op.result_types)
    for what, region in (("condition", op.cond), ("body", op.body)):
        types = region.block.arg_types
        _check(op, "carry", "as initial value", carried, f"as argument of the {what}", types)
    returned = _end_of(op, op.body).operand_types
    _check(op, "carry", "as initial value", carried, "returned by the body", returned)
    predicate = _end_of(op, op.cond).operand_types
    truth = [TensorType(i1, [])]
    _check(op, "value", "as predicate", truth, "returned by the condition", predicate)
    condition, body = op.detach_region(0), op.detach_region(0)
    _end_with(condition, dcf.ConditionOp)
    _end_with(body, dcf.YieldOp)
    return dcf.WhileOp(list(inits), condition, body)


def _convert_if(op: stablehlo.IfOp) -> dcf.CondOp:
    predicate, types = op.pred, op.result_types
    then_region, else_region = _take_branches(op)
    return dcf.CondOp(predicate, types, then_region, else_region)


def _convert_case(op: stablehlo.CaseOp) -> dcf.CaseOp | dcf.CondOp:
    predicate = _predicate_of(op)
    index, types, branches = op.index, op.result_types, _take_branches(op)
    if predicate is not None:
        # `lax.cond(p, …)` comes as a case on the predicate as a number: branch 1 is the true one.
        return dcf.CondOp(predicate, types, branches[1], branches[0])
    return dcf.CaseOp(index, types, branches)


def _predicate_of(op: stablehlo.CaseOp) -> SSAValue | None:
    """What decides between two branches, when the index is a truth value as a number."""
    index = op.index.owner
    if len(op.branches) != 2 or not isinstance(index, stablehlo.ConvertOp):
        return None
    return index.operand if index.operand.type == TensorType(i1, []) else None


def _take_branches(op: stablehlo.IfOp | stablehlo.CaseOp) -> list[Region]:
    for number, region in enumerate(op.regions):
        returned = _end_of(op, region).operand_types
        where = f"returned by branch {number}"
        _check(op, "value", "as result", op.result_types, where, returned)
    regions = [op.detach_region(0) for _ in range(len(op.regions))]
    for region in regions:
        _end_with(region, dcf.YieldOp)
    return regions


def _check(
    op: Operation,
    what: str,
    expected_where: str,
    expected: Sequence[Attribute],
    got_where: str,
    got: Sequence[Attribute],
) -> None:
    if len(expected) != len(got):
        raise ProgramError(
            f"expected {len(expected)} {what}{'' if len(expected) == 1 else 's'} "
            f"({expected_where}), got {len(got)} ({got_where})",
            op,
        )
    for position, (one, other) in enumerate(zip(expected, got)):
        if one != other:
            raise ProgramError(
                f"{what} {position}: expected {one} ({expected_where}), got {other} ({got_where})",
                op,
            )


def _end_of(op: Operation, region: Region) -> stablehlo.ReturnOp:
    end = region.block.last_op
    if not isinstance(end, stablehlo.ReturnOp):
        got = "nothing" if end is None else end.name
        raise ProgramError(f"expected a region ending in stablehlo.return, got {got}", op)
    return end


def _end_with(region: Region, terminator: type[dcf.ConditionOp] | type[dcf.YieldOp]) -> None:
    old = region.block.last_op
    assert old is not None
    new = terminator(*old.operands)
    new.location = old.location
    new.attributes.update(old.attributes)
    region.block.erase_op(old)
    region.block.add_op(new)


def _replace(old: Operation, new: Operation) -> None:
    new.location = old.location
    new.attributes.update(old.attributes)
    block = old.parent
    assert block is not None
    block.insert_op_before(new, old)
    for result, replacement in zip(old.results, new.results, strict=True):
        replacement.name_hint = result.name_hint
        result.replace_all_uses_with(replacement)
    block.erase_op(old)
