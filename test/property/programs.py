"""Random structured programs: nests of while, cond, case and scan over integers, floats, booleans and
vectors.

`programs()` is a hypothesis strategy for the text of a module whose `@main` always ends, together with
fitting arguments. Programs are meant to be nasty rather than useful: carries that alias, swap, stay as
they are or are never read, captured values and predicates, constants yielded by branches and loops,
zero trips, conditions that end a loop early, branches that ignore everything.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

I32, F32, I1, VEC = "tensor<i32>", "tensor<f32>", "tensor<i1>", "tensor<3xf32>"
TYPES = (I32, F32, I1, VEC)
ROWS = 3

BINARY = {
    I32: ("add", "subtract", "multiply", "minimum", "maximum", "and", "or", "xor"),
    F32: ("add", "subtract", "multiply", "minimum", "maximum", "divide"),
    I1: ("and", "or", "xor"),
    VEC: ("add", "subtract", "multiply", "maximum", "divide"),
}
UNARY = {I32: ("negate", "not"), F32: ("negate", "sine", "abs"), I1: ("not",), VEC: ("abs", "tanh")}
CONSTANTS = {
    I32: ("0", "1", "-1", "7", "2147483647", "-2147483648"),
    F32: ("0.0", "-0.0", "1.0", "0.5", "-3.0", "0x7F800000", "0x7FC00000"),
    I1: ("true", "false"),
    VEC: ("0.0", "1.0", "[1.0, -2.0, 0.5]"),
}
KINDS = ("binary", "binary", "unary", "compare", "select", "convert", "update", "row")
"""Of ops; those that are here twice are drawn more often."""


@dataclass
class Program:
    """A module's text and arguments for its `@main`."""

    text: str
    arguments: list[Any]

    def __repr__(self) -> str:
        return f"arguments {self.arguments}\n{self.text}"


