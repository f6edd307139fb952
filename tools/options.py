"""The options of passes: which there are, and what is wrong with those that somebody wrote.

xDSL reads `pass{option=1 other="text"}` and makes the pass; its messages are about Python's types.
Here they are about what was written.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from types import NoneType, UnionType
from typing import Any, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ..dialects.spelling import did_you_mean

_KINDS: dict[Any, tuple[str, str, str]] = {
    str: ("a string", "one or more strings", '"…"'),
    int: ("a whole number", "one or more whole numbers", "N"),
    float: ("a number", "one or more numbers", "N"),
    bool: ("true or false", "true or false, several times", "true"),
}
"""What one value is, what several are, and how one is written."""

_ELSEWHERE = {
    "assign": {"random": "SEED", "rules": '"FILE"'},
    "report-devices": {"report": "true"},
}
"""Options of `anabranch-run`, and what says the same to a pass."""

_VALUE = re.compile(r"[-+]?[0-9]+(\.[0-9]*([eE][-+]?[0-9]+)?)?|[A-Za-z0-9_-]+")
"""What can stand without quotes."""


class Option(NamedTuple):
    """An option of a pass; `default` is None if the option must be given."""

    name: str
    type: Any
    default: str | None

    @property
    def expected(self) -> str:
        """What its value is, in words."""
        kind = _kind_of(self.type)
        if kind is None:
            return str(self.type)
        one, several, _ = _KINDS[kind[0]]
        return several if kind[1] else one

    @property
    def example(self) -> str:
        """How it is written."""
        kind = _kind_of(self.type)
        return f"{self.name}={'…' if kind is None else _KINDS[kind[0]][2]}"

    def __str__(self) -> str:
        default = "must be given" if self.default is None else f"default: {self.default}"
        return f"{self.name}: {self.expected} ({default})"


def options_of(pass_class: type[ModulePass]) -> list[Option]:
    """The options of a pass, in order, by the names that people write."""
    types = get_type_hints(pass_class)
    required = pass_class.required_fields()
    return [
        Option(
            field.name.replace("_", "-"),
            types[field.name],
            None if field.name in required else _default_text(field.default),
        )
        for field in dataclasses.fields(pass_class)
        if field.init and field.name != "name"
    ]


def check_options(spec: ArgSpec, pass_class: type[ModulePass]) -> None:
    """Raises a `ValueError` if the pass has no such options, if one lacks, or is of another type."""
    options = {option.name: option for option in options_of(pass_class)}
    wrong = f"wrong options for pass '{spec.name}'"
    given = {name.replace("_", "-"): (name, value) for name, value in spec.parameters.items()}
    for name, (written, _) in given.items():
        if name not in options:
            there = f"one of the options {', '.join(options)}" if options else "no options"
            hint = _meant(name, list(options))
            raise ValueError(f"{wrong}: expected {there}, got {written}{hint}")
    required = [option for option in options.values() if option.default is None]
    missing = [option.name for option in required if option.name not in given]
    if missing:
        form = " ".join(option.example for option in required)
        *others, last = missing
        got = f"{', '.join(others)} or {last}" if others else last
        raise ValueError(f"{wrong}: expected {spec.name}{{{form}}}, got no {got}")
    for name, (written, value) in given.items():
        if not _fits(value, options[name].type):
            expected = options[name].expected
            if "string" in expected:
                expected += " in quotes"
            hint = ""
            if any(isinstance(part, str) and part in options for part in value[1:]):
                hint = "; options have spaces between them, not commas"
            raise ValueError(
                f"option {written} of {spec.name}: expected {expected}, got {_text(value)}{hint}"
            )


def why_unreadable(passes: str) -> str | None:
    """What is wrong with the text of passes and options, where that can be told."""
    # Of the same length, so that what is found here is at the same place there.
    masked = re.sub(r'"(?:\\.|[^"\\])*"', lambda found: f'"{"_" * (len(found[0]) - 2)}"', passes)
    for braces in re.finditer(r"\{[^{}]*", masked):
        start, text = braces.start(), braces[0]
        comma = re.search(r",\s*([\w-]+)\s*=", text)
        if comma is not None:
            return (
                f"expected a space before the option {comma[1]}, got a comma; options have spaces"
                " between them, as in pass{option=1 other=2}"
            )
        for found in re.finditer(r"([\w-]+)=([^\s{}]+)", text):
            values = passes[start + found.start(2) : start + found.end(2)]
            reason = _unquoted(found[1], values)
            if reason is not None:
                return reason
        if re.search(r'[\w"]\s*,\s|\s,', text):
            return "expected no spaces around the comma between values, got one"
        if re.search(r"\s=|=\s", text):
            return "expected no spaces around =, got one"
    if re.search(r"\s,|,\s", re.sub(r"\{[^{}]*\}", "", masked)):
        return "expected no spaces around the comma between passes, got one"
    return None


def _unquoted(name: str, values: str) -> str | None:
    """What to say of values that cannot stand without quotes, if there are any."""
    parts: list[str] = re.findall(r'"(?:\\.|[^"\\])*"|[^,"]+', values)
    bad = [part for part in parts if not part.startswith('"') and not _VALUE.fullmatch(part)]
    if not bad:
        return None
    right = ",".join(f'"{part}"' if part in bad else part for part in parts)
    return f"expected {', '.join(bad)} in quotes, as in {name}={right}"


def _meant(name: str, known: Sequence[str]) -> str:
    other = {k: value for k, value in _ELSEWHERE.get(name, {}).items() if k in known}
    if other:
        return f"; did you mean {' or '.join(f'{k}={value}' for k, value in other.items())}?"
    return did_you_mean(name, known)


def _kind_of(type: Any) -> tuple[Any, bool] | None:
    """The type of one value, and whether there may be several; None for types not known here."""
    if get_origin(type) in (Union, UnionType):
        members = [member for member in get_args(type) if member is not NoneType]
        return _kind_of(members[0]) if len(members) == 1 else None
    if get_origin(type) is tuple:
        members = get_args(type)
        several = len(members) == 2 and members[1] is Ellipsis and members[0] in _KINDS
        return (members[0], True) if several else None
    return (type, False) if type in _KINDS else None


def _fits(value: Sequence[Any], type: Any) -> bool:
    """Whether a value is of a type; True for types not known here, which xDSL checks."""
    kind = _kind_of(type)
    if kind is None:
        return True
    if not value:
        return get_origin(type) in (Union, UnionType)
    one, several = kind
    return (several or len(value) == 1) and all(part.__class__ is one for part in value)


def _text(value: Sequence[Any]) -> str:
    parts = [f'"{part}"' if isinstance(part, str) else str(part).lower() for part in value]
    return ",".join(parts) or "no value"


def _default_text(default: Any) -> str:
    if default is None or default == ():
        return "none"
    return _text(cast("tuple[Any, ...]", default) if isinstance(default, tuple) else (default,))
