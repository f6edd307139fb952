"""The propagator's inner loop for drivers that run kernels inline: the common nodes without calls.

It does what `Propagator.fire` does, node by node; what is rare, it leaves to that. Each iteration
has its own list of ready nodes, so an entry is one int and the loop's state stays in local
variables.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

from .graph import NodeKind
from .kernels import in_place_form, needs_tag, reusing
from .layout import FrameLayout, Outlet, Step
from .reports import RunError, kernel_error

if TYPE_CHECKING:
    from .propagator import Propagator

OP1, OP2, OPN, PASS, SWITCH, NEXT, OTHER, REUSE = range(8)


def fast_ops(frame: FrameLayout) -> list[tuple[Any, ...]]:
    """By local node number: (code, kernel or step, first slot, second slot or end, …) for the
    loop."""
    return [_fast_op(frame, step) for step in frame.steps]


def _fast_op(frame: FrameLayout, step: Step) -> tuple[Any, ...]:
    kind, base = step.kind, step.base
    if kind == NodeKind.NEXT_ITERATION:
        return (NEXT, step, base, 0, *_through(frame, step.outlets[0]))
    if kind == NodeKind.SWITCH and not step.sink:
        false, true = (_switch_side(frame, outlet) for outlet in step.outlets)
        return (SWITCH, None, base, base + 1, _sides(false, true), _sides(true, false))
    if _passes(frame, step):
        return (PASS, None, base, 0, *_through(frame, step.outlets[0]))
    if needs_tag(step.node.kernel):
        return (OTHER, None, 0, 0, (), ())
    if step.node.heavy:
        return (OTHER, None, 0, 0, (), ())
    if kind == NodeKind.OP and not step.sink and len(step.outlets) == 1 and step.arity:
        code = min(step.arity, 3) - 1
        if in_place_form(step.node.kernel) is not None:
            code = REUSE
        second = base + 1 if code == OP2 else base + step.arity
        return (code, step.node.kernel, base, second, *_through(frame, step.outlets[0]))
    return (OTHER, None, 0, 0, (), ())


def _passes(frame: FrameLayout, step: Step) -> bool:
    """Whether all a node does is to hand its one input on."""
    if step.sink:
        return False
    if step.kind == NodeKind.LOOP_MERGE:
        return not any(step.outlets[1])
    return step.kind == NodeKind.LOOP_COND and frame.info.trip_bound is None


def _through(frame: FrameLayout, outlet: Outlet) -> Outlet:
    """Where a live value ends up, when nodes that only hand it on are not fired on the way."""
    plain: list[tuple[int, int]] = []
    merges = list(outlet.merges)
    todo = list(reversed(outlet.plain))
    while todo:
        local, slot = todo.pop()
        step = frame.steps[local]
        if _passes(frame, step):
            todo.extend(reversed(step.outlets[0].plain))
            merges.extend(step.outlets[0].merges)
        else:
            plain.append((local, slot))
    return Outlet(tuple(plain), tuple(merges))


def _switch_side(frame: FrameLayout, outlet: Outlet) -> tuple[Any, ...]:
    """(live plain, merges, dead plain, dead merges, exits): an exit's dead token ends at once."""
    exits = tuple(local for local, _ in outlet.plain if frame.steps[local].kind == NodeKind.EXIT)
    dead = tuple((local, slot) for local, slot in outlet.plain if local not in exits)
    merges = Outlet((), outlet.merges) if outlet.merges else None
    return (*_through(frame, outlet), dead, merges, exits)


def _sides(live: tuple[Any, ...], dead: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*live[:2], *dead[2:])


def run_ready(core: Propagator, budget: int) -> int:
    """Fires up to `budget` ready nodes, oldest iteration first; how many."""
    heap = core.heap
    left = budget
    while heap and left > 0:
        it = heappop(heap)[1]
        left = _run_iteration(core, it, left)
        if it.ready:
            heappush(heap, (it.key, it))
        else:
            it.queued = False
    return budget - left


def _run_iteration(core: Propagator, it: Any, budget: int) -> int:
    """Fires the ready nodes of one iteration until none is left or the budget is spent."""
    heap = core.heap
    ready = it.ready
    st = it.state
    frame = it.frame
    ops = frame.layout.ops
    pop = ready.pop
    push = ready.append
    n = code = 0
    try:
        for left in range(budget, 0, -1):
            if not ready:
                return left
            n = pop()
            if n < 0:
                code = OTHER
                core.fire(it, n)
                continue
            code, kernel, a, b, outs, merges = ops[n]
            if code == OP2:
                v = kernel(st[a], st[b])
                st[a] = st[b] = None
            elif code == PASS:
                v = st[a]
                st[a] = None
            elif code == SWITCH:
                v = st[a]
                st[a] = None
                if st[b]:
                    st[b] = True
                    sides = merges
                else:
                    st[b] = False
                    sides = outs
                outs, merges, dead, dead_merges, exits = sides
                for c, _ in dead:
                    p = st[c] = (st[c] - 2) | 1
                    if p == 1:
                        push(-c)
                if dead_merges is not None:
                    core.deliver_dead(it, dead_merges)
                if exits:
                    for c in exits:
                        st[c] = 1
                    r = st[0] = st[0] - len(exits)
                    if not r:
                        core.retire(it)
            elif code == NEXT:
                v = st[a]
                st[a] = None
                following = it.next
                if following is None and frame.live < frame.window:
                    following = core.open_iteration(frame)
                if following is None:
                    frame.deferred.append((kernel, v))
                else:
                    state = following.state
                    for c, s in outs:
                        state[s] = v
                        p = state[c] = state[c] - 2
                        if p < 2:
                            if not following.queued:
                                following.queued = True
                                heappush(heap, (following.key, following))
                            following.ready.append(-c if p else c)
                    for c, s in merges:
                        core.merge_live(following, c, s, v)
                r = st[0] = st[0] - 1
                if not r:
                    core.retire(it)
                continue
            elif code == OP1:
                v = kernel(st[a])
                st[a] = None
            elif code == OPN:
                v = kernel(*st[a:b])
                for s in range(a, b):
                    st[s] = None
            elif code == REUSE:
                v = None  # it may be what an earlier node gave: the operand
                inputs = st[a:b]
                for s in range(a, b):
                    st[s] = None
                v = reusing(kernel, inputs)(*inputs)
            else:
                core.fire(it, n)
                continue
            for c, s in outs:
                st[s] = v
                p = st[c] = st[c] - 2
                if p < 2:
                    push(-c if p else c)
            for c, s in merges:
                core.merge_live(it, c, s, v)
    except RunError:
        raise
    except Exception as error:
        if code not in (OP1, OP2, OPN, SWITCH, REUSE):
            raise
        node = frame.layout.steps[n].node
        raise kernel_error(core.graph, node, it, error) from error
    return 0
