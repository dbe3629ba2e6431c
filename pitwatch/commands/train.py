"""Trains the models, in the training environment (requirements/train.txt). What follows is handed on to it."""

from __future__ import annotations

import argparse

from pitwatch.extras import hand_over


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("rest", nargs=argparse.REMAINDER, help="a step and its options; 'pitwatch train all --help'")


def run(options: argparse.Namespace) -> int:
    """Hands over to the training recipe."""
    return hand_over("models.train", options.rest)
