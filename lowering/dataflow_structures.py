"""One lowering per structured op: how loops, branches and plain ops become dataflow primitives."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, i32
from xdsl.dialects.func import CallOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import ConstantLike

from ..dialects import dcf, dfg, stablehlo
from ..dialects.diagnostics import ProgramError
from .dataflow_scopes import FrameScope, GraphBuilder, GuardedScope, OpList, Scope, suffixed


def lower_block(builder: GraphBuilder, scope: Scope, block: Block) -> None:
    """Lower every op of `block` but its terminator into the graph, in `scope`."""
    for op in list(block.ops):
        if isinstance(op, (dcf.YieldOp, dcf.ConditionOp, ReturnOp, dfg.FetchOp)):
            continue
        LOWERINGS.get(type(op), lower_plain)(builder, scope, op)


def lower_plain(builder: GraphBuilder, scope: Scope, op: Operation) -> None:
    """An op that computes: moved into the graph, gated through one of its operands."""
    if op.name in LEFT_OVER:
        raise ProgramError(f"'{op.name}' cannot be in a dataflow graph: {LEFT_OVER[op.name]}", op)
    _copy_in_captures(op)
    if not op.operands:
        _lower_source(builder, scope, op)
        return
    gated = any(scope.is_gated(value) for value in op.operands)
    operands = [scope.raw(value, op) for value in op.operands]
    if not gated:
        operands[0] = scope.gated(op.operands[0], op)
    _move(builder, scope, op, operands)


def _move(builder: GraphBuilder, scope: Scope, op: Operation, operands: list[SSAValue]) -> None:
    op.detach()
    op.operands = operands
    for result in op.results:
        scope.define(result, result)
    builder.emit(op)


def _lower_source(builder: GraphBuilder, scope: Scope, op: Operation) -> None:
    """An op without operands: the same value everywhere, so it goes to the root and is captured."""
    if not _is_repeatable(op):
        if scope is not builder.root:
            raise ProgramError(
                f"'{op.name}' has no operands, so nothing tells when it should run inside a loop or"
                " branch: expected it at the top of the function",
                op,
            )
        _move(builder, scope, op, [])
        return
    key = _constant_key(op)
    known = builder.constant_values.get(key) if key is not None else None
    if op.parent_block() is not None:
        op.detach()
    if known is None:
        with builder.writing_to(builder.constants):
            builder.emit(op)
        known = op.results[0]
        if key is not None:
            builder.constant_values[key] = known
    builder.root.values[op.results[0]] = known


def _is_repeatable(op: Operation) -> bool:
    return op.has_trait(ConstantLike) or op.name in REPEATABLE_SOURCES


REPEATABLE_SOURCES = frozenset(
    {"stablehlo.constant", "stablehlo.iota", "stablehlo.partition_id", "stablehlo.replica_id"}
)


def _constant_key(op: Operation) -> object | None:
    if isinstance(op, stablehlo.ConstantOp):
        return (op.value, op.output.type)
    return None


def _copy_in_captures(op: Operation) -> None:
    """Regions of plain ops (reducers, comparators) may use constants from outside: copy them in."""
    if not op.regions:
        return
    for inner in list(op.walk()):
        if inner is op:
            continue
        for position, value in enumerate(inner.operands):
            if _is_inside(value, op):
                continue
            source = value.owner
            if not isinstance(source, Operation) or source.operands or source.regions:
                raise ProgramError(
                    f"the region of '{op.name}' uses a value from outside: expected only its own"
                    " arguments and constants",
                    inner,
                )
            copy = source.clone()
            copy.location = source.location
            block = inner.parent_block()
            assert block is not None
            block.insert_op_before(copy, inner)
            inner.operands[position] = copy.results[0]


def _is_inside(value: SSAValue, op: Operation) -> bool:
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
    while block is not None:
        parent = block.parent_op()
        if parent is op:
            return True
        block = parent.parent_block() if parent is not None else None
    return False


def lower_while(builder: GraphBuilder, scope: Scope, op: Operation) -> None:
    """enter -> merge -> switch on loop_cond -> exit, or body -> next_iteration, for each carry."""
    assert isinstance(op, dcf.WhileOp)
    name = op.loop_name.data if op.loop_name is not None else "while"
    part: OpList = []
    frame = FrameScope(builder, scope, frame=builder.unique_frame(name))
    part.append(frame.prologue)
    # What the loop needs from outside is written before it, in the scope around it.
    inits = [scope.gated(value, op) for value in op.inits]
    carried_token = builder.has_effects(op) or not inits
    if carried_token:
        inits.append(scope.gated_token(op))
    builder.emit(part)
    with builder.writing_to(part):
        merges = [_loop_merge(builder, frame, value, op) for value in inits]
        for old, merge in zip(op.condition.block.args, merges):
            frame.define(old, merge.output)
        if carried_token:
            frame.token = merges[-1].output
            frame.token.name_hint = "token"
        lower_block(builder, frame, op.condition.block)
        loop_cond = _loop_cond(builder, frame, op)

        body = GuardedScope(builder, frame, predicate=loop_cond, side=True)
        carried: list[SSAValue] = [merge.output for merge in merges]
        if carried_token:
            assert frame.token is not None
            carried[-1] = frame.token
        switches = [builder.switch(value, loop_cond, op.location) for value in carried]
        for old, switch in zip(op.body.block.args, switches):
            body.define(old, switch.true_output)
        if carried_token:
            body.token = switches[-1].true_output
        lower_block(builder, body, op.body.block)

        terminator = op.body.block.last_op
        assert terminator is not None
        backs = [body.gated(value, terminator) for value in terminator.operands]
        if carried_token:
            assert body.token is not None
            backs.append(body.token)
        for merge, back in zip(merges, backs):
            _close_cycle(builder, merge, back, terminator)
        for result, switch in zip(op.outputs, switches):
            if result.uses:
                scope.define(result, _exit(builder, switch.false_output, op))
        if carried_token and builder.has_effects(op):
            scope.token = _exit(builder, switches[-1].false_output, op)


def _loop_merge(
    builder: GraphBuilder, frame: FrameScope, init: SSAValue, op: Operation
) -> dfg.MergeOp:
    entered = frame.enter(init, op)
    merge = dfg.MergeOp(entered, entered)  # the second input is set when the body is there
    merge.location = op.location
    builder.emit(merge)
    return merge


def _loop_cond(builder: GraphBuilder, frame: FrameScope, op: dcf.WhileOp) -> SSAValue:
    condition = op.condition.block.last_op
    assert isinstance(condition, dcf.ConditionOp)
    loop_cond = dfg.LoopCondOp(
        frame.gated(condition.predicate, condition),
        parallel_iterations=_int(op.parallel_iterations),
        trip_bound=_int(op.trip_bound),
    )
    loop_cond.location = condition.location
    loop_cond.output.name_hint = "go"
    builder.emit(loop_cond)
    return loop_cond.output


def _int(attribute: object) -> int | None:
    value = getattr(attribute, "value", None)
    return None if value is None else value.data


def _close_cycle(
    builder: GraphBuilder, merge: dfg.MergeOp, back: SSAValue, terminator: Operation
) -> None:
    next_iteration = dfg.NextIterationOp(back)
    next_iteration.location = terminator.location
    hint = merge.output.name_hint
    next_iteration.output.name_hint = suffixed(hint, "next")
    merge.index.name_hint = suffixed(hint, "from")
    builder.emit(next_iteration)
    merge.operands[1] = next_iteration.output


def _exit(builder: GraphBuilder, value: SSAValue, op: Operation) -> SSAValue:
    exit = dfg.ExitOp(value)
    exit.location = op.location
    if isinstance(value.type, dfg.TokenType):
        exit.output.name_hint = "token"
    builder.emit(exit)
    return exit.output


def lower_cond(builder: GraphBuilder, scope: Scope, op: Operation) -> None:
    """A switch per value used in a branch that nothing else there gates; a merge per result."""
    assert isinstance(op, dcf.CondOp)
    predicate = scope.gated(op.predicate, op)
    guards = [(predicate, True), (predicate, False)]
    _lower_branches(builder, scope, op, guards, [op.then_region, op.else_region])


def lower_case(builder: GraphBuilder, scope: Scope, op: Operation) -> None:
    """A chain: `index == 0` or else `index == 1` or else …; the last branch takes all the rest."""
    assert isinstance(op, dcf.CaseOp)
    if len(op.branches) == 1:
        _lower_only_branch(builder, scope, op)
        return
    index = scope.gated(op.index, op)
    index_type = TensorType(i32, [])
    guards: list[tuple[SSAValue, bool]] = []
    predicate = index
    for number in range(len(op.branches) - 1):
        constant = stablehlo.ConstantOp(DenseIntOrFPElementsAttr.from_list(index_type, [number]))
        constant.location = op.location
        _lower_source(builder, scope, constant)
        equal = stablehlo.CompareOp(index, scope.raw(constant.output, op), "EQ", "SIGNED")
        equal.location = op.location
        builder.emit(equal)
        predicate = equal.result
        guards.append((predicate, True))
        if number < len(op.branches) - 2:
            index = builder.switch(index, predicate, op.location).false_output
    guards.append((predicate, False))
    _lower_branches(builder, scope, op, guards, list(op.branches))


def _lower_only_branch(builder: GraphBuilder, scope: Scope, op: dcf.CaseOp) -> None:
    block = op.branches[0].block
    lower_block(builder, scope, block)
    terminator = block.last_op
    assert terminator is not None
    for result, value in zip(op.outputs, terminator.operands):
        scope.define(result, scope.gated(value, op))


def _lower_branches(
    builder: GraphBuilder,
    scope: Scope,
    op: Operation,
    guards: list[tuple[SSAValue, bool]],
    regions: list[Region],
) -> None:
    effects = builder.has_effects(op)
    if effects:
        scope.gated_token(op)
    yielded: list[list[SSAValue]] = []
    for (predicate, side), region in zip(guards, regions):
        branch = GuardedScope(builder, scope, predicate=predicate, side=side)
        lower_block(builder, branch, region.block)
        terminator = region.block.last_op
        assert terminator is not None
        values = [branch.gated(value, terminator) for value in terminator.operands]
        if effects:
            values.append(branch.gated_token(op))
        yielded.append(values)
    for number, result in enumerate(op.results):
        scope.define(result, _merge(builder, [v[number] for v in yielded], result.type, op))
    if effects:
        scope.token = _merge(builder, [v[-1] for v in yielded], dfg.TokenType(), op)


def _merge(
    builder: GraphBuilder, values: list[SSAValue], type: Attribute, op: Operation
) -> SSAValue:
    """A merge of the branches' values; its type may be less static than theirs."""
    merge = dfg.MergeOp.create(operands=values, result_types=[type, TensorType(i32, [])])
    merge.location = op.location
    if isinstance(type, dfg.TokenType):
        merge.results[0].name_hint = "token"
    builder.emit(merge)
    return merge.results[0]


