"""Errors for users and the source locations they carry; used by every level, knows none of them.

`ProgramError` is an error in the user's program: a message and, when known, the op's location.
`SourceLoc` is that location: where the op stands in its `.mlir` text, and the place that the text
itself gives (`loc(...)`), usually a line of the Python program that the text was printed from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    LocationAttr,
    NameLoc,
    NoneAttr,
)
from xdsl.ir import Attribute, BuiltinAttribute, Operation
from xdsl.printer import Printer
from xdsl.utils.exceptions import DiagnosticException, VerifyException


class ProgramError(DiagnosticException):
    """An error in a program: `message`, and `location` when it is known."""

    message: str
    location: LocationAttr | None

    def __init__(self, message: str, where: Operation | LocationAttr | None = None):
        super().__init__(message)
        self.message = message
        self.location = where.location if isinstance(where, Operation) else where
        _note_place(self, position_of(self.location), user_frame_of(self.location))


class RuleError(ProgramError, VerifyException):
    """A rule of one op that is broken at another: at its terminator, or at an op inside it.

    A verifier is taken to speak of its own op; this error brings along the op that is meant.
    """

    op: Operation

    def __init__(self, message: str, op: Operation):
        super().__init__(message, op)
        self.op = op


class DataError(DiagnosticException):
    """An error in the data given to a program (inputs, files): `message`, and `path` when known."""

    message: str
    path: str | None

    def __init__(self, message: str, path: str | None = None):
        super().__init__(message)
        self.message = message
        self.path = path
        if path is not None:
            self.add_note(f"in {path}")


# Places: what `loc(...)` says. Plain data, not attributes: a text has as many of them as ops, they
# are shared, and nothing but error messages and the printer looks at them.


@dataclass(frozen=True, slots=True)
class UnknownPlace:
    """`unknown`."""


@dataclass(frozen=True, slots=True)
class FilePlace:
    """`"file":1:2`, a range `"file":1:2 to :5` or `"file":1:2 to 3:5`, or a line `"file":1`."""

    file: str
    line: int
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """`"name"(child)`: JAX's name of an operation, of a function or of an argument."""

    name: str
    child: Place | None = None


@dataclass(frozen=True, slots=True)
class CallPlace:
    """`callsite(callee at caller)`."""

    callee: Place
    caller: Place


@dataclass(frozen=True, slots=True)
class FusedPlace:
    """`fused<metadata>[children]`."""

    children: tuple[Place, ...]
    metadata: Attribute | None = None


Place: TypeAlias = UnknownPlace | FilePlace | NamedPlace | CallPlace | FusedPlace

UNKNOWN_PLACE = UnknownPlace()


class SourceText:
    """A text's name and where its lines start, to turn offsets into lines and columns."""

    __slots__ = ("name", "_line_starts")

    name: str
    _line_starts: list[int]

    def __init__(self, name: str, text: str):
        self.name = name
        starts = [0]
        end = text.find("\n")
        while end >= 0:
            starts.append(end + 1)
            end = text.find("\n", end + 1)
        self._line_starts = starts

    def position(self, offset: int) -> tuple[str, int, int]:
        """File, line and column (both from 1) of `offset`."""
        line = bisect_right(self._line_starts, offset)
        return self.name, line, offset - self._line_starts[line - 1] + 1


class SourceLoc(BuiltinAttribute):
    """Where an op (or a block argument) stands in its text, and the place that the text gives.

    Prints as the given place, or where there is none as the position, as `mlir-opt` does.
    """

    name = "builtin.source_loc"

    source: SourceText
    offset: int
    given: Place | None

    def __init__(self, source: SourceText, offset: int, given: Place | None = None):
        # Attributes are frozen, and there is one of these per op: the usual way around is slow.
        fields = cast(dict[str, object], self.__dict__)
        fields["source"] = source
        fields["offset"] = offset
        fields["given"] = given

    @property
    def position(self) -> tuple[str, int, int]:
        """File, line and column (both from 1) in the text."""
        return self.source.position(self.offset)

    @property
    def place(self) -> Place:
        """The given place, or the position in the text."""
        return self.given if self.given is not None else FilePlace(*self.position)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SourceLoc) and (
            self is other
            or (
                self.offset == other.offset
                and self.source.name == other.source.name
                and (self.given is other.given or self.given == other.given)
            )
        )

    def __hash__(self) -> int:
        return hash((self.source.name, self.offset))

    def __repr__(self) -> str:
        file, line, column = self.position
        return f"SourceLoc({file}:{line}:{column}, {self.given!r})"

    def print_builtin(self, printer: Printer) -> None:
        with printer.in_location():
            print_place(self.place, printer)


def as_location(loc: SourceLoc) -> LocationAttr:
    """`loc` under the type that xDSL gives to locations, a closed union."""
    return cast(LocationAttr, loc)


def print_place(place: Place, printer: Printer) -> None:
    """Print a place in full, without `loc(...)` around it."""
    match place:
        case UnknownPlace():
            printer.print_string("unknown")
        case FilePlace():
            printer.print_string_literal(place.file)
            printer.print_string(file_place_suffix(place))
        case NamedPlace():
            printer.print_string_literal(place.name)
            if place.child is not None:
                with printer.in_parens():
                    print_place(place.child, printer)
        case CallPlace():
            printer.print_string("callsite(")
            print_place(place.callee, printer)
            printer.print_string(" at ")
            print_place(place.caller, printer)
            printer.print_string(")")
        case FusedPlace():
            printer.print_string("fused")
            if place.metadata is not None:
                with printer.in_angle_brackets():
                    printer.print_attribute(place.metadata)
            with printer.in_square_brackets():
                printer.print_list(place.children, lambda child: print_place(child, printer))


