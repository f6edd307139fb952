"""Tridiagonal systems whose matrix may be singular, as inverse iteration meets them.

Gaussian elimination with partial pivoting, all matrices of a batch at once. A pivot that is
smaller than the rounding error of the factor becomes that small: the solution is then large, not
infinite, and what matters is its direction.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...values import AnyArray
from .common import contiguous, where


def solve_perturbed(dl: Any, d: Any, du: Any, b: Any) -> AnyArray:
    """x with `dl[i] x[i-1] + d[i] x[i] + du[i] x[i+1] = b[i]`; `dl[0]` and `du[-1]` do not count.

    Diagonals are `[..., n]`, `b` is `[..., n, k]`.
    """
    size = d.shape[-1]
    if b.size == 0:
        return contiguous(b)
    # Row i of the factor: pivots[i], above[i], beyond[i] in columns i, i + 1, i + 2.
    zero = np.zeros_like(d[..., 0])
    pivots: list[Any] = []
    above: list[Any] = []
    beyond: list[Any] = []
    right: list[Any] = []
    row = d[..., 0], du[..., 0] if size > 1 else zero, zero
    rhs = b[..., 0, :]
    for i in range(1, size):
        following = dl[..., i], d[..., i], du[..., i] if i + 1 < size else zero
        next_rhs = b[..., i, :]
        swap = np.greater(np.abs(following[0]), np.abs(row[0]))
        kept = [where(swap, y, x) for x, y in zip(row, following)]
        other = [where(swap, x, y) for x, y in zip(row, following)]
        kept_rhs = where(swap[..., None], next_rhs, rhs)
        other_rhs = where(swap[..., None], rhs, next_rhs)
        pivots.append(kept[0])
        above.append(kept[1])
        beyond.append(kept[2])
        right.append(kept_rhs)
        empty = np.equal(kept[0], 0)  # then the other is 0 too: nothing to eliminate
        factor = where(empty, zero, np.divide(other[0], where(empty, np.ones_like(zero), kept[0])))
        row = (
            np.subtract(other[1], np.multiply(factor, kept[1])),
            np.subtract(other[2], np.multiply(factor, kept[2])),
            zero,
        )
        rhs = np.subtract(other_rhs, np.multiply(factor[..., None], kept_rhs))
    pivots.append(row[0])
    above.append(zero)
    beyond.append(zero)
    right.append(rhs)
    return _back_substituted(pivots, above, beyond, right)


def _back_substituted(
    pivots: list[Any], above: list[Any], beyond: list[Any], right: list[Any]
) -> AnyArray:
    real = np.finfo(pivots[0].dtype)
    largest = np.max(np.abs(np.stack([*pivots, *above, *beyond])), axis=0)
    least = np.maximum(np.multiply(largest, real.eps), real.tiny).astype(pivots[0].dtype)
    rows: list[Any] = [None] * len(pivots)
    after = later = np.zeros_like(right[0])
    for i in range(len(pivots) - 1, -1, -1):
        small = np.less(np.abs(pivots[i]), np.abs(least))
        pivot = where(small, where(np.less(pivots[i].real, 0), -least, least), pivots[i])
        known = np.add(
            np.multiply(above[i][..., None], after), np.multiply(beyond[i][..., None], later)
        )
        rows[i] = np.divide(np.subtract(right[i], known), pivot[..., None])
        after, later = rows[i], after
    return np.stack(rows, axis=-2)
