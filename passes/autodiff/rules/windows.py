"""Rules of `reduce_window` and `select_and_scatter`.

A sum of windows is linear, and its inverse is one, too (of a cumulative sum: the cumulative sum from the other
end). The cotangent of an extremum goes to the element that its window selects, the first of equal
ones. Other regions: cumulative ones are written out in log(n) steps, others element by element of the
window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, i1, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from ....dialects import stablehlo
from ....dialects.dcf.types import is_differentiable
from ....dialects.stablehlo.constraints import i64_array
from ....dialects.stablehlo.inference import (
    element_of,
    padding_pairs,
    shape_of,
    window_counts,
)
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, NoDerivative, jvp, vjp
from .common import binary_region, only, or_zeros, scalar_type, single_op
from .expansion import apply_region, check_elementwise, dual_region, expanded_vjp, expect_static

SELECTIONS = {"stablehlo.maximum": "GE", "stablehlo.minimum": "LE"}
MOST_ELEMENTS = 256
"""Windows of more elements are not written out."""


@dataclass(frozen=True)
class Window:
    """The geometry of an op's windows."""

    sizes: Sequence[int]
    strides: Sequence[int]
    base_dilations: Sequence[int]
    dilations: Sequence[int]
    padding: Sequence[tuple[int, int]]

    @staticmethod
    def of(op: stablehlo.ReduceWindowOp | stablehlo.SelectAndScatterOp) -> Window:
        first = op.operands[0]
        rank = len(shape_of(first))
        ones = (1,) * rank

        def numbers(name: str) -> Sequence[int]:
            found = cast(Any, op.properties.get(name))
            return ones if found is None else tuple(found.get_values())

        padding = padding_pairs(op.padding, rank)
        assert padding is not None
        return Window(
            numbers("window_dimensions"),
            numbers("window_strides"),
            numbers("base_dilations"),
            numbers("window_dilations"),
            tuple(padding),
        )

    @property
    def is_dilated(self) -> bool:
        return {*self.base_dilations, *self.dilations} > {1}

    def counts(self, shape: Sequence[int]) -> Sequence[int]:
        return window_counts(
            tuple(shape),
            self.sizes,
            self.strides,
            self.padding,
            self.base_dilations,
            self.dilations,
        )

    def properties(self) -> dict[str, Any]:
        return {
            "window_dimensions": i64_array(self.sizes),
            "window_strides": i64_array(self.strides),
            "base_dilations": i64_array(self.base_dilations),
            "window_dilations": i64_array(self.dilations),
            "padding": pairs_attribute(self.padding),
        }

    def running(self, shape: Sequence[int]) -> tuple[int, bool] | None:
        """(dimension, from the end) of a cumulative window: all up to each element, or from it."""
        if {*self.strides, *self.base_dilations, *self.dilations} != {1}:
            return None
        moving = [d for d, size in enumerate(self.sizes) if size != 1]
        if len(moving) != 1:
            return None
        (d,) = moving
        others = [pair for k, pair in enumerate(self.padding) if k != d]
        if self.sizes[d] != shape[d] or any(pair != (0, 0) for pair in others):
            return None
        if self.padding[d] == (shape[d] - 1, 0):
            return d, False
        return (d, True) if self.padding[d] == (0, shape[d] - 1) else None


def pairs_attribute(pairs: Sequence[tuple[int, int]]) -> DenseIntOrFPElementsAttr:
    numbers = [number for pair in pairs for number in pair]
    type = TensorType(i64, [len(pairs), 2])
    return cast(Any, DenseIntOrFPElementsAttr.from_list(cast(Any, type), numbers))


def reduce_window(
    e: Emitter,
    inputs: Sequence[SSAValue],
    initial: Sequence[SSAValue],
    window: Window,
    body: Region,
) -> Sequence[SSAValue]:
    counts = window.counts(shape_of(inputs[0]))
    made = stablehlo.ReduceWindowOp.create(
        operands=[*inputs, *initial],
        result_types=[TensorType(element_of(x), counts) for x in inputs],
        properties=window.properties(),
        regions=[body],
    )
    return e.emit(made).results


@vjp("stablehlo.reduce_window")
def _reduce_window(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.ReduceWindowOp)
    expect_static(op, *op.inputs)
    kind = single_op(op.body.block) if len(op.inputs) == 1 else None
    window = Window.of(op)
    e = b.emit
    if kind == "stablehlo.add":
        ct = only(cotangents)
        (x,), (initial,) = op.inputs, op.init_values
        by_initial = e.sum(ct, range(len(shape_of(ct)))) if b.is_active(initial) else None
        return [_sum_transposed(e, ct, window, x) if b.is_active(x) else None, by_initial]
    if kind in SELECTIONS and not window.is_dilated and not b.is_active(op.init_values[0]):
        if window.running(shape_of(op.inputs[0])) is None:
            x = b.value(op.inputs[0])
            return [_select_and_scatter(e, x, only(cotangents), window, SELECTIONS[kind]), None]
    check_elementwise(op.body, op)
    return expanded_vjp(op, cotangents, b, _written_out)


