"""`remove-unused-carries`: drops carries, results, scan inputs and outputs that nothing needs.

Runs after `forward-invariant-carries`. What is dropped here costs nothing per trip, and no
gradient has to look at it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator

from ..dialects.dcf import CaseOp, CondOp, ScanOp, WhileOp
from ._effects import Effects
from ._slots import (
    functions_in,
    keep_carries,
    keep_outputs,
    keep_scan_slots,
    terminator_of,
    trim_yields,
)
from ._types import shape_of


@dataclass(frozen=True)
class RemoveUnusedCarriesPass(ModulePass):
    """Removes carries that serve only to compute themselves or each other.

    So it also removes unused results of `dcf.cond` and `dcf.case`, and unused outputs and
    inputs of `dcf.scan` (an input stays if nothing else tells the number of trips). The ops
    that computed what is dropped go too, whole loops included. Liveness starts from function
    results and ops with effects, and is found over all nests at once: a value is live if
    something live needs it.
    """

    name = "remove-unused-carries"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        effects = Effects(op)
        for function in functions_in(op):
            liveness = _Liveness(effects)
            liveness.run(function)
            for block in reversed(function.body.blocks):
                _sweep(block, liveness)


@dataclass
class _Liveness:
    effects: Effects
    values: set[SSAValue] = field(default_factory=set[SSAValue])
    ops: set[Operation] = field(default_factory=set[Operation])
    pending: list[SSAValue] = field(default_factory=list[SSAValue])

    def run(self, function: FuncOp) -> None:
        self._mark_roots(function.body)
        while self.pending:
            self._propagate(self.pending.pop())

    def _mark_roots(self, region: Region) -> None:
        for block in region.blocks:
            for op in block.ops:
                if isinstance(op, WhileOp | ScanOp | CondOp | CaseOp):
                    if self.effects.of(op):
                        self._mark_op(op)
                        for nested in op.regions:
                            self._mark_roots(nested)
                elif self.effects.of(op) or _is_final(op):
                    self._mark_op(op)

    def _mark(self, value: SSAValue) -> None:
        if value not in self.values:
            self.values.add(value)
            self.pending.append(value)

    def _mark_op(self, op: Operation) -> None:
        """`op` runs: what decides how it runs is needed, but not yet what any one slot needs."""
        if op in self.ops:
            return
        self.ops.add(op)
        if isinstance(op, WhileOp):
            self._mark(terminator_of(op.condition).operands[0])
        elif isinstance(op, CondOp):
            self._mark(op.predicate)
        elif isinstance(op, CaseOp):
            self._mark(op.index)
        elif isinstance(op, ScanOp):
            if op.length is not None:
                self._mark(op.length)
            elif _static_length(op) is None and op.inputs:
                self._mark(op.body.block.args[len(op.inits)])
        else:
            for nested in op.walk():
                self.ops.add(nested)
                for operand in nested.operands:
                    self._mark(operand)

    def _propagate(self, value: SSAValue) -> None:
        if isinstance(value, OpResult):
            self._propagate_slot(value.owner, value.index)
        elif isinstance(value, BlockArgument):
            parent = value.owner.parent_op()
            if isinstance(parent, WhileOp):
                self._propagate_slot(parent, value.index)
            elif isinstance(parent, ScanOp):
                inputs = value.index - len(parent.inits)
                if inputs < 0:
                    self._propagate_slot(parent, value.index)
                else:
                    self._mark_op(parent)
                    self._mark(parent.inputs[inputs])

    def _propagate_slot(self, op: Operation, index: int) -> None:
        """Result `index` of `op`, or the carry behind it, is needed."""
        self._mark_op(op)
        if isinstance(op, WhileOp):
            self._mark(op.results[index])
            self._mark(op.inits[index])
            self._mark(terminator_of(op.body).operands[index])
        elif isinstance(op, ScanOp):
            self._mark(op.results[index])
            self._mark(terminator_of(op.body).operands[index])
            carries = len(op.inits)
            if index < carries:
                self._mark(op.inits[index])
            elif op.outs:
                self._mark(op.outs[index - carries])
        elif isinstance(op, CondOp | CaseOp):
            for region in op.regions:
                self._mark(terminator_of(region).operands[index])


def _is_final(op: Operation) -> bool:
    return op.has_trait(IsTerminator) and isinstance(op.parent_op(), FuncOp)


def _sweep(block: Block, liveness: _Liveness) -> None:
    """Erases what is not live in `block`, users before what they use."""
    op = block.last_op
    while op is not None:
        before = op.prev_op
        if isinstance(op, WhileOp | ScanOp | CondOp | CaseOp) and op in liveness.ops:
            _sweep_structured(op, liveness)
        elif op not in liveness.ops and not op.has_trait(IsTerminator):
            block.erase_op(op)
        op = before


def _sweep_structured(op: WhileOp | ScanOp | CondOp | CaseOp, liveness: _Liveness) -> None:
    keep = [result in liveness.values for result in op.results]
    if not all(keep):
        trim_yields(op, keep)
    for region in op.regions:
        _sweep(region.block, liveness)
    if isinstance(op, ScanOp):
        carries = len(op.inits)
        inputs = [argument in liveness.values for argument in op.body.block.args[carries:]]
        if not all(keep) or not all(inputs):
            length = _static_length(op)
            if op.length is None and not any(inputs) and length is not None:
                op.static_length = IntegerAttr(length, i64)
            keep_scan_slots(op, keep[:carries], inputs, keep[carries:])
    elif all(keep):
        return
    elif isinstance(op, WhileOp):
        keep_carries(op, keep)
    else:
        keep_outputs(op, keep)


def _static_length(op: ScanOp) -> int | None:
    """The number of trips of a scan without the operand `length`, if it is known."""
    if op.static_length is not None:
        return op.static_length.value.data
    for value in op.inputs:
        shape = shape_of(value.type)
        if shape and shape[0] != DYNAMIC_INDEX:
            return shape[0]
    return None
