"""Programs with scans in float64, and central differences to hold their gradients against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import anabranch as ab
from anabranch.frontends.mlir_text import make_context, verify_module
from anabranch.passes import get_pass
from anabranch.runtime.reference import evaluate

Array = np.ndarray[Any, Any]

F = "tensor<f64>"
V = "tensor<5xf64>"


def gradient(text: str, *, order: int = 1, of: int | None = None) -> Any:
    """The module with `@main.grad`, or with that of its last gradient (`@main.grad.grad`)."""
    module = ab.parse(text)
    get_pass("dcf-gradient")(of=of).apply(make_context(), module)  # pyright: ignore[reportCallIssue]
    verify_module(module)
    for _ in range(order - 1):
        get_pass("dcf-gradient")(function="main.grad", of=1).apply(make_context(), module)  # pyright: ignore[reportCallIssue]
        verify_module(module)
    return module


def differences(text: str, arguments: Sequence[Array], number: int, result: int = 0) -> Array:
    """Central differences of the sum of a result by argument `number`."""
    module = ab.parse(text)

    def total(x: Array) -> float:
        changed = [*arguments[:number], x, *arguments[number + 1 :]]
        return float(np.sum(evaluate(module, changed)[result]))

    return central(total, arguments[number])


def central(total: Any, x: Array, h: float = 1e-5) -> Array:
    """Central differences of a function by each element of `x`."""
    slope = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[place] = h
        slope[place] = (total(x + step) - total(x - step)) / (2 * h)
    return slope


def check(text: str, arguments: Sequence[Any], *, tolerance: float = 1e-7) -> Any:
    """Compare gradients by the reference and as a graph with differences; the differentiated module."""
    arguments = [np.asarray(argument) for argument in arguments]
    module = gradient(text)
    got = evaluate(module, arguments, "main.grad")
    again = ab.compile(gradient(text), function="main.grad")(*arguments)
    floats = [k for k, argument in enumerate(arguments) if argument.dtype == np.float64]
    results = len(evaluate(ab.parse(text), arguments))
    assert len(got) == results + len(floats)
    for one, other in zip(got, again, strict=True):
        np.testing.assert_array_equal(one, other)
    for number, one in zip(floats, got[results:]):
        want = differences(text, arguments, number)
        np.testing.assert_allclose(one, want, rtol=1e-6, atol=tolerance)
    return module


def check_second(text: str, arguments: Sequence[Any], wrt: int = 0) -> None:
    """Compare the gradient of the sum of a gradient with differences of it."""
    arguments = [np.asarray(argument) for argument in arguments]
    first = gradient(text)
    results = len(evaluate(ab.parse(text), arguments))
    floats = [k for k, argument in enumerate(arguments) if argument.dtype == np.float64]
    target = results + floats.index(wrt)
    verify_module(first)
    get_pass("dcf-gradient")(function="main.grad", of=target).apply(make_context(), first)  # pyright: ignore[reportCallIssue]
    verify_module(first)
    got = evaluate(first, arguments, "main.grad.grad")[results + len(floats) :]
    for number, one in zip(floats, got, strict=True):

        def total(x: Array, number: int = number) -> float:
            changed = [*arguments[:number], x, *arguments[number + 1 :]]
            return float(np.sum(evaluate(first, changed, "main.grad")[target]))

        np.testing.assert_allclose(one, central(total, arguments[number]), rtol=1e-5, atol=1e-6)
