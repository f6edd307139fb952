"""Errors of a run: where it happened (op, device, iteration), why a value is dead, what waits for
what.

Nothing is recorded for these while a run goes well: they are worked out from the state it stopped
in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from xdsl.dialects.builtin import LocationAttr

from ..dialects.diagnostics import DataError, ProgramError, position_of
from .frames import Frame, Iteration, Path
from .graph import Graph, Node, NodeKind
from .layout import Step

if TYPE_CHECKING:
    from .propagator import Propagator
    from .suspended import Suspended

SHOWN = 20
"""Waiting nodes that a report lists."""


class NodeLike(Protocol):
    """What an error needs of a node."""

    @property
    def name(self) -> str:
        """The op's name."""
        ...

    @property
    def location(self) -> LocationAttr | None:
        """Where it stands in the user's program."""
        ...


class RunError(ProgramError):
    """An error at a node: its reason, op name, tag (frame names with iteration numbers) and
    device."""

    def __init__(self, reason: str, node: NodeLike, path: Path = (), device: str | None = None):
        self.reason = reason
        self.node = node
        self.op_name = node.name
        self.tag: Path = tuple(path)
        self.device = device
        on = f" on {device}" if device else ""
        where = f" in {describe_path(path)}" if path else ""
        super().__init__(f"{node.name}{on}{where}: {reason}", node.location)


class KernelError(RunError):
    """An error inside a kernel. Generated code raises it with the frames and iterations below its
    own node; the engine puts that node's tag and device before them."""

    def __init__(
        self,
        reason: str,
        node: NodeLike,
        frames: Sequence[str] = (),
        iterations: Sequence[int] = (),
        device: str | None = None,
    ):
        super().__init__(reason, node, tuple(zip(frames, iterations)), device)

    def within(self, path: Path, device: str) -> KernelError:
        """The same error, seen from the graph that holds the node it came from."""
        full = (*path, *self.tag)
        return KernelError(
            self.reason, self.node, [f for f, _ in full], [i for _, i in full], device
        )


class DeadlineError(ProgramError):
    """A run that took longer than it may."""


def describe_path(path: Path) -> str:
    """`iteration 3 of "inner" in iteration 5 of "outer"`."""
    return " in ".join(f'iteration {number} of "{name}"' for name, number in reversed(path))


def kernel_error(graph: Graph, node: Node, iteration: Iteration, error: Exception) -> RunError:
    """An exception of a kernel, placed."""
    path = iteration.path()
    if isinstance(error, KernelError):
        return error.within(path, graph.device)
    frames, numbers = [name for name, _ in path], [number for _, number in path]
    return KernelError(kernel_reason(error), node, frames, numbers, graph.device)


def kernel_reason(error: Exception) -> str:
    """What a kernel's exception says, in one line."""
    text = error.message if isinstance(error, ProgramError | DataError) else str(error)
    if isinstance(error, ProgramError | DataError | ValueError | IndexError) and text:
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def two_live(graph: Graph, node: Node, iteration: Iteration, first: int, second: int) -> RunError:
    """Two inputs of a merge were live in one iteration."""
    low, high = sorted((first, second))
    reason = f"expected one live input, got two: inputs {low} and {high}"
    return RunError(reason, node, iteration.path(), graph.device)


def trip_bound_reason(bound: int) -> str:
    """What went wrong when a loop broke its promise."""
    trips = "1 trip" if bound == 1 else f"{bound} trips"
    return f"expected at most {trips} (trip_bound), got a true predicate after them"


def trip_bound_error(graph: Graph, node: Node, iteration: Iteration, bound: int) -> RunError:
    """A loop went on after the trips it promised."""
    return RunError(trip_bound_reason(bound), node, iteration.path(), graph.device)


# Dead fetches.


