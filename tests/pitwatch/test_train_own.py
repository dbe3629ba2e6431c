"""`pitwatch train --suggest` and `--from` on a toy correction set, from pictures to a promoted or refused model.

Training needs torch. Where an environment with it is there (.venv-train, or PITWATCH_TRAIN_PYTHON), one test really
trains, if only for a moment; what is decided about a model is tested with stand-ins whose figures are known.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.labels.read import read_labels
from models.labels.split import recording_of
from models.train.samples import read_samples
from pitwatch.cli import main
from pitwatch.commands import train as command
from pitwatch.extras import ExtraFault
from pitwatch.train_own import Trains
from pitwatch.train_python import training_python
from tests.pitwatch.commandline import run
from tests.pitwatch.fakes import write_table, write_video
from tests.pitwatch.spoiling import spoilt
from vision.detect import Detector

MODELS = Path(__file__).parents[2] / "models"
REFERENCE = Path(__file__).parents[1] / "models" / "reference.npz"
NIGHTS, SHOTS = 4, 2
#: With these at nought the network sees no class anywhere.
CLASS_LAYERS = "model.23.cv3"
#: Two nights are held back, since a picture shows only some seven things.
SEEN = ("--mm-per-px", "2", "--hold-back", "0.4")


@pytest.fixture(scope="module")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A top view in the light of five nights, two pictures each, and a phone beside it."""
    folder = tmp_path_factory.mktemp("shots")
    with np.load(REFERENCE) as stored:
        view = stored["picture"]
    for night in range(NIGHTS):
        for number in range(SHOTS):
            bright = np.clip(view * (0.8 + 0.1 * night) + 3 * number, 0, 255).astype(np.uint8)
            cv2.imwrite(str(folder / f"night{night}_{number:03d}.png"), np.roll(bright, 4 * number, axis=1))
    return folder


@pytest.fixture(scope="module")
def labels(shots: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The current model's suggestions, gone through by a person who took off every mark."""
    folder = tmp_path_factory.mktemp("labels")
    assert main(["train", "--suggest", str(shots), "--out", str(folder), "--mm-per-px", "2"]) == 0
    path = folder / "annotations.xml"
    text = path.read_text(encoding="utf-8")
    assert text.count("<image ") == NIGHTS * SHOTS
    path.write_text(text.replace('"unsure">true', '"unsure">false'), encoding="utf-8")
    return path


def stand_in(change: Callable[[bytes], bytes]) -> Callable[[Path | None], Trains]:
    """A training that leaves the shipped model with some bytes changed."""

    def train(order_file: Path, steps: int) -> None:
        order = json.loads(order_file.read_text(encoding="utf-8"))
        assert order["steps"] == steps
        samples = read_samples(Path(order["samples"]))
        assert len(samples) == NIGHTS * SHOTS // 2
        assert all(sample.image.is_file() for sample in samples)
        out = Path(order["out"])
        (out / "detector.onnx").write_bytes(change((MODELS / "detector.onnx").read_bytes()))
        (out / "detector.pt").write_bytes(b"weights")
        sha = hashlib.sha256((out / "detector.onnx").read_bytes()).hexdigest()
        (out / "detector.json").write_text(json.dumps({"sha256": sha} | order["card"]), encoding="utf-8")

    return lambda python: train


def shipped() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(MODELS.glob("*.*")) if path.is_file()}


def test_a_model_that_is_no_worse_is_promoted_into_a_folder_that_a_review_can_use(
    labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "trainer", stand_in(lambda data: data))
    monkeypatch.chdir(tmp_path)
    before, out = shipped(), Path("own")  # a folder below the one that one stands in
    code, text, err = run(capsys, "train", "--from", labels, "--out", out, *SEEN)
    assert (code, err) == (0, "")
    assert "promoted: " in text
    assert "(whole recordings: suggestions/night" in text
    card = json.loads((out / "detector.json").read_text(encoding="utf-8"))
    sheet = (out / "data_sheet.json").read_bytes()
    assert card["data_sheet_sha256"] == hashlib.sha256(sheet).hexdigest()
    assert card["data_sheet"]["format"] == "CVAT for images 1.1"
    assert card["data_sheet"]["learned"]["pictures"] + card["data_sheet"]["held_back"]["pictures"] == NIGHTS * SHOTS
    assert card["held_back"]["things"] >= 20
    assert card["held_back"]["new"] == card["held_back"]["old"]
    assert len(Detector(out / "detector.onnx").names) == 14
    assert {"reader.onnx", "reader.json", "detector.pt", "report.txt"} <= {path.name for path in out.iterdir()}
    assert not (out / "work").exists()
    assert shipped() == before


def test_a_worse_model_is_refused_and_kept_aside(
    labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "trainer", stand_in(lambda data: spoilt(data, CLASS_LAYERS)))
    before, out = shipped(), tmp_path / "own"
    code, text, _ = run(capsys, "train", "--from", labels, "--out", out, *SEEN)
    assert code == 1
    assert "not promoted:" in text
    assert "below the old model's" in text
    assert not (out / "detector.onnx").exists()
    card = json.loads((out / "refused" / "detector.json").read_text(encoding="utf-8"))
    assert card["refused"]
    assert card["held_back"]["new"] < card["held_back"]["old"]
    assert (out / "refused" / "report.txt").read_text(encoding="utf-8") == text
    assert len(Detector(out / "refused" / "detector.onnx").names) == 14
    assert shipped() == before


