"""Tokens on their way: delivery inside an iteration, and the life of iterations and frames.

The half of the propagator (`runtime/propagator.py` says what it is) that knows frames; the other
half knows what each kind of node does with its inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappush
from typing import Any

from .frames import DEAD, Frame, Iteration, Ledger
from .graph import Graph
from .layout import Layout, Outlet, Step
from .reports import RunError, two_live


class Delivery:
    """Takes tokens to the nodes they are for; nodes that can fire gather in their iterations."""

    def __init__(
        self,
        graph: Graph,
        layout: Layout,
        parallel_iterations: int | None,
        ledger: Ledger | None = None,
    ):
        self.graph = graph
        self.layout = layout
        self.ledger = ledger
        self.window = parallel_iterations
        """For every frame, instead of what each says itself."""
        self.may_open: Callable[[Frame], bool] | None = None
        """Asked before an iteration begins beside others of its frame; `reopen` follows a no."""
        self.finished = False
        self.heap: list[tuple[tuple[int, ...], Iteration]] = []
        """Iterations with ready nodes, oldest first."""
        self.root = self.open_frame(0, None).oldest
        if not self.root.state[0]:
            self.finished = True  # a graph without nodes, of a program without results

    def queue(self, iteration: Iteration, entry: int) -> None:
        """Makes a node ready (dead if `entry` is negative)."""
        if not iteration.queued:
            iteration.queued = True
            heappush(self.heap, (iteration.key, iteration))
        iteration.ready.append(entry)

    def deliver(self, iteration: Iteration, outlet: Outlet, value: Any) -> None:
        """A live token."""
        state = iteration.state
        for local, slot in outlet.plain:
            state[slot] = value
            pending = state[local] - 2
            state[local] = pending
            if pending < 2:
                self.queue(iteration, -local if pending else local)
        for local, number in outlet.merges:
            self.merge_live(iteration, local, number, value)

    def deliver_dead(self, iteration: Iteration, outlet: Outlet) -> None:
        """A dead token."""
        state = iteration.state
        for local, _ in outlet.plain:
            pending = (state[local] - 2) | 1
            state[local] = pending
            if pending == 1:
                self.queue(iteration, -local)
        for local, _ in outlet.merges:
            state[local] -= 2
            if not state[local]:
                if not state[iteration.frame.layout.steps[local].base + 2]:
                    self.queue(iteration, -local)
                self.count(iteration)

    def merge_live(self, iteration: Iteration, local: int, number: int, value: Any) -> None:
        """A live token for a merge: the first fires it, a second is the user's error."""
        state = iteration.state
        step = iteration.frame.layout.steps[local]
        base = step.base
        if state[base + 2]:
            raise two_live(self.graph, step.node, iteration, state[base + 1], number)
        state[base], state[base + 1], state[base + 2] = value, number, True
        self.queue(iteration, local)
        state[local] -= 2
        if not state[local]:
            self.count(iteration)

    def count(self, iteration: Iteration) -> None:
        """One thing less remains to happen in an iteration."""
        state = iteration.state
        state[0] -= 1
        if not state[0]:
            self.retire(iteration)

    # Frames.

    def open_frame(self, index: int, parent: Iteration | None) -> Frame:
        """A new instance of a frame, with its iteration 0."""
        layout = self.layout.frames[index]
        info = layout.info
        meets = info.receivers or info.senders
        window = self.window or info.parallel_iterations
        return Frame(layout, parent, window, self.ledger if meets else None)

    def child(self, iteration: Iteration, index: int) -> Frame:
        """The instance of a frame in a parent iteration; opened when first asked for."""
        children = iteration.children
        if children is None:
            children = iteration.children = {}
        frame = children.get(index)
        if frame is None:
            frame = children[index] = self.open_frame(index, iteration)
        return frame

    def enter_constant(self, frame: Frame, outlet: Outlet, value: Any) -> None:
        """Delivers to the live iterations, and through the template to all later ones."""
        template = frame.template
        for local, slot in outlet.plain:
            pending = template[local] - 2
            if value is DEAD:
                pending |= 1
            else:
                template[slot] = value
            template[local] = pending
            if pending < 2:
                frame.initial.append(-local if pending else local)
        at: Iteration | None = frame.oldest
        first = frame.oldest
        while at is not None:
            if value is DEAD:
                self.deliver_dead(at, outlet)
            else:
                self.deliver(at, outlet, value)
            at = at.next
        self.count(first)

    def next_iteration(self, iteration: Iteration, step: Step, value: Any) -> None:
        """A live next_iteration: starts the next iteration unless the window is full."""
        target = iteration.next
        if target is None:
            frame = iteration.frame
            if frame.live >= frame.window or not self._opens(frame):
                frame.deferred.append((step, value))
                return
            target = self.open_iteration(frame)
        self.deliver(target, step.outlets[0], value)

    def open_iteration(self, frame: Frame) -> Iteration:
        """Adds an iteration, with the constants entered so far, and what waited for it."""
        last = frame.newest
        number = last.number + 1
        key = (*frame.parent_key, number, frame.layout.info.index)
        fresh = Iteration(frame, number, key, frame.template.copy())
        last.next = frame.newest = fresh
        frame.live += 1
        if frame.initial:
            for entry in frame.initial:
                self.queue(fresh, entry)
        if frame.deferred:
            deferred, frame.deferred = frame.deferred, []
            for step, value in deferred:
                self.deliver(fresh, step.outlets[0], value)
        if last.dead_next:
            for step in last.dead_next:
                self.deliver_dead(fresh, step.outlets[0])
        return fresh

    def _opens(self, frame: Frame) -> bool:
        return self.may_open is None or not frame.live or self.may_open(frame)

    def reopen(self, frame: Frame) -> None:
        """Begins the iteration that `may_open` held back, if it waits still."""
        if frame.deferred and frame.live < frame.window:
            self.open_iteration(frame)

    def exit(self, iteration: Iteration, step: Step, value: Any) -> None:
        """A live exit: leaves at once, and only once."""
        frame = iteration.frame
        if step.local in frame.delivered:
            raise RunError(
                "expected one live value in a frame's life, got a second one",
                step.node,
                iteration.path(),
                self.graph.device,
            )
        frame.delivered.add(step.local)
        assert frame.parent is not None
        self.deliver(frame.parent, step.outlets[0], value)
        self.count(iteration)

    def retire(self, iteration: Iteration) -> None:
        """Drops complete iterations, from the oldest on, and frames that ended, inside out."""
        at: Iteration | None = iteration
        while at is not None:
            frame = at.frame
            if frame.oldest is not at or at.state[0]:
                return
            parent = frame.parent
            if parent is None:
                self.finished = True
                return
            ledger = frame.ledger
            if ledger is not None:
                if not ledger.may_retire(at):
                    return
                ledger.retired(frame, at.number + 1)
            frame.live -= 1
            if frame.deferred and self._opens(frame):
                self.open_iteration(frame)
            if at.next is not None:
                frame.oldest = at = at.next
                continue
            self.close_frame(frame, parent)
            parent.state[0] -= 1
            at = None if parent.state[0] else parent

    def close_frame(self, frame: Frame, parent: Iteration) -> None:
        """Sends the dead exits and forgets the frame."""
        if frame.ledger is not None:
            frame.ledger.closed(frame)
        for step in frame.layout.exits:
            if step.local not in frame.delivered:
                self.deliver_dead(parent, step.outlets[0])
        assert parent.children is not None
        del parent.children[frame.layout.info.index]
        # Frame and iteration refer to each other: without this, what the frame captured would live
        # until the garbage collector comes.
        frame.template = []
