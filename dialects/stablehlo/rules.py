"""The checks that the verifiers of `stablehlo` are made of.

Each raises `VerifyException` with "expected X, got Y (label)", where the label names the constraint
in the StableHLO specification. A size that is dynamic fits any other.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from .constraints import as_tensor
from .inference import (
    compatible_elements,
    compatible_shapes,
    compatible_sizes,
    compatible_types,
    constant_integers,
    element_of,
    promotable,
    shape_of,
    show_shape,
    tensor_of,
)


def mismatch(expected: object, got: object, label: str = "") -> VerifyException:
    """The exception that says what was expected and what there is."""
    suffix = f" ({label})" if label else ""
    return VerifyException(f"expected {expected}, got {got}{suffix}")


def expect_type(what: str, got: Attribute, expected: Attribute, label: str = "") -> None:
    """`got`, the type of `what`, is `expected` up to dynamic sizes."""
    if not compatible_types(got, expected):
        raise mismatch(f"{what} of type {expected}", got, label)


def expect_shape(what: str, got: Attribute, expected: Sequence[int], label: str = "") -> None:
    """The tensor `what` has the expected shape up to dynamic sizes."""
    shape = shape_of(got)
    if not compatible_shapes(shape, expected):
        raise mismatch(f"{what} of shape {show_shape(expected)}", show_shape(shape), label)


def expect_stated_shape(shape: SSAValue, result: SSAValue, label: str) -> None:
    """A shape operand that is a constant does not contradict the type of the result."""
    sizes = constant_integers(shape)
    if sizes is not None:
        expect_shape("result", result.type, sizes, label)


def expect_element(what: str, got: Attribute, expected: Attribute, label: str = "") -> None:
    """The tensor `what` has the expected element type, up to scales and zero points."""
    element = element_of(got)
    if not compatible_elements(element, expected):
        raise mismatch(f"{what} of {expected} elements", element, label)


def expect_same_types(op: Operation, label: str = "") -> None:
    """All operands and results have one type."""
    values = (*op.operands, *op.results)
    first = values[0].type
    for value in values[1:]:
        if not compatible_types(value.type, first):
            what = "result" if value in op.results else "each operand"
            raise mismatch(f"{what} of type {first}", value.type, label)


def expect_size(what: str, got: int, expected: int, label: str) -> None:
    """A count, such as the length of a list, is as expected."""
    if got != expected:
        raise mismatch(f"{expected} {what}", got, label)


def expect_dims(what: str, dims: Sequence[int], rank: int, label: str) -> None:
    """Each dimension number lies in [0, rank)."""
    for dim in dims:
        if not 0 <= dim < rank:
            raise mismatch(f"each of {what} in [0, {rank})", dim, label)


def expect_unique(what: str, dims: Sequence[int], label: str) -> None:
    """No number occurs twice."""
    if len(set(dims)) != len(dims):
        raise mismatch(f"{what} without repetitions", list(dims), label)


def expect_sorted(what: str, dims: Sequence[int], label: str) -> None:
    """The numbers ascend."""
    if list(dims) != sorted(dims):
        raise mismatch(f"{what} in ascending order", list(dims), label)


def expect_positive(what: str, numbers: Sequence[int], label: str, least: int = 1) -> None:
    """Each number is at least `least`."""
    for number in numbers:
        if number < least:
            raise mismatch(f"each of {what} to be at least {least}", number, label)


def expect_within(what: str, sizes: Sequence[int], shape: Sequence[int], label: str) -> None:
    """Each size lies in [0, size of the dimension]."""
    for size, limit in zip(sizes, shape):
        if size == DYNAMIC_INDEX:
            continue
        if size < 0 or (limit != DYNAMIC_INDEX and size > limit):
            bound = "" if limit == DYNAMIC_INDEX else f" and at most {limit}"
            raise mismatch(f"each of {what} to be at least 0{bound}", size, label)


def expect_equal_sizes(
    what: str,
    one: Sequence[int],
    one_dims: Sequence[int],
    other: Sequence[int],
    other_dims: Sequence[int],
    label: str,
) -> None:
    """The named dimensions of two shapes have equal sizes, pair by pair."""
    for i, j in zip(one_dims, other_dims):
        if not compatible_sizes(one[i], other[j]):
            raise mismatch(f"{what} of equal sizes", f"{one[i]} and {other[j]}", label)


def expect_broadcast(
    op: Operation, operand: SSAValue, result: SSAValue, dimensions: Sequence[int]
) -> None:
    """Each dimension of the operand has size 1 or that of its dimension of the result."""
    label = op.name.removeprefix("stablehlo.")
    shape, target = shape_of(operand), shape_of(result)
    expect_size("numbers in dims", len(dimensions), len(shape), f"{label}_c2")
    expect_dims("dims", dimensions, len(target), f"{label}_c3")
    expect_unique("dims", dimensions, f"{label}_c4")
    for i, dimension in enumerate(dimensions):
        if shape[i] != 1 and not compatible_sizes(shape[i], target[dimension]):
            expected = f"dimension {i} of the operand of size 1 or {target[dimension]}"
            raise mismatch(expected, shape[i], f"{label}_c5")


def scalar_like(value: SSAValue) -> Attribute:
    """The type of one element of a tensor."""
    return TensorType(tensor_of(value).element_type, ())


def region_block(what: str, region: Region, label: str) -> Block:
    """The only block of a region, which is not empty."""
    block = region.blocks.first
    if block is None or block.last_op is None:
        raise mismatch(f"{what} with a terminator", "an empty region", label)
    return block


def expect_arguments(what: str, block: Block, expected: Sequence[Attribute], label: str) -> None:
    """The block takes arguments of the expected types."""
    if len(block.args) != len(expected):
        raise mismatch(f"{what} with {len(expected)} arguments", len(block.args), label)
    for i, (argument, type) in enumerate(zip(block.args, expected)):
        if not compatible_types(argument.type, type):
            raise mismatch(f"argument {i} of {what} of type {type}", argument.type, label)


def returned_types(what: str, block: Block, label: str) -> Sequence[Attribute]:
    """The types of what the block's terminator returns."""
    last = block.last_op
    if last is None or last.name != "stablehlo.return":
        raise mismatch(
            f"{what} to end in stablehlo.return", last.name if last else "nothing", label
        )
    return last.operand_types


