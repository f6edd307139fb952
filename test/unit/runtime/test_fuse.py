"""Fused loops: what is fused, and that nobody can tell but by the clock."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context

import anabranch as ab
from anabranch.dialects.dfg import GraphOp
from anabranch.runtime.fuse import fuse_frames, reuse
from anabranch.runtime.graph import Graph, NodeKind, load_graph
from anabranch.runtime.kernels import in_place_form

BOUNDED = """
func.func @main(%n: tensor<i32>, ARGUMENTS) -> (RESULTS) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  CONSTANTS
  %r:COUNT = dcf.while "w" (%i = %zero, CARRIES : tensor<i32>, TYPES) cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    BODY
  }
  return RETURN
}
"""


def loop(carries: dict[str, tuple[str, str, str]], body: str, constants: str = "") -> str:
    """A loop of `%n` trips; carries: name -> (type, init argument, next value)."""
    types = ", ".join(type for type, _, _ in carries.values())
    arguments = {init: type for type, init, _ in carries.values()}
    following = ", ".join(value for _, _, value in carries.values())
    results = ", ".join(f"%r#{k + 1}" for k in range(len(carries)))
    fields = {
        "ARGUMENTS": ", ".join(f"{name}: {type}" for name, type in arguments.items()),
        "RESULTS": types,
        "CONSTANTS": constants,
        "COUNT": str(len(carries) + 1),
        "CARRIES": ", ".join(f"{name} = {init}" for name, (_, init, _) in carries.items()),
        "TYPES": types,
        "BODY": f"{body}\n    dcf.yield %j, {following} : tensor<i32>, {types}",
        "RETURN": f"{results} : {types}",
    }
    text = BOUNDED
    for key, value in fields.items():
        text = text.replace(key, value)
    return text


def graphs(text: str) -> tuple[Graph, Graph]:
    """The loaded graph of a program and its fused form."""
    from anabranch.lowering.dcf_to_dfg_pipeline import DcfToDfgPipeline

    module = ab.parse(text)
    DcfToDfgPipeline().apply(Context(), module)
    graph_op = next(op for op in module.walk() if isinstance(op, GraphOp))
    graph = load_graph(graph_op, module)
    return graph, fuse_frames(graph)


def kinds(graph: Graph) -> set[NodeKind]:
    return {node.kind for node in graph.nodes}


def outcome(text: str, *arguments: Any, **options: Any) -> Any:
    """Result bytes, or the error's message."""
    try:
        results = ab.compile(ab.parse(text), **options).run(arguments, deadline=20)
    except ab.ProgramError as error:
        return error.message
    return [(result.dtype, result.shape, result.tobytes()) for result in results]


def same_everywhere(text: str, *arguments: Any) -> Any:
    fused = outcome(text, *arguments)
    assert fused == outcome(text, *arguments, fuse=False)
    assert fused == outcome(text, *arguments, engine="reference")
    return fused


DOUBLE = loop({"%a": ("tensor<4xf32>", "%x", "%b")}, "%b = stablehlo.add %a, %a : tensor<4xf32>")


def test_a_local_loop_becomes_one_node() -> None:
    graph, fused = graphs(DOUBLE)
    assert NodeKind.LOOP_MERGE in kinds(graph)
    assert NodeKind.FUSED in kinds(fused)
    assert not kinds(fused) & {NodeKind.ENTER, NodeKind.SWITCH, NodeKind.NEXT_ITERATION}
    assert len(fused.frames) == 1


def test_a_nest_becomes_one_node() -> None:
    inner = """%q:2 = dcf.while "inner" (%k = %zero, %c = %a : tensor<i32>, tensor<4xf32>) cond {
      %less = stablehlo.compare LT, %k, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      dcf.condition %less
    } do {
      %k1 = stablehlo.add %k, %one : tensor<i32>
      %d = stablehlo.add %c, %a : tensor<4xf32>
      dcf.yield %k1, %d : tensor<i32>, tensor<4xf32>
    }"""
    text = loop({"%a": ("tensor<4xf32>", "%x", "%q#1")}, inner)
    _, fused = graphs(text)
    assert sum(node.kind == NodeKind.FUSED for node in fused.nodes) == 1
    same_everywhere(text, np.int32(4), np.arange(4, dtype=np.float32))


def test_a_loop_with_a_probe_is_left_to_the_token_machine() -> None:
    text = DOUBLE.replace("dcf.yield", 'dcf.probe "p"\n    dcf.yield')
    graph, fused = graphs(text)
    assert fused is graph


def test_a_graph_without_loops_stays_as_it_is() -> None:
    graph, fused = graphs(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"
    )
    assert fused is graph


