"""How lit runs these tests: shell lines in .mlir files, with the tools beside this Python.

`%roundtrip FILE` prints FILE in the pretty and the generic form, checks that each text reads back
to itself, and writes the pretty text to standard output, so it can be piped into `filecheck`.
"""

from __future__ import annotations

import os
import shlex
import sys
from typing import Any

import lit.formats

config: Any = globals()["config"]
lit_config: Any = globals()["lit_config"]

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = os.path.dirname(sys.executable)

config.name = "anabranch"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["Inputs", "Output"]
config.test_source_root = HERE
config.test_exec_root = os.path.join(
    os.environ.get("LIT_EXEC_ROOT", os.path.join(HERE, "..", "..", "build")), "lit"
)

for tool in ("anabranch-opt", "anabranch-run", "filecheck"):
    if not os.path.exists(os.path.join(TOOLS, tool)):
        lit_config.fatal(
            f"{tool} is not installed beside {sys.executable}: "
            'run `python -m pip install -e ".[dev]"` with that Python'
        )
config.environment["PATH"] = os.pathsep.join((TOOLS, os.environ.get("PATH", "")))
# One thread per test: lit itself runs several at a time.
config.environment["OMP_NUM_THREADS"] = "1"
config.environment["OPENBLAS_NUM_THREADS"] = "1"

python = shlex.quote(sys.executable)
config.substitutions += [
    ("%roundtrip", f"{python} {shlex.quote(os.path.join(HERE, 'roundtrip.py'))}"),
    ("%python", python),
]
