"""The rule table: what each op contributes to the cotangents of its operands, and to its tangents.

A vjp rule gets the op, the cotangents of its results (`None` is zero) and the backward block under
construction; it returns one contribution per operand. `b.value(v)` is a forward value in the backward
code; asking for it may cost a residual per trip, so rules ask only for what they need. A jvp rule gets the
op, the tangents of its operands and the emitter, and returns one tangent per result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation, SSAValue

from ....dialects.diagnostics import ProgramError
from ..._symbols import functions_of

if TYPE_CHECKING:
    from ..backward import Backward
    from ..emitter import Emitter

Contributions = Sequence[SSAValue | None]
VjpRule = Callable[[Operation, Contributions, "Backward"], Contributions]
JvpRule = Callable[[Operation, Contributions, "Emitter"], Contributions]

VJP: dict[str, VjpRule] = {}
JVP: dict[str, JvpRule] = {}
MEANWHILE: dict[str, VjpRule] = {}
"""Reverse rules of ops that are only there while a function is differentiated."""

FAMILIES = (
    "elementwise",
    "special",
    "complex",
    "broadcasting",
    "shapes",
    "reductions",
    "products",
    "convolutions",
    "slices",
    "indexing",
    "scatters",
    "windows",
    "sorting",
    "linear_algebra",
    "signal",
    "normalization",
    "dynamic",
    "calls",
    "custom",
    "containers",
)
"""The modules that fill the tables."""

NO_DERIVATIVE: dict[str, str] = {
    "chlo._asin_acos_kernel": "write chlo.asin or chlo.acos",
    "chlo.next_after": "a step to the next float has no useful slope",
    "chlo.ragged_dot": "write a stablehlo.dot_general for each group",
    "chlo.scan": "write a stablehlo.while",
    "stablehlo.async_done": "differentiate the program before its ops are made asynchronous",
    "stablehlo.collective_reduce": "differentiate the program before it is partitioned",
    "stablehlo.cross-replica-sum": "differentiate the program before it is partitioned",
    "stablehlo.dynamic_conv": "with padding that is constant, write stablehlo.convolution",
    "stablehlo.uniform_dequantize": "quantized values are integers",
    "stablehlo.uniform_quantize": "quantized values are integers",
}
"""Ops with floating-point results and no rule -> why."""


def vjp(*names: str) -> Callable[[VjpRule], VjpRule]:
    """Registers a reverse rule for the ops named."""

    def register(rule: VjpRule) -> VjpRule:
        for name in names:
            assert name not in VJP, name
            VJP[name] = rule
        return rule

    return register


def jvp(*names: str) -> Callable[[JvpRule], JvpRule]:
    """Registers a forward rule for the ops named."""

    def register(rule: JvpRule) -> JvpRule:
        for name in names:
            assert name not in JVP, name
            JVP[name] = rule
        return rule

    return register


module_in_work: ContextVar[ModuleOp | None] = ContextVar("module_in_work", default=None)
"""The module whose functions are being differentiated: code that is made is not yet in it."""


def functions_around(op: Operation) -> dict[str, FuncOp]:
    """The functions of the module that an op is in, or will be."""
    top: Operation | None = op
    while top is not None and not isinstance(top, ModuleOp):
        top = top.parent_op()
    module = top if top is not None else module_in_work.get()
    return functions_of(module) if module is not None else {}


def own_rule(op: CallOp, attribute: str) -> FuncOp | None:
    """The rule that an attribute of the function called names, if it has that."""
    functions = functions_around(op)
    callee = functions.get(op.callee.root_reference.data)
    found = callee.attributes.get(attribute) if callee is not None else None
    if found is None:
        return None
    name = found.root_reference.data if isinstance(found, SymbolRefAttr) else str(found)
    rule = functions.get(name)
    if rule is None:
        raise ProgramError(f"expected a function of the module as {attribute}, got {name}", callee)
    return rule


def load_rules() -> None:
    """Import every family."""
    from importlib import import_module

    for family in FAMILIES:
        import_module(f".{family}", __name__)


def vjp_rule(op: Operation) -> VjpRule | None:
    """The reverse rule of an op, or None."""
    if not VJP:
        load_rules()
    return VJP.get(op.name) or MEANWHILE.get(op.name)


def jvp_rule(op: Operation) -> JvpRule | None:
    """The forward rule of an op, or None."""
    if not JVP:
        load_rules()
    return JVP.get(op.name)


class NoDerivative(ProgramError):
    """A derivative is asked of `op`, which has none."""

    op: Operation

    def __init__(self, message: str, op: Operation):
        super().__init__(message, op)
        self.op = op


def no_rule(op: Operation) -> NoDerivative:
    """The error for an op that a derivative is asked of, and that has none."""
    reason = NO_DERIVATIVE.get(op.name)
    return NoDerivative(f"'{op.name}' has no derivative{f': {reason}' if reason else ''}", op)
