"""`run.json`: what was reviewed, with what, how well it could be seen, and how it ended."""

from __future__ import annotations

import platform
import resource
import sys
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.tablefile import Table
from pitwatch import program_version
from pitwatch.chain import sha256_of_file
from pitwatch.judging import pack_record
from pitwatch.store import now_text
from pitwatch.timeline import Part, Timeline

if TYPE_CHECKING:
    from pitwatch.review import Order
    from pitwatch.stages import Finding

LIBRARIES = ("av", "numpy", "onnxruntime", "opencv-python", "pyzmq", "scipy")


class Hasher:
    """Works out the SHA-256 of files beside the review."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = list(paths)
        self._found: dict[Path, str] = {}
        self._thread = threading.Thread(target=self._work, name="hash", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        for path in self._paths:
            if path.is_file():
                self._found[path] = sha256_of_file(path)

    def hashes(self) -> dict[Path, str]:
        """The hashes, when all are there."""
        self._thread.join()
        return dict(self._found)


def same_order(run: Mapping[str, Any], table: Path, signals: Path | None, hasher: Hasher) -> bool:
    """True if a finished run reviewed the very same bytes with the same version of the program."""
    before = {part["path"]: part["sha256"] for part in run.get("inputs", []) if part.get("sha256")}
    now = {str(path): sha256 for path, sha256 in hasher.hashes().items()}
    of_signals = sha256_of_file(signals) if signals is not None and signals.is_file() else None
    return (
        before == now
        and run.get("table", {}).get("sha256") == sha256_of_file(table)
        and (run.get("signals") or {}).get("sha256") == of_signals
        and run.get("versions", {}).get("pitwatch") == program_version()
    )


def run_record(order: Order, table: Table, timeline: Timeline, models: Path, hasher: Hasher) -> dict[str, Any]:
    """What was reviewed, and with what: the first half of `run.json`."""
    hashes = hasher.hashes()
    signals = order.signals
    return {
        "state": "finished",
        "written_at": now_text(),
        "table": {"name": table.table, "path": str(order.table), "sha256": sha256_of_file(order.table)},
        "signals": None if signals is None else {"path": str(signals), "sha256": sha256_of_file(signals)},
        "inputs": [_part_record(part, hashes) for part in timeline.parts],
        "started_at": None if timeline.started_at is None else timeline.started_at.isoformat(),
        "started_at_from": timeline.started_from,
        "laid_out_by": "the files' own clocks"
        if timeline.by_clock
        else "their order, a second of nothing between them",
        "as_of": None if order.as_of is None else order.as_of.isoformat(),
        "coverage": coverage_record(timeline),
        "versions": versions(),
        "models": models_record(models),
        "pack": pack_record(table.game.pack),
    }


def how_it_went(
    timeline: Timeline,
    findings: Sequence[Finding],
    seconds: Mapping[str, float],
    clips_failed: Mapping[str, str],
    exit_code: int,
) -> dict[str, Any]:
    """The verdicts, the time it took, and the exit code: the second half of `run.json`."""
    return {
        "verdicts": verdict_counts(findings),
        "clips_failed": dict(clips_failed),
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
        "times_real_time": _ratio(timeline.length_us / 1e6, seconds.get("total", 0.0)),
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "exit_code": exit_code,
    }


def verdict_counts(findings: Sequence[Finding]) -> dict[str, int]:
    """How often each verdict stands."""
    return dict(Counter(str(f["verdict"]) for f in findings if f.get("state") != "withdrawn"))


def _ratio(length_s: float, taken_s: float) -> float | None:
    return round(length_s / taken_s, 2) if taken_s else None


def _part_record(part: Part, hashes: Mapping[Path, str]) -> dict[str, Any]:
    report = part.report
    return {
        "path": part.path,
        "sha256": hashes.get(Path(part.path)),
        "codec": report.codec or None,
        "width_px": report.width_px,
        "height_px": report.height_px,
        "offset_us": part.offset_us,
        "first_us": report.first_us,
        "last_us": report.last_us,
        "frames_decoded": report.frames_decoded,
        "frames_lost": report.frames_lost,
        "errors": list(report.errors),
        "incomplete": part.incomplete,
    }


def coverage_record(timeline: Timeline) -> dict[str, Any]:
    """How much of the time there were pictures, and where there were none."""
    return {
        "length_us": timeline.length_us,
        "looked_us": timeline.looked_us,
        "share": round(timeline.looked_us / timeline.length_us, 5) if timeline.length_us else 0.0,
        "overlap_frames": timeline.overlap_frames,
        "gaps": [{"from_us": gap.from_us, "to_us": gap.to_us, "cause": gap.cause} for gap in timeline.gaps],
    }


def models_record(models: Path) -> dict[str, str]:
    """The SHA-256 of each model in a folder, by its file's name."""
    return {path.name: sha256_of_file(path) for path in sorted(models.glob("*.onnx"))}


def versions() -> dict[str, str]:
    """The versions of the program and of what it stands on."""
    found = {"pitwatch": program_version(), "python": platform.python_version(), "system": sys.platform}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
