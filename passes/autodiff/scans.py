"""The reverse of `dcf.scan`: a scan in the other direction, over rows of what the forward scan made.

Rows of the forward scan's inputs are read again, never saved. Other values of its body that the
backward code needs become more outputs of the forward scan, and inputs of the backward one; only what
a loop or branch nested in the body keeps goes on stacks, which both scans carry.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, UnrealizedConversionCastOp, i32, i64
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from ...dialects import dcf, stablehlo
from ...dialects.stablehlo.inference import shape_of, tensor_of
from .backward import Backward, Records, SavedRows
from .structures import STRUCTURES, captured_values, put_stacks, reverse_block, taken


def trips_of(scan: dcf.ScanOp) -> int | None:
    """The number of trips, if the program tells."""
    if scan.length is not None:
        return None
    if scan.static_length is not None:
        return scan.static_length.value.data
    return None if scan.rows == DYNAMIC_INDEX else scan.rows


class ScanBackward(Backward):
    """The backward code of a scan's body; it reads forward values from rows, not from stacks."""

    def __init__(self, records: Records, scan: dcf.ScanOp, block: Block, parent: Backward):
        super().__init__(records, scan.body.block, block, parent)
        self.scan = scan
        self.outer = parent
        self.trips = trips_of(scan)
        self.rows = scan.rows if self.trips is None else self.trips
        """The leading dimension of the backward scan's inputs; dynamic or None when not known."""
        self.inputs: dict[SSAValue, BlockArgument] = {}
        """Array -> its row, an argument of the block."""

    def row(self, array: SSAValue) -> BlockArgument:
        """The row, in this block, of an array of backward code."""
        known = self.inputs.get(array)
        if known is None:
            tensor = tensor_of(array)
            type = TensorType(tensor.element_type, tensor.get_shape()[1:], tensor.encoding)
            known = self.inputs[array] = self.block.insert_arg(type, len(self.block.args))
        return known

    def own_value(self, value: SSAValue, reader: Operation | None) -> SSAValue:
        position = self._input_position(value)
        if position is None or value in self.values:
            return super().own_value(value, reader)
        row = self.row(self.outer.value(self.scan.inputs[position], reader))
        row.name_hint = value.name_hint
        self.values[value] = row
        return row

    def is_at_hand(self, value: SSAValue) -> bool:
        position = self._input_position(value)
        if position is not None:
            return value in self.values or self.outer.is_at_hand(self.scan.inputs[position])
        return value in self.records.rows or super().is_at_hand(value)

    def _input_position(self, value: SSAValue) -> int | None:
        """Which input `value` is the row of, if it is one."""
        carries = len(self.scan.inits)
        if not isinstance(value, BlockArgument) or value.owner is not self.forward:
            return None
        return value.index - carries if value.index >= carries else None

    def _computed_again(self, value: SSAValue, reader: Operation | None) -> SSAValue | None:
        if value in self.records.rows:
            return None
        return super()._computed_again(value, reader)

    def _popped(self, value: SSAValue, reader: Operation | None) -> SSAValue:
        if not self._is_stackable(value):
            return super()._popped(value, reader)
        row = self.row(self.outer.value(self._stacked(value, reader), reader))
        row.name_hint = value.name_hint
        return row

    def _is_stackable(self, value: SSAValue) -> bool:
        """Whether an array can hold the value's rows."""
        if self.rows is None or self.rows == DYNAMIC_INDEX:
            return False
        return isinstance(value.type, TensorType) and min(shape_of(value), default=0) >= 0

    def _stacked(self, value: SSAValue, reader: Operation | None) -> SSAValue:
        """The forward scan's output that holds the value's rows."""
        carries = len(self.scan.inits)
        terminator = self.forward.last_op
        assert terminator is not None
        for yielded, output in zip(terminator.operands[carries:], self.scan.outputs[carries:]):
            if yielded is value:
                return output
        saved = self.records.rows.get(value)
        if saved is None:
            rows = self.trips if not self.scan.outs and self.trips is not None else self.scan.rows
            assert rows is not None
            tensor = tensor_of(value)
            type = TensorType(tensor.element_type, (rows, *tensor.get_shape()))
            stand_in = UnrealizedConversionCastOp.get([], [type])
            stand_in.location = self.scan.location
            block = self.scan.parent
            assert block is not None
            block.insert_op_after(stand_in, self.scan)
            saved = SavedRows(value, self.scan, reader, stand_in.results[0])
            self.records.rows[value] = saved
        return saved.stacked


