"""Arrays (`!dcf.array<T>`, TensorFlow's TensorArray as a value): each index is written at most once."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from .types import ArrayType


@irdl_op_definition
class ArrayNewOp(IRDLOperation):
    """`dcf.array_new %n`: an array of `%n` (scalar integer tensor) unwritten elements."""

    name = "dcf.array_new"
    size = operand_def()
    array = result_def(ArrayType)
    traits = traits_def(Pure())

    def __init__(self, size: SSAValue | Operation, array_type: ArrayType):
        super().__init__(operands=[size], result_types=[array_type])


@irdl_op_definition
class ArrayWriteOp(IRDLOperation):
    """`dcf.array_write %a, %i, %v`: the array with element `%i` set.

    Writing twice or out of range is an error at run time that names the index;
    a gradient array adds repeated writes.
    """

    name = "dcf.array_write"
    array = operand_def(ArrayType)
    index = operand_def()
    value = operand_def()
    result = result_def(ArrayType)
    traits = traits_def(Pure())

    def __init__(
        self,
        array: SSAValue | Operation,
        index: SSAValue | Operation,
        value: SSAValue | Operation,
    ):
        super().__init__(operands=[array, index, value], result_types=[SSAValue.get(array).type])


@irdl_op_definition
class ArrayReadOp(IRDLOperation):
    """`dcf.array_read %a, %i`: element `%i`; unwritten or out of range is an error naming the index."""

    name = "dcf.array_read"
    array = operand_def(ArrayType)
    index = operand_def()
    value = result_def()
    traits = traits_def(Pure())

    def __init__(self, array: SSAValue | Operation, index: SSAValue | Operation):
        array_type = SSAValue.get(array).type
        assert isinstance(array_type, ArrayType)
        super().__init__(operands=[array, index], result_types=[array_type.element_type])


@irdl_op_definition
class ArrayStackOp(IRDLOperation):
    """`dcf.array_stack %a`: all elements along a new leading dimension; all must be written."""

    name = "dcf.array_stack"
    array = operand_def(ArrayType)
    result = result_def()
    traits = traits_def(Pure())


@irdl_op_definition
class ArrayUnstackOp(IRDLOperation):
    """`dcf.array_unstack %t`: an array of the rows of a tensor."""

    name = "dcf.array_unstack"
    tensor = operand_def()
    array = result_def(ArrayType)
    traits = traits_def(Pure())


@irdl_op_definition
class ArraySizeOp(IRDLOperation):
    """`dcf.array_size %a`: the number of elements, a `tensor<i32>`."""

    name = "dcf.array_size"
    array = operand_def(ArrayType)
    size = result_def()
    traits = traits_def(Pure())
