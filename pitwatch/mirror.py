"""A table, and the pictures of it, as in a mirror: the dealer's left and right change places."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.geometry import Calibration
from calibration.lens import Lens
from calibration.tablefile import Table
from vision.frame import Frame

OTHER_SIDE = {"left": "right", "right": "left"}


def mirrored_frame(frame: Frame) -> Frame:
    """The picture with left and right exchanged."""
    return Frame.of(frame.t_us, np.ascontiguousarray(frame.image[:, ::-1]))


def mirrored_table(table: Table) -> Table:
    """The table file of the mirrored picture.

    Every place lies at -x; what is printed keeps its name, so that the seats' order from the dealer's right is turned
    round.
    """
    layout = table.layout
    zones = {name: np.ascontiguousarray((zone * [-1.0, 1.0])[::-1]) for name, zone in layout.zones_mm.items()}
    cameras = tuple(
        replace(camera, calibration=None if camera.calibration is None else mirrored_calibration(camera.calibration))
        for camera in table.cameras
    )
    return replace(
        table,
        cameras=cameras,
        calibration=mirrored_calibration(table.calibration),
        layout=replace(
            layout, shoe_side=OTHER_SIDE[layout.shoe_side], seats=tuple(reversed(layout.seats)), zones_mm=zones
        ),
    )


def mirrored_calibration(calibration: Calibration) -> Calibration:
    """How the mirrored picture maps to the mirrored felt."""
    last_px = calibration.width_px - 1
    flip_px = np.array([[-1.0, 0.0, last_px], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    camera_mm = calibration.camera_mm
    return Calibration(
        np.diag([-1.0, 1.0, 1.0]) @ calibration.homography @ flip_px,
        calibration.width_px,
        calibration.height_px,
        calibration.error_mm,
        None if calibration.lens is None else _mirrored_lens(calibration.lens, last_px),
        None if camera_mm is None else (-camera_mm[0], camera_mm[1], camera_mm[2]),
        calibration.taken_at,
    )


def _mirrored_lens(lens: Lens, last_px: int) -> Lens:
    """The middle moves to the other side; of the lens's own faults only the one across is turned round."""
    matrix, distortion = lens.matrix.copy(), lens.distortion.copy()
    matrix[0, 1] *= -1.0
    matrix[0, 2] = last_px - matrix[0, 2]
    distortion[3] *= -1.0
    return Lens.of(matrix, distortion)
