"""What the facts of events, and the signals, may be: a value of another kind would be judged as if it meant something.

A fact or a signal that has no entry here may be anything; null, which says that it is not known, may stand everywhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

Plain = Any  # a JSON value
Fits = Callable[[Plain], bool]
#: What is expected, in words, and whether a value is that.
Kind = tuple[str, Fits]

YEAR_US = 31_557_600_000_000
#: Times farther from the start than this are no recording's, and no calendar could tell them.
LONGEST_US = 100 * YEAR_US

_SEAT = re.compile(r"seat:[1-9]\d*")


def is_number(value: Plain) -> bool:
    """A finite number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_time(value: Plain) -> bool:
    """An integer of microseconds that a recording can reach."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LONGEST_US


def _is_whole(value: Plain) -> bool:
    return is_number(value) and float(value).is_integer()


def is_text(value: Plain) -> bool:
    """A text that says something."""
    return isinstance(value, str) and bool(value.strip())


def _is_cards(value: Plain) -> bool:
    """A number of cards, or an interval of it."""
    if isinstance(value, list):
        return len(value) == 2 and all(is_number(end) and end >= 0 for end in value) and value[0] <= value[1]
    return is_number(value) and value >= 0


def _is_actor(value: Plain) -> bool:
    return value in ("dealer", "device", "floor", "unsure") or _is_seat(value)


def _is_seat(value: Plain) -> bool:
    """`seat:N`, or its bare number."""
    return (_is_whole(value) and value > 0) or value == "unsure" or (is_text(value) and bool(_SEAT.fullmatch(value)))


def _is_bank(value: Plain) -> bool:
    return value == "house" or (is_text(value) and bool(_SEAT.fullmatch(value)))


def _one_of(*words: str) -> Kind:
    return "one of " + ", ".join(repr(word) for word in words), lambda value: isinstance(value, str) and value in words


NUMBER: Kind = ("a number", is_number)
COUNT: Kind = ("a whole number from 0", lambda value: _is_whole(value) and value >= 0)
TEXT: Kind = ("a text", is_text)
YES_OR_NO: Kind = ("true or false", lambda value: isinstance(value, bool))
YES_OR_UNSURE: Kind = ("true, false or 'unsure'", lambda value: isinstance(value, bool) or value == "unsure")
SHARE: Kind = ("a number from 0 to 1", lambda value: is_number(value) and 0 <= value <= 1)
CARDS: Kind = ("a number of cards, or [fewest, most]", _is_cards)
SEAT: Kind = ("'seat:N'", _is_seat)
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

FACTS: Mapping[str, Kind] = {
    **dict.fromkeys(("cards", "depth_cards", "above_bottom_cards", "left_behind_cards", "unmixed_cards"), CARDS),
    **dict.fromkeys(("cards_since", "cards_left"), CARDS),
    **dict.fromkeys(("x_mm", "y_mm", "angle_deg"), NUMBER),
    **dict.fromkeys(("feathered", "seen_share"), SHARE),
    **dict.fromkeys(("index", "duration_us", "packets", "stacks", "cycles"), COUNT),
    **dict.fromkeys(("zone", "from", "to", "by", "source", "cause", "name", "method"), TEXT),
    **dict.fromkeys(("exposed", "backs_away", "with_cover_card", "on_cover", "covered"), YES_OR_UNSURE),
    "actor": ("'dealer', 'seat:N', 'device', 'floor' or 'unsure'", _is_actor),
    "seat": SEAT,
    "hand": _one_of("left", "right", "unsure"),
    "face": _one_of("up", "down", "unsure"),
    "outcome": _one_of("accepted", "refused", "unclear"),
    "rank": _one_of(*RANKS),
}

SIGNALS: Mapping[str, Kind] = {
    "shuffle_method": _one_of("manual", "device"),
    "shuffler": _one_of("none", "plain", "counting", "reshuffling"),
    "preshuffled": YES_OR_NO,
    "bank": ("'house' or 'seat:N'", _is_bank),
    "table": _one_of("open", "idle", "closed"),
    "announced": TEXT,
    "offered": ("a list of wagers", lambda value: isinstance(value, list) and all(map(is_text, value))),
    "progressive.locked": YES_OR_NO,
    "progressive.accepted": COUNT,
    "rng": ("a whole number from 1 to 7", lambda value: _is_whole(value) and 1 <= value <= 7),
    "floor.recut": YES_OR_NO,
    "floor.shuffle": YES_OR_NO,
    "floor.count_result": _one_of("ok", "misdealt", "deck_wrong"),
    "player_request": _one_of("spread_face_up", "spread_shuffler_deck"),
    "dealer": ("a roster number", lambda value: is_text(value) or _is_whole(value)),
}


def fact_fault(name: str, value: Plain) -> str | None:
    """What is expected of a fact, or of a bound of one, if `value` is not that; None if it may be."""
    stem = name.removesuffix("_low").removesuffix("_high")
    kind = FACTS.get(name if name in FACTS else stem)
    # An interval may reach beyond what there can be: half a card less than none.
    return _expected(NUMBER if name not in FACTS and kind in (CARDS, SHARE, COUNT) else kind, value)


def signal_fault(name: str, value: Plain) -> str | None:
    """What is expected of a signal, if `value` is not that; None if it may be."""
    return _expected(SIGNALS.get(name), value)


def _expected(kind: Kind | None, value: Plain) -> str | None:
    return None if kind is None or value is None or kind[1](value) else kind[0]
