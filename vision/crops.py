"""A card's picture, upright and flat, for the reader."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.geometry import Calibration
from vision.frame import Frame, Image
from vision.sighting import Points

CROP_WIDTH_PX = 96
CROP_HEIGHT_PX = 128
#: Share of the crop left around the card on every side.
MARGIN = 0.06


def card_crop(picture: Image | Frame, calibration: Calibration, quad_mm: Points) -> Image:
    """The card inside `quad_mm`, (128, 96, 3), its long side upright, from the full-resolution picture.

    A card looks the same turned by half a circle, so which end is up does not matter.
    """
    corners = calibration.to_pixels(widened(upright(quad_mm)))
    return crop_px(picture, corners)


def crop_px(picture: Image | Frame, corners_px: Points) -> Image:
    """The area inside four pixel corners (upper left, upper right, lower right, lower left) as an upright crop."""
    x0, y0 = np.floor(corners_px.min(axis=0)).astype(int) - 2
    x1, y1 = np.ceil(corners_px.max(axis=0)).astype(int) + 3
    height, width = (picture.height_px, picture.width_px) if isinstance(picture, Frame) else picture.shape[:2]
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
    if x1 - x0 < 4 or y1 - y0 < 4:
        return np.full((CROP_HEIGHT_PX, CROP_WIDTH_PX, 3), 114, np.uint8)
    part = picture.part(x0, y0, x1, y1) if isinstance(picture, Frame) else picture[y0:y1, x0:x1]
    target = np.array(
        [[0, 0], [CROP_WIDTH_PX, 0], [CROP_WIDTH_PX, CROP_HEIGHT_PX], [0, CROP_HEIGHT_PX]], dtype=np.float32
    )
    # pixel centres lie half a pixel in
    source = (corners_px - (x0, y0) + 0.5).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]], dtype=np.float64)
    matrix = np.linalg.inv(half) @ matrix @ half
    size = (CROP_WIDTH_PX, CROP_HEIGHT_PX)
    crop = cv2.warpPerspective(part, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, dtype=np.uint8)


def upright(quad_mm: Points) -> Points:
    """The quad's corners ordered upper left, upper right, lower right, lower left with the long side upright."""
    first = float(np.linalg.norm(quad_mm[1] - quad_mm[0]))
    second = float(np.linalg.norm(quad_mm[2] - quad_mm[1]))
    ordered = quad_mm if first <= second else np.roll(quad_mm, -1, axis=0)
    # in table axes (y up) clockwise runs upper left, upper right, lower right, lower left
    area = 0.5 * float(np.sum(ordered[:, 0] * np.roll(ordered[:, 1], -1) - np.roll(ordered[:, 0], -1) * ordered[:, 1]))
    result: Points = ordered if area < 0 else ordered[[1, 0, 3, 2]]
    return result


def widened(quad: Points) -> Points:
    """The quad with the crop's margin around it."""
    middle = quad.mean(axis=0)
    wide: Points = middle + (quad - middle) * (1 + 2 * MARGIN)
    return wide