def _sum_transposed(e: Emitter, ct: SSAValue, window: Window, x: SSAValue) -> SSAValue:
    """Each element gets the sum of the cotangents of the windows it is in: windows over those."""
    shape, counts = shape_of(x), shape_of(ct)
    if not prod(counts):
        return e.zeros_like(x)
    padding: list[tuple[int, int]] = []
    for d, size in enumerate(shape):
        reach = (window.sizes[d] - 1) * window.dilations[d] + 1
        length = (size - 1) * window.base_dilations[d] + 1 if size else 0
        spread = (counts[d] - 1) * window.strides[d] + 1
        low = reach - 1 - window.padding[d][0]
        padding.append((low, length + reach - 1 - low - spread))
    inverse = Window(
        window.sizes, window.base_dilations, window.strides, window.dilations, tuple(padding)
    )
    zero = e.constant(0, scalar_type(ct))
    body = binary_region(stablehlo.AddOp, element_of(ct))
    return reduce_window(e, [ct], [zero], inverse, body)[0]


def _select_and_scatter(
    e: Emitter, x: SSAValue, source: SSAValue, window: Window, direction: str
) -> SSAValue:
    made = stablehlo.SelectAndScatterOp.create(
        operands=[x, source, e.constant(0, scalar_type(x))],
        result_types=[x.type],
        properties={
            "window_dimensions": i64_array(window.sizes),
            "window_strides": i64_array(window.strides),
            "padding": pairs_attribute(window.padding),
        },
        regions=[
            _comparison(direction, x),
            binary_region(stablehlo.AddOp, element_of(x)),
        ],
    )
    return e.value(made)


def _comparison(direction: str, x: SSAValue) -> Region:
    block = Block(arg_types=[scalar_type(x), scalar_type(x)])
    e = Emitter(block)
    e.emit(stablehlo.ReturnOp(e.compare(direction, block.args[0], block.args[1])))
    return Region(block)


