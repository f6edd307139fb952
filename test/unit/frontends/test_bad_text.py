"""Text that is wrong in any way is a `ProgramError` with a position, and never anything else."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anabranch.dialects.diagnostics import DataError, ProgramError, position_of, render_error
from anabranch.frontends.mlir_text import load_module, parse_module, verify_module

PRETTY = """\
#loc1 = loc("x")
module @m attributes {a = "é", mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<2xf32> loc("x")) -> (tensor<2xf32> {jax.result_info = "r"}) {
    %cst = stablehlo.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32> loc(#loc3)
    %c = stablehlo.constant dense_resource<d> : tensor<i32>
    %0:2 = stablehlo.while(%i = %c, %v = %arg0) : tensor<i32>, tensor<2xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %v, %cst : tensor<2xf32> loc(#loc3)
      stablehlo.return %i, %1 : tensor<i32>, tensor<2xf32>
    }
    return %0#1 : tensor<2xf32>
  }
}
{-#
  dialect_resources: { builtin: { d: "0x0400000005000000" } }
#-}
#loc2 = loc("./m.py":874:14 to :82)
#loc3 = loc("jit(f)/mul"(#loc2))
"""

GENERIC = """\
"builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{function_type = (tensor<i32>) -> tensor<i32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i32>):
    %0 = "stablehlo.constant"() <{value = dense<"0x01000000"> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("a")
    "func.return"(%1) : (tensor<i32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32} : () -> ()
"""


def attempt(text: str | bytes) -> ProgramError | None:
    """Parse and verify; the error, checked to be one located line."""
    try:
        module = parse_module(text, "t.mlir")
        verify_module(module)
    except ProgramError as error:
        position = position_of(error.location)
        assert position is not None
        file, line, column = position
        lines = (text if isinstance(text, str) else text.decode("utf-8", "replace")).split("\n")
        assert file == "t.mlir" and 1 <= line <= len(lines)
        assert 1 <= column <= len(lines[line - 1]) + 1
        rendered = render_error(error, "other.mlir")
        assert "\n" not in rendered
        assert rendered.startswith(f"t.mlir:{line}:{column}: error: ")
        return error
    return None


@pytest.mark.parametrize("text", [PRETTY, GENERIC])
def test_the_whole_text_is_right(text: str) -> None:
    assert attempt(text) is None
    assert attempt(text.encode()) is None
    assert attempt("\ufeff" + text.replace("\n", "\r\n")) is None


@pytest.mark.parametrize("text", [PRETTY, GENERIC])
def test_truncation(text: str) -> None:
    content = text.encode()
    end = content.rindex(b"}" if text is PRETTY else b"()")
    for length in range(len(content)):
        error = attempt(content[:length])
        if length < end - 5 and text is GENERIC:
            assert error is not None
    # What is cut before the resources or the aliases lacks them.
    assert attempt(content[: content.index(b"{-#")] if text is PRETTY else content[:-9]) is not None


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from([PRETTY.encode(), GENERIC.encode()]),
    st.lists(
        st.tuples(
            st.integers(0, 10_000),
            st.integers(0, 12),
            st.one_of(
                st.binary(max_size=3),
                st.sampled_from(
                    [b"%", b'"', b"<", b">", b"(", b"{", b"loc(", b"dense<", b"tensor<", b"-1"]
                    + [b"0x", b"\xff", b"9" * 30, b"->", b"#a", b"!a", b"@", b"=", b"^bb0", b"//"]
                ),
            ),
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_damage(content: bytes, edits: list[tuple[int, int, bytes]]) -> None:
    damaged = bytearray(content)
    for position, removed, inserted in edits:
        position %= len(damaged) + 1
        damaged[position : position + removed] = inserted
    attempt(bytes(damaged))


def nested_ifs(depth: int) -> str:
    rest = '}, {"stablehlo.return"() : () -> () }) : (tensor<i1>) -> ()\n'
    end = '"stablehlo.return"() : () -> ()\n'
    body = '"stablehlo.if"(%p) ({\n' * depth + end + (rest + end) * (depth - 1) + rest
    return f"func.func @main(%p: tensor<i1>) {{\n{body}return\n}}"


def test_depth() -> None:
    assert attempt(nested_ifs(100)) is None
    for depth in (8_000, 50_000):
        for text in (
            nested_ifs(depth),
            f"module attributes {{a = {'[' * depth}{']' * depth}}} {{}}",
            f"module attributes {{a = {'tensor<' * depth}i1{'>' * depth}}} {{}}",
            f"module {{}} loc({'callsite(unknown at ' * depth}unknown{')' * depth})",
        ):
            start = time.process_time()
            error = attempt(text)
            assert error is not None and "nested too deeply" in error.message
            assert time.process_time() - start < 10


def test_long_chain_of_aliases() -> None:
    chain = "".join(f"#loc{i} = loc(callsite(unknown at #loc{i - 1}))\n" for i in range(1, 3_000))
    assert attempt(f'module {{}} loc(#loc2999)\n#loc0 = loc("a")\n{chain}') is None


MAIN = "func.func @main(%x: tensor<f32>) -> tensor<f32> {{\n{}\n  return %x : tensor<f32>\n}}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1:1: error: expected a module, got an empty file"),
        ("// only a comment\n", "2:1: error: expected a module, got an empty file"),
        ("hello\n", "1:1: error: operation 'hello' is not supported"),
        (
            MAIN.format('  %0 = "foo.bar"(%x) : (tensor<f32>) -> tensor<f32>'),
            "2:8: error: operation 'foo.bar' is not supported",
        ),
        (
            MAIN.format("  %0 = stablehlo.nope %x : tensor<f32>"),
            "2:8: error: operation 'stablehlo.nope' is not supported",
        ),
        (
            MAIN.format("  %0 = stablehlo.abs %y : tensor<f32>"),
            "2:22: error: value %y is used by 'stablehlo.abs' but never defined",
        ),
        (
            MAIN.format("  %x = stablehlo.abs %x : tensor<f32>"),
            "2:3: error: value %x is already defined at t.mlir:1:17",
        ),
        (
            MAIN.format(
                "  %0 = stablehlo.abs %x : tensor<f32>\n  %0 = stablehlo.abs %x : tensor<f32>"
            ),
            "3:3: error: value %0 is already defined at t.mlir:2:3",
        ),
        (
            MAIN.format("  %0 = stablehlo.abs %x : tensor<f64>"),
            "2:22: error: value %x has type tensor<f32>, but is used with type tensor<f64>",
        ),
        (
            MAIN.format("  %0 = stablehlo.abs %x#1 : tensor<f32>"),
            "2:22: error: value %x has 1 results, but #1 is used",
        ),
        (
            MAIN.format("  %0:2 = stablehlo.abs %x : tensor<f32>"),
            "2:3: error: 'stablehlo.abs' has 1 results, but 2 names are given for them",
        ),
        (
            MAIN.format('  "stablehlo.abs"(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>'),
            "2:25: error: expected 1 operand types, got 2",
        ),
        (
            MAIN.format("  %0 = "),  # goes on with the next line
            "2:3: error: 'func.return' has 0 results, but 1 names are given for them",
        ),
        (MAIN.format('  %0 = "stablehlo.abs(%x)'), "2:8: error: this string is not closed"),
        (MAIN.format("  $"), "2:3: error: unexpected character '$'"),
        (MAIN.format("  %0 = stablehlo.abs %x : tensor<f32"), "3:3: error: "),
        ("module {\n", "2:1: error: expected an operation or '}', got the end of the file"),
        ("module {} module {}", ""),
        (
            "module { func.func @f() { return } func.func @g() { return } }}",
            "1:63: error: expected an operation, got '}'",
        ),
    ],
)
def test_messages(text: str, expected: str) -> None:
    error = attempt(text)
    if not expected:
        assert error is None
        return
    assert error is not None
    assert render_error(error, "x").startswith(f"t.mlir:{expected}"), render_error(error, "x")


def test_forward_use_does_not_reach_another_function() -> None:
    error = attempt(
        "func.func @f() -> tensor<f32> {\n  return %late : tensor<f32>\n}\n"
        "func.func @g() {\n  %late = stablehlo.constant dense<1.0> : tensor<f32>\n  return\n}\n"
    )
    assert error is not None
    assert error.message == "value %late is used by 'func.return' but never defined"


def test_isolated_regions_have_names_of_their_own() -> None:
    text = """\
module {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  func.func @f(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.abs %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}
"""
    assert attempt(text) is None
    error = attempt(text.replace("    %0 = stablehlo.abs %arg0 : tensor<f32>\n", ""))
    assert error is not None and "never defined" in error.message


def test_bytes_that_are_not_text() -> None:
    error = attempt(b"module {\n  \xff\n}\n")
    assert error is not None
    assert render_error(error, "x") == ("t.mlir:2:3: error: expected text in UTF-8, got byte 0xFF")


def test_missing_file(tmp_path: object) -> None:
    path = f"{tmp_path}/none.mlir"
    with pytest.raises(DataError) as caught:
        load_module(path)
    assert render_error(caught.value, "x") == (
        f"{path}: error: cannot be read: No such file or directory"
    )
