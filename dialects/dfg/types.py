"""Types of the dataflow level."""

from __future__ import annotations

from xdsl.ir import ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition


@irdl_attr_definition
class TokenType(ParametrizedAttribute, TypeAttribute):
    """`!dfg.token`: a value that says only "go"; it gates ops without operands, orders effects."""

    name = "dfg.token"
