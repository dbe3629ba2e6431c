"""Watches a site's cameras, live. Alerts go out on ZeroMQ; everything else is kept in the store."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from pathlib import Path

from faults import Fault
from pitwatch.bus import new_keys
from pitwatch.site import load_site
from pitwatch.stages import real_stages
from pitwatch.watch import last_words, watch

#: The site file for a computer with one table, which people copy and change.
EXAMPLE = "examples/site.toml"


class UsageFault(Fault):
    """The command was not told what to watch."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("site", nargs="?", type=Path, metavar="SITE.toml", help="the site file")
    parser.add_argument("--models", type=Path, help="a folder of models in place of the site's or the installed ones")
    parser.add_argument("--new-keys", type=Path, metavar="FOLDER", help="make a pair of CURVE keys there, and end")


def run(options: argparse.Namespace) -> int:
    """Watches until all files have ended, or until SIGTERM or Ctrl-C; says what comes, and in the end how it went."""
    if options.new_keys is not None:
        return _make_keys(options.new_keys)
    if options.site is None:
        raise UsageFault(
            "no site file",
            where="pitwatch watch",
            why="nothing says what to watch",
            todo=f"Give one, such as {EXAMPLE}.",
        )
    site = load_site(options.site)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    watched = watch(site, real_stages(options.models or site.models), _say, stop)
    for line in last_words(watched):
        _say(line)
    return watched.exit_code


def _make_keys(folder: Path) -> int:
    try:
        public, secret = new_keys(folder)
    except OSError as error:
        raise Fault(
            "cannot write the keys", where=str(folder), why=str(error), todo="Give another folder with --new-keys."
        ) from error
    sys.stdout.write(f"{secret}: for curve_secret in the site file; show it to nobody\n")
    sys.stdout.write(f"{public}: for every console that subscribes\n")
    return 0


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
