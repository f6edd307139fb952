"""What the verifiers of `dcf` and `dfg` share: comparisons of types, and located errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import (
    I64,
    FunctionType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..diagnostics import RuleError
from .assembly import PREDICATE
from .types import ArrayType, StackType


def type_list(types: Iterable[Attribute]) -> str:
    """`(type, type)`, for messages."""
    return f"({', '.join(str(type) for type in types)})"


def check_predicate(what: str, type: Attribute, where: Operation) -> None:
    """A predicate is a `tensor<i1>`."""
    if type != PREDICATE:
        raise RuleError(f"expected {what} of type {PREDICATE}, got {type}", where)


def check_type(what: str, expected: Attribute, got: Attribute) -> None:
    """Both types are equal."""
    if expected != got:
        raise VerifyException(f"expected {what} of type {expected}, got {got}")


def check_scalar_integer(what: str, type: Attribute) -> None:
    """A scalar tensor of integers, as indices and lengths are."""
    if (
        not isa(type, TensorType[IntegerType])
        or type.get_num_dims() != 0
        or type.element_type.width.data == 1
    ):
        raise VerifyException(f"expected {what} to be a scalar integer tensor, got {type}")


def check_values(
    what: str,
    expected: Sequence[Attribute],
    got: Sequence[Attribute],
    where: Operation,
    reason: str = "",
) -> None:
    """As many types as expected, and the same at each position.

    `what` names them in the singular ("result"); `reason` tells where the expectation comes from
    (" as the initial value has").
    """
    if len(expected) != len(got):
        plural = "" if len(expected) == 1 else "s"
        raise RuleError(f"expected {len(expected)} {what}{plural}, got {len(got)}", where)
    for position, (one, other) in enumerate(zip(expected, got)):
        if one != other:
            raise RuleError(f"expected {what} {position} of type {one}{reason}, got {other}", where)


def check_yield(
    what: str, expected: Sequence[Attribute], got: Sequence[Attribute], end: Operation
) -> None:
    """The values that a loop's body yields are of the types that the loop carries."""
    if len(expected) != len(got):
        plural = "" if len(expected) == 1 else "s"
        raise RuleError(f"expected {len(expected)} yielded value{plural}, got {len(got)}", end)
    for position, (one, other) in enumerate(zip(expected, got)):
        if one != other:
            raise RuleError(
                f"expected {what} {position} of type {one}, got a yielded {other}"
                f"{dimension_hint(one, other)}",
                end,
            )


def dimension_hint(expected: Attribute, got: Attribute) -> str:
    """What to do when only dimensions differ: nothing to say otherwise."""
    if (
        isa(expected, TensorType[Attribute])
        and isa(got, TensorType[Attribute])
        and expected.element_type == got.element_type
        and expected.get_num_dims() == got.get_num_dims()
    ):
        return "; declare a dimension that changes from trip to trip dynamic (`?`)"
    return ""


def check_carried(types: Sequence[Attribute], where: Operation) -> None:
    """Loops carry tensors, stacks and arrays."""
    for position, type in enumerate(types):
        if not isinstance(type, TensorType | StackType | ArrayType):
            raise RuleError(
                f"expected carried value {position} to be a tensor, a stack or an array,"
                f" got {type}",
                where,
            )


def terminator_of(region: Region, expected: type[Operation], what: str) -> Operation:
    """The op that ends `region`, which must be of the class `expected`."""
    block = region.blocks.first
    last = None if block is None else block.last_op
    if last is None or not isinstance(last, expected):
        got = "nothing" if last is None else last.name
        message = f"expected {what} to end in {expected.name}, got {got}"
        raise VerifyException(message) if last is None else RuleError(message, last)
    return last


def check_parent(op: Operation, expected: Sequence[str]) -> None:
    """A terminator stands in an op that it can end."""
    parent = op.parent_op()
    if parent is not None and parent.name not in expected:
        names = " or ".join((", ".join(expected[:-1]), expected[-1]) if expected[1:] else expected)
        raise VerifyException(f"expected to end a region of {names}, got one of {parent.name}")


def check_at_least(attr: IntegerAttr[I64] | None, name: str, least: int) -> None:
    """An optional integer property that has a lower bound."""
    if attr is not None and attr.value.data < least:
        raise VerifyException(f"{name} must be at least {least}, got {attr.value.data}")


def check_residual_policy(attr: StringAttr | None) -> None:
    """`save`, `recompute`, `sqrt`, or `treeverse:C` with C >= 1."""
    if attr is None or attr.data in ("save", "recompute", "sqrt"):
        return
    kind, _, budget = attr.data.partition(":")
    if kind == "treeverse" and budget.isascii() and budget.isdigit() and int(budget) >= 1:
        return
    raise VerifyException(
        "expected residual_policy to be save, recompute, sqrt or treeverse:C with C >= 1,"
        f' got "{attr.data}"'
    )


LOOPS = ("dcf.while", "dcf.scan")


def check_not_captured(value: SSAValue, op: Operation) -> None:
    """A stack or array that changes in a loop is carried by it, so that each trip sees the last."""
    home = value.owner if not isinstance(value.owner, Operation) else value.owner.parent_block()
    block = op.parent_block()
    while block is not None and block is not home:
        parent = block.parent_op()
        if parent is not None and parent.name in LOOPS:
            kind = "array" if isinstance(value.type, ArrayType) else "stack"
            raise VerifyException(
                f"expected {op.name} to change {_article(kind)} that {parent.name} carries, got one"
                " captured from outside the loop"
            )
        block = None if parent is None else parent.parent_block()


def _article(kind: str) -> str:
    return f"an {kind}" if kind == "array" else f"a {kind}"


def callee_type(op: Operation, callee: SymbolRefAttr) -> FunctionType | None:
    """The type of the function that `op` names; None for an op that is in no module."""
    table: Operation | None = op
    while table is not None and not table.has_trait(SymbolTable):
        table = table.parent_op()
    if table is None:
        return None
    function = SymbolTable.lookup_symbol(table, callee)
    if not isinstance(function, FuncOp):
        got = "no such symbol" if function is None else function.name
        name = callee.root_reference.data
        raise VerifyException(f"expected @{name} to be a function of this module, got {got}")
    return function.function_type
