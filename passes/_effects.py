"""Which ops have an effect besides their results; shared by passes that remove code.

An op without effects may go when its results are not used. That includes a loop that might never
end and a stack or array op that might fail: as elsewhere in MLIR, not ending and failing are not
effects. Ops that xDSL knows no memory effects of have one: probes, sends and receives, unknown ops.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import CallOp
from xdsl.ir import Operation
from xdsl.traits import (
    IsTerminator,
    MemoryEffect,
    NoMemoryEffect,
    RecursiveMemoryEffect,
    get_effects,
)

from ..dialects.dcf import GradientOp, JvpOp, VjpOp
from ._symbols import functions_of


class Effects:
    """Answers `of(op)` for the ops of a module; every op is looked at once."""

    def __init__(self, module: ModuleOp):
        self._functions = functions_of(module)
        self._known: dict[Operation, bool] = {}
        self._open: set[str] = set()

    def of(self, op: Operation) -> bool:
        """Whether `op`, or an op in it, has an effect."""
        answer = self._known.get(op)
        if answer is None:
            answer = self._known[op] = self._compute(op)
        return answer

    def _compute(self, op: Operation) -> bool:
        if isinstance(op, CallOp | GradientOp | VjpOp | JvpOp):
            return self._of_function(op.callee.root_reference.data)
        if op.name == "stablehlo.custom_call":
            return _custom_call_has_effect(op)
        if op.has_trait(IsTerminator):
            return False
        interfaces = op.get_traits_of_type(MemoryEffect)
        if not interfaces:
            return True
        for interface in interfaces:
            if isinstance(interface, RecursiveMemoryEffect):
                if self._of_regions(op):
                    return True
            elif not isinstance(interface, NoMemoryEffect):
                return bool(get_effects(op))
        return False

    def _of_function(self, name: str) -> bool:
        function = self._functions.get(name)
        if function is None or function.is_declaration or name in self._open:
            return True
        answer = self._known.get(function)
        if answer is None:
            self._open.add(name)
            answer = self._known[function] = self._of_regions(function)
            self._open.remove(name)
        return answer

    def _of_regions(self, op: Operation) -> bool:
        return any(
            self.of(nested)
            for region in op.regions
            for block in region.blocks
            for nested in block.ops
        )


def _custom_call_has_effect(op: Operation) -> bool:
    effect = op.properties.get("has_side_effect")
    return isinstance(effect, IntegerAttr) and bool(effect.value.data)
