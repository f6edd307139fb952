"""A rough static estimate of how long a kernel takes, from the op and the shapes around it.

Its one use: an event loop that serves several devices gives kernels that take long to a pool, and
runs the rest itself. So a factor of two does not matter. A dynamic dimension counts as 1: such ops
run inline.
"""

from __future__ import annotations

from math import log2, prod, sqrt

from .graph import Graph, Node, NodeKind
from .providers import Provider

HEAVY = 200e-6
"""Seconds from which a kernel is worth handing to another thread."""
PER_ELEMENT = 0.7e-9
"""Seconds per element of simple elementwise work."""
PER_FLOP = 0.1e-9
SLOW = {
    "stablehlo.power": 30,
    "stablehlo.exponential": 8,
    "stablehlo.exponential_minus_one": 12,
    "stablehlo.log": 8,
    "stablehlo.log_plus_one": 12,
    "stablehlo.logistic": 12,
    "stablehlo.tanh": 10,
    "stablehlo.sine": 15,
    "stablehlo.cosine": 15,
    "stablehlo.tan": 20,
    "stablehlo.atan2": 20,
    "stablehlo.cbrt": 20,
    "stablehlo.remainder": 10,
    "stablehlo.divide": 2,
    "stablehlo.gather": 8,
    "stablehlo.dynamic_gather": 8,
    "stablehlo.scatter": 20,
    "stablehlo.select_and_scatter": 40,
    "stablehlo.reduce_window": 20,
    "stablehlo.rng": 10,
    "stablehlo.rng_bit_generator": 10,
}
"""How many times slower than an addition, per element."""
CHEAP = frozenset(
    {
        "stablehlo.reshape",
        "stablehlo.bitcast_convert",
        "stablehlo.optimization_barrier",
        "stablehlo.broadcast_in_dim",
        "stablehlo.slice",
        "stablehlo.transpose",
    }
)
"""Ops that give views, or hand on what they get."""
WINDOWS = ("stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice")
"""Ops that look at a part of their operand only; an update is written in place, but for the first."""
CUBIC = ("stablehlo.cholesky", "stablehlo.triangular_solve", "stablehlo.custom_call")


def mark_heavy(graph: Graph, provider: Provider | None = None) -> None:
    """Notes which nodes are worth a pool, for graphs whose loop may serve several devices; on a
    serial device, those that take time."""
    for node in graph.nodes:
        if provider is not None and provider.serial:
            node.heavy = node.kind == NodeKind.OP and provider.seconds(node) > 0
        elif node.kind == NodeKind.OP and node.name.startswith(("stablehlo.", "chlo.")):
            node.heavy = estimate(graph, node) >= HEAVY


def estimate(graph: Graph, node: Node) -> float:
    """Seconds that an op's kernel takes, about."""
    inputs = [_shape(_type_of(graph.nodes[producer], k)) for producer, k in node.inputs]
    outputs = [_shape(type) for type in node.result_types]
    sizes = [prod(shape) for shape in inputs]
    result = max((prod(shape) for shape in outputs), default=0)
    largest = max((*sizes, result), default=0)
    name = node.name
    if name in CHEAP:
        return 0.0
    if name == "stablehlo.dot_general":
        # lhs * rhs / result = (contracted extent)² · batch.
        contracted = sqrt(sizes[0] * sizes[1] / max(result, 1))
        return 2 * result * contracted * PER_FLOP
    if name == "stablehlo.convolution":
        features = inputs[1][-1] if inputs[1] else 1
        return 2 * result * sizes[1] / max(features, 1) * PER_FLOP
    if name in CUBIC:
        extent = max((shape[-1] for shape in inputs if shape), default=1)
        return 2 * largest * extent * PER_FLOP
    if name == "stablehlo.sort":
        return largest * log2(largest + 2) * 4 * PER_ELEMENT
    if name in WINDOWS:
        largest = sizes[1] if name == "stablehlo.dynamic_update_slice" else result
    special = 30 if name.startswith("chlo.") else 1
    return largest * SLOW.get(name, special) * PER_ELEMENT


def _type_of(node: Node, output: int) -> str:
    """The type text of a value; plumbing hands on the type of what it takes."""
    return node.result_types[output] if output < len(node.result_types) else ""


def _shape(type: str) -> tuple[int, ...]:
    """`tensor<2x?x3xf32>` -> (2, 1, 3)."""
    if not type.startswith("tensor<"):
        return ()
    parts = type[7:].split(",")[0].split("x")
    shape: list[int] = []
    for part in parts:
        if part == "?":
            shape.append(1)
        elif part.isdecimal():
            shape.append(int(part))
        else:
            break
    return tuple(shape)