@dataclass
class Writer:
    """Draws and writes one program, line by line."""

    draw: Any
    probes: bool
    lines: list[str] = field(default_factory=list)
    names: int = 0
    budget: int = 40
    types: tuple[str, ...] = TYPES
    binary: dict[str, tuple[str, ...]] = field(default_factory=lambda: BINARY)
    unary: dict[str, tuple[str, ...]] = field(default_factory=lambda: UNARY)
    constants: dict[str, tuple[str, ...]] = field(default_factory=lambda: CONSTANTS)
    conversions: tuple[tuple[str, str], ...] = ((I32, F32),)
    """Element types that are converted to one another."""
    kinds: tuple[str, ...] = KINDS

    def name(self) -> str:
        self.names += 1
        return f"%v{self.names}"

    def line(self, depth: int, text: str) -> None:
        self.lines.append("  " * depth + text)

    def pick(self, options: Any) -> Any:
        return self.draw(st.sampled_from(list(options)))

    def number(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def coin(self) -> bool:
        return self.draw(st.booleans())

    def value(self, depth: int, known: dict[str, list[str]], type: str) -> str:
        """A value of the type: mostly one that is there, sometimes a new constant."""
        if known[type] and self.pick((True, True, True, False)):
            # Recent values more often: that makes chains.
            return self.pick(known[type][-4:] + known[type][:1])
        name = self.name()
        constant = self.pick(self.constants[type])
        self.line(depth, f"{name} = stablehlo.constant dense<{constant}> : {type}")
        known[type].append(name)
        return name

    def type(self) -> str:
        """The type of an op's result."""
        return self.pick(self.types)

    def following(self, depth: int, known: dict[str, list[str]], carry: str, type: str) -> str:
        """What a loop's body yields for a carry, which may stay as it is."""
        return carry if self.pick((True, False, False)) else self.value(depth, known, type)

    def results_of(self, known: dict[str, list[str]]) -> list[str]:
        """What `@main` returns: a value of each type."""
        return [self.value(2, known, type) for type in self.types]

    def ends_early(self) -> bool:
        """Whether a loop's condition has a second part."""
        return self.coin()

    def op(self, depth: int, known: dict[str, list[str]]) -> None:
        type = self.type()
        kind = self.pick(self.kinds)
        value = lambda t: self.value(depth, known, t)  # noqa: E731
        if kind == "binary":
            op = self.pick(self.binary[type])
            text = f"stablehlo.{op} {value(type)}, {value(type)} : {type}"
        elif kind == "unary":
            text = f"stablehlo.{self.pick(self.unary[type])} {value(type)} : {type}"
        elif kind == "compare":
            of = self.pick((I32, F32))
            direction = self.pick(("EQ", "NE", "LT", "LE", "GT", "GE"))
            mode = "SIGNED" if of == I32 else "FLOAT"
            a, b = value(of), value(of)
            text = f"stablehlo.compare {direction}, {a}, {b}, {mode} : ({of}, {of}) -> {I1}"
            type = I1
        elif kind == "select":
            a, b, c = value(I1), value(type), value(type)
            text = f"stablehlo.select {a}, {b}, {c} : {I1}, {type}"
        elif kind == "convert":
            source, type = self.pick(self.conversions)
            text = f"stablehlo.convert {value(source)} : ({source}) -> {type}"
        elif kind == "row":
            type = F32
            a, i, row = value(VEC), value(I32), self.name()
            self.line(
                depth,
                f"{row} = stablehlo.dynamic_slice {a}, {i}, sizes = [1] : ({VEC}, {I32})"
                " -> tensor<1xf32>",
            )
            text = f"stablehlo.reshape {row} : (tensor<1xf32>) -> {F32}"
        else:
            type = VEC
            a, b, i = value(VEC), value(F32), value(I32)
            row = self.name()
            self.line(depth, f"{row} = stablehlo.reshape {b} : ({F32}) -> tensor<1xf32>")
            text = (
                f"stablehlo.dynamic_update_slice {a}, {row}, {i} : "
                f"({VEC}, tensor<1xf32>, {I32}) -> {VEC}"
            )
        name = self.name()
        self.line(depth, f"{name} = {text}")
        known[type].append(name)

    def block(self, depth: int, known: dict[str, list[str]], nest: int) -> None:
        """A few statements; `known` grows by what they define."""
        for _ in range(self.number(0, 4)):
            if self.budget <= 0:
                return
            self.budget -= 1
            kinds = ("op", "op", "op", "op", "cond", "case", "while", "while", "scan", "probe")
            kind = self.pick(kinds)
            if kind == "probe" and self.probes:
                type = self.pick(self.types)
                value = self.value(depth, known, type)
                self.line(depth, f'dcf.probe "p{self.names}" {value} : {type}')
            elif nest == 0 or kind in ("op", "probe"):
                self.op(depth, known)
            else:
                getattr(self, kind)(depth, known, nest - 1)

    def inner(self, known: dict[str, list[str]]) -> dict[str, list[str]]:
        return {type: list(values) for type, values in known.items()}

    def region(self, depth: int, known: dict[str, list[str]], nest: int, types: list[str]) -> None:
        """Statements and the yield of values of the types."""
        inner = self.inner(known)
        self.block(depth, inner, nest)
        values = [self.value(depth, inner, type) for type in types]
        self.line(depth, _yield(values, types))

    def results(self, known: dict[str, list[str]], types: list[str]) -> str:
        """Names for an op's results, as `%a, %b = `."""
        names = [self.name() for _ in types]
        for name, type in zip(names, types):
            known[type].append(name)
        return f"{', '.join(names)} = " if names else ""

    def some_types(self) -> list[str]:
        return [self.pick(self.types) for _ in range(self.number(0, 3))]

    def cond(self, depth: int, known: dict[str, list[str]], nest: int) -> None:
        predicate, types = self.value(depth, known, I1), self.some_types()
        mark = len(self.lines)
        inner = self.inner(known)
        self.region(depth + 1, inner, nest, types)
        self.line(depth, "} else {")
        self.region(depth + 1, inner, nest, types)
        self.line(depth, "}")
        arrow = f" -> {_type_list(types)}" if types else ""
        head = f"dcf.cond {predicate} : {I1}{arrow} then {{"
        self.lines.insert(mark, "  " * depth + self.results(known, types) + head)

    def case(self, depth: int, known: dict[str, list[str]], nest: int) -> None:
        index, types = self.value(depth, known, I32), self.some_types()
        mark = len(self.lines)
        inner = self.inner(known)
        branches = self.number(1, 4)
        for number in range(branches):
            self.region(depth + 1, inner, nest, types)
            self.line(depth, "}" if number == branches - 1 else "}, {")
        arrow = f" -> {_type_list(types)}" if types else ""
        head = f"dcf.case {index} : {I32}{arrow} {{"
        self.lines.insert(mark, "  " * depth + self.results(known, types) + head)

    def loop_bound(self, depth: int, known: dict[str, list[str]]) -> str:
        """A number of trips from 0 to 3: a constant, or two bits of a value."""
        name, mask = self.name(), self.name()
        if self.coin():
            trips = self.number(0, 3)
            self.line(depth, f"{name} = stablehlo.constant dense<{trips}> : {I32}")
            return name
        value = self.value(depth, known, I32)
        self.line(depth, f"{mask} = stablehlo.constant dense<3> : {I32}")
        self.line(depth, f"{name} = stablehlo.and {value}, {mask} : {I32}")
        return name

    def scan(self, depth: int, known: dict[str, list[str]], nest: int) -> None:
        """A scan over vectors: of all rows, of fewer, or of a number known at run time only."""
        types = self.some_types()
        inits = [self.value(depth, known, type) for type in types]
        inputs = [self.value(depth, known, VEC) for _ in range(self.number(0, 2))]
        outputs = self.number(0, 2)
        kinds = ("static", "run time", "rows") if inputs else ("static", "run time")
        kind, length = self.pick(kinds), ""
        if kind == "static":
            length = f" length {self.number(0, ROWS)}"
        elif kind == "run time":
            length = f" length {self.loop_bound(depth, known)} : {I32}"
        whole = kind == "rows" or length == f" length {ROWS}"
        outs = ""
        if outputs and (not whole or self.coin()):
            buffers = [self.value(depth, known, VEC) for _ in range(outputs)]
            outs = f" outs({', '.join(buffers)} : {', '.join([VEC] * outputs)})"
        carries, rows = [self.name() for _ in types], [self.name() for _ in inputs]
        mark = len(self.lines)
        inside = self.inner(known)
        for name, type in zip([*carries, *rows], [*types, *[F32] * len(rows)]):
            inside[type].append(name)
        self.block(depth + 1, inside, nest)
        values = [
            self.following(depth + 1, inside, carry, type) for carry, type in zip(carries, types)
        ]
        values += [self.value(depth + 1, inside, F32) for _ in range(outputs)]
        self.line(depth + 1, _yield(values, [*types, *[F32] * outputs]))
        self.line(depth, "}" + self.pick(("", " {reverse}")))
        pairs = ", ".join(f"{c} = {i}" for c, i in zip(carries, inits))
        head = f"({pairs} : {', '.join(types)})" if types else "()"
        if inputs:
            pairs = ", ".join(f"{row} = {array}" for row, array in zip(rows, inputs))
            head += f" ins({pairs} : {', '.join([VEC] * len(inputs))})"
        result_types = [*types, *[VEC] * outputs]
        arrow = f" -> {_type_list(result_types)}" if result_types else ""
        label = f"s{self.names}"
        names = self.results(known, result_types)
        self.lines.insert(
            mark, "  " * depth + f'{names}dcf.scan "{label}" {head}{outs}{length}{arrow} do {{'
        )

    def constant(self, depth: int, value: int) -> str:
        name = self.name()
        self.line(depth, f"{name} = stablehlo.constant dense<{value}> : {I32}")
        return name

    # `while` is a keyword, so the method is reached by name only.
    def _while(self, depth: int, known: dict[str, list[str]], nest: int) -> None:
        bound, zero = self.loop_bound(depth, known), self.constant(depth, 0)
        types = self.some_types()
        inits = [self.value(depth, known, type) for type in types]
        if types and self.coin():
            types, inits = [*types, types[0]], [*inits, inits[0]]
        counter = self.name()
        carries = [self.name() for _ in types]
        pairs = ", ".join(f"{c} = {i}" for c, i in zip([counter, *carries], [zero, *inits]))
        all_types = [I32, *types]
        mark = len(self.lines)
        inside = self.inner(known)
        inside[I32].append(counter)
        for carry, type in zip(carries, types):
            inside[type].append(carry)
        self._condition(depth + 1, self.inner(inside), nest, counter, bound)
        self.line(depth, "} do {")
        self._body(depth + 1, self.inner(inside), nest, counter, carries, types)
        window = self.pick(("", " {parallel_iterations = 1 : i64}"))
        self.line(depth, "}" + window)
        head = f'dcf.while "w{self.names}" ({pairs} : {", ".join(all_types)}) cond {{'
        names = self.results(known, all_types)
        self.lines.insert(mark, "  " * depth + names + head)

    def _condition(
        self, depth: int, known: dict[str, list[str]], nest: int, counter: str, bound: str
    ) -> None:
        self.block(depth, known, nest)
        go = self.name()
        self.line(
            depth,
            f"{go} = stablehlo.compare LT, {counter}, {bound}, SIGNED : ({I32}, {I32}) -> {I1}",
        )
        if self.ends_early():
            other, both = self.value(depth, known, I1), self.name()
            self.line(depth, f"{both} = stablehlo.and {go}, {other} : {I1}")
            go = both
        self.line(depth, f"dcf.condition {go}")

    def _body(
        self,
        depth: int,
        known: dict[str, list[str]],
        nest: int,
        counter: str,
        carries: list[str],
        types: list[str],
    ) -> None:
        self.block(depth, known, nest)
        step, following = self.constant(depth, 1), self.name()
        self.line(depth, f"{following} = stablehlo.add {counter}, {step} : {I32}")
        values = [following]
        for carry, type in zip(carries, types):
            values.append(self.following(depth, known, carry, type))
        self.line(depth, _yield(values, [I32, *types]))


setattr(Writer, "while", Writer._while)


def _yield(values: list[str], types: list[str]) -> str:
    return f"dcf.yield {', '.join(values)} : {', '.join(types)}" if values else "dcf.yield"


def _type_list(types: list[str]) -> str:
    return types[0] if len(types) == 1 else f"({', '.join(types)})"


def argument(draw: Any, type: str) -> Any:
    floats = st.floats(width=32, allow_nan=False, min_value=-4, max_value=4)
    if type == I32:
        return np.array(draw(st.integers(-5, 5)), np.int32)
    if type == I1:
        return np.array(draw(st.booleans()))
    if type == VEC:
        return np.array(draw(st.lists(floats, min_size=3, max_size=3)), np.float32)
    return np.array(draw(floats), np.float32)


def write_main(writer: Writer, nest: int) -> str:
    """A module whose `@main` takes a value of each type and returns one of each."""
    types = writer.types
    known = {type: [f"%a{number}"] for number, type in enumerate(types)}
    for _ in range(3):
        writer.block(2, known, nest)
    results = writer.results_of(known)
    inputs = ", ".join(f"%a{n}: {type}" for n, type in enumerate(types))
    return "\n".join(
        [
            f"func.func @main({inputs}) -> ({', '.join(types)}) {{",
            *writer.lines,
            f"    return {', '.join(results)} : {', '.join(types)}",
            "}",
        ]
    )


@st.composite
def programs(draw: Any, probes: bool = True, nest: int = 3) -> Program:
    """Modules, and arguments for their `@main`."""
    text = write_main(Writer(draw, probes), nest)
    return Program(text, [argument(draw, type) for type in TYPES])
