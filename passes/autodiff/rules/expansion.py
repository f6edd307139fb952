"""Derivatives of an op through the simpler ops it stands for.

A batch normalization, a reduction by any region, a call: each is written out as ops that have rules of their
own, and those are differentiated. The backward code computes the expansion again from the op's
operands; of it, what no derivative needs is left out, and with it the operands that only that needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import is_side_effect_free

from ....dialects import dcf, stablehlo
from ....dialects.dcf.types import is_differentiable
from ....dialects.stablehlo.inference import element_of, shape_of
from ..activity import BLOCKING, Activity
from ..augment import augment
from ..backward import Backward, Records
from ..emitter import Emitter
from . import Contributions, NoDerivative, jvp, jvp_rule, no_rule, vjp
from .common import is_static

Build = Callable[[Operation, Emitter, Sequence[SSAValue]], Sequence[SSAValue]]
"""(op, emitter, the values of its operands) -> its results, as simpler ops."""


def expands(*names: str) -> Callable[[Build], Build]:
    """Registers both rules of the ops named, given their expansion."""

    def register(build: Build) -> Build:
        @vjp(*names)
        def _vjp(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:  # pyright: ignore[reportUnusedFunction]
            return expanded_vjp(op, cotangents, b, build)

        @jvp(*names)
        def _jvp(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:  # pyright: ignore[reportUnusedFunction]
            return expanded_jvp(op, tangents, e, build)

        return build

    return register


def expanded_vjp(
    op: Operation, cotangents: Contributions, b: Backward, build: Build
) -> Contributions:
    """The contributions to the op's operands, by way of its expansion."""
    from ..structures import reverse_block

    operands = list(op.operands)
    given = [cotangent for cotangent in cotangents if cotangent is not None]
    block = Block(arg_types=[value.type for value in (*operands, *given)])
    arguments = block.args[: len(operands)]
    seeds = iter(block.args[len(operands) :])
    forward = Emitter(block)
    forward.source = op
    results = build(op, forward, arguments)
    wanted = [arguments[k] for k, operand in enumerate(operands) if b.is_active(operand)]
    records = Records(block, Activity(block, wanted, results))
    b.records.inner.append(records)
    inner = Backward(records, block, block)
    inner.emit.source = op
    for result, cotangent in zip(results, cotangents, strict=True):
        if cotangent is not None:
            inner.accumulate(result, next(seeds))
    reverse_block(inner, block)
    contributions = [inner.take(argument) for argument in arguments]
    augment(records)
    _drop_unused(block, contributions)
    # The block's code goes where the backward code is; only now is it known which operands it reads.
    actual = [
        b.value(operand) if argument.first_use or argument in contributions else None
        for operand, argument in zip(operands, arguments)
    ]
    replaced: dict[SSAValue, SSAValue | None] = dict(zip(block.args, [*actual, *given]))
    for argument, value in replaced.items():
        if value is not None:
            argument.replace_all_uses_with(value)
    for made in list(block.ops):
        made.detach()
        b.emit.emit(made)
    return [replaced.get(value, value) if value is not None else None for value in contributions]


def _drop_unused(block: Block, roots: Contributions) -> None:
    for op in reversed(list(block.ops)):
        if any(result.first_use or result in roots for result in op.results):
            continue
        if is_side_effect_free(op):
            op.detach()
            op.erase()


def expanded_jvp(op: Operation, tangents: Contributions, e: Emitter, build: Build) -> Contributions:
    """The tangents of the op's results, by way of its expansion."""
    from ..forward import insert_block_tangents

    varied = {k: tangent for k, tangent in enumerate(tangents) if tangent is not None}
    operands = list(op.operands)
    block = Block(arg_types=[value.type for value in (*operands, *varied.values())])
    inner = Emitter(block)
    inner.source = op
    arguments = block.args[: len(operands)]
    known: dict[SSAValue, SSAValue] = dict(
        zip((arguments[k] for k in varied), block.args[len(operands) :])
    )
    end = dcf.YieldOp(*build(op, inner, arguments))
    block.add_op(end)
    found = insert_block_tangents(block, known)
    block.erase_op(end)
    _drop_unused(block, found)
    replaced: dict[SSAValue, SSAValue] = dict(zip(block.args, [*operands, *varied.values()]))
    for argument, value in replaced.items():
        argument.replace_all_uses_with(value)
    for made in list(block.ops):
        made.detach()
        e.emit(made)
    return [None if value is None else replaced.get(value, value) for value in found]


