"""Reading a picture that is measured on: the one place that says what to do where it cannot be read."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from faults import InputFault
from vision.frame import Image


def read_picture(path: Path, *, todo: str = "Check the folder given with --data.", what: str = "photograph") -> Image:
    """The picture (H, W, 3) BGR in a file.

    Raises:
        InputFault: it is missing or damaged; `what` names it and `todo` says what to do.
    """
    image = cv2.imread(str(path))
    if image is None:
        raise InputFault(f"cannot read the {what}", where=str(path), why="it is missing or damaged", todo=todo)
    return np.asarray(image, np.uint8)
