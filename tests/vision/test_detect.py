"""The detector: what it refuses, how it turns numbers into boxes, and that it says what torch said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.evaluate_photos import quad_overlap
from vision.detect import Detector, anchors_px, corners, probabilistic_iou, to_boxes, to_input
from vision.detections import CLASSES, Detections
from vision.network import ModelFault

MODEL = Path(__file__).parents[2] / "models" / "detector.onnx"
REFERENCE = Path(__file__).parents[1] / "models" / "reference.npz"


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(MODEL)


#: Scores from here on are told by either form of the network.
SURE = 0.5


def raw_output(*things: tuple[float, float, float, float, float, str, float]) -> np.ndarray:
    """A network's output with one anchor for each (x, y, width, height, angle, class, score)."""
    raw = np.zeros((5 + len(CLASSES), len(things)), np.float32)
    for anchor, (x, y, width, height, angle, name, score) in enumerate(things):
        raw[:4, anchor] = x, y, width, height
        raw[4 + CLASSES.index(name), anchor] = score
        raw[-1, anchor] = angle
    return raw


def test_the_quantised_network_finds_what_torch_found(detector: Detector) -> None:
    with np.load(REFERENCE) as stored:
        picture, raw = stored["picture"], stored["raw"]
    assert picture.shape == (288, 512, 3)  # not square: the shape that a fixed-size export gets wrong
    found, wanted = detector.detect(picture), detector.decode(raw)
    sure = np.flatnonzero(wanted.score >= SURE)  # near the threshold, finds come and go with the last bit
    assert len(sure) >= 6
    for quad, cls, score in zip(wanted.quads[sure], wanted.cls[sure], wanted.score[sure], strict=True):
        nearest = int(np.abs(found.quads.mean(axis=1) - quad.mean(axis=0)).sum(axis=1).argmin())
        assert found.cls[nearest] == cls
        assert abs(found.score[nearest] - score) < (0.1 if score >= 0.8 else 0.25)
        inside = bool((quad >= 0).all() and (quad <= [512, 288]).all())
        assert quad_overlap(found.quads[nearest], quad) > (0.85 if inside else 0.75)  # a cut is vague
    assert np.count_nonzero(found.score >= SURE + 0.15) <= len(sure)


def test_numbers_of_an_anchor_become_the_box_around_it() -> None:
    distances = np.full((4, 16, 1), -20, np.float32)
    for side, step in enumerate((1, 2, 3, 4)):  # left, upper, right, lower
        distances[side, step] = 20
    logits = np.full((len(CLASSES), 1), -20, np.float32)
    logits[2] = 0.0
    anchor = anchors_px(64, 96)[:, [13]]
    assert anchor[:, 0].tolist() == [12.0, 12.0, 8.0]  # the second of the second row, twelve to a row
    flat = to_boxes(distances.reshape(64, 1), logits, np.zeros((1, 1), np.float32), anchor)
    turned = to_boxes(distances.reshape(64, 1), logits, np.full((1, 1), np.pi / 2, np.float32), anchor)
    assert flat[:4, 0] == pytest.approx([20, 20, 32, 48], abs=1e-3)
    assert turned[:4, 0] == pytest.approx([4, 20, 32, 48], abs=1e-3)
    assert flat[4 + 2, 0] == pytest.approx(0.5)


def test_anchors_run_from_the_finest_stride_to_the_coarsest() -> None:
    anchors = anchors_px(64, 96)
    assert anchors.shape == (3, 8 * 12 + 4 * 6 + 2 * 3)
    assert anchors[:, -1].tolist() == [80.0, 48.0, 32.0]


def test_a_size_that_is_no_multiple_of_the_stride_is_padded_not_stretched(detector: Detector) -> None:
    with np.load(REFERENCE) as stored:
        picture = stored["picture"]
    whole, cut = detector.detect(picture), detector.detect(picture[:280, :500])
    assert to_input(picture[:280, :500]).shape == (1, 3, 288, 512)
    assert np.count_nonzero(whole.score >= 0.6) <= np.count_nonzero(cut.score >= 0.5) + 1
    assert np.count_nonzero(cut.score >= 0.6) <= np.count_nonzero(whole.score >= 0.5) + 1


def test_an_empty_felt_has_no_cards(detector: Detector) -> None:
    felt = np.full((320, 640, 3), (60, 110, 40), np.uint8)
    found = detector.detect(felt)
    assert len(found.of("card_face")) + len(found.of("card_back")) == 0


def test_a_model_of_other_classes_is_refused_by_name() -> None:
    with pytest.raises(ModelFault, match=r"missing: joker.*not known: person"):
        Detector(MODEL, classes=(*CLASSES[:-1], "joker"))


def test_a_missing_model_says_where_it_should_be(tmp_path: Path) -> None:
    with pytest.raises(ModelFault, match=r"gone\.onnx"):
        Detector(tmp_path / "gone.onnx")


def test_a_damaged_model_is_refused(tmp_path: Path) -> None:
    damaged = tmp_path / "detector.onnx"
    damaged.write_bytes(MODEL.read_bytes()[:20_000])
    with pytest.raises(ModelFault, match="not a model"):
        Detector(damaged)


def test_a_card_seen_as_face_and_back_is_one_card_of_the_better_side(detector: Detector) -> None:
    found = detector.decode(
        raw_output((100, 100, 44, 32, 0.1, "card_back", 0.6), (101, 100, 45, 32, 0.12, "card_face", 0.8))
    )
    assert [CLASSES[c] for c in found.cls] == ["card_face"]


def test_a_card_in_a_hand_stays_beside_the_hand(detector: Detector) -> None:
    found = detector.decode(raw_output((100, 100, 44, 32, 0.0, "card_back", 0.6), (100, 100, 46, 34, 0.0, "hand", 0.9)))
    assert [CLASSES[c] for c in found.cls] == ["hand", "card_back"]


def test_two_cards_side_by_side_stay_two(detector: Detector) -> None:
    found = detector.decode(
        raw_output((100, 100, 44, 32, 1.57, "card_back", 0.6), (134, 100, 44, 32, 1.57, "card_back", 0.5))
    )
    assert len(found) == 2


def test_what_scores_low_is_left_out(detector: Detector) -> None:
    assert len(detector.decode(raw_output((100, 100, 44, 32, 0.0, "card_face", 0.1)))) == 0


def test_corners_run_clockwise_in_the_picture() -> None:
    quad = corners(np.array([[10, 20, 8, 4, np.pi / 2]], np.float32))[0]
    expected = [[12, 16], [12, 24], [8, 24], [8, 16]]
    assert np.allclose(quad, expected, atol=1e-5)
    x, y = quad.T
    assert 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) == pytest.approx(32)  # y down: clockwise > 0


def test_overlap_is_one_with_itself_and_none_far_away() -> None:
    boxes = np.array([[50, 50, 40, 30, 0.3], [50, 50, 40, 30, 0.3 + np.pi], [400, 50, 40, 30, 0.3]], np.float32)
    overlap = probabilistic_iou(boxes)
    assert overlap[0, 1] == pytest.approx(1, abs=1e-3)
    assert overlap[0, 2] == pytest.approx(0, abs=1e-3)


def test_detections_of_unequal_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="quads has shape"):
        Detections(np.zeros((2, 4, 2), np.float32), np.zeros(1, np.intp), np.zeros(1, np.float32))


def test_fractional_classes_are_refused() -> None:
    with pytest.raises(ValueError, match="integers"):
        Detections(np.zeros((1, 4, 2), np.float32), np.zeros(1, np.float32), np.zeros(1, np.float32))  # type: ignore[arg-type]
