"""On random programs, gradients equal central differences, in every composition of the two modes.

A program's result can have kinks and jumps (branches, maxima, loops that end early), so differences are
taken at two steps and compared only where they agree with each other. `GRADIENT_PROGRAMS` sets how
many programs are tried.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, note, settings
from xdsl.context import Context

import anabranch as ab
from anabranch.lowering.gradient_pipeline import GradientPipeline
from anabranch.passes.dcf_gradient import DcfGradientPass

sys.path.insert(0, str(Path(__file__).parent))
from programs import Program, programs

COUNT = int(os.environ.get("GRADIENT_PROGRAMS", "100"))
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
RUN = settings(max_examples=COUNT, deadline=None, suppress_health_check=SLOW, print_blob=True)
FLOATS = (1, 3)
"""The arguments of a program that have a gradient; the first floating-point result is result 1."""

Function = Any
"""Arguments -> the number that is differentiated."""


def gradient_module(program: Program) -> Any:
    module = ab.parse(program.text)
    GradientPipeline().apply(Context(), module)
    return module


def differences(function: Function, arguments: list[Any], which: int) -> tuple[Any, Any]:
    """Central differences by one argument, and where they can be trusted."""
    base = arguments[which]
    slopes: list[Any] = []
    for step in (1e-5, 2.5e-6):
        slope = np.zeros(base.shape)
        for index in np.ndindex(base.shape):
            ends: list[float] = []
            for sign in (1, -1):
                moved = base.copy()
                moved[index] += sign * step
                changed = list(arguments)
                changed[which] = moved
                ends.append(function(changed))
            slope[index] = (ends[0] - ends[1]) / (2 * step)
        slopes.append(slope)
    scale = 1 + np.abs(slopes[0])
    smooth = np.abs(slopes[0] - slopes[1]) < 1e-4 * scale
    return slopes[1], smooth & np.isfinite(slopes[0]) & (scale < 1e4)


def value_of(exe: Any, result: int) -> Function:
    def function(arguments: list[Any]) -> float:
        return float(np.sum(exe.run(arguments, deadline=20)[result]))

    return function


def check(function: Function, arguments: list[Any], which: int, got: Any) -> None:
    slope, trusted = differences(function, arguments, which)
    note(f"argument {which}: differences {slope}, gradient {got}, compared {trusted}")
    tolerance = 2e-3 * (1 + np.abs(slope))
    assert np.all((np.abs(got - slope) <= tolerance) | ~trusted)


@RUN
@given(programs(probes=False, smooth=True))
def test_gradients_equal_differences(program: Program) -> None:
    with np.errstate(all="ignore"):
        module = gradient_module(program)
        exe = ab.compile(module, function="main.grad")
        primal = ab.compile(ab.parse(program.text), engine="reference")
        results = exe.run(program.arguments, deadline=20)
        for number, result in enumerate(primal(*program.arguments)):
            assert result.tobytes() == results[number].tobytes()
        reference = ab.compile(module, function="main.grad", engine="reference")
        for one, other in zip(results, reference.run(program.arguments, deadline=20)):
            assert one.tobytes() == other.tobytes()
        for which, gradient in zip(FLOATS, results[4:]):
            assert gradient.shape == program.arguments[which].shape
            check(value_of(primal, 1), program.arguments, which, gradient)


@settings(RUN, max_examples=max(1, COUNT // 3))
@given(programs(probes=False, smooth=True, nest=2))
def test_second_order_equals_differences_of_the_first(program: Program) -> None:
    with np.errstate(all="ignore"):
        module = gradient_module(program)
        first = ab.compile(module, function="main.grad")
        DcfGradientPass(function="main.grad", wrt=FLOATS, of=4).apply(Context(), module)
        second = ab.compile(module, function="main.grad.grad")
        results = second.run(program.arguments, deadline=20)
        for which, gradient in zip(FLOATS, results[6:]):
            check(value_of(first, 4), program.arguments, which, gradient)