def lower_probe(builder: GraphBuilder, scope: Scope, op: Operation) -> None:
    """A probe waits for the scope's token and passes it on, so effects keep their order."""
    assert isinstance(op, dcf.ProbeOp)
    values = [scope.raw(value, op) for value in op.values]
    probe = dfg.ProbeOp(op.label.data, values, scope.gated_token(op))
    probe.location = op.location
    probe.done.name_hint = "token"
    builder.emit(probe)
    scope.token = probe.done


def lower_stack_new(builder: GraphBuilder, scope: Scope, op: Operation) -> None:
    """One empty stack per token."""
    assert isinstance(op, dcf.StackNewOp)
    assert isinstance(op.stack.type, dcf.StackType)
    new = dfg.StackNewOp(op.stack.type, scope.gated_token(op))
    new.location = op.location
    builder.emit(new)
    scope.define(op.stack, new.stack)


def lower_recv(builder: GraphBuilder, scope: Scope, op: Operation) -> None:
    """A receive awaits a message only where its scope runs."""
    assert isinstance(op, dfg.RecvOp)
    _move(builder, scope, op, [scope.gated_token(op)])


def lower_call(builder: GraphBuilder, scope: Scope, op: Operation) -> None:
    """A call that was kept runs its function as one kernel."""
    assert isinstance(op, CallOp)
    kernel = dfg.KernelOp(op.callee.string_value(), op.arguments, op.result_types)
    kernel.location = op.location
    for old, new in zip(op.results, kernel.outputs):
        new.name_hint = old.name_hint
    block = op.parent_block()
    assert block is not None
    block.insert_op_before(kernel, op)
    for old, new in zip(op.results, kernel.outputs):
        old.replace_all_uses_with(new)
    op.detach()
    op.drop_all_references()
    lower_plain(builder, scope, kernel)


LOWERINGS: dict[type[Operation], Callable[[GraphBuilder, Scope, Operation], None]] = {
    dcf.WhileOp: lower_while,
    dcf.CondOp: lower_cond,
    dcf.CaseOp: lower_case,
    dcf.ProbeOp: lower_probe,
    dcf.StackNewOp: lower_stack_new,
    dfg.RecvOp: lower_recv,
    CallOp: lower_call,
}

LEFT_OVER = {
    "dcf.scan": "run expand-scan first",
    "dcf.gradient": "expand the request first",
    "dcf.vjp": "expand the request first",
    "dcf.jvp": "expand the request first",
    "stablehlo.while": "run convert-stablehlo-to-dcf first",
    "stablehlo.if": "run convert-stablehlo-to-dcf first",
    "stablehlo.case": "run convert-stablehlo-to-dcf first",
}
"""Ops of higher levels, and the pass that removes them."""
