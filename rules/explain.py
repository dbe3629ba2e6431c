"""Findings in words: what was seen, what the clause asks, how far off it was. Three plain sentences."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from rules.clause import Clause
from rules.ruling import Ruling

_WORDS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]

RANKS = {"A": "an ace", "J": "a jack", "Q": "a queen", "K": "a king", "8": "an eight"}


def number_word(number: int) -> str:
    """A small whole number in words; "no" for none."""
    return _WORDS[number] if 0 <= number < len(_WORDS) else str(number)


def cards_text(number: int, kind: str = "card") -> str:
    """Such as "six cards", "one card", "no card"."""
    return f"{number_word(number)} {kind}{'s' if number > 1 else ''}"


def between_text(low: int, high: int, kind: str = "card") -> str:
    """Such as "six cards", or "six to eight cards"."""
    return (
        cards_text(low, kind) if low == high else f"{number_word(low) if low else 'none'} to {cards_text(high, kind)}"
    )


def rank_text(rank: str) -> str:
    """Such as "a king", "a seven"."""
    if rank in RANKS:
        return RANKS[rank]
    return f"a {number_word(int(rank))}" if rank.isdigit() else f"a {rank}"


def list_text(words: Iterable[str], last: str = "and") -> str:
    """Such as "a, b and c"."""
    *head, tail = list(words) or [""]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def sentence(text: str) -> str:
    """The text with a capital and a full stop."""
    text = text.strip()
    return "" if not text else text[0].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def explanation(ruling: Ruling, note: str = "") -> str:
    """The three sentences of a finding, and a note on dates where there is one to make."""
    parts = (ruling.seen, ruling.asks, ruling.off, note)
    return " ".join(text for text in map(sentence, parts) if text)


def date_note(clause: Clause, recorded_on: date | None, as_of: date | None) -> str:
    """The flag for a day outside the text's time in force, or an unknown one; "" if they are known to fit."""
    day = as_of or recorded_on
    if day is None:
        return "Day of the recording unknown"
    known = clause.in_force(day)
    if known:
        return ""
    if known is False:
        return f"Not in force on {day.isoformat()}: {_span(clause)}"
    if clause.checked_until is not None and day > clause.checked_until:
        checked = clause.checked_until.isoformat()
        return f"Text of {checked}, not checked for {day.isoformat()}"
    return f"Not known whether in force on {day.isoformat()}"


def _span(clause: Clause) -> str:
    begun = "since when is not known" if clause.in_force_from is None else f"since {clause.in_force_from.isoformat()}"
    ends = "" if clause.in_force_until is None else f", until {clause.in_force_until.isoformat()}"
    checked = "" if clause.checked_until is None else f", checked through {clause.checked_until.isoformat()}"
    return f"in force {begun}{ends}{checked}"
