"""`sort` and `chlo.top_k`.

A comparator that compares keys (LT or GT, one after the other, as JAX writes them) sorts by arrays
of keys; any other is called for pairs of elements. The sort is stable in every case: StableHLO
allows it when not asked for, and results then do not depend on the method.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from typing import Any, NamedTuple

import numpy as np
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...values import shape_of
from .. import Kernel, Scope, kernel
from .attributes import int_of, text_of
from .common import contiguous, is_complex, is_float, operand_dtype, wide_int
from .compare import total_order_key
from .regions import array_function, check_closed, compile_batched, is_batchable, returned


@kernel("stablehlo.sort")
def _sort(op: Operation, scope: Scope) -> Kernel:
    rank = len(shape_of(op.operands[0]))
    axis = int_of(op, "dimension", -1) % rank if rank else 0
    order = _order_function(op, scope)

    def sort(*inputs: Any) -> Any:
        lines = [np.moveaxis(np.asarray(x), axis, -1) for x in inputs]
        places = order(lines)
        results = tuple(
            contiguous(np.moveaxis(np.take_along_axis(x, places, -1), -1, axis)) for x in lines
        )
        return results[0] if len(results) == 1 else results

    return sort


def _order_function(op: Operation, scope: Scope) -> Callable[[list[Any]], Any]:
    """A function from the inputs, sorted dimension last, to the indices that sort them."""
    region = op.regions[0]
    check_closed(region, op)
    general = _compared_in_pairs(op, scope)
    tests = _key_tests(returned(region)[0]) if is_batchable(region) else None
    if tests is None:
        return general
    # Each key as a function of the first element of a pair: the second's is the same one.
    keys = compile_batched(region, tuple(test.left for test in tests), scope)
    dtypes = [operand_dtype(test.op) for test in tests]

    def order(lines: list[Any]) -> Any:
        doubled = [x for line in lines for x in (line, line)]
        columns: list[Any] = []
        for test, dtype, key in zip(tests, dtypes, keys(*doubled)):
            key = np.broadcast_to(key, lines[0].shape)
            if is_float(dtype):
                if not test.total:
                    if np.isnan(key).any():
                        return general(lines)  # NaN is unordered: this is not an order by keys
                    key = np.add(key, dtype.type(0))  # -0 equals +0
                key = total_order_key(contiguous(key))
            elif dtype == np.bool_:
                key = key.astype(np.uint8)
            else:
                key = key.astype(wide_int(dtype), copy=False)
            columns.append(np.invert(key) if test.descending else key)
        if len(columns) == 1:
            return np.argsort(columns[0], axis=-1, kind="stable")
        return np.lexsort(tuple(reversed(columns)), axis=-1)

    return order


class KeyTest(NamedTuple):
    """One key of a comparator: `compare LT (GT) left right`."""

    op: Operation
    left: SSAValue
    descending: bool
    total: bool


def _key_tests(value: SSAValue) -> list[KeyTest] | None:
    """The keys a comparator's result compares, most significant first: `LT(a, b)`, or
    `LT(a, b) or (EQ(a, b) and rest)`, or `select(EQ(a, b), rest, LT(a, b))`."""
    op = value.owner
    if not isinstance(op, Operation):
        return None
    if op.name == "stablehlo.compare":
        return None if (test := _key_test(op)) is None else [test]
    if op.name == "stablehlo.or":
        for first, second in (tuple(op.operands), tuple(reversed(op.operands))):
            joined = _joined(first, second.owner, "stablehlo.and")
            if joined is not None:
                return joined
    if op.name == "stablehlo.select":
        equal, rest, first = op.operands
        return _key_list(first, equal, rest)
    return None


def _joined(first: SSAValue, both: Any, name: str) -> list[KeyTest] | None:
    if isinstance(both, Operation) and both.name == name:
        for equal, rest in (tuple(both.operands), tuple(reversed(both.operands))):
            found = _key_list(first, equal, rest)
            if found is not None:
                return found
    return None


def _key_list(first: SSAValue, equal: SSAValue, rest: SSAValue) -> list[KeyTest] | None:
    less, same = first.owner, equal.owner
    if not (isinstance(less, Operation) and isinstance(same, Operation)):
        return None
    if less.name != "stablehlo.compare" or same.name != "stablehlo.compare":
        return None
    test = _key_test(less)
    if test is None or text_of(same, "comparison_direction") != "EQ":
        return None
    if text_of(same, "compare_type") != text_of(less, "compare_type"):
        return None
    operands = tuple(less.operands)
    if tuple(same.operands) not in (operands, tuple(reversed(operands))):
        return None
    others = _key_tests(rest)
    return None if others is None else [test, *others]


def _key_test(op: Operation) -> KeyTest | None:
    """The key a compare is of, when both sides are the same function of a pair's two elements."""
    direction = text_of(op, "comparison_direction")
    left, right = op.operands
    if direction not in ("LT", "GT") or is_complex(operand_dtype(op)):
        return None
    total = text_of(op, "compare_type") == "TOTALORDER"
    if _mirrored(left, right, 0):
        return KeyTest(op, left, direction == "GT", total)
    if _mirrored(right, left, 0):
        return KeyTest(op, right, direction == "LT", total)
    return None


def _mirrored(left: SSAValue, right: SSAValue, depth: int) -> bool:
    """Whether `right` is `left` with each first element (argument 2k) replaced by its partner
    (2k+1)."""
    if depth > 64:
        return False
    if isinstance(left, BlockArgument):
        return (
            isinstance(right, BlockArgument)
            and left.index % 2 == 0
            and right.index == left.index + 1
        )
    one, two = left.owner, right.owner
    if not (isinstance(one, Operation) and isinstance(two, Operation)):
        return False
    return (
        one.name == two.name
        and len(one.operands) == len(two.operands)
        and one.properties == two.properties
        and one.attributes == two.attributes
        and left.type == right.type
        and all(_mirrored(x, y, depth + 1) for x, y in zip(one.operands, two.operands))
    )


def _compared_in_pairs(op: Operation, scope: Scope) -> Callable[[list[Any]], Any]:
    less = array_function(op.regions[0], op, scope)

    def order(lines: list[Any]) -> Any:
        shape = lines[0].shape
        places = np.empty(shape, np.intp)
        for at in np.ndindex(shape[:-1]):
            rows = [line[at] for line in lines]

            def compare(i: int, j: int, rows: list[Any] = rows) -> int:
                if less(*[x for row in rows for x in (row[i], row[j])])[0]:
                    return -1
                return 1 if less(*[x for row in rows for x in (row[j], row[i])])[0] else 0

            places[at] = sorted(range(shape[-1]), key=cmp_to_key(compare))
        return places

    return order


@kernel("chlo.top_k")
def _top_k(op: Operation, scope: Scope) -> Kernel:
    """The k largest of the last dimension, in order, with their indices; NaN counts as largest,
    of equal values the one with the lower index comes first."""
    k = int_of(op, "k")
    dtype = operand_dtype(op)
    index_dtype = np.int32

    def top_k(x: Any) -> Any:
        x = np.asarray(x)
        key = total_order_key(contiguous(x)) if is_float(dtype) else x
        key = np.invert(key.astype(wide_int(dtype), copy=False) if not is_float(dtype) else key)
        places = np.argsort(key, axis=-1, kind="stable")[..., :k]
        values = np.take_along_axis(x, places, -1)
        return contiguous(values), contiguous(places.astype(index_dtype))

    return top_k
