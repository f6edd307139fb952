"""Rules that place ops by where the program that they come from says they are.

A file of lines `pattern -> device`. A pattern is met by an op if it fits a run of whole steps of the
op's name in the debug locations (`layer1` fits `jit(step)/layer1/mul`, as `jax.named_scope` makes it;
so do `layer*` and `layer1/mul`), or of a function's that led to it; or if it is `FILE:LINE` or
`FILE:FIRST-LAST` and a line of the op's calls in the source. `*`, `?` and `[…]` are as in the names
of files. The first rule that fits decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import translate

from xdsl.dialects.builtin import LocationAttr

from ...dialects.diagnostics import (
    UNKNOWN_PLACE,
    CallPlace,
    DataError,
    FilePlace,
    FusedPlace,
    NamedPlace,
    Place,
    SourceLoc,
    names_of,
    place_of,
    position_of,
)

_LINES = re.compile(r"(.+):(\d+)(?:-(\d+))?")
_WRAPPED = re.compile(r"\w+\(([^()]*)\)")
"""`jvp(layer1)`: what JAX's transformations make of a step."""


@dataclass(eq=False)
class Rule:
    """One line of a file of rules."""

    pattern: str
    device: str
    where: str
    """`FILE:LINE` of the rule."""
    may_miss: bool = False
    """Whether it is no mistake when no op fits."""
    met: bool = field(default=False, init=False)
    """Whether an op fitted."""

    def __post_init__(self) -> None:
        # A run of whole steps: from a slash or the start to a slash or the end.
        self._path = re.compile(f"(?:^|/)(?:{_regex(self.pattern)})(?:/|$)")
        lines = _LINES.fullmatch(self.pattern)
        self._file = None if lines is None else re.compile(f"(?:^|/)(?:{_regex(lines[1])})$")
        self._first = 0 if lines is None else int(lines[2])
        self._last = self._first if lines is None or lines[3] is None else int(lines[3])

    def fits(self, names: Sequence[str], frames: Sequence[tuple[str, int]]) -> bool:
        """Whether an op of these names, at these lines, meets the pattern."""
        found = any(self._path.search(name) for name in names)
        if not found and self._file is not None:
            found = any(
                self._first <= line <= self._last and self._file.search(file)
                for file, line in frames
            )
        self.met = self.met or found
        return found


class Rules:
    """The rules of a file, in order."""

    def __init__(self, rules: Sequence[Rule]):
        self.rules = rules
        self._located = False
        """Whether any op has a debug location."""
        self._known: dict[LocationAttr | None, Rule | None] = {}

    @classmethod
    def parse(cls, text: str, file: str) -> Rules:
        """The rules of a file's text; a line that is none is an error at it."""
        rules: list[Rule] = []
        for number, line in enumerate(text.splitlines(), 1):
            line = re.sub(r"(^|\s)#.*", "", line).strip()
            if line:
                rules.append(_rule(line, f"{file}:{number}"))
        return cls(rules)

    @classmethod
    def load(cls, file: str) -> Rules:
        """The rules of a file."""
        try:
            with open(file, encoding="utf-8") as stream:
                return cls.parse(stream.read(), file)
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise DataError(f"cannot read the rules: {reason}", file) from None

    @property
    def devices(self) -> list[str]:
        """The devices that the rules name."""
        return list(dict.fromkeys(rule.device for rule in self.rules))

    def check_devices(self, devices: Sequence[str]) -> None:
        """Every rule's device is one of these."""
        for rule in self.rules:
            if rule.device not in devices:
                known = ", ".join(devices)
                raise DataError(
                    f"expected one of the devices {known}, got {rule.device}", rule.where
                )

    def rule_for(self, location: LocationAttr, *more: str) -> Rule | None:
        """The first rule that fits an op at a location; `more` are further names of it."""
        if not more and location in self._known:
            return self._known[location]
        names = [*_names(location), *more]
        frames = list(_frames(location))
        self._located = self._located or _has_place(location)
        # All are asked, so that each knows whether anything fits it.
        fitting = [rule for rule in self.rules if rule.fits(names, frames)]
        rule = fitting[0] if fitting else None
        if not more:
            self._known[location] = rule
        return rule

    def check_met(self) -> None:
        """Every rule that has to fit an op did."""
        for rule in self.rules:
            if not rule.met and not rule.may_miss:
                why = "" if self._located else ": it has no debug locations to name its ops"
                raise DataError(
                    f'expected an op named or placed like "{rule.pattern}", the program has none'
                    f"{why} (`?->` instead of `->` allows that)",
                    rule.where,
                )


def _rule(line: str, where: str) -> Rule:
    pattern, arrow, device = line.rpartition("->")
    may_miss = pattern.endswith("?") and pattern[:-1] != pattern[:-1].rstrip()
    pattern = (pattern[:-1] if may_miss else pattern).strip()
    device = device.strip()
    if not arrow:
        raise DataError(f'expected a rule "pattern -> device", got "{line}"', where)
    if not pattern:
        raise DataError(f'expected a pattern before the arrow, got "{line}"', where)
    if not device or re.search(r"\s", device):
        raise DataError(f'expected the name of a device after the arrow, got "{device}"', where)
    return Rule(pattern, device, where, may_miss)


def _regex(pattern: str) -> str:
    r"""A glob as a regular expression, without the `\Z` that it would end in."""
    return translate(pattern).removesuffix(r"\Z")


def _names(location: LocationAttr) -> list[str]:
    """The names of the op and of the calls, as they stand, and without JAX's transformations."""
    names: list[str] = []
    for name in names_of(location):
        bare, before = name, ""
        while bare != before:
            bare, before = _WRAPPED.sub(r"\1", bare), bare
        names += (name, bare) if bare != name else (name,)
    return names


def _has_place(location: LocationAttr) -> bool:
    """Whether the program says where an op comes from."""
    given = location.given if isinstance(location, SourceLoc) else place_of(location)
    return given is not None and given is not UNKNOWN_PLACE


def _frames(location: LocationAttr) -> Iterator[tuple[str, int]]:
    """The files and lines that led to an op, in the source and in the program's own text."""
    pending: list[Place | None] = [place_of(location)]
    while pending:
        match pending.pop():
            case FilePlace(file, line):
                yield file, line
            case NamedPlace(child=child):
                pending.append(child)
            case CallPlace(callee, caller):
                pending += [caller, callee]
            case FusedPlace(children):
                pending.extend(children)
            case _:
                pass
    position = position_of(location)
    if position is not None:
        yield position[0], position[1]
