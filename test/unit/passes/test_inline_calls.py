"""`inline-calls` where text tests would be long: chains of functions, shared ones, locations."""

from __future__ import annotations

import numpy as np

from anabranch.dialects.diagnostics import position_of
from anabranch.frontends.mlir_text import make_context, parse_module, verify_module
from anabranch.passes.inline_calls import InlineCallsPass
from anabranch.runtime.reference import evaluate

SIGNATURE = "(tensor<i32>) -> tensor<i32>"


def function(name: str, body: list[str], visibility: str = "private") -> str:
    head = f"func.func {visibility} @{name}(%x: tensor<i32>) -> tensor<i32> {{"
    return "\n".join([head, *body, "}"])


def test_a_long_chain_of_calls():
    count = 1100  # deeper than Python's calls may nest
    functions = [function("main", [*call("f0", "%x"), *end("%y")], "public")]
    for number in range(count):
        functions.append(
            function(
                f"f{number}",
                [
                    *call(f"f{number + 1}", "%x"),
                    "%z = stablehlo.add %y, %x : tensor<i32>",
                    *end("%z"),
                ],
            )
        )
    functions.append(function(f"f{count}", end("%x")))
    module = parse_module("\n".join(functions))
    InlineCallsPass().apply(make_context(), module)
    verify_module(module)
    assert len(list(module.body.ops)) == 1
    assert sum(op.name == "stablehlo.add" for op in module.walk()) == count
    assert evaluate(module, [np.array(1, np.int32)])[0] == count + 1


def test_a_function_called_often_is_copied_each_time():
    calls = ["%y0 = func.call @f(%x) : " + SIGNATURE]
    calls += [f"%y{n} = func.call @f(%y{n - 1}) : {SIGNATURE}" for n in range(1, 50)]
    body = ["%z = stablehlo.add %x, %x : tensor<i32>", *end("%z")]
    text = "\n".join([function("main", [*calls, *end("%y49")], "public"), function("f", body)])
    module = parse_module(text)
    InlineCallsPass().apply(make_context(), module)
    verify_module(module)
    adds = [op for op in module.walk() if op.name == "stablehlo.add"]
    assert len(adds) == 50 and len(set(adds)) == 50


def test_inlined_ops_keep_their_locations():
    body = ["%z = stablehlo.add %x, %x : tensor<i32>", *end("%z")]
    text = "\n".join(
        [
            function(
                "main", [*call("f", "%x"), "%w = func.call @f(%y) : " + SIGNATURE, *end("%w")], ""
            ),
            function("f", body),
        ]
    )
    module = parse_module(text, "program.mlir")
    line = text.split("\n").index(body[0]) + 1
    InlineCallsPass().apply(make_context(), module)
    adds = [op for op in module.walk() if op.name == "stablehlo.add"]
    positions = [position_of(op.location) for op in adds]
    assert len(positions) == 2
    assert all(p is not None and p[:2] == ("program.mlir", line) for p in positions)


def call(name: str, operand: str) -> list[str]:
    return [f"%y = func.call @{name}({operand}) : {SIGNATURE}"]


def end(value: str) -> list[str]:
    return [f"func.return {value} : tensor<i32>"]
