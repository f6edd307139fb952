"""Functions cut out of the decompositions of markers, for `convert-markers-to-dcf`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import SSAValue

from ..dialects import dcf
from ..passes._symbols import (
    CUSTOM_VJP,
    drop_own_rules,
    functions_of,
    has_own_rule,
    symbols_in,
)


def set_type(function: FuncOp) -> None:
    """Make the type agree with the block; attributes of arguments and results are of no use here."""
    block = function.body.block
    end = block.last_op
    assert end is not None
    function.properties["function_type"] = FunctionType.from_lists(
        list(block.arg_types), [value.type for value in end.operands]
    )
    function.properties.pop("arg_attrs", None)
    function.properties.pop("res_attrs", None)


def results_of(function: FuncOp) -> list[SSAValue]:
    """What a function returns."""
    end = function.body.block.last_op
    assert end is not None
    return list(end.operands)


def keep_results(function: FuncOp, results: Sequence[SSAValue]) -> None:
    """Make these the results, and erase what only others needed."""
    end = function.body.block.last_op
    assert end is not None
    end.operands = results
    erase_dead(function)
    set_type(function)


def drop_needless_rules(module: ModuleOp) -> None:
    """Outside of what is differentiated, call functions without rules, which can be inlined."""
    functions = functions_of(module)
    ruled = {name for name, function in functions.items() if has_own_rule(function)}
    ruled -= {name for name in ruled if CUSTOM_VJP in functions[name].attributes}
    if not ruled:
        return
    pending = [
        op.callee.root_reference.data
        for op in module.walk()
        if isinstance(op, dcf.VjpOp | dcf.JvpOp | dcf.GradientOp)
    ]
    differentiated: set[str] = set()
    while pending:
        name = pending.pop()
        if name in functions and name not in differentiated:
            differentiated.add(name)
            pending.extend(symbols_in(functions[name]))
    plain: dict[str, FuncOp] = {}
    for name, function in functions.items():
        if name in differentiated:
            continue
        for call in function.walk():
            callee = call.callee.root_reference.data if isinstance(call, CallOp) else ""
            if callee in ruled and callee in differentiated:
                if callee not in plain:
                    plain[callee] = _without_rule(functions[callee], {*functions, *plain})
                call.properties["callee"] = SymbolRefAttr(plain[callee].sym_name.data)
    for name in ruled - differentiated:
        drop_own_rules(functions[name])


def _without_rule(function: FuncOp, taken: set[str]) -> FuncOp:
    name = f"{function.sym_name.data}.plain"
    while name in taken:
        name += "_"
    made = function.clone()
    made.properties["sym_name"] = StringAttr(name)
    drop_own_rules(made)
    block = function.parent_block()
    assert block is not None
    block.insert_op_after(made, function)
    return made


def erase_dead(function: FuncOp) -> None:
    """Erase what nothing reads."""
    for op in reversed(list(function.body.block.ops)):
        if op.next_op is not None and all(result.first_use is None for result in op.results):
            function.body.block.erase_op(op)
