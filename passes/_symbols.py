"""Functions of a module and the symbols its ops mention; shared by passes that follow calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

CUSTOM_VJP = "dcf.custom_vjp"
"""Attribute of a function that names the function of its reverse rule: from arguments and cotangents to
cotangents. What is computed stays the function."""
CUSTOM_JVP = "dcf.custom_jvp"
"""Attribute of a function that names the function to compute instead, with tangents: from arguments and a
tangent of each floating-point one to results and a tangent of each floating-point one."""
CUSTOM_FORWARD = "dcf.custom_forward"
"""Attribute of a function that names the function to compute instead, which returns residuals too; for
reverse mode, with `CUSTOM_BACKWARD`."""
CUSTOM_BACKWARD = "dcf.custom_backward"
"""Names the function from residuals, and a cotangent of each floating-point result, to a cotangent of each
floating-point argument."""
OWN_RULES = frozenset({CUSTOM_VJP, CUSTOM_JVP, CUSTOM_FORWARD, CUSTOM_BACKWARD})


def has_own_rule(function: FuncOp) -> bool:
    """Whether derivatives of a function are not those of what it computes: calls of it stay."""
    return not OWN_RULES.isdisjoint(function.attributes)


def drop_own_rules(function: FuncOp) -> None:
    """Make it a function like others, for when nothing asks for derivatives any more."""
    for name in OWN_RULES:
        function.attributes.pop(name, None)


def functions_of(module: ModuleOp) -> dict[str, FuncOp]:
    """The functions directly in `module`, by name, in textual order."""
    return {op.sym_name.data: op for op in module.body.ops if isinstance(op, FuncOp)}


def is_private(function: FuncOp) -> bool:
    """Whether nothing outside the module can call `function`."""
    visibility = function.sym_visibility
    return visibility is not None and visibility.data == "private"


def symbols_in(op: Operation) -> Iterator[str]:
    """Names of the symbols that attributes of `op` and of the ops in it refer to, with repeats."""
    for nested in op.walk():
        for attributes in (nested.properties, nested.attributes):
            for attribute in attributes.values():
                yield from _symbols_in_attribute(attribute)


def remove_unused_private_functions(module: ModuleOp) -> None:
    """Erases the private functions that no public symbol or other op needs, directly or not."""
    functions = functions_of(module)
    pending: list[Operation] = [
        op for op in module.body.ops if not (isinstance(op, FuncOp) and is_private(op))
    ]
    used: set[str] = set()
    while pending:
        for symbol in symbols_in(pending.pop()):
            if symbol not in used and symbol in functions:
                used.add(symbol)
                pending.append(functions[symbol])
    for name, function in functions.items():
        if is_private(function) and name not in used:
            function.detach()
            function.erase()


def _symbols_in_attribute(attribute: Attribute) -> Iterator[str]:
    # Symbols sit directly, or in plain lists and dictionaries (such as called_computations); other
    # attributes are not searched, since a dense constant can be large.
    if isinstance(attribute, SymbolRefAttr):
        yield attribute.root_reference.data
    elif isinstance(attribute, ArrayAttr):
        for element in cast("ArrayAttr[Attribute]", attribute).data:
            yield from _symbols_in_attribute(element)
    elif isinstance(attribute, DictionaryAttr):
        for element in attribute.data.values():
            yield from _symbols_in_attribute(element)


def unique_name(function: FuncOp, suffix: str) -> str:
    """`FUNCTION.SUFFIX`, with a number if the module has that."""
    module = function.parent_op()
    taken = functions_of(module) if isinstance(module, ModuleOp) else {}
    name = base = f"{function.sym_name.data}.{suffix}"
    number = 0
    while name in taken:
        number += 1
        name = f"{base}_{number}"
    return name
