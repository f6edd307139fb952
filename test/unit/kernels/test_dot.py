"""`dot_general`, `dot`, `convolution`, linear algebra, FFT, random bits, special functions."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

DTYPES = [np.int8, np.int32, np.uint64, np.float16, ml_dtypes.bfloat16, np.float32, np.float64]


def small(shape: Any, dtype: Any, seed: int = 0) -> np.ndarray:
    """Small integers, whose sums of products are exact in every dtype."""
    return np.random.default_rng(seed).integers(0, 4, shape).astype(dtype)


DOTS = [
    ((2, 3), (3, 4), "contracting_dims = [1] x [0]", (2, 4)),
    ((2, 3), (3,), "contracting_dims = [1] x [0]", (2,)),
    ((3,), (3,), "contracting_dims = [0] x [0]", ()),
    ((3,), (3, 2), "contracting_dims = [0] x [0]", (2,)),
    ((3, 2), (4, 3), "contracting_dims = [0] x [1]", (2, 4)),
    ((5, 2, 3), (5, 3, 4), "batching_dims = [0] x [0], contracting_dims = [2] x [1]", (5, 2, 4)),
    ((2, 5, 3), (3, 4, 5), "batching_dims = [1] x [2], contracting_dims = [2] x [0]", (5, 2, 4)),
    ((2, 3, 4), (4, 3), "contracting_dims = [1, 2] x [1, 0]", (2,)),
    ((2,), (3,), "contracting_dims = [] x []", (2, 3)),
    ((2, 0), (0, 3), "contracting_dims = [1] x [0]", (2, 3)),
    ((0, 2), (2, 3), "contracting_dims = [1] x [0]", (0, 3)),
    ((3,), (3,), "batching_dims = [0] x [0], contracting_dims = [] x []", (3,)),
]


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("left, right, numbers, target", DOTS)
def test_dot_general(
    left: Any, right: Any, numbers: str, target: Any, dtype: Any, same: Any, helpers: Any
) -> None:
    a, b = small(left, dtype), small(right, dtype, 1)
    result = helpers.type(np.zeros(target, dtype))
    text = (
        f"  %r = stablehlo.dot_general %a, %b, {numbers} : ({helpers.type(a)}, {helpers.type(b)}) "
        f"-> {result}\n  return %r : {result}"
    )
    same(text, [a, b], [result])


def test_integer_products_wrap(run: Any) -> None:
    a = np.full((1, 2), 2**30, np.int32)
    text = (
        "  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : "
        "(tensor<1x2xi32>, tensor<2x1xi32>) -> tensor<1x1xi32>\n  return %r : tensor<1x1xi32>"
    )
    assert run(text, [a, np.full((2, 1), 3, np.int32)], ["tensor<1x1xi32>"])[0] == -(2**31)


@pytest.mark.parametrize("source, target", [("bf16", "f32"), ("i8", "i32"), ("f16", "f32")])
def test_preferred_element_type(source: str, target: str, same: Any) -> None:
    dtype: Any = {"bf16": ml_dtypes.bfloat16, "i8": np.int8, "f16": np.float16}[source]
    a, b = small((2, 50), dtype), small((50, 3), dtype)
    text = (
        "  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : "
        f"(tensor<2x50x{source}>, tensor<50x3x{source}>) -> tensor<2x3x{target}>\n"
        f"  return %r : tensor<2x3x{target}>"
    )
    same(text, [a, b], [f"tensor<2x3x{target}>"])


def test_bits_do_not_depend_on_layout(run: Any) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.normal(size=(33, 33)).astype(np.float32) for _ in range(2))
    text = (
        "  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : "
        "(tensor<33x33xf32>, tensor<33x33xf32>) -> tensor<33x33xf32>\n  return %r : tensor<33x33xf32>"
    )
    [want] = run(text, [a, b], ["tensor<33x33xf32>"])
    [got] = run(text, [np.asfortranarray(a), np.asfortranarray(b)], ["tensor<33x33xf32>"])
    np.testing.assert_array_equal(got.view(np.uint32), want.view(np.uint32))


def test_bf16_is_accumulated_in_f32(run: Any) -> None:
    ones = np.ones(3000, ml_dtypes.bfloat16)
    text = (
        "  %r = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : "
        "(tensor<3000xbf16>, tensor<3000xbf16>) -> tensor<bf16>\n  return %r : tensor<bf16>"
    )
    assert run(text, [ones, ones], ["tensor<bf16>"])[0] == np.float32(3000).astype(ones.dtype)


CONVOLUTIONS = [
    # lhs, rhs, dimension numbers, window, groups, result
    ((2, 5, 6, 3), (2, 3, 3, 4), "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "", 1, 1, (2, 4, 4, 4)),
    (
        (2, 3, 5, 6),
        (4, 3, 2, 3),
        "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]",
        "stride = [2, 1], pad = [[1, 0], [2, -1]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], "
        "reverse = [true, false]",
        1,
        1,
        (2, 4, 2, 10),
    ),
    ((2, 6, 5), (4, 3, 2), "[b, f, 0]x[o, i, 0]->[b, f, 0]", "", 2, 1, (2, 4, 4)),
    ((4, 3, 5), (6, 3, 2), "[b, f, 0]x[o, i, 0]->[b, f, 0]", "", 1, 2, (2, 6, 4)),
    ((2, 3), (4, 3), "[b, f]x[o, i]->[b, f]", "", 1, 1, (2, 4)),
    ((1, 2, 3), (1, 2, 5), "[b, f, 0]x[o, i, 0]->[b, f, 0]", "", 1, 1, (1, 1, 0)),
]


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.int32])
@pytest.mark.parametrize("left, right, numbers, window, features, batches, target", CONVOLUTIONS)
def test_convolution(
    left: Any,
    right: Any,
    numbers: str,
    window: str,
    features: int,
    batches: int,
    target: Any,
    dtype: Any,
    same: Any,
    helpers: Any,
) -> None:
    a, b = small(left, dtype), small(right, dtype, 1)
    result = helpers.type(np.zeros(target, dtype))
    text = f"""
  %r = stablehlo.convolution(%a, %b) dim_numbers = {numbers}, window = {{{window}}}
      {{batch_group_count = {batches} : i64, feature_group_count = {features} : i64}}
      : ({helpers.type(a)}, {helpers.type(b)}) -> {result}
  return %r : {result}"""
    same(text, [a, b], [result])


NORMS = {
    "inference": (4, ["{t}"]),
    "training": (2, ["{t}", "tensor<3xf32>", "tensor<3xf32>"]),
    "grad": (4, ["{t}", "tensor<3xf32>", "tensor<3xf32>"]),
}


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("kind", NORMS)
def test_batch_norm(kind: str, axis: int, run: Any, xla: Any, helpers: Any) -> None:
    vectors, results = NORMS[kind]
    rng = np.random.default_rng(0)
    shape = [4, 5, 6]
    shape[axis] = 3
    x = rng.normal(size=shape).astype(np.float32)
    args = [x, *(rng.uniform(0.5, 2, 3).astype(np.float32) for _ in range(vectors))]
    if kind == "grad":
        args[-1] = rng.normal(size=shape).astype(np.float32)
    type = helpers.type(x)
    types = [text.format(t=type) for text in results]
    names = ", ".join(f"%{chr(97 + k)}" for k in range(len(args)))
    out = "%r" if len(types) == 1 else f"%r:{len(types)}"
    outs = ["%r"] if len(types) == 1 else [f"%r#{k}" for k in range(len(types))]
    body = (
        f'  {out} = "stablehlo.batch_norm_{kind}"({names}) <{{epsilon = 0.01 : f32, '
        f"feature_index = {axis} : i64}}> : ({', '.join(map(helpers.type, args))}) -> "
        f"({', '.join(types)})\n  return {', '.join(outs)} : {', '.join(types)}"
    )
    for got, want in zip(run(body, args, types), xla(body, args, types)):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("lower", [True, False])
def test_cholesky(lower: bool, run: Any) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 4, 4))
    a = np.matmul(x, np.swapaxes(x, -1, -2)) + np.eye(4)
    a[1, 0, 0] = -1  # has no factor
    flag = "true" if lower else "false"
    text = (
        f"  %r = stablehlo.cholesky %a, lower = {flag} : tensor<2x4x4xf64>\n"
        "  return %r : tensor<2x4x4xf64>"
    )
    [got] = run(text, [a], ["tensor<2x4x4xf64>"])
    factor = got[0] if lower else got[0].T
    np.testing.assert_allclose(np.matmul(factor, factor.T), a[0], rtol=1e-12)
    assert np.isnan(got[1]).any()


@pytest.mark.parametrize("left_side", ["true", "false"])
@pytest.mark.parametrize("lower", ["true", "false"])
@pytest.mark.parametrize("unit", ["true", "false"])
@pytest.mark.parametrize("transpose", ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
def test_triangular_solve(left_side: str, lower: str, unit: str, transpose: str, same: Any) -> None:
    rng = np.random.default_rng(0)
    a = (rng.normal(size=(2, 3, 3)) + 3 * np.eye(3)).astype(np.float64)
    b = rng.normal(size=(2, 3, 3))
    text = f"""
  %r = "stablehlo.triangular_solve"(%a, %b) <{{left_side = {left_side}, lower = {lower},
      unit_diagonal = {unit}, transpose_a = #stablehlo<transpose {transpose}>}}>
      : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  return %r : tensor<2x3x3xf64>"""
    same(text, [a, b], ["tensor<2x3x3xf64>"], rtol=1e-9)


@pytest.mark.parametrize(
    "kind, lengths, source, target",
    [
        ("FFT", "4, 6", "tensor<2x4x6xcomplex<f64>>", "tensor<2x4x6xcomplex<f64>>"),
        ("IFFT", "6", "tensor<2x4x6xcomplex<f64>>", "tensor<2x4x6xcomplex<f64>>"),
        ("RFFT", "6", "tensor<2x4x6xf64>", "tensor<2x4x4xcomplex<f64>>"),
        ("IRFFT", "6", "tensor<2x4x4xcomplex<f64>>", "tensor<2x4x6xf64>"),
    ],
)
def test_fft(kind: str, lengths: str, source: str, target: str, run: Any, xla: Any) -> None:
    rng = np.random.default_rng(0)
    shape = (2, 4, 4) if kind == "IRFFT" else (2, 4, 6)
    a = rng.normal(size=shape)
    a = a if kind == "RFFT" else a + 1j * rng.normal(size=shape)
    text = (
        f"  %r = stablehlo.fft %a, type = {kind}, length = [{lengths}] : ({source}) -> {target}\n"
        f"  return %r : {target}"
    )
    got, want = run(text, [a], [target])[0], xla(text, [a], [target])[0]
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "algorithm, words", [("THREE_FRY", 2), ("PHILOX", 2), ("PHILOX", 3), ("DEFAULT", 2)]
)
@pytest.mark.parametrize("shape", [(), (6,), (5,), (2, 3), (3, 5), (3, 3, 3), (5, 2, 3), (0,)])
@pytest.mark.parametrize("dtype", [np.uint32, np.uint64, np.uint8])
def test_random_bits_are_xlas(
    algorithm: str, words: int, shape: Any, dtype: Any, same: Any, helpers: Any
) -> None:
    state = np.array([0x1234567890ABCDEF, 2**64 - 3, 3][:words], np.uint64)
    if words == 2:
        state[1] = 2**40 + 7
    result = helpers.type(np.zeros(shape, dtype))
    text = (
        f"  %s, %r = stablehlo.rng_bit_generator %a, algorithm = {algorithm} : "
        f"({helpers.type(state)}) -> ({helpers.type(state)}, {result})\n"
        f"  return %s, %r : {helpers.type(state)}, {result}"
    )
    same(text, [state], [helpers.type(state), result])


# (at, value) to 15 digits.
SPECIAL = {
    "erf": [(0.5, 0.520499877813047), (-2.0, -0.995322265018953), (np.inf, 1.0)],
    "erfc": [(0.5, 0.479500122186953), (5.0, 1.53745979442803e-12), (np.nan, np.nan)],
    "erf_inv": [
        (0.5, 0.476936276204470),
        (-0.999, -2.32675376551352),
        (1.0, np.inf),
        (2.0, np.nan),
        (0.0, 0.0),
    ],
    "lgamma": [
        (0.5, 0.572364942924700),
        (-1.5, 0.860047015376481),
        (0.0, np.inf),
        (100.0, 359.134205369575),
        (-np.inf, np.inf),
    ],
    "digamma": [
        (1.0, -0.577215664901533),
        (0.5, -1.96351002602142),
        (-1.5, 0.703156640645243),
        (100.0, 4.60016185273809),
        (-2.0, np.nan),
    ],
    "bessel_i1e": [
        (0.0, 0.0),
        (1.0, 0.207910415349708),
        (-10.0, -0.121262681384456),
        (500.0, 0.0178278518528981),
        (1e-5, 4.99995000031250e-06),
    ],
}


@pytest.mark.parametrize("op", SPECIAL)
def test_special_functions(op: str, run: Any, helpers: Any) -> None:
    a, want = (np.array(column) for column in zip(*SPECIAL[op]))
    type = helpers.type(a)
    text = f"  %r = chlo.{op} %a : {type} -> {type}\n  return %r : {type}"
    np.testing.assert_allclose(run(text, [a], [type])[0], want, rtol=1e-13)
    for dtype in (np.float32, ml_dtypes.bfloat16):
        b = np.linspace(0.1, 0.9, 5).astype(dtype)
        type = helpers.type(b)
        text = f"  %r = chlo.{op} %a : {type} -> {type}\n  return %r : {type}"
        assert run(text, [b], [type])[0].dtype == b.dtype


def test_erf_inv_near_one(run: Any) -> None:
    a = np.array([1 - 1e-12, 1 - 2.0**-50, -1 + 1e-9])
    text = "  %r = chlo.erf_inv %a : tensor<3xf64> -> tensor<3xf64>\n  return %r : tensor<3xf64>"
    for x, y in zip(a, run(text, [a], ["tensor<3xf64>"])[0]):
        assert math.erfc(abs(y)) == pytest.approx(1 - abs(x), rel=1e-13)


@pytest.mark.parametrize(
    "op, a, b, want",
    [
        (
            "zeta",
            [2.0, 3.0, 1.5],
            [1.0, 0.5, 10.0],
            [1.64493406684823, 8.41439832211716, 0.648661631941570],
        ),
        (
            "polygamma",
            [0.0, 1.0, 2.0],
            [2.0, 1.0, 0.5],
            [0.422784335098467, 1.64493406684823, -16.8287966442343],
        ),
    ],
)
def test_special_functions_of_two(op: str, a: Any, b: Any, want: Any, run: Any) -> None:
    type = "tensor<3xf64>"
    text = f"  %r = chlo.{op} %a, %b : {type}, {type} -> {type}\n  return %r : {type}"
    [got] = run(text, [np.array(a), np.array(b)], [type])
    np.testing.assert_allclose(got, want, rtol=1e-12)
