"""`split-vjp`: a function of arguments and cotangents becomes one of each, with residuals between.

After differentiation, for a reverse-mode function that is called several times at one point: what does
not depend on the cotangents is computed once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import ConstantLike
from xdsl.utils.exceptions import PassFailedException

from ..dialects.diagnostics import ProgramError
from ._effects import Effects
from ._symbols import functions_of, unique_name


@dataclass(frozen=True)
class SplitVjpPass(ModulePass):
    """Adds `@FUNCTION.forward` and `@FUNCTION.backward`, which together do what a function does.

    The function has `arguments` arguments, then cotangents; `results` results, then those that depend
    on cotangents. The forward function is from the former arguments to the former results and
    residuals: it has every op that these results need and every effect. The backward function is
    from residuals and cotangents to the latter results. Constants are in both, and what only the
    backward function needs (as a loop that is run once more, to save memory) is in that.

    Errors: a function that is not there, or has fewer arguments or results; a result or an effect of
    the forward function that depends on a cotangent.
    """

    name = "split-vjp"
    exactness: ClassVar[str] = "exact"

    function: str
    arguments: int
    results: int

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        function = functions_of(op).get(self.function)
        if function is None or function.is_declaration:
            raise PassFailedException(f"expected a function @{self.function} with a body, got none")
        for what, asked, types in (
            ("arguments", self.arguments, function.function_type.inputs.data),
            ("results", self.results, function.function_type.outputs.data),
        ):
            if not 0 <= asked <= len(types):
                raise PassFailedException(
                    f"expected 0 to {len(types)} {what}, those of @{self.function}, got {asked}"
                )
        split_vjp(function, self.arguments, self.results, Effects(op))


def split_vjp(
    function: FuncOp, arguments: int, results: int, effects: Effects
) -> tuple[FuncOp, FuncOp]:
    """Add the two functions after `function`; they are returned."""
    block = function.body.block
    end = block.last_op
    assert isinstance(end, ReturnOp)
    early = _needed(block, end.operands[:results], effects)
    _check(function, arguments, results, early)
    late = [op for op in block.ops if op not in early and op is not end]
    crossing = dict.fromkeys(
        value
        for value in (*_uses(late), *end.operands[results:])
        if _is_early(value, block, arguments, early)
    )
    forward = _function(
        function, "forward", block.args[:arguments], early, [*end.operands[:results], *crossing]
    )
    constants = [op for op in early if _is_constant(op)]
    backward = _function(
        function,
        "backward",
        [*crossing, *block.args[arguments:]],
        [*constants, *late],
        end.operands[results:],
    )
    parent = function.parent_block()
    assert parent is not None
    parent.insert_ops_after([forward, backward], function)
    return forward, backward


def _needed(
    block: Block, values: Sequence[SSAValue], effects: Effects | None
) -> dict[Operation, None]:
    """The ops of `block`, in order, that have effects or that `values` need."""
    needed: set[SSAValue] = set(values)
    found: list[Operation] = []
    for op in reversed(list(block.ops)):
        if isinstance(op, ReturnOp):
            continue
        if (effects is not None and effects.of(op)) or not needed.isdisjoint(op.results):
            needed.update(_uses([op]))
            found.append(op)
    return dict.fromkeys(reversed(found))


def _check(function: FuncOp, arguments: int, results: int, early: Iterable[Operation]) -> None:
    """Nothing that the forward function has depends on a cotangent."""
    block = function.body.block
    end = block.last_op
    assert end is not None
    name = function.sym_name.data
    given = dict.fromkeys(block.args[arguments:])
    hint = f"arguments={arguments} may be too small, or results={results} too large"
    for k, value in enumerate(end.operands[:results]):
        if value in given:
            raise ProgramError(
                f"split-vjp: expected result {k} of @{name} not to be a cotangent, got"
                f" {_argument(value)}; {hint}",
                end,
            )
    for op in early:
        cotangent = next((value for value in _uses([op]) if value in given), None)
        if cotangent is None:
            continue
        wanting = (k for k in range(results) if op in _needed(block, [end.operands[k]], None))
        result = next(wanting, None)
        what = "the effects" if result is None else f"result {result}"
        raise ProgramError(
            f"split-vjp: expected {what} of @{name} not to depend on cotangents, got this {op.name},"
            f" which reads {_argument(cotangent)}; {hint}",
            op,
        )


def _argument(value: SSAValue) -> str:
    """`argument K (%name)`."""
    assert isinstance(value, BlockArgument)
    named = f" (%{value.name_hint})" if value.name_hint is not None else ""
    return f"argument {value.index}{named}"


def _uses(ops: Iterable[Operation]) -> Iterator[SSAValue]:
    for op in ops:
        for nested in op.walk():
            yield from nested.operands


def _is_early(value: SSAValue, block: Block, arguments: int, early: dict[Operation, None]) -> bool:
    """Whether a value is there when the forward function ends, and no constant."""
    if isinstance(value, BlockArgument):
        return value.block is block and value.index < arguments
    return value.owner in early and not _is_constant(value.owner)


def _is_constant(op: Operation | Block) -> bool:
    return isinstance(op, Operation) and not op.operands and op.has_trait(ConstantLike)


def _function(
    source: FuncOp,
    suffix: str,
    arguments: Sequence[SSAValue],
    ops: Iterable[Operation],
    results: Sequence[SSAValue],
) -> FuncOp:
    """A function of copies of `ops`."""
    block = Block(arg_types=[value.type for value in arguments])
    copies: dict[SSAValue, SSAValue] = dict(zip(arguments, block.args, strict=True))
    for value, argument in zip(arguments, block.args, strict=True):
        argument.name_hint = value.name_hint
    for op in ops:
        block.add_op(op.clone(value_mapper=copies))
    end = ReturnOp(*(copies[value] for value in results))
    end.location = source.location
    block.add_op(end)
    made = FuncOp(
        unique_name(source, suffix),
        FunctionType.from_lists(
            [value.type for value in arguments], [value.type for value in results]
        ),
        Region(block),
    )
    made.location = source.location
    return made
