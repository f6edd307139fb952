"""Makes forward code keep what backward code reads: trip counts, and stacks of residuals.

A stack is made before the outermost loop or branch around its value, threaded through all of them, and
pushed once per run of the block that makes the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import dcf
from ...dialects.plan.devices import copy_device
from .backward import Records, Residual, SavedRows
from .emitter import Emitter

COUNT = TensorType(i32, [])
Structured = dcf.WhileOp | dcf.CondOp | dcf.CaseOp | dcf.ScanOp
Stacks = dict[Residual, SSAValue]
OperationT = TypeVar("OperationT", bound=Operation)


def augment(records: Records) -> None:
    """Rewrite the loops and branches of `records.top`; stand-ins become real values."""
    _Augmenter(records).run()


class _Augmenter:
    def __init__(self, records: Records):
        self.records = records
        self.pushes: dict[Block, list[tuple[Residual, dcf.StackPushOp]]] = {}
        self.inside: dict[Operation, list[Residual]] = {}
        self.rows: dict[Operation, list[SavedRows]] = {}

    def run(self) -> None:
        for saved in self.records.rows.values():
            self._yield_row(saved)
        for residual in self.records.residuals.values():
            self._place_push(residual)
        self._block(self.records.top, {})

    def _yield_row(self, saved: SavedRows) -> None:
        terminator = saved.scan.body.block.last_op
        assert isinstance(terminator, dcf.YieldOp)
        _extend_yield(terminator, [saved.value])
        self.rows.setdefault(saved.scan, []).append(saved)

    def _place_push(self, residual: Residual) -> None:
        push = dcf.StackPushOp(residual.final.stack, residual.value)
        if isinstance(owner := residual.value.owner, Operation):
            push.location = owner.location
            if not owner.regions:
                copy_device(owner, push)
        elif residual.reader is not None:
            push.location = residual.reader.location
        terminator = residual.block.last_op
        assert terminator is not None
        residual.block.insert_op_before(push, terminator)
        self.pushes.setdefault(residual.block, []).append((residual, push))
        op = residual.block.parent_op()
        while isinstance(op, Structured):
            self.inside.setdefault(op, []).append(residual)
            op = op.parent_op()

    def _block(self, block: Block, stacks: Stacks) -> None:
        """Thread stacks through the structured ops of a block; `stacks` holds those that enter it."""
        top = block is self.records.top
        for op in list(block.ops):
            if not isinstance(op, Structured):
                continue
            residuals = self.inside.get(op, [])
            counted = op in self.records.counts
            if not residuals and not counted and op not in self.rows:
                continue
            if top:
                for residual in residuals:
                    new = residual.final.clone()
                    new.location = op.location
                    block.insert_op_before(new, op)
                    stacks[residual] = new.stack
            if isinstance(op, dcf.WhileOp):
                made = self._while(op, residuals, stacks, counted)
                results = made.results[len(made.results) - len(residuals) :]
            elif isinstance(op, dcf.ScanOp):
                results = self._scan(op, residuals, stacks)
            else:
                made = self._branches(op, residuals, stacks)
                results = made.results[len(made.results) - len(residuals) :]
            for residual, result in zip(residuals, results):
                stacks[residual] = result
                if top:
                    residual.final.stack.replace_all_uses_with(result)
        for residual, push in self.pushes.get(block, ()):
            push.operands[0] = stacks[residual]
            stacks[residual] = push.result

    def _while(
        self, op: dcf.WhileOp, residuals: Sequence[Residual], stacks: Stacks, counted: bool
    ) -> dcf.WhileOp:
        old = len(op.outputs)
        stand_in = self.records.counts.get(op)
        inits: list[SSAValue] = list(op.inits)
        before = Block()
        emitter = Emitter(before)
        emitter.source = op
        if counted:
            inits.append(emitter.constant(0, COUNT))
        inits.extend(stacks[residual] for residual in residuals)
        parent = op.parent_block()
        assert parent is not None
        _move_before(before, parent, op)
        condition, body = op.detach_region(0), op.detach_region(0)
        for value in inits[old:]:
            condition.block.insert_arg(value.type, len(condition.block.args))
            body.block.insert_arg(value.type, len(body.block.args))
        inner: Stacks = dict(zip(residuals, body.block.args[len(inits) - len(residuals) :]))
        self._block(body.block, inner)
        extra: list[SSAValue] = []
        terminator = body.block.last_op
        assert isinstance(terminator, dcf.YieldOp)
        if counted:
            step = Block()
            emitter = Emitter(step)
            emitter.source = op
            one = emitter.constant(1, COUNT)
            extra.append(_binary_add(emitter, body.block.args[old], one))
            _move_before(step, body.block, terminator)
        extra.extend(inner[residual] for residual in residuals)
        _extend_yield(terminator, extra)
        made = _replace(op, dcf.WhileOp(inits, condition, body))
        if stand_in is not None:
            _replace_stand_in(stand_in, made.results[old])
        return made

    def _scan(
        self, op: dcf.ScanOp, residuals: Sequence[Residual], stacks: Stacks
    ) -> Sequence[SSAValue]:
        """Stacks as more carries, saved rows as more outputs; the stacks as they leave."""
        carries = len(op.inits)
        saved = self.rows.get(op, [])
        body = op.detach_region(op.body)
        for k, residual in enumerate(residuals):
            body.block.insert_arg(residual.final.stack.type, carries + k)
        inner: Stacks = dict(zip(residuals, body.block.args[carries:]))
        self._block(body.block, inner)
        terminator = body.block.last_op
        assert isinstance(terminator, dcf.YieldOp)
        values = list(terminator.operands)
        leaving = [inner[residual] for residual in residuals]
        terminator.operands = [*values[:carries], *leaving, *values[carries:]]
        types = list(op.result_types)
        types[carries:carries] = [residual.final.stack.type for residual in residuals]
        outs = [*op.outs]
        if op.outs or op.length is not None:
            before = Block()
            emitter = Emitter(before)
            emitter.source = op
            outs.extend(emitter.constant(0, rows.stacked.type) for rows in saved)
            parent = op.parent_block()
            assert parent is not None
            _move_before(before, parent, op)
        made = dcf.ScanOp(
            [*op.inits, *(stacks[residual] for residual in residuals)],
            op.inputs,
            [*types, *(rows.stacked.type for rows in saved)],
            body,
            outs=outs,
            length=op.length,
        )
        old = len(op.results) + len(residuals)
        final = made.results[carries : carries + len(residuals)]
        kept = [*made.results[:carries], *made.results[carries + len(residuals) : old]]
        for rows, result in zip(saved, made.results[old:]):
            _replace_stand_in(rows.stacked, result)
        _replace(op, made, kept)
        return final

    def _branches(
        self, op: dcf.CondOp | dcf.CaseOp, residuals: Sequence[Residual], stacks: Stacks
    ) -> Operation:
        types = [*op.result_types, *(residual.final.stack.type for residual in residuals)]
        selector = op.operands[0]
        regions: list[Region] = [op.detach_region(0) for _ in range(len(op.regions))]
        for region in regions:
            inner = {residual: stacks[residual] for residual in residuals}
            self._block(region.block, inner)
            terminator = region.block.last_op
            assert isinstance(terminator, dcf.YieldOp)
            _extend_yield(terminator, [inner[residual] for residual in residuals])
        if isinstance(op, dcf.CondOp):
            return _replace(op, dcf.CondOp(selector, types, regions[0], regions[1]))
        return _replace(op, dcf.CaseOp(selector, types, regions))


def _binary_add(emitter: Emitter, a: SSAValue, b: SSAValue) -> SSAValue:
    total = emitter.add(a, b)
    assert total is not None
    return total


def _move_before(block: Block, target: Block, op: Operation) -> None:
    for moved in list(block.ops):
        moved.detach()
        target.insert_op_before(moved, op)


def _extend_yield(terminator: dcf.YieldOp, extra: Iterable[SSAValue]) -> None:
    terminator.operands = [*terminator.operands, *extra]


def _replace_stand_in(stand_in: SSAValue, result: SSAValue) -> None:
    stand_in.replace_all_uses_with(result)
    owner = stand_in.owner
    assert isinstance(owner, Operation)
    owner.detach()
    owner.erase()


def _replace(
    old: Operation, new: OperationT, results: Sequence[SSAValue] | None = None
) -> OperationT:
    """Put `new`, which has more results, in the place of `old`; `results` are the old ones' heirs."""
    for name, value in old.properties.items():
        new.properties.setdefault(name, value)
    new.attributes.update(old.attributes)
    new.location = old.location
    block = old.parent_block()
    assert block is not None
    block.insert_op_before(new, old)
    for result, replacement in zip(old.results, results or new.results):
        replacement.name_hint = result.name_hint
        result.replace_all_uses_with(replacement)
    old.detach()
    old.erase()
    return new
