"""`split-products`: of a product in a scan, the part that does not wait for the trip before.

Runs before `dcf-gradient` and `optimize-scan`: the latter moves that part out of the scan, and no
gradient is made of what nothing asks the gradient of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects import stablehlo
from ..dialects.dcf import ScanOp
from ..dialects.stablehlo.inference import shape_of
from ._batching import dot, is_static


@dataclass(frozen=True)
class SplitProductsPass(ModulePass):
    """Splits a product of joined values in the body of a `dcf.scan` into the sum of two products.

    `dot_general(concatenate(x, h), w)` becomes `dot_general(x, w1)` plus `dot_general(h, w2)`. Only
    where x depends on rows of the scan's inputs and h on its carries, the two are joined along the
    dimension that is summed, and w comes from outside: then the first product can be had for all
    trips at once. What is added to the product, and depends on no carry either, is added to the first
    part. Products are summed in another order.
    """

    name = "split-products"
    exactness: ClassVar[str] = "reassociates"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for scan in [nested for nested in op.walk() if isinstance(nested, ScanOp)]:
            body = scan.body.block
            ready = _ready(scan)
            for product in list(body.ops):
                if isinstance(product, stablehlo.DotGeneralOp):
                    _split(product, body, ready)


def _ready(scan: ScanOp) -> set[SSAValue]:
    """The values of a scan's body that depend on no carry."""
    body = scan.body.block
    ready: set[SSAValue] = set(body.args[len(scan.inits) :])
    for op in body.ops:
        if op.name.startswith("stablehlo.") and op.name != "stablehlo.rng" and not op.regions:
            if all(value in ready or not _is_inside(value, body) for value in op.operands):
                ready.update(op.results)
    return ready


def _is_inside(value: SSAValue, body: Block) -> bool:
    owner = value.owner
    return owner is body or (isinstance(owner, Operation) and owner.parent is body)


def _split(op: stablehlo.DotGeneralOp, body: Block, ready: set[SSAValue]) -> None:
    numbers = op.dot_dimension_numbers
    contracted = (
        list(numbers.lhs_contracting_dimensions.data),
        list(numbers.rhs_contracting_dimensions.data),
    )
    if not all(map(is_static, op.operands)):
        return
    for side, (joined, other) in enumerate(((op.lhs, op.rhs), (op.rhs, op.lhs))):
        join = joined.owner
        if not isinstance(join, stablehlo.ConcatenateOp) or _is_inside(other, body):
            continue
        dimension = join.dimension.value.data
        if dimension not in contracted[side]:
            continue
        groups = [
            list(group) for _, group in groupby(join.inputs, lambda v: _waits(v, body, ready))
        ]
        if len(groups) == 1:
            continue
        along = contracted[1 - side][contracted[side].index(dimension)]
        parts = _parts(op, groups, dimension, other, along, left=side == 0)
        early = [p for p, g in zip(parts, groups) if not _waits(g[0], body, ready)]
        late = [p for p, g in zip(parts, groups) if _waits(g[0], body, ready)]
        _replace_by_sum(op, early, late, body, ready)
        if joined.first_use is None:
            join.detach()
            join.erase()
        return


def _waits(value: SSAValue, body: Block, ready: set[SSAValue]) -> bool:
    return _is_inside(value, body) and value not in ready


def _parts(
    op: stablehlo.DotGeneralOp,
    groups: Sequence[Sequence[SSAValue]],
    dimension: int,
    other: SSAValue,
    along: int,
    *,
    left: bool,
) -> list[SSAValue]:
    """The product of each group of joined values with what it meets of the other factor."""
    numbers = op.dot_dimension_numbers

    def emit(new: Operation) -> SSAValue:
        return _insert(new, op)

    parts: list[SSAValue] = []
    start = 0
    for group in groups:
        size = sum(shape_of(value)[dimension] for value in group)
        starts, limits = [0] * len(shape_of(other)), list(shape_of(other))
        starts[along], limits[along] = start, start + size
        start += size
        cut = emit(stablehlo.SliceOp(other, starts, limits, [1] * len(starts)))
        whole = group[0] if len(group) == 1 else emit(stablehlo.ConcatenateOp(group, dimension))
        parts.append(
            dot(
                op,
                whole if left else cut,
                cut if left else whole,
                list(numbers.lhs_batching_dimensions.data),
                list(numbers.rhs_batching_dimensions.data),
                list(numbers.lhs_contracting_dimensions.data),
                list(numbers.rhs_contracting_dimensions.data),
                emit,
            )
        )
    return parts


def _replace_by_sum(
    op: stablehlo.DotGeneralOp,
    early: list[SSAValue],
    late: list[SSAValue],
    body: Block,
    ready: set[SSAValue],
) -> None:
    """Put the sum of the parts in the place of a product, and of the sum it is a term of."""
    gone: list[Operation] = [op]
    total: Operation = op
    while (use := total.results[0].get_user_of_unique_use()) is not None:
        if not isinstance(use, stablehlo.AddOp) or use.parent is not body:
            break
        term = use.rhs if use.lhs is total.results[0] else use.lhs
        if _waits(term, body, ready):
            break
        early = [*early, term]
        total = use
        gone.append(use)
    sums: list[SSAValue] = []
    for terms in (early, late):
        value = terms[0]
        for term in terms[1:]:
            value = _insert(stablehlo.AddOp(value, term), total)
        sums.append(value)
    ready.add(sums[0])
    ready.update(early)
    result = _insert(stablehlo.AddOp(sums[0], sums[1]), total)
    result.name_hint = total.results[0].name_hint
    total.results[0].replace_all_uses_with(result)
    for old in reversed(gone):
        old.detach()
        old.erase()


def _insert(new: Operation, before: Operation) -> SSAValue:
    new.location = before.location
    block = before.parent
    assert block is not None
    block.insert_op_before(new, before)
    return new.results[0]
