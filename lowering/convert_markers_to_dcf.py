"""`convert-markers-to-dcf`: composites that the JAX front end marks derivatives with become ops.

First in the pipelines: it reads functions as JAX printed them. `frontends/markers.py` says what the
markers are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from ..dialects import dcf
from ..dialects.dcf.types import is_differentiable
from ..dialects.diagnostics import ProgramError
from ..dialects.plan.devices import copy_device
from ..dialects.plan.scopes import place_by_scopes
from ..dialects.stablehlo import CompositeOp
from ..passes._symbols import (
    CUSTOM_BACKWARD,
    CUSTOM_FORWARD,
    CUSTOM_JVP,
    CUSTOM_VJP,
    functions_of,
    remove_unused_private_functions,
)
from ..passes.autodiff.emitter import Emitter
from .marked_functions import drop_needless_rules, erase_dead, keep_results, results_of, set_type

PREFIX = "anabranch."


@dataclass(frozen=True)
class ConvertMarkersToDcfPass(ModulePass):
    """Turns composites `anabranch.vjp`, `.jvp`, `.custom_vjp`, `.custom_jvp`, `.custom_forward` and
    `.stop_gradient` into what they mean.

    The decomposition of a marked derivative becomes the function to differentiate, under the name of the
    user's; one with a rule of its own gets attributes that name the rule: `dcf.custom_vjp`,
    `dcf.custom_jvp`, or both of `dcf.custom_forward` and `dcf.custom_backward`. The latter only matter in
    what is differentiated, and elsewhere calls are of functions without.

    Ops whose debug names have a scope of `ab.device` get that `plan.device`.
    """

    name = "convert-markers-to-dcf"
    exactness: ClassVar[str] = "exact"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        place_by_scopes(op)
        markers = _markers(op)
        if markers:
            converter = _Converter(op)
            for marker in markers:
                if marker.parent is not None:
                    converter.convert(marker)
            drop_needless_rules(op)
            remove_unused_private_functions(op)


def has_markers(module: ModuleOp) -> bool:
    """Whether there is anything to convert."""
    return bool(_markers(module))


def _markers(op: Operation) -> list[CompositeOp]:
    return [
        inner
        for inner in op.walk()
        if isinstance(inner, CompositeOp) and inner.composite_name.data.startswith(PREFIX)
    ]


class _Converter:
    def __init__(self, module: ModuleOp):
        self.module = module
        self.functions = functions_of(module)
        self.made: dict[tuple[str, str], FuncOp] = {}
        self.kinds: dict[str, Callable[[CompositeOp, FuncOp], Sequence[SSAValue]]] = {
            "vjp": self._vjp,
            "jvp": self._jvp,
            "custom_vjp": self._custom_vjp,
            "custom_jvp": self._custom_jvp,
            "custom_forward": self._custom_forward,
        }

    def convert(self, op: CompositeOp) -> None:
        """Replace a marker; those in its decomposition, which is copied, come first."""
        kind = op.composite_name.data.removeprefix(PREFIX)
        function = self.functions.get(op.decomposition.root_reference.data)
        if function is None or (kind not in self.kinds and kind != "stop_gradient"):
            raise ProgramError(
                f"expected a marker of {', '.join(self.kinds)} or stop_gradient with a function of"
                f' the module, got "{op.composite_name.data}"',
                op,
            )
        block = op.parent_block()
        assert block is not None
        if kind == "stop_gradient":
            stops = [dcf.StopGradientOp(value) for value in op.inputs]
            results: Sequence[SSAValue] = [self._insert(op, stop).results[0] for stop in stops]
        else:
            for inner in _markers(function):
                self.convert(inner)
            results = self.kinds[kind](op, function)
        for old, new in zip(op.outputs, results, strict=True):
            new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
        block.erase_op(op)

    def _insert(self, op: CompositeOp, new: Operation) -> Operation:
        block = op.parent_block()
        assert block is not None
        new.location = op.location
        copy_device(op, new)
        block.insert_op_before(new, op)
        return new

    def _vjp(self, op: CompositeOp, function: FuncOp) -> Sequence[SSAValue]:
        callee = self._primal(op, function)
        arguments = len(callee.function_type.inputs.data)
        request = dcf.VjpOp(
            callee.sym_name.data,
            list(op.inputs[:arguments]),
            list(op.inputs[arguments:]),
            list(op.result_types),
            wrt=self._wrt(op, callee),
        )
        return self._insert(op, request).results

    def _jvp(self, op: CompositeOp, function: FuncOp) -> Sequence[SSAValue]:
        callee = self._primal(op, function)
        arguments = len(callee.function_type.inputs.data)
        request = dcf.JvpOp(
            callee.sym_name.data,
            list(op.inputs[:arguments]),
            list(op.inputs[arguments:]),
            list(op.result_types),
            wrt=self._wrt(op, callee),
        )
        return self._insert(op, request).results

    def _custom_vjp(self, op: CompositeOp, function: FuncOp) -> Sequence[SSAValue]:
        callee = self._primal(op, function)
        if CUSTOM_VJP not in callee.attributes:
            rule = self._rule(op, function, callee)
            callee.attributes[CUSTOM_VJP] = SymbolRefAttr(rule.sym_name.data)
        return self._called(op, callee)

    def _custom_jvp(self, op: CompositeOp, function: FuncOp) -> Sequence[SSAValue]:
        callee = self._primal(op, function)
        if CUSTOM_JVP not in callee.attributes:
            rule = self._copy(function, f"{callee.sym_name.data}.rule")
            block = rule.body.block
            arguments = len(callee.function_type.inputs.data)
            captured = arguments - _number(op, "arguments")
            # Tangents of what the function captures come first, and are not read.
            types = [a.type for a in block.args[:captured] if is_differentiable(a.type)]
            for number, type in enumerate(types):
                block.insert_arg(type, arguments + number)
            keep_results(rule, results_of(rule)[_number(op, "results") :])
            callee.attributes[CUSTOM_JVP] = SymbolRefAttr(rule.sym_name.data)
        return self._called(op, callee)

    def _custom_forward(self, op: CompositeOp, function: FuncOp) -> Sequence[SSAValue]:
        callee = self._primal(op, function)
        if CUSTOM_FORWARD not in callee.attributes:
            count, kept = _number(op, "results"), _number(op, "residuals")
            arguments = len(callee.function_type.inputs.data)
            captured = arguments - _number(op, "arguments")
            name = callee.sym_name.data
            forward = self._copy(function, f"{name}.forward")
            block = forward.body.block
            # What is captured is at hand in both parts.
            found = results_of(forward)[count : 2 * count + kept]
            keep_results(forward, [*found[:count], *block.args[:captured], *found[count:]])
            for argument in list(block.args[arguments:]):
                block.erase_arg(argument)
            set_type(forward)
            backward = self._copy(function, f"{name}.backward")
            block = backward.body.block
            found = results_of(backward)[2 * count + kept :]
            end = block.last_op
            assert end is not None
            end.detach()
            emit = Emitter(block)
            emit.source = op
            zeros = [emit.zeros_like(a) for a in block.args[:captured] if is_differentiable(a.type)]
            block.add_op(end)
            keep_results(backward, [*zeros, *found])
            for argument in list(block.args[captured:arguments]):
                block.erase_arg(argument)
            set_type(backward)
            callee.attributes[CUSTOM_FORWARD] = SymbolRefAttr(forward.sym_name.data)
            callee.attributes[CUSTOM_BACKWARD] = SymbolRefAttr(backward.sym_name.data)
        return self._called(op, callee)

    def _called(self, op: CompositeOp, callee: FuncOp) -> Sequence[SSAValue]:
        """A call in the place of a marker of a rule."""
        arguments = len(callee.function_type.inputs.data)
        types = list(callee.function_type.outputs.data)
        call = CallOp(callee.sym_name.data, list(op.inputs[:arguments]), types)
        results = self._insert(op, call).results
        # Nothing reads the other results of such a marker; they only have to be there.
        emit = Emitter(Block())
        rest = [emit.constant(0, type) for type in op.result_types[len(types) :]]
        for made in list(emit.block.ops):
            made.detach()
            self._insert(op, made)
        return [*results, *rest]

    def _primal(self, op: CompositeOp, function: FuncOp) -> FuncOp:
        """The function that a marker is about: the first results of the decomposition."""
        key = (function.sym_name.data, op.composite_name.data)
        known = self.made.get(key)
        if known is not None:
            return known
        made = self._copy(function, _text(op, "label") or "function")
        block = made.body.block
        end = block.last_op
        assert end is not None
        count = _number(op, "results")
        values = list(end.operands)[:count]
        seeds = self._seeds(op, values)
        for argument in list(block.args[len(block.args) - seeds :]):
            if argument.first_use is not None:
                # Only what is cut off read it.
                end.operands = values
                erase_dead(made)
            block.erase_arg(argument)
        of = _number(op, "of", -1)
        for k, value in enumerate(values):
            if of not in (-1, k) and is_differentiable(value.type):
                stop = dcf.StopGradientOp(value)
                stop.location = end.location
                block.insert_op_before(stop, end)
                values[k] = stop.result
        end.operands = values
        set_type(made)
        self.made[key] = made
        return made

    def _seeds(self, op: CompositeOp, results: Sequence[SSAValue]) -> int:
        """How many of the marker's operands are cotangents or tangents."""
        if op.composite_name.data == f"{PREFIX}jvp":
            return len(_numbers(op, "wrt"))
        given = _number(op, "seeds", -1)
        if given >= 0:
            return given + _number(op, "residuals", 0)
        return sum(is_differentiable(value.type) for value in results)

    def _rule(self, op: CompositeOp, function: FuncOp, primal: FuncOp) -> FuncOp:
        """From arguments and cotangents to the cotangents of all floating-point arguments."""
        made = self._copy(function, f"{primal.sym_name.data}.rule")
        block = made.body.block
        end = block.last_op
        assert end is not None
        found = list(end.operands)[_number(op, "results") :]
        captured = len(primal.function_type.inputs.data) - _number(op, "arguments")
        end.detach()
        emit = Emitter(block)
        emit.source = op
        zeros = [emit.zeros_like(a) for a in block.args[:captured] if is_differentiable(a.type)]
        block.add_op(end)
        end.operands = [*zeros, *found]
        set_type(made)
        return made

    def _wrt(self, op: CompositeOp, callee: FuncOp) -> list[int]:
        """The numbers among all arguments; what the function captures comes first."""
        captured = len(callee.function_type.inputs.data) - _number(op, "arguments")
        return [captured + number for number in _numbers(op, "wrt")]

    def _copy(self, function: FuncOp, name: str) -> FuncOp:
        unique, number = name, 0
        while unique in self.functions:
            number += 1
            unique = f"{name}_{number}"
        made = function.clone()
        made.properties["sym_name"] = StringAttr(unique)
        made.properties["sym_visibility"] = StringAttr("private")
        block = function.parent_block()
        assert block is not None
        block.insert_op_after(made, function)
        self.functions[unique] = made
        return made


def _attribute(op: CompositeOp, name: str) -> Attribute | None:
    attributes = op.properties.get("composite_attributes")
    return attributes.data.get(name) if isinstance(attributes, DictionaryAttr) else None


def _number(op: CompositeOp, name: str, default: int | None = None) -> int:
    value = _attribute(op, name)
    if isa(value, IntegerAttr):
        return value.value.data
    if default is None:
        raise ProgramError(f'expected a number "{name}" in the marker, got none', op)
    return default


def _text(op: CompositeOp, name: str) -> str:
    value = _attribute(op, name)
    return value.data if isinstance(value, StringAttr) else ""


def _numbers(op: CompositeOp, name: str) -> list[int]:
    return [int(number) for number in _text(op, name).split(",") if number]
