"""The trained detector as models/detector.onnx."""

from __future__ import annotations

from collections.abc import Sequence
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
#: A score that counts as a find when that picture is chosen.
SURE = 0.6
#: Shares of the distances to a box's sides, (1, 64, anchors); logits of the classes; angle in radians.
OUTPUTS = ["distances", "classes", "angle"]


def export(
    weights: Path, path: Path, notes: dict[str, Any], reference: Path | None = None, shown: Sequence[Path] = ()
) -> None:
    """Writes the model, and as `reference` (.npz) torch's own output on one picture of `shown`, for the parity test.

    The picture is the one in which it finds most.
    """
    network = new_network(weights).fuse(verbose=False).float().eval()
    if reference is not None and shown:
        seen = [(picture, _raw(network, picture)) for picture in map(reference_picture, shown)]
        picture, raw = max(seen, key=lambda pair: int((pair[1][4 : 4 + len(CLASSES)].max(axis=0) > SURE).sum()))
        reference.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(reference, picture=picture, raw=raw.astype(np.float32))
    network.model[-1].forward = MethodType(_undecoded, network.model[-1])
    example = torch.zeros(1, 3, 320, 640)
    moving = {0: "batch", 2: "height", 3: "width"}
    write_onnx(network, example, path, outputs=OUTPUTS, moving=moving, notes={"classes": list(CLASSES)} | notes)


def _raw(network: nn.Module, picture: np.ndarray) -> np.ndarray:
    """Torch's output (values, anchors) on a picture (H, W, 3) BGR."""
    planes = torch.from_numpy(np.ascontiguousarray(picture[..., ::-1].transpose(2, 0, 1))).float()[None] / 255
    with torch.no_grad():
        raw = network(planes)
    return np.asarray((raw[0] if isinstance(raw, (tuple, list)) else raw)[0].numpy())


def _undecoded(head: nn.Module, features: list[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    """The head's numbers before they are made into boxes: of thousands of anchors only some dozens will be boxes."""
    found = head.forward_head(features, **head.one2many)
    return found["boxes"], found["scores"], found["angle"]


def reference_picture(path: Path) -> np.ndarray:
    """A top view of the training as it stands, cut and padded to (288, 512, 3) BGR."""
    import cv2  # noqa: PLC0415

    height, width = REFERENCE_SIZE
    picture = np.full((height, width, 3), 114, np.uint8)
    view = np.asarray(cv2.imread(str(path)), np.uint8)[:height, :width]
    picture[: view.shape[0], : view.shape[1]] = view
    return picture
