"""Proofs that two values, on two devices perhaps, are the same in the same iterations.

Values are the same when they are one value, the two ends of a channel, the same argument of the
program, results of the same op on the same operands, or carries of loops of one name that start
with the same values and go on to the same ones. The last is a proof by induction over the trips: a
pair is taken to be the same while its own proof goes on, and the proof fails as a whole or not at
all. What is the same by accident only (two ways of computing it) is not found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from ...dialects.dcf import CaseOp, CondOp, ScanOp, WhileOp
from ...dialects.dfg import RecvOp, SendOp
from ...dialects.dfg.graphs import DeviceCode
from ...dialects.plan.devices import DEVICE
from .ends import Channel

Pair = tuple[SSAValue, SSAValue]

IGNORED = frozenset({DEVICE, "dfg.region_id"})
"""Attributes that say nothing about what an op computes."""


class Sameness:
    """Answers for one program; remembers what it proved."""

    def __init__(self, channels: dict[int, Channel]):
        self._channels = channels
        self._proved: set[Pair] = set()

    def of_values(self, a: SSAValue, b: SSAValue) -> bool:
        """Whether the two values are shown to be the same."""
        return self._prove([(a, b)])

    def of_control(self, a: Operation, b: Operation) -> bool:
        """Whether two loops of one name run equally often, or two branches take the same one."""
        pairs = _control(a, b)
        return pairs is not None and self._prove(pairs)

    def of_choice(self, a: Operation | SSAValue, b: Operation | SSAValue) -> bool:
        """Whether two branching ops, or the switches on two predicates, go the same way."""
        if isinstance(a, SSAValue) and isinstance(b, SSAValue):
            return self.of_values(a, b)
        return isinstance(a, Operation) and isinstance(b, Operation) and self.of_control(a, b)

    def origin(self, value: SSAValue) -> SSAValue:
        """The value that was sent, for one that was received."""
        seen: set[SSAValue] = set()
        while isinstance(value.owner, RecvOp) and value not in seen:
            seen.add(value)
            sends = self._channels[value.owner.channel.value.data].sends
            if len(sends) != 1:
                break
            send = sends[0].op
            assert isinstance(send, SendOp)
            value = send.value
        return value

    def _prove(self, goals: Iterable[Pair]) -> bool:
        assumed: set[Pair] = set()
        goals = list(goals)
        while goals:
            a, b = (self.origin(value) for value in goals.pop())
            if a is b or (a, b) in assumed or (a, b) in self._proved or (b, a) in self._proved:
                continue
            assumed.add((a, b))
            reasons = _reasons(a, b)
            if reasons is None:
                return False
            goals.extend(reasons)
        self._proved |= assumed
        return True


def _reasons(a: SSAValue, b: SSAValue) -> Sequence[Pair] | None:
    """What is left to show for two values to be the same; None when they may well differ."""
    if a.type != b.type:
        return None
    if isinstance(a, BlockArgument) and isinstance(b, BlockArgument):
        return _arguments(a, b)
    if isinstance(a, OpResult) and isinstance(b, OpResult):
        return _results(a, b)
    return None


def _arguments(a: BlockArgument, b: BlockArgument) -> Sequence[Pair] | None:
    x, y = a.block.parent_op(), b.block.parent_op()
    if isinstance(x, DeviceCode) and isinstance(y, DeviceCode):
        same = x.feeds.get_values()[a.index] == y.feeds.get_values()[b.index]
        return () if same else None
    if x is None or y is None or not _one_loop(x, y):
        return None
    if isinstance(x, WhileOp) and isinstance(y, WhileOp):
        return _carries(x, a.index, y, b.index)
    assert isinstance(x, ScanOp) and isinstance(y, ScanOp)
    i, j = a.index, b.index
    if i < len(x.inits) and j < len(y.inits):
        return _carries(x, i, y, j)
    if i < len(x.inits) or j < len(y.inits):
        return None
    rows = (x.inputs[i - len(x.inits)], y.inputs[j - len(y.inits)])
    return (rows,) if (x.reverse is None) == (y.reverse is None) else None


def _results(a: OpResult, b: OpResult) -> Sequence[Pair] | None:
    x, y = a.op, b.op
    if x.name != y.name:
        return None
    if isinstance(x, WhileOp | ScanOp):
        assert isinstance(y, WhileOp | ScanOp)
        control = _control(x, y)
        carried = a.index < len(x.inits) and b.index < len(y.inits)
        if control is None or not carried or not _one_loop(x, y):
            return None
        return (*control, *_carries(x, a.index, y, b.index))
    if isinstance(x, CondOp | CaseOp):
        control = _control(x, y)
        if control is None:
            return None
        yields = zip(_ends(x), _ends(y))
        return (*control, *((v.operands[a.index], w.operands[b.index]) for v, w in yields))
    same = (
        a.index == b.index
        and len(x.operands) == len(y.operands)
        and _attributes(x.properties) == _attributes(y.properties)
        and _attributes(x.attributes) == _attributes(y.attributes)
        and len(x.regions) == len(y.regions)
        and all(v.is_structurally_equivalent(w) for v, w in zip(x.regions, y.regions))
    )
    return tuple(zip(x.operands, y.operands)) if same else None


def _one_loop(x: Operation, y: Operation) -> bool:
    """Two copies of one loop: of one name."""
    name = x.properties.get("loop_name")
    return (
        isinstance(x, WhileOp | ScanOp)
        and x.name == y.name
        and isinstance(name, StringAttr)
        and name == y.properties.get("loop_name")
    )


def _carries(x: WhileOp | ScanOp, i: int, y: WhileOp | ScanOp, j: int) -> Sequence[Pair]:
    (end,), (other,) = ([_end(op.body.block)] for op in (x, y))
    return (x.inits[i], y.inits[j]), (end.operands[i], other.operands[j])


def _control(x: Operation, y: Operation) -> Sequence[Pair] | None:
    """What must be the same for two structured ops to do the same; None when they differ anyway."""
    if x.name != y.name or len(x.regions) != len(y.regions):
        return None
    if isinstance(x, ScanOp):
        assert isinstance(y, ScanOp)
        if x.length is not None and y.length is not None:
            return ((x.length, y.length),)
        lengths = static_length(x), static_length(y)
        return () if lengths[0] is not None and lengths[0] == lengths[1] else None
    if len(x.regions) == 2 and x.name.endswith(".while"):
        return ((_ends(x)[0].operands[0], _ends(y)[0].operands[0]),)
    return ((x.operands[0], y.operands[0]),)


def static_length(op: ScanOp) -> int | None:
    """How many trips a scan makes, if its text tells."""
    if op.length is not None:
        return None
    if op.static_length is not None:
        return op.static_length.value.data
    from ...dialects.stablehlo.inference import shape_of

    sizes = {shape[0] for value in op.inputs if (shape := shape_of(value.type))}
    return sizes.pop() if len(sizes) == 1 and min(sizes) >= 0 else None


def _ends(op: Operation) -> list[Operation]:
    return [_end(region.block) for region in op.regions]


def _end(block: Block) -> Operation:
    end = block.last_op
    assert end is not None
    return end


def _attributes(attributes: dict[str, Attribute]) -> dict[str, Attribute]:
    return {name: value for name, value in attributes.items() if name not in IGNORED}
