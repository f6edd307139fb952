"""Random numbers."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, Signedness
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.traits import Pure

from .assembly import AssembledOp
from .clauses import Choice
from .constraints import BOOLEAN, DIMENSION, INTEGER_FLOAT, TENSOR, TensorOf, kind_of
from .enums import RngAlgorithm, RngAlgorithmAttr, RngDistribution, RngDistributionAttr
from .inference import element_of, shape_of
from .rules import expect_element, expect_shape, expect_stated_shape, expect_type, mismatch

_NUMBERS = (*BOOLEAN, *INTEGER_FLOAT)


@irdl_op_definition
class RngOp(AssembledOp):
    """`stablehlo.rng %a, %b, %shape, distribution = UNIFORM`: numbers from a hidden state."""

    name = "stablehlo.rng"
    a = operand_def(TensorOf(_NUMBERS, rank=0, label="rng_i1"))
    b = operand_def(TensorOf(_NUMBERS, rank=0, label="rng_i2"))
    shape = operand_def(TensorOf(DIMENSION, rank=1, label="rng_i3"))
    rng_distribution = prop_def(RngDistributionAttr)
    result = result_def(TENSOR)
    CLAUSES: ClassVar = (Choice("distribution", "rng_distribution", RngDistributionAttr),)

    def verify_(self) -> None:
        expect_element("b", self.b.type, element_of(self.a), "rng_c1")
        expect_element("result", self.result.type, element_of(self.a), "rng_c1")
        kind = kind_of(element_of(self.a))
        if self.rng_distribution.data == RngDistribution.NORMAL and kind != "float":
            raise mismatch("floats for a normal distribution", element_of(self.a), "rng_c2")
        expect_shape("the shape operand", self.shape.type, (len(shape_of(self.result)),), "rng_c3")
        expect_stated_shape(self.shape, self.result, "rng_c3")


@irdl_op_definition
class RngBitGeneratorOp(AssembledOp):
    """`stablehlo.rng_bit_generator %s, algorithm = THREE_FRY`: the next state and random bits."""

    name = "stablehlo.rng_bit_generator"
    initial_state = operand_def(TensorOf(INTEGER_FLOAT, label="rng_bit_generator_i2"))
    rng_algorithm = prop_def(RngAlgorithmAttr)
    output_state = result_def(TENSOR)
    output = result_def(TensorOf(INTEGER_FLOAT))
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Choice("algorithm", "rng_algorithm", RngAlgorithmAttr),)

    def verify_(self) -> None:
        state = self.initial_state.type
        expect_type("output_state", self.output_state.type, state, "rng_bit_generator_c1")
        sizes = {RngAlgorithm.THREE_FRY: (2,), RngAlgorithm.PHILOX: (2, 3)}
        wanted = sizes.get(self.rng_algorithm.data)
        shape = shape_of(state)
        if wanted is None or element_of(state) != IntegerType(64, Signedness.UNSIGNED):
            return
        if len(shape) != 1 or shape[0] not in (*wanted, DYNAMIC_INDEX):
            expected = f"a state of {' or '.join(map(str, wanted))} numbers"
            raise mismatch(expected, state, "rng_bit_generator_c2")