def push_forward(
    ops: Sequence[Operation], tangents: dict[SSAValue, SSAValue | None], e: Emitter
) -> None:
    """Tangents of what plain ops compute, into `tangents`, which holds those of what they read."""
    for op in ops:
        given = [tangents.get(operand) for operand in op.operands]
        if all(tangent is None for tangent in given) or op.name in BLOCKING:
            continue
        if not any(is_differentiable(result.type) for result in op.results):
            continue
        rule = jvp_rule(op)
        if rule is None:
            raise no_rule(op)
        tangents.update(zip(op.results, rule(op, given, e), strict=True))


# Regions of scalar ops as ops on whole arrays.

ELEMENTWISE_PREFIXES = ("stablehlo.", "chlo.")


def check_elementwise(region: Region, op: Operation) -> None:
    """The region of `op` must be made of ops on scalars, to be applied to arrays."""
    for inner in region.block.ops:
        if inner is region.block.last_op:
            continue
        scalars = all(shape_of(value) == () for value in (*inner.operands, *inner.results))
        known = inner.name.startswith(ELEMENTWISE_PREFIXES)
        if inner.regions or not scalars or not known:
            raise NoDerivative(
                f"'{op.name}' has no derivative when its region contains '{inner.name}'", op
            )


def apply_region(region: Region, e: Emitter, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """What the region of scalar ops computes, for all elements of arrays of one static shape."""
    block = region.block
    shape = shape_of(arguments[0])
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, arguments, strict=True))
    for op in block.ops:
        if op is block.last_op:
            break
        if isinstance(op, stablehlo.ConstantOp):
            scalar = e.value(op.clone())
            values[op.output] = e.broadcast(scalar, shape, [])
            continue
        made = type(op).create(
            operands=[values[operand] for operand in op.operands],
            result_types=[TensorType(element_of(result), shape) for result in op.results],
            properties=dict(op.properties),
        )
        values.update(zip(op.results, e.emit(made).results))
    assert block.last_op is not None
    return [values[value] for value in block.last_op.operands]


def expect_static(op: Operation, *values: SSAValue) -> None:
    for value in values:
        if not is_static(value):
            raise NoDerivative(
                f"'{op.name}' has a derivative for static shapes, got {value.type}", op
            )


def dual_region(region: Region, op: Operation, active: Sequence[int]) -> Region:
    """The region with tangents: for a region of (accumulators, elements) -> accumulators, one of
    (accumulators, tangents of those numbered `active`, elements, tangents) -> the same of both."""
    made = region.clone()
    block = made.block
    count = len(block.args) // 2
    accumulators, elements = list(block.args[:count]), list(block.args[count:])
    tangents: dict[SSAValue, SSAValue | None] = {}
    at = count
    for k in active:
        tangents[accumulators[k]] = block.insert_arg(accumulators[k].type, at)
        at += 1
    for k in active:
        tangents[elements[k]] = block.insert_arg(elements[k].type, len(block.args))
    end = block.last_op
    assert isinstance(end, stablehlo.ReturnOp)
    results = list(end.operands)
    plain = [inner for inner in block.ops if inner is not end]
    end.detach()
    end.erase()
    e = Emitter(block)
    e.source = op
    push_forward(plain, tangents, e)
    both = list(results)
    for k in active:
        tangent = tangents.get(results[k])
        both.append(e.zeros_like(results[k]) if tangent is None else tangent)
    e.emit(stablehlo.ReturnOp(*both))
    return made
