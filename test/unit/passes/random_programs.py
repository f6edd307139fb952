"""Random programs at the structured level, as text: nests of loops, branches, scans and calls.

Every loop has a counter and a small bound, so each program ends. Which values a region yields is
random, so that carries are often invariant, unused, equal to each other, or merely passed on.
"""

from __future__ import annotations

import random

SCALARS = ("tensor<i32>", "tensor<f32>")
ROWS = 3
VECTOR = f"tensor<{ROWS}xf32>"


class ProgramWriter:
    """Writes one program; the same seed gives the same text."""

    def __init__(self, seed: int, size: int = 12):
        self.random = random.Random(seed)
        self.budget = size
        self.names = 0
        self.lines: list[str] = []
        self.functions: list[str] = []

    def program(self) -> str:
        """A module whose `@main` takes two integers, two floats and a vector."""
        scope = {
            "tensor<i32>": ["%a", "%b"],
            "tensor<f32>": ["%x", "%y"],
            VECTOR: ["%v"],
        }
        while self.budget > 0:
            self.block(scope, 1)
        types = [self.random.choice(SCALARS) for _ in range(3)]
        values = [self.random.choice(scope[type]) for type in types]
        main = [
            "func.func public @main(%a: tensor<i32>, %b: tensor<i32>, %x: tensor<f32>, "
            f"%y: tensor<f32>, %v: {VECTOR}) -> ({', '.join(types)}) {{",
            *self.lines,
            f"  func.return {', '.join(values)} : {', '.join(types)}",
            "}",
        ]
        return "\n".join([*main, *self.functions, ""])

    def name(self) -> str:
        self.names += 1
        return f"%n{self.names}"

    def put(self, depth: int, text: str) -> None:
        self.lines.append("  " * depth + text)

    def block(self, scope: dict[str, list[str]], depth: int) -> None:
        """A few statements; `scope` gains the values they define."""
        for _ in range(self.random.randint(1, 4)):
            self.budget -= 1
            if self.budget < 0 or depth > 4:
                return
            statement = self.random.choice(
                (self.arithmetic, self.arithmetic, self.constant, self.loop, self.loop)
                + (self.conditional, self.case, self.scan, self.call, self.probe)
            )
            statement(scope, depth)

    def pick(self, scope: dict[str, list[str]], type: str) -> str:
        # The last values are the likely ones, so that programs are not only dead code.
        values = scope[type]
        return self.random.choice(values[-4:] if self.random.random() < 0.6 else values)

    def arithmetic(self, scope: dict[str, list[str]], depth: int) -> None:
        type = self.random.choice(SCALARS)
        result = self.name()
        op = self.random.choice(("add", "subtract", "multiply", "maximum", "divide"))
        operands = f"{self.pick(scope, type)}, {self.pick(scope, type)}"
        self.put(depth, f"{result} = stablehlo.{op} {operands} : {type}")
        scope[type].append(result)

    def constant(self, scope: dict[str, list[str]], depth: int) -> None:
        result = self.name()
        if self.random.random() < 0.5:
            value = self.random.choice(("0", "1", "2", "-2147483648"))
            self.put(depth, f"{result} = stablehlo.constant dense<{value}> : tensor<i32>")
            scope["tensor<i32>"].append(result)
        else:
            value = self.random.choice(("0.0", "1.5", "-0.0", "0x7FC12345", "0x7F800000"))
            self.put(depth, f"{result} = stablehlo.constant dense<{value}> : tensor<f32>")
            scope["tensor<f32>"].append(result)

    def predicate(self, scope: dict[str, list[str]], depth: int) -> str:
        result = self.name()
        operands = f"{self.pick(scope, 'tensor<i32>')}, {self.pick(scope, 'tensor<i32>')}"
        direction = self.random.choice(("LT", "EQ", "NE"))
        types = "(tensor<i32>, tensor<i32>) -> tensor<i1>"
        self.put(depth, f"{result} = stablehlo.compare {direction}, {operands}, SIGNED : {types}")
        return result

    def inits(self, scope: dict[str, list[str]]) -> tuple[list[str], list[str], list[str]]:
        """Types, initial values and names of some carries."""
        types = [self.random.choice(SCALARS) for _ in range(self.random.randint(0, 5))]
        # Few different values, so that some carries start equal.
        values = [self.random.choice(scope[type][-2:]) for type in types]
        return types, values, [self.name() for _ in types]

    def yields(
        self, scope: dict[str, list[str]], types: list[str], arguments: list[str]
    ) -> list[str]:
        """What a body yields for its carries: unchanged, one another, or anything."""
        chosen: list[str] = []
        for type, argument in zip(types, arguments):
            kind = self.random.random()
            peers = [a for a, t in zip(arguments, types) if t == type]
            if kind < 0.3:
                chosen.append(argument)
            elif kind < 0.5:
                chosen.append(self.random.choice(peers))
            else:
                chosen.append(self.pick(scope, type))
        return chosen

    def loop(self, scope: dict[str, list[str]], depth: int) -> None:
        zero, bound, counter = self.name(), self.name(), self.name()
        trips = self.random.randint(0, 3)
        self.put(depth, f"{zero} = stablehlo.constant dense<0> : tensor<i32>")
        self.put(depth, f"{bound} = stablehlo.constant dense<{trips}> : tensor<i32>")
        types, values, arguments = self.inits(scope)
        result = self.name()
        place = self.random.randint(0, len(types))
        all_types = [*types[:place], "tensor<i32>", *types[place:]]
        all_values = [*values[:place], zero, *values[place:]]
        all_arguments = [*arguments[:place], counter, *arguments[place:]]
        bindings = ", ".join(f"{a} = {v}" for a, v in zip(all_arguments, all_values))
        self.put(
            depth,
            f"{result}:{len(all_types)} = dcf.while ({bindings} : {', '.join(all_types)}) cond {{",
        )
        inner = self.inside(scope, all_types, all_arguments)
        if self.random.random() < 0.3:
            self.block(inner, depth + 1)
        go = self.name()
        self.put(
            depth + 1,
            f"{go} = stablehlo.compare LT, {counter}, {bound}, SIGNED : "
            "(tensor<i32>, tensor<i32>) -> tensor<i1>",
        )
        self.put(depth + 1, f"dcf.condition {go}")
        self.put(depth, "} do {")
        inner = self.inside(scope, all_types, all_arguments)
        self.block(inner, depth + 1)
        one, following = self.name(), self.name()
        self.put(depth + 1, f"{one} = stablehlo.constant dense<1> : tensor<i32>")
        self.put(depth + 1, f"{following} = stablehlo.add {counter}, {one} : tensor<i32>")
        yields = self.yields(inner, types, arguments)
        yields.insert(place, following)
        self.put(depth + 1, f"dcf.yield {', '.join(yields)} : {', '.join(all_types)}")
        self.put(depth, "}")
        for index, type in enumerate(all_types):
            scope[type].append(f"{result}#{index}")

    def inside(
        self, scope: dict[str, list[str]], types: list[str], arguments: list[str]
    ) -> dict[str, list[str]]:
        inner = {type: list(values) for type, values in scope.items()}
        for type, argument in zip(types, arguments):
            inner[type].append(argument)
        return inner

    def conditional(self, scope: dict[str, list[str]], depth: int) -> None:
        predicate = self.predicate(scope, depth)
        self.branches(scope, depth, f"dcf.cond {predicate} : tensor<i1>", ("then ", " else "))

    def case(self, scope: dict[str, list[str]], depth: int) -> None:
        index = self.pick(scope, "tensor<i32>")
        count = self.random.randint(1, 3)
        self.branches(scope, depth, f"dcf.case {index} : tensor<i32>", ("", *[", "] * (count - 1)))

    def branches(
        self, scope: dict[str, list[str]], depth: int, head: str, starts: tuple[str, ...]
    ) -> None:
        types = [self.random.choice(SCALARS) for _ in range(self.random.randint(1, 3))]
        result = self.name()
        opening = f"{result}:{len(types)} = {head} -> ({', '.join(types)}) "
        for number, start in enumerate(starts):
            self.put(depth, ("}" if number else opening) + start + "{")
            inner = self.inside(scope, [], [])
            self.block(inner, depth + 1)
            values = [self.pick(inner, type) for type in types]
            self.put(depth + 1, f"dcf.yield {', '.join(values)} : {', '.join(types)}")
        self.put(depth, "}")
        for index, type in enumerate(types):
            scope[type].append(f"{result}#{index}")

    def scan(self, scope: dict[str, list[str]], depth: int) -> None:
        types, values, arguments = self.inits(scope)
        bindings = ", ".join(f"{a} = {v}" for a, v in zip(arguments, values))
        carried = f"{bindings} : {', '.join(types)}" if types else ""
        vectors = [self.pick(scope, VECTOR) for _ in range(self.random.randint(1, 2))]
        rows = [self.name() for _ in vectors]
        ins = ", ".join(f"{row} = {vector}" for row, vector in zip(rows, vectors))
        in_types = ", ".join(VECTOR for _ in vectors)
        outputs = self.random.randint(0 if types else 1, 2)
        extra = ""
        if self.random.random() < 0.5:
            length = self.name()
            trips = self.random.randint(0, ROWS)
            self.put(depth, f"{length} = stablehlo.constant dense<{trips}> : tensor<i32>")
            if outputs:
                buffers = [self.pick(scope, VECTOR) for _ in range(outputs)]
                extra = f" outs({', '.join(buffers)} : {', '.join([VECTOR] * outputs)})"
            extra += f" length {length} : tensor<i32>"
        result = self.name()
        results = [*types, *[VECTOR] * outputs]
        self.put(
            depth,
            f"{result}:{len(results)} = dcf.scan ({carried}) ins({ins} : {in_types}){extra}"
            f" -> ({', '.join(results)}) do {{",
        )
        inner = self.inside(scope, [*types, *["tensor<f32>"] * len(rows)], [*arguments, *rows])
        self.block(inner, depth + 1)
        out = [self.pick(inner, "tensor<f32>") for _ in range(outputs)]
        yields = [*self.yields(inner, types, arguments), *out]
        yield_types = [*types, *["tensor<f32>"] * outputs]
        self.put(depth + 1, f"dcf.yield {', '.join(yields)} : {', '.join(yield_types)}")
        self.put(depth, "} {reverse}" if self.random.random() < 0.4 else "}")
        for index, type in enumerate(results):
            scope[type].append(f"{result}#{index}")
        if outputs:
            self.read(scope, depth, f"{result}#{len(types)}")

    def read(self, scope: dict[str, list[str]], depth: int, vector: str) -> None:
        """One element of a vector as a scalar, so that rows reach the results."""
        element, scalar = self.name(), self.name()
        row = self.random.randrange(ROWS)
        self.put(
            depth,
            f"{element} = stablehlo.slice {vector} [{row}:{row + 1}] : ({VECTOR}) -> tensor<1xf32>",
        )
        self.put(depth, f"{scalar} = stablehlo.reshape {element} : (tensor<1xf32>) -> tensor<f32>")
        scope["tensor<f32>"].append(scalar)

    def call(self, scope: dict[str, list[str]], depth: int) -> None:
        name = f"f{len(self.functions)}"
        argument, result, inner = self.name(), self.name(), self.name()
        signature = "(tensor<f32>, tensor<i32>) -> (tensor<i32>, tensor<f32>)"
        body = [
            f"func.func private @{name}(%p: tensor<f32>, %q: tensor<i32>) -> "
            "(tensor<i32>, tensor<f32>) {"
        ]
        if self.functions and self.random.random() < 0.5:
            other = self.random.randrange(len(self.functions))
            body.append(f"  {inner}:2 = func.call @f{other}(%p, %q) : {signature}")
            body.append(f"  func.return {inner}#0, %p : tensor<i32>, tensor<f32>")
        else:
            body.append(f"  {argument} = stablehlo.negate %p : tensor<f32>")
            body.append(f"  func.return %q, {argument} : tensor<i32>, tensor<f32>")
        self.functions.append("\n".join([*body, "}"]))
        operands = f"{self.pick(scope, 'tensor<f32>')}, {self.pick(scope, 'tensor<i32>')}"
        self.put(depth, f"{result}:2 = func.call @{name}({operands}) : {signature}")
        scope["tensor<i32>"].append(f"{result}#0")
        scope["tensor<f32>"].append(f"{result}#1")

    def probe(self, scope: dict[str, list[str]], depth: int) -> None:
        type = self.random.choice(SCALARS)
        self.put(depth, f'dcf.probe "p{self.names}" {self.pick(scope, type)} : {type}')
