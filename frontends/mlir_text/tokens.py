"""Parser layer over the lexer: the small steps of every operation, and types by their text.

The same text always means the same type within a file (an alias cannot be redefined), so a type
that was parsed once is found again by its text: types make up most of a program in generic form.
"""

from __future__ import annotations

import re
from typing import TypeVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, LocationAttr
from xdsl.ir import Attribute, TypeAttribute
from xdsl.parser import Parser
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRTokenKind, PunctuationSpelling

from ...dialects.diagnostics import SourceLoc, SourceText, as_location
from .lexer import TextLexer, TextToken

AttributeT = TypeVar("AttributeT", bound=Attribute)

_PLAIN_TENSOR = re.compile(
    r"tensor<(?:[0-9]+x|\?x)*(?:[a-z][a-zA-Z0-9]*|complex<[a-z][a-zA-Z0-9]*>)>"
)
_FUNCTION_TYPE = re.compile(
    r'\([^(){}"/]*\) -> (?:\([^(){}"/]*\)|tensor<[^<>(){}"/]*(?:<[^<>(){}"/]*>)?[^<>(){}"/]*>)'
)
_PLAIN_TENSORS: dict[str, Attribute] = {}
"""Plain tensor types by their text, shared by all files: they depend on no alias and no dialect."""

_CACHE_LIMIT = 10_000


class TokenParser(Parser):
    """xDSL's parser on our lexer."""

    source: SourceText
    _texts: dict[str, Attribute]
    _previous_start: int = 0
    """Where the alias or dialect attribute starts whose name has just been read."""

    def __init__(self, ctx: Context, text: str, name: str):
        self.source = SourceText(name, text)
        self._texts = {}
        super().__init__(ctx, "", name)
        self._parser_state = ParserState(TextLexer(Input(text, name)))

    @property
    def _token(self) -> TextToken:
        return cast(TextToken, self._parser_state.current_token)

    @property
    def pos(self) -> int:
        return self._token.start

    def location_at(self, offset: int) -> LocationAttr:
        """The location of a place in the text."""
        return as_location(SourceLoc(self.source, offset))

    # Small steps: as in xDSL, without a detour over spans and slices of the text.

    def _consume_token(self, expected_kind: MLIRTokenKind | None = None) -> TextToken:
        state = self._parser_state
        token = state.current_token
        assert expected_kind is None or token.kind is expected_kind
        state.current_token = state.lexer.lex()
        return cast(TextToken, token)

    def _parse_optional_token(self, expected_kind: MLIRTokenKind) -> TextToken | None:
        state = self._parser_state
        token = state.current_token
        if token.kind is not expected_kind:
            return None
        state.current_token = state.lexer.lex()
        return cast(TextToken, token)

    def _parse_optional_text(self, text: str) -> bool:
        state = self._parser_state
        if state.current_token.text != text:
            return False
        state.current_token = state.lexer.lex()
        return True

    def parse_optional_punctuation(
        self, punctuation: PunctuationSpelling
    ) -> PunctuationSpelling | None:
        return punctuation if self._parse_optional_text(punctuation) else None

    def parse_punctuation(
        self, punctuation: PunctuationSpelling, context_msg: str = ""
    ) -> PunctuationSpelling:
        if not self._parse_optional_text(punctuation):
            self.raise_error(f"expected '{punctuation}'{context_msg}, got {self._got()}")
        return punctuation

    def parse_optional_characters(self, text: str) -> str | None:
        return text if self._parse_optional_text(text) else None

    def parse_characters(self, text: str, context_msg: str = "") -> str:
        if not self._parse_optional_text(text):
            self.raise_error(f"expected '{text}'{context_msg}, got {self._got()}")
        return text

    def parse_optional_keyword(self, keyword: str) -> str | None:
        return keyword if self._parse_optional_text(keyword) else None

    def parse_keyword(self, keyword: str, context_msg: str = "") -> str:
        return self.parse_characters(keyword, context_msg)

    def parse_optional_str_literal(self) -> str | None:
        token = self._token
        if token.kind is not MLIRTokenKind.STRING_LIT:
            return None
        if "\\" not in token.text:
            self._consume_token()
            return token.text[1:-1]
        return super().parse_optional_str_literal()

    def _got(self) -> str:
        """The current token in words, for messages."""
        token = self._token
        if token.kind is MLIRTokenKind.EOF:
            return "the end of the file"
        text = token.text if len(token.text) <= 40 else token.text[:37] + "..."
        return f"'{text}'"

    # Types by their text

    def _skip_to(self, end: int) -> None:
        """Go on with the first token at or behind `end`."""
        state = self._parser_state
        state.lexer.pos = end
        state.current_token = state.lexer.lex()

    def _ends_at(self, end: int) -> bool:
        """Whether nothing but white space lies between `end` and the current token."""
        between = self.lexer.input.content[end : self._token.start]
        return not between or between.isspace()

    def parse_optional_type(self) -> TypeAttribute | None:
        token = self._token
        if token.kind is MLIRTokenKind.BARE_IDENT and token.text == "tensor":
            found = _PLAIN_TENSOR.match(self.lexer.input.content, token.start)
            if found is None:
                return self._parse_optional_builtin_type()
            text = found[0]
            value = _PLAIN_TENSORS.get(text)
            if value is not None:
                self._skip_to(found.end())
                return cast(TypeAttribute, value)
            value = self._parse_optional_builtin_type()
            if value is not None and self._ends_at(found.end()):
                if len(_PLAIN_TENSORS) > _CACHE_LIMIT:
                    _PLAIN_TENSORS.clear()
                _PLAIN_TENSORS[text] = value
            return value
        if token.kind is MLIRTokenKind.EXCLAMATION_IDENT:
            self._previous_start = token.start
            return super().parse_optional_type()
        return self._parse_optional_builtin_type()

    def parse_optional_function_type(self) -> FunctionType | None:
        token = self._token
        if token.text != "(":
            return None
        found = _FUNCTION_TYPE.match(self.lexer.input.content, token.start)
        if found is None:
            return super().parse_optional_function_type()
        text = found[0]
        value = self._texts.get(text)
        if value is not None:
            self._skip_to(found.end())
            return cast(FunctionType, value)
        value = super().parse_optional_function_type()
        if value is not None and self._ends_at(found.end()):
            self._texts[text] = value
        return value