@jvp("stablehlo.reduce_window")
def _reduce_window_forward(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    assert isinstance(op, stablehlo.ReduceWindowOp)
    count = len(op.inputs)
    by_inputs, by_initial = tangents[:count], tangents[count:]
    if all(tangent is None for tangent in tangents):
        return [None] * count
    kind = single_op(op.body.block) if count == 1 else None
    window = Window.of(op)
    if kind == "stablehlo.add":
        both = [or_zeros(e, t, v) for t, v in zip(tangents, op.operands)]
        body = binary_region(stablehlo.AddOp, element_of(op.inputs[0]))
        return reduce_window(e, both[:1], both[1:], window, body)
    if kind in SELECTIONS and by_initial[0] is None and not window.is_dilated:
        if window.running(shape_of(op.inputs[0])) is None:
            assert by_inputs[0] is not None
            select = _comparison(SELECTIONS[kind], op.inputs[0])
            return [_select_and_gather(e, op.inputs[0], by_inputs[0], window, select)]
    check_elementwise(op.body, op)
    active = [k for k in range(count) if is_differentiable(op.inputs[k].type)]
    found: list[SSAValue | None] = [None] * count
    made = reduce_window(
        e,
        [*op.inputs, *(or_zeros(e, by_inputs[k], op.inputs[k]) for k in active)],
        [*op.init_values, *(or_zeros(e, by_initial[k], op.init_values[k]) for k in active)],
        window,
        dual_region(op.body, op, active),
    )
    for k, result in zip(active, made[count:]):
        found[k] = result
    return found


def _select_and_gather(
    e: Emitter, x: SSAValue, payload: SSAValue, window: Window, select: Region
) -> SSAValue:
    """The elements of `payload` where each window selects one of `x`, zero where it has none. A flag
    tells elements from the initial values, so that any selection has its way."""
    true = e.constant(True, TensorType(i1, shape_of(x)))
    scalar, flag = scalar_type(x), TensorType(i1, [])
    block = Block(arg_types=[flag, scalar, scalar, flag, scalar, scalar])
    inner = Emitter(block)
    inner.source = e.source
    some, old, old_payload, more, new, new_payload = block.args
    chosen = _inline(inner, select, [old, new])
    keep = inner.value(stablehlo.AndOp(some, chosen))
    # An element that is padding (of a dilated base) never takes the place of one that is not.
    keep = inner.select(more, keep, some)
    inner.emit(
        stablehlo.ReturnOp(
            inner.value(stablehlo.OrOp(some, more)),
            inner.select(keep, old, new),
            inner.select(keep, old_payload, new_payload),
        )
    )
    zero = e.constant(0, scalar)
    initial = [e.constant(False, flag), zero, zero]
    return reduce_window(e, [true, x, payload], initial, window, Region(block))[2]


def _inline(e: Emitter, region: Region, arguments: Sequence[SSAValue]) -> SSAValue:
    values: dict[SSAValue, SSAValue] = dict(zip(region.block.args, arguments))
    for op in region.block.ops:
        if isinstance(op, stablehlo.ReturnOp):
            return values[op.operands[0]]
        made = op.clone(value_mapper=values)
        e.emit(made)
    raise AssertionError("a region without a terminator")


# Any region.


def _written_out(op: Operation, e: Emitter, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
    assert isinstance(op, stablehlo.ReduceWindowOp)
    window = Window.of(op)
    count = len(op.inputs)
    inputs, initial = operands[:count], operands[count:]
    running = window.running(shape_of(inputs[0]))
    if running is not None:
        return _cumulative(op, e, inputs, initial, *running)
    if prod(window.sizes) > MOST_ELEMENTS:
        raise NoDerivative(
            f"'{op.name}' with this region has a derivative for windows of at most "
            f"{MOST_ELEMENTS} elements, got {prod(window.sizes)}",
            op,
        )
    counts = window.counts(shape_of(inputs[0]))
    padded = [_padded(e, x, value, window) for x, value in zip(inputs, initial)]
    totals = [e.broadcast(value, counts, []) for value in initial]
    real = None
    if any(n > 1 for n in window.base_dilations) or any(max(pair) > 0 for pair in window.padding):
        true = e.constant(True, TensorType(i1, shape_of(inputs[0])))
        real = _padded(e, true, e.constant(False, TensorType(i1, [])), window)
    for at in product(*map(range, window.sizes)):
        starts = [k * dilation for k, dilation in zip(at, window.dilations)]
        elements = [_places(e, x, starts, counts, window.strides) for x in padded]
        found = apply_region(op.body, e, [*totals, *elements])
        if real is not None:  # padding takes no part
            there = _places(e, real, starts, counts, window.strides)
            found = [e.select(there, new, old) for new, old in zip(found, totals)]
        totals = found
    return totals


def _padded(e: Emitter, x: SSAValue, value: SSAValue, window: Window) -> SSAValue:
    low, high = zip(*window.padding)
    interior = [dilation - 1 for dilation in window.base_dilations]
    return e.value(stablehlo.PadOp(x, value, list(low), list(high), interior))


def _places(
    e: Emitter,
    x: SSAValue,
    starts: Sequence[int],
    counts: Sequence[int],
    strides: Sequence[int],
) -> SSAValue:
    ends = [s + (n - 1) * k + 1 if n else s for s, n, k in zip(starts, counts, strides)]
    return e.value(stablehlo.SliceOp(x, list(starts), ends, list(strides)))


def _cumulative(
    op: stablehlo.ReduceWindowOp,
    e: Emitter,
    inputs: Sequence[SSAValue],
    initial: Sequence[SSAValue],
    dimension: int,
    from_end: bool,
) -> Sequence[SSAValue]:
    """Each step combines what covers `step` elements with what covers the `step` next to them."""
    totals = list(inputs)
    shape = shape_of(inputs[0])
    length = shape[dimension]

    def part(x: SSAValue, start: int, stop: int) -> SSAValue:
        low, high = [0] * len(shape), list(shape)
        low[dimension], high[dimension] = start, stop
        return e.value(stablehlo.SliceOp(x, low, high, [1] * len(shape)))

    step = 1
    while step < length:
        near = [part(x, 0, length - step) for x in totals]
        far = [part(x, step, length) for x in totals]
        found = apply_region(op.body, e, [*near, *far])
        if from_end:
            rest = [part(x, length - step, length) for x in totals]
            pieces = [[new, old] for new, old in zip(found, rest)]
        else:
            rest = [part(x, 0, step) for x in totals]
            pieces = [[old, new] for new, old in zip(found, rest)]
        totals = [e.value(stablehlo.ConcatenateOp(pair, dimension)) for pair in pieces]
        step *= 2
    return apply_region(op.body, e, [*(e.broadcast(v, shape, []) for v in initial), *totals])


# select_and_scatter


@vjp("stablehlo.select_and_scatter")
def _select_and_scatter_vjp(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.SelectAndScatterOp)
    _expect_adding(op)
    ct = only(cotangents)
    e = b.emit
    by_source = by_initial = None
    if b.is_active(op.source):
        select = op.select.clone()
        by_source = _select_and_gather(e, b.value(op.operand), ct, Window.of(op), select)
    if b.is_active(op.init_value):
        by_initial = e.sum(ct, range(len(shape_of(ct))))
    return [None, by_source, by_initial]


@jvp("stablehlo.select_and_scatter")
def _select_and_scatter_jvp(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    assert isinstance(op, stablehlo.SelectAndScatterOp)
    _expect_adding(op)
    _, by_source, by_initial = tangents
    if by_source is None and by_initial is None:
        return [None]
    made = op.clone()
    made.operands = [
        op.operand,
        or_zeros(e, by_source, op.source),
        or_zeros(e, by_initial, op.init_value),
    ]
    return e.emit(made).results


def _expect_adding(op: stablehlo.SelectAndScatterOp) -> None:
    expect_static(op, op.operand)
    if single_op(op.scatter.block) != "stablehlo.add":
        raise NoDerivative(f"'{op.name}' has a derivative when it scatters by adding", op)
