"""What the two JSON formats share: reading the file, and finding a picture for a record."""

from __future__ import annotations

import json
from pathlib import Path

from calibration.schema import Document, Node
from models.labels.labelled import Problems, document_of
from models.labels.shelf import Shelf


def open_json(path: Path, problems: Problems) -> Document:
    """The parsed file.

    Raises:
        LabelFault: it cannot be read or is not JSON.
    """
    text = "[]"
    raw: object = None
    try:
        text = path.read_text(encoding="utf-8-sig")
        raw = json.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        problems.add(path, None, "the file", str(error), "a file of JSON in UTF-8")
    except json.JSONDecodeError as error:
        problems.add(path, error.lineno, "the file", f"broken JSON ({error.msg})", "well-formed JSON")
    problems.stop()
    return document_of(path, text, raw)


def picture_of(name: Node, shelf: Shelf) -> Path | None:
    """The picture that a record names, or None after its fault was noted."""
    text = name.text()
    if text is None:
        return None
    found = shelf.find(text)
    if isinstance(found, str):
        name.bad(shelf.advice(), f"{text!r}: {found}")
        return None
    return found
