"""The site file: read whole, or refused with all its faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitwatch.bus import BusPlaces
from pitwatch.site import STALL_S, SiteFileFault, load_site
from tests.pitwatch.fakes import TABLE, write_table

SITE = """
[site]
name = "floor 2"
out = "store"
[bus]
pub = "tcp://127.0.0.1:6001"
router = "tcp://127.0.0.1:6002"
[[tables]]
file = "table.toml"
source = "rtsp://192.0.2.10/a"
"""


def write_site(folder: Path, text: str = SITE) -> Path:
    path = folder / "site.toml"
    path.write_text(text, encoding="utf-8")
    return path


def problems(folder: Path, text: str) -> list[str]:
    with pytest.raises(SiteFileFault) as caught:
        load_site(write_site(folder, text))
    return [f"{Path(p.file).name}:{p.line} {p.key}: {p.found} / {p.expected}" for p in caught.value.problems]


def test_a_site_is_read(tmp_path: Path) -> None:
    write_table(tmp_path)
    (tmp_path / "signals.jsonl").write_text("")
    site = load_site(write_site(tmp_path, SITE + 'signals = "signals.jsonl"\nstall_s = 20.0\n'))
    assert (site.name, site.out) == ("floor 2", tmp_path / "store")
    assert site.bus == BusPlaces("tcp://127.0.0.1:6001", "tcp://127.0.0.1:6002")
    (place,) = site.tables
    assert (place.table.table, place.source, place.stall_s) == ("midi-3", "rtsp://192.0.2.10/a", 20.0)
    assert place.signals == tmp_path / "signals.jsonl"


def test_what_may_be_left_out_has_its_usual_value(tmp_path: Path) -> None:
    write_table(tmp_path)
    site = load_site(write_site(tmp_path, '[site]\nout = "o"\n[[tables]]\nfile = "table.toml"\nsource = "a.mp4"'))
    assert (site.name, site.bus, site.models) == ("site", BusPlaces(), None)
    assert (site.tables[0].source, site.tables[0].stall_s) == (str(tmp_path / "a.mp4"), STALL_S)


def test_the_table_files_source_counts_unless_the_site_names_one(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    write_table(tmp_path / "tables", TABLE.replace("height_px = 240", 'height_px = 240\nsource = "b.mp4"'))
    text = '[site]\nout = "o"\n[[tables]]\nfile = "tables/table.toml"\n'
    assert load_site(write_site(tmp_path, text)).tables[0].source == str(tmp_path / "tables" / "b.mp4")
    assert load_site(write_site(tmp_path, text + 'source = "/dev/video0"')).tables[0].source == "/dev/video0"


def test_all_faults_are_found_at_once_each_with_its_place(tmp_path: Path) -> None:
    write_table(tmp_path, TABLE.replace("decks = 8", 'decks = "eight"'))
    text = SITE.replace("name =", "nmae =").replace('source = "rtsp', 'sorce = "rtsp') + 'stall_s = "long"\n'
    assert problems(tmp_path, text + '[[tables]]\nfile = "nothing.toml"\n[sites]\n') == [
        "site.toml:14 sites: the unknown key 'sites' / 'site'",
        "site.toml:3 site.nmae: the unknown key 'nmae' / 'name'",
        "site.toml:10 tables[0].sorce: the unknown key 'sorce' / 'source'",
        "table.toml:19 game.decks: 'eight' / a whole number from 1 to 12",
        "site.toml:11 tables[0].stall_s: 'long' / a number",
        "site.toml:13 tables[1].file: 'nothing.toml', where there is none / a file that exists",
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('out = "store"', ""), "site.out: nothing"),
        (("127.0.0.1:6001", "0.0.0.0:6001"), "curve_secret beside it"),
        (("127.0.0.1:6002", "*:6002"), "curve_secret beside it"),
        (("tcp://127.0.0.1:6001", "udp://127.0.0.1:6001"), "an address to listen on"),
        (("tcp://127.0.0.1:6001", "tcp://127.0.0.1"), "an address to listen on"),
        (("6002", "6001"), "another address than pub's"),
        ((SITE, '[site]\nout = "o"\n[[table]]\nfile = "table.toml"'), "tables: nothing"),
        ((SITE, 'tables = []\n[site]\nout = "o"'), "at least one table"),
        (("[bus]", '[bus]\ncurve_secret = "no.key_secret"'), "a file that exists"),
        (("[bus]", '[bus]\ncurve_clients = "."'), "curve_secret beside it"),
        (('source = "rtsp://192.0.2.10/a"', ""), "camera.source in the table file"),
        (("[[tables]]", '[[tables]]\nfile = "table.toml"\nsource = "b.mp4"\n[[tables]]'), "the table 'midi-3' twice"),
        (("[site]", "[site"), "broken TOML"),
    ],
)
def test_each_fault_is_told(tmp_path: Path, change: tuple[str, str], words: str) -> None:
    write_table(tmp_path)
    assert change[0] in SITE
    assert any(words in problem for problem in problems(tmp_path, SITE.replace(*change)))


def test_keys_open_the_door(tmp_path: Path) -> None:
    write_table(tmp_path)
    (tmp_path / "s.key_secret").write_text("")
    text = SITE.replace("127.0.0.1", "0.0.0.0").replace("[bus]", '[bus]\ncurve_secret = "s.key_secret"')
    assert load_site(write_site(tmp_path, text)).bus.secret_key == tmp_path / "s.key_secret"


def test_the_example_names_only_known_keys(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "site.toml"
    write_table(tmp_path)
    site = load_site(write_site(tmp_path, example.read_text(encoding="utf-8")))
    assert site.tables[0].table.table == "midi-3"
