"""`plan`, the declared parallel scheme: devices, how they are connected, and what lives where."""

from __future__ import annotations
