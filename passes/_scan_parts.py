"""A scan taken apart, so that a pass can add, drop and replace its parts, and put it together again.

Only scans whose trips all rows of all arrays have: buffers have no rows that stay, so they go.
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
    old: SSAValue
    """The result of the scan as it was."""


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


class ScanParts:
    """The parts of `scan`; `rebuild`, then `finish` when all old results are replaced.

    In between the body has no terminator: what it yields are the parts, and not uses.
    """

    def __init__(self, scan: ScanOp, trips: int):
        self.scan = scan
        self.trips = trips
        body, count = scan.body.block, len(scan.inits)
        self._end = terminator_of(scan.body)
        yields = list(self._end.operands)
        self._end.detach()
        self._end.drop_all_references()
        self.body = body
        self.carries = [Carry(*parts) for parts in zip(scan.inits, body.args, yields, scan.outputs)]
        self.inputs = [Input(*parts) for parts in zip(scan.inputs, body.args[count:])]
        self.outputs = [Output(*parts) for parts in zip(yields[count:], scan.outputs[count:])]

    @classmethod
    def of(cls, scan: ScanOp) -> ScanParts | None:
        """The parts, if the number of trips is known and each array has as many rows."""
        trips = scan.rows if scan.static_length is None else scan.static_length.value.data
        if scan.length is not None or trips is None or trips == DYNAMIC_INDEX or trips < 1:
            return None
        if any(shape_of(value)[0] != trips for value in (*scan.inputs, *scan.outs)):
            return None
        return cls(scan, trips)

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
        argument = self.body.insert_arg(row.type, len(self.body.args))
        argument.name_hint = row.name_hint
        row.replace_all_uses_with(argument)
        self.inputs.append(Input(array, argument))
        for carry in self.carries:
            carry.following = argument if carry.following is row else carry.following
        for output in self.outputs:
            output.row = argument if output.row is row else output.row

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
        types += [self._stacked(output.row) for output in self.outputs]
        made = ScanOp(
            [carry.init for carry in self.carries],
            [part.array for part in self.inputs],
            types,
            Region(block),
            static_length=None if self.inputs else self.trips,
            reverse=old.reverse is not None,
        )
        for name in ("loop_name", "parallel_iterations", "residual_policy"):
            if name in old.properties:
                made.properties[name] = old.properties[name]
        made.attributes.update(old.attributes)
        self._insert(made)
        for carry, result in zip(self.carries, made.outputs):
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
