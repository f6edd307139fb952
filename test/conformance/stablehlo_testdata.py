"""Reads, prints and runs StableHLO's test data: programs that JAX printed, with expected values.

    python test/conformance/stablehlo_testdata.py FOLDER [--only TEXT] [--every N] [--run] [-j N]

For every file: it parses and verifies; what we print, in both forms, reads back to the same print;
and, where jaxlib is installed, jaxlib reads what we print as the same module as the original. With
`--run`, `@main` also runs at the structured reference and as a graph, and what it checks holds.
Exit status 1 when a file fails.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

from check_dialect import suite_context
from checking import ENGINES, run_function, told
from jaxlib_oracle import Jaxlib, first_difference
from reporting import reasons, table
from stablehlo_interpret import parts, reason_to_skip, tests, without_quantized
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from anabranch.frontends.mlir_text import parse_module, print_module, verify_module

STAGES = ("parse", "verify", "round trip", "jaxlib", "run")


class Outcome(NamedTuple):
    """What became of a stage of a file: `reason` is empty when it passed."""

    file: str
    stage: str
    reason: str = ""
    skipped: bool = False


class Job(NamedTuple):
    path: Path
    name: str
    with_jaxlib: bool
    engine: str | None


def run_file(job: Job) -> list[Outcome]:
    """The outcomes of a file's stages, up to the first that cannot be tried."""
    text = job.path.read_text()
    outcomes: dict[str, Outcome] = {}
    for start, part in parts(text):
        for outcome in run_part("\n" * start + part, job):
            known = outcomes.get(outcome.stage)
            if known is None or (outcome.reason and not known.reason):
                outcomes[outcome.stage] = outcome
    # Of a file with several programs, no stage counts when one of them failed at an earlier one.
    reached: list[Outcome] = []
    for stage in STAGES:
        if stage in outcomes:
            reached.append(outcomes[stage])
            if stage in ("parse", "verify") and outcomes[stage].reason:
                break
    return reached


def run_part(text: str, job: Job) -> Iterator[Outcome]:
    name = job.name
    try:
        module = parse_module(text, name, context())
    except Exception as error:
        yield Outcome(name, "parse", told(error))
        return
    yield Outcome(name, "parse")
    try:
        verify_module(module)
    except Exception as error:
        yield Outcome(name, "verify", told(error))
        return
    yield Outcome(name, "verify")
    pretty, generic = print_module(module), print_module(module, generic=True)
    yield Outcome(name, "round trip", read_back(pretty, False) or read_back(generic, True))
    if job.with_jaxlib:
        yield judged(name, text, {"pretty": pretty, "generic": generic})
    if job.engine is not None:
        yield ran(name, text, module, job.engine)


def read_back(printed: str, generic: bool) -> str:
    """What is wrong with reading a print back; empty if nothing is."""
    try:
        again = parse_module(printed, "our print", context())
        verify_module(again)
    except Exception as error:
        return f"our {form(generic)} print: {told(error)}"
    second = print_module(again, generic=generic)
    if second != printed:
        return f"our {form(generic)} print changes: {first_difference(printed, second)}"
    return ""


def form(generic: bool) -> str:
    return "generic" if generic else "pretty"


def judged(name: str, original: str, prints: dict[str, str]) -> Outcome:
    """Whether jaxlib takes our prints for the original."""
    try:
        expected = jaxlib().canonical(original)
    except ValueError as error:
        return Outcome(name, "jaxlib", f"jaxlib cannot read the original: {error}", skipped=True)
    for kind, text in prints.items():
        try:
            got = jaxlib().canonical(text)
        except ValueError as error:
            return Outcome(name, "jaxlib", f"jaxlib cannot read our {kind} print: {error}")
        if got != expected:
            return Outcome(name, "jaxlib", f"{kind}: {first_difference(expected, got)}")
    return Outcome(name, "jaxlib")


def ran(name: str, text: str, module: ModuleOp, engine: str) -> Outcome:
    """Whether `@main` (or every test function) runs and its checks hold."""
    skip = reason_to_skip(text)
    if skip is None and "check." not in text:
        skip = "nothing is checked"
    if skip is not None:
        return Outcome(name, "run", skip, skipped=True)
    found = tests(module)
    # Where StableHLO's own run is switched off, the expected values are known to be unreliable.
    suffix = " (StableHLO's own run is off)" if "RUN-DISABLED" in text else ""
    for function, takes in found:
        if takes:
            return Outcome(name, "run", f"@{function} takes arguments", skipped=True)
        outcome = run_function(module, function, (), ENGINES[engine])
        status, reason = without_quantized(*outcome)
        if status != "passed":
            return Outcome(name, "run", reason + suffix, skipped=status == "skipped")
    return Outcome(name, "run")


@cache
def context() -> Context:
    return suite_context()


@cache
def jaxlib() -> Jaxlib:
    return Jaxlib()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="holds stablehlo/testdata, or is it")
    parser.add_argument("--only", default="", metavar="TEXT", help="files whose name contains TEXT")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth file")
    parser.add_argument("--run", action="store_true", help="run the programs too")
    parser.add_argument("--engine", choices=ENGINES, default="both")
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N", help="processes")
    parser.add_argument("-v", "--verbose", action="store_true", help="list every failed file")
    options = parser.parse_args()
    inside = options.folder / "stablehlo/testdata"
    folder = inside if inside.is_dir() else options.folder
    files = sorted(path for path in folder.rglob("*.mlir") if options.only in path.name)
    files = files[:: max(options.every, 1)]
    if not files:
        parser.error(f"no .mlir file in {folder}")
    with_jaxlib = find_spec("jaxlib") is not None
    engine = options.engine if options.run else None
    jobs = [Job(p, p.relative_to(folder).as_posix(), with_jaxlib, engine) for p in files]
    if options.jobs > 1:
        with Pool(options.jobs) as pool:
            found = pool.map(run_file, jobs, chunksize=8)
    else:
        found = [run_file(job) for job in jobs]
    return report([o for outcomes in found for o in outcomes], len(files), options.verbose)


def report(outcomes: list[Outcome], files: int, verbose: bool) -> int:
    """Prints counts and reasons; the exit status."""
    failed = [o for o in outcomes if o.reason and not o.skipped]
    skipped = [o for o in outcomes if o.reason and o.skipped]
    if verbose:
        print(*[f"{o.file}: {o.stage}: {o.reason}" for o in failed], "", sep="\n")
    passed_by, failed_by, skipped_by = (
        Counter(o.stage for o in group)
        for group in ([o for o in outcomes if not o.reason], failed, skipped)
    )
    rows = [(s, passed_by[s], failed_by[s], skipped_by[s]) for s in STAGES]
    print(table(("stage", "passed", "failed", "skipped"), rows))
    for title, group in (("Failed", failed), ("Skipped", skipped)):
        if group:
            print(f"\n{title}:")
            print(reasons((o.file, f"{o.stage}: {o.reason}") for o in group))
    bad = {o.file for o in failed}
    print(f"\n{files} files: {files - len(bad)} without a failure, {len(bad)} with one")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
