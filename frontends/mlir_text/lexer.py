"""Splits MLIR text into tokens: the same tokens as xDSL's lexer, from one regular expression.

Lexing was half of the cost of parsing: one match per token, and no span until somebody asks for it.
"""

from __future__ import annotations

import re
from typing import NoReturn

from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input, Span, Token
from xdsl.utils.mlir_lexer import (
    KIND_BY_PUNCTUATION_SPELLING,
    MLIRLexer,
    MLIRTokenKind,
    StringLiteral,
)

_SUFFIX_ID = r"(?:[0-9]+|[a-zA-Z$._-][a-zA-Z0-9$._-]*)"
_BARE_ID = r"[a-zA-Z_][a-zA-Z0-9_$.]*"
_STRING = r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"'

_TOKEN = re.compile(
    r"(?:\s++|//[^\n]*+)*+(?:"  # possessive: a failed match must not try shorter white space
    rf"(%{_SUFFIX_ID})"
    rf"|({_BARE_ID})"
    r"|(->|\.\.\.|\{-\#|\#-\}|[:,(){}\[\]<>=+/*?|-])"
    rf"|({_STRING})"
    r"|([0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?)"
    r"|(0x[0-9a-fA-F]+|[0-9]+)"
    rf"|(\#{_SUFFIX_ID})"
    rf"|(@(?:{_BARE_ID}|{_STRING}))"
    rf"|(\^{_SUFFIX_ID})"
    rf"|(!{_SUFFIX_ID})"
    r"|(\Z)"
    r")",
    re.ASCII,
)

_KINDS = (
    None,
    MLIRTokenKind.PERCENT_IDENT,
    MLIRTokenKind.BARE_IDENT,
    None,
    MLIRTokenKind.STRING_LIT,
    MLIRTokenKind.FLOAT_LIT,
    MLIRTokenKind.INTEGER_LIT,
    MLIRTokenKind.HASH_IDENT,
    MLIRTokenKind.AT_IDENT,
    MLIRTokenKind.CARET_IDENT,
    MLIRTokenKind.EXCLAMATION_IDENT,
    MLIRTokenKind.EOF,
)
_PUNCTUATION = 3
_STRING_GROUP = 4
_BLANK = re.compile(r"(?:\s++|//[^\n]*+)*+", re.ASCII)


class TextToken(Token[MLIRTokenKind, str]):
    """A token that knows its text and offsets, and builds its span only on demand."""

    __slots__ = ("kind", "start", "end", "text", "_input")

    kind: MLIRTokenKind
    start: int
    end: int
    text: str  # pyright: ignore[reportIncompatibleMethodOverride]
    _input: Input[str]

    def __init__(self, kind: MLIRTokenKind, start: int, end: int, text: str, source: Input[str]):
        self.kind = kind
        self.start = start
        self.end = end
        self.text = text  # pyright: ignore[reportIncompatibleMethodOverride]
        self._input = source

    @property
    def span(self) -> Span[str]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return Span(self.start, self.end, self._input)

    @property
    def content(self) -> str:
        return self.text


class TextLexer(MLIRLexer):
    """xDSL's lexer with a `lex` of its own."""

    def lex(self) -> TextToken:
        source = self.input
        found = _TOKEN.match(source.content, self.pos)
        if found is None:
            self._fail()
        group = found.lastindex
        assert group is not None
        text = found[group]
        kind = _KINDS[group]
        if group == _PUNCTUATION:
            kind = KIND_BY_PUNCTUATION_SPELLING[text]
        elif group == _STRING_GROUP and "\\" in text:
            kind = self._string_kind(found.start(group), found.end())
        assert kind is not None
        self.pos = end = found.end()
        return TextToken(kind, end - len(text), end, text, source)

    def _string_kind(self, start: int, end: int) -> MLIRTokenKind:
        """A string whose escapes are not UTF-8 is a string of bytes."""
        try:
            StringLiteral(start, end, self.input).bytes_contents.decode()
        except UnicodeDecodeError:
            return MLIRTokenKind.BYTES_LIT
        return MLIRTokenKind.STRING_LIT

    def _fail(self) -> NoReturn:
        blank = _BLANK.match(self.input.content, self.pos)
        assert blank is not None
        start = blank.end()
        character = self.input.content[start]
        if character == '"' or self.input.content.startswith('@"', start):
            message = "this string is not closed, or has an unknown escape"
        else:
            message = f"unexpected character {character!r}"
        raise ParseError(Span(start, start + 1, self.input), message)
