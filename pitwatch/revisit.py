"""The recordings of an earlier review, visited again for their pictures, if they are still what they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from calibration.tablefile import Table
from faults import Fault
from pitwatch.chain import sha256_of_file
from pitwatch.cut import Recording
from pitwatch.looks import Looks
from pitwatch.stages import Finding
from pitwatch.stills import Stills, take_stills
from rules.event import Event


def pictures_of(
    run: Mapping[str, Any], table: Table, events: Sequence[Event], findings: Sequence[Finding]
) -> tuple[Stills, str]:
    """The report's pictures from the recordings that `run` names, and why some are missing ("" if none is).

    A recording is used only if its bytes are those that were reviewed. What the detector saw is not drawn in: it is
    not recorded.
    """
    inputs = [part for part in run.get("inputs", []) if part.get("last_us") is not None]
    if not inputs:
        return Stills({}, {}), "What these events were seen in is not recorded with them."
    troubles = [_trouble(part) for part in inputs]
    good = [_recording(part) for part, trouble in zip(inputs, troubles, strict=True) if not trouble]
    try:
        return take_stills(good, table, events, findings, Looks()), " ".join(filter(None, troubles))
    except Fault as fault:  # the table file is of another picture: places cannot be found in this one
        return Stills({}, {}), f"The table file does not fit the recording: {fault.what}."


def _recording(part: Mapping[str, Any]) -> Recording:
    first_us, offset_us = int(part.get("first_us") or 0), int(part.get("offset_us") or 0)
    return Recording(str(part["path"]), offset_us, first_us, int(part["last_us"]))


def _trouble(part: Mapping[str, Any]) -> str:
    """Why a recording cannot be shown; "" if it can."""
    path = Path(str(part["path"]))
    if not path.is_file():
        return f"The recording {path.name} is not where it was reviewed."
    if part.get("sha256") and sha256_of_file(path) != part["sha256"]:
        return f"The recording {path.name} is not the one that was reviewed: its contents changed."
    return ""
