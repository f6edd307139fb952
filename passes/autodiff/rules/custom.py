"""Functions with a derivative rule of their own: the attribute `dcf.custom_vjp = @rule`.

The rule takes the function's arguments and a cotangent for each floating-point result, and returns a
cotangent for each floating-point argument. `inline-calls` leaves calls of such functions alone;
`expand-requests` takes the attribute away, after which nothing asks for derivatives. Rules that
compute the function's results too (`dcf.custom_jvp`, `dcf.custom_forward`) take its place before:
`own_rules.py` and the forward walk see to that.
"""

from __future__ import annotations

from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Operation

from ....dialects.dcf.types import cotangent_type, is_differentiable
from ....dialects.diagnostics import ProgramError
from ..._symbols import CUSTOM_FORWARD, CUSTOM_VJP
from ..backward import Backward
from ..emitter import Emitter
from . import JVP, VJP, Contributions, own_rule
from . import calls as calls  # the rules that these stand before

_plain_vjp = VJP["func.call"]
_plain_jvp = JVP["func.call"]


def _vjp(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, CallOp)
    rule = own_rule(op, CUSTOM_VJP)
    if rule is None:
        return _plain_vjp(op, cotangents, b)
    arguments = [b.value(operand) for operand in op.operands]
    seeds = [
        b.zero(result) if cotangent is None else cotangent
        for result, cotangent in zip(op.results, cotangents)
        if is_differentiable(result.type)
    ]
    types = [cotangent_type(v.type) for v in op.operands if is_differentiable(v.type)]
    _check(op, rule, [value.type for value in (*arguments, *seeds)], types)
    call = b.emit.emit(CallOp(rule.sym_name.data, [*arguments, *seeds], types))
    found = iter(call.results)
    return [next(found) if is_differentiable(v.type) else None for v in op.operands]


def _jvp(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    assert isinstance(op, CallOp)
    if own_rule(op, CUSTOM_VJP) is not None or own_rule(op, CUSTOM_FORWARD) is not None:
        raise ProgramError(
            f"@{op.callee.root_reference.data} has a reverse-mode rule of its own (custom_vjp), and"
            " no forward-mode one",
            op,
        )
    return _plain_jvp(op, tangents, e)


VJP["func.call"] = _vjp
JVP["func.call"] = _jvp


def _check(op: Operation, rule: FuncOp, inputs: list[Attribute], outputs: list[Attribute]) -> None:
    got = rule.function_type
    if list(got.inputs.data) != inputs or list(got.outputs.data) != outputs:
        expected = f"({', '.join(map(str, inputs))}) -> ({', '.join(map(str, outputs))})"
        raise ProgramError(
            f"expected the rule @{rule.sym_name.data} to have the type {expected}, got {got}", rule
        )
