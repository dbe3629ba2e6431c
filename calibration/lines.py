"""Where each key of a TOML or JSON file stands.

The standard library's readers check the grammar but keep no line numbers. This scanner runs after them, on text
that is known to be well formed, and only notes on which line each key and each list entry begins.
"""

from __future__ import annotations

from collections.abc import Callable

Key = str | int
KeyPath = tuple[Key, ...]

_BARE_END = set("=:,]}#\n\r\t .[{\"'")


def toml_lines(text: str) -> dict[KeyPath, int]:
    """The line (from 1) of every key path in well-formed TOML; list entries are numbered from 0."""
    scanner = _Scanner(text)
    scanner.toml()
    return scanner.lines


def json_lines(text: str) -> tuple[dict[KeyPath, int], list[tuple[KeyPath, int]]]:
    """The line of every key path in well-formed JSON, and path and line of keys that were written again."""
    scanner = _Scanner(text)
    scanner.value(())
    return scanner.lines, scanner.repeated


class _Scanner:
    """Walks over the text once; `lines` and `repeated` are what it found."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.lines: dict[KeyPath, int] = {}
        self.repeated: list[tuple[KeyPath, int]] = []

    def toml(self) -> None:
        """A whole TOML document: headers and key-value pairs."""
        section: KeyPath = ()
        counts: dict[KeyPath, int] = {}
        self.skip()
        while self.at < len(self.text):
            if self.peek() == "[":
                section = self.header(counts)
            else:
                self.pair(section)
            self.skip()

    def header(self, counts: dict[KeyPath, int]) -> KeyPath:
        """`[a.b]` or `[[a.b]]`; returns the path of what follows."""
        array = self.text.startswith("[[", self.at)
        self.step(2 if array else 1)
        names = self.dotted()
        self.skip()
        self.step(2 if array else 1)
        path = _inside_newest(names, counts)
        self.note(path)
        if not array:
            return path
        number = counts.get(path, -1) + 1
        counts[path] = number
        self.note((*path, number))
        return (*path, number)

    def pair(self, parent: KeyPath) -> None:
        """`key = value` of TOML or `"key": value` of JSON."""
        line = self.line
        path = parent
        for name in self.dotted():
            path = (*path, name)
            self.note(path, line)
        self.skip()
        self.step()  # the sign between key and value
        self.skip()
        self.value(path)

    def dotted(self) -> list[str]:
        """The parts of a possibly dotted and quoted key."""
        parts = [self.name()]
        self.skip()
        while self.peek() == ".":
            self.step()
            parts.append(self.name())
            self.skip()
        return parts

    def name(self) -> str:
        """One part of a key."""
        self.skip()
        if self.peek() in ('"', "'"):
            return self.string()
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in _BARE_END:
            self.step()
        return self.text[start : self.at]

    def value(self, path: KeyPath) -> None:
        """Any value; keys and entries inside it are noted."""
        self.skip()
        sign = self.peek()
        if sign == "{":
            self.between("}", lambda _: self.pair(path))
        elif sign == "[":
            self.between("]", lambda number: self.entry((*path, number)))
        elif sign in ('"', "'"):
            self.string()
        else:
            while self.at < len(self.text) and self.text[self.at] not in ",]}#\n":
                self.step()

    def entry(self, path: KeyPath) -> None:
        """One entry of a list."""
        self.note(path)
        self.value(path)

    def between(self, end: str, item: Callable[[int], None]) -> None:
        """The items from an opening bracket to its `end`, parted by commas."""
        self.step()
        self.skip()
        number = 0
        while self.at < len(self.text) and self.peek() != end:
            item(number)
            number += 1
            self.skip()
            if self.peek() == ",":
                self.step()
                self.skip()
        self.step()

    def string(self) -> str:
        """A quoted string of either language; returns it without escapes undone, which keys here never need."""
        quote = self.peek()
        if self.text.startswith(quote * 3, self.at):
            return self.long_string(quote * 3)
        self.step()
        start = self.at
        while self.at < len(self.text) and self.peek() != quote:
            self.step(2 if self.peek() == "\\" and quote == '"' else 1)
        found = self.text[start : self.at]
        self.step()
        return found

    def long_string(self, quotes: str) -> str:
        """A string between three quotes."""
        self.step(3)
        start = self.at
        while self.at < len(self.text) and not self.text.startswith(quotes, self.at):
            self.step(2 if self.peek() == "\\" and quotes == '"""' else 1)
        found = self.text[start : self.at]
        self.step(3)
        while self.peek() == quotes[0]:  # up to two quotes may belong to the string's end
            self.step()
        return found

    def skip(self) -> None:
        """Over white space and comments."""
        while self.at < len(self.text):
            if self.text[self.at] == "#":
                while self.at < len(self.text) and self.text[self.at] != "\n":
                    self.at += 1
            elif self.text[self.at].isspace():
                self.step()
            else:
                return

    def peek(self) -> str:
        """The character under the scanner, or nothing at the end."""
        return self.text[self.at : self.at + 1]

    def step(self, count: int = 1) -> None:
        """Forward over `count` characters, counting lines."""
        self.line += self.text.count("\n", self.at, self.at + count)
        self.at += count

    def note(self, path: KeyPath, line: int | None = None) -> None:
        """`path` begins here, or on `line`."""
        if path in self.lines:
            self.repeated.append((path, line or self.line))
        self.lines.setdefault(path, line or self.line)


def _inside_newest(names: list[str], counts: dict[KeyPath, int]) -> KeyPath:
    """The path of a header, led through the newest entry of every list of tables on its way."""
    path: KeyPath = ()
    for name in names[:-1]:
        path = (*path, name)
        if path in counts:
            path = (*path, counts[path])
    return (*path, names[-1])
