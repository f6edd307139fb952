"""`expand-scan`: from counted loops to `dcf.while`, slices and updates.

Late in the pipeline: gradients and other passes want `dcf.scan` whole, while the dataflow level
knows only loops with a condition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    Signedness,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ..dialects import stablehlo
from ..dialects.dcf import ConditionOp, ScanOp, WhileOp, YieldOp
from ..dialects.diagnostics import ProgramError
from ..dialects.plan.devices import inherit_device
from ._constants import zero_of
from ._slots import terminator_of
from ._types import as_tensor, shape_of

OperationT = TypeVar("OperationT", bound=Operation)

_LARGEST_I32 = 2**31 - 1


@dataclass(frozen=True)
class ExpandScanPass(ModulePass):
    """Replaces every `dcf.scan` by a `dcf.while` that counts its trips.

    Each trip takes row i of the inputs (`dynamic_slice`, then `reshape`) and puts its rows into the
    outputs (`dynamic_update_slice`), which start from `outs` or else from zeros; `reverse` takes
    row n - 1 - i. The counter is an `i32`, an `i64` if the number of trips needs it, or has the
    type of the operand `length`. A scan of a known length of zero becomes its initial values.
    The name, the window and the residual policy stay; with a run-time length the number of rows
    becomes the `trip_bound`.

    Rows must have static shapes, and an output without a buffer needs a static number of rows.
    """

    name = "expand-scan"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for nested in reversed(list(op.walk())):  # a scan of no trips goes with those in it
            if isinstance(nested, ScanOp):
                expand_scan(nested)


def expand_scan(scan: ScanOp) -> None:
    """Replace one scan."""
    _Expansion(scan).run()


class _Expansion:
    """The replacement of one scan."""

    def __init__(self, scan: ScanOp):
        self.scan = scan
        self.carries = len(scan.inits)
        self.row_types = terminator_of(scan.body).operand_types[self.carries :]
        rows = {_rows_of(value, scan) for value in (*scan.inputs, *scan.outs)} - {DYNAMIC_INDEX}
        self.rows = min(rows) if rows else None
        """The static leading dimension of inputs and buffers, if known."""
        self.trips: int | None = None
        """The number of trips, if known."""
        if scan.length is None:
            given = scan.static_length
            self.trips = given.value.data if given is not None else self.rows
        elif self.rows == 0:
            self.trips = 0

    def run(self) -> None:
        scan = self.scan
        buffers = self._buffers()
        if self.trips == 0:
            self._replace_with([*scan.inits, *buffers])
            return
        length = self._length()
        zero = self._before(stablehlo.ConstantOp(_scalar(0, length.type)))
        one = self._before(stablehlo.ConstantOp(_scalar(1, length.type)))
        last = self._before(stablehlo.SubtractOp(length, one)) if scan.reverse is not None else None

        inits = [zero.output, *scan.inits, *buffers]
        condition = self._condition([value.type for value in inits], length)
        body = scan.detach_region(scan.body)
        self._rewrite_body(body.block, one.output, zero.output, last)
        loop = WhileOp(inits, condition, body)
        for name in ("loop_name", "parallel_iterations", "residual_policy"):
            if name in scan.properties:
                loop.properties[name] = scan.properties[name]
        if scan.length is not None and self.rows is not None:
            loop.trip_bound = IntegerAttr(self.rows, i64)
        loop.attributes.update(scan.attributes)
        self._before(loop)
        loop.results[0].name_hint = "trips"
        self._replace_with(loop.results[1:])

    def _buffers(self) -> list[SSAValue]:
        """What the outputs start from."""
        scan = self.scan
        if scan.outs:
            return list(scan.outs)
        buffers: list[SSAValue] = []
        for number, row in enumerate(self.row_types):
            if self.trips is None:
                raise ProgramError(
                    f"expected a buffer (outs) or a static length for output {number} of the scan, "
                    "got neither",
                    scan,
                )
            row = self._static_row(row, f"output {number}")
            shape = (self.trips, *row.get_shape())
            fill = self._before(stablehlo.ConstantOp(zero_of(row.element_type)))
            result = TensorType(row.element_type, shape)
            buffers.append(self._before(stablehlo.BroadcastInDimOp(fill, [], result)).result)
        return buffers

    def _length(self) -> SSAValue:
        """The number of trips, as a scalar of the counter's type."""
        if self.scan.length is not None:
            return self.scan.length
        if self.trips is not None:
            counter = i32 if self.trips <= _LARGEST_I32 else i64
            constant = stablehlo.ConstantOp(_scalar(self.trips, TensorType(counter, [])))
            return self._before(constant).output
        if not self.scan.inputs:
            raise ProgramError("expected a scan with inputs or a length, got neither", self.scan)
        size = stablehlo.GetDimensionSizeOp.create(
            operands=[self.scan.inputs[0]],
            result_types=[TensorType(i32, [])],
            properties={"dimension": IntegerAttr(0, i64)},
        )
        return self._before(size).results[0]

    def _condition(self, carried: Sequence[Attribute], length: SSAValue) -> Region:
        block = Block(arg_types=carried)
        counter = block.args[0]
        counter.name_hint = "i"
        kind = "UNSIGNED" if _is_unsigned(length.type) else "SIGNED"
        more = stablehlo.CompareOp(counter, length, "LT", kind)
        block.add_ops([self._located(more), self._located(ConditionOp(more.result))])
        return Region(block)

    def _rewrite_body(
        self, body: Block, one: SSAValue, zero: SSAValue, last: Operation | None
    ) -> None:
        """Makes the scan's body that of the loop: rows in, rows out, the counter carried."""
        scan = self.scan
        end = body.last_op
        first = body.first_op
        assert end is not None and first is not None
        start: list[Operation] = []
        counter = body.insert_arg(zero.type, 0)
        counter.name_hint = "i"
        index: SSAValue = counter
        if last is not None:
            from_end = stablehlo.SubtractOp(last, counter)
            start.append(from_end)
            index = from_end.result

        slices = list(body.args[1 + self.carries :])
        for number, (source, slice) in enumerate(zip(scan.inputs, slices)):
            row = self._static_row(slice.type, f"input {number}")
            shape = row.get_shape()
            taken = stablehlo.DynamicSliceOp.create(
                operands=[source, index, *[zero] * len(shape)],
                result_types=[TensorType(row.element_type, (1, *shape))],
                properties={"slice_sizes": DenseArrayBase.from_list(i64, (1, *shape))},
            )
            value = stablehlo.ReshapeOp(taken.results[0], row)
            start += [taken, value]
            value.result.name_hint = slice.name_hint
            slice.replace_all_uses_with(value.result)
        for slice in reversed(slices):
            body.erase_arg(slice)

        finish: list[Operation] = []
        following = stablehlo.AddOp(counter, one)
        yields: list[SSAValue] = [following.result, *end.operands[: self.carries]]
        rows = end.operands[self.carries :]
        for number, (row_value, result) in enumerate(zip(rows, scan.results[self.carries :])):
            row = self._static_row(row_value.type, f"output {number}")
            shape = row.get_shape()
            buffer = body.insert_arg(result.type, len(body.args))
            update = stablehlo.ReshapeOp(row_value, TensorType(row.element_type, (1, *shape)))
            written = stablehlo.DynamicUpdateSliceOp.create(
                operands=[buffer, update.result, index, *[zero] * len(shape)],
                result_types=[buffer.type],
            )
            finish += [update, written]
            yields.append(written.results[0])
        for op in start:
            body.insert_op_before(self._located(op), first)
        for op in (*finish, following):
            body.insert_op_before(self._located(op), end)
        new_end = YieldOp(*yields)
        new_end.location = end.location
        new_end.attributes.update(end.attributes)
        body.erase_op(end)
        body.add_op(new_end)

    def _static_row(self, type: Attribute, what: str) -> TensorType[Attribute]:
        row = as_tensor(type)
        if row is None or DYNAMIC_INDEX in row.get_shape():
            raise ProgramError(
                f"expected rows of static shape for {what} of the scan, got {type}", self.scan
            )
        return row

    def _located(self, op: OperationT) -> OperationT:
        op.location = self.scan.location
        inherit_device(self.scan, op)
        return op

    def _before(self, op: OperationT) -> OperationT:
        block = self.scan.parent
        assert block is not None
        block.insert_op_before(self._located(op), self.scan)
        return op

    def _replace_with(self, values: Sequence[SSAValue]) -> None:
        for result, value in zip(self.scan.results, values, strict=True):
            if result.name_hint is not None and isinstance(value.owner, WhileOp):
                value.name_hint = result.name_hint
            result.replace_all_uses_with(value)
        self.scan.detach()
        self.scan.erase()


def _rows_of(value: SSAValue, scan: ScanOp) -> int:
    shape = shape_of(value.type)
    if not shape:
        raise ProgramError(
            f"expected a tensor with a leading dimension to scan, got {value.type}", scan
        )
    return shape[0]


def _scalar(value: int, type: Attribute) -> DenseIntOrFPElementsAttr:
    assert isinstance(type, TensorType)
    return DenseIntOrFPElementsAttr.from_list(cast("TensorType[IntegerType]", type), [value])


def _is_unsigned(type: Attribute) -> bool:
    tensor = as_tensor(type)
    if tensor is None or not isinstance(tensor.element_type, IntegerType):
        return False
    return cast(IntegerType, tensor.element_type).signedness.data == Signedness.UNSIGNED
