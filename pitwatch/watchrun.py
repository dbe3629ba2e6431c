"""One run of a watch: where it is kept, and what tells its recording from another."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pitwatch.site import SiteTable

RUNS = "runs"


def recording_began(place: SiteTable, recorded: Any) -> datetime | None:
    """When a file's recording began, by the table file or the file itself."""
    own: datetime | None = getattr(recorded, "started_at", None)
    return place.table.started_at or own


def origin_of(source: str, began: datetime | None) -> str:
    """What tells two recordings apart: findings of the same one are not told twice.

    A camera's own are those of one run of the watch; a file's those of these very bytes, as far as size and date tell.
    """
    if began is not None:
        return f"live:{began.isoformat()}"
    path = Path(source)
    stat = path.stat() if path.is_file() else None
    mark = f"{path.resolve()}|{stat.st_size}|{stat.st_mtime_ns}" if stat else source
    return f"file:{path.name}:{hashlib.sha256(mark.encode()).hexdigest()[:12]}"


def run_folder(table_folder: Path) -> Path:
    """A new folder for one run of the watch."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    return table_folder / RUNS / stamp
