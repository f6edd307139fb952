"""Chooses a device for each op of a structured program; the pass is `assign-devices`.

`scope` says what there is to place, `groups` what must stay together, `rules` reads rules from a file,
`auto` and `chance` choose, `report` tells why.
"""
