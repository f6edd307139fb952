"""On random programs, derivatives are right in every composition of the two modes.

First derivatives are held against JAX's of the unrolled program, against central differences, and
reverse mode against forward mode (the dot-product test); second ones against differences of the first,
and reverse over reverse against forward over reverse. Every program has a residual policy.

A program can have kinks and jumps (branches, maxima, loops that end early): differences are taken at
two steps and compared only where they agree with each other. JAX's conventions at kinks are the
project's, so that comparison holds everywhere.

`GRADIENT_PROGRAMS` sets how many programs are tried, `GRADIENT_SEED` the number of the first one. A
program that fails is made smaller before it is shown; its number is enough to have it again.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context

import anabranch as ab
from anabranch.lowering.gradient_pipeline import make_structured
from anabranch.passes._symbols import functions_of
from anabranch.passes.autodiff.functions import Options, add_jvp, add_vjp
from anabranch.passes.autodiff.policies import Policy

sys.path.insert(0, str(Path(__file__).parent))
from programs import Program
from reducing import reduced
from smooth_programs import smooth_program
from unrolled import TooLong, Unrolled

COUNT = int(os.environ.get("GRADIENT_PROGRAMS", "200"))
SEED = int(os.environ.get("GRADIENT_SEED", "0"))
PARTS = 4
"""Into how many tests each kind of check is split, for several workers to share."""
POLICIES = ("save", "save", "recompute", "sqrt", "treeverse:1", "treeverse:3")
Arrays = Sequence[Any]


class Derivatives:
    """A program, prepared or as it is, and functions derived from it.

    The policy of its loops, what runs it, and whether it is prepared depend on its number.
    """

    def __init__(self, program: Program, number: int):
        self.program = program
        draw = random.Random(number)
        self.options = Options(Policy.parse(draw.choice(POLICIES)))
        self.engine: Any = draw.choice(("local", "reference", "reference"))
        self.source = ab.parse(program.text)
        self.module = self.source.clone()
        if draw.random() < 0.5:
            make_structured(Context(), self.module)
        self.floats = [k for k, a in enumerate(program.arguments) if a.dtype.kind not in "ib"]

    def vjp(self, name: str = "main", wrt: Sequence[int] | None = None) -> str:
        """Add the reverse mode of a function of the module; its name."""
        function = functions_of(self.module)[name]
        return add_vjp(function, wrt, options=self.options).sym_name.data

    def jvp(self, name: str = "main", wrt: Sequence[int] | None = None) -> str:
        """Add the forward mode of a function of the module; its name."""
        return add_jvp(functions_of(self.module)[name], wrt).sym_name.data

    def run(self, name: str, arguments: Arrays, engine: Any = None) -> list[Any]:
        exe = ab.compile(self.module, function=name, engine=engine or self.engine)
        return exe.run(arguments, deadline=20)

    def is_tame(self) -> bool:
        """Whether all values of the program stay moderate, so that no derivative is infinite or NaN."""
        try:
            return Unrolled(self.source, 20_000).is_tame(self.program.arguments)
        except TooLong:
            return False


def like(values: Arrays, draw: np.random.Generator) -> list[Any]:
    """Random numbers of the shapes and types of the floats among values."""
    return [
        np.asarray(draw.uniform(-1, 1, v.shape)).astype(v.dtype)
        for v in values
        if v.dtype.kind not in "ib"
    ]


def dot(some: Arrays, others: Arrays) -> float:
    return float(sum(np.sum(a * b) for a, b in zip(some, others, strict=True)))


def moved(arguments: Arrays, floats: Sequence[int], along: Arrays, step: float) -> list[Any]:
    result = list(arguments)
    for k, direction in zip(floats, along, strict=True):
        result[k] = arguments[k] + step * direction
    return result


def slope(function: Any) -> float | None:
    """The central difference at 0 of a function of a number, if it can be trusted."""
    slopes = [(function(h) - function(-h)) / (2 * h) for h in (1e-5, 2.5e-6)]
    scale = 1 + abs(slopes[0])
    trusted = np.isfinite(slopes[0]) and abs(slopes[0] - slopes[1]) < 1e-4 * scale < 1
    return slopes[1] if trusted else None


def close(got: Any, want: Any, tolerance: float, size: float = 1.0) -> bool:
    """Whether values agree as well as the size of what they are sums of allows."""
    return bool(np.all(np.abs(got - want) <= tolerance * (size + np.abs(want))))


def size_of(values: Arrays) -> float:
    return 1 + max((float(np.max(np.abs(v), initial=0)) for v in values), default=0)


def check_against_jax(
    made: Derivatives, seeds: Arrays, got: Arrays, tolerance: float = 1e-9
) -> None:
    """Cotangents equal those of the unrolled program."""
    jax = pytest.importorskip("jax")
    program = made.program
    with jax.enable_x64(True):
        unrolled = Unrolled(made.source, 600)

        def function(*values: Any) -> Any:
            arguments = list(program.arguments)
            for k, value in zip(made.floats, values):
                arguments[k] = value
            results = unrolled(*arguments)
            return [r for r in results if r.dtype.kind not in "ib"]

        try:
            _, pull = jax.vjp(function, *(program.arguments[k] for k in made.floats))
            want = [np.asarray(value) for value in pull([*map(jax.numpy.asarray, seeds)])]
        except TooLong:
            return
    size = size_of([value.astype(np.float64) for value in want])
    for one, other in zip(got, want, strict=True):
        assert one.dtype == other.dtype and one.shape == other.shape
        one, other = one.astype(np.float64), other.astype(np.float64)
        if not close(one, other, tolerance, size):
            assert not made.is_tame(), f"gradient {one}, of the unrolled program {other}"


def check_first(program: Program, number: int) -> None:
    made = Derivatives(program, number)
    draw = np.random.default_rng(number)
    primal = ab.compile(made.source, engine=made.engine)
    values = primal.run(program.arguments, deadline=20)
    seeds, along = like(values, draw), like(program.arguments, draw)

    results = made.run(made.vjp(), [*program.arguments, *seeds])
    check_bits(values, results)
    gradients = results[len(values) :]
    check_against_jax(made, seeds, gradients)

    results = made.run(made.jvp(), [*program.arguments, *along])
    check_bits(values, results)
    tangents = results[len(values) :]
    forward, backward = dot(seeds, tangents), dot(along, gradients)
    size = size_of([*gradients, *tangents])
    if not close(forward, backward, 1e-9, size):
        assert not made.is_tame(), f"forward {forward}, backward {backward}"

    def weighted(step: float) -> float:
        shifted = moved(program.arguments, made.floats, along, step)
        results = primal.run(shifted, deadline=20)
        return dot(seeds, [r for r in results if r.dtype.kind not in "ib"])

    difference = slope(weighted)
    if difference is not None:
        assert close(backward, difference, 2e-3), f"{backward}, difference {difference}"


def check_second(program: Program, number: int) -> None:
    made = Derivatives(program, number)
    draw = np.random.default_rng(number)
    seeds = like([np.zeros(()), np.zeros(3)], draw)
    along = like(program.arguments, draw)
    zeros = [np.zeros_like(seed) for seed in seeds]
    count, first = len(made.floats), made.vjp()
    arguments = [*program.arguments, *seeds]
    gradients = made.run(first, arguments)[-count:]

    # Products of the second derivative and `along`: forward over reverse; reverse over reverse, as
    # the second derivative is symmetric; reverse over forward.
    one = made.run(made.jvp(first, made.floats), [*arguments, *along])[-count:]
    two = made.run(made.vjp(first, made.floats), [*arguments, *zeros, *along])[-count:]
    again = made.vjp(made.jvp(), made.floats)
    three = made.run(again, [*program.arguments, *along, *zeros, *seeds])[-count:]
    size = size_of([*gradients, *one])
    for a, b, c in zip(one, two, three, strict=True):
        if not (close(a, b, 1e-9, size) and close(a, c, 1e-9, size)):
            assert not made.is_tame(), f"forward over reverse {a}, reverse over {b}, forward {c}"

    def weighted(step: float) -> float:
        shifted = moved(program.arguments, made.floats, along, step)
        return dot(along, made.run(first, [*shifted, *seeds], "reference")[-count:])

    difference = slope(weighted)
    if difference is not None:
        product = dot(along, one)
        assert close(product, difference, 2e-3), f"{product}, difference {difference}"


def check_mixed(program: Program, number: int) -> None:
    """Cotangents have the types of their values, and JAX's values up to roundings."""
    made = Derivatives(program, number)
    values = ab.compile(made.source, engine="reference").run(program.arguments, deadline=20)
    seeds = like(values, np.random.default_rng(number))
    results = made.run(made.vjp(), [*program.arguments, *seeds])
    check_bits(values, results)
    tolerance = 1e-4 if values[-1].dtype == np.float32 else 0.1
    check_against_jax(made, seeds, results[len(values) :], tolerance)


