"""Scenario files: what they may say, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from faults import InputFault
from sample_videos.studio.art import back_names, face_names
from sample_videos.studio.camera import project
from sample_videos.studio.choreography.plan import VARIANTS
from sample_videos.studio.scenario import KINDS, SPLITS, ScenarioFault, load_scenario, scenario_from_seed

SCENARIOS = Path(__file__).parents[2] / "sample_videos" / "scenarios"


def written(folder: Path, text: str) -> Path:
    path = folder / "scenario.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_is_written_is_what_happens(tmp_path: Path) -> None:
    text = """
    seed = 3
    variant = "short"
    rank = "K"
    suit = "S"
    additional = 6
    shoe_side = "right"
    [style]
    two_hands = false
    [sensor]
    fps = 20
    [camera]
    width_px = 1600
    """
    scenario = load_scenario(written(tmp_path, text))
    assert (scenario.plan.rank, scenario.plan.suit, scenario.plan.additional) == ("K", "S", 6)
    assert scenario.spec.shoe_side == "right"
    assert not scenario.plan.style.two_hands
    assert (scenario.spec.sensor.fps, scenario.spec.camera.width_px) == (20, 1600)


def test_a_rank_alone_brings_its_own_count(tmp_path: Path) -> None:
    scenario = load_scenario(written(tmp_path, 'seed = 3\nvariant = "right"\nrank = "4"\n'))
    assert scenario.plan.additional == 4


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("seed = 1\nvariont = 'right'\n", "did you mean 'variant'"),
        ("seed = 1\n[sensor]\nfsp = 30\n", "sensor.unknown key 'fsp', did you mean 'fps'"),
        ("variant = 'right'\n", "seed is missing"),
        ("seed = 1\nvariant = 'wrong'\n", "is not one of"),
        ("seed = 1\nshoe_side = 'behind'\n", "is not one of"),
        ("seed = 1\ndistractors = ['earthquake']\n", "'earthquake' is unknown"),
        ("seed = 1\nvariant = 'right'\nrank = '7'\nadditional = 6\n", "are not 'right'"),
        ("seed = 1\nvariant = 'right'\nrank = '7'\nmissed = [2]\n", "does not go with 'right'"),
        ("seed = 1\nvariant = 'faceup'\nrank = '4'\nface_up = [4]\n", "0 to 3"),
        ("seed = 1\nvariant = 'right'\nrank = '11'\n", "'11'"),
        ("seed = \n", "not TOML"),
    ],
)
def test_a_faulty_file_is_refused_with_what_to_mend(tmp_path: Path, text: str, says: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ScenarioFault) as caught:
        load_scenario(path)
    assert says in str(caught.value)
    assert caught.value.where == str(path)
    assert caught.value.exit_code == 2


def test_a_missing_file_is_an_input_fault(tmp_path: Path) -> None:
    with pytest.raises(InputFault):
        load_scenario(tmp_path / "none.toml")


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_named_scenarios_are_short_and_show_their_decks(path: Path) -> None:
    scenario = load_scenario(path)
    assert scenario.name == path.stem
    assert 6e6 < scenario.end_us < (80e6 if scenario.kind == "shoe_change" else 30e6)
    assert scenario.split == "eval"


def test_there_is_a_named_scenario_for_every_case() -> None:
    named = [load_scenario(path) for path in SCENARIOS.glob("*.toml")]
    assert {scenario.kind for scenario in named} == set(KINDS)
    variants = {scenario.variant for scenario in named if scenario.kind == "burn"}
    assert variants == set(VARIANTS) - {"corrected_late", "hidden_hand", "lost_video"}


@pytest.mark.parametrize("split", SPLITS)
def test_a_split_uses_its_own_designs_only(split: str) -> None:
    other = "eval" if split == "train" else "train"
    assert split in SPLITS
    for seed in range(40):
        for deck in scenario_from_seed(seed, split).spec.decks:
            assert deck.faces not in face_names(other)  # type: ignore[arg-type]
            assert deck.back not in back_names(other)  # type: ignore[arg-type]


def test_the_splits_share_no_scene() -> None:
    for seed in range(10):
        train, held_out = scenario_from_seed(seed, "train"), scenario_from_seed(seed, "eval")
        assert train.spec.equipment != held_out.spec.equipment


@pytest.mark.parametrize("mm_per_px", [0.5, 0.9, 1.3])
def test_shoe_and_bucket_are_in_the_picture_at_the_scale_asked_for(mm_per_px: float) -> None:
    for seed in range(40):
        spec = scenario_from_seed(seed, "eval", mm_per_px).spec
        e, camera = spec.equipment, spec.camera
        half_x, half_y = e.shoe_size_mm[0] / 2, e.shoe_size_mm[1] / 2
        corners = [
            (e.shoe_centre[0] + sx * half_x, e.shoe_centre[1] + sy * half_y, 0.0) for sx in (-1, 1) for sy in (-1, 1)
        ]
        half_x, half_y = e.bucket_size_mm[0] / 2, e.bucket_size_mm[1] / 2
        corners += [
            (e.bucket_centre[0] + sx * half_x, e.bucket_centre[1] + sy * half_y, 0.0)
            for sx in (-1, 1)
            for sy in (-1, 1)
        ]
        px = project(camera, corners)
        assert (px > -2).all(), seed
        assert (px < [camera.width_px + 2, camera.height_px + 2]).all(), seed
        x, y, _ = camera.look_at_mm
        step = project(camera, [(x - 5, y, 0), (x + 5, y, 0), (x, y - 5, 0), (x, y + 5, 0)])
        finest = 10 / max(np.linalg.norm(step[1] - step[0]), np.linalg.norm(step[3] - step[2]))
        assert finest == pytest.approx(mm_per_px, rel=0.05)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("mm_per_px = 0", "mm_per_px = 0 is not from 0.1 to 10"),
        ("mm_per_px = 1e30", "mm_per_px"),
        ("seed = inf", "seed"),
        ("seed = 1.5", "seed"),
        ("name = 7", "name = 7 is no text"),
        ("split = ''", "split"),
        ("sensor = 3", "sensor is no table"),
        ("sensor = { fps = -1 }", "sensor.fps"),
        ("sensor = { fps = 'x' }", "sensor.fps"),
        ("style = { pause_s = 1e9 }", "style.pause_s"),
        ("style = { show_s = nan }", "style.show_s"),
        ("distractors = 'x'", "distractors"),
        ("camera = { width_px = 1000000 }", "camera.width_px"),
    ],
)
def test_values_that_no_scene_can_have_are_refused(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(line + ("\nseed = 1\n" if "seed" not in line else "\n"))
    with pytest.raises(ScenarioFault, match=said):
        load_scenario(path)
