"""Writes plain values as TOML text, for the standard library only reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_LINE_LENGTH = 110


def document_text(keys: Mapping[str, Any]) -> str:
    """TOML text of nested tables. Keys whose value is None are left out; tables come after plain keys."""
    blocks = _blocks((), keys)
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def without_none(value: Any) -> Any:
    """Plain values without the keys whose value is None."""
    if isinstance(value, Mapping):
        return {name: without_none(entry) for name, entry in value.items() if entry is not None}
    return [without_none(entry) for entry in value] if isinstance(value, list) else value


def _blocks(path: tuple[str, ...], keys: Mapping[str, Any]) -> list[list[str]]:
    """The table at `path` and the tables inside it, a block of lines each."""
    plain = [
        f"{_key(name)} = {_wrapped(value, len(name) + 3)}"
        for name, value in keys.items()
        if not _is_table(value) and value is not None
    ]
    blocks = [plain]
    for name, value in keys.items():
        inner = (*path, name)
        if isinstance(value, Mapping):
            head, *rest = _blocks(inner, value)
            blocks += [[f"[{_dotted(inner)}]", *head], *rest]
        elif _is_table(value):
            for entry in value:
                head, *rest = _blocks(inner, entry)
                blocks += [[f"[[{_dotted(inner)}]]", *head], *rest]
    return blocks


def _is_table(value: Any) -> bool:
    """True for a table, or a list of nothing but tables."""
    if isinstance(value, Mapping):
        return True
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _wrapped(value: Any, used: int) -> str:
    """A value on one line, or, if that is too long and it is a list, an entry a line."""
    text = _value(value)
    if used + len(text) <= _LINE_LENGTH or not isinstance(value, list | tuple):
        return text
    return "[\n" + "".join(f"  {_value(entry)},\n" for entry in value) + "]"


def _value(value: Any) -> str:
    """A plain value in TOML's notation."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # TOML's basic strings share JSON's escapes, but DEL must be escaped too.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        pairs = (f"{_key(name)} = {_value(entry)}" for name, entry in value.items() if entry is not None)
        return "{ " + ", ".join(pairs) + " }" if value else "{}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(_value(entry) for entry in value) + "]"
    raise TypeError(f"TOML has no notation for {type(value).__name__}")


def _key(name: str) -> str:
    """A bare key where TOML allows it, else a quoted one."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _value(name)


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(_key(name) for name in path)
