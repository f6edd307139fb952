"""`forward-invariant-carries`: a carry that never changes becomes a plain use of its initial value.

Runs after `convert-stablehlo-to-dcf`. JAX carries what a loop only reads, often once for the
condition and once for the body; as invariants such values enter a frame once instead of going
round it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects.dcf import CaseOp, CondOp, ScanOp, WhileOp
from ._slots import (
    Structured,
    functions_in,
    keep_carries,
    keep_outputs,
    keep_scan_slots,
    terminator_of,
    trim_yields,
)


@dataclass(frozen=True)
class ForwardInvariantCarriesPass(ModulePass):
    """Replaces carries that keep their initial value by that value, and merges equal carries.

    A carry of `dcf.while` or `dcf.scan` keeps its initial value when the body yields it
    unchanged, directly or through carries of loops and results of branches nested in the body
    that do so in turn (a result of `dcf.cond` or `dcf.case` that is one value in every branch
    is that value). All of these are found together, in nests of any depth. Two carries of one
    loop are equal when they start from the same value and yield the same value, or each other.
    """

    name = "forward-invariant-carries"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_in(op):
            slots = _Slots(function)
            for component in list(slots.components(slots.all)):
                slots.resolve(component)
            slots.forward()
            _merge_equal_carries(function)


@dataclass(eq=False)
class _Slot:
    """A carry or a conditional's result: the values that stand for it, and those that flow into it.

    It is the phi of an SSA form over basic blocks, so what follows is the search for redundant
    phis by strongly connected components (Braun et al., Simple and Efficient Construction of
    SSA Form, 2013).
    """

    op: Structured
    index: int
    values: tuple[SSAValue, ...]
    sources: list[SSAValue]
    same_as: SSAValue | None = None
    """The value that this slot always has, once that is known."""
    # Working state of the search for components.
    number: int = 0
    low: int = 0
    on_stack: bool = False


@dataclass(eq=False)
class _Slots:
    root: Operation
    all: list[_Slot] = field(default_factory=list[_Slot])
    of_value: dict[SSAValue, _Slot] = field(default_factory=dict[SSAValue, _Slot])

    def __post_init__(self):
        for op in self.root.walk():
            if isinstance(op, WhileOp):
                yields = terminator_of(op.body).operands
                views = (op.outputs, op.condition.block.args, op.body.block.args)
                self._add_slots(op, views, [op.inits, yields])
            elif isinstance(op, ScanOp):
                count = len(op.inits)
                yields = terminator_of(op.body).operands
                views = (op.outputs[:count], op.body.block.args[:count])
                self._add_slots(op, views, [op.inits, yields[:count]])
            elif isinstance(op, CondOp | CaseOp) and len(op.regions) > 1:
                # With one branch only, a value of that branch would look as if it came from
                # outside.
                yields = [terminator_of(region).operands for region in op.regions]
                self._add_slots(op, (op.outputs,), yields)

    def _add_slots(
        self,
        op: Structured,
        views: Sequence[Sequence[SSAValue]],
        sources: Sequence[Sequence[SSAValue]],
    ) -> None:
        for index, (values, incoming) in enumerate(zip(zip(*views), zip(*sources))):
            slot = _Slot(op, index, values, list(incoming))
            self.all.append(slot)
            for value in values:
                self.of_value[value] = slot

    def known(self, value: SSAValue) -> SSAValue:
        """`value`, or the value that it is found to always have."""
        while (slot := self.of_value.get(value)) is not None and slot.same_as is not None:
            value = slot.same_as
        return value

    def resolve(self, component: list[_Slot]) -> None:
        """Settles the slots of a component, given that what flows into it is settled.

        When one value flows in from outside, all slots always have that value. It comes from
        outside the outermost loop of the component, for that loop's initial value is such a
        source, so it may be used wherever the slots are. When several do, only the slots with
        no outside source may still be equal to something, and those form smaller components.
        """
        pending = [component]
        while pending:
            slots = pending.pop()
            members = set(slots)
            outside: dict[SSAValue, None] = {}
            inner: list[_Slot] = []
            for slot in slots:
                is_inner = True
                for source in slot.sources:
                    value = self.known(source)
                    if self.of_value.get(value) not in members:
                        outside[value] = None
                        is_inner = False
                if is_inner:
                    inner.append(slot)
            if len(outside) == 1:
                (value,) = outside
                if all(view.type == value.type for slot in slots for view in slot.values):
                    for slot in slots:
                        slot.same_as = value
            elif inner:
                # The last one pushed is taken first: sources before the slots that they flow into.
                pending.extend(reversed(list(self.components(inner))))

    def components(self, slots: list[_Slot]) -> Iterator[list[_Slot]]:
        """The strongly connected components of `slots` by their sources (Tarjan), sources first."""
        members = set(slots)
        for slot in slots:
            slot.number = 0
        counter = 0
        stack: list[_Slot] = []
        for root in slots:
            if root.number:
                continue
            path: list[tuple[_Slot, Iterator[SSAValue]]] = []
            entering: _Slot | None = root
            while entering is not None or path:
                if entering is not None:
                    counter += 1
                    entering.number = entering.low = counter
                    entering.on_stack = True
                    stack.append(entering)
                    path.append((entering, iter(entering.sources)))
                    entering = None
                slot, sources = path[-1]
                for source in sources:
                    other = self.of_value.get(self.known(source))
                    if other is None or other not in members:
                        continue
                    if not other.number:
                        entering = other
                        break
                    if other.on_stack:
                        slot.low = min(slot.low, other.number)
                if entering is not None:
                    continue
                path.pop()
                if path:
                    path[-1][0].low = min(path[-1][0].low, slot.low)
                if slot.low == slot.number:
                    component: list[_Slot] = []
                    while True:
                        member = stack.pop()
                        member.on_stack = False
                        component.append(member)
                        if member is slot:
                            break
                    yield component

    def forward(self) -> None:
        """Replaces the uses of settled slots, and drops those slots from their ops."""
        dropped: dict[Structured, set[int]] = {}
        for slot in self.all:
            if slot.same_as is not None:
                value = self.known(slot.same_as)
                for view in slot.values:
                    view.replace_all_uses_with(value)
                dropped.setdefault(slot.op, set()).add(slot.index)
        for op, indices in dropped.items():
            _drop(op, indices)


def _merge_equal_carries(root: Operation) -> None:
    """Merges equal carries of each loop, inner loops first: that can make an outer loop's equal."""
    for op in list(root.walk(region_first=True)):
        if not isinstance(op, WhileOp | ScanOp):
            continue
        args = op.body.block.args
        count = len(op.inits)
        yields = terminator_of(op.body).operands
        position: dict[SSAValue, int] = {args[index]: index for index in range(count)}
        classes = _partition(op.inits)
        while True:
            # Carries stay together if they do after one more trip.
            refined = _partition(
                [
                    (classes[index], classes[position[value]] if value in position else value)
                    for index, value in enumerate(yields[:count])
                ]
            )
            if refined == classes:
                break
            classes = refined
        dropped = {index for index in range(count) if classes[index] != index}
        for index in dropped:
            first = classes[index]
            op.results[index].replace_all_uses_with(op.results[first])
            args[index].replace_all_uses_with(args[first])
            if isinstance(op, WhileOp):
                other = op.condition.block.args
                other[index].replace_all_uses_with(other[first])
        if dropped:
            _drop(op, dropped)


def _partition(keys: Sequence[Hashable]) -> list[int]:
    """For each key the index of its first equal."""
    first: dict[Hashable, int] = {}
    return [first.setdefault(key, index) for index, key in enumerate(keys)]


def _drop(op: Structured, indices: set[int]) -> None:
    keep = [index not in indices for index in range(len(op.results))]
    trim_yields(op, keep)
    if isinstance(op, WhileOp):
        keep_carries(op, keep)
    elif isinstance(op, ScanOp):
        carries = len(op.inits)
        keep_scan_slots(op, keep[:carries], [True] * len(op.inputs), keep[carries:])
    else:
        keep_outputs(op, keep)
