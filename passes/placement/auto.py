"""Fills the gaps of a program that is placed in part.

What the program says comes first, then the rules, then the default of the loop or branch around an op.
What is left goes, in turns, by the forward op (a gradient's op), by the operands, by the users, and
last to the default device. Constants and arguments follow their users.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.traits import IsTerminator

from ...dialects.diagnostics import ProgramError
from ...dialects.plan.devices import (
    argument_devices,
    device_of,
    result_devices,
)
from ..autodiff.emitter import ORIGIN
from .groups import FILLING, Group, Groups
from .rules import Rules
from .scope import (
    STRUCTURED,
    Choice,
    Item,
    bytes_of_type,
    heirs,
    homes,
    is_constant,
    place_text,
    reads,
    structured_around,
)

FAR = 256
"""How many values to go through in search of a placed one: enough for programs that people write."""


class Filler:
    """The choices for one function; `run` makes them."""

    def __init__(
        self,
        function: FuncOp,
        ops: Sequence[Operation],
        groups: Groups,
        rules: Rules | None,
        default: str,
    ):
        self.function = function
        self.ops = ops
        self.position = {op: number for number, op in enumerate(ops)}
        self.constants = {op for op in ops if is_constant(op)}
        self.groups = groups
        self.rules = rules
        self.default = default
        self.arguments = list(function.body.block.args)
        end = function.body.block.last_op
        assert isinstance(end, ReturnOp)
        self.end = end
        self.results = result_devices(function)
        self.choices: dict[Item, Choice] = {}
        self.forward: dict[Operation, Operation] = {}
        """Op of a gradient -> the op that it is the gradient of."""

    def run(self) -> tuple[dict[Item, Choice], list[str]]:
        """The choices, and the devices of the results."""
        self._find_forward_ops()
        self._place_given()
        for group in self.groups.all:
            self._place_group(group)
        if self.choices or any(self.results):
            self._spread()
        self._fill([*self.arguments, *self.ops], self._by_default)
        results = [
            given or self._home(value) or self.default
            for given, value in zip(self.results, self.end.operands, strict=True)
        ]
        return self.choices, results

    def _spread(self) -> None:
        """From what is placed to what is not."""
        self._fill(self.ops, self._by_operands)
        # Users of what has no placed operand, last first: from a placed op back to its sources.
        sources = [op for op in self.ops if op not in self.forward]
        self._fill(reversed([*self.arguments, *sources]), self._by_users)
        self._fill(self.ops, self._by_operands)
        self._fill(reversed([*self.arguments, *self.ops]), self._by_users)
        for op in self.ops:
            self._fill((op,), self._by_operands)
            self._fill((op,), self._by_default)
        self._fill(self.arguments, self._by_users)

    # What is given.

    def _place_given(self) -> None:
        for argument, device in zip(self.arguments, argument_devices(self.function), strict=True):
            rule = self.rules and self.rules.rule_for(argument.location, f"arg{argument.index}")
            if device is not None:
                self.choices[argument] = Choice(device, "given")
            elif rule:
                self.choices[argument] = Choice(rule.device, f"rule {rule.pattern} ({rule.where})")
        for op in self.ops:
            rule = self.rules.rule_for(op.location) if self.rules is not None else None
            device = device_of(op)
            if device is not None:
                self.choices[op] = Choice(device, "given")
            elif op not in self.groups.of:
                if rule is not None:
                    self.choices[op] = Choice(rule.device, f"rule {rule.pattern} ({rule.where})")
                elif op not in self.constants and (choice := _default_around(op)) is not None:
                    self.choices[op] = choice

    def _place_group(self, group: Group) -> None:
        """By what is given for one of the group; else by rules and defaults for what fills it."""
        given: tuple[str, str, Operation | None] | None = None
        for item, choice in self._given(group):
            place = _name_of(item)
            if given is not None and given[0] != choice:
                raise ProgramError(
                    f"expected all that handles one {group.kind} on one device,"
                    f' got {place} on "{choice}" and {given[1]} on "{given[0]}"',
                    item if isinstance(item, Operation) else given[2] or self.function,
                )
            if given is None or given[2] is None:
                given = (choice, place, item if isinstance(item, Operation) else None)
        if given is not None:
            self._place_all(group, Choice(given[0], f"its {group.kind}: given for {given[1]}"))
            return
        filling = list(group.filling)
        others = [
            item for item in group.items if isinstance(item, Operation) and item not in filling
        ]
        for op in (*filling, *others):
            rule = self.rules.rule_for(op.location) if self.rules is not None else None
            if rule is not None:
                why = f"its {group.kind}: rule {rule.pattern} ({rule.where})"
                self._place_all(group, Choice(rule.device, why))
                return
        for op in (*filling, *others):
            if (choice := _default_around(op)) is not None:
                self._place_all(group, Choice(choice.device, f"its {group.kind}: {choice.why}"))
                return

    def _given(self, group: Group) -> Iterable[tuple[Item | int, str]]:
        for item in group.items:
            choice = self.choices.get(item)
            if choice is not None and choice.why == "given":
                yield item, choice.device
        for number in group.results:
            device = self.results[number]
            if device is not None:
                yield number, device

    # What is not.

    def _fill(self, items: Iterable[Item], choose: Callable[[Item], Choice | None]) -> None:
        for item in items:
            if item in self.choices or (choice := choose(item)) is None:
                continue
            group = self.groups.of.get(item)
            if group is None:
                self.choices[item] = choice
            else:
                self._place_all(group, Choice(choice.device, f"its {group.kind}: {choice.why}"))

    def _place_all(self, group: Group, choice: Choice) -> None:
        for item in group.items:
            self.choices.setdefault(item, choice)

    def _by_operands(self, item: Item) -> Choice | None:
        """Where most bytes of the operands are; of a stack, of what is put into it."""
        assert isinstance(item, Operation)
        if (forward := self.forward.get(item)) is not None and item not in self.groups.of:
            chosen = self.choices.get(forward)
            if chosen is None:
                return None
            return Choice(chosen.device, f"gradient of {_name_of(forward)}")
        if item in self.constants or (item in self.groups.of and not isinstance(item, FILLING)):
            return None
        there: dict[str, int] = {}
        total = 0
        for value in reads(item):
            if value.owner in self.constants:
                continue
            size = bytes_of_type(value.type)
            total += size
            if (device := self._home(value)) is not None:
                there[device] = there.get(device, 0) + size
        if not there:
            return None
        device = max(there, key=lambda name: there[name])
        return Choice(device, f"operands ({there[device]} of {total} bytes there)")

    def _by_users(self, item: Item) -> Choice | None:
        """Where most users are."""
        found: list[tuple[int, str]] = []
        for value in (item,) if isinstance(item, BlockArgument) else item.results:
            found.extend(self._users(value))
        users: dict[str, int] = {}
        for _, device in sorted(found):
            users[device] = users.get(device, 0) + 1
        if not users:
            return None
        device = max(users, key=lambda name: users[name])
        return Choice(device, f"users ({users[device]} of {sum(users.values())} there)")

    def _by_default(self, item: Item) -> Choice:
        return Choice(self.default, "default device")

    def _home(self, value: SSAValue) -> str | None:
        """The device of the op or argument that a value comes from, if it has one already."""
        pending = [value]
        seen: set[SSAValue] = set()
        while pending and len(seen) < FAR:
            at = pending.pop()
            if at in seen:
                continue
            seen.add(at)
            item = at.owner if isinstance(at.owner, Operation) else at
            if isinstance(item, Operation | BlockArgument) and item in self.choices:
                return self.choices[item].device
            pending.extend(reversed(list(homes(at))))
        return None

    def _users(self, value: SSAValue) -> Iterable[tuple[int, str]]:
        """The positions and devices of the ops that use a value, also through loops and branches."""
        pending = [value]
        seen: set[SSAValue] = {value}
        while pending and len(seen) < FAR:
            for use in pending.pop().uses:
                user = use.operation
                if user is self.end:
                    if (device := self.results[use.index]) is not None:
                        yield len(self.ops) + use.index, device
                elif isinstance(user, STRUCTURED) or user.has_trait(IsTerminator):
                    for heir in heirs(user, use.index):
                        if heir not in seen:
                            seen.add(heir)
                            pending.append(heir)
                elif (op := self._placed_around(user)) is not None:
                    yield self.position[op], self.choices[op].device

    def _placed_around(self, user: Operation) -> Operation | None:
        """The plain op that a use is in, if it has a device: the user, or what holds it."""
        at: Operation | None = user
        while at is not None and not isinstance(at, STRUCTURED) and at is not self.function:
            if at in self.choices:
                return at
            at = at.parent_op()
        return None

    def _find_forward_ops(self) -> None:
        """Ops of one origin: the first in the text is the forward op."""
        first: dict[Attribute, Operation] = {}
        for op in self.ops:
            origin = op.attributes.get(ORIGIN)
            if origin is not None and (forward := first.setdefault(origin, op)) is not op:
                self.forward[op] = forward


def _default_around(op: Operation) -> Choice | None:
    for structured in structured_around(op):
        device = device_of(structured)
        if device is not None:
            return Choice(device, f"default of {_name_of(structured)}")
    return None


def _name_of(item: Item | int) -> str:
    if isinstance(item, int):
        return f"result {item}"
    if isinstance(item, BlockArgument):
        return f"argument {item.index}"
    return f"'{item.name}' ({place_text(item)})"
