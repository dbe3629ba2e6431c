"""Card faces: taken out of KDE's card decks once, as small pictures.

The decks are those of the Debian package kdegames-card-data-kf5 (or -kf6) that the package gnome-cards-data, which
other parts of this project draw from, does not hold.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path

from faults import InputFault
from sample_videos.second.browser import Browser

#: Where Debian puts them.
HOME = Path("/usr/share/carddecks")
#: By the folder's name; the file in it.
DECKS = {
    "standard": "svg-standard/standard.svgz",
    "nicu": "svg-nicu-white/white.svgz",
    "penguins": "svg-penguins/penguins.svgz",
    "jolly": "svg-jolly-royal/jolly-royal.svgz",
    "oxygen": "svg-oxygen-white/oxygen-white.svgz",
}
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
_NAMES = {"A": "1", "J": "jack", "Q": "queen", "K": "king", "C": "club", "D": "diamond", "H": "heart", "S": "spade"}


def element(rank: str, suit: str) -> str:
    """The name that KDE's decks give to a card."""
    return f"{_NAMES.get(rank, rank)}_{_NAMES[suit]}"


def bake(decks: Path, out: Path) -> None:
    """Writes `out/DECK/ELEMENT.png` for each deck that is not there yet.

    Raises:
        InputFault: the decks are not installed, or one lacks a card.
    """
    wanted = [element(rank, suit) for rank in RANKS for suit in SUITS]
    for name, file in DECKS.items():
        if all((out / name / f"{card}.png").is_file() for card in wanted):
            continue
        if not (decks / file).is_file():
            raise InputFault(
                "there is no card deck",
                where=str(decks / file),
                why="the file does not exist",
                todo="Install the Debian package kdegames-card-data-kf5, or give its carddecks folder with --decks.",
            )
        sys.stderr.write(f"taking the cards of {name} apart\n")
        with Browser({"decks": decks}) as browser:
            answer, _ = browser.ask({"do": "bake", "url": f"/decks/{file}", "ids": [*wanted, "back"]})
        (out / name).mkdir(parents=True, exist_ok=True)
        for card, picture in answer["pictures"].items():
            (out / name / f"{card}.png").write_bytes(base64.b64decode(picture))
        lacking = [card for card in wanted if card not in answer["pictures"]]
        if lacking:
            raise InputFault(
                f"the deck lacks {', '.join(lacking[:3])}",
                where=str(decks / file),
                why="every deck here has 52 cards by KDE's names",
                todo="Install the package again.",
            )
