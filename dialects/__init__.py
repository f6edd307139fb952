"""The vocabulary of every level, one dialect per module or folder, loaded only when used."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Dialect


def _builtin() -> Dialect:
    from xdsl.dialects.builtin import Builtin

    return Builtin


def _func() -> Dialect:
    from xdsl.dialects.func import Func

    return Func


def _stablehlo() -> Dialect:
    from .stablehlo import STABLEHLO

    return STABLEHLO


def _chlo() -> Dialect:
    from .chlo import CHLO

    return CHLO


def _sdy() -> Dialect:
    from .sdy import SDY

    return SDY


def _quant() -> Dialect:
    from .quant import QUANT

    return QUANT


def _dcf() -> Dialect:
    from .dcf import DCF

    return DCF


def _dfg() -> Dialect:
    from .dfg import DFG

    return DFG


def _plan() -> Dialect:
    from .plan import PLAN

    return PLAN


DIALECTS: dict[str, Callable[[], Dialect]] = {
    "builtin": _builtin,
    "func": _func,
    "stablehlo": _stablehlo,
    "chlo": _chlo,
    "sdy": _sdy,
    "quant": _quant,
    "dcf": _dcf,
    "dfg": _dfg,
    "plan": _plan,
}
"""Every dialect the tools know, by name, as a lazy getter."""

OWN_DIALECTS = ("stablehlo", "chlo", "sdy", "quant", "dcf", "dfg", "plan")
"""Those defined here (the others are xDSL's)."""
