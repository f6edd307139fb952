"""Makes a program that fails smaller, op by op, as long as it fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

import anabranch as ab
from anabranch.dialects import dcf, stablehlo
from anabranch.passes.autodiff.emitter import Emitter

Fails = Callable[[str], bool]
"""Whether the program with this text fails (in the way in question)."""


def reduced(text: str, fails: Fails, attempts: int = 400) -> str:
    """A smaller text that fails as well; at most so many are tried."""
    position = 0
    while attempts > 0:
        changes = list(_changes(ab.parse(text)))
        if position >= len(changes):
            return text
        attempts -= 1
        module = ab.parse(text)
        for number, change in enumerate(_changes(module)):
            if number == position:
                change()
                break
        _drop_unused(module)
        smaller = ab.print_module(module)
        if len(smaller) < len(text) and _still(fails, smaller):
            text = smaller
        else:
            position += 1
    return text


def _still(fails: Fails, text: str) -> bool:
    try:
        return fails(text)
    except Exception:
        return False


def _changes(module: ModuleOp) -> Iterator[Callable[[], None]]:
    """What can be made simpler, large things first."""
    ops = [op for op in module.walk() if not isinstance(op, ModuleOp | FuncOp)]
    structured = [op for op in ops if op.regions]
    plain = [op for op in ops if not op.regions and op.results]
    for op in structured:
        yield lambda op=op: _replace(op, [None] * len(op.results))
        if isinstance(op, dcf.WhileOp):
            yield lambda op=op: _replace(op, list(op.inits))
        if isinstance(op, dcf.CondOp | dcf.CaseOp):
            for region in op.regions:
                yield lambda op=op, region=region: _inline(op, region.block)
    for op in structured:
        if isinstance(op, dcf.WhileOp):
            for k in range(len(op.inits)):
                yield lambda op=op, k=k: _drop_carry(op, k)
    for op in reversed(plain):
        if not isinstance(op, stablehlo.ConstantOp):
            for operand in op.operands:
                if operand.type == op.results[0].type:
                    yield lambda op=op, operand=operand: _replace(op, [operand])
            yield lambda op=op: _replace(op, [None])


def _replace(op: Operation, values: list[SSAValue | None]) -> None:
    """Put values, or constants, in the place of an op's results."""
    from xdsl.ir import Block

    holder = Block()
    emit = Emitter(holder)
    found = [v if v is not None else emit.constant(1, r.type) for v, r in zip(values, op.results)]
    block = op.parent_block()
    assert block is not None
    for made in list(holder.ops):
        made.detach()
        block.insert_op_before(made, op)
    for result, value in zip(op.results, found):
        result.replace_all_uses_with(value)
    block.erase_op(op)


def _inline(op: Operation, branch: object) -> None:
    """Put a branch in the place of the op it is of."""
    from xdsl.ir import Block

    assert isinstance(branch, Block)
    end, block = branch.last_op, op.parent_block()
    assert end is not None and block is not None
    values = list(end.operands)
    branch.erase_op(end)
    for inner in list(branch.ops):
        inner.detach()
        block.insert_op_before(inner, op)
    for result, value in zip(op.results, values):
        result.replace_all_uses_with(value)
    block.erase_op(op)


def _drop_carry(op: dcf.WhileOp, k: int) -> None:
    """Make a carry a captured value, its initial one."""
    init, end = op.inits[k], op.body.block.last_op
    assert isinstance(end, dcf.YieldOp)
    for argument in (op.condition.block.args[k], op.body.block.args[k], op.outputs[k]):
        argument.replace_all_uses_with(init)
    for region in op.regions:
        region.block.erase_arg(region.block.args[k])
    end.operands = [v for n, v in enumerate(end.operands) if n != k]
    inits = [v for n, v in enumerate(op.inits) if n != k]
    outputs = [v for n, v in enumerate(op.outputs) if n != k]
    condition, body = op.detach_region(0), op.detach_region(0)
    name = op.loop_name.data if op.loop_name is not None else None
    made = dcf.WhileOp(inits, condition, body, loop_name=name)
    block = op.parent_block()
    assert block is not None
    block.insert_op_before(made, op)
    for old, new in zip(outputs, made.outputs):
        old.replace_all_uses_with(new)
    block.erase_op(op)


def _drop_unused(module: ModuleOp) -> None:
    """Erase ops whose results nothing uses."""
    for op in reversed(list(module.walk())):
        block = op.parent_block()
        is_end = block is None or op is block.last_op or isinstance(op, FuncOp)
        if not is_end and block is not None and not any(result.uses for result in op.results):
            block.erase_op(op)
