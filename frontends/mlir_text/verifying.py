"""Checks a module: each op's own rules, then SSA dominance. Mistakes are `ProgramError`s."""

from __future__ import annotations

from xdsl.ir import Block, Operation
from xdsl.traits import IsTerminator, NoTerminator
from xdsl.utils.exceptions import VerifyException

from ...dialects.diagnostics import ProgramError, RuleError
from ...passes.verify_dominance import verify_dominance


def verify_module(module: Operation) -> None:
    """Raise a `ProgramError`, located at the op, for the first rule that the module breaks."""
    for op in module.walk():
        try:
            verify_structure(op)
            op.verify_()
        except VerifyException as error:
            where = error.op if isinstance(error, RuleError) else op
            raise ProgramError(op_message(where, str(error)), where) from None
        except KeyError as error:
            # A verifier looks at a property that another op should have had.
            raise ProgramError(op_message(op, f"lacks property {error}"), op) from error
    verify_dominance(module)


def op_message(op: Operation, message: str) -> str:
    """`'op.name' op message`, as MLIR words it."""
    return f"'{op.name}' op {message}"


def verify_structure(op: Operation) -> None:
    """What xDSL checks around an op's own verifier: terminators and successors."""
    block = op.parent
    region = block.parent if block is not None else None
    if op.successors:
        if block is None or block.last_op is not op:
            raise VerifyException("has successors, expected it to be the last of its block")
        for successor in op.successors:
            if successor.parent is not region:
                raise VerifyException("branches to a block of a different region")
    for child in op.regions:
        blocks = tuple(child.blocks)
        free = len(blocks) == 1 and op.has_trait(NoTerminator)
        for inner in blocks:
            if not free:
                _verify_terminator(op, inner)


def _verify_terminator(op: Operation, block: Block) -> None:
    last = block.last_op
    if last is None:
        raise VerifyException("expected its region to end in a terminator, got an empty block")
    if not last.has_trait(IsTerminator):
        raise VerifyException(f"expected its region to end in a terminator, got '{last.name}'")
