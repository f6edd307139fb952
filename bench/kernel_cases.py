"""The ops that `bench/kernels.py` measures: each as the text of one op, and its arguments.

In a body, `%a`, `%b`, … are the arguments and `{a}`, `{b}`, … their types, `{r}` that of the
result.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

Array = np.ndarray[Any, Any]


class Case(NamedTuple):
    """One op at any size: `arguments(n)` has about n elements in all that counts."""

    name: str
    body: str
    arguments: Callable[[int], list[Array]]
    result: Callable[..., str] = lambda a, *_: type_of(a)
    """The result's type, from the arguments."""


NAMES: dict[str, str] = {
    "bool": "i1",
    "int32": "i32",
    "int64": "i64",
    "uint32": "ui32",
    "uint64": "ui64",
    "float32": "f32",
    "float64": "f64",
    "bfloat16": "bf16",
    "complex64": "complex<f32>",
}


def type_of(array: Array) -> str:
    """The MLIR type of an array."""
    return tensor(array.shape, NAMES[array.dtype.name])


def tensor(shape: tuple[int, ...], element: str = "f32") -> str:
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


def floats(*shape: int, seed: int = 0, low: float = 0.1, high: float = 0.9) -> Array:
    return np.random.default_rng(seed).uniform(low, high, shape).astype(np.float32)


def integers(*shape: int, seed: int = 0, low: int = 1, high: int = 1000) -> Array:
    return np.random.default_rng(seed).integers(low, high, shape).astype(np.int32)


def scalar(value: Any, dtype: Any = np.float32) -> Array:
    return np.array(value, dtype)


def side(n: int) -> int:
    """The side of a square of n elements."""
    return isqrt(n)


def square(n: int, seed: int = 0) -> Array:
    return floats(side(n), side(n), seed=seed)


FLOAT_UNARY = (
    "abs cbrt ceil cosine exponential exponential_minus_one floor log log_plus_one logistic negate"
    " round_nearest_afz round_nearest_even rsqrt sign sine sqrt tan tanh"
).split()
CHLO_UNARY = (
    "acos acosh asin asinh atan atanh bessel_i1e cosh digamma erf erf_inv erfc lgamma sinh square"
).split()
FLOAT_BINARY = "add atan2 divide maximum minimum multiply power remainder subtract".split()
INT_BINARY = "add divide multiply remainder shift_left shift_right_logical xor maximum".split()


def elementwise() -> list[Case]:
    cases: list[Case] = []
    for name in FLOAT_UNARY:
        cases.append(Case(name, f"stablehlo.{name} %a : {{a}}", lambda n: [floats(n)]))
    for name in CHLO_UNARY:
        low = 1.1 if name == "acosh" else 0.1
        body = f"chlo.{name} %a : {{a}} -> {{r}}"
        cases.append(
            Case(f"chlo.{name}", body, lambda n, low=low: [floats(n, low=low, high=low + 0.8)])
        )
    for name in FLOAT_BINARY:
        body = f"stablehlo.{name} %a, %b : {{a}}"
        cases.append(Case(name, body, lambda n: [floats(n), floats(n, seed=1)]))
    for name in INT_BINARY:
        high = 20 if name.startswith("shift") else 1000
        body = f"stablehlo.{name} %a, %b : {{a}}"
        cases.append(
            Case(f"{name} i32", body, lambda n, h=high: [integers(n), integers(n, seed=1, high=h)])
        )
    for name in ("count_leading_zeros", "popcnt", "not", "sign"):
        cases.append(Case(f"{name} i32", f"stablehlo.{name} %a : {{a}}", lambda n: [integers(n)]))

    def bf16(n: int) -> list[Array]:
        return [floats(n, seed=seed).astype(ml_dtypes.bfloat16) for seed in (0, 1)]

    def complexes(n: int) -> list[Array]:
        return [
            (floats(n, seed=s) + 1j * floats(n, seed=s + 1)).astype(np.complex64) for s in (0, 2)
        ]

    for name in ("add", "multiply", "power"):
        cases.append(Case(f"{name} bf16", f"stablehlo.{name} %a, %b : {{a}}", bf16))
    cases.append(Case("exponential bf16", "stablehlo.exponential %a : {a}", lambda n: bf16(n)[:1]))
    for name in ("multiply", "divide", "power"):
        cases.append(Case(f"{name} complex", f"stablehlo.{name} %a, %b : {{a}}", complexes))
    for name in ("exponential", "tanh", "log_plus_one", "sqrt"):
        body = f"stablehlo.{name} %a : {{a}}"
        cases.append(Case(f"{name} complex", body, lambda n: complexes(n)[:1]))

    def predicate(a: Array, *_: Array) -> str:
        return tensor(a.shape, "i1")

    cases += [
        Case("compare", "stablehlo.compare LT, %a, %b, FLOAT : ({a}, {b}) -> {r}",
             lambda n: [floats(n), floats(n, seed=1)], predicate),
        Case("is_finite", "stablehlo.is_finite %a : ({a}) -> {r}", lambda n: [floats(n)], predicate),
        Case("select", "stablehlo.select %a, %b, %c : {a}, {b}",
             lambda n: [floats(n) > 0.5, floats(n), floats(n, seed=1)], lambda a, b, c: type_of(b)),
        Case("clamp", "stablehlo.clamp %a, %b, %c : ({a}, {b}, {c}) -> {r}",
             lambda n: [scalar(0.3), floats(n), scalar(0.6)], lambda a, b, c: type_of(b)),
        Case("complex", "stablehlo.complex %a, %b : {r}", lambda n: [floats(n), floats(n, seed=1)],
             lambda a, b: tensor(a.shape, "complex<f32>")),
        Case("imag", "stablehlo.imag %a : ({a}) -> {r}", lambda n: complexes(n)[:1],
             lambda a: tensor(a.shape)),
        Case("reduce_precision", "stablehlo.reduce_precision %a, format = e5m10 : {a}",
             lambda n: [floats(n)]),
        Case("convert to i32", "stablehlo.convert %a : ({a}) -> {r}", lambda n: [floats(n)],
             lambda a: tensor(a.shape, "i32")),
        Case("convert to bf16", "stablehlo.convert %a : ({a}) -> {r}", lambda n: [floats(n)],
             lambda a: tensor(a.shape, "bf16")),
        Case("convert bf16 to f32", "stablehlo.convert %a : ({a}) -> {r}", lambda n: bf16(n)[:1],
             lambda a: tensor(a.shape)),
        Case("bitcast_convert", "stablehlo.bitcast_convert %a : ({a}) -> {r}", lambda n: [floats(n)],
             lambda a: tensor(a.shape, "i32")),
        Case("chlo.next_after", "chlo.next_after %a, %b : {a}, {b} -> {r}",
             lambda n: [floats(n), floats(n, seed=1)]),
    ]  # fmt: skip
    return cases


