"""Holds the verifier and the printer to StableHLO's own dialect tests, with jaxlib as the judge.

    python test/conformance/stablehlo_verify.py FOLDER [--only TEXT] [-v]

The files are `stablehlo/tests/*.mlir` and `stablehlo/tests/chlo/*.mlir`: thousands of small functions,
valid and invalid. Each is read alone. What jaxlib takes must parse and verify here, and both of our
prints must be the same module to jaxlib; what it refuses must be refused here. Functions with ops of
dialects that nobody here has are left out. Exit status 1 when a verdict differs.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from check_dialect import suite_context
from checking import told
from jaxlib_oracle import Jaxlib, first_difference
from reporting import reasons
from stablehlo_interpret import SEPARATOR
from xdsl.context import Context

from anabranch.frontends.mlir_text import parse_module, print_module, verify_module

FUNCTION = re.compile(r'^(?=[ \t]*(?:func\.func|"func\.func"))', re.MULTILINE)
ALIAS = re.compile(r"^[#!].*\n", re.MULTILINE)
COMMENT = re.compile(r"//.*")
NAME = re.compile(r'@[\w.]+|sym_name = "([^"]*)"')
FOREIGN = re.compile(
    r"(?<![%@\w])(sparse_tensor|hlo_test_\w+|quant|tensor|arith|shape|bufferization)\.|memref<"
)


class Verdict(NamedTuple):
    function: str
    kind: str
    why: str = ""


SAME_MODULE = "valid: the same module"
BOTH_REFUSE = "invalid: refused"
REFUSED = "valid, but refused here"
OTHER_MODULE = "valid, but another module"
ACCEPTED = "invalid, but accepted here"
LEFT_OUT = "left out"
FAULTS = (REFUSED, OTHER_MODULE, ACCEPTED)


def functions(text: str) -> Iterator[tuple[str, str]]:
    """Each function of a file, with the aliases and declarations of its part: name and text."""
    for part in SEPARATOR.split(text):
        head, *bodies = FUNCTION.split(part)
        declared = [body for body in bodies if "{" not in COMMENT.sub("", body)]
        before = "".join([*ALIAS.findall(head), *declared])
        for body in bodies:
            found = NAME.search(body)
            if body not in declared:
                yield found.group() if found else "?", before + body


def judge(name: str, text: str, jaxlib: Jaxlib, context: Context) -> Verdict:
    """Compares our verdict on a function with jaxlib's."""
    if FOREIGN.search(COMMENT.sub("", text)):
        return Verdict(name, LEFT_OUT, "ops or types of other dialects")
    if not survives(text, jaxlib):
        return Verdict(name, LEFT_OUT, "jaxlib crashes")
    try:
        expected, refusal = jaxlib.canonical(text), ""
    except ValueError as error:
        expected, refusal = "", str(error)
    if "unregistered operation" in refusal:
        return Verdict(name, LEFT_OUT, "jaxlib is older than the op")
    try:
        module = parse_module(text, name, context)
        verify_module(module)
    except Exception as error:
        return Verdict(name, BOTH_REFUSE) if refusal else Verdict(name, REFUSED, told(error))
    if refusal:
        return Verdict(name, ACCEPTED, f"jaxlib: {refusal}")
    for generic in (False, True):
        try:
            got = jaxlib.canonical(print_module(module, generic=generic))
        except ValueError as error:
            return Verdict(name, OTHER_MODULE, f"jaxlib cannot read our print: {error}")
        if got != expected:
            return Verdict(name, OTHER_MODULE, first_difference(expected, got))
    return Verdict(name, SAME_MODULE)


def survives(text: str, jaxlib: Jaxlib) -> bool:
    """Whether jaxlib reads a text without ending the process: some invalid ones divide by zero."""
    if "expected-error" not in text:
        return True
    child = os.fork()
    if child == 0:
        try:
            jaxlib.canonical(text)
        except ValueError:
            pass
        finally:
            os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="holds stablehlo/tests, or is it")
    parser.add_argument("--only", default="", metavar="TEXT", help="files whose name contains TEXT")
    parser.add_argument("-v", "--verbose", action="store_true", help="list every difference")
    options = parser.parse_args()
    inside = options.folder / "stablehlo/tests"
    folder = inside if inside.is_dir() else options.folder
    files = [*sorted(folder.glob("*.mlir")), *sorted(folder.glob("chlo/*.mlir"))]
    files = [path for path in files if options.only in path.name]
    if not files:
        parser.error(f"no .mlir file in {folder}")
    jaxlib, context = Jaxlib(foreign=False), suite_context()
    verdicts = [
        judge(f"{path.name} {name}", text, jaxlib, context)
        for path in files
        for name, text in functions(path.read_text())
    ]
    counts = Counter(verdict.kind for verdict in verdicts)
    faults = [verdict for verdict in verdicts if verdict.kind in FAULTS]
    if options.verbose:
        print(*[f"{v.function}: {v.kind}: {v.why}" for v in faults], "", sep="\n")
    if faults:
        print(reasons((v.function, f"{v.kind}: {v.why}") for v in faults), end="\n\n")
    for kind in (SAME_MODULE, BOTH_REFUSE, *FAULTS, LEFT_OUT):
        print(f"{counts[kind]:5}  {kind}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
