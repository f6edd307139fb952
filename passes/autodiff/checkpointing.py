"""Loops whose trips run again in the backward code, from carries that were kept: all of them
(`recompute`), or as many as a budget allows (`treeverse`).

Treeverse (Griewank's binomial checkpointing) keeps the states at the start of some trips. To reverse
trip t it takes the nearest state before t and advances from there, leaving new states on the way
where the binomial rule says so. The schedule is ordinary structured IR: a stack of trip numbers beside
the stacks of states, and loops that choose the next trip to keep.

    loop "x.grad" over t = n - 1 … 0:          (cotangents, stacks, free slots)
        pop the last state
        loop "x.replay" while its trip < t:
            push it; choose the next trip to keep ("x.choose"); advance to it ("x.advance")
        trip t again, and backwards
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, i32, i64
from xdsl.ir import Block, Region, SSAValue

from ...dialects import dcf, stablehlo
from ...dialects.stablehlo.inference import tensor_of
from .backward import Backward, States
from .emitter import Emitter
from .rerun import Rerun
from .structures import (
    COUNT,
    active_carries,
    backward_loop,
    captured_values,
    reverse_while,
    taken,
)

WIDE = TensorType(i64, [])
_MOST = 2**31 - 1
"""More states than that cannot be counted, or needed."""


def reverse_recomputed(backward: Backward, op: dcf.WhileOp, rerun: Rerun) -> None:
    """Every trip keeps the carries that running it again needs, and nothing else."""

    def again(
        inner: Backward,
        op: dcf.WhileOp,
        seeds: dict[int, SSAValue],
        totals: dict[SSAValue, SSAValue],
    ) -> Sequence[SSAValue]:
        trip = rerun.reversed(inner.records, seeds, totals)
        return trip.place(inner.block, lambda value: inner.value(value, op))

    reverse_while(backward, op, again)


def reverse_treeverse(backward: Backward, op: dcf.WhileOp, rerun: Rerun, budget: int) -> None:
    """At most `budget` states are kept at a time, the initial one included."""
    active = active_carries(backward, op)
    if not active:
        return
    emit = backward.emit
    seeds = [taken(backward, op.outputs[k]) for k in active]
    captured = captured_values(backward, op.body)
    initial = [taken(backward, value) for value in captured]
    block = Block(arg_types=[COUNT, *(value.type for value in (*seeds, *initial))])
    left, *arguments = block.args
    inner = Emitter(block)
    inner.source = op
    one = inner.constant(1, COUNT)
    target = inner.sub(left, one)
    cotangents: dict[int, SSAValue] = dict(zip(active, arguments))
    totals: dict[SSAValue, SSAValue] = dict(zip(captured, arguments[len(active) :]))
    trip = rerun.reversed(backward.records, cotangents, totals)
    # A state is what running a trip again reads, and what getting from one state to another does.
    state = Rerun.of(op, [k for k, value in enumerate(op.body.block.args) if trip.needs(value)])
    backward.records.states.append(States(op, state.values, budget))
    states = [backward.value(op.inits[k], op) for k in state.carries]
    first = emit.constant(0, COUNT)
    stacks = [_pushed(emit, _new(emit, value), value) for value in (first, *states)]
    kept = [emit.constant(min(budget, _MOST) - 1, COUNT), *stacks]
    free, *rest = [block.insert_arg(value.type, len(block.args)) for value in kept]
    schedule = _Schedule(backward, inner, op, state, target, one)
    free, *rest = schedule.replay(free, rest)
    stacks, current = rest[: len(stacks)], rest[len(stacks) + 1 :]
    at_target = dict(zip(state.values, current))
    results = trip.place(block, lambda value: at_target.get(value) or backward.value(value, op))
    block.add_op(dcf.YieldOp(target, *results, free, *stacks))
    inits = [*seeds, *initial, *kept]
    loop = backward_loop(backward, op, inits, block, [])
    inputs = [*(op.inits[k] for k in active), *captured]
    for value, cotangent in zip(inputs, loop.outputs[1:]):
        backward.accumulate(value, cotangent)


class _Schedule:
    """Emits what brings the state at the start of trip `target` back."""

    def __init__(
        self,
        backward: Backward,
        emit: Emitter,
        op: dcf.WhileOp,
        rerun: Rerun,
        target: SSAValue,
        one: SSAValue,
    ):
        self.backward = backward
        self.emit = emit
        self.op = op
        self.rerun = rerun
        self.target = target
        self.one = one
        self.name = op.loop_name.data if op.loop_name is not None else "while"

    def replay(self, free: SSAValue, stacks: Sequence[SSAValue]) -> list[SSAValue]:
        """The free slots and the stacks afterwards, then the trip number and the carries.

        Each stack (of trip numbers, then of carries) gives its top, and takes it back if
        trips after it are still to be reversed from it: that is, if it is not `target` itself.
        """
        pops = [self.emit.emit(dcf.StackPopOp(stack)) for stack in stacks]
        rests = [pop.results[0] for pop in pops]
        values = [pop.results[1] for pop in pops]
        free = _sum(self.emit, free, self.one)
        inits = [free, *rests, *values]
        condition, before = self._region(inits)
        position = 1 + len(rests)
        condition.emit(dcf.ConditionOp(condition.compare("LT", before[position], self.target)))
        body, arguments = self._region(inits)
        free, current = arguments[0], arguments[position:]
        slots = free  # for the state at hand and those to come
        free = body.sub(free, self.one)
        kept = [_pushed(body, stack, value) for stack, value in zip(arguments[1:position], current)]
        steps = self._distance(body, current[0], slots)
        following = self._advance(body, current, _sum(body, current[0], steps))
        body.emit(dcf.YieldOp(free, *kept, *following))
        return self._loop(self.emit, "replay", inits, condition, body)

    def _distance(self, emit: Emitter, position: SSAValue, slots: SSAValue) -> SSAValue:
        """How far to advance from `position` to the next state to keep, or to the target.

        With b(s, r) = C(s + r, s), the number of trips that s slots can reverse when each is
        advanced over r times: r is the least with b(s, r) >= length, and
        min(b(s, r - 1), length - b(s - 1, r - 1)) is an optimal distance. The loop goes
        through b(s, r) = b(s, r - 1) (s + r) / r, and b(s - 1, r - 1) = b(s, r - 1) - b(s, r - 2).
        """
        span = _sum(emit, emit.sub(self.target, position), self.one)
        length, wide = emit.convert(span, i64), emit.convert(slots, i64)
        zero, one = emit.constant(0, WIDE), emit.constant(1, WIDE)
        # With one slot there is no choice, and no reason to count up to the length.
        only = emit.compare("EQ", wide, one)
        inits = [zero, zero, zero, emit.select(only, length, one)]
        condition, (_, _, _, reach) = self._region(inits)
        condition.emit(dcf.ConditionOp(condition.compare("LT", reach, length)))
        body, (repeats, _, last, reach) = self._region(inits)
        repeats = _sum(body, repeats, one)
        farther = body.div(body.mul(reach, _sum(body, wide, repeats)), repeats)
        body.emit(dcf.YieldOp(repeats, last, reach, farther))
        _, before, last, _ = self._loop(emit, "choose", inits, condition, body)
        left = emit.sub(length, emit.sub(last, before))
        distance = emit.value(stablehlo.MinimumOp(last, left))
        distance = emit.select(only, emit.sub(length, one), distance)
        return emit.convert(distance, i32)

    def _advance(
        self, emit: Emitter, current: Sequence[SSAValue], stop: SSAValue
    ) -> list[SSAValue]:
        """The trip number and the carries at the start of trip `stop`."""
        condition, arguments = self._region(current)
        condition.emit(dcf.ConditionOp(condition.compare("LT", arguments[0], stop)))
        body, arguments = self._region(current)
        mapping = dict(zip(self.rerun.values, arguments[1:]))
        for value in self.rerun.outside:
            mapping[value] = self.backward.value(value, self.op)
        carries = self.rerun.copy(body.block, mapping)
        body.emit(dcf.YieldOp(_sum(body, arguments[0], self.one), *carries))
        return self._loop(emit, "advance", current, condition, body)

    def _region(self, values: Sequence[SSAValue]) -> tuple[Emitter, Sequence[SSAValue]]:
        block = Block(arg_types=[value.type for value in values])
        emit = Emitter(block)
        emit.source = self.op
        return emit, block.args

    def _loop(
        self,
        emit: Emitter,
        name: str,
        inits: Sequence[SSAValue],
        condition: Emitter,
        body: Emitter,
    ) -> list[SSAValue]:
        loop = dcf.WhileOp(
            inits,
            Region(condition.block),
            Region(body.block),
            loop_name=f"{self.name}.{name}",
        )
        return list(emit.emit(loop).results)


def _new(emit: Emitter, like: SSAValue) -> SSAValue:
    return emit.value(dcf.StackNewOp(dcf.StackType(tensor_of(like))))


def _pushed(emit: Emitter, stack: SSAValue, value: SSAValue) -> SSAValue:
    return emit.value(dcf.StackPushOp(stack, value))


def _sum(emit: Emitter, a: SSAValue, b: SSAValue) -> SSAValue:
    return emit.value(stablehlo.AddOp(a, b))
