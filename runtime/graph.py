"""The executable graph: plain data, one per device, loaded once from a `dfg.graph` and run many
times.

Nothing here refers to IR but locations, kept for messages. `runtime/layout.py` turns a graph into
the flat tables that the propagator works on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import LocationAttr, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects import dfg
from ..dialects.dfg.frames import ROOT, Frame, frame_of, value_frame
from ..dialects.dfg.primitives import DEFAULT_PARALLEL_ITERATIONS
from ..dialects.diagnostics import ProgramError
from .values import TOKEN

if TYPE_CHECKING:
    from .fuse.scalars import ScalarOp, ScalarType
    from .layout import Layout

Kernel = Callable[..., Any]


class NodeKind(IntEnum):
    """What firing a node does; see `runtime/propagator.py` for each kind's rule."""

    FEED = 0
    CONST = 1
    TOKEN = 2
    OP = 3
    SWITCH = 4
    MERGE = 5
    LOOP_MERGE = 6
    ENTER = 7
    CONST_ENTER = 8
    EXIT = 9
    NEXT_ITERATION = 10
    LOOP_COND = 11
    SEND = 12
    RECV = 13
    PROBE = 14
    FETCH = 15
    FUSED = 16


@dataclass(slots=True)
class Node:
    """One node. It fires in `frame`: an enter's outputs are in `child`, an exit's in the parent
    frame.

    A kernel takes the inputs by position and returns the one result, or a tuple when the node has
    not exactly one. A FUSED node's kernel is a generator function: it yields from time to time
    (None, or the loop's position as text) and returns the tuple of results.
    """

    id: int
    kind: NodeKind
    name: str
    frame: int = 0
    inputs: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    outputs: list[list[tuple[int, int]]] = field(default_factory=list[list[tuple[int, int]]])
    kernel: Kernel | None = None
    location: LocationAttr | None = None
    result_types: tuple[str, ...] = ()
    value: Any = None
    """CONST: the value; FEED and FETCH: their position in the graph's lists."""
    child: int = -1
    """ENTER, CONST_ENTER: the index of the frame entered."""
    label: str = ""
    """PROBE: its label; FUSED: the frame's name; SEND, RECV: the other device."""
    channel: int = -1
    ship_dead: bool = False
    heavy: bool = False
    """OP: worth running on a pool when its event loop has other devices to serve."""
    scalar_types: tuple[ScalarType | None, ...] = ()
    """Per result, for `runtime/fuse`: its type if Python numbers can stand for its values."""
    scalar_op: ScalarOp | None = None
    """For `runtime/fuse`: the op on Python numbers, if it has one."""


@dataclass(slots=True)
class FrameInfo:
    """A frame as the graph's text knows it; at run time it has one instance per parent
    iteration."""

    index: int
    name: str
    parent: int
    path: tuple[str, ...]
    parallel_iterations: int = DEFAULT_PARALLEL_ITERATIONS
    trip_bound: int | None = None
    loop_cond: int = -1
    location: LocationAttr | None = None
    receivers: tuple[str, ...] = ()
    """The devices that receive what this frame, or one inside it, sends."""
    senders: tuple[str, ...] = ()
    """The devices that send what this frame, or one inside it, receives."""


