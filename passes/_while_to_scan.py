"""Replacing a counted loop by a scan, once a plan says what its carries become."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, StringAttr, TensorType, i32
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from ..dialects import stablehlo
from ..dialects.dcf import ScanOp, WhileOp, YieldOp
from ..dialects.plan.devices import copy_device, inherit_device
from ..dialects.stablehlo.inference import shape_of, tensor_of
from ._constants import integer_constant
from ._counted_loops import Access, Counter, integer_range, invariant
from ._effects import Effects
from ._slots import terminator_of
from .remove_dead_code import remove_dead_ops

OperationT = TypeVar("OperationT", bound=Operation)


@dataclass(frozen=True)
class Plan:
    """A loop, and what its carries and reads become in a scan."""

    loop: WhileOp
    counter: Counter
    writes: dict[int, Access]
    """Carries that become outputs, by position, with their writes."""
    reads: list[Access]
    """What becomes rows of inputs; the array is outside the loop, or one of the outputs' carries."""
    reverse: bool
    rows: int
    """How many trips the scan can make."""

    def plain_carries(self) -> list[int]:
        """The other carries, the counter aside, that change from trip to trip."""
        return [
            argument.index
            for argument in self.loop.body.block.args
            if argument.index != self.counter.position
            and argument.index not in self.writes
            and invariant(self.loop, argument) is argument
        ]


def replace_by_scan(plan: Plan, effects: Effects, *, counter_as_input: bool = False) -> ScanOp:
    """Put a scan, and the loop for the rest where there may be one, in the place of the loop.

    With `counter_as_input`, a counter that the body uses is an input (0, 1, 2, …), not a carry.
    """
    return _Replacement(plan, effects, counter_as_input).run()


