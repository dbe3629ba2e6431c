"""Clips: the recording of a finding's occasion, with the times in a strip under the picture."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

import av
import av.error
import cv2
import numpy as np
from numpy.typing import NDArray

from pitwatch.cut import Recording, decoded_between
from pitwatch.folder import CLIPS

PRE_ROLL_US = 5_000_000
POST_ROLL_US = 2_000_000
#: A clip is no longer than this. A longer occasion is shown by its beginning and, for the rest, by its end.
LONGEST_US, BEGINNING_US = 180_000_000, 60_000_000
TIME_BASE = Fraction(1, 90_000)
STRIP_SHARE = 0.035
INK, PAPER, NEUTRAL = 235, 30, 128  # brightness of words and strip; no colour

Planes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class ClipOrder:
    """A clip to make: `name` in the folder, of the stretches `spans_us` one after the other, `caption` in its strip."""

    name: str
    spans_us: tuple[tuple[int, int], ...]
    caption: str

    @property
    def end_us(self) -> int:
        """Where its last stretch ends."""
        return self.spans_us[-1][1]

    def played_us(self, t_us: int) -> int:
        """How far into the clip a moment is shown."""
        return sum(max(0, min(t_us, end_us) - start_us) for start_us, end_us in self.spans_us)


def clip_name(finding_id: str) -> str:
    """The name of a finding's clip in the review's folder."""
    return f"{CLIPS}/{re.sub(r'[^A-Za-z0-9._-]+', '-', finding_id)}.mp4"


def clip_order(finding_id: str, t_us: int, end_us: int, caption: str) -> ClipOrder:
    """The clip of a finding: its occasion with the pre-roll and the post-roll."""
    return ClipOrder(clip_name(finding_id), clip_spans(t_us, end_us), caption)


def clip_spans(t_us: int, end_us: int) -> tuple[tuple[int, int], ...]:
    """The stretches of a recording that a clip of an occasion shows: the whole, or its beginning and its end."""
    first_us, last_us = t_us - PRE_ROLL_US, end_us + POST_ROLL_US
    if last_us - first_us <= LONGEST_US:
        return ((first_us, last_us),)
    return (first_us, first_us + BEGINNING_US), (last_us - (LONGEST_US - BEGINNING_US), last_us)


def clip_note(t_us: int, end_us: int) -> str:
    """What a clip lacks, in words: a part in the midst, or the seconds before; "" if it shows all that it should."""
    notes, spans = [], clip_spans(t_us, end_us)
    if len(spans) > 1:
        left_out_s = (spans[1][0] - spans[0][1]) / 1e6
        notes.append(
            f"the clip shows the beginning and the end of the occasion; {left_out_s:.0f} s between them are left out"
        )
    if t_us < PRE_ROLL_US:
        notes.append(f"the recording begins {max(t_us, 0) / 1e6:.1f} s before the occasion")
    return "; ".join(notes)


def write_clip(
    path: Path,
    pictures: Iterable[tuple[int, Any]],
    caption: Callable[[int], str],
    played_us: Callable[[int], int] = lambda t_us: t_us,
) -> int:
    """Encodes pictures, PyAV's with their times, as H.264 in MP4. Returns how many there were.

    Under the picture, left as it is, stands a strip with `caption(t_us)`; `played_us(t_us)` is when it is shown.
    """
    part = path.with_name(path.name + ".part")
    count = 0
    with av.open(str(part), "w", format="mp4", options={"movflags": "faststart"}) as container:
        stream: Any = None
        first_us = 0
        for t_us, picture in pictures:
            planes = _with_strip(_planes(picture), caption(t_us))
            if stream is None:
                stream, first_us = _stream(container, planes), played_us(t_us)
            framed = av.VideoFrame.from_ndarray(planes, format="yuv420p")
            framed.time_base = TIME_BASE
            framed.pts = round((played_us(t_us) - first_us) * TIME_BASE.denominator / 1_000_000)
            container.mux(stream.encode(framed))
            count += 1
        if stream is not None:
            container.mux(stream.encode(None))
    if count:
        part.replace(path)
    else:
        part.unlink(missing_ok=True)
    return count


def _stream(container: Any, planes: Planes) -> Any:
    stream = container.add_stream("libx264", rate=30, options={"preset": "ultrafast", "crf": "20"})
    stream.width, stream.height, stream.pix_fmt = planes.shape[1], planes.shape[0] * 2 // 3, "yuv420p"
    stream.codec_context.time_base = TIME_BASE
    return stream


def _planes(picture: Any) -> Planes:
    """The picture's own brightness and colour planes, untouched wherever the recording is 4:2:0, as nearly all are."""
    width, height = picture.width // 2 * 2, picture.height // 2 * 2
    if picture.format.name not in ("yuv420p", "yuvj420p") or (width, height) != (picture.width, picture.height):
        picture = picture.reformat(width=width, height=height, format="yuv420p")
    planes: Planes = picture.to_ndarray()
    return planes


