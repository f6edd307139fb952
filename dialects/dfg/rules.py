"""Rules for a whole program or graph that concern neither frames nor gating.

Who feeds and fetches what, which channels exist, what may stand in a graph, and cycles. Each takes
time linear in the number of ops.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import FunctionType, StringAttr
from xdsl.ir import Attribute, Block, Operation
from xdsl.utils.exceptions import VerifyException

from ..diagnostics import RuleError
from .primitives import NextIterationOp
from .transfers import RecvOp, SendOp

if TYPE_CHECKING:
    from .graphs import DeviceCode, GraphOp, PartitionOp
    from .program import ChannelOp, ProgramOp

NOT_IN_GRAPHS = frozenset(
    {
        "builtin.module",
        "dcf.while",
        "dcf.scan",
        "dcf.cond",
        "dcf.case",
        "dcf.condition",
        "dcf.yield",
        "dcf.gradient",
        "dcf.vjp",
        "dcf.jvp",
        "dcf.probe",
        "dfg.channel",
        "dfg.graph",
        "dfg.partition",
        "dfg.program",
        "func.func",
        "func.return",
        "stablehlo.while",
        "stablehlo.if",
        "stablehlo.case",
    }
)
"""Structured control flow, containers, and effects without a token: a graph is flat."""


@contextmanager
def blaming_malformed(container: Operation) -> Generator[None, None, None]:
    """Verify rules over the ops in `container`, which need not be verified themselves yet.

    When an op lacks what its class promises, so that a rule cannot be checked, the error is its.
    """
    try:
        yield
    except RuleError:
        raise
    except (VerifyException, KeyError, IndexError):
        for op in container.walk():
            if op is not container:
                try:
                    op.verify_()
                except RuleError:
                    raise
                except VerifyException as error:
                    raise RuleError(str(error), op) from None
        raise


def verify_program(program: ProgramOp) -> None:
    """Only channels and graphs, each once; every result fetched once; transfers on channels."""
    from .graphs import DeviceCode
    from .program import ChannelOp

    channels: dict[int, ChannelOp] = {}
    devices: set[str] = set()
    graphs: list[DeviceCode] = []
    for op in program.body.block.ops:
        if isinstance(op, ChannelOp):
            number = op.channel.value.data
            if number in channels:
                raise RuleError(f"expected channel {number} declared once, got it twice", op)
            channels[number] = op
        elif isinstance(op, DeviceCode):
            device = op.device.data
            what = op.name.removeprefix("dfg.")
            if device in devices:
                raise RuleError(f'expected one {what} on "{device}", got a second one', op)
            if graphs and type(op) is not type(graphs[0]):
                raise RuleError(
                    f"expected a program of {graphs[0].name}, as its first, got {op.name}", op
                )
            devices.add(device)
            graphs.append(op)
        else:
            raise RuleError(
                "expected only dfg.channel, and dfg.graph or dfg.partition, in a dfg.program, got"
                f" {op.name}",
                op,
            )
    _verify_fetched_once(program, graphs)
    if channels:
        _verify_transfers(graphs, channels)
    else:
        _verify_other_ends(graphs, devices)


def _verify_fetched_once(program: ProgramOp, graphs: Iterable[DeviceCode]) -> None:
    fetched_by: dict[int, str] = {}
    for graph in graphs:
        device = graph.device.data
        for number in graph.fetches.get_values():
            if number in fetched_by:
                raise RuleError(
                    f"expected result {number} of the program fetched once, got it from"
                    f' "{fetched_by[number]}" and "{device}"',
                    graph,
                )
            fetched_by[number] = device
    for number in range(len(program.function_type.outputs)):
        if number not in fetched_by:
            raise RuleError(
                f"expected a graph that fetches result {number} of the program, got none", program
            )


def _verify_transfers(graphs: Iterable[DeviceCode], channels: dict[int, ChannelOp]) -> None:
    """Sends and receives agree with the declared channels, each of which has one of both."""
    seen: set[tuple[str, int]] = set()
    for graph in graphs:
        for op in graph.body.walk():
            if isinstance(op, SendOp):
                ends = graph.device, op.target
                type = op.value.type
            elif isinstance(op, RecvOp):
                ends = op.source, graph.device
                type = op.output.type
            else:
                continue
            number = op.channel.value.data
            channel = channels.get(number)
            if channel is None:
                raise RuleError(f"expected a declared channel, got channel {number}", op)
            if ends != (channel.source, channel.target):
                raise RuleError(
                    f"expected channel {number} {_way(channel.source, channel.target)}, as"
                    f" declared, got it {_way(*ends)}",
                    op,
                )
            if type != channel.value_type:
                raise RuleError(
                    f"expected a value of type {channel.value_type} on channel {number}, as"
                    f" declared, got {type}",
                    op,
                )
            if (op.name, number) in seen:
                raise RuleError(f"expected one {op.name} on channel {number}, got a second", op)
            seen.add((op.name, number))


def _verify_other_ends(graphs: Iterable[DeviceCode], devices: set[str]) -> None:
    """Without declared channels, at least the other device of a transfer is one of the program."""
    for graph in graphs:
        for op in graph.body.walk():
            if isinstance(op, SendOp | RecvOp):
                other = (op.target if isinstance(op, SendOp) else op.source).data
                if other not in devices:
                    what = graph.name.removeprefix("dfg.")
                    raise RuleError(
                        f'expected a {what} on "{other}", the other end of channel'
                        f" {op.channel.value.data}, got none in the program",
                        op,
                    )


def _way(source: StringAttr, target: StringAttr) -> str:
    return f'from "{source.data}" to "{target.data}"'


def verify_ends(graph: DeviceCode) -> None:
    """Arguments and fetches of a graph are those that its numbers name."""
    fetch = graph.fetch
    if fetch is None:
        last = graph.body.block.last_op
        got = "nothing" if last is None else last.name
        what = graph.name.removeprefix("dfg.")
        raise RuleError(f"expected a {what} to end in dfg.fetch, got {got}", graph)
    type = _program_type(graph)
    inputs = None if type is None else type.inputs.data
    outputs = None if type is None else type.outputs.data
    arguments = graph.body.block.arg_types
    _verify_numbers("feed", graph.feeds.get_values(), arguments, inputs, graph)
    _verify_numbers("fetch", graph.fetches.get_values(), fetch.operand_types, outputs, fetch)


def _program_type(graph: DeviceCode) -> FunctionType | None:
    from .program import ProgramOp

    program = graph.parent_op()
    return program.function_type if isinstance(program, ProgramOp) else None


def _verify_numbers(
    kind: str,
    numbers: Iterable[int],
    types: Iterable[Attribute],
    program_types: tuple[Attribute, ...] | None,
    where: Operation,
) -> None:
    """`numbers` has one entry for each of `types`, and names a program value of that type."""
    numbers, types = tuple(numbers), tuple(types)
    what = "argument" if kind == "feed" else "operand of dfg.fetch"
    if len(numbers) != len(types):
        raise RuleError(
            f"expected a {kind} number for each {what} ({len(types)}), got {len(numbers)}", where
        )
    if program_types is None:
        return
    for position, (number, type) in enumerate(zip(numbers, types)):
        if not 0 <= number < len(program_types):
            raise RuleError(
                f"expected {kind} numbers below {len(program_types)}, got {number}", where
            )
        if program_types[number] != type:
            whole = "argument" if kind == "feed" else "result"
            raise RuleError(
                f"expected {what} {position} of type {program_types[number]}, that of {whole}"
                f" {number} of the program, got {type}",
                where,
            )


def verify_flat(graph: GraphOp) -> None:
    """No structured control flow, and no region (of a reduce, a sort) that uses outer values."""
    for op in graph.body.block.ops:
        if op.name in NOT_IN_GRAPHS:
            raise RuleError(
                f"expected primitives and plain ops in a graph, got {op.name}: lower the program"
                " with convert-dcf-to-dfg",
                op,
            )
        if op.regions:
            _verify_closed(op)


PRIMITIVES = frozenset(
    {
        "dfg.switch",
        "dfg.merge",
        "dfg.enter",
        "dfg.exit",
        "dfg.next_iteration",
        "dfg.loop_cond",
        "dfg.graph",
        "dfg.partition",
        "dfg.channel",
        "dfg.program",
        "func.func",
        "func.return",
    }
)
"""What a structured part does not hold yet, and containers."""


def verify_structured(partition: PartitionOp) -> None:
    """Structured control flow and plain ops only."""
    for op in partition.body.walk():
        if op.name in PRIMITIVES:
            raise RuleError(
                f"expected structured control flow and plain ops in a partition, got {op.name}", op
            )


def _verify_closed(op: Operation) -> None:
    inside: set[Operation | Block] = set()
    for nested in op.walk():
        inside.update(block for region in nested.regions for block in region.blocks)
        if nested is not op:
            inside.add(nested)
    for nested in op.walk():
        if nested is op:
            continue
        for position, value in enumerate(nested.operands):
            if value.owner not in inside:
                raise RuleError(
                    f"expected the region of {op.name} to use only its own values, got operand"
                    f" {position} of {nested.name} from outside",
                    nested,
                )


def verify_cycles(graph: GraphOp) -> None:
    """Every cycle passes a `dfg.next_iteration`; any other could never fire."""
    missing: dict[Operation, int] = {}
    ready: list[Operation] = []
    for op in graph.body.block.ops:
        count = sum(1 for _ in _forward_producers(op))
        missing[op] = count
        if not count:
            ready.append(op)
    while ready:
        op = ready.pop()
        if isinstance(op, NextIterationOp):
            continue
        for result in op.results:
            for use in result.uses:
                user = use.operation
                if user in missing:
                    missing[user] -= 1
                    if not missing[user]:
                        ready.append(user)
    stuck = next((op for op, count in missing.items() if count > 0), None)
    if stuck is not None:
        cycle = _cycle_behind(stuck, missing)
        names = ", ".join(op.name for op in cycle[:5]) + (", …" if len(cycle) > 5 else "")
        raise RuleError(
            f"expected every cycle to pass a dfg.next_iteration, got one of {names}", cycle[0]
        )


def _forward_producers(op: Operation) -> Iterator[Operation]:
    """The ops of the graph that `op` waits for within an iteration, once per operand."""
    for value in op.operands:
        owner = value.owner
        if isinstance(owner, Operation) and not isinstance(owner, NextIterationOp):
            yield owner


def _cycle_behind(op: Operation, missing: dict[Operation, int]) -> list[Operation]:
    """A cycle that `op`, which waits for ever, is in or behind.

    In the order of the data, from the op that comes first in the text.
    """
    place: dict[Operation, int] = {}
    path: list[Operation] = []
    while op not in place:
        place[op] = len(path)
        path.append(op)
        op = next(producer for producer in _forward_producers(op) if missing[producer] > 0)
    cycle = list(reversed(path[place[op] :]))
    order = {op: number for number, op in enumerate(missing)}
    first = cycle.index(min(cycle, key=lambda op: order[op]))
    return cycle[first:] + cycle[:first]
