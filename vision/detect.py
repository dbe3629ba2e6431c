"""Finds cards, hands and furniture as oriented boxes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import CLASSES, Detections
from vision.frame import Image
from vision.network import Network
from vision.topview import DETECT_MM_PER_PX

#: The network's strides in the order of its anchors; pictures are padded to whole multiples of the coarsest.
STRIDES_PX = (8, 16, 32)
STRIDE_PX = STRIDES_PX[-1]
#: A distance to a box's side is the mean of so many whole steps, weighted by how likely the network holds each.
DISTANCE_STEPS = 16
PAD_GREY = 114
#: What the network gives, in this order.
OUTPUTS = ("distances", "classes", "angle")
#: Boxes under this score are not looked at; the tracker decides on the rest.
LEAST_SCORE = 0.25
#: Two boxes of one group that overlap more than this (probabilistic IoU) are one thing.
SAME_THING = 0.65
#: At most so many candidates go into the comparison of every one with every other.
MOST_CANDIDATES = 300
#: Classes that are one thing's two sides share a group, so that a card is not seen as face and back at once.
GROUPS = ({"card_face", "card_back", "cover_card"},)


class Detector:
    """The oriented detector.

    Args:
        path: the .onnx file.
        classes: the classes expected, in order; a model with others is refused.
        threads: how many threads one picture may use.
        least_score: boxes under this score are dropped.

    Attributes:
        names: the classes, by index.
        provider: the ONNX Runtime provider it runs on.

    Raises:
        ModelFault: the file is missing, no model, has other classes (the message names them), is made for another
            scale or size of picture, or is not the one that the card beside it describes.
    """

    def __init__(
        self,
        path: Path,
        *,
        classes: Sequence[str] = CLASSES,
        threads: int = 1,
        least_score: float = LEAST_SCORE,
    ) -> None:
        self._network = Network(path, threads=threads)
        self._network.expect("classes", classes)
        self._network.expect_number("mm_per_px", DETECT_MM_PER_PX, "millimetres to a pixel of its pictures")
        self._network.expect_pictures(OUTPUTS)
        self._network.expect_card()
        self._least_score = least_score
        self._least_logit = float(np.log(least_score / (1 - least_score))) - 1e-3  # `decode` draws the line
        self._group = np.array([_group(name, index) for index, name in enumerate(classes)])
        self.names: tuple[str, ...] = tuple(classes)
        self.provider = self._network.provider

    def detect(self, image: Image) -> Detections:
        """What is in a picture (H, W, 3) BGR of any size; quads in its pixels, best score first."""
        batch = to_input(image)
        distances, logits, angle = (output[0] for output in self._network.run(batch))
        # Almost every anchor sees nothing: only the others are made into boxes.
        seen = np.flatnonzero(logits.max(axis=0) >= self._least_logit)
        anchors = anchors_px(batch.shape[2], batch.shape[3])[:, seen]
        return self.decode(to_boxes(distances[:, seen], logits[:, seen], angle[:, seen], anchors))

    def decode(self, raw: NDArray[np.float32]) -> Detections:
        """Boxes as `to_boxes` makes them, (5 + classes, N), as detections: thresholded, doubles removed."""
        scores = raw[4:-1]
        best = scores.max(axis=0)
        order = np.flatnonzero(best >= self._least_score)
        order = order[np.argsort(-best[order], kind="stable")][:MOST_CANDIDATES]
        boxes = np.concatenate([raw[:4, order], raw[-1:, order]]).T
        cls = scores[:, order].argmax(axis=0)
        kept = _without_doubles(boxes, self._group[cls])
        return Detections(corners(boxes[kept]), cls[kept], best[order][kept])


def to_input(image: Image) -> NDArray[np.float32]:
    """A picture (H, W, 3) BGR as the network's input (1, 3, H', W') RGB 0..1, padded to the right and below."""
    height, width = image.shape[:2]
    below, right = -height % STRIDE_PX, -width % STRIDE_PX
    if below or right:
        grey = (PAD_GREY, PAD_GREY, PAD_GREY)
        image = np.asarray(cv2.copyMakeBorder(image, 0, below, 0, right, cv2.BORDER_CONSTANT, value=grey), np.uint8)
    planes = np.ascontiguousarray(image[..., ::-1].transpose(2, 0, 1))
    return planes[None].astype(np.float32) * np.float32(1 / 255)


