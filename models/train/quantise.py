"""The exported detector with most of its layers in 8 bits: a third less work on a processor, the same finds.

Convolutions are quantised one scale to a channel, together with what lies between them, so that numbers stay in 8 bits
from layer to layer; a convolution alone loses in conversions what it gains. Left in floating point are the layers at
which rounding was measured to cost finds: the first ones, attention, and the last ones. Weights keep 7 of 8 bits:
processors without VNNI would overflow in sums of 8-bit products and find other things than those with it.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from vision.detect import to_input

#: Kinds of layers that are quantised.
KINDS = ("Conv", "Sigmoid", "Mul", "Concat", "Add", "Resize", "MaxPool", "Slice")
#: Layers that stay in floating point, by name: the first three, attention, and the last of each of the head's branches.
EXACT = re.compile(r"/model\.(0|1|2|10)/|/cv[234]\.\d/cv[234]\.\d\.2/")
HEAD = "/model.23/"
#: Pictures that the ranges of the numbers are read from: as the program sees them, and as photographs show cards.
TOP_VIEWS, PHOTOGRAPHS = 60, 30
LONGER_SIDE_PX = 640
SEED = 1


class _Pictures(CalibrationDataReader):  # type: ignore[misc]
    """The calibration pictures, one at a time."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._pictures = self._read(paths)

    @staticmethod
    def _read(paths: Sequence[Path]) -> Iterator[dict[str, np.ndarray]]:
        for path in paths:
            image = cv2.imread(str(path))
            if image is None:
                raise FileNotFoundError(path)
            scale = LONGER_SIDE_PX / max(image.shape[:2])
            if scale < 1:
                image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            yield {"images": to_input(np.asarray(image, np.uint8))}

    def get_next(self) -> dict[str, np.ndarray] | None:
        """The next picture as the network's input, or None."""
        return next(self._pictures, None)


def calibration_pictures(out: Path) -> list[Path]:
    """Pictures of the training, never of a test: top views and photographs, the same ones each time."""
    pools = ("studio_train", "change_train", "still_train", "deal_train", "seeded_train")
    views = sorted(path for name in pools for path in (out / name).glob("*.jpg"))
    rows = (out / "photographs_train_cards.jsonl").read_text(encoding="utf-8").splitlines()
    photographs = sorted(out / json.loads(row)["image"] for row in rows)
    chosen = random.Random(SEED)
    return chosen.sample(views, TOP_VIEWS) + chosen.sample(photographs, PHOTOGRAPHS)


def quantise(path: Path, pictures: Sequence[Path]) -> None:
    """Replaces the network in `path` by its quantised form; the notes in its metadata stay."""
    notes = list(onnx.load(str(path)).metadata_props)
    with tempfile.TemporaryDirectory() as folder:
        plain, small = Path(folder) / "plain.onnx", Path(folder) / "small.onnx"
        quant_pre_process(str(path), str(plain), skip_symbolic_shape=True)
        exact = [node.name for node in onnx.load(str(plain)).graph.node if _stays_exact(node)]
        quantize_static(
            str(plain),
            str(small),
            _Pictures(pictures),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=list(KINDS),
            nodes_to_exclude=exact,
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
        model = onnx.load(str(small))
    del model.metadata_props[:]
    model.metadata_props.extend(notes)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def _stays_exact(node: onnx.NodeProto) -> bool:
    """Whether a layer is none of those that are quantised; sizes computed on the way are no layers either."""
    activation = "/act/" in node.name
    computed = node.op_type in ("Sigmoid", "Mul") and not activation
    gathered = HEAD in node.name and node.op_type != "Conv" and not activation
    return computed or gathered or EXACT.search(node.name) is not None
