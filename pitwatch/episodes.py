"""One alert for one habit: repeats of a breach raise a count instead of ringing again.

An episode is one clause, breached at one table under one dealer, for some minutes after it rang. Repeats raise
`count`, and are told at most once in a few seconds. The time runs from the ringing alone: a repeat that did not ring
prolongs nothing, so a breach that goes on and on rings again. Other clauses, tables and dealers ring for themselves.

A violation rings as soon as it is seen, pending or not. One that was pending is confirmed or taken back later, and does
not ring again for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Finding = Mapping[str, Any]
Alert = dict[str, Any]
Key = tuple[str, str, str]  # table, clause, dealer

EPISODE_US = 15 * 60 * 1_000_000
TELL_US = 10_000_000
NOBODY = ""  # the dealer when nobody says who deals


@dataclass(slots=True)
class Episode:
    """What is known of one episode. `rang_us` and `told_us` are the watch's own time; `told` the count last sent."""

    finding: Finding
    dealer: str
    first_us: int
    last_us: int
    rang_us: int
    told_us: int
    counted: dict[str, Finding]  # all that stand, by id
    told: int = 1

    def add(self, finding: Finding) -> None:
        """Counts a repeat."""
        self.counted[str(finding["id"])] = finding
        t_us = int(finding["t_us"])
        self.first_us, self.last_us = min(self.first_us, t_us), max(self.last_us, t_us)

    def alert(self, state: str) -> Alert:
        """The alert to send: the finding that rang, with what has been added since."""
        return dict(self.finding) | {
            "state": state,
            "count": len(self.counted),
            "first_us": self.first_us,
            "last_us": self.last_us,
            "dealer": self.dealer or None,
            "findings": list(self.counted),
            "pending": [one for one, finding in self.counted.items() if finding.get("state") == "pending"],
        }


