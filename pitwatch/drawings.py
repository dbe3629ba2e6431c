"""The report's small drawings, as SVG text that prints in black and white as well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from pitwatch.actwords import act_words
from rules.event import Event

#: Acts in which a number is measured.
MEASURED = ("shuffle.end", "cut.insert", "cover.insert", "cover.surface")
WIDTH, LEFT, RIGHT = 1000.0, 118.0, 982.0
ROW, TOP = 30.0, 14.0
INK, GREY, PALE, RED = "#1d2126", "#6b7280", "#d6d9de", "#b3261e"
#: The lanes of the procedure, and the kinds of event that each shows; a lane without any is left out.
LANES = (
    ("shuffled", ("shuffle.wash", "shuffle.riffle", "shuffle.strip", "shuffle.device", "shuffle.end")),
    ("offered", ("stack.present",)),
    ("cut", ("cut.insert", "packet.move")),
    ("cover card", ("cover.insert", "cover.move", "cover.remove", "cover.surface")),
    ("shoe", ("shoe.load", "shoe.empty")),
    ("drawn", ("card.draw",)),
    ("laid", ("card.place", "card.exposed")),
    ("burned", ("card.burn",)),
    ("not in view", ("view.lost",)),
)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time on a line from `LEFT` to `RIGHT`."""

    start_us: int
    end_us: int

    def x(self, t_us: int) -> float:
        """Where a moment lies."""
        share = (t_us - self.start_us) / max(self.end_us - self.start_us, 1)
        return LEFT + min(max(share, 0.0), 1.0) * (RIGHT - LEFT)


def procedure_strip(events: Sequence[Event], span: Span, decided: Sequence[tuple[int, str]]) -> str:
    """The procedure along time: what was drawn, laid and burned, when the view was lost, and where verdicts fell.

    `decided` are the moments of verdicts with the letter that stands for them.
    """
    lanes = [lane for lane in LANES if any(event.kind in lane[1] for event in events)]
    foot = TOP + ROW * len(lanes)
    height = foot + 34
    parts = [
        f'<svg viewBox="0 0 {WIDTH:.0f} {height:.0f}" class="strip" role="img" aria-label="The procedure along time">',
        '<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        f'<rect width="7" height="7" fill="#fff"/><line x1="0" y1="0" x2="0" y2="7" stroke="{GREY}" stroke-width="3"/>'
        "</pattern></defs>",
        *_time_axis(span, height),
    ]
    for number, (name, kinds) in enumerate(lanes):
        y = TOP + ROW * (number + 0.5)
        parts.append(f'<text x="{LEFT - 14:.0f}" y="{y + 5:.0f}" class="lane">{name}</text>')
        parts.append(f'<line x1="{LEFT}" x2="{RIGHT}" y1="{y}" y2="{y}" stroke="{PALE}"/>')
        parts += [mark for event in events if event.kind in kinds for mark in _mark(event, events, span, y)]
    for t_us, letter in decided:
        x = span.x(t_us)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{foot}" stroke="{RED}" stroke-dasharray="3 3"/>')
        parts.append(f'<text x="{x:.1f}" y="{TOP - 3}" class="verdict">{escape(letter)}</text>')
    return "".join([*parts, "</svg>"])


