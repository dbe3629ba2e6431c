"""Pips of dice: the crop, the reading, and the shipped model on drawn dice."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from models.train.drawn_dice import drawn_die
from vision.network import ModelFault
from vision.pips import PIPS, SIDE_PX, PipReader, PipReading, die_crop

MODEL = Path(__file__).parents[2] / "models" / "pips.onnx"


def felt(seed: int = 0, side_px: int = 96) -> np.ndarray:
    rng = np.random.default_rng(seed)
    green = np.array([40.0, 90.0, 30.0])
    return np.clip(green + rng.normal(0, 3, (side_px, side_px, 1)), 0, 255).astype(np.uint8)


def reading(pips: str, sure: float, least: float = 0.8) -> PipReading:
    shares = np.full(len(PIPS), (1 - sure) / (len(PIPS) - 1))
    shares[PIPS.index(pips)] = sure
    return PipReading(shares, least)


def test_pips_are_answered_only_where_sure_and_never_of_no_die() -> None:
    assert reading("5", 0.9).pips == 5
    assert reading("5", 0.7).pips is None
    assert reading("5", 0.7).likeliest == 5
    assert reading("none", 0.99).pips is None


def test_a_reading_of_the_wrong_shape_is_refused() -> None:
    with pytest.raises(ValueError, match=r"shares has shape \(6,\)"):
        PipReading(np.zeros(6), 0.5)


def test_the_crop_is_a_square_about_the_box_at_any_size() -> None:
    picture = np.zeros((200, 300, 3), np.uint8)
    picture[80:120, 100:140] = 200
    for box in (np.array([100.0, 80.0, 140.0, 120.0]), np.array([[100, 80], [140, 80], [140, 120], [100, 120.0]])):
        crop = die_crop(picture, box)
        assert crop.shape == (SIDE_PX, SIDE_PX, 3)
        lit = crop[..., 0] > 100
        assert lit.mean() == pytest.approx((1 / 1.15) ** 2, abs=0.04)
        assert np.array_equal(lit, lit[::-1, ::-1])


def test_a_crop_of_a_large_die_is_averaged_not_sampled() -> None:
    checks = (np.indices((400, 400)).sum(axis=0) % 2 * 255).astype(np.uint8)
    crop = die_crop(np.repeat(checks[..., None], 3, axis=2), np.array([20.0, 20.0, 380.0, 380.0]))
    assert crop.std() < 30


def test_beyond_the_picture_the_crop_is_grey_and_a_box_of_nothing_is_refused() -> None:
    crop = die_crop(np.full((50, 50, 3), 255, np.uint8), np.array([-20.0, 10.0, 20.0, 50.0]))
    assert (crop[:, :10] == 114).all()
    with pytest.raises(ValueError, match="expected at least 4"):
        die_crop(np.zeros((50, 50, 3), np.uint8), np.array([10.0, 10.0, 12.0, 12.0]))
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        die_crop(np.zeros((50, 50, 3), np.uint8), np.zeros(3))


def test_the_shipped_model_reads_drawn_dice() -> None:
    reader, rng = PipReader(MODEL), np.random.default_rng(77)
    pips = [1 + index % 6 for index in range(120)]
    crops = [
        die_crop(drawn_die(rng, felt(seed), number), np.array([24.0, 24, 72, 72])) for seed, number in enumerate(pips)
    ]
    read = reader.read(crops)
    assert sum(one.likeliest == number for one, number in zip(read, pips, strict=True)) >= 110
    answers = [(one.pips, number) for one, number in zip(read, pips, strict=True) if one.pips is not None]
    assert len(answers) >= 80
    assert sum(a != b for a, b in answers) <= 2


def test_felt_has_no_pips() -> None:
    crops = [felt(seed, SIDE_PX) for seed in range(8)]
    assert [reading.pips for reading in PipReader(MODEL).read(crops)] == [None] * 8


def test_no_crops_no_readings_and_a_crop_of_another_size_is_refused() -> None:
    reader = PipReader(MODEL)
    assert reader.read([]) == []
    with pytest.raises(ValueError, match=r"shape \(32, 32, 3\)"):
        reader.read([np.zeros((32, 32, 3), np.uint8)])


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (b'"5", "6", "none"]', b'"5", "7", "none"]', "missing: 6; not known: 7"),
        (b"\x12\x0448.0", b"\x12\x0432.0", "side_px is 32.0: this program needs 48"),
    ],
)
def test_a_wrong_model_is_refused_with_what_is_wrong(tmp_path: Path, before: bytes, after: bytes, said: str) -> None:
    data = MODEL.read_bytes()
    assert before in data
    path = tmp_path / "pips.onnx"
    path.write_bytes(data.replace(before, after))
    with pytest.raises(ModelFault, match="|".join([said, r"side_px.*32"])) as caught:
        PipReader(path)
    assert str(path) in str(caught.value)


def test_a_model_beside_the_card_of_another_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pips.onnx"
    path.write_bytes(MODEL.read_bytes())
    path.with_suffix(".json").write_text(json.dumps({"sha256": "0" * 64}), encoding="utf-8")
    with pytest.raises(ModelFault, match="not the one that its card describes"):
        PipReader(path)


def test_the_shipped_card_describes_the_shipped_model() -> None:
    card = json.loads(MODEL.with_suffix(".json").read_text(encoding="utf-8"))
    assert card["pips"] == list(PIPS)
    assert card["licence"] == "AGPL-3.0-or-later"
    assert card["bytes"] == MODEL.stat().st_size < 1_000_000