def anchors_px(height: int, width: int) -> NDArray[np.float32]:
    """The anchors of a picture of this size, (3, N): x, y and stride in pixels, in the network's order."""
    rows = []
    for stride in STRIDES_PX:
        y, x = np.mgrid[0 : height // stride, 0 : width // stride].reshape(2, -1)
        rows.append(np.stack([(x + 0.5) * stride, (y + 0.5) * stride, np.full(x.shape, stride)]))
    return np.concatenate(rows, axis=1).astype(np.float32)


def to_boxes(
    distances: NDArray[np.float32],
    logits: NDArray[np.float32],
    angle: NDArray[np.float32],
    anchors: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Boxes (5 + classes, N): centre, sides, a score for each class, angle; lengths in pixels.

    Args:
        distances: how likely each step of the distance to the left, upper, right and lower side is, (64, N) logits.
        logits: (classes, N).
        angle: radians, (1, N); the sides' directions are turned by it.
        anchors: (3, N), see `anchors_px`.
    """
    steps = distances.reshape(4, DISTANCE_STEPS, -1)
    likely = np.exp(steps - steps.max(axis=1, keepdims=True))
    whole = np.arange(DISTANCE_STEPS, dtype=np.float32)[None, :, None]
    left, upper, right, lower = (likely * whole).sum(axis=1) / likely.sum(axis=1)
    x, y, stride = anchors
    ahead, down = (right - left) / 2, (lower - upper) / 2
    cos, sin = np.cos(angle[0]), np.sin(angle[0])
    centre = [x + (ahead * cos - down * sin) * stride, y + (ahead * sin + down * cos) * stride]
    sides = [(left + right) * stride, (upper + lower) * stride]
    scores = 1 / (1 + np.exp(-logits))
    return np.concatenate([np.stack([*centre, *sides]), scores, angle]).astype(np.float32)


def corners(boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Corners (N, 4, 2), clockwise in the picture, of boxes (N, 5): centre, sides, angle."""
    cos, sin = np.cos(boxes[:, 4]), np.sin(boxes[:, 4])
    along = np.stack([cos, sin], axis=1) * boxes[:, 2:3] / 2
    across = np.stack([-sin, cos], axis=1) * boxes[:, 3:4] / 2
    middle = boxes[:, :2]
    quads = [middle - along - across, middle + along - across, middle + along + across, middle - along + across]
    return np.stack(quads, axis=1).astype(np.float32)


def probabilistic_iou(boxes: NDArray[np.float32]) -> NDArray[np.float64]:
    """How much each of N boxes (N, 5) overlaps each, (N, N) 0..1: the Hellinger overlap of their normal distributions.

    After Llerena et al., "Gaussian bounding boxes and probabilistic intersection-over-union" (2021).
    """
    x, y, width, height, angle = boxes.astype(np.float64).T
    first, second = width**2 / 12, height**2 / 12
    cos, sin = np.cos(angle), np.sin(angle)
    a, b, c = first * cos**2 + second * sin**2, first * sin**2 + second * cos**2, (first - second) * cos * sin
    sum_a, sum_b, sum_c = a[:, None] + a, b[:, None] + b, c[:, None] + c
    dx, dy = x[:, None] - x, y[:, None] - y
    joint = np.maximum(sum_a * sum_b - sum_c**2, 1e-9)
    far = 0.25 * (sum_a * dy**2 + sum_b * dx**2 - 2 * sum_c * dx * dy) / joint
    own = np.maximum(a * b - c**2, 1e-9)
    shape = 0.5 * np.log(joint / (4 * np.sqrt(own[:, None] * own)) + 1e-9)
    overlap: NDArray[np.float64] = 1 - np.sqrt(np.maximum(0.0, 1 - np.exp(-np.clip(far + shape, 0, 100))))
    return overlap


def _without_doubles(boxes: NDArray[np.float32], group: NDArray[np.intp]) -> NDArray[np.intp]:
    """Indices of the boxes that no better one of their group covers; `boxes` come best first."""
    covers = (probabilistic_iou(boxes) > SAME_THING) & (group[:, None] == group)
    alive = np.ones(len(boxes), bool)
    for index in range(len(boxes)):
        if alive[index]:
            alive[index + 1 :] &= ~covers[index, index + 1 :]
    return np.flatnonzero(alive)


def _group(name: str, index: int) -> int:
    """A number that classes of one group share."""
    for number, group in enumerate(GROUPS):
        if name in group:
            return -1 - number
    return index
