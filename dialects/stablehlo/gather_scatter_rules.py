"""The verifiers of `gather` and `scatter`, whose constraints mirror each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX

from .inference import (
    Shape,
    compatible_sizes,
    constant_integers,
    element_of,
    gathered_shape,
    reduced_shape,
    shape_of,
)
from .rules import (
    expect_dims,
    expect_element,
    expect_equal_sizes,
    expect_reducer,
    expect_shape,
    expect_size,
    expect_sorted,
    expect_unique,
    expect_within,
    mismatch,
)

if TYPE_CHECKING:
    from .dynamic import DynamicGatherOp
    from .indexing import GatherOp, ScatterOp


def verify_gather(op: GatherOp) -> None:
    """Constraints 1 to 23 of `gather`."""
    numbers = op.dimension_numbers
    operand, indices = shape_of(op.operand), shape_of(op.start_indices)
    result, sizes = shape_of(op.result), op.slice_sizes.get_values()
    offsets, collapsed = numbers.offset_dims.data, numbers.collapsed_slice_dims.data
    batching, index_batching = (
        numbers.operand_batching_dims.data,
        numbers.start_indices_batching_dims.data,
    )
    index_map, vector = numbers.start_index_map.data, numbers.index_vector_dim.data

    count = len(offsets) + len(collapsed) + len(batching)
    expect_size("offset, collapsed and batching dims", count, len(operand), "gather_c1")
    expect_dims("index_vector_dim", [vector], len(indices) + 1, "gather_c2")
    _expect_index_length("start_index_map", index_map, indices, vector, "gather_c3")
    expect_unique("offset_dims", offsets, "gather_c4")
    expect_sorted("offset_dims", offsets, "gather_c4")
    expect_dims("offset_dims", offsets, len(result), "gather_c5")
    expect_unique("collapsed and batching dims", collapsed + batching, "gather_c6")
    expect_sorted("collapsed_slice_dims", collapsed, "gather_c7")
    expect_dims("collapsed_slice_dims", collapsed, len(operand), "gather_c8")
    expect_sorted("operand_batching_dims", batching, "gather_c10")
    expect_dims("operand_batching_dims", batching, len(operand), "gather_c11")
    expect_unique("start_indices_batching_dims", index_batching, "gather_c13")
    expect_dims("start_indices_batching_dims", index_batching, len(indices), "gather_c14")
    _expect_not_vector(vector, index_batching, "gather_c15")
    expect_size("start_indices_batching_dims", len(index_batching), len(batching), "gather_c16")
    expect_equal_sizes(
        "batching dimensions", operand, batching, indices, index_batching, "gather_c17"
    )
    expect_unique("start_index_map and batching dims", index_map + batching, "gather_c18")
    expect_dims("start_index_map", index_map, len(operand), "gather_c19")
    expect_size("slice_sizes", len(sizes), len(operand), "gather_c20")
    for dims, label in ((collapsed, "gather_c9"), (batching, "gather_c12")):
        expect_within("those slice_sizes", [sizes[i] for i in dims], [1] * len(dims), label)
    expect_within("slice_sizes", sizes, operand, "gather_c21")
    expected = gathered_shape(indices, numbers, sizes)
    expect_shape("result", op.result.type, expected, "gather_c22")
    expect_element("result", op.result.type, element_of(op.operand), "gather_c23")


def verify_dynamic_gather(op: DynamicGatherOp) -> None:
    """Constraints 1 to 14 of `dynamic_gather`, which has no batching dimensions in its text."""
    numbers = op.dimension_numbers
    operand, indices = shape_of(op.operand), shape_of(op.start_indices)
    offsets, collapsed = numbers.offset_dims.data, numbers.collapsed_slice_dims.data
    batching, index_batching = (
        numbers.operand_batching_dims.data,
        numbers.start_indices_batching_dims.data,
    )
    index_map, vector = numbers.start_index_map.data, numbers.index_vector_dim.data
    label = "dynamic_gather"

    count = len(offsets) + len(collapsed) + len(batching)
    expect_size("offset, collapsed and batching dims", count, len(operand), f"{label}_c1")
    expect_dims("index_vector_dim", [vector], len(indices) + 1, f"{label}_c2")
    _expect_index_length("start_index_map", index_map, indices, vector, f"{label}_c3")
    expect_unique("offset_dims", offsets, f"{label}_c4")
    expect_sorted("offset_dims", offsets, f"{label}_c4")
    expect_dims("offset_dims", offsets, len(shape_of(op.result)), f"{label}_c5")
    expect_unique("collapsed and batching dims", collapsed + batching, f"{label}_c6")
    expect_sorted("collapsed_slice_dims", collapsed, f"{label}_c6")
    expect_dims("collapsed and batching dims", collapsed + batching, len(operand), f"{label}_c7")
    expect_dims("start_indices_batching_dims", index_batching, len(indices), f"{label}_c7")
    expect_unique("start_index_map and batching dims", index_map + batching, f"{label}_c9")
    expect_dims("start_index_map", index_map, len(operand), f"{label}_c10")
    expect_shape("slice_sizes", op.slice_sizes.type, (len(operand),), f"{label}_c11")
    sizes = constant_integers(op.slice_sizes)
    if sizes is not None:
        dims = collapsed + batching
        expect_within("those slice_sizes", [sizes[i] for i in dims], [1] * len(dims), f"{label}_c8")
        expect_within("slice_sizes", sizes, operand, f"{label}_c12")
    else:
        sizes = [DYNAMIC_INDEX] * len(operand)
    expected = gathered_shape(indices, numbers, sizes)
    expect_shape("result", op.result.type, expected, f"{label}_c13")
    expect_element("result", op.result.type, element_of(op.operand), f"{label}_c14")


def verify_scatter(op: ScatterOp) -> None:
    """Constraints 1 to 25 of `scatter`."""
    if not op.inputs:
        raise mismatch("at least one input", 0, "scatter_c5")
    numbers = op.scatter_dimension_numbers
    operand, indices = shape_of(op.inputs[0]), shape_of(op.scatter_indices)
    updates = shape_of(op.updates[0])
    window, inserted = numbers.update_window_dims.data, numbers.inserted_window_dims.data
    batching, index_batching = (
        numbers.input_batching_dims.data,
        numbers.scatter_indices_batching_dims.data,
    )
    index_map = numbers.scatter_dims_to_operand_dims.data
    vector = numbers.index_vector_dim.data

    for i, (value, update) in enumerate(zip(op.inputs, op.updates)):
        expect_shape(f"input {i}", value.type, operand, "scatter_c1")
        expect_shape(f"update {i}", update.type, updates, "scatter_c3")
        expect_element(f"update {i}", update.type, element_of(value), "scatter_c6")
    count = len(window) + len(inserted) + len(batching)
    expect_size("window, inserted and batching dims", count, len(operand), "scatter_c2")
    expect_unique("update_window_dims", window, "scatter_c7")
    expect_sorted("update_window_dims", window, "scatter_c7")
    expect_dims("update_window_dims", window, len(updates), "scatter_c8")
    expect_unique("inserted and batching dims", inserted + batching, "scatter_c9")
    expect_sorted("inserted_window_dims", inserted, "scatter_c10")
    expect_dims("inserted_window_dims", inserted, len(operand), "scatter_c11")
    expect_sorted("input_batching_dims", batching, "scatter_c12")
    expect_dims("input_batching_dims", batching, len(operand), "scatter_c13")
    expect_unique("scatter_indices_batching_dims", index_batching, "scatter_c14")
    expect_dims("scatter_indices_batching_dims", index_batching, len(indices), "scatter_c15")
    _expect_not_vector(vector, index_batching, "scatter_c16")
    expect_size("scatter_indices_batching_dims", len(index_batching), len(batching), "scatter_c17")
    expect_equal_sizes(
        "batching dimensions", operand, batching, indices, index_batching, "scatter_c18"
    )
    expect_dims("index_vector_dim", [vector], len(indices) + 1, "scatter_c22")
    _expect_index_length("scatter_dims_to_operand_dims", index_map, indices, vector, "scatter_c19")
    expect_unique("indexed and batching dims", index_map + batching, "scatter_c20")
    expect_dims("scatter_dims_to_operand_dims", index_map, len(operand), "scatter_c21")
    _expect_update_sizes(op, window, (*inserted, *batching))
    expect_size("results", len(op.outputs), len(op.inputs), "scatter_c25")
    computation, labels = op.update_computation, ("scatter_c23", "scatter_c25")
    expect_reducer("the update computation", computation, op.inputs, op.outputs, *labels)
    for i, (value, output) in enumerate(zip(op.inputs, op.outputs)):
        expect_shape(f"result {i}", output.type, shape_of(value), "scatter_c24")


def _expect_update_sizes(op: ScatterOp, window: Sequence[int], absent: Sequence[int]) -> None:
    """Updates have the indices' sizes outside the window, and windows that fit the inputs."""
    updates, indices = shape_of(op.updates[0]), shape_of(op.scatter_indices)
    vector = op.scatter_dimension_numbers.index_vector_dim.data
    scattered = reduced_shape(updates, window)
    expected = reduced_shape(indices, (vector,))
    fits = len(scattered) == len(expected) and all(map(compatible_sizes, scattered, expected))
    if not fits:
        raise mismatch(
            f"updates of sizes {list(expected)} outside the window", list(scattered), "scatter_c4"
        )
    limits = reduced_shape(shape_of(op.inputs[0]), absent)
    expect_within("the window sizes", [updates[i] for i in window], limits, "scatter_c4")


def _expect_index_length(
    what: str, index_map: Sequence[int], indices: Shape, vector: int, label: str
) -> None:
    length = indices[vector] if vector < len(indices) else 1
    if not compatible_sizes(len(index_map), length):
        raise mismatch(f"{length} numbers in {what}", len(index_map), label)


def _expect_not_vector(vector: int, index_batching: Sequence[int], label: str) -> None:
    if vector in index_batching:
        raise mismatch(
            "index_vector_dim not among the batching dims", f"{vector} in {index_batching}", label
        )
