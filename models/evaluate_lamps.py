"""Lamps' colours on drawn lamps: casts, exposures, housings and strengths by chance. No real lamp was measured.

python -m models.evaluate_lamps
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from models.drawn_lamps import BOX, by_chance, draw
from vision.lamp import read_lamp

LAMPS = 1500


@dataclass(frozen=True, slots=True)
class Figure:
    """Of `lamps`: answers; answers that name another colour, a light that is off, or call a lit lamp off."""

    lamps: int
    answers: int
    other_colour: int
    lit_of_off: int
    off_of_lit: int

    @property
    def wrong(self) -> int:
        """Wrong answers."""
        return self.other_colour + self.lit_of_off + self.off_of_lit


def measure(lamps: int, neutral: bool) -> Figure:
    """The figure of lamps by chance, with a neutral surface in view or without."""
    rng = np.random.default_rng(5)
    answers = other = lit_of_off = off_of_lit = 0
    for seed in range(lamps):
        lamp = by_chance(rng, seed)
        picture, white = draw(lamp)
        said = read_lamp(picture, BOX, white if neutral else None).colour
        answers += said is not None
        lit_of_off += not lamp.lit and said not in (None, "off")
        off_of_lit += lamp.lit and said == "off"
        other += lamp.lit and said not in (None, "off", lamp.colour)
    return Figure(lamps, answers, other, lit_of_off, off_of_lit)


def main() -> int:
    """Prints one line with a neutral surface and one without; returns the exit code."""
    for neutral in (True, False):
        f, how = measure(LAMPS, neutral), "with" if neutral else "without"
        sys.stdout.write(
            f"{how} a neutral surface: {f.lamps} lamps, answers {f.answers}, wrong {f.wrong}: "
            f"another colour {f.other_colour}, lit where it is off {f.lit_of_off}, off where it is lit {f.off_of_lit}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
