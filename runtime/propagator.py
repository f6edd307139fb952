"""The tagged-token state machine: which node may fire, and what its firing makes ready.

No I/O, no threads, no clock: a driver asks for ready nodes and fires them (`runtime/engine/`).
Every node fires exactly once per iteration of its frame, live or dead:

* a dead input makes an ordinary node dead, once all its inputs are there; its kernel does not run;
* a merge fires on its first live input, and dead when all are dead;
* an enter starts its frame's iteration 0; a constant enter reaches all iterations, by the
  template that new ones copy; a next_iteration reaches the next one, or waits for the window; a
  dead one starts none;
* a live exit leaves at once; when its frame ends, an exit that never was live leaves dead.

An iteration is complete when nothing in it remains to happen and the one before it is gone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from functools import partial
from heapq import heappop
from typing import Any, Protocol

import numpy as np

from .channels import Channels, Key, LoopBack
from .delivery import Delivery
from .dispatch import fast_ops, run_ready
from .frames import DEAD, Iteration, Ledger, Meter
from .graph import Graph, NodeKind
from .kernels import needs_tag, reusing
from .layout import Layout, Step
from .reports import dead_fetch, kernel_error, no_progress, trip_bound_error
from .suspended import Suspended
from .waits import WAITS, Job, Link, Wait

Probe = Callable[[str, tuple[Any, ...]], None]


class Host(Protocol):
    """What a driver of several devices gives each propagator."""

    @property
    def ledger(self) -> Ledger:
        """What holds back iterations."""
        ...

    @property
    def pooled(self) -> bool:
        """Whether heavy kernels go to `submit`."""
        ...

    def submit(self, iteration: Iteration, step: Step, inputs: list[Any]) -> None:
        """Runs a node's kernel elsewhere; `complete` follows later."""
        ...

    def wait(self, suspended: Suspended, wait: Wait) -> None:
        """Puts a fused node back among the suspended when what it waits for is there."""
        ...

    def link(self, iteration: Iteration, step: Step) -> Link:
        """What a fused node meets other devices by."""
        ...


