"""The shuffler: the pack is put into it and taken out again, whether it ran in between or not."""

from __future__ import annotations

from sample_videos.studio.choreography.dealing import Dealing, middle
from sample_videos.studio.choreography.handling import Stack, grip_flat, hands_off, move, wait
from sample_videos.studio.choreography.riffling import WORKING, at, put_on


def through_shuffler(d: Dealing, piles: tuple[Stack, Stack], *, runs: bool, seconds: float = 4.0) -> Stack:
    """Both piles are laid into the shuffler's place and come back as one stack; returns it."""
    x, y = middle(d.zones["shuffler"])
    start = d.now_us
    loaded = None
    for pile in piles:
        loaded = put_on(d, pile, loaded, (x, y))
    assert loaded is not None
    d.event("shuffler.load", start, d.now_us)
    hands_off(d, 0.7)
    start = d.now_us
    wait(d, d.jitter(seconds))
    if runs:
        d.event("shuffle.device", start, d.now_us, device="shuffler")
        d.event("shuffle.end", d.now_us, d.now_us, method="device", stacks=1)
        d.moments["shuffled"] = d.now_us
    goal = at(loaded.last, WORKING)
    move(d, grip_flat(d, loaded.last), 0.7, lift_mm=25)
    move(d, grip_flat(d, goal), 1.0, stacks=[(loaded, goal)], lift_mm=35)
    return loaded
