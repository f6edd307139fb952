"""Matrix products, factorisations and transforms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    ComplexType,
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
from .constraints import (
    ANY_TENSOR,
    FALSE,
    FLOAT_COMPLEX,
    FLOAT_COMPLEX_QUANTIZED,
    I64_ARRAY,
    TENSOR,
    TensorOf,
    quantized_element,
)
from .enums import FftType, FftTypeAttr, Precision, PrecisionAttr, Transpose, TransposeAttr
from .inference import (
    compatible_sizes,
    dot_shape,
    element_of,
    fft_shape,
    real_part,
    shape_of,
    with_shape,
)
from .quantization_rules import expect_product_elements
from .rules import (
    expect_dims,
    expect_element,
    expect_equal_sizes,
    expect_same_types,
    expect_shape,
    expect_size,
    expect_type,
    expect_unique,
    mismatch,
)
from .signatures import SAME_TYPE


def expect_dot_dimensions(
    numbers: DotDimensionNumbersAttr, lhs: Sequence[int], rhs: Sequence[int], name: str
) -> None:
    """Constraints 1 to 10 of `dot_general`: batching and contracting dimensions come in pairs."""
    label = {number: f"{name}_c{number}" if name else "" for number in range(1, 11)}
    lhs_batching = numbers.lhs_batching_dimensions.data
    rhs_batching = numbers.rhs_batching_dimensions.data
    lhs_contracting = numbers.lhs_contracting_dimensions.data
    rhs_contracting = numbers.rhs_contracting_dimensions.data
    count = len(lhs_batching)
    expect_size("rhs batching dimensions", len(rhs_batching), count, label[1])
    count = len(lhs_contracting)
    expect_size("rhs contracting dimensions", len(rhs_contracting), count, label[2])
    expect_unique("lhs dimensions", lhs_batching + lhs_contracting, label[3])
    expect_unique("rhs dimensions", rhs_batching + rhs_contracting, label[4])
    expect_dims("the lhs batching dimensions", lhs_batching, len(lhs), label[5])
    expect_dims("the lhs contracting dimensions", lhs_contracting, len(lhs), label[6])
    expect_dims("the rhs batching dimensions", rhs_batching, len(rhs), label[7])
    expect_dims("the rhs contracting dimensions", rhs_contracting, len(rhs), label[8])
    what = "batching dimensions"
    expect_equal_sizes(what, lhs, lhs_batching, rhs, rhs_batching, label[9])
    what = "contracting dimensions"
    expect_equal_sizes(what, lhs, lhs_contracting, rhs, rhs_contracting, label[10])


@irdl_op_definition
class DotOp(AssembledOp):
    """`stablehlo.dot %x, %y`: the product of matrices or vectors."""

    name = "stablehlo.dot"
    lhs = operand_def(TENSOR)
    rhs = operand_def(ANY_TENSOR)
    precision_config = opt_prop_def(ArrayAttr[PrecisionAttr])
    result = result_def(ANY_TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Precisions("precision", "precision_config", required=False),)

    def verify_(self) -> None:
        lhs, rhs = shape_of(self.lhs), shape_of(self.rhs)
        if len(lhs) not in (1, 2) or len(rhs) not in (1, 2):
            raise mismatch("operands of rank 1 or 2", f"{len(lhs)} and {len(rhs)}", "dot_c1")
        numbers = DotDimensionNumbersAttr((), (), (len(lhs) - 1,), (0,))
        expect_equal_sizes("contracted dimensions", lhs, (len(lhs) - 1,), rhs, (0,), "dot_c2")
        expect_shape("result", self.result.type, dot_shape(lhs, rhs, numbers), "dot_c3")


@irdl_op_definition
class DotGeneralOp(AssembledOp):
    """`stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]`.

    Sums products over the contracting dimensions, for each index of the batching ones. The result
    has the batching dimensions, then what is left of `%x`, then what is left of `%y`.
    """

    name = "stablehlo.dot_general"
    lhs = operand_def(TENSOR)
    rhs = operand_def(ANY_TENSOR)
    dot_dimension_numbers = prop_def(DotDimensionNumbersAttr)
    precision_config = opt_prop_def(ArrayAttr[PrecisionAttr])
    algorithm = opt_prop_def(DotAlgorithmAttr)
    result = result_def(ANY_TENSOR)
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
        result_type: Attribute | None = None,
        precision_config: Sequence[PrecisionAttr] | ArrayAttr[PrecisionAttr] | None = None,
        algorithm: DotAlgorithmAttr | None = None,
    ):
        left, right = SSAValue.get(lhs), SSAValue.get(rhs)
        if result_type is None:
            shape = dot_shape(shape_of(left), shape_of(right), dot_dimension_numbers)
            result_type = with_shape(left.type, shape)
        if precision_config is not None:
            precision_config = ArrayAttr(precision_config)
        super().__init__(
            operands=[left, right],
            properties={
                "dot_dimension_numbers": dot_dimension_numbers,
                "precision_config": precision_config,
                "algorithm": algorithm,
            },
            result_types=[result_type],
        )

    def verify_(self) -> None:
        numbers = self.dot_dimension_numbers
        lhs, rhs = shape_of(self.lhs), shape_of(self.rhs)
        expect_dot_dimensions(numbers, lhs, rhs, "dot_general")
        if self.precision_config is not None and len(self.precision_config.data) > 2:
            raise mismatch("2 precisions", len(self.precision_config.data), "dot_general_c11")
        expect_shape("result", self.result.type, dot_shape(lhs, rhs, numbers), "dot_general_c12")
        self._verify_quantization(numbers.rhs_contracting_dimensions.data)
        if self.algorithm is not None:
            self._verify_algorithm(self.algorithm)

    def _verify_quantization(self, rhs_contracting: Sequence[int]) -> None:
        types = (self.lhs.type, self.rhs.type, self.result.type)
        expect_product_elements("dot_general", *types)
        if (rhs := quantized_element(self.rhs.type)) is not None:
            if any(rhs.zero_point_values):
                raise mismatch("zero points 0 of rhs", rhs.zero_point_values, "dot_general_c15")
            if rhs.axis is not None and rhs.axis in rhs_contracting:
                expected = "rhs quantized along a dimension that is not contracted"
                raise mismatch(expected, rhs.axis, "dot_general_c16")

    def _verify_algorithm(self, algorithm: DotAlgorithmAttr) -> None:
        for precision in self.precision_config or ():
            if precision.data != Precision.DEFAULT:
                expected = "precisions DEFAULT, as there is an algorithm"
                raise mismatch(expected, precision.data.value, "dot_general_c21")
        for name, count, label in (
            ("lhs_component_count", algorithm.lhs_component_count, "dot_general_c22"),
            ("rhs_component_count", algorithm.rhs_component_count, "dot_general_c23"),
            ("num_primitive_operations", algorithm.num_primitive_operations, "dot_general_c24"),
        ):
            if count.data < 1:
                raise mismatch(f"{name} of at least 1", count.data, label)
        if not algorithm.is_known():
            raise mismatch("an algorithm that some device has", algorithm)


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
    a = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="cholesky_i1"))
    lower = opt_prop_def(BoolAttr, FALSE)
    result = result_def(TENSOR)
    traits = traits_def(Pure())
    CLAUSES: ClassVar = (Bool("lower", "lower", required=False),)
    SIGNATURE: ClassVar = SAME_TYPE

    def verify_(self) -> None:
        expect_same_types(self, "cholesky_c1")
        _expect_square("a", shape_of(self.a), "cholesky_c2", "cholesky_c3")


@irdl_op_definition
class TriangularSolveOp(IRDLOperation):
    """`"stablehlo.triangular_solve"(%a, %b)`: solves for x in `a x = b` or `x a = b`."""

    name = "stablehlo.triangular_solve"
    a = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="triangular_solve_i1"))
    b = operand_def(TensorOf(FLOAT_COMPLEX_QUANTIZED, label="triangular_solve_i2"))
    left_side = prop_def(BoolAttr)
    lower = prop_def(BoolAttr)
    unit_diagonal = prop_def(BoolAttr)
    transpose_a = prop_def(TransposeAttr)
    result = result_def(TENSOR)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        expect_element("b", self.b.type, element_of(self.a), "triangular_solve_c1")
        a, b = shape_of(self.a), shape_of(self.b)
        expect_size("dimensions of b", len(b), len(a), "triangular_solve_c2")
        _expect_square("a", a, "triangular_solve_c2", "triangular_solve_c3")
        batch = tuple(range(len(a) - 2))
        expect_equal_sizes("batch dimensions", a, batch, b, batch, "triangular_solve_c3")
        side = -2 if self.left_side.value.data else -1
        expect_equal_sizes("the solved dimensions", a, (-1,), b, (side,), "triangular_solve_c3")
        expect_type("result", self.result.type, self.b.type, "triangular_solve_c4")
        if self.transpose_a.data == Transpose.TRANSPOSE_INVALID:
            raise mismatch("a transpose_a that says how", self.transpose_a.data.value)


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

    def verify_(self) -> None:
        lengths, shape = self.fft_length.get_values(), shape_of(self.operand)
        if len(lengths) > len(shape):
            raise mismatch(f"at most {len(shape)} lengths", len(lengths), "fft_c1")
        if not 1 <= len(lengths) <= 3:
            raise mismatch("between 1 and 3 lengths", len(lengths), "fft_c3")
        kind, result = self.fft_type.data, shape_of(self.result)
        operand_element, result_element = element_of(self.operand), element_of(self.result)
        to_real, from_real = kind == FftType.IRFFT, kind == FftType.RFFT
        for name, element, real in (
            ("operand", operand_element, from_real),
            ("result", result_element, to_real),
        ):
            if isinstance(element, ComplexType) == real:
                wanted = "float" if real else "complex"
                raise mismatch(f"{name} of {wanted} elements", element, "fft_c2")
        if real_part(operand_element) != real_part(result_element):
            raise mismatch(
                f"result of parts {real_part(operand_element)}", result_element, "fft_c2"
            )
        expected = fft_shape(shape, lengths, to_real=to_real, from_real=from_real)
        expect_shape("result", self.result.type, expected, "fft_c5")
        for axis, length in zip(range(-len(lengths), 0), lengths):
            size = result[axis] if to_real else shape[axis]
            if not compatible_sizes(size, length):
                raise mismatch(f"dimension {axis} of size {length}", size, "fft_c4")
        if to_real:
            # The operand has the frequencies of a real signal of these lengths.
            frequencies = (*lengths[:-1], lengths[-1] // 2 + 1 if lengths[-1] else 0)
            for axis, count in zip(range(-len(lengths), 0), frequencies):
                if not compatible_sizes(shape[axis], count):
                    expected = f"dimension {axis} of the operand of size {count}"
                    raise mismatch(expected, shape[axis], "fft_c5")


def _expect_square(what: str, shape: Sequence[int], rank_label: str, label: str) -> None:
    if len(shape) < 2:
        raise mismatch(f"{what} of rank 2 or more", len(shape), rank_label)
    expect_equal_sizes(f"the last two dimensions of {what}", shape, (-1,), shape, (-2,), label)
