"""Result types and shapes of the ops of `stablehlo`, from their operands and attributes.

Shapes are tuples of sizes; `DYNAMIC_INDEX` is a size known only at run time, and so is what follows
from it. The verifiers compare with what these functions give, the constructors use it. A function
here assumes that its arguments fit together (dimensions in range, ranks equal): the verifiers check
that first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    DenseIntOrFPElementsAttr,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import ConstantLike

from ..quant import UniformQuantizedType
from .attributes import DotDimensionNumbersAttr, GatherDimensionNumbersAttr
from .constraints import as_tensor, kind_of, part_of

Shape = tuple[int, ...]


def tensor_of(value: SSAValue | Attribute) -> TensorType[Attribute]:
    """The type of a value that is known to be a tensor."""
    tensor = as_tensor(value.type if isinstance(value, SSAValue) else value)
    assert tensor is not None
    return tensor


def shape_of(value: SSAValue | Attribute) -> Shape:
    """The shape of a value that is known to be a tensor."""
    return tensor_of(value).get_shape()


def element_of(value: SSAValue | Attribute) -> Attribute:
    """The element type of a value that is known to be a tensor."""
    return tensor_of(value).element_type


def with_element_type(tensor_type: Attribute, element_type: Attribute) -> Attribute:
    """The tensor type with other elements (unchanged when it is no tensor: the verifier tells)."""
    tensor = as_tensor(tensor_type)
    if tensor is None:
        return tensor_type
    return TensorType(element_type, tensor.get_shape(), tensor.encoding)


def with_shape(tensor_type: Attribute, shape: Sequence[int]) -> Attribute:
    """The tensor type in another shape (unchanged when it is no tensor: the verifier tells)."""
    tensor = as_tensor(tensor_type)
    if tensor is None:
        return tensor_type
    return TensorType(tensor.element_type, shape)


def real_part(element_type: Attribute) -> Attribute:
    """The type of a complex element's parts; any other element type itself."""
    part = part_of(element_type)
    return element_type if part is None else part


def compatible_sizes(one: int, other: int) -> bool:
    """Whether two sizes can be equal at run time."""
    return one == other or DYNAMIC_INDEX in (one, other)