def _time_axis(span: Span, height: float) -> Iterator[str]:
    """A tick at round seconds."""
    length_s = (span.end_us - span.start_us) / 1e6
    step_s = next((s for s in (1, 2, 5, 10, 15, 30, 60, 120, 300, 600) if length_s / s <= 12), 1800)
    second = -(-span.start_us // (step_s * 1_000_000)) * step_s
    while second * 1_000_000 <= span.end_us:
        x = span.x(second * 1_000_000)
        yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{height - 26}" stroke="{PALE}" stroke-width="0.7"/>'
        yield f'<text x="{x:.1f}" y="{height - 8}" class="tick">{clock_text(second * 1_000_000)}</text>'
        second += step_s


def _mark(event: Event, events: Sequence[Event], span: Span, y: float) -> Iterator[str]:
    """The sign of one event: shapes differ, since colour is lost in print."""
    x = span.x(event.t_us)
    if not span.start_us <= event.t_us <= span.end_us and event.kind != "view.lost":
        return
    title = f"<title>{escape(event_words(event))}</title>"
    if event.kind == "view.lost":
        end = span.x(_back_us(event, events, span.end_us))
        if end > x:
            yield (
                f'<rect x="{x:.1f}" y="{y - 9:.1f}" width="{max(end - x, 3):.1f}" height="18" fill="url(#hatch)" '
                f'stroke="{GREY}">{title}</rect>'
            )
    elif not event.kind.startswith("card."):
        yield from _act(span, event, y, title)
    elif event.kind == "card.draw":
        yield f'<path d="M{x:.1f} {y - 9:.1f} v18" stroke="{INK}" stroke-width="3">{title}</path>'
    elif event.facts.get("face") == "up" or event.kind == "card.exposed":
        yield (
            f'<rect x="{x - 8:.1f}" y="{y - 11:.1f}" width="16" height="22" rx="2.5" fill="#fff" stroke="{INK}" '
            f'stroke-width="1.6">{title}</rect>'
        )
        yield f'<text x="{x:.1f}" y="{y + 5:.1f}" class="rank">{escape(str(event.facts.get("rank") or ""))}</text>'
    else:
        yield (f'<rect x="{x - 6:.1f}" y="{y - 9:.1f}" width="12" height="18" rx="2" fill="{INK}">{title}</rect>')


def _act(span: Span, event: Event, y: float, title: str) -> Iterator[str]:
    """An act as long as it took, with a diamond where a number was measured, else a bar."""
    x, end = span.x(event.t_us), span.x(event.end_us)
    wide = max(end - x, 4)
    yield f'<rect x="{x:.1f}" y="{y - 4:.1f}" width="{wide:.1f}" height="8" rx="2" fill="{GREY}">{title}</rect>'
    if event.kind in MEASURED:
        way = f"M{end:.1f} {y - 8:.1f} l8 8 l-8 8 l-8 -8 z"
        yield f'<path d="{way}" fill="#fff" stroke="{INK}" stroke-width="2">{title}</path>'


def _back_us(lost: Event, events: Sequence[Event], end_us: int) -> int:
    """When the view that was lost came back."""
    if lost.end_us > lost.t_us:
        return lost.end_us
    same = (
        e.t_us
        for e in events
        if e.kind == "view.back" and e.t_us >= lost.t_us and e.facts.get("zone") == lost.facts.get("zone")
    )
    return min(same, default=end_us)


#: About the width of a letter of a measure's words.
LETTER_PX = 6.2


def measure_line(measured: Mapping[str, Any]) -> str:
    """A measured interval beside the limit, its value as a dot if there is one; nothing if there are no numbers."""
    unit = str(measured.get("unit") or "")
    scale, unit = (100.0, "%") if unit == "share" or unit.startswith("fraction") else (1.0, unit)
    value, low, high, limit = (_number(measured.get(key), scale) for key in ("value", "low", "high", "limit"))
    if low is None or high is None or limit is None:
        return ""
    start, end = min(low, limit), max(high, limit)
    margin = (end - start) * 0.25 or 1.0
    start, end = start - margin, end + margin

    def x(number: float) -> float:
        return 12 + (number - start) / (end - start) * 276

    middle = (low + high) / 2 if value is None else value
    seen = f"{low:.3g} to {high:.3g}" if value is None or low != high else f"{value:g}"
    words = f"seen {seen} {unit}".rstrip()
    half = min(len(words) * LETTER_PX / 2, 150.0)  # the words stay within the picture
    dot = f'<circle cx="{x(middle):.1f}" cy="30" r="6" fill="#fff" stroke="{INK}" stroke-width="3"/>'
    return (
        '<svg viewBox="0 0 300 56" class="measure" role="img" aria-label="measured beside the limit">'
        f'<line x1="8" x2="292" y1="30" y2="30" stroke="{PALE}" stroke-width="2"/>'
        f'<line x1="{x(limit):.1f}" x2="{x(limit):.1f}" y1="16" y2="44" stroke="{INK}" stroke-width="2"/>'
        f'<text x="{x(limit):.1f}" y="11" class="tick">required {limit:g}</text>'
        f'<line x1="{x(low):.1f}" x2="{x(high):.1f}" y1="30" y2="30" stroke="{INK}" stroke-width="7" '
        f'stroke-linecap="round"/>{dot if value is not None else ""}'
        f'<text x="{min(max(x(middle), half), 300 - half):.1f}" y="53" class="tick">{escape(words)}</text></svg>'
    )


def _number(value: object, scale: float) -> float | None:
    return scale * float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def clock_text(t_us: int) -> str:
    """A time of the recording, `m:ss` or `h:mm:ss`."""
    seconds = round(t_us / 1e6)
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def event_words(event: Event) -> str:
    """An event in a few words."""
    facts = event.facts
    rank = f" {facts['rank']}" if facts.get("rank") else ""
    face = f" face {facts['face']}" if facts.get("face") else ""
    at = f"{event.t_us / 1e6:.1f} s"
    if event.kind == "card.burn":
        first = "first card" if facts.get("index") == 0 else f"additional card {facts.get('index', '')}"
        return f"{first}{rank}{face} into the bucket, {at}"
    if event.kind == "card.place":
        return f"card{rank}{face} laid in {facts.get('zone', '?')}, {at}"
    if event.kind == "card.draw":
        return f"card drawn from the {facts.get('source', 'shoe')}, {at}"
    if event.kind == "card.exposed":
        return f"face{rank} seen, {at}"
    if event.kind == "view.lost":
        return f"view of {facts.get('zone', '?')} lost ({facts.get('cause', '?')}), {at}"
    return f"{act_words(event)}, {at}"
