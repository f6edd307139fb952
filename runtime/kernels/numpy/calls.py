"""Calls: functions of the module, composites (by their decomposition), async computations; and
shardings, which say nothing about values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Operation

from .. import Kernel, Scope, kernel
from .attributes import text_of
from .common import identity, one


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