@dataclass
class Graph:
    """Nodes, frames (0 is the root), and the ids of the feed and fetch nodes, in the graph's
    order."""

    nodes: list[Node]
    frames: list[FrameInfo]
    feeds: list[int]
    fetches: list[int]
    device: str = "cpu:0"
    feed_numbers: list[int] = field(default_factory=list[int])
    """The program argument that each feed takes; `feeds` in order when empty."""
    fetch_numbers: list[int] = field(default_factory=list[int])
    """The program result that each fetch gives; `fetches` in order when empty."""
    layout: Layout | None = field(default=None, repr=False, compare=False)
    """Made at the first run."""

    def connect(self) -> Graph:
        """Fills every node's `outputs` from the `inputs` of all; kinds of merges too."""
        for node in self.nodes:
            node.outputs = [[] for _ in range(max(len(node.outputs), _outputs_of(node)))]
        for node in self.nodes:
            for slot, (producer, output) in enumerate(node.inputs):
                self.nodes[producer].outputs[output].append((node.id, slot))
        for node in self.nodes:
            if node.kind == NodeKind.MERGE and self.is_loop_merge(node):
                node.kind = NodeKind.LOOP_MERGE
        self._find_peers()
        self.layout = None
        return self

    def _find_peers(self) -> None:
        """The other devices of each frame; those of frames that were fused are known already."""
        for node in self.nodes:
            if node.kind not in (NodeKind.SEND, NodeKind.RECV) or not node.label:
                continue
            frame = self.frames[node.frame]
            while frame.index:
                if node.kind == NodeKind.SEND and node.label not in frame.receivers:
                    frame.receivers = (*frame.receivers, node.label)
                if node.kind == NodeKind.RECV and node.label not in frame.senders:
                    frame.senders = (*frame.senders, node.label)
                frame = self.frames[frame.parent]

    def is_loop_merge(self, node: Node) -> bool:
        """Whether a merge joins one enter and one next_iteration, as a loop's carry does."""
        kinds = sorted(self.nodes[producer].kind for producer, _ in node.inputs)
        return kinds == [NodeKind.ENTER, NodeKind.NEXT_ITERATION]


def load_graph(graph_op: dfg.GraphOp, module: Operation | None) -> Graph:
    """The graph of one device; `module` holds the functions that its kernels call."""
    return _Loader(graph_op, module).load()


def _outputs_of(node: Node) -> int:
    match node.kind:
        case NodeKind.SWITCH | NodeKind.MERGE | NodeKind.LOOP_MERGE:
            return 2
        case NodeKind.SEND | NodeKind.FETCH:
            return 0
        case NodeKind.OP | NodeKind.FUSED:
            return len(node.result_types)
        case _:
            return 1


def check_acyclic(nodes: Sequence[Node]) -> list[int]:
    """The ids in an order where each comes after its producers, back edges (next_iteration) aside.

    A cycle without a next_iteration could never fire: a ProgramError names one of its nodes.
    """
    missing = [
        sum(nodes[p].kind != NodeKind.NEXT_ITERATION for p, _ in node.inputs) for node in nodes
    ]
    ready = deque(node.id for node in nodes if not missing[node.id])
    order: list[int] = []
    while ready:
        node = nodes[ready.popleft()]
        order.append(node.id)
        if node.kind == NodeKind.NEXT_ITERATION:
            continue
        for consumers in node.outputs:
            for consumer, _ in consumers:
                missing[consumer] -= 1
                if not missing[consumer]:
                    ready.append(consumer)
    if len(order) < len(nodes):
        stuck = next(node for node in nodes if missing[node.id] and node.kind != NodeKind.FETCH)
        raise ProgramError(
            f"expected cycles to go through dfg.next_iteration only, got one that holds "
            f"{stuck.name}",
            stuck.location,
        )
    return order


KINDS: dict[type[Operation], NodeKind] = {
    dfg.TokenOp: NodeKind.TOKEN,
    dfg.SwitchOp: NodeKind.SWITCH,
    dfg.MergeOp: NodeKind.MERGE,
    dfg.ExitOp: NodeKind.EXIT,
    dfg.NextIterationOp: NodeKind.NEXT_ITERATION,
    dfg.LoopCondOp: NodeKind.LOOP_COND,
    dfg.SendOp: NodeKind.SEND,
    dfg.RecvOp: NodeKind.RECV,
    dfg.ProbeOp: NodeKind.PROBE,
}


