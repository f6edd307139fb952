"""What Anabranch adds to xDSL's tools: its dialects and passes, by name, as lazy getters."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xdsl.passes import ModulePass
from xdsl.universe import Universe

from .dialects import DIALECTS, OWN_DIALECTS
from .lowering import LOWERINGS, get_lowering
from .passes import PASSES, get_pass

ALL_PASSES: dict[str, Callable[[], type[ModulePass]]] = {
    **{name: partial(get_pass, name) for name in PASSES},
    **{name: partial(get_lowering, name) for name in LOWERINGS},
}

ANABRANCH = Universe(
    all_dialects={name: DIALECTS[name] for name in OWN_DIALECTS},
    all_passes=ALL_PASSES,
)
