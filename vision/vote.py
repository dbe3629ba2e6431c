"""What the readings of one card say together: its rank, or that nobody can be sure of it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from vision.read import RANKS, SUITS, VALUES, Probabilities, Reading, softmax

#: A hand over more of a card than this share hides what the reader would go by.
COVERED_SHARE = 0.3
#: So many readings of an uncovered card are heard alone; with fewer all are heard.
CLEAR_READINGS = 3


@dataclass(slots=True)
class _Tally:
    """What some readings of a card say together.

    Log-probabilities are added, each frame's no further down than `FLOOR` and all of them shrunk by `WEIGHT`, because
    neighbouring frames err together. It answers only when the value that the burn counts is as good as certain and
    enough frames agree on it; a doubt between 10, J, Q and K is no doubt about the value. Since a strange deck can
    mislead every frame alike, it also takes frames that are sure by the reader's own calibrated bound, not one here
    and there by chance, and next to none that are as sure of another value. The same is asked of a suit by itself: the
    pips of a strange deck look a little like another suit's in every frame, and thirty doubts add up to no certainty.
    """

    FLOOR = 0.01
    WEIGHT = 0.6
    SURE = 0.995
    AGREEING = 3
    #: So many frames must each be sure by themselves, and so large a share of those that are sure must agree.
    SURE_FRAMES = 3
    SURE_SHARE = 0.85
    #: ... of all frames that show a face, so many are sure by themselves.
    SURE_OF_ALL = 0.25
    #: Of a card that has just been laid down the first frames may be strange ones, with fingers on it.
    SETTLED_FRAMES, SETTLED_SHARE = 8, 0.5
    #: After so many there is nothing to wait for.
    CERTAIN_FRAMES = 16
    #: A doubt between ranks of one value is none, if together they are as good as certain.
    SURE_VALUE = 0.995
    #: ... and this share of all frames that show a face.
    SHARE = 0.7
    #: A crop that is likelier no face than a face says nothing about the rank.
    LEAST_FACE = 0.5
    #: Of the frames that are sure of a suit next to none may be sure of another: unlike ranks, suits have no value in
    #: common that would be right all the same.
    SUIT_SHARE = 0.95

    _sum: Probabilities = field(default_factory=lambda: np.zeros(len(RANKS)))
    _suits: Probabilities = field(default_factory=lambda: np.zeros(len(SUITS)))
    _for_value: dict[int, int] = field(default_factory=dict)
    _sure_of: dict[int, int] = field(default_factory=dict)
    _sure_suits: dict[str, int] = field(default_factory=dict)

    def add(self, reading: Reading) -> None:
        """Counts one reading."""
        if reading.face < self.LEAST_FACE:
            return
        self._sum = self._sum + self.WEIGHT * np.log(np.maximum(reading.ranks, self.FLOOR))
        self._suits = self._suits + self.WEIGHT * np.log(np.maximum(reading.suits, self.FLOOR))
        value = VALUES[int(reading.ranks.argmax())]
        self._for_value[value] = self._for_value.get(value, 0) + 1
        together = sum(float(p) for p, v in zip(reading.ranks, VALUES, strict=True) if v == value)
        if reading.rank is not None or (reading.face >= reading.least and together >= self.SURE_VALUE):
            self._sure_of[value] = self._sure_of.get(value, 0) + 1
        if reading.suit is not None:
            self._sure_suits[reading.suit] = self._sure_suits.get(reading.suit, 0) + 1

    def take_in(self, other: _Tally) -> None:
        """Counts the readings of another tally, on the same card, as well."""
        self._sum, self._suits = self._sum + other._sum, self._suits + other._suits
        for mine, theirs in ((self._for_value, other._for_value), (self._sure_of, other._sure_of)):
            for value, count in theirs.items():
                mine[value] = mine.get(value, 0) + count
        for suit, count in other._sure_suits.items():
            self._sure_suits[suit] = self._sure_suits.get(suit, 0) + count

    @property
    def faces(self) -> int:
        """How many readings showed a face."""
        return sum(self._for_value.values())

    @property
    def posterior(self) -> Probabilities:
        """Probability of each of `RANKS`, (13,)."""
        return softmax(self._sum)

    @property
    def value(self) -> int | None:
        """What the burn counts, 1..10, or None where the vote is unsure."""
        posterior = self.posterior
        shares: dict[int, float] = {}
        for value, share in zip(VALUES, posterior, strict=True):
            shares[value] = shares.get(value, 0.0) + float(share)
        best = max(shares, key=lambda value: shares[value])
        agreed, sure = self._for_value.get(best, 0), self._sure_of.get(best, 0)
        return best if shares[best] > self.SURE and agreed >= self.AGREEING and self._agrees(agreed, sure) else None

    def _agrees(self, agreed: int, sure: int) -> bool:
        """Whether enough frames are sure by themselves, and nearly all that are say the same."""
        every, every_sure = self.faces, sum(self._sure_of.values())
        enough = sure >= max(self.SURE_FRAMES, self.SURE_OF_ALL * every)
        return enough and sure >= self.SURE_SHARE * every_sure and agreed >= self.SHARE * every

    @property
    def settled(self) -> bool:
        """Whether it has been read so often, and so many frames were sure, that more will not unsettle it."""
        every, sure = self.faces, sum(self._sure_of.values())
        return every >= self.SETTLED_FRAMES and sure >= self.SETTLED_SHARE * every

    @property
    def certain(self) -> bool:
        """Whether it has settled, and been read twice as often as that takes."""
        return self.settled and self.faces >= self.CERTAIN_FRAMES

    @property
    def rank(self) -> str | None:
        """The likeliest rank of the value that is sure, or None where the vote is unsure."""
        return None if self.value is None else RANKS[int(self._sum.argmax())]

    @property
    def suit(self) -> str | None:
        """The suit, or None unless all frames together and enough of them by themselves are sure of it."""
        posterior = softmax(self._suits)
        likeliest = SUITS[int(posterior.argmax())]
        sure, every_sure = self._sure_suits.get(likeliest, 0), sum(self._sure_suits.values())
        enough = sure >= max(self.SURE_FRAMES, self.SURE_OF_ALL * self.faces)
        return likeliest if posterior.max() > self.SURE and enough and sure >= self.SUIT_SHARE * every_sure else None

    def facts(self) -> dict[str, str]:
        """The facts `rank` and, where as sure, `suit` of an event; empty where the vote is unsure of the rank."""
        if self.rank is None:
            return {}
        return {"rank": self.rank} if self.suit is None else {"rank": self.rank, "suit": self.suit}


@dataclass(slots=True)
class RankVote:
    """What a card's readings say together, those under a hand only where there are hardly any others."""

    _every: _Tally = field(default_factory=_Tally)
    _clear: _Tally = field(default_factory=_Tally)

    def add(self, reading: Reading, *, covered: bool = False) -> None:
        """Counts one reading; `covered`: a hand lay over more of the card than `COVERED_SHARE`."""
        self._every.add(reading)
        if not covered:
            self._clear.add(reading)

    def take_in(self, other: RankVote) -> None:
        """Counts the readings of another vote, on the same card, as well."""
        self._every.take_in(other._every)
        self._clear.take_in(other._clear)

    @property
    def _heard(self) -> _Tally:
        return self._clear if self._clear.faces >= CLEAR_READINGS else self._every

    @property
    def value(self) -> int | None:
        """What the burn counts, 1..10, or None where the vote is unsure."""
        return self._heard.value

    @property
    def settled(self) -> bool:
        """Whether it has been read so often, and so many frames were sure, that more will not unsettle it."""
        return self._heard.settled

    @property
    def certain(self) -> bool:
        """Whether it has settled, and been read twice as often as that takes."""
        return self._heard.certain

    @property
    def rank(self) -> str | None:
        """The likeliest rank of the value that is sure, or None where the vote is unsure."""
        return self._heard.rank

    def facts(self) -> dict[str, str]:
        """The facts `rank` and, where as sure, `suit` of an event; empty where the vote is unsure."""
        return self._heard.facts()
