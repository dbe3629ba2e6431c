"""Training samples from still lifes: rendered camera pictures, rectified as the program rectifies them, with labels.

As in `studio_frames`, the camera picture goes through a calibration that is a little wrong into a top view; here its
scale is that of the dealer's area, of the whole table, or finer. Outlines are clipped at what the camera and the top
view show. A table that is already there is not rendered again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Calibration
from models.train import recipe
from models.train.augment import LEAST_SEEN
from models.train.say import say
from models.train.studio_frames import HIDDEN, HIDDEN_OTHERS, worn_calibration
from sample_videos.studio.camera import mm_per_px
from sample_videos.studio.scene import CameraSpec
from sample_videos.studio.stills.compose import compose
from sample_videos.studio.stills.finish import finished
from sample_videos.studio.stills.labels import Label, labels_of
from sample_videos.studio.stills.painter import Painter
from sample_videos.studio.stills.table import draw_table
from vision.detections import CLASSES
from vision.topview import DETECT_MM_PER_PX, STRIDE_PX, Bounds, TopView
from vision.wide import WIDE_MM_PER_PX

Points = NDArray[np.float64]
PICTURES_A_TABLE = 6
#: What a camera sees at a scale, mm for each pixel, is looked at as the dealer's area, or as the whole table.
WIDE_FROM_MM, CLOSE_TO_MM = 1.15, 0.6
AREA_JITTER, WIDE_JITTER, CLOSE_MM = (0.78, 1.3), (0.8, 1.2), (0.7, 1.7)
#: A top view is no larger than this, in strides: as the program's own.
MOST_STRIDES = (24, 15)
#: ... and no narrower than this, unless the camera is coarser.
LEAST_WIDTH_PX = 320.0
#: Corners that lie nearer to each other than this make no outline.
LEAST_SIDE_PX = 1.0
#: Of what is cut off at the rim so much must be shown; of people, who mostly are, less.
LEAST_SHOWN = {"person": 0.08}
#: Things that are mostly round. Seen from above the short side of such a thing's smallest box is more than this of its
#: long side, and it fills less than this of the box: a circle fills 0.785.
ROUND, ROUND_SIDES, ROUND_FILLED = ("shaker", "shaker_lid", "chips", "lamp"), 0.85, 0.87


def render_all(
    out: Path, name: str, split: str, first_seed: int, count: int, *, jobs: int, theme: str = "", seeded: bool = False
) -> None:
    """Renders `count` pictures into `out`/<name>/ and writes `out`/<name>.jsonl; of one theme where one is given."""
    folder = out / name
    folder.mkdir(parents=True, exist_ok=True)
    tables = -(-count // PICTURES_A_TABLE)
    one = partial(table_samples, folder=folder, split=split, theme=theme or None, seeded=seeded)
    with ProcessPoolExecutor(jobs) as pool:
        for done, _ in enumerate(pool.map(one, range(first_seed, first_seed + tables)), start=1):
            if done % 20 == 0:
                say(f"{name}: {done} of {tables} tables")
                collect(folder, count)
    collect(folder, count)


def collect(folder: Path, count: int) -> None:
    """Joins what is there of a folder's tables into one file of at most `count` samples beside the folder."""
    lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [{**row, "image": f"{folder.name}/{row['image']}"} for row in map(json.loads, lines[:count])]
    folder.with_suffix(".jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    say(f"{folder.name}: {len(rows)} top views")


def table_samples(seed: int, folder: Path, split: str, theme: str | None = None, *, seeded: bool = False) -> None:
    """Renders one table's pictures, unless they are there."""
    path = folder / f"{seed}.jsonl"
    if path.exists():
        return
    cv2.setNumThreads(1)
    os.environ.setdefault("LP_NUM_THREADS", "1")  # Mesa's software driver; there is a process for each core
    rows = []
    for number, (view, things) in enumerate(pictures(seed, split, theme, seeded=seeded)):
        name = f"{seed}_{number}.jpg"
        cv2.imwrite(str(folder / name), view, [cv2.IMWRITE_JPEG_QUALITY, 95])
        rows.append({"image": name, "source": "still", "known": list(CLASSES), "things": things})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def pictures(
    seed: int, split: str, theme: str | None = None, *, seeded: bool = False
) -> Iterator[tuple[NDArray[np.uint8], list[dict[str, Any]]]]:
    """Top views (H, W, 3) BGR of a table's still lifes, and the things in each."""
    table = draw_table(seed, split, seeded=seeded)
    painter = Painter(table.spec, table.style)
    for number in range(PICTURES_A_TABLE):
        rng = np.random.default_rng((seed, number, 32))
        still = compose(table, number, theme)
        painted = painter.paint(still)
        image = finished(painted.picture, still.spec.sensor, still.finish)
        calibration = worn_calibration(rng, still.spec.camera)
        top = top_view(rng, still.spec.camera, calibration)
        yield top.view(image), things_in(top, calibration, labels_of(still, painted))


def top_view(rng: np.random.Generator, camera: CameraSpec, calibration: Calibration) -> TopView:
    """A top view of most of what the camera sees, at about the scale at which the program would look at it."""
    scale = mm_per_px(camera)
    if scale >= WIDE_FROM_MM and rng.random() < 0.75:
        fine = WIDE_MM_PER_PX * float(rng.uniform(*WIDE_JITTER))
    elif scale <= CLOSE_TO_MM and rng.random() < 0.8:
        fine = float(np.exp(rng.uniform(*np.log(CLOSE_MM))))
    else:
        fine = DETECT_MM_PER_PX * float(rng.uniform(*AREA_JITTER))
    seen = np.array([camera.width_px, camera.height_px]) * scale * float(rng.uniform(0.85, 1.05))
    fine = max(min(fine, seen[0] / LEAST_WIDTH_PX), scale)
    strides = np.clip(np.round(seen / (STRIDE_PX * fine)), 3, MOST_STRIDES)
    size = strides * STRIDE_PX * fine
    low = np.array(camera.look_at_mm[:2]) - size / 2 + rng.uniform(-0.04, 0.04, 2) * size
    bounds = Bounds(float(low[0]), float(low[1]), float(low[0] + size[0]), float(low[1] + size[1]))
    return TopView(calibration, bounds, fine)


def things_in(top: TopView, calibration: Calibration, labels: list[Label]) -> list[dict[str, Any]]:
    """The labelled things that the top view shows: of those at its rim the part inside, if it is large enough."""
    shown = shown_part(top, calibration)
    things = []
    for label in labels:
        if label.hidden > HIDDEN.get(label.cls, HIDDEN_OTHERS):
            continue
        quad = clipped(label.cls, top.to_px(calibration.to_table(label.outline)), shown)
        if quad is not None:
            things.append({"cls": label.cls, "quad": np.round(quad, 2).tolist(), "hull": False})
    return things


def shown_part(top: TopView, calibration: Calibration) -> NDArray[np.float32]:
    """The convex part (N, 2) of the top view, in its pixels, that lies in the camera's picture."""
    height, width = top.shape
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    share = np.linspace(0, 1, 12)
    along = [np.column_stack([share, share * 0 + end]) for end in (0, 1)]
    rim = np.concatenate([*along, *(side[:, ::-1] for side in along)])
    rim = rim * [calibration.width_px - 1, calibration.height_px - 1]
    seen = top.to_px(calibration.to_table(rim))
    seen = cv2.convexHull(seen[np.isfinite(seen).all(1)].astype(np.float32))
    _, part = cv2.intersectConvexConvex(seen, frame)
    return frame if part is None else part[:, 0]


def clipped(cls: str, outline: Points, shown: NDArray[np.float32]) -> Points | None:
    """The quad of the part of an outline (N, 2) that is shown; None where that is too little.

    Four corners that are all shown stay as they are; else it is the smallest rectangle round the part.
    """
    if not np.isfinite(outline).all():
        return None
    hull = cv2.convexHull(outline.astype(np.float32))
    whole = cv2.contourArea(hull)
    area, part = cv2.intersectConvexConvex(hull, shown)
    if whole <= 0 or part is None or len(part) < 3 or area < LEAST_SHOWN.get(cls, LEAST_SEEN) * whole:
        return None
    if len(outline) == 4 and area > 0.999 * whole:
        return outline
    quad = (
        _straight(part) if cls in ROUND and _is_round(hull) else cv2.boxPoints(cv2.minAreaRect(part)).astype(np.float64)
    )
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return quad if sides.min() >= LEAST_SIDE_PX else None


def _is_round(hull: NDArray[np.float32]) -> bool:
    """Whether an outline is about a circle: it has no direction, so that its box had better lie straight."""
    sides = cv2.minAreaRect(hull)[1]
    filled = cv2.contourArea(hull) / max(sides[0] * sides[1], 1e-6)
    return min(sides) > ROUND_SIDES * max(sides) and filled < ROUND_FILLED


def _straight(points: NDArray[np.float32]) -> Points:
    (x0, y0), (x1, y1) = points.reshape(-1, 2).min(axis=0), points.reshape(-1, 2).max(axis=0)
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)


