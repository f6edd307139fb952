"""Rows of a loop's outputs written where they are made.

A scan writes a row into each output per trip: a `dynamic_update_slice` of a value the trip made. When
nothing else needs that value for longer than the trip, its kernel can write it into the output itself,
which spares a copy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..graph import Graph, Node, NodeKind
from ..kernels import makes_new, row_form, takes_out
from .tree import Call, Loop, Ref, Statement


@dataclass(frozen=True)
class Row:
    """A value that may be made inside a buffer."""

    update: int
    """The node that writes it there otherwise."""
    buffer: Ref
    index: Ref


def rows_of(graph: Graph) -> dict[int, int]:
    """Node that makes a row -> node that writes it into a buffer, of which it is the only reader."""
    found: dict[int, int] = {}
    for update in graph.nodes:
        if row_form(update.kernel) is None or len(update.inputs) < 2:
            continue
        reshape = graph.nodes[update.inputs[1][0]]
        if reshape.name != "stablehlo.reshape" or len(reshape.outputs[0]) != 1:
            continue
        maker = graph.nodes[reshape.inputs[0][0]]
        if maker.kind is not NodeKind.OP or maker.frame != update.frame or maker.id in found:
            continue
        if not takes_out(maker.kernel) or not is_only_read(graph, maker):
            continue
        if maker.result_types[0] == _row_type(update) and _is_sole_reader(graph, update):
            found[maker.id] = update.id
    return found


def _row_type(update: Node) -> str:
    """The type of a row of the updated tensor."""
    return "tensor<" + update.result_types[0].removeprefix("tensor<").partition("x")[2]


def _is_sole_reader(graph: Graph, update: Node) -> bool:
    """Whether nothing but `update` reads what its buffer holds at the start of a trip."""
    number, output = update.inputs[0]
    switch = graph.nodes[number]
    if switch.kind is not NodeKind.SWITCH or len(switch.outputs[output]) != 1:
        return False
    merge = graph.nodes[switch.inputs[0][0]]
    return merge.kind is NodeKind.LOOP_MERGE and len(merge.outputs[0]) == 1


def is_only_read(graph: Graph, node: Node) -> bool:
    """Whether all that takes the node's result makes new values of it, perhaps reshaped."""
    readers = [graph.nodes[reader] for reader, _ in node.outputs[0]]
    return all(
        makes_new(reader.kernel)
        or (reader.name == "stablehlo.reshape" and is_only_read(graph, reader))
        for reader in readers
    )


def rows_in(block: Sequence[Statement], loop: Loop, pairs: Mapping[int, int]) -> dict[int, Row]:
    """Those of a loop's body that can be had: maker -> row."""
    calls: dict[int, Call] = {}
    made_at: dict[Ref, int] = {}
    positions: dict[int, int] = {}
    for position, statement in enumerate(block):
        if isinstance(statement, Call):
            calls[statement.node] = statement
            positions[statement.node] = position
            made_at.update(dict.fromkeys(statement.results, position))
    outside = {carry.value for carry in loop.carries}
    rows: dict[int, Row] = {}
    for maker, update in pairs.items():
        if maker not in calls or update not in calls:
            continue
        buffer, _, index = calls[update].arguments[:3]
        known = index in outside or made_at.get(index, len(block)) < positions[maker]
        if buffer in outside and known:
            rows[maker] = Row(update, buffer, index)
    return rows
