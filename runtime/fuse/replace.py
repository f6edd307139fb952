"""A graph with some frames replaced by fused nodes: the numbering of nodes and frames anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..graph import FrameInfo, Graph, Node, NodeKind
from .kernel import FusedKernel
from .loops import FrameNodes
from .tree import Ref


def replace_frames(
    graph: Graph, frames: Sequence[FrameNodes], fused: Mapping[int, FusedKernel]
) -> Graph:
    """A new graph in which each frame of `fused`, with all inside it, is one FUSED node."""
    gone = _with_inner(frames, fused)
    infos = [info for info in graph.frames if info.index not in gone]
    frame_numbers = {info.index: number for number, info in enumerate(infos)} | {-1: -1}
    nodes: list[Node] = []
    moved: dict[Ref, Ref] = {}
    for node in graph.nodes:
        if node.frame in gone or (_is_enter(node) and node.child in gone):
            continue
        for number in range(max(1, len(node.outputs))):
            moved[(node.id, number)] = (len(nodes), number)
        nodes.append(
            replace(
                node,
                id=len(nodes),
                frame=frame_numbers[node.frame],
                child=frame_numbers[node.child],
            )
        )
    for frame, kernel in fused.items():
        node = _fused_node(graph, frames[frame], frame, kernel)
        node.id, node.frame = len(nodes), frame_numbers[graph.frames[frame].parent]
        for number, exit in enumerate(frames[frame].exits):
            moved[(exit, 0)] = (node.id, number)
        nodes.append(node)
    for node in nodes:
        node.inputs = [moved[ref] for ref in node.inputs]
    return Graph(
        nodes=nodes,
        frames=[_moved_frame(info, frame_numbers, moved) for info in infos],
        feeds=[moved[(feed, 0)][0] for feed in graph.feeds],
        fetches=[moved[(fetch, 0)][0] for fetch in graph.fetches],
        device=graph.device,
        feed_numbers=graph.feed_numbers,
        fetch_numbers=graph.fetch_numbers,
    ).connect()


def _is_enter(node: Node) -> bool:
    return node.kind in (NodeKind.ENTER, NodeKind.CONST_ENTER)


def _with_inner(frames: Sequence[FrameNodes], roots: Mapping[int, FusedKernel]) -> set[int]:
    gone: set[int] = set()
    pending = list(roots)
    while pending:
        frame = pending.pop()
        gone.add(frame)
        pending.extend(frames[frame].children)
    return gone


def _fused_node(graph: Graph, nodes: FrameNodes, frame: int, kernel: FusedKernel) -> Node:
    info = graph.frames[frame]
    return Node(
        id=-1,
        kind=NodeKind.FUSED,
        name="dfg.loop_cond",
        inputs=[graph.nodes[enter].inputs[0] for enter in nodes.enters],
        kernel=kernel,
        location=graph.nodes[info.loop_cond].location,
        result_types=tuple(graph.nodes[exit].result_types[0] for exit in nodes.exits),
        label=info.name,
    )


def _moved_frame(
    info: FrameInfo, frame_numbers: Mapping[int, int], moved: Mapping[Ref, Ref]
) -> FrameInfo:
    return replace(
        info,
        index=frame_numbers[info.index],
        parent=frame_numbers[info.parent],
        loop_cond=moved[(info.loop_cond, 0)][0] if info.loop_cond >= 0 else -1,
    )
