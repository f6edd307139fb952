"""Automatic differentiation of structured programs (Yu et al. 2018, section 5).

`activity` finds what depends on the arguments of interest and influences the results; `backward` and
`structures` make one reverse walk over a function, region by region; `rules` is the table of what each
op contributes; `augment` makes the forward code keep what the backward code reads. The result is
ordinary structured IR, so the passes apply to their own output.
"""

from __future__ import annotations

from . import scans as scans  # registers itself
