"""`report.html`: one page that a shift manager can read, print and forward. It holds all its pictures."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from calibration.tablefile import Table
from pitwatch.clips import clip_note
from pitwatch.datenotes import date_notes
from pitwatch.drawings import Span, clock_text, event_words, measure_line, procedure_strip
from pitwatch.measurements import Figure, figure, owners
from pitwatch.patterns import patterns
from pitwatch.shoes import Occasion, occasions_of
from pitwatch.stages import Finding
from pitwatch.stills import Stills, in_contact_strip
from pitwatch.words import ORDER, SIGN, VERDICT_WORDS, headline, length_text, share_text
from rules.clause import Clause
from rules.event import Event

MARGIN_US = 3_000_000
STRIP_MOST = 14


@dataclass(frozen=True, slots=True)
class ReportInputs:
    """What the page is made of. `moment` turns times into the wall clock; `no_pictures` says why there are none."""

    run: Mapping[str, Any]
    table: Table
    events: Sequence[Event]
    findings: Sequence[Finding]
    stills: Stills
    moment: Callable[[int], datetime | None]
    chain_head: str
    clauses: Sequence[Clause] = ()
    no_pictures: str = ""


def write_report(path: Path, inputs: ReportInputs) -> None:
    """Writes the page."""
    path.write_text(page(inputs), encoding="utf-8", errors="backslashreplace")


def page(inputs: ReportInputs) -> str:
    """The page as HTML."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pitwatch", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html").render(_Page(inputs).values())