class Propagator(Delivery):
    """One run of one graph; `results` holds the fetched values once `finished`."""

    def __init__(
        self,
        graph: Graph,
        feeds: Sequence[Any],
        *,
        parallel_iterations: int | None = None,
        channels: Channels | None = None,
        probe: Probe | None = None,
        seed: int = 0,
        host: Host | None = None,
    ):
        ledger = None if host is None else host.ledger
        super().__init__(graph, layout_of(graph), parallel_iterations, ledger)
        self.host = host
        self.meter: Meter | None = None
        self.feeds = feeds
        self.seed = seed
        self.channels: Channels = LoopBack() if channels is None else channels
        self.probe = probe
        self.results: list[Any] = [None] * len(graph.fetches)
        self.suspended: deque[Suspended] = deque()
        self.awaiting: dict[tuple[Iteration, Step], Key] = {}
        self._start()

    # What drivers call.

    def run(self, budget: int) -> int:
        """Fires up to `budget` nodes, oldest iteration first; how many, 0 when none is ready.

        Nodes that suspend themselves are the driver's to `resume`.
        """
        return run_ready(self, budget)

    def pop(self) -> tuple[Iteration, int] | None:
        """Takes the next ready node: its iteration and its entry for `fire`."""
        if not self.heap:
            return None
        iteration = self.heap[0][1]
        entry = iteration.ready.pop()
        if not iteration.ready:
            iteration.queued = False
            heappop(self.heap)
        return iteration, entry

    def pop_all(self) -> list[tuple[Iteration, int]]:
        """Takes every node that is ready now."""
        ready: list[tuple[Iteration, int]] = []
        while self.heap:
            iteration = heappop(self.heap)[1]
            iteration.queued = False
            ready.extend((iteration, entry) for entry in iteration.ready)
            iteration.ready.clear()
        return ready

    def step_of(self, iteration: Iteration, entry: int) -> Step:
        """The node of a ready entry."""
        return iteration.frame.layout.steps[abs(entry)]

    def fire(self, iteration: Iteration, entry: int) -> None:
        """Fires a ready node, its kernel included."""
        step = iteration.frame.layout.steps[abs(entry)]
        if entry < 0:
            self._fire_dead(iteration, step)
        elif step.kind == NodeKind.OP:
            inputs = self.begin(iteration, step)
            if step.node.heavy and self.host is not None and self.host.pooled:
                self.host.submit(iteration, step, inputs)
            else:
                self.complete(iteration, step, self.call(iteration, step, inputs))
        else:
            self._fire_live(iteration, step)

    def begin(self, iteration: Iteration, step: Step) -> list[Any]:
        """Takes a live node's inputs; `complete` must follow, at any time."""
        state = iteration.state
        base, end = step.base, step.base + step.arity
        inputs = state[base:end]
        for slot in range(base, end):
            state[slot] = None
        return inputs

    def complete(self, iteration: Iteration, step: Step, outputs: Any) -> None:
        """Delivers a node's results: the one value, or a tuple when it has not exactly one."""
        outlets = step.outlets
        if len(outlets) == 1:
            self.deliver(iteration, outlets[0], outputs)
        else:
            for outlet, value in zip(outlets, outputs):
                self.deliver(iteration, outlet, value)
        if step.sink:
            self.count(iteration)

    def resume(self) -> None:
        """Runs the first suspended node on; if it suspends itself again, it goes to the end."""
        suspended = self.suspended.popleft()
        iteration, step = suspended.iteration, suspended.step
        try:
            said = suspended.resume()
        except StopIteration as stop:
            outputs = stop.value
            self.complete(iteration, step, outputs[0] if len(step.outlets) == 1 else outputs)
        except Exception as error:
            raise kernel_error(self.graph, step.node, iteration, error) from error
        except KeyboardInterrupt:
            self.suspended.append(suspended)  # for what is said of where the run was
            raise
        else:
            if said.__class__ in WAITS:
                suspended.wait = said
                if self.host is None:
                    self.run_job(suspended, said)
                else:
                    self.host.wait(suspended, said)
            else:
                suspended.position = said
                self.suspended.append(suspended)

    def run_job(self, suspended: Suspended, job: Wait) -> None:
        """A job where there is nobody else to run it."""
        assert isinstance(job, Job), "a fused loop waits for devices that this run has not"
        try:
            suspended.reply = job.kernel(*job.arguments)
        except Exception as error:
            suspended.error = error
        self.suspended.append(suspended)

    def check_progress(self) -> None:
        """For a driver that found nothing to fire and expects no message: an error unless
        finished."""
        if not self.finished:
            raise no_progress(self)

    def close(self) -> None:
        """Ends a run early."""
        for suspended in self.suspended:
            suspended.generator.close()

    def _start(self) -> None:
        for step in self.layout.frames[0].steps[1:]:
            if not step.node.inputs:
                self.queue(self.root, step.local)

    def call(self, iteration: Iteration, step: Step, inputs: list[Any]) -> Any:
        """A node's kernel, of the inputs that `begin` gave."""
        kernel = step.node.kernel
        assert kernel is not None
        try:
            if needs_tag(kernel):
                kernel = partial(kernel, (self.seed, *iteration.numbers))
            else:
                kernel = reusing(kernel, inputs)
            if self.meter is not None:
                return self.meter.run_kernel(step, kernel, inputs)
            return kernel(*inputs)
        except Exception as error:
            raise kernel_error(self.graph, step.node, iteration, error) from error

    def _fire_live(self, iteration: Iteration, step: Step) -> None:
        state = iteration.state
        kind = step.kind
        base = step.base
        node = step.node
        if kind == NodeKind.SWITCH:
            value, predicate = self.begin(iteration, step)
            try:
                taken = state[base + 1] = bool(predicate)
            except ValueError as error:
                raise kernel_error(self.graph, node, iteration, error) from error
            self.deliver(iteration, step.outlets[taken], value)
            self.deliver_dead(iteration, step.outlets[not taken])
            if step.sink:
                self.count(iteration)
        elif kind == NodeKind.LOOP_MERGE:
            (value,) = self.begin(iteration, step)
            number = iteration.number > 0
            if self.graph.nodes[node.inputs[0][0]].kind == NodeKind.NEXT_ITERATION:
                number = not number
            self.complete(iteration, step, (value, np.int32(number)))
        elif kind == NodeKind.MERGE:
            number = np.int32(state[base + 1])
            (value,) = self.begin(iteration, step)
            self.complete(iteration, step, (value, number))
        elif kind == NodeKind.NEXT_ITERATION:
            (value,) = self.begin(iteration, step)
            self.next_iteration(iteration, step, value)
            self.count(iteration)
        elif kind == NodeKind.LOOP_COND:
            (value,) = self.begin(iteration, step)
            bound = iteration.frame.layout.info.trip_bound
            if bound is not None and iteration.number >= bound and value:
                raise trip_bound_error(self.graph, node, iteration, bound)
            self.complete(iteration, step, value)
        elif kind == NodeKind.ENTER:
            (value,) = self.begin(iteration, step)
            first = self.child(iteration, node.child).oldest
            self.deliver(first, step.outlets[0], value)
            self.count(first)
        elif kind == NodeKind.CONST_ENTER:
            (value,) = self.begin(iteration, step)
            self.enter_constant(self.child(iteration, node.child), step.outlets[0], value)
        elif kind == NodeKind.EXIT:
            (value,) = self.begin(iteration, step)
            self.exit(iteration, step, value)
        elif kind == NodeKind.FETCH:
            self.results[node.value] = self.begin(iteration, step)[0]
            self.count(iteration)
        else:
            self._fire_source(iteration, step)

    def _fire_source(self, iteration: Iteration, step: Step) -> None:
        kind, node = step.kind, step.node
        if kind == NodeKind.FEED:
            self.complete(iteration, step, self.feeds[node.value])
        elif kind in (NodeKind.CONST, NodeKind.TOKEN):
            self.complete(iteration, step, node.value)
        elif kind == NodeKind.PROBE:
            *values, token = self.begin(iteration, step)
            if self.probe is not None:
                self.probe(node.label, tuple(values))
            self.complete(iteration, step, token)
        elif kind == NodeKind.SEND:
            (value,) = self.begin(iteration, step)
            self.channels.send((node.channel, iteration.numbers), value)
            self.count(iteration)
        elif kind == NodeKind.RECV:
            self.begin(iteration, step)
            self._receive(iteration, step)
        else:
            assert kind == NodeKind.FUSED
            generator = self._started(iteration, step, self.begin(iteration, step))
            self.suspended.append(Suspended(iteration, step, generator))

    def _started(
        self, iteration: Iteration, step: Step, inputs: list[Any]
    ) -> Generator[Any, Any, Any]:
        """A fused node's generator; a link comes first, then a tag."""
        kernel = step.node.kernel
        assert kernel is not None
        first: list[Any] = []
        if getattr(kernel, "needs_link", False):
            assert self.host is not None, "a fused loop meets devices that this run has not"
            first.append(self.host.link(iteration, step))
        if needs_tag(kernel):
            first.append((self.seed, *iteration.numbers))
        try:
            return kernel(*first, *inputs)
        except Exception as error:
            raise kernel_error(self.graph, step.node, iteration, error) from error

    def _fire_dead(self, iteration: Iteration, step: Step) -> None:
        kind, node = step.kind, step.node
        self.begin(iteration, step)
        if kind == NodeKind.NEXT_ITERATION:
            if iteration.next is not None:
                self.deliver_dead(iteration.next, step.outlets[0])
            elif iteration.dead_next is None:
                iteration.dead_next = [step]
            else:
                iteration.dead_next.append(step)
        elif kind == NodeKind.ENTER:
            first = self.child(iteration, node.child).oldest
            self.deliver_dead(first, step.outlets[0])
            self.count(first)
        elif kind == NodeKind.CONST_ENTER:
            self.enter_constant(self.child(iteration, node.child), step.outlets[0], DEAD)
        elif kind == NodeKind.FETCH:
            raise dead_fetch(self, step)
        elif kind == NodeKind.RECV and node.ship_dead:
            self._receive(iteration, step)
            return
        elif kind == NodeKind.SEND and node.ship_dead:
            self.channels.send((node.channel, iteration.numbers), DEAD)
        elif kind != NodeKind.EXIT:
            for outlet in step.outlets:
                self.deliver_dead(iteration, outlet)
        if step.sink:
            self.count(iteration)

    def _receive(self, iteration: Iteration, step: Step) -> None:
        key = (step.node.channel, iteration.numbers)
        self.awaiting[(iteration, step)] = key

        def received(value: Any) -> None:
            del self.awaiting[(iteration, step)]
            if value is DEAD:
                self.deliver_dead(iteration, step.outlets[0])
                if step.sink:
                    self.count(iteration)
            else:
                self.complete(iteration, step, value)

        self.channels.recv(key, received)


def layout_of(graph: Graph) -> Layout:
    """The graph's tables, made at its first run."""
    if graph.layout is None:
        layout = Layout(graph)
        for frame in layout.frames:
            frame.ops = fast_ops(frame)
        graph.layout = layout
    return graph.layout
