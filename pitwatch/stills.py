"""The report's pictures: the deciding moments with what the detector saw drawn in, and every burned card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Calibration
from calibration.tablefile import Layout, Table
from pitwatch.closeup import Closeups, take_closeups
from pitwatch.cut import Recording, pictures_at
from pitwatch.looks import Box, Looks
from pitwatch.marks import Marks, marks_of
from pitwatch.measurements import owners, reading_of
from pitwatch.ruler import Reading
from pitwatch.stages import Finding
from rules.event import Event
from vision.frame import Image
from vision.topview import Bounds, dealer_bounds

WIDE_PX, NARROW_PX = 1120, 340
QUALITY_WIDE, QUALITY_NARROW = 84, 78
ZONES = ("shoe", "discard")
HANDS = ("player", "banker")
#: The contact strip shows at least this much felt.
CLOSE_MM = 260.0
#: Fainter detections than this are not drawn.
SURE = 0.5
DRAWN = {  # BGR, and a word that survives a black and white print
    "card_face": ((60, 220, 60), "face"),
    "card_back": ((255, 170, 40), "back"),
    "hand": ((200, 200, 200), ""),
    "shoe": ((0, 200, 255), "shoe"),
    "discard": ((200, 90, 255), "bucket"),
    "cover_card": ((0, 255, 255), "cover card"),
}


@dataclass(frozen=True, slots=True)
class Stills:
    """JPEG pictures by their time, and those of measurements by the event that was measured."""

    deciding: dict[int, bytes]
    contact: dict[int, bytes]
    measured: dict[str, Closeups] = field(default_factory=dict)


def in_contact_strip(event: Event) -> bool:
    """True for the moments that the contact strip shows: every burned card, and every card laid on a hand's place."""
    return event.kind == "card.burn" or (event.kind == "card.place" and event.facts.get("zone") in HANDS)


def take_stills(
    recordings: Sequence[Recording],
    table: Table,
    events: Sequence[Event],
    findings: Iterable[Finding],
    looks: Looks,
) -> Stills:
    """Pictures of every deciding frame, of every moment of the contact strip, and of what findings measured.

    A moment that cannot be read again (a damaged file) has no picture.
    """
    findings = list(findings)
    deciding = {int(finding["end_us"]) for finding in findings}
    shown = {event.t_us: event for event in events if in_contact_strip(event)}
    marked = _marked(events, findings, table.game.cards)
    stills = Stills({}, {})
    for t_us, image in pictures_at(recordings, [*deciding, *shown, *marked]):
        height_px, width_px = image.shape[:2]
        calibration = table.calibration.scaled(width_px, height_px)
        if t_us in deciding:
            whole = drawn(image, calibration, table.layout, looks.kept.get(t_us, ()))
            corners = rectangle(dealer_bounds(table.layout))
            stills.deciding[t_us] = _jpeg(_part(whole, calibration, corners), WIDE_PX, QUALITY_WIDE)
        if t_us in shown:
            corners = _where(shown[t_us], table.layout, looks.kept.get(t_us, ()))
            stills.contact[t_us] = _jpeg(_part(image, calibration, corners), NARROW_PX, QUALITY_NARROW)
        for event_id, (marks, reading) in marked.get(t_us, {}).items():
            stills.measured[event_id] = take_closeups(image, marks, reading, _scale_at(marks, calibration))
    return stills


def _marked(
    events: Sequence[Event], findings: Sequence[Finding], cards: int
) -> dict[int, dict[str, tuple[Marks, Reading]]]:
    """By the time of their frame, the marks and readings of the events that findings rest on."""
    shown = owners(findings, events)
    by_id = {str(finding["id"]): finding for finding in findings}
    found: dict[int, dict[str, tuple[Marks, Reading]]] = {}
    for event in events:
        marks = marks_of(event) if event.id in shown else None
        if marks is not None:
            reading = reading_of(event, by_id[shown[event.id]], cards)
            found.setdefault(marks.t_us, {})[event.id] = marks, reading
    return found


