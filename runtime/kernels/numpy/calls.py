"""Calls: functions of the module, composites (by their decomposition), and the custom calls that
say nothing about values (shardings, markers), which are identities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from xdsl.ir import Operation

from ....dialects.diagnostics import ProgramError
from .. import Kernel, Scope, kernel
from .attributes import text_of
from .common import identities, identity, one

IDENTITY_TARGETS: Final = {
    "Sharding",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "annotate_device_placement",
    "xla.sdy.FuncResultSharding",
    "xla.sdy.GlobalToLocalShape",
    "xla.sdy.LocalToGlobalShape",
    "MoveToHost",
    "MoveToDevice",
    "LayoutConstraint",
}


@kernel("func.call")
def _call(op: Operation, scope: Scope) -> Kernel:
    return _results(op, scope.function(text_of(op, "callee")))


@kernel("dfg.kernel")
def _kernel(op: Operation, scope: Scope) -> Kernel:
    return _results(op, scope.function(text_of(op, "callee")))


@kernel("stablehlo.composite")
def _composite(op: Operation, scope: Scope) -> Kernel:
    return _results(op, scope.function(text_of(op, "decomposition")))


def _results(op: Operation, function: Callable[..., Any]) -> Kernel:
    if len(op.results) != 1:
        return function

    def first_result(*operands: Any) -> Any:
        return function(*operands)[0]

    return first_result


@kernel("stablehlo.custom_call")
def _custom_call(op: Operation, scope: Scope) -> Kernel:
    target = text_of(op, "call_target_name")
    same_types = [o.type for o in op.operands] == [r.type for r in op.results]
    if target not in IDENTITY_TARGETS or not same_types:
        raise ProgramError(f"custom call to '{target}' is not supported", op)
    return identity if len(op.results) == 1 else identities


@kernel("stablehlo.async_start")
def _async_start(op: Operation, scope: Scope) -> Kernel:
    """Computes at once; the future is the tuple of results."""
    return scope.eval_region(op.regions[0])


@kernel("stablehlo.async_done")
def _async_done(op: Operation, scope: Scope) -> Kernel:
    if len(op.results) == 1:
        return one(lambda future: future[0])
    return identity


@kernel("sdy.sharding_constraint", "sdy.reshard", "sdy.propagation_barrier")
def _sharding(op: Operation, scope: Scope) -> Kernel:
    return identity