def file_place_suffix(place: FilePlace) -> str:
    """What follows the file's name: `:1:2 to :5`."""
    text = f":{place.line}"
    if place.column is not None:
        text += f":{place.column}"
    if place.end_column is not None:
        end_line = place.end_line if place.end_line != place.line else None
        text += f" to {end_line or ''}:{place.end_column}"
    return text


def place_of(location: Attribute | None) -> Place:
    """The place that a location of any class tells."""
    match location:
        case SourceLoc():
            return location.place
        case FileLineColLoc():
            return FilePlace(location.filename.data, location.line.data, location.column.data)
        case NameLoc():
            child = location.location
            return NamedPlace(
                location.desc.data, None if isinstance(child, NoneAttr) else place_of(child)
            )
        case CallSiteLoc():
            return CallPlace(place_of(location.callee), place_of(location.caller))
        case FusedLoc():
            children = cast(ArrayAttr[Attribute], location.locations)
            metadata = location.metadata
            return FusedPlace(
                tuple(place_of(child) for child in children),
                None if isinstance(metadata, NoneAttr) else metadata,
            )
        case _:
            return UNKNOWN_PLACE


def position_of(location: Attribute | None) -> tuple[str, int, int] | None:
    """File, line and column of the op in its program text; None when that is not known."""
    if isinstance(location, SourceLoc):
        return location.position
    file = _innermost_file(place_of(location))
    return None if file is None else (file.file, file.line, file.column or 1)


def user_frame_of(location: Attribute | None) -> str | None:
    """The line of the user's program that the op comes from, and the name that the text gives it.

    For instance `model.py:91:27 (jit(step)/while/body/div)`. None when the text tells neither, or
    nothing beyond the op's position in it.
    """
    if isinstance(location, SourceLoc) and location.given is None:
        return None
    place = place_of(location)
    file = _innermost_file(place)
    name = _outermost_name(place)
    if file is None:
        return name
    where = f"{file.file.removeprefix('./')}:{file.line}"
    if file.column is not None:
        where += f":{file.column}"
    if name is not None:
        return f"{where} ({name})"
    if position_of(location) == (file.file, file.line, file.column or 1):
        return None
    return where


def name_of(location: Attribute | None) -> str | None:
    """The name that a location gives, for instance `jit(step)/while/body/div`."""
    return _outermost_name(place_of(location))


def names_of(location: Attribute | None) -> Iterator[str]:
    """All the names that a location gives: the op's, then those of the calls that led to it."""
    pending: list[Place | None] = [place_of(location)]
    while pending:
        match pending.pop():
            case NamedPlace(name, child):
                yield name
                pending.append(child)
            case CallPlace(callee, caller):
                pending += [caller, callee]
            case FusedPlace(children):
                pending.extend(reversed(children))
            case _:
                pass


def _innermost_file(place: Place | None) -> FilePlace | None:
    """The file of the innermost call."""
    while True:
        match place:
            case FilePlace():
                return place
            case NamedPlace():
                place = place.child
            case CallPlace():
                inner = _innermost_file(place.callee)
                if inner is not None:
                    return inner
                place = place.caller
            case FusedPlace():
                for child in place.children:
                    if (inner := _innermost_file(child)) is not None:
                        return inner
                return None
            case _:
                return None


def _outermost_name(place: Place | None) -> str | None:
    """The first name on the way to the innermost call."""
    match place:
        case NamedPlace():
            return place.name
        case CallPlace():
            return _outermost_name(place.callee)
        case FusedPlace():
            names = (_outermost_name(child) for child in place.children)
            return next((name for name in names if name is not None), None)
        case _:
            return None


def _note_place(
    error: BaseException, position: tuple[str, int, int] | None, frame: str | None
) -> None:
    """Tells where, below the message, to those who see the traceback instead of `render_error`."""
    at = None if position is None else ":".join(map(str, position))
    if at is not None and frame is not None:
        at += f" [{frame}]"
    if at is not None or frame is not None:
        error.add_note(f"at {at or frame}")


def one_line(message: str) -> str:
    """`message` on one line: its lines joined, empty ones dropped."""
    if "\n" not in message:
        return message.strip()
    return "; ".join(line.strip() for line in message.splitlines() if line.strip())


def render_error(error: BaseException, default_file: str) -> str:
    """`FILE:LINE:COL: error: message [line of the user's program]`, or `FILE: error: message`.

    `default_file` is named where the error itself does not know its file.
    """
    if isinstance(error, ProgramError):
        text = one_line(error.message)
        frame = user_frame_of(error.location)
        if frame is not None:
            text += f" [{frame}]"
        position = position_of(error.location)
        if position is not None:
            file, line, column = position
            return f"{file}:{line}:{column}: error: {text}"
        return f"{default_file}: error: {text}"
    if isinstance(error, DataError):
        return f"{error.path or default_file}: error: {one_line(error.message)}"
    return f"{default_file}: error: {one_line(str(error) or type(error).__name__)}"
