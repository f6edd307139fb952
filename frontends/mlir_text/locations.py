"""Parser layer for locations and aliases: everything that `loc(...)` and `#name = ...` can say.

Aliases may be used before their definition: JAX and MLIR print the `#loc` aliases at the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from ...dialects.diagnostics import (
    UNKNOWN_PLACE,
    CallPlace,
    FilePlace,
    FusedPlace,
    NamedPlace,
    Place,
    SourceLoc,
    as_location,
    place_of,
)
from .tokens import TokenParser

_DEFINITION = re.compile(r"^([#!][A-Za-z0-9_$.-]+)[ \t]*=", re.MULTILINE)

# The shapes that make up nearly all aliases of a file with debug locations; others go the long way.
_ALIAS = r"(#[A-Za-z0-9_$.-]+)"
_SIMPLE_LOC = re.compile(
    rf"\s*loc\((?:"
    rf'"([^"\\\n]*)"\({_ALIAS}\)'
    rf"|callsite\({_ALIAS} at {_ALIAS}\)"
    r'|"([^"\\\n]*)":([0-9]+):([0-9]+)(?: to ([0-9]*):([0-9]+))?'
    r"|(unknown)"
    r")\)(?=\n|\Z)"
)


@dataclass(slots=True)
class _Definition:
    """An alias's definition in the text."""

    start: int
    """Offset of the name."""
    body: int
    """Offset behind the `=`."""
    end: int | None = None
    """Offset behind the value, once it has been parsed."""
    busy: bool = False


