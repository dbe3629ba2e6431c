"""What came of a training on a casino's own labels, in plain lines."""

from __future__ import annotations

from collections.abc import Sequence

from models.labels.measure import Comparison

HEAD = ("class", "things", "old AP50", "new AP50")


def figure_lines(figures: Comparison, recordings: Sequence[str], how: str) -> list[str]:
    """The table of old against new on the pictures held back."""
    named = ", ".join(recordings[:6]) + (f" and {len(recordings) - 6} more" if len(recordings) > 6 else "")
    lines = [
        f"held back: {figures.views} views with {figures.things} things ({how}: {named})",
        f"{HEAD[0]:<12} {HEAD[1]:>7} {HEAD[2]:>9} {HEAD[3]:>9}",
    ]
    lines += [f"{one.name:<12} {one.things:>7} {one.old:>9.4f} {one.new:>9.4f}" for one in figures.classes]
    lines += [
        f"{'mean':<12} {figures.things:>7} {figures.old:>9.4f} {figures.new:>9.4f}",
        f"difference {figures.new - figures.old:+.4f} (95 % from {figures.low:+.4f} to {figures.high:+.4f})",
        f"at the program's threshold: old found {figures.told_old.found}, false {figures.told_old.false}; "
        f"new found {figures.told_new.found}, false {figures.told_new.false}",
    ]
    if figures.others:
        lines.append(
            f"classes that were not labelled: of {figures.others} sure finds of the old model the new one has "
            f"{figures.kept}"
        )
    return lines