@pytest.mark.parametrize("depth", [3, 12])
def test_nests_deeper_than_python_allows_run_all_the_same(depth: int) -> None:
    text = "%x"
    body = "%s0 = stablehlo.add %x, %one : tensor<i32>"
    for level in range(depth):
        body = f"""%zero{level} = stablehlo.constant dense<0> : tensor<i32>
        %s{level + 1}:2 = dcf.while "w{level}" (%i{level} = %zero{level}, %a{level} = %x : tensor<i32>, tensor<i32>)
        cond {{
          %p{level} = stablehlo.compare LT, %i{level}, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          dcf.condition %p{level}
        }} do {{
          {body}
          %j{level} = stablehlo.add %i{level}, %one : tensor<i32>
          dcf.yield %j{level}, %s{level}{"#1" if level else ""} : tensor<i32>, tensor<i32>
        }}"""
    text = f"""func.func @main(%x: tensor<i32>) -> tensor<i32> {{
      %one = stablehlo.constant dense<1> : tensor<i32>
      {body}
      return %s{depth}#1 : tensor<i32>
    }}"""
    assert same_everywhere(text, np.int32(5))[0][2] == np.int32(6).tobytes()


def test_a_case_of_many_branches_in_a_loop() -> None:
    branches = "}, {\n".join(
        f"%c{k} = stablehlo.constant dense<{k * k}> : tensor<i32>\n dcf.yield %c{k} : tensor<i32>\n"
        for k in range(130)
    )
    body = f"%c = dcf.case %i : tensor<i32> -> tensor<i32> {{ {branches} }}\n"
    body += "%b = stablehlo.add %a, %c : tensor<i32>"
    text = loop({"%a": ("tensor<i32>", "%x", "%b")}, body)
    got = same_everywhere(text, np.int32(140), np.int32(0))
    total = sum(k * k for k in range(130)) + 10 * 129 * 129
    assert got[0][2] == np.int32(total).tobytes()


# Scalar integers as Python numbers.

INTEGERS = ("i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64")
OPS = ("add", "subtract", "multiply", "minimum", "maximum", "and", "or", "xor", "not", "negate")


def numpy_of(type: str) -> Any:
    return np.dtype(type.replace("ui", "uint") if type[0] == "u" else type.replace("i", "int"))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(INTEGERS), st.sampled_from(OPS), st.data())
def test_integer_arithmetic_wraps_as_the_kernels_do(type: str, op: str, data: Any) -> None:
    info = np.iinfo(numpy_of(type))
    numbers = st.one_of(
        st.sampled_from([int(info.min), int(info.max), 0, 1]),
        st.integers(int(info.min), int(info.max)),
    )
    x, y = (np.array(data.draw(numbers), info.dtype) for _ in range(2))
    t = f"tensor<{type}>"
    operands = "%a" if op in ("not", "negate") else "%a, %b"
    text = loop(
        {"%a": (t, "%x", "%c"), "%b": (t, "%y", "%a")}, f"%c = stablehlo.{op} {operands} : {t}"
    )
    same_everywhere(text, np.int32(3), x, y)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from((*INTEGERS, "i1")), st.sampled_from((*INTEGERS, "i1")), st.data())
def test_integer_conversion_wraps_as_the_kernels_do(source: str, target: str, data: Any) -> None:
    if source == "i1":
        x = np.array(data.draw(st.booleans()))
    else:
        info = np.iinfo(numpy_of(source))
        x = np.array(data.draw(st.integers(int(info.min), int(info.max))), info.dtype)
    s, t = f"tensor<{source}>", f"tensor<{target}>"
    convert = f"stablehlo.convert %a : ({s}) -> {t}" if s != t else f"stablehlo.convert %a : {s}"
    y = np.zeros((), numpy_of(target) if target != "i1" else np.bool_)
    text = loop({"%a": (s, "%x", "%a"), "%b": (t, "%y", "%c")}, f"%c = {convert}")
    same_everywhere(text, np.int32(2), x, y)


# Errors.


def test_an_error_names_op_line_and_iteration() -> None:
    stack = "!dcf.stack<tensor<f32>>"
    text = (
        loop(
            {"%s": (stack, "%s0", "%s1"), "%a": ("tensor<f32>", "%x", "%b")},
            f"%s1, %b = dcf.stack_pop %s : {stack}",
            f"%e = dcf.stack_new : {stack}\n  %s0 = dcf.stack_push %e, %x : {stack}",
        )
        .replace(f"%s0: {stack}, ", "")
        .replace(f"({stack}, tensor<f32>)", "(tensor<f32>)")
    )
    text = text.replace(f"return %r#1, %r#2 : {stack}, ", "return %r#2 : ")
    arguments = (np.int32(3), np.float32(1))
    messages = {outcome(text, *arguments, fuse=fuse) for fuse in (True, False)}
    assert messages == {'dcf.stack_pop on cpu:0 in iteration 1 of "w": pop from an empty stack'}


