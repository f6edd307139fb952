"""Random numbers."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.traits import Pure

from .assembly import AssembledOp
from .clauses import Choice
from .constraints import BOOLEAN, DIMENSION, INTEGER_FLOAT, TENSOR, TensorOf
from .enums import RngAlgorithmAttr, RngDistributionAttr

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


@irdl_op_definition
class RngBitGeneratorOp(AssembledOp):
    """`stablehlo.rng_bit_generator %state, algorithm = THREE_FRY`: random bits and the next state."""

    name = "stablehlo.rng_bit_generator"
    initial_state = operand_def(TensorOf(INTEGER_FLOAT, label="rng_bit_generator_i2"))
    rng_algorithm = prop_def(RngAlgorithmAttr)
    output_state = result_def(TENSOR)
    output = result_def(TensorOf(INTEGER_FLOAT))
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Choice("algorithm", "rng_algorithm", RngAlgorithmAttr),)
