"""Decks by other artists, rasterised from fetched drawings and kept in the cache."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import resvg_py
from numpy.typing import NDArray

from sample_videos.art.fetch import CARDS, GNOME, cache_folder, fetched

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
SIZE = (254, 356)
RECIPE = 3  # raise when the rasterising changes, so that cached pictures are made anew
Faces = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a deck's drawings are: a folder of single cards, or a sheet of 13 by 5 (suits C, D, H, S, then backs).

    `thicken` draws dark strokes wider by so many pixels of 0.25 mm.
    """

    artist: str
    split: str
    package: tuple[str, str]
    path: str
    thicken: int = 0


_KENNARD = "package/src/images/"
_SHEETS = "usr/share/aisleriot/cards/"
SOURCES: dict[str, Source] = {
    "kennard-two": Source("Adrian Kennard", "train", CARDS, _KENNARD + "2color", 2),
    "kennard-two-jumbo": Source("Adrian Kennard", "train", CARDS, _KENNARD + "2color-bf", 1),
    "kennard-four": Source("Adrian Kennard", "train", CARDS, _KENNARD + "4color", 2),
    "kennard-four-jumbo": Source("Adrian Kennard", "train", CARDS, _KENNARD + "4color-bf", 1),
    "tigullio": Source("Luciano Montanaro", "train", GNOME, _SHEETS + "tigullio.svgz"),
    "neoclassical": Source("GNOME, neoclassical", "train", GNOME, _SHEETS + "neoclassical.svgz"),
    "neoclassical-four": Source("GNOME, neoclassical", "train", GNOME, _SHEETS + "neoclassical_4_color.svgz"),
    "tango": Source("GNOME, tango", "train", GNOME, _SHEETS + "tango.svgz"),
    "simplistic": Source("GNOME, simplistic", "train", GNOME, _SHEETS + "simplistic.svgz"),
    "atlasnye": Source("GNOME, atlasnye", "train", GNOME, _SHEETS + "atlasnye.svgz"),
    "dondorf": Source("GNOME, dondorf", "train", GNOME, _SHEETS + "dondorf.svgz"),
    "anglo": Source("GNOME, anglo", "eval", GNOME, _SHEETS + "anglo.svgz"),
    "gnomangelo": Source("GNOME, anglo", "eval", GNOME, _SHEETS + "gnomangelo.svgz"),
    "bellot": Source("David Bellot", "eval", GNOME, _SHEETS + "bellot.svgz"),
    "plastic": Source("GNOME, plastic", "eval", GNOME, _SHEETS + "plastic.svgz"),
    "ornamental": Source("Nicu Buculei", "eval", GNOME, _SHEETS + "ornamental.svgz"),
}


def faces(name: str) -> Faces:
    """All faces of a deck (52, 356, 254, 3) RGB in order of suit, then rank; from the cache where possible."""
    source = SOURCES[name]
    stamp = hashlib.sha256(f"{RECIPE} {source}".encode()).hexdigest()[:12]
    kept = cache_folder() / "faces" / f"{name}-{stamp}.npy"
    if kept.is_file():
        return np.asarray(np.load(kept, mmap_mode="r"))
    made = _single_cards(source) if source.package is CARDS else _sheet(source)
    kept.parent.mkdir(parents=True, exist_ok=True)
    partial = kept.with_name(f"{kept.stem}-{os.getpid()}.npy")
    np.save(partial, made)
    partial.replace(kept)
    return made


def _single_cards(source: Source) -> Faces:
    folder = fetched(source.package) / source.path
    pictures = []
    for suit in SUITS:
        for rank in RANKS:
            path = folder / f"{'T' if rank == '10' else rank}{suit}.svg"
            pictures.append(_fit(_raster(path, SIZE[0] * 2), source.thicken, 0.022))
    return np.stack(pictures)


def _sheet(source: Source) -> Faces:
    sheet = _raster(fetched(source.package) / source.path, SIZE[0] * 13 * 3 // 2)
    width, height = sheet.shape[1] / 13, sheet.shape[0] / 5
    pictures = []
    for row in range(4):
        for column in range(13):
            rows = slice(round(row * height), round((row + 1) * height))
            cell = sheet[rows, round(column * width) : round((column + 1) * width)]
            pictures.append(_fit(cell, source.thicken, 0.03))
    return np.stack(pictures)


def _raster(path: Path, width: int) -> NDArray[np.uint8]:
    png = resvg_py.svg_to_bytes(svg_path=str(path), width=width, dpi=96.0, background="#ffffff")
    return np.asarray(cv2.imdecode(np.frombuffer(bytes(png), np.uint8), cv2.IMREAD_COLOR), np.uint8)[..., ::-1]


def _fit(picture: NDArray[np.uint8], thicken: int, trim: float) -> NDArray[np.uint8]:
    """The card's picture at its size, without the drawn outline (`trim` of its width)."""
    cut = round(trim * picture.shape[1])
    inner = np.ascontiguousarray(picture[cut : picture.shape[0] - cut, cut : picture.shape[1] - cut])
    sized = cv2.resize(inner, SIZE, interpolation=cv2.INTER_AREA)
    if thicken:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (thicken + 1, thicken + 1))
        sized = cv2.erode(sized, kernel)
    return np.asarray(sized, np.uint8)
