"""Every op that can have a derivative has rules for both modes, or a reason why not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anabranch.dialects.chlo import CHLO
from anabranch.dialects.dcf import DCF
from anabranch.dialects.diagnostics import ProgramError
from anabranch.dialects.stablehlo import STABLEHLO
from anabranch.passes.autodiff.activity import BLOCKING
from anabranch.passes.autodiff.rules import JVP, NO_DERIVATIVE, VJP, load_rules

# Results that are never floating-point.
DISCRETE = """
    chlo.broadcast_and chlo.broadcast_compare chlo.broadcast_or chlo.broadcast_shift_left
    chlo.broadcast_shift_right_arithmetic chlo.broadcast_shift_right_logical chlo.broadcast_xor
    chlo.is_inf chlo.is_neg_inf chlo.is_pos_inf chlo.mulhi
    stablehlo.after_all stablehlo.and stablehlo.async_start stablehlo.compare
    stablehlo.count_leading_zeros stablehlo.create_token stablehlo.get_dimension_size
    stablehlo.is_finite stablehlo.not stablehlo.or stablehlo.outfeed stablehlo.partition_id
    stablehlo.popcnt stablehlo.replica_id stablehlo.return stablehlo.send stablehlo.shift_left
    stablehlo.shift_right_arithmetic stablehlo.shift_right_logical stablehlo.xor
""".split()
# Results that depend on no floating-point operand.
SOURCES = """
    chlo.constant stablehlo.constant stablehlo.dynamic_iota stablehlo.infeed stablehlo.iota
    stablehlo.recv stablehlo.rng_bit_generator
    dcf.array_new dcf.array_size dcf.stack_new
""".split()
# Differentiated by the walks themselves, or made into calls before them.
STRUCTURED = """
    dcf.case dcf.cond dcf.condition dcf.gradient dcf.jvp dcf.probe dcf.scan dcf.vjp dcf.while
    dcf.yield
