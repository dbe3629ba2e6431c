"""Recordings that say they are to be shown turned, as every viewer and the person who calibrates sees them.

Surveillance recorders hardly ever say so; telephones and some exports do. Left as they were coded, the pictures of such
a recording would fit a table file only by chance: turned by half a circle, without anybody noticing.
"""

from __future__ import annotations

import contextlib
from typing import Any

import av
import av.error
from av.filter import Graph

#: FFmpeg's filters that turn a picture clockwise by so many quarters of a circle.
FILTERS = {1: (("transpose", "clock"),), 2: (("hflip", None), ("vflip", None)), 3: (("transpose", "cclock"),)}
#: Containers that can say so, as FFmpeg names them.
CONTAINERS = ("mov", "matroska")


def quarters_of(picture: Any) -> int:
    """By how many quarters of a circle, clockwise, PyAV's picture is to be turned: 0 to 3."""
    degrees: int = picture.rotation  # counter-clockwise
    return round(-degrees / 90) % 4


def quarters_of_file(path: str, container_name: str) -> int:
    """The same of a recording's first picture; 0 where none can be decoded."""
    if not any(name in container_name for name in CONTAINERS):
        return 0
    with contextlib.suppress(av.error.FFmpegError, OSError, IndexError), av.open(path) as container:
        return next((quarters_of(picture) for picture in container.decode(video=0)), 0)
    return 0


class Turner:
    """Turns pictures of one stream by so many quarters of a circle, clockwise; their times stay."""

    def __init__(self, stream: Any, quarters: int) -> None:
        self._graph = Graph()
        nodes = [self._graph.add_buffer(template=stream)]
        nodes += [self._graph.add(name, argument) for name, argument in FILTERS[quarters]]
        nodes.append(self._graph.add("buffersink"))
        self._graph.link_nodes(*nodes)
        self._graph.configure()

    def turned(self, picture: Any) -> Any:
        """PyAV's picture, turned."""
        self._graph.vpush(picture)
        return self._graph.vpull()
