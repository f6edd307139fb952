"""`plan.topology`: the devices that a program may use, and how they are connected."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsolatedFromAbove, NoTerminator, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from ..dcf.assembly import parse_attributes, print_attributes
from ..dcf.loops import print_body
from ..diagnostics import ProgramError, RuleError
from ..spelling import did_you_mean, unknown_op
from .quantities import bytes_of, rate_of, seconds_of

SIMULATED = "sim"
"""The kind of a device whose ops take the time that is declared, not the time they need."""

KINDS = ("cpu", SIMULATED)
"""What `kind` can be."""


@irdl_op_definition
class TopologyOp(IRDLOperation):
    """`plan.topology @name { devices and links }`: what a program may run on; one in a module.

    ```
    plan.topology @pair {
      plan.device "cpu:0" {memory = "64MiB"}
      plan.device "cpu:1" {thread = "own"}
      plan.link "cpu:0" to "cpu:1" {bandwidth = "10GB/s", latency = "5us"}
    }
    ```

    Ops without a place of their own go to the first device, all else being equal.

    Errors: no device; two devices of one name; any other op; a link from or to a device that is not
    there, or that is there twice.
    """

    name = "plan.topology"
    sym_name = prop_def(StringAttr)
    body: Region = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(self, name: str, body: Region):
        super().__init__(regions=[body], properties={"sym_name": StringAttr(name)})

    @property
    def devices(self) -> list[DeviceOp]:
        """The devices, in order."""
        return [op for op in self.body.block.ops if isinstance(op, DeviceOp)]

    @property
    def links(self) -> list[LinkOp]:
        """The declared links, in order."""
        return [op for op in self.body.block.ops if isinstance(op, LinkOp)]

    def link(self, source: str, target: str) -> LinkOp | None:
        """The link from one device to another: its own, or else the one declared the other way."""
        ends = {(link.source.data, link.target.data): link for link in self.links}
        return ends.get((source, target)) or ends.get((target, source))

    def verify_(self) -> None:
        for op in self.body.block.ops:
            if not isinstance(op, DeviceOp | LinkOp):
                raise RuleError(f"expected plan.device or plan.link, got {op.name}", op)
        if not self.devices:
            raise VerifyException("expected at least one device, got none")
        names: set[str] = set()
        for device in self.devices:
            name = device.device_name.data
            if name in names:
                raise RuleError(f'expected each device once, got "{name}" again', device)
            names.add(name)
        ends: set[tuple[str, str]] = set()
        for link in self.links:
            pair = (link.source.data, link.target.data)
            for name in pair:
                if name not in names:
                    known = ", ".join(f'"{each}"' for each in sorted(names))
                    raise RuleError(
                        f'expected a device of the topology ({known}), got "{name}"', link
                    )
            if pair in ends:
                raise RuleError(
                    f'expected one link from "{pair[0]}" to "{pair[1]}", got another', link
                )
            ends.add(pair)

    @classmethod
    def parse(cls, parser: Parser) -> TopologyOp:
        name = parser.parse_symbol_name()
        body = parser.parse_region(())
        properties, attributes = parse_attributes(parser, cls, ("sym_name",))
        properties["sym_name"] = name
        return cls.create(properties=properties, attributes=attributes, regions=[body])

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name)
        printer.print_string(" ")
        print_body(printer, self.body)
        print_attributes(printer, self, ("sym_name",))


@irdl_op_definition
class DeviceOp(IRDLOperation):
    """`plan.device "cpu:1" {kind, memory, thread, times}`: a device; all attributes may be left out.

    `kind`: what computes there, "cpu" or "sim"; by default the name up to its colon. `memory`: how many bytes the
    values of a run may take there. `thread = "own"`: the device has a thread of its own. `times`,
    for kind "sim": how long ops take, by name, and `default` for all others:
    `{default = "1us", stablehlo.dot_general = "5ms"}`.

    Errors: an amount that is none; a `kind` that is none; `thread` that is not "own"; `times` of a
    device of another kind or of an op that does not exist; any other attribute.
    """

    name = "plan.device"
    device_name = prop_def(StringAttr)
    kind = opt_prop_def(StringAttr)
    memory = opt_prop_def(StringAttr)
    thread = opt_prop_def(StringAttr)
    times = opt_prop_def(DictionaryAttr)
    traits = traits_def(HasParent(TopologyOp))

    @property
    def kind_name(self) -> str:
        """The kind, given or by the name."""
        return self.kind.data if self.kind is not None else self.device_name.data.split(":")[0]

    @property
    def memory_bytes(self) -> int | None:
        """The memory in bytes; None is without bound."""
        return None if self.memory is None else bytes_of(self.memory.data, "an amount of memory")

    @property
    def has_own_thread(self) -> bool:
        """Whether it shares its thread with no other device."""
        return self.thread is not None

    @property
    def op_seconds(self) -> dict[str, float]:
        """How long ops take on a simulated device: op name, or `default` -> seconds."""
        if self.times is None:
            return {}
        return {name: _seconds(name, time) for name, time in self.times.data.items()}

    def verify_(self) -> None:
        if not self.device_name.data or any(c.isspace() for c in self.device_name.data):
            raise VerifyException(
                f'expected the name of a device such as "cpu:1", got "{self.device_name.data}"'
            )
        _check_attributes(self, ("kind", "memory", "thread", "times"))
        if not self.kind_name:
            raise VerifyException('expected a kind such as "cpu", got none')
        if self.kind is not None and self.kind.data not in KINDS:
            known = " or ".join(f'"{kind}"' for kind in KINDS)
            hint = did_you_mean(self.kind.data, KINDS)
            raise VerifyException(f'expected kind to be {known}, got "{self.kind.data}"{hint}')
        if self.thread is not None and self.thread.data != "own":
            raise VerifyException(f'expected thread = "own", got "{self.thread.data}"')
        if self.times is not None and self.kind_name != SIMULATED:
            raise VerifyException(
                f'expected times only of a device of kind "{SIMULATED}",'
                f' got kind "{self.kind_name}"'
            )
        for name in self.op_seconds:
            wrong = None if name == "default" else unknown_op(name)
            if wrong is not None:
                raise VerifyException(f"times: {wrong}")
        if self.memory is not None and self.memory_bytes == 0:
            raise VerifyException(f'expected memory of at least 1 byte, got "{self.memory.data}"')

    @classmethod
    def parse(cls, parser: Parser) -> DeviceOp:
        name = StringAttr(parser.parse_str_literal())
        properties, attributes = parse_attributes(parser, cls, ("device_name",))
        properties["device_name"] = name
        return cls.create(properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.device_name.data)
        print_attributes(printer, self, ("device_name",))


@irdl_op_definition
class LinkOp(IRDLOperation):
    """`plan.link "cpu:0" to "cpu:1" {bandwidth = "10GB/s", latency = "5us"}`: a way for messages.

    The way back is the same, unless it is declared too. `bandwidth` and `latency` may be left out:
    then sending takes no time.

    Errors: an amount that is none; one device at both ends; any other attribute.
    """

    name = "plan.link"
    source = prop_def(StringAttr)
    target = prop_def(StringAttr)
    bandwidth = opt_prop_def(StringAttr)
    latency = opt_prop_def(StringAttr)
    traits = traits_def(HasParent(TopologyOp))

    @property
    def bytes_per_second(self) -> float | None:
        """The bandwidth; None is without bound."""
        return None if self.bandwidth is None else rate_of(self.bandwidth.data, "a bandwidth")

    @property
    def latency_seconds(self) -> float:
        """The latency in seconds."""
        return 0.0 if self.latency is None else seconds_of(self.latency.data, "a latency")

    def verify_(self) -> None:
        _check_attributes(self, ("bandwidth", "latency"))
        if self.source == self.target:
            raise VerifyException(
                f'expected a link between two devices, got "{self.source.data}" at both ends'
            )
        _ = self.bytes_per_second, self.latency_seconds

    @classmethod
    def parse(cls, parser: Parser) -> LinkOp:
        source = StringAttr(parser.parse_str_literal())
        parser.parse_keyword("to")
        target = StringAttr(parser.parse_str_literal())
        properties, attributes = parse_attributes(parser, cls, ("source", "target"))
        properties |= {"source": source, "target": target}
        return cls.create(properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.source.data)
        printer.print_string(" to ")
        printer.print_string_literal(self.target.data)
        print_attributes(printer, self, ("source", "target"))


def topology_of(module: ModuleOp) -> TopologyOp | None:
    """The module's topology, if it has one."""
    found = [op for op in module.body.block.ops if isinstance(op, TopologyOp)]
    if len(found) > 1:
        raise ProgramError(f"expected one plan.topology in a module, got {len(found)}", found[1])
    return found[0] if found else None


def _check_attributes(op: IRDLOperation, known: Sequence[str]) -> None:
    """Attributes without a dialect in their name are those that the op has a use for."""
    for name in op.attributes:
        if "." not in name:
            *others, last = known
            raise VerifyException(
                f"expected {', '.join(others)} or {last} as an attribute of {op.name},"
                f" got {name}{did_you_mean(name, known)}"
            )


def _seconds(name: str, time: Attribute) -> float:
    what = f"a time of {name}"
    if not isinstance(time, StringAttr):
        raise VerifyException(f'expected {what} such as "5us", got {time}')
    return seconds_of(time.data, what)
