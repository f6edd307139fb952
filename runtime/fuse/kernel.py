"""The kernel of a fused loop: compiles the generated source and explains errors in its terms."""

from __future__ import annotations

from collections.abc import Generator
from types import CodeType, TracebackType
from typing import Any

from ..graph import Graph
from ..kernels import in_place_form, row_form, view_form
from ..reports import KernelError, kernel_reason, trip_bound_reason
from ..waits import Wait
from .emit import Source, TripBoundExceeded
from .tree import If, Loop, Statement

Running = Generator["Position | Wait", Any, tuple[Any, ...]]
"""A started loop."""


class FusedKernel:
    """Call it with the values of the loop's enters: a generator that returns those of its exits."""

    def __init__(
        self, source: Source, graph: Graph, loop: Loop, viewing: frozenset[int] = frozenset()
    ):
        self.text = source.text
        """The generated Python source, for people."""
        self._loop = loop
        self._nodes = {line: graph.nodes[id] for line, id in source.nodes.items()}
        self._paths = _frame_paths(loop)
        scope: dict[str, Any] = dict(source.names)
        for name, id in source.kernels.items():
            kernel = graph.nodes[id].kernel
            scope[name] = view_form(kernel) if id in viewing else kernel
        scope.update(
            {name: in_place_form(graph.nodes[id].kernel) for name, id in source.reusing.items()}
        )
        scope.update({name: row_form(graph.nodes[id].kernel) for name, id in source.rows.items()})
        exec(compile(source.text, f"<loop {loop.name}>", "exec"), scope)
        self._run = scope["run"]
        self.needs_tag = source.tagged
        """Whether calls give the tag of their iteration first (`runtime/kernels`)."""
        self.needs_link = source.linked
        """Whether calls give a `Link`, before all else (`runtime/waits`)."""
        self._code: CodeType = self._run.__code__

    def __call__(self, *inputs: Any) -> Running:
        """Yields its `Position` now and then, and takes the number of trips until the next time;
        yields what it waits for, and takes the result of a job."""
        position = Position(self._paths)
        running: Running = self._run(position, *inputs)
        position.running = running
        try:
            return (yield from running)
        except Exception as error:
            raise self._explained(error) from error
        except KeyboardInterrupt as interrupt:
            found = self._place(interrupt)
            if found is not None:
                values = found.tb_frame.f_locals
                position.last = iterations(self._paths[values.get("at", self._loop.frame)], values)
            raise

    def _explained(self, error: Exception) -> Exception:
        """The error at the node whose line raised it, with the loops around it."""
        found = self._place(error)
        node = None if found is None else self._nodes.get(found.tb_lineno)
        if found is None or node is None:
            return error
        path = iterations(self._paths[node.frame], found.tb_frame.f_locals)
        if isinstance(error, TripBoundExceeded):
            reason = trip_bound_reason(error.bound)
        else:
            reason = kernel_reason(error)
        return KernelError(reason, node, [name for name, _ in path], [k for _, k in path])

    def _place(self, error: BaseException) -> TracebackType | None:
        """Where in the generated function an error went through."""
        found: TracebackType | None = None
        traceback = error.__traceback__
        while traceback is not None:
            if traceback.tb_frame.f_code is self._code:
                found = traceback
            traceback = traceback.tb_next
        return found


class Position:
    """Where a suspended run is: `12`, or `3 (loop "inner" is at iteration 12)`."""

    def __init__(self, paths: dict[int, list[tuple[str, int]]]):
        self._paths = paths
        self.running: Any = None
        self.last: list[tuple[str, int]] = []
        """Where it was when it was interrupted."""

    def path(self) -> list[tuple[str, int]]:
        """The loops the run is in, outermost first, with their iterations."""
        if self.last:
            return self.last
        frame = self.running.gi_frame
        if frame is None:
            return []
        # Only the loop that yields has just counted up its base to past its last trip.
        values = frame.f_locals
        return iterations(self._paths[values["at"]], values)

    def __str__(self) -> str:
        path = self.path()
        if not path:
            return "its end"
        inner = "".join(f' (loop "{name}" is at iteration {k})' for name, k in path[1:])
        return f"{path[0][1]}{inner}"


def iterations(path: list[tuple[str, int]], values: dict[str, Any]) -> list[tuple[str, int]]:
    """The iteration of each loop of a path, from the generated function's variables."""
    return [(name, values.get(f"i{frame}", 0)) for name, frame in path]


def _frame_paths(loop: Loop) -> dict[int, list[tuple[str, int]]]:
    """Frame -> the loops down to it, as (name, frame)."""
    paths: dict[int, list[tuple[str, int]]] = {}

    def visit(inner: Loop, path: list[tuple[str, int]]) -> None:
        path = [*path, (inner.name, inner.frame)]
        paths[inner.frame] = path
        visit_block(inner.condition, path)
        visit_block(inner.body, path)

    def visit_block(block: list[Statement], path: list[tuple[str, int]]) -> None:
        for statement in block:
            if isinstance(statement, Loop):
                visit(statement, path)
            elif isinstance(statement, If):
                visit_block(statement.then, path)
                visit_block(statement.orelse, path)

    visit(loop, [])
    return paths
