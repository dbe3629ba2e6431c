"""Episodes: one alert for one habit, and none that hides another."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from pitwatch.episodes import EPISODE_US, TELL_US, Alert, Episodes
from tests.pitwatch.fakes import finding

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def states(alerts: Iterable[Alert]) -> list[tuple[str, int]]:
    return [(alert["state"], alert["count"]) for alert in alerts]


def test_five_hundred_equal_findings_are_one_alert_that_counts_to_500() -> None:
    episodes = Episodes()
    sent: list[Alert] = []
    for number in range(500):
        sent += episodes.hear(finding(t_us=number * 1000), "", now_us=number * 1000)
    sent += episodes.end()
    assert states(sent) == [("open", 1), ("closed", 500)]
    assert len({alert["id"] for alert in sent}) == 1
    assert (sent[-1]["first_us"], sent[-1]["last_us"]) == (0, 499_000)
    assert len(sent[-1]["findings"]) == 500


def test_another_clause_table_or_dealer_rings_for_itself() -> None:
    episodes = Episodes()
    rung = [
        *episodes.hear(finding("A", t_us=1), "7", 0),
        *episodes.hear(finding("A", t_us=2), "7", 1),
        *episodes.hear(finding("B", t_us=3), "7", 2),
        *episodes.hear(finding("A", t_us=4, table="midi-4"), "7", 3),
        *episodes.hear(finding("A", t_us=5), "8", 4),
    ]
    assert states(rung) == [("open", 1)] * 4


def test_a_repeat_prolongs_nothing_so_a_lasting_breach_rings_again() -> None:
    episodes = Episodes()
    rung_us = [
        now_us
        for now_us in range(0, 3 * EPISODE_US, EPISODE_US // 10)
        for alert in episodes.hear(finding(t_us=now_us), "", now_us)
        if (alert["state"], alert["count"]) == ("open", 1)
    ]
    assert rung_us == [0, EPISODE_US, 2 * EPISODE_US]


def test_counts_are_told_now_and_then_and_an_old_episode_is_closed() -> None:
    episodes = Episodes()
    episodes.hear(finding(t_us=1), "", 0)
    assert episodes.hear(finding(t_us=2), "", 1) == []
    assert episodes.tick(TELL_US - 1) == []
    assert states(episodes.tick(TELL_US)) == [("open", 2)]
    assert episodes.tick(2 * TELL_US) == []
    assert states(episodes.tick(EPISODE_US)) == [("closed", 2)]


def test_a_withdrawn_violation_is_taken_back() -> None:
    episodes = Episodes()
    episodes.hear(finding(t_us=1), "", 0)
    taken_back = finding(t_us=1, verdict="compliant", state="withdrawn")
    (alert,) = episodes.withdraw(taken_back, 1)
    assert (alert["state"], alert["count"], alert["supersedes"]) == ("withdrawn", 0, alert["id"])
    assert episodes.withdraw(taken_back, 2) == []
    assert episodes.end() == []


def test_the_next_breach_takes_the_place_of_a_withdrawn_one() -> None:
    episodes = Episodes()
    for t_us in (1, 2, 3):
        episodes.hear(finding(t_us=t_us), "", t_us)
    first = finding(t_us=1, state="withdrawn")
    alerts = episodes.withdraw(first, 4)
    assert states(alerts) == [("withdrawn", 0), ("open", 2)]
    assert alerts[1]["id"] == finding(t_us=2)["id"]
    assert alerts[1]["supersedes"] == first["id"]
    (lowered,) = episodes.withdraw(finding(t_us=3, state="withdrawn"), 5)
    assert (lowered["count"], lowered["supersedes"]) == (1, alerts[1]["id"])
    assert states(episodes.end()) == [("closed", 1)]


def test_what_never_rang_is_not_taken_back() -> None:
    assert Episodes().withdraw(finding(state="withdrawn"), 0) == []


def test_a_dealer_who_leaves_takes_his_episode_along() -> None:
    episodes = Episodes()
    episodes.hear(finding(t_us=1), "7", 0)
    episodes.hear(finding(t_us=1, table="midi-4", id="x"), "7", 0)
    assert [(a["table"], a["state"]) for a in episodes.dealer_left("midi-3")] == [("midi-3", "closed")]


def envelopes(alerts: Iterable[Alert], origin: str, sent: datetime) -> list[dict[str, Any]]:
    return [json.loads(json.dumps({"sent_at": sent.isoformat(), "alert": a | {"origin": origin}})) for a in alerts]


def test_after_a_restart_the_same_recording_does_not_ring_again() -> None:
    before = Episodes()
    sent = before.hear(finding(t_us=1), "", 0) + before.hear(finding(t_us=2), "", 1) + before.counts()
    after = Episodes()
    after.restore(envelopes(sent, "file:a", NOW), "file:a", 5, NOW)
    assert after.hear(finding(t_us=1), "", 6) == after.hear(finding(t_us=2), "", 7) == []
    assert after.hear(finding(t_us=3), "", 8) == []
    assert states(after.end()) == [("closed", 3)]


def test_another_recording_with_the_same_ids_is_heard() -> None:
    before = Episodes()
    sent = before.hear(finding(t_us=1), "", 0) + before.end()
    after = Episodes()
    after.restore(envelopes(sent, "file:a", NOW), "file:b", 5, NOW)
    assert states(after.hear(finding(t_us=1), "", 6)) == [("open", 1)]


def test_an_episode_that_grew_old_while_nobody_watched_rings_again() -> None:
    sent = Episodes().hear(finding(t_us=1), "", 0)
    after = Episodes()
    after.restore(envelopes(sent, "live:1", NOW - timedelta(minutes=16)), "live:2", 0, NOW)
    assert states(after.hear(finding(t_us=9), "", 1)) == [("closed", 1), ("open", 1)]


def test_what_was_taken_back_before_a_restart_stays_so() -> None:
    before = Episodes()
    back = finding(t_us=1, state="withdrawn")
    sent = before.hear(finding(t_us=1), "", 0) + before.withdraw(back, 1)
    after = Episodes()
    after.restore(envelopes(sent, "file:a", NOW), "file:a", 5, NOW)
    assert after.hear(finding(t_us=1), "", 6) == after.withdraw(back, 7) == after.end() == []


def test_equal_ids_of_another_run_are_counted_apart() -> None:
    sent = Episodes().hear(finding(t_us=1), "", 0)
    second = Episodes()
    second.restore(envelopes(sent, "live:1", NOW), "live:2", 0, NOW)
    assert second.hear(finding(t_us=1), "", 1) == []
    sent += second.counts()
    third = Episodes()
    third.restore(envelopes(sent, "live:2", NOW), "live:3", 0, NOW)
    third.hear(finding(t_us=1), "", 1)
    assert states(third.end()) == [("closed", 3)]


def pending(t_us: int = 1) -> dict[str, Any]:
    return finding("PA-629a.5(c)-depth", t_us=t_us, state="pending")


def test_a_pending_violation_is_confirmed_once_and_does_not_ring_again() -> None:
    episodes = Episodes()
    (rung,) = episodes.hear(pending(), "", 0)
    assert (rung["state"], rung["pending"]) == ("open", [pending()["id"]])
    assert episodes.hear(pending(), "", 1) == []
    closed = pending() | {"state": "closed"}
    (confirmed,) = episodes.hear(closed, "", 2)
    assert (confirmed["state"], confirmed["count"], confirmed["pending"]) == ("open", 1, [])
    assert confirmed["confirms"] == confirmed["id"] == rung["id"]
    assert episodes.hear(closed, "", 3) == []
    assert states(episodes.end()) == [("closed", 1)]


def test_what_is_confirmed_after_its_episode_was_closed_is_told_all_the_same() -> None:
    episodes = Episodes()
    episodes.hear(pending(), "", 0)
    assert [(a["state"], a["pending"]) for a in episodes.tick(EPISODE_US)] == [("closed", [pending()["id"]])]
    (confirmed,) = episodes.hear(pending() | {"state": "closed"}, "", EPISODE_US + 1)
    assert (confirmed["state"], confirmed["confirms"]) == ("closed", pending()["id"])
    assert episodes.end() == []


def test_a_violation_that_was_taken_back_rings_again_when_it_is_one_after_all() -> None:
    episodes = Episodes()
    episodes.hear(pending(), "", 0)
    assert states(episodes.withdraw(pending() | {"verdict": "compliant"}, 1)) == [("withdrawn", 0)]
    assert states(episodes.hear(pending() | {"state": "closed"}, "", 2)) == [("open", 1)]
    assert states(episodes.end()) == [("closed", 1)]


def test_what_was_pending_before_a_restart_is_confirmed_after_it() -> None:
    sent = Episodes().hear(pending(), "", 0)
    after = Episodes()
    after.restore(envelopes(sent, "file:a", NOW), "file:a", 5, NOW)
    assert after.hear(pending(), "", 6) == []
    (confirmed,) = after.hear(pending() | {"state": "closed"}, "", 7)
    assert confirmed["confirms"] == pending()["id"]
    assert confirmed["pending"] == []
