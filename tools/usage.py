"""Wrong usage of a command-line tool in one line, with what was probably meant."""

from __future__ import annotations

import argparse
import re
from typing import NoReturn

from .reporting import EXIT_USAGE

_UNKNOWN = "unrecognized arguments: "


class Parser(argparse.ArgumentParser):
    """A parser of arguments whose errors are one line; exit status 2."""

    def error(self, message: str) -> NoReturn:
        exit_usage(self, message)


def exit_usage(parser: argparse.ArgumentParser, message: str) -> NoReturn:
    """End with the line for `message`, which may be one of argparse's."""
    parser.exit(EXIT_USAGE, f"{parser.prog}: error: {_in_own_words(parser, message)}\n")
    raise AssertionError


def _in_own_words(parser: argparse.ArgumentParser, message: str) -> str:
    if not message.startswith(_UNKNOWN):
        return message
    words = message.removeprefix(_UNKNOWN).split()
    options = [word.partition("=")[0] for word in words if word.startswith("-")]
    if not options:
        return message
    from ..dialects.spelling import did_you_mean

    known: list[str] = re.findall(r"(?<![\w-])--?\w[\w-]*", parser.format_help())
    hint = did_you_mean(options[0], known) or " (--help shows all)"
    return f"unknown option {options[0]}{hint}"
