"""Constraints on operand, result and attribute types shared by the ops of `stablehlo`.

Each states in words what it expects, so that a message reads "expected X, got Y (label)", where the
label names the rule in the StableHLO specification.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from typing_extensions import TypeVar
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    AnyFloat,
    BoolAttr,
    ComplexType,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    Signedness,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, BaseAttr, IntConstraint, VerificationContext
from xdsl.utils.exceptions import VerifyException

from ..quant import UniformQuantizedType
from .types import TokenType

AnyTensor = TensorType[Attribute]


def as_tensor(type: Attribute) -> AnyTensor | None:
    """The type, if it is a ranked tensor's."""
    return cast(AnyTensor, type) if isinstance(type, TensorType) else None


def part_of(complex_type: Attribute) -> Attribute | None:
    """The type of the parts, if it is a complex type."""
    if not isinstance(complex_type, ComplexType):
        return None
    return cast("ComplexType[IntegerType | AnyFloat]", complex_type).element_type


def kind_of(element_type: Attribute) -> str:
    """The family of an element type: boolean, signed or unsigned integer, float, complex, index,
    quantized (per-tensor), per-axis quantized."""
    if isinstance(element_type, IntegerType):
        if element_type == i1:
            return "boolean"
        if cast(IntegerType, element_type).signedness.data == Signedness.UNSIGNED:
            return "unsigned integer"
        return "signed integer"
    if isinstance(element_type, AnyFloat):
        return "float"
    if isinstance(element_type, ComplexType):
        return "complex"
    if isinstance(element_type, IndexType):
        return "index"
    if isinstance(element_type, UniformQuantizedType):
        if element_type.is_per_tensor:
            return "quantized"
        return "per-axis quantized" if element_type.is_per_axis else "sub-channel quantized"
    return "other"


def quantized_element(type: Attribute) -> UniformQuantizedType | None:
    """The element type of a quantized tensor; None for any other type."""
    tensor = as_tensor(type)
    element = None if tensor is None else tensor.element_type
    return element if isinstance(element, UniformQuantizedType) else None


def expect_quantized_axis(tensor: AnyTensor, quantized: UniformQuantizedType) -> None:
    """The tensor has the quantized dimension, of one index for each scale."""
    axis, shape = quantized.axis, tensor.get_shape()
    if axis is None:
        return
    if axis >= len(shape):
        message = f"expected a quantized dimension in [0, {len(shape)}), got {axis}"
        raise VerifyException(f"{message} (quantized_tensor_type_c12)")
    count = len(quantized.scales.data)
    if shape[axis] not in (DYNAMIC_INDEX, count):
        message = f"expected dimension {axis} of size {count}, one for each scale"
        raise VerifyException(f"{message}, got {shape[axis]} (quantized_tensor_type_c13)")


@dataclass(frozen=True)
class TensorOf(AttrConstraint[AnyTensor]):
    """A ranked tensor: elements of one of `kinds`, perhaps of one `rank`.

    Without kinds, elements of any but per-axis and sub-channel quantized ones.
    """

    kinds: tuple[str, ...] = ()
    rank: int | None = None
    label: str = ""

    def describe(self) -> str:
        elements = " or ".join(self.kinds)
        rank = {None: "", 0: "scalar "}.get(self.rank, f"{self.rank}-dimensional ")
        return f"a {rank}tensor" + (f" of {elements} elements" if elements else "")

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if (tensor := as_tensor(attr)) is not None:
            element = tensor.element_type
            if isinstance(element, UniformQuantizedType):
                expect_quantized_axis(tensor, element)
                fits = kind_of(element) in (self.kinds or QUANTIZED)
            else:
                fits = not self.kinds or kind_of(element) in self.kinds
            if fits and (self.rank is None or tensor.get_num_dims() == self.rank):
                return
        label = f" ({self.label})" if self.label else ""
        raise VerifyException(f"expected {self.describe()}, got {attr}{label}")

    def get_bases(self) -> set[type[Attribute]] | None:
        return {TensorType}

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> TensorOf:
        return self


BOOLEAN = ("boolean",)
INTEGER = ("signed integer", "unsigned integer")
FLOAT = ("float",)
COMPLEX = ("complex",)
FLOAT_COMPLEX = (*FLOAT, *COMPLEX)
BOOLEAN_INTEGER = (*BOOLEAN, *INTEGER)
INTEGER_FLOAT = (*INTEGER, *FLOAT)
INTEGER_FLOAT_COMPLEX = (*INTEGER, *FLOAT, *COMPLEX)
SIGNED_FLOAT_COMPLEX = ("signed integer", *FLOAT, *COMPLEX)
DIMENSION = (*INTEGER, "index")
QUANTIZED = ("quantized",)
"""Quantized with one scale for the tensor."""
ANY_QUANTIZED = (*QUANTIZED, "per-axis quantized")
FLOAT_QUANTIZED = (*FLOAT, *QUANTIZED)
FLOAT_COMPLEX_QUANTIZED = (*FLOAT_COMPLEX, *QUANTIZED)
INTEGER_FLOAT_COMPLEX_QUANTIZED = (*INTEGER_FLOAT_COMPLEX, *QUANTIZED)
SIGNED_FLOAT_COMPLEX_QUANTIZED = (*SIGNED_FLOAT_COMPLEX, *QUANTIZED)
NOT_QUANTIZED = (*BOOLEAN, *INTEGER_FLOAT_COMPLEX)

TENSOR = TensorOf()
"""Any ranked tensor; quantized per-tensor, if at all."""

ANY_TENSOR = TensorOf((*NOT_QUANTIZED, "index", *ANY_QUANTIZED))
"""Any ranked tensor, also quantized along an axis."""

TOKEN = BaseAttr(TokenType)
TENSOR_OR_TOKEN = TENSOR | TOKEN
ANY_TENSOR_OR_TOKEN = ANY_TENSOR | TOKEN

I64_ARRAY = DenseArrayBase.constr(i64)
"""`array<i64: ...>`."""

BOOL_ARRAY = DenseArrayBase.constr(i1)
"""`array<i1: ...>`."""

TRUE = BoolAttr.from_bool(True)
FALSE = BoolAttr.from_bool(False)


def i64_array(values: Sequence[int] | DenseArrayBase[I64]) -> DenseArrayBase[I64]:
    """`array<i64: ...>` of the values."""
    if isinstance(values, DenseArrayBase):
        return values
    return DenseArrayBase.from_list(i64, values)


def i64_attr(value: int | IntegerAttr[I64]) -> IntegerAttr[I64]:
    """`value : i64`."""
    return value if isinstance(value, IntegerAttr) else IntegerAttr(value, i64)
