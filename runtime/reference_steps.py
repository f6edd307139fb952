"""What the structured reference compiles code to, and how a block of it runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from ..dialects.diagnostics import DataError, ProgramError
from .kernels import Tag
from .kernels.numpy.attributes import attribute

if TYPE_CHECKING:
    from ..dialects.dfg import RecvOp, SendOp

Env = list[Any]
Probe = Callable[[str, tuple[Any, ...]], None]


class Run:
    """What one evaluation carries along: the deadline, the probe sink, the seed, and the loops
    being run."""

    def __init__(
        self,
        deadline: float | None = None,
        probe: Probe | None = None,
        seed: int | None = None,
    ):
        self.seconds = deadline
        self.end = None if deadline is None else time.monotonic() + deadline
        self.probe = probe
        self.seed = seed
        self.loops: list[tuple[str, int]] = []
        self.on = ""
        """The device, as messages name it."""
        self.probe_error: Exception | None = None
        """What the probe sink raised: it leaves the run as it is."""

    def check_deadline(self, op: Operation, trip: int) -> None:
        if self.end is not None and time.monotonic() > self.end:
            raise ProgramError(
                f"deadline of {self.seconds:g} s passed in {loop_text(op)}{self.on} after {trip}"
                " iterations",
                op,
            )

    def tag(self) -> Tag:
        """What draws of random numbers depend on."""
        if self.seed is None:
            raise DataError("random numbers cannot be drawn inside another op's computation")
        return (self.seed, *[trip for _, trip in self.loops])

    def where(self) -> str:
        """The iterations being run, outermost first, and the device, as text."""
        inside = ", ".join(f"iteration {trip} of {name}" for name, trip in self.loops)
        return (f" in {inside}" if inside else "") + self.on

    def send(self, op: SendOp, value: Any) -> None:
        """Gives a message to another device."""
        raise DataError("expected a dfg.partition of a dfg.program around it")

    def receive(self, op: RecvOp) -> Any:
        """The message that another device sends for these iterations."""
        raise DataError("expected a dfg.partition of a dfg.program around it")


Action = Callable[[Env, Run], None]


class Step(NamedTuple):
    """One op of a block: what it does to the environment, and the slots to clear after it."""

    op: Operation
    action: Action
    dead: tuple[int, ...]


class BlockCode(NamedTuple):
    """A block: the slots of its arguments, its steps, and the slots its terminator returns."""

    args: tuple[int, ...]
    steps: list[Step]
    returns: tuple[int, ...]
    dead: tuple[int, ...]


def run_block(code: BlockCode, values: Sequence[Any], env: Env, run: Run) -> tuple[Any, ...]:
    """Runs a block on the values of its arguments; what its terminator returns."""
    for slot, value in zip(code.args, values):
        env[slot] = value
    step: Step | None = None
    try:
        for step in code.steps:
            step.action(env, run)
            for slot in step.dead:
                env[slot] = None
    except (ProgramError, RecursionError):
        raise
    except Exception as error:
        if error is run.probe_error:
            raise
        assert step is not None
        op = step.op
        message = error.message if isinstance(error, DataError) else str(error)
        raise ProgramError(f"{op.name}: {message}{run.where()}", op) from error
    results = tuple([env[slot] for slot in code.returns])
    for slot in code.dead:
        env[slot] = None
    return results


def loop_text(op: Operation) -> str:
    """A loop's name for messages."""
    name = attribute(op, "loop_name")
    return f'loop "{name.data}"' if isinstance(name, StringAttr) else f"the {op.name}"
