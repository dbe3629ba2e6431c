"""Reviews of recordings that change their size on the way, are damaged, or hold sound."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np

from pitwatch.folder import findings_of, run_of
from tests.films import even, write_film
from tests.pitwatch.fakes import write_video
from tests.pitwatch.test_review import reviewed


def test_a_recording_whose_picture_changes_its_size_is_reviewed_up_to_there(tmp_path: Path) -> None:
    parts = [
        write_film(tmp_path / "a.ts", even(100), size=(320, 240)),
        write_film(tmp_path / "b.ts", [4000 + t_ms for t_ms in even(50)], size=(640, 480)),
    ]
    both = tmp_path / "both.ts"
    both.write_bytes(b"".join(part.read_bytes() for part in parts))
    outcome = reviewed(tmp_path, both)
    assert outcome.exit_code == 3
    told = "the picture changes to 640 x 480 pixels at 4.0 s; from there on nothing was reviewed"
    assert outcome.incomplete == [f"{both}: {told}"]
    assert len(findings_of(tmp_path / "out")) == 3


def test_damage_in_the_middle_is_a_gap_and_the_report_tells_it(tmp_path: Path) -> None:
    path = write_film(tmp_path / "a.ts", even(300), size=(320, 240), gop=50)
    data = bytearray(path.read_bytes())
    for at in range(len(data) // 2, len(data) * 6 // 10, 41):
        data[at] ^= 0x55
    path.write_bytes(data)
    reviewed(tmp_path, path)
    run = run_of(tmp_path / "out")
    assert run is not None
    (gap,) = run["coverage"]["gaps"]
    assert gap["cause"] == "frames missing"
    assert gap["from_us"] < 6_200_000
    assert gap["to_us"] % 2_000_000 == 0  # a key picture
    assert run["inputs"][0]["frames_lost"] > 0
    assert "frames missing" in (tmp_path / "out" / "report.html").read_text()


def with_sound(silent: Path, path: Path) -> Path:
    """The recording with a second of silence beside its pictures."""
    with av.open(str(silent)) as old, av.open(str(path), "w") as new:
        pictures = new.add_stream_from_template(old.streams.video[0])
        sound = new.add_stream("aac", rate=48_000)
        for packet in old.demux(video=0):
            if packet.dts is not None:
                packet.stream = pictures
                new.mux(packet)
        samples = av.AudioFrame.from_ndarray(np.zeros((1, 48_000), np.float32), format="fltp", layout="mono")
        samples.sample_rate = 48_000
        new.mux([*sound.encode(samples), *sound.encode(None)])
    return path


def test_sound_is_neither_needed_nor_kept(tmp_path: Path) -> None:
    """Surveillance rooms may not record sound: a recording that holds some is reviewed, and its clips hold none."""
    source = with_sound(write_video(tmp_path / "silent.mp4"), tmp_path / "a.mp4")
    reviewed(tmp_path, source)
    clips = [f["clip"] for f in findings_of(tmp_path / "out") if f["clip"]]
    assert len(clips) == 2
    for name in clips:
        with av.open(str(tmp_path / "out" / name)) as clip:
            assert [stream.type for stream in clip.streams] == ["video"]
