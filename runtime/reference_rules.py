"""Ops with control flow or effects, as the structured reference evaluates them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from ..dialects.dfg import RecvOp, SendOp
from ..dialects.diagnostics import ProgramError
from .kernels.numpy.attributes import attribute, int_of, text_of
from .reference_steps import Env, Run, loop_text, run_block
from .scan_rows import collect_rows, row_of, scan_length

if TYPE_CHECKING:
    from .reference import FunctionCode

StructuredRule = Callable[
    ["FunctionCode", Operation], Callable[[list[Any], Env, Run], Sequence[Any]]
]


def _while(code: FunctionCode, op: Operation) -> Callable[[list[Any], Env, Run], Sequence[Any]]:
    condition, body = (code.block(region.block) for region in op.regions)
    bound = int_of(op, "trip_bound", -1)
    name = loop_text(op)

    def run_while(values: Sequence[Any], env: Env, run: Run) -> Sequence[Any]:
        trip = 0
        run.loops.append((name, trip))
        while run_block(condition, values, env, run)[0]:
            if trip == bound:
                raise ProgramError(
                    f"{name} made more trips than its trip_bound of {bound}{run.on}", op
                )
            values = run_block(body, values, env, run)
            trip += 1
            run.loops[-1] = (name, trip)
            run.check_deadline(op, trip)
        run.loops.pop()
        return values

    return run_while


def _branch(code: FunctionCode, op: Operation) -> Callable[[list[Any], Env, Run], Sequence[Any]]:
    first, second = (code.block(region.block) for region in op.regions)

    def run_branch(operands: list[Any], env: Env, run: Run) -> Sequence[Any]:
        return run_block(first if operands[0] else second, (), env, run)

    return run_branch


def _case(code: FunctionCode, op: Operation) -> Callable[[list[Any], Env, Run], Sequence[Any]]:
    branches = [code.block(region.block) for region in op.regions]

    def run_case(operands: list[Any], env: Env, run: Run) -> Sequence[Any]:
        index = int(operands[0])
        # Out of range, above or below, is the last branch.
        chosen = branches[index if 0 <= index < len(branches) else -1]
        return run_block(chosen, (), env, run)

    return run_case


def _scan(code: FunctionCode, op: Operation) -> Callable[[list[Any], Env, Run], Sequence[Any]]:
    body = code.block(op.regions[0].block)
    scan: Any = op
    carries, inputs, buffers = len(scan.inits), len(scan.inputs), len(scan.outs)
    static = int_of(op, "static_length", -1)
    reverse = attribute(op, "reverse") is not None
    name = loop_text(op)
    rows_out = len(op.results) - carries

    def run_scan(operands: list[Any], env: Env, run: Run) -> Sequence[Any]:
        values = list(operands[:carries])
        xs = operands[carries : carries + inputs]
        outs = operands[carries + inputs : carries + inputs + buffers]
        length = scan_length(operands[carries + inputs + buffers :], xs, static)
        columns: list[list[Any]] = [[] for _ in range(rows_out)]
        run.loops.append((name, 0))
        for trip in range(length):
            run.loops[-1] = (name, trip)
            row = length - 1 - trip if reverse else trip
            found = run_block(body, [*values, *[row_of(x, row) for x in xs]], env, run)
            values = list(found[:carries])
            for column, value in zip(columns, found[carries:]):
                column.append(value)
            run.check_deadline(op, trip)
        run.loops.pop()
        for k, column in enumerate(columns):
            rows = column[::-1] if reverse else column
            values.append(collect_rows(rows, outs[k] if outs else None, op.results[carries + k]))
        return values

    return run_scan


def _probe(code: FunctionCode, op: Operation) -> Callable[[list[Any], Env, Run], Sequence[Any]]:
    label = text_of(op, "label")

    def run_probe(operands: list[Any], env: Env, run: Run) -> Sequence[Any]:
        if run.probe is not None:
            try:
                run.probe(label, tuple(operands))
            except Exception as error:
                run.probe_error = error
                raise
        return ()

    return run_probe


def _call(code: FunctionCode, op: Operation) -> Callable[[list[Any], Env, Run], Sequence[Any]]:
    callee = text_of(op, "callee")
    scope = code.scope
    scope.check_function(callee, op)
    # Compiled when first called, so that recursion ends in an error of its own and not here.
    return lambda operands, env, run: scope.compiled(callee)(run, operands)


def _send(code: FunctionCode, op: Operation) -> Callable[[list[Any], Env, Run], Sequence[Any]]:
    assert isinstance(op, SendOp)

    def run_send(operands: list[Any], env: Env, run: Run) -> Sequence[Any]:
        run.send(op, operands[0])
        return ()

    return run_send


def _recv(code: FunctionCode, op: Operation) -> Callable[[list[Any], Env, Run], Sequence[Any]]:
    assert isinstance(op, RecvOp)
    return lambda operands, env, run: (run.receive(op),)


STRUCTURED: dict[str, StructuredRule] = {
    "stablehlo.while": _while,
    "dcf.while": _while,
    "stablehlo.if": _branch,
    "dcf.cond": _branch,
    "stablehlo.case": _case,
    "dcf.case": _case,
    "dcf.scan": _scan,
    "dcf.probe": _probe,
    "func.call": _call,
    "dfg.send": _send,
    "dfg.recv": _recv,
}
"""Ops with control flow or effects, which need the environment; all others are kernels."""
