"""`convert-dcf-to-dfg`: structured control flow to a flat dataflow graph of primitives.

Every function that no other op names becomes a `dfg.program` with one graph; in a program that is
partitioned already, the part of each device becomes its graph. Loops become
enter/merge/switch/next_iteration/exit (Yu et al. 2018, section 4.2), branches switch/merge. The
work is in `dataflow_scopes` (where a value is live, and how it gets there) and
`dataflow_structures` (one function per structured op); this file walks functions and checks what
may be in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.passes import ModulePass

from ..dialects.dfg import FetchOp, GraphOp, PartitionOp, ProgramOp
from ..dialects.diagnostics import ProgramError
from .dataflow_scopes import GraphBuilder
from .dataflow_structures import lower_block

DEFAULT_DEVICE = "cpu:0"


@dataclass(frozen=True)
class ConvertDcfToDfgPass(ModulePass):
    """Turn each entry function into a `dfg.program` of dataflow primitives."""

    name = "convert-dcf-to-dfg"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        called = called_symbols(op)
        functions = [f for f in op.body.block.ops if isinstance(f, FuncOp)]
        for function in functions:
            if function.sym_name.data not in called and function.body.blocks:
                convert_function(function)
        for program in [p for p in op.body.block.ops if isinstance(p, ProgramOp)]:
            for part in program.partitions:
                convert_partition(part)


def called_symbols(module: ModuleOp) -> set[str]:
    """The names of all symbols that ops of the module refer to."""
    names: set[str] = set()

    def collect(attributes: dict[str, Attribute]) -> None:
        for attribute in attributes.values():
            if isinstance(attribute, SymbolRefAttr):
                names.add(attribute.root_reference.data)

    for op in module.walk():
        collect(op.attributes)
        collect(op.properties)
    return names


def convert_function(function: FuncOp) -> None:
    """Replace `function` by a program of the same name."""
    if len(function.body.blocks) != 1:
        raise ProgramError(
            f"expected a function of one block, got {len(function.body.blocks)} blocks"
            f" in @{function.sym_name.data}",
            function,
        )
    if not isinstance(function.body.block.last_op, ReturnOp):
        raise ProgramError("expected a function that ends in 'func.return'", function)
    type = function.function_type
    graph = _graph(
        function,
        function.body.block,
        DEFAULT_DEVICE,
        range(len(type.inputs.data)),
        range(len(type.outputs.data)),
    )
    program = ProgramOp(function.sym_name.data, type, Region(Block([graph])))
    program.location = function.location
    _replace(function, program)


def convert_partition(part: PartitionOp) -> None:
    """Replace the structured part of a device by its graph."""
    graph = _graph(
        part,
        part.body.block,
        part.device.data,
        part.feeds.get_values(),
        part.fetches.get_values(),
    )
    _replace(part, graph)


def _graph(
    whole: Operation, source: Block, device: str, feeds: Sequence[int], fetches: Sequence[int]
) -> GraphOp:
    """The graph of `source`, whose ops move to it or are replaced."""
    terminator = source.last_op
    assert terminator is not None
    block = Block(arg_types=[argument.type for argument in source.args])
    for old, new in zip(source.args, block.args):
        new.name_hint = old.name_hint
        new.location = old.location
    builder = GraphBuilder(whole)
    for old, new in zip(source.args, block.args):
        builder.root.define(old, new)
    lower_block(builder, builder.root, source)
    fetch = FetchOp(*(builder.root.gated(value, terminator) for value in terminator.operands))
    fetch.location = terminator.location
    builder.emit(fetch)

    block.add_ops(builder.finish())
    graph = GraphOp(device, feeds, fetches, Region(block))
    graph.location = whole.location
    return graph


def _replace(old: Operation, new: Operation) -> None:
    block = old.parent_block()
    assert block is not None
    block.insert_op_before(new, old)
    old.detach()
    old.drop_all_references()
