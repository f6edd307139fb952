"""Python numbers as arguments: taken where they are exact, else an error that says what to do."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import anabranch as ab


def identity(type: str) -> ab.Executable:
    return ab.compile(
        ab.parse(
            f"func.func @main(%a: tensor<{type}>) -> tensor<{type}> {{ return %a : tensor<{type}> }}"
        )
    )


TAKEN: list[tuple[str, Any]] = [
    ("f64", 1.0),
    ("f64", 0.1),
    ("f64", 2**53),
    ("f32", 1.5),
    ("f32", 7),
    ("f32", float("nan")),
    ("f32", float("-inf")),
    ("bf16", 1.5),
    ("i4", 7),
    ("i32", -(2**31)),
    ("ui64", 2**64 - 1),
    ("i1", True),
    ("complex<f32>", 1.5 + 2j),
    ("complex<f64>", 1),
    ("2xf32", [1, 2.5]),
    ("2x2xi32", ([1, 2], (3, 4))),
    ("0xf32", []),
    ("?xi1", [True, False, True]),
]


@pytest.mark.parametrize(("type", "value"), TAKEN)
def test_exact_numbers_are_taken(type: str, value: Any):
    result = identity(type)(value)[0]
    np.testing.assert_array_equal(result.astype(complex), np.asarray(value, complex))


REFUSED: list[tuple[str, Any, str]] = [
    ("f32", 0.1, "got 0.1, which is not exact in f32 (np.float32(0.1) converts)"),
    ("bf16", 0.1, "got 0.1, which is not exact in bf16 (ml_dtypes.bfloat16(0.1) converts)"),
    ("f64", 2**53 + 1, "got 9007199254740993, which is not exact in f64 (np.float64("),
    ("f32", 1e300, "got 1e+300, which is not exact in f32"),
    ("f32", 10**400, f"got {10**400}, which is not exact in f32"),
    ("i8", 128, "got 128, which is not exact in i8"),
    ("ui8", -1, "got -1, which is not exact in ui8"),
    ("i32", 1.0, "got 1.0 (np.int32(1.0) converts)"),
    ("i32", True, "got True (np.int32(True) converts)"),
    ("f32", True, "got True (np.float32(True) converts)"),
    ("i1", 1, "got 1 (np.bool_(1) converts)"),
    ("f32", 1j, "got 1j"),
    ("2xf32", [1, 0.1], "got 0.1 in a list, which is not exact in f32 (np.asarray(…, np.float32)"),
    ("2xf32", [np.float32(1), 2], "got float32 in a list (np.asarray(…, np.float32) converts)"),
    ("1x2xi32", [np.array([1, 2])], "got int64 in a list (np.asarray(…, np.int32) converts)"),
    ("2xf32", ["a", 1], "got a str in a list"),
    ("2x2xf32", [[1, 2], [3]], "got a list of uneven lists"),
    ("2x2xf32", [[1, 2], 3], "got a list of uneven lists"),
    ("2xf32", [1], "got tensor<1xf32>"),
    ("f32", np.float64(1), "got tensor<f64>"),
    ("f32", np.array(1.0), "got tensor<f64>"),
    ("f32", "a", "got str"),
]


@pytest.mark.parametrize(("type", "value", "message"), REFUSED)
def test_others_are_not(type: str, value: Any, message: str):
    with pytest.raises(
        ab.DataError, match=re.escape(f"argument 0: expected tensor<{type}>, {message}")
    ):
        identity(type)(value)
