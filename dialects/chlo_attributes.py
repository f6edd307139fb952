"""Attributes of `chlo`; its enumerations have the values of `stablehlo`'s."""

from __future__ import annotations

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition

from .stablehlo.attributes import DimensionNumbersAttr, DimsAttr
from .stablehlo.enums import ComparisonDirection, ComparisonType, Precision


@irdl_attr_definition
class ComparisonDirectionAttr(EnumAttribute[ComparisonDirection], SpacedOpaqueSyntaxAttribute):
    """The relation that `broadcast_compare` tests."""

    name = "chlo.comparison_direction"


@irdl_attr_definition
class ComparisonTypeAttr(EnumAttribute[ComparisonType], SpacedOpaqueSyntaxAttribute):
    """The order that `broadcast_compare` uses."""

    name = "chlo.comparison_type"


@irdl_attr_definition
class PrecisionAttr(EnumAttribute[Precision], SpacedOpaqueSyntaxAttribute):
    """How exactly an operand of `ragged_dot` is read."""

    name = "chlo.precision"


@irdl_attr_definition
class RaggedDotDimensionNumbersAttr(DimensionNumbersAttr):
    """The roles of dimensions in `ragged_dot`: as in `dot_general`, and ragged and group ones."""

    name = "chlo.ragged_dot"
    lhs_batching_dimensions: DimsAttr
    rhs_batching_dimensions: DimsAttr
    lhs_contracting_dimensions: DimsAttr
    rhs_contracting_dimensions: DimsAttr
    lhs_ragged_dimensions: DimsAttr
    rhs_group_dimensions: DimsAttr
