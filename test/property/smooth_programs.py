"""Random structured programs with derivatives worth looking at, in float64 or in mixed precision.

Unlike those of `programs`, which are nasty for the machinery, their results depend on the arguments
through most of the loops and branches: values are mostly recent ones, carries mostly floats that
change, and nothing is infinite or NaN. A number stands for each program, whatever else is drawn.
"""

from __future__ import annotations

import random
from typing import Any

import ml_dtypes
import numpy as np
from programs import (
    BINARY,
    CONSTANTS,
    F32,
    I1,
    I32,
    TYPES,
    UNARY,
    VEC,
    Program,
    Writer,
    write_main,
)

NARROW = "tensor<f16>"
"""Stands for a float of fewer bits in programs of mixed precision."""

SMOOTH_BINARY = {
    **BINARY,
    F32: ("add", "subtract", "multiply", "multiply", "minimum", "maximum"),
    VEC: ("add", "subtract", "multiply", "multiply", "maximum"),
    NARROW: ("add", "subtract", "multiply", "maximum"),
}
SMOOTH_UNARY = {
    **UNARY,
    F32: ("sine", "tanh", "abs", "negate", "logistic"),
    VEC: ("sine", "tanh", "abs"),
    NARROW: ("negate", "abs"),
}
SMOOTH_CONSTANTS = {
    **CONSTANTS,
    I32: ("0", "1", "-1", "2", "7"),
    F32: ("0.0", "-0.0", "1.0", "0.5", "-3.0"),
    NARROW: ("0.0", "1.0", "-0.5"),
}
DISCRETE = (I32, I1)
KINDS = (*("binary", "unary") * 3, "binary", "compare", "select", "convert", "update", "row")


class SmoothWriter(Writer):
    """Writes one program; f32 and f16 stand for the types of its floats."""

    @property
    def floats(self) -> list[str]:
        return [type for type in self.types if type not in DISCRETE]

    def pick(self, options: Any) -> Any:
        return self.draw.choice(list(options))

    def number(self, low: int, high: int) -> int:
        return self.draw.randint(low, high)

    def coin(self) -> bool:
        return self.draw.random() < 0.5

    def value(self, depth: int, known: dict[str, list[str]], type: str) -> str:
        if type in DISCRETE:
            return super().value(depth, known, type)
        values = known[type]
        if self.draw.random() < 0.95:
            return self.pick(values[-1:] * 4 + values[-2:-1] * 3 + values[-6:] + values[:1])
        name, text = self.name(), self.pick(self.constants[type])
        self.line(depth, f"{name} = stablehlo.constant dense<{text}> : {type}")
        return name

    def type(self) -> str:
        return self.pick([*DISCRETE, *self.floats * 3])

    def following(self, depth: int, known: dict[str, list[str]], carry: str, type: str) -> str:
        chance = self.draw.random()
        if chance < 0.15:
            return carry
        value = self.value(depth, known, type)
        if chance < 0.5 or type in DISCRETE:
            return value
        return self.combined(depth, type, self.pick(self.binary[type]), carry, value)

    def results_of(self, known: dict[str, list[str]]) -> list[str]:
        """Sums of what there is, so that it matters."""
        results: list[str] = []
        for type in self.types:
            total = known[type][-1]
            for value in known[type][-8:-1] if type not in DISCRETE else ():
                total = self.combined(2, type, "add", total, value)
            results.append(total)
        return results

    def combined(self, depth: int, type: str, op: str, a: str, b: str) -> str:
        name = self.name()
        self.line(depth, f"{name} = stablehlo.{op} {a}, {b} : {type}")
        return name

    def ends_early(self) -> bool:
        return self.draw.random() < 0.15

    def some_types(self) -> list[str]:
        return [self.pick(self.floats), *super().some_types()]


def smooth_program(number: int, nest: int = 3, narrow: str = "") -> Program:
    """A module in f64, and arguments for its `@main`, which returns a value of each of its types.

    `narrow` is a type of floats, f32 or bf16, that it has beside f64.
    """
    draw = random.Random(number)
    types = (*TYPES, NARROW) if narrow else TYPES
    conversions = ((F32, NARROW), (NARROW, F32)) if narrow else ()
    writer = SmoothWriter(
        draw,
        probes=False,
        budget=24,
        types=types,
        binary=SMOOTH_BINARY,
        unary=SMOOTH_UNARY,
        constants=SMOOTH_CONSTANTS,
        conversions=((I32, F32), *conversions),
        kinds=KINDS,
    )
    text = write_main(writer, nest).replace("f32", "f64").replace("f16", narrow)
    arguments = [_argument(draw, type) for type in types]
    if narrow:
        arguments[-1] = arguments[-1].astype(np.float32 if narrow == "f32" else ml_dtypes.bfloat16)
    return Program(text, arguments)


def _argument(draw: random.Random, type: str) -> Any:
    if type == I32:
        return np.array(draw.randint(-3, 5), np.int32)
    if type == I1:
        return np.array(draw.random() < 0.5)
    return np.array([draw.uniform(-2, 2) for _ in range(3)] if type == VEC else draw.uniform(-2, 2))
