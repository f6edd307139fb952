"""Expands `dcf.gradient`, `dcf.vjp` and `dcf.jvp`: calls of functions that are made for them.

Functions are expanded callees first, so a request is for a function without requests of its own, and
derivatives of derivatives are no special case.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I64, DenseArrayBase, ModuleOp, StringAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import SSAValue

from ...dialects import dcf
from ...dialects.diagnostics import ProgramError
from .._symbols import functions_of, unique_name
from .functions import Options, add_gradient, add_jvp, add_vjp, checked_of, checked_wrt

Request = dcf.GradientOp | dcf.VjpOp | dcf.JvpOp
Key = tuple[str, str, tuple[int, ...], int | None]


def has_requests(module: ModuleOp) -> bool:
    """Whether there is anything to expand."""
    return any(isinstance(op, Request) for op in module.walk())


def expand_requests(module: ModuleOp, options: Options | None = None) -> None:
    """Replace every request by a call; the functions called are private and named after what they
    are: `@f.grad`, `@f.vjp.wrt_0`, `@f.jvp`, with a number added where that is taken."""
    expander = _Expander(module, options or Options())
    for function in functions_of(module).values():
        expander.expand(function)
    for made in expander.made.values():
        made.properties["sym_visibility"] = StringAttr("private")


class _Expander:
    def __init__(self, module: ModuleOp, options: Options):
        self.module = module
        self.options = options
        self.functions = functions_of(module)
        self.made: dict[Key, FuncOp] = {}
        self.finished: set[str] = set()
        self.open: list[str] = []

    def expand(self, function: FuncOp) -> None:
        """Replace the requests in a function, those in the functions it uses first."""
        name = function.sym_name.data
        if name in self.finished or function.is_declaration:
            return
        self.open.append(name)
        for op in list(function.walk()):
            if isinstance(op, CallOp):
                callee = self.functions.get(op.callee.root_reference.data)
                if callee is not None and callee.sym_name.data not in self.open:
                    self.expand(callee)
            elif isinstance(op, Request):
                self._request(op)
        self.open.pop()
        self.finished.add(name)

    def _request(self, op: Request) -> None:
        name = op.callee.root_reference.data
        function = self.functions.get(name)
        if function is None or function.is_declaration:
            found = "a declaration" if function is not None else "none"
            raise ProgramError(f"expected a function @{name} with a body, got {found}", op)
        if name in self.open:
            cycle = [*self.open[self.open.index(name) :], name]
            raise ProgramError(
                "expected derivatives of functions without recursion, got "
                + " -> ".join(f"@{step}" for step in cycle),
                op,
            )
        self.expand(function)
        made = self._function(op, function)
        call = CallOp(made.sym_name.data, list(op.operands), list(made.function_type.outputs.data))
        call.location = op.location
        call.attributes.update(op.attributes)
        block = op.parent_block()
        assert block is not None
        block.insert_op_before(call, op)
        results: Sequence[SSAValue] = call.results
        if isinstance(op, dcf.GradientOp):  # the primal results come first
            results = results[len(results) - len(op.results) :]
        for old, new in zip(op.results, results, strict=True):
            new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
        block.erase_op(op)

    def _function(self, op: Request, function: FuncOp) -> FuncOp:
        wrt = _numbers(op.wrt)
        of = None
        if isinstance(op, dcf.GradientOp):
            of = checked_of(function, op.of.value.data if op.of is not None else None)
        kind = {dcf.GradientOp: "grad", dcf.VjpOp: "vjp", dcf.JvpOp: "jvp"}[type(op)]
        key = (function.sym_name.data, kind, tuple(checked_wrt(function, wrt)), of)
        made = self.made.get(key)
        if made is None:
            suffix = kind
            if wrt is not None and list(key[2]) != checked_wrt(function, None):
                suffix += ".wrt_" + "_".join(map(str, wrt))
            if of is not None and of != checked_of(function, None):
                suffix += f".of_{of}"
            name = unique_name(function, suffix)
            if kind == "grad":
                made = add_gradient(function, wrt, of, name=name, options=self.options)
            elif kind == "vjp":
                made = add_vjp(function, wrt, name=name, options=self.options)
            else:
                made = add_jvp(function, wrt, name=name)
            self.made[key] = made
            self.functions[name] = made
            self.finished.add(name)
        return made


def _numbers(wrt: DenseArrayBase[I64] | None) -> Sequence[int] | None:
    return None if wrt is None else [int(number) for number in wrt.get_values()]
