"""Who meets whom in a program on several devices: what its graphs say, before any run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .graph import Graph, Node, NodeKind

Names = tuple[str, ...]
"""The names of a frame and the frames around it, outermost first."""


@dataclass
class Routes:
    """What a program's graphs say of who meets whom, known before any run."""

    channels: dict[int, tuple[str, str]]
    """Channel -> the devices that send and receive."""
    receivers: dict[str, dict[Names, tuple[str, ...]]]
    """Device -> frame -> who receives from it there or deeper in."""
    senders: dict[str, dict[Names, tuple[str, ...]]]
    paths: dict[str, dict[str, list[Names]]]
    """Device -> a frame's name -> the frames of that name."""
    ends: dict[tuple[str, int], Node]
    """(device, channel) -> the node that sends or receives there."""
    graphs: dict[str, Graph]
    links: dict[tuple[str, str], tuple[float, float | None]] = field(
        default_factory=dict[tuple[str, str], tuple[float, "float | None"]]
    )
    """Simulated ways from device to device: seconds of latency, bytes per second. Messages of
    other pairs take no time."""

    @classmethod
    def of(cls, graphs: Sequence[Graph]) -> Routes:
        """From graphs as they were before anything was fused."""
        routes = cls({}, {}, {}, {}, {}, {graph.device: graph for graph in graphs})
        for graph in graphs:
            device = graph.device
            frames = graph.frames[1:]
            routes.receivers[device] = {info.path: info.receivers for info in frames}
            routes.senders[device] = {info.path: info.senders for info in frames}
            names = routes.paths[device] = {}
            for info in frames:
                names.setdefault(info.name, []).append(info.path)
            for node in graph.nodes:
                if node.kind == NodeKind.SEND:
                    routes.channels[node.channel] = (device, node.label)
                elif node.kind == NodeKind.RECV:
                    routes.channels.setdefault(node.channel, (node.label, device))
                else:
                    continue
                routes.ends[device, node.channel] = node
        return routes

    def frame_of(self, device: str, channel: int) -> Names:
        """The frame of a channel's end."""
        graph = self.graphs[device]
        return graph.frames[self.ends[device, channel].frame].path
