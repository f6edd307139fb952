"""Where an op, an argument or a result lives: the attribute `plan.device`, of any level's ops.

The attribute is a discardable one, a string such as "cpu:1": on an op `{plan.device = "cpu:1"}`, on
an argument or a result of a function in its attributes. On a structured op (`dcf.while`, …) it is the
default for what is nested in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.traits import ConstantLike, IsTerminator

from ..dcf.types import ArrayType, StackType
from ..diagnostics import ProgramError

DEVICE = "plan.device"
"""The attribute's name."""

DEFAULT_DEVICE = "cpu:0"
"""Where everything runs in a program that names no device."""


def device_order(name: str) -> list[tuple[int, str]]:
    """The sort key by which `cpu:2` comes before `cpu:10`."""
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def device_of(op: Operation) -> str | None:
    """The device that `op` is placed on, or None."""
    return _name(op.attributes.get(DEVICE), op)


def set_device(op: Operation, name: str | None) -> None:
    """Place `op`; None takes its placement away."""
    if name is None:
        op.attributes.pop(DEVICE, None)
    else:
        op.attributes[DEVICE] = StringAttr(name)


def copy_device(source: Operation, target: Operation) -> None:
    """Place `target` where `source` is, if it has no device and `source` has one."""
    device = source.attributes.get(DEVICE)
    if device is not None and DEVICE not in target.attributes:
        target.attributes[DEVICE] = device


def inherit_device(source: Operation, made: Operation) -> None:
    """Place `made`, which a pass makes for `source`, where `source` is.

    A terminator has no place, and a constant is wherever it is used. What handles a stack or an
    array is left to the place of that stack or array, unless `source` is a plain op that handles
    one too.
    """
    if made.has_trait(IsTerminator) or made.has_trait(ConstantLike):
        return
    if handles_container(made) and not made.regions:
        if source.regions or not handles_container(source):
            return
    copy_device(source, made)


def handles_container(op: Operation) -> bool:
    """Whether an operand or a result is a stack or an array."""
    return any(is_container(value.type) for value in (*op.operands, *op.results))


def is_container(type: Attribute) -> bool:
    """A type whose values never leave their device."""
    return isinstance(type, StackType | ArrayType)


def argument_devices(function: FuncOp) -> list[str | None]:
    """The devices of a function's arguments."""
    return _devices(function, function.arg_attrs, len(function.function_type.inputs))


def result_devices(function: FuncOp) -> list[str | None]:
    """The devices of a function's results."""
    return _devices(function, function.res_attrs, len(function.function_type.outputs))


def set_argument_devices(function: FuncOp, names: Sequence[str | None]) -> None:
    """Place a function's arguments; None leaves one without a device."""
    attributes = _with_devices(function.arg_attrs, names)
    if attributes is not None:
        function.properties["arg_attrs"] = attributes


def set_result_devices(function: FuncOp, names: Sequence[str | None]) -> None:
    """Place a function's results; None leaves one without a device."""
    attributes = _with_devices(function.res_attrs, names)
    if attributes is not None:
        function.properties["res_attrs"] = attributes


def _devices(
    function: FuncOp, given: ArrayAttr[DictionaryAttr] | None, count: int
) -> list[str | None]:
    if given is None:
        return [None] * count
    return [_name(attributes.data.get(DEVICE), function) for attributes in given]


def _with_devices(
    given: ArrayAttr[DictionaryAttr] | None, names: Sequence[str | None]
) -> ArrayAttr[DictionaryAttr] | None:
    """`given` with the devices changed; None where there is nothing to say and was not before."""
    if given is None and all(name is None for name in names):
        return None
    old = given.data if given is not None else [DictionaryAttr({}) for _ in names]
    new: list[DictionaryAttr] = []
    for attributes, name in zip(old, names, strict=True):
        entries = dict(attributes.data)
        entries.pop(DEVICE, None)
        if name is not None:
            entries[DEVICE] = StringAttr(name)
        new.append(DictionaryAttr(entries))
    return ArrayAttr(new)


def _name(attribute: Attribute | None, op: Operation) -> str | None:
    if attribute is None:
        return None
    if not isinstance(attribute, StringAttr) or not attribute.data:
        raise ProgramError(
            f'expected {DEVICE} to be the name of a device such as "cpu:1", got {attribute}', op
        )
    return attribute.data
