"""Functions with derivative rules of their own, in reverse mode: `dcf.custom_jvp` and
`dcf.custom_forward`.

Before a function is differentiated, every call in it whose derivative matters gives way to what the
rule computes; ops that exist only meanwhile say how derivatives flow. For tangents, the rule's code runs
on tangents that are zero, whose derivatives are those of the arguments: the reverse walk transposes
it. As in JAX, the primal values are those of the rule from then on, and what the rule calls has
its own rules in derivatives of derivatives only.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

from ...dialects import dcf
from ...dialects.dcf.types import cotangent_type, is_differentiable
from ...dialects.diagnostics import ProgramError
from ...dialects.plan.devices import inherit_device
from .._symbols import CUSTOM_BACKWARD, CUSTOM_FORWARD, CUSTOM_JVP
from .activity import Activity
from .backward import Backward
from .emitter import ORIGIN, Emitter
from .rules import MEANWHILE, Contributions, functions_around, own_rule

HELD = "autodiff.held"
"""Attribute of a `dcf.stop_gradient` that holds for this derivative only."""


@irdl_op_definition
class TangentOp(IRDLOperation):
    """`autodiff.tangent %x`: zero, with the derivative of `%x`."""

    name = "autodiff.tangent"
    operand = operand_def()
    result = result_def()
    traits = traits_def(Pure())


@irdl_op_definition
class WithTangentOp(IRDLOperation):
    """`autodiff.with_tangent %x, %t`: `%x`, with the derivative of `%t`."""

    name = "autodiff.with_tangent"
    operand = operand_def()
    tangent = operand_def()
    result = result_def()
    traits = traits_def(Pure())


@irdl_op_definition
class PulledOp(IRDLOperation):
    """`autodiff.pulled`: the values, whose cotangents a function makes cotangents of the arguments."""

    name = "autodiff.pulled"
    values = var_operand_def()
    residuals = var_operand_def()
    arguments = var_operand_def()
    outputs = var_result_def()
    backward = prop_def(SymbolRefAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())


def apply_rules(block: Block, inputs: Sequence[SSAValue], results: Sequence[SSAValue]) -> None:
    """Put what rules compute in the place of the calls that depend on `inputs`."""
    first = True
    while calls := _active_calls(block, inputs, results):
        for call in calls:
            if first:
                _apply(call)
            else:  # of tangents, in a rule: linear, and differentiated as it is
                functions = functions_around(call)
                outputs = _inlined(call, functions[call.callee.root_reference.data], call.operands)
                _replace(call, outputs)
        first = False


def _active_calls(
    block: Block, inputs: Sequence[SSAValue], results: Sequence[SSAValue]
) -> list[CallOp]:
    calls = [op for op in block.walk() if isinstance(op, CallOp) and _has_new_rule(op)]
    if not calls:
        return []
    varied = Activity(block, inputs, results).varied
    return [call for call in calls if any(operand in varied for operand in call.operands)]


def _has_new_rule(op: CallOp) -> bool:
    callee = functions_around(op).get(op.callee.root_reference.data)
    return callee is not None and not {CUSTOM_JVP, CUSTOM_FORWARD}.isdisjoint(callee.attributes)


def _apply(call: CallOp) -> None:
    floats = [value for value in call.operands if is_differentiable(value.type)]
    held: list[SSAValue] = []
    for operand in call.operands:
        if is_differentiable(operand.type):
            stop = dcf.StopGradientOp(operand)
            stop.attributes[HELD] = SymbolRefAttr("held")
            held.append(_insert(call, stop).results[0])
        else:
            held.append(operand)
    rule = own_rule(call, CUSTOM_JVP)
    if rule is not None:
        made = [
            TangentOp.create(operands=[value], result_types=[cotangent_type(value.type)])
            for value in floats
        ]
        tangents = [_insert(call, op).results[0] for op in made]
        check_type(rule, [*held, *tangents], with_derivatives(call.result_types))
        found = _inlined(call, rule, [*held, *tangents])
        values, rest = found[: len(call.results)], iter(found[len(call.results) :])
        outputs = [
            _insert(
                call, WithTangentOp.create(operands=[v, next(rest)], result_types=[v.type])
            ).results[0]
            if is_differentiable(v.type)
            else v
            for v in values
        ]
        _replace(call, outputs)
        return
    forward, backward = own_rule(call, CUSTOM_FORWARD), own_rule(call, CUSTOM_BACKWARD)
    if forward is None or backward is None:
        raise ProgramError(f"expected {CUSTOM_BACKWARD} with {CUSTOM_FORWARD}, got one", call)
    check_type(forward, held, call.result_types)
    found = _inlined(call, forward, held)
    originals = dict(zip(held, call.operands))
    values = found[: len(call.results)]
    residuals = [originals.get(value, value) for value in found[len(call.results) :]]
    pulled = PulledOp.build(
        operands=[values, residuals, list(call.operands)],
        result_types=[call.result_types],
        properties={"backward": SymbolRefAttr(backward.sym_name.data)},
    )
    _replace(call, _insert(call, pulled).results)


def finish_rules(block: Block) -> None:
    """Make the ops that only existed meanwhile the values that they are."""
    for op in reversed(list(block.walk())):
        if isinstance(op, WithTangentOp):
            _replace(op, [op.operand])
        elif isinstance(op, PulledOp):
            _replace(op, op.values)
        elif isinstance(op, dcf.StopGradientOp) and HELD in op.attributes:
            _replace(op, [op.operand])
        elif isinstance(op, TangentOp):
            if op.result.first_use is not None:
                emit = Emitter(Block())
                emit.source = op
                zero = emit.zero(op.operand)
                for new in list(emit.block.ops):
                    new.detach()
                    _insert(op, new)
                op.result.replace_all_uses_with(zero)
            _erase(op)


def check_type(rule: FuncOp, operands: Sequence[SSAValue], results: Sequence[Attribute]) -> None:
    """Check the type of a rule; its results may be followed by residuals."""
    inputs = [value.type for value in operands]
    got = rule.function_type
    outputs = list(got.outputs.data)
    if list(got.inputs.data) != inputs or outputs[: len(results)] != list(results):
        ins, outs = ", ".join(map(str, inputs)), ", ".join(map(str, results))
        raise ProgramError(
            f"expected the rule @{rule.sym_name.data} to have the type ({ins}) -> ({outs}), got {got}",
            rule,
        )


def with_derivatives(types: Sequence[Attribute]) -> list[Attribute]:
    """The types, then those of the tangents of the floating-point ones."""
    return [*types, *(cotangent_type(type) for type in types if is_differentiable(type))]


def _inlined(call: CallOp, function: FuncOp, operands: Sequence[SSAValue]) -> list[SSAValue]:
    """Put the code of a function before a call; its results."""
    block = function.body.block
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, operands, strict=True))
    for inner in block.ops:
        if isinstance(inner, ReturnOp):
            return [values[value] for value in inner.operands]
        _insert(call, inner.clone(value_mapper=values))
    raise AssertionError("a function without a return")


def _insert(source: Operation, op: Operation) -> Operation:
    """Put an op before `source`, whose place in the program it has if it has none."""
    block = source.parent_block()
    assert block is not None
    if isinstance(op, dcf.StopGradientOp | TangentOp | WithTangentOp | PulledOp):
        op.location = source.location
    if (origin := source.attributes.get(ORIGIN)) is not None:
        op.attributes.setdefault(ORIGIN, origin)
    inherit_device(source, op)
    block.insert_op_before(op, source)
    return op


def _replace(op: Operation, values: Sequence[SSAValue]) -> None:
    for old, new in zip(op.results, values, strict=True):
        new.name_hint = new.name_hint or old.name_hint
        old.replace_all_uses_with(new)
    _erase(op)


def _erase(op: Operation) -> None:
    op.detach()
    op.erase()


def _tangent(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    return cotangents


def _with_tangent(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    return [None, cotangents[0]]


def _pulled(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, PulledOp)
    name = op.backward.root_reference.data
    rule = functions_around(op).get(name)
    if rule is None:
        raise ProgramError(
            f"expected a function of the module as {CUSTOM_BACKWARD}, got {name}", op
        )
    given = [b.value(value) for value in op.residuals]
    given += [
        b.zero(result) if cotangent is None else cotangent
        for result, cotangent in zip(op.outputs, cotangents, strict=True)
        if is_differentiable(result.type)
    ]
    types = [cotangent_type(v.type) for v in op.arguments if is_differentiable(v.type)]
    check_type(rule, given, types)
    call = b.emit.emit(CallOp(name, given, types))
    found = iter(call.results)
    before: list[SSAValue | None] = [None] * (len(op.values) + len(op.residuals))
    return [
        *before,
        *(next(found) if is_differentiable(v.type) else None for v in op.arguments),
    ]


MEANWHILE.update(
    {
        "autodiff.tangent": _tangent,
        "autodiff.with_tangent": _with_tangent,
        "autodiff.pulled": _pulled,
    }
)
