"""Floating-point literals have the very digits that MLIR prints."""

from __future__ import annotations

import re
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from anabranch.frontends.mlir_text import parse_module, print_module

FORMS = [
    ("1.0 : f32", "1.000000e+00 : f32"),
    ("-0.0 : f64", "-0.000000e+00 : f64"),
    ("0.1 : f32", "1.000000e-01 : f32"),
    ("0.9 : f32", "0.899999976 : f32"),
    ("1.0e-5 : f32", "9.99999974E-6 : f32"),
    ("1.0e22 : f32", "9.99999977E+21 : f32"),
    ("16777216.0 : f32", "0x4B800000 : f32"),
    ("1234.5678 : f32", "1234.56775 : f32"),
    ("0x7F800000 : f32", "0x7F800000 : f32"),
    ("1.0e-7 : f64", "9.9999999999999995E-8 : f64"),
    ("0.3333333333333333 : f64", "0.33333333333333331 : f64"),
    ("0.1015625 : f8E4M3FN", "1.015630e-01 : f8E4M3FN"),
    ("0.009765625 : f8E4M3FN", "9.765620e-03 : f8E4M3FN"),
    ("[1, 2 : i32, 1.0, 2.0 : f32, 0x7FF0000000000000 : f64, 2 : i8]",) * 2,
]


@pytest.mark.parametrize(("given", "printed"), FORMS)
def test_form(given: str, printed: str):
    module = parse_module(f"module attributes {{a.b = {given}}} {{\n}}")
    if given == printed:
        printed = printed.replace(" 1.0,", " 1.000000e+00,").replace("2.0 :", "2.000000e+00 :")
    assert f"{{a.b = {printed}}}" in print_module(module)


TYPES = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
}


@pytest.mark.parametrize("name", TYPES)
def test_random_bits_as_jaxlib_prints_them(name: str):
    pytest.importorskip("jaxlib", reason="the oracle needs jaxlib")
    from jaxlib.mlir import ir

    random = np.random.default_rng(0)
    size = np.dtype(TYPES[name]).itemsize
    bits = 4 if name == "f4E2M1FN" else 8 * size
    numbers: list[int] = [int(n) % (1 << bits) for n in random.integers(0, 1 << 63, 400)]
    values = np.concatenate([random.normal(size=200), random.integers(0, 10**6, 200) / 1000])
    with np.errstate(all="ignore"):
        rounded: Any = values.astype(TYPES[name])
    numbers += [int.from_bytes(value.tobytes(), "little") for value in rounded]
    listed = ", ".join(f"0x{number:X} : {name}" for number in numbers)
    text = f"module attributes {{a.b = [{listed}]}} {{\n}}"
    with ir.Context():
        expected = str(ir.Module.parse(text))
    assert re.sub(r"\s+", " ", print_module(parse_module(text))) == re.sub(r"\s+", " ", expected)
