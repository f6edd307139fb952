"""Every constraint of the StableHLO specification is verified, and has a test that breaks it.

The verifiers label their messages as the specification does: `add_c1` is constraint 1 of `add`.
"""

from __future__ import annotations

import pathlib
import re

import pytest

from anabranch.dialects.stablehlo import STABLEHLO

LIT = pathlib.Path(__file__).parents[2] / "lit" / "dialects"

CONSTRAINTS = {
    "abs": 2,
    "add": 7,
    "all_gather": 6,
    "all_reduce": 7,
    "all_to_all": 9,
    "and": 1,
    "async_done": 1,
    "async_start": 4,
    "atan2": 1,
    "batch_norm_grad": 5,
    "batch_norm_inference": 7,
    "batch_norm_training": 7,
    "bitcast_convert": 2,
    "broadcast_in_dim": 6,
    "case": 4,
    "cbrt": 1,
    "ceil": 1,
    "cholesky": 3,
    "clamp": 4,
    "collective_broadcast": 6,
    "collective_permute": 5,
    "collective_reduce": 4,
    "compare": 3,
    "complex": 3,
    "composite": 4,
    "concatenate": 6,
    "constant": 1,
    "convert": 1,
    "convolution": 34,
    "cosine": 1,
    "count_leading_zeros": 1,
    "divide": 1,
    "dot_general": 24,
    "dynamic_broadcast_in_dim": 10,
    "dynamic_conv": 34,
    "dynamic_gather": 14,
    "dynamic_iota": 2,
    "dynamic_pad": 4,
    "dynamic_reshape": 4,
    "dynamic_slice": 5,
    "dynamic_update_slice": 6,
    "exponential": 1,
    "exponential_minus_one": 1,
    "fft": 5,
    "floor": 1,
    "gather": 23,
    "get_dimension_size": 1,
    "get_tuple_element": 2,
    "if": 3,
    "imag": 2,
    "infeed": 3,
    "iota": 1,
    "is_finite": 1,
    "log": 1,
    "log_plus_one": 1,
    "logistic": 1,
    "map": 4,
    "maximum": 1,
    "minimum": 1,
    "multiply": 1,
    "negate": 1,
    "not": 1,
    "optimization_barrier": 1,
    "or": 1,
    "pad": 4,
    "popcnt": 1,
    "power": 1,
    "real": 2,
    "recv": 5,
    "reduce": 8,
    "reduce_precision": 3,
    "reduce_scatter": 9,
    "reduce_window": 16,
    "remainder": 1,
    "reshape": 3,
    "reverse": 3,
    "rng": 3,
    "rng_bit_generator": 2,
    "round_nearest_afz": 1,
    "round_nearest_even": 1,
    "rsqrt": 1,
    "scatter": 25,
    "select": 2,
    "select_and_scatter": 12,
    "send": 5,
    "shift_left": 1,
    "shift_right_arithmetic": 1,
    "shift_right_logical": 1,
    "sign": 1,
    "sine": 1,
    "slice": 5,
    "sort": 5,
    "sqrt": 1,
    "subtract": 1,
    "tan": 1,
    "tanh": 1,
    "transpose": 4,
    "triangular_solve": 4,
    "tuple": 1,
    "uniform_dequantize": 2,
    "uniform_quantize": 2,
    "while": 3,
    "xor": 1,
}
"""How many constraints each op has."""

PROCESSES = "a program does not tell how many processes run it"
WIDER = "MLIR accepts it, and programs in the wild have it"

NOT_VERIFIED = {
    "all_gather_c3": PROCESSES,
    "all_reduce_c2": PROCESSES,
    "all_to_all_c6": PROCESSES,
    "reduce_scatter_c4": PROCESSES,
    "compare_c3": WIDER,
    "dot_general_c13": WIDER,
}
"""Constraints that no verifier checks, and why."""

ELEMENT_TYPE_RULES = (3, 4, 5, 7, 11)
"""Constraints on quantized element types that a text can break; the others hold by its grammar."""


def broken(folder: str) -> set[str]:
    """The labels of messages that the invalid tests expect."""
    texts = [path.read_text() for path in (LIT / folder).glob("invalid*.mlir")]
    return set(re.findall(r"^// CHECK: .*\((\w+_[ci]\d+)", "\n".join(texts), re.MULTILINE))


@pytest.fixture(scope="module")
def tested() -> set[str]:
    return broken("stablehlo") | broken("quant")


def test_every_op_is_in_the_table():
    without = {
        "broadcast",
        "create_token",
        "after_all",
        "cross-replica-sum",
        "custom_call",
        "dot",
        "einsum",
        "outfeed",
        "partition_id",
        "real_dynamic_slice",
        "replica_id",
        "return",
        "set_dimension_size",
        "torch_index_select",
        "unary_einsum",
    }
    names = {op.name.removeprefix("stablehlo.") for op in STABLEHLO.operations}
    assert names - without == set(CONSTRAINTS)


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_each_constraint_has_an_invalid_test(name: str, tested: set[str]):
    labels = {f"{name}_c{number}" for number in range(1, CONSTRAINTS[name] + 1)}
    assert labels - tested == labels & NOT_VERIFIED.keys()


def test_quantized_types_have_invalid_tests(tested: set[str]):
    labels = {f"quantized_element_type_c{number}" for number in ELEMENT_TYPE_RULES}
    assert labels | {"quantized_tensor_type_c12", "quantized_tensor_type_c13"} <= tested


def test_each_label_in_the_code_is_tested(tested: set[str]):
    code = pathlib.Path(__file__).parents[3] / "dialects" / "stablehlo"
    texts = "".join(path.read_text() for path in code.glob("*.py"))
    assert not set(re.findall(r'"(\w+_c\d+)"', texts)) - tested
