"""Rules of factorizations, triangular systems and Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


@pytest.mark.parametrize("batch", [(), (2,)])
def test_cholesky(batch: Any, against_jax: Any, jax64: Any, random: Any) -> None:
    factor = jax64.lax.linalg.cholesky
    against_jax(lambda a: factor(a), random.positive(3, *batch), platform="tpu", second=not batch)


def test_cholesky_of_complex(against_jax: Any, jax64: Any, random: Any) -> None:
    root = random.complex(3, 3)
    matrix = root @ root.conj().T + 3 * np.eye(3)
    factor = jax64.lax.linalg.cholesky
    against_jax(lambda a: factor(a), matrix, platform="tpu", second=False)


def test_upper_cholesky(against_differences: Any, random: Any) -> None:
    symmetric = """func.func private @f(%x: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
  %s = stablehlo.add %x, %t : tensor<3x3xf64>
  %u = stablehlo.cholesky %s, lower = false : tensor<3x3xf64>
  return %u : tensor<3x3xf64>
}"""
    call = "func.call @f(%a0) : (tensor<3x3xf64>) -> tensor<3x3xf64>"
    against_differences(call, [random.positive(3)], ["tensor<3x3xf64>"], before=symmetric)


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("left", [False, True])
def test_triangular_solve(
    left: bool, lower: bool, transpose: bool, against_jax: Any, jax64: Any, random: Any
) -> None:
    def function(a: Any, b: Any) -> Any:
        return jax64.lax.linalg.triangular_solve(
            a, b, left_side=left, lower=lower, transpose_a=transpose, unit_diagonal=lower != left
        )

    a, b = random(2, 3, 3) + 3 * np.eye(3), random(2, 3, 2) if left else random(2, 2, 3)
    against_jax(function, a, b, platform="tpu", second=transpose)


@pytest.mark.parametrize("left", [False, True])
def test_triangular_solve_of_complex(left: bool, against_jax: Any, jax64: Any, random: Any) -> None:
    def function(a: Any, b: Any) -> Any:
        return jax64.lax.linalg.triangular_solve(
            a, b, left_side=left, lower=True, transpose_a=True, conjugate_a=True
        )

    a = random.complex(3, 3) + 3 * np.eye(3)
    b = random.complex(3, 2) if left else random.complex(2, 3)
    against_jax(function, a, b, platform="tpu", second=False)


@pytest.mark.parametrize("length", [1, 2, 6, 7])
@pytest.mark.parametrize("kind", ["FFT", "IFFT", "RFFT", "IRFFT"])
def test_fft(kind: str, length: int, against_jax: Any, jax64: Any, random: Any) -> None:
    size = length // 2 + 1 if kind == "IRFFT" else length
    x = random(2, size) if kind == "RFFT" else random.complex(2, size)
    against_jax(lambda x: jax64.lax.fft(x, kind, (length,)), x, second=length == 6)


@pytest.mark.parametrize("kind", ["FFT", "RFFT", "IRFFT"])
def test_fft_of_two_dimensions(kind: str, against_jax: Any, jax64: Any, random: Any) -> None:
    x = random(2, 4, 5) if kind == "RFFT" else random.complex(2, 4, 3 if kind == "IRFFT" else 5)
    against_jax(lambda x: jax64.lax.fft(x, kind, (4, 5)), x, second=False)
