"""docs/passes.md lists the passes and their options as they are."""

from __future__ import annotations

import importlib.util
import pathlib

ROOT = pathlib.Path(__file__).parents[2]


def test_the_page_is_not_stale():
    path = ROOT / "docs" / "generate_passes.py"
    spec = importlib.util.spec_from_file_location("generate_passes", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (ROOT / "docs" / "passes.md").read_text() == module.page(), "run docs/generate_passes.py"
