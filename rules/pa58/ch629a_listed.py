"""The rows of § 629a.5 (a) to (e) that are listed, but not yet judged."""

from __future__ import annotations

from rules.clause import Clause, Needs

_STACK = ("shuffle",)


def _row(
    row: str, paraphrase: str, occasion: str, events: str, *, zones: tuple[str, ...] = _STACK, signals: str = ""
) -> Clause:
    """A header of a row such as "(a)-shuffle"; `events` and `signals` are names with spaces between."""
    return Clause(
        id=f"PA-629a.5{row}",
        citation=f"58 Pa. Code § 629a.5{row[:3]}",
        paraphrase=paraphrase,
        occasion=occasion,
        needs=Needs(tuple(events.split()), zones, tuple(signals.split())),
        how="not yet judged",
    )


LISTED: tuple[Clause, ...] = (
    _row(
        "(a)-shuffle",
        "The cards are shuffled, by hand or by a device, before play of the shoe.",
        "shoe",
        "shuffle.wash shuffle.riffle shuffle.device shuffle.end shoe.load",
        signals="preshuffled",
    ),
    _row(
        "(a)-intermix",
        "The shuffle leaves the cards randomly intermixed: no packet bypasses it.",
        "shuffle",
        "shuffle.wash shuffle.riffle shuffle.strip shuffle.end",
        signals="preshuffled",
    ),
    _row(
        "(a)-feather",
        "After a shuffle by hand the whole stack is left laced and not squared until it could be looked at.",
        "shuffle",
        "shuffle.end stack.square",
        signals="preshuffled shuffle_method",
    ),
    _row("(b)-offer", "The stack is offered to the players to be cut.", "shuffle", "stack.present cut.insert"),
    _row("(b)-backs", "It is offered with the backs away from the dealer.", "offer", "stack.present"),
    _row(
        "(b)-first",
        "The first offer goes to the highest-numbered occupied seat.",
        "shuffle",
        "stack.present seat.occupy",
    ),
    _row("(b)-rotation", "Refused, it is offered on clockwise, seat by seat.", "offer", "stack.present seat.occupy"),
    _row("(b)-dealercut", "If nobody accepts, the dealer cuts.", "shuffle", "stack.present cut.insert"),
    _row("(c)-covercard", "The cut is made by putting a cover card into the stack.", "cut", "cut.insert packet.move"),
    _row("(c)-depth", "The cover card goes in at least ten cards from either end.", "cut", "cut.insert"),
    _row("(d)-movepacket", "All cards above the cover card go to the bottom.", "cut", "packet.move"),
    _row("(d)-movecover", "The cover card goes to the bottom with them.", "cut", "packet.move"),
    _row("(d)-second", "A second cover card is put in before the shoe is loaded.", "cut", "cover.insert shoe.load"),
    _row(
        "(d)-seconddepth",
        "At least fourteen cards lie below the second cover card.",
        "cut",
        "cover.insert cover.surface",
    ),
    _row("(d)-order", "The second cover card goes in after the packet was moved.", "cut", "packet.move cover.insert"),
    _row(
        "(d)-shoe",
        "The stack then goes into the shoe, in view all the time.",
        "shoe",
        "shoe.load",
        zones=("shuffle", "shoe"),
    ),
    _row("(e)-recut", "A recut that the floor orders is made.", "recut", "cut.insert shoe.load", signals="floor.recut"),
    _row("(e)-who", "The next person entitled to cut makes the recut.", "recut", "cut.insert", signals="floor.recut"),
    _row(
        "(e)-load",
        "After a recut the stack goes into the shoe.",
        "recut",
        "cut.insert shoe.load",
        zones=("shuffle", "shoe"),
        signals="floor.recut",
    ),
)
