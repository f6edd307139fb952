"""Run-time state of frames and iterations: what the propagator moves tokens through.

An iteration's state is one flat list, copied in one go from its frame's template:
`[remaining, pending of node 1, …, pending of node k, input slots …]`; see `runtime/layout.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from .layout import FrameLayout, Step

Path = tuple[tuple[str, int], ...]
"""A tag: frame names with iteration numbers, outermost first; () is the root."""


class Dead:
    """The type of `DEAD`, the token of a path not taken, where one must be a value (messages)."""

    def __repr__(self) -> str:
        return "DEAD"


DEAD: Final = Dead()


class Iteration:
    """One iteration of a frame instance."""

    __slots__ = (
        "children",
        "dead_next",
        "frame",
        "key",
        "next",
        "number",
        "queued",
        "ready",
        "state",
    )

    def __init__(self, frame: Frame, number: int, key: tuple[int, ...], state: list[Any]):
        self.frame = frame
        self.number = number
        self.key = key
        """Iteration number and frame index from the root in: smaller is older; unique in a run."""
        self.state = state
        self.ready: list[int] = []
        """Local numbers of nodes that can fire; negative when they fire dead."""
        self.queued = False
        """Whether a driver will come to the ready nodes: it is in the heap, or under way."""
        self.next: Iteration | None = None
        self.children: dict[int, Frame] | None = None
        self.dead_next: list[Step] | None = None
        """Next_iterations that were dead before the next iteration began."""

    def path(self) -> Path:
        """This iteration's tag."""
        steps: list[tuple[str, int]] = []
        at = self
        while at.frame.parent is not None:
            steps.append((at.frame.layout.info.name, at.number))
            at = at.frame.parent
        return tuple(reversed(steps))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The iteration numbers of the tag, outermost first."""
        return self.key[2::2]


class Ledger(Protocol):
    """What holds back a device that runs ahead of those it sends to (`runtime/exchange.py`)."""

    def may_retire(self, iteration: Iteration) -> bool:
        """Whether the receivers have come far enough; if not, it will be asked again."""
        ...

    def retired(self, frame: Frame, count: int) -> None:
        """So many iterations of a frame have retired here."""
        ...

    def closed(self, frame: Frame) -> None:
        """A frame has ended."""
        ...


class Meter(Protocol):
    """What runs kernels where memory is counted (`runtime/engine/memory_device.py`)."""

    def run_kernel(self, step: Step, kernel: Callable[..., Any], inputs: list[Any]) -> Any:
        """A kernel's results."""
        ...


class Frame:
    """An instance of a frame, named by its parent iteration and its own name."""

    __slots__ = (
        "credit",
        "deferred",
        "delivered",
        "initial",
        "layout",
        "ledger",
        "live",
        "newest",
        "oldest",
        "parent",
        "parent_key",
        "template",
        "window",
    )

    def __init__(
        self,
        layout: FrameLayout,
        parent: Iteration | None,
        window: int,
        ledger: Ledger | None = None,
    ):
        self.layout = layout
        self.parent = parent
        self.window = window
        self.ledger = ledger
        """None for a frame that meets no other device."""
        self.credit = 0
        """How many iterations all receivers are known to have retired."""
        self.template: list[Any] = layout.later.copy()
        """State of a new iteration; holds the constants entered so far."""
        self.initial: list[int] = []
        """Nodes whose inputs are all entered constants: ready in each new iteration."""
        self.parent_key: tuple[int, ...] = () if parent is None else parent.key
        first = Iteration(self, 0, (*self.parent_key, 0, layout.info.index), layout.first.copy())
        self.oldest: Iteration = first
        self.newest: Iteration = first
        self.live = 1
        self.deferred: list[tuple[Step, Any]] = []
        """Live next_iterations that wait for the window, with their values."""
        self.delivered: set[int] = set()
        """Local numbers of exits that were live."""
