"""Training samples from the studio: rendered camera pictures, rectified as the program rectifies them.

Each scene has its own table, people, light, decks and camera. The camera picture goes through a calibration that is
a little wrong, as real ones are, into a top view whose scale varies about the detector's own. The cards' crops for
the reader are taken from the same full-resolution pictures. A scene that is already there is not rendered again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Calibration
from calibration.lens import Lens
from models.train import drawn, recipe
from models.train.say import say
from sample_videos.studio.camera import homography_and_lens
from sample_videos.studio.render import labelled_frames
from sample_videos.studio.scenario import Scenario, scenario_from_seed
from sample_videos.studio.scene import CameraSpec, SceneSpec
from vision.crops import crop_px, upright, widened
from vision.detections import CLASSES
from vision.read import RANKS, SIDES, SUITS
from vision.topview import DEALER_ZONES, DETECT_MM_PER_PX, STRIDE_PX, Bounds, TopView
from vision.wide import WIDE_MM_PER_PX

#: Pictures of a scene taken while something happens, and at any time.
AT_EVENTS, AT_ANY_TIME = 10, 4
#: Around an event pictures are taken from so long before it begins to so long after it ends.
AROUND_US = 350_000
#: What counts as something happening.
ACTS = ("card.", "shuffle.", "stack.", "cut.", "packet.", "cover.", "shoe.")
#: Kinds of scenes of the shoe change, in turn, and the share of their pictures that show the whole table.
CHANGE_KINDS = ("cut", "second_cover", "shuffle_end", "cut", "load", "shoe_change")
WIDE_SHARE = 0.35
SCALE_JITTER = (0.78, 1.3)
FINEST_MM, COARSEST_MM = 0.6, 1.6
#: Cameras that watch a shoe change mostly see the whole table.
WIDE_FINEST_MM, WIDE_COARSEST_MM = 0.9, 1.8
#: Points that a calibration is made from, and their error.
CALIBRATION_POINTS, CALIBRATION_NOISE_PX = 8, 1.0
#: Things of which more than this share is hidden are not labelled.
HIDDEN = {"card_face": 0.65, "card_back": 0.65, "cover_card": 0.65, "hand": 0.8}
HIDDEN_OTHERS = 0.85
#: A card more hidden than this is no crop for the reader.
HIDDEN_CROP = 0.5
#: With another card nearer than this, whether a crop shows one card or two is not asked.
NEIGHBOUR_MM = 70.0
UNKNOWN = -1
FACE, BACK, NEITHER = (SIDES.index(name) for name in ("face", "back", "neither"))


def render_all(out: Path, name: str, split: str, first_seed: int, scenes: int, *, change: bool = False) -> None:
    """Renders scenes into `out`/<name>/ and writes `out`/<name>.jsonl and crops_<name>.npz.

    `change`: of the shoe change, all its kinds in turn, rather than of the burn.
    """
    folder = out / name
    folder.mkdir(parents=True, exist_ok=True)
    seeds = range(first_seed, first_seed + scenes)
    with ProcessPoolExecutor(2) as pool:
        one = partial(scene_samples, folder=folder, split=split, change=change)
        for done, _ in enumerate(pool.map(one, seeds), start=1):
            if done % 20 == 0:
                say(f"{done} of {scenes} scenes")
    collect(folder)


def collect(folder: Path) -> None:
    """Joins what is there of a folder's scenes into one file of samples and one of crops beside the folder."""
    lines, images, labels = [], [], []
    for path in sorted(folder.glob("*.jsonl")):
        lines += [line for line in path.read_text(encoding="utf-8").splitlines() if line]
        with np.load(path.with_suffix(".npz")) as stored:
            images.append(stored["images"])
            labels.append(stored["labels"])
    rows = [{**row, "image": f"{folder.name}/{row['image']}"} for row in map(json.loads, lines)]
    folder.with_suffix(".jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    crops = folder.parent / f"crops_{folder.name}.npz"
    np.savez(crops, images=np.concatenate(images), labels=np.concatenate(labels))
    say(f"{folder.name}: {len(lines)} top views, {sum(map(len, labels))} crops")


def scene_samples(seed: int, folder: Path, split: str, change: bool = False) -> None:
    """Renders one scene's pictures, unless they are there."""
    path = folder / f"{seed}.jsonl"
    if path.exists():
        return
    cv2.setNumThreads(1)
    os.environ.setdefault("LP_NUM_THREADS", "1")  # Mesa's software driver; there is a process for each core
    rng = np.random.default_rng((seed, 31))
    finest, coarsest = (WIDE_FINEST_MM, WIDE_COARSEST_MM) if change else (FINEST_MM, COARSEST_MM)
    scale = float(np.exp(rng.uniform(np.log(finest), np.log(coarsest))))
    kind = CHANGE_KINDS[seed % len(CHANGE_KINDS)] if change else "burn"
    scenario = scenario_from_seed(seed, split, mm_per_px=scale, kind=kind)
    calibration = worn_calibration(rng, scenario.spec.camera)
    rows, crops = [], CropRows()
    for t_us, image, labelled in labelled_frames(scenario, _times(rng, scenario), seed=seed):
        things = [t for t in labelled if t["cls"] in CLASSES and t["occluded"] <= HIDDEN.get(t["cls"], HIDDEN_OTHERS)]
        top = _view(rng, scenario.spec, calibration, wide=change and rng.random() < WIDE_SHARE)
        name = f"{seed}_{t_us}.jpg"
        cv2.imwrite(str(folder / name), top.view(image), [cv2.IMWRITE_JPEG_QUALITY, 95])
        rows.append(
            {
                "image": name,
                "source": "studio",
                "known": list(CLASSES),
                "things": [_thing(thing, calibration, top) for thing in things],
            }
        )
        crops.take(rng, image, calibration, things)
    crops.save(path.with_suffix(".npz"))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _times(rng: np.random.Generator, scenario: Scenario) -> list[int]:
    """When to take pictures: most of them while a card is on its way."""
    acts = [event for event in scenario.events() if event["kind"].startswith(ACTS)]
    times = [int(rng.integers(0, scenario.end_us)) for _ in range(AT_ANY_TIME)]
    for _ in range(AT_EVENTS if acts else 0):
        act = acts[int(rng.integers(len(acts)))]
        times.append(int(rng.integers(act["t_us"] - AROUND_US, act["end_us"] + AROUND_US)))
    return sorted({min(max(t, 0), scenario.end_us - 1) for t in times})


def _view(rng: np.random.Generator, spec: SceneSpec, calibration: Calibration, *, wide: bool) -> TopView:
    """A top view of about what the program would look at: the dealer's area, or the whole table."""
    scale = float(rng.uniform(*SCALE_JITTER))
    if not wide:
        return TopView(calibration, _bounds(rng, spec), DETECT_MM_PER_PX * scale)
    corners = np.concatenate([np.array(zone) for zone in spec.zones_mm.values()])
    low, high = corners.min(axis=0) - 40 + rng.uniform(-60, 60, 2), corners.max(axis=0) + 40 + rng.uniform(-60, 60, 2)
    return TopView(calibration, _whole(low, high, WIDE_MM_PER_PX), WIDE_MM_PER_PX * scale)


def _bounds(rng: np.random.Generator, spec: SceneSpec) -> Bounds:
    """About the rectangle that the program would look at."""
    corners = np.concatenate([np.array(spec.zones_mm[name]) for name in DEALER_ZONES if name in spec.zones_mm])
    low = corners.min(axis=0) - 60 + rng.uniform(-60, 40, 2)
    high = corners.max(axis=0) + 60 + rng.uniform(-40, 60, 2)
    return _whole(low, high, DETECT_MM_PER_PX)


def _whole(low: NDArray[np.float64], high: NDArray[np.float64], mm_per_px: float) -> Bounds:
    """The rectangle from `low` on, made larger to whole strides."""
    step = STRIDE_PX * mm_per_px
    size = np.ceil((high - low) / step) * step
    return Bounds(float(low[0]), float(low[1]), float(low[0] + size[0]), float(low[1] + size[1]))


def worn_calibration(rng: np.random.Generator, camera: CameraSpec) -> Calibration:
    """A calibration as one makes it: from eight points in the picture that are a pixel off."""
    exact, matrix, distortion = homography_and_lens(camera)
    lens = Lens(matrix, distortion)
    true = Calibration(exact, camera.width_px, camera.height_px, 0.5, lens, camera.position_mm)
    size = np.array([camera.width_px, camera.height_px])
    around = np.array(
        [[0.1, 0.1], [0.5, 0.08], [0.9, 0.1], [0.92, 0.5], [0.9, 0.9], [0.5, 0.92], [0.1, 0.9], [0.08, 0.5]]
    )
    pixels = (around + rng.uniform(-0.05, 0.05, (CALIBRATION_POINTS, 2))) * size
    table = true.to_table(pixels)
    seen = lens.undistort(pixels + rng.normal(0, CALIBRATION_NOISE_PX, pixels.shape))
    homography, _ = cv2.findHomography(seen, table)
    return Calibration(homography, camera.width_px, camera.height_px, 2.0, lens, camera.position_mm)


def _thing(thing: dict[str, Any], calibration: Calibration, top: TopView) -> dict[str, Any]:
    """A labelled thing in the top view."""
    quad = top.to_px(calibration.to_table(np.array(thing["quad"])))
    return {"cls": thing["cls"], "quad": np.round(quad, 2).tolist(), "hull": False}


class CropRows:
    """Crops for the reader and their labels, (rank, suit, side, pair) each."""

    def __init__(self) -> None:
        self._images: list[NDArray[np.uint8]] = []
        self._labels: list[tuple[int, int, int, int]] = []

    def take(
        self,
        rng: np.random.Generator,
        image: NDArray[np.uint8],
        calibration: Calibration,
        things: Sequence[dict[str, Any]],
    ) -> None:
        """Takes each card's crop, and one or two of what is no card."""
        cards = [thing for thing in things if thing["cls"] in ("card_face", "card_back")]
        middles = np.array([calibration.to_table(np.array(c["quad"])).mean(axis=0) for c in cards]).reshape(-1, 2)
        for index, thing in enumerate(cards):
            quad = calibration.to_table(np.array(thing["quad"]))
            if not np.isfinite(quad).all() or thing["occluded"] > HIDDEN_CROP:
                continue
            apart = np.linalg.norm(middles - middles[index], axis=1)
            alone = np.delete(apart, index).min(initial=np.inf) >= NEIGHBOUR_MM
            rank, suit, side, pair = _labels(thing)
            self._add(rng, image, calibration, quad, (rank, suit, side, pair if alone else UNKNOWN))
        for quad in _elsewhere(rng, things, calibration, cards):
            self._add(rng, image, calibration, quad, (UNKNOWN, UNKNOWN, NEITHER, UNKNOWN))

    def _add(
        self,
        rng: np.random.Generator,
        image: NDArray[np.uint8],
        calibration: Calibration,
        quad_mm: NDArray[np.float64],
        labels: tuple[int, int, int, int],
    ) -> None:
        corners = widened(upright(quad_mm + rng.normal(0, 1.2, 2)))
        middle = corners.mean(axis=0)
        corners = middle + (corners - middle) * rng.normal(1, 0.03) + rng.normal(0, 1.0, (4, 2))
        corners = np.roll(corners, 2, axis=0) if rng.random() < 0.5 else corners
        crop = crop_px(image, calibration.to_pixels(corners))
        self._images.append(np.ascontiguousarray(crop[:, ::-1]) if rng.random() < 0.3 else crop)
        self._labels.append(labels)

    def save(self, path: Path) -> None:
        """Writes what was taken."""
        images = np.stack(self._images) if self._images else np.zeros((0, 128, 96, 3), np.uint8)
        np.savez(path, images=images, labels=np.array(self._labels, np.int64).reshape(-1, 4))


def _labels(thing: dict[str, Any]) -> tuple[int, int, int, int]:
    face = thing["cls"] == "card_face"
    rank = RANKS.index(thing["rank"]) if face and "rank" in thing else UNKNOWN
    suit = SUITS.index(thing["suit"]) if face and "suit" in thing else UNKNOWN
    return rank, suit, FACE if face else BACK, int(int(thing.get("cards", 1)) > 1)


def _elsewhere(
    rng: np.random.Generator,
    things: Sequence[dict[str, Any]],
    calibration: Calibration,
    cards: Sequence[dict[str, Any]],
) -> Iterator[NDArray[np.float64]]:
    """Card-sized quads in mm on hands, in the bucket and on the felt, away from every card."""
    taken = np.array([calibration.to_table(np.array(card["quad"])).mean(axis=0) for card in cards]).reshape(-1, 2)
    places = [calibration.to_table(np.array(t["quad"])) for t in things if t["cls"] in ("hand", "discard", "chips")]
    middles = [quad.mean(axis=0) + rng.normal(0, 25, 2) for quad in places if np.isfinite(quad).all()]
    middles.append(np.array([rng.uniform(-500, 500), rng.uniform(50, 380)]))
    for index in rng.permutation(len(middles))[:2]:
        middle = middles[int(index)]
        if len(taken) and np.linalg.norm(taken - middle, axis=1).min() < 95:
            continue
        angle = rng.uniform(0, np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        half = np.array([[-31.75, 44.45], [31.75, 44.45], [31.75, -44.45], [-31.75, -44.45]])
        yield half @ turn.T + middle


def frames(data: Path, start: Path, out: Path) -> None:
    """Draws the reader's cards, renders held-out frames with other decks for the figures, then those for training."""
    drawn.write(out)
    render_all(out, "studio_eval", "eval", recipe.STUDIO_FIRST_SEED, recipe.STUDIO_HELD_OUT)
    render_all(out, "studio_train", "train", recipe.STUDIO_FIRST_SEED, recipe.STUDIO_SCENES)
    render_all(out, "change_eval", "eval", recipe.CHANGE_FIRST_SEED, recipe.CHANGE_HELD_OUT, change=True)
    render_all(out, "change_train", "train", recipe.CHANGE_FIRST_SEED, recipe.CHANGE_SCENES, change=True)


STEPS = {"frames": frames}
