"""`verify-dominance`: every use of a value comes after its definition, which xDSL does not check.

Runs after any pass. In a graph region (`builtin.module`, `dfg.program`, `dfg.graph`) order does
not matter: values may be used before their definition and form cycles, but only in that region.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import IsolatedFromAbove

from ..dialects.diagnostics import ProgramError, position_of

GRAPH_REGION_OPS = frozenset(("builtin.module", "dfg.program", "dfg.graph"))
"""Ops whose regions are graphs: the order of their ops means nothing."""


class VerifyDominancePass(ModulePass):
    """Check that definitions come before their uses."""

    name = "verify-dominance"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        verify_dominance(op)


def verify_dominance(root: Operation) -> None:
    """Raise a `ProgramError` at the first use that its definition does not dominate."""
    _Walk().run(root)


class _Walk:
    """One walk over the ops, keeping the set of values that may be used at each point.

    `_todo` is a stack of what comes next, so that a deep nest needs no recursion.
    """

    def __init__(self) -> None:
        self._usable: set[SSAValue] = set()
        self._todo: list[Operation | Callable[[], None]] = []

    def run(self, root: Operation) -> None:
        todo = self._todo
        # What the root itself uses is defined outside of it, where nobody looks.
        self._usable.update(root.operands)
        todo.append(root)
        while todo:
            step = todo.pop()
            if isinstance(step, Operation):
                self._visit(step)
            else:
                step()

    def _visit(self, op: Operation) -> None:
        usable = self._usable
        for index, operand in enumerate(op.operands):
            if operand not in usable:
                raise ProgramError(_message(op, index, operand), op)
        if not op.regions:
            usable.update(op.results)
            return
        # The results are defined once the regions are done, so they cannot be used in them.
        self._todo.append(lambda: usable.update(op.results))
        graph = op.name in GRAPH_REGION_OPS
        if op.has_trait(IsolatedFromAbove):
            self._todo.append(lambda: self._replace_usable(usable))
            self._usable = set()
        for region in reversed(op.regions):
            if graph:
                self._plan_graph(region)
            elif (first := region.blocks.first) is not None:
                if first.next_block is None:
                    self._plan_block(first)
                else:
                    self._plan_blocks(region)

    def _replace_usable(self, usable: set[SSAValue]) -> None:
        self._usable = usable

    def _define(self, values: Iterable[SSAValue]) -> None:
        self._usable.update(values)

    def _forget(self, block: Block) -> None:
        """The end of a block (and of those it dominates): its values cannot be used any more."""
        self._usable.difference_update(block.args)
        for op in block.ops:
            if op.results:
                self._usable.difference_update(op.results)

    def _plan_block(self, block: Block, inner: Sequence[Callable[[], None]] = ()) -> None:
        """Plan to visit a block: its arguments, its ops, `inner`, then to forget its values."""
        self._todo.append(lambda: self._forget(block))
        self._todo.extend(inner)
        self._todo.extend(reversed(tuple(block.ops)))
        self._todo.append(lambda: self._define(block.args))

    def _plan_graph(self, region: Region) -> None:
        for block in region.blocks:
            self._plan_block(block)
            self._todo.append(lambda block=block: [self._define(op.results) for op in block.ops])  # pyright: ignore[reportArgumentType, reportUnknownLambdaType, reportUnknownMemberType, reportUnknownVariableType]

    def _plan_blocks(self, region: Region) -> None:
        """Several blocks: each one sees the values of the blocks that dominate it."""
        parents = immediate_dominators(region)
        children: dict[Block, list[Block]] = {}
        for block, parent in parents.items():
            if parent is not None:
                children.setdefault(parent, []).append(block)

        def plan(block: Block) -> None:
            inner = [lambda child=child: plan(child) for child in children.get(block, ())]
            self._plan_block(block, inner)

        first = region.blocks.first
        assert first is not None
        plan(first)


def immediate_dominators(region: Region) -> dict[Block, Block | None]:
    """The immediate dominator of each block that can be reached from the first one."""
    first = region.blocks.first
    assert first is not None
    order: list[Block] = []
    seen = {first}
    stack = [(first, iter(_successors(first)))]
    while stack:
        block, rest = stack[-1]
        following = next((child for child in rest if child not in seen), None)
        if following is None:
            stack.pop()
            order.append(block)
        else:
            seen.add(following)
            stack.append((following, iter(_successors(following))))
    order.reverse()
    number = {block: index for index, block in enumerate(order)}
    predecessors: dict[Block, list[Block]] = {block: [] for block in order}
    for block in order:
        for successor in _successors(block):
            predecessors[successor].append(block)
    # Cooper, Harvey and Kennedy: meet along the tree until nothing changes.
    parent: dict[Block, Block] = {first: first}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            known = [one for one in predecessors[block] if one in parent]
            meet = known[0]
            for other in known[1:]:
                while meet is not other:
                    if number[meet] > number[other]:
                        meet = parent[meet]
                    else:
                        other = parent[other]
            if parent.get(block) is not meet:
                parent[block] = meet
                changed = True
    return {block: None if block is first else parent[block] for block in order}


def _successors(block: Block) -> Sequence[Block]:
    return block.last_op.successors if block.last_op is not None else ()


def _message(op: Operation, index: int, value: SSAValue) -> str:
    """What is wrong with operand `index` of `op`."""
    what, region, location = _definition(value)
    position = position_of(location)
    where = " at {}:{}:{}".format(*position) if position is not None else ""
    start = f"'{op.name}' op operand #{index} uses {what}, "
    inside = op.parent_region()
    while inside is not None and inside is not region:
        outer = inside.parent
        if outer is not None and outer.has_trait(IsolatedFromAbove):
            if region is not None and _encloses(region, outer):
                return f"{start}defined{where} outside of '{outer.name}', which is isolated"
            break
        inside = outer.parent_region() if outer is not None else None
    if region is None or inside is not region:
        return f"{start}defined{where} in a region that does not enclose this use"
    return f"{start}but its definition{where} does not come before this use"


def _encloses(region: Region, op: Operation) -> bool:
    inside = op.parent_region()
    while inside is not None and inside is not region:
        inside = inside.parent.parent_region() if inside.parent is not None else None
    return inside is region


def _definition(value: SSAValue) -> tuple[str, Region | None, Attribute | None]:
    """A value in words, the region that it is defined in, and the location of its definition."""
    name = f"value %{value.name_hint}" if value.name_hint else None
    match value:
        case OpResult():
            owner = value.op
            words = name or f"result #{value.index} of '{owner.name}'"
            return words, owner.parent_region(), owner.location
        case BlockArgument():
            words = name or f"block argument #{value.index}"
            return words, value.block.parent, value.location
        case _:
            return name or "an erased value", None, None
