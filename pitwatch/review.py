"""`pitwatch review`: recorded video in, a folder of evidence out."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

from calibration.geometry import CalibrationFault
from calibration.tablefile import Table, load_table
from faults import InputFault
from pitwatch.chain import CHAIN, verify
from pitwatch.clips import ClipMaker, clip_name, clip_order
from pitwatch.folder import REPORT, findings_of, run_of
from pitwatch.judging import clause_list
from pitwatch.looks import Looks
from pitwatch.progress import Shows, Silent
from pitwatch.provenance import Hasher, how_it_went, run_record, same_order
from pitwatch.record import Record, set_aside
from pitwatch.report import ReportInputs, write_report
from pitwatch.signals import SignalFeed, read_signals
from pitwatch.stages import Finding, Judges, Sees, Stages, real_stages
from pitwatch.stills import Stills, take_stills
from pitwatch.timeline import Part, Timeline, ahead, copies, open_timeline
from rules.engine import LATENCY_US
from rules.event import Event
from vision.ahead import begun_ahead

SHOWN = ("violation", "indeterminate")  # verdicts that get a clip
FINE, BREACHED, UNREAD = 0, 1, 3


@dataclass(frozen=True, slots=True)
class Order:
    """What to review, against which table, into which folder."""

    sources: tuple[str, ...]
    table: Path
    out: Path
    signals: Path | None = None
    started_at: datetime | None = None
    as_of: date | None = None
    jobs: int = 2
    resume: bool = False
    force: bool = False


@dataclass(slots=True)
class Outcome:
    """How a review ended: the exit code, the findings, and the chain's last hash."""

    exit_code: int
    findings: list[Finding]
    head: str
    incomplete: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    resumed: bool = False


def run_review(order: Order, stages: Stages, show: Shows | None = None) -> Outcome:
    """Reviews recordings. What can be read is reviewed and reported, whatever else is damaged.

    Raises:
        Fault: nothing can be reviewed: no source opens, the table file is wrong or does not fit, the folder cannot be
            written. What was written before a fault stays.
    """
    show = show or Silent()
    table = load_table(order.table)
    timeline = open_timeline(order.sources, order.started_at, table.started_at)
    _refuse_other_sizes(table, timeline.parts)
    if timeline.remark:
        show.say(f"Careful: {timeline.remark}")
    for copy in copies([Path(part.path) for part in timeline.parts if part.fault is None]):
        show.say(f"Careful: {copy}.")
    hasher = Hasher([Path(part.path) for part in timeline.parts if part.fault is None])
    done = _finished_before(order, hasher) if order.resume else None
    if done is not None:
        return done
    signals = read_signals(order.signals, table.table, timeline.started_at) if order.signals else []
    eyes = stages.eyes(table)
    judge = stages.judge(table, timeline.started_at, order.as_of)
    aside = set_aside(order.out, force=order.force or order.resume)
    if aside is not None:
        show.say(f"An earlier review lay in {order.out}; it is now in {aside}.")
    record = Record(order.out)
    try:
        record.run({"state": "running", "sources": list(order.sources), "table": str(order.table)}, final=False)
        run = _Run(order, table, timeline, record, Made(eyes, judge, show))
        run.watch(SignalFeed(signals))
        return run.finish(stages, hasher)
    except OSError as error:
        error.filename = error.filename or str(order.out)  # a write that fails does not say where
        record.abandon()
        raise
    except BaseException:
        record.abandon()
        raise


def review(
    sources: Sequence[str],
    table: Path,
    out: Path,
    *,
    signals: Path | None = None,
    started_at: datetime | None = None,
    as_of: date | None = None,
    jobs: int = 1,
    models_dir: Path | None = None,
) -> int:
    """Reviews recordings with this program's own stages and returns the exit code; see `run_review`."""
    order = Order(tuple(sources), table, out, signals, started_at, as_of, jobs)
    return run_review(order, real_stages(models_dir)).exit_code


