"""Pictures out of an opened recording, but those that damage has spoilt.

A picture is built upon the ones before it. After damage a decoder goes on from what it has: what comes out looks whole
and shows things where they no longer are. So nothing is believed again before the next picture that stands by itself.
Few cameras never send one: they renew the picture bit by bit, and are believed again after a while.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import av.error

from vision.turn import Turner, quarters_of

#: Recorders that send whole pictures send one much sooner than this.
RENEWED_S = 60

#: Said of a picture that is sound but has no time, as in a bare stream outside any container.
UNTIMED = "a picture without a time"

#: Told of every picture that is left out: the decoder's words, or None where it has none.
Lost = Callable[[str | None], None]


def sound_pictures(container: Any, stream: Any, lost: Lost) -> Iterator[Any]:
    """PyAV's pictures of `stream`, turned as they are to be shown; none that is damaged or built upon damaged ones."""
    turners: dict[int, Turner] = {}
    renewed_pts = RENEWED_S / stream.time_base
    damaged, since_pts, latest_pts = False, 0, 0
    for packet in _packets(container, stream, lost):
        try:
            pictures = packet.decode()
        except av.error.FFmpegError as error:
            lost(str(error))
            damaged, since_pts = True, latest_pts
            continue
        for picture in pictures:
            latest_pts = latest_pts if picture.pts is None else picture.pts
            if picture.is_corrupt:
                damaged, since_pts = True, latest_pts
            elif picture.key_frame or latest_pts - since_pts > renewed_pts:
                damaged = False
            if damaged or picture.pts is None:
                lost(None if damaged else UNTIMED)
            else:
                yield _as_shown(picture, stream, turners)


def _as_shown(picture: Any, stream: Any, turners: dict[int, Turner]) -> Any:
    quarters = quarters_of(picture)
    if quarters == 0:
        return picture
    if quarters not in turners:
        turners[quarters] = Turner(stream, quarters)
    return turners[quarters].turned(picture)


def _packets(container: Any, stream: Any, lost: Lost) -> Iterator[Any]:
    """The stream's packets, as far as they can be read."""
    packets = container.demux(stream)
    while True:
        try:
            packet = next(packets)
        except StopIteration:
            return
        except av.error.FFmpegError as error:
            lost(str(error))
            return
        except IndexError:  # PyAV, at the end of a file in which damage looks like the start of another stream
            return
        yield packet