def check_bits(values: Arrays, results: Arrays) -> None:
    """A derived function gives what the function gives."""
    for value, result in zip(values, results):
        assert value.tobytes() == result.tobytes(), f"{value} became {result}"


def run_part(
    check: Callable[[Program, int], None],
    part: int,
    share: float,
    make: Callable[[int], Program],
) -> None:
    """Check a part of the programs; one that fails is made smaller."""
    count = max(1, round(COUNT * share / PARTS))
    print(f"programs {SEED + part * count} to {SEED + (part + 1) * count - 1}")
    for number in range(SEED + part * count, SEED + (part + 1) * count):
        with np.errstate(all="ignore"):
            run_one(check, make(number), number)


def run_one(check: Callable[[Program, int], None], program: Program, number: int) -> None:
    try:
        check(program, number)
    except Exception as error:
        kind = _kind(error)

        def fails(text: str) -> bool:
            try:
                check(Program(text, program.arguments), number)
            except Exception as other:
                return _kind(other) == kind
            return False

        small = Program(reduced(program.text, fails), program.arguments)
        raise AssertionError(f"program {number}: {error}; made smaller:\n{small}") from error


def _kind(error: Exception) -> tuple[type[Exception], str]:
    """What is the same for failures of one kind: the type and the first word of the message."""
    return type(error), str(error).partition(" ")[0]


@pytest.mark.parametrize("part", range(PARTS))
def test_first_derivatives(part: int) -> None:
    run_part(check_first, part, 0.6, lambda number: smooth_program(number, 4))


@pytest.mark.parametrize("part", range(PARTS))
def test_second_derivatives(part: int) -> None:
    run_part(check_second, part, 0.2, lambda number: smooth_program(number, 2))


@pytest.mark.parametrize("part", range(PARTS))
def test_mixed_precision(part: int) -> None:
    run_part(
        check_mixed,
        part,
        0.2,
        lambda number: smooth_program(number, 3, ("f32", "bf16")[number % 2]),
    )
