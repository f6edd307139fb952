"""Prints modules as text that this parser and MLIR's both read back to the same bits.

xDSL's printer, with exact float literals, booleans as lists, and locations by aliases: those of ops
at the end of the text, those of block arguments (which MLIR wants to know at once) at its start.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyDenseElement,
    AnyFloat,
    ArrayAttr,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    ModuleOp,
    f64,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.hints import isa

from ...dialects.diagnostics import (
    CallPlace,
    FilePlace,
    FusedPlace,
    NamedPlace,
    Place,
    SourceLoc,
    UnknownPlace,
    file_place_suffix,
    place_of,
)
from .declarations import print_declaration
from .floats import encode_float, float_literal
from .reading import deep_recursion

_LIST_LIMIT = 100
"""Longer dense literals are printed as one hexadecimal string, as MLIR does."""


class ModulePrinter(Printer):
    """xDSL's printer with exact literals and aliases for locations."""

    def __init__(self, stream: StringIO, *, generic: bool = False, debuginfo: bool = False):
        super().__init__(stream, print_generic_format=generic, print_debuginfo=debuginfo)
        self._aliases = _Aliases(self)
        self._taken: set[str] = set()

    # Names

    def print_ssa_value(self, value: SSAValue) -> str:
        name = self._ssa_values.get(value)
        if name is None:
            name = self._new_name(value.name_hint)
            self._ssa_values[value] = name
        self.print_string("%" + name)
        return name

    def _new_name(self, hint: str | None) -> str:
        if not hint:
            return self._get_new_valid_name_id()
        used = self.ssa_names
        number = used.get(hint, 0)
        name = f"{hint}_{number}" if number else hint
        while number and name in used:
            # Another value has this very name as its hint.
            number += 1
            name = f"{hint}_{number}"
        used[hint] = number + 1
        used.setdefault(name, 1)
        return name

    def _print_results(self, op: Operation) -> None:
        results = op.results
        hints = {result.name_hint for result in results}
        if (
            len(results) < 2
            or len(hints) > 1
            or any(value in self._ssa_values for value in results)
        ):
            super()._print_results(op)
            return
        # One name for all, as MLIR prints them: `%0:2 = …`, used as `%0#1`.
        name = self._new_name(hints.pop())
        for index, result in enumerate(results):
            self._ssa_values[result] = f"{name}#{index}"
        self.print_string(f"%{name}:{len(results)} = ")

    def print_attr_dict(self, attr_dict: Mapping[str, Attribute]) -> None:
        # By name, as in MLIR: the order in which they were set means nothing.
        super().print_attr_dict(dict(sorted(attr_dict.items())))

    # Operations

    def print_op(self, op: Operation) -> None:
        short = None
        if not self.print_generic_format and type(op).print is not Operation.print:
            short = _short_name(op)
        declaration = op if isinstance(op, FuncOp) and not op.body.blocks else None
        if declaration is not None and not self.print_generic_format:
            short = op.name
        if short is None:
            super().print_op(op)
            return
        scope = op.has_trait(IsolatedFromAbove)
        self._print_results(op)
        if scope:
            self.enter_scope()
        self.print_string(short)
        if declaration is not None:
            print_declaration(self, declaration)
        else:
            op.print(self)
        if self.print_debuginfo:
            self.print_string(" ")
            self.print_attribute(op.location)
        if scope:
            self.exit_scope()

    # Literals

    def print_float(self, value: float, type: AnyFloat) -> None:
        self.print_string(float_literal(encode_float(value, type), type))

    def print_attribute(self, attribute: Attribute) -> None:
        if isinstance(attribute, DenseIntOrFPElementsAttr):
            self._print_dense(cast(DenseIntOrFPElementsAttr[AnyDenseElement], attribute))
        elif isinstance(attribute, SourceLoc | LocationAttr):
            self.print_string(f"loc({self._aliases.text(place_of(attribute))})")
        elif isinstance(attribute, DenseArrayBase):
            self._print_array(cast(DenseArrayBase[IntegerType | AnyFloat], attribute))
        elif isinstance(attribute, ArrayAttr):
            members = cast("ArrayAttr[Attribute]", attribute).data
            with self.in_square_brackets():
                self.print_list(members, self._print_member)
        else:
            super().print_attribute(attribute)

    def _print_member(self, attribute: Attribute) -> None:
        """A member of a list: numbers of the types that literals have by themselves tell none."""
        type = attribute.get_type() if isinstance(attribute, IntegerAttr | FloatAttr) else None
        if isinstance(attribute, IntegerAttr) and type == i64:
            self.print_string(str(attribute.value.data))
        elif isinstance(attribute, FloatAttr) and type == f64:
            raw = encode_float(attribute.value.data, f64)
            text = float_literal(raw, f64)
            self.print_string(f"{text} : f64" if text.startswith("0x") else text)
        else:
            self.print_attribute(cast(Attribute, attribute))

    def _print_array(self, attribute: DenseArrayBase[IntegerType | AnyFloat]) -> None:
        element = attribute.elt_type
        values = _literals(attribute.data.data, element)
        self.print_string(f"array<{element}{': ' if values else ''}{', '.join(values)}>")

    def _print_dense(self, attribute: DenseIntOrFPElementsAttr[AnyDenseElement]) -> None:
        type = attribute.type
        raw = attribute.data.data
        self.print_string(f"dense<{dense_literal(raw, type.get_element_type(), type.get_shape())}>")
        self.print_string(" : ")
        self.print_attribute(type)

    # Locations

    def print_block_argument(self, arg: BlockArgument, print_type: bool = True) -> None:
        self.print_ssa_value(arg)
        if print_type:
            self.print_string(": ")
            self.print_attribute(arg.type)
            self.print_argument_location(arg)

    def print_argument_location(self, arg: BlockArgument) -> None:
        """` loc(...)` behind a block argument, when locations are printed."""
        if self.print_debuginfo:
            self.print_string(f" loc({self._aliases.text(place_of(arg.location), early=True)})")

    def print_program(self, module: ModuleOp) -> str:
        """The whole text of a module, aliases included."""
        self.print_op(module)
        stream = cast(StringIO, self.stream)
        early, late = self._aliases.definitions()
        return early + stream.getvalue() + "\n" + late


