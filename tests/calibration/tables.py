"""A table file's text, and a small way to change it, for the tests of this room."""

from __future__ import annotations

from pathlib import Path

TABLE = """\
table = "midi-3"
started_at = "2026-11-30T09:00:00-05:00"
[camera]                      # the only one
width_px = 1920
height_px = 1080
source = "rtsp://10.0.0.9/1"
[calibration]
homography = [[1.0, 0.0, -960.0], [0.0, -1.0, 940.0], [0.0, 0.0, 1.0]]
lens = { matrix = [[3000.0, 0, 959.5], [0, 3000.0, 539.5], [0, 0, 1]], distortion = [-0.05, 0.01, 0, 0, 0] }
camera_mm = [0.0, 400.0, 3000.0]
error_mm = 1.4
taken_at = 2026-11-30T10:00:00-05:00
[layout]
shoe_side = "left"
seats = [1, 2, 3]
[layout.zones_mm]
tray = [[-300, 0], [300, 0], [300, 140], [-300, 140]]
shoe = [[-645, 100], [-295, 100], [-295, 250], [-645, 250]]
discard = [
  [360, 5],   # a # in a comment, and "quotes
  [500, 5],
  [500, 125],
  [360, 125],
]
"seat:1" = [[600, 200], [900, 200], [900, 500], [600, 500]]
"bet:1:ante" = [[650, 250], [700, 250], [700, 300], [650, 300]]
[game]
pack = "pa58/629a"
decks = 8
cards = 416
options = { burn = "face_value", "odd key" = [1, 2] }
[inputs]
signals = ["shuffler", "preshuffled"]
"""


def written(folder: Path, text: str = TABLE, name: str = "table.toml") -> Path:
    """The text in a file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def changed(folder: Path, old: str, new: str) -> Path:
    """The table's text with one change, in a file."""
    assert TABLE.count(old) == 1, old
    return written(folder, TABLE.replace(old, new))
