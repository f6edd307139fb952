"""Elementwise kernels: XLA on CPU is the oracle at special points; corner facts also without it."""

from __future__ import annotations

import warnings
from typing import Any

import ml_dtypes
import numpy as np
import pytest

FLOATS = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]
INTS = [np.int8, np.int32, np.int64, np.uint8, np.uint32, np.uint64]
SIGNED = [np.int8, np.int32, np.int64]
COMPLEX = [np.complex64, np.complex128]
# What a few ulps are, by bytes of a float's element; XLA's own functions differ from libm by as
# much.
ULPS = {2: 0.02, 4: 3e-6, 8: 2e-14}


def unary(op: str, type: str, result: str | None = None) -> str:
    signature = type if result is None else f"({type}) -> {result}"
    return f"  %r = stablehlo.{op} %a : {signature}\n  return %r : {result or type}"


def binary(op: str, type: str) -> str:
    return f"  %r = stablehlo.{op} %a, %b : {type}\n  return %r : {type}"


@pytest.mark.parametrize("dtype", [np.bool_, *INTS, *FLOATS], ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("op", ["add", "multiply", "maximum", "minimum"])
def test_exact_binary(op: str, dtype: Any, same: Any, helpers: Any) -> None:
    a, b = helpers.pairs(helpers.special(dtype))
    same(binary(op, helpers.type(a)), [a, b], [helpers.type(a)])


@pytest.mark.parametrize("dtype", [*INTS, *FLOATS], ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("op", ["subtract", "divide", "remainder"])
def test_arithmetic(op: str, dtype: Any, same: Any, helpers: Any) -> None:
    a, b = helpers.pairs(helpers.special(dtype))
    if op == "remainder" and dtype == ml_dtypes.bfloat16:
        pytest.skip("XLA takes this remainder in bf16 steps")
    same(binary(op, helpers.type(a)), [a, b], [helpers.type(a)])


@pytest.mark.parametrize("dtype", INTS, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize(
    "op",
    [
        "power",
        "and",
        "or",
        "xor",
        "shift_left",
        "shift_right_arithmetic",
        "shift_right_logical",
    ],
)
def test_integer_binary(op: str, dtype: Any, same: Any, helpers: Any) -> None:
    a, b = helpers.pairs(helpers.special(dtype))
    if op == "power":  # XLA is wrong about exponents with the highest bits set
        a, b = a[b <= 31], b[b <= 31]
    same(binary(op, helpers.type(a)), [a, b], [helpers.type(a)])


@pytest.mark.parametrize("op", ["divide", "remainder"])
@pytest.mark.parametrize("dtype", INTS, ids=lambda d: np.dtype(d).name)
def test_scalar_division_is_the_arrays(op: str, dtype: Any, run: Any, helpers: Any) -> None:
    a, b = helpers.pairs(helpers.special(dtype))
    [arrays] = run(binary(op, helpers.type(a)), [a, b], [helpers.type(a)])
    type = helpers.type(a[0])
    scalars = [run(binary(op, type), [x, y], [type])[0] for x, y in zip(a, b)]
    np.testing.assert_array_equal(np.array(scalars), arrays)


@pytest.mark.parametrize("dtype", [*SIGNED, np.uint8, np.uint64], ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("op", ["abs", "negate", "sign", "not", "popcnt", "count_leading_zeros"])
def test_integer_unary(op: str, dtype: Any, same: Any, helpers: Any) -> None:
    if op in ("abs", "sign") and np.dtype(dtype).kind == "u":
        pytest.skip("of signed integers")
    a = helpers.special(dtype)
    same(unary(op, helpers.type(a)), [a], [helpers.type(a)])


@pytest.mark.parametrize("dtype", FLOATS, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize(
    "op", ["abs", "negate", "sign", "ceil", "floor", "round_nearest_even", "round_nearest_afz"]
)
def test_exact_float_unary(op: str, dtype: Any, same: Any, helpers: Any) -> None:
    a = helpers.special(dtype)
    same(unary(op, helpers.type(a)), [a], [helpers.type(a)])


@pytest.mark.parametrize("dtype", FLOATS, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize(
    "op",
    [
        "cbrt",
        "cosine",
        "exponential",
        "exponential_minus_one",
        "log",
        "log_plus_one",
        "logistic",
        "rsqrt",
        "sine",
        "sqrt",
        "tan",
        "tanh",
    ],
)
def test_float_unary(op: str, dtype: Any, same: Any, helpers: Any) -> None:
    special = [0.0, -0.0, 0.5, 1.0, 2.25, 20.0, np.inf, -np.inf, np.nan, -1.0]
    if op in ("sine", "cosine", "tan", "logistic"):
        special = [x for x in special if not np.isneginf(x)]
    values = np.concatenate([special, np.random.default_rng(1).uniform(0.01, 3, 20)])
    a = values.astype(dtype)
    same(unary(op, helpers.type(a)), [a], [helpers.type(a)], rtol=ULPS[a.dtype.itemsize])


@pytest.mark.parametrize("dtype", FLOATS, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("op", ["power", "atan2"])
def test_float_power_and_angle(op: str, dtype: Any, same: Any, helpers: Any) -> None:
    values = np.array([0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, np.inf, -np.inf, np.nan])
    a, b = helpers.pairs(values.astype(dtype))
    same(binary(op, helpers.type(a)), [a, b], [helpers.type(a)], rtol=ULPS[a.dtype.itemsize])


@pytest.mark.parametrize("dtype", COMPLEX, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("op", ["exponential", "log", "sine", "cosine", "tanh", "sqrt", "rsqrt"])
def test_complex_unary(op: str, dtype: Any, same: Any, helpers: Any) -> None:
    rng = np.random.default_rng(2)
    a = (rng.uniform(-2, 2, 16) + 1j * rng.uniform(-2, 2, 16)).astype(dtype)
    same(unary(op, helpers.type(a)), [a], [helpers.type(a)], rtol=ULPS[a.dtype.itemsize // 2] * 3)


@pytest.mark.parametrize("dtype", COMPLEX, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("op", ["add", "subtract", "multiply", "divide", "power"])
def test_complex_binary(op: str, dtype: Any, same: Any, helpers: Any) -> None:
    rng = np.random.default_rng(2)
    a, b = ((rng.uniform(-2, 2, 16) + 1j * rng.uniform(-2, 2, 16)).astype(dtype) for _ in range(2))
    same(
        binary(op, helpers.type(a)), [a, b], [helpers.type(a)], rtol=ULPS[a.dtype.itemsize // 2] * 9
    )


def test_complex_log_plus_one_keeps_small_numbers(run: Any) -> None:
    a = np.array([1e-20 + 1e-21j, -1e-3 + 1e-4j, 1e30 + 1e30j, -2.0, complex(np.inf, 1)])
    type = "tensor<5xcomplex<f64>>"
    body = f"  %r = stablehlo.log_plus_one %a : {type}\n  return %r : {type}"
    [got] = run(body, [a], [type])
    np.testing.assert_allclose(got[:2], a[:2] - a[:2] ** 2 / 2 + a[:2] ** 3 / 3, rtol=1e-9)
    np.testing.assert_allclose(got[2:], np.log(a[2:] + 1), rtol=1e-15)


def test_complex_parts(run: Any) -> None:
    a = np.array([1 + 2j, complex(np.inf, np.nan)], np.complex64)
    body = """
  %re = stablehlo.real %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %im = stablehlo.imag %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %z = stablehlo.complex %re, %im : tensor<2xcomplex<f32>>
  %abs = stablehlo.abs %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %re, %im, %z, %abs : tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>, tensor<2xf32>"""
    types = ["tensor<2xf32>", "tensor<2xf32>", "tensor<2xcomplex<f32>>", "tensor<2xf32>"]
    real, imag, whole, size = run(body, [a], types)
    np.testing.assert_array_equal(real, np.array([1, np.inf], np.float32))
    np.testing.assert_array_equal(imag, np.array([2, np.nan], np.float32))
    np.testing.assert_array_equal(whole.view(np.float32), a.view(np.float32))
    assert size.dtype == np.float32


COMPARISONS = [
    (dtype, kind)
    for dtypes, kinds in (
        (FLOATS, ("FLOAT", "TOTALORDER")),
        (SIGNED, ("SIGNED",)),
        ([np.bool_, np.uint8, np.uint64], ("UNSIGNED",)),
    )
    for dtype in dtypes
    for kind in kinds
]


@pytest.mark.parametrize("dtype, kind", COMPARISONS)
@pytest.mark.parametrize("direction", ["EQ", "NE", "LT", "LE", "GT", "GE"])
def test_compare(direction: str, dtype: Any, kind: str, same: Any, helpers: Any) -> None:
    a, b = helpers.pairs(helpers.special(dtype))
    type = helpers.type(a)
    result = f"tensor<{a.size}xi1>"
    body = (
        f"  %r = stablehlo.compare {direction}, %a, %b, {kind} : ({type}, {type}) -> {result}\n"
        f"  return %r : {result}"
    )
    same(body, [a, b], [result])


def test_total_order_has_signed_nans_at_its_ends(run: Any) -> None:
    a = np.array([-np.nan, -np.inf, -1, -0.0, 0.0, 1, np.inf, np.nan], np.float32)
    a[0] = np.copysign(a[0], np.float32(-1))
    a[-1] = np.copysign(a[-1], np.float32(1))
    body = """
  %r = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  return %r : tensor<7xi1>"""
    assert run(body, [a[:-1], a[1:]], ["tensor<7xi1>"])[0].all()


@pytest.mark.parametrize("dtype", [np.int32, *FLOATS], ids=lambda d: np.dtype(d).name)
def test_clamp(dtype: Any, same: Any, helpers: Any) -> None:
    values = helpers.special(dtype)[::2]
    low, x = helpers.pairs(values)
    for high in values[::3]:
        b = np.full_like(x, high)
        type = helpers.type(x)
        body = f"  %r = stablehlo.clamp %a, %b, %c : {type}\n  return %r : {type}"
        same(body, [low, x, b], [type])


def test_clamp_by_scalars(run: Any) -> None:
    body = """
  %r = stablehlo.clamp %a, %b, %c : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>"""
    x = np.array([-1, 0.5, np.nan], np.float32)
    [got] = run(body, [np.float32(0), x, np.float32(1)], ["tensor<3xf32>"])
    np.testing.assert_array_equal(got, np.array([0, 0.5, np.nan], np.float32))


@pytest.mark.parametrize("pred", [np.array(True), np.array([True, False, True])])
def test_select(pred: np.ndarray, run: Any, helpers: Any) -> None:
    a, b = np.array([1, 2, 3], np.int32), np.array([-1, -2, -3], np.int32)
    body = f"""
  %r = stablehlo.select %a, %b, %c : {helpers.type(pred)}, tensor<3xi32>
  return %r : tensor<3xi32>"""
    [got] = run(body, [pred, a, b], ["tensor<3xi32>"])
    np.testing.assert_array_equal(got, np.where(pred, a, b))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, ml_dtypes.bfloat16])
def test_max_of_zeros_is_positive(dtype: Any, run: Any, helpers: Any) -> None:
    pairs = [(-0.0, 0.0), (0.0, -0.0), (-0.0, -0.0), (0.0, 0.0)]
    a, b = (np.array(column, dtype) for column in zip(*pairs))
    type, scalar = helpers.type(a), helpers.type(a[0])
    [high] = run(binary("maximum", type), [a, b], [type])
    [low] = run(binary("minimum", type), [a, b], [type])
    assert np.signbit(high).tolist() == [False, False, True, False]
    assert np.signbit(low).tolist() == [True, True, True, False]
    for x, y, sign in zip(a, b, np.signbit(high)):
        assert np.signbit(run(binary("maximum", scalar), [x, y], [scalar])[0]) == sign


def test_integers_wrap_without_a_warning(run: Any) -> None:
    top = np.int32(2**31 - 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        [got] = run(binary("add", "tensor<i32>"), [top, np.int32(1)], ["tensor<i32>"])
        assert got == -(2**31)
        [got] = run(unary("abs", "tensor<i32>"), [np.int32(-(2**31))], ["tensor<i32>"])
        assert got == -(2**31)


def test_integer_division_corners(run: Any) -> None:
    low = -(2**31)
    a = np.array([5, -5, low, low, 0, 7, -7], np.int32)
    b = np.array([0, 0, -1, 0, 0, -2, 2], np.int32)
    [quotient] = run(binary("divide", "tensor<7xi32>"), [a, b], ["tensor<7xi32>"])
    assert quotient.tolist() == [-1, -1, low, -1, -1, -3, -3]
    [rest] = run(binary("remainder", "tensor<7xi32>"), [a, b], ["tensor<7xi32>"])
    assert rest.tolist() == [5, -5, 0, low, 0, 1, -1]


def test_integer_power_with_negative_exponents(run: Any) -> None:
    base = np.array([2, 1, -1, -1, 0, 0, -2], np.int32)
    exponent = np.array([-1, -5, -3, -2, -1, 0, 31], np.int32)
    [got] = run(binary("power", "tensor<7xi32>"), [base, exponent], ["tensor<7xi32>"])
    assert got.tolist() == [0, 1, -1, 1, 0, 1, -(2**31)]


def test_integer_power_with_a_large_exponent(run: Any) -> None:
    base, exponent = np.array([3, 7], np.uint32), np.array([2**32 - 1, 2**31], np.uint32)
    [got] = run(binary("power", "tensor<2xui32>"), [base, exponent], ["tensor<2xui32>"])
    assert got.tolist() == [pow(3, 2**32 - 1, 2**32), pow(7, 2**31, 2**32)]


@pytest.mark.parametrize("dtype", [ml_dtypes.int4, ml_dtypes.uint4])
def test_integers_of_four_bits(dtype: Any, run: Any, helpers: Any) -> None:
    info = ml_dtypes.iinfo(dtype)
    values = np.arange(info.min, info.max + 1).astype(dtype)
    a, b = helpers.pairs(values)
    wide_a, wide_b = a.astype(np.int64), b.astype(np.int64)
    type = helpers.type(a)
    for op, function in (("add", np.add), ("multiply", np.multiply), ("maximum", np.maximum)):
        [got] = run(binary(op, type), [a, b], [type])
        assert got.dtype == a.dtype
        wrapped = (function(wide_a, wide_b) - info.min) % 16 + info.min
        np.testing.assert_array_equal(got.astype(np.int64), wrapped)
    [got] = run(binary("shift_right_logical", type), [a, np.ones_like(a)], [type])
    np.testing.assert_array_equal(got.astype(np.int64), (wide_a & 15) >> 1)
    [got] = run(unary("popcnt", type), [a], [type])
    assert got.astype(np.int64).tolist() == [
        ((int(x) & 15).bit_count() + (8 if info.min else 0)) % 16 - (8 if info.min else 0)
        for x in wide_a
    ]


@pytest.mark.parametrize("op", ["add", "maximum", "divide", "remainder", "power"])
def test_empty(op: str, run: Any) -> None:
    a = np.zeros((0, 3), np.float32)
    [got] = run(binary(op, "tensor<0x3xf32>"), [a, a], ["tensor<0x3xf32>"])
    assert got.shape == (0, 3)


def test_plain_ops_are_the_ufuncs_themselves() -> None:
    from anabranch.frontends.mlir_text import parse_module
    from anabranch.runtime.kernels import kernel_for
    from anabranch.runtime.reference import ModuleScope

    module = parse_module(
        """
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %s = stablehlo.add %a, %b : tensor<f32>
  %p = stablehlo.compare LT, %s, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %p : tensor<i1>
}"""
    )
    add, less = (op for op in module.walk() if op.name.startswith("stablehlo."))
    assert kernel_for(add, ModuleScope()) is np.add
    assert kernel_for(less, ModuleScope()) is np.less


@pytest.mark.parametrize(
    "op, right, dims, want",
    [
        ("add", [10, 20, 30], "", [[11, 22, 33], [14, 25, 36]]),
        ("maximum", 3, "", [[3, 3, 3], [4, 5, 6]]),
        ("subtract", [1, 2], " {broadcast_dimensions = array<i64: 0>}", [[0, 1, 2], [2, 3, 4]]),
    ],
)
def test_broadcasting(op: str, right: Any, dims: str, want: Any, run: Any, helpers: Any) -> None:
    a, b = np.array([[1, 2, 3], [4, 5, 6]], np.int32), np.array(right, np.int32)
    types = f"({helpers.type(a)}, {helpers.type(b)}) -> {helpers.type(a)}"
    body = f'  %r = "chlo.broadcast_{op}"(%a, %b){dims} : {types}\n  return %r : {helpers.type(a)}'
    assert run(body, [a, b], [helpers.type(a)])[0].tolist() == want


def test_reduce_precision(same: Any, helpers: Any) -> None:
    a = np.concatenate(
        [helpers.special(np.float32), np.random.default_rng(0).normal(size=64) * 1e5]
    ).astype(np.float32)
    type = helpers.type(a)
    for exponent, mantissa in ((5, 10), (8, 7), (4, 3), (8, 23), (5, 2), (11, 52), (11, 4)):
        body = (
            f"  %r = stablehlo.reduce_precision %a, format = e{exponent}m{mantissa} : {type}\n"
            f"  return %r : {type}"
        )
        same(body, [a], [type])


def test_reduce_precision_without_mantissa_bits_has_no_nan(run: Any) -> None:
    """The specification's reference makes it an infinity; XLA on CPU keeps the NaN."""
    a = np.array([np.nan, -np.nan, 3.5, 1.4, np.inf], np.float64)
    body = (
        "  %r = stablehlo.reduce_precision %a, format = e5m0 : tensor<5xf64>\n"
        "  return %r : tensor<5xf64>"
    )
    [got] = run(body, [a], ["tensor<5xf64>"])
    assert np.abs(got).tolist() == [np.inf, np.inf, 4.0, 1.0, np.inf]
    assert np.signbit(got).tolist() == np.signbit(a).tolist()
