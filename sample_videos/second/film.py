"""Short films of burns: the scene, its video, table file, signals and truth."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.random import Generator

from calibration.toml_text import document_text
from sample_videos.second import looks
from sample_videos.second.browser import Browser
from sample_videos.second.burn import Burn, Plan
from sample_videos.second.camera import Camera
from sample_videos.second.develop import Film, develop
from sample_videos.second.filmtruth import events, findings
from sample_videos.second.layout import layout
from sample_videos.second.motion import hand_pose
from sample_videos.second.scene import Drawing, Image, Scene, table_keys
from sample_videos.second.still import Still
from sample_videos.second.things import Thing
from sample_videos.second.truth import objects

#: A line of boxes.jsonl for every so many frames.
BOXES_EVERY = 10
SHOULDERS = {"left": (-210.0, -330.0, 330.0), "right": (210.0, -330.0, 330.0)}
HOMES = {"left": (-150.0, -60.0), "right": (150.0, -60.0)}
#: Circles (x, y, radius) that the dealer works in: nothing is put there.
WORKING = [(0.0, 200.0, 270.0), (-330.0, 150.0, 190.0), (330.0, 150.0, 190.0)]
SIGNALS = (("shuffler", "none"), ("preshuffled", False))


@dataclass(frozen=True, slots=True)
class Take:
    """One film: the plan, the camera's numbers, the deck."""

    name: str
    seed: int
    plan: Plan
    size_px: tuple[int, int]
    fps: int
    mm_per_px: float
    tilt_deg: float
    azimuth_deg: float
    roll_deg: float
    shoe_side: str
    deck: str
    bit_rate: int = 2_500_000

    def smaller(self, share: float) -> Take:
        """The same film with sides so much shorter, for a quick look."""
        width, height = (2 * round(side * share / 2) for side in self.size_px)
        rate = round(self.bit_rate * share)
        return replace(self, size_px=(width, height), mm_per_px=self.mm_per_px / share, bit_rate=rate)


TAKES = (
    Take("seven_right", 11, Plan("7", "H", 7, True, True, False), (1280, 720), 15, 1.1, 8, 90, 2, "left", "nicu"),
    Take(
        "ace_right",
        12,
        Plan("A", "S", 1, False, False, True, 0.88),
        (1280, 720),
        15,
        1.05,
        0,
        0,
        181,
        "left",
        "standard",
    ),
    Take(
        "jack_right",
        13,
        Plan("J", "D", 10, True, True, False, 0.9),
        (1280, 720),
        15,
        1.08,
        20,
        120,
        -3,
        "right",
        "penguins",
    ),
    Take("five_short", 14, Plan("5", "C", 4, False, True, True), (1280, 720), 15, 1.1, 14, 60, 178, "left", "penguins"),
    Take(
        "eight_over", 15, Plan("8", "D", 9, True, False, False), (1920, 1080), 15, 0.75, 4, 270, 0, "left", "standard"
    ),
    Take(
        "king_six",
        16,
        Plan("K", "S", 6, True, True, False, 0.95),
        (1280, 720),
        15,
        1.15,
        25,
        95,
        3,
        "right",
        "standard",
    ),
)


@dataclass(slots=True)
class Set:
    """What a film is made of: the scene, the burn, and which thing each track moves."""

    scene: Scene
    burn: Burn
    seconds: float
    cards: list[Thing]
    hands: dict[str, Thing]

    def at(self, t_s: float) -> list[Thing]:
        """The moving things at a time."""
        out = []
        for thing, track in zip(self.cards, self.burn.cards, strict=True):
            out.append(thing.moved(**track.at(t_s)))
        for side, thing in self.hands.items():
            pose = hand_pose(self.burn.hands[side].at(t_s), SHOULDERS[side], (*HOMES[side], 0.0))
            out.append(replace(thing, pose=pose))
        return out


