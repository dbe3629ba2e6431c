"""A rule pack's values: a chapter's numbers, options, exemptions and dates, each with its reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

Plain = Any  # a TOML value

SEVERITIES = ("critical", "major", "minor", "note")


@dataclass(frozen=True, slots=True)
class Number:
    """A value, and where it comes from."""

    value: Plain
    reference: str


@dataclass(frozen=True, slots=True)
class Option:
    """Something the licensee selects, or a reading of the text that the pack leaves open."""

    default: Plain
    choices: tuple[Plain, ...]
    reference: str


@dataclass(frozen=True, slots=True)
class Exemption:
    """A clause does not apply while a signal has this value.

    `order` says which one is named where several apply at once; the lower goes first.
    """

    name: str
    clauses: tuple[str, ...]
    signal: str
    value: Plain
    order: int | None
    reference: str


@dataclass(frozen=True, slots=True)
class Pack:
    """One dated pack.

    `in_force_from`, `in_force_until`: None means not known. `checked_until` is the last day through which the source
    vouches for the text.
    """

    name: str
    title: str
    source: str
    url: str | None = None
    in_force_from: date | None = None
    in_force_until: date | None = None
    checked_until: date | None = None
    numbers: Mapping[str, Number] = field(default_factory=dict)
    options: Mapping[str, Option] = field(default_factory=dict)
    exemptions: tuple[Exemption, ...] = ()
    severity: Mapping[str, str] = field(default_factory=dict)

    def number(self, name: str) -> Plain:
        """The value of a number of the pack."""
        return self.numbers[name].value

    def option(self, name: str, chosen: Mapping[str, Plain]) -> Plain:
        """What the licensee chose, or the pack's default."""
        return chosen.get(name, self.options[name].default)

    def exemptions_of(self, clause: str) -> tuple[Exemption, ...]:
        """The exemptions that can turn a clause off, first those that are named first."""
        mine = [exemption for exemption in self.exemptions if clause in exemption.clauses]
        return tuple(sorted(mine, key=lambda exemption: exemption.order or 0))
