"""Labels pictures, or single frames of a film, with the current model, for a person to correct."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from calibration.geometry import CalibrationFault
from models.labels.labelled import Problems
from models.labels.looks import Look, open_picture, save_picture
from models.labels.measure import Eyes
from models.labels.shelf import is_picture
from models.labels.suggest import LEAST_SCORE, suggest
from models.labels.write import FILES, Suggested, write_suggestions
from pitwatch.progress import progress
from pitwatch.train_work import TrainFault
from vision.detect import Detector
from vision.frame import Image
from vision.source import open_source

#: A picture, its name below the folder of pictures, and its file.
Picture = tuple[Image, str, Path]
MICROSECOND = 1_000_000


def suggest_labels(source: Path, out: Path, look: Look, models: Path, every_s: float) -> list[str]:
    """Writes suggestions into `out`; returns what to tell.

    Args:
        source: a folder of pictures, or a film, of which a frame is taken every `every_s` seconds.
        out: where pictures and labels are written.
        look: how pictures are seen.
        models: the folder of the models in use.
        every_s: the time between two frames of a film.

    Raises:
        TrainFault: there are no pictures, or `out` holds labels already.
        InputFault: pictures or the film cannot be read.
        CalibrationFault: a picture has another shape than the table file's camera.
    """
    if any((out / name).exists() for name in FILES):
        raise TrainFault(
            "there are labels already",
            where=str(out),
            why="somebody may have corrected them",
            todo="Give a new folder with --out.",
        )
    if source.resolve() == out.resolve():
        raise TrainFault(
            "--out is the folder of the pictures",
            where=str(out),
            why="labels are written into a folder of their own",
            todo="Give another folder with --out.",
        )
    eyes = Detector(models / "detector.onnx", least_score=LEAST_SCORE)
    found = _frames(source, out, every_s) if source.is_file() else _pictures(source, out)
    pictures = _suggested(found, eyes, look)
    if not pictures:
        raise TrainFault(
            "there are no pictures",
            where=str(source),
            why="no JPEG, PNG, BMP, WebP or TIFF file is in it or below it",
            todo="Name a folder of pictures, or a film.",
        )
    write_suggestions(out, pictures)
    things = [thing for picture in pictures for thing in picture.things]
    unsure = sum(thing.unsure for thing in things)
    return [
        f"{out}: {len(pictures)} pictures, {len(things)} things, {unsure} of them marked unsure (look_first.csv)",
        "correct annotations.xml in CVAT, or labels/ in a YOLO tool; then: "
        f"pitwatch train --from {out}/annotations.xml, or {out}/data.yaml",
    ]


def _suggested(found: Iterator[Picture], eyes: Eyes, look: Look) -> list[Suggested]:
    """The suggestions of each picture."""
    out = []
    with progress("suggest", unit="pictures") as show:
        for image, name, path in found:
            height, width = image.shape[:2]
            try:
                things = tuple(suggest(eyes, look, image))
            except CalibrationFault as fault:
                raise CalibrationFault(fault.what, where=str(path), why=fault.why, todo=fault.todo) from fault
            out.append(Suggested(path, name, width, height, things))
            show.at(len(out))
    return out


def _pictures(folder: Path, out: Path) -> Iterator[Picture]:
    """The pictures in a folder and below it, but not below `out`."""
    problems, below = Problems(), out.resolve()
    for path in sorted(folder.rglob("*")):
        if is_picture(path) and below not in path.resolve().parents:
            image = open_picture(path, problems, path.name)
            if image is not None:
                yield image, path.relative_to(folder).as_posix(), path
    problems.stop()


def _frames(film: Path, out: Path, every_s: float) -> Iterator[Picture]:
    """Frames of a film, saved below `out` under names that tell the film and the time."""
    folder = out / "images"
    folder.mkdir(parents=True, exist_ok=True)
    due_us = 0
    with open_source(film) as source:
        for frame in source.frames():
            if frame.t_us >= due_us:
                due_us = frame.t_us + round(every_s * MICROSECOND)
                name = f"{film.stem}_{frame.t_us // 1000:09d}ms.png"
                save_picture(folder / name, frame.image)
                yield frame.image, name, folder / name
