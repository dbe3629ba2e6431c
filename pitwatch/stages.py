"""The seams to the other rooms: what sees, what judges, and how both are made for a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Protocol

import models
from calibration.tablefile import Table
from pitwatch.judging import Finding, Judges, judge_for
from rules.event import Event
from vision.frame import Frame


class Sees(Protocol):
    """Frames in, events out."""

    latency_us: int

    @property
    def moved(self) -> str | None:
        """By how much places are off since the camera was pushed, in words; None if it was not."""
        ...

    @property
    def provider(self) -> str | None:
        """What the network runs on, for the table's health; None where there is none to speak of."""
        ...

    def step(self, frame: Frame) -> list[Event]:
        """The events that this frame decides."""
        ...

    def finish(self) -> list[Event]:
        """What can still be said when no more frames come."""
        ...


@dataclass(frozen=True, slots=True)
class Stages:
    """Makes the stages of a table, anew for every recording, so that nothing leaks from one to the next."""

    eyes: Callable[[Table], Sees]
    judge: Callable[[Table, datetime | None, date | None], Judges]
    models_dir: Path


def models_folder() -> Path:
    """The folder of the installed models."""
    return Path(models.__file__).parent


def real_stages(models_dir: Path | None = None) -> Stages:
    """The pipeline and the rules of this program."""
    folder = models_dir or models_folder()

    def eyes(table: Table) -> Sees:
        from vision.pipeline import Pipeline  # noqa: PLC0415 - ONNX Runtime takes a second to load
        from vision.steady import SteadyEyes  # noqa: PLC0415 - the same

        return SteadyEyes(Pipeline(table, folder), table)

    return Stages(eyes, judge_for, folder)


__all__ = ["Finding", "Judges", "Sees", "Stages", "models_folder", "real_stages"]
