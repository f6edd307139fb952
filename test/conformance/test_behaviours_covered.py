"""Every behaviour that control flow is held to has a test that names it."""

from __future__ import annotations

import pathlib
import re

import pytest

HERE = pathlib.Path(__file__).parent
TESTS = "\n".join(path.read_text() for path in HERE.glob("test_*.py"))


@pytest.mark.parametrize("number", range(1, 62))
def test_a_test_names_the_behaviour(number: int):
    assert re.search(rf"^def test_behaviour_{number:02}_", TESTS, re.MULTILINE)
