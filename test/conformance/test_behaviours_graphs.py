"""Behaviours 23–30 and 33 of forward control flow: dataflow graphs, most written by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import anabranch as ab
from anabranch.frontends.mlir_text import verify_module

i32 = np.int32
f32 = np.float32


def graph(arguments: str, results: str, body: str) -> str:
    """A program of one graph: `arguments` as `%a: type, …`, `results` as `type, …`."""
    types = ", ".join(
        argument.split(":")[1].strip() for argument in arguments.split(", %") if argument
    )
    return f"""
    dfg.program @main ({types}) -> ({results}) {{
      dfg.graph on "cpu:0" ({arguments}) -> ({results}) {{
        {body}
      }}
    }}
    """


COND = """
%no, %yes = dfg.switch %x, %p : tensor<f32>
%neg = stablehlo.negate %no : tensor<f32>
%double = stablehlo.add %yes, %yes : tensor<f32>
%r, %from = dfg.merge %neg, %double : tensor<f32>
dfg.fetch %r, %from : tensor<f32>, tensor<i32>
"""


@pytest.mark.parametrize("p", [False, True])
def test_behaviour_23_switch_and_merge(run: Any, p: bool):
    text = graph("%x: tensor<f32>, %p: tensor<i1>", "tensor<f32>, tensor<i32>", COND)
    value, index = run(text, f32(4), np.bool_(p))
    assert (value, index) == ((8, 1) if p else (-4, 0))
    assert index.dtype == np.int32


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("p", [False, True])
def test_behaviour_24_fetching_the_dead_side_names_switch_and_branch(p: bool, fuse: bool):
    body = """
    %no, %yes = dfg.switch %x, %p : tensor<f32>
    %double = stablehlo.add %yes, %yes : tensor<f32>
    dfg.fetch %double : tensor<f32>
    """
    module = ab.parse(graph("%x: tensor<f32>, %p: tensor<i1>", "tensor<f32>", body))
    executable = ab.compile(module, fuse=fuse)
    if p:
        assert executable(f32(4), np.bool_(p))[0] == 8
        return
    with pytest.raises(ab.ProgramError, match="dead.*switch.*false branch.*true"):
        executable(f32(4), np.bool_(p))
    assert executable(f32(4), np.bool_(True))[0] == 8


LOOP = """
%n_in = dfg.enter constant %n in "loop" : tensor<i32>
%one_in = dfg.enter constant %one in "loop" : tensor<i32>
%i_in = dfg.enter %i0 in "loop" : tensor<i32>
%i, %i_from = dfg.merge %i_in, %i_next : tensor<i32>
%p = stablehlo.compare LT, %i, %n_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%go = dfg.loop_cond %p
%i_done, %i_body = dfg.switch %i, %go : tensor<i32>
%i1 = stablehlo.add %i_body, %one_in : tensor<i32>
%i_next = dfg.next_iteration %i1 : tensor<i32>
%r = dfg.exit %i_done : tensor<i32>
"""
LOOP_ARGUMENTS = "%i0: tensor<i32>, %n: tensor<i32>, %one: tensor<i32>"


@pytest.mark.parametrize(("start", "stop", "want"), [(0, 10, 10), (5, 5, 5), (7, 3, 7)])
def test_behaviour_25_a_loop_by_hand(run: Any, start: int, stop: int, want: int):
    """Enter, exit, next_iteration; zero trips when the predicate is false at once."""
    text = graph(LOOP_ARGUMENTS, "tensor<i32>", LOOP + "dfg.fetch %r : tensor<i32>")
    (got,) = run(text, i32(start), i32(stop), i32(1))
    assert got == want


def test_behaviour_25_a_constant_enter_keeps_its_shape(run: Any):
    """A loop invariant keeps its static shape inside, whatever the carried shape does."""
    body = """
    %w_in = dfg.enter constant %w in "loop" : tensor<3xf32>
    %x_in = dfg.enter %x in "loop" : tensor<3xf32>
    %n_in = dfg.enter constant %n in "loop" : tensor<f32>
    %x_m, %x_from = dfg.merge %x_in, %x_next : tensor<3xf32>
    %s = stablehlo.slice %x_m [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %s0 = stablehlo.reshape %s : (tensor<1xf32>) -> tensor<f32>
    %p = stablehlo.compare LT, %s0, %n_in, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %go = dfg.loop_cond %p
    %x_done, %x_body = dfg.switch %x_m, %go : tensor<3xf32>
    %x1 = stablehlo.add %x_body, %w_in : tensor<3xf32>
    %x_next = dfg.next_iteration %x1 : tensor<3xf32>
    %r = dfg.exit %x_done : tensor<3xf32>
    dfg.fetch %r : tensor<3xf32>
    """
    arguments = "%x: tensor<3xf32>, %w: tensor<3xf32>, %n: tensor<f32>"
    text = graph(arguments, "tensor<3xf32>", body)
    (got,) = run(text, f32([0, 1, 2]), f32([1, 2, 3]), f32(4))
    np.testing.assert_array_equal(got, [4, 9, 14])


def test_behaviour_26_inputs_from_different_frames_are_an_error():
    body = (
        LOOP
        + """
    %bad = stablehlo.add %i_body, %n : tensor<i32>
    %bad_next = dfg.next_iteration %bad : tensor<i32>
    dfg.fetch %r : tensor<i32>
    """
    )
    with pytest.raises(Exception, match='(?s)"?loop"?'):
        verify_module(ab.parse(graph(LOOP_ARGUMENTS, "tensor<i32>", body)))


SECOND_LOOP = """
%m_in = dfg.enter constant %n in "second" : tensor<i32>
%j_in = dfg.enter %i0 in "second" : tensor<i32>
%j, %j_from = dfg.merge %j_in, %j_next : tensor<i32>
%q = stablehlo.compare LT, %j, %m_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%again = dfg.loop_cond %q
%j_done, %j_body = dfg.switch %j, %again : tensor<i32>
%j1 = stablehlo.add %j_body, %STEP : tensor<i32>
%j_next = dfg.next_iteration %j1 : tensor<i32>
%s = dfg.exit %j_done : tensor<i32>
dfg.fetch %r, %s : tensor<i32>, tensor<i32>
"""


def test_behaviour_27_a_value_of_one_loop_used_in_another_is_an_error_naming_both():
    body = LOOP + SECOND_LOOP.replace("%STEP", "%i_body")
    with pytest.raises(Exception, match="(?s)(loop.*second|second.*loop)"):
        verify_module(ab.parse(graph(LOOP_ARGUMENTS, "tensor<i32>, tensor<i32>", body)))


def test_behaviour_27_a_value_of_a_loop_used_outside_is_an_error():
    body = LOOP + "%bad = stablehlo.add %i_done, %n : tensor<i32>\ndfg.fetch %bad : tensor<i32>"
    with pytest.raises(Exception, match="(?s)loop"):
        verify_module(ab.parse(graph(LOOP_ARGUMENTS, "tensor<i32>", body)))


@pytest.mark.parametrize("n", [0, 1, 4])
def test_behaviour_27_use_in_a_nested_loop_is_legal(run: Any, n: int):
    """sum over i < n of sum over j < i of i: the inner loop takes `i` of the outer one."""
    body = """
    %n_in = dfg.enter constant %n in "outer" : tensor<i32>
    %one_in = dfg.enter constant %one in "outer" : tensor<i32>
    %zero_in = dfg.enter constant %zero in "outer" : tensor<i32>
    %i_in = dfg.enter %zero in "outer" : tensor<i32>
    %a_in = dfg.enter %zero in "outer" : tensor<i32>
    %i, %i_from = dfg.merge %i_in, %i_next : tensor<i32>
    %a, %a_from = dfg.merge %a_in, %a_next : tensor<i32>
    %p = stablehlo.compare LT, %i, %n_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = dfg.loop_cond %p
    %i_done, %i_body = dfg.switch %i, %go : tensor<i32>
    %a_done, %a_body = dfg.switch %a, %go : tensor<i32>
    %z_done, %z_body = dfg.switch %zero_in, %go : tensor<i32>
    %k_in = dfg.enter constant %i_body in "inner" : tensor<i32>
    %u_in = dfg.enter constant %one_in in "inner" : tensor<i32>
    %j_in = dfg.enter %z_body in "inner" : tensor<i32>
    %b_in = dfg.enter %a_body in "inner" : tensor<i32>
    %j, %j_from = dfg.merge %j_in, %j_next : tensor<i32>
    %b, %b_from = dfg.merge %b_in, %b_next : tensor<i32>
    %q = stablehlo.compare LT, %j, %k_in, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %again = dfg.loop_cond %q
    %j_done, %j_body = dfg.switch %j, %again : tensor<i32>
    %b_done, %b_body = dfg.switch %b, %again : tensor<i32>
    %j1 = stablehlo.add %j_body, %u_in : tensor<i32>
    %b1 = stablehlo.add %b_body, %k_in : tensor<i32>
    %j_next = dfg.next_iteration %j1 : tensor<i32>
    %b_next = dfg.next_iteration %b1 : tensor<i32>
    %a1 = dfg.exit %b_done : tensor<i32>
    %i1 = stablehlo.add %i_body, %one_in : tensor<i32>
    %i_next = dfg.next_iteration %i1 : tensor<i32>
    %a_next = dfg.next_iteration %a1 : tensor<i32>
    %r = dfg.exit %a_done : tensor<i32>
    dfg.fetch %r : tensor<i32>
    """
    arguments = "%zero: tensor<i32>, %n: tensor<i32>, %one: tensor<i32>"
    (got,) = run(graph(arguments, "tensor<i32>", body), i32(0), i32(n), i32(1))
    assert got == sum(i * i for i in range(n))


def test_behaviour_28_a_merge_joins_the_shapes_of_its_inputs(run: Any):
    body = """
    %a_no, %a_yes = dfg.switch %a, %p : tensor<2x3xf32>
    %b_no, %b_yes = dfg.switch %b, %p : tensor<4x3xf32>
    %r, %from = dfg.merge %a_yes, %b_no : tensor<2x3xf32>, tensor<4x3xf32> -> RESULT
    dfg.fetch %r : RESULT
    """
    arguments = "%a: tensor<2x3xf32>, %b: tensor<4x3xf32>, %p: tensor<i1>"
    a, b = np.ones((2, 3), f32), np.zeros((4, 3), f32)
    text = graph(arguments, "tensor<?x3xf32>", body.replace("RESULT", "tensor<?x3xf32>"))
    assert run(text, a, b, np.bool_(True))[0].shape == (2, 3)
    assert run(text, a, b, np.bool_(False))[0].shape == (4, 3)
    narrower = graph(arguments, "tensor<2x3xf32>", body.replace("RESULT", "tensor<2x3xf32>"))
    with pytest.raises(Exception, match=r"expected.*tensor<\?x3xf32>.*got.*tensor<2x3xf32>"):
        verify_module(ab.parse(narrower))


@pytest.mark.parametrize(
    ("element", "dtype"),
    [("ui64", np.uint64), ("i4", ml_dtypes.int4), ("ui8", np.uint8), ("bf16", ml_dtypes.bfloat16)],
)
def test_behaviour_29_switch_and_merge_of_any_element_type(run: Any, element: str, dtype: Any):
    body = """
    %no, %yes = dfg.switch %x, %p : tensor<2xT>
    %r, %from = dfg.merge %no, %yes : tensor<2xT>
    dfg.fetch %r, %from : tensor<2xT>, tensor<i32>
    """.replace("xT>", f"x{element}>")
    arguments = f"%x: tensor<2x{element}>, %p: tensor<i1>"
    text = graph(arguments, f"tensor<2x{element}>, tensor<i32>", body)
    x = np.array([1, 7], dtype)
    for p in (False, True):
        value, index = run(text, x, np.bool_(p))
        assert value.dtype == x.dtype
        np.testing.assert_array_equal(value, x)
        assert index == int(p)


@pytest.mark.parametrize("n", [0, 3])
def test_behaviour_29_a_token_goes_into_through_and_out_of_a_loop(run_probed: Any, n: int):
    """What control edges would order: one probe before the loop, one per trip, one after it."""
    body = (
        LOOP
        + """
    %t0 = dfg.token
    %t1 = dfg.probe "before" after %t0
    %t_in = dfg.enter %t1 in "loop" : !dfg.token
    %t, %t_from = dfg.merge %t_in, %t_next : !dfg.token
    %t_done, %t_body = dfg.switch %t, %go : !dfg.token
    %t2 = dfg.probe "trip" %i_body after %t_body : tensor<i32>
    %t_next = dfg.next_iteration %t2 : !dfg.token
    %t_out = dfg.exit %t_done : !dfg.token
    %t3 = dfg.probe "after" %r after %t_out : tensor<i32>
    dfg.fetch %r : tensor<i32>
    """
    )
    text = graph(LOOP_ARGUMENTS, "tensor<i32>", body)
    (got,), events = run_probed(text, i32(0), i32(n), i32(1))
    assert got == n
    trips = [("trip", (i,)) for i in range(n)]
    assert events == [("before", ()), *trips, ("after", (n,))]


def nodes_of(text: str) -> Counter[str]:
    """How often each op stands in the graph that a program is lowered to."""
    from xdsl.context import Context

    from anabranch.lowering.dcf_to_dfg_pipeline import pipeline_passes

    module = ab.parse(text)
    for pass_class in pipeline_passes():
        pass_class().apply(Context(), module)
    return Counter(op.name for op in module.walk())


def test_behaviour_30_what_no_result_needs_is_pruned(run_probed: Any):
    """An unused carry, an unused branch result and an unused loop leave no node; probes stay."""
    text = """
    func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> tensor<i32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %r:2 = dcf.while "kept" (%i = %zero, %y = %x : tensor<i32>, tensor<f32>) cond {
        %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        dcf.condition %p
      } do {
        %y1 = stablehlo.divide %y, %x : tensor<f32>
        %i1 = stablehlo.add %i, %one : tensor<i32>
        dcf.yield %i1, %y1 : tensor<i32>, tensor<f32>
      }
      %unused = dcf.while "dropped" (%z = %x : tensor<f32>) cond {
        %p = stablehlo.compare LT, %z, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        dcf.condition %p
      } do {
        %z1 = stablehlo.sine %z : tensor<f32>
        dcf.yield %z1 : tensor<f32>
      }
      %q = stablehlo.compare LT, %n, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %u = dcf.cond %q : tensor<i1> -> tensor<f32> then {
        dcf.probe "then"
        %e = stablehlo.exponential %x : tensor<f32>
        dcf.yield %e : tensor<f32>
      } else {
        dcf.probe "else"
        dcf.yield %x : tensor<f32>
      }
      return %r#0 : tensor<i32>
    }
    """
    nodes = nodes_of(text)
    for gone in ("stablehlo.divide", "stablehlo.sine", "stablehlo.exponential"):
        assert nodes[gone] == 0, gone
    assert nodes["dfg.loop_cond"] == 1
    assert nodes["dfg.probe"] == 2
    (got,), events = run_probed(text, i32(3), f32(0))
    assert got == 3
    assert events == [("else", ())]


@pytest.mark.parametrize("order", [("%no", "%yes"), ("%yes", "%no")])
def test_behaviour_19_two_true_predicates_of_an_exclusive_case(order: tuple[str, str]):
    """What `case(exclusive=True)` refuses is two live inputs of one merge."""
    body = f"""
    %p_no, %yes = dfg.switch %x, %p : tensor<f32>
    %q_no, %no = dfg.switch %x, %q : tensor<f32>
    %r, %from = dfg.merge {order[0]}, {order[1]} : tensor<f32>
    dfg.fetch %r : tensor<f32>
    """
    arguments = "%x: tensor<f32>, %p: tensor<i1>, %q: tensor<i1>"
    executable = ab.compile(ab.parse(graph(arguments, "tensor<f32>", body)))
    assert executable(f32(1), np.bool_(True), np.bool_(False))[0] == 1
    with pytest.raises(ab.ProgramError, match="merge.*expected one live input, got two"):
        executable(f32(1), np.bool_(True), np.bool_(True))


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("window", [1, 32])
def test_behaviour_33_trips_share_buffers(fuse: bool, window: int):
    """An array made anew each trip has memory that an earlier one had; a row is written in place."""
    text = """
    func.func @main(%n: tensor<i32>, %x0: tensor<64x64xf32>, %rows0: tensor<200x64xf32>)
        -> (tensor<64x64xf32>, tensor<200x64xf32>) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %half = stablehlo.constant dense<0.5> : tensor<64x64xf32>
      %i, %r:2 = dcf.while "loop" (%k = %zero, %x = %x0, %rows = %rows0
          : tensor<i32>, tensor<64x64xf32>, tensor<200x64xf32>) cond {
        %go = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        dcf.condition %go
      } do {
        %m = stablehlo.multiply %x, %half : tensor<64x64xf32>
        %y = stablehlo.add %m, %half : tensor<64x64xf32>
        %row = stablehlo.slice %y [0:1, 0:64] : (tensor<64x64xf32>) -> tensor<1x64xf32>
        %more = stablehlo.dynamic_update_slice %rows, %row, %k, %zero
          : (tensor<200x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<200x64xf32>
        dcf.probe "made" %y, %more : tensor<64x64xf32>, tensor<200x64xf32>
        %j = stablehlo.add %k, %one : tensor<i32>
        dcf.yield %j, %y, %more : tensor<i32>, tensor<64x64xf32>, tensor<200x64xf32>
      }
      return %r#0, %r#1 : tensor<64x64xf32>, tensor<200x64xf32>
    }
    """
    trips = 200
    buffers: tuple[set[int], set[int]] = set(), set()

    def probe(_: str, values: tuple[Any, ...]) -> None:
        for seen, value in zip(buffers, values, strict=True):
            seen.add(value.ctypes.data)

    executable = ab.compile(ab.parse(text), fuse=fuse, parallel_iterations=window)
    arguments = [i32(trips), np.zeros((64, 64), f32), np.zeros((trips, 64), f32)]
    _, rows = executable.run(arguments, probe=probe)
    np.testing.assert_allclose(rows[:, 0], 1 - 0.5 ** np.arange(1, trips + 1))
    assert all(len(seen) < trips // 10 for seen in buffers)