def test_an_earlier_promoted_model_stays_where_a_later_one_is_refused(
    labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "own"
    monkeypatch.setattr(command, "trainer", stand_in(lambda data: data))
    assert run(capsys, "train", "--from", labels, "--out", out, *SEEN)[0] == 0
    promoted = (out / "detector.onnx").read_bytes()
    monkeypatch.setattr(command, "trainer", stand_in(lambda data: spoilt(data, CLASS_LAYERS)))
    assert run(capsys, "train", "--from", labels, "--out", out, *SEEN)[0] == 1
    assert (out / "detector.onnx").read_bytes() == promoted
    assert (out / "refused" / "detector.onnx").is_file()


def test_a_model_that_does_not_load_is_named(
    labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "trainer", stand_in(lambda data: data.replace(b'"shoe"', b'"boot"')))
    code, _, err = run(capsys, "train", "--from", labels, "--out", tmp_path / "own", *SEEN)
    assert code == 2
    assert "missing: shoe; not known: boot" in err
    assert not (tmp_path / "own" / "detector.onnx").exists()


def test_a_real_training_of_a_moment(labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        training_python(None)
    except ExtraFault as fault:
        pytest.skip(str(fault))
    out = tmp_path / "own"
    code, text, _ = run(capsys, "train", "--from", labels.parent / "data.yaml", "--out", out, *SEEN, "--steps", 2)
    folder = out if code == 0 else out / "refused"
    assert code in (0, 1)
    assert ("not promoted" in text) == (code == 1)
    card = json.loads((folder / "detector.json").read_text(encoding="utf-8"))
    assert card["sha256"] == hashlib.sha256((folder / "detector.onnx").read_bytes()).hexdigest()
    assert card["training"][0]["steps"] == 2
    assert (
        card["started_from"]["sha256"] == hashlib.sha256((MODELS / "weights" / "detector.pt").read_bytes()).hexdigest()
    )
    assert card["held_back"]["old"] > 0.5
    assert card["held_back"]["new"] > 0.5  # two steps at the beginning of the warm-up change next to nothing


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--mm-per-px", "2"], "--out is missing"),
        (["--out", "own"], "exactly one of them is needed"),
        (["--out", "own", "--mm-per-px", "2", "--table", "t.toml"], "exactly one of them is needed"),
        (["--out", str(MODELS), "--mm-per-px", "2"], "the old models would be overwritten"),
        (["--out", "own", "--mm-per-px", "2", "--map", "a=b"], "maps no class"),
        (["--out", "own", "--mm-per-px", "2", "--start", "gone.pt"], "no weights to begin with"),
    ],
)
def test_what_is_missing_is_told_before_any_work(
    labels: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.setattr(command, "trainer", stand_in(lambda data: data))
    code, _, err = run(capsys, "train", "--from", labels, *arguments)
    assert code == 2
    assert said in err


def test_unknown_names_and_wrong_labels_have_their_own_exit_codes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, labels: Path
) -> None:
    monkeypatch.setattr(command, "trainer", stand_in(lambda data: data))
    strange = tmp_path / "strange.xml"
    text = labels.read_text(encoding="utf-8")
    name = re.findall(r'<(?:box|polygon) label="(\w+)"', text)[0]
    strange.write_text(text.replace(f'label="{name}"', 'label="Theirs"'), encoding="utf-8")
    order = ("--images", labels.parent / "images", "--out", tmp_path / "own", *SEEN)
    code, _, err = run(capsys, "train", "--from", strange, *order)
    assert code == 2
    assert "unknown class names: 'Theirs'" in err
    assert run(capsys, "train", "--from", strange, *order, "--map", f"Theirs={name}")[0] == 0
    strange.write_text(strange.read_text(encoding="utf-8").replace('width="512"', 'width="500"', 1), encoding="utf-8")
    code, _, err = run(capsys, "train", "--from", strange, *order, "--map", f"Theirs={name}")
    assert code == 3
    assert "found 500 x 288 pixels, expected 512 x 288" in err


def test_corrected_labels_are_not_overwritten_by_new_suggestions(
    shots: Path, labels: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(capsys, "train", "--suggest", shots, "--out", labels.parent, "--mm-per-px", 2)
    assert code == 2
    assert "somebody may have corrected them" in err


def test_of_a_film_a_frame_is_taken_now_and_then(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film, out = write_video(tmp_path / "night7.mp4", 3.0), tmp_path / "labels"
    order = ("--suggest", film, "--out", out, "--table", write_table(tmp_path), "--every", 1.2)
    assert run(capsys, "train", *order)[0] == 0
    pictures = read_labels(out / "annotations.xml").pictures
    assert [picture.name for picture in pictures] == [f"night7_00000{at}ms.png" for at in ("0000", "1200", "2400")]
    assert {recording_of(picture) for picture in pictures} == {"suggestions/night7"}
    film.write_bytes(b"no film")
    code, _, err = run(capsys, "train", *order[:3], tmp_path / "other", *order[4:])
    assert code == 3
    assert "not a video" in err


def test_a_folder_without_pictures_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "train", "--suggest", tmp_path, "--out", tmp_path / "o", "--mm-per-px", 2)
    assert code == 2
    assert "there are no pictures" in err


def test_suggestions_are_not_written_among_the_pictures(shots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "train", "--suggest", shots, "--out", shots, "--mm-per-px", "2")
    assert code == 2
    assert "--out is the folder of the pictures" in err


@pytest.mark.parametrize("scale", ["1e9", "0.0001", "nan"])
def test_a_scale_that_no_camera_has_is_refused(shots: Path, capsys: pytest.CaptureFixture[str], scale: str) -> None:
    with pytest.raises(SystemExit):
        run(capsys, "train", "--suggest", shots, "--out", shots / "x", "--mm-per-px", scale)
    assert repr(scale) in capsys.readouterr().err