def _short_name(op: Operation) -> str | None:
    """The name without its dialect, where MLIR leaves that out: `module`, and `return` in a function."""
    parent = op.parent_op()
    around = "builtin.module" if parent is None else parent.name
    dialect = _DEFAULT_DIALECTS.get(around)
    if dialect is None or not op.name.startswith(dialect):
        return None
    name = op.name.removeprefix(dialect)
    return None if "." in name else name


_DEFAULT_DIALECTS = {"builtin.module": "builtin.", "func.func": "func."}
"""Ops whose regions name ops of one dialect without its name."""


class _Aliases:
    """Aliases for places, in the order of their first use; a place follows those it is made of."""

    def __init__(self, printer: ModulePrinter):
        self._printer = printer
        self._names: dict[Place, str] = {}
        self._by_identity: dict[int, tuple[Place, str]] = {}
        self._texts: dict[str, str] = {}
        self._early: dict[str, None] = {}

    def text(self, place: Place, early: bool = False) -> str:
        """What stands between the parentheses of `loc(...)`: an alias, or a short place itself."""
        known = self._by_identity.get(id(place))
        if known is not None and not early:
            return known[1]
        if isinstance(place, UnknownPlace):
            return "unknown"
        if isinstance(place, NamedPlace) and place.child is None:
            return _quoted(place.name)
        # Children first, and without recursion: JAX's chains of calls can be long.
        pending: list[tuple[Place, bool]] = [(place, False)]
        while pending:
            current, ready = pending.pop()
            name = self._by_identity.get(id(current))
            if name is not None and (not early or name[1] in self._early or name[1][0] != "#"):
                continue
            if not ready:
                pending.append((current, True))
                pending.extend((child, False) for child in reversed(_children(current)))
            else:
                self._define(current, early)
        return self._by_identity[id(place)][1]

    def _define(self, place: Place, early: bool) -> None:
        known = self._by_identity.get(id(place))
        if known is None:
            body = self._body(place)
            if isinstance(place, UnknownPlace) or (
                isinstance(place, NamedPlace) and place.child is None
            ):
                self._by_identity[id(place)] = (place, body)
                return
            name = self._texts.get(body)
            if name is None:
                name = self._texts[body] = f"#loc{len(self._texts) + 1}"
            self._by_identity[id(place)] = known = (place, name)
        if early:
            self._early[known[1]] = None

    def _body(self, place: Place) -> str:
        match place:
            case UnknownPlace():
                return "unknown"
            case FilePlace():
                return _quoted(place.file) + file_place_suffix(place)
            case NamedPlace():
                child = f"({self._inner(place.child)})" if place.child is not None else ""
                return _quoted(place.name) + child
            case CallPlace():
                return f"callsite({self._inner(place.callee)} at {self._inner(place.caller)})"
            case FusedPlace():
                metadata = "" if place.metadata is None else f"<{place.metadata}>"
                children = ", ".join(self._inner(child) for child in place.children)
                return f"fused{metadata}[{children}]"

    def _inner(self, place: Place) -> str:
        return self._by_identity[id(place)][1]

    def definitions(self) -> tuple[str, str]:
        """The aliases that stand before the module, and those that stand behind it."""
        early: list[str] = []
        late: list[str] = []
        for body, name in self._texts.items():
            (early if name in self._early else late).append(f"{name} = loc({body})\n")
        return "".join(early), "".join(late)


