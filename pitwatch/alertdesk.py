"""One watched table's alerts: which findings ring, what is written before it is sent, and what is taken back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Protocol

from pitwatch.episodes import NOBODY, Alert, Episodes
from pitwatch.health import Latency
from pitwatch.stages import Finding
from pitwatch.store import AlertLog
from pitwatch.writer import Writer
from rules.event import Event


class Tells(Protocol):
    """The bus, as a table uses it."""

    def alert(self, log: AlertLog, alert: Mapping[str, Any]) -> str:
        """Disk, then wire."""
        ...

    def status(self, table: str, health: Mapping[str, Any]) -> None:
        """Wire only."""
        ...


@dataclass(frozen=True, slots=True)
class Desk:
    """What alerts go through: the log, the bus, what is written in order, and the operator's terminal."""

    log: AlertLog
    bus: Tells
    writer: Writer
    say: Callable[[str], None]


class AlertDesk:
    """Takes a table's findings and sends its alerts.

    Args:
        table: its name.
        made: what stands in every alert of this run: its `origin`, its folder (`run`), the hashes of its `models`.
        desk: what alerts go through.
        moment: gives the wall clock of a time of the source.
    """

    def __init__(self, table: str, made: Mapping[str, Any], desk: Desk, moment: Callable[[int], str | None]) -> None:
        self._table, self._made, self._desk, self._moment = table, made, desk, moment
        self._episodes, self._dealer = Episodes(), NOBODY
        self._episodes.restore(desk.log.envelopes(), str(made["origin"]), now_us(), datetime.now(UTC))
        self._verdicts: dict[str, str] = {}
        self.latency = Latency()
        self.rang = self.known = 0

    @property
    def breached(self) -> bool:
        """Whether a violation stands."""
        return "violation" in self._verdicts.values()

    def hear(self, finding: Finding) -> None:
        """Takes in a finding, pending or not: breaches, and what confirms or takes them back, go to the wire."""
        finding_id, withdrawn = str(finding["id"]), finding.get("state") == "withdrawn"
        verdict = "withdrawn" if withdrawn else str(finding["verdict"])
        if verdict == "violation":
            self.known += finding_id not in self._verdicts and self._episodes.knows(finding_id)
            self._send(self._episodes.hear(finding, self._dealer, now_us()))
        else:
            self._send(self._episodes.withdraw(finding, now_us()))
        self._verdicts[finding_id] = verdict

    def note_dealer(self, event: Event) -> None:
        """Takes in an event: a change of dealers ends what is counted together."""
        if event.kind == "dealer.change":
            dealer = NOBODY
        elif event.kind == "signal" and event.facts.get("name") == "dealer":
            dealer = str(event.facts.get("value") or NOBODY)
        else:
            return
        if dealer != self._dealer:
            self._dealer = dealer
            self._send(self._episodes.dealer_left(self._table))

    def tick(self) -> None:
        """Sends what is due by the clock."""
        self._send(self._episodes.tick(now_us()))

    def end(self, *, stopped: bool) -> None:
        """Sends the last counts. A stopped watch may go on later: only a recording's end closes what is open."""
        self._send(self._episodes.counts() if stopped else self._episodes.end())

    def _send(self, alerts: Iterable[Alert]) -> None:
        for alert in alerts:
            alert |= {**self._made, "at": self._moment(int(alert["t_us"]))}
            self._desk.writer.do(partial(self._put, alert))
            self._announce(alert)

    def _put(self, alert: Alert) -> None:
        self._desk.bus.alert(self._desk.log, alert)
        if _rings(alert):
            self.latency.sent(int(alert["end_us"]), time.monotonic())

    def _announce(self, alert: Alert) -> None:
        say = self._desk.say
        if alert["state"] == "withdrawn":
            say(f"{self._table}  {alert['clause']}  withdrawn: {alert['explanation']}")
        elif "confirms" in alert:
            say(f"{self._table}  {alert['clause']}  confirmed: {alert['explanation']}")
        elif _rings(alert):
            self.rang += 1
            at = alert["at"] or f"{int(alert['t_us']) / 1e6:.3f} s"
            so_far = " (so far)" if alert["pending"] else ""
            say(f"{at}  {self._table}  {alert['clause']}{so_far}  {alert['explanation']}")


def _rings(alert: Alert) -> bool:
    """Whether an alert is news, and not a count, a confirmation or an end."""
    return alert["state"] == "open" and alert["count"] == 1 and "confirms" not in alert


def now_us() -> int:
    """The monotonic clock."""
    return time.monotonic_ns() // 1000
