"""The printed layers of a still life: cards as in `cards_gl.Print`, and flat things that are no cards."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_videos.studio import art
from sample_videos.studio.cards_gl import INSTANCE, Print
from sample_videos.studio.meshes import pose_matrix
from sample_videos.studio.scene import CARD_LENGTH_MM, CARD_WIDTH_MM, SceneSpec
from sample_videos.studio.stills.sheets import draw_sheet
from sample_videos.studio.stills.still import Sheet

#: A table has so many different sheets of a kind; each costs a layer.
VARIANTS = 4


class StillPrint(Print):
    """Cards' faces and backs by `layer("face", ...)`, sheets by `layer("sheet", kind, variant)`."""

    def __init__(self, context: Any, spec: SceneSpec, mm_per_px: float, capacity: int) -> None:
        super().__init__(context, spec.decks, mm_per_px, capacity)
        self._first_sheet = spec.seed * VARIANTS

    def _picture(self, key: tuple[Any, ...]) -> NDArray[np.uint8]:
        if key[0] != "sheet":
            return super()._picture(key)
        sized = cv2.resize(draw_sheet(key[1], self._first_sheet + key[2]), art.TEXTURE_PX, interpolation=cv2.INTER_AREA)
        return np.dstack([sized, np.full(sized.shape[:2], 255, np.uint8)])


def sheet_row(print_: Print, sheet: Sheet) -> NDArray[np.void]:
    """A sheet's instance row: a card's shape, stretched to the sheet's size; it has no id."""
    matrix = np.column_stack([pose_matrix(sheet.yaw, sheet.pitch, 0.0), sheet.centre])
    matrix[:, 0] *= sheet.size_mm[0] / CARD_WIDTH_MM
    matrix[:, 1] *= sheet.size_mm[1] / CARD_LENGTH_MM
    layer = print_.layer("sheet", sheet.kind, sheet.seed % VARIANTS)
    row = np.zeros(1, INSTANCE)
    row[0] = (matrix, [layer, layer, sheet.bend_mm, sheet.gloss], 0)
    return row
