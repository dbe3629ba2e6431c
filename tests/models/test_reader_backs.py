"""The shipped reader on backs of designs that no training saw: they are backs, and not the faces of cards."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from sample_videos.studio.many_backs import EVAL_SEED, draw_back
from vision.crops import CROP_HEIGHT_PX, CROP_WIDTH_PX, MARGIN
from vision.frame import Image
from vision.read import CardReader

READER = Path(__file__).parents[2] / "models" / "reader.onnx"
BACKS = 60


def as_recorded(rng: np.random.Generator, back: Image) -> Image:
    """A back (356, 254, 3) RGB on felt, as the crop of a blurred, dim and noisy picture."""
    rim = [round(side * MARGIN) for side in back.shape[:2] for _ in range(2)]
    felt = [float(v) for v in rng.uniform(10, 120, 3)]
    lying = cv2.copyMakeBorder(np.ascontiguousarray(back[..., ::-1]), *rim, cv2.BORDER_CONSTANT, value=felt)
    soft = cv2.GaussianBlur(lying.astype(np.float32), (0, 0), float(rng.uniform(1.5, 4)))
    small = cv2.resize(soft, (CROP_WIDTH_PX, CROP_HEIGHT_PX), interpolation=cv2.INTER_AREA)
    seen = small * rng.uniform(0.5, 1.0) + rng.normal(0, 4, small.shape)
    return np.asarray(np.clip(seen, 0, 255), np.uint8)


def test_unseen_backs_are_read_as_backs() -> None:
    rng = np.random.default_rng(4)
    crops = [as_recorded(rng, draw_back(EVAL_SEED + seed)) for seed in range(BACKS)]
    readings = CardReader(READER).read(crops)
    assert np.mean([reading.side == "back" for reading in readings]) >= 0.9
    assert np.mean([reading.face > 0.5 for reading in readings]) <= 0.1
    assert all(reading.rank is None for reading in readings)