def reverse_scan(backward: Backward, op: Operation) -> None:
    """A scan that starts at the row where the forward one ended."""
    assert isinstance(op, dcf.ScanOp)
    body, carries = op.body.block, len(op.inits)
    terminator = body.last_op
    assert isinstance(terminator, dcf.YieldOp)
    active = [k for k in range(carries) if backward.is_active(body.args[k])]
    seeds = [taken(backward, op.outputs[k]) for k in active]
    for result in op.outputs[:carries]:
        backward.take(result)
    outputs = [backward.take(result) for result in op.outputs[carries:]]
    _reverse_buffers(backward, op, outputs)
    captured = captured_values(backward, op.body)
    initial = [taken(backward, value) for value in captured]
    block = Block(arg_types=[value.type for value in (*seeds, *initial)])
    inner = ScanBackward(backward.records, op, block, backward)
    inner.emit.source = inner.prologue.source = op
    for k, argument in zip(active, block.args):
        inner.accumulate(terminator.operands[k], argument)
    for value, argument in zip(captured, block.args[len(seeds) :]):
        inner.accumulate(value, argument)
    for yielded, cotangent in zip(terminator.operands[carries:], outputs):
        if cotangent is not None and inner.is_active(yielded):
            inner.accumulate(yielded, inner.row(cotangent))
    reverse_block(inner, body)
    inner.emit.source = op
    following = [taken(inner, value) for value in (*(body.args[k] for k in active), *captured)]
    rows = {k: inner.take(argument) for k, argument in enumerate(body.args[carries:])}
    assert not inner.cotangents
    found = {k: row for k, row in rows.items() if row is not None}
    if not active and not captured and not found:
        return
    results = _emit_scan(backward, inner, [*seeds, *initial], following, found)
    for value, cotangent in zip((*(op.inits[k] for k in active), *captured), results):
        backward.accumulate(value, cotangent)
    for k, cotangent in zip(found, results[len(following) :]):
        backward.accumulate(op.inputs[k], _all_rows(backward, inner, op.inputs[k], cotangent))


def _reverse_buffers(
    backward: Backward, op: dcf.ScanOp, cotangents: Sequence[SSAValue | None]
) -> None:
    """Cotangents of the buffers outputs start from: those of the rows that no trip writes."""
    emit = backward.emit
    for buffer, cotangent in zip(op.outs, cotangents):
        if cotangent is None or not backward.is_active(buffer):
            continue
        trips = trips_of(op)
        tensor = tensor_of(cotangent)
        if op.length is not None:
            beyond = _is_beyond(backward, cotangent, backward.value(op.length, op))
            zeros = emit.zeros_like(cotangent)
            backward.accumulate(buffer, emit.select(beyond, cotangent, zeros))
        elif trips is not None and trips != tensor.get_shape()[0]:
            zeros = emit.constant(
                0, TensorType(tensor.element_type, (trips, *tensor.get_shape()[1:]))
            )
            backward.accumulate(buffer, _put_first(backward, cotangent, zeros))


def _is_beyond(backward: Backward, array: SSAValue, length: SSAValue) -> SSAValue:
    """Elementwise, whether a row's number is at least `length`."""
    emit, shape = backward.emit, shape_of(array)
    numbers = emit.value(stablehlo.IotaOp(0, TensorType(i64, shape)))
    return emit.compare("GE", numbers, emit.broadcast(emit.convert(length, i64), shape, []))