def _refuse_other_sizes(table: Table, parts: Sequence[Part]) -> None:
    """A first file that the table was not made for is refused; a later one is left out, as unreadable."""
    good = [part for part in parts if part.fault is None]
    sizes = [(part.report.width_px, part.report.height_px) for part in good]
    try:
        table.calibration.scaled(*sizes[0])
    except CalibrationFault as fault:
        raise CalibrationFault(fault.what, where=good[0].path, why=fault.why, todo=fault.todo) from fault
    for part, size in zip(good, sizes, strict=True):
        if size != sizes[0]:
            part.fault = InputFault(
                f"the picture is {size[0]} x {size[1]} pixels",
                where=part.path,
                why=f"the first recording is {sizes[0][0]} x {sizes[0][1]}; the table file fits one of them",
                todo="Review it on its own, with the table file that belongs to it.",
            )


def _finished_before(order: Order, hasher: Hasher) -> Outcome | None:
    """The outcome of the same review if it was finished already; what was left half-way is done anew."""
    run = run_of(order.out)
    if run is None or run.get("state") != "finished" or not (order.out / CHAIN).is_file():
        return None
    check = verify(order.out)
    if check.broken or not check.finished:  # it was stopped at its very end, or changed since
        return None
    if not same_order(run, order.table, order.signals, hasher):
        return None
    return Outcome(int(run["exit_code"]), findings_of(order.out), str(run.get("chain", "")), resumed=True)


@dataclass(frozen=True, slots=True)
class Made:
    """The stages of one run, and what shows its progress."""

    eyes: Sees
    judge: Judges
    show: Shows