""".split()

OPS = sorted(op.name for dialect in (STABLEHLO, CHLO, DCF) for op in dialect.operations)


@pytest.mark.parametrize("op", OPS)
def test_rules_or_a_reason(op: str) -> None:
    load_rules()
    exempt = {*BLOCKING, *DISCRETE, *SOURCES, *STRUCTURED, *NO_DERIVATIVE}
    if op not in exempt:
        assert op in VJP, f"expected a reverse rule for {op}, or a reason in NO_DERIVATIVE"
        assert op in JVP, f"expected a forward rule for {op}, or a reason in NO_DERIVATIVE"


def test_the_lists_name_what_there_is() -> None:
    load_rules()
    named = [*BLOCKING, *DISCRETE, *SOURCES, *STRUCTURED, *NO_DERIVATIVE]
    assert sorted(set(named) - set(OPS)) == []
    assert len(named) == len(set(named))
    assert sorted(set(named) & set(VJP) - {"dcf.stop_gradient"}) == []
    assert sorted((VJP.keys() | JVP.keys()) - set(OPS) - {"dfg.kernel", "func.call"}) == []


BROADCAST = {
    **{
        f"chlo.broadcast_{op}": f"stablehlo.{op}"
        for op in "add atan2 divide maximum minimum multiply power remainder subtract".split()
    },
    "chlo.broadcast_polygamma": "chlo.polygamma",
    "chlo.broadcast_zeta": "chlo.zeta",
}
"""Op -> the one it is on operands of one shape."""


@pytest.mark.parametrize("op", BROADCAST)
def test_broadcasting(op: str, derive: Any) -> None:
    """The last dimensions are aligned, sizes of one are spread; cotangents add up."""
    x = np.array([[0.5], [1.5]])
    y = np.array([1.0, 2.0, 3.5])
    if op.endswith(("polygamma", "zeta")):
        x, y = np.array([[2.0], [3.0]]), np.array([0.7, 1.3, 2.5])
    by = (0, 1) if not op.endswith(("polygamma", "zeta")) else (1,)
    weight = np.random.default_rng(1).normal(size=(2, 3))
    program = derive(op, x, y, result="tensor<2x3xf64>")
    wide = [np.ascontiguousarray(value) for value in np.broadcast_arrays(x, y)]
    plain = derive(BROADCAST[op], *wide)
    if by == (1,):  # the other is a number of the function, without a derivative
        (by_y,) = plain.gradients(weight, by)
        (got_y,) = program.gradients(weight, by)
        np.testing.assert_allclose(got_y, by_y.sum(axis=0), rtol=1e-12)
        along = program.tangent([y], by)
        np.testing.assert_allclose(along, plain.tangent([wide[1]], by), rtol=1e-12)
        return
    by_x, by_y = plain.gradients(weight, (0, 1))
    got_x, got_y = program.gradients(weight, (0, 1))
    np.testing.assert_allclose(got_x, by_x.sum(axis=1, keepdims=True), rtol=1e-12)
    np.testing.assert_allclose(got_y, by_y.sum(axis=0), rtol=1e-12)
    along = program.tangent([x, y], (0, 1))
    np.testing.assert_allclose(along, plain.tangent(wide, (0, 1)), rtol=1e-12)


def test_broadcasting_to_complex_numbers(derive: Any) -> None:
    x, y = np.array([[0.5], [1.5]]), np.array([1.0, 2.0, 3.5])
    weight = np.array([[1, 2j, 1], [3, 1 - 1j, 2]])
    program = derive("chlo.broadcast_complex", x, y, result="tensor<2x3xcomplex<f64>>")
    by_x, by_y = program.gradients(weight, (0, 1))
    assert by_x.tolist() == weight.real.sum(axis=1, keepdims=True).tolist()
    assert by_y.tolist() == (-weight.imag).sum(axis=0).tolist()


def test_broadcasting_what_has_no_derivative(derive: Any) -> None:
    x, y = np.array([[0.5], [1.5]]), np.array([1.0, 2.0])
    program = derive("chlo.broadcast_next_after", x, y, result="tensor<2x2xf64>")
    with pytest.raises(ProgramError, match="no useful slope"):
        program.gradients(np.ones((2, 2)))


# Rows whose tests name them otherwise: as JAX's functions, or as the end of a name put together.
NAMED_OTHERWISE = """
    chlo.conj chlo.top_k stablehlo.fft stablehlo.imag stablehlo.real stablehlo.reverse stablehlo.sort
    stablehlo.triangular_solve
""".split()


def test_every_row_has_a_test() -> None:
    """Each op with a rule is named where rules are tested."""
    load_rules()
    here = Path(__file__).parent
    lit = here.parents[1] / "lit" / "passes" / "dcf_gradient"
    files = [*here.rglob("*.py"), *lit.glob("*.mlir")]
    text = "\n".join(file.read_text() for file in files) + "\n".join(BROADCAST)
    rows = sorted(VJP.keys() | JVP.keys())
    untested = [op for op in rows if not re.search(rf"{re.escape(op)}\b", text)]
    assert [op for op in untested if op not in NAMED_OTHERWISE] == []
    assert all(re.search(rf"\b{op.partition('.')[2]}\b", text) for op in NAMED_OTHERWISE)


def test_broadcasting_to_given_dimensions(derive: Any) -> None:
    x, y = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([5.0, 7.0])
    expression = (
        '"chlo.broadcast_multiply"(%a, %b) {broadcast_dimensions = array<i64: 0>}'
        " : ({types}) -> {result}"
    )
    program = derive(expression, x, y)
    weight = np.array([[1.0, -1.0], [2.0, 0.5]])
    by_x, by_y = program.gradients(weight, (0, 1))
    assert by_x.tolist() == (weight * y[:, None]).tolist()
    assert by_y.tolist() == (weight * x).sum(axis=1).tolist()


def test_broadcasting_choice(derive: Any) -> None:
    predicate, x, y = np.array([True, False]), np.array([[1.0], [2.0]]), np.array(3.0)
    program = derive("chlo.broadcast_select", predicate, x, y, result="tensor<2x2xf64>")
    weight = np.array([[1.0, 10.0], [2.0, 20.0]])
    by_x, by_y = program.gradients(weight, (1, 2))
    assert by_x.tolist() == [[1.0], [2.0]]
    assert by_y.tolist() == 30.0