def test_a_deadline_ends_an_endless_loop() -> None:
    double = "%b = stablehlo.add %a, %a : tensor<i32>"
    text = loop({"%a": ("tensor<i32>", "%x", "%b")}, double).replace(
        "%j = stablehlo.add %i, %one", "%j = stablehlo.add %i, %zero"
    )
    with pytest.raises(
        ab.ProgramError, match=r'deadline of 0.2 s passed: loop "w" is at iteration'
    ):
        ab.compile(ab.parse(text)).run([np.int32(3), np.int32(3)], deadline=0.2)


# Memory that is used again.

SET = (
    "%one_row = stablehlo.constant dense<7.0> : tensor<1xf32>\n"
    "    %b = stablehlo.dynamic_update_slice %a, %one_row, %i : "
    "(tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>"
)


def test_arguments_are_never_written_to() -> None:
    x = np.zeros(4, np.float32)
    text = loop({"%a": ("tensor<4xf32>", "%x", "%b")}, SET)
    (result,) = ab.compile(ab.parse(text))(np.int32(3), x)
    assert result.tolist() == [7, 7, 7, 0]
    assert not x.any()


def test_a_value_that_another_carry_holds_is_never_written_to() -> None:
    text = loop({"%a": ("tensor<4xf32>", "%x", "%b"), "%old": ("tensor<4xf32>", "%x", "%a")}, SET)
    got = same_everywhere(text, np.int32(3), np.zeros(4, np.float32))
    assert got[1][2] == np.array([7, 7, 0, 0], np.float32).tobytes()


def test_a_value_on_a_stack_is_never_written_to() -> None:
    stack = "!dcf.stack<tensor<4xf32>>"
    text = f"""
func.func @main(%n: tensor<i32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %s0 = dcf.stack_new : {stack}
  %r:3 = dcf.while "w" (%i = %zero, %a = %x, %s = %s0 : tensor<i32>, tensor<4xf32>, {stack}) cond {{
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    %s1 = dcf.stack_push %s, %a : {stack}
    {SET}
    dcf.yield %j, %b, %s1 : tensor<i32>, tensor<4xf32>, {stack}
  }}
  %t, %top = dcf.stack_pop %r#2 : {stack}
  return %r#1, %top : tensor<4xf32>, tensor<4xf32>
}}"""
    got = same_everywhere(text, np.int32(3), np.zeros(4, np.float32))
    assert got[1][2] == np.array([7, 7, 0, 0], np.float32).tobytes()


def test_an_array_that_a_loop_updates_is_copied_once() -> None:
    size = 1 << 16
    text = loop({"%a": (f"tensor<{size}xf32>", "%x", "%b")}, SET.replace("4xf32", f"{size}xf32"))
    _, fused = graphs(text)
    node = next(node for node in fused.nodes if node.kind == NodeKind.FUSED)
    source = node.kernel.text  # pyright: ignore
    assert "_in(" in source
    seen: set[int] = set()
    kernel: Any = node.kernel
    scope = kernel._run.__globals__
    (name,) = [name for name in scope if name.endswith("_in")]
    original = scope[name]
    scope[name] = lambda x, *rest: (seen.add(id(x)), original(x, *rest))[1]
    from anabranch.runtime.engine.local import run_graph

    run_graph(fused, [np.int32(100), np.zeros(size, np.float32)])
    assert len(seen) == 1


def test_each_node_is_looked_at_once_however_many_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    one = "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    loops = "".join(
        f"""
  %r{k + 1} = dcf.while (%i = %r{k} : tensor<i32>) cond {{
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %p
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    dcf.yield %j : tensor<i32>
  }}"""
        for k in range(20)
    )
    text = (
        "func.func @main(%r0: tensor<i32>, %n: tensor<i32>) -> tensor<i32> {\n"
        f"{one}{loops}\n  return %r20 : tensor<i32>\n}}"
    )
    seen: list[Any] = []

    def noted(kernel: Any) -> Any:
        seen.append(kernel)
        return in_place_form(kernel)

    monkeypatch.setattr(reuse, "in_place_form", noted)
    exe = ab.compile(ab.parse(text))
    assert exe(np.int32(0), np.int32(5)) == [5]
    assert 20 < len(seen) < 20 * 20
