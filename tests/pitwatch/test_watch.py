"""The watch, whole: what it tells, keeps and ends with, with cameras, eyes and a judge that do as they are told."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path
from typing import Any

import av
import pytest
import zmq

from pitwatch.site import Site
from pitwatch.stages import Stages
from pitwatch.watch import folder_name, last_words
from rules.event import read_events
from tests.pitwatch.cameras import LIVE, FakeCamera, live, site_of
from tests.pitwatch.fakes import ScriptedEyes, ScriptedJudge, finding, write_lines, write_video
from tests.pitwatch.watching import alerts_on_disk, burn, quicken, scripted, watched, watching


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)


def test_a_breach_in_a_file_is_told_kept_and_ends_with_1(tmp_path: Path) -> None:
    site = site_of(tmp_path, str(write_video(tmp_path / "a.mp4", 1.2)))
    with watching(site, scripted({"midi-1": [900_000]})) as run:
        run.listen(lambda heard: any(topic == "alert/midi-1/" for topic, _ in heard))
        (sent,) = [body for topic, body in run.heard if topic == "alert/midi-1/"]
        run.listen(lambda _: run.ended is not None)
    assert run.ended is not None
    assert run.ended.exit_code == 1
    assert (sent["seq"], sent["alert"]["state"], sent["alert"]["count"]) == (1, "open", 1)
    assert [e["alert"]["state"] for e in alerts_on_disk(site)] == ["open", "closed"]
    assert alerts_on_disk(site)[0] == sent
    (folder,) = (site.out / "midi-1" / "runs").iterdir()
    assert json.loads((folder / "findings.jsonl").read_text())["verdict"] == "violation"
    assert json.loads((folder / "events.jsonl").read_text())["kind"] == "card.burn"
    assert json.loads((folder / "run.json").read_text())["exit_code"] == 1
    health = run.ended.health["midi-1"]
    assert health["provider"] == "ScriptedProvider"
    latency = health["latency"]
    assert latency["alerts"] == 1
    assert 0 <= latency["p99_ms"] < 1000
    assert any("99 % within" in line for line in last_words(run.ended))


def test_without_a_breach_it_ends_with_0_and_rings_nobody(tmp_path: Path) -> None:
    site = site_of(tmp_path, str(write_video(tmp_path / "a.mp4", 0.5)))
    ended, _ = watched(site, scripted({"midi-1": [100_000]}, verdict="compliant"))
    assert ended.exit_code == 0
    assert alerts_on_disk(site) == []
    assert len(list(site.out.glob("midi-1/runs/*/findings.jsonl"))) == 1


def told_in_turn(*findings: dict[str, Any]) -> Stages:
    """Stages that tell one finding after the other, 200 ms apart."""
    events = [burn("midi-1", number, 100_000 + 200_000 * number) for number in range(len(findings))]
    told = [f | {"table": "midi-1", "events": [e.id]} for f, e in zip(findings, events, strict=True)]
    return Stages(lambda _: ScriptedEyes(events), lambda *_: ScriptedJudge(told), Path("nowhere"))


DEPTH = finding("PA-629a.5(c)-depth", t_us=100_000, state="pending", explanation="Eight cards; ten are asked.")


def test_a_pending_violation_rings_at_once_and_once_and_is_confirmed_when_it_closes(tmp_path: Path) -> None:
    site = site_of(tmp_path, LIVE)
    closed = DEPTH | {"state": "closed", "explanation": "Eight cards; the packet says so too."}
    with watching(site, told_in_turn(DEPTH, closed), FakeCamera(live(60))) as run:
        run.listen(lambda heard: sum(topic == "alert/midi-1/" for topic, _ in heard) >= 2)
    alerts = [envelope["alert"] for envelope in alerts_on_disk(site)]
    assert [(a["state"], a["count"], a["pending"]) for a in alerts[:2]] == [("open", 1, [DEPTH["id"]]), ("open", 1, [])]
    assert "confirms" not in alerts[0]
    assert alerts[1]["confirms"] == alerts[0]["id"] == DEPTH["id"]
    assert alerts[1]["explanation"] == closed["explanation"]
    assert sum("(so far)" in line for line in run.said) == 1
    assert sum("confirmed" in line for line in run.said) == 1
    assert run.ended is not None
    assert run.ended.health["midi-1"]["rang"] == 1
    assert run.ended.exit_code == 1


def test_a_pending_violation_that_closes_as_something_else_is_withdrawn(tmp_path: Path) -> None:
    site = site_of(tmp_path, str(write_video(tmp_path / "a.mp4", 0.8)))
    ended, _ = watched(site, told_in_turn(DEPTH, DEPTH | {"state": "closed", "verdict": "compliant"}))
    assert ended.exit_code == 0
    one, two = (envelope["alert"] for envelope in alerts_on_disk(site))
    assert (one["state"], two["state"], two["supersedes"]) == ("open", "withdrawn", one["id"])
    assert two["verdict"] == "compliant"


def test_what_is_pending_and_no_violation_does_not_ring(tmp_path: Path) -> None:
    site = site_of(tmp_path, str(write_video(tmp_path / "a.mp4", 0.5)))
    ended, _ = watched(site, told_in_turn(DEPTH | {"verdict": "not_observed"}))
    assert ended.exit_code == 0
    assert alerts_on_disk(site) == []


def test_a_withdrawn_violation_is_taken_back_on_the_wire_and_in_the_exit_code(tmp_path: Path) -> None:
    site = site_of(tmp_path, str(write_video(tmp_path / "a.mp4", 0.8)))
    events = [burn("midi-1", 0, 100_000), burn("midi-1", 1, 400_000)]
    breach = finding(table="midi-1", t_us=100_000, events=["midi-1-000000"])
    back = breach | {"state": "withdrawn", "events": ["midi-1-000001"]}
    stages = Stages(lambda _: ScriptedEyes(events), lambda *_: ScriptedJudge([breach, back]), Path("nowhere"))
    ended, said = watched(site, stages)
    assert ended.exit_code == 0
    one, two = (envelope["alert"] for envelope in alerts_on_disk(site))
    assert (one["state"], two["state"], two["supersedes"]) == ("open", "withdrawn", one["id"])
    assert any("withdrawn" in line for line in said)


def test_a_second_run_goes_on_with_seq_and_rings_only_what_is_new(tmp_path: Path) -> None:
    film = str(write_video(tmp_path / "a.mp4", 0.5))
    site = site_of(tmp_path, film)
    stages = scripted({"midi-1": [100_000, 300_000]})
    assert watched(site, stages)[0].exit_code == 1
    seqs = [envelope["seq"] for envelope in alerts_on_disk(site)]
    again, _ = watched(site, stages)
    assert again.exit_code == 1
    assert [envelope["seq"] for envelope in alerts_on_disk(site)] == seqs == [1, 2]
    assert again.health["midi-1"]["known_before"] == 2
    write_video(tmp_path / "a.mp4", 0.6)  # another recording in its place
    watched(site, stages)
    envelopes = alerts_on_disk(site)
    assert [envelope["seq"] for envelope in envelopes] == [1, 2, 3, 4]
    assert len({envelope["stream"] for envelope in envelopes}) == 1


def test_the_dealer_named_by_a_signal_keeps_episodes_apart(tmp_path: Path) -> None:
    site = site_of(tmp_path, str(write_video(tmp_path / "a.mp4", 0.8)))
    path = tmp_path / "s.jsonl"
    write_lines(path, [{"t_us": t_us, "name": "dealer", "value": v} for t_us, v in ((0, "7"), (400_000, "8"))])
    (place,) = site.tables
    place = type(place)(place.path, place.table, place.source, path)
    site = Site(site.path, site.name, site.out, site.bus, (place,))
    watched(site, scripted({"midi-1": [100_000, 200_000, 500_000]}))
    told = [(e["alert"]["dealer"], e["alert"]["state"], e["alert"]["count"]) for e in alerts_on_disk(site)]
    assert told == [("7", "open", 1), ("7", "closed", 2), ("8", "open", 1), ("8", "closed", 1)]


def test_a_file_that_cannot_be_read_is_3_and_the_others_go_on(tmp_path: Path) -> None:
    site = site_of(tmp_path, str(tmp_path / "nothing.mp4"), str(write_video(tmp_path / "a.mp4", 0.5)))
    ended, _ = watched(site, scripted({"midi-2": [100_000]}))
    assert ended.exit_code == 3
    assert "no such file" in ended.incomplete["midi-1"]
    assert len(alerts_on_disk(site, "midi-2")) == 2


def test_a_stopped_watch_keeps_episodes_open_for_the_next(tmp_path: Path) -> None:
    site = site_of(tmp_path, LIVE)
    with watching(site, scripted({"midi-1": [100_000]}), FakeCamera(live(500))) as run:
        run.listen(lambda heard: any(topic == "alert/midi-1/" for topic, _ in heard))
    with watching(site, scripted({"midi-1": [100_000]}), FakeCamera(live(500))) as again:
        again.listen(lambda _: again.states("midi-1").count("watching") > 1)
    assert again.ended is not None
    told = [(e["alert"]["state"], e["alert"]["count"]) for e in alerts_on_disk(site)]
    assert told == [("open", 1), ("open", 2)]


def test_a_tables_name_becomes_a_folder() -> None:
    assert [folder_name(name) for name in ("midi-3", "Table 12", "..", "a/b", "é")] == [
        "midi-3",
        "Table 12",
        "%2E%2E",
        "a%2Fb",
        "%C3%A9",
    ]


def clip_of(site: Site, run: Any) -> tuple[dict[str, Any], Path]:
    """The finding as it is on disk, and its clip."""
    (folder,) = (site.out / "midi-1" / "runs").iterdir()
    told = json.loads((folder / "findings.jsonl").read_text())
    assert run is not None
    assert json.loads((folder / "run.json").read_text())["clips_failed"] == {}
    return told, folder / told["clip"]


def grey_times_s(path: Path) -> list[float]:
    """When each picture of a clip was taken, by its brightness: ten a second, 40 at the start."""
    with av.open(str(path)) as clip:
        greys = [int(frame.to_ndarray(format="gray")[:200].mean().round()) for frame in clip.decode(video=0)]
    return [round((grey - 40) / 10, 1) for grey in greys]


def test_a_watched_file_leaves_clips_as_a_review_does(tmp_path: Path) -> None:
    site = site_of(tmp_path, str(write_video(tmp_path / "a.mp4", 1.2)))
    ended, _ = watched(site, scripted({"midi-1": [900_000]}, verdict="indeterminate"))
    told, clip = clip_of(site, ended)
    assert told["verdict"] == "indeterminate"
    assert grey_times_s(clip) == pytest.approx([number / 10 for number in range(12)], abs=0.15)


def test_a_camera_leaves_clips_of_the_past_and_no_other_recording(tmp_path: Path) -> None:
    site = site_of(tmp_path, LIVE)
    with watching(site, scripted({"midi-1": [600_000]}), FakeCamera(live(500))) as run:
        run.listen(lambda heard: any(topic == "alert/midi-1/" for topic, _ in heard))
    told, clip = clip_of(site, run.ended)
    assert told["clip"].startswith("clips/")
    with av.open(str(clip)) as opened:
        assert sum(1 for _ in opened.decode(video=0)) > 5
    assert not (clip.parent.parent / "ring").exists()


def test_what_needs_no_clip_gets_none(tmp_path: Path) -> None:
    site = site_of(tmp_path, str(write_video(tmp_path / "a.mp4", 0.5)))
    ended, _ = watched(site, scripted({"midi-1": [100_000]}, verdict="compliant"))
    assert ended.exit_code == 0
    assert not list(site.out.glob("midi-1/runs/*/clips"))


def test_a_signal_from_a_console_is_an_event_of_the_next_picture(tmp_path: Path) -> None:
    site = site_of(tmp_path, LIVE)
    with watching(site, scripted({}), FakeCamera(live(500))) as run:
        run.listen(lambda heard: any(body["status"]["frames"] for topic, body in heard if topic == "status/midi-1/"))
        with zmq.Context() as context, context.socket(zmq.REQ) as console:
            console.linger, console.rcvtimeo = 0, 5000
            console.connect(run.said[1].split()[5].rstrip(","))
            console.send_json({"signal": {"table": "midi-1", "name": "preshuffled", "value": True}})
            assert json.loads(console.recv())["accepted"] is True
        events = next((site.out / "midi-1" / "runs").iterdir()) / "events.jsonl"
        until_s = time.monotonic() + 8
        while not events.read_text() and time.monotonic() < until_s:
            time.sleep(0.01)
    (told,) = read_events(events)
    assert (told.kind, told.facts) == ("signal", {"name": "preshuffled", "value": True})
    assert told.t_us > 0


def test_an_alert_names_the_models_and_the_run_that_holds_its_evidence(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "detector.onnx").write_bytes(b"eyes")
    site = site_of(tmp_path, str(write_video(tmp_path / "a.mp4", 0.5)))
    made = scripted({"midi-1": [100_000]})
    watched(site, Stages(made.eyes, made.judge, tmp_path / "models"))
    alert = alerts_on_disk(site)[0]["alert"]
    assert alert["models"] == {"detector.onnx": hashlib.sha256(b"eyes").hexdigest()}
    run = json.loads((site.out / "midi-1" / alert["run"] / "run.json").read_text(encoding="utf-8"))
    assert run["models"] == alert["models"]
    assert run["pack"]["name"] == "pa58/629a"
    assert run["table"]["sha256"] == hashlib.sha256((tmp_path / "midi-1.toml").read_bytes()).hexdigest()
