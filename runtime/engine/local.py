"""The local engine: runs one graph in this thread, kernels inline.

It owns what the propagator must not have: the clock (deadline, progress), NumPy's error state,
and the watching of every single node (stats, trace, an order of firing chosen by a test), which
costs nothing when it is off, since the fast loop then knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic, perf_counter
from typing import Any

import numpy as np

from ..channels import Channels
from ..frames import Iteration
from ..graph import Graph
from ..propagator import Probe, Propagator
from ..reports import deadline_error, loop_position
from ..stats import Stats
from ..suspended import Suspended
from ..trace import Trace

Order = Callable[[Sequence[object]], int]
"""Which of the nodes that are ready fires next, by its position."""
Progress = Callable[[int, str], None]
"""Told now and then how many nodes have fired, and where the loops are."""

SLICE = 0.01
"""Seconds of work between two looks at the clock, about."""
NODES = 512
"""Nodes fired between two looks at most: enough to make looking cheap, and when nodes
that take long follow on many quick ones, not so many that a deadline passes unseen."""
WATCHED_TRIPS = 64
"""Trips of a suspended node at once in a run that is watched."""
PROGRESS = 0.25
"""Seconds between two calls of a progress callback."""


def run_graph(
    graph: Graph,
    feeds: Sequence[Any],
    *,
    parallel_iterations: int | None = None,
    deadline: float | None = None,
    stats: Stats | None = None,
    trace: Trace | None = None,
    probe: Probe | None = None,
    order: Order | None = None,
    progress: Progress | None = None,
    channels: Channels | None = None,
    seed: int = 0,
) -> list[Any]:
    """Runs a graph once; the values of its fetches, in order.

    `feeds`: a value for each of the graph's feeds. `parallel_iterations` overrides the window of
    every loop. `deadline`: seconds after which the run ends with an error that names the busy
    loop. `seed` is what random numbers depend on.
    """
    if parallel_iterations is not None and parallel_iterations < 1:
        raise ValueError(f"expected parallel_iterations of at least 1, got {parallel_iterations}")
    if len(feeds) != len(graph.feeds):
        raise ValueError(f"expected {len(graph.feeds)} feeds, got {len(feeds)}")
    make = Propagator if stats is None else stats.propagator
    core = make(
        graph,
        feeds,
        parallel_iterations=parallel_iterations,
        channels=channels,
        probe=probe,
        seed=seed,
    )
    clock = _Clock(core, deadline, progress)
    try:
        with np.errstate(all="ignore"):
            if order is not None:
                _run_in_order(core, order, clock, stats, trace)
            elif stats is not None or trace is not None:
                _run_watched(core, clock, stats, trace)
            else:
                _run_fast(core, clock)
    except KeyboardInterrupt as interrupt:
        interrupt.add_note(f"interrupted: {loop_position(core)[0]}")
        raise
    finally:
        core.close()
    core.check_progress()
    return core.results


class _Clock:
    """Ends a run at its deadline and reports progress."""

    def __init__(self, core: Propagator, deadline: float | None, progress: Progress | None):
        self.core = core
        self.seconds = deadline
        now = monotonic()
        self.end = None if deadline is None else now + deadline
        self.progress = progress
        self.next_progress = now + PROGRESS
        self.fired = 0

    def look(self, fired: int) -> float:
        """Counts nodes fired; the time."""
        self.fired += fired
        now = monotonic()
        if self.end is not None and now >= self.end and not self.core.finished:
            assert self.seconds is not None
            raise deadline_error(self.core, self.seconds)
        if self.progress is not None and now >= self.next_progress:
            self.next_progress = now + PROGRESS
            self.progress(self.fired, loop_position(self.core)[0])
        return now


def _run_fast(core: Propagator, clock: _Clock) -> None:
    nodes = 1
    before = monotonic()
    while True:
        fired = core.run(nodes)
        if not fired and not core.suspended:
            return
        now = clock.look(fired)
        nodes = min(adapted(nodes, now - before), NODES)
        before = now
        if core.suspended:
            suspended = core.suspended[0]
            core.resume()
            now = clock.look(1)
            suspended.trips = adapted(suspended.trips, now - before)
            before = now


def adapted(amount: int, seconds: float) -> int:
    """How much to do at once, when doing `amount` took so long, to take a slice's time."""
    if seconds < SLICE / 2:
        return amount * 2
    return amount if seconds < SLICE * 2 else max(amount // 4, 1)


def _run_watched(core: Propagator, clock: _Clock, stats: Stats | None, trace: Trace | None) -> None:
    while True:
        ready = core.pop()
        if ready is not None:
            fire_watched(core, ready, stats, trace)
        elif core.suspended:
            resume_watched(core, trace)
        else:
            return
        clock.look(1)


def _run_in_order(
    core: Propagator, order: Order, clock: _Clock, stats: Stats | None, trace: Trace | None
) -> None:
    pool: list[tuple[Iteration, int] | Suspended] = []
    while True:
        pool.extend(core.pop_all())
        pool.extend(core.suspended)
        core.suspended.clear()
        if not pool:
            return
        choice = pool.pop(order(pool))
        if isinstance(choice, Suspended):
            core.suspended.append(choice)
            resume_watched(core, trace)
        else:
            fire_watched(core, choice, stats, trace)
        clock.look(1)


def fire_watched(
    core: Propagator,
    ready: tuple[Iteration, int],
    stats: Stats | None,
    trace: Trace | None,
    now: Callable[[], float] = perf_counter,
) -> None:
    """Fires a node and notes it."""
    iteration, entry = ready
    step = core.step_of(iteration, entry)
    if stats is not None:
        stats.count(step, dead=entry < 0)
    if trace is None:
        core.fire(iteration, entry)
        return
    begin = now()
    try:
        core.fire(iteration, entry)
    finally:
        trace.add(core.graph, step, iteration, begin, now(), dead=entry < 0)


def resume_watched(core: Propagator, trace: Trace | None) -> None:
    """Resumes the first suspended node and notes it."""
    suspended = core.suspended[0]
    suspended.trips = WATCHED_TRIPS
    begin = perf_counter()
    try:
        core.resume()
    finally:
        if trace is not None:
            step, iteration = suspended.step, suspended.iteration
            trace.add(core.graph, step, iteration, begin, perf_counter(), dead=False)
