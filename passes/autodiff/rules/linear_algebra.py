"""Rules of `cholesky` and `triangular_solve`, with JAX's conventions.

The factorization's derivative takes its operand as a whole, symmetric, matrix, as JAX's does, though the
op reads one triangle of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import BoolAttr, ComplexType
from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.enums import Transpose, TransposeAttr
from ....dialects.stablehlo.inference import element_of, shape_of
from ..backward import Backward
from ..emitter import Emitter
from . import Contributions, jvp, vjp
from .common import conjugate, iota, is_true, only, transpose
from .expansion import expanded_jvp, expanded_vjp, expect_static


def solve(
    e: Emitter,
    a: SSAValue,
    b: SSAValue,
    *,
    left: bool,
    lower: bool,
    unit: bool = False,
    turn: str = "NO_TRANSPOSE",
) -> SSAValue:
    """x in `op(a) x = b`, or in `x op(a) = b`."""
    return e.value(
        stablehlo.TriangularSolveOp.create(
            operands=[a, b],
            result_types=[b.type],
            properties={
                "left_side": BoolAttr.from_bool(left),
                "lower": BoolAttr.from_bool(lower),
                "unit_diagonal": BoolAttr.from_bool(unit),
                "transpose_a": TransposeAttr(Transpose(turn)),
            },
        )
    )


def product(e: Emitter, a: SSAValue, b: SSAValue) -> SSAValue:
    """The matrix product, batch by batch."""
    rank = len(shape_of(a))
    batch = list(range(rank - 2))
    numbers = stablehlo.DotDimensionNumbersAttr(batch, batch, [rank - 1], [rank - 2])
    return e.value(stablehlo.DotGeneralOp(a, b, numbers))


def turned(e: Emitter, a: SSAValue) -> SSAValue:
    """The transpose of each matrix."""
    rank = len(shape_of(a))
    return transpose(e, a, [*range(rank - 2), rank - 1, rank - 2])


def triangle(e: Emitter, x: SSAValue, *, lower: bool, diagonal: SSAValue | None) -> SSAValue:
    """One triangle of each matrix; its diagonal is `diagonal`'s, or zero when that is None."""
    shape = shape_of(x)
    rank = len(shape)
    row, column = iota(e, rank - 2, shape), iota(e, rank - 1, shape)
    zero = e.zeros_like(x)
    inside = e.compare("GT" if lower else "LT", row, column)
    rest = zero
    if diagonal is not None:
        rest = e.select(e.compare("EQ", row, column), diagonal, zero)
    return e.select(inside, x, rest)


# cholesky


def _half_triangle(e: Emitter, x: SSAValue) -> SSAValue:
    """The lower triangle with half of the diagonal."""
    return triangle(e, x, lower=True, diagonal=e.scale(x, 0.5))


def _as_lower(op: Operation, e: Emitter, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
    """The upper factor is the adjoint of the lower one, of the adjoint."""
    adjoint = conjugate(e, turned(e, operands[0]))
    made = stablehlo.CholeskyOp.create(
        operands=[adjoint],
        result_types=[adjoint.type],
        properties={"lower": BoolAttr.from_bool(True)},
    )
    return [conjugate(e, turned(e, e.value(made)))]


@vjp("stablehlo.cholesky")
def _cholesky(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.CholeskyOp)
    expect_static(op, op.a)
    if not is_true(op.lower):
        return expanded_vjp(op, cotangents, b, _as_lower)
    e = b.emit
    factor = b.value(op.result)
    middle = _half_triangle(e, product(e, turned(e, factor), only(cotangents)))
    middle = solve(e, factor, middle, left=True, lower=True, turn="TRANSPOSE")
    return [solve(e, conjugate(e, factor), middle, left=False, lower=True)]


@jvp("stablehlo.cholesky")
def _cholesky_forward(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    assert isinstance(op, stablehlo.CholeskyOp)
    if tangents[0] is None:
        return [None]
    if not is_true(op.lower):
        return expanded_jvp(op, tangents, e, _as_lower)
    factor = op.result
    middle = solve(e, factor, only(tangents), left=True, lower=True)
    middle = solve(e, factor, middle, left=False, lower=True, turn="ADJOINT")
    return [product(e, factor, _half_triangle(e, middle))]


# triangular_solve


def _turn(op: stablehlo.TriangularSolveOp) -> str:
    turn = op.transpose_a.data.value
    return "NO_TRANSPOSE" if turn == "TRANSPOSE_INVALID" else turn


def _used_part(e: Emitter, x: SSAValue, op: stablehlo.TriangularSolveOp) -> SSAValue:
    """The part of `a` that the op reads."""
    unit = op.unit_diagonal.value.data
    return triangle(e, x, lower=bool(op.lower.value.data), diagonal=None if unit else x)


@vjp("stablehlo.triangular_solve")
def _triangular_solve(op: Operation, cotangents: Contributions, b: Backward) -> Contributions:
    assert isinstance(op, stablehlo.TriangularSolveOp)
    expect_static(op, op.a, op.b)
    e = b.emit
    left, lower = bool(op.left_side.value.data), bool(op.lower.value.data)
    unit, turn = bool(op.unit_diagonal.value.data), _turn(op)
    a = b.value(op.a)
    # The transpose of op(a): of an adjoint it is the conjugate.
    if turn == "ADJOINT" and isinstance(element_of(a), ComplexType):
        matrix, back = conjugate(e, a), "NO_TRANSPOSE"
    else:
        matrix, back = a, "TRANSPOSE" if turn == "NO_TRANSPOSE" else "NO_TRANSPOSE"
    by_b = solve(e, matrix, only(cotangents), left=left, lower=lower, unit=unit, turn=back)
    by_a = None
    if b.is_active(op.a):
        x = b.value(op.result)
        # d x = -op(a)^-1 d(op(a)) x, or -x d(op(a)) op(a)^-1
        pair = (by_b, turned(e, x)) if left else (turned(e, x), by_b)
        if turn == "NO_TRANSPOSE":
            by_a = product(e, *pair)
        else:
            by_a = turned(e, product(e, *pair))
        if turn == "ADJOINT":
            by_a = conjugate(e, by_a)
        by_a = e.neg(_used_part(e, by_a, op))
    return [by_a, by_b if b.is_active(op.b) else None]


@jvp("stablehlo.triangular_solve")
def _triangular_solve_forward(op: Operation, tangents: Contributions, e: Emitter) -> Contributions:
    assert isinstance(op, stablehlo.TriangularSolveOp)
    by_a, by_b = tangents
    if by_a is None and by_b is None:
        return [None]
    left, turn = bool(op.left_side.value.data), _turn(op)
    change = by_b
    if by_a is not None:
        matrix = _used_part(e, by_a, op)
        if turn != "NO_TRANSPOSE":
            matrix = turned(e, matrix)
        if turn == "ADJOINT":
            matrix = conjugate(e, matrix)
        known = product(e, matrix, op.result) if left else product(e, op.result, matrix)
        change = e.neg(known) if by_b is None else e.sub(by_b, known)
    assert change is not None
    made = op.clone()
    made.operands = [op.a, change]
    return e.emit(made).results