def dead_fetch(core: Propagator, fetch: Step) -> RunError:
    """A fetched value is dead: names the switch whose other branch was taken."""
    killer = _killer(core, core.graph.nodes[fetch.node.inputs[0][0]])
    reason = f"expected result {fetch.node.value} to be live, got a dead value"
    return RunError(f"{reason}; {killer}", fetch.node, (), core.graph.device)


def _killer(core: Propagator, node: Node) -> str:
    """Follows dead inputs from a dead output in the root frame back to where they came from.

    A node that fired dead has a 1 in its pending entry, and a switch keeps the branch it took.
    """
    nodes = core.graph.nodes
    state = core.root.state
    seen: set[int] = set()
    while node.id not in seen:
        seen.add(node.id)
        step = core.layout.steps[node.id]
        if node.kind == NodeKind.EXIT:
            enters = core.layout.frames[node.frame].enters
            dead = [enter for enter in enters if _fired_dead(state, enter)]
            dead.sort(key=lambda enter: enter.kind == NodeKind.CONST_ENTER)
            if not dead:
                name = core.graph.frames[node.frame].name
                return f'the exit{_at(node)} was live in no iteration of "{name}"'
            node = dead[0].node
            continue
        if node.kind == NodeKind.SWITCH and state[step.local] != 1:
            taken, other = ("true", "false") if state[step.base + 1] else ("false", "true")
            return f"the switch{_at(node)} took its {taken} branch, so its {other} one is dead"
        for producer, index in node.inputs:
            if _is_dead(core, nodes[producer], index):
                node = nodes[producer]
                break
        else:
            break
    return f"{node.name}{_at(node)} gave no live value"


def _fired_dead(state: list[Any], step: Step) -> bool:
    return step.node.frame == 0 and state[step.local] == 1


def _is_dead(core: Propagator, node: Node, output: int) -> bool:
    state = core.root.state
    step = core.layout.steps[node.id]
    if node.kind == NodeKind.EXIT:
        return True
    if node.kind == NodeKind.MERGE:
        return not state[step.base + 2]
    if state[step.local] == 1:
        return True
    return node.kind == NodeKind.SWITCH and bool(state[step.base + 1]) != bool(output)


def _at(node: Node) -> str:
    place = None if node.location is None else position_of(node.location)
    if place is None:
        return f" ({node.name}, node {node.id})"
    return " at {}:{}:{}".format(*place)


# Where a run is.


def live_frames(frame: Frame) -> Iterator[Frame]:
    """A frame and the frames inside its live iterations."""
    stack = [frame]
    while stack:
        frame = stack.pop()
        yield frame
        at: Iteration | None = frame.oldest
        while at is not None:
            if at.children:
                stack.extend(at.children.values())
            at = at.next


def loop_position(core: Propagator, suspended: Suspended | None = None) -> tuple[str, Frame | None]:
    """Says how far the run is, by the loop that went round most: `loop "f" is at iteration
    12345`. `suspended`: a fused loop that waits for other devices."""
    if core.suspended or suspended is not None:
        suspended = core.suspended[-1] if core.suspended else suspended
        assert suspended is not None
        step, position = suspended.step, suspended.position
        path = suspended.iteration.path()
        inside = f" in {describe_path(path)}" if path else ""
        at = "is running" if position is None else f"is at iteration {position}"
        return f'loop "{step.node.label}" {at}{inside}', None
    frames = [frame for frame in live_frames(core.root.frame) if frame.parent is not None]
    if not frames:
        return "no loop is running", None
    most = max(frames, key=lambda frame: frame.newest.number)
    *outer, (name, number) = most.newest.path()
    inside = f" in {describe_path(tuple(outer))}" if outer else ""
    return f'loop "{name}" is at iteration {number}{inside}', most


def deadline_error(
    core: Propagator, seconds: float, suspended: Suspended | None = None
) -> DeadlineError:
    """The deadline passed: names the loop that ran on."""
    position, frame = loop_position(core, suspended)
    where = None if frame is None else _loop_location(core, frame)
    if core.suspended:
        suspended = core.suspended[-1]
    if suspended is not None:
        where = suspended.step.node.location
    return DeadlineError(f"the deadline of {seconds:g} s passed: {position}", where)


