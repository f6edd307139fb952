"""The reverse walk, and what it does at loops and branches.

Each structured op's backward code is an op of its own kind: a loop's runs as many trips as the
forward loop did, a branch's is chosen by the same predicate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import TensorType, UnrealizedConversionCastOp, i32
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import dcf
from ...dialects.dcf.types import cotangent_type
from .backward import Backward, Residual
from .emitter import Emitter
from .rules import no_rule, vjp_rule

COUNT = TensorType(i32, [])


def reverse_block(backward: Backward, block: Block) -> None:
    """Emit the backward code of a block's ops, last op first."""
    for op in reversed(list(block.ops)):
        if op.next_op is None and isinstance(op, dcf.YieldOp):
            continue
        if not any(result in backward.cotangents for result in op.results):
            continue
        backward.emit.source = backward.prologue.source = op
        STRUCTURES.get(type(op), reverse_plain)(backward, op)


def reverse_plain(backward: Backward, op: Operation) -> None:
    """An op with a rule: what its cotangents contribute to those of its operands."""
    cotangents = [backward.take(result) for result in op.results]
    if not any(backward.is_active(operand) for operand in op.operands):
        return
    rule = vjp_rule(op)
    if rule is None:
        raise no_rule(op)
    for operand, contribution in zip(op.operands, rule(op, cotangents, backward), strict=True):
        backward.accumulate(operand, contribution)


Trip = Callable[
    [Backward, dcf.WhileOp, dict[int, SSAValue], dict[SSAValue, SSAValue]], Sequence[SSAValue]
]
"""Emits one trip backwards, given the cotangents of the next values of active carries and the totals
so far of captured values; returns the cotangents of the carries, and the new totals."""


def reverse_saved_trip(
    inner: Backward,
    op: dcf.WhileOp,
    seeds: dict[int, SSAValue],
    totals: dict[SSAValue, SSAValue],
) -> Sequence[SSAValue]:
    """The trip as it is: what its rules read comes from stacks."""
    body = op.body.block
    terminator = body.last_op
    assert isinstance(terminator, dcf.YieldOp)
    for k, cotangent in seeds.items():
        inner.accumulate(terminator.values[k], cotangent)
    for value, total in totals.items():
        inner.accumulate(value, total)
    reverse_block(inner, body)
    inner.emit.source = op
    results = [taken(inner, value) for value in (*(body.args[k] for k in seeds), *totals)]
    assert not inner.cotangents
    return results


def reverse_while(
    backward: Backward, op: Operation, reverse_trip: Trip = reverse_saved_trip
) -> None:
    """A loop that counts the forward trips down, popping what each of them left."""
    assert isinstance(op, dcf.WhileOp)
    body = op.body.block
    active = active_carries(backward, op)
    if not active:
        return
    seeds = [taken(backward, op.outputs[k]) for k in active]
    # Cotangents of values from outside go round with the loop, so each trip adds to what is there.
    captured = captured_values(backward, op.body)
    initial = [taken(backward, value) for value in captured]
    block = Block(arg_types=[COUNT, *(init.type for init in (*seeds, *initial))])
    inner = Backward(backward.records, body, block, backward)
    inner.emit.source = inner.prologue.source = op
    arguments = block.args[1:]
    results = reverse_trip(
        inner, op, dict(zip(active, arguments)), dict(zip(captured, arguments[len(active) :]))
    )
    count = inner.emit.sub(block.args[0], inner.emit.constant(1, COUNT))
    residuals = inner.finish(count, *results)
    loop = backward_loop(backward, op, [*seeds, *initial], block, residuals)
    inputs = [*(op.inits[k] for k in active), *captured]
    for value, cotangent in zip(inputs, loop.outputs[1:]):
        backward.accumulate(value, cotangent)
    put_stacks(backward, residuals, loop.outputs[1 + len(inputs) :])


def active_carries(backward: Backward, op: dcf.WhileOp) -> list[int]:
    """The carries with cotangents; when there are none, those of the results are dropped."""
    active = [k for k, argument in enumerate(op.body.block.args) if backward.is_active(argument)]
    if not active:
        for result in op.outputs:
            backward.take(result)
    return active


def captured_values(backward: Backward, *regions: Region) -> list[SSAValue]:
    """The active values from outside that the regions read."""
    found: dict[SSAValue, None] = {}
    for region in regions:
        for op in region.walk():
            for operand in op.operands:
                if backward.is_active(operand) and not _is_inside(operand, region):
                    found[operand] = None
    return list(found)


def _is_inside(value: SSAValue, region: Region) -> bool:
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
    while block is not None:
        if block.parent_region() is region:
            return True
        parent = block.parent_op()
        block = parent.parent_block() if parent is not None else None
    return False


