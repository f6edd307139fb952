"""Matrix products, factorisations and transforms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    StringAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from .assembly import AssembledOp
from .attributes import DotAlgorithmAttr, DotDimensionNumbersAttr
from .clauses import Algorithm, Bool, Choice, Dims, DotDimensions, Precisions, Text
from .constraints import FALSE, FLOAT_COMPLEX, I64_ARRAY, TENSOR, TensorOf
from .enums import FftTypeAttr, PrecisionAttr, TransposeAttr
from .signatures import SAME_TYPE


@irdl_op_definition
class DotOp(AssembledOp):
    """`stablehlo.dot %x, %y`: the product of matrices or vectors."""

    name = "stablehlo.dot"
    lhs = operand_def(TENSOR)
    rhs = operand_def(TENSOR)
    precision_config = opt_prop_def(ArrayAttr[PrecisionAttr])
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Precisions("precision", "precision_config", required=False),)


@irdl_op_definition
class DotGeneralOp(AssembledOp):
    """`stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]`.

    Sums products over the contracting dimensions, for each index of the batching ones. The result has
    the batching dimensions, then what is left of `%x`, then what is left of `%y`.
    """

    name = "stablehlo.dot_general"
    lhs = operand_def(TENSOR)
    rhs = operand_def(TENSOR)
    dot_dimension_numbers = prop_def(DotDimensionNumbersAttr)
    precision_config = opt_prop_def(ArrayAttr[PrecisionAttr])
    algorithm = opt_prop_def(DotAlgorithmAttr)
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (
        DotDimensions("contracting_dims", "dot_dimension_numbers"),
        Precisions("precision", "precision_config", required=False),
        Algorithm("algorithm", "algorithm", required=False),
    )

    def __init__(
        self,
        lhs: SSAValue | Operation,
        rhs: SSAValue | Operation,
        dot_dimension_numbers: DotDimensionNumbersAttr,
        result_type: Attribute,
        precision_config: Sequence[PrecisionAttr] | ArrayAttr[PrecisionAttr] | None = None,
        algorithm: DotAlgorithmAttr | None = None,
    ):
        if precision_config is not None:
            precision_config = ArrayAttr(precision_config)
        super().__init__(
            operands=[lhs, rhs],
            properties={
                "dot_dimension_numbers": dot_dimension_numbers,
                "precision_config": precision_config,
                "algorithm": algorithm,
            },
            result_types=[result_type],
        )


@irdl_op_definition
class EinsumOp(AssembledOp):
    """`stablehlo.einsum %x, %y, config = "ab,bc->ac"`: a product given by an index expression."""

    name = "stablehlo.einsum"
    lhs = operand_def(TENSOR)
    rhs = operand_def(TENSOR)
    einsum_config = prop_def(StringAttr)
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Text("config", "einsum_config"),)


@irdl_op_definition
class UnaryEinsumOp(AssembledOp):
    """`stablehlo.unary_einsum %x, config = "ab->a"`: a sum given by an index expression."""

    name = "stablehlo.unary_einsum"
    operand = operand_def(TENSOR)
    einsum_config = prop_def(StringAttr)
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Text("config", "einsum_config"),)


@irdl_op_definition
class CholeskyOp(AssembledOp):
    """`stablehlo.cholesky %a, lower = true`: the triangular factor of a positive definite matrix."""

    name = "stablehlo.cholesky"
    a = operand_def(TensorOf(FLOAT_COMPLEX, label="cholesky_i1"))
    lower = opt_prop_def(BoolAttr, FALSE)
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Bool("lower", "lower", required=False),)
    SIGNATURE: ClassVar = SAME_TYPE


@irdl_op_definition
class TriangularSolveOp(IRDLOperation):
    """`"stablehlo.triangular_solve"(%a, %b)`: solves for x in `a x = b` or `x a = b`."""

    name = "stablehlo.triangular_solve"
    a = operand_def(TensorOf(FLOAT_COMPLEX, label="triangular_solve_i1"))
    b = operand_def(TensorOf(FLOAT_COMPLEX, label="triangular_solve_i2"))
    left_side = prop_def(BoolAttr)
    lower = prop_def(BoolAttr)
    unit_diagonal = prop_def(BoolAttr)
    transpose_a = prop_def(TransposeAttr)
    result = result_def(TENSOR)
    traits = traits_def(Pure())


@irdl_op_definition
class FftOp(AssembledOp):
    """`stablehlo.fft %x, type = FFT, length = [16]`: a Fourier transform of the last dimensions."""

    name = "stablehlo.fft"
    operand = operand_def(TensorOf(FLOAT_COMPLEX, label="fft_i1"))
    fft_type = prop_def(FftTypeAttr)
    fft_length = prop_def(I64_ARRAY)
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Choice("type", "fft_type", FftTypeAttr), Dims("length", "fft_length"))
