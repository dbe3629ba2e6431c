"""Preflight: what a view can decide, by millimetres per pixel, zones and signals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.tablefile import Table, load_table
from pitwatch import preflight
from pitwatch.precision import depths
from pitwatch.preflight import AT_LIMIT, ENOUGH, TOO_COARSE, coarsest_mm_per_px, legibility, preflight_lines
from rules.clause import Clause, Needs
from tests.pitwatch.fakes import TABLE, write_table

COUNT = Clause("PA-629a.5(f)-count", "", "", "shoe", Needs(("card.draw",), ("shoe", "discard")), judged=True)
BUCKET = Clause("PA-629a.5(f)-bucket", "", "", "shoe", Needs(("card.burn",), ("shoe", "discard")), judged=True)
LATER = Clause("PA-629a.5(c)-depth", "", "", "cut", Needs(("cut.insert",), ("shuffle",)))
SECOND = Clause("PA-629a.5(d)-seconddepth", "", "", "cut", Needs(zones=("shuffle",)), judged=True)
LACED = Clause("PA-629a.5(a)-feather", "", "", "shuffle", Needs(zones=("shuffle",)), judged=True)
GATED = Clause("PA-629a.5(e)-recut", "", "", "order", Needs(zones=("shoe",), signals=("floor.recut",)), judged=True)


def table_at(folder: Path, mm_per_px: float) -> Table:
    """The fake table, seen whole from straight above at this scale."""
    width, height = round(1280 / mm_per_px), round(960 / mm_per_px)
    rows = f"[[{mm_per_px}, 0.0, -640.0], [0.0, {-mm_per_px}, 800.0], [0.0, 0.0, 1.0]]"
    text = TABLE.replace("[[4.0, 0.0, -640.0], [0.0, -4.0, 800.0], [0.0, 0.0, 1.0]]", rows)
    return load_table(
        write_table(folder, text.replace("width_px = 320", f"width_px = {width}").replace("= 240", f"= {height}"))
    )


@pytest.fixture(autouse=True)
def clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"cut_min_cards": 10.0, "second_cover_min_cards": 14.0}
    monkeypatch.setattr(preflight, "clause_list", lambda pack: (COUNT, BUCKET, LATER, SECOND, LACED, GATED))
    monkeypatch.setattr(preflight, "pack_limit", lambda pack, number: limits[number])


def line_of(table: Table, clause: Clause) -> str:
    return next(line for line in preflight_lines(table) if line.startswith(clause.id))


@pytest.mark.parametrize("scale", [0.5, 1.3, 4.0])
def test_the_scale_of_a_zone_is_that_of_the_calibration(tmp_path: Path, scale: float) -> None:
    assert coarsest_mm_per_px(table_at(tmp_path, scale), "discard") == pytest.approx(scale)


def test_the_coarsest_corner_counts_where_the_camera_looks_along_the_table(tmp_path: Path) -> None:
    text = TABLE.replace("[0.0, 0.0, 1.0]]", "[0.0, 0.0008, 1.0]]")
    table = load_table(write_table(tmp_path, text))
    scales = table.calibration.scales_mm_per_px(table.layout.zones_mm["discard"])
    assert scales.max() > scales.min() * 1.01
    assert coarsest_mm_per_px(table, "discard") == pytest.approx(float(scales.max()))


@pytest.mark.parametrize(
    ("scale", "count", "bucket"),
    [
        (0.5, ENOUGH, ENOUGH),
        (0.79, ENOUGH, ENOUGH),
        (0.85, AT_LIMIT, ENOUGH),
        (1.3, TOO_COARSE, ENOUGH),
        (2.9, TOO_COARSE, ENOUGH),
        (4.0, TOO_COARSE, TOO_COARSE),
    ],
)
def test_a_rank_needs_a_finer_view_than_a_place(tmp_path: Path, scale: float, count: str, bucket: str) -> None:
    table = table_at(tmp_path, scale)
    found = [legibility(table, clause) for clause in (COUNT, BUCKET)]
    assert [legible.enough for legible in found if legible is not None] == [count, bucket]


def test_the_table_says_why_a_clause_cannot_be_decided(tmp_path: Path) -> None:
    coarse = table_at(tmp_path, 1.3)
    assert "not to be relied on: the rank of the first card is too small to be read surely" in line_of(coarse, COUNT)
    assert line_of(coarse, BUCKET).endswith("given")
    assert "for most cards" in line_of(table_at(tmp_path, 0.85), COUNT)
    assert "nothing sends the signal floor.recut" in line_of(coarse, GATED)
    assert "not judged by this version; the view: cannot be decided: no zone shuffle" in line_of(coarse, LATER)


def test_a_zone_outside_the_picture_is_named(tmp_path: Path) -> None:
    text = TABLE.replace("[[300, 100], [420, 100], [420, 250], [300, 250]]", "[[600, 1], [900, 1], [900, 2], [600, 2]]")
    assert "zone discard is not wholly in the picture" in line_of(load_table(write_table(tmp_path, text)), BUCKET)


def test_a_rank_is_looked_for_between_shoe_and_bucket_even_if_the_clause_names_no_zone(tmp_path: Path) -> None:
    value = Clause("PA-629a.5(f)-value", "", "", "shoe", Needs(("card.place",)), judged=True)
    legible = legibility(table_at(tmp_path, 1.3), value)
    assert legible is not None
    assert legible.enough == TOO_COARSE


def test_a_clause_without_a_known_zone_has_no_scale(tmp_path: Path) -> None:
    assert legibility(table_at(tmp_path, 0.5), LATER) is None


def test_no_line_holds_a_number_that_is_none(tmp_path: Path) -> None:
    text = "\n".join(preflight_lines(table_at(tmp_path, 0.5)))
    assert "its zone is not in the picture" in text
    assert "nan" not in text
    assert np.isfinite(coarsest_mm_per_px(table_at(tmp_path, 0.5), "shoe"))


def with_shuffle(folder: Path, mm_per_px: float) -> Table:
    table = table_at(folder, mm_per_px)
    zones = dict(table.layout.zones_mm) | {"shuffle": np.array([[-100, 100], [100, 100], [100, 300], [-100, 300]])}
    return replace(table, layout=replace(table.layout, zones_mm=zones))


@pytest.mark.parametrize(
    ("mm_per_px", "sigma", "from_cards", "to_cards"),
    [
        (4.38, 10.2, 27, None),
        (1.46, 3.5, 16, 3),
        (1.08, 2.6, 14, 5),
        (0.73, 1.8, 13, 6),
        (0.42, 1.2, 12, 7),
        (0.21, 0.85, 11, 8),
    ],
)
def test_depths_that_a_view_decides_are_those_of_the_table_of_methods(
    mm_per_px: float, sigma: float, from_cards: int, to_cards: int | None
) -> None:
    found = depths(mm_per_px, 10)
    assert found.sigma_cards == pytest.approx(sigma, abs=0.06)
    assert (found.from_cards, found.to_cards) == (from_cards, to_cards)


def test_the_errors_stand_with_what_they_decide_also_for_what_is_not_judged_yet(tmp_path: Path) -> None:
    table = with_shuffle(tmp_path, 0.73)
    assert "the view: of 10 asked: compliant from 13 cards, violation up to 6, 7 to 12 indeterminate" in line_of(
        table, LATER
    )
    assert "every number on a ribbon" in line_of(table, SECOND)
    text = "\n".join(preflight_lines(table))
    assert "depth of the cut: sigma 1.8 cards (0.42 px to a card)" in text
    assert "exact on a ribbon (11 px from card to card)" in text


def test_a_coarse_view_counts_no_ribbon_and_sees_no_lace(tmp_path: Path) -> None:
    table = with_shuffle(tmp_path, 2.0)
    assert "every number on a ribbon" not in line_of(table, SECOND)
    assert "lacing is too fine" in line_of(table, LACED)
    assert line_of(with_shuffle(tmp_path, 1.0), LACED).endswith("given")


def test_seats_outside_the_picture_are_named_where_a_clause_asks_who_sits_there(tmp_path: Path) -> None:
    first = replace(SECOND, id="PA-629a.5(b)-first", needs=Needs(("stack.present", "seat.occupy"), ("shuffle",)))
    table = with_shuffle(tmp_path, 0.73)
    zones = dict(table.layout.zones_mm) | {f"seat:{n}": np.array([[0, 300], [50, 300], [50, 350]]) for n in (1, 2)}
    table = replace(table, layout=replace(table.layout, zones_mm=zones))
    assert preflight._decidable(table, first, None) == "cannot be decided: who sits at seat:3 is not seen"


def test_a_picture_as_in_a_mirror_is_told(tmp_path: Path) -> None:
    said = "as in a mirror"
    assert said not in "".join(preflight_lines(table_at(tmp_path, 1.0)))
    mirrored = TABLE.replace("[[4.0, 0.0, -640.0]", "[[-4.0, 0.0, 640.0]")
    assert said in "".join(preflight_lines(load_table(write_table(tmp_path, mirrored))))


def test_a_table_file_that_a_review_would_refuse_is_told(tmp_path: Path) -> None:
    text = TABLE.replace("[[4.0, 0.0, -640.0]", "[[4.0, 0.0, 9640.0]")
    assert "none of the dealer's zones" in "".join(preflight_lines(load_table(write_table(tmp_path, text))))
