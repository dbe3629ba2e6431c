"""The command line of the second renderer.

python -m sample_videos.second frames --count 300 --out runs/second/frames
python -m sample_videos.second films --out runs/second/films
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from pathlib import Path

from faults import Fault
from sample_videos.second.decks import HOME, bake
from sample_videos.second.film import TAKES, Take, write_film
from sample_videos.second.frames import render_frames

#: The seeds of the labelled frames, in the order in which they are rendered.
SEEDS: list[int] = json.loads(Path(__file__).with_name("seeds.json").read_text(encoding="utf-8"))["frames"]


def number(text: str) -> int:
    """A count of frames, or a usage error."""
    if not text.isdigit() or not 1 <= int(text) <= len(SEEDS):
        raise argparse.ArgumentTypeError(f"'{text}' is no count of frames: give a whole number from 1 to {len(SEEDS)}")
    return int(text)


def share(text: str) -> float:
    """A share of the films' size, or a usage error."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.25 <= value <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no scale: give a number from 0.25 to 1")
    return value


def parser() -> argparse.ArgumentParser:
    """The options."""
    out = argparse.ArgumentParser(prog="python -m sample_videos.second", description="pictures of a second renderer")
    out.add_argument("--decks", type=Path, default=HOME, help="folder of KDE's card decks")
    out.add_argument("--cards", type=Path, default=Path(".cache/second/cards"), help="where the cards are kept")
    commands = out.add_subparsers(dest="command", required=True)
    frames = commands.add_parser("frames", help="labelled frames")
    frames.add_argument("--count", type=number, default=300)
    frames.add_argument("--out", type=Path, required=True)
    films = commands.add_parser("films", help="films of burns, with their truth")
    names = [take.name for take in TAKES]
    films.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}; all if none is given")
    films.add_argument("--out", type=Path, required=True)
    films.add_argument("--scale", type=share, default=1.0, help="smaller pictures, for a quick look: 0.25 to 1")
    return out


def chosen(names: list[str]) -> list[Take]:
    """The takes of these names, or all.

    Raises:
        Fault: there is none of that name.
    """
    by_name = {take.name: take for take in TAKES}
    for name in names:
        if name not in by_name:
            known = ", ".join(by_name)
            raise Fault(
                f"no film '{name}'", where="the command line", why=f"there are {known}", todo="Name one of them."
            )
    return [by_name[name] for name in names] or list(TAKES)


def main(arguments: list[str] | None = None) -> int:
    """Runs one command; returns the exit code."""
    options = parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the browser is closed as well
    try:
        takes = chosen(options.names) if options.command == "films" else []
        bake(options.decks, options.cards)
        if options.command == "frames":
            render_frames(SEEDS[: options.count], options.out, options.cards)
        for take in takes:
            write_film(take.smaller(options.scale), options.out, options.cards)
    except Fault as fault:
        sys.stderr.write(f"{fault}\n")
        return fault.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