@dataclass(slots=True)
class Episodes:
    """Turns findings into alerts. `now_us` is the watch's own time, monotonic, in microseconds.

    An alert carries, beside the finding that rang, `count`, `first_us`, `last_us`, `state`, the `dealer` and the ids of
    all `findings` counted, those still `pending` among them. Alerts of one episode have one `id`. An alert with
    `confirms` says that the pending violation of this id now stands.
    """

    episode_us: int = EPISODE_US
    tell_us: int = TELL_US
    _open: dict[Key, Episode] = field(default_factory=dict)
    _known: dict[str, Key] = field(default_factory=dict)  # the key of every finding that was counted, by its id
    _pending: set[str] = field(default_factory=set)
    _taken_back: set[str] = field(default_factory=set)
    _taken_back_before: set[str] = field(default_factory=set)  # in an earlier run, which ends with their being so

    def hear(self, finding: Finding, dealer: str, now_us: int) -> list[Alert]:
        """Takes a violation in; returns the alerts to send now.

        One that was heard before is not heard again, unless it was taken back since, or closes after it was pending.
        """
        finding_id, waits = str(finding["id"]), finding.get("state") == "pending"
        if finding_id in self._known and finding_id not in self._taken_back:
            return [] if waits else self._confirm(finding, now_us)
        self._taken_back.discard(finding_id)
        if waits:
            self._pending.add(finding_id)
        key = (str(finding["table"]), str(finding["clause"]), dealer)
        self._known[finding_id] = key
        alerts = self._close_old(key, now_us)
        episode = self._open.get(key)
        if episode is not None:
            episode.add(finding)
            return alerts + self._tell(episode, now_us)
        t_us = int(finding["t_us"])
        self._open[key] = Episode(finding, dealer, t_us, t_us, now_us, now_us, {finding_id: finding})
        return [*alerts, self._open[key].alert("open")]

    def knows(self, finding_id: str) -> bool:
        """True if a finding was heard before, in this run or an earlier one."""
        return finding_id in self._known

    def withdraw(self, finding: Finding, now_us: int) -> list[Alert]:
        """Takes back a violation that later evidence disproved: an alert in the state `withdrawn`.

        It bears the withdrawn finding, and names in `supersedes` the alert that it takes back or whose count it lowers;
        `count` is how many breaches of that alert still stand. If others stand, but the one that rang does not, the
        next of them takes its place, and names it in `supersedes`. What never counted needs no taking back.
        """
        finding_id = str(finding["id"])
        key = self._known.get(finding_id)
        if key is None or finding_id in self._taken_back or finding_id in self._taken_back_before:
            return []
        self._taken_back.add(finding_id)
        self._pending.discard(finding_id)
        episode = self._open.get(key)
        if episode is None or finding_id not in episode.counted:
            return [_withdrawn(finding, finding_id, 0, key[2])]
        del episode.counted[finding_id]
        episode.told, episode.told_us = len(episode.counted), now_us
        if not episode.counted:
            del self._open[key]
        if episode.counted and finding_id == episode.finding["id"]:
            episode.finding = next(iter(episode.counted.values()))
            return [_withdrawn(finding, finding_id, 0, key[2]), episode.alert("open") | {"supersedes": finding_id}]
        return [_withdrawn(finding, str(episode.finding["id"]), len(episode.counted), key[2])]

    def tick(self, now_us: int) -> list[Alert]:
        """What is due: counts that rose, and episodes whose time is over."""
        alerts: list[Alert] = []
        for key, episode in list(self._open.items()):
            alerts += self._close_old(key, now_us) or self._tell(episode, now_us)
        return alerts

    def dealer_left(self, table: str) -> list[Alert]:
        """Closes the episodes of a table whose dealer changes."""
        return [self._close(key) for key in list(self._open) if key[0] == table]

    def counts(self) -> list[Alert]:
        """The counts that rose and were not told yet, for when the watch stops and may go on later."""
        risen = [episode for episode in self._open.values() if len(episode.counted) != episode.told]
        for episode in risen:
            episode.told = len(episode.counted)
        return [episode.alert("open") for episode in risen]

    def end(self) -> list[Alert]:
        """Closes all episodes, with their last counts."""
        return [self._close(key) for key in list(self._open)]

    def restore(self, envelopes: Iterable[Mapping[str, Any]], origin: str, now_us: int, now: datetime) -> None:
        """Takes over what earlier runs sent: an episode that was open goes on from where it was.

        Findings of the same `origin` (the same recording) are known, and do not ring again. `now` is the wall clock's,
        from which the age of an episode is told.
        """
        for envelope in envelopes:
            alert = envelope["alert"]
            key = (str(alert["table"]), str(alert["clause"]), str(alert.get("dealer") or NOBODY))
            ids = [str(one) for one in alert.get("findings", [alert["id"]])]
            if alert.get("origin") == origin:
                self._know_again(alert, ids, key)
            else:  # another recording's findings may have the same ids
                ids = [one if "/" in one else f"{alert.get('origin')}/{one}" for one in ids]
            if alert["state"] == "open":
                self._reopen(key, alert, ids, now_us - _age_us(str(envelope["sent_at"]), now))
            elif alert["state"] == "closed":
                self._open.pop(key, None)
            else:
                self._take_back_again(key, ids[0])

    def _know_again(self, alert: Finding, ids: list[str], key: Key) -> None:
        """What an earlier run said of the same recording's findings."""
        self._known.update(dict.fromkeys(ids, key))
        self._pending.difference_update(ids)
        self._pending.update(alert.get("pending", ()))
        if alert["state"] == "withdrawn":
            self._taken_back_before.update(ids)
        else:
            self._taken_back_before.difference_update(ids)

    def _reopen(self, key: Key, alert: Finding, ids: list[str], sent_us: int) -> None:
        """An alert as it was sent; it stands in for the findings counted, whose own words are not in the log."""
        earlier = self._open.get(key)
        rang_us = earlier.rang_us if earlier else sent_us
        first_us, last_us = int(alert["first_us"]), int(alert["last_us"])
        waits = alert.get("pending", ())
        counted: dict[str, Finding] = {
            one: dict(alert) | {"id": one, "state": "pending" if one in waits else "closed"} for one in ids
        }
        self._open[key] = Episode(dict(alert), key[2], first_us, last_us, rang_us, sent_us, counted, len(ids))

    def _take_back_again(self, key: Key, finding_id: str) -> None:
        episode = self._open.get(key)
        if episode is not None and episode.counted.pop(finding_id, None) is not None:
            episode.told = len(episode.counted)
            if not episode.counted:
                del self._open[key]

    def _confirm(self, finding: Finding, now_us: int) -> list[Alert]:
        """Says, once, that what was pending stands."""
        finding_id = str(finding["id"])
        if finding_id not in self._pending:
            return []
        self._pending.discard(finding_id)
        key = self._known[finding_id]
        episode = self._open.get(key)
        if episode is None or finding_id not in episode.counted:
            return [_alone(finding, "closed", 1, key[2]) | {"pending": [], "confirms": finding_id}]
        episode.counted[finding_id] = finding
        if episode.finding["id"] == finding_id:
            episode.finding = finding
        episode.told, episode.told_us = len(episode.counted), now_us
        return [episode.alert("open") | {"confirms": finding_id}]

    def _tell(self, episode: Episode, now_us: int) -> list[Alert]:
        if len(episode.counted) == episode.told or now_us - episode.told_us < self.tell_us:
            return []
        episode.told, episode.told_us = len(episode.counted), now_us
        return [episode.alert("open")]

    def _close_old(self, key: Key, now_us: int) -> list[Alert]:
        episode = self._open.get(key)
        return [self._close(key)] if episode and now_us - episode.rang_us >= self.episode_us else []

    def _close(self, key: Key) -> Alert:
        return self._open.pop(key).alert("closed")


def _withdrawn(finding: Finding, supersedes: str, count: int, dealer: str) -> Alert:
    return _alone(finding, "withdrawn", count, dealer) | {"supersedes": supersedes}


def _alone(finding: Finding, state: str, count: int, dealer: str) -> Alert:
    """An alert about one finding whose episode is over, or which left it."""
    return dict(finding) | {
        "state": state,
        "count": count,
        "first_us": int(finding["t_us"]),
        "last_us": int(finding["t_us"]),
        "dealer": dealer or None,
        "findings": [str(finding["id"])],
    }


def _age_us(sent_at: str, now: datetime) -> int:
    """How long ago an alert was sent; never negative, whatever the clocks did since."""
    return max(0, round((now - datetime.fromisoformat(sent_at)).total_seconds() * 1_000_000))
