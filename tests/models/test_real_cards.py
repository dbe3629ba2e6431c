"""Cards of photographs with their outlines."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from faults import InputFault
from models.real_cards import split_cards


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A photograph of one whole card, and one cut off by the border, in the `test` split; another split beside it."""
    folder = tmp_path / "real_train" / "cards_edje"
    (folder / "images").mkdir(parents=True)
    picture = np.full((400, 500, 3), (60, 110, 70), np.uint8)
    quad = cv2.boxPoints(((180.0, 190.0), (126.0, 176.0), 25.0))
    cv2.fillPoly(picture, [np.rint(quad).astype(np.int32)], (245, 245, 245), cv2.LINE_AA)
    picture[100:300, 420:] = 245
    noisy = np.clip(picture + np.random.default_rng(2).normal(0, 1.5, picture.shape), 0, 255).astype(np.uint8)
    cv2.imwrite(str(folder / "images" / "one.png"), noisy)
    whole = [*quad.min(axis=0).tolist(), *quad.max(axis=0).tolist()]
    things = [
        {"cls": "card_face", "rank": "K", "box": whole},
        {"cls": "card_face", "rank": "Q", "box": [420, 100, 500, 300]},
        {"cls": "card_face", "box": [0, 0, 50, 50]},
    ]
    rows = [{"image": "one.png", "split": split, "objects": things} for split in ("train", "test")]
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return tmp_path


def test_whole_cards_have_an_outline_and_the_others_are_counted(data: Path) -> None:
    (card,), labelled = split_cards(data, "cards_edje", "test")
    assert labelled == 2
    assert (card.rank, card.suit, card.source) == ("K", None, "cards_edje")
    assert card.short_px == pytest.approx(126, abs=6)


def test_a_source_that_is_not_there_is_one_clear_fault(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match=r"labels\.jsonl.*--data"):
        split_cards(tmp_path, "cards_poker4", "test")
