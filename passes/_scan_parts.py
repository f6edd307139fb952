"""A scan taken apart, so that a pass can add, drop and replace its parts, and put it together again.

A scan of known length has as many rows in each array: buffers have no rows that stay, so they go.
One of run-time length keeps its buffers, and gets no outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..dialects.dcf import ScanOp, YieldOp
from ..dialects.plan.devices import inherit_device
from ..dialects.stablehlo.inference import shape_of, tensor_of
from ._slots import terminator_of


@dataclass(eq=False)
class Carry:
    init: SSAValue
    argument: SSAValue
    following: SSAValue
    old: SSAValue | None = None
    """The result of the scan as it was; None for a new carry."""
    new: SSAValue | None = None
    """The result of the scan put together again."""


@dataclass(eq=False)
class Input:
    array: SSAValue
    row: SSAValue


@dataclass(eq=False)
class Output:
    row: SSAValue
    old: SSAValue | None = None
    """The result of the scan as it was; None for a new output."""
    new: SSAValue | None = None
    """The result of the scan put together again."""
    buffer: SSAValue | None = None
    """What it starts from, in a scan of run-time length."""


def trips_of(scan: ScanOp) -> int | None:
    """The number of trips if it is known, at least one, and that of the rows of each array."""
    trips = scan.rows if scan.static_length is None else scan.static_length.value.data
    if scan.length is not None or trips is None or trips == DYNAMIC_INDEX or trips < 1:
        return None
    if any(shape_of(value)[0] != trips for value in (*scan.inputs, *scan.outs)):
        return None
    return trips


class ScanParts:
    """The parts of `scan`; `rebuild`, then `finish` when all old results are replaced.

    In between the body has no terminator: what it yields are the parts, and not uses.
    """

    def __init__(self, scan: ScanOp, trips: int | None):
        self.scan = scan
        self._trips = trips
        body, count = scan.body.block, len(scan.inits)
        self._end = terminator_of(scan.body)
        yields = list(self._end.operands)
        self._end.detach()
        self._end.drop_all_references()
        self.body = body
        self.carries = [Carry(*parts) for parts in zip(scan.inits, body.args, yields, scan.outputs)]
        self.inputs = [Input(*parts) for parts in zip(scan.inputs, body.args[count:])]
        self.outputs = [Output(*parts) for parts in zip(yields[count:], scan.outputs[count:])]
        if trips is None:
            for output, buffer in zip(self.outputs, scan.outs, strict=True):
                output.buffer = buffer

    @property
    def trips(self) -> int:
        """The number of trips, of a scan of known length."""
        assert self._trips is not None
        return self._trips

    @classmethod
    def of(cls, scan: ScanOp) -> ScanParts | None:
        """The parts, if the number of trips is known and each array has as many rows."""
        trips = trips_of(scan)
        return None if trips is None else cls(scan, trips)

    def before(self, op: Operation) -> SSAValue:
        """Insert an op before the scan (after it, once it is put together again)."""
        self._insert(op)
        return op.results[0]

    def _insert(self, op: Operation) -> None:
        op.location = self.scan.location
        inherit_device(self.scan, op)
        block = self.scan.parent
        assert block is not None
        block.insert_op_before(op, self.scan)

    def add_input(self, array: SSAValue, row: SSAValue) -> None:
        """Make rows of `array` an input; they replace the value `row` of the body."""
        argument = self.add_argument(row.type, row.name_hint)
        self.replace(row, argument)
        self.inputs.append(Input(array, argument))

    def add_argument(self, type: Attribute, name: str | None) -> SSAValue:
        """A new argument of the body, for a part that the caller makes."""
        argument = self.body.insert_arg(type, len(self.body.args))
        argument.name_hint = name
        return argument

    def add_op(self, op: Operation, *, first: bool = False) -> None:
        """Put an op at the end of the body, or at its start."""
        op.location = self.scan.location
        inherit_device(self.scan, op)
        if first and self.body.first_op is not None:
            self.body.insert_op_before(op, self.body.first_op)
        else:
            self.body.add_op(op)

    def replace(self, old: SSAValue, new: SSAValue) -> None:
        """Replace a value in the body, and where the body yields it."""
        old.replace_all_uses_with(new)
        for carry in self.carries:
            carry.following = new if carry.following is old else carry.following
        for output in self.outputs:
            output.row = new if output.row is old else output.row

    def rebuild(self) -> None:
        """Put a new scan before the old one, whose results are replaced where they have heirs."""
        old = self.scan
        self.inputs = [
            part for part in self.inputs if part.row.first_use is not None or self.yields(part.row)
        ]
        arguments = [*(c.argument for c in self.carries), *(i.row for i in self.inputs)]
        block = Block(arg_types=[argument.type for argument in arguments])
        end = YieldOp(*(c.following for c in self.carries), *(o.row for o in self.outputs))
        end.location = self._end.location
        for op in list(self.body.ops):
            op.detach()
            block.add_op(op)
        block.add_op(end)
        for argument, new in zip(arguments, block.args):
            new.name_hint = argument.name_hint
            argument.replace_all_uses_with(new)
        types: list[Attribute] = [carry.init.type for carry in self.carries]
        types += [
            self._stacked(output.row) if output.buffer is None else output.buffer.type
            for output in self.outputs
        ]
        made = ScanOp(
            [carry.init for carry in self.carries],
            [part.array for part in self.inputs],
            types,
            Region(block),
            outs=[output.buffer for output in self.outputs if output.buffer is not None],
            length=old.length,
            static_length=None if self.inputs else self._trips,
            reverse=old.reverse is not None,
        )
        for name in ("loop_name", "parallel_iterations", "residual_policy"):
            if name in old.properties:
                made.properties[name] = old.properties[name]
        made.attributes.update(old.attributes)
        self._insert(made)
        for carry, result in zip(self.carries, made.outputs):
            carry.new = result
            if carry.old is not None:
                _inherit(carry.old, result)
        for output, result in zip(self.outputs, made.outputs[len(self.carries) :]):
            output.new = result
            if output.old is not None:
                _inherit(output.old, result)

    def finish(self) -> None:
        """Erase the old scan."""
        self.scan.detach()
        self.scan.erase()

    def yields(self, value: SSAValue) -> bool:
        """Whether the body yields a value."""
        return self.times_yielded(value) > 0

    def times_yielded(self, value: SSAValue) -> int:
        """How often the body yields a value."""
        yielded = [c.following for c in self.carries] + [o.row for o in self.outputs]
        return sum(one is value for one in yielded)

    def _stacked(self, row: SSAValue) -> TensorType[Attribute]:
        tensor = tensor_of(row)
        return TensorType(tensor.element_type, (self.trips, *tensor.get_shape()), tensor.encoding)


def _inherit(old: SSAValue, new: SSAValue) -> None:
    new.name_hint = old.name_hint
    old.replace_all_uses_with(new)


def sizes(values: Sequence[SSAValue]) -> int:
    """How many elements values have together."""
    total = 0
    for value in values:
        size = 1
        for extent in shape_of(value):
            size *= extent
        total += size
    return total
