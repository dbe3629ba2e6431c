"""Recorded video to frames with exact times.

Time is the container's presentation timestamp, never an index or a nominal rate: a file whose camera fell to 5
frames a second for a while is seconds off otherwise. A damaged file yields what can be decoded; `SourceReport`
says what was lost and whether the file ended early, and the caller decides what that means.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import av
import av.error

from faults import InputFault
from vision.decode import UNTIMED, sound_pictures
from vision.frame import Frame, Image
from vision.planes import planes_of
from vision.turn import quarters_of_file

MICROSECOND = 1_000_000
#: Less of the announced duration than this missing at the end is rounding in the container, not a truncated file.
END_SLACK_US = 1_000_000
#: A file damaged all over says the same a thousand times.
MOST_ERRORS = 20

#: So many pictures at the end whose times were there before are another recording in the same file.
BACK_MOST = 5


class SourceFault(InputFault):
    """A video that could not be opened or holds no picture."""


@dataclass(slots=True)
class SourceReport:
    """What became of one source: filled while its frames are read."""

    path: str
    codec: str = ""
    width_px: int = 0
    height_px: int = 0
    frames_decoded: int = 0
    frames_lost: int = 0
    announced_us: int | None = None
    first_us: int | None = None
    last_us: int | None = None
    started_at: datetime | None = None
    ended_early: str | None = None
    errors: list[str] = field(default_factory=list)


def open_source(path: str | Path, *, offset_us: int = 0, patience_s: float | None = None) -> Source:
    """The video at `path`, opened; times start at `offset_us`.

    `patience_s` is for a camera: how long opening may take, and how long it may be silent before `frames()` ends.

    Raises:
        SourceFault: there is no such file, it is empty, no video, or has no picture stream.
    """
    return Source(str(path), offset_us, patience_s)


class Source:
    """An open video. Iterate `frames()` once; read `report` afterwards; `close()` when done."""

    def __init__(self, path: str, offset_us: int, patience_s: float | None = None) -> None:
        self.report = SourceReport(path)
        self._offset_us = offset_us
        self._live = patience_s is not None
        self._container = _open(path, patience_s)
        try:
            self._stream: Any = self._container.streams.video[0]
        except IndexError:
            self._container.close()
            raise SourceFault(
                "no picture in this file",
                where=path,
                why="the container opens but holds no video stream",
                todo="Give the recording itself, not its sound or an index file.",
            ) from None
        # Decoding several frames at once is faster, but each is then out only when the next ones are in.
        self._stream.thread_type = "SLICE" if self._live else "AUTO"
        self._untimed = self._damaged = self._back = 0  # damaged, or back in time: since the last good one
        self._describe()

    def _describe(self) -> None:
        context = self._stream.codec_context
        report = self.report
        report.codec = context.name
        report.width_px, report.height_px = context.width, context.height
        if not self._live and quarters_of_file(report.path, self._container.format.name) % 2:
            report.width_px, report.height_px = context.height, context.width
        if self._stream.duration is not None and self._stream.time_base is not None:
            report.announced_us = int(self._stream.duration * self._stream.time_base * MICROSECOND)
        elif self._container.duration is not None:
            # A container that speaks for all its streams may count from a nought long before the first picture.
            report.announced_us = int(self._container.duration - max(0, self._container.start_time or 0))
        text = self._container.metadata.get("creation_time")
        if text:
            with contextlib.suppress(ValueError):
                report.started_at = datetime.fromisoformat(text)

    def frames(self) -> Iterator[Frame]:
        """The frames in order of time; damaged ones, and those built upon them, are left out and counted."""
        base_pts: int | None = None
        for picture in sound_pictures(self._container, self._stream, self._lost):
            if base_pts is None:
                base_pts = self._stream.start_time if self._stream.start_time is not None else picture.pts
            t_us = self._offset_us + round((picture.pts - base_pts) * self._stream.time_base * MICROSECOND)
            if self.report.last_us is not None and t_us <= self.report.last_us:
                self.report.frames_lost += 1  # a time that stands still or runs backwards is damage
                self._back += 1
                continue
            self._damaged = self._back = 0
            self._note(picture, t_us)
            yield Frame(t_us, picture.width, picture.height, _loader(picture), planes_of(picture))
        self._note_end()

    def _lost(self, why: str | None) -> None:
        """Counts a picture that is left out, and keeps the first reasons."""
        self.report.frames_lost += 1
        self._untimed += why == UNTIMED
        self._damaged += why != UNTIMED
        if why is not None and len(self.report.errors) < MOST_ERRORS:
            self.report.errors.append(why)

    def _note(self, picture: Any, t_us: int) -> None:
        report = self.report
        report.frames_decoded += 1
        if report.first_us is None:
            report.first_us = t_us
        report.last_us = t_us
        report.width_px, report.height_px = picture.width, picture.height

    def _note_end(self) -> None:
        self.report.ended_early = self._why_early()

    def _why_early(self) -> str | None:
        """Why this is not the whole of a recording, in words; None if it may be."""
        report = self.report
        if report.last_us is None:
            return self._why_nothing()
        seen_us = report.last_us - self._offset_us
        if report.announced_us is not None and report.announced_us - seen_us > END_SLACK_US:
            return f"file ended at {seen_us / 1e6:.1f} s of {report.announced_us / 1e6:.1f} s"
        if report.frames_decoded == 1:
            return "it holds a single picture, in which no act can be followed"
        if self._back >= BACK_MOST:
            return (
                f"its clock jumps back at {seen_us / 1e6:.1f} s; the {self._back} pictures after that were left out: "
                "cut it there, and review the parts"
            )
        if self._damaged:
            return f"it breaks off at {seen_us / 1e6:.1f} s: what follows is damaged"
        return None

    def _why_nothing(self) -> str:
        """Why not one picture could be used."""
        if not self._untimed:
            return "no frame could be decoded"
        return (
            f"none of its {self._untimed} pictures has a time; a bare stream must be put into a container first, "
            "as by 'ffmpeg -framerate RATE -i FILE -c copy FILE.mp4'"
        )

    def close(self) -> None:
        """Releases the file."""
        self._container.close()

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _loader(picture: Any) -> Any:
    def load() -> Image:
        image: Image = picture.to_ndarray(format="bgr24")
        return image

    return load


def _open(path: str, patience_s: float | None) -> Any:
    file = Path(path)
    if "://" not in path and not path.startswith("/dev/"):
        if not file.is_file():
            raise SourceFault(
                "no such file", where=path, why="nothing is there, or it is a folder", todo="Check the path."
            )
        if file.stat().st_size == 0:
            raise SourceFault(
                "the file is empty",
                where=path,
                why="it has 0 bytes",
                todo="Copy the recording again from the recorder.",
            )
    try:
        # UDP loses packets, and with them the picture; a camera's own device needs its format named.
        options = {"rtsp_transport": "tcp"} if path.startswith("rtsp") else {}
        form = "v4l2" if path.startswith("/dev/video") else None
        return av.open(path, format=form, options=options, timeout=patience_s)
    except (av.error.FFmpegError, OSError) as error:
        raise SourceFault(
            "not a video that can be opened",
            where=path,
            why=str(error),
            todo="If it is a recording, copy it again; a file cut off while it was copied often lacks its index.",
        ) from error
