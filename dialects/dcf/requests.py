"""Requests for derivatives, expanded by the gradient pass, and `dcf.stop_gradient`."""

from __future__ import annotations


from xdsl.dialects.builtin import DenseArrayBase, FlatSymbolRefAttrConstr, IntegerAttr, i64
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure


@irdl_op_definition
class GradientOp(IRDLOperation):
    """`dcf.gradient @f(%args)`: gradients of the sum of result `of` (default: the first
    floating-point result) with respect to the arguments `wrt` (default: every floating-point one)."""

    name = "dcf.gradient"
    callee = prop_def(FlatSymbolRefAttrConstr)
    arguments = var_operand_def()
    gradients = var_result_def()
    wrt = opt_prop_def(DenseArrayBase.constr(i64))
    of = opt_prop_def(IntegerAttr.constr(i64))


@irdl_op_definition
class VjpOp(IRDLOperation):
    """`dcf.vjp @f(%args) cotangents(%cts)`: the results of `@f`, then the cotangents of arguments `wrt`."""

    name = "dcf.vjp"
    callee = prop_def(FlatSymbolRefAttrConstr)
    arguments = var_operand_def()
    cotangents = var_operand_def()
    outputs = var_result_def()
    wrt = opt_prop_def(DenseArrayBase.constr(i64))
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@irdl_op_definition
class JvpOp(IRDLOperation):
    """`dcf.jvp @f(%args) tangents(%ts)`: the results of `@f`, then their tangents, given those of `wrt`."""

    name = "dcf.jvp"
    callee = prop_def(FlatSymbolRefAttrConstr)
    arguments = var_operand_def()
    tangents = var_operand_def()
    outputs = var_result_def()
    wrt = opt_prop_def(DenseArrayBase.constr(i64))
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@irdl_op_definition
class StopGradientOp(IRDLOperation):
    """`dcf.stop_gradient %x`: `%x`, with no derivative."""

    name = "dcf.stop_gradient"
    operand = operand_def()
    result = result_def()
    traits = traits_def(Pure())