def _with_strip(planes: Planes, caption: str) -> Planes:
    """The picture on top of its caption, in the encoder's layout: brightness, then the two colours at half size."""
    width, height = planes.shape[1], planes.shape[0] * 2 // 3
    strip = max(20, round(height * STRIP_SHARE)) // 2 * 2
    whole = np.full(((height + strip) * 3 // 2, width), NEUTRAL, np.uint8)
    whole[:height] = planes[:height]
    whole[height : height + strip] = _strip_of(caption, strip, width)
    quarter, from_quarter = (height + strip) * width // 4, height * width // 4
    colours, from_colours = whole[height + strip :].reshape(-1), planes[height:].reshape(-1)
    for number in range(2):
        part = from_colours[number * from_quarter : (number + 1) * from_quarter]
        colours[number * quarter : number * quarter + from_quarter] = part
    return whole


def _strip_of(caption: str, height: int, width: int) -> Planes:
    """White words on dark, (height, width)."""
    strip = np.full((height, width), PAPER, np.uint8)
    scale = height / 32
    wide = cv2.getTextSize(caption, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)[0][0]
    scale *= min(1.0, (width - 16) / max(wide, 1))
    cv2.putText(strip, caption, (8, round(height * 0.72)), cv2.FONT_HERSHEY_SIMPLEX, scale, INK, 1, cv2.LINE_AA)
    return strip


class ClipMaker:
    """Makes clips beside the review, in threads of its own."""

    def __init__(
        self,
        folder: Path,
        recordings: Callable[[], Sequence[Recording]],
        clock: Callable[[int], str],
        done: Callable[[str], None],
        *,
        workers: int = 1,
    ) -> None:
        self._folder, self._recordings, self._clock, self._done = folder, recordings, clock, done
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="clips")
        self._jobs: list[tuple[ClipOrder, Future[str | None]]] = []

    def order(self, order: ClipOrder) -> None:
        """Starts a clip. The recording is on disk already; what comes after the finding can be read too."""
        self._jobs.append((order, self._pool.submit(self._make, order)))

    def _make(self, order: ClipOrder) -> str | None:
        """Makes one clip; returns why it could not be made, None if it was."""
        path = self._folder / order.name
        path.parent.mkdir(exist_ok=True)
        recordings = _reaching_on(self._recordings())
        try:
            pictures = chain.from_iterable(decoded_between(recordings, *span) for span in order.spans_us)
            count = write_clip(path, pictures, lambda t_us: f"{self._clock(t_us)}   {order.caption}", order.played_us)
        except (av.error.FFmpegError, OSError) as error:
            return str(error)
        if not count:
            return "no picture could be read there"
        self._done(order.name)
        return None

    def finish(self) -> dict[str, str]:
        """Waits for all clips. Returns those that could not be made, with the reason."""
        failed = {order.name: why for order, job in self._jobs if (why := job.result()) is not None}
        self._pool.shutdown()
        return failed


def _reaching_on(recordings: Sequence[Recording]) -> list[Recording]:
    """The recordings, the one being read right now taken to reach on: its end is not known yet."""
    if not recordings:
        return []
    *others, last = recordings
    return [*others, Recording(last.path, last.offset_us, last.first_us, last.last_us + LONGEST_US)]
