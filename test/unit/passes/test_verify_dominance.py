"""Dominance where text cannot go: several blocks, isolated regions, values of erased ops."""

from __future__ import annotations

import pytest
from xdsl.dialects import test as testing
from xdsl.dialects.builtin import FunctionType, ModuleOp, i1, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Region

from anabranch.dialects.diagnostics import ProgramError
from anabranch.passes.verify_dominance import (
    VerifyDominancePass,
    immediate_dominators,
    verify_dominance,
)


def diamond() -> tuple[ModuleOp, list[Block]]:
    """entry -> left, right -> end; each block defines an i32, and `end` loops back to `left`."""
    blocks = [Block() for _ in range(4)]
    entry, left, right, end = blocks
    for block in blocks:
        block.add_op(testing.TestOp(result_types=[i32]))
    condition = testing.TestOp(result_types=[i1])
    entry.add_op(condition)
    entry.add_op(testing.TestTermOp(operands=[condition.results[0]], successors=[left, right]))
    left.add_op(testing.TestTermOp(successors=[end]))
    right.add_op(testing.TestTermOp(successors=[end]))
    end.add_op(testing.TestTermOp(successors=[left]))
    function = FuncOp("f", FunctionType.from_lists([], []), Region(blocks))
    return ModuleOp([function]), blocks


def use(user: Block, definer: Block) -> None:
    """Let `user` use, before its terminator, the value that `definer` defines."""
    assert definer.first_op is not None and user.last_op is not None
    user.insert_op_before(testing.TestOp(operands=[definer.first_op.results[0]]), user.last_op)


@pytest.mark.parametrize(
    ("user", "definer", "legal"),
    [
        (1, 0, True),
        (3, 0, True),
        (0, 0, True),
        (3, 3, True),
        (3, 1, False),
        (3, 2, False),
        (2, 1, False),
        (1, 3, False),
        (0, 3, False),
    ],
)
def test_blocks(user: int, definer: int, legal: bool) -> None:
    module, blocks = diamond()
    use(blocks[user], blocks[definer])
    if legal:
        verify_dominance(module)
    else:
        with pytest.raises(ProgramError, match="does not come before this use"):
            verify_dominance(module)


def test_immediate_dominators() -> None:
    module, (entry, left, right, end) = diamond()
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    assert immediate_dominators(function.body) == {
        entry: None,
        left: entry,
        right: entry,
        end: entry,
    }


def test_isolated_region() -> None:
    outside = testing.TestOp(result_types=[i32])
    inside = testing.TestOp(operands=[outside.results[0]])
    body = Region(Block([inside, testing.TestTermOp()]))
    module = ModuleOp([outside, FuncOp("f", FunctionType.from_lists([], []), body)])
    with pytest.raises(ProgramError, match="outside of 'func.func', which is isolated"):
        verify_dominance(module)


def test_value_of_a_region_that_does_not_enclose_the_use() -> None:
    inner = testing.TestOp(result_types=[i32])
    holder = testing.TestOp(regions=[Region(Block([inner]))])
    user = testing.TestOp(operands=[inner.results[0]])
    with pytest.raises(ProgramError, match="in a region that does not enclose this use"):
        verify_dominance(ModuleOp([holder, user]))


def test_erased_value() -> None:
    gone = testing.TestOp(result_types=[i32])
    user = testing.TestOp(operands=[gone.results[0]])
    module = ModuleOp([gone, user])
    gone.detach()
    gone.erase(safe_erase=False)
    with pytest.raises(ProgramError, match="an erased value"):
        verify_dominance(module)


def test_pass_has_its_name() -> None:
    assert VerifyDominancePass.name == "verify-dominance"
