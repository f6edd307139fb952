"""Files that the tools write: completely or not at all."""

from __future__ import annotations

import errno
import os

from ..dialects.diagnostics import DataError


def check_writable(path: str) -> None:
    """Fail before the work, not after it, when `path` cannot be written."""
    if not path:
        raise DataError("expected a file to write, got an empty name")
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise DataError(f"expected a folder to write into, got {folder!r}", path)
    if os.path.isdir(path):
        raise DataError("expected a file to write, got a folder", path)
    # A plain file is replaced by a new one in its folder; anything else is written to as it is.
    target = os.path.realpath(path)
    special = os.path.exists(target) and not os.path.isfile(target)
    if not os.access(target if special else os.path.dirname(target), os.W_OK):
        raise DataError(f"cannot be written: {os.strerror(errno.EACCES)}", path)


def write_whole(path: str, content: bytes | memoryview) -> None:
    """Write a file into a neighbour, which then takes its place.

    What is not a plain file (a device, a pipe) is written to as it is; links are followed.
    """
    target = os.path.realpath(path)
    special = os.path.exists(target) and not os.path.isfile(target)
    neighbour = target if special else f"{target}.{os.getpid()}.part"
    try:
        with open(neighbour, "wb") as file:
            file.write(content)
        if not special:
            os.replace(neighbour, target)
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror or error}", path) from None
    finally:
        if not special and os.path.exists(neighbour):
            os.unlink(neighbour)
