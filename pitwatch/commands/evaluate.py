"""Prints the figures, on scenes and photographs that training and tuning never saw.

`scenes` renders burn scenes, reviews them as a stranger's recordings and scores them; it goes on where it was stopped.
`photographs` measures the detector on real photographs, `renders` on held-out pictures of the studio.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pitwatch.commands.review import positive
from pitwatch.evaluation_burn import burn_figures
from pitwatch.extras import hand_over, optional
from pitwatch.jsonl import write_json
from pitwatch.progress import progress
from pitwatch.score import score_folders
from pitwatch.score_text import text_of

PARTS = {"photographs": "models.evaluate_photos", "renders": "models.evaluate_table"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parts = parser.add_subparsers(dest="part", metavar="PART", required=True)
    scenes = parts.add_parser("scenes", help="whole reviews of rendered scenes")
    scenes.add_argument("--count", type=positive, default=300, help="how many scenes (300)")
    scenes.add_argument("--out", type=Path, default=Path("runs/evaluation"), help="where they are kept")
    scenes.add_argument("--jobs", type=positive, default=2, help="processes")
    scenes.add_argument("--keep", action="store_true", help="keep recordings, clips and reports")
    scenes.add_argument("--render-only", action="store_true", help="render the recordings, review them another time")
    scenes.add_argument("--development", action="store_true", help="the scenes that development may look at")
    scenes.add_argument("--json", type=Path, metavar="FILE", help="write the figures here as well")
    for name, module in PARTS.items():
        part = parts.add_parser(name, add_help=False, help=f"runs {module}, which lists its options with --help")
        part.add_argument("rest", nargs=argparse.REMAINDER)


def run(options: argparse.Namespace) -> int:
    """Prints the figures of the part."""
    if options.part in PARTS:
        return hand_over(PARTS[options.part], options.rest)
    evaluation = optional("pitwatch.evaluation", "studio")
    with progress("evaluate", unit="scenes", total=options.count) as show:
        seed = evaluation.DEVELOPMENT_SEED if options.development else evaluation.EVALUATION_SEED
        scenes = evaluation.run(
            evaluation.Part(options.count, seed),
            options.out,
            jobs=options.jobs,
            keep=options.keep,
            review_it=not options.render_only,
        )
        for number, _ in enumerate(scenes, start=1):
            show.at(number)
    if options.render_only:
        return 0
    score = score_folders(evaluation.pairs(options.out))
    burns = burn_figures(evaluation.folders(options.out))
    sys.stdout.write(text_of(score) + "\n" + burns.text() + "\n")
    if options.json is not None:
        write_json(options.json, {**score.to_plain(), "burn": burns.to_plain()})
    return 0
