"""Sums that a scan makes trip by trip, made after it from stacked values; and products it only yields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue

from ..dialects import stablehlo
from ..dialects.plan.devices import inherit_device
from ..dialects.stablehlo.inference import tensor_of
from ._batching import LINEAR, batch, can_batch, dot, is_static, is_sum
from ._constants import zero_of
from ._scan_parts import Carry, Output, ScanParts, sizes


def move_sums(parts: ScanParts) -> None:
    """Move what can be moved after the scan, and put the scan together again."""
    _Mover(parts).run()


@dataclass(eq=False)
class _Sum:
    """A carry that only adds up `addend`."""

    carry: Carry
    add: Operation
    addend: SSAValue


class _Mover:
    def __init__(self, parts: ScanParts):
        self.parts = parts
        self.arrays: dict[SSAValue, SSAValue] = {part.row: part.array for part in parts.inputs}
        """Row -> its array, before the scan."""

    def run(self) -> None:
        parts = self.parts
        sums = self._sums()
        products = self._products(sums)
        sinks = self._sinks()
        chains = [
            (part, chain)
            for part in sums
            if part not in products and (chain := self._chain(part.addend)) is not None
        ]
        for part in (*products, *(part for part, _ in chains)):
            parts.carries.remove(part.carry)
        moved = [op for part in products for op in (part.add, part.addend.owner)]
        moved += [op for part, chain in chains for op in (part.add, *chain)]
        moved += [output.row.owner for output in sinks]
        operands = {op: list(op.operands) for op in moved if isinstance(op, Operation)}
        for op in operands:
            op.detach()
            op.operands = []
        parts.rebuild()
        for output in parts.outputs:
            assert output.new is not None
            self.arrays.setdefault(output.row, output.new)
        for op, values in operands.items():
            op.operands = values
        for part in products:
            self._finish(part, self._contraction(part.addend))
        for part, chain in chains:
            self._finish(part, self._sum_of_rows(part, chain))
        for output in sinks:
            assert output.old is not None and isinstance(output.row.owner, Operation)
            output.old.replace_all_uses_with(self._batched(output.row.owner))
        for op in operands:
            op.operands = []
        parts.finish()

    # What can be moved.

    def _is_inside(self, value: SSAValue) -> bool:
        owner, body = value.owner, self.parts.body
        return owner is body or (isinstance(owner, Operation) and owner.parent is body)

    def _is_stacked(self, value: SSAValue) -> bool:
        return value in self.arrays or any(part.row is value for part in self.parts.outputs)

    def _sums(self) -> list[_Sum]:
        found: list[_Sum] = []
        for carry in self.parts.carries:
            add = carry.following.owner
            if not isinstance(add, stablehlo.AddOp) or add.parent is not self.parts.body:
                continue
            if carry.following.first_use is not None or not carry.argument.has_one_use():
                continue
            if self.parts.times_yielded(carry.following) != 1 or add.lhs is add.rhs:
                continue
            if self.parts.yields(carry.argument) or carry.argument not in (add.lhs, add.rhs):
                continue
            addend = add.rhs if add.lhs is carry.argument else add.lhs
            if self._is_inside(addend) and is_static(addend):
                found.append(_Sum(carry, add, addend))
        return found

    def _products(self, sums: list[_Sum]) -> list[_Sum]:
        """Those of products whose factors are stacked, or will be: what that costs is worth it."""
        able: list[tuple[_Sum, list[SSAValue]]] = []
        for part in sums:
            op = part.addend.owner
            if not isinstance(op, stablehlo.DotGeneralOp) or not self._is_only_use(part.addend):
                continue
            factors = [op.lhs, op.rhs]
            if all(self._is_inside(factor) and is_static(factor) for factor in factors):
                able.append((part, factors))
        chosen: list[_Sum] = []
        while True:
            before = len(chosen)
            for part, factors in able:
                if part in chosen:
                    continue
                missing = [f for f in dict.fromkeys(factors) if not self._is_stacked(f)]
                if sizes(missing) <= 2 * sizes([part.addend]):
                    chosen.append(part)
                    self.parts.outputs.extend(Output(factor) for factor in missing)
            if len(chosen) == before:
                return chosen

    def _is_only_use(self, value: SSAValue) -> bool:
        return value.has_one_use() and not self.parts.yields(value)

    def _chain(self, value: SSAValue) -> list[Operation] | None:
        """The linear ops that make `value` of a stacked one, last first; None if it is not made so."""
        chain: list[Operation] = []
        while not self._is_stacked(value):
            op = value.owner
            if not isinstance(op, LINEAR) or op.parent is not self.parts.body:
                return None
            if isinstance(op, stablehlo.ReduceOp) and (
                not is_sum(op) or self._is_inside(op.init_values[0])
            ):
                return None
            if not self._is_only_use(value) or not is_static(op.operands[0]):
                return None
            chain.append(op)
            value = op.operands[0]
        return chain

    def _sinks(self) -> list[Output]:
        """Outputs that are products of a stacked row and something of outside the scan."""
        found: list[Output] = []
        for output in list(self.parts.outputs):
            op, row = output.row.owner, output.row
            if output.old is None or not isinstance(op, stablehlo.DotGeneralOp):
                continue
            if op.parent is not self.parts.body or row.first_use is not None:
                continue
            if self.parts.times_yielded(row) != 1:
                continue
            is_row = [self._is_inside(operand) for operand in op.operands]
            if is_row.count(True) != 1 or not can_batch(op, is_row):
                continue
            factor = op.operands[is_row.index(True)]
            if not self._is_stacked(factor):
                if sizes([factor]) > sizes([row]):
                    continue
                self.parts.outputs.append(Output(factor))
            self.parts.outputs.remove(output)
            found.append(output)
        return found

    # What takes its place.

    def _finish(self, part: _Sum, total: SSAValue) -> None:
        if not _is_zero(part.carry.init):
            total = self._emit_for(part.add)(stablehlo.AddOp(part.carry.init, total))
        assert part.carry.old is not None
        total.name_hint = part.carry.old.name_hint
        part.carry.old.replace_all_uses_with(total)

    def _contraction(self, addend: SSAValue) -> SSAValue:
        op = addend.owner
        assert isinstance(op, stablehlo.DotGeneralOp)
        numbers = op.dot_dimension_numbers
        return dot(
            op,
            self.arrays[op.lhs],
            self.arrays[op.rhs],
            [d + 1 for d in numbers.lhs_batching_dimensions.data],
            [d + 1 for d in numbers.rhs_batching_dimensions.data],
            [0, *(d + 1 for d in numbers.lhs_contracting_dimensions.data)],
            [0, *(d + 1 for d in numbers.rhs_contracting_dimensions.data)],
            self._emit_for(op),
        )

    def _sum_of_rows(self, part: _Sum, chain: list[Operation]) -> SSAValue:
        source = chain[-1].operands[0] if chain else part.addend
        value = self.arrays[source]
        for op in reversed(chain):
            operands = [value, *op.operands[1:]]
            is_row = [True, *([False] * (len(operands) - 1))]
            value = batch(op, operands, is_row, self.parts.trips, self._emit_for(op))
        scalar = TensorType(tensor_of(value).element_type, [])
        zero = self.parts.before(stablehlo.ConstantOp(zero_of(scalar.element_type)))
        body = Block(arg_types=[scalar, scalar])
        total = stablehlo.AddOp(body.args[0], body.args[1])
        body.add_ops([total, stablehlo.ReturnOp(total.result)])
        return self._emit_for(part.add)(stablehlo.ReduceOp([value], [zero], [0], Region(body)))

    def _batched(self, op: Operation) -> SSAValue:
        is_row = [operand in self.arrays for operand in op.operands]
        operands = [self.arrays.get(operand, operand) for operand in op.operands]
        return batch(op, operands, is_row, self.parts.trips, self._emit_for(op))

    def _emit_for(self, op: Operation) -> Callable[[Operation], SSAValue]:
        """Inserts, where the scan is, what does for all rows what `op` does for one."""

        def emit(made: Operation) -> SSAValue:
            inherit_device(op, made)
            return self.parts.before(made)

        return emit


def _is_zero(value: SSAValue) -> bool:
    op = value.owner
    if isinstance(op, stablehlo.BroadcastInDimOp):
        op = op.operand.owner
    if not isinstance(op, stablehlo.ConstantOp):
        return False
    dense = op.value
    return isinstance(dense, DenseIntOrFPElementsAttr) and not any(dense.data.data)
