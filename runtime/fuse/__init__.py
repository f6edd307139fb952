"""Fusing: a whole local loop becomes one node, run by a generated Python function.

The token machine needs about a microsecond for each node it fires. A loop that touches no other
device gains nothing from tokens, so `fuse_frames` replaces each outermost such frame, with all in
it, by a FUSED node. Results, errors and deadlines are the same; what watches single nodes
(statistics, traces, a chosen firing order) runs the graph as it was.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..graph import Graph, NodeKind
from ..kernels import view_form
from .emit import Source, emit_loop
from .facts import Facts, facts_of
from .kernel import FusedKernel
from .loops import FrameNodes, LoopBuilder, NotFusable, frame_nodes
from .replace import replace_frames
from .rows import is_only_read
from .transfers import ProgramChannels, Transfers, transfers_of
from .tree import Loop, Ref

__all__ = ["FusedKernel", "ProgramChannels", "fuse_frames"]


def fuse_frames(
    graph: Graph,
    *,
    program: ProgramChannels | None = None,
    jobs: Iterable[int] = (),
    window: int | None = None,
) -> Graph:
    """The graph with its fusable loops as single nodes; the same graph when it has none.

    With `program` the graph is one of several: loops that send and receive are fused where that
    is wise. `jobs`: the nodes whose kernels run in a pool where there is one. `window` overrides
    that of every loop.
    """
    frames = frame_nodes(graph)
    fused: dict[int, FusedKernel] = {}
    pending = list(frames[0].children)
    if not pending:
        return graph
    facts = facts_of(graph, transfers_of(graph, jobs, window))
    while pending:
        frame = pending.pop()
        try:
            if not _may_fuse(graph, frame, facts.transfers, program):
                raise NotFusable
            loop = LoopBuilder(graph, frames, frame).build(frame)
            fused[frame] = _kernel(graph, frames, loop, facts)
        except (NotFusable, RecursionError, SyntaxError, MemoryError):
            # Python limits how deeply its own code nests; the token machine does not.
            pending.extend(frames[frame].children)
    return replace_frames(graph, frames, fused) if fused else graph


def _kernel(graph: Graph, frames: list[FrameNodes], loop: Loop, facts: Facts) -> FusedKernel:
    inputs: list[Ref] = [(enter, 0) for enter in frames[loop.frame].enters]
    facts.at_root = graph.frames[loop.frame].parent == 0
    source = emit_loop(loop, inputs, facts)
    return FusedKernel(source, graph, loop, _viewing(graph, source))


def _viewing(graph: Graph, source: Source) -> frozenset[int]:
    """Nodes whose result may be a view of their first operand: one that stays the same throughout
    the loop, and all that reads the result makes new values of it."""
    return frozenset(
        node.id
        for node in (graph.nodes[id] for id in source.kernels.values())
        if view_form(node.kernel) is not None
        and graph.nodes[node.inputs[0][0]].kind is NodeKind.CONST_ENTER
        and is_only_read(graph, node)
    )


def _may_fuse(
    graph: Graph, frame: int, transfers: Transfers, program: ProgramChannels | None
) -> bool:
    if program is not None:
        return program.may_fuse(graph.frames[frame].name, graph.device)
    return frame not in transfers.receiving and frame not in transfers.receivers
