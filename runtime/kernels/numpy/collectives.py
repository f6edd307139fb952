"""Collectives of a program that runs on one device: its only participant is itself."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import Operation

from ....dialects.diagnostics import ProgramError
from .. import Kernel, Scope, kernel
from .attributes import as_ints, attribute
from .common import constantly, identities, identity, one


@kernel("stablehlo.replica_id", "stablehlo.partition_id")
def _id(op: Operation, scope: Scope) -> Kernel:
    zero = np.uint32(0)
    return constantly(zero)


@kernel(
    "stablehlo.all_reduce",
    "stablehlo.all_gather",
    "stablehlo.all_to_all",
    "stablehlo.reduce_scatter",
    "stablehlo.collective_broadcast",
    "stablehlo.collective_reduce",
    "stablehlo.cross-replica-sum",
)
def _alone(op: Operation, scope: Scope) -> Kernel:
    groups = as_ints(attribute(op, "replica_groups"))
    if any(member > 0 for member in groups):
        raise ProgramError(
            f"{op.name}: expected one participant, got replica groups over {max(groups) + 1}", op
        )
    if len(op.results) == 1:
        return identity
    return identities


@kernel("stablehlo.collective_permute")
def _permute(op: Operation, scope: Scope) -> Kernel:
    pairs = as_ints(attribute(op, "source_target_pairs"))
    if any(pairs):
        raise ProgramError(f"{op.name}: expected one participant, got {max(pairs) + 1}", op)
    stays = bool(pairs)

    def permute(x: Any) -> Any:
        return x if stays else np.zeros_like(x)

    return permute


@kernel("stablehlo.tuple")
def _tuple(op: Operation, scope: Scope) -> Kernel:
    return identities


@kernel("stablehlo.get_tuple_element")
def _get_tuple_element(op: Operation, scope: Scope) -> Kernel:
    index = attribute(op, "index").value.data
    return one(lambda values: values[index])
