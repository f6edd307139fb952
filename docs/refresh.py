"""Put real output into README.md and the pages here: `python docs/refresh.py [--check]`.

A block that follows `<!-- output of: COMMAND -->` is what the command prints, run in the
repository's root; after `<!-- output of the Python above -->` it is what the last Python block
prints. `--check` writes nothing and ends with status 1 if a page shows something else.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(
    r"(?P<mark><!-- output of(?:: (?P<command>[^\n]*?)| the Python above) -->\n)"
    r"(?P<fence>```\w*\n)(?P<output>.*?)(?P<end>```\n)",
    re.DOTALL,
)
PYTHON = re.compile(r"```python\n(.*?)```\n", re.DOTALL)


def output_of(command: str | list[str]) -> str:
    """What a command prints; its failure is an error."""
    tools = os.path.dirname(sys.executable)
    environment = dict(os.environ, PATH=os.pathsep.join((tools, os.environ.get("PATH", ""))))
    environment.setdefault("JAX_PLATFORMS", "cpu")
    done = subprocess.run(
        command,
        shell=isinstance(command, str),
        cwd=ROOT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode != 0:
        raise SystemExit(f"{command}: exit status {done.returncode}\n{done.stdout}")
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.strip("\n").splitlines())


def refreshed(page: str) -> str:
    """The text of a page with the output of its commands as they are now."""

    def replace(found: re.Match[str]) -> str:
        command = found["command"]
        if command is None:
            command = [sys.executable, "-c", PYTHON.findall(page, 0, found.start())[-1]]
        return found["mark"] + found["fence"] + output_of(command) + found["end"]

    return BLOCK.sub(replace, page)


def needs_jax(page: str) -> bool:
    """Whether a page runs Python that imports jax."""
    return "the Python above" in page and "import jax" in page


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare only")
    arguments = parser.parse_args()
    status = 0
    for path in PAGES:
        page = path.read_text()
        new = refreshed(page)
        if new == page:
            continue
        if arguments.check:
            status = 1
            print(f"{path.relative_to(ROOT)}: shows other output; run docs/refresh.py")
        else:
            path.write_text(new)
            print(f"wrote {path.relative_to(ROOT)}")
    return status


if __name__ == "__main__":
    sys.exit(main())