def _put_first(backward: Backward, array: SSAValue, rows: SSAValue) -> SSAValue:
    """`array` with its first rows replaced."""
    zero = backward.emit.constant(0, TensorType(i32, []))
    starts = [zero] * len(shape_of(array))
    return backward.emit.value(stablehlo.DynamicUpdateSliceOp(array, rows, starts))


def _all_rows(backward: Backward, inner: ScanBackward, array: SSAValue, rows: SSAValue) -> SSAValue:
    """Cotangents of the rows the scan read, as a cotangent of all rows."""
    if inner.trips is None or shape_of(array)[0] == inner.trips:
        return rows
    return _put_first(backward, backward.zero(array), rows)


def _emit_scan(
    backward: Backward,
    inner: ScanBackward,
    inits: Sequence[SSAValue],
    following: Sequence[SSAValue],
    found: dict[int, SSAValue],
) -> Sequence[SSAValue]:
    """Close the block and emit the scan: the final cotangents, then the inputs' rows' cotangents."""
    op = inner.scan
    buffers: list[SSAValue] = []
    length = backward.value(op.length, op) if op.length is not None else None
    if length is not None or inner.rows == DYNAMIC_INDEX:
        buffers = [backward.zero(op.inputs[k]) for k in found]
    if not inner.inputs and inner.rows == DYNAMIC_INDEX and length is None:
        inner.row(backward.value(op.inputs[0], op))  # it tells the number of trips
    arguments = list(inner.inputs.values())
    residuals = inner.finish(*following)
    end = inner.block.last_op
    assert isinstance(end, dcf.YieldOp)
    end.operands = [*end.operands, *found.values()]
    arrays = [_cut(backward, inner, array) for array in inner.inputs]
    stacks = [backward.stack(residual) for residual in residuals]
    all_inits = [*inits, *stacks]
    types = [value.type for value in all_inits]
    types += [
        buffers[k].type if buffers else _rows_type(inner, row)
        for k, row in enumerate(found.values())
    ]
    name = op.loop_name.data if op.loop_name is not None else "scan"
    scan = dcf.ScanOp(
        all_inits,
        arrays,
        types,
        Region(_reordered(inner.block, arguments)),
        outs=buffers,
        length=length,
        static_length=inner.trips if not arrays and length is None else None,
        reverse=op.reverse is None,
        loop_name=f"{name}.grad",
        parallel_iterations=op.window if op.parallel_iterations is not None else None,
    )
    backward.emit.emit(scan)
    put_stacks(backward, residuals, scan.outputs[len(inits) : len(all_inits)])
    return [*scan.outputs[: len(inits)], *scan.outputs[len(all_inits) :]]


def _rows_type(inner: ScanBackward, row: SSAValue) -> TensorType[Attribute]:
    tensor = tensor_of(row)
    assert inner.trips is not None
    return TensorType(tensor.element_type, (inner.trips, *tensor.get_shape()), tensor.encoding)


def _cut(backward: Backward, inner: ScanBackward, array: SSAValue) -> SSAValue:
    """The rows that the trips read, if the array has more."""
    shape = shape_of(array)
    if inner.trips is None or shape[0] == inner.trips:
        return array
    zeros, ones = [0] * len(shape), [1] * len(shape)
    limits = [inner.trips, *shape[1:]]
    return backward.emit.value(stablehlo.SliceOp(array, zeros, limits, ones))


def _reordered(block: Block, last: Sequence[BlockArgument]) -> Block:
    """The block with the arguments `last`, in this order, after all others."""
    first = [argument for argument in block.args if argument not in last]
    new = Block(arg_types=[argument.type for argument in (*first, *last)])
    for old, argument in zip((*first, *last), new.args):
        argument.name_hint = old.name_hint
        old.replace_all_uses_with(argument)
    for op in list(block.ops):
        op.detach()
        new.add_op(op)
    return new


STRUCTURES[dcf.ScanOp] = reverse_scan