def build(take: Take) -> Set:
    """The scene of a take, and its choreography."""
    random = np.random.default_rng([6295, take.seed])
    table = layout(random, take.shoe_side)
    still = Still(random, table, looks.pack(random, take.deck))
    shoe = looks.shoe(random, still.pack.back)
    inward = 180.0 if take.shoe_side == "right" else 0.0
    turn = inward + (-10.0 if take.shoe_side == "left" else 10.0)
    outline = np.array(table.zones_mm["shoe"])
    inner = float(outline[:, 0].max() if take.shoe_side == "left" else outline[:, 0].min())
    sign = 1.0 if take.shoe_side == "right" else -1.0
    at = (inner + sign * (shoe["length"] / 2 + 8), table.middle("shoe")[1])
    still.put("shoe", "shoe", shoe, at=[*at, 0.3], turn=turn)
    bucket = _bucket(random)
    still.put("discard", "discard", bucket, at=[*table.middle("discard"), 0.3], turn=0.0)
    still.tray()
    still.taken += WORKING
    still.bets()
    _onlookers(still)
    height = float(bucket["size"][2])
    burn = Burn(table, take.plan, at, turn, shoe["length"] / 2, height, random)
    seconds = burn.perform()
    cards = [_card(still, take.plan, index, track.at(0.0)) for index, track in enumerate(burn.cards)]
    look = looks.hand(random, "left", dealer=True)
    hands = {}
    for side, track in burn.hands.items():
        pose = hand_pose(track.at(0.0), SHOULDERS[side], (*HOMES[side], 0.0))
        hands[side] = still.put("hand", "hand", look | {"side": side, "seed": looks.seed(random)}, **pose)
    still.put("person", "person", looks.person(random, look["sleeve"]), at=[0.0, -360.0, 400.0], turn=0.0)
    camera = _camera(take, random)
    _name_dealt(burn, cards)
    return Set(
        Scene(camera, table, looks.light(random), tuple(still.things), still.pack.deck), burn, seconds, cards, hands
    )


def _camera(take: Take, random: Generator) -> Camera:
    return Camera.over(
        np.array([random.normal(0, 15), 200 + random.normal(0, 10)]),
        size_px=take.size_px,
        mm_per_px=take.mm_per_px,
        height_mm=float(random.uniform(2300, 3000)),
        tilt_deg=take.tilt_deg,
        azimuth_deg=take.azimuth_deg,
        roll_deg=take.roll_deg,
    )


def _bucket(random: Generator) -> dict[str, Any]:
    """An open box or a round bucket, large enough for cards to fall in."""
    spec = looks.discard(random)
    while spec["make"] not in ("box", "round"):
        spec = looks.discard(random)
    return spec | {"size": [max(spec["size"][0], 120.0), max(spec["size"][1], 120.0), min(spec["size"][2], 70.0)]}


def _card(still: Still, plan: Plan, index: int, pose: Mapping[str, Any]) -> Thing:
    """The thing that is drawn as number `index`; the first one is the plan's."""
    spec = still.pack.card(plan.rank, plan.suit) if index == 0 else still.pack.any_card(still.random) | {"bend": 0.0}
    return still.put("card", "card_back", spec, **pose)


def _name_dealt(burn: Burn, cards: list[Thing]) -> None:
    """Rank and suit of the cards dealt face up go into their events."""
    first = 1 + burn.plan.burned
    for event in burn.events:
        number = event["facts"].pop("number", None)
        if number is not None and event["facts"]["face"] == "up":
            spec = cards[first + number].spec
            event["facts"] |= {"rank": spec["rank"], "suit": spec["suit"]}


