"""The options of passes: what is listed of them, and what is said of wrong ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import parse_pipeline

from anabranch.tools import opt
from anabranch.tools.options import check_options, options_of, why_unreadable


@dataclass(frozen=True)
class _Pass(ModulePass):
    """Does nothing."""

    name = "nothing"

    text: str
    number: int | None = None
    flag: bool = False
    names: tuple[str, ...] = ()
    numbers: tuple[int, ...] | None = None
    how_much: float = 0.5
    kind: Literal["a", "b"] = "a"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pass


def wrong(options: str) -> str:
    (spec,) = parse_pipeline(f"nothing{{{options}}}")
    with pytest.raises(ValueError) as caught:
        check_options(spec, _Pass)
    return str(caught.value)


def test_options_are_told_in_words():
    assert list(map(str, options_of(_Pass))) == [
        "text: a string (must be given)",
        "number: a whole number (default: none)",
        "flag: true or false (default: false)",
        "names: one or more strings (default: none)",
        "numbers: one or more whole numbers (default: none)",
        "how-much: a number (default: 0.5)",
        "kind: typing.Literal['a', 'b'] (default: \"a\")",
    ]


@pytest.mark.parametrize(
    "options",
    [
        "text=a",
        'text="a b" number=1 flag=true names=a,"b" numbers=0,1 how-much=1.0 kind=b',
        "text=a number numbers how_much=0.25",
    ],
)
def test_options_that_fit(options: str):
    (spec,) = parse_pipeline(f"nothing{{{options}}}")
    check_options(spec, _Pass)
    _Pass.from_spec(spec)


@pytest.mark.parametrize(
    ("options", "expected", "got"),
    [
        ("text=1", "a string in quotes", "1"),
        ('text=a,"b"', "a string in quotes", '"a","b"'),
        ("text", "a string in quotes", "no value"),
        ("number=x", "a whole number", '"x"'),
        ("number=true", "a whole number", "true"),
        ("number=1.5", "a whole number", "1.5"),
        ("flag", "true or false", "no value"),
        ("flag=1", "true or false", "1"),
        ("names=2", "one or more strings in quotes", "2"),
        ("names", "one or more strings in quotes", "no value"),
        ("numbers=1,a", "one or more whole numbers", '1,"a"'),
    ],
)
def test_values_of_other_types(options: str, expected: str, got: str):
    name = options.partition("=")[0]
    given = options if name == "text" else f"text=a {options}"
    assert wrong(given) == f"option {name} of nothing: expected {expected}, got {got}"


def test_flags_that_look_like_values():
    assert wrong("text=a,flag").endswith(
        'got "a","flag"; options have spaces between them, not commas'
    )


def test_missing_and_unknown_options():
    start = "wrong options for pass 'nothing': expected"
    assert wrong("number=1") == f'{start} nothing{{text="…"}}, got no text'
    assert "kind, got texts; did you mean 'text'?" in wrong("texts=1")
    for name, missing in (("split-vjp", "function, arguments or results"), ("cse", "")):
        (spec,) = parse_pipeline(name)
        if missing:
            with pytest.raises(ValueError, match=f"got no {missing}$"):
                check_options(spec, opt.available_passes()[name]())
        else:
            check_options(spec, opt.available_passes()[name]())


@pytest.mark.parametrize(
    ("passes", "reason"),
    [
        ('p{a="x",b=1}', "expected a space before the option b, got a comma; options have spaces"),
        ("p{a=1, b=1}", "expected a space before the option b, got a comma"),
        ("p{a=main.grad}", 'expected main.grad in quotes, as in a="main.grad"'),
        ('p{a="x" b=c:0,"c:1",c}', 'expected c:0 in quotes, as in b="c:0","c:1",c'),
        ("p{a=1, 2}", "expected no spaces around the comma between values"),
        ('p{a="x" ,"y"}', "expected no spaces around the comma between values"),
        ("p{a = 1}", "expected no spaces around ="),
        ("p, q", "expected no spaces around the comma between passes"),
    ],
)
def test_what_cannot_be_read(passes: str, reason: str):
    assert (why_unreadable(passes) or "").startswith(reason)


@pytest.mark.parametrize("passes", ["p{", "p}", 'p{a="x, y=1 = .:" b=1.5e3,-2 c}'])
def test_nothing_is_said_of_other_mistakes(passes: str):
    assert why_unreadable(passes) is None
