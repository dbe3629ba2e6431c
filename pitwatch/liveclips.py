"""Clips of a live watch: as in a review, for each violation and each indeterminate finding."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pitwatch.clips import ClipMaker, ClipOrder, clip_name, clip_order
from pitwatch.cut import Recording
from pitwatch.ring import Ring
from pitwatch.stages import Finding
from vision.frame import Frame

#: Verdicts that get a clip.
SHOWN = ("violation", "indeterminate")
RING = "ring"


class LiveClips:
    """Makes the clips of one table's run. Of a camera the last minutes are kept; of a file they are on disk anyway."""

    def __init__(self, folder: Path, source: str, *, live: bool, clock: Callable[[int], str]) -> None:
        self._folder, self._source = folder, source
        self._ring = Ring(folder / RING) if live else None
        self._seen_us = -1
        self._due: list[ClipOrder] = []
        self._named: set[str] = set()
        self._maker = ClipMaker(folder, self._recordings, clock, lambda name: None)

    def see(self, frame: Frame) -> None:
        """Takes in a picture that was looked at."""
        self._seen_us = frame.t_us
        if self._ring is not None:
            self._ring.put(frame)

    def named(self, finding: Finding) -> dict[str, Any]:
        """The finding with its clip's name, if it gets one; the clip itself comes when what follows is recorded.

        A pending one gets it at once: by the time that it closes, a camera's pictures of it may be gone.
        """
        finding_id, standing = str(finding["id"]), finding.get("state") != "withdrawn"
        if standing and finding["verdict"] in SHOWN and finding_id not in self._named:
            self._named.add(finding_id)
            caption = f"{finding['table']}   {finding['clause']}   {str(finding['verdict']).upper()}"
            self._due.append(clip_order(finding_id, int(finding["t_us"]), int(finding["end_us"]), caption))
        return dict(finding) | {"clip": clip_name(finding_id) if finding_id in self._named else None}

    def tick(self) -> None:
        """Starts the clips whose recording is complete."""
        until_us = self._seen_us if self._ring is None else self._ring.kept_until_us
        ready = [order for order in self._due if order.end_us <= until_us]
        self._due = [order for order in self._due if order not in ready]
        for order in ready:
            self._maker.order(order)

    def end(self) -> dict[str, str]:
        """Makes what is still due from what there is. Returns the clips that could not be made, with the reason."""
        if self._ring is not None:
            self._ring.end()
        for order in self._due:
            self._maker.order(order)
        self._due = []
        failed = self._maker.finish()
        if self._ring is not None:
            self._ring.remove()
        return failed

    def _recordings(self) -> list[Recording]:
        if self._ring is not None:
            return self._ring.recordings
        return [Recording(self._source, 0, 0, max(self._seen_us, 0))]
