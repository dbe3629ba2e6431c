"""A pool of crops for the reader on disk, made once by two processes."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.crops import Pools, make_crop
from models.train.photographs import rows_of
from models.train.say import say
from models.train.textures import TEXTURE_PX, Texture, Textures, photographed
from sample_videos.studio.many_backs import any_seed, draw_back

#: Crops made from one seed, the unit of work.
CHUNK = 500
#: Share of drawn and of photographed faces.
SHARES = (0.68, 0.32)
#: So many seeded backs; beside them so large a share of faces.
BACKS, BACKS_FACE_SHARE = 800, 0.15


@dataclass(frozen=True, slots=True, eq=False)
class CropPool:
    """Crops (N, 128, 96, 3) BGR and their labels (N, 4): rank, suit, side, pair; -1 where unknown."""

    images: NDArray[np.uint8]
    labels: NDArray[np.int64]

    def save(self, path: Path) -> None:
        """Writes the pool."""
        np.savez(path, images=self.images, labels=self.labels)

    @staticmethod
    def load(path: Path) -> CropPool:
        """The pool in a file."""
        with np.load(path) as stored:
            return CropPool(stored["images"], stored["labels"])


@lru_cache(maxsize=1)
def _pools(data: Path, out: Path, split: str) -> Pools:
    """The split's drawn cards (`out`/textures_<split>.npz) and those cut out of its photographs."""
    drawn = Textures.load(out / f"textures_{split}.npz")
    faces = [Texture(image, int(r), int(s)) for image, (r, s) in zip(drawn.faces, drawn.labels, strict=True)]
    cards = photographed(out / f"photographs_{split}.jsonl", data, split)
    grounds = [cv2.imread(str(data / "dice" / "images" / row["image"])) for row in rows_of(data / "dice", "train")[:60]]
    return Pools([faces, cards], list(SHARES), list(drawn.backs), [g for g in grounds if g is not None])


@lru_cache(maxsize=1)
def _back_pools(data: Path, out: Path, split: str) -> Pools:
    """The same with backs of `many_backs` in great number, which most crops show."""
    pools = _pools(data, out, split)
    training = split == "train"
    rng = np.random.default_rng((BACKS, training))
    drawn = [draw_back(any_seed(rng, training=training)) for _ in range(BACKS)]
    backs = [cv2.resize(back[..., ::-1], TEXTURE_PX, interpolation=cv2.INTER_AREA) for back in drawn]
    return replace(pools, backs=backs, face_share=BACKS_FACE_SHARE)


def _chunk(seed: int, data: Path, out: Path, split: str, backs: bool) -> CropPool:
    cv2.setNumThreads(1)
    rng = np.random.default_rng((seed, 77 if split == "train" else 78, *([79] if backs else [])))
    pools = (_back_pools if backs else _pools)(data, out, split)
    crops = [make_crop(rng, pools) for _ in range(CHUNK)]
    rows = [(crop.rank, crop.suit, crop.side, crop.pair) for crop in crops]
    return CropPool(np.stack([crop.image for crop in crops]), np.array(rows, np.int64))


def make_pool(data: Path, out: Path, split: str, chunks: int, *, backs: bool = False) -> CropPool:
    """`chunks` * 500 crops of a split; `data` is the folder of the photographs, `out` that of the run.

    `backs`: most of them show backs that nobody designed.
    """
    with ProcessPoolExecutor(2) as workers:
        parts = list(workers.map(partial(_chunk, data=data, out=out, split=split, backs=backs), range(chunks)))
    say(f"{split}: {chunks * CHUNK} crops{' of backs' if backs else ''}")
    return CropPool(np.concatenate([p.images for p in parts]), np.concatenate([p.labels for p in parts]))
