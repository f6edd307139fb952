"""Batch normalization: `batch_norm_training`, `batch_norm_inference`, `batch_norm_grad`."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping

from xdsl.dialects.builtin import I64, Float32Type, FloatAttr, IntegerAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from .constraints import FLOAT_QUANTIZED, TensorOf
from .inference import element_of, shape_of
from .rules import expect_dims, expect_element, expect_shape, expect_type

_TENSOR = TensorOf(FLOAT_QUANTIZED)
_FEATURES = TensorOf(FLOAT_QUANTIZED, rank=1)


class BatchNormOp(IRDLOperation, ABC):
    """Base: `feature_index` names the dimension whose indices are normalized apart.

    A base's operands would come behind those of its subclasses, so each op defines all of its own.
    """

    epsilon = prop_def(FloatAttr[Float32Type])
    feature_index = prop_def(IntegerAttr[I64])
    traits = traits_def(Pure())

    def _verify_features(self) -> str:
        """Constraints 1 and 2; the result is the prefix of the labels."""
        label = self.name.removeprefix("stablehlo.")
        rank = len(shape_of(self.operands[0]))
        expect_dims("feature_index", [self.feature_index.value.data], rank, f"{label}_c1")
        element = element_of(self.operands[0])
        for value in (*self.operands, *self.results):
            expect_element(_name_of(self, value), value.type, element, f"{label}_c2")
        return label

    def _verify_counts(self, label: str, numbers: Mapping[str, int]) -> None:
        """One number for each index of the feature dimension, by the constraints `numbers`."""
        count = shape_of(self.operands[0])[self.feature_index.value.data]
        for name, number in numbers.items():
            value: SSAValue = getattr(self, name)
            expect_shape(name, value.type, (count,), f"{label}_c{number}")


def _name_of(op: IRDLOperation, value: SSAValue) -> str:
    """The name of an operand or a result of the op."""
    definition = op.get_irdl_definition()
    names = [name for name, _ in (*definition.operands, *definition.results)]
    return names[[*op.operands, *op.results].index(value)]


@irdl_op_definition
class BatchNormTrainingOp(BatchNormOp):
    """`"stablehlo.batch_norm_training"(%x, %scale, %offset)`: normalizes by the batch's own moments.

    Also gives the mean and the variance of each feature, over all other dimensions.
    """

    name = "stablehlo.batch_norm_training"
    operand = operand_def(_TENSOR)
    scale = operand_def(_FEATURES)
    offset = operand_def(_FEATURES)
    output = result_def(_TENSOR)
    batch_mean = result_def(_FEATURES)
    batch_var = result_def(_FEATURES)

    def verify_(self) -> None:
        label = self._verify_features()
        counts = {"scale": 3, "offset": 4, "batch_mean": 5, "batch_var": 6}
        self._verify_counts(label, counts)
        expect_type("output", self.output.type, self.operand.type, f"{label}_c7")


@irdl_op_definition
class BatchNormInferenceOp(BatchNormOp):
    """`"stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance)`: normalizes by given
    moments."""

    name = "stablehlo.batch_norm_inference"
    operand = operand_def(_TENSOR)
    scale = operand_def(_FEATURES)
    offset = operand_def(_FEATURES)
    mean = operand_def(_FEATURES)
    variance = operand_def(_FEATURES)
    result = result_def(_TENSOR)

    def verify_(self) -> None:
        label = self._verify_features()
        self._verify_counts(label, {"scale": 3, "offset": 4, "mean": 5, "variance": 6})
        expect_type("result", self.result.type, self.operand.type, f"{label}_c7")


@irdl_op_definition
class BatchNormGradOp(BatchNormOp):
    """`"stablehlo.batch_norm_grad"(%x, %scale, %mean, %variance, %grad_output)`: the gradients of
    `batch_norm_training` with respect to its operands."""

    name = "stablehlo.batch_norm_grad"
    operand = operand_def(_TENSOR)
    scale = operand_def(_FEATURES)
    mean = operand_def(_FEATURES)
    variance = operand_def(_FEATURES)
    grad_output = operand_def(_TENSOR)
    grad_operand = result_def(_TENSOR)
    grad_scale = result_def(_FEATURES)
    grad_offset = result_def(_FEATURES)

    def verify_(self) -> None:
        label = self._verify_features()
        for name, value in (("grad_output", self.grad_output), ("grad_operand", self.grad_operand)):
            expect_shape(name, value.type, shape_of(self.operand), f"{label}_c3")
        for name in ("mean", "variance", "grad_scale", "grad_offset"):
            value: SSAValue = getattr(self, name)
            expect_shape(name, value.type, shape_of(self.scale), f"{label}_c4")
        self._verify_counts(label, {"scale": 5})
