"""`fold-scalar-constants` gives the bits that the runtime gives, for every op that it folds."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from anabranch.frontends.mlir_text import (
    make_context,
    parse_module,
    print_module,
    verify_module,
)
from anabranch.passes.fold_scalar_constants import FOLDABLE, FoldScalarConstantsPass
from anabranch.passes.remove_dead_code import RemoveDeadCodePass
from anabranch.runtime.reference import evaluate

INTEGERS = ("0", "1", "-1", "7", "-128", "127")
UNSIGNED = ("0", "1", "7", "255")
FLOATS = ("0.0", "-0.0", "1.0", "-2.5", "1.0e30")
SPECIAL = {
    "f16": ("0x7E01", "0x7D01", "0xFC00"),
    "bf16": ("0x7FC1", "0x7F81", "0xFF80"),
    "f32": ("0x7FC12345", "0x7F812345", "0xFF800000"),
    "f64": ("0x7FF8000000012345", "0x7FF0000000012345", "0xFFF0000000000000"),
}
BINARY = ("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum")
BITWISE = ("and", "or", "xor", "shift_left", "shift_right_arithmetic", "shift_right_logical")


def values_of(element: str) -> tuple[str, ...]:
    if element == "i1":
        return ("false", "true")
    if element.startswith("ui"):
        return UNSIGNED
    return INTEGERS if element.startswith("i") else FLOATS + SPECIAL[element]


def check(lines: list[str], results: list[tuple[str, str]]) -> None:
    """The results are the same, bit by bit, computed by the pass and by the reference."""
    types = ", ".join(type for _, type in results)
    names = ", ".join(name for name, _ in results)
    text = "\n".join(
        [f"func.func @main() -> ({types}) {{", *lines, f"func.return {names} : {types}", "}"]
    )
    module = parse_module(text)
    before = evaluate(module, [])
    FoldScalarConstantsPass().apply(make_context(), module)
    RemoveDeadCodePass().apply(make_context(), module)
    verify_module(module)
    left = {op.name for op in module.walk()}
    assert left <= {"builtin.module", "func.func", "func.return", "stablehlo.constant"}
    # The text of the constants carries the bits as well.
    for how, after in (
        ("folded", evaluate(module, [])),
        ("folded and printed", evaluate(parse_module(print_module(module)), [])),
    ):
        for (name, _), one, other in zip(results, before, after):
            assert one.dtype == other.dtype
            if one.tobytes() != other.tobytes():
                made = [line for line in lines if line.startswith(name + " ")]
                bits = f"{one.tobytes()!r} became {other.tobytes()!r}"
                raise AssertionError(f"{how}: {made} on {lines[:3]}…: {bits}")


@pytest.mark.parametrize("element", ["i1", "i8", "ui8", "i32", "i64", "f16", "bf16", "f32", "f64"])
def test_binary_ops(element: str):
    ops = BINARY if "f" in element else BINARY + BITWISE
    if element == "i1":
        ops = ("add", "multiply", "maximum", "minimum", "and", "or", "xor")
    lines: list[str] = []
    results: list[tuple[str, str]] = []
    type = f"tensor<{element}>"
    pairs = itertools.product(values_of(element), repeat=2)
    for number, (op, (left, right)) in enumerate(itertools.product(ops, list(pairs))):
        lines += [
            f"%l{number} = stablehlo.constant dense<{left}> : {type}",
            f"%r{number} = stablehlo.constant dense<{right}> : {type}",
            f"%{op}{number} = stablehlo.{op} %l{number}, %r{number} : {type}",
        ]
        results.append((f"%{op}{number}", type))
    check(lines, results)


@pytest.mark.parametrize("element", ["i1", "i8", "ui8", "i32", "f32", "bf16"])
def test_compare(element: str):
    lines: list[str] = []
    results: list[tuple[str, str]] = []
    type = f"tensor<{element}>"
    kind = "FLOAT" if "f" in element else "UNSIGNED" if element in ("i1", "ui8") else "SIGNED"
    directions = ("EQ", "NE", "LT", "LE", "GT", "GE")
    pairs = list(itertools.product(values_of(element), repeat=2))
    for number, (op, (left, right)) in enumerate(itertools.product(directions, pairs)):
        lines += [
            f"%l{number} = stablehlo.constant dense<{left}> : {type}",
            f"%r{number} = stablehlo.constant dense<{right}> : {type}",
            f"%c{number} = stablehlo.compare {op}, %l{number}, %r{number}, {kind} : "
            f"({type}, {type}) -> tensor<i1>",
        ]
        results.append((f"%c{number}", "tensor<i1>"))
    check(lines, results)


@pytest.mark.parametrize("source", ["i1", "i8", "ui8", "i32", "f16", "f32", "f64"])
def test_unary_and_convert(source: str):
    lines: list[str] = []
    results: list[tuple[str, str]] = []
    targets = ("i1", "i8", "ui8", "i32", "i64", "f16", "bf16", "f32", "f64")
    for number, value in enumerate(values_of(source)):
        lines.append(f"%v{number} = stablehlo.constant dense<{value}> : tensor<{source}>")
        for target in targets:
            name = f"%{target}_of_{number}"
            lines.append(
                f"{name} = stablehlo.convert %v{number} : (tensor<{source}>) -> tensor<{target}>"
            )
            results.append((name, f"tensor<{target}>"))
        ops = ("not",) if source == "i1" else ("negate", "not")
        if source in ("i8", "i32", "f16", "f32", "f64"):
            ops = ("negate", "abs", "sign") + (("not",) if source.startswith("i") else ())
        for op in ops:
            lines.append(f"%{op}{number} = stablehlo.{op} %v{number} : tensor<{source}>")
            results.append((f"%{op}{number}", f"tensor<{source}>"))
    check(lines, results)


def test_choices():
    lines = [
        "%a = stablehlo.constant dense<3> : tensor<i32>",
        "%b = stablehlo.constant dense<5> : tensor<i32>",
        "%c = stablehlo.constant dense<9> : tensor<i32>",
        "%t = stablehlo.constant dense<true> : tensor<i1>",
        "%s = stablehlo.select %t, %a, %b : tensor<i1>, tensor<i32>",
        "%m = stablehlo.clamp %b, %a, %c : tensor<i32>",
        "%r = stablehlo.reshape %m : (tensor<i32>) -> tensor<i32>",
        "%d = stablehlo.broadcast_in_dim %r, dims = [] : (tensor<i32>) -> tensor<i32>",
    ]
    check(lines, [("%s", "tensor<i32>"), ("%d", "tensor<i32>")])


def test_every_foldable_op_has_a_kernel():
    from anabranch.runtime.kernels import load_kernels

    assert set(load_kernels()) >= FOLDABLE


def test_results_are_not_shared_with_the_constant_cache():
    module = parse_module(
        "func.func @main() -> tensor<i32> {\n"
        "%a = stablehlo.constant dense<3> : tensor<i32>\n"
        "%b = stablehlo.add %a, %a : tensor<i32>\n"
        "func.return %b : tensor<i32>\n}"
    )
    FoldScalarConstantsPass().apply(make_context(), module)
    assert evaluate(module, [])[0] == np.int32(6)