def _scale_at(marks: Marks, calibration: Calibration) -> float | None:
    """Millimetres of felt to a pixel in the middle of what was measured."""
    low, high = marks.extent()
    middle = calibration.to_table([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2])
    scale = calibration.mm_per_px(middle)
    return scale if np.isfinite(scale) else None


def rectangle(b: Bounds) -> NDArray[np.float64]:
    """The four corners, (4, 2), of a rectangle on the felt."""
    return np.array([[b.x0_mm, b.y0_mm], [b.x1_mm, b.y0_mm], [b.x1_mm, b.y1_mm], [b.x0_mm, b.y1_mm]])


def _where(event: Event, layout: Layout, boxes: Sequence[Box]) -> NDArray[np.float64]:
    """The felt around an event, (4, 2), large enough to show the hands at it.

    A first card lies face up on the felt when its event begins, and comes to the bucket later; the others are in their
    zone. Where the place is not known it is the dealer's area.
    """
    faces = [box for box in boxes if box.cls == "card_face" and box.score >= SURE]
    zone = str(event.facts.get("zone"))
    if event.end_us > event.t_us and faces:
        outline = max(faces, key=lambda box: box.score).quad_mm
    elif event.end_us == event.t_us and zone in layout.zones_mm:
        outline = layout.zones_mm[zone]
    else:
        return rectangle(dealer_bounds(layout))
    middle = (outline.min(axis=0) + outline.max(axis=0)) / 2
    half = max(float((outline.max(axis=0) - outline.min(axis=0)).max()) * 0.85, CLOSE_MM / 2)
    corners: NDArray[np.float64] = middle + half * np.array([[-1.2, -0.9], [1.2, -0.9], [1.2, 0.9], [-1.2, 0.9]])
    return corners


def _part(image: Image, calibration: Calibration, corners_mm: NDArray[np.float64]) -> Image:
    """The part of a picture that shows a piece of felt."""
    height_px, width_px = image.shape[:2]
    px = calibration.to_pixels(corners_mm)
    if not np.isfinite(px).all():
        return image
    x0, y0 = np.clip(np.floor(px.min(axis=0)), 0, [width_px - 2, height_px - 2]).astype(int).tolist()
    x1, y1 = np.clip(np.ceil(px.max(axis=0)), [x0 + 2, y0 + 2], [width_px, height_px]).astype(int).tolist()
    return image[y0:y1, x0:x1]


def drawn(image: Image, calibration: Calibration, layout: Layout, boxes: Iterable[Box]) -> Image:
    """A copy of the picture with the zones' outlines and the boxes of what was seen."""
    shown = image.copy()
    thick = max(1, round(image.shape[1] / 1200))
    for name in ZONES:
        if name in layout.zones_mm:
            _outline(shown, calibration.to_pixels(layout.zones_mm[name]), (255, 255, 255), thick)
    for box in boxes:
        if box.cls in DRAWN and box.score >= SURE:
            colour, word = DRAWN[box.cls]
            corners = calibration.to_pixels(box.quad_mm)
            _outline(shown, corners, (0, 0, 0), thick + 2)
            _outline(shown, corners, colour, thick)
            if word:
                _word(shown, corners, f"{word} {100 * box.score:.0f}", colour)
    return shown


def _outline(image: Image, corners: NDArray[np.float64], colour: tuple[int, int, int], thick: int) -> None:
    if np.isfinite(corners).all():
        cv2.polylines(image, [np.round(corners).astype(np.int32)], True, colour, thick, cv2.LINE_AA)


def _word(image: Image, corners: NDArray[np.float64], text: str, colour: tuple[int, int, int]) -> None:
    if not np.isfinite(corners).all():
        return
    scale = max(0.4, image.shape[1] / 2600)
    place = (int(corners[:, 0].min()), int(corners[:, 1].min()) - 4)
    for ink, width in (((0, 0, 0), 3), (colour, 1)):
        cv2.putText(image, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, ink, width, cv2.LINE_AA)


def _jpeg(image: Image, limit_px: int, quality: int) -> bytes:
    height, width = image.shape[:2]
    if width > limit_px:
        size = (limit_px, max(1, round(height * limit_px / width)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return bytes(data) if done else b""
