"""Text of `dense<...>` literals to the bytes of a `DenseIntOrFPElementsAttr`, of any element type.

Bytes are laid out as xDSL does: whole bytes per element, little end first, integers sign-extended
(so an `i1` that is true is 0xFF). Long lists are converted in bulk, never element by element.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import (
    AnyDenseElement,
    AnyFloat,
    ComplexType,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    Signedness,
)
from xdsl.utils.hints import isa

from .floats import encode_float

_NUMBER = r"-?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?"
_DECIMALS = re.compile(rf"(?:\s*{_NUMBER}\s*,)*+\s*{_NUMBER}\s*")
_INTEGERS = re.compile(r"(?:\s*-?[0-9]+\s*,)*+\s*-?[0-9]+\s*")
_DECIMAL = re.compile(_NUMBER)
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_INTEGER = re.compile(r"-?(?:0x[0-9a-fA-F]+|[0-9]+)")
_TOKEN = re.compile(r"\s*([\[\](),]|[^\[\](),\s]+)")
_HEX_STRING = re.compile(r"0[xX][0-9a-fA-F]+")


_SPLAT_LIMIT = 1 << 20
"""Bytes beyond which the text's single element is not repeated."""


class LiteralError(Exception):
    """A literal that does not fit; `offset` is where, in the literal's text."""

    def __init__(self, message: str, offset: int = 0):
        super().__init__(message)
        self.message = message
        self.offset = offset


def element_bytes(text: str, element: AnyDenseElement, offset: int = 0) -> bytes:
    """The bytes of one literal: a number, `true`, or a pair for a complex type."""
    if isinstance(element, ComplexType):
        raise LiteralError(f"expected a pair (real, imaginary) for type {element}", offset)
    if isa(element, AnyFloat):
        if _DECIMAL.fullmatch(text):
            return encode_float(float(text), element)
        if _HEX.fullmatch(text):
            return float_bits(text, element, offset)
        if _INTEGER.fullmatch(text):
            raise LiteralError(
                f"expected a floating-point literal for type {element}, got {text}: write {text}.0",
                offset,
            )
        raise LiteralError(
            f"expected a floating-point literal for type {element}, got {text}", offset
        )
    assert isinstance(element, IntegerType | IndexType)
    if text in ("true", "false"):
        if not (isinstance(element, IntegerType) and element.bitwidth == 1):
            raise LiteralError(f"expected an integer for type {element}, got {text}", offset)
        return b"\xff" if text == "true" else b"\0"
    if not _INTEGER.fullmatch(text):
        raise LiteralError(f"expected an integer for type {element}, got {text}", offset)
    value = int(text, 16) if "x" in text else int(text)
    return pack_integers([value], element, lambda _: (text, offset))


def float_bits(text: str, element: AnyFloat, offset: int = 0) -> bytes:
    """The bytes that a hexadecimal literal gives."""
    bits = int(text, 16)
    if bits.bit_length() > element.bitwidth:
        raise LiteralError(
            f"expected at most {element.bitwidth} bits for type {element}, got {text}", offset
        )
    return bits.to_bytes(element.compile_time_size, "little")


def integer_range(element: IntegerType | IndexType) -> tuple[int, int]:
    """The least and the greatest value that a literal may have; signless takes either reading."""
    if isinstance(element, IndexType):
        return -(1 << 63), (1 << 63) - 1
    width = element.bitwidth
    match element.signedness.data:
        case Signedness.UNSIGNED:
            return 0, (1 << width) - 1
        case Signedness.SIGNED:
            return -(1 << width - 1), (1 << width - 1) - 1
        case _:
            return -(1 << width - 1), (1 << width) - 1


