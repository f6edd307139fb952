"""`stablehlo.rng`: values that depend on the seed and the place, not on how a program is run."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import anabranch as ab
from anabranch.runtime.reference import evaluate

LOOPS = """
func.func private @noise(%low: tensor<f32>, %high: tensor<f32>) -> tensor<3xf32> {
  %shape = stablehlo.constant dense<3> : tensor<1xi64>
  %r = stablehlo.rng %low, %high, %shape, distribution = NORMAL :
    (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @main(%n: tensor<i32>, %x0: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %low = stablehlo.constant dense<0.0> : tensor<f32>
  %high = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<3> : tensor<1xi64>
  %first = func.call @noise(%low, %high) : (tensor<f32>, tensor<f32>) -> tensor<3xf32>
  %second = func.call @noise(%low, %high) : (tensor<f32>, tensor<f32>) -> tensor<3xf32>
  %r:2 = stablehlo.while(%i = %zero, %x = %x0) : tensor<i32>, tensor<3xf32>
  cond {
    %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %outer = func.call @noise(%low, %high) : (tensor<f32>, tensor<f32>) -> tensor<3xf32>
    %s:2 = stablehlo.while(%j = %zero, %y = %x) : tensor<i32>, tensor<3xf32>
    cond {
      %scale = stablehlo.rng %low, %high, %shape, distribution = UNIFORM :
    (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
      %go = stablehlo.compare LE, %j, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %jn = stablehlo.add %j, %one : tensor<i32>
      %two = stablehlo.constant dense<2> : tensor<i32>
      %odd = stablehlo.remainder %j, %two : tensor<i32>
      %is = stablehlo.compare EQ, %odd, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %step = "stablehlo.if"(%is) ({
        %u = stablehlo.rng %low, %high, %shape, distribution = UNIFORM :
    (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
        stablehlo.return %u : tensor<3xf32>
      }, {
        %v = func.call @noise(%low, %high) : (tensor<f32>, tensor<f32>) -> tensor<3xf32>
        stablehlo.return %v : tensor<3xf32>
      }) : (tensor<i1>) -> tensor<3xf32>
      %z = stablehlo.add %y, %step : tensor<3xf32>
      stablehlo.return %jn, %z : tensor<i32>, tensor<3xf32>
    }
    %moved = stablehlo.add %s#1, %outer : tensor<3xf32>
    stablehlo.return %next, %moved : tensor<i32>, tensor<3xf32>
  }
  return %r#1, %first, %second : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
"""
ARGUMENTS = [np.int32(4), np.zeros(3, np.float32)]


def same(a: Sequence[Any], b: Sequence[Any]) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
def test_same_bits_however_it_runs(seed: int) -> None:
    module = ab.parse(LOOPS)
    text = str(module)
    want = ab.compile(module, engine="reference").run(ARGUMENTS, seed=seed)
    for options in ({}, {"fuse": False}, {"parallel_iterations": 1}):
        assert same(ab.compile(module, **options).run(ARGUMENTS, seed=seed), want)
    executable = ab.compile(module)
    for trial in range(5):
        pick = random.Random(trial)
        order = lambda ready, pick=pick: pick.randrange(len(ready))  # noqa: E731
        assert same(executable.run(ARGUMENTS, seed=seed, order=order), want)
    assert str(module) == text


def test_draws_differ() -> None:
    """By seed, by op (two calls of one function are two ops), by iteration."""
    executable = ab.compile(ab.parse(LOOPS))
    results = executable.run(ARGUMENTS)
    assert same(results, executable(*ARGUMENTS))
    for one, other in zip(results, executable.run(ARGUMENTS, seed=1)):
        assert not np.array_equal(one, other)
    assert not np.array_equal(results[1], results[2])
    (few, *_) = executable.run([np.int32(1), ARGUMENTS[1]])
    assert not np.array_equal(results[0], few)


def test_structured_passes_keep_draws() -> None:
    """The reference gives the same after every pass of the pipeline."""
    from anabranch.frontends.mlir_text import make_context
    from anabranch.lowering.dcf_to_dfg_pipeline import pipeline_passes

    module = ab.parse(LOOPS)
    want = evaluate(module, ARGUMENTS, seed=3)
    context = make_context()
    for pass_class in pipeline_passes()[:-1]:
        pass_class().apply(context, module)
        assert same(evaluate(module, ARGUMENTS, seed=3), want), pass_class.name


def draw(type: str, distribution: str, a: Any, b: Any, count: int = 20000, seed: int = 0) -> Any:
    text = f"""func.func @main(%a: tensor<{type}>, %b: tensor<{type}>) -> tensor<{count}x{type}> {{
      %shape = stablehlo.constant dense<{count}> : tensor<1xi64>
      %r = stablehlo.rng %a, %b, %shape, distribution = {distribution} :
        (tensor<{type}>, tensor<{type}>, tensor<1xi64>) -> tensor<{count}x{type}>
      return %r : tensor<{count}x{type}>
    }}"""
    return ab.compile(ab.parse(text)).run([a, b], seed=seed)[0]


def types() -> list[tuple[str, Any]]:
    import ml_dtypes

    numbers = {"f64": np.float64, "f32": np.float32, "f16": np.float16}
    return [*numbers.items(), ("bf16", ml_dtypes.bfloat16)]


@pytest.mark.parametrize(("type", "dtype"), types())
def test_floats(type: str, dtype: Any) -> None:
    a, b = np.array(-2, dtype), np.array(3, dtype)
    values = draw(type, "UNIFORM", a, b)
    assert values.dtype == dtype
    assert (values >= a).all() and (values < b).all()
    wide = values.astype(np.float64)
    assert abs(wide.mean() - 0.5) < 0.05 and abs(wide.std() - 5 / 12**0.5) < 0.05
    values = draw(type, "NORMAL", a, b).astype(np.float64)
    assert abs(values.mean() + 2) < 0.1 and abs(values.std() - 3) < 0.1
    assert (np.abs(np.diff(values)) > 0).mean() > 0.9


@pytest.mark.parametrize("low, high", [(-3, 4), (0, 1), (5, 5), (-(2**31), 2**31 - 1)])
def test_integers(low: int, high: int) -> None:
    values = draw("i32", "UNIFORM", np.int32(low), np.int32(high)).astype(np.int64)
    assert values.min() >= low and values.max() <= max(low, high - 1)
    if high - low == 7:
        assert np.abs(np.bincount(values - low) / len(values) - 1 / 7).max() < 0.02


def test_unsigned_and_small_integers() -> None:
    top = 2**64 - 1
    values = draw("ui64", "UNIFORM", np.uint64(top - 3), np.uint64(top))
    assert set(values.tolist()) == {top - 3, top - 2, top - 1}
    assert set(draw("i1", "UNIFORM", np.False_, np.True_).tolist()) == {False}


def test_prefixes_do_not_repeat() -> None:
    """One op's array is not another's shifted: iterations are far apart in the stream."""
    values = draw("f64", "UNIFORM", np.float64(0), np.float64(1))
    assert len(set(values.tolist())) == len(values)


def test_from_jax() -> None:
    jax = pytest.importorskip("jax")

    def function(a: Any, b: Any) -> Any:
        return jax.lax.rng_uniform(a, b, (4, 3))

    a, b = np.float32(1), np.float32(2)
    (values,) = ab.compile(ab.from_jax(function, a, b))(a, b)
    assert values.shape == (4, 3) and (values >= 1).all() and (values < 2).all()


def test_what_has_no_tag_cannot_draw() -> None:
    text = """func.func @main(%a: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
      %r = "stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 0>}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %shape = stablehlo.constant dense<> : tensor<0xi64>
        %u = stablehlo.rng %x, %y, %shape, distribution = UNIFORM :
          (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
        stablehlo.return %u : tensor<f32>
      }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      return %r : tensor<f32>
    }"""
    executable = ab.compile(ab.parse(text))
    with pytest.raises(ab.ProgramError, match="random numbers cannot be drawn inside"):
        executable(np.zeros(4, np.float32), np.float32(0))


def test_seed_out_of_range() -> None:
    executable = ab.compile(ab.parse(LOOPS))
    with pytest.raises(ab.ProgramError, match="seed: expected a number from 0 to"):
        executable.run(ARGUMENTS, seed=-1)


def test_tool(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from anabranch.tools.run import main

    path = tmp_path / "noise.mlir"
    path.write_text(
        "func.func @main() -> tensor<2xf32> {\n"
        "  %a = stablehlo.constant dense<0.0> : tensor<f32>\n"
        "  %b = stablehlo.constant dense<1.0> : tensor<f32>\n"
        "  %s = stablehlo.constant dense<2> : tensor<1xi64>\n"
        "  %r = stablehlo.rng %a, %b, %s, distribution = UNIFORM :"
        " (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>\n"
        "  return %r : tensor<2xf32>\n}\n"
    )
    shown: list[str] = []
    for seed in ("0", "1", "1"):
        assert main([str(path), "--seed", seed]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] != shown[1] == shown[2]
    with pytest.raises(SystemExit):
        main([str(path), "--seed", "-1"])