class _Loader:
    """One walk over the block makes the nodes, and frames as their enters come."""

    def __init__(self, graph_op: dfg.GraphOp, module: Operation | None):
        from .reference import ModuleScope

        self.op = graph_op
        self.scope = ModuleScope(module if isinstance(module, ModuleOp) else None)
        self.nodes: list[Node] = []
        self.frames = [FrameInfo(0, "", -1, ())]
        self.paths = frame_of(graph_op)
        self.indices: dict[Frame, int] = {ROOT: 0}
        self.refs: dict[SSAValue, tuple[int, int]] = {}
        self.type_texts: dict[Attribute, str] = {}

    def load(self) -> Graph:
        from .fuse.scalars import scalar_type

        block = self.op.body.block
        operands: list[tuple[Node, SSAValue]] = []
        for number, argument in enumerate(block.args):
            feed = self._add(NodeKind.FEED, "dfg.graph", self.op.location)
            feed.value = number
            feed.result_types = (self._text(argument.type),)
            feed.scalar_types = (scalar_type(argument.type),)
            self.refs[argument] = (feed.id, 0)
        for op in block.ops:
            if isinstance(op, dfg.FetchOp):
                for number, value in enumerate(op.values):
                    fetch = self._add(NodeKind.FETCH, op.name, op.location)
                    fetch.value = number
                    operands.append((fetch, value))
            else:
                node = self._node(op)
                operands.extend((node, value) for value in op.operands)
        for node, value in operands:
            node.inputs.append(self.refs[value])
        kinds = (NodeKind.FEED, NodeKind.FETCH)
        feeds, fetches = ([node.id for node in self.nodes if node.kind == k] for k in kinds)
        graph = Graph(self.nodes, self.frames, feeds, fetches, self.op.device.data)
        graph.feed_numbers = list(self.op.feeds.get_values())
        graph.fetch_numbers = list(self.op.fetches.get_values())
        return graph.connect()

    def _add(self, kind: NodeKind, name: str, location: LocationAttr) -> Node:
        node = Node(len(self.nodes), kind, name, location=location)
        self.nodes.append(node)
        return node

    def _text(self, type: Attribute) -> str:
        text = self.type_texts.get(type)
        if text is None:
            text = self.type_texts[type] = str(type)
        return text

    def _node(self, op: Operation) -> Node:
        from .fuse.scalars import scalar_op, scalar_type
        from .kernels import kernel_for

        node = self._add(KINDS.get(type(op), NodeKind.OP), op.name, op.location)
        if op.operands:
            node.frame = self._frame(value_frame(op.operands[0], self.paths))
        node.result_types = tuple(self._text(result.type) for result in op.results)
        node.scalar_types = tuple(scalar_type(result.type) for result in op.results)
        for number, result in enumerate(op.results):
            self.refs[result] = (node.id, number)
        if isinstance(op, dfg.EnterOp):
            node.kind = NodeKind.ENTER if op.constant is None else NodeKind.CONST_ENTER
            node.label = op.frame.data
            node.child = self._frame(self.paths[op])
        elif isinstance(op, dfg.TokenOp):
            node.value = TOKEN
        elif isinstance(op, dfg.ProbeOp):
            node.label = op.label.data
        elif isinstance(op, dfg.SendOp | dfg.RecvOp):
            node.channel = op.channel.value.data
            node.label = op.target.data if isinstance(op, dfg.SendOp) else op.source.data
            node.ship_dead = op.ship_dead is not None
        elif isinstance(op, dfg.LoopCondOp):
            self._govern(node, op)
        elif node.kind == NodeKind.OP:
            node.kernel = kernel_for(op, self.scope)
            node.scalar_op = scalar_op(op)
            if op.name == "stablehlo.constant":
                node.kind, node.value, node.kernel = NodeKind.CONST, node.kernel(), None
        return node

    def _frame(self, path: Frame) -> int:
        """The index of a frame; its enter may come later in the text than what is in it."""
        if path in self.indices:
            return self.indices[path]
        for depth in range(1, len(path) + 1):
            outer = path[:depth]
            if outer not in self.indices:
                index = self.indices[outer] = len(self.frames)
                parent = self.indices[outer[:-1]]
                self.frames.append(FrameInfo(index, outer[-1], parent, outer))
        return self.indices[path]

    def _govern(self, node: Node, op: dfg.LoopCondOp) -> None:
        info = self.frames[node.frame]
        info.loop_cond, info.location = node.id, op.location
        if op.parallel_iterations is not None:
            info.parallel_iterations = op.parallel_iterations.value.data
        if op.trip_bound is not None:
            info.trip_bound = op.trip_bound.value.data