def _loop_location(core: Propagator, frame: Frame) -> LocationAttr | None:
    info = frame.layout.info
    if info.location is None and info.loop_cond >= 0:
        return core.graph.nodes[info.loop_cond].location
    return info.location


# No progress.


def no_progress(core: Propagator) -> ProgramError:
    """Results are missing and nothing can fire: lists the waiting nodes and what each lacks."""
    lines: list[str] = []
    first: Node | None = None
    for (iteration, step), (channel, _) in core.awaiting.items():
        place = _place(iteration)
        lines.append(f"{step.node.name}{place} lacks a message of channel {channel}")
        first = first or step.node
    for line, node in lacks(core):
        lines.append(line)
        first = first or node
    more = [f"… and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    text = "; ".join(lines[:SHOWN] + more)
    return ProgramError(
        f"no node of {core.graph.device} can fire and results are missing: {text}",
        None if first is None else first.location,
    )


def lacks(core: Propagator) -> Iterator[tuple[str, Node | None]]:
    """The nodes that wait for a token, with what each lacks; and frames whose window is full."""
    for frame in live_frames(core.root.frame):
        at: Iteration | None = frame.oldest
        while at is not None:
            for step in frame.layout.steps[1:]:
                lack = _lack(core, at, step)
                if lack is not None:
                    text = f"{step.node.name}{_where(step.node)}{_place(at)} lacks {lack}"
                    yield text, step.node
            at = at.next
        if frame.deferred:
            yield (
                f'{len(frame.deferred)} dfg.next_iteration of "{frame.layout.info.name}" wait '
                f"for its window of {frame.window}",
                None,
            )


def _place(iteration: Iteration) -> str:
    path = iteration.path()
    return f" in {describe_path(path)}" if path else ""


def _where(node: Node) -> str:
    return f" (node {node.id})"


def _lack(core: Propagator, iteration: Iteration, step: Step) -> str | None:
    """What a waiting node still needs, or None if it does not wait."""
    state = iteration.state
    if step.kind == NodeKind.EXIT or state[step.local] < 2:
        return None
    if step.kind == NodeKind.MERGE and state[step.base + 2]:
        return None
    if step.kind in (NodeKind.LOOP_COND, NodeKind.LOOP_MERGE) and _handed_on(core, iteration, step):
        return None
    node = step.node
    nodes = core.graph.nodes
    missing: list[str] = []
    for number, (producer, _) in enumerate(node.inputs):
        kind = nodes[producer].kind
        if step.kind == NodeKind.LOOP_MERGE:
            if (kind == NodeKind.NEXT_ITERATION) == (iteration.number == 0):
                continue
        elif step.kind != NodeKind.MERGE and state[step.base + number] is not None:
            continue
        missing.append(f"input {number} from {nodes[producer].name} (node {producer})")
    return ", ".join(missing) or None


def _handed_on(core: Propagator, iteration: Iteration, step: Step) -> bool:
    """Whether a loop_cond or a loop's merge that did not fire had its value all the same: the fast
    loop hands such values on without firing these nodes."""
    if step.kind == NodeKind.LOOP_MERGE:
        before = iteration.frame.oldest
        if iteration is before:
            # The iteration before has retired, so all its values came.
            return iteration.number > 0
        while before.next is not None and before.next is not iteration:
            before = before.next
        iteration = before
    nodes = core.graph.nodes
    for producer, _ in step.node.inputs:
        if step.kind == NodeKind.LOOP_COND or nodes[producer].kind == NodeKind.NEXT_ITERATION:
            # Fired, as is all that can fire when there is no progress.
            return iteration.state[core.layout.steps[producer].local] < 2
    return False
