"""`dcf.probe`: a visible effect, for debugging and for tests of what runs and in which order."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, var_operand_def


@irdl_op_definition
class ProbeOp(IRDLOperation):
    """`dcf.probe "label" %values`: reports the label and values to the runtime's probe sink.

    Probes that run do so once each, in program order (iterations of a loop in order); those in a branch
    that is not taken do not run.
    """

    name = "dcf.probe"
    label = prop_def(StringAttr)
    values = var_operand_def()

    def __init__(self, label: str, values: Sequence[SSAValue]):
        super().__init__(operands=[values], properties={"label": StringAttr(label)})
