"""Runs functions of StableHLO's own test files and compares what they check.

The checks leave the program before it runs: `take_checks` makes their operands the results of the
function, so both engines run ordinary programs, and the comparisons happen here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FunctionType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

import anabranch as ab
from anabranch.dialects.dcf import ProbeOp
from anabranch.dialects.stablehlo import CustomCallOp
from anabranch.runtime.values import array_from_dense

DEADLINE = 30.0
Probes = dict[str, list[Any]]
Status = Literal["passed", "failed", "skipped"]
Compare = Callable[[Any, Any], str | None]
"""Actual and expected -> what is wrong, or None."""


@dataclass(frozen=True)
class Check:
    """One check of a function, once its operands are results."""

    what: str
    actual: int | tuple[str, int]
    """The number of a result, or a probe's label and which of its values."""
    expected: int | Any
    """The number of a result, or the constant itself."""
    compare: Compare


class Unsupported(Exception):
    """A test that is not for this script, and why."""


# Comparisons. They say the same of every element; the first that differs is told.


def equal(actual: Any, expected: Any) -> str | None:
    """Equal, or both NaN (for which StableHLO's own interpreter has no check)."""
    with np.errstate(invalid="ignore"):
        both_nan = (actual != actual) & (expected != expected)
        return _differ(actual, expected, (actual == expected) | both_nan)


def within(tolerance: float) -> Compare:
    """Equal, both NaN, or both finite and at most `tolerance` apart."""

    def compare(actual: Any, expected: Any) -> str | None:
        good = np.ones(actual.shape, bool)
        for a, e in _real_parts(actual, expected):
            a, e = a.astype(np.float64), e.astype(np.float64)
            finite = np.isfinite(a) & np.isfinite(e)
            near = finite & (np.abs(np.where(finite, a - e, 0)) <= tolerance)
            good &= (a == e) | (np.isnan(a) & np.isnan(e)) | near
        return _differ(actual, expected, good)

    return compare


def within_ulps(most: int, least: int = 0) -> Compare:
    """At least `least` and at most `most` floating-point numbers apart."""

    def compare(actual: Any, expected: Any) -> str | None:
        good = np.ones(actual.shape, bool)
        worst = 0
        for a, e in _real_parts(actual, expected):
            apart = ulps_apart(a, e)
            good &= (apart <= most) & (apart >= least)
            worst = max(worst, int(apart.max(initial=0)))
        mistake = _differ(actual, expected, good)
        return f"{mistake}; up to {worst} ulps apart" if mistake else None

    return compare


def ulps_apart(a: Any, b: Any) -> Any:
    """How many floats lie between the elements of two arrays; infinities differ by the most."""
    bits = np.dtype(f"u{a.dtype.itemsize}")
    sign = 1 << (8 * a.dtype.itemsize - 1)
    x, y = (np.array(v, order="C").view(bits).astype(np.uint64) for v in (a, b))
    same_sign = (x & np.uint64(sign)) == (y & np.uint64(sign))
    mx, my = x & np.uint64(sign - 1), y & np.uint64(sign - 1)
    apart = np.where(same_sign, np.maximum(mx, my) - np.minimum(mx, my), mx + my)
    wide = a.astype(np.float64), b.astype(np.float64)
    finite = np.isfinite(wide[0]) & np.isfinite(wide[1])
    apart = np.where(finite | (x == y), apart, np.uint64(2**64 - 1))
    return np.where(np.isnan(wide[0]) & np.isnan(wide[1]), np.uint64(0), apart)


def _real_parts(actual: Any, expected: Any) -> list[tuple[Any, Any]]:
    if actual.dtype.kind != "c":
        return [(actual, expected)]
    return [(actual.real, expected.real), (actual.imag, expected.imag)]


def _differ(actual: Any, expected: Any, good: Any) -> str | None:
    wrong = np.argwhere(~np.asarray(good))
    if not len(wrong):
        return None
    where = tuple(int(k) for k in wrong[0])
    return (
        f"{len(wrong)} of {actual.size} elements differ;"
        f" at {list(where)} expected {expected[where]}, got {actual[where]}"
    )


# From a program with checks to one that runs


def told(error: Exception) -> str:
    """An error's message; any but those for users is a bug, and says so."""
    if isinstance(error, ab.ProgramError | ab.DataError):
        return error.message
    return f"internal error: {type(error).__name__}: {error}"


def isolated(module: ModuleOp, function: str) -> ModuleOp:
    """A module of its own with a function and those that it needs."""
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}
    needed = [function]
    for name in needed:
        if name not in functions:
            raise Unsupported(f"calls @{name}, which is not in the module")
        for symbol in _symbols(functions[name]):
            if symbol not in needed:
                needed.append(symbol)
    alone = ModuleOp([functions[name].clone() for name in needed], dict(module.attributes))
    alone.location = module.location
    return alone


def _symbols(function: FuncOp) -> list[str]:
    found: list[str] = []
    for op in function.walk():
        for value in (*op.properties.values(), *op.attributes.values()):
            for item in value if isinstance(value, ArrayAttr) else (value,):
                if isinstance(item, SymbolRefAttr):
                    found.append(item.root_reference.data)
    return found


