"""On which device each value of a placed function lives.

A plain op's results live where the op runs. A carry lives where its yield is computed, if it is
unchanged with its initial value; a result of a branch where the first branch's yield is. So each
value points at the value whose home it shares, up to one with a device of its own. Carries that
point at each other in a ring (two that swap, one that an inner loop hands on) live with the initial
value of the outermost.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike

from ...dialects.dcf import CaseOp, CondOp, ScanOp, WhileOp
from ...dialects.diagnostics import ProgramError
from ...dialects.plan.devices import DEFAULT_DEVICE, argument_devices, device_of
from .._slots import terminator_of

Branches = CondOp | CaseOp

Carry = tuple[WhileOp, int]


def regions_around(op: Operation) -> Iterator[Operation]:
    """The structured ops that hold `op`, innermost first."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, FuncOp):
        yield parent
        parent = parent.parent_op()


def index_of(value: SSAValue) -> int:
    """The position of a value among its op's results or its block's arguments."""
    assert isinstance(value, BlockArgument | OpResult)
    return value.index


def carry_of(value: SSAValue) -> Carry | None:
    """The loop and the number of the carry that a region argument or a result of a loop is."""
    owner = value.owner
    if isinstance(owner, Block):
        parent = owner.parent_op()
        return (parent, index_of(value)) if isinstance(parent, WhileOp) else None
    if isinstance(owner, WhileOp):
        return owner, index_of(value)
    return None


def selector_of(op: Operation) -> SSAValue:
    """The value that says which region of a structured op runs: a predicate or an index."""
    if isinstance(op, WhileOp):
        return terminator_of(op.condition).operands[0]
    assert isinstance(op, CondOp | CaseOp)
    return op.operands[0]


class Homes:
    """Answers `of(value)` for the values of one function."""

    def __init__(self, function: FuncOp):
        self._arguments = [name or DEFAULT_DEVICE for name in argument_devices(function)]
        self._entry = function.body.block
        self._known: dict[SSAValue, str] = {}
        self._by_init: set[Carry] = set()
        self._order = {op: number for number, op in enumerate(function.walk())}

    def of(self, value: SSAValue) -> str:
        """The name of the device that `value` lives on."""
        path: list[SSAValue] = []
        on_path: dict[SSAValue, int] = {}
        at = value
        while at not in self._known:
            if at in on_path:
                self._break_ring(path[on_path[at] :])
                return self.of(value)
            on_path[at] = len(path)
            path.append(at)
            following = self._next(at)
            if isinstance(following, str):
                self._known[at] = following
            else:
                at = following
        home = self._known[at]
        for passed in path:
            self._known[passed] = home
        return home

    def device(self, op: Operation) -> str:
        """The device of a plain op."""
        name = device_of(op)
        if name is None:
            if op.has_trait(ConstantLike):
                return DEFAULT_DEVICE
            raise ProgramError(
                f"expected a device on every op, got none on '{op.name}': run assign-devices first",
                op,
            )
        return name

    def _next(self, value: SSAValue) -> SSAValue | str:
        carry = carry_of(value)
        if carry is not None:
            loop, number = carry
            if carry in self._by_init:
                return loop.inits[number]
            yielded = terminator_of(loop.body).operands[number]
            # All three faces of a carry, two region arguments and a result, are one value here.
            canonical = carry_of(yielded)
            if canonical == carry:
                return loop.inits[number]
            return yielded
        owner = value.owner
        if isinstance(owner, Block):
            assert owner is self._entry, "a region argument of an op that is not split"
            return self._arguments[index_of(value)]
        if isinstance(owner, ScanOp):
            raise ProgramError(
                "expected loops in while form to split over devices, got 'dcf.scan': run"
                " expand-scan first",
                owner,
            )
        if isinstance(owner, CondOp | CaseOp):
            return terminator_of(owner.regions[0]).operands[index_of(value)]
        return self.device(owner)

    def _break_ring(self, ring: list[SSAValue]) -> None:
        """Lets the outermost carry of a ring live with its initial value."""
        carries = {carry for value in ring if (carry := carry_of(value)) is not None}
        carries -= self._by_init
        self._by_init.add(min(carries, key=self._rank))

    def _rank(self, carry: Carry) -> tuple[int, int, int]:
        loop, number = carry
        return len(list(regions_around(loop))), self._order[loop], number
