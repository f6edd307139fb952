"""`plan`, the declared parallel scheme: devices, how they are connected, and what lives where.

Declared only: passes such as `assign-devices` and `partition-devices` carry it out.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from .topology import DeviceOp, LinkOp, TopologyOp
from .topology import topology_of as topology_of

PLAN = Dialect("plan", [TopologyOp, DeviceOp, LinkOp], [])
