"""Rules of `reduce`.

Sums spread their cotangent; elements equal to an extremum share it, as in JAX; where an index is
reduced along with a value, the value's cotangent goes to the element of that index. Anything else
made of ops on scalars (products, too, which are never divided by a factor) is written out as a tree
of its region on halves, and that is differentiated.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.ir import Block, Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.dcf.types import is_differentiable
from ....dialects.stablehlo.inference import shape_of
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, jvp, vjp
from .common import (
    copy,
    only,
    or_zeros,
    returned,
    single_op,
    spread,
    spread_like,
    transpose,
)
from .expansion import apply_region, check_elementwise, dual_region, expanded_vjp, expect_static

EXTREMA = ("stablehlo.maximum", "stablehlo.minimum")


@vjp("stablehlo.reduce")
def _reduce(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.ReduceOp)
    kind = single_op(op.body.block) if len(op.inputs) == 1 else None
    dimensions = list(op.dimensions.get_values())
    if not dimensions:  # the inputs themselves
        return [*cotangents, *([None] * len(op.inputs))]
    if kind == "stablehlo.add":
        ct = only(cotangents)
        by_x = by_initial = None
        if b.is_active(op.inputs[0]):
            by_x = _spread(b, ct, op.inputs[0], dimensions, op)
        if b.is_active(op.init_values[0]):
            by_initial = b.emit.sum(ct, range(len(shape_of(ct))))
        return [by_x, by_initial]
    if kind in EXTREMA:
        return _extremum(b, op, only(cotangents), dimensions)
    if _chooses_index(op):
        return _chosen(b, op, cotangents, dimensions)
    check_elementwise(op.body, op)
    expect_static(op, *op.inputs)
    return expanded_vjp(op, cotangents, b, _as_tree)


def _spread(
    b: Backward, value: SSAValue, x: SSAValue, dimensions: Sequence[int], op: Operation
) -> SSAValue:
    """`value` back over the reduced dimensions of `x`."""
    kept = [d for d in range(len(shape_of(x))) if d not in dimensions]
    return spread_like(b, value, x, kept, op)


def _extremum(
    b: Backward, op: stablehlo.ReduceOp, ct: SSAValue, dimensions: Sequence[int]
) -> Contributions:
    """The elements equal to the extremum share its cotangent, and so does the initial value."""
    e = b.emit
    (x,), (initial,) = op.inputs, op.init_values
    best = b.value(op.results[0])
    values = b.value(x)
    mask, number = _ties(b, op, values, best, dimensions)
    by_initial = None
    if b.is_active(initial):
        start = spread(e, b.value(initial), best, [])
        first = _ones_where_equal(e, start, best)
        number = e.value(stablehlo.AddOp(number, first))
        by_initial = e.sum(e.mul(first, e.div(ct, number)), range(len(shape_of(best))))
    share = e.div(ct, number)
    return [e.mul(mask, _spread(b, share, x, dimensions, op)), by_initial]


def _ones_where_equal(e: Emitter, x: SSAValue, y: SSAValue) -> SSAValue:
    return e.select(e.compare("EQ", x, y), e.full_like(1, x), e.zeros_like(x))


def _ties(
    b: Backward,
    op: stablehlo.ReduceOp,
    values: SSAValue,
    best: SSAValue,
    dimensions: Sequence[int],
) -> tuple[SSAValue, SSAValue]:
    wide = _spread(b, best, op.inputs[0], dimensions, op)
    mask = _ones_where_equal(b.emit, values, wide)
    return mask, b.emit.sum(mask, dimensions)


# A value and its index.


def _chooses_index(op: stablehlo.ReduceOp) -> bool:
    """Whether this reduces (value, index) pairs over one dimension, choosing by comparisons."""
    if len(op.inputs) != 2 or len(op.dimensions.get_values()) != 1:
        return False
    (dimension,) = op.dimensions.get_values()
    value, index = returned(op.body.block)
    numbers = op.inputs[1].owner
    along = dimension
    if isinstance(numbers, stablehlo.BroadcastInDimOp):
        places = list(numbers.broadcast_dimensions.get_values())
        if dimension not in places:
            return False
        along = places.index(dimension)
        numbers = numbers.operand.owner
    return (
        isinstance(numbers, stablehlo.IotaOp)
        and numbers.iota_dimension.value.data == along
        and _same_choice(op.body.block, value, index)
    )


def _same_choice(block: Block, value: SSAValue, index: SSAValue) -> bool:
    """Whether the index chosen is that of the value chosen, or of one equal to it."""
    by_value, by_index = value.owner, index.owner
    if not (isinstance(by_value, stablehlo.SelectOp) and isinstance(by_index, stablehlo.SelectOp)):
        return False
    old, old_index, new, new_index = block.args
    if (by_value.on_true, by_value.on_false) != (old, new):
        return False
    if (by_index.on_true, by_index.on_false) != (old_index, new_index):
        return False
    if by_value.pred is by_index.pred:
        return True
    either = by_index.pred.owner
    if not isinstance(either, stablehlo.OrOp):
        return False
    rest = [side for side in either.operands if side is not by_value.pred]
    if len(rest) != 1 or not isinstance(both := rest[0].owner, stablehlo.AndOp):
        return False
    return any(_is_equality(side, old, new) for side in both.operands)


def _is_equality(value: SSAValue, one: SSAValue, other: SSAValue) -> bool:
    op = value.owner
    if not isinstance(op, stablehlo.CompareOp):
        return False
    return op.comparison_direction.data.value == "EQ" and {op.lhs, op.rhs} == {one, other}


def _chosen(
    b: Backward, op: stablehlo.ReduceOp, cotangents: Contributions, dimensions: Sequence[int]
) -> Contributions:
    """Only the indices chosen are read: the cotangent of each goes to that element."""
    ct = cotangents[0]
    if ct is None or not b.is_active(op.inputs[0]):
        return [None] * 4
    e = b.emit
    index = b.value(op.results[1])
    x = op.inputs[0]
    place = b.value(op.inputs[1])
    chosen = e.compare("EQ", place, _spread(b, index, op.inputs[1], dimensions, op))
    wide = _spread(b, ct, x, dimensions, op)
    return [e.select(chosen, wide, e.zeros_like(wide)), None, None, None]


# Any region.


def _as_tree(op: Operation, e: Emitter, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
    """Neighbours combined, level by level, in index order; the initial values first of all."""
    assert isinstance(op, stablehlo.ReduceOp)
    count = len(op.inputs)
    dimensions = sorted(op.dimensions.get_values())
    shape = shape_of(operands[0])
    kept = [d for d in range(len(shape)) if d not in dimensions]
    length = prod(shape[d] for d in dimensions)
    target = [shape[d] for d in kept]
    rows = [
        e.reshape(transpose(e, x, [*dimensions, *kept]), [length, *target])
        for x in operands[:count]
    ]
    initial = [e.broadcast(value, target, []) for value in operands[count:]]
    if not length:
        return initial
    while length > 1:
        even = length - length % 2
        pairs = [_every_second(e, x, 0, even) for x in rows]
        pairs += [_every_second(e, x, 1, even) for x in rows]
        found = apply_region(op.body, e, pairs)
        if even < length:
            found = [
                e.value(stablehlo.ConcatenateOp([new, _rows(e, old, even, length, 1)], 0))
                for new, old in zip(found, rows)
            ]
        rows = found
        length = (length + 1) // 2
    return apply_region(op.body, e, [*initial, *(e.reshape(x, target) for x in rows)])


def _every_second(e: Emitter, x: SSAValue, start: int, stop: int) -> SSAValue:
    return _rows(e, x, start, stop, 2)


def _rows(e: Emitter, x: SSAValue, start: int, stop: int, step: int) -> SSAValue:
    shape = shape_of(x)
    rest = len(shape) - 1
    return e.value(
        stablehlo.SliceOp(x, [start, *[0] * rest], [stop, *shape[1:]], [step, *[1] * rest])
    )


@jvp("stablehlo.reduce")
def _reduce_forward(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    assert isinstance(op, stablehlo.ReduceOp)
    count = len(op.inputs)
    kind = single_op(op.body.block) if count == 1 else None
    dimensions = list(op.dimensions.get_values())
    by_inputs, by_initial = tangents[:count], tangents[count:]
    if all(tangent is None for tangent in tangents):
        return [None] * count
    if not dimensions:
        return by_inputs
    if kind == "stablehlo.add":
        (x,), (initial,) = op.inputs, op.init_values
        both = [or_zeros(e, by_inputs[0], x), or_zeros(e, by_initial[0], initial)]
        return copy(e, op, both).results
    if kind in EXTREMA:
        return [_extremum_forward(op, by_inputs[0], by_initial[0], e)]
    check_elementwise(op.body, op)
    active = [k for k in range(count) if is_differentiable(op.inputs[k].type)]
    made = stablehlo.ReduceOp(
        [*op.inputs, *(or_zeros(e, by_inputs[k], op.inputs[k]) for k in active)],
        [*op.init_values, *(or_zeros(e, by_initial[k], op.init_values[k]) for k in active)],
        dimensions,
        dual_region(op.body, op, active),
    )
    found: list[SSAValue | None] = [None] * count
    for k, result in zip(active, e.emit(made).results[count:]):
        found[k] = result
    return found


def _extremum_forward(
    op: stablehlo.ReduceOp, by_x: SSAValue | None, by_initial: SSAValue | None, e: Emitter
) -> SSAValue:
    (x,), (initial,), best = op.inputs, op.init_values, op.results[0]
    dimensions = list(op.dimensions.get_values())
    kept = [d for d in range(len(shape_of(x))) if d not in dimensions]
    mask = _ones_where_equal(e, x, spread(e, best, x, kept))
    number = e.sum(mask, dimensions)
    total = None if by_x is None else e.sum(e.mul(mask, by_x), dimensions)
    if by_initial is not None:
        first = _ones_where_equal(e, spread(e, initial, best, []), best)
        number = e.value(stablehlo.AddOp(number, first))
        total = e.add(total, e.mul(first, spread(e, by_initial, best, [])))
    assert total is not None
    return e.div(total, number)