def take_checks(module: ModuleOp, function: str) -> list[Check]:
    """Takes the checks out of a function: what they compare becomes its results, in their order.

    A function without checks stays as it is.
    """
    (func,) = (op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == function)
    block = func.body.block
    for op in list(func.walk()):
        if op.name == "interpreter.probe":
            _to_dcf_probe(op)
        elif op.name == "interpreter.print":
            op.detach()
    checks: list[Check] = []
    values: list[SSAValue] = []
    for op in list(module.walk()):
        kind = _kind(op)
        if kind is None:
            continue
        if op.parent is not block:
            raise Unsupported("a check inside a region or a callee")
        first = len(values)
        values += op.operands
        checks.append(_check(op, kind, first))
        if op.results:
            # `check.eq` gives a truth that only the function's result uses.
            Rewriter.replace_op(op, [], [op.operands[0]] * len(op.results), safe_erase=False)
        else:
            op.detach()
    if checks:
        terminator = block.last_op
        assert isinstance(terminator, ReturnOp)
        Rewriter.replace_op(terminator, ReturnOp(*values))
        func.properties["function_type"] = FunctionType.from_lists(
            list(func.function_type.inputs.data), [value.type for value in values]
        )
        func.properties.pop("res_attrs", None)
    return checks


def _kind(op: Operation) -> str | None:
    if isinstance(op, CustomCallOp):
        target = op.call_target_name.data
        return target if target.startswith("check.") else None
    return op.name if op.name.startswith("check.") else None


def _to_dcf_probe(op: Operation) -> None:
    label = op.properties["probe_id"]
    assert isinstance(label, StringAttr)
    Rewriter.replace_op(op, ProbeOp(label.data, op.operands), list(op.operands))


def _check(op: Operation, kind: str, first: int) -> Check:
    given: Any = op.properties
    what = kind.removeprefix("check.")
    if what == "expect_serialized_eq":
        turn = given["iteration"].value.data if "iteration" in given else 0
        return Check(what, (given["probe_id"].data, turn), first, equal)
    constant = given.get("value")
    if isinstance(constant, DenseIntOrFPElementsAttr):
        expected: Any = array_from_dense(constant)
    else:
        expected = first + 1
    return Check(what, first, expected, _comparison(op, what))


def _comparison(op: Operation, what: str) -> Compare:
    """The tolerances of custom calls and of ops are those of StableHLO's own interpreter."""
    given: Any = op.properties
    called = isinstance(op, CustomCallOp)
    match what.removesuffix("_const"):
        case "expect_eq":
            return equal
        case "expect_almost_eq":
            tolerance = given["tolerance"].value.data if "tolerance" in given else 1e-4
            return within(1e-3 if called else tolerance)
        case "expect_close":
            most = given["max_ulp_difference"].value.data if "max_ulp_difference" in given else 1
            least = given["min_ulp_difference"].value.data if "min_ulp_difference" in given else 0
            return within_ulps(3 if called else most, least)
        case "eq":
            return _equal_or_within
        case _:
            raise Unsupported(f"unknown check '{what}'")


def _equal_or_within(actual: Any, expected: Any) -> str | None:
    exact = actual.dtype.kind in "biu" or actual.dtype in _SMALL_INTS
    return equal(actual, expected) if exact else within(1e-4)(actual, expected)


_SMALL_INTS = [
    np.dtype(t) for t in (ml_dtypes.int2, ml_dtypes.int4, ml_dtypes.uint2, ml_dtypes.uint4)
]


# Running


def run(module: ModuleOp, function: str, args: Sequence[Any], engine: str) -> tuple[Any, Probes]:
    """The results of a function at an engine (`reference` or `graph`), and what its probes saw."""
    probes: Probes = {}

    def probe(label: str, values: tuple[Any, ...]) -> None:
        probes.setdefault(label, []).extend(np.asarray(value) for value in values)

    name: Any = "local" if engine == "graph" else engine
    executable = ab.compile(module, function=function, engine=name)
    return executable.run(args, deadline=DEADLINE, probe=probe), probes


def wrong(checks: Sequence[Check], results: Sequence[Any], probes: Probes) -> str | None:
    """The first check that does not hold, and why."""
    for check in checks:
        expected = results[check.expected] if isinstance(check.expected, int) else check.expected
        if isinstance(check.actual, int):
            actual = results[check.actual]
        else:
            label, turn = check.actual
            seen = probes.get(label, [])
            if turn >= len(seen):
                return f'{check.what}: probe "{label}" has seen {len(seen)} values'
            actual = seen[turn]
        if (actual.dtype, actual.shape) != (expected.dtype, expected.shape):
            return (
                f"{check.what}: expected {expected.dtype}{list(expected.shape)},"
                f" got {actual.dtype}{list(actual.shape)}"
            )
        with np.errstate(all="ignore"):
            mistake = check.compare(actual, expected)
        if mistake is not None:
            return f"{check.what}: {mistake}"
    return None


def same_bits(results: Sequence[Any], others: Sequence[Any]) -> bool:
    """Whether two runs gave the same bits."""
    return [_bits(value) for value in results] == [_bits(value) for value in others]


def _bits(value: Any) -> Any:
    return (value.dtype, value.shape, value.tobytes()) if hasattr(value, "tobytes") else value


ENGINES = {"reference": ("reference",), "graph": ("graph",), "both": ("reference", "graph")}


def run_function(
    module: ModuleOp, function: str, args: Sequence[Any] = (), engines: Sequence[str] = ()
) -> tuple[Status, str]:
    """Runs one test function at each engine: whether it passed, and what to tell.

    A test without checks passes when it runs and the engines agree.
    """
    try:
        alone = isolated(module, function)
        checks = take_checks(alone, function)
    except Unsupported as reason:
        return "skipped", str(reason)
    runs: list[Any] = []
    for engine in engines:
        try:
            results, probes = run(alone, function, args, engine)
        except Exception as error:
            return "failed", f"{engine}: {told(error)}"
        mistake = wrong(checks, results, probes)
        if mistake is not None:
            return "failed", f"{engine}: {mistake}"
        runs.append(results)
    if len(runs) == 2 and not same_bits(*runs):
        return "failed", "the graph gives other bits than the reference"
    return "passed", "" if checks else "nothing is checked"
