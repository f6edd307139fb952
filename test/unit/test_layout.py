"""The house rules that a program can check: tables, files and tests agree."""

from __future__ import annotations

import pathlib
import re

import pytest

from anabranch.dialects import DIALECTS, OWN_DIALECTS
from anabranch.lowering import LOWERINGS, get_lowering
from anabranch.passes import PASSES, get_pass
from anabranch.universe import ALL_PASSES

ROOT = pathlib.Path(__file__).parents[2]
ROOMS = ("dialects", "passes", "lowering", "runtime", "frontends", "tools")
LIMIT = 700


def code_files() -> list[pathlib.Path]:
    folders = (*ROOMS, "src/anabranch", "bench", "examples", "test")
    files = [file for folder in folders for file in (ROOT / folder).glob("**/*.py")]
    return sorted({file.resolve() for file in files})


def stems(folder: str) -> set[str]:
    """The pass files of a room: helpers start with an underscore."""
    return {f.stem for f in (ROOT / folder).glob("*.py") if not f.stem.startswith("_")}


def snake(name: str) -> str:
    return name.replace("-", "_")


def test_every_room_is_linked_into_the_package():
    for room in ROOMS:
        link = ROOT / "src" / "anabranch" / room
        assert link.is_symlink(), room
        assert link.resolve() == ROOT / room


def test_every_pass_file_is_in_the_table_and_back():
    assert stems("passes") == {snake(name) for name in PASSES}


def test_every_lowering_in_the_table_has_its_file():
    assert {snake(name) for name in LOWERINGS} <= stems("lowering")
    for name in LOWERINGS:
        assert name.startswith("convert-") or name.endswith("-pipeline"), name


@pytest.mark.parametrize("name", sorted(ALL_PASSES))
def test_a_pass_calls_itself_by_the_name_in_the_table(name: str):
    found = get_pass(name) if name in PASSES else get_lowering(name)
    assert found.name == name
    assert found.__doc__, f"{found.__name__} has no docstring"


@pytest.mark.parametrize("name", sorted(ALL_PASSES))
def test_every_pass_has_lit_tests_under_its_name(name: str):
    room = "passes" if name in PASSES else "lowering"
    folder = ROOT / "test" / "lit" / room
    tests = [*folder.glob(f"{snake(name)}.mlir"), *folder.glob(f"{snake(name)}/*.mlir")]
    assert tests, f"expected test/lit/{room}/{snake(name)}.mlir or a folder of that name"


@pytest.mark.parametrize("name", OWN_DIALECTS)
def test_every_dialect_has_lit_tests(name: str):
    folder = ROOT / "test" / "lit" / "dialects"
    assert [*folder.glob(f"{name}.mlir"), *folder.glob(f"{name}/**/*.mlir")], name


@pytest.mark.parametrize("name", OWN_DIALECTS)
def test_a_dialect_holds_only_its_own_documented_ops(name: str):
    dialect = DIALECTS[name]()
    assert dialect.name == name
    for op in dialect.operations:
        assert op.name.startswith(f"{name}."), op.name
        assert op.__doc__, f"{op.name} has no docstring"


def test_files_stay_readable():
    long = {}
    for file in code_files():
        lines = len(file.read_text().splitlines())
        if lines > LIMIT:
            long[str(file.relative_to(ROOT))] = lines
    assert not long, f"expected at most {LIMIT} lines: split by idea"


def test_modules_start_by_saying_what_they_are_for():
    without = [
        str(file.relative_to(ROOT))
        for file in code_files()
        if file.read_text().strip() and not re.match(r'(#!.*\n)?[rf]?"""', file.read_text())
    ]
    assert not without


def test_the_rooms_are_never_imported_bare():
    """`import dialects` would load a second copy of what `anabranch.dialects` is."""
    bare = re.compile(rf"^\s*(from|import) ({'|'.join(ROOMS)})\b", re.MULTILINE)
    found = [str(f.relative_to(ROOT)) for f in code_files() if bare.search(f.read_text())]
    assert not found


def test_inside_the_rooms_imports_are_relative():
    absolute = re.compile(r"^\s*(from|import) anabranch\b", re.MULTILINE)
    found = [
        str(file.relative_to(ROOT))
        for room in ROOMS
        for file in (ROOT / room).glob("**/*.py")
        if absolute.search(file.read_text())
    ]
    assert not found


def test_the_package_lists_its_public_names():
    import anabranch

    assert set(anabranch.__all__) <= set(dir(anabranch))
    assert set(anabranch.__all__) == {name for name in dir(anabranch) if not name.startswith("_")}
