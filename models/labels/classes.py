"""From a casino's class names to the detector's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from calibration.schema import nearest
from faults import Fault
from models.labels.labelled import LabelSet
from vision.detections import CLASSES

#: What a name is mapped to that is none of the detector's classes.
NOTHING = "-"


class ClassFault(Fault):
    """Class names that are not the detector's."""


@dataclass(frozen=True, slots=True)
class Naming:
    """Which of the detector's classes each of the labels' names means; None where its things are left out.

    `known` are the classes of which every thing on a picture is taken to be labelled.
    """

    of: Mapping[str, str | None]
    known: tuple[str, ...]


def pairs_of(texts: Iterable[str]) -> dict[str, str]:
    """The pairs `theirs=ours` of an option.

    Raises:
        ClassFault: one has no equals sign, or names no class of the detector.
    """
    out = {}
    for text in texts:
        theirs, equals, ours = text.rpartition("=")
        if not equals or not theirs or (ours != NOTHING and ours not in CLASSES):
            raise ClassFault(
                f"{text!r} maps no class",
                where="--map",
                why=f"expected THEIRS=OURS with one of {', '.join(CLASSES)}, or '{NOTHING}' to leave a class out",
                todo="For instance: --map 'Playing card=card_face'.",
            )
        out[theirs] = ours
    return out


def naming_of(labels: LabelSet, mapped: Mapping[str, str], *, complete: bool) -> Naming:
    """What each name of the labels means.

    Args:
        labels: what was read.
        mapped: the detector's class, or `NOTHING`, for some of the labels' names.
        complete: every declared class was labelled wherever it is seen. Otherwise only those count as known of which
            something was labelled somewhere: a label list often names more than was drawn.

    Raises:
        ClassFault: a name is not known, or nothing is left.
    """
    used = Counter(thing.name for picture in labels.pictures for thing in picture.things)
    for name in mapped:
        if name not in labels.names and name not in used:
            raise _wrong_map(name, labels)
    of = {name: _meaning(name, mapped) for name in dict.fromkeys([*labels.names, *used])}
    unknown = [name for name in of if of[name] is None and used[name] and mapped.get(name) != NOTHING]
    if unknown:
        raise _unknown(labels, unknown, used)
    meant = {ours for name, ours in of.items() if ours is not None and (complete or used[name])}
    if not any(ours for name, ours in of.items() if used[name]):
        raise ClassFault(
            "nothing is labelled",
            where=str(labels.file),
            why="no thing of the detector's classes is on any picture",
            todo="Label the pictures, or map the names with --map THEIRS=OURS.",
        )
    return Naming(of, tuple(name for name in CLASSES if name in meant))


def _meaning(name: str, mapped: Mapping[str, str]) -> str | None:
    """The class that a name means, or None."""
    if name in mapped:
        return None if mapped[name] == NOTHING else mapped[name]
    plain = "_".join(name.strip().lower().replace("-", " ").replace("_", " ").split())
    return plain if plain in CLASSES else None


def _wrong_map(name: str, labels: LabelSet) -> ClassFault:
    return ClassFault(
        f"the labels have no class {name!r}",
        where="--map",
        why=f"they name {', '.join(map(repr, labels.names)) or 'none'}",
        todo="Write the name as the labels do.",
    )


def _unknown(labels: LabelSet, unknown: Sequence[str], used: Mapping[str, int]) -> ClassFault:
    listed = ", ".join(f"{name!r} ({used.get(name, 0)} things)" for name in unknown)
    first = unknown[0]
    near = nearest(first.lower(), CLASSES) or CLASSES[0]
    return ClassFault(
        f"unknown class names: {listed}",
        where=str(labels.file),
        why=f"the detector's classes are {', '.join(CLASSES)}",
        todo=f"Map each: --map '{first}={near}', or --map '{first}={NOTHING}' to leave its things out.",
    )