class _Run:
    """One pass over a timeline."""

    def __init__(self, order: Order, table: Table, timeline: Timeline, record: Record, stages: Made) -> None:
        self._order, self._table, self._timeline, self._record = order, table, timeline, record
        self._eyes, self._judge, self._show = stages.eyes, stages.judge, stages.show
        self._events: list[Event] = []
        self._findings: dict[str, Finding] = {}
        self._waiting: dict[str, tuple[int, Finding]] = {}  # by id: when it was last heard, and what it said
        self._now_us = 0
        self._signals_left = 0
        self._looks = Looks()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._begun_s = time.monotonic()
        self._clips = ClipMaker(
            order.out, lambda: timeline.recordings, self._clock, record.file, workers=max(1, order.jobs - 1)
        )

    # -- the pass -------------------------------------------------------------------------------------------------

    def watch(self, signals: SignalFeed) -> None:
        """Takes every frame through the stages."""
        frames = self._timeline.frames()
        if self._order.jobs > 1:
            frames = begun_ahead(ahead(frames), self._eyes)
        announced_us = self._timeline.announced_us()
        if announced_us is not None:
            self._show.of(announced_us / 1e6)
        while True:
            with self._timed("decode"):
                frame = next(frames, None)
            if frame is None:
                break
            self._now_us = end_us = frame.t_us
            self._take(signals.until(end_us))
            with self._timed("see"):
                seen = self._eyes.step(frame)
            self._looks.see(end_us, getattr(self._eyes, "last_sightings", ()))
            self._take(seen)
            self._hear(self._judge.tick(end_us - self._eyes.latency_us))
            self._settle_due()
            self._show.at(end_us / 1e6)
        self._take(self._eyes.finish())
        self._hear(self._judge.finish(self._now_us))
        self._signals_left = signals.left
        if self._signals_left:
            self._show.say(f"{self._signals_left} signals lie after the recording's end and changed nothing.")

    def _take(self, events: Iterable[Event]) -> None:
        """Events to disk, then to the judge."""
        for event in events:
            self._record.event(event)
            self._events.append(event)
            self._looks.keep(event.t_us)
            self._looks.keep(event.end_us)
            with self._timed("judge"):
                findings = self._judge.step(event)
            self._hear(findings)

    def _hear(self, findings: Iterable[Finding]) -> None:
        """Keeps findings until they stand: a late event may still change them, or take them back."""
        for finding in findings:
            self._looks.keep(int(finding["end_us"]))
            self._waiting[str(finding["id"])] = (self._now_us, finding)

    def _settle_due(self) -> None:
        """Settles what was closed, and not changed since, for as long as an event may be late."""
        for heard_us, finding in list(self._waiting.values()):
            if finding.get("state") != "pending" and self._now_us - heard_us > LATENCY_US:
                self._settle(finding)

    def _settle(self, finding: Finding) -> None:
        """A finding to disk, with its clip. One that was withdrawn before it was ever written never was."""
        finding_id = str(finding["id"])
        self._waiting.pop(finding_id, None)
        withdrawn = finding.get("state") == "withdrawn"
        before = self._findings.get(finding_id)
        if withdrawn and before is None:
            return
        shown = finding["verdict"] in SHOWN and not withdrawn
        made = None if before is None else before["clip"]
        finding = dict(finding) | {"clip": clip_name(finding_id) if shown else made}
        self._record.finding(finding)
        self._findings[finding_id] = finding
        if shown and made is None:
            caption = f"{finding['table']}   {finding['clause']}   {str(finding['verdict']).upper()}"
            self._clips.order(clip_order(finding_id, finding["t_us"], finding["end_us"], caption))
        if shown and finding["verdict"] == "violation":
            self._show.say(f"{self._clock(finding['t_us'])}  {finding['clause']}  {finding['explanation']}")

    # -- the end --------------------------------------------------------------------------------------------------

    def finish(self, stages: Stages, hasher: Hasher) -> Outcome:
        """Clips, pictures, run.json, report and the end of the chain."""
        for _, finding in list(self._waiting.values()):
            self._settle(finding)
        with self._timed("clips"):
            failed = self._clips.finish()
        for path, sha256 in hasher.hashes().items():
            self._record.input(str(path), sha256)
        incomplete = [f"{part.path}: {part.incomplete}" for part in self._timeline.parts if part.incomplete]
        code = self._exit_code(incomplete)
        findings = list(self._findings.values())
        with self._timed("pictures"):
            stills = self._stills()
        self._seconds["total"] = time.monotonic() - self._begun_s
        run = run_record(self._order, self._table, self._timeline, stages.models_dir, hasher) | how_it_went(
            self._timeline, findings, self._seconds, failed, code
        )
        if run["signals"] is not None:
            run["signals"]["after_the_end"] = self._signals_left
        self._record.run(run, final=True)
        clauses = clause_list(self._table.game.pack)
        moment, head = self._timeline.moment, self._record.head
        inputs = ReportInputs(run, self._table, self._events, findings, stills, moment, head, clauses)
        write_report(self._order.out / REPORT, inputs)
        self._record.file(REPORT)
        damaged = [f"{part.path}: {part.damage}" for part in self._timeline.parts if part.damage]
        return Outcome(code, findings, self._record.end(), incomplete, damaged)

    def _stills(self) -> Stills:
        return take_stills(self._timeline.recordings, self._table, self._events, self._findings.values(), self._looks)

    def _exit_code(self, incomplete: Sequence[str]) -> int:
        if incomplete:
            return UNREAD
        standing = [f for f in self._findings.values() if f.get("state") != "withdrawn"]
        return BREACHED if any(f["verdict"] == "violation" for f in standing) else FINE

    def _clock(self, t_us: int) -> str:
        """A moment as people read it: wall clock if it is known, and the recording's own time."""
        seconds = t_us / 1e6
        own = f"{int(seconds // 3600):d}:{int(seconds // 60) % 60:02d}:{seconds % 60:06.3f}"
        moment = self._timeline.moment(t_us)
        return own if moment is None else f"{moment.isoformat(sep=' ', timespec='milliseconds')}  {own}"

    @contextmanager
    def _timed(self, what: str) -> Iterator[None]:
        """Adds the time that the block takes to a stage's."""
        begun_s = time.perf_counter()
        yield
        self._seconds[what] += time.perf_counter() - begun_s
