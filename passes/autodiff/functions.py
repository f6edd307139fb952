"""Functions that compute derivatives of functions, made of copies of them by the reverse walk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from ...dialects import stablehlo
from ...dialects.dcf.types import cotangent_type, is_differentiable
from ...dialects.diagnostics import ProgramError
from .._symbols import unique_name
from ..inline_calls import InlineCallsPass
from .activity import Activity
from .augment import augment
from .backward import Backward, Records
from .forward import insert_tangents
from .own_rules import apply_rules, finish_rules
from .paths import explained
from .policies import Policy, prepare_loops
from .rules import NoDerivative, module_in_work
from .structures import reverse_block


@dataclass(frozen=True)
class Options:
    """How reverse-mode functions are made."""

    policy: Policy | None = None
    """For the loops that have none of their own."""
    log: list[Records] = field(default_factory=list[Records])
    """Receives what each function keeps."""


def add_gradient(
    function: FuncOp,
    wrt: Sequence[int] | None = None,
    of: int | None = None,
    *,
    name: str | None = None,
    options: Options | None = None,
) -> FuncOp:
    """Add `@FUNCTION.grad` after `function`: its results, then the gradients of the sum of result
    `of` (default: the first real floating-point one) by the arguments `wrt` (default: every
    floating-point one)."""
    numbers = checked_wrt(function, wrt)
    target = checked_of(function, of)
    name = name or unique_name(function, "grad")

    def seed(backward: Backward, results: Sequence[SSAValue]) -> None:
        backward.accumulate(results[target], backward.emit.full_like(1, results[target]))

    def make(made: FuncOp) -> None:
        _reverse(made, numbers, [target], seed, options or Options())

    return _made(function, name, make, numbers, [target])


def add_vjp(
    function: FuncOp,
    wrt: Sequence[int] | None = None,
    *,
    name: str | None = None,
    options: Options | None = None,
) -> FuncOp:
    """Add `@FUNCTION.vjp` after `function`.

    Arguments: those of `function`, then a cotangent of each floating-point result. Results: those of
    `function`, then the cotangents of the arguments `wrt` (default: every floating-point one).
    """
    numbers = checked_wrt(function, wrt)
    outputs = function.function_type.outputs.data
    targets = [k for k, type in enumerate(outputs) if is_differentiable(type)]

    def make(made: FuncOp) -> None:
        block = made.body.block
        seeds = [_cotangent(block, outputs[k], k) for k in targets]

        def seed(backward: Backward, results: Sequence[SSAValue]) -> None:
            for k, cotangent in zip(targets, seeds):
                backward.accumulate(results[k], cotangent)

        _reverse(made, numbers, targets, seed, options or Options())

    return _made(function, name or unique_name(function, "vjp"), make, numbers, targets)


def _cotangent(block: Block, type: Attribute, number: int) -> SSAValue:
    argument = block.insert_arg(cotangent_type(type), len(block.args))
    argument.name_hint = f"ct{number}"
    return argument


def add_jvp(
    function: FuncOp, wrt: Sequence[int] | None = None, *, name: str | None = None
) -> FuncOp:
    """Add `@FUNCTION.jvp` after `function`.

    Arguments: those of `function`, then a tangent of each argument `wrt` (default: every
    floating-point one). Results: those of `function`, then a tangent of each floating-point one.
    """
    numbers = checked_wrt(function, wrt)
    outputs = function.function_type.outputs.data
    targets = [k for k, type in enumerate(outputs) if is_differentiable(type)]
    return _made(
        function,
        name or unique_name(function, "jvp"),
        lambda made: insert_tangents(made, numbers),
        numbers,
        targets,
    )


def _made(
    function: FuncOp,
    name: str,
    make: Callable[[FuncOp], None],
    wrt: Sequence[int],
    targets: Sequence[int],
) -> FuncOp:
    """A copy of `function` that `make` has worked on; nothing is left of it if that fails."""
    made = copy_beside(function, name)
    module = made.parent_op()
    assert isinstance(module, ModuleOp)
    token = module_in_work.set(module)
    try:
        make(made)
    except NoDerivative as error:
        made.detach()
        made.erase()
        copy = copy_beside(function, name)
        copy.properties["sym_name"] = function.sym_name
        explanation = explained(error, copy, wrt, targets)
        copy.detach()
        copy.erase()
        raise explanation from None
    finally:
        module_in_work.reset(token)
    return made


def _reverse(
    made: FuncOp,
    wrt: Sequence[int],
    targets: Sequence[int],
    seed: Callable[[Backward, Sequence[SSAValue]], None],
    options: Options,
) -> None:
    """Add the backward code to a copy of a function, in place."""
    block = made.body.block
    end = block.last_op
    assert isinstance(end, ReturnOp)
    inputs = [block.args[k] for k in wrt]
    apply_rules(block, inputs, list(end.operands))
    prepare_loops(block, options.policy)
    results = list(end.operands)
    end.detach()
    end.drop_all_references()
    records = Records(block, Activity(block, inputs, [results[k] for k in targets]))
    options.log.append(records)
    backward = Backward(records, block, block)
    backward.emit.source = end
    seed(backward, results)
    reverse_block(backward, block)
    backward.emit.source = end
    gradients = [backward.take(value) or backward.zero(value) for value in inputs]
    final = ReturnOp(*results, *gradients)
    final.location = end.location
    block.add_op(final)
    augment(records)
    finish_rules(block)
    set_signature(made)


def copy_beside(function: FuncOp, name: str) -> FuncOp:
    """A public copy of `function` after it, without calls of functions that have no rule."""
    made = function.clone()
    made.properties["sym_name"] = StringAttr(name)
    made.properties.pop("sym_visibility", None)
    parent = function.parent_block()
    assert parent is not None
    parent.insert_op_after(made, function)
    if any(isinstance(op, CallOp) for op in made.walk()):
        module = made.parent_op()
        assert isinstance(module, ModuleOp)
        InlineCallsPass(name).apply(Context(), module)
    _unpack_tuples(made)
    return made


def _unpack_tuples(function: FuncOp) -> None:
    """Use the members of tuples that are made in the function directly."""
    for op in list(function.walk()):
        if isinstance(op, stablehlo.GetTupleElementOp):
            made = op.operand.owner
            if isinstance(made, stablehlo.TupleOp):
                op.result.replace_all_uses_with(made.val[op.index.value.data])
                Rewriter.erase_op(op)


def set_signature(function: FuncOp) -> None:
    """Make the type and the attributes of arguments and results agree with the block."""
    block = function.body.block
    end = block.last_op
    assert end is not None
    old = function.function_type
    types = [value.type for value in end.operands]
    function.properties["function_type"] = FunctionType.from_lists(list(block.arg_types), types)
    _pad(function, "arg_attrs", len(block.args) - len(old.inputs.data))
    _pad(function, "res_attrs", len(types) - len(old.outputs.data))


def _pad(function: FuncOp, name: str, count: int) -> None:
    known = function.properties.get(name)
    if isa(known, ArrayAttr[Attribute]):
        function.properties[name] = ArrayAttr([*known, *[DictionaryAttr({})] * count])


def checked_wrt(function: FuncOp, wrt: Sequence[int] | None) -> list[int]:
    """The numbers of the arguments to differentiate by; default: the floating-point ones."""
    types = function.function_type.inputs.data
    if wrt is None:
        return [k for k, type in enumerate(types) if is_differentiable(type)]
    for position, number in enumerate(wrt):
        if not 0 <= number < len(types):
            raise ProgramError(
                f"expected in wrt numbers of arguments of @{function.sym_name.data}, below"
                f" {len(types)}, got {number}",
                function,
            )
        if not is_differentiable(types[number]):
            raise ProgramError(
                f"expected argument {number} of @{function.sym_name.data} to be floating-point to"
                f" differentiate by it, got {types[number]}",
                function,
            )
        if number in wrt[:position]:
            raise ProgramError(f"expected each argument once in wrt, got {number} twice", function)
    return list(wrt)


def checked_of(function: FuncOp, of: int | None) -> int:
    """The number of the result to differentiate; default: the first real floating-point one."""
    types = function.function_type.outputs.data
    real = [k for k, type in enumerate(types) if is_real(type)]
    if of is None:
        if not real:
            raise ProgramError(
                "expected a floating-point result to differentiate, got none", function
            )
        return real[0]
    if not 0 <= of < len(types):
        raise ProgramError(
            f"expected in of the number of a result of @{function.sym_name.data}, below"
            f" {len(types)}, got {of}",
            function,
        )
    if of not in real:
        raise ProgramError(
            f"expected result {of} of @{function.sym_name.data} to be a real floating-point tensor"
            f" to differentiate, got {types[of]}",
            function,
        )
    return of


def is_real(type: Attribute) -> bool:
    """Whether a sum of `type` can be differentiated."""
    return isa(type, TensorType[Attribute]) and isinstance(type.element_type, AnyFloat)
