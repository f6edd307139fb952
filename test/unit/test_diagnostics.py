"""Source locations and the lines that errors become."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    ModuleOp,
    NameLoc,
    NoneAttr,
    StringAttr,
)

from anabranch.dialects.diagnostics import (
    UNKNOWN_PLACE,
    CallPlace,
    DataError,
    FilePlace,
    FusedPlace,
    NamedPlace,
    Place,
    ProgramError,
    SourceLoc,
    SourceText,
    as_location,
    one_line,
    place_of,
    position_of,
    render_error,
    user_frame_of,
)

TEXT = SourceText("p.mlir", "ab\n\ncd\n")
FILE = FilePlace("./model.py", 91, 27, None, 42)
CALLER = FilePlace("./main.py", 3, 1)
JAX = NamedPlace(
    "jit(newton_fn)/while/body/div",
    CallPlace(NamedPlace("newton_fn.<locals>.b", FILE), NamedPlace("<module>", CALLER)),
)


def at(offset: int, given: Place | None = None) -> LocationAttr:
    return as_location(SourceLoc(TEXT, offset, given))


@pytest.mark.parametrize(
    ("offset", "line", "column"), [(0, 1, 1), (1, 1, 2), (2, 1, 3), (3, 2, 1), (4, 3, 1), (7, 4, 1)]
)
def test_positions(offset: int, line: int, column: int) -> None:
    assert position_of(at(offset)) == ("p.mlir", line, column)


@pytest.mark.parametrize(
    ("place", "frame"),
    [
        (None, None),
        (UNKNOWN_PLACE, None),
        (FILE, "model.py:91:27"),
        (FilePlace("f.py", 3), "f.py:3"),
        (NamedPlace("a"), "a"),
        (JAX, "model.py:91:27 (jit(newton_fn)/while/body/div)"),
        (CallPlace(FILE, CALLER), "model.py:91:27"),
        (CallPlace(UNKNOWN_PLACE, CALLER), "main.py:3:1"),
        (FusedPlace((NamedPlace("a"), FILE)), "model.py:91:27 (a)"),
        (FusedPlace(()), None),
        (FilePlace("p.mlir", 1, 1), None),  # what a print without user locations gives
    ],
)
def test_user_frames(place: Place | None, frame: str | None) -> None:
    assert user_frame_of(at(0, place)) == frame


def test_locations_of_xdsl() -> None:
    file = FileLineColLoc(StringAttr("f.py"), IntAttr(1), IntAttr(2))
    assert position_of(file) == ("f.py", 1, 2)
    named = NameLoc(StringAttr("n"), file)
    assert place_of(named) == NamedPlace("n", FilePlace("f.py", 1, 2))
    assert place_of(NameLoc(StringAttr("n"), NoneAttr())) == NamedPlace("n")
    assert position_of(CallSiteLoc(UNKNOWN_LOC, named)) == ("f.py", 1, 2)
    assert place_of(FusedLoc((file,), NoneAttr())) == FusedPlace((FilePlace("f.py", 1, 2),))
    assert position_of(UNKNOWN_LOC) is None and user_frame_of(None) is None


def test_equality_is_by_position_and_place() -> None:
    assert at(1, FILE) == at(1, FilePlace("./model.py", 91, 27, None, 42))
    assert hash(at(1, FILE)) == hash(at(1, FilePlace("./model.py", 91, 27, None, 42)))
    assert at(1) != at(2) and at(1) != at(1, FILE)


def test_printing_by_xdsl() -> None:
    assert str(at(4)) == 'loc("p.mlir":3:1)'
    assert str(at(4, JAX)) == (
        'loc("jit(newton_fn)/while/body/div"(callsite("newton_fn.<locals>.b"'
        '("./model.py":91:27 to :42) at "<module>"("./main.py":3:1))))'
    )


def test_rendering() -> None:
    assert render_error(ProgramError("bad", at(4)), "x") == "p.mlir:3:1: error: bad"
    assert render_error(ProgramError("bad", at(4, JAX)), "x") == (
        "p.mlir:3:1: error: bad [model.py:91:27 (jit(newton_fn)/while/body/div)]"
    )
    assert render_error(ProgramError("bad"), "x.mlir") == "x.mlir: error: bad"
    assert render_error(DataError("bad", "in.npz"), "x.mlir") == "in.npz: error: bad"
    assert render_error(DataError("bad"), "x.mlir") == "x.mlir: error: bad"
    assert render_error(ValueError("bad\n\n  very\n"), "x.mlir") == "x.mlir: error: bad; very"
    assert render_error(ValueError(), "x.mlir") == "x.mlir: error: ValueError"


def test_an_error_takes_the_location_of_its_op() -> None:
    module = ModuleOp([])
    module.location = at(3)
    assert render_error(ProgramError("bad", module), "x") == "p.mlir:2:1: error: bad"
    assert str(ProgramError("bad", module)) == "bad"


def test_one_line() -> None:
    assert one_line("  a b ") == "a b"
    assert one_line("a\n  b\n\nc") == "a; b; c"


@pytest.mark.parametrize(
    ("error", "notes"),
    [
        (ProgramError("bad", at(4)), ["at p.mlir:3:1"]),
        (
            ProgramError("bad", at(4, JAX)),
            ["at p.mlir:3:1 [model.py:91:27 (jit(newton_fn)/while/body/div)]"],
        ),
        (ProgramError("bad", NameLoc(StringAttr("n"), NoneAttr())), ["at n"]),
        (DataError("bad", "in.npz"), ["in in.npz"]),
        (ProgramError("bad"), []),
        (DataError("bad"), []),
    ],
)
def test_a_traceback_tells_the_place(error: Exception, notes: list[str]) -> None:
    assert getattr(error, "__notes__", []) == notes
