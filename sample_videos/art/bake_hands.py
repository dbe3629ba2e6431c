"""Bakes the rigged hands of npm `@webxr-input-profiles/assets` (generic-hand, MIT) into hand_left.npz, hand_right.npz.

Run by hand: `python sample_videos/art/bake_hands.py FOLDER` with FOLDER holding left.glb and right.glb. The baked
frame is in millimetres: wrist at the origin, fingers to +y, back of the hand to +z.
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

TYPES = {5121: np.uint8, 5123: np.uint16, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
# Metres of the asset (fingers to -y, palms towards each other) to millimetres.
TO_TABLE = {
    "left": np.array([[0, 0, -1], [0, -1, 0], [-1, 0, 0]], np.float64) * 1000.0,
    "right": np.array([[0, 0, 1], [0, -1, 0], [1, 0, 0]], np.float64) * 1000.0,
}


def read_glb(path: Path) -> tuple[dict[str, Any], bytes]:
    """The JSON and the binary chunk of a .glb file."""
    data = path.read_bytes()
    size = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20 : 20 + size]), data[28 + size :]


def accessor(document: dict[str, Any], blob: bytes, index: int) -> NDArray[Any]:
    """One accessor as an array (count, width)."""
    entry = document["accessors"][index]
    view = document["bufferViews"][entry["bufferView"]]
    start = view.get("byteOffset", 0) + entry.get("byteOffset", 0)
    count = entry["count"] * WIDTHS[entry["type"]]
    array = np.frombuffer(blob, TYPES[entry["componentType"]], count, start)
    return array.reshape(entry["count"], -1)


def weld(vertices: NDArray[Any], faces: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Indices of the distinct vertices, and the faces over them (texture seams closed)."""
    _, first, inverse = np.unique(np.round(vertices, 3), axis=0, return_index=True, return_inverse=True)
    return first, inverse.reshape(-1)[faces]


def bake(path: Path, to_table: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """The arrays that hands.py reads."""
    document, blob = read_glb(path)
    primitive = document["meshes"][0]["primitives"][0]
    attributes = primitive["attributes"]
    nodes = [document["nodes"][index] for index in document["skins"][0]["joints"]]
    joints = np.array([node["translation"] for node in nodes]) @ to_table.T
    wrist = joints[[node["name"] == "wrist" for node in nodes]][0]
    vertices = accessor(document, blob, attributes["POSITION"]) @ to_table.T - wrist
    faces = accessor(document, blob, primitive["indices"]).reshape(-1, 3).astype(np.int64)
    keep, faces = weld(vertices, faces)
    return {
        "vertices": vertices[keep].astype(np.float32),
        "faces": faces.astype(np.uint16),
        "bones": accessor(document, blob, attributes["JOINTS_0"])[keep].astype(np.uint8),
        "weights": accessor(document, blob, attributes["WEIGHTS_0"])[keep].astype(np.float16),
        "joints": (joints - wrist).astype(np.float32),
        "names": np.array([node["name"] for node in nodes]),
    }


def main(folder: Path) -> None:
    """Writes both hands beside this file."""
    for side in ("left", "right"):
        arrays: dict[str, Any] = dict(bake(folder / f"{side}.glb", TO_TABLE[side]))
        np.savez_compressed(Path(__file__).with_name(f"hand_{side}.npz"), **arrays)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