def expect_returns(what: str, block: Block, expected: Sequence[Attribute], label: str) -> None:
    """The block returns values of the expected types."""
    types = returned_types(what, block, label)
    if len(types) != len(expected):
        raise mismatch(f"{what} to return {len(expected)} values", len(types), label)
    for i, (got, type) in enumerate(zip(types, expected)):
        if not compatible_types(got, type):
            raise mismatch(f"value {i} returned by {what} of type {type}", got, label)


def expect_alike(
    inputs: Sequence[SSAValue],
    init_values: Sequence[SSAValue],
    results: Sequence[SSAValue],
    labels: tuple[str, str, str],
) -> None:
    """Inputs of one shape, each with an initial value of its elements and a result."""
    same_shape, same_element, same_number = labels
    expect_size("initial values", len(init_values), len(inputs), same_number)
    expect_size("results", len(results), len(inputs), same_number)
    for i, (value, initial) in enumerate(zip(inputs, init_values)):
        expect_shape(f"input {i}", value.type, shape_of(inputs[0]), same_shape)
        expect_element(f"initial value {i}", initial.type, element_of(value), same_element)


def expect_reducer(
    what: str,
    region: Region,
    inputs: Sequence[SSAValue],
    results: Sequence[SSAValue],
    label: str,
    result_label: str,
) -> None:
    """The region combines N accumulators and N elements into N values of the results' elements.

    An accumulator may be of a wider type than the inputs (bf16 sums kept in f32).
    """
    block = region_block(what, region, label)
    accumulators = returned_types(what, block, label)
    if len(accumulators) != len(inputs):
        raise mismatch(f"{what} to return {len(inputs)} values", len(accumulators), label)
    if len(block.args) != 2 * len(inputs):
        raise mismatch(f"{what} with {2 * len(inputs)} arguments", len(block.args), label)
    for i, (value, accumulator) in enumerate(zip(inputs, accumulators)):
        tensor = as_tensor(accumulator)
        if tensor is None or tensor.get_num_dims():
            raise mismatch(f"value {i} returned by {what} to be a scalar", accumulator, label)
        if not promotable(element_of(value), tensor.element_type):
            expected = f"{what} to accumulate {element_of(value)} in a type as wide"
            raise mismatch(expected, tensor.element_type, label)
    expect_arguments(what, block, [*accumulators, *accumulators], label)
    for i, (result, accumulator) in enumerate(zip(results, accumulators)):
        expect_element(f"result {i}", result.type, element_of(accumulator), result_label)


def expect_results(op: Operation, expected: Sequence[Attribute], label: str) -> None:
    """The op has results of the expected types."""
    expect_size("results", len(op.results), len(expected), label)
    for i, (result, type) in enumerate(zip(op.results, expected)):
        expect_type(f"result {i}", result.type, type, label)


def expect_carries(
    what: str, values: Sequence[SSAValue], expected: Sequence[Attribute], label: str
) -> None:
    """One value per carry of a loop, of the type of its initial value."""
    if len(values) != len(expected):
        raise mismatch(f"{what} to have {len(expected)} carried values", len(values), label)
    for i, (value, type) in enumerate(zip(values, expected)):
        if not compatible_types(value.type, type):
            raise mismatch(f"carry {i} of {what} of type {type}", value.type, label)
