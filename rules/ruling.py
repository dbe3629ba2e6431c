"""What a clause says of one occasion, and what it may look at to say it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from rules.clause import Clause
from rules.context import GameContext
from rules.coverage import Coverage
from rules.event import Event
from rules.finding import Measured, Verdict
from rules.pack import Pack


@dataclass(frozen=True, slots=True)
class Ruling:
    """One clause at one occasion.

    Args:
        verdict: what can be said.
        t_us: the trigger.
        end_us: the earliest moment at which it could be decided.
        seen: first sentence of the explanation: what was seen.
        asks: second: what the clause asks here.
        off: third: how far off, which exception applied, or what was not seen.
        measured: the number that was compared, with its interval.
        exception: the exemption or gate that applied.
        corrected: a step went wrong and was put right before its deadline.
        events: ids of the events that carry it.
        decided: False while later events can still change it by right, not by being late.
        viewed_until_us: the view matters from the trigger to here; None: to `end_us`.
        severity: None: the clause's own.
    """

    verdict: Verdict
    t_us: int
    end_us: int
    seen: str
    asks: str
    off: str
    measured: Measured | None = None
    exception: str | None = None
    corrected: bool = False
    events: tuple[str, ...] = ()
    decided: bool = True
    viewed_until_us: int | None = None
    severity: str | None = None


class Occasion(Protocol):
    """One time that the clauses of a part can be obeyed or breached; a frozen value."""

    @property
    def trigger(self) -> str:
        """What the occasion's findings get their ids from."""
        ...

    def ended(self) -> Occasion:
        """The same occasion, known to be over."""
        ...

    @property
    def signals(self) -> Mapping[str, Any]:
        """The signals that held when it arose."""
        ...

    @property
    def since_us(self) -> int:
        """The earliest moment whose view matters to it."""
        ...

    @property
    def until_us(self) -> int | None:
        """The last such moment; None while it goes on."""
        ...


O = TypeVar("O", bound=Occasion)  # noqa: E741 - one letter is what a type variable is called
O_contra = TypeVar("O_contra", bound=Occasion, contravariant=True)
O_co = TypeVar("O_co", bound=Occasion, covariant=True)


class Watch(Protocol[O_co]):
    """A frozen state that splits a stream of events, ordered by their ends, into occasions."""

    @property
    def open(self) -> O_co | None:
        """The occasion that is going on."""
        ...

    @property
    def since_us(self) -> int:
        """The earliest moment whose view may matter to an occasion yet to come."""
        ...

    def step(self, event: Event) -> tuple[Watch[O_co], O_co | None]:
        """The state after an event, and the occasion that it ended; itself if the event means nothing to it."""
        ...


@dataclass(frozen=True, slots=True)
class Sight:
    """What a clause may look at besides the events of its occasion.

    `now_us`: nothing earlier is still expected. `ended`: no more events of this occasion will come.
    """

    coverage: Coverage
    now_us: int
    ended: bool = False


class Rule(Protocol[O_contra]):
    """A clause that is judged: its header, and what it says of an occasion.

    What its part calls one occasion, such as a shoe's change, may hold several of the clause's own, such as offers.
    """

    @property
    def header(self) -> Clause:
        """Citation, paraphrase, needs."""
        ...

    def cases(self, occasion: O_contra) -> Sequence[Any]:
        """The clause's own occasions, each with a trigger and signals of its own."""
        ...

    def rule(self, occasion: Any, sight: Sight) -> Ruling | None:
        """The ruling so far; None while nothing can be said."""
        ...

    def trigger_us(self, occasion: Any) -> int:
        """When the clause's trigger happened."""
        ...


@dataclass(frozen=True, slots=True)
class Part(Generic[O]):
    """Clauses that share their occasions: how these are told apart, and the clauses."""

    start: Watch[O]
    rules: tuple[Rule[O], ...]
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True)
class Chapter:
    """What the code knows of a chapter; its numbers and dates stand in the pack of the same name.

    Args:
        name: the pack's name.
        clauses: the headers of all its rows, judged or not, in the text's order.
        numbers: the numbers that its clauses read, each with its kind (see `rules.packs`).
        options: the options that its clauses read.
        parts: makes the judged parts from a pack and a table's game.
    """

    name: str
    clauses: tuple[Clause, ...]
    numbers: Mapping[str, str]
    options: tuple[str, ...]
    parts: Callable[[Pack, GameContext], tuple[Part[Any], ...]] = field(repr=False)