def _children(place: Place) -> tuple[Place, ...]:
    match place:
        case NamedPlace():
            return (place.child,) if place.child is not None else ()
        case CallPlace():
            return place.callee, place.caller
        case FusedPlace():
            return place.children
        case _:
            return ()


def _quoted(text: str) -> str:
    stream = StringIO()
    Printer(stream).print_string_literal(text)
    return stream.getvalue()


def dense_literal(raw: bytes, element: AnyDenseElement, shape: tuple[int, ...]) -> str:
    """What stands between `dense<` and `>`."""
    size = element.compile_time_size
    if not raw:
        return ""
    if raw == raw[:size] * (len(raw) // size):
        return _literals(raw[:size], element)[0]
    boolean = element == IntegerType(1)
    if len(raw) // size > _LIST_LIMIT and not boolean:
        if isinstance(element, IntegerType) and element.bitwidth < 8:
            # MLIR keeps small integers without their sign's copies.
            mask = (1 << element.bitwidth) - 1
            raw = raw.translate(bytes(byte & mask for byte in range(256)))
        return f'"0x{raw.hex().upper()}"'
    if boolean:
        # As a list whatever its length: how a string packs booleans has changed in MLIR.
        texts = ["true" if byte else "false" for byte in raw]
    else:
        texts = _literals(raw, element)
    for width in reversed(shape):
        texts = [f"[{', '.join(texts[i : i + width])}]" for i in range(0, len(texts), width)]
    return texts[0]


def _literals(raw: bytes, element: AnyDenseElement) -> list[str]:
    """The literal of each element."""
    if isinstance(element, ComplexType):
        parts = _literals(raw, element.element_type)
        return [f"({real},{imaginary})" for real, imaginary in zip(parts[::2], parts[1::2])]
    if isa(element, AnyFloat):
        size = element.compile_time_size
        return [float_literal(raw[i : i + size], element) for i in range(0, len(raw), size)]
    if element == IntegerType(1):
        return ["true" if byte else "false" for byte in raw]
    values = cast(Any, element).unpack(raw, len(raw) // element.compile_time_size)
    return [str(value) for value in values]


def print_module(module: Operation, generic: bool = False, debuginfo: bool = False) -> str:
    """The text of a module, in pretty or generic form, with or without locations."""
    with deep_recursion():
        printer = ModulePrinter(StringIO(), generic=generic, debuginfo=debuginfo)
        return printer.print_program(cast(ModuleOp, module))
