"""Rules of ops that apply a function or a region: they are differentiated through it.

`inline-calls` puts a called function in the place of its call, which lets the backward code read its
values; a call that is left is computed again by the backward code.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ..backward import Backward
from ..emitter import Emitter
from . import NO_DERIVATIVE, Contributions, NoDerivative, functions_around, jvp, vjp
from .expansion import apply_region, check_elementwise, expands, expect_static


@expands("stablehlo.map")
def _map(op: Operation, e: Emitter, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
    assert isinstance(op, stablehlo.MapOp)
    check_elementwise(op.computation, op)
    expect_static(op, *op.inputs)
    return apply_region(op.computation, e, operands)


@expands("func.call", "stablehlo.composite", "dfg.kernel")
def _call(op: Operation, e: Emitter, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
    name = op.properties.get("decomposition") or op.properties.get("callee")
    assert isinstance(name, SymbolRefAttr)
    function = _function(op, name.root_reference.data)
    block = function.body.block
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, operands, strict=True))
    for inner in block.ops:
        if isinstance(inner, ReturnOp):
            return [values[value] for value in inner.operands]
        # Locations of the callee say more than that of the call.
        e.block.add_op(inner.clone(value_mapper=values))
    raise AssertionError("a function without a return")


def _function(op: Operation, name: str) -> FuncOp:
    function = functions_around(op).get(name)
    if function is not None and len(function.body.blocks) == 1:
        return function
    raise NoDerivative(f"'{op.name}' of @{name} has no derivative: it has no body here", op)


NO_DERIVATIVE.update(
    {
        f"stablehlo.{name}": reason
        for names, reason in {
            "all_gather all_reduce all_to_all collective_broadcast collective_permute "
            "reduce_scatter": "differentiate the program before it is partitioned",
            "rng": "its values are random",
            "while if case": "'convert-stablehlo-to-dcf' makes an op of it that has one",
            "tuple get_tuple_element": "use its members",
        }.items()
        for name in names.split()
    }
)

_IDENTITIES = frozenset({"Sharding", "annotate_device_placement"})
"""Targets of custom calls that say something about a value and do not change it."""


@vjp("stablehlo.custom_call")
def _custom_call(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    _expect_identity(op)
    return cotangents


@jvp("stablehlo.custom_call")
def _custom_call_forward(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    _expect_identity(op)
    return tangents


def _expect_identity(op: Operation) -> None:
    assert isinstance(op, stablehlo.CustomCallOp)
    target = op.call_target_name.data
    types = [value.type for value in op.operands]
    if target not in _IDENTITIES or types != [result.type for result in op.results]:
        raise NoDerivative(f"the custom call to '{target}' has no derivative", op)
