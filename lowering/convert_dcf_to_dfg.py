"""`convert-dcf-to-dfg`: structured control flow to a flat dataflow graph of primitives.

Every function that no other op names becomes a `dfg.program` with one graph. Loops become
enter/merge/switch/next_iteration/exit (Yu et al. 2018, section 4.2), branches switch/merge. The
work is in `dataflow_scopes` (where a value is live, and how it gets there) and
`dataflow_structures` (one function per structured op); this file walks functions and checks what
may be in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.passes import ModulePass

from ..dialects.dfg import FetchOp, GraphOp, ProgramOp
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
    source = function.body.block
    terminator = source.last_op
    if not isinstance(terminator, ReturnOp):
        raise ProgramError("expected a function that ends in 'func.return'", function)

    block = Block(arg_types=[argument.type for argument in source.args])
    for old, new in zip(source.args, block.args):
        new.name_hint = old.name_hint
        new.location = old.location
    builder = GraphBuilder(function)
    for old, new in zip(source.args, block.args):
        builder.root.define(old, new)
    lower_block(builder, builder.root, source)
    fetch = FetchOp(*(builder.root.gated(value, terminator) for value in terminator.operands))
    fetch.location = terminator.location
    builder.emit(fetch)

    # The source block's ops have moved or are replaced: what is left of it goes away.
    ops = builder.finish()
    program = _program(function, block, ops)
    parent = function.parent_block()
    assert parent is not None
    parent.insert_op_before(program, function)
    function.detach()
    function.drop_all_references()


def _program(function: FuncOp, block: Block, ops: list[Operation]) -> ProgramOp:
    block.add_ops(ops)
    type = function.function_type
    graph = GraphOp(
        DEFAULT_DEVICE,
        range(len(type.inputs.data)),
        range(len(type.outputs.data)),
        Region(block),
    )
    graph.location = function.location
    program = ProgramOp(function.sym_name.data, type, Region(Block([graph])))
    program.location = function.location
    return program
