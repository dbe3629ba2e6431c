"""Bakes the outlines of a few free fonts' letters into glyphs.json.gz, so that prints need no font on the machine.

Run by hand: `python sample_videos/art/bake_glyphs.py [--indices FILE] NAME=FILE.ttf ...`. Outlines are flattened to
polygons, scaled so that a capital H is one unit high, y up. With `--indices` only what stands in a card's corner is
kept, in FILE: the decks that the reader trains on have many more hands than the studio's prints.
"""

from __future__ import annotations

import gzip
import json
import sys
from itertools import pairwise
from pathlib import Path

from fontTools.pens.recordingPen import DecomposingRecordingPen  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .:-/&$'"
INDICES = "A0123456789JQK"
STEPS = 5
Point = tuple[float, float]


def flatten(font: TTFont, character: str) -> dict[str, object]:
    """One glyph as {"w": advance, "c": closed polygons} in units of the capital height."""
    glyphs = font.getGlyphSet()
    height = _cap_height(font)
    name = font.getBestCmap()[ord(character)]
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    polygons: list[list[Point]] = []
    for verb, points in pen.value:
        _add(polygons, verb, points)
    scaled = [[[round(x / height, 3), round(y / height, 3)] for x, y in polygon] for polygon in polygons]
    return {"w": round(glyphs[name].width / height, 3), "c": scaled}


def _cap_height(font: TTFont) -> float:
    pen = DecomposingRecordingPen(font.getGlyphSet())
    font.getGlyphSet()[font.getBestCmap()[ord("H")]].draw(pen)
    return float(max(point[1] for _, points in pen.value for point in points if point))


def _add(polygons: list[list[Point]], verb: str, points: tuple[Point, ...]) -> None:
    if verb == "moveTo":
        polygons.append([points[0]])
    elif verb == "lineTo":
        polygons[-1].append(points[0])
    elif verb == "qCurveTo":
        _add_quadratic(polygons[-1], points)
    elif verb == "curveTo":
        a, b, c, d = polygons[-1][-1], *points
        for t in (i / STEPS for i in range(1, STEPS + 1)):
            polygons[-1].append(_bezier([a, b, c, d], t))


def _add_quadratic(polygon: list[Point], points: tuple[Point, ...]) -> None:
    for index, control in enumerate(points[:-1]):
        following = points[index + 1]
        last = index == len(points) - 2
        end = following if last else ((control[0] + following[0]) / 2, (control[1] + following[1]) / 2)
        start = polygon[-1]
        polygon.extend(_bezier([start, control, end], i / STEPS) for i in range(1, STEPS + 1))


def _bezier(points: list[Point], t: float) -> Point:
    while len(points) > 1:
        points = [((1 - t) * p[0] + t * q[0], (1 - t) * p[1] + t * q[1]) for p, q in pairwise(points)]
    return points[0]


def main(arguments: list[str]) -> None:
    """Writes glyphs.json.gz beside this file, or the file after `--indices`."""
    target, characters = Path(__file__).with_name("glyphs.json.gz"), CHARACTERS
    if arguments[:1] == ["--indices"]:
        target, characters, arguments = Path(arguments[1]), INDICES, arguments[2:]
    fonts = {}
    for argument in arguments:
        name, path = argument.split("=", 1)
        font = TTFont(path)
        fonts[name] = {character: flatten(font, character) for character in characters}
    target.write_bytes(gzip.compress(json.dumps(fonts, separators=(",", ":")).encode(), mtime=0))


if __name__ == "__main__":
    main(sys.argv[1:])
