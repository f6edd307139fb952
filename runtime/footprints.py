"""What nodes and trips of loops need, by static types: for runs with a memory budget."""

from __future__ import annotations

import re
from math import prod
from typing import Final

from .graph import Graph, Node, NodeKind
from .values import DTYPES_BY_NAME

VIEWS: Final = frozenset(
    {
        "stablehlo.reshape",
        "stablehlo.bitcast_convert",
        "stablehlo.optimization_barrier",
        "stablehlo.transpose",
        "dcf.stop_gradient",
    }
)
"""Ops whose results share memory with what they take, most of the time."""
BROADCASTS: Final = ("stablehlo.broadcast_in_dim", "stablehlo.broadcast")
LARGE: Final = 1 << 19
"""Broadcasts to more bytes than this need not be written out."""
_TENSOR = re.compile(r"tensor<((?:\d+x)*)([^?,]+)[,>]")


class Footprints:
    """Bytes that each node's results take, and each frame's iteration, what is inside included.

    A size that types do not tell is learned from what comes.
    """

    def __init__(self, graph: Graph):
        self.graph = graph
        self.of_node = [_result_bytes(node) for node in graph.nodes]
        self.of_frame = [0] * len(graph.frames)
        for node, nbytes in zip(graph.nodes, self.of_node):
            self._grow(node.frame, nbytes)

    def learn(self, node: Node, nbytes: int) -> bool:
        """A node took so many bytes of new memory; whether that is more than was known."""
        more = nbytes - self.of_node[node.id]
        if more > 0:
            self.of_node[node.id] += more
            self._grow(node.frame, more)
        return more > 0

    def at_top(self) -> int:
        """Bytes of one iteration of each loop that is in no other."""
        frames = self.graph.frames[1:]
        return sum(self.of_frame[info.index] for info in frames if not info.parent)

    def _grow(self, frame: int, nbytes: int) -> None:
        while nbytes and frame > 0:
            self.of_frame[frame] += nbytes
            frame = self.graph.frames[frame].parent


def _result_bytes(node: Node) -> int:
    if node.kind not in (NodeKind.OP, NodeKind.RECV) or node.name in VIEWS:
        return 0
    nbytes = sum(map(bytes_of_type, node.result_types))
    return 0 if node.name in BROADCASTS and nbytes > LARGE else nbytes


def bytes_of_type(type: str) -> int:
    """`tensor<2x3xf32>` -> 24; 0 where a dimension is dynamic, for numbers, and for what is no
    tensor."""
    match = _TENSOR.match(type)
    if match is None or not match[1] or match[2] not in DTYPES_BY_NAME:
        return 0
    return prod(map(int, match[1][:-1].split("x"))) * DTYPES_BY_NAME[match[2]].itemsize
