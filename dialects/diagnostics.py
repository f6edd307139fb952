"""Errors for users and the source locations they carry; used by every level, knows none of them.

`ProgramError` is an error in the user's program: a message and, when known, the op's location.
"""

from __future__ import annotations

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException


class ProgramError(DiagnosticException):
    """An error in a program: `message`, and `location` when it is known."""

    message: str
    location: LocationAttr | None

    def __init__(self, message: str, where: Operation | LocationAttr | None = None):
        super().__init__(message)
        self.message = message
        self.location = where.location if isinstance(where, Operation) else where


class DataError(DiagnosticException):
    """An error in the data given to a program (inputs, files): `message`, and `path` when known."""

    message: str
    path: str | None

    def __init__(self, message: str, path: str | None = None):
        super().__init__(message)
        self.message = message
        self.path = path
