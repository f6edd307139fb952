"""The parts below memory budgets: the meter, the host store, boxes on stacks, footprints."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import anabranch as ab
from anabranch.runtime.footprints import Footprints
from anabranch.runtime.graph import Graph, Node, NodeKind
from anabranch.runtime.host_store import HostStore
from anabranch.runtime.memory import MemoryBudget, MemoryMeter, MemoryStats, size_text
from anabranch.runtime.memory_report import amounts
from anabranch.runtime.swapping import Box, Swapper
from anabranch.runtime.values import EMPTY_STACK, Stack


def test_the_meter_counts_each_owner_once_while_it_lives():
    meter = MemoryMeter(10_000)
    array = np.zeros(100, np.float32)
    assert meter.add(array) == 400
    view = array[10:20].reshape(2, 5)
    assert meter.add(view) == 0 and meter.add(array) == 0 and meter.live() == 400
    del array
    assert meter.live() == 400
    del view
    assert meter.live() == 0 and meter.peak == 400
    assert meter.add(np.float32(1)) == 0


def test_the_meter_is_right_when_addresses_are_used_again():
    meter = MemoryMeter(10_000)
    for size in range(1, 200):
        array = np.empty(size, np.uint8)
        meter.add(array)
        del array
    assert meter.live() == 0 and meter.peak == 199


def test_an_argument_counts_as_what_was_passed():
    meter = MemoryMeter(10_000)
    large = np.zeros((100, 100))
    row = large[3]
    meter.add_argument(row)
    meter.add(row[:5])
    assert meter.live() == 800


@pytest.mark.parametrize("at_once", [True, False])
def test_the_store_gives_back_what_it_got(at_once):
    from threading import Event

    store = HostStore(at_once=at_once)
    data = [np.arange(size, dtype=np.uint8) for size in (10, 200, 10)]
    places = [store.place(one.nbytes) for one in data]
    ends: list = []
    event = Event()

    def done(error):
        ends.append(error)
        event.set()

    store.put_later([(place, one.data) for place, one in zip(places, data)], done)
    event.wait(10)
    event.clear()
    back = [np.empty_like(one) for one in data]
    store.prefetch([(place, one.data) for place, one in zip(places, back)], done)
    event.wait(10)
    assert ends == [None, None]
    assert all((one == other).all() for one, other in zip(data, back))
    assert store.size == 220
    store.released.append((places[0], 10))
    assert store.place(10) == places[0] and store.place(10) == 220
    store.close()
    store.put([(0, data[0].data)])  # after the end: nothing


class Inline:
    """Transfers end where they begin."""

    def transfer(self, begin, end):
        begin(end)


@pytest.fixture
def swapper():
    meter = MemoryMeter(100_000)
    made = Swapper(MemoryBudget(100_000), meter, Inline(), MemoryStats(), at_once=True)
    yield made
    made.close()


def test_values_go_oldest_first_and_come_back_with_the_same_bits(swapper):
    draw = np.random.default_rng(0)
    arrays = [
        draw.standard_normal((30, 40)),
        draw.standard_normal((40, 30)).T.astype(ml_dtypes.bfloat16),
        draw.integers(0, 9, (8, 600)).astype(np.int8)[::2],
        draw.standard_normal((2, 300)) + 1j,
    ]
    wanted = [array.tobytes() for array in arrays]
    shapes = [(array.shape, array.dtype) for array in arrays]
    stack = EMPTY_STACK
    for array in arrays:
        swapper.meter.add(array)
        stack = swapper.push(stack, array)
    older = stack.below
    del array, arrays
    swapper.make_room(1)
    boxes = list(stack)
    assert [box.value is None for box in boxes] == [False, False, False, True]
    swapper.make_room(1_000_000)
    assert all(box.value is None for box in boxes)
    assert swapper.meter.live() == 0
    # Every version of the stack sees it, and the depth and bytes are what they were.
    assert older is not None and older.depth == 3
    assert stack.nbytes == sum(box.nbytes for box in boxes)
    come = []
    swapper.fetch(boxes[0], lambda: come.append(True))
    swapper.flush()
    assert come == [True]
    below, top = stack.pop()
    assert swapper.popped(below, top).tobytes() == wanted[3]
    plain = swapper.unboxed(stack)
    values = list(reversed(list(plain)))
    assert [value.tobytes() for value in values] == wanted
    assert [(value.shape, value.dtype) for value in values] == shapes
    places = {box.place for box in boxes}
    del boxes, stack, older, below, top
    swapper.flush()
    assert swapper.away == 0 and {place for place, _ in swapper.store.released} == places


def test_what_others_hold_and_what_is_small_stays(swapper):
    held, free = np.zeros(1000), np.zeros(1000)
    stack = swapper.push(swapper.push(EMPTY_STACK, held), free)
    again = swapper.push(EMPTY_STACK, free)
    assert again.top is stack.top  # one value, one box
    del free
    small = swapper.push(stack, np.zeros(10))
    assert not isinstance(small.top, Box)
    spread = swapper.push(stack, np.broadcast_to(np.zeros(1), (1000,)))
    assert not isinstance(spread.top, Box)
    swapper.make_room(1_000_000)
    assert stack.top.value is None and stack.below.top.value is held
    # Letting go of what is in the store already writes nothing.
    swapper.fetch(stack.top, lambda: None)
    swapper.flush()
    written = swapper.stats.bytes_out
    swapper.make_room(1_000_000)
    assert stack.top.value is None and swapper.stats.bytes_out == written


def test_pops_have_what_is_below_brought_back(swapper):
    stack = EMPTY_STACK
    for _ in range(20):
        stack = swapper.push(stack, np.zeros(1000))
    swapper.make_room(1_000_000)
    box = swapper.missing(stack)
    swapper.fetch(box, lambda: None)
    swapper.flush()
    below, top = stack.pop()
    swapper.popped(below, top)
    swapper.flush()
    resident = [isinstance(box, Box) and box.value is not None for box in below]
    assert resident == [True] * 8 + [False] * 11


def test_plain_stacks_know_nothing_of_it(swapper):
    stack = Stack(EMPTY_STACK, np.zeros(1000))
    assert swapper.missing(stack) is None and swapper.missing(EMPTY_STACK) is None
    assert swapper.unboxed(stack) is stack


def test_footprints_count_inner_trips_and_learn():
    graph = Graph([], [], [], [])
    from anabranch.runtime.graph import FrameInfo

    graph.frames = [
        FrameInfo(0, "", 0, ()),
        FrameInfo(1, "outer", 0, ("outer",)),
        FrameInfo(2, "inner", 1, ("outer", "inner")),
    ]
    texts = [
        (1, "stablehlo.add", "tensor<2x3xf32>"),
        (2, "stablehlo.add", "tensor<4xcomplex<f64>>"),
        (2, "stablehlo.add", "tensor<?x4xf32>"),
        (2, "stablehlo.reshape", "tensor<100xf32>"),
        (2, "dcf.stack_pop", "tensor<8xbf16>"),
        (2, "stablehlo.add", "tensor<f32>"),
    ]
    for number, (frame, name, text) in enumerate(texts):
        graph.nodes.append(Node(number, NodeKind.OP, name, frame, result_types=(text,)))
    footprints = Footprints(graph)
    assert footprints.of_node == [24, 64, 0, 0, 16, 0]
    assert footprints.of_frame == [0, 104, 80]
    footprints.learn(graph.nodes[2], 160)
    footprints.learn(graph.nodes[2], 80)
    assert footprints.of_frame == [0, 264, 240]


def test_sizes_as_text():
    assert [size_text(n) for n in (12, 2048, 1536, 3 << 20, 5 << 40)] == [
        "12B",
        "2KiB",
        "1.5KiB",
        "3MiB",
        "5120GiB",
    ]


STACKS = """
func.func @main(%x: tensor<64x64xf32>) -> (!dcf.stack<tensor<64x64xf32>>, tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<20> : tensor<i32>
  %s = dcf.stack_new : !dcf.stack<tensor<64x64xf32>>
  %r:3 = dcf.while (%i = %zero, %v = %x, %t = %s
      : tensor<i32>, tensor<64x64xf32>, !dcf.stack<tensor<64x64xf32>>) cond {
    %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dcf.condition %go
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.sine %v : tensor<64x64xf32>
    %u = dcf.stack_push %t, %w : !dcf.stack<tensor<64x64xf32>>
    dcf.yield %j, %w, %u : tensor<i32>, tensor<64x64xf32>, !dcf.stack<tensor<64x64xf32>>
  }
  %d = dcf.stack_add %r#2, %r#2 : !dcf.stack<tensor<64x64xf32>>
  %e, %top = dcf.stack_pop %d : !dcf.stack<tensor<64x64xf32>>
  func.return %r#2, %top : !dcf.stack<tensor<64x64xf32>>, tensor<64x64xf32>
}
"""


def test_stacks_that_are_added_and_that_leave_the_run_are_whole():
    x = np.random.default_rng(0).standard_normal((64, 64)).astype(np.float32)
    module = ab.parse(STACKS)
    stack, top = ab.compile(module)(x)
    budgeted, same = ab.compile(module, memory="160KiB")(x)
    assert same.tobytes() == top.tobytes()
    assert [v.tobytes() for v in budgeted] == [v.tobytes() for v in stack]
    assert not any(isinstance(element, Box) for element in budgeted)


def test_amounts_are_exact_where_rounding_hides_that_they_do_not_fit():
    assert amounts(4096, 16384, 16384) == ["4KiB", "16KiB", "16KiB"]
    assert amounts(4096, 12312, 16384) == ["4KiB", "12312B", "16KiB"]
    assert amounts(8, 2**20, 2**20) == ["8B", "1MiB", "1MiB"]
    assert amounts(2**20, 9, 2**20) == ["1MiB", "9B", "1MiB"]
