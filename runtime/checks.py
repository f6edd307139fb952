"""Checks of what callers of `compile` and of an executable give that annotations alone do not stop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp


def check_module(module: object) -> None:
    """A TypeError for what is no module, such as the path of a program or a function."""
    if not isinstance(module, ModuleOp):
        raise TypeError(
            f"expected a module, as ab.parse or ab.from_jax make, got a {type(module).__name__}"
        )


def check_devices(devices: object) -> None:
    """A TypeError for what is neither a number nor a list of names; text is left to who reads it."""
    if devices is None or isinstance(devices, int | str):
        return
    names = list(cast("Sequence[object]", devices)) if isinstance(devices, Sequence) else [None]
    if not all(isinstance(name, str) for name in names):
        raise TypeError(f"expected a number of devices or a list of names, got {devices!r}")


def check_providers(providers: object) -> None:
    """A TypeError for what does not say by the name of a device what runs its ops."""
    if providers is None:
        return
    if not isinstance(providers, Mapping):
        raise TypeError(f"expected providers by device, as a dict, got {providers!r}")
    from .providers import Provider

    for name, provider in cast("Mapping[object, object]", providers).items():
        if not isinstance(provider, Provider):
            raise TypeError(
                "providers: expected a provider such as ab.Simulated(…) for"
                f" {name!r}, got {provider!r}"
            )


def checked_deadline(deadline: Any) -> float | None:
    """A deadline in seconds; None, and infinity too, is without one."""
    if deadline is None:
        return None
    try:
        seconds = float(deadline)
    except (TypeError, ValueError):
        raise TypeError(f"expected a deadline in seconds, got {deadline!r}") from None
    if not seconds > 0:
        raise ValueError(f"expected a deadline above 0 seconds, got {deadline}")
    return None if seconds == float("inf") else seconds
