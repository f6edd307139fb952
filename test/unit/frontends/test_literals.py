"""Dense literals: the bits that we read and print are those that MLIR reads and prints.

The oracle is jaxlib's MLIR. Its text of a constant of more than 100 elements is the hexadecimal
string of its bytes, for every element type, so literals are compared in lists of that length.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr

from anabranch.dialects.diagnostics import ProgramError
from anabranch.frontends.mlir_text import parse_module, print_module

COUNT = 128

FLOATS = [
    "0.0",
    "-0.0",
    "1.0",
    "-1.5",
    "0.1",
    "3.0e-1",
    "1.000000e+00",
    "9.99999",
    "123456.789",
    "1.0e-3",
    "1.0e10",
    "1.0e38",
    "3.4028236e38",
    "1.0e39",
    "1.0e400",
    "-1.0e400",
    "1.0e-45",
    "7.0e-46",
    "7.1e-46",
    "1.0e-400",
    "2.",
    "65504.0",
    "65519.9",
    "65520.0",
    "6.0e-8",
    "2.9e-8",
    "448.0",
    "464.0",
    "465.0",
    "57344.0",
    "61440.0",
    "240.0",
    "0.0009765625",
    "1.00390625",  # halfway between two bf16
    "1.01171875",  # halfway, the other way
    "1.0039062500000001",  # just above halfway: two roundings would be wrong
    "16777217.0",
    "16777217.0000000001",
]
FLOAT_TYPES = {
    "f16": 16,
    "bf16": 16,
    "f32": 32,
    "f64": 64,
    "f8E4M3FN": 8,
    "f8E5M2": 8,
    "f8E4M3": 8,
    "f8E3M4": 8,
    "f8E4M3FNUZ": 8,
    "f8E5M2FNUZ": 8,
    "f8E4M3B11FNUZ": 8,
    "f8E8M0FNU": 8,
    "f6E2M3FN": 6,
    "f6E3M2FN": 6,
    "f4E2M1FN": 4,
}


def constant(text: str, type: str) -> str:
    return (
        f"func.func @main() -> {type} {{\n"
        f"  %0 = stablehlo.constant dense<{text}> : {type}\n"
        f"  return %0 : {type}\n}}\n"
    )


def ours(text: str) -> bytes:
    module = parse_module(text, "literal.mlir")
    for op in module.walk():
        if op.name == "stablehlo.constant":
            value = op.properties["value"]
            assert isinstance(value, DenseIntOrFPElementsAttr)
            return value.data.data
    raise AssertionError("no constant")


@pytest.fixture(scope="module")
def mlir() -> Any:
    """A function: MLIR's print of a module's text."""
    pytest.importorskip("jax", reason="the oracle needs jax")
    from jax._src.interpreters import mlir as jax_mlir
    from jax._src.lib.mlir import ir

    context = jax_mlir.make_ir_context()

    def print_again(text: str) -> str:
        with context:
            return str(ir.Module.parse(text))

    return print_again


def theirs(printed: str) -> bytes:
    found = re.search(r'dense<"0x([0-9A-F]*)">', printed)
    assert found is not None, printed[:200]
    return bytes.fromhex(found[1])


def repeated(items: list[str], fillers: tuple[str, str]) -> str:
    """A list of COUNT literals, not all equal."""
    return "[" + ", ".join([*items, *([fillers[0]] * (COUNT - len(items) - 1)), fillers[1]]) + "]"


def small_ints(raw: bytes, width: int) -> bytes:
    return bytes(byte & ((1 << width) - 1) for byte in raw)


@pytest.mark.parametrize("type", FLOAT_TYPES)
def test_decimal_floats(mlir: Any, type: str) -> None:
    texts = FLOATS
    if type == "f8E8M0FNU":  # it has no sign
        texts = [text for text in texts if not text.startswith("-")]
    if type[:2] in ("f6", "f4"):  # they have no infinities, and MLIR then gives a zero
        texts = [text for text in texts if "e400" not in text]
    text = constant(repeated(texts, ("1.0", "2.0")), f"tensor<{COUNT}x{type}>")
    raw = ours(text)
    assert raw == theirs(mlir(text))
    # Our print, in short lists and as a string, means the same to MLIR.
    module = parse_module(text)
    assert theirs(mlir(print_module(module))) == raw
    for literal in texts:
        one = constant(literal, f"tensor<{type}>")
        again = print_module(parse_module(one))
        assert ours(again) == ours(one)
        longer = constant(repeated([_literal(again)], ("1.0", "2.0")), f"tensor<{COUNT}x{type}>")
        assert theirs(mlir(longer))[: len(ours(one))] == ours(one)


def _literal(text: str) -> str:
    found = re.search(r"dense<([^>]*)>", text)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("type", FLOAT_TYPES)
def test_hexadecimal_floats(mlir: Any, type: str) -> None:
    width = FLOAT_TYPES[type]
    if width <= 8:
        patterns = list(range(1 << width))
    else:
        top = 1 << width
        exponent = {"f16": 0x7C00, "bf16": 0x7F80, "f32": 0x7F800000, "f64": 0x7FF << 52}[type]
        patterns = [0, 1, top // 2, top // 2 + 1, top - 1, exponent, exponent + 1, exponent - 1]
        patterns += [exponent | top // 2, (exponent + 1) | top // 2]
        patterns += [int(top * 0.6180339887 * i) % top for i in range(1, 100)]
    patterns = (patterns * COUNT)[: max(COUNT, 1 << width if width <= 8 else 0)]
    digits = (width + 3) // 4
    literals = [f"0x{pattern:0{digits}X}" for pattern in patterns]
    text = constant("[" + ", ".join(literals) + "]", f"tensor<{len(literals)}x{type}>")
    raw = ours(text)
    assert raw == theirs(mlir(text))
    size = len(raw) // len(literals)
    # Printed as a list, the bits stay.
    for index in range(0, len(literals), 64):
        some = literals[index : index + 64]
        listed = constant("[" + ", ".join(some) + "]", f"tensor<{len(some)}x{type}>")
        expected = raw[index * size : (index + 64) * size]
        assert ours(listed) == expected
        assert ours(print_module(parse_module(listed))) == expected
    assert ours(constant(literals[1], f"tensor<{type}>")) == raw[size : 2 * size]


def test_the_case_that_xdsl_reads_as_an_integer() -> None:
    assert ours(constant("0xFF800000", "tensor<f32>")).hex() == "000080ff"


def test_mixed_list(mlir: Any) -> None:
    text = constant(
        repeated(["0x7FC00001", "-1.0", "0xFF800000"], ("1.0", "2.")), "tensor<128xf32>"
    )
    assert ours(text) == theirs(mlir(text))


@pytest.mark.parametrize(
    "type", ["i2", "i4", "i8", "i16", "i32", "i64", "ui4", "ui8", "ui32", "ui64"]
)
def test_integers(mlir: Any, type: str) -> None:
    width = int(re.sub("[a-z]", "", type))
    top = (1 << width) - 1
    values = ["0", "1", str(top), hex(top), "0x1"]
    if not type.startswith("u"):
        values += [str(-(1 << width - 1)), "-1", "-0x1"]
    text = constant(repeated(values, ("0", "1")), f"tensor<{COUNT}x{type}>")
    raw = ours(text)
    assert small_ints(raw, min(width, 8)) == small_ints(theirs(mlir(text)), min(width, 8))
    printed = print_module(parse_module(text))
    assert theirs(mlir(printed)) == theirs(mlir(text))
    assert ours(printed) == raw
    for value in values:
        again = print_module(parse_module(constant(value, f"tensor<{type}>")))
        assert ours(again) == ours(constant(value, f"tensor<{type}>"))


def test_booleans(mlir: Any) -> None:
    items = ["true" if i % 3 == 0 else "false" for i in range(COUNT)]
    text = constant(f"[{', '.join(items)}]", f"tensor<{COUNT}xi1>")
    raw = ours(text)
    assert raw == bytes(255 if i % 3 == 0 else 0 for i in range(COUNT))
    # As MLIR prints them now, and as it did when it packed eight of them into a byte.
    assert ours(mlir(text)) == raw
    packed = bytes(
        sum((i + bit) % 3 == 0 and 1 << bit for bit in range(8)) for i in range(0, COUNT, 8)
    )
    assert ours(constant(f'"0x{packed.hex()}"', f"tensor<{COUNT}xi1>")) == raw
    assert ours(mlir(print_module(parse_module(text)))) == raw


@pytest.mark.parametrize("literal", ["true", "1", "-1", "0x1", '"0x01"', '"0xFF"'])
def test_true(literal: str) -> None:
    assert ours(constant(literal, "tensor<3xi1>")) == b"\xff\xff\xff"


@pytest.mark.parametrize("element", ["f32", "f64"])
def test_complex(mlir: Any, element: str) -> None:
    bits = {"f32": "0x7FC00001", "f64": "0x7FF8000000000001"}[element]
    items = ["(1.0, -0.0)", f"({bits}, 2.5)", "(0.1,1.0e400)"]
    type = f"tensor<{COUNT}xcomplex<{element}>>"
    text = constant(repeated(items, ("(0.0, 1.0)", "(1.0, 1.0)")), type)
    raw = ours(text)
    assert raw == theirs(mlir(text))
    assert theirs(mlir(print_module(parse_module(text)))) == raw
    for item in items:
        one = constant(item, f"tensor<complex<{element}>>")
        assert ours(print_module(parse_module(one))) == ours(one)
        assert "dense<(" in mlir(print_module(parse_module(one)))


@pytest.mark.parametrize("literal", ["1.5", '"0x0000C03F"'])
def test_large_splats_stay_small(literal: str) -> None:
    text = constant(literal, "tensor<100000x100000xf32>")
    assert ours(text).hex() == "0000c03f"
    printed = print_module(parse_module(text))
    assert "dense<1.500000e+00> : tensor<100000x100000xf32>" in printed


def test_shapes() -> None:
    text = constant("[[1, 2, 3], [4, 5, 6]]", "tensor<2x3xi8>")
    assert ours(text) == bytes([1, 2, 3, 4, 5, 6])
    assert "dense<[[1, 2, 3], [4, 5, 6]]>" in print_module(parse_module(text))
    assert ours(constant("[[[1], [2]]]", "tensor<1x2x1xi8>")) == bytes([1, 2])
    assert ours(constant("7", "tensor<2x2xi8>")) == bytes([7] * 4)
    assert ours(constant('"0x07"', "tensor<2x2xi8>")) == bytes([7] * 4)
    for empty in ("", "[]"):
        assert ours(constant(empty, "tensor<0xi8>")) == b""
    # A splat keeps its element, of which there are none: MLIR prints it again.
    assert ours(constant("1", "tensor<0xi8>")) == b"\x01"
    assert "dense<1> : tensor<0xi8>" in print_module(parse_module(constant("1", "tensor<0xi8>")))
    assert ours(constant("[[], []]", "tensor<2x0xi8>")) == b""


@pytest.mark.parametrize(
    ("literal", "type", "message"),
    [
        ("1", "tensor<f32>", "write 1.0"),
        ("[1.0, 2]", "tensor<2xf32>", "write 2.0"),
        ("true", "tensor<f32>", "expected a floating-point literal"),
        ("-0x7F800000", "tensor<f32>", "expected a floating-point literal"),
        ("0x1FFFFFFFF", "tensor<f32>", "expected at most 32 bits"),
        ("nan", "tensor<f32>", "expected a floating-point literal"),
        ("256", "tensor<i8>", "from -128 to 255"),
        ("[0, -129]", "tensor<2xi8>", "from -128 to 255 for type i8, got -129"),
        ("-1", "tensor<ui8>", "from 0 to 255"),
        ("1.5", "tensor<i32>", "expected an integer"),
        ("true", "tensor<i8>", "expected an integer"),
        ("2", "tensor<i1>", "got 2"),
        ("[1, 2]", "tensor<3xi32>", "expected a literal of shape [3], got [2]"),
        ("[[1, 2], [3, 4]]", "tensor<4xi32>", "expected a literal of shape [4], got [2, 2]"),
        ("[[1, 2], [3]]", "tensor<2x2xi32>", "lists of different lengths"),
        ("[1, 2", "tensor<2xi32>", "unbalanced brackets"),
        ("[1,, 2]", "tensor<3xi32>", "expected an element"),
        ("1, 2", "tensor<2xi32>", "expected one element"),
        ("", "tensor<2xi32>", "expected 2 elements, got none"),
        ("1.0", "tensor<complex<f32>>", "expected a pair"),
        ("(1.0, 2.0)", "tensor<f32>", "got a pair"),
        ('"0x01"', "tensor<f32>", "expected 4 bytes"),
        ('"0xZZ"', "tensor<i8>", "hexadecimal bytes that starts with 0x"),
        ('"01"', "tensor<i8>", "hexadecimal bytes that starts with 0x"),
        ('"0x010"', "tensor<i8>", "hexadecimal bytes that starts with 0x"),
        ("1", "tensor<?xi32>", "static shape"),
        ("1", "i32", "expected a tensor type"),
    ],
)
def test_bad_literals(literal: str, type: str, message: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse_module(constant(literal, type), "bad.mlir")
    assert message in caught.value.message
    assert caught.value.location is not None


def test_position_of_a_bad_element() -> None:
    from anabranch.dialects.diagnostics import position_of

    with pytest.raises(ProgramError) as caught:
        parse_module(constant("[0, 1, 256]", "tensor<3xi8>"), "bad.mlir")
    line = constant("[0, 1, 256]", "tensor<3xi8>").splitlines()[1]
    assert position_of(caught.value.location) == ("bad.mlir", 2, line.index("256") + 1)


def test_long_literals() -> None:
    count = 200_000
    texts = {
        "f32": '"0x' + "0000803F" * (count - 1) + "00000040" + '"',
        "i32": "[" + ", ".join(map(str, range(count))) + "]",
        "f64": "[" + ", ".join(["1.000000e+00", "0.1"] * (count // 2)) + "]",
        "bf16": "[" + ", ".join(["1.000000e+00", "0xFF80"] * (count // 2)) + "]",
    }
    for type, text in texts.items():
        raw = ours(constant(text, f"tensor<{count}x{type}>"))
        assert len(raw) == count * {"f32": 4, "i32": 4, "f64": 8, "bf16": 2}[type]


def attribute(text: str) -> Any:
    module = parse_module(f"module attributes {{a = {text}}} {{}}")
    return module.attributes["a"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0x7F800000 : f32", float("inf")),
        ("0xFF80 : bf16", float("-inf")),
        ("0x3C00 : f16", 1.0),
        ("1.0e40 : f32", float("inf")),
        ("0.1 : f32", 0.10000000149011612),
        ("1.5", 1.5),
    ],
)
def test_float_attributes(text: str, value: float) -> None:
    parsed = attribute(text)
    assert isinstance(parsed, FloatAttr)
    assert parsed.value.data == value


@pytest.mark.parametrize("text", ["0x7FC00000 : f32", "0x7F800001 : f32", "0xFFC12345 : f32"])
def test_nan_attributes_keep_their_bits(text: str) -> None:
    printed = print_module(parse_module(f"module attributes {{a = {text}}} {{}}"))
    assert text in printed


def test_float_arrays() -> None:
    text = "array<f32: 1.000000e+00, 0x7FC00000, -0.000000e+00>"
    assert text in print_module(parse_module(f"module attributes {{a = {text}}} {{}}"))


@pytest.mark.parametrize(
    "text", ["1.0 : i32", "1 : f32", "4294967296 : i32", "- : i32", "true : 1"]
)
def test_bad_number_attributes(text: str) -> None:
    with pytest.raises(ProgramError):
        attribute(text)


RESOURCES = """
{-#
  dialect_resources: {
    builtin: {
      a: "0x040000000000803F00000040",
      "b c": "0x0400000001000100"
    },
    other: { x: "0x00" }
  },
  external_resources: {
    mlir_reproducer: { pipeline: "builtin.module()", verify_each: true, threads: 1 }
  }
#-}
"""


def test_resources() -> None:
    text = constant("1.0", "tensor<2xf32>").replace("dense<1.0>", "dense_resource<a>")
    assert ours(text + RESOURCES).hex() == "0000803f00000040"
    assert ours(RESOURCES + text).hex() == "0000803f00000040"
    text = constant("true", "tensor<4xi1>").replace("dense<true>", 'dense_resource<"b c">')
    assert ours(text + RESOURCES).hex() == "ff00ff00"


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("gone", "resource 'gone' is used but not in the file's resources"),
        ("__elided__", "left out when the text was printed"),
        ('"b c"', "expected 8 bytes"),
    ],
)
def test_bad_resources(key: str, message: str) -> None:
    text = constant("1.0", "tensor<2xf32>").replace("dense<1.0>", f"dense_resource<{key}>")
    with pytest.raises(ProgramError, match=message):
        parse_module(text + RESOURCES)
