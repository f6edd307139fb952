"""How the cost of compiling grows: time per operation of each stage, for modules of growing size.

    python bench/compile.py [--sizes 1000,3000,10000] [--shape flat|nested|both] [--xdsl]

Each stage's microseconds per operation are printed for each size; with linear cost they stay the
same along a row. `--xdsl` also measures xDSL's own parser on the generic text, for comparison.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from anabranch.dialects.diagnostics import render_error
from anabranch.frontends.mlir_text import (
    make_context,
    parse_module,
    print_module,
    verify_module,
)
from anabranch.lowering import get_lowering
from anabranch.passes import get_pass

PIPELINE = (
    "inline-calls",
    "convert-stablehlo-to-dcf",
    "fold-scalar-constants",
    "forward-invariant-carries",
    "remove-unused-carries",
    "remove-dead-code",
    "expand-scan",
    "name-frames",
    "convert-dcf-to-dfg",
)

T = "tensor<4xf32>"


def straight_line(count: int, indent: str, value: str, prefix: str) -> tuple[list[str], str]:
    """`count` ops in a row on `value`; their text, and the last result."""
    lines: list[str] = []
    names = ("add", "multiply", "subtract", "maximum")
    for index in range(count):
        result = f"%{prefix}{index}"
        lines.append(f"{indent}{result} = stablehlo.{names[index % 4]} {value}, %x : {T}")
        value = result
    return lines, value


def loop(count: int, number: int, value: str) -> tuple[list[str], str]:
    """A counted loop of about `count` ops: half of its body is in a conditional's branches."""
    p = f"w{number}_"
    inner = max((count - 14) // 3, 1)
    body, last = straight_line(inner, "      ", f"%{p}v", f"{p}b")
    yes, yes_last = straight_line(inner, "        ", last, f"{p}y")
    no, no_last = straight_line(inner, "        ", last, f"{p}n")
    lines = [
        f"    %{p}:2 = stablehlo.while(%{p}i = %zero, %{p}v = {value}) : tensor<i32>, {T}",
        "    cond {",
        f"      %{p}n = stablehlo.constant dense<5> : tensor<i32>",
        f"      %{p}c = stablehlo.compare LT, %{p}i, %{p}n, SIGNED"
        " : (tensor<i32>, tensor<i32>) -> tensor<i1>",
        f"      stablehlo.return %{p}c : tensor<i1>",
        "    } do {",
        *body,
        f"      %{p}one = stablehlo.constant dense<1> : tensor<i32>",
        f"      %{p}j = stablehlo.add %{p}i, %{p}one : tensor<i32>",
        f"      %{p}p = stablehlo.compare GT, %{p}j, %{p}one, SIGNED"
        " : (tensor<i32>, tensor<i32>) -> tensor<i1>",
        f'      %{p}r = "stablehlo.if"(%{p}p) ({{',
        *yes,
        f'        "stablehlo.return"({yes_last}) : ({T}) -> ()',
        "      }, {",
        *no,
        f'        "stablehlo.return"({no_last}) : ({T}) -> ()',
        f"      }}) : (tensor<i1>) -> {T}",
        f"      stablehlo.return %{p}j, %{p}r : tensor<i32>, {T}",
        "    }",
    ]
    return lines, f"%{p}#1"


def flat_module(size: int) -> str:
    """One function of `size` ops in a row."""
    lines, last = straight_line(size, "    ", "%x", "v")
    return module(lines, last)


def nested_module(size: int) -> str:
    """`size` ops in loops with conditionals, some 50 each, one after the other."""
    lines: list[str] = []
    value = "%x"
    for number in range(max(size // 50, 1)):
        more, value = loop(50, number, value)
        lines += more
    return module(lines, value)


def module(lines: Sequence[str], result: str) -> str:
    return "\n".join(
        (
            "module @bench attributes {mhlo.num_partitions = 1 : i32} {",
            f"  func.func public @main(%x: {T}) -> {T} {{",
            "    %zero = stablehlo.constant dense<0> : tensor<i32>",
            *lines,
            f"    return {result} : {T}",
            "  }",
            "}",
            "",
        )
    )


def timed(rounds: int, run: Callable[[], object]) -> float:
    """The least processor time of `run` over `rounds`."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


def passes(program: ModuleOp) -> list[tuple[str, float, int]]:
    """Run the pipeline; for each pass its name, its time, and the number of ops behind it."""
    context = make_context()
    rows: list[tuple[str, float, int]] = []
    for name in PIPELINE:
        cls = get_lowering(name) if name.startswith("convert-") else get_pass(name)
        start = time.process_time()
        cls().apply(context, program)
        rows.append((name, time.process_time() - start, count_ops(program)))
    return rows


def count_ops(program: ModuleOp) -> int:
    return sum(1 for _ in program.walk())


def load(program: ModuleOp) -> None:
    from anabranch.dialects.dfg import GraphOp
    from anabranch.runtime.graph import load_graph

    for op in program.walk():
        if isinstance(op, GraphOp):
            load_graph(op, program)


def xdsl_parse(generic: str) -> ModuleOp:
    return Parser(make_context(), generic).parse_module()


def measure(text: str, with_xdsl: bool) -> dict[str, float]:
    """Microseconds per operation of the source program, by stage."""
    program = parse_module(text, "bench.mlir")
    size = count_ops(program)
    rounds = 3 if size < 5000 else 1
    generic = print_module(program, generic=True)
    debug = print_module(program, debuginfo=True)
    seconds = {
        "parse": timed(rounds, lambda: parse_module(text)),
        "parse generic": timed(rounds, lambda: parse_module(generic)),
        "parse with locations": timed(rounds, lambda: parse_module(debug)),
    }
    if with_xdsl:
        seconds["xDSL: parse generic"] = timed(rounds, lambda: xdsl_parse(generic))
    seconds["verify"] = timed(rounds, lambda: verify_module(program))
    seconds["print"] = timed(rounds, lambda: print_module(program))
    for name, duration, _ in passes(program):
        seconds[name] = duration
    seconds["verify the graph"] = timed(1, lambda: verify_module(program))
    seconds["load the graph"] = timed(1, lambda: load(program))
    return {stage: duration / size * 1e6 for stage, duration in seconds.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description="Time per operation of each stage of compiling.")
    parser.add_argument("--sizes", default="1000,3000,10000", help="numbers of operations")
    parser.add_argument("--shape", default="both", choices=["flat", "nested", "both"])
    parser.add_argument("--xdsl", action="store_true", help="measure xDSL's parser too")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    shapes = {"flat": flat_module, "nested": nested_module}
    measure(nested_module(200), options.xdsl)  # load everything
    for shape, build in shapes.items():
        if options.shape not in (shape, "both"):
            continue
        columns = [measure(build(size), options.xdsl) for size in sizes]
        print(f"{shape} modules: microseconds per operation")
        print(f"  {'operations':26}" + "".join(f"{size:>10}" for size in sizes))
        for stage in columns[0]:
            print(f"  {stage:26}" + "".join(f"{column[stage]:10.1f}" for column in columns))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception as error:
        sys.exit(render_error(error, "bench.mlir"))
