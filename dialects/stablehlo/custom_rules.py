"""The verifiers of `composite` and `custom_call`, which speak of functions, layouts and aliases."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FunctionType,
    TupleType,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.traits import SymbolTable

from .attributes import OutputOperandAliasAttr
from .constraints import as_tensor
from .rules import expect_size, mismatch

if TYPE_CHECKING:
    from .custom import CompositeOp, CustomCallOp

_NAMESPACED = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+")

TYPED_FFI = 4
"""The version of custom calls whose configuration is a dictionary; before, it is a string."""


def verify_composite(op: CompositeOp) -> None:
    """Constraints 1 to 4: a name with a namespace, and a decomposition of the same types."""
    name = op.composite_name.data
    if _NAMESPACED.fullmatch(name) is None:
        raise mismatch("a name such as my_namespace.my_op", repr(name), "composite_c1")
    found = SymbolTable.lookup_symbol(op, op.decomposition)
    function_type = None if found is None else found.properties.get("function_type")
    if not isinstance(function_type, FunctionType):
        got = f"{op.decomposition}, which is not a function of the module"
        raise mismatch("a decomposition", got, "composite_c2")
    for what, types, expected, label in (
        ("operand", op.operand_types, function_type.inputs.data, "composite_c3"),
        ("result", op.result_types, function_type.outputs.data, "composite_c4"),
    ):
        expect_size(f"{what}s, as the decomposition has", len(types), len(expected), label)
        for i, (type, wanted) in enumerate(zip(types, expected)):
            if type != wanted:
                expected_type = f"{what} {i} of type {wanted}, as the decomposition has"
                raise mismatch(expected_type, type, label)


def verify_custom_call(op: CustomCallOp) -> None:
    """Layouts for operands and results or none, aliases of parts that exist, a fitting config."""
    operand_layouts, result_layouts = op.operand_layouts, op.result_layouts
    if operand_layouts is not None and result_layouts is not None:
        types: Sequence[Attribute] = op.result_types
        if len(types) == 1 and isinstance(types[0], TupleType):
            types = types[0].types.data
        _verify_layouts("operand", op.operand_types, operand_layouts)
        _verify_layouts("result", types, result_layouts)
    elif operand_layouts is not None or result_layouts is not None:
        got = "result_layouts" if operand_layouts is None else "operand_layouts"
        raise mismatch("layouts for both operands and results, or none", f"{got} alone")
    for alias in op.output_operand_aliases or ():
        _verify_alias(op, alias)
    config, version = op.backend_config, op.api_version
    typed = version.value.data == TYPED_FFI
    if config is not None and isinstance(config, DictionaryAttr) != typed:
        kind = "a dictionary" if typed else "a string"
        raise mismatch(f"{kind} as backend_config of this api_version", config)


def _verify_layouts(what: str, types: Sequence[Attribute], layouts: ArrayAttr) -> None:
    """One permutation of the dimensions for each tensor, an empty list for anything else."""
    expect_size(f"{what} layouts", len(layouts.data), len(types), "")
    for i, (type, layout) in enumerate(zip(types, layouts.data)):
        if not isinstance(layout, DenseIntOrFPElementsAttr):
            raise mismatch(f"{what} layout {i} as a list of dimensions", layout)
        elements = cast(DenseIntOrFPElementsAttr, layout)
        order = list(cast("Sequence[int]", elements.get_values()))
        tensor = as_tensor(type)
        rank = 0 if tensor is None else tensor.get_num_dims()
        if sorted(order) != list(range(rank)):
            expected = f"{what} layout {i} to be a permutation of {list(range(rank))}"
            raise mismatch(expected, order)


def _verify_alias(op: CustomCallOp, alias: OutputOperandAliasAttr) -> None:
    """The part of the operand and the part of the output have one type."""
    index = alias.operand_index.data
    if not 0 <= index < len(op.operands):
        raise mismatch(f"the operand_index of an alias in [0, {len(op.operands)})", index)
    operand = _part("operand", op.operand_types[index], alias.operand_tuple_indices.data)
    outputs = op.result_types
    whole = (
        outputs[0]
        if len(outputs) == 1
        else TupleType(cast("tuple[TypeAttribute, ...]", tuple(outputs)))
    )
    output = _part("output", whole, alias.output_tuple_indices.data)
    if operand != output:
        raise mismatch(f"the aliased part of the output of type {operand}", output)


def _part(what: str, type: Attribute, indices: Sequence[int]) -> Attribute:
    for index in indices:
        members = type.types.data if isinstance(type, TupleType) else ()
        if not 0 <= index < len(members):
            raise mismatch(f"each of {what}_tuple_indices in [0, {len(members)})", index)
        type = members[index]
    return type
