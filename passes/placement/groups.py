"""Which ops share stacks and arrays: these never travel, so all that handles one is on one device.

A loop's carry, its initial value and its result are one stack here, and so are what branches yield
and what comes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects import dcf
from ...dialects.plan.devices import is_container
from .scope import Item, heirs

FILLING = (dcf.StackPushOp, dcf.ArrayWriteOp, dcf.ArrayUnstackOp)
"""Ops that put a value into a stack or an array; it should be where the value is."""


@dataclass(eq=False)
class Group:
    """What must be on one device, in the order of the text."""

    kind: str
    """`stack` or `array`."""
    items: list[Item] = field(default_factory=list[Item])
    results: list[int] = field(default_factory=list[int])
    """Numbers of the function's results."""

    @property
    def filling(self) -> Iterator[Operation]:
        """The ops that fill the stack or the array."""
        return (item for item in self.items if isinstance(item, FILLING))


class Groups:
    """The groups of a function."""

    def __init__(self, function: FuncOp, ops: Sequence[Operation]):
        self._parent: dict[SSAValue, SSAValue] = {}
        self.of: dict[Item, Group] = {}
        """Op or argument -> its group; what handles no stack or array has none."""
        self.all: list[Group] = []
        for op in function.walk():
            self._connect(op)
        groups: dict[SSAValue, Group] = {}
        items: list[Item] = [*function.body.block.args, *ops]
        for item in items:
            value = _container_of(item)
            if value is not None:
                self.of[item] = group = self._group(value, groups)
                group.items.append(item)
        end = function.body.block.last_op
        assert isinstance(end, ReturnOp)
        for number, value in enumerate(end.operands):
            if is_container(value.type):
                self._group(value, groups).results.append(number)

    def _group(self, value: SSAValue, groups: dict[SSAValue, Group]) -> Group:
        root = self._find(value)
        group = groups.get(root)
        if group is None:
            kind = "array" if isinstance(root.type, dcf.ArrayType) else "stack"
            group = groups[root] = Group(kind)
            self.all.append(group)
        return group

    def _connect(self, op: Operation) -> None:
        first: SSAValue | None = None
        for number, operand in enumerate(op.operands):
            if not is_container(operand.type):
                continue
            if op.regions or op.next_op is None:
                # A structured op or a terminator: each value goes its own way.
                for heir in heirs(op, number):
                    self._join(operand, heir)
            else:
                first = self._join(operand, first)
        if not op.regions:
            for result in op.results:
                if is_container(result.type):
                    first = self._join(result, first)

    def _join(self, value: SSAValue, other: SSAValue | None) -> SSAValue:
        if other is not None and (root := self._find(value)) is not (to := self._find(other)):
            self._parent[root] = to
        return value

    def _find(self, value: SSAValue) -> SSAValue:
        root = value
        while root in self._parent:
            root = self._parent[root]
        while value is not root:
            following = self._parent[value]
            self._parent[value] = root
            value = following
        return root


def _container_of(item: Item) -> SSAValue | None:
    values = (item,) if isinstance(item, BlockArgument) else (*item.operands, *item.results)
    return next((value for value in values if is_container(value.type)), None)
