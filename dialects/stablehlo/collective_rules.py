"""The checks that the verifiers of collectives and channels are made of.

The specification counts replicas and partitions, which a program does not tell: what depends on
their number is left to who runs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, BoolAttr, DenseIntOrFPElementsAttr
from xdsl.ir import Attribute, Operation, SSAValue

from .attributes import ChannelHandleAttr
from .constraints import as_tensor
from .inference import compatible_sizes
from .mesh import ReplicaGroupMeshAxesAttr
from .rules import expect_shape, expect_size, expect_unique, mismatch
from .types import TokenType

DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_TO_DEVICE = 1, 2, 3
"""Types of channels."""


def expect_replica_groups(
    op: Operation,
    groups: Attribute,
    unique: str,
    inside: str,
    *,
    padded: bool = False,
    some: bool = False,
) -> tuple[int, int] | None:
    """The ids 0 to n - 1, each once, in groups of one size; the result is their number and size.

    `padded` groups may be shorter: -1 fills them. `some` processes suffice, of a number that only the
    run knows. None where a mesh tells the groups.
    """
    if isinstance(groups, ReplicaGroupMeshAxesAttr):
        return None
    name = op.name.removeprefix("stablehlo.")
    expected = "replica_groups of two dimensions, or of a mesh"
    if not isinstance(groups, DenseIntOrFPElementsAttr):
        raise mismatch(expected, groups, name)
    dense = cast(DenseIntOrFPElementsAttr, groups)
    if len(dense.get_shape()) != 2:
        raise mismatch(expected, dense, name)
    ids = list(cast("Sequence[int]", dense.get_values()))
    if padded:
        ids = [number for number in ids if number != -1]
    expect_unique("replica_groups", ids, unique)
    for number in ids:
        if some and number < 0:
            raise mismatch("each of replica_groups to be at least 0", number, inside)
        if not some and not 0 <= number < len(ids):
            raise mismatch(f"each of replica_groups in [0, {len(ids)})", number, inside)
    count, size = dense.get_shape()
    return count, size


def expect_pairs(pairs: DenseIntOrFPElementsAttr | None, name: str) -> None:
    """Constraints 1 to 4 of what sends along (source, target) pairs."""
    if pairs is None:
        return
    shape = pairs.get_shape()
    if len(shape) != 2 or shape[1] != 2:
        raise mismatch("source_target_pairs of shape [n, 2]", list(shape), f"{name}_c1")
    numbers = cast("Sequence[int]", pairs.get_values())
    expect_unique("the sources", numbers[::2], f"{name}_c2")
    expect_unique("the targets", numbers[1::2], f"{name}_c3")
    for number in numbers:
        if number < 0:
            raise mismatch("each of source_target_pairs to be at least 0", number, f"{name}_c4")


def expect_channel_id(
    channel: ChannelHandleAttr | None, use_global_device_ids: Attribute | None, label: str
) -> None:
    """Ids of devices of the whole program need a channel."""
    handle = 0 if channel is None else channel.handle.data
    if use_global_device_ids is not None and handle <= 0:
        raise mismatch("a positive channel with use_global_device_ids", handle, label)


def expect_channel_type(
    channel: ChannelHandleAttr, is_host_transfer: BoolAttr | None, host: int, label: str
) -> None:
    """The type of the channel says whether the other end is a device or the host."""
    to_host = is_host_transfer is not None and bool(is_host_transfer.value.data)
    expected = host if to_host else DEVICE_TO_DEVICE
    if channel.type.data != expected:
        raise mismatch(f"a channel of type {expected}", channel.type.data, label)


def expect_tensors_and_token(results: Sequence[SSAValue], labels: tuple[str, str, str]) -> None:
    """One result or more: tensors, then a token."""
    if not results:
        raise mismatch("at least one result", 0, labels[0])
    for i, result in enumerate(results[:-1]):
        if as_tensor(result.type) is None:
            raise mismatch(f"result {i} to be a tensor", result.type, labels[1])
    if not isinstance(results[-1].type, TokenType):
        raise mismatch("the last result to be a token", results[-1].type, labels[2])


def group_size(
    op_groups: tuple[int, int] | None,
    channel: ChannelHandleAttr | None,
    use_global_device_ids: Attribute | None,
) -> int | None:
    """How many processes a group has; None when that takes the number of partitions."""
    if op_groups is None or not op_groups[0]:
        return None
    across = channel is not None and channel.handle.data > 0 and use_global_device_ids is None
    return None if across else op_groups[1]


def expect_scaled(
    what: str,
    larger: Sequence[int],
    smaller: Sequence[int],
    dimension: int,
    factor: int | None,
    label: str,
) -> None:
    """Two shapes agree but in one dimension, where the first is `factor` (or any) times the other."""
    expect_size(f"dimensions of {what}", len(larger), len(smaller), label)
    for i, (big, small) in enumerate(zip(larger, smaller)):
        if DYNAMIC_INDEX in (big, small):
            continue
        if i != dimension:
            fits = compatible_sizes(big, small)
        elif factor is None:
            fits = big == small or (small != 0 and big % small == 0)
        else:
            fits = big == small * factor
        if not fits:
            times = "a multiple of" if factor is None else f"{factor} times"
            expected = small if i != dimension else f"{times} {small}"
            raise mismatch(f"dimension {i} of {what} of size {expected}", big, label)


def expect_root(operands: Sequence[SSAValue], label: str) -> None:
    """The last of the operands tells the root process for each of the others."""
    if len(operands) < 2:
        raise mismatch("two operands or more with has_dynamic_root", len(operands), label)
    root = operands[-1]
    if str(root.type) != f"tensor<{len(operands) - 1}xi32>":
        expect_shape("the roots", root.type, (len(operands) - 1,), label)
        raise mismatch(f"roots of type tensor<{len(operands) - 1}xi32>", root.type, label)
