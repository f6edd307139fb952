"""`gather` and `scatter`."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest


def gather_text(types: list[str], numbers: str, sizes: list[int], result: str) -> str:
    sizes_text = ", ".join(map(str, sizes))
    return f"""
  %r = "stablehlo.gather"(%a, %b) <{{dimension_numbers = #stablehlo.gather<{numbers}>,
      slice_sizes = array<i64: {sizes_text}>}}> : ({types[0]}, {types[1]}) -> {result}
  return %r : {result}"""


GATHERS = [
    # rows of a matrix
    (
        (5, 3),
        [[0], [4], [9], [-2]],
        "offset_dims = [1], collapsed_slice_dims = [0], "
        "start_index_map = [0], index_vector_dim = 1",
        [1, 3],
        (4, 3),
    ),
    # columns, index vector dimension implicit
    (
        (5, 3),
        [2, 0],
        "offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], "
        "index_vector_dim = 1",
        [5, 1],
        (5, 2),
    ),
    # single elements
    (
        (5, 3),
        [[1, 2], [4, 0]],
        "collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1",
        [1, 1],
        (2,),
    ),
    # windows, swapped index map, offset dimensions around the batch
    (
        (5, 6, 2),
        [[1, 3], [4, 5], [0, -1]],
        "offset_dims = [0, 2], collapsed_slice_dims = [2], "
        "start_index_map = [1, 0], index_vector_dim = 1",
        [2, 3, 1],
        (2, 3, 3),
    ),
    # index vectors along the first dimension
    (
        (5, 3),
        [[0, 4, 2], [1, 2, 0]],
        "offset_dims = [1], collapsed_slice_dims = [0], "
        "start_index_map = [0, 1], index_vector_dim = 0",
        [1, 2],
        (3, 2),
    ),
    # one slice, no batch
    (
        (5, 3),
        [3],
        "offset_dims = [0, 1], start_index_map = [0], index_vector_dim = 0",
        [2, 3],
        (2, 3),
    ),
    # batching dimensions
    (
        (3, 4, 2),
        [[[1], [0]], [[3], [2]], [[9], [-1]]],
        "offset_dims = [2], "
        "collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], "
        "start_index_map = [1], index_vector_dim = 2",
        [1, 1, 2],
        (3, 2, 2),
    ),
]


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.bool_])
@pytest.mark.parametrize("index", [np.int32, np.int64, np.uint32])
@pytest.mark.parametrize("shape, indices, numbers, sizes, target", GATHERS)
def test_gather(
    shape: Any,
    indices: Any,
    numbers: str,
    sizes: Any,
    target: Any,
    index: Any,
    dtype: Any,
    same: Any,
    helpers: Any,
) -> None:
    a = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    b = np.array(indices)
    b = np.where(b < 0, 2**32 - 1 if index == np.uint32 else b, b).astype(index)
    result = helpers.type(np.zeros(target, dtype))
    same(gather_text([helpers.type(a), helpers.type(b)], numbers, sizes, result), [a, b], [result])


def test_gather_one_element(run: Any) -> None:
    text = gather_text(
        ["tensor<5xf32>", "tensor<1xi32>"],
        "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0",
        [1],
        "tensor<f32>",
    )
    a = np.arange(5, dtype=np.float32)
    [got] = run(text, [a, np.array([9], np.int32)], ["tensor<f32>"])
    assert got.shape == ()
    assert got == 4


def test_gather_nothing(run: Any) -> None:
    text = gather_text(
        ["tensor<5x3xf32>", "tensor<0x1xi32>"],
        "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1",
        [1, 3],
        "tensor<0x3xf32>",
    )
    a, b = np.zeros((5, 3), np.float32), np.zeros((0, 1), np.int32)
    assert run(text, [a, b], ["tensor<0x3xf32>"])[0].shape == (0, 3)


def scatter_text(types: list[str], numbers: str, body: str, element: str, unique: str) -> str:
    return f"""
  %r = "stablehlo.scatter"(%a, %b, %c) <{{
      scatter_dimension_numbers = #stablehlo.scatter<{numbers}>, unique_indices = {unique}}}> ({{
  ^bb0(%x: {element}, %y: {element}):
    {body}
    stablehlo.return %s : {element}
  }}) : ({", ".join(types)}) -> {types[0]}
  return %r : {types[0]}"""


SCATTERS = [
    (
        (5, 3),
        [[0], [4], [7], [0], [-1]],
        "update_window_dims = [1], inserted_window_dims = [0], "
        "scatter_dims_to_operand_dims = [0], index_vector_dim = 1",
        (5, 3),
    ),
    (
        (5,),
        [[1], [1], [4], [9], [1]],
        "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1",
        (5,),
    ),
    (
        (4, 5),
        [[1, 2], [0, 3], [1, 2]],
        "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1",
        (3, 2, 2),
    ),
    (
        (4, 5),
        [[2, 1, 0], [1, 1, 2]],
        "update_window_dims = [0], inserted_window_dims = [0], "
        "scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 0",
        (2, 3),
    ),
    (
        (3, 4),
        [[[1], [0]], [[3], [3]], [[9], [-1]]],
        "inserted_window_dims = [1], "
        "input_batching_dims = [0], scatter_indices_batching_dims = [0], "
        "scatter_dims_to_operand_dims = [1], index_vector_dim = 2",
        (3, 2),
    ),
]


@pytest.mark.parametrize("dtype", [np.int32, np.float32, ml_dtypes.bfloat16])
@pytest.mark.parametrize("op", ["add", "multiply", "maximum", "minimum", "subtract"])
@pytest.mark.parametrize("shape, indices, numbers, update_shape", SCATTERS)
def test_scatter(
    shape: Any,
    indices: Any,
    numbers: str,
    update_shape: Any,
    op: str,
    dtype: Any,
    same: Any,
    helpers: Any,
) -> None:
    a = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    b = np.array(indices, np.int32)
    c = (np.arange(np.prod(update_shape)) % 5).reshape(update_shape).astype(dtype)
    element = helpers.type(a.ravel()[0])
    types = [helpers.type(x) for x in (a, b, c)]
    body = f"%s = stablehlo.{op} %x, %y : {element}"
    before = a.copy()
    same(scatter_text(types, numbers, body, element, "false"), [a, b, c], [types[0]])
    np.testing.assert_array_equal(a, before)


@pytest.mark.parametrize("shape, indices, numbers, update_shape", SCATTERS)
def test_scatter_the_last_update_stays(
    shape: Any, indices: Any, numbers: str, update_shape: Any, same: Any, helpers: Any
) -> None:
    a = -np.arange(np.prod(shape)).reshape(shape).astype(np.float32)
    b = np.array(indices, np.int32)
    c = np.arange(np.prod(update_shape)).reshape(update_shape).astype(np.float32) + 1
    types = [helpers.type(x) for x in (a, b, c)]
    text = scatter_text(types, numbers, "", "tensor<f32>", "false").replace("%s :", "%y :")
    same(text, [a, b, c], [types[0]])


def test_scatter_skips_elements_outside(run: Any) -> None:
    """Each on its own, as the specification has it: a window may hang over the edge."""
    numbers = "update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
    types = ["tensor<6xf32>", "tensor<3x1xi32>", "tensor<3x2xf32>"]
    body = "%s = stablehlo.add %x, %y : tensor<f32>"
    a = np.zeros(6, np.float32)
    b = np.array([[5], [-1], [1]], np.int32)
    c = np.ones((3, 2), np.float32)
    [got] = run(scatter_text(types, numbers, body, "tensor<f32>", "false"), [a, b, c], types[:1])
    assert got.tolist() == [1, 1, 1, 0, 0, 1]


def test_scatter_two_inputs(same: Any) -> None:
    text = """
  %r:2 = "stablehlo.scatter"(%a, %b, %c, %d, %e) <{scatter_dimension_numbers =
      #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %i: tensor<i32>, %y: tensor<f32>, %j: tensor<i32>):
    %gt = stablehlo.compare GT, %y, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %gt, %y, %x : tensor<i1>, tensor<f32>
    %w = stablehlo.select %gt, %j, %i : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<f32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<4xi32>, tensor<5x1xi32>, tensor<5xf32>, tensor<5xi32>)
      -> (tensor<4xf32>, tensor<4xi32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>"""
    args = [
        np.array([0, 5, 0, 0], np.float32),
        np.array([-1, -1, -1, -1], np.int32),
        np.array([[1], [0], [0], [3], [0]], np.int32),
        np.array([4, 2, 3, 1, 3], np.float32),
        np.arange(5, dtype=np.int32),
    ]
    same(text, args, ["tensor<4xf32>", "tensor<4xi32>"])
