"""What the page says once and not in every finding, which findings form a shoe, and acts in a few words."""

from __future__ import annotations

from pitwatch.actwords import WORDS, act_words
from pitwatch.datenotes import date_notes
from pitwatch.shoes import occasions_of
from rules.clause import Clause, Needs
from rules.event import KINDS
from tests.pitwatch.fakes import event, finding

NOTE = "Day of the recording unknown."
CLAUSE = Clause("PA-629a.5(f)-count", "", "", "shoe", Needs())


def test_a_note_on_dates_is_told_once_and_numbered() -> None:
    bearing = [finding(t_us=t_us, explanation=f"Six were burned. {NOTE}") for t_us in (0, 9_000_000)]
    plain = finding("PA-629a.5(f)-before", explanation="Play had not begun.")
    notes = date_notes({"started_at": None, "as_of": None}, [CLAUSE], [*bearing, plain])
    assert notes.notes == (NOTE,)
    assert [notes.number(f) for f in (*bearing, plain)] == [1, 1, None]
    assert [notes.without(f) for f in (bearing[0], plain)] == ["Six were burned.", "Play had not begun."]


def test_a_day_on_which_the_text_was_in_force_needs_no_note() -> None:
    notes = date_notes({"started_at": "2026-11-30T10:00:00-05:00"}, [CLAUSE], [finding(explanation=f"Six. {NOTE}")])
    assert notes.notes == ()
    assert notes.number(finding(explanation=f"Six. {NOTE}")) is None


def test_shuffle_cut_and_burn_are_one_shoe_and_what_follows_play_is_another() -> None:
    findings = [finding(t_us=t_s * 1_000_000) for t_s in (10, 90, 200, 2_400)]
    one, two = occasions_of(findings, [event(1, "card.place", 300_000_000, zone="player")])
    assert [len(group.findings) for group in (one, two)] == [3, 1]


def test_what_is_closed_at_the_end_of_the_shoe_does_not_stretch_its_change() -> None:
    late = finding("PA-629a.5(d)-seconddepth", "compliant", 20_000_000, end_us=2_000_000_000)
    (group,) = occasions_of([late, finding(t_us=40_000_000)])
    assert group.end_us == 160_000_000


def test_acts_in_words_with_their_intervals() -> None:
    facts = {"actor": "seat:3", "depth_cards": 8.24, "depth_cards_low": 7.1, "depth_cards_high": 9.3, "from": "top"}
    said = act_words(event(1, "cut.insert", 0, **facts))
    assert said == "cover card put in by seat:3, 8.24 (7.1 to 9.3) cards from the top"
    assert act_words(event(1, "stack.present", 0, seat="seat:5")) == "stack offered to seat:5: ?"
    assert set(WORDS) <= set(KINDS)
