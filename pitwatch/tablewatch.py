"""One watched table: pictures to events, events to findings, breaches to alerts; and its health."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from faults import Fault
from pitwatch.alertdesk import AlertDesk, Desk, Tells
from pitwatch.camera import Arrived, Camera, Opens, recorded_at
from pitwatch.chain import sha256_of_file
from pitwatch.folder import EVENTS, FINDINGS, RUN
from pitwatch.health import Freeze, Pace
from pitwatch.jsonl import line_of, write_json
from pitwatch.judging import pack_record
from pitwatch.liveclips import LiveClips
from pitwatch.provenance import models_record, versions
from pitwatch.signals import SignalFeed, read_signals, signal_event
from pitwatch.site import SiteTable
from pitwatch.stages import Finding, Stages
from pitwatch.store import AlertLog, Lines, Reserve, now_text
from pitwatch.watchrun import RUNS, origin_of, recording_began, run_folder
from pitwatch.writer import Writer
from rules.event import Event
from vision.source import open_source

CHORES_S = 0.25
TELL_HEALTH_S = 2.0
FINE, BREACHED, WRONG, UNREAD = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class Means:
    """What a table's watch works with. `say` takes a line for the terminal, `told` gives a table's new signals."""

    stages: Stages
    bus: Tells
    reserve: Reserve
    say: Callable[[str], None]
    opens: Opens = open_source
    told: Callable[[str], Sequence[tuple[str, Any]]] = lambda table: ()


class TableWatch:
    """The watch of one table; `run` is for a thread of its own.

    Args:
        place: the table, as the site file has it.
        log: its alerts, on disk.
        means: the stages, the bus, the terminal.

    Raises:
        Fault: the models, the rules, the signals or the store cannot be used.
    """

    def __init__(self, place: SiteTable, log: AlertLog, means: Means) -> None:
        self.place, self.name = place, place.table.table
        self._log, self._means = log, means
        self._camera = Camera(place.source, place.stall_s, means.opens)
        recorded = recorded_at(place.source, means.opens)
        self._started_at = datetime.now(UTC) if self._camera.live else recording_began(place, recorded)
        self._origin = origin_of(place.source, self._started_at if self._camera.live else None)
        self._eyes = means.stages.eyes(place.table)
        self._judge = means.stages.judge(place.table, self._started_at, None)
        signals = read_signals(place.signals, self.name, self._started_at) if place.signals else []
        self._signals = SignalFeed(signals)
        self._signals_told = 0
        self._folder = run_folder(log.path.parent)
        self._writer = Writer(means.reserve)
        self._events, self._findings = Lines(self._folder / EVENTS, sync=False), Lines(self._folder / FINDINGS)
        desk = Desk(log, means.bus, self._writer, means.say)
        self._with = {
            "table": {"name": self.name, "path": str(place.path), "sha256": sha256_of_file(place.path)},
            "pack": pack_record(place.table.game.pack),
            "versions": versions(),
            "models": models_record(means.stages.models_dir),
        }
        made = {"origin": self._origin, "run": f"{RUNS}/{self._folder.name}", "models": self._with["models"]}
        self._alerts = AlertDesk(self.name, made, desk, self._moment)
        self._clips = LiveClips(self._folder, place.source, live=self._camera.live, clock=self._clock)
        self._clips_failed: dict[str, str] = {}
        self.making_clips = False
        self._freeze, self._pace = Freeze(), Pace()
        self._end_us, self._looked, self._look_s = 0, 0, 0.0
        self._misfit: Fault | None = None
        self._failed: str | None = None
        self._frozen = self._over = False
        self._stopped = False
        self._state, self._told_s, self._chores_s = "starting", float("-inf"), float("-inf")

    # -- the watch ------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Watches until the file ends or `stop` is called. Whatever goes wrong stays with this table."""
        try:
            self._write_run("running")
            self._camera.start()
            self._watch()
            self._finish()
        except Exception:  # one table's failure must not take the others along
            self._failed = traceback.format_exc(limit=-3).strip()
            self._means.say(f"{self.name}: the watch of this table failed:\n{self._failed}")
        finally:
            self._over = True
            self._camera.stop()
            self._tell_health()
            self.making_clips = True
            self._clips_failed = self._clips.end()
            self._write_run("failed" if self._failed else "stopped" if self._stopped else "finished")
            self._close()

    def stop(self) -> None:
        """Asks the watch to end; it does within a moment."""
        self._stopped = True

    def _watch(self) -> None:
        while not self._stopped:
            arrived = self._camera.take(CHORES_S)
            if arrived is not None:
                self._see(arrived)
            elif self._camera.ended:
                return
            if time.monotonic() - self._chores_s >= CHORES_S:
                self._do_chores()

    def _see(self, arrived: Arrived) -> None:
        """Takes one picture through the stages."""
        frame, begun_s = arrived.frame, time.perf_counter()
        self._alerts.latency.came(arrived)
        self._frozen = self._freeze.see(arrived)
        if self._frozen and self._camera.live:
            return  # nobody is looking: the stages will see a gap, so no step counts as left out
        try:
            events = self._eyes.step(frame)
        except Fault as fault:  # the picture's size is not the table file's: every zone would lie elsewhere
            self._misfit = fault
            return
        self._misfit = None
        self._end_us = frame.t_us
        self._clips.see(frame)
        self._take(self._signals.until(frame.t_us))
        self._take([self._told(*signal, frame.t_us) for signal in self._means.told(self.name)])
        self._take(events)
        self._hear(self._judge.tick(frame.t_us - self._eyes.latency_us))
        self._pace.looked(frame.t_us, self._camera.counts.skipped)
        self._looked += 1
        self._look_s += time.perf_counter() - begun_s

    def _told(self, name: str, value: Any, t_us: int) -> Event:
        """A signal that a console sent, as the event of the picture that was next."""
        self._signals_told += 1
        event_id = f"{self.name}-signal-live-{self._signals_told:04d}"
        return signal_event(event_id, self.name, name, value, t_us)

    def _take(self, events: Iterable[Event]) -> None:
        for event in events:
            self._writer.do(partial(self._events.append, event.to_json()))
            self._alerts.note_dealer(event)
            self._hear(self._judge.step(event))

    def _hear(self, findings: Iterable[Finding]) -> None:
        """Findings to disk; breaches, pending or not, and what confirms or takes them back, to the wire."""
        for finding in findings:
            named = self._clips.named(finding)
            self._writer.do(partial(self._findings.append, line_of(named)))
            self._alerts.hear(named)

    def _moment(self, t_us: int) -> str | None:
        """A time of the source by the wall clock, if that is known."""
        if self._started_at is None:
            return None
        return (self._started_at + timedelta(microseconds=t_us)).isoformat(timespec="milliseconds")

    def _clock(self, t_us: int) -> str:
        """A time as a clip's strip shows it."""
        own = f"{t_us / 1e6:.3f} s"
        at = self._moment(t_us)
        return own if at is None else f"{at}  {own}"

    # -- health ---------------------------------------------------------------------------------------------------

    def _do_chores(self) -> None:
        self._chores_s = time.monotonic()
        self._writer.again()
        self._alerts.tick()
        self._clips.tick()
        if self._state_now()[0] != self._state or self._chores_s - self._told_s >= TELL_HEALTH_S:
            self._tell_health()

    def _state_now(self) -> tuple[str, str | None]:
        """The worst that can be said of this table now, and what to do about it."""
        camera, disk, silent_s = self._camera, self._writer, self._camera.silent_s
        moved = self._eyes.moved
        worst_first = (
            (self._failed is not None, "failed", self._failed),
            (self._over, "ended", camera.incomplete),
            (
                disk.trouble is not None,
                "store",
                f"{disk.trouble}: {disk.waiting} lines wait for room at {self._folder}",
            ),
            (self._misfit is not None, "recalibrate", f"recalibrate table {self.name}: {self._misfit}"),
            (moved is not None, "recalibrate", f"recalibrate table {self.name}: its camera was moved, {moved}"),
            (
                silent_s >= self.place.stall_s,
                "stalled",
                f"no picture for {silent_s:.0f} s from {camera.source}: {camera.trouble or 'it is silent'}",
            ),
            (self._frozen, "frozen", f"the picture of {camera.source} has not changed for ten seconds"),
            (self._means.reserve.spent, "store", f"no room at {self._folder}; the last reserve is in use"),
            (
                self._pace.slow,
                "slow",
                f"only {self._pace.looks_s or 0:.0f} looks a second, pictures are skipped: a short step can be missed",
            ),
            (self._looked == 0, "starting", None),
        )
        return next(((state, why) for holds, state, why in worst_first if holds), ("watching", None))

    def _tell_health(self) -> None:
        state, why = self._state_now()
        if state != self._state:
            self._means.say(f"{self.name}: {state}" + (f": {why}" if why else ""))
        self._state, self._told_s = state, time.monotonic()
        self._means.bus.status(self.name, self.health())

    def health(self) -> dict[str, Any]:
        """The table's health as its status message has it."""
        state, why = self._state_now()
        counts = self._camera.counts
        return {
            "state": state,
            "fault": why,
            "source": self.place.source,
            "t_us": self._end_us,
            "frames": counts.arrived,
            "skipped": counts.skipped,
            "lost": counts.lost,
            "reconnects": max(0, counts.opened - 1),
            "looks_s": None if self._pace.looks_s is None else round(self._pace.looks_s, 1),
            "behind_ms": round(1000 * counts.behind_s),
            "ahead_ms": round(1000 * counts.ahead_s),
            "provider": self._eyes.provider,
            "look_ms": round(1000 * self._look_s / self._looked, 1) if self._looked else None,
            "rang": self._alerts.rang,
            "known_before": self._alerts.known,
            "seq": self._log.last_seq,
            "latency": self._alerts.latency.figures(),
        }

    # -- the end --------------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        self._take(self._eyes.finish())
        self._hear(self._judge.finish(self._end_us))
        self._alerts.end(stopped=self._stopped)

    def _write_run(self, state: str) -> None:
        run = {
            "state": state,
            "written_at": now_text(),
            **self._with,
            "origin": self._origin,
            "started_at": None if self._started_at is None else self._started_at.isoformat(),
            "health": self.health(),
            "clips_failed": self._clips_failed,
            "exit_code": self.exit_code,
        }
        self._writer.do(partial(write_json, self._folder / RUN, run))

    def _close(self) -> None:
        if self._writer.waiting:
            text = f"{self.name}: {self._writer.waiting} lines could not be written ({self._writer.trouble})"
            self._means.say(f"{text}; the alerts among them are those printed above.")
        self._events.close()
        self._findings.close()

    @property
    def exit_code(self) -> int:
        """The contract's exit code for this table alone."""
        if self._camera.incomplete or self._failed or self._writer.waiting:
            return UNREAD
        if self._misfit is not None:
            return WRONG
        return BREACHED if self._alerts.breached else FINE

    @property
    def latencies_s(self) -> list[float]:
        """How long each alert took, from its deciding frame's arrival to the wire."""
        return list(self._alerts.latency.taken_s)

    @property
    def incomplete(self) -> str | None:
        """Why this table was not wholly watched, or None."""
        return self._failed or self._camera.incomplete or (str(self._misfit) if self._misfit else None)
