"""Memory that a run frees is kept for the next one.

The C library gives large freed blocks back to the system, and every page that comes from there
again costs a fault: for a training step, as much as its arithmetic may. GNU's library can be told
to keep more; others are left as they are.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache

VARIABLE = "ANABRANCH_KEEP_MEMORY"
"""The environment variable that holds how many MiB to keep; 0 leaves the C library alone."""
KEPT = 256
LARGEST_ON_HEAP = 32
"""MiB up to which blocks come from memory that can be kept; the C library's own upper bound."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3


@cache
def keep_freed_memory() -> None:
    """Tell the C library, once in a process."""
    text = os.environ.get(VARIABLE, str(KEPT))
    kept = int(text) if text.isdecimal() else KEPT
    if kept == 0:
        return
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    mallopt(_MMAP_THRESHOLD, min(kept, LARGEST_ON_HEAP) << 20)
    mallopt(_TRIM_THRESHOLD, min(kept << 20, 2**31 - 1))
