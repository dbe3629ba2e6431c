"""Prints the figures, on scenes and photographs that training and tuning never saw.

`scenes` renders a set of scenes, reviews them as a stranger's recordings and scores them; it goes on where it
was stopped.
`measures` takes single measurements of settled pictures.
`photographs` measures the detector on real photographs, `renders` on held-out pictures of the studio.
`mirror`, `halved`, `hidden` and `lost` review a film again under other conditions and compare the verdicts; with a
verdict that became what it must not the exit code is 1.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from faults import Fault
from pitwatch.commands.review import positive
from pitwatch.evaluation_burn import burn_figures
from pitwatch.evaluation_pairs import CONDITIONS, HIDDEN, LOST, film_of, plain_of, trial_lines, trials
from pitwatch.extras import hand_over, optional
from pitwatch.jsonl import write_json
from pitwatch.progress import progress
from pitwatch.score import score_folders
from pitwatch.score_text import text_of
from pitwatch.stages import real_stages

ABOUT = dict(
    zip(
        CONDITIONS,
        (
            "a film and its table file as in a mirror: the same verdicts",
            "every second picture left out: the same verdicts or weaker",
            "each second made black in turn: the same verdicts or weaker",
            "each second taken out in turn: the same verdicts or weaker",
        ),
        strict=True,
    )
)
SETS = ("burns", "cuts", "seconds", "ends", "loads", "changes")
PARTS = {
    "photographs": "models.evaluate_photos",
    "reader": "models.evaluate_reader",
    "dice": "models.evaluate_dice",
    "backs": "models.evaluate_backs",
    "renders": "models.evaluate_table",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parts = parser.add_subparsers(dest="part", metavar="PART", required=True)
    scenes = parts.add_parser("scenes", help="whole reviews of rendered scenes")
    scenes.add_argument("--set", choices=SETS, default="burns", help="which scenes (burns)")
    scenes.add_argument("--count", type=positive, help="how many scenes (as many as the set has)")
    scenes.add_argument("--first", type=int, default=0, help="leave out the scenes before this number (0)")
    scenes.add_argument("--out", type=Path, default=Path("runs/evaluation"), help="where they are kept")
    scenes.add_argument("--jobs", type=positive, default=2, help="processes")
    scenes.add_argument("--keep", action="store_true", help="keep recordings, clips and reports")
    scenes.add_argument("--render-only", action="store_true", help="render the recordings, review them another time")
    scenes.add_argument("--development", action="store_true", help="the scenes that development may look at")
    scenes.add_argument("--json", type=Path, metavar="FILE", help="write the figures here as well")
    measures = parts.add_parser("measures", help="single measurements on settled pictures of rendered scenes")
    measures.add_argument("--count", type=positive, default=300, help="how many of each measurement (300)")
    measures.add_argument("--development", action="store_true", help="the scenes that development may look at")
    measures.add_argument("--json", type=Path, metavar="FILE", help="write the figures here as well")
    for condition, about in ABOUT.items():
        pairs = parts.add_parser(condition, help=about)
        pairs.add_argument(
            "films", nargs="+", type=Path, metavar="FILM", help="a folder with video, table file, signals"
        )
        pairs.add_argument("--json", type=Path, metavar="FILE", help="write every verdict here as well")
        if condition in {HIDDEN, LOST}:
            pairs.add_argument("--every", type=positive, default=1, metavar="SECONDS", help="how far apart (1)")
    for name, module in PARTS.items():
        part = parts.add_parser(name, add_help=False, help=f"runs {module}, which lists its options with --help")
        part.add_argument("rest", nargs=argparse.REMAINDER)


def run(options: argparse.Namespace) -> int:
    """Prints the figures of the part."""
    if options.part in PARTS:
        return hand_over(PARTS[options.part], options.rest)
    if options.part in CONDITIONS:
        return _pairs(options)
    if options.part == "measures":
        return _measures(options)
    evaluation = optional("pitwatch.evaluation", "studio")
    sets = optional("pitwatch.evaluation_sets", "studio")
    count = options.count or sets.SETS[options.set].count
    part = evaluation.Part(options.set, count, options.development, options.first)
    if not part.numbers:
        raise Fault(
            "no scene is left",
            where="pitwatch evaluate scenes",
            why=f"--first {part.first} leaves out all of the {count} scenes",
            todo="Give a smaller number, or a larger --count.",
        )
    with progress("evaluate", unit="scenes", total=len(part.numbers)) as show:
        scenes = evaluation.run(
            part, options.out, jobs=options.jobs, keep=options.keep, review_it=not options.render_only
        )
        for number, _ in enumerate(scenes, start=1):
            show.at(number)
    if options.render_only:
        return 0
    score = score_folders(evaluation.pairs(part, options.out))
    plain = score.to_plain()
    sys.stdout.write(text_of(score) + "\n")
    if options.set == "burns":
        burns = burn_figures(evaluation.folders(part, options.out))
        sys.stdout.write(burns.text() + "\n")
        plain["burn"] = burns.to_plain()
    if options.json is not None:
        write_json(options.json, plain)
    return 0


def _measures(options: argparse.Namespace) -> int:
    """Prints a table for each measurement."""
    measures = optional("pitwatch.evaluation_measures", "studio")
    ribbons = optional("pitwatch.evaluation_ribbon", "studio")
    plain = {}
    for measurement in (*measures.MEASUREMENTS, *ribbons.MEASUREMENTS):
        trials = []
        with progress("evaluate", unit="pictures", total=options.count) as show:
            for number, trial in enumerate(measurement.trials(options.count, options.development), start=1):
                trials.append(trial)
                show.at(number)
        done = measures.rows(measurement, trials)
        sys.stdout.write(measures.table_text(measurement, done) + "\n")
        plain[measurement.name] = [row.to_plain() for row in done]
    if options.json is not None:
        write_json(options.json, plain)
    return 0


def _pairs(options: argparse.Namespace) -> int:
    """Prints what became of the verdicts of each film."""
    wrong, plain = 0, []
    step_us = getattr(options, "every", 1) * 1_000_000
    for place in options.films:
        with _folder_of(place) as folder, progress("evaluate", unit="reviews") as show:
            done = []
            for number, trial in enumerate(trials(film_of(folder), [options.part], real_stages(), step_us), start=1):
                done.append(trial)
                show.at(number)
        for line in trial_lines(place.stem, done):
            sys.stdout.write(line + "\n")
        wrong += sum(len(trial.wrong) for trial in done)
        plain += plain_of(place.stem, done)
    if options.json is not None:
        write_json(options.json, {"verdicts": plain})
    return 1 if wrong else 0


@contextlib.contextmanager
def _folder_of(place: Path) -> Iterator[Path]:
    """A film's folder; a scenario is rendered into one that lasts as long as it is needed."""
    if place.suffix != ".toml":
        yield place
        return
    render_file = optional("sample_videos.studio.render", "studio").render_file
    with tempfile.TemporaryDirectory(prefix="pitwatch-film-") as folder:
        render_file(place, Path(folder))
        yield Path(folder)
