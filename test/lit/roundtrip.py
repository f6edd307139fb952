"""Check that a module survives printing: `%roundtrip FILE...` in the lit tests.

Each file is parsed, printed, and read back, once in the pretty and once in the generic form; the
second text must equal the first, and both forms must print the same module. The pretty text goes to
standard output for `filecheck`; a difference is shown on standard error and ends with status 1.
`--split-input-file` treats parts between `// -----` lines as files of their own.
"""

from __future__ import annotations

import argparse
import difflib
import pathlib
import sys

from anabranch.frontends.mlir_text import parse_module, print_module, verify_module


def difference(first: str, second: str, what: str) -> str | None:
    if first == second:
        return None
    lines = difflib.unified_diff(
        first.splitlines(), second.splitlines(), "printed", "printed again", lineterm="", n=2
    )
    return "\n".join((f"round trip: {what} differs", *lines))


def roundtrip(text: str, name: str) -> tuple[str, str | None]:
    """The pretty text of a module, and the first difference found, if any."""
    module = parse_module(text, name)
    verify_module(module)
    pretty = print_module(module, generic=False)
    generic = print_module(module, generic=True)
    from_pretty = parse_module(pretty, f"{name} (pretty)")
    from_generic = parse_module(generic, f"{name} (generic)")
    verify_module(from_pretty)
    verify_module(from_generic)
    checks = (
        (pretty, from_pretty, False, "the pretty form"),
        (generic, from_generic, True, "the generic form"),
        (generic, from_pretty, True, "the generic form of the pretty text"),
        (pretty, from_generic, False, "the pretty form of the generic text"),
    )
    for text_before, again, as_generic, what in checks:
        found = difference(text_before, print_module(again, generic=as_generic), what)
        if found is not None:
            return pretty, found
    return pretty, None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--split-input-file", action="store_true")
    arguments = parser.parse_args()
    status = 0
    for path in arguments.files:
        text = pathlib.Path(path).read_text()
        for part in text.split("// -----\n") if arguments.split_input_file else [text]:
            pretty, found = roundtrip(part, path)
            sys.stdout.write(pretty)
            if found is not None:
                status = 1
                print(found, file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