def compatible_shapes(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether two shapes can be equal at run time."""
    return len(one) == len(other) and all(map(compatible_sizes, one, other))


def compatible_types(one: Attribute, other: Attribute) -> bool:
    """Whether values of two types can be of one type at run time."""
    if one == other:
        return True
    first, second = as_tensor(one), as_tensor(other)
    if first is None or second is None:
        return False
    return compatible_elements(first.element_type, second.element_type) and compatible_shapes(
        first.get_shape(), second.get_shape()
    )


def compatible_elements(one: Attribute, other: Attribute) -> bool:
    """Whether two element types are equal up to scales and zero points."""
    if isinstance(one, UniformQuantizedType) and isinstance(other, UniformQuantizedType):
        return one.baseline() == other.baseline()
    return one == other


def promotable(one: Attribute, other: Attribute) -> bool:
    """Whether an accumulator of type `other` can take elements of type `one`.

    Of the same family and at least as wide (quantized ones express the same type).
    """
    if isinstance(one, UniformQuantizedType) and isinstance(other, UniformQuantizedType):
        if one.expressed_type != other.expressed_type:
            return False
    elif kind_of(one).removeprefix("un") != kind_of(other).removeprefix("un"):
        return False
    before, after = bit_width(one), bit_width(other)
    return before is None or after is None or before <= after


def join_sizes(sizes: Sequence[int]) -> int:
    """The size that several compatible sizes stand for."""
    return next((size for size in sizes if size != DYNAMIC_INDEX), DYNAMIC_INDEX)


def bit_width(element_type: Attribute) -> int | None:
    """How many bits an element takes; unknown for an index."""
    if (part := part_of(element_type)) is not None:
        width = bit_width(part)
        return None if width is None else 2 * width
    if isinstance(element_type, UniformQuantizedType):
        element_type = element_type.storage_type
    if isinstance(element_type, IntegerType):
        return cast(IntegerType, element_type).width.data
    return element_type.bitwidth if isinstance(element_type, AnyFloat) else None


def bitcast_shape(shape: Shape, before: int, after: int) -> Shape | None:
    """The shape after reading elements of `before` bits as ones of `after`; none if it cannot be."""
    if before == after:
        return shape
    if before > after:
        return (*shape, before // after) if before % after == 0 else None
    fits = bool(shape) and (shape[-1] == DYNAMIC_INDEX or shape[-1] * before == after)
    return shape[:-1] if fits else None


def concatenated_shape(shapes: Sequence[Shape], dimension: int) -> Shape:
    """The shape of tensors joined along one dimension."""
    joined = [join_sizes(sizes) for sizes in zip(*shapes)]
    along = [shape[dimension] for shape in shapes]
    joined[dimension] = DYNAMIC_INDEX if DYNAMIC_INDEX in along else sum(along)
    return tuple(joined)


def padded_shape(
    shape: Shape, low: Sequence[int], high: Sequence[int], interior: Sequence[int]
) -> Shape:
    """The shape after `pad`."""
    return tuple(
        size if size == DYNAMIC_INDEX else size + before + after + max(size - 1, 0) * between
        for size, before, after, between in zip(shape, low, high, interior)
    )


def sliced_shape(start: Sequence[int], limit: Sequence[int], strides: Sequence[int]) -> Shape:
    """The shape after `slice`."""
    return tuple(-((begin - end) // step) for begin, end, step in zip(start, limit, strides))


def transposed_shape(shape: Shape, permutation: Sequence[int]) -> Shape:
    """The shape after `transpose`."""
    return tuple(shape[dimension] for dimension in permutation)


def reduced_shape(shape: Shape, dimensions: Sequence[int]) -> Shape:
    """The shape without the given dimensions."""
    return tuple(size for i, size in enumerate(shape) if i not in dimensions)


def dot_shape(lhs: Shape, rhs: Shape, numbers: DotDimensionNumbersAttr) -> Shape:
    """The shape of `dot_general`: batching dimensions, then what is left of lhs, then of rhs."""
    lhs_batching = numbers.lhs_batching_dimensions.data
    rhs_batching = numbers.rhs_batching_dimensions.data
    batch = tuple(join_sizes((lhs[i], rhs[j])) for i, j in zip(lhs_batching, rhs_batching))
    lhs_used = {*lhs_batching, *numbers.lhs_contracting_dimensions.data}
    rhs_used = {*rhs_batching, *numbers.rhs_contracting_dimensions.data}
    return (*batch, *reduced_shape(lhs, tuple(lhs_used)), *reduced_shape(rhs, tuple(rhs_used)))


def fft_shape(shape: Shape, lengths: Sequence[int], *, to_real: bool, from_real: bool) -> Shape:
    """The shape of a Fourier transform: a real signal of n has n // 2 + 1 frequencies."""
    if to_real:
        return (*shape[: -len(lengths)], *lengths)
    if from_real and shape[-1] not in (0, DYNAMIC_INDEX):
        return (*shape[:-1], shape[-1] // 2 + 1)
    return shape


def gathered_shape(
    indices: Shape, numbers: GatherDimensionNumbersAttr, slice_sizes: Sequence[int]
) -> Shape:
    """The shape of `gather`: sizes of the slices at `offset_dims`, of the indices elsewhere."""
    batch = list(reduced_shape(indices, (numbers.index_vector_dim.data,)))
    dropped = (*numbers.collapsed_slice_dims.data, *numbers.operand_batching_dims.data)
    offsets = list(reduced_shape(tuple(slice_sizes), dropped))
    rank = len(batch) + len(offsets)
    offset_dims = numbers.offset_dims.data
    return tuple(
        offsets.pop(0) if dimension in offset_dims else batch.pop(0) for dimension in range(rank)
    )


def padding_pairs(
    padding: DenseIntOrFPElementsAttr | None, rank: int
) -> Sequence[tuple[int, int]] | None:
    """The padding (low, high) of each dimension; none when its shape does not fit."""
    if padding is None:
        return [(0, 0)] * rank
    if padding.get_shape() != (rank, 2):
        return None
    return number_pairs(padding)


def number_pairs(elements: DenseIntOrFPElementsAttr) -> Sequence[tuple[int, int]]:
    """The integers of a constant, two by two."""
    numbers = cast("Sequence[int]", elements.get_values())
    return list(zip(numbers[::2], numbers[1::2]))


def window_counts(
    shape: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[tuple[int, int]],
    base_dilations: Sequence[int],
    window_dilations: Sequence[int],
) -> Shape:
    """How many places a window takes along each dimension."""
    counts: list[int] = []
    for size, extent, stride, (low, high), base, dilation in zip(
        shape, window, strides, padding, base_dilations, window_dilations
    ):
        if DYNAMIC_INDEX in (size, extent):
            counts.append(DYNAMIC_INDEX)
            continue
        padded = low + high + ((size - 1) * base + 1 if size else 0)
        reach = (extent - 1) * dilation + 1 if extent else 0
        counts.append(0 if padded == 0 or reach > padded else (padded - reach) // stride + 1)
    return tuple(counts)


def constant_integers(value: SSAValue) -> Sequence[int] | None:
    """The integers of a value that a constant op gives; None when they come at run time."""
    owner = value.owner
    if not isinstance(owner, Operation) or not owner.has_trait(ConstantLike):
        return None
    elements = owner.properties.get("value")
    if not isinstance(elements, DenseIntOrFPElementsAttr):
        return None
    return cast("Sequence[int]", cast(DenseIntOrFPElementsAttr, elements).get_values())


def show_shape(shape: Sequence[int]) -> str:
    """`[2, ?]`, for messages."""
    return f"[{', '.join('?' if size == DYNAMIC_INDEX else str(size) for size in shape)}]"
