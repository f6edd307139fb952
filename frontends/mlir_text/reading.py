"""From a text or a file to a module: the one way in for all tools."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ParseError, VerifyException

from ...dialects import DIALECTS
from ...dialects.diagnostics import DataError, ProgramError, SourceLoc, SourceText, as_location
from ..bytecode import MAGIC, text_of_bytecode
from .parser import ModuleParser
from .verifying import verify_module

_DEPTH = 6_000
"""Frames that parsing and printing may use: some 300 regions or 600 brackets inside each other."""


def make_context() -> Context:
    """A context that knows all dialects of the tools, each loaded when it is first met."""
    context = Context()
    for name, dialect in DIALECTS.items():
        context.register_dialect(name, dialect)
    return context


def parse_module(
    text: str | bytes,
    name: str = "<string>",
    ctx: Context | None = None,
    *,
    implicit_module: bool = True,
) -> ModuleOp:
    """Parse a module; `name` is the file that messages tell. A mistake is a `ProgramError`.

    Bytes may also be MLIR bytecode or a portable artifact, which are read through jaxlib.
    """
    if isinstance(text, bytes):
        text = _decode(text, name)
    text = text.removeprefix("\ufeff")
    parser = None
    try:
        with deep_recursion():
            parser = ModuleParser(ctx if ctx is not None else make_context(), text, name)
            return parser.parse_module(implicit_module)
    except ParseError as error:
        location = SourceLoc(SourceText(name, text), error.span.start)
        raise ProgramError(error.msg, as_location(location)) from None
    except ProgramError:
        raise
    except Exception as error:
        # Attributes and custom syntax check what they are given with exceptions of many classes.
        if isinstance(error, RecursionError):
            message = "the program is nested too deeply"
        else:
            message = str(error) or f"the program cannot be read here ({type(error).__name__})"
        offset = parser.pos if parser is not None else 0
        location = SourceLoc(SourceText(name, text), offset)
        raise ProgramError(message, as_location(location)) from (
            None if isinstance(error, VerifyException) else error
        )


def load_module(path: str | os.PathLike[str]) -> ModuleOp:
    """Read and parse a file; an unreadable file is a `DataError`."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            content = file.read()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", name) from None
    return parse_module(content, name)


def parse(text_or_path: str | bytes | os.PathLike[str]) -> ModuleOp:
    """A verified module from text, bytecode or a file: a line that ends in `.mlir` names a file."""
    if isinstance(text_or_path, str) and _is_path(text_or_path):
        text_or_path = Path(text_or_path)
    if isinstance(text_or_path, str | bytes):
        module = parse_module(text_or_path)
    else:
        module = load_module(text_or_path)
    verify_module(module)
    return module


def _is_path(text: str) -> bool:
    return "\n" not in text and text.endswith((".mlir", ".mlirbc", ".mlir.bc"))


@contextmanager
def deep_recursion() -> Generator[None]:
    """Let recursive walks go as deep as sensible programs do."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def _decode(content: bytes, name: str) -> str:
    if content.startswith(MAGIC):
        return text_of_bytecode(content, name)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        before = content[: error.start].decode()
        location = SourceLoc(SourceText(name, before), len(before))
        raise ProgramError(
            f"expected text in UTF-8, got byte 0x{content[error.start]:02X}", as_location(location)
        ) from None
