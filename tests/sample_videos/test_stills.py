"""Still lifes: the truth is where the projection puts it, what is nothing has no label, the same seed is the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from sample_videos.studio import art
from sample_videos.studio.camera import project
from sample_videos.studio.cards_gl import card_corners, card_matrix
from sample_videos.studio.meshes import box
from sample_videos.studio.scene import CameraSpec, CardPose, DeckLook, SceneSpec, StackPose
from sample_videos.studio.stills import dice, gear, people, shufflers
from sample_videos.studio.stills.compose import THEMES, compose
from sample_videos.studio.stills.felts import FeltStyle
from sample_videos.studio.stills.finish import finished, h264
from sample_videos.studio.stills.labels import Label, labels_of
from sample_videos.studio.stills.painter import Painter
from sample_videos.studio.stills.places import Places, rectangle
from sample_videos.studio.stills.sheets import KINDS, draw_sheet, size_of
from sample_videos.studio.stills.spreads import SPREADS, Dealer
from sample_videos.studio.stills.still import Finish, Random, Sheet, Still, Thing
from sample_videos.studio.stills.table import SPLIT_SALT, Table, draw_table
from tests.sample_videos.studio_scene import camera, scene

PLAIN = FeltStyle(1, "plain", (0.9, 0.1, 0.1), 1)
CARD_CLASSES = {"card_face", "card_back", "stack", "cover_card"}


@pytest.fixture(scope="module")
def painter() -> Painter:
    return Painter(_spec(), PLAIN)


def _spec(view: CameraSpec | None = None) -> SceneSpec:
    look = DeckLook("casino-jumbo", "lattice", (0.1, 0.2, 0.6))
    return replace(scene(view=view or camera(size=(800, 450), mm_per_px=1.5)), decks=(look, look, look))


def _still(**things: object) -> Still:
    return Still(_spec(), Finish(), **things)  # type: ignore[arg-type]


def _labels(painter: Painter, still: Still) -> list[Label]:
    return labels_of(still, painter.paint(still))


def _drawn_table(seed: int) -> Table:
    """A table that needs no deck from elsewhere."""
    table = draw_table(seed, "train")
    return replace(table, spec=replace(table.spec, decks=_spec().decks))


def test_a_cards_outline_is_its_projection_and_covers_what_is_drawn(painter: Painter) -> None:
    card = CardPose(1, "7", "H", False, (40.0, 420.0, 0.3), 0.6)
    still = _still(cards=(card,))
    painted = painter.paint(still)
    (label,) = labels_of(still, painted)
    quad = project(still.spec.camera, card_corners(card_matrix(card)))
    assert label.cls == "card_back"
    assert {tuple(p) for p in np.round(label.outline, 6)} == {tuple(p) for p in np.round(quad, 6)}
    drawn = (painted.ids == 1).astype(np.uint8)
    filled = cv2.fillConvexPoly(np.zeros_like(drawn), np.round((quad + 0.5) / 2 - 0.5).astype(np.int32), 1)
    assert np.count_nonzero(drawn & filled) > 0.9 * np.count_nonzero(drawn | filled)
    assert label.hidden < 0.1


def test_the_hidden_share_is_what_the_upper_cards_cover(painter: Painter) -> None:
    low = CardPose(1, "7", "H", False, (0.0, 400.0, 0.2), 0.0)
    over = CardPose(2, "8", "S", False, (63.5 * 0.3, 400.0, 0.6), 0.0)
    hidden = [label.hidden for label in _labels(painter, _still(cards=(low, over)))]
    assert hidden == [pytest.approx(0.7, abs=0.06), pytest.approx(0.0, abs=0.05)]


def test_a_stack_that_shows_only_its_top_is_the_card_that_it_shows(painter: Painter) -> None:
    at = (0.0, 400.0, 0.0)
    low, high = (_labels(painter, _still(stacks=(StackPose(at, n, 0.3, False, seed=4),))) for n in (10, 400))
    fanned = StackPose(at, 60, 0.3, False, seed=4, lace=((0.2, 0.7, 30.0),))
    assert [label.cls for label in low] == ["card_back"]
    assert [label.cls for label in high] == ["stack"]
    assert [label.cls for label in _labels(painter, _still(stacks=(fanned,)))] == ["stack"]
    assert low[0].outline.shape == (4, 2)
    assert low[0].hidden < 0.1


def test_parts_of_a_thing_hide_nothing_of_it(painter: Painter) -> None:
    top = Thing("shaker_lid", box((60, 60, 40), (0.5, 0.1, 0.1), 0.1, 12.0))
    whole = Thing("shaker", box((80, 80, 12), (0.1, 0.1, 0.1)), (top,)).moved((0.0, 400.0, 0.0), 0.4)
    stranger = Thing(None, box((200, 200, 1), (0.3, 0.3, 0.3), 0.1, 70.0)).moved((0.0, 400.0, 0.0))
    shown = {label.cls: label.hidden for label in _labels(painter, _still(things=(whole,)))}
    assert shown == {"shaker": pytest.approx(0.0, abs=0.08), "shaker_lid": pytest.approx(0.0, abs=0.08)}
    covered = {label.cls: label.hidden for label in _labels(painter, _still(things=(whole, stranger)))}
    assert covered["shaker_lid"] > 0.95


def test_what_is_nothing_has_no_label(painter: Painter) -> None:
    sheets = tuple(
        Sheet(kind, 3, size_of(np.random.default_rng(1), kind), (-300.0 + 60.0 * i, 420.0, 0.3), 0.2)
        for i, kind in enumerate(KINDS)
    )
    bare, covered = _still(), _still(sheets=sheets, things=(Thing(None, box((70, 150, 8), (0, 0, 0))),))
    assert _labels(painter, covered) == []
    assert np.abs(painter.paint(covered).picture.astype(int) - painter.paint(bare).picture).max() > 60


def test_a_negative_scene_has_no_card() -> None:
    table = _drawn_table(3)
    for number in range(12):
        still = compose(table, number, "negative")
        assert [*still.cards, *still.covers, *still.stacks, *still.waiting] == []
        assert {thing.cls for thing in still.things} <= {None, "hand", "person", "chips"}


def test_every_class_comes_up_and_every_theme_is_laid() -> None:
    found: set[str | None] = set()
    for seed in range(6):
        table = _drawn_table(seed)
        for number, theme in enumerate(THEMES):
            still = compose(table, number, theme)
            found |= {thing.cls for thing in still.things} | {p.cls for t in still.things for p in t.parts}
            assert still.cards or theme != "heap"
    assert found >= {"shoe", "shuffler", "discard", "shaker", "shaker_lid", "die", "chips", "hand", "person", None}


def test_dealt_cards_are_held_above_the_felt_and_lie_in_tubs() -> None:
    held, classes = 0, set()
    for seed in range(8):
        still = compose(_drawn_table(seed), 0, "deal")
        held += sum(card.centre[2] > 5 for card in still.cards)
        classes |= {thing.cls for thing in still.things}
    assert held > 8
    assert classes >= {"shoe", "discard", "hand"}


@pytest.mark.parametrize("seed", range(6))
def test_a_tub_is_as_large_as_it_says_and_open(seed: int) -> None:
    piece = gear.tub(np.random.default_rng(seed))
    vertices = piece.thing.mesh.vertices[:, :3]
    assert np.isfinite(vertices).all()
    assert np.ptp(vertices[:, :2], axis=0) == pytest.approx(piece.size, rel=0.03)
    middle = vertices[np.hypot(vertices[:, 0], vertices[:, 1]) < 20]
    assert middle[:, 2].max() < 4


def test_the_same_seed_is_the_same_picture() -> None:
    pictures = []
    for seed in (5, 5):
        table = _drawn_table(seed)
        still = compose(table, 0, "gear")
        painted = Painter(still.spec, table.style).paint(still)
        pictures.append((finished(painted.picture, still.spec.sensor, still.finish), len(labels_of(still, painted))))
    assert np.array_equal(pictures[0][0], pictures[1][0])
    assert pictures[0][1] == pictures[1][1]
    assert pictures[0][0].std() > 5


def test_the_splits_share_no_deck_no_back_and_no_seed() -> None:
    sides = {split: [draw_table(seed, split).spec.decks for seed in range(12)] for split in ("train", "eval")}
    for part in ("faces", "back"):
        train, held_out = ({getattr(d, part) for decks in sides[s] for d in decks} for s in ("train", "eval"))
        assert not train & held_out
    assert {art.DESIGNS[d.faces].split for decks in sides["eval"] for d in decks} == {"eval"}
    assert len(set(SPLIT_SALT.values())) == 2


@pytest.mark.parametrize("kind", sorted(SPREADS))
def test_cards_of_a_spread_lie_on_each_other(kind: str) -> None:
    rng = np.random.default_rng(8)
    places = Places(rng, (-900.0, -100.0, 900.0, 1100.0), (-700.0, 100.0, 700.0, 900.0))
    cards = list(SPREADS[kind](rng, places, Dealer(rng, 3, 1)))
    assert cards
    assert all(0.1 < card.centre[2] < 130.0 for card in cards)
    if kind == "heap":
        assert 40 <= len(cards) <= 400
        assert np.mean([card.face_up for card in cards]) < 0.25


def test_nothing_is_laid_into_what_stands() -> None:
    rng = np.random.default_rng(2)
    places = Places(rng, (0.0, 0.0, 400.0, 400.0), (0.0, 0.0, 400.0, 400.0))
    places.raise_to(rectangle((200.0, 200.0), (380.0, 380.0), 0.0), 80.0)
    assert places.lay_card((200.0, 200.0), 0.3) is None
    assert places.find((100.0, 100.0)) is None
    assert places.top_mm(rectangle((200.0, 200.0), (50.0, 50.0), 1.0)) == 80.0


def test_a_die_has_each_value_once_and_opposite_faces_make_seven() -> None:
    rng = np.random.default_rng(4)
    for _ in range(8):
        mesh = dice.die(rng, 20.0, dice.COLOURS[1]).mesh
        points, size = mesh.vertices[:, :3], 20.0
        pips = {}
        for axis in range(3):
            for side, at in ((0, 0.0), (1, size)):
                level = at if axis == 2 else at - size / 2
                out = 0.15 if side else -0.15
                on = np.abs(points[:, axis] - (level + out)) < 0.02
                # A pip's cap has ten corners and a middle; the wall's upper ring has ten more.
                pips[axis, side] = round(np.count_nonzero(on) / 21)
        assert sorted(pips.values()) == [1, 2, 3, 4, 5, 6]
        assert all(pips[axis, 0] + pips[axis, 1] == 7 for axis in range(3))


@pytest.mark.parametrize("make", [gear.shoe, gear.bucket, gear.rack, gear.tray, *shufflers.MAKES])
def test_gear_stands_on_the_table_within_its_size(make: Callable[[Random], gear.Piece]) -> None:
    for seed in range(4):
        piece = make(np.random.default_rng(seed))
        points = piece.thing.mesh.vertices[:, :3]
        assert points[:, 2].min() > -60.0
        assert 2.0 < points[:, 2].max() < 420.0
        assert np.abs(points[:, 0]).max() <= piece.size[0] / 2 + 40.0


def test_a_hand_wears_its_ring_on_a_finger() -> None:
    rng = np.random.default_rng(11)
    for _ in range(6):
        pose = people.hand_of(rng, (0.0, 300.0, 10.0), 0.2, "left", dealer=True)
        arms = people.look(rng)
        hand = people.arm_things(rng, pose, arms)[0]
        assert hand.cls == "hand"
        for ring in hand.parts:
            near = hand.mesh.vertices[:, :3] - ring.mesh.vertices[:, :3].mean(0)
            assert np.linalg.norm(near, axis=1).min() < 14.0


def test_the_recorder_keeps_the_picture_but_not_its_detail() -> None:
    rng = np.random.default_rng(0)
    picture = rng.integers(60, 200, (91, 121, 3)).astype(np.uint8)
    coarse, fine = h264(picture, 40), h264(picture, 18)
    assert coarse.shape == fine.shape == picture.shape
    assert np.abs(coarse.astype(float).mean() - picture.mean()) < 6
    assert np.abs(fine.astype(int) - picture).mean() < np.abs(coarse.astype(int) - picture).mean()


def test_a_glare_brightens_and_a_smear_blurs() -> None:
    picture = np.zeros((160, 240, 3), np.uint8)
    picture[60:100, 100:104] = 255
    sensor = replace(scene().sensor, noise_sigma=0.0, vignetting=0.0)
    plain = Finish(noise_sigma=0.0, quality=95)
    lit = finished(picture, sensor, replace(plain, glare=((0.2, 0.2, 0.1, 150.0),)))
    assert lit[32, 48].mean() > 120
    smeared = finished(picture, sensor, replace(plain, smear_px=15.0))
    assert smeared[80, 95].mean() > 20 > finished(picture, sensor, plain)[80, 95].mean()


def test_a_sheet_is_the_same_for_the_same_seed() -> None:
    for kind in KINDS:
        assert np.array_equal(draw_sheet(kind, 4), draw_sheet.__wrapped__(kind, 4))
