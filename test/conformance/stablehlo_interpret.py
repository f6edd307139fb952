"""Runs the tests of StableHLO's own interpreter: `stablehlo/tests/interpret/**/*.mlir`.

    python test/conformance/stablehlo_interpret.py FOLDER [--only TEXT] [--engine both] [-v]

Every function without arguments that checks something is a test, whatever its name; so is `@main`.
Each runs at the structured reference and, through the pipeline, as a dataflow graph; both must hold
what the test checks, and give the same bits. Functions of several processes (collectives), and those
that compute with quantized numbers, are skipped and listed. Exit status 1 when a test fails.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from check_dialect import suite_context
from checking import ENGINES, Status, run_function, told
from reporting import reasons, table
from xdsl.context import Context
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, SymbolRefAttr
from xdsl.dialects.func import FuncOp

from anabranch.frontends.mlir_text import parse_module, verify_module
from anabranch.runtime.values import array_from_dense

SEPARATOR = re.compile(r"^// -----.*$", re.MULTILINE)
NEVER_RUN_ALONE = {
    "interpreter.run_parallel": "several processes",
    "stablehlo.infeed": "infeed",
    "stablehlo.outfeed": "several processes",
    "stablehlo.partition_id": "several processes",
    "stablehlo.replica_id": "several processes",
}
ARGUMENTS = re.compile(r"--args=\"(\[.*?\])\"")


class Outcome(NamedTuple):
    test: str
    status: Status
    reason: str


def run_file(path: Path, context: Context, engine: str) -> Iterator[Outcome]:
    """The outcome of every test in a file."""
    text = path.read_text()
    arguments = ARGUMENTS.search(text)
    for start, part in parts(text):
        skip = reason_to_skip(part)
        if skip is not None:
            for name in test_names(part):
                yield Outcome(name, "skipped", skip)
            continue
        try:
            # Empty lines keep the line numbers of messages those of the file.
            module = parse_module("\n" * start + part, path.name, context)
            verify_module(module)
        except Exception as error:
            for name in test_names(part):
                yield Outcome(name, "failed", f"reading: {told(error)}")
            continue
        for name, takes in tests(module):
            given = arguments.group(1) if arguments and takes else "[]"
            values = [array_from_dense(value) for value in constants(given)]
            if len(values) != takes:
                yield Outcome(name, "skipped", f"takes {takes} arguments")
            else:
                outcome = run_function(module, name, values, ENGINES[engine])
                yield Outcome(name, *without_quantized(*outcome))


def parts(text: str) -> Iterator[tuple[int, str]]:
    """The programs of a file that holds several, each with the number of lines before it."""
    start = 0
    for part in SEPARATOR.split(text):
        if re.search(r"^[^/\s]", part, re.MULTILINE):
            yield start, part
        start += part.count("\n")


def reason_to_skip(part: str) -> str | None:
    code = re.sub(r"//.*", "", part)
    return next((reason for op, reason in NEVER_RUN_ALONE.items() if op in code), None)


def without_quantized(status: Status, reason: str) -> tuple[Status, str]:
    """An outcome, in which arithmetic on quantized numbers is left out, and not a failure."""
    if status == "failed" and "!quant." in reason and "has no NumPy dtype" in reason:
        return "skipped", "arithmetic on quantized numbers"
    return status, reason


def test_names(part: str) -> list[str]:
    """The tests of a part that is not run: `@main`, or every function without arguments."""
    names = re.findall(r"^\s*func\.func (?:public )?@([\w.]+)\(\)", part, re.MULTILINE)
    return ["main"] if "main" in names else names or ["whole part"]


def tests(module: ModuleOp) -> list[tuple[str, int]]:
    """The test functions of a module: those that no other calls, and how many arguments each
    takes."""
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    called = {
        value.root_reference.data
        for op in module.walk()
        for value in op.properties.values()
        if isinstance(value, SymbolRefAttr)
    }
    return [
        (func.sym_name.data, len(func.function_type.inputs))
        for func in functions
        if func.sym_name.data not in called
    ]


def constants(text: str) -> list[DenseIntOrFPElementsAttr]:
    """Reads `[dense<…> : type, …]`."""
    (values,) = parse_module(f"module attributes {{x = {text}}} {{}}").attributes.values()
    return [value for value in values if isinstance(value, DenseIntOrFPElementsAttr)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="holds stablehlo/tests/interpret, or is it")
    parser.add_argument("--only", default="", metavar="TEXT", help="files whose name contains TEXT")
    parser.add_argument("--engine", choices=ENGINES, default="both")
    parser.add_argument("-v", "--verbose", action="store_true", help="list every failed test")
    options = parser.parse_args()
    inside = options.folder / "stablehlo/tests/interpret"
    folder = inside if inside.is_dir() else options.folder
    files = sorted(path for path in folder.rglob("*.mlir") if options.only in path.name)
    if not files:
        parser.error(f"no .mlir file in {folder}")
    context = suite_context()
    rows: list[tuple[object, ...]] = []
    total: Counter[str] = Counter()
    failed: list[tuple[str, str]] = []
    skipped: list[tuple[str, str]] = []
    clean = 0
    for path in files:
        name = path.relative_to(folder).as_posix()
        outcomes = list(run_file(path, context, options.engine))
        counts = Counter(outcome.status for outcome in outcomes)
        total += counts
        clean += bool(counts["passed"]) and not counts["failed"] and not counts["skipped"]
        failed += [(f"{name} @{o.test}", o.reason) for o in outcomes if o.status == "failed"]
        skipped += [(f"{name} @{o.test}", o.reason) for o in outcomes if o.status == "skipped"]
        shown = "; ".join(sorted({o.reason for o in outcomes if o.status != "passed"}))
        shown = shown if len(shown) <= 100 else shown[:97] + "..."
        rows.append((name, counts["passed"], counts["failed"], counts["skipped"], shown))
    print(table(("file", "passed", "failed", "skipped", "why"), rows))
    if options.verbose:
        print("", *[f"{test}: {reason}" for test, reason in failed], sep="\n")
    if failed:
        print("\nFailed:\n" + reasons(failed))
    if skipped:
        print("\nSkipped:\n" + reasons(skipped))
    print(
        f"\n{len(files)} files, {clean} of them passed whole; tests:"
        f" {total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
