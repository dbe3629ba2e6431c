"""Events of the shuffle, the cut and the shoe in a few words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.event import Event

#: What was done, with the facts that it names in braces; a fact that is not known reads "?".
WORDS: Mapping[str, str] = {
    "shuffle.wash": "cards washed",
    "shuffle.riffle": "packets riffled",
    "shuffle.strip": "packet stripped",
    "shuffle.device": "cards shuffled by the {device}",
    "shuffle.end": "shuffle ended ({method}), {feathered} of the stack's length laced",
    "shuffler.load": "cards put into the shuffler",
    "shuffler.eject": "cards taken from the shuffler",
    "stack.square": "stack squared",
    "stack.place": "stack laid down in {zone}",
    "stack.present": "stack offered to {seat}: {outcome}",
    "cut.insert": "cover card put in by {actor}, {depth_cards} cards from the {from}",
    "packet.move": "packet of {cards} cards moved to the {to}",
    "cover.insert": "cover card {which} put in, {above_bottom_cards} cards above the bottom",
    "cover.move": "cover card {which} moved from {from} to {to}",
    "cover.remove": "cover card {which} taken out",
    "cover.surface": "cover card {which} came out of the shoe, {cards_left} cards left",
    "shoe.load": "stack put into the shoe",
    "shoe.empty": "shoe emptied",
    "seat.occupy": "somebody sits at {seat}",
    "seat.leave": "{seat} left",
    "signal": "signal {name}: {value}",
    "round.start": "play begins",
    "round.end": "round over",
    "camera.moved": "the camera was pushed: nothing is in view until it hangs as before",
}


class _Facts(dict[str, str]):
    """Facts as text."""

    def __missing__(self, name: str) -> str:
        return "?"


def act_words(event: Event) -> str:
    """What an event says, such as "stack offered to seat:3: refused"."""
    words = WORDS.get(event.kind)
    if words is None:
        return " ".join([event.kind, *(str(event.facts[name]) for name in ("zone", "seat") if name in event.facts)])
    return words.format_map(_Facts({name: _fact_text(event.facts, name) for name in event.facts if name != "marks"}))


def _fact_text(facts: Mapping[str, Any], name: str) -> str:
    """A fact as text: a number without needless digits, with its interval where that is wider than the number."""
    value = facts[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "?" if value is None else str(value)
    if name == "feathered":
        return f"{100 * value:.0f} %"
    low, high = facts.get(f"{name}_low"), facts.get(f"{name}_high")
    wide = isinstance(low, int | float) and isinstance(high, int | float) and low != high
    return f"{value:.3g} ({low:.3g} to {high:.3g})" if wide else f"{value:.3g}"
