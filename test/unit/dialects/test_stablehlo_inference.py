"""Shapes that `stablehlo` infers are those NumPy gives; what is dynamic stays dynamic."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import DYNAMIC_INDEX, ComplexType, TensorType, f32, i8, i32

from anabranch.dialects.stablehlo.attributes import (
    DotDimensionNumbersAttr,
    GatherDimensionNumbersAttr,
)
from anabranch.dialects.stablehlo.inference import (
    bit_width,
    bitcast_shape,
    compatible_types,
    concatenated_shape,
    dot_shape,
    fft_shape,
    gathered_shape,
    padded_shape,
    reduced_shape,
    sliced_shape,
    transposed_shape,
    window_counts,
)

SIZES = st.integers(0, 6)
SHAPES = st.lists(SIZES, max_size=4).map(tuple)


@settings(deadline=None)
@given(st.data(), SHAPES)
def test_transpose_and_reduce(data: st.DataObject, shape: tuple[int, ...]) -> None:
    x = np.zeros(shape)
    order = data.draw(st.permutations(range(len(shape))))
    assert transposed_shape(shape, order) == np.transpose(x, order).shape
    dims = data.draw(st.sets(st.sampled_from(range(len(shape))))) if shape else set[int]()
    assert reduced_shape(shape, tuple(dims)) == x.sum(axis=tuple(dims)).shape


@given(st.integers(0, 9), st.integers(0, 9), st.integers(1, 4))
def test_slice(a: int, b: int, step: int) -> None:
    start, limit = sorted((a, b))
    assert sliced_shape((start,), (limit,), (step,)) == (len(range(10)[start:limit:step]),)


@given(SIZES, st.integers(-2, 3), st.integers(-2, 3), st.integers(0, 3))
def test_pad(size: int, low: int, high: int, interior: int) -> None:
    (got,) = padded_shape((size,), (low,), (high,), (interior,))
    spread = size + max(size - 1, 0) * interior
    assert got == low + spread + high


@given(SIZES, st.integers(1, 4), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
def test_windows(size: int, window: int, stride: int, base: int, dilation: int) -> None:
    padding = (1, 2)
    spread = (size - 1) * base + 1 if size else 0
    cells = padding[0] + spread + padding[1]
    reach = (window - 1) * dilation + 1
    expected = len([start for start in range(0, cells, stride) if start + reach <= cells])
    got = window_counts((size,), (window,), (stride,), [padding], (base,), (dilation,))
    assert got == (expected,)


def test_dot() -> None:
    numbers = DotDimensionNumbersAttr([1], [0], [0], [2])
    x, y = np.zeros((2, 3, 4)), np.zeros((3, 5, 2))
    assert dot_shape(x.shape, y.shape, numbers) == np.einsum("kbi,bjk->bij", x, y).shape
    unknown = (2, DYNAMIC_INDEX, 4)
    assert dot_shape(unknown, y.shape, numbers) == (3, 4, 5)


def test_gather() -> None:
    rows = GatherDimensionNumbersAttr([1], [0], [], [], [0], 2)
    assert gathered_shape((7, 5), rows, (1, 3)) == (7, 3, 5)
    batched = GatherDimensionNumbersAttr([2], [0], [1], [0], [0], 2)
    assert gathered_shape((5, 2, 1), batched, (1, 1, 4)) == (5, 2, 4)


def test_concatenate() -> None:
    assert concatenated_shape([(2, 3), (4, 3)], 0) == (6, 3)
    assert concatenated_shape([(2, DYNAMIC_INDEX), (4, 3)], 0) == (6, 3)
    assert concatenated_shape([(2, 3), (DYNAMIC_INDEX, 3)], 0) == (DYNAMIC_INDEX, 3)


def test_fft() -> None:
    signal = np.zeros((2, 8))
    frequencies = np.fft.rfft(signal).shape
    assert fft_shape(signal.shape, (8,), to_real=False, from_real=True) == frequencies
    assert fft_shape(frequencies, (8,), to_real=True, from_real=False) == signal.shape
    assert fft_shape(signal.shape, (8,), to_real=False, from_real=False) == signal.shape


def test_bitcast() -> None:
    assert [bit_width(kind) for kind in (f32, i8, ComplexType(f32))] == [32, 8, 64]
    assert bitcast_shape((2, 3), 32, 8) == (2, 3, 4)
    assert bitcast_shape((2, 4), 8, 32) == (2,)
    assert bitcast_shape((2, 3), 8, 32) is None
    assert bitcast_shape((), 8, 32) is None
    assert bitcast_shape((DYNAMIC_INDEX,), 8, 32) == ()


def test_compatible_types() -> None:
    fixed, unknown = TensorType(f32, (2,)), TensorType(f32, (DYNAMIC_INDEX,))
    assert compatible_types(fixed, unknown)
    assert not compatible_types(fixed, TensorType(f32, (3,)))
    assert not compatible_types(fixed, TensorType(i32, (2,)))
    assert not compatible_types(fixed, TensorType(f32, (2, 1)))
    assert not compatible_types(fixed, f32)