def pack_integers(
    values: Sequence[int],
    element: IntegerType | IndexType,
    where: Callable[[int], tuple[str, int]],
) -> bytes:
    """Integers to bytes; `where(i)` gives the text and the offset of value i for messages."""
    low, high = integer_range(element)
    if values and not (low <= min(values) and max(values) <= high):
        bad = next(i for i, value in enumerate(values) if not low <= value <= high)
        text, offset = where(bad)
        raise LiteralError(
            f"expected an integer from {low} to {high} for type {element}, got {text}", offset
        )
    if isinstance(element, IndexType):
        return struct.pack(f"<{len(values)}q", *values)
    if element.signedness.data is not Signedness.UNSIGNED:
        limit, modulus = 1 << element.bitwidth - 1, 1 << element.bitwidth
        values = [value - modulus if value >= limit else value for value in values]
    return element.pack(values)


def dense_bytes(text: str, element: AnyDenseElement, shape: Sequence[int]) -> bytes:
    """The bytes of a dense literal: `text` is what stands between `<` and `>`, strings aside."""
    count = math.prod(shape)
    stripped = text.strip()
    if "[" not in stripped:
        if not stripped:
            if count:
                raise LiteralError(f"expected {count} elements, got none")
            return b""
        raw = _list_bytes(stripped, element)
        if len(raw) != element.compile_time_size:
            raise LiteralError(f"expected one element, got {stripped}")
        return _splat(raw, count)
    _check_shape(stripped, shape)
    if not count:
        return b""
    raw = _list_bytes(stripped.replace("[", " ").replace("]", " "), element)
    assert len(raw) == count * element.compile_time_size
    return raw


def _splat(raw: bytes, count: int) -> bytes:
    """One element for all; a large one stays a single element, which readers repeat themselves.

    Of a tensor without elements too: MLIR keeps what the text says they would be.
    """
    return raw * count if 0 < len(raw) * count <= _SPLAT_LIMIT else raw


def _list_bytes(text: str, element: AnyDenseElement) -> bytes:
    """The bytes of literals with commas between them, brackets removed."""
    part = element
    if isinstance(element, ComplexType):
        part = element.element_type
        if text.count("(") * 2 != text.count(",") + 1:
            raise LiteralError(f"expected a pair (real, imaginary) for each element of {element}")
        text = text.replace("(", " ").replace(")", " ")
    elif "(" in text:
        raise LiteralError(f"expected a number for type {element}, got a pair", text.index("("))
    if isa(part, AnyFloat):
        if _DECIMALS.fullmatch(text):
            return _pack_floats(text.split(","), part)
    elif _INTEGERS.fullmatch(text) and part != IntegerType(1):
        assert isinstance(part, IntegerType | IndexType)
        texts = text.split(",")
        return pack_integers(
            list(map(int, texts)), part, lambda i: (texts[i].strip(), _offset_of(text, i))
        )
    return _mixed_bytes(text, part)


def _mixed_bytes(text: str, part: AnyDenseElement) -> bytes:
    """As `_list_bytes` for literals of several kinds: hexadecimal, booleans, numbers."""
    known: dict[str, bytes] = {}
    pieces: list[bytes] = []
    offset = 0
    for item in text.split(","):
        literal = item.strip()
        raw = known.get(literal)
        if raw is None:
            start = offset + len(item) - len(item.lstrip())
            if not literal:
                raise LiteralError("expected an element", start)
            raw = known[literal] = element_bytes(literal, part, start)
        pieces.append(raw)
        offset += len(item) + 1
    return b"".join(pieces)


def _offset_of(text: str, index: int) -> int:
    """Where the literal number `index` of a list starts."""
    offset = 0
    for _ in range(index):
        offset = text.index(",", offset) + 1
    return offset + len(text[offset:]) - len(text[offset:].lstrip())


def _pack_floats(texts: Sequence[str], element: AnyFloat) -> bytes:
    if isinstance(element, Float64Type):
        return struct.pack(f"<{len(texts)}d", *map(float, texts))
    if isinstance(element, Float32Type):
        try:
            return struct.pack(f"<{len(texts)}f", *map(float, texts))
        except OverflowError:
            pass  # some of them round to infinity
    known: dict[str, bytes] = {}
    pieces: list[bytes] = []
    for text in texts:
        raw = known.get(text)
        if raw is None:
            raw = known[text] = encode_float(float(text), element)
        pieces.append(raw)
    return b"".join(pieces)


