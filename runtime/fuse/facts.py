"""What emission needs to know of a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..graph import Graph, NodeKind
from ..kernels import needs_tag
from .reuse import Reuse, reuses_of
from .rows import rows_of
from .scalars import ScalarOp, ScalarType
from .transfers import Transfers
from .tree import Ref

HEAVY_KINDS = frozenset(
    (NodeKind.OP, NodeKind.MERGE, NodeKind.LOOP_MERGE, NodeKind.EXIT, NodeKind.RECV)
)


@dataclass
class Facts:
    """What emission needs to know of the graph's values and nodes."""

    scalar_types: Mapping[Ref, ScalarType]
    scalar_ops: Mapping[int, ScalarOp]
    heavy: frozenset[Ref]
    """Values worth releasing before their name is assigned again: all but scalars."""
    reuses: Mapping[int, Reuse] = field(default_factory=dict[int, Reuse])
    """Node -> how its result may be written into an operand."""
    tagged: frozenset[int] = frozenset()
    """Nodes whose kernel takes a tag: the seed and the iterations around it."""
    transfers: Transfers = field(default_factory=Transfers)
    rows: Mapping[int, int] = field(default_factory=dict[int, int])
    """Node that makes a row of a buffer -> node that writes it there (`rows.py`)."""
    at_root: bool = True
    """Whether the fused loop is in no other loop."""


def facts_of(graph: Graph, transfers: Transfers) -> Facts:
    """The facts of a graph."""
    types = {
        (node.id, number): type
        for node in graph.nodes
        for number, type in enumerate(node.scalar_types)
        if type is not None
    }
    ops = {node.id: node.scalar_op for node in graph.nodes if node.scalar_op is not None}
    heavy = frozenset(
        (node.id, number)
        for node in graph.nodes
        if node.kind in HEAVY_KINDS
        for number, type in enumerate(node.result_types)
        if not type.startswith("tensor<") or type[7:8].isdigit() or type[7:8] == "?"
    )
    tagged = frozenset(node.id for node in graph.nodes if needs_tag(node.kernel))
    return Facts(types, ops, heavy, reuses_of(graph), tagged, transfers, rows_of(graph))
