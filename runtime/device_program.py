"""From a `dfg.program` of several graphs to something that runs: the part of `executable.py` for
many devices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..dialects.dfg import ProgramOp
from ..dialects.plan.topology import SIMULATED, topology_of
from ..passes.channels.ends import checked_channels
from .costs import mark_heavy
from .engine.clock import Clock, RealClock, VirtualClock
from .engine.devices import DeviceProgram, Options, run_devices
from .engine.loops import spread
from .fuse import ProgramChannels, fuse_frames
from .graph import Graph, load_graph
from .kept_memory import keep_freed_memory
from .memory import EVERY, Budgets, MemoryBudget
from .providers import Provider, Simulated
from .routes import Routes

ClockName = Literal["real", "virtual"]


@dataclass(frozen=True)
class DeviceOptions:
    """How the devices of a program are run."""

    executors: int = 1
    """Threads that serve devices."""
    own: tuple[str, ...] = ()
    """Devices with a thread of their own."""
    providers: Mapping[str, Provider] = field(default_factory=dict[str, Provider])
    clock: ClockName = "real"
    links: Mapping[tuple[str, str], tuple[float, float | None]] = field(
        default_factory=dict[tuple[str, str], tuple[float, "float | None"]]
    )
    """Simulated ways between devices (`Routes.links`)."""
    memory: Budgets = field(default_factory=dict[str, MemoryBudget])
    """Memory budgets; under "*" that of every device without one of its own."""

    def with_topology(self, module: Operation | None) -> DeviceOptions:
        """Adds what the module's `plan.topology` says of devices and of simulated links; what was
        given otherwise stays."""
        topology = topology_of(module) if isinstance(module, ModuleOp) else None
        if topology is None:
            return self
        own = list(self.own)
        providers = dict(self.providers)
        memory = dict(self.memory)
        for device in topology.devices:
            name = device.device_name.data
            if device.has_own_thread and name not in own:
                own.append(name)
            if device.memory_bytes is not None and device.kind_name != SIMULATED:
                memory.setdefault(name, MemoryBudget(device.memory_bytes))
            if device.kind_name == SIMULATED and name not in providers:
                times = device.op_seconds
                providers[name] = Simulated(times, times.pop("default", 0.0))
        simulated = [name for name, provider in providers.items() if provider.serial]
        links: dict[tuple[str, str], tuple[float, float | None]] = {}
        for source in topology.devices:
            for target in topology.devices:
                pair = source.device_name.data, target.device_name.data
                link = topology.link(*pair)
                if link is not None and any(name in simulated for name in pair):
                    links[pair] = link.latency_seconds, link.bytes_per_second
        return replace(self, own=tuple(own), providers=providers, links=links, memory=memory)

    def of(self, devices: Sequence[str]) -> DeviceOptions:
        """For these devices only; a budget for all is for those that are not simulated."""
        providers = {k: v for k, v in self.providers.items() if k in devices}
        own = tuple(name for name in self.own if name in devices)
        every = self.memory.get(EVERY)
        real = [name for name in devices if not self._is_simulated(name)]
        memory = {} if every is None else dict.fromkeys(real, every)
        memory |= {k: v for k, v in self.memory.items() if k in devices}
        return replace(self, own=own, providers=providers, memory=memory)

    def check(self) -> None:
        """Raises ValueError for what cannot be."""
        if self.executors < 1:
            raise ValueError(f"executors must be at least 1, got {self.executors}")
        if self.clock not in ("real", "virtual"):
            raise ValueError(f"clock must be 'real' or 'virtual', got {self.clock!r}")

    def check_devices(self, devices: Iterable[str], module: Operation | None) -> None:
        """Raises ValueError for what is about other devices than these and the topology's, or does not
        fit them."""
        topology = topology_of(module) if isinstance(module, ModuleOp) else None
        there = () if topology is None else [op.device_name.data for op in topology.devices]
        devices = list(dict.fromkeys([*devices, *there]))
        _check_names("providers", self.providers, devices)
        _check_names("own", self.own, devices)
        _check_names("memory", self.memory, [*devices, EVERY])
        for name in self.memory:
            if self.with_topology(module)._is_simulated(name):
                raise ValueError(
                    f"memory: expected a device that is not simulated, got {name}, which has no budget"
                )

    def _is_simulated(self, name: str) -> bool:
        provider = self.providers.get(name)
        return provider is not None and provider.serial

    @property
    def plain(self) -> bool:
        """Whether a program on one device needs nothing but the engine for one."""
        given = self.own or self.providers or self.memory
        return not given and self.clock == "real"


def device_runner(
    program: ProgramOp, window: int | None, fuse: bool, options: DeviceOptions
) -> Callable[..., list[Any]]:
    """What runs the graphs of a program: arguments and the options of a run -> results."""
    checked_channels(program)  # of programs that nothing has verified
    keep_freed_memory()
    module = program.parent_op()
    graphs = [load_graph(op, module) for op in program.graphs]
    names = [graph.device for graph in graphs]
    options = options.with_topology(module).of(names)
    for graph in graphs:
        provider = options.providers.get(graph.device)
        if provider is not None:
            for node in graph.nodes:
                node.kernel = provider.kernel(node)
        mark_heavy(graph, provider)
    routes = Routes.of(graphs)
    routes.links.update(options.links)
    make_clock: Callable[[], Clock] = RealClock if options.clock == "real" else VirtualClock

    def prepared(graphs: list[Graph]) -> DeviceProgram:
        return DeviceProgram(
            graphs,
            routes,
            options.executors,
            options.own,
            options.providers,
            make_clock,
            options.memory,
        )

    jobs = {graph.device: [node.id for node in graph.nodes if node.heavy] for graph in graphs}
    channels = ProgramChannels(graphs, jobs)
    for group in spread(names, options.executors, options.own):
        if len(group) == 1:
            jobs[group[0]] = []

    def fused(graph: Graph) -> Graph:
        provider = options.providers.get(graph.device)
        if (provider is not None and provider.serial) or graph.device in options.memory:
            return graph
        return fuse_frames(graph, program=channels, jobs=jobs[graph.device], window=window)

    by_node = prepared(graphs)
    by_loop = prepared([fused(graph) for graph in graphs]) if fuse else by_node

    def run(values: list[Any], **asked: Any) -> list[Any]:
        # What is watched node by node must run node by node.
        watched = any(asked[name] is not None for name in ("stats", "trace", "order"))
        feeds = [[values[number] for number in graph.feed_numbers] for graph in graphs]
        fetched = run_devices(
            by_node if watched else by_loop, feeds, Options(parallel_iterations=window, **asked)
        )
        results: dict[int, Any] = {}
        for graph, values_of_graph in zip(graphs, fetched, strict=True):
            results.update(zip(graph.fetch_numbers, values_of_graph, strict=True))
        return [results[number] for number in range(len(results))]

    return run


def _check_names(what: str, given: Sequence[str] | Mapping[str, Any], devices: list[str]) -> None:
    for name in given:
        if name not in devices:
            known = ", ".join(dict.fromkeys(device for device in devices if device != EVERY))
            raise ValueError(f"{what}: expected one of the devices {known}, got {name!r}")
