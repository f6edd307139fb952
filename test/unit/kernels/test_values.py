"""Run-time values: dtypes, dense constants, stacks, arrays, input checks."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import (
    ComplexType,
    DenseIntOrFPElementsAttr,
    Float32Type,
    IndexType,
    IntegerType,
    Signedness,
    TensorType,
    bf16,
    f8E4M3FN,
    f32,
    i32,
)

from anabranch.dialects.dcf import ArrayType, StackType
from anabranch.dialects.diagnostics import DataError
from anabranch.runtime.values import (
    EMPTY_STACK,
    Stack,
    TensorArray,
    array_from_dense,
    check_value,
    dtype_of,
    mlir_name_of,
    nbytes_of,
)


def test_dtypes() -> None:
    unsigned = IntegerType(16, Signedness.UNSIGNED)
    assert dtype_of(IntegerType(1)) == np.bool_
    assert dtype_of(unsigned) == np.uint16
    assert dtype_of(IndexType()) == np.int64
    assert dtype_of(TensorType(bf16, [2])) == ml_dtypes.bfloat16
    assert dtype_of(f8E4M3FN) == ml_dtypes.float8_e4m3fn
    assert dtype_of(ComplexType(Float32Type())) == np.complex64
    assert mlir_name_of(np.dtype(ml_dtypes.int4)) == "i4"
    with pytest.raises(DataError, match="no NumPy dtype"):
        dtype_of(IntegerType(7))


def test_dense_constants_are_memoised_and_read_only() -> None:
    attr = DenseIntOrFPElementsAttr.from_list(TensorType(bf16, [3]), [1.0, -2.0, 3.5])
    array = array_from_dense(attr)
    assert array.astype(np.float32).tolist() == [1.0, -2.0, 3.5]
    assert array_from_dense(attr) is array
    assert not array.flags.writeable


def test_dense_splat_and_small_integers() -> None:
    splat = DenseIntOrFPElementsAttr.from_list(TensorType(f32, [2, 3]), [1.5])
    assert array_from_dense(splat).tolist() == [[1.5] * 3] * 2
    small = DenseIntOrFPElementsAttr.from_list(TensorType(IntegerType(4), [3]), [1, -8, 7])
    assert array_from_dense(small).astype(int).tolist() == [1, -8, 7]
    flags = DenseIntOrFPElementsAttr.from_list(TensorType(IntegerType(1), [3]), [1, 0, 1])
    assert array_from_dense(flags).tolist() == [True, False, True]


def test_stacks_share_their_cells() -> None:
    one = EMPTY_STACK.push(np.float32(1))
    two, other = one.push(np.float32(2)), one.push(np.float32(3))
    assert (len(EMPTY_STACK), len(one), len(two), len(other)) == (0, 1, 2, 2)
    rest, top = two.pop()
    assert rest is one
    assert top == 2
    assert list(other) == [3, 1]
    assert nbytes_of(two) == 8
    with pytest.raises(IndexError, match="pop from an empty stack"):
        EMPTY_STACK.pop()


def test_deep_stacks_are_freed_without_recursion() -> None:
    stack: Stack = EMPTY_STACK
    value = np.float32(0)
    for _ in range(300_000):
        stack = stack.push(value)
    assert len(stack) == 300_000
    del stack


@pytest.fixture
def array() -> TensorArray:
    return TensorArray.new(ArrayType(TensorType(f32, [])), 3)


def test_array_versions_are_values(array: TensorArray) -> None:
    first = array.write(0, np.float32(1))
    second = first.write(1, np.float32(2))
    fork = first.write(1, np.float32(3))
    assert second.read(1) == 2
    assert fork.read(1) == 3
    assert second.read(0) == fork.read(0) == first.read(0) == 1
    for old in (array, first):
        with pytest.raises(IndexError, match="element 1 of the array was never written"):
            old.read(1)
    assert second.write(2, np.float32(5)).stack().tolist() == [1, 2, 5]


def test_array_errors_name_the_index(array: TensorArray) -> None:
    written = array.write(2, np.float32(1))
    with pytest.raises(IndexError, match="element 2 of the array was already written"):
        written.write(2, np.float32(1))
    for index in (-1, 3):
        with pytest.raises(IndexError, match=f"index {index} is out of range for an array of 3"):
            written.read(index)
        with pytest.raises(IndexError, match=f"index {index} is out of range"):
            written.write(index, np.float32(1))
    with pytest.raises(IndexError, match="element 0 of the array was never written"):
        written.stack()
    with pytest.raises(IndexError, match="expected at least 0, got -1"):
        TensorArray.new(ArrayType(TensorType(f32, [])), -1)


def test_array_writes_in_a_loop_do_not_copy() -> None:
    array = TensorArray.new(ArrayType(TensorType(f32, [])), 50_000)
    for k in range(50_000):
        array = array.write(k, np.float32(k))
    assert array.read(49_999) == 49_999
    assert nbytes_of(array) == 200_000


def test_gradient_arrays_add_and_read_zeros() -> None:
    array = TensorArray.new(ArrayType(TensorType(f32, [2]), grad=True), 2)
    one = np.array([1, 2], np.float32)
    written = array.write(1, one).write(1, one)
    assert written.stack().tolist() == [[0, 0], [2, 4]]
    assert array.read(1).tolist() == [0, 0]


def test_empty_array_stacks_to_no_rows() -> None:
    array = TensorArray.new(ArrayType(TensorType(f32, [2])), 0)
    assert array.stack().shape == (0, 2)


@pytest.mark.parametrize(
    "value, message",
    [
        (np.zeros(3, np.float64), "arg: expected tensor<3xf32>, got tensor<3xf64>"),
        (np.zeros((3, 1), np.float32), "got tensor<3x1xf32>"),
        (np.zeros(2, np.float32), "got tensor<2xf32>"),
        ([1.0, 2.0, 3.0], "got list"),
        (np.array([None] * 3), "got tensor<3xobject>"),
    ],
)
def test_check_value_refuses(value: Any, message: str) -> None:
    with pytest.raises(DataError) as caught:
        check_value(value, TensorType(f32, [3]), "arg")
    assert message in caught.value.message


def test_check_value_accepts() -> None:
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert check_value(a, TensorType(f32, [2, -1])) is a
    assert check_value(a.T, TensorType(f32, [3, 2])).flags.c_contiguous
    assert check_value(np.int32(3), TensorType(i32, [])) == 3
    assert check_value(EMPTY_STACK, StackType(TensorType(f32, []))) is EMPTY_STACK
    with pytest.raises(DataError, match="expected"):
        check_value(a, StackType(TensorType(f32, [])))
