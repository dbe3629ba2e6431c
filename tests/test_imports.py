"""The rooms import one way, as ARCHITECTURE.md says."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: What each room may import of the project's own.
MAY: dict[str, set[str]] = {
    "calibration": {"faults", "calibration"},
    "rules": {"faults", "rules"},
    "vision": {"faults", "calibration", "vision", "rules.event"},
    "sample_videos": {"faults", "calibration", "sample_videos", "rules.event"},
    "models": {"faults", "calibration", "vision", "sample_videos", "models"},
}
ROOMS = {*MAY, "pitwatch", "faults"}
#: The rules judge plain values.
NOT_IN_RULES = {"numpy", "cv2", "onnxruntime", "zmq", "av", "scipy"}


def imported(path: Path) -> set[str]:
    """The modules that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module)
    return names


@pytest.mark.parametrize("room", sorted(MAY))
def test_a_room_imports_only_what_it_may(room: str) -> None:
    wrong = []
    for path in sorted((ROOT / room).rglob("*.py")):
        for name in imported(path):
            own = name.split(".")[0] in ROOMS
            if own and not any(name == may or name.startswith(may + ".") for may in MAY[room]):
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
            if room == "rules" and name.split(".")[0] in NOT_IN_RULES:
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert wrong == []
