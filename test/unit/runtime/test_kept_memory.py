"""`runtime/kept_memory`: the C library keeps what runs free."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
from anabranch.runtime import kept_memory as memory

class Library:
    def __init__(self, name):
        pass

    def mallopt(self, option, value):
        print(option, value >> 20)

memory.ctypes.CDLL = Library
memory.keep_freed_memory()
memory.keep_freed_memory()
"""


@pytest.mark.parametrize(
    ("setting", "expected"),
    [(None, "-3 32\n-1 256\n"), ("8", "-3 8\n-1 8\n"), ("0", ""), ("a lot", "-3 32\n-1 256\n")],
)
def test_the_environment_says_how_much(setting: str | None, expected: str):
    environment = dict(os.environ)
    environment.pop("ANABRANCH_KEEP_MEMORY", None)
    if setting is not None:
        environment["ANABRANCH_KEEP_MEMORY"] = setting
    command = [sys.executable, "-c", PROGRAM]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == expected