def _onlookers(still: Still) -> None:
    """Players' hands at rest beyond the dealer's area, and some of their things."""
    random = still.random
    for angle in (0.7, 1.35, 2.3):
        x, y = 700 * np.cos(angle), 40 + 640 * np.sin(angle)
        spec = looks.hand(random, looks.pick(random, ("left", "right")), dealer=False)
        curl = [15.0, *random.uniform(10, 45, 4).tolist()]
        pose = {"wrist": [float(x), float(y), 24.0], "yaw": float(np.degrees(angle)) + 180, "pitch": 4.0, "roll": 0.0}
        far = [float(1300 * np.cos(angle)), float(40 + 1200 * np.sin(angle)), 260.0]
        still.put("hand", "hand", spec, **pose, curl=curl, spread=3.0, shoulder=far)
    for _ in range(3):
        place = still.room(70, (-700, 420, 700, 700))
        if place is not None:
            spec = {"what": looks.pick(random, looks.CLUTTER), "seed": looks.seed(random), "colour": "#2b4c9b"}
            still.put("clutter", None, spec | {"lit": False, "share": 0.5}, at=[*place, 0.4], turn=still.turn())


class Grains:
    """A camera's noise over a film: eight pictures of it in turn, which is quicker than new noise for each frame."""

    def __init__(self, random: Generator, size_px: tuple[int, int], of_255: float = 2.5) -> None:
        rough = random.standard_normal((8, size_px[1], size_px[0], 1), dtype=np.float32) * of_255
        self._grains = np.repeat(rough, 3, axis=3).astype(np.int16)
        self._next = 0

    def over(self, picture: Image) -> Image:
        """The picture with the next noise over it."""
        self._next = (self._next + 1) % len(self._grains)
        return np.asarray(np.clip(picture + self._grains[self._next], 0, 255), np.uint8)


def pictures(browser: Browser, made: Set, take: Take, labels: list[dict[str, Any]]) -> Iterable[Image]:
    """The film's frames (H, W, 3) BGR; every tenth one's labels are added to `labels`."""
    random = np.random.default_rng([6296, take.seed])
    how = Film(gain=1.2, cast=(0.97, 1.0, 1.03), blur_px=0.5)
    drawing, grains = Drawing(browser, made.scene), Grains(random, take.size_px)
    before: dict[int, Any] = {}
    for number in range(int(made.seconds * take.fps)):
        things = made.at(number / take.fps)
        moved = [thing for thing in things if before.get(thing.id) != thing.pose]
        before |= {thing.id: thing.pose for thing in moved}
        truth = number % BOXES_EVERY == 0
        seen = drawing.draw(moved, truth=truth, only=number > 0)
        if truth:
            shown = {thing.id: thing for thing in made.scene.things} | {thing.id: thing for thing in things}
            t_us = round(number * 1e6 / take.fps)
            labels.append({"t_us": t_us, "objects": objects(shown.values(), seen, made.scene.camera)})
        yield grains.over(develop(drawing.picture, how, random))


def encode(frames: Iterable[Image], path: Path, take: Take) -> None:
    """Writes an H.264 video."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(take.fps))
        stream.width, stream.height = take.size_px
        stream.pix_fmt = "yuv420p"
        stream.bit_rate = take.bit_rate
        stream.options = {"preset": "fast"}
        for image in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="bgr24")))
        container.mux(stream.encode())


def write_film(take: Take, out: Path, cards: Path) -> None:
    """Writes `out/NAME/` with video.mp4, table.toml, signals.jsonl and truth/."""
    made = build(take)
    folder, truth = out / take.name, out / take.name / "truth"
    truth.mkdir(parents=True, exist_ok=True)
    table = f"second-{take.name}"
    keys = table_keys(table, made.scene.camera, made.scene.layout, [name for name, _ in SIGNALS])
    (folder / "table.toml").write_text(document_text(keys), encoding="utf-8")
    _lines(folder / "signals.jsonl", [{"t_us": 0, "name": name, "value": value} for name, value in SIGNALS])
    told = events(made.burn, table)
    _lines(truth / "events.jsonl", told)
    _lines(truth / "findings.jsonl", findings(made.burn, told, table))
    labels: list[dict[str, Any]] = []
    with Browser({"cards": cards}) as browser:
        encode(pictures(browser, made, take, labels), folder / "video.mp4", take)
    _lines(truth / "boxes.jsonl", labels)
    sys.stderr.write(f"{take.name}: {made.seconds:.1f} s\n")


def _lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
