"""Sightings of a made-up burn, for tests that need no pixel: what a flawless or a poor detector would report."""

from __future__ import annotations

import numpy as np

from vision.sighting import Points, Sighting

EXIT_MM = (-295.0, 175.0)
BUCKET_MM = (430.0, 65.0)
SHOWN_MM = (-5.0, 230.0)


def quad(centre: tuple[float, float], width: float, length: float, angle: float = 0.0) -> Points:
    """A rectangle, clockwise in the picture (y up on the felt), its length along +y at angle 0."""
    x, y = width / 2, length / 2
    corners = np.array([[-x, y], [x, y], [x, -y], [-x, -y]])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    result: Points = corners @ turn.T + np.asarray(centre)
    return result


def card(t_us: int, centre: tuple[float, float], cls: str = "card_back", angle: float = 0.0) -> Sighting:
    """A card."""
    return Sighting(t_us, cls, quad(centre, 63.5, 88.9, angle), 0.9)


def hand(t_us: int, centre: tuple[float, float]) -> Sighting:
    """A hand, 110 by 180 mm."""
    return Sighting(t_us, "hand", quad(centre, 110, 180), 0.9)


def along(points: list[tuple[float, float]], share: float) -> tuple[float, float]:
    """The place after `share` (0..1) of the way along the points, slow at its ends."""
    smooth = share * share * (3 - 2 * share)
    at = smooth * (len(points) - 1)
    i = min(int(at), len(points) - 2)
    a, b = np.asarray(points[i]), np.asarray(points[i + 1])
    x, y = a + (b - a) * (at - i)
    return float(x), float(y)


class Act:
    """A running list of moments: (t_us, cards, hands) at `fps`."""

    def __init__(self, fps: float = 15.0) -> None:
        self.step_us = round(1e6 / fps)
        self.t_us = 0
        self.moments: list[tuple[int, list[Sighting], list[Sighting]]] = []
        self.lying: list[tuple[tuple[float, float], str]] = []

    def _moment(self, moving: list[tuple[tuple[float, float], str]], left: tuple[float, float]) -> None:
        cards = [card(self.t_us, c, cls) for c, cls in self.lying + moving]
        right = (left[0] + 300.0, 160.0)
        self.moments.append((self.t_us, cards, [hand(self.t_us, left), hand(self.t_us, right)]))
        self.t_us += self.step_us

    def wait(self, seconds: float) -> None:
        """Nothing moves."""
        for _ in range(round(seconds * 1e6 / self.step_us)):
            self._moment([], (-100.0, 120.0))

    def look(self, card_mm: tuple[float, float]) -> None:
        """One moment with a card's back in a hand."""
        self._moment([(card_mm, "card_back")], (card_mm[0] - 30, card_mm[1] - 70))

    def carry(
        self,
        points: list[tuple[float, float]],
        seconds: float,
        *,
        cls: str = "card_back",
        hidden: tuple[float, float] = (2.0, 2.0),
        lies: bool = True,
    ) -> None:
        """A card goes along the points; out of sight between the two shares of the way in `hidden`."""
        for _ in range(round(0.25 * 1e6 / self.step_us)):
            self._moment([], points[0])
        steps = max(2, round(seconds * 1e6 / self.step_us))
        for i in range(steps):
            share = i / (steps - 1)
            at = along(points, share)
            seen = [] if hidden[0] <= share <= hidden[1] else [(at, cls)]
            self._moment(seen, (at[0] - 30, at[1] - 70))
        if lies:
            self.lying.append((points[-1], cls))
