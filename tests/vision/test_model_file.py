"""A model file that does not fit is refused by name, whatever about it is wrong.

The wrong files are the shipped one with some bytes changed, none added: ONNX's metadata are texts in the file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from vision.detect import Detector
from vision.network import ModelFault

MODEL = Path(__file__).parents[2] / "models" / "detector.onnx"
#: A size of 320 as a whole number of seven bytes, in place of the name of a free one.
FIXED = b"\x08\xc0\x82\x80\x80\x80\x80\x00"


def changed(folder: Path, change: Callable[[bytes], bytes]) -> Path:
    """The shipped model with some bytes changed."""
    before = MODEL.read_bytes()
    after = change(before)
    assert before != after
    assert len(before) == len(after)
    path = folder / "detector.onnx"
    path.write_bytes(after)
    return path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data.replace(b'"shoe", "shuffler"', b'"boot", "shuffler"'), "missing: shoe; not known: boot"),
        (lambda data: data.replace(b'"shoe", "shuffler"', b'"shuffler", "shoe"'), "they are in another order"),
        (lambda data: data.replace(b"\x12\x032.0", b"\x12\x033.0"), "mm_per_px is 3.0: this program needs 2"),
        (lambda data: data.replace(b"mm_per_px", b"mm_per_cm"), "mm_per_px is not stated"),
        (lambda data: data.replace(b"\x12\x06height", FIXED, 1), r"takes tensor\(float\) \['batch', 3, 320, 'width'\]"),
        (lambda data: data.replace(b"distances", b"distancez"), "gives distancez, classes, angle"),
        (lambda data: data.replace(b'["card_face"', b"[#card_face#"), "missing: card_face, card_back"),
    ],
    ids=["another class", "another order", "another scale", "no scale", "one size only", "other outputs", "no list"],
)
def test_a_wrong_model_is_refused_with_what_is_wrong(
    tmp_path: Path, change: Callable[[bytes], bytes], said: str
) -> None:
    with pytest.raises(ModelFault, match=said) as caught:
        Detector(changed(tmp_path, change))
    assert str(tmp_path / "detector.onnx") in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_model_beside_the_card_of_another_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "detector.onnx"
    path.write_bytes(MODEL.read_bytes())
    card = tmp_path / "detector.json"
    card.write_text(json.dumps({"sha256": hashlib.sha256(b"another").hexdigest()}), encoding="utf-8")
    with pytest.raises(ModelFault, match="not the one that its card describes"):
        Detector(path)
    card.write_text("[]", encoding="utf-8")
    with pytest.raises(ModelFault, match="card cannot be read"):
        Detector(path)
    card.write_text(json.dumps({"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}), encoding="utf-8")
    assert Detector(path).names[0] == "card_face"


def test_a_model_without_a_card_is_taken_by_what_it_says_of_itself(tmp_path: Path) -> None:
    path = tmp_path / "detector.onnx"
    path.write_bytes(MODEL.read_bytes())
    assert len(Detector(path).names) == 14
