"""Which values need derivatives: those that depend on the inputs of interest and influence a result.

Both are least fixed points over the whole function, loops included: a carry can become active
through another carry on a later trip.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.dialects.builtin import TupleType
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import dcf
from ...dialects.dcf.types import is_differentiable

Edge = tuple[SSAValue, SSAValue]
"""A value, and one that is computed from it."""

BLOCKING = frozenset(
    {
        "chlo.constant_like",
        "dcf.stop_gradient",
        "stablehlo.bitcast_convert",
        "stablehlo.ceil",
        "stablehlo.floor",
        "stablehlo.round_nearest_afz",
        "stablehlo.round_nearest_even",
        "stablehlo.sign",
    }
)
"""Ops whose results have no derivative, or a zero one, with respect to any operand."""


class Activity:
    """The active values of a block, given its inputs of interest and its results."""

    def __init__(self, block: Block, inputs: Iterable[SSAValue], results: Iterable[SSAValue]):
        edges = list(edges_of(block))
        forward: dict[SSAValue, list[SSAValue]] = {}
        backward: dict[SSAValue, list[SSAValue]] = {}
        for source, target in edges:
            if has_derivative(source) and has_derivative(target):
                forward.setdefault(source, []).append(target)
                backward.setdefault(target, []).append(source)
        self.varied = _reach(inputs, forward)
        self.useful = _reach(results, backward)

    def __contains__(self, value: SSAValue) -> bool:
        return value in self.varied and value in self.useful


def has_derivative(value: SSAValue) -> bool:
    """Whether a value, or a member of a tuple, carries a gradient. Tuples have no rules: those that
    matter are an error, rather than silently zero."""
    type = value.type
    if isinstance(type, TupleType):
        return any(is_differentiable(member) for member in type.types)
    return is_differentiable(type)


def _reach(start: Iterable[SSAValue], edges: dict[SSAValue, list[SSAValue]]) -> set[SSAValue]:
    seen = {value for value in start if has_derivative(value)}
    pending = list(seen)
    while pending:
        for following in edges.get(pending.pop(), ()):
            if following not in seen:
                seen.add(following)
                pending.append(following)
    return seen


def edges_of(block: Block) -> Iterator[Edge]:
    for op in block.ops:
        if isinstance(op, dcf.WhileOp):
            yield from _while_edges(op)
        elif isinstance(op, dcf.ScanOp):
            yield from _scan_edges(op)
        elif isinstance(op, dcf.CondOp | dcf.CaseOp):
            for region in op.regions:
                yield from edges_of(region.block)
                yield from zip(_yielded(region.block), op.results)
        elif op.name not in BLOCKING:
            for operand in op.operands:
                for result in op.results:
                    yield operand, result


def _while_edges(op: dcf.WhileOp) -> Iterator[Edge]:
    body = op.body.block
    yield from edges_of(body)
    for init, argument, following, result in zip(op.inits, body.args, _yielded(body), op.outputs):
        yield init, argument
        yield following, argument
        yield argument, result


def _scan_edges(op: dcf.ScanOp) -> Iterator[Edge]:
    body = op.body.block
    yield from edges_of(body)
    carries = len(op.inits)
    yielded = list(_yielded(body))
    yield from zip((*op.inits, *op.inputs), body.args)
    yield from zip(yielded[:carries], body.args)
    yield from zip(body.args[:carries], op.outputs)
    yield from zip(yielded[carries:], op.outputs[carries:])
    yield from zip(op.outs, op.outputs[carries:])


def _yielded(block: Block) -> Iterable[SSAValue]:
    terminator = block.last_op
    assert isinstance(terminator, Operation)
    return terminator.operands
