"""Rules of products summed over dimensions: `dot_general`, `dot`, `einsum`.

A factor is a residual only when the other one is active.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.inference import bit_width, element_of, shape_of
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, NoDerivative, jvp, vjp
from .common import copy, only, spread_like, transpose

Dimensions = tuple[Sequence[int], Sequence[int]]
"""Batching and contracting dimensions of one factor."""


@vjp("stablehlo.dot_general")
def _dot_general(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.DotGeneralOp)
    ct = only(cotangents)
    numbers = op.dot_dimension_numbers
    left = (numbers.lhs_batching_dimensions.data, numbers.lhs_contracting_dimensions.data)
    right = (numbers.rhs_batching_dimensions.data, numbers.rhs_contracting_dimensions.data)
    return [
        _factor(b, op, ct, op.lhs, op.rhs, left, right, first=True),
        _factor(b, op, ct, op.rhs, op.lhs, right, left, first=False),
    ]


@vjp("stablehlo.dot")
def _dot(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    ct = only(cotangents)
    lhs, rhs = op.operands
    left = ((), (len(shape_of(lhs)) - 1,))
    right = ((), (0,))
    return [
        _factor(b, op, ct, lhs, rhs, left, right, first=True),
        _factor(b, op, ct, rhs, lhs, right, left, first=False),
    ]


def _factor(
    b: Backward,
    op: Operation,
    ct: SSAValue,
    mine: SSAValue,
    other: SSAValue,
    my_dims: Dimensions,
    other_dims: Dimensions,
    *,
    first: bool,
) -> SSAValue | None:
    """The cotangent of factor `mine`: the product of `ct` and the other factor over what is `other`'s
    alone. The result of the forward product has dimensions (batch, lhs free, rhs free)."""
    if not b.is_active(mine):
        return None
    batch, contracted = my_dims
    other_batch, other_contracted = other_dims
    my_free = [d for d in range(len(shape_of(mine))) if d not in (*batch, *contracted)]
    other_free = [
        d for d in range(len(shape_of(other))) if d not in (*other_batch, *other_contracted)
    ]
    offset = len(batch) + (len(my_free) if first else 0)
    over = list(range(offset, offset + len(other_free)))
    # Of the two orders of the product, the one whose result needs no transpose, if any: it has
    # (batch, what is left of its left side, what is left of its right side).
    found = [contracted[list(other_contracted).index(d)] for d in sorted(other_contracted)]
    ct_first = [*batch, *my_free, *found]
    other_first = [*batch, *found, *my_free]
    swapped = other_first == sorted(other_first)
    element = wider(element_of(ct), element_of(other))
    sides = [
        (b.emit.convert(ct, element), list(range(len(batch))), over),
        (b.emit.convert(b.value(other), element), list(other_batch), other_free),
    ]
    if swapped:
        sides.reverse()
    (lhs, lhs_batch, lhs_over), (rhs, rhs_batch, rhs_over) = sides
    numbers = stablehlo.DotDimensionNumbersAttr(lhs_batch, rhs_batch, lhs_over, rhs_over)
    made = stablehlo.DotGeneralOp(lhs, rhs, numbers)
    precision = op.properties.get("precision_config")
    if precision is not None:
        made.properties["precision_config"] = precision
    order = other_first if swapped else ct_first
    product = b.emit.convert(b.emit.value(made), element_of(mine))
    return transpose(b.emit, product, [order.index(d) for d in range(len(order))])


def wider(one: Attribute, other: Attribute) -> Attribute:
    """Of two element types, the one with more bits, which products are summed in."""
    return other if (bit_width(one) or 0) < (bit_width(other) or 0) else one


@jvp("stablehlo.dot_general", "stablehlo.dot", "stablehlo.einsum", "stablehlo.convolution")
def _bilinear(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    lhs, rhs = op.operands
    by_lhs, by_rhs = tangents
    first = None if by_lhs is None else copy(e, op, [by_lhs, rhs]).results[0]
    second = None if by_rhs is None else copy(e, op, [lhs, by_rhs]).results[0]
    return [e.add(first, second)]


@vjp("stablehlo.einsum")
def _einsum(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.EinsumOp)
    ct = only(cotangents)
    (left, right), out = _specification(op, op.einsum_config.data)
    by_lhs = by_rhs = None
    if b.is_active(op.lhs):
        by_lhs = _einsum_factor(b, op, (ct, out), (op.rhs, right), (op.lhs, left))
    if b.is_active(op.rhs):
        by_rhs = _einsum_factor(b, op, (ct, out), (op.lhs, left), (op.rhs, right))
    return [by_lhs, by_rhs]


@vjp("stablehlo.unary_einsum")
def _unary_einsum(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.UnaryEinsumOp)
    (spec,), out = _specification(op, op.einsum_config.data)
    kept = [spec.index(letter) for letter in out]
    order = sorted(range(len(out)), key=kept.__getitem__)
    arranged = transpose(b.emit, only(cotangents), order)
    return [spread_like(b, arranged, op.operand, sorted(kept), op)]


@jvp("stablehlo.unary_einsum")
def _unary_einsum_forward(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    (tangent,) = tangents
    return [None if tangent is None else copy(e, op, [tangent]).results[0]]


Labelled = tuple[SSAValue, str]
"""A value and the letters of its dimensions."""


def _einsum_factor(
    b: Backward, op: Operation, ct: Labelled, other: Labelled, mine: Labelled
) -> SSAValue:
    (ct_value, ct_letters), (other_value, other_letters) = ct, other
    value, letters = mine
    found = "".join(c for c in letters if c in ct_letters or c in other_letters)
    sizes = dict(zip(ct_letters, shape_of(ct_value)))
    sizes.update(zip(other_letters, shape_of(other_value)))
    product = stablehlo.EinsumOp.create(
        operands=[
            b.emit.convert(ct_value, element_of(value)),
            b.emit.convert(b.value(other_value), element_of(value)),
        ],
        result_types=[TensorType(element_of(value), [sizes[c] for c in found])],
        properties={"einsum_config": StringAttr(f"{ct_letters},{other_letters}->{found}")},
    )
    dimensions = [letters.index(c) for c in found]
    result = b.emit.value(product)
    return result if found == letters else spread_like(b, result, value, dimensions, op)


def _specification(op: Operation, config: str) -> tuple[list[str], str]:
    """The letters of the operands and of the result."""
    given, _, out = config.replace(" ", "").partition("->")
    operands = given.split(",")
    for letters in (*operands, out):
        if not letters.isalpha() and letters or len(set(letters)) != len(letters):
            raise NoDerivative(
                f"'{op.name}' has a derivative where each operand has each letter once, "
                f'got "{config}"',
                op,
            )
    return operands, out
