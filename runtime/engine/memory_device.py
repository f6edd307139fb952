"""A device with a memory budget: fires node by node, and only what fits.

Near the budget, loops begin no trips beside their oldest one, and stacks are swapped to the host
store (`runtime/swapping.py`). A node that does not fit waits until something has left, and so does
a message that does not; whatever else can go on goes on. When nothing can any more, on any device,
the run ends with an error (`runtime/memory_report.py`). A trip begins beside others only if all
that are under way can take what they may need, so success does not depend on the window.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..channels import Key
from ..exchange import Mailbox, Routes
from ..footprints import Footprints
from ..frames import Frame, Iteration
from ..graph import NodeKind
from ..host_store import Done
from ..kernels import reusing
from ..kernels.numpy.containers import add_stacks
from ..layout import Step
from ..memory import MemoryBudget, MemoryMeter, MemoryStats, is_array
from ..propagator import Probe, Propagator
from ..reports import live_frames
from ..stats import Stats
from ..swapping import Swapper
from ..trace import Trace
from ..values import Stack, TensorArray
from .device import Home, WatchedDevice

LOOK = 16
"""Nodes fired between two looks at the memory in use."""


@dataclass(slots=True)
class Parked:
    """A node or a message that waits for memory."""

    iteration: Iteration
    step: Step
    needed: int
    retry: Callable[[], None]


class MemoryDevice(WatchedDevice):
    """Hosts a propagator, and is the meter of it."""

    def __init__(
        self,
        mailbox: MemoryMailbox,
        home: Home,
        budget: MemoryBudget,
        stats: Stats | None,
        trace: Trace | None,
        *,
        at_once: bool = False,
    ):
        super().__init__(mailbox, home, stats, trace)
        self.at_once = at_once
        """Whether transfers are waited for: a driver that chooses what is next needs that."""
        self.budget = budget
        self.meter = MemoryMeter(budget.nbytes)
        self.memory = MemoryStats(budget.nbytes)
        if stats is not None:
            stats.memory = self.memory
        self.swapper = Swapper(budget, self.meter, self, self.memory, at_once=at_once)
        self.parked: list[Parked] = []
        self.postponed: list[Parked] = []
        """Pops and messages that only take memory: for when there is little, and nothing else to
        do."""
        self._taking: set[tuple[Iteration, int]] = set()
        """Pops whose turn has come."""
        self.held: dict[Frame, None] = {}
        """Frames that were told to begin no trip yet."""
        self._promised = budget.nbytes
        """No less than what the trips under way may take: it is worked out when that is too much,
        since it takes a look at all of them."""
        self.footprints: Footprints
        self.mailbox: MemoryMailbox = mailbox
        mailbox.swapper = self.swapper
        mailbox.look = partial(home.enqueue, self)
        self._senders: set[str] = set()
        """The devices whose messages were taken since they were last told of it."""

    def attach(self, core: Propagator, probe: Probe | None) -> None:
        """Takes the propagator that this device hosts."""
        self.core = core
        core.meter = self
        core.may_open = self._may_open
        if probe is not None:
            core.probe = partial(self._probe, probe)
        self.footprints = Footprints(core.graph)
        for feed in core.feeds:
            self.meter.add_argument(feed)
        for node in core.graph.nodes:
            if node.kind == NodeKind.CONST:
                self.meter.add(node.value)

    def turn(self, now: float) -> float:
        """Fires some nodes, and sees to the memory."""
        now = super().turn(now)
        self._settle()
        return now

    def attend(self) -> None:
        """Goes on with what has come from others."""
        super().attend()
        if self.at_once:
            self._settle()

    def fire(self, ready: tuple[Iteration, int]) -> None:
        """Fires a node, or parks it."""
        iteration, entry = ready
        step = self.core.step_of(iteration, entry)
        if entry < 0 or step.kind != NodeKind.OP or self._admit(iteration, step):
            super().fire(ready)
        if self.at_once or not self.fired % LOOK:
            self._settle()

    def close(self) -> None:
        """Ends a run; stacks among its results get all their values, as they are the caller's."""
        super().close()
        if self.core.finished:
            self.core.results[:] = map(self.swapper.unboxed, self.core.results)
        self.memory.peak = self.meter.peak
        self.memory.unswapped = max(self.memory.unswapped, self.meter.peak)
        self.swapper.close()

    # Kernels.

    def run_kernel(self, step: Step, kernel: Callable[..., Any], inputs: list[Any]) -> Any:
        """Runs a kernel and counts what it gives."""
        name = step.node.name
        swapper = self.swapper
        if name == "dcf.stack_push":
            return swapper.push(*inputs)
        if name == "dcf.stack_pop":
            below, top = kernel(*inputs)
            value = swapper.popped(below, top)
            if value is top:
                self.meter.add(value)
            return below, value
        if name == "dcf.stack_add":
            return self._add_stacks(*inputs)
        for number, value in enumerate(inputs):
            if value.__class__ is Stack:
                inputs[number] = swapper.unboxed(value)
        result = kernel(*inputs)
        if name == "dcf.array_write" and isinstance(result, TensorArray):
            more = self.meter.add(result.read(int(inputs[1])))
        elif result.__class__ is tuple:
            more = sum(map(self.meter.add, result))
        else:
            more = self.meter.add(result)
        if self.footprints.learn(step.node, more):
            self._promised = self.meter.budget
        return result

    def _add_stacks(self, lhs: Stack, rhs: Stack) -> Stack:
        """As the kernel does, value by value; what is in the store is read in between."""

        def push(stack: Stack, value: Any) -> Stack:
            self.meter.add(value)
            over = self.meter.live() - self.budget.high * self.meter.budget
            if over > 0:
                self.swapper.make_room(int(over))
            return self.swapper.push(stack, value)

        return add_stacks(lhs, rhs, self.swapper.value_of, push)

    def _probe(self, probe: Probe, label: str, values: tuple[Any, ...]) -> None:
        probe(label, tuple(map(self.swapper.unboxed, values)))

    # Admission.

    def _admit(self, iteration: Iteration, step: Step) -> bool:
        """Whether a node may fire now; if not, it becomes ready again later."""
        ready = partial(self.core.queue, iteration, step.local)
        if step.node.name == "dcf.stack_pop":
            stack = iteration.state[step.base]
            wanted = (iteration, step.local)
            if wanted in self._taking:
                self._taking.remove(wanted)
            elif self._is_tight():
                take = partial(self._take, iteration, step.local)
                self.postponed.append(Parked(iteration, step, 0, take))
                return False
            box = self.swapper.missing(stack)
            if box is None:
                return True
            if not box.loading and not self._room(box.nbytes):
                self._park(Parked(iteration, step, box.nbytes, ready))
                return False
            self.memory.waits += 1
            self.swapper.fetch(box, ready)
            return False
        needed = self.footprints.of_node[step.node.id]
        if not needed or self._room(needed) or self._reuses(iteration, step):
            return True
        self._park(Parked(iteration, step, needed, ready))
        return False

    def _reuses(self, iteration: Iteration, step: Step) -> bool:
        """Whether a node's result takes the place of an operand."""
        kernel = step.node.kernel
        return kernel is not None and reusing(kernel, iteration.state, step.base) is not kernel

    def _take(self, iteration: Iteration, local: int) -> None:
        self._taking.add((iteration, local))
        self.core.queue(iteration, local)

    def _is_tight(self) -> bool:
        return self.meter.live() > self.budget.high * self.meter.budget

    def _park(self, parked: Parked) -> None:
        # Before `_settle` looks for room again: whoever frees some after that says so.
        self.mailbox.starving = True
        self.parked.append(parked)

    def _room(self, needed: int) -> bool:
        """Whether so much fits, after what can leave at once has left."""
        over = self.meter.live() + needed - self.meter.budget
        if over <= 0:
            return True
        self.swapper.make_room(over)
        return self.meter.room(needed)

    def _may_open(self, frame: Frame) -> bool:
        """Whether a trip may begin beside others of its frame."""
        live, budget = self.meter.live(), self.meter.budget
        if live <= self.budget.high * budget:
            needed = self.footprints.of_frame[frame.layout.info.index]
            if live + self._promised + needed > budget:
                self._promised = self._promises() + self.footprints.at_top()
                # Exact here: loops that have not begun ask when they do.
                needed -= self.footprints.at_top()
            if live + self._promised + needed <= budget:
                self._promised += self.footprints.of_frame[frame.layout.info.index]
                return True
        if frame not in self.held:
            self.memory.held_back += 1
            self.held[frame] = None
            self.mailbox.starving = True
        return False

    def _promises(self) -> int:
        """What the trips under way may take."""
        of_frame = self.footprints.of_frame
        total = 0
        for frame in live_frames(self.core.root.frame):
            info = frame.layout.info
            # The parent's trip counts one trip of a frame inside it.
            total += (frame.live - (info.parent > 0)) * of_frame[info.index]
        return total

    def _settle(self) -> None:
        """Has stacks swapped when there is little memory, and goes on with what waits for it."""
        over = self.meter.live() - self.swapper.leaving
        if over > self.budget.high * self.meter.budget:
            self.swapper.make_room(int(self.meter.live() - self.budget.low * self.meter.budget))
        if self.parked:
            self._retry()
        if self.held:
            held, self.held = self.held, {}
            for frame in held:
                if not frame.live or self._may_open(frame):
                    self.core.reopen(frame)
        self.mailbox.starving = bool(self.parked or self.held or self.postponed)
        self.swapper.flush()
        while self.postponed and not self.core.heap and not self.under_way:
            oldest = min(self.postponed, key=lambda parked: parked.iteration.key)
            self.postponed.remove(oldest)
            oldest.retry()
        while self._senders:
            sender = self.mailbox.peers[self._senders.pop()]
            if isinstance(sender, MemoryMailbox) and sender.starving:
                sender.place.post(self.name, sender, sender.look, False)

    def _retry(self) -> None:
        """Goes on with what waits for memory and fits now, oldest iteration first."""
        waiting, self.parked = self.parked, []
        waiting.sort(key=lambda parked: parked.iteration.key)
        promised = 0
        for parked in waiting:
            if self._room(promised + parked.needed):
                promised += parked.needed
                parked.retry()
            else:
                self.parked.append(parked)

    def transfer(self, begin: Callable[[Done], None], end: Done) -> None:
        """Starts a transfer of the swapper's."""

        if self.at_once:
            begin(end)
            return

        def ended(error: Exception | None) -> None:
            self.under_way -= 1
            self.home.enqueue(self)
            end(error)

        self.under_way += 1
        self.begin_job()
        begin(lambda error: self.home.post_action(partial(ended, error), job=True))

    # Messages.

    def receive(self, key: Key, value: Any, callback: Callable[[Any], None]) -> None:
        """A message has come."""
        if is_array(value) and self._is_tight():
            take = partial(self._receive, key, value, callback)
            self.postponed.append(Parked(*self._awaiting(key), 0, take))
        else:
            self._receive(key, value, callback)

    def _receive(self, key: Key, value: Any, callback: Callable[[Any], None]) -> None:
        """A message is taken: it is this device's from now on, so it gets memory of its own."""
        if is_array(value):
            if not self._room(value.nbytes):
                retry = partial(self._receive, key, value, callback)
                self._park(Parked(*self._awaiting(key), value.nbytes, retry))
                return
            value = value.copy()
        # The sender's memory is free once this turn's last reference to the message has gone.
        self._senders.add(self.mailbox.routes.channels[key[0]][0])
        self.meter.add(value)
        super().receive(key, value, callback)

    def _awaiting(self, key: Key) -> tuple[Iteration, Step]:
        for found, awaited in self.core.awaiting.items():
            if awaited == key:
                return found
        raise AssertionError(key)


class MemoryMailbox(Mailbox):
    """Of a device with a budget: what it sends is not its own any more."""

    swapper: Swapper
    look: Callable[[], None]
    """Has the device look at its memory in its own thread."""

    def __init__(self, device: str, routes: Routes, home: Any, budgets: Collection[str]):
        super().__init__(device, routes, home)
        self.budgets = budgets
        """The devices that take copies of messages themselves."""
        self.starving = False
        """Whether something waits for memory here."""

    def send(self, key: Key, value: Any) -> None:
        """A send node fires."""
        value = self.swapper.unboxed(value)
        if is_array(value) and self.routes.channels[key[0]][1] not in self.budgets:
            value = value.copy()
        super().send(key, value)