class _Replacement:
    def __init__(self, plan: Plan, effects: Effects, counter_as_input: bool):
        self.plan = plan
        self.effects = effects
        self.loop = plan.loop
        self.counter_as_input = counter_as_input
        known = plan.counter.trips
        self.trips = None if known is None else min(known, plan.rows)
        """How many trips the scan makes, if known."""
        self.uniform = len({access.size for access in (*plan.writes.values(), *plan.reads)}) <= 1
        """Whether all arrays have the same number of rows, so that none has to be cut."""
        self.inputs: dict[tuple[SSAValue, int], tuple[SSAValue, BlockArgument]] = {}
        """Array and dimension -> the input of the scan, and the row in its body."""

    def run(self) -> ScanOp:
        loop, plan = self.loop, self.plan
        length = self._length()
        carries = [plan.counter.position, *plan.plain_carries()]
        body = Block(arg_types=[loop.body.block.args[k].type for k in carries])
        for k, argument in zip(carries, body.args):
            argument.name_hint = loop.body.block.args[k].name_hint
        self._fill(body, carries)
        remove_dead_ops(body, self.effects)
        self._simplify_counter(body, carries)
        whole = self.trips is not None and all(a.size == self.trips for a in plan.writes.values())
        buffers: list[SSAValue] = []
        if not whole:
            buffers = [self._rows_first(loop.inits[k], a.dimension) for k, a in plan.writes.items()]
        inputs = [array for array, _ in self.inputs.values()]
        bounds = {shape_of(array)[0] for array in (*inputs, *buffers)}
        end = body.last_op
        assert end is not None
        outputs = [
            TensorType(
                tensor_of(row).element_type,
                [plan.rows, *shape_of(row)],
            )
            for row in end.operands[len(carries) :]
        ]
        scan = ScanOp(
            [loop.inits[k] for k in carries],
            inputs,
            [*(loop.inits[k].type for k in carries), *outputs],
            Region(body),
            outs=buffers,
            length=length if self.trips is None else None,
            static_length=None if bounds == {self.trips} else self.trips,
            reverse=plan.reverse,
        )
        for name in ("loop_name", "parallel_iterations", "residual_policy"):
            if name in loop.properties:
                scan.properties[name] = loop.properties[name]
        scan.attributes.update(loop.attributes)
        self._before(scan)
        self._finish(scan, carries, length)
        if length.first_use is None and isinstance(length.owner, stablehlo.ConstantOp):
            length.owner.detach()
            length.owner.erase()
        return scan

    # The number of trips.

    def _length(self) -> SSAValue:
        """The number of trips as a value of the counter's type, for the scan and the rest."""
        limit = self.plan.counter.limit
        if self.trips is not None:
            return self._constant(self.trips, limit.type)
        limits = integer_range(limit.type)
        assert limits is not None
        length = limit
        if not self._is_bounded():
            most = self._constant(min(self.plan.rows, limits[1]), limit.type)
            length = self._before(stablehlo.MinimumOp(length, most)).result
        if limits[0] < 0:
            none = self._constant(0, limit.type)
            length = self._before(stablehlo.MaximumOp(length, none)).result
        return length

    def _is_bounded(self) -> bool:
        """Whether the loop surely makes no more trips than there are rows."""
        rows, limit = self.plan.rows, self.plan.counter.limit
        if self.plan.counter.trips is not None:
            return self.plan.counter.trips <= rows
        limits = integer_range(limit.type)
        assert limits is not None
        if limits[1] <= rows:
            return True
        bounds: Sequence[SSAValue] = ()
        op = limit.owner
        if isinstance(op, stablehlo.MinimumOp):
            bounds = (op.lhs, op.rhs)
        elif isinstance(op, stablehlo.ClampOp):
            bounds = (op.max,)
        known = [integer_constant(bound) for bound in bounds]
        return any(bound is not None and bound <= rows for bound in known)

    # The body.

    def _fill(self, body: Block, carries: Sequence[int]) -> None:
        """Make `body` a copy of the loop's, with rows in the place of reads and writes."""
        old, plan = self.loop.body.block, self.plan
        copies: dict[SSAValue, SSAValue] = {}
        for argument in old.args:
            copies[argument] = self.loop.inits[argument.index]
        copies.update((old.args[k], new) for k, new in zip(carries, body.args))
        for op in old.ops:
            if op is not old.last_op:
                body.add_op(op.clone(copies))
        old_end = terminator_of(self.loop.body)
        # It is there before reads are replaced, as it may yield what was read.
        end = YieldOp(*(copies.get(old_end.operands[k], old_end.operands[k]) for k in carries))
        end.location = old_end.location
        end.attributes.update(old_end.attributes)
        body.add_op(end)
        for access in plan.reads:
            array = access.array
            if array.owner is old:
                assert isinstance(array, BlockArgument)
                array = self.loop.inits[array.index]
            row = self._row(body, array, access)
            self._replace_read(copies[access.op.results[0]], row)
        rows: list[SSAValue] = []
        for access in plan.writes.values():
            written = copies[access.op.results[0]]
            copy = written.owner
            assert isinstance(copy, Operation)
            update = copy.updates[0] if isinstance(copy, stablehlo.ScatterOp) else copy.operands[1]
            rows.append(self._yielded_row(body, copy, update, access))
            copy.detach()
            copy.erase()
        end.operands = [*end.operands, *rows]

    def _row(self, body: Block, array: SSAValue, access: Access) -> BlockArgument:
        known = self.inputs.get((array, access.dimension))
        if known is None:
            prepared = self._rows_first(array, access.dimension)
            tensor = tensor_of(prepared)
            type = TensorType(tensor.element_type, tensor.get_shape()[1:], tensor.encoding)
            row = body.insert_arg(type, len(body.args))
            row.name_hint = access.op.results[0].name_hint
            known = self.inputs[array, access.dimension] = (prepared, row)
        return known[1]

    def _replace_read(self, slice: SSAValue, row: SSAValue) -> None:
        """The row in the place of a slice that holds it, and of a reshape of that slice to a row."""
        op = slice.owner
        assert isinstance(op, Operation)
        block = op.parent
        assert block is not None
        for use in list(slice.uses):
            user = use.operation
            if isinstance(user, stablehlo.ReshapeOp) and user.results[0].type == row.type:
                user.results[0].replace_all_uses_with(row)
                user.detach()
                user.erase()
        if slice.first_use is not None:
            tensor = tensor_of(slice)
            same = stablehlo.ReshapeOp(row, tensor)
            same.location = op.location
            copy_device(op, same)
            block.insert_op_before(same, op)
            slice.replace_all_uses_with(same.result)
        op.detach()
        op.erase()

    def _yielded_row(
        self, body: Block, write: Operation, update: SSAValue, access: Access
    ) -> SSAValue:
        tensor = tensor_of(update)
        shape = shape_of(access.array)
        d = access.dimension
        type = TensorType(tensor.element_type, (*shape[:d], *shape[d + 1 :]), tensor.encoding)
        if tensor == type:
            return update
        wrapper = update.owner
        if isinstance(wrapper, stablehlo.ReshapeOp) and wrapper.operand.type == type:
            return wrapper.operand
        if isinstance(wrapper, stablehlo.BroadcastInDimOp) and wrapper.operand.type == type:
            kept = tuple(k for k in range(len(shape)) if k != d)
            if tuple(wrapper.broadcast_dimensions.get_values()) == kept:
                return wrapper.operand
        row = stablehlo.ReshapeOp(update, type)
        row.location = write.location
        copy_device(write, row)
        body.insert_op_before(row, write)
        return row.result

    # The counter.

    def _simplify_counter(self, body: Block, carries: list[int]) -> None:
        """Drop a counter that only steps on; with `counter_as_input`, make a used one a row."""
        counter, end = body.args[0], body.last_op
        assert end is not None
        step = end.operands[0].owner
        assert isinstance(step, Operation)
        stepping = [use.operation is step for use in counter.uses]
        if not (step.results[0].has_one_use() and all(stepping)):
            if not self.counter_as_input or not step.results[0].has_one_use():
                return
            numbers = self._trip_numbers(counter.type)
            row = body.insert_arg(counter.type, len(body.args))
            row.name_hint = counter.name_hint
            self.inputs[numbers, 0] = (numbers, row)
            counter.replace_uses_with_if(row, lambda use: use.operation is not step)
        end.operands = end.operands[1:]
        step.detach()
        step.erase()
        body.erase_arg(counter)
        del carries[0]

    def _trip_numbers(self, type: Attribute) -> SSAValue:
        """0, 1, 2, … by row; downwards in reverse."""
        tensor = TensorType(tensor_of(type).element_type, [self.plan.rows])
        numbers = self._before(stablehlo.IotaOp(0, tensor)).results[0]
        if not self.plan.reverse:
            return numbers
        assert self.trips is not None
        last = self._constant(self.trips - 1, tensor)
        return self._before(stablehlo.SubtractOp(last, numbers)).result

    # Around the scan.

    def _rows_first(self, array: SSAValue, dimension: int) -> SSAValue:
        """The array with the dimension that has the rows in front, and with the scan's rows only."""
        shape = shape_of(array)
        if dimension:
            others = [k for k in range(len(shape)) if k != dimension]
            array = self._before(stablehlo.TransposeOp(array, [dimension, *others])).results[0]
        if self.uniform or shape[dimension] == self.plan.rows:
            return array
        shape = shape_of(array)
        limits = [self.plan.rows, *shape[1:]]
        zeros, ones = [0] * len(shape), [1] * len(shape)
        return self._before(stablehlo.SliceOp(array, zeros, limits, ones)).results[0]

    def _whole(self, access: Access, init: SSAValue, rows: SSAValue) -> SSAValue:
        """The carry's final value, from the rows that the scan gives."""
        shape, d = shape_of(init), access.dimension
        if shape_of(rows)[0] != shape[d]:
            array = init
            if d:
                others = [k for k in range(len(shape)) if k != d]
                array = self._before(stablehlo.TransposeOp(array, [d, *others])).results[0]
            zero = self._constant(0, TensorType(i32, []))
            starts = [zero] * len(shape)
            rows = self._before(stablehlo.DynamicUpdateSliceOp(array, rows, starts)).results[0]
        if not d:
            return rows
        back = [*range(1, d + 1), 0, *range(d + 1, len(shape))]
        return self._before(stablehlo.TransposeOp(rows, back)).results[0]

    def _finish(self, scan: ScanOp, carries: Sequence[int], length: SSAValue) -> None:
        """Pass the scan's results on: to the users of the loop's, or to the loop for the rest."""
        loop, plan = self.loop, self.plan
        final: dict[int, SSAValue] = {
            argument.index: loop.inits[argument.index] for argument in loop.body.block.args
        }
        final.update(zip(carries, scan.outputs))
        final[plan.counter.position] = length
        for (k, access), rows in zip(plan.writes.items(), scan.outputs[len(carries) :]):
            final[k] = self._whole(access, loop.inits[k], rows)
        if not self._is_bounded():
            loop.operands = [final[k] for k in range(len(loop.inits))]
            if loop.loop_name is not None:
                loop.loop_name = StringAttr(f"{loop.loop_name.data}.rest")
            return
        for k, result in enumerate(loop.outputs):
            if result.name_hint is not None and final[k].owner is scan:
                final[k].name_hint = result.name_hint
            result.replace_all_uses_with(final[k])
        loop.detach()
        loop.erase()

    def _constant(self, value: int, type: Attribute) -> SSAValue:
        dense = DenseIntOrFPElementsAttr.from_list(cast("TensorType[IntegerType]", type), [value])
        return self._before(stablehlo.ConstantOp(dense)).output

    def _before(self, op: OperationT) -> OperationT:
        op.location = self.loop.location
        inherit_device(self.loop, op)
        block = self.loop.parent
        assert block is not None
        block.insert_op_before(op, self.loop)
        return op