class LocationParser(TokenParser):
    """Locations of any form, and aliases that are defined anywhere in the text."""

    _definitions: dict[str, _Definition] | None = None

    # Aliases

    def _scan_definitions(self) -> dict[str, _Definition]:
        """Find where every alias is defined (at the start of a line), without parsing it."""
        definitions: dict[str, _Definition] = {}
        for found in _DEFINITION.finditer(self.lexer.input.content):
            definitions.setdefault(found[1], _Definition(found.start(), found.end()))
        self._definitions = definitions
        return definitions

    def _parse_definition(self, name: str, definition: _Definition) -> Attribute:
        """Parse the value of an alias where it is defined, then come back."""
        simple = _SIMPLE_LOC.match(self.lexer.input.content, definition.body)
        if simple is not None and (value := self._simple_location(simple, definition)) is not None:
            definition.end = simple.end()
        else:
            if definition.busy:
                self.raise_error(f"alias {name} is defined by itself")
            definition.busy = True
            lexer, token = self.lexer, self._parser_state.current_token
            position = lexer.pos
            self._resume_from(definition.body)
            value = self.parse_attribute()
            definition.end = self._token.start
            lexer.pos, self._parser_state.current_token = position, token
            definition.busy = False
        self.attribute_aliases[name] = value
        return value

    def _simple_location(self, found: re.Match[str], at: _Definition) -> Attribute | None:
        named, child, callee, caller, file, line, column, end_line, end_column, _ = found.groups()
        aliases = self.attribute_aliases
        place: Place
        if named is not None:
            inner = aliases.get(child)
            if not isinstance(inner, SourceLoc):
                return None
            place = NamedPlace(named, inner.place)
        elif callee is not None:
            inner, outer = aliases.get(callee), aliases.get(caller)
            if not isinstance(inner, SourceLoc) or not isinstance(outer, SourceLoc):
                return None
            place = CallPlace(inner.place, outer.place)
        elif file is not None:
            place = FilePlace(
                file,
                int(line),
                int(column),
                int(end_line) if end_line else None,
                int(end_column) if end_column else None,
            )
        else:
            place = UNKNOWN_PLACE
        return SourceLoc(self.source, at.start, place)

    def _parse_alias(self, token_text: str, position: int) -> Attribute:
        """The value of alias `#name` or `!name`, wherever it is defined."""
        value = self.attribute_aliases.get(token_text)
        if value is not None:
            return value
        if self._definitions is None:
            # The first forward reference: parse all aliases in their order, in which each one
            # follows those that it is made of, so that no chain of them recurses.
            definitions = self._scan_definitions()
            if token_text in definitions:
                for name, definition in definitions.items():
                    if definition.start > position and name not in self.attribute_aliases:
                        self._parse_definition(name, definition)
                if (value := self.attribute_aliases.get(token_text)) is not None:
                    return value
        assert self._definitions is not None
        definition = self._definitions.get(token_text)
        if definition is None:
            self.raise_error(
                f"alias {token_text} is used but never defined",
                position,
                position + len(token_text),
            )
        return self._parse_definition(token_text, definition)

    def _parse_alias_def(self) -> None:
        token = self._token
        name = token.text
        definitions = self._definitions
        known = definitions.get(name) if definitions is not None else None
        if known is not None and known.start == token.start and known.end is not None:
            self._resume_from(known.end)  # parsed already, at its first use
            return
        if name in self.attribute_aliases:
            self.raise_error(f"alias {name} is defined twice")
        self._consume_token()
        self.parse_punctuation("=", f" after alias {name}")
        self.attribute_aliases[name] = self.parse_attribute()

    def _parse_extended_type_or_attribute(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, attr_or_dialect_name: str, is_type: bool
    ) -> Attribute:
        if "." not in attr_or_dialect_name and self._token.text != "<":
            name = ("!" if is_type else "#") + attr_or_dialect_name
            return self._parse_alias(name, self._previous_start)
        return super()._parse_extended_type_or_attribute(attr_or_dialect_name, is_type)  # pyright: ignore[reportArgumentType, reportCallIssue, reportUnknownVariableType]

    # Locations

    def parse_optional_location(self) -> LocationAttr | None:
        """Parse `loc(...)`, if present; the result is a `SourceLoc`."""
        token = self._token
        if token.text != "loc":
            return None
        start = token.start
        self._consume_token()
        self.parse_punctuation("(", " in location")
        place = self._parse_place()
        self.parse_punctuation(")", " in location")
        return as_location(SourceLoc(self.source, start, place))

    def _parse_location(self) -> LocationAttr:
        start = self.pos
        return as_location(SourceLoc(self.source, start, self._parse_place()))

    def _parse_place(self) -> Place:
        token = self._token
        match token.kind:
            case MLIRTokenKind.HASH_IDENT:
                value = self.parse_attribute()
                if not isinstance(value, SourceLoc):
                    self.raise_error(f"expected a location, got {value}", token.span)
                return place_of(value)
            case MLIRTokenKind.STRING_LIT:
                name = self.parse_str_literal()
                if self.parse_optional_punctuation(":") is not None:
                    return self._parse_file_place(name)
                if self.parse_optional_punctuation("(") is None:
                    return NamedPlace(name)
                child = self._parse_place()
                self.parse_punctuation(")", " in named location")
                return NamedPlace(name, child)
            case MLIRTokenKind.BARE_IDENT if token.text == "unknown":
                self._consume_token()
                return UNKNOWN_PLACE
            case MLIRTokenKind.BARE_IDENT if token.text == "callsite":
                self._consume_token()
                self.parse_punctuation("(", " in callsite location")
                callee = self._parse_place()
                self.parse_keyword("at", " in callsite location")
                caller = self._parse_place()
                self.parse_punctuation(")", " in callsite location")
                return CallPlace(callee, caller)
            case MLIRTokenKind.BARE_IDENT if token.text == "fused":
                self._consume_token()
                metadata = None
                if self.parse_optional_punctuation("<") is not None:
                    metadata = self.parse_attribute()
                    self.parse_punctuation(">", " in fused location")
                children = self.parse_comma_separated_list(
                    self.Delimiter.SQUARE, self._parse_place, " in fused location"
                )
                return FusedPlace(tuple(children), metadata)
            case _:
                raise ParseError(
                    Span(token.start, token.end, self.lexer.input),
                    'expected a location: unknown, "file":line:column, "name"(location), '
                    "callsite(… at …), fused[…] or an alias",
                )

    def _parse_file_place(self, file: str) -> FilePlace:
        line = self._parse_line_number()
        if self.parse_optional_punctuation(":") is None:
            return FilePlace(file, line)
        column = self._parse_line_number()
        if self.parse_optional_keyword("to") is None:
            return FilePlace(file, line, column)
        end_line = None
        if self._token.text != ":":
            end_line = self._parse_line_number()
        self.parse_punctuation(":", " in location range")
        return FilePlace(file, line, column, end_line, self._parse_line_number())

    def _parse_line_number(self) -> int:
        return self.parse_integer(False, False, " in location")
