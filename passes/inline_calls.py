"""`inline-calls`: puts the bodies of called functions in the place of the calls.

First pass of the pipeline: JAX prints the body of every scan, and every jitted function called in
another, as a private function, while the levels below want loops with their bodies in place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects.diagnostics import NamedPlace, ProgramError, SourceLoc, as_location, name_of
from ..dialects.plan.devices import device_of, inherit_device
from ._symbols import (
    functions_of,
    has_own_rule,
    is_private,
    remove_unused_private_functions,
    symbols_in,
)


@dataclass(frozen=True)
class InlineCallsPass(ModulePass):
    """Inlines every `func.call` of a function of the module, inside regions too.

    A function is finished before it is copied into its callers, so the work is linear in the
    size of the result; the last call of a private function takes its body instead of a copy.
    An inlined op without a device has the call's, and its name (`jit(f)/layer/jit(g)/mul`) begins
    with the call's, as JAX names what is in a function from there on.
    Recursion is an error that names the cycle; so is a call of a declared or unknown function.
    Private functions that nothing uses any more are removed; `dcf.gradient` and its like,
    `dfg.kernel`, and any other op that names a function count as uses. Calls in a `dfg.graph`
    are nodes of it, and stay; so do calls of functions with a derivative rule of their own
    (the attribute `dcf.custom_vjp`, `dcf.custom_jvp` or `dcf.custom_forward`).

    With `function`, only calls in that function, and in those it calls, are inlined.
    """

    name = "inline-calls"
    exactness: ClassVar[str] = "exact"

    function: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = functions_of(op)
        if self.function is None:
            roots = list(functions.values())
        elif self.function in functions:
            roots = [functions[self.function]]
        else:
            known = ", ".join(f"@{name}" for name in functions) or "none"
            raise ProgramError(
                f"inline-calls: expected the name of a function of the module, got "
                f"'{self.function}' (functions: {known})",
                op,
            )
        calls = {name: _calls_in(function, functions) for name, function in functions.items()}
        remaining = _count_uses(op)
        for function in _callees_first(roots, functions, calls):
            for call in calls[function.sym_name.data]:
                callee = functions[call.callee.root_reference.data]
                name = callee.sym_name.data
                remaining[name] -= 1
                _inline(call, callee, move=is_private(callee) and remaining[name] == 0)
                if is_private(callee) and remaining[name] == 0:
                    callee.detach()
                    callee.erase()
        remove_unused_private_functions(op)


def _calls_in(function: FuncOp, functions: dict[str, FuncOp]) -> list[CallOp]:
    kept = {name for name, callee in functions.items() if has_own_rule(callee)}
    return [
        op
        for op in function.walk()
        if isinstance(op, CallOp) and op.callee.root_reference.data not in kept
    ]


def _count_uses(module: ModuleOp) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in symbols_in(module):
        counts[name] = counts.get(name, 0) + 1
    return counts


def _callees_first(
    roots: list[FuncOp], functions: dict[str, FuncOp], calls: dict[str, list[CallOp]]
) -> list[FuncOp]:
    """The functions that `roots` reach, each after all it calls; checks every call on the way.

    An explicit stack, since chains of calls may be longer than Python's.
    """
    order: list[FuncOp] = []
    finished: set[str] = set()
    for root in roots:
        if root.sym_name.data in finished:
            continue
        path: dict[str, Iterator[CallOp]] = {root.sym_name.data: iter(calls[root.sym_name.data])}
        while path:
            name = next(reversed(path))
            call = next(path[name], None)
            if call is None:
                del path[name]
                finished.add(name)
                order.append(functions[name])
                continue
            callee = _checked_callee(call, functions)
            callee_name = callee.sym_name.data
            if callee_name in path:
                names = list(path)
                cycle = [*names[names.index(callee_name) :], callee_name]
                raise ProgramError(
                    "expected calls without recursion, got " + " -> ".join(f"@{n}" for n in cycle),
                    call,
                )
            if callee_name not in finished:
                path[callee_name] = iter(calls[callee_name])
    return order


def _checked_callee(call: CallOp, functions: dict[str, FuncOp]) -> FuncOp:
    name = call.callee.root_reference.data
    callee = functions.get(name)
    if callee is None:
        raise ProgramError(
            f"expected a call of a function of the module, got unknown @{name}", call
        )
    if callee.is_declaration:
        raise ProgramError(
            f"expected a call of a function with a body, got the declaration @{name}", call
        )
    if len(callee.body.blocks) != 1:
        raise ProgramError(
            f"expected @{name} to have one block, got {len(callee.body.blocks)}", call
        )
    _check_types(f"argument of @{name}", callee.function_type.inputs.data, call.operand_types, call)
    _check_types(f"result of @{name}", callee.function_type.outputs.data, call.result_types, call)
    return callee


def _check_types(
    what: str, expected: Sequence[Attribute], got: Sequence[Attribute], call: CallOp
) -> None:
    if len(expected) != len(got):
        raise ProgramError(f"expected {len(expected)} {what}, got {len(got)}", call)
    for number, (one, other) in enumerate(zip(expected, got)):
        if one != other:
            raise ProgramError(f"expected {one} for {what} number {number}, got {other}", call)


def _inline(call: CallOp, callee: FuncOp, *, move: bool) -> None:
    """Puts the ops of `callee`, or copies of them, before `call`, and erases `call`."""
    source = callee.body.block
    if move:
        for argument, value in zip(source.args, call.operands):
            argument.replace_all_uses_with(value)
        body = source
    else:
        body = Block()
        values: dict[SSAValue, SSAValue] = dict(zip(source.args, call.operands))
        for op in source.ops:
            body.add_op(op.clone(values))
    block = call.parent
    assert block is not None
    path = name_of(call.location)
    placed = device_of(call) is not None
    results: tuple[SSAValue, ...] = ()
    while (op := body.first_op) is not None:
        op.detach()
        if body.is_empty:
            results = tuple(op.operands)
            op.erase()
        else:
            block.insert_op_before(op, call)
            if placed:
                inherit_device(call, op)
            if path:
                _locate_under(path, op)
    for result, value in zip(call.results, results):
        result.replace_all_uses_with(value)
    call.detach()
    call.erase()


def _locate_under(path: str, op: Operation) -> None:
    """Put `path`, the name of a call, before the names of an inlined op and of what is in it."""
    root = path.split("/", 1)[0] + "/"
    for inner in op.walk():
        location = inner.location
        if not isinstance(location, SourceLoc) or not isinstance(location.given, NamedPlace):
            continue
        name = location.given.name
        if not name.startswith(root):  # else it is a whole name already
            given = NamedPlace(f"{path}/{name}", location.given.child)
            inner.location = as_location(SourceLoc(location.source, location.offset, given))
