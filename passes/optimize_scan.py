"""`optimize-scan`: less work per trip, more in one large op before or after the scan.

Runs after `dcf-gradient`, whose scans add up a weight's gradient trip by trip, and before
`expand-scan`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects import stablehlo
from ..dialects.dcf import ScanOp
from ._batching import batch, can_batch
from ._effects import Effects
from ._scan_parts import ScanParts
from ._scan_sums import move_sums
from .remove_dead_code import remove_dead_ops


@dataclass(frozen=True)
class OptimizeScanPass(ModulePass):
    """Moves work out of the trips of a `dcf.scan` of known length.

    What depends on nothing of the trip goes before the scan. So does what depends only on rows of its
    inputs, done for all rows at once: every product of a row with an invariant, what leads to it,
    and other ops where that leaves no more rows to pass in. A carry that adds up products of values
    of the trip (`acc + dot_general(a, b)`, a weight's gradient) becomes one contraction of stacked
    values after the scan, as long as stacking them is no more than twice the work of adding;
    sums of rows that are stacked anyway become one sum, and an output that is a product of such a row
    with an invariant one product. Sums are added in another order. A scan of run-time length keeps its
    work, which costs what its trips cost.
    """

    name = "optimize-scan"
    exactness: ClassVar[str] = "reassociates"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        effects = Effects(op)
        # Inner scans first: what leaves them may leave the outer one.
        for scan in reversed([nested for nested in op.walk() if isinstance(nested, ScanOp)]):
            remove_dead_ops(scan.body.block, effects)
            _move_invariants(scan, effects)
            parts = ScanParts.of(scan)
            if parts is not None:
                _hoist_rows(parts)
                move_sums(parts)


def _move_invariants(scan: ScanOp, effects: Effects) -> None:
    """Move what is the same in every trip before the scan."""
    body, block = scan.body.block, scan.parent
    assert block is not None
    for op in list(body.ops):
        if not op.name.startswith("stablehlo.") or op.name == "stablehlo.rng" or op.regions:
            continue
        if effects.of(op) or any(_is_inside(operand, body) for operand in op.operands):
            continue
        op.detach()
        block.insert_op_before(op, scan)


def _is_inside(value: SSAValue, body: Block) -> bool:
    owner = value.owner
    return owner is body or (isinstance(owner, Operation) and owner.parent is body)


def _hoist_rows(parts: ScanParts) -> None:
    """Do before the scan what depends on rows of its inputs only."""
    body = parts.body
    chosen = _choose(parts)
    arrays: dict[SSAValue, SSAValue] = {part.row: part.array for part in parts.inputs}
    for op in chosen:
        is_row = [operand in arrays for operand in op.operands]
        operands = [arrays.get(operand, operand) for operand in op.operands]
        arrays[op.results[0]] = batch(op, operands, is_row, parts.trips, parts.before)
    for output in [part for part in parts.outputs if part.row in arrays]:
        assert output.old is not None
        output.old.replace_all_uses_with(arrays[output.row])
        parts.outputs.remove(output)
    for op in chosen:
        result = op.results[0]
        if parts.yields(result) or any(_top(u.operation, body) not in chosen for u in result.uses):
            parts.add_input(arrays[result], result)
    for op in reversed(chosen):
        op.detach()
        op.erase()


def _choose(parts: ScanParts) -> list[Operation]:
    """The ops to do for all rows at once, in order."""
    rows: set[SSAValue] = {part.row for part in parts.inputs}
    body = parts.body
    able: dict[Operation, None] = {}
    for op in body.ops:
        is_row = [operand in rows for operand in op.operands]
        invariant = [not _is_inside(operand, body) for operand in op.operands]
        if any(is_row) and all(a or b for a, b in zip(is_row, invariant)) and can_batch(op, is_row):
            able[op] = None
            rows.add(op.results[0])
    needed: set[Operation] = set()
    for op in reversed(list(able)):
        is_product = isinstance(op, stablehlo.DotGeneralOp)
        if is_product or any(use.operation in needed for use in op.results[0].uses):
            needed.add(op)
    for op in able:
        if op not in needed and _saves_a_row(op, needed, rows, parts):
            needed.add(op)
    return [op for op in able if op in needed]


def _saves_a_row(
    op: Operation, hoisted: set[Operation], rows: set[SSAValue], parts: ScanParts
) -> bool:
    """Whether hoisting `op` too means that a row less has to be passed in, for the one it makes."""
    known = {part.row for part in parts.inputs}
    operands = [operand for operand in op.operands if operand in rows]
    if not all(operand in known or operand.owner in hoisted for operand in operands):
        return False
    return any(
        not parts.yields(operand)
        and all(use.operation is op or use.operation in hoisted for use in operand.uses)
        for operand in operands
    )


def _top(op: Operation, body: Block) -> Operation:
    """The op of `body` that is or holds `op`."""
    while op.parent is not body:
        parent = op.parent_op()
        assert parent is not None
        op = parent
    return op
