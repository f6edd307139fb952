"""README and docs show what the tools print now."""

from __future__ import annotations

import importlib.util
import pathlib
import re
from types import ModuleType

import pytest

ROOT = pathlib.Path(__file__).parents[2]


def refresh() -> ModuleType:
    spec = importlib.util.spec_from_file_location("refresh", ROOT / "docs" / "refresh.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAGES = ("README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_real_output(name: str):
    module = refresh()
    page = (ROOT / name).read_text()
    if module.needs_jax(page):
        pytest.importorskip("jax", reason="jax is not installed")
    assert module.refreshed(page) == page, "run docs/refresh.py"


@pytest.mark.parametrize("name", [*PAGES, "CONTRIBUTING.md"])
def test_links_between_pages_lead_somewhere(name: str):
    path = ROOT / name
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
        if not target.startswith("http"):
            assert (path.parent / target).exists(), target
