"""A recording of drawn stacks with a cover card, a ribbon and a squared half, and the events that measured them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from rules.event import Event
from tests.pitwatch.fakes import event

SIZE = (960, 540)
SHORT_SIDE_CARDS, CARDS = 8.2, 416
PX_PER_CARD = 0.7
#: The stack lies from row 130 on, between these columns.
TOP, LEFT, RIGHT = 130.0, 430.0, 500.0

TABLE = """
table = "midi-3"
[camera]
width_px = 960
height_px = 540
[calibration]
homography = [[0.73, 0.0, -350.0], [0.0, -0.73, 500.0], [0.0, 0.0, 1.0]]
camera_mm = [0.0, 300.0, 2600.0]
error_mm = 1.5
[layout]
shoe_side = "left"
seats = [1, 2, 3]
[layout.zones_mm]
shoe = [[-300, 150], [-200, 150], [-200, 250], [-300, 250]]
discard = [[200, 150], [300, 150], [300, 250], [200, 250]]
shuffle = [[-150, 130], [150, 130], [150, 420], [-150, 420]]
[game]
pack = "pa58/629a"
decks = 8
cards = 416
"""

Image = NDArray[np.uint8]


def _felt() -> Image:
    noise = np.random.default_rng(3).normal(0, 4, (SIZE[1], SIZE[0], 1))
    picture: Image = np.clip(np.array([70, 110, 40]) + noise, 0, 255).astype(np.uint8)
    return picture


def _edges(picture: Image, top: float, bottom: float, left: int, right: int) -> None:
    """Card edges as seen from above: fine light and grey lines across."""
    rng = np.random.default_rng(5)
    rows = rng.integers(170, 245, (int(bottom) - int(top), 1, 1))
    picture[int(top) : int(bottom), left:right] = rows + rng.integers(-8, 8, (int(bottom) - int(top), right - left, 1))


def stack_with_cover_card() -> Image:
    """A whole pack on its edge, a cover card 8.2 cards from its upper end that sticks out on the right."""
    picture = _felt()
    _edges(picture, TOP, TOP + CARDS * PX_PER_CARD, int(LEFT), int(RIGHT))
    row = round(TOP + SHORT_SIDE_CARDS * PX_PER_CARD)
    picture[row - 1 : row + 1, int(LEFT) : int(RIGHT) + 26] = (40, 40, 200)
    return picture


def ribbon() -> Image:
    """Twenty cards spread from left to right, eleven pixels apart."""
    picture = _felt()
    for number in range(20):
        x = 300 + 11 * number
        picture[240:362, x : x + 87] = 225
        picture[240:362, x] = 120
    return picture


def half_squared() -> Image:
    """A stack on its edge, the cards of whose lower half stick out by turns."""
    picture = _felt()
    _edges(picture, TOP, TOP + 290, int(LEFT), int(RIGHT))
    rng = np.random.default_rng(7)
    for row in range(int(TOP) + 145, int(TOP) + 290):
        out = int(rng.integers(0, 12))
        picture[row, int(RIGHT) : int(RIGHT) + out] = 210
    return picture


def write_recording(path: Path) -> Path:
    """Six seconds at ten frames a second: two of the cut, two of the ribbon, two of the shuffled stack."""
    pictures = [stack_with_cover_card(), ribbon(), half_squared()]
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10, options={"preset": "ultrafast", "crf": "12", "g": "10"})
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for number in range(60):
            frame = av.VideoFrame.from_ndarray(pictures[number // 20], format="bgr24")
            frame.pts, frame.time_base = number, Fraction(1, 10)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def cut_marks() -> dict[str, Any]:
    """Both ends of the stack and the cover card's line."""
    rows = {
        "end, top": TOP,
        "end, bottom": TOP + CARDS * PX_PER_CARD,
        "cover card": TOP + SHORT_SIDE_CARDS * PX_PER_CARD,
    }
    lines = [[LEFT, row, RIGHT, row, label] for label, row in rows.items()]
    return {"t_us": 1_000_000, "lines_px": lines, "points_px": [], "polygons_px": []}


def events() -> list[Event]:
    """What was measured: a cut 8.2 cards deep, a second cover card 15 cards up, half of a stack laced."""
    points = [[300 + 11 * n + 5, 300, str(n + 1)] for n in range(20)]
    ribbon_marks = {"t_us": 3_000_000, "lines_px": [[465, 230, 465, 372, "cover card"]], "points_px": points}
    squared = [[LEFT, TOP], [RIGHT, TOP], [RIGHT, TOP + 145], [LEFT, TOP + 145]]
    ends = [[LEFT, row, RIGHT, row, label] for label, row in (("end, top", TOP), ("end, bottom", TOP + 290))]
    end_marks = {"t_us": 5_000_000, "lines_px": ends, "polygons_px": [squared]}
    cut = {"actor": "seat:3", "depth_cards": 8.2, "depth_cards_low": 7.1, "depth_cards_high": 9.3, "from": "top"}
    cover = {"which": 2, "above_bottom_cards": 15, "above_bottom_cards_low": 15, "above_bottom_cards_high": 15}
    shuffled = {"method": "manual", "feathered": 0.5, "feathered_low": 0.42, "feathered_high": 0.58}
    return [
        event(1, "cut.insert", 1_000_000, **cut, marks=cut_marks()),
        event(2, "cover.insert", 3_000_000, **cover, marks=ribbon_marks),
        event(3, "shuffle.end", 5_000_000, **shuffled, marks=end_marks),
    ]