def _check_shape(text: str, shape: Sequence[int]) -> None:
    """Check that the brackets of a literal are those of `shape`."""
    flat = re.sub(r"\([^()]*\)", "", text) if "(" in text else text
    skeleton = re.sub(r"[^\[\],]+", "", flat)
    if skeleton == _skeleton(shape):
        return
    if not math.prod(shape) and not re.sub(r"[\[\],]+", "", skeleton):
        if not re.sub(r"[\[\],\s]+", "", flat):
            return  # without elements, any nesting says the same
    raise LiteralError(f"expected a literal of shape {list(shape)}, got {_shape_in_words(text)}")


def _skeleton(shape: Sequence[int]) -> str:
    result = ""
    for size in reversed(shape):
        result = f"[{','.join([result] * size)}]"
    return result


def _shape_in_words(text: str) -> str:
    """The shape of a literal, for a message about it."""
    counts: list[list[int]] = []
    depth = 0
    sizes: list[int] = []
    previous = ""
    for token in _TOKEN.findall(re.sub(r"\([^()]*\)", "0", text)):
        if token == "[":
            depth += 1
            sizes.append(0)
            if len(counts) < depth:
                counts.append([])
        elif token == "]":
            if not depth:
                return "unbalanced brackets"
            counts[depth - 1].append(sizes.pop() + (previous != "["))
            depth -= 1
        elif token == "," and depth:
            sizes[-1] += 1
        previous = token
    if depth:
        return "unbalanced brackets"
    if any(len(set(level)) != 1 for level in counts):
        return "lists of different lengths"
    return str([level[0] for level in counts])


def hex_string_bytes(text: str, element: AnyDenseElement, count: int) -> bytes:
    """The bytes of a dense literal given as a string `0x…` of all elements, or of one for all."""
    if len(text) % 2 or not _HEX_STRING.fullmatch(text):
        raise LiteralError("expected a string of hexadecimal bytes that starts with 0x")
    raw = bytes.fromhex(text[2:])
    return bytes_of_elements(raw, element, count)


def bytes_of_elements(
    raw: bytes, element: AnyDenseElement, count: int, *, splat: bool = True
) -> bytes:
    """Check the number of bytes and bring them to xDSL's form; a `splat` may be one element."""
    size = element.compile_time_size
    if splat and len(raw) == size and count != 1:
        raw = _splat(raw, count)
    elif len(raw) != size * count:
        if element == IntegerType(1) and len(raw) == (count + 7) // 8:
            # Before 2026 MLIR printed eight booleans to a byte, the first in the lowest bit.
            bits = bin(int.from_bytes(raw, "little") | 1 << 8 * len(raw))[:2:-1]
            return bits[:count].encode().translate(_BITS_TO_BYTES)
        expected = f"{size * count} bytes" + (f" or {size}" if splat else "")
        raise LiteralError(f"expected {expected}, got {len(raw)}")
    if isinstance(element, IntegerType) and element.bitwidth < 8:
        return raw.translate(_narrow_table(element))
    return raw


_BITS_TO_BYTES = bytes.maketrans(b"01", b"\x00\xff")


def _narrow_table(element: IntegerType) -> bytes:
    """What each byte means for an integer of less than eight bits, as xDSL keeps it."""
    width = element.bitwidth
    if width == 1:
        return b"\0" + b"\xff" * 255  # any bit set is true
    modulus = 1 << width
    signed = element.signedness.data is not Signedness.UNSIGNED
    table: list[int] = []
    for byte in range(256):
        value = byte % modulus
        table.append(value | (256 - modulus) if signed and value >= modulus // 2 else value)
    return bytes(table)