class _Page:
    """Turns the inputs into what the template shows."""

    def __init__(self, inputs: ReportInputs) -> None:
        self._in = inputs
        self._standing = [f for f in inputs.findings if f.get("state") != "withdrawn"]
        self._clauses = {info.id: info for info in inputs.clauses}
        self._notes = date_notes(inputs.run, inputs.clauses, self._standing)
        self._events = {event.id: event for event in inputs.events}
        self._occasions = occasions_of(self._standing, inputs.events)
        self._owners = owners([f for occasion in self._occasions for f in occasion.findings], inputs.events)
        self._names = {str(f["id"]): str(f["clause"]) for f in self._standing}

    def values(self) -> dict[str, Any]:
        run, findings = self._in.run, self._standing
        counts = Counter(str(f["verdict"]) for f in findings)
        coverage = run["coverage"]
        return {
            "table": self._in.table,
            "run": run,
            "headline": headline(counts),
            "tally": [(verdict, *VERDICT_WORDS[verdict], SIGN[verdict], counts[verdict]) for verdict in ORDER],
            "started": self._started(),
            "length": length_text(coverage["length_us"]),
            "coverage": share_text(coverage["share"]),
            "gaps": [self._gap(gap) for gap in coverage["gaps"]],
            "incomplete": [part for part in run["inputs"] if part["incomplete"]],
            "occasions": [self._occasion(number, o) for number, o in enumerate(self._occasions, start=1)],
            "patterns": [(p.clause, p.words) for p in patterns(self._occasions)],
            "withdrawn": [f for f in self._in.findings if f.get("state") == "withdrawn"],
            "not_judged": [info for info in self._in.clauses if not info.judged],
            "rates": self._rates(),
            "chain_head": self._in.chain_head,
            "date_notes": self._notes.notes,
            "no_pictures": self._in.no_pictures,
        }

    def _started(self) -> str:
        start = self._in.moment(0)
        if start is None:
            return "unknown (times below are those of the recording)"
        return f"{start.isoformat(sep=' ', timespec='seconds')}, from {self._in.run['started_at_from']}"

    def _when(self, t_us: int) -> str:
        moment = self._in.moment(t_us)
        return clock_text(t_us) if moment is None else f"{moment:%H:%M:%S} ({clock_text(t_us)})"

    def _gap(self, gap: Mapping[str, Any]) -> str:
        from_us, to_us = gap["from_us"], gap["to_us"]
        return f"{self._when(from_us)} to {self._when(to_us)}, {(to_us - from_us) / 1e6:.1f} s: {gap['cause']}"

    def _occasion(self, number: int, occasion: Occasion) -> dict[str, Any]:
        span = Span(max(0, occasion.start_us - MARGIN_US), occasion.end_us + MARGIN_US)
        events = [e for e in self._in.events if e.end_us >= span.start_us and e.t_us <= span.end_us]
        letters = [
            (int(f["end_us"]), SIGN[str(f["verdict"])]) for f in occasion.findings if f["verdict"] == "violation"
        ]
        return {
            "number": number,
            "when": self._when(occasion.start_us),
            "length": length_text(occasion.end_us - occasion.start_us),
            "verdicts": Counter(str(f["verdict"]) for f in occasion.findings),
            "strip": Markup(procedure_strip(events, span, letters)),
            "pictures": self._pictures(events),
            "findings": self._findings(occasion.findings),
        }

    def _findings(self, findings: Sequence[Finding]) -> list[dict[str, Any]]:
        """The findings of one occasion; a frame that decided several is shown with the first of them."""
        shown: dict[int, str] = {}
        values = []
        for finding in findings:
            t_us = int(finding["end_us"])
            same = shown.get(t_us)
            values.append(self._finding(finding) | {"same": same or ""} | ({"image": ""} if same else {}))
            shown.setdefault(t_us, str(finding["clause"]))
        return values

    def _pictures(self, events: Sequence[Event]) -> list[dict[str, str]]:
        """The contact strip: each burned or laid card at its moment."""
        contact = self._in.stills.contact
        burned = [e for e in events if e.kind == "card.burn" and e.t_us in contact]
        laid = [e for e in events if e.kind == "card.place" and in_contact_strip(e) and e.t_us in contact]
        # The first card of play says when the burn had to be over; the later ones say nothing more.
        shown = sorted([*burned[:STRIP_MOST], *laid[:1]], key=lambda event: event.t_us)
        return [{"image": _data(contact[event.t_us]), "words": event_words(event)} for event in shown]

    def _finding(self, finding: Finding) -> dict[str, Any]:
        verdict = str(finding["verdict"])
        info = self._clauses.get(str(finding["clause"]))
        measured = finding.get("measured")
        return {
            "raw": finding,
            "said": self._notes.without(finding),
            "note": self._notes.number(finding),
            "figures": self._figures(finding),
            "shown_at": self._shown_at(finding),
            "clip_note": clip_note(int(finding["t_us"]), int(finding["end_us"])) if finding.get("clip") else "",
            "verdict": verdict,
            "word": VERDICT_WORDS[verdict][0],
            "sign": SIGN[verdict],
            "asks": info.paraphrase if info else "",
            "measure": Markup(measure_line(measured)) if measured else "",
            "image": _data(self._in.stills.deciding.get(int(finding["end_us"]), b"")),
            "when": self._when(int(finding["end_us"])),
            "coverage": _coverage_text(finding.get("coverage")),
            "notable": verdict in ("violation", "indeterminate"),
        }

    def _figures(self, finding: Finding) -> list[Figure]:
        """What was measured for a finding, drawn in the picture, if it is not drawn at another one."""
        own = [self._events[e] for e, owner in self._owners.items() if owner == str(finding["id"])]
        pictures, table = self._in.stills.measured, self._in.table
        made = [figure(event, pictures.get(event.id), finding, table) for event in own]
        return [each for each in made if each is not None]

    def _shown_at(self, finding: Finding) -> list[str]:
        """The clauses at which measurements that this finding rests on as well are drawn."""
        others = {self._owners.get(str(event_id)) for event_id in finding.get("events") or ()}
        return sorted({self._names[owner] for owner in others if owner not in (None, str(finding["id"]))})

    def _rates(self) -> list[dict[str, Any]]:
        """By clause: occasions, and what came of them; a count without its occasions says nothing."""
        table: dict[str, Counter[str]] = {}
        for finding in self._standing:
            table.setdefault(str(finding["clause"]), Counter())[str(finding["verdict"])] += 1
        return [
            {"clause": clause, "of": sum(counts.values()), "counts": [counts[verdict] for verdict in ORDER]}
            for clause, counts in sorted(table.items())
        ]


def _data(jpeg: bytes) -> str:
    """A picture as the page holds it; nothing for nothing."""
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode() if jpeg else ""


def _coverage_text(coverage: object) -> str:
    """The share of the occasion during which what was needed was in view."""
    if isinstance(coverage, int | float) and not isinstance(coverage, bool):
        return share_text(float(coverage))
    return "unknown"