def stills(out: Path, count: int | None, jobs: int) -> None:
    """Renders the held-out still lifes and negatives, with decks and backs of their own, then `count` for training.

    With them, in the recipe's shares, those in which cards are dealt, and those with seeded backs.
    """
    count = recipe.STILL_TRAIN if count is None else count
    held_out, none = recipe.STILL_HELD_OUT, recipe.STILL_NEGATIVE
    render_all(out, "still_eval", "eval", recipe.STILL_FIRST_SEED, held_out, jobs=jobs)
    render_all(out, "still_negative", "eval", recipe.STILL_NEGATIVE_SEED, none, jobs=jobs, theme="negative")
    first, dealt = recipe.DEAL_FIRST_SEED, recipe.DEAL_HELD_OUT
    render_all(out, "deal_eval", "eval", first, dealt, jobs=jobs, theme="deal", seeded=True)
    render_all(out, "still_train", "train", recipe.STILL_FIRST_SEED, count, jobs=jobs)
    of_each = recipe.DEAL_TRAIN * count // recipe.STILL_TRAIN
    render_all(out, "deal_train", "train", first, of_each, jobs=jobs, theme="deal", seeded=True)
    of_each = recipe.SEEDED_TRAIN * count // recipe.STILL_TRAIN
    render_all(out, "seeded_train", "train", recipe.SEEDED_FIRST_SEED, of_each, jobs=jobs, seeded=True)
