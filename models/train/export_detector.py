"""The trained detector as models/detector.onnx."""

from __future__ import annotations

from pathlib import Path
from types import MethodType
from typing import Any

import numpy as np
import torch
from torch import nn

from models.train.detector import new_network
from models.train.export import write_onnx
from vision.detections import CLASSES

#: Height and width of the picture whose output is kept as a reference, 16:9 in whole strides.
REFERENCE_SIZE = (288, 512)
#: Shares of the distances to a box's sides, (1, 64, anchors); logits of the classes; angle in radians.
OUTPUTS = ["distances", "classes", "angle"]


def export(weights: Path, path: Path, notes: dict[str, Any], reference: Path | None = None) -> None:
    """Writes the model, and as `reference` (.npz) torch's own output on a drawn picture, for the parity test."""
    network = new_network(weights).fuse(verbose=False).float().eval()
    if reference is not None:
        picture = reference_picture()
        planes = torch.from_numpy(np.ascontiguousarray(picture[..., ::-1].transpose(2, 0, 1))).float()[None] / 255
        with torch.no_grad():
            raw = network(planes)
        raw = (raw[0] if isinstance(raw, (tuple, list)) else raw)[0].numpy()
        reference.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(reference, picture=picture, raw=raw.astype(np.float32))
    network.model[-1].forward = MethodType(_undecoded, network.model[-1])
    example = torch.zeros(1, 3, 320, 640)
    moving = {0: "batch", 2: "height", 3: "width"}
    write_onnx(network, example, path, outputs=OUTPUTS, moving=moving, notes={"classes": list(CLASSES)} | notes)


def _undecoded(head: nn.Module, features: list[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    """The head's numbers before they are made into boxes: of thousands of anchors only some dozens will be boxes."""
    found = head.forward_head(features, **head.one2many)
    return found["boxes"], found["scores"], found["angle"]


def reference_picture() -> np.ndarray:
    """A felt with card-like white rectangles at several angles, (288, 512, 3) BGR."""
    import cv2  # noqa: PLC0415

    rng = np.random.default_rng(5)
    picture = np.full((*REFERENCE_SIZE, 3), (60, 110, 40), np.uint8)
    for index in range(8):
        centre = (60 + 110 * (index % 4) + rng.uniform(-20, 20), 80 + 130 * (index // 4) + rng.uniform(-15, 15))
        box = cv2.boxPoints((centre, (40, 56), float(rng.uniform(0, 90)))).astype(np.int32)
        cv2.fillPoly(picture, [box], (245, 245, 245), cv2.LINE_AA)
        cv2.circle(picture, tuple(int(v) for v in centre), 7, (30, 20, 190), -1, cv2.LINE_AA)
    noisy = picture.astype(np.float32) + rng.normal(0, 4, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)
