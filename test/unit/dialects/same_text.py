"""Two texts of one program compare equal up to the names of values: `with_numbers` renames them.

Values are numbered where they are defined. `%0:2 = ...` and `%a, %b = ...` both define two values.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"'  # strings hold no names
    r"|(?P<brace>[{}])"
    r"|(?P<list>%[\w$.-]+(?::\d+)?(?:, %[\w$.-]+(?::\d+)?)*(?= = ))"
    r"|(?P<argument>%[\w$.-]+(?=: ))"
    r"|(?P<use>%[\w$.-]+(?:#\d+)?)"
)


def with_numbers(text: str) -> str:
    """The text with values named `%1`, `%2`, ... in the order of their definitions."""
    scopes: list[dict[str, str]] = [{}]
    count = 0

    def define(name: str) -> str:
        nonlocal count
        count += 1
        scopes[-1][name] = f"%{count}"
        return f"%{count}"

    def rename(token: re.Match[str]) -> str:
        if brace := token["brace"]:
            if brace == "{":
                scopes.append({})
            elif len(scopes) > 1:
                scopes.pop()
            return brace
        if names := token["list"]:
            defined: list[str] = []
            for name in names.split(", "):
                name, _, number = name.partition(":")
                if number:
                    defined += [define(f"{name}#{index}") for index in range(int(number))]
                else:
                    scopes[-1][f"{name}#0"] = new = define(name)
                    defined.append(new)
            return ", ".join(defined)
        if name := token["argument"]:
            return define(name)
        if name := token["use"]:
            return next((scope[name] for scope in reversed(scopes) if name in scope), name)
        return token[0]

    return _TOKEN.sub(rename, text)
