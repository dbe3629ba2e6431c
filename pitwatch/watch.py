"""`pitwatch watch`: every camera of a site, live; alerts on ZeroMQ, everything else in the store."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from pitwatch.bus import Bus
from pitwatch.camera import Opens
from pitwatch.site import Site
from pitwatch.stages import Stages
from pitwatch.store import AlertLog, Reserve
from pitwatch.tablewatch import Means, TableWatch
from vision.source import open_source

FLUSH_S = 0.3  # for what was just sent to leave, before the sockets close without waiting for anybody
END_WITHIN_S, CLIPS_WITHIN_S = 2.0, 20.0
LOOK_AROUND_S = 0.1


@dataclass(frozen=True, slots=True)
class Watched:
    """How a watch ended: the exit code, each table's last health, and why a table was not wholly watched.

    `latencies_s` is how long each alert took from its deciding frame's arrival to the wire, by table.
    """

    exit_code: int
    health: dict[str, dict[str, Any]]
    incomplete: dict[str, str]
    latencies_s: dict[str, list[float]]


def watch(
    site: Site,
    stages: Stages,
    say: Callable[[str], None],
    stop: threading.Event,
    opens: Opens = open_source,
) -> Watched:
    """Watches a site until all its sources have ended, which a camera never does, or until `stop` is set.

    Raises:
        Fault: the models, rules, signals, store or bus cannot be used; nothing was watched.
    """
    reserve = Reserve(site.out)
    with contextlib.closing(reserve), _logs(site) as logs, contextlib.closing(Bus(site.bus, logs)) as bus:
        means = Means(stages, bus, reserve, say, opens, bus.inbox.take)
        tables = [TableWatch(place, log, means) for place, log in zip(site.tables, logs, strict=True)]
        say(f"{site.name}: watching {', '.join(table.name for table in tables)}")
        say(f"alerts at {bus.alerts_at}, replay at {bus.replay_at}, store in {site.out}")
        _run(tables, stop)
        time.sleep(FLUSH_S)
        return _outcome(tables)


@contextlib.contextmanager
def _logs(site: Site) -> Iterator[list[AlertLog]]:
    """The alert log of every table, in the site file's order."""
    with contextlib.ExitStack() as stack:
        logs = []
        for place in site.tables:
            name = place.table.table
            log = AlertLog(site.out / folder_name(name), name)
            stack.callback(log.close)
            logs.append(log)
        yield logs


def folder_name(table: str) -> str:
    """A table's name as that of a folder."""
    name = quote(table, safe=" ")
    return name if name.strip(".") else name.replace(".", "%2E")


def _run(tables: Sequence[TableWatch], stop: threading.Event) -> None:
    threads = [threading.Thread(target=table.run, name=f"table {table.name}", daemon=True) for table in tables]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads) and not stop.wait(LOOK_AROUND_S):
        pass
    for table in tables:
        table.stop()
    until_s = time.monotonic() + END_WITHIN_S
    for thread in threads:
        thread.join(max(0.0, until_s - time.monotonic()))
    for table, thread in zip(tables, threads, strict=True):
        if table.making_clips:  # what was found is on the wire and on disk; only its pictures are still written
            thread.join(max(0.0, until_s + CLIPS_WITHIN_S - time.monotonic()))


def _outcome(tables: Sequence[TableWatch]) -> Watched:
    health = {table.name: table.health() for table in tables}
    incomplete = {table.name: table.incomplete for table in tables if table.incomplete}
    latencies_s = {table.name: table.latencies_s for table in tables}
    return Watched(max(table.exit_code for table in tables), health, incomplete, latencies_s)


def last_words(watched: Watched) -> Iterator[str]:
    """What is said as a watch ends: a line for each table."""
    for name, health in watched.health.items():
        known = f" ({health['known_before']} known from an earlier run)" if health["known_before"] else ""
        yield (
            f"{name}: {health['frames']} pictures, {health['skipped']} skipped, {health['lost']} lost, "
            f"{health['reconnects']} reconnects, {health['rang']} alerts{known}"
        )
        latency = health["latency"]
        if latency["alerts"]:
            yield (
                f"{name}: from the deciding frame's arrival to the alert on the wire: "
                f"median {latency['p50_ms']:.0f} ms, 99 % within {latency['p99_ms']:.0f} ms (of {latency['alerts']})"
            )
        if name in watched.incomplete:
            yield f"{name}: not wholly watched: {watched.incomplete[name]}"