def moved() -> list[Case]:
    """Ops that move data about."""

    def half(a: Array, *_: Array) -> str:
        return tensor((a.shape[0] // 2, *a.shape[1:]))

    def rows(n: int) -> list[Array]:
        return [square(n), integers(side(n), 1, low=0, high=side(n))]

    numbers = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0]"
    return [
        Case("broadcast_in_dim", "stablehlo.broadcast_in_dim %a, dims = [1] : ({a}) -> {r}",
             lambda n: [floats(side(n))], lambda a: tensor((a.size, a.size))),
        Case("transpose", "stablehlo.transpose %a, dims = [1, 0] : ({a}) -> {r}",
             lambda n: [square(n)]),
        Case("reshape", "stablehlo.reshape %a : ({a}) -> {r}", lambda n: [square(n)],
             lambda a: tensor((a.size,))),
        Case("reverse", "stablehlo.reverse %a, dims = [0, 1] : {a}", lambda n: [square(n)]),
        Case("pad", "stablehlo.pad %a, %b, low = [1, 1], high = [1, 1], interior = [1, 1] :"
             " ({a}, {b}) -> {r}", lambda n: [square(n), scalar(0)],
             lambda a, b: tensor((2 * a.shape[0] + 1, 2 * a.shape[1] + 1))),
        Case("concatenate", "stablehlo.concatenate %a, %b, dim = 1 : ({a}, {b}) -> {r}",
             lambda n: [square(n), square(n)], lambda a, b: tensor((a.shape[0], 2 * a.shape[1]))),
        Case("iota", "stablehlo.iota dim = 1 : {r}", lambda n: [square(n)]),
        Case("dynamic_slice", "stablehlo.dynamic_slice %a, %b, %c, sizes = [{half}, {side}] :"
             " ({a}, {b}, {c}) -> {r}", lambda n: [square(n), *[scalar(1, np.int32)] * 2], half),
        Case("dynamic_update_slice", "stablehlo.dynamic_update_slice %a, %b, %c, %c :"
             " ({a}, {b}, {c}, {c}) -> {r}",
             lambda n: [square(n), square(n)[: side(n) // 2], scalar(1, np.int32)]),
        Case("gather", f'"stablehlo.gather"(%a, %b) <{{{{dimension_numbers = #stablehlo.gather<'
             f'{numbers}, index_vector_dim = 1>, slice_sizes = array<i64: 1, {{side}}>}}}}> :'
             f' ({{a}}, {{b}}) -> {{r}}', rows),
        Case("scatter, add", '"stablehlo.scatter"(%a, %b, %c) <{{scatter_dimension_numbers ='
             ' #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],'
             ' scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{\n'
             '^bb0(%x: tensor<f32>, %y: tensor<f32>):\n  %s = stablehlo.add %x, %y : tensor<f32>\n'
             '  stablehlo.return %s : tensor<f32>\n}}) : ({a}, {b}, {c}) -> {r}',
             lambda n: [*rows(n), square(n, 1)]),
        Case("sort", '"stablehlo.sort"(%a) <{{dimension = 0 : i64, is_stable = true}}> ({{\n'
             '^bb0(%x: tensor<f32>, %y: tensor<f32>):\n'
             '  %s = stablehlo.compare LT, %x, %y, TOTALORDER :'
             ' (tensor<f32>, tensor<f32>) -> tensor<i1>\n'
             '  stablehlo.return %s : tensor<i1>\n}}) : ({a}) -> {r}', lambda n: [floats(n)]),
    ]  # fmt: skip


def reducer(op: str) -> str:
    return (
        f"({{{{\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n  %s = {op} %x, %y : tensor<f32>\n"
        "  stablehlo.return %s : tensor<f32>\n}})"
    )


def summed() -> list[Case]:
    """Reductions, windows, products, and what is built of them."""
    add, largest = reducer("stablehlo.add"), reducer("stablehlo.maximum")

    def reduce(op: str, dims: str) -> str:
        return (
            f"stablehlo.reduce(%a init: %b) applies stablehlo.{op} across dimensions = [{dims}] :"
            " ({a}, {b}) -> {r}"
        )

    def matrix(n: int) -> list[Array]:
        return [square(n), scalar(0)]

    def row(a: Array, b: Array) -> str:
        return tensor(a.shape[:1])

    def positive(n: int) -> list[Array]:
        a = square(n)
        return [(a @ a.T + 10 * np.eye(side(n), dtype=np.float32)).astype(np.float32)]

    def images(n: int) -> Array:
        size = side(n // 16)
        return floats(4, size, size, 4)

    def pooled_shape(a: Array) -> tuple[int, ...]:
        return (a.shape[0], a.shape[1] // 2, a.shape[2] // 2, a.shape[3])

    def pooled(a: Array, *_: Array) -> str:
        return tensor(pooled_shape(a))

    window = "window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>"
    at_least = (
        reducer("stablehlo.compare GE,")
        .replace("%x, %y : tensor<f32>", "%x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>")
        .replace("return %s : tensor<f32>", "return %s : tensor<i1>")
    )
    return [
        Case("reduce, add, all", reduce("add", "0, 1"), matrix, lambda a, b: "tensor<f32>"),
        Case("reduce, add, rows", reduce("add", "1"), matrix, row),
        Case("reduce, max, columns", reduce("maximum", "0"), matrix, row),
        Case("reduce_window, cumulative sum", '"stablehlo.reduce_window"(%a, %b) <{{'
             'window_dimensions = array<i64: {n}>, padding = dense<[[{last}, 0]]> :'
             ' tensor<1x2xi64>}}> ' + add + " : ({a}, {b}) -> {r}",
             lambda n: [floats(n), scalar(0)]),
        Case("reduce_window, pooling", f'"stablehlo.reduce_window"(%a, %b) <{{{{{window}}}}}> '
             + largest + " : ({a}, {b}) -> {r}", lambda n: [images(n), scalar(0)], pooled),
        Case("select_and_scatter", f'"stablehlo.select_and_scatter"(%a, %b, %c) <{{{{{window}}}}}> '
             + at_least[:-1] + ", " + add[1:] + " : ({a}, {b}, {c}) -> {r}",
             lambda n: [images(n), floats(*pooled_shape(images(n))), scalar(0)]),
        Case("dot_general", "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] :"
             " ({a}, {b}) -> {r}", lambda n: [square(n), square(n, 1)]),
        Case("dot_general, i32", "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] :"
             " ({a}, {b}) -> {r}", lambda n: [integers(side(n), side(n)) for _ in range(2)]),
        Case("convolution", "stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]"
             "->[b, 0, 1, f], window = {{pad = [[1, 1], [1, 1]]}} {{batch_group_count = 1 : i64,"
             " feature_group_count = 1 : i64}} : ({a}, {b}) -> {r}",
             lambda n: [images(n), floats(3, 3, 4, 4)]),
        Case("cholesky", "stablehlo.cholesky %a, lower = true : {a}", positive),
        Case("triangular_solve", '"stablehlo.triangular_solve"(%a, %b) <{{left_side = true, lower ='
             ' true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}}> :'
             ' ({a}, {b}) -> {r}', lambda n: [*positive(n), square(n)]),
        Case("fft", "stablehlo.fft %a, type = FFT, length = [{n}] : ({a}) -> {r}",
             lambda n: [floats(n).astype(np.complex64)]),
        Case("rng_bit_generator, philox", "stablehlo.rng_bit_generator %a, algorithm = PHILOX :"
             " ({a}) -> ({a}, {r})", lambda n: [np.array([1, 2], np.uint64), floats(n)],
             lambda a, b: tensor(b.shape, "ui32")),
        Case("rng_bit_generator, threefry", "stablehlo.rng_bit_generator %a, algorithm ="
             " THREE_FRY : ({a}) -> ({a}, {r})", lambda n: [np.array([1, 2], np.uint64), floats(n)],
             lambda a, b: tensor(b.shape, "ui32")),
        Case("batch_norm_inference", '"stablehlo.batch_norm_inference"(%a, %b, %b, %b, %b) <{{'
             'epsilon = 0.1 : f32, feature_index = 1 : i64}}> : ({a}, {b}, {b}, {b}, {b}) -> {r}',
             lambda n: [square(n), floats(side(n))]),
    ]  # fmt: skip


def all_cases() -> list[Case]:
    return elementwise() + moved() + summed()
