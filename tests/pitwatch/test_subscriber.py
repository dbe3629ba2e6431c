"""The example of a console: one table's alerts, what it missed, and the silence of a watch that is down."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

from pitwatch.bus import Bus, BusPlaces
from pitwatch.store import AlertLog
from tests.pitwatch.fakes import finding

EXAMPLE = Path(__file__).parents[2] / "examples" / "subscriber.py"


def test_it_prints_its_tables_alerts_and_tells_a_watch_that_is_down(tmp_path: Path) -> None:
    logs = [AlertLog(tmp_path / name, name) for name in ("1", "12")]
    bus = Bus(BusPlaces("tcp://127.0.0.1:*", "tcp://127.0.0.1:*"), logs)
    command = [sys.executable, str(EXAMPLE), bus.alerts_at, "1", "1.5"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as console:
        assert console.stdout is not None
        heard, lines = threading.Event(), []

        def send() -> None:  # until it is heard: who joins late misses what was sent before
            while not heard.wait(0.1):
                for log in reversed(logs):
                    bus.alert(log, finding(table=log.table) | {"count": 1, "state": "open"})

        thread = threading.Thread(target=send)
        thread.start()
        lines = [console.stdout.readline(), console.stdout.readline()]
        heard.set()
        thread.join()
        bus.close()
        while "down" not in lines[-1]:
            lines.append(console.stdout.readline())
            assert lines[-1], "it ended by itself"
        console.kill()
    for log in logs:
        log.close()
    assert lines[-1] == "the watch is down: no heartbeat for 1.5 s\n"
    assert all(line.startswith(("alert/1/ ", "missed some", "the watch")) for line in lines)
    assert any("open PA-629a.5(f)-count violation" in line for line in lines)
