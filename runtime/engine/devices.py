"""The engine for programs on many devices of one process, with no central control.

Each device runs its own graph with its own propagator and meets the others only at sends and
receives. Devices that are not worth a thread share an event loop (`loops.py`): one for all by
default. A run keeps all its state to itself, so several runs of one program may overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Thread
from time import perf_counter
from typing import Any

import numpy as np

from ..exchange import Mailbox
from ..graph import Graph
from ..memory import Budgets, MemoryBudget
from ..memory_report import memory_error
from ..propagator import Probe, Propagator
from ..providers import Provider
from ..routes import Routes
from ..stats import Stats
from ..stuck import late_error, lost_message, stuck_error
from ..trace import Trace
from .clock import Clock, RealClock
from .device import Device, WatchedDevice
from .local import PROGRESS, Order, Progress
from .loops import EventLoop, Late, RunState, Stuck, spread
from .memory_device import MemoryDevice, MemoryMailbox
from .ordered import run_in_order
from .simulated import SimulatedDevice


@dataclass
class DeviceProgram:
    """The graphs of a program, one per device, ready to run many times."""

    graphs: list[Graph]
    routes: Routes
    executors: int = 1
    """Event loops, each with a thread; the caller's is the first."""
    own: tuple[str, ...] = ()
    """Devices with an event loop of their own."""
    providers: Mapping[str, Provider] = field(default_factory=dict[str, Provider])
    make_clock: Callable[[], Clock] = RealClock
    budgets: Budgets = field(default_factory=dict[str, MemoryBudget])


@dataclass
class Options:
    """Of one run; `runtime/engine/local.py` says what they mean."""

    parallel_iterations: int | None = None
    deadline: float | None = None
    stats: Stats | None = None
    trace: Trace | None = None
    probe: Probe | None = None
    order: Order | None = None
    progress: Progress | None = None
    seed: int = 0


def run_devices(
    program: DeviceProgram, feeds: Sequence[Sequence[Any]], options: Options
) -> list[list[Any]]:
    """Runs every graph once; each one's fetches, in order. `feeds`: those of each graph."""
    return _Run(program, feeds, options).run()


class _Run:
    def __init__(self, program: DeviceProgram, feeds: Sequence[Sequence[Any]], options: Options):
        self.program = program
        self.options = options
        self.clock = program.make_clock()
        end = None if options.deadline is None else perf_counter() + options.deadline
        self.state = RunState(len(program.graphs), self.clock, end)
        self.loops: list[EventLoop] = []
        self.devices: list[Device] = []
        self._next_progress = perf_counter() + PROGRESS
        names = [graph.device for graph in program.graphs]
        graphs = dict(zip(names, zip(program.graphs, feeds, strict=True), strict=True))
        executors, own = program.executors, program.own
        if options.order is not None or self.clock.virtual:
            executors, own = 1, ()
        for group in spread(names, executors, own):
            loop = EventLoop(self.state)
            self.loops.append(loop)
            for name in group:
                self.devices.append(self._device(loop, name, len(group) > 1, *graphs[name]))
        self.state.loops = self.loops
        mailboxes = {device.name: device.mailbox for device in self.devices}
        for device in self.devices:
            device.mailbox.peers = mailboxes
        if options.progress is not None:
            self.loops[0].look = self._report

    def _device(
        self, loop: EventLoop, name: str, pooled: bool, graph: Graph, feeds: Sequence[Any]
    ) -> Device:
        options, provider = self.options, self.program.providers.get(name)
        budget, budgets = self.program.budgets.get(name), self.program.budgets
        stats = None if options.stats is None else options.stats.of_device(name)
        if budget is not None:
            mailbox = MemoryMailbox(name, self.program.routes, loop, budgets)
            at_once = options.order is not None
            device = MemoryDevice(mailbox, loop, budget, stats, options.trace, at_once=at_once)
            device.begin_job = self._begin_job
        else:
            mailbox = Mailbox(name, self.program.routes, loop)
            device = self._plain_device(loop, mailbox, provider, stats, pooled)
        make = Propagator if stats is None else stats.propagator
        device.core = make(
            graph,
            feeds,
            parallel_iterations=options.parallel_iterations,
            channels=mailbox,
            probe=options.probe,
            seed=options.seed,
            host=device,
        )
        if isinstance(device, MemoryDevice):
            device.attach(device.core, options.probe)
        loop.add(device)
        return device

    def _plain_device(
        self,
        loop: EventLoop,
        mailbox: Mailbox,
        provider: Provider | None,
        stats: Stats | None,
        pooled: bool,
    ) -> Device:
        options = self.options
        if provider is not None and provider.serial and options.order is None:
            device = SimulatedDevice(mailbox, loop, provider, stats, options.trace)
        elif stats is not None or options.trace is not None:
            now = loop.now if self.clock.virtual else perf_counter
            device = WatchedDevice(mailbox, loop, stats, options.trace, now)
        else:
            # What the pool does takes real time.
            pooled = pooled and options.order is None and not self.clock.virtual
            device = Device(mailbox, loop, pooled=pooled)
            device.begin_job = self._begin_job
        return device

    def _begin_job(self) -> None:
        with self.state.lock:
            self.state.jobs += 1

    def run(self) -> list[list[Any]]:
        started = self.clock.now()
        try:
            if self.options.order is None:
                self._serve()
            else:
                with np.errstate(all="ignore"):
                    run_in_order(self.state, self.loops[0], self.options.order)
            # Before the loops are closed: reports tell where they are.
            self._check()
        except KeyboardInterrupt as interrupt:
            interrupt.add_note(f"interrupted: {self._position()}")
            raise
        finally:
            for device in self.devices:
                device.close()
        if self.options.stats is not None:
            self.options.stats.gather(self.clock.now() - started)
        results = {device.name: device.core.results for device in self.devices}
        return [results[graph.device] for graph in self.program.graphs]

    def _serve(self) -> None:
        threads = [
            Thread(target=_serve_loop, args=(loop,), name=f"anabranch-loop-{number}", daemon=True)
            for number, loop in enumerate(self.loops[1:], 1)
        ]
        for thread in threads:
            thread.start()
        try:
            _serve_loop(self.loops[0])
        except BaseException as error:
            self.state.stop(error)
            raise
        finally:
            for thread in threads:
                thread.join()

    def _check(self) -> None:
        """Raises what ended the run early."""
        error = self.state.error
        if isinstance(error, Stuck):
            out_of_memory = memory_error(self.devices)
            if out_of_memory is not None:
                raise out_of_memory
            raise stuck_error(self.devices, self.program.routes)
        if isinstance(error, Late):
            assert self.options.deadline is not None
            raise late_error(self.devices, self.options.deadline)
        if error is not None:
            raise error
        for loop in self.loops:
            loop.drain()
        for device in self.devices:
            lost = lost_message(device, self.program.routes)
            if lost is not None:
                raise lost

    def _position(self) -> str:
        return "; ".join(
            f"{device.name}: {device.position}"
            for device in self.devices
            if not device.core.finished
        )

    def _report(self) -> None:
        now = perf_counter()
        progress = self.options.progress
        if progress is not None and now >= self._next_progress:
            self._next_progress = now + PROGRESS
            fired = sum(device.fired for device in self.devices)
            # The first loop's devices: another thread may be at work on the others.
            device = max(self.loops[0].devices, key=lambda device: device.fired)
            progress(fired, device.position)


def _serve_loop(loop: EventLoop) -> None:
    with np.errstate(all="ignore"):
        loop.run()
