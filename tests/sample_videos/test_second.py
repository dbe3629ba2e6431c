"""The second renderer without its browser: geometry, choreography, the command line, and the committed sample."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from calibration.tablefile import Table, load_table
from calibration.toml_text import document_text
from faults import Fault, InputFault
from rules.event import Event
from sample_videos.second.__main__ import chosen, main
from sample_videos.second.browser import Browser, BrowserFault, file_at
from sample_videos.second.camera import Camera
from sample_videos.second.decks import bake
from sample_videos.second.develop import Film, develop
from sample_videos.second.film import TAKES, Take, build
from sample_videos.second.filmtruth import events, findings
from sample_videos.second.motion import Track, eased, hand_pose
from sample_videos.second.scene import table_keys
from sample_videos.second.still import still
from sample_videos.second.things import corners_mm, face_up
from sample_videos.second.truth import clockwise, objects
from vision.detections import CLASSES

SAMPLE = Path("sample_videos/second/sample")


def written(table: dict[str, Any], path: Path) -> Table:
    path.write_text(document_text(table), encoding="utf-8")
    return load_table(path)


@pytest.mark.parametrize("seed", range(5))
def test_the_table_file_maps_what_the_camera_sees_back_onto_the_felt(seed: int, tmp_path: Path) -> None:
    scene = still(np.random.default_rng(seed))
    table = written(table_keys("t", scene.camera, scene.layout), tmp_path / "t.toml")
    felt = np.array([[-200.0, 100.0, 0], [150.0, 240.0, 0], [0.0, 330.0, 0]])
    back = table.calibration.to_table(scene.camera.see(felt))
    np.testing.assert_allclose(back, felt[:, :2], atol=0.02)


@pytest.mark.parametrize("seed", range(5))
def test_things_have_known_classes_and_their_own_numbers(seed: int) -> None:
    things = still(np.random.default_rng(seed)).things
    assert {thing.cls for thing in things} - {None} <= set(CLASSES)
    assert [thing.id for thing in things] == list(range(1, len(things) + 1))


def test_one_seed_is_one_scene() -> None:
    first, second = (still(np.random.default_rng(7)).for_page() for _ in range(2))
    assert json.dumps(first) == json.dumps(second)


def test_a_tall_thing_leans_away_from_the_camera() -> None:
    camera = Camera.over(
        np.zeros(2), size_px=(640, 480), mm_per_px=1.0, height_mm=2000, tilt_deg=0, azimuth_deg=0, roll_deg=0
    )
    foot, top = camera.see(np.array([[100.0, 0, 0], [100.0, 0, 100.0]]))
    assert top[0] - foot[0] == pytest.approx(100 * 2000 / 1900 - 100)
    assert foot[1] == pytest.approx(239.5)


def test_a_bent_picture_shows_each_point_where_the_lens_puts_it() -> None:
    camera = Camera.over(
        np.zeros(2),
        size_px=(320, 240),
        mm_per_px=2.0,
        height_mm=1000,
        tilt_deg=0,
        azimuth_deg=0,
        roll_deg=0,
        bend=-0.25,
    )
    width, height = camera.drawn_px
    drawn = np.zeros((height, width, 3), np.uint8)
    point = np.array([180.0, 120.0, 0.0])
    x, y = np.round(camera.plain(point) + camera.border_px).astype(int)
    drawn[y - 1 : y + 2, x - 1 : x + 2] = 255
    bright = np.argwhere(camera.bent(drawn)[..., 0] > 128).mean(axis=0)[::-1]
    np.testing.assert_allclose(bright, camera.see(point), atol=0.8)


def test_labels_of_a_card_are_its_corners_and_its_face() -> None:
    scene = still(np.random.default_rng(3))
    card = next(t for t in scene.things if t.label == "card_face" and t.cls == "card_face")
    outline = (scene.camera.plain(corners_mm(card)) + scene.camera.border_px).tolist()
    (entry,) = objects([card], [{"id": card.id, "outline": outline, "seen": 30, "alone": 40}], scene.camera)
    assert entry["cls"] == "card_face"
    assert entry["occluded"] == 0.25
    assert (entry["rank"], entry["suit"]) == (card.spec["rank"], card.spec["suit"])
    np.testing.assert_allclose(sorted(entry["quad"]), sorted(scene.camera.see(corners_mm(card)).tolist()), atol=0.01)


def test_quads_run_clockwise_in_the_picture() -> None:
    assert clockwise(np.array([[0.0, 0], [0, 1], [1, 1], [1, 0]])).tolist() == [[1, 0], [1, 1], [0, 1], [0, 0]]


def test_a_turned_card_is_labelled_by_the_side_that_shows() -> None:
    assert face_up({"flip": 0.0})
    assert not face_up({"flip": 180.0, "turn": 30.0})


def test_the_camera_darkens_and_tints() -> None:
    grey = np.full((8, 8, 3), 100, np.uint8)
    out = develop(grey, Film(gain=0.5, cast=(1.2, 1.0, 1.0)), np.random.default_rng(0))
    assert out[4, 4].tolist() == [60, 50, 50]


# -- motion and choreography ------------------------------------------------------------------------------------------


def test_a_move_begins_and_ends_at_rest() -> None:
    track = Track({"at": [0.0, 0, 0]})
    track.go(1.0, 2.0, at=[10.0, 0, 0], lift_mm=5.0)
    assert track.at(0.5)["at"] == [0, 0, 0]
    assert track.at(1.5)["at"] == [5.0, 0, 5.0]
    assert track.at(3.0)["at"] == [10.0, 0, 0]
    assert eased(0.01) < 0.0001


def test_a_thing_cannot_make_two_moves_at_once() -> None:
    track = Track({"at": [0.0, 0, 0]})
    track.go(1.0, 2.0, at=[1.0, 0, 0])
    with pytest.raises(ValueError, match="ends at 2"):
        track.go(1.9, 2.5, at=[0.0, 0, 0])


def test_a_hand_has_its_fingertips_where_it_is_told() -> None:
    values = {"tips": [10.0, 200.0, 5.0], "yaw": 90.0, "pitch": 0.0, "roll": 0.0, "curl": [0.0] * 5, "spread": 0.0}
    pose = hand_pose(values, (0.0, -300.0, 300.0), (0.0, 0.0, 0.0))
    assert pose["wrist"] == pytest.approx([10.0, 200.0 - 183.0, 12.0])


@pytest.mark.parametrize("take", TAKES, ids=lambda take: take.name)
def test_a_film_burns_as_many_cards_as_was_planned(take: Take) -> None:
    made = build(take)
    told = events(made.burn, "t")
    kinds = Counter(event["kind"] for event in told)
    assert kinds == {
        "card.draw": 5 + take.plan.burned,
        "card.place": 5,
        "card.burn": 1 + take.plan.burned,
        "round.start": 1,
    }
    drawn = [event["t_us"] for event in told if event["kind"] == "card.draw"][1 : 1 + take.plan.burned]
    assert all(600_000 <= later - before <= 1_600_000 for before, later in pairwise(drawn))
    assert 10 <= made.seconds <= 20
    for event in told:
        Event(event["id"], "t", event["kind"], event["t_us"], event["end_us"], event["facts"])


@pytest.mark.parametrize("take", TAKES, ids=lambda take: take.name)
def test_only_a_wrong_count_is_a_violation(take: Take) -> None:
    made = build(take)
    rows = findings(made.burn, events(made.burn, "t"), "t")
    breached = [row["clause"] for row in rows if row["act"] == "breached"]
    assert breached == ([] if take.name.endswith("_right") else ["PA-629a.5(f)-count"])


# -- the command line -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", ["0", "-3", "many", "1000000"])
def test_a_wrong_count_is_a_usage_error(count: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["frames", "--count", count, "--out", "x"])
    assert exit_.value.code == 2
    assert "whole number from 1" in capsys.readouterr().err


def test_an_unknown_film_is_named_with_those_there_are() -> None:
    with pytest.raises(Fault, match=r"no film 'nine'.*seven_right"):
        chosen(["nine"])


def test_missing_decks_say_which_package_has_them(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match="kdegames-card-data-kf5"):
        bake(tmp_path, tmp_path / "cards")


def test_without_chromium_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        return None

    monkeypatch.setattr(shutil, "which", missing)
    with pytest.raises(BrowserFault, match="Debian package chromium"):
        Browser({})


def test_a_browser_that_ended_is_one_clear_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "node_modules" / "three").mkdir(parents=True)
    monkeypatch.setattr("sample_videos.second.browser.PAGE", tmp_path)

    def which(name: str) -> str:
        return "/bin/true"

    monkeypatch.setattr(shutil, "which", which)
    with Browser({}) as browser, pytest.raises(BrowserFault, match=r"at 'scene'.*Chromium has ended"):
        browser.ask({"do": "scene"})


def test_the_page_reads_nothing_outside_its_folders(tmp_path: Path) -> None:
    inside = tmp_path / "page"
    inside.mkdir()
    (inside / "main.js").write_text("1")
    (tmp_path / "secret").write_text("2")
    assert file_at("main.js", {"": inside}) == inside / "main.js"
    assert file_at("../secret", {"": inside}) is None


# -- the committed sample ---------------------------------------------------------------------------------------------


def sample_rows() -> list[dict[str, Any]]:
    text = (SAMPLE / "frames" / "boxes.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_the_sample_has_a_picture_and_a_table_for_each_line() -> None:
    rows = sample_rows()
    assert len(rows) == 12
    for row in rows:
        camera = load_table(SAMPLE / "frames" / row["table"]).camera
        image = cv2.imread(str(SAMPLE / "frames" / row["image"]))
        assert image is not None
        assert image.shape == (camera.height_px, camera.width_px, 3)


def test_the_sample_is_labelled_in_the_contract_s_form() -> None:
    for thing in (thing for row in sample_rows() for thing in row["objects"]):
        assert thing["cls"] in CLASSES
        assert 0 <= thing["occluded"] <= 1
        assert ("rank" in thing) == (thing["cls"] == "card_face")
        assert ("pips" in thing) == (thing["cls"] == "die")
        quad = np.array(thing["quad"])
        assert clockwise(quad).tolist() == quad.tolist()


@pytest.mark.parametrize("row", sample_rows(), ids=lambda row: row["image"])
def test_cards_of_the_sample_have_a_card_s_size_on_the_felt(row: dict[str, Any]) -> None:
    calibration = load_table(SAMPLE / "frames" / row["table"]).calibration
    ratios = []
    for thing in row["objects"]:
        if thing["cls"] in ("card_face", "card_back"):
            sides = np.diff(calibration.to_table(thing["quad"])[[0, 1, 2]], axis=0)
            lengths = sorted(np.linalg.norm(sides, axis=1))
            # a card above the felt looks larger by its share of the camera's height, and no card lies lower than it
            assert 56.5 < lengths[0] < 63.5 * 1.2
            assert 88.5 < lengths[1] < 88.9 * 1.2
            ratios.append(lengths[1])
    assert not ratios or min(ratios) < 88.9 * 1.03


@pytest.mark.parametrize("row", sample_rows(), ids=lambda row: row["image"])
def test_a_frame_of_the_sample_is_the_scene_of_its_seed(row: dict[str, Any]) -> None:
    """What is committed was made by this code: the same camera, and cards where the scene has them."""
    scene = still(np.random.default_rng([629, int(row["image"][:5])]))
    assert scene.deck == row["deck"]
    cards = [scene.camera.see(corners_mm(thing)) for thing in scene.things if thing.kind == "card"]
    for thing in row["objects"]:
        if thing["cls"] in ("card_face", "card_back", "cover_card"):
            nearest = min(float(np.abs(card.mean(axis=0) - np.mean(thing["quad"], axis=0)).max()) for card in cards)
            assert nearest < 0.02


FILM = SAMPLE / "films" / "ace_right"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FILM / "truth" / name).read_text(encoding="utf-8").splitlines()]


def test_the_sample_film_s_truth_is_that_of_its_plan() -> None:
    take = next(take for take in TAKES if take.name == "ace_right")
    made = build(take)
    told = events(made.burn, "second-ace_right")
    assert lines("events.jsonl") == told
    assert lines("findings.jsonl") == findings(made.burn, told, "second-ace_right")


def test_the_sample_film_fits_its_table_file_and_its_boxes() -> None:
    table = load_table(FILM / "table.toml")
    with av.open(str(FILM / "video.mp4")) as container:
        stream = container.streams.video[0]
        assert (stream.width, stream.height) == (table.camera.width_px, table.camera.height_px)
        times = [round(float(frame.time or 0) * 1e6) for frame in container.decode(stream)]
    rows = lines("boxes.jsonl")
    assert [row["t_us"] for row in rows] == times[::10]
    assert Counter(thing["cls"] for thing in rows[0]["objects"])["hand"] >= 2


def test_the_first_card_lies_face_up_where_its_event_says() -> None:
    calibration = load_table(FILM / "table.toml").calibration
    shown = next(event for event in lines("events.jsonl") if event["kind"] == "card.place")
    row = next(row for row in lines("boxes.jsonl") if row["t_us"] > shown["t_us"])
    (card,) = [thing for thing in row["objects"] if thing["cls"] == "card_face"]
    assert (card["rank"], card["suit"]) == ("A", "S")
    middle = calibration.to_table(card["quad"]).mean(axis=0)
    zone = np.array(load_table(FILM / "table.toml").layout.zones_mm["shuffle"])
    assert ((middle > zone.min(axis=0)) & (middle < zone.max(axis=0))).all()
