"""Placement as JAX carries it: a named scope `anabranch.device=NAME` in the names of debug locations.

JAX puts the scopes around an op into its name, in loops and branches, in functions that it traces apart and
through its own transformations alike, so nothing else has to be kept while it traces.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.traits import IsTerminator

from ..dcf import CaseOp, CondOp, ScanOp, WhileOp
from ..diagnostics import SourceLoc, names_of
from .devices import DEVICE, handles_container, set_device

_PREFIX = "anabranch.device="
_SCOPE = re.compile(re.escape(_PREFIX) + r"([^/()]+)")

_STRUCTURED = (FuncOp, WhileOp, CondOp, CaseOp, ScanOp)
_SOURCE = frozenset({"stablehlo.while", "stablehlo.if", "stablehlo.case"})


def scope_of_device(name: str) -> str:
    """The name of the scope that places what is traced in it."""
    return _PREFIX + quote(name, safe=":")


def device_of_scopes(location: Attribute) -> str | None:
    """The device that the innermost scope in the names of a location gives."""
    for name in names_of(location):
        if _PREFIX in name:
            found: list[str] = _SCOPE.findall(name)
            if found:
                return unquote(found[-1])
    return None


def has_scopes(text: str) -> bool:
    """Whether a program's text may have such names."""
    return _PREFIX in text


def place_by_scopes(root: ModuleOp | FuncOp) -> None:
    """Give the ops in `root` that are named so, and have no device, their `plan.device`.

    What handles a stack or an array has the name of an op that a gradient needs it for, and is
    placed with the rest of that stack or array.
    """
    for op in root.walk():
        location = op.location
        if isinstance(location, SourceLoc) and location.given is None:
            continue
        device = device_of_scopes(location)
        if device is not None and DEVICE not in op.attributes and _can_be_placed(op):
            set_device(op, device)


def _can_be_placed(op: Operation) -> bool:
    """Not a terminator, a function, an op of a stack, or one in the region of a plain op."""
    if isinstance(op, FuncOp | ModuleOp) or op.has_trait(IsTerminator):
        return False
    if handles_container(op) and not op.regions:
        return False
    parent = op.parent_op()
    return parent is not None and (isinstance(parent, _STRUCTURED) or parent.name in _SOURCE)
