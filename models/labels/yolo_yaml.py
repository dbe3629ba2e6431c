"""The few keys of a YOLO data set's data.yaml that matter: names, path, train, val, test.

A reader for the shapes in which tools write these keys (a text, a list, a numbered list), so that the program needs no
library for the rest of YAML. What it cannot read it refuses, with the line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

KEYS = ("names", "path", "train", "val", "test")
_TOP = re.compile(r"^(?P<key>[A-Za-z_][\w-]*)\s*:(?P<rest>.*)$")
_NUMBERED = re.compile(r"""^(?P<key>\d+|"\d+"|'\d+')\s*:\s*(?P<rest>.+)$""")


class YamlError(ValueError):
    """A line that cannot be read; `line` counts from 1."""

    def __init__(self, line: int, text: str) -> None:
        self.line = line
        super().__init__(text)


@dataclass(slots=True)
class Value:
    """A key's value: its line, and its texts in their order (by number where they are numbered)."""

    line: int
    texts: list[str] = field(default_factory=list)
    listed: bool = False


def keys_of(text: str) -> dict[str, Value]:
    """The values of `KEYS` that stand at the top of the file; other keys are passed over.

    Raises:
        YamlError: one of them is written in a way that is not understood.
    """
    blocks: dict[str, list[tuple[int, str]]] = {}
    key = ""
    for number, raw in enumerate(text.splitlines(), start=1):
        line = _without_comment(raw).rstrip()
        if not line.strip() or line.strip() in ("---", "..."):
            continue
        top = _TOP.match(line)
        if top is not None:
            key = top["key"]
            blocks[key] = [(number, top["rest"].strip())]
        elif key:
            blocks[key].append((number, line.strip()))
        else:
            raise YamlError(number, line.strip()[:40])
    return {key: _value(lines) for key, lines in blocks.items() if key in KEYS}


def _without_comment(line: str) -> str:
    """A line up to a # that stands in no quotes and begins the line or follows a blank."""
    quote = ""
    for at, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign if at == 0 or line[at - 1] in " \t[{,:" else ""
        elif sign == "#" and (at == 0 or line[at - 1] in " \t"):
            return line[:at]
    return line


def _value(lines: list[tuple[int, str]]) -> Value:
    """The value of one key, of its own line and those below it."""
    number, first = lines[0]
    rest = [(at, text) for at, text in lines[1:] if text]
    if first[:1] in ("[", "{"):
        return _flow(number, " ".join([first, *(text for _, text in rest)]))
    if first:
        if rest or first[:1] in ("&", "*", "|", ">", "!"):
            raise YamlError(number, first[:40])
        return Value(number, [_plain(number, first)])
    if rest and rest[0][1].startswith("-"):
        return Value(number, [_item(at, text) for at, text in rest], listed=True)
    numbered = [_numbered(at, text) for at, text in rest]
    return Value(number, [text for _, text in sorted(numbered)], listed=True)


def _flow(number: int, text: str) -> Value:
    """A list or table in brackets."""
    closing = {"[": "]", "{": "}"}[text[0]]
    if not text.endswith(closing):
        raise YamlError(number, text[:40])
    inner = text[1:-1].strip().rstrip(",")
    parts = re.findall(r"""(?:"[^"]*"|'[^']*'|[^,"'])+""", inner)
    if text[0] == "[":
        return Value(number, [_plain(number, part.strip()) for part in parts], listed=True)
    numbered = sorted(_numbered(number, part.strip()) for part in parts)
    return Value(number, [name for _, name in numbered], listed=True)


def _item(number: int, text: str) -> str:
    if not text.startswith("- "):
        raise YamlError(number, text[:40])
    return _plain(number, text[2:].strip())


def _numbered(number: int, text: str) -> tuple[int, str]:
    found = _NUMBERED.match(text)
    if found is None:
        raise YamlError(number, text[:40])
    return int(found["key"].strip("\"'")), _plain(number, found["rest"].strip())


def _plain(number: int, text: str) -> str:
    """A text without its quotes."""
    if len(text) >= 2 and text[0] in "\"'" and text[-1] == text[0]:
        return text[1:-1]
    if not text or text[0] in "\"'[{&*|>!" or ": " in text:
        raise YamlError(number, text[:40])
    return text