def backward_loop(
    backward: Backward,
    op: dcf.WhileOp,
    inits: Sequence[SSAValue],
    body: Block,
    residuals: Sequence[Residual],
) -> dcf.WhileOp:
    count = backward.value(trip_count(backward, op), op)
    all_inits = [count, *inits, *(backward.stack(residual) for residual in residuals)]
    condition = Block(arg_types=[value.type for value in all_inits])
    emitter = Emitter(condition)
    emitter.source = op
    positive = emitter.compare("GT", condition.args[0], emitter.constant(0, COUNT))
    emitter.emit(dcf.ConditionOp(positive))
    name = op.loop_name.data if op.loop_name is not None else "while"
    loop = dcf.WhileOp(
        all_inits,
        Region(condition),
        Region(body),
        loop_name=f"{name}.grad",
        parallel_iterations=op.window if op.parallel_iterations is not None else None,
    )
    backward.emit.emit(loop)
    return loop


def trip_count(backward: Backward, op: dcf.WhileOp) -> SSAValue:
    """A stand-in, right after the loop, for the count that the loop will be made to keep."""
    known = backward.records.counts.get(op)
    if known is None:
        stand_in = UnrealizedConversionCastOp.get([], [COUNT])
        block = op.parent_block()
        assert block is not None
        block.insert_op_after(stand_in, op)
        known = backward.records.counts[op] = stand_in.results[0]
    return known


def reverse_branches(backward: Backward, op: Operation) -> None:
    """A branch op on the same predicate, whose branches are the backward code of the forward ones."""
    assert isinstance(op, dcf.CondOp | dcf.CaseOp)
    cotangents = {k: backward.take(result) for k, result in enumerate(op.results)}
    captured = captured_values(backward, *op.regions)
    seeds = {value: backward.take(value) for value in captured}
    inners: list[Backward] = []
    for region in op.regions:
        inner = Backward(backward.records, region.block, Block(), backward)
        inner.emit.source = op
        for value, seed in seeds.items():
            inner.accumulate(value, seed)
        terminator = region.block.last_op
        assert isinstance(terminator, dcf.YieldOp)
        for k, value in enumerate(terminator.values):
            inner.accumulate(value, cotangents[k])
        reverse_block(inner, region.block)
        inner.emit.source = op
        inners.append(inner)
    for value, seed in seeds.items():
        if all(inner.cotangents.get(value) is seed for inner in inners):
            backward.accumulate(value, seed)  # no branch adds to it
            captured.remove(value)
    residuals = list(dict.fromkeys(residual for inner in inners for residual in inner.stacks))
    if not captured:
        return
    regions = [_branch(inner, captured, residuals) for inner in inners]
    selector = backward.value(op.operands[0], op)
    types = [cotangent_type(value.type) for value in captured]
    types += [residual.final.stack.type for residual in residuals]
    made: Operation
    if isinstance(op, dcf.CondOp):
        made = dcf.CondOp(selector, types, regions[0], regions[1])
    else:
        made = dcf.CaseOp(selector, types, regions)
    backward.emit.emit(made)
    for value, cotangent in zip(captured, made.results):
        backward.accumulate(value, cotangent)
    put_stacks(backward, residuals, made.results[len(captured) :])


def _branch(inner: Backward, captured: Sequence[SSAValue], residuals: Sequence[Residual]) -> Region:
    """Close a branch: it captures the stacks it pops from, and yields all, changed or not."""
    assert inner.parent is not None
    results = [inner.take(value) or inner.zero(value) for value in captured]
    outer = {residual: inner.parent.stack(residual) for residual in residuals}
    leaving = [inner.stacks[r][1] if r in inner.stacks else outer[r] for r in residuals]
    # Branches take no arguments: what the block asked for is the stack outside.
    arguments = {first: r for r, (first, _) in inner.stacks.items()}
    leaving = [outer[arguments[s]] if s in arguments else s for s in leaving]
    for residual, (first, _) in inner.stacks.items():
        first.replace_all_uses_with(outer[residual])
    code = list(inner.block.ops)
    prologue = list(inner.prologue.block.ops)
    for op in (*code, *prologue):
        op.detach()
    block = Block()
    block.add_ops([*prologue, *code, dcf.YieldOp(*results, *leaving)])
    return Region(block)


def put_stacks(
    backward: Backward, residuals: Sequence[Residual], stacks: Sequence[SSAValue]
) -> None:
    for residual, stack in zip(residuals, stacks, strict=True):
        backward.set_stack(residual, stack)


def taken(backward: Backward, value: SSAValue) -> SSAValue:
    return backward.take(value) or backward.zero(value)


STRUCTURES: dict[type[Operation], Callable[[Backward, Operation], None]] = {
    dcf.WhileOp: reverse_while,
    dcf.CondOp: reverse_branches,
    dcf.CaseOp: reverse_branches,
}
