"""The last minutes of a camera, on disk in short pieces: a camera cannot be wound back, and a clip needs the past."""

from __future__ import annotations

import contextlib
import queue
import shutil
import threading
from collections import deque
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import av.error

from pitwatch.clips import LONGEST_US, POST_ROLL_US, PRE_ROLL_US
from pitwatch.cut import Recording
from vision.frame import Frame

PIECE_US = 5_000_000
#: What the longest clip may need, and a piece more at either end.
KEEP_US = LONGEST_US + PRE_ROLL_US + POST_ROLL_US + 2 * PIECE_US
#: Fifteen pictures a second show every motion of a hand, at half of the work.
EVERY_US = 55_000
WAITING = 8
TIME_BASE = Fraction(1, 90_000)


class Ring:
    """Keeps pictures of the last minutes. A thread of its own encodes them; a slow disk never holds the caller up.

    `recordings` are the finished pieces. `trouble` tells why nothing can be kept; None if all is well.
    """

    def __init__(self, folder: Path, keep_us: int = KEEP_US) -> None:
        self._folder, self._keep_us = folder, keep_us
        self._pieces: deque[Recording] = deque()
        self._waiting: queue.Queue[Frame | None] = queue.Queue(WAITING)
        self._last_us: int | None = None
        self.trouble: str | None = None
        self.dropped = 0
        self._thread = threading.Thread(target=self._work, name="ring", daemon=True)
        self._thread.start()

    def put(self, frame: Frame) -> None:
        """Keeps a picture, unless it follows another closely or there is no time for it."""
        if self.trouble is not None or (self._last_us is not None and frame.t_us - self._last_us < EVERY_US):
            return
        try:
            self._waiting.put_nowait(frame)
        except queue.Full:
            self.dropped += 1
            return
        self._last_us = frame.t_us

    @property
    def recordings(self) -> list[Recording]:
        """The finished pieces, in order."""
        return list(self._pieces)

    @property
    def kept_until_us(self) -> int:
        """The last moment of the finished pieces; -1 before there are any."""
        return self._pieces[-1].last_us if self._pieces else -1

    def end(self) -> None:
        """Finishes the last piece; nothing is kept any more."""
        self._waiting.put(None)
        self._thread.join()

    def remove(self) -> None:
        """Deletes the pieces."""
        shutil.rmtree(self._folder, ignore_errors=True)

    # -- the thread -----------------------------------------------------------------------------------------------

    def _work(self) -> None:
        piece: _Piece | None = None
        while True:
            frame = self._waiting.get()
            try:
                if piece is not None and (frame is None or piece.ends_before(frame)):
                    self._finish(piece)
                    piece = None
                if frame is None:
                    return
                if piece is None:
                    self._folder.mkdir(parents=True, exist_ok=True)
                    piece = _Piece(self._folder / f"{frame.t_us:015d}.mp4", frame)
                piece.add(frame)
            except (av.error.FFmpegError, OSError) as error:
                self.trouble = str(error)
                return

    def _finish(self, piece: _Piece) -> None:
        self._pieces.append(piece.close())
        while self._pieces[0].last_us < self._pieces[-1].last_us - self._keep_us:
            with contextlib.suppress(OSError):
                Path(self._pieces.popleft().path).unlink()


class _Piece:
    """A few seconds in one file; a picture of another size begins another one."""

    def __init__(self, path: Path, first: Frame) -> None:
        self._path, self._first_us, self._last_us = path, first.t_us, first.t_us
        self._size = (first.width_px, first.height_px)
        self._container = av.open(str(path), "w", format="mp4")
        options = {"preset": "ultrafast", "tune": "zerolatency", "crf": "21"}
        self._stream: Any = self._container.add_stream("libx264", rate=30, options=options)
        self._stream.width, self._stream.height = (side // 2 * 2 for side in self._size)
        self._stream.pix_fmt, self._stream.codec_context.time_base = "yuv420p", TIME_BASE
        self._stream.codec_context.thread_count = 1

    def ends_before(self, frame: Frame) -> bool:
        """Whether a picture belongs to the next piece."""
        return frame.t_us - self._first_us >= PIECE_US or (frame.width_px, frame.height_px) != self._size

    def add(self, frame: Frame) -> None:
        """Encodes a picture."""
        picture = av.VideoFrame.from_ndarray(frame.image, format="bgr24")
        picture.time_base = TIME_BASE
        picture.pts = round((frame.t_us - self._first_us) * TIME_BASE.denominator / 1_000_000)
        self._container.mux(self._stream.encode(picture))
        self._last_us = frame.t_us

    def close(self) -> Recording:
        """Finishes the file."""
        self._container.mux(self._stream.encode(None))
        self._container.close()
        return Recording(str(self._path), self._first_us, self._first_us, self._last_us)
