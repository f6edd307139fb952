"""Parser layer for attributes: exact literals, `dense`, `dense_resource`, aliases anywhere."""

from __future__ import annotations

import math
import re
from typing import Any, NoReturn, cast

from xdsl.dialects.builtin import (
    AnyDenseElement,
    AnyFloat,
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    RankedStructure,
    StringAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute
from xdsl.utils.hints import isa
from xdsl.utils.mlir_lexer import MLIRTokenKind

from .floats import float_attribute
from .literals import LiteralError, bytes_of_elements, dense_bytes, element_bytes, hex_string_bytes
from .locations import LocationParser

_DENSE_BODY = re.compile(r'<\s*(?:"([^"\\\n]*)"|([^<>"]*?))\s*>')
_SMALL_DENSE = re.compile(r'dense<[^<>"\n]{0,64}> : tensor<[^<>\n]*(?:<[a-z0-9]*>)?>')
_SMALL_ARRAY = re.compile(r"array<[a-z0-9]+(?:: [-0-9a-z, ]*)?>")
_OPAQUE_ATTRIBUTE = re.compile(r"#[a-z_]+<[a-z_]+ [A-Za-z_0-9]+>")
_COMMENT = re.compile(r"//[^\n]*")
_RESOURCES = re.compile(r"^\{-#", re.MULTILINE)


class AttributeParser(LocationParser):
    """Attributes as MLIR reads them, where xDSL's own parser differs or is slow."""

    _resources: dict[str, str] | None = None
    """The text of each builtin resource of the `{-# … #-}` section, once somebody has asked."""

    def parse_optional_attribute(self) -> Attribute | None:
        token = self._token
        kind = token.kind
        if kind is MLIRTokenKind.HASH_IDENT:
            self._previous_start = token.start
            found = _OPAQUE_ATTRIBUTE.match(self.lexer.input.content, token.start)
            if found is None:
                return super().parse_optional_attribute()
            return self._by_text(found, super().parse_optional_attribute)
        if kind is MLIRTokenKind.BARE_IDENT:
            if token.text == "dense":
                found = _SMALL_DENSE.match(self.lexer.input.content, token.start)
                if found is not None:
                    return self._by_text(found, self._parse_optional_builtin_attr)
            elif token.text == "array":
                found = _SMALL_ARRAY.match(self.lexer.input.content, token.start)
                if found is not None:
                    return self._by_text(found, self._parse_optional_builtin_attr)
        return self._parse_optional_builtin_attr()

    def _by_text(self, found: re.Match[str], parse: Any) -> Attribute | None:
        """The attribute with this text: as parsed before, or by `parse`."""
        value = self._texts.get(found[0])
        if value is not None:
            self._skip_to(found.end())
            return value
        value = parse()
        if value is not None and self._ends_at(found.end()):
            self._texts[found[0]] = value
        return value

    def _parse_optional_builtin_attr(self) -> Attribute | None:
        # The kind of the first token tells which attribute it is; xDSL tries one after the other.
        token = self._token
        match token.kind:
            case MLIRTokenKind.STRING_LIT:
                return StringAttr(self.parse_str_literal())
            case MLIRTokenKind.INTEGER_LIT | MLIRTokenKind.FLOAT_LIT | MLIRTokenKind.MINUS:
                return self.parse_optional_builtin_int_or_float_attr()
            case MLIRTokenKind.L_SQUARE:
                return ArrayAttr(
                    self.parse_comma_separated_list(self.Delimiter.SQUARE, self.parse_attribute)
                )
            case MLIRTokenKind.AT_IDENT:
                return self._parse_optional_symref_attr()
            case MLIRTokenKind.L_BRACE:
                return self._parse_optional_builtin_dict_attr()
            case MLIRTokenKind.L_PAREN | MLIRTokenKind.EXCLAMATION_IDENT:
                return self.parse_optional_type()
            case MLIRTokenKind.BARE_IDENT if token.text == "tensor":
                return self.parse_optional_type()
            case _:
                return super()._parse_optional_builtin_attr()

    # Numbers

    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr | FloatAttr | None:
        if (boolean := self.try_parse_builtin_boolean_attr()) is not None:
            return boolean
        start = self._token.start
        negative = self._parse_optional_text("-")
        token = self._token
        if token.kind not in (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.FLOAT_LIT):
            if negative:
                self.raise_error(f"expected a number after '-', got {self._got()}")
            return None
        self._consume_token()
        text = ("-" if negative else "") + token.text
        type: Attribute | None = None
        if self._parse_optional_text(":"):
            type_start = self._token.start
            type = self.parse_type()
            if not isa(type, AnyFloat | IntegerType | IndexType):
                self.raise_error(
                    f"expected an integer or floating-point type for {text}, got {type}", type_start
                )
        elif token.kind is MLIRTokenKind.FLOAT_LIT:
            type = f64
        else:
            type = i64
        try:
            raw = element_bytes(text, type)
        except LiteralError as error:
            self.raise_error(error.message, start, token.end)
        if isa(type, AnyFloat):
            return float_attribute(raw, type)
        assert isinstance(type, IntegerType | IndexType)
        return IntegerAttr(int(text, 16) if "x" in text else int(text), type)

    # Dense literals

    def parse_dense_int_or_fp_elements_attr(
        self, type: RankedStructure[AnyDenseElement] | None
    ) -> DenseIntOrFPElementsAttr:
        start = self._token.start
        found = _DENSE_BODY.match(self.lexer.input.content, start)
        if found is None:
            self._fail_dense(start)
        self._skip_to(found.end())
        if type is None:
            self.parse_punctuation(":", " after dense literal")
            type = self._parse_dense_literal_type()
        assert type is not None
        element = type.get_element_type()
        shape = type.get_shape()
        string, listed = found.groups()
        try:
            if string is not None:
                raw = hex_string_bytes(string, element, math.prod(shape))
            else:
                if "//" in listed:
                    listed = _COMMENT.sub(lambda comment: " " * len(comment[0]), listed)
                raw = dense_bytes(listed, element, shape)
        except LiteralError as error:
            group = 2 if string is None else 1
            self.raise_error(
                f"{error.message} (in a dense literal of {type})",
                found.start(group) + error.offset,
            )
        return self._dense(type, raw)

    def _dense(
        self, type: RankedStructure[AnyDenseElement], raw: bytes
    ) -> DenseIntOrFPElementsAttr:
        return cast(Any, DenseIntOrFPElementsAttr)(type, BytesAttr(raw))

    def _fail_dense(self, start: int) -> NoReturn:
        self.parse_punctuation("<", " in dense literal")
        self.raise_error("this dense literal is not closed, or not a literal", start)

    def _parse_dense_literal_type(self) -> RankedStructure[AnyDenseElement]:  # pyright: ignore[reportIncompatibleMethodOverride]
        start = self._token.start
        type = self.parse_type()
        if not isa(type, RankedStructure[AnyDenseElement]):
            self.raise_error(
                f"expected a tensor type of integers, floats or complex numbers, got {type}", start
            )
        if any(size < 0 for size in type.get_shape()):
            self.raise_error(f"expected a static shape in a dense literal, got {type}", start)
        return type

    def _parse_builtin_densearray_attr(self) -> DenseArrayBase | None:
        position = self.lexer.pos, self._parser_state.current_token
        self.parse_punctuation("<", " in dense array")
        type = self.parse_type()
        if not isa(type, AnyFloat):
            self.lexer.pos, self._parser_state.current_token = position
            return super()._parse_builtin_densearray_attr()
        pieces: list[bytes] = []
        if self._parse_optional_text(":"):
            pieces = self.parse_comma_separated_list(
                self.Delimiter.NONE, lambda: self._parse_float_bytes(type)
            )
        self.parse_punctuation(">", " in dense array")
        return cast(Any, DenseArrayBase)(type, BytesAttr(b"".join(pieces)))

    def _parse_float_bytes(self, type: AnyFloat) -> bytes:
        start = self._token.start
        text = "-" if self._parse_optional_text("-") else ""
        token = self._consume_token()
        try:
            return element_bytes(text + token.text, type)
        except LiteralError as error:
            self.raise_error(error.message, start, token.end)

    # Resources

    def _parse_builtin_dense_resource_attr(self) -> DenseResourceAttr:
        self.parse_punctuation("<", " in dense_resource")
        start = self._token.start
        key = self._parse_resource_key()
        self.parse_punctuation(">", " in dense_resource")
        self.parse_punctuation(":", " in dense_resource")
        type = self._parse_dense_literal_type()
        if self._resources is None:
            self._scan_resources()
        assert self._resources is not None
        text = self._resources.get(key)
        if text is None:
            if key == "__elided__":
                self.raise_error(
                    "this constant was left out when the text was printed; "
                    "print the program with large constants",
                    start,
                )
            self.raise_error(f"resource {key!r} is used but not in the file's resources", start)
        try:
            # Four bytes of alignment stand before the elements.
            blob = hex_string_bytes(text, IntegerType(8), (len(text) - 2) // 2)
            raw = bytes_of_elements(
                blob[4:], type.get_element_type(), math.prod(type.get_shape()), splat=False
            )
        except LiteralError as error:
            self.raise_error(f"{error.message} (in resource {key!r} of {type})", start)
        return cast(Any, self._dense(type, raw))

    def _parse_resource_key(self) -> str:
        return self.parse_identifier_or_str_literal(" as the name of a resource")

    def _scan_resources(self) -> None:
        """Read the resources section, which stands at the end, at the first use of a resource."""
        self._resources = {}
        position = self.lexer.pos, self._parser_state.current_token
        for found in _RESOURCES.finditer(self.lexer.input.content):
            self._skip_to(found.start())
            self._parse_file_metadata_dictionary()
        self.lexer.pos, self._parser_state.current_token = position

    def _parse_file_metadata_dictionary(self) -> None:
        """Parse `{-# dialect_resources: {…}, external_resources: {…} #-}`."""
        if self._resources is None:
            self._resources = {}
        self.parse_comma_separated_list(self.Delimiter.METADATA_TOKEN, self._parse_section)

    def _parse_section(self) -> None:
        section = self.parse_identifier(context_msg=" as a section of resources")
        self.parse_punctuation(":", " in resources")
        self.parse_comma_separated_list(
            self.Delimiter.BRACES, lambda: self._parse_resource_group(section)
        )

    def _parse_resource_group(self, section: str) -> None:
        group = self._parse_resource_key()
        self.parse_punctuation(":", " in resources")
        keep = section == "dialect_resources" and group == "builtin"
        self.parse_comma_separated_list(self.Delimiter.BRACES, lambda: self._parse_entry(keep))

    def _parse_entry(self, keep: bool) -> None:
        key = self._parse_resource_key()
        self.parse_punctuation(":", " in resources")
        token = self._consume_token()
        if keep and self._resources is not None:
            self._resources[key] = token.text.strip('"')
