"""A random moment at a random table: the labelled frames."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from sample_videos.second import looks
from sample_videos.second.camera import Camera
from sample_videos.second.guests import Guests
from sample_videos.second.layout import layout
from sample_videos.second.scene import Scene

SIZES_PX = ((640, 360), (640, 480), (960, 540), (1280, 720), (1280, 960), (1920, 1080))


class Still(Guests):
    """Furnishes a table at random."""

    def fixed(self) -> None:
        """Shoe, bucket, tray: they stand where the layout has them."""
        random = self.random
        x, y = self.table.middle("shoe")
        inward = 180.0 if x > 0 else 0.0
        if self.chance(0.9) and self.claim(x, y, 150):
            turn = inward + float(random.normal(-8 if x < 0 else 8, 9))
            self.put("shoe", "shoe", looks.shoe(random, self.pack.back), at=[x, y, 0.3], turn=turn)
        x, y = self.table.middle("discard")
        if self.chance(0.9) and self.claim(x, y, 85):
            spec = looks.discard(random)
            self.put("discard", "discard", spec, at=[x, y, 0.3], turn=float(random.normal(0, 6)))
            for index in range(int(random.integers(0, 4)) if spec["make"] != "slot" else 0):
                up = self.chance(0.25)
                self.card(
                    x + float(random.normal(0, 5)),
                    y + float(random.normal(0, 5)),
                    float(random.normal(0, 8)),
                    up=up,
                    height=4 + 2 * index,
                )
        if self.chance(0.75):
            self.tray()

    def tray(self) -> None:
        """The dealer's tray with its rows of chips."""
        outline = np.array(self.table.zones_mm["tray"])
        (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
        tubes = int((x1 - x0 - 16) // 41)
        size = [tubes * 41.0, float(y1 - y0 - 14)]
        self.taken += [(x, float(y0 + y1) / 2, 55.0) for x in np.arange(x0, x1 + 1, 60.0).tolist()]
        colour = looks.pick(self.random, ("#1a1a1c", "#8a7a4a", "#6e6e74"))
        middle = float(y0 + y1) / 2
        self.put(
            "tray",
            None,
            {"size": size, "tubes": tubes, "colour": colour, "metal": 0.4},
            at=[0.0, middle, 0.0],
            turn=0.0,
        )
        for index in range(tubes):
            if self.chance(0.12):
                continue
            count = int(self.random.integers(5, int(size[1] / 3.3)))
            y = middle + size[1] / 2 - count * 3.3 / 2 - 1
            spec = looks.chips(self.random, count, lying=True)
            self.put("chips", "chips", spec, at=[(index - (tubes - 1) / 2) * 41.0, y, 3.0], turn=0.0)

    def machine(self) -> None:
        """A shuffler, perhaps with its lamp."""
        place = self.room(190)
        if place is None:
            return
        spec = looks.shuffler(self.random, self.pack.back)
        turn = self.turn()
        self.put("shuffler", "shuffler", spec, at=[*place, 0.3], turn=turn)
        if self.chance(0.7):
            cos, sin = float(np.cos(np.radians(turn))), float(np.sin(np.radians(turn)))
            along, aside = spec["length"] * 0.38, -spec["width"] * 0.32
            x, y = place[0] + along * cos - aside * sin, place[1] + along * sin + aside * cos
            self.lamp(x, y, spec["height"] + 0.5)

    def lamp(self, x: float, y: float, z: float) -> None:
        """A lamp that tells something."""
        colour = looks.pick(self.random, ("#ff2a1a", "#19e04a", "#ffb000", "#2a7bff"))
        spec = {"radius": float(self.random.uniform(11, 17)), "colour": colour, "lit": self.chance(0.75)}
        self.put("lamp", "lamp", spec, at=[x, y, z], turn=0.0)

    def stack(self) -> None:
        """A stack: squared or laced, flat or on its edge; now and then with a cover card in it or on it."""
        random = self.random
        edge = self.chance(0.35)
        cards = int(random.integers(104, 417) if edge else random.choice([26, 52, 78, 104, 156, 208]))
        long = cards * 0.3 if edge else 89.0
        place = self.room(max(60.0, long / 2 + 30))
        if place is None:
            return
        feather = float(random.uniform(12, 40)) if not edge and self.chance(0.3) else 0.0
        spec = self.pack.stack(random, cards, edge=edge, feather=feather, loose=float(random.uniform(0.3, 2.2)))
        turn = self.turn()
        self.put("stack", "stack", spec, at=[*place, 0.4], turn=turn)
        if self.chance(0.35):
            a = np.radians(turn)
            if edge:
                along = float(random.uniform(-0.45, 0.45)) * long
                at = [place[0] + along * np.cos(a), place[1] + along * np.sin(a), 31.75 + float(random.uniform(12, 26))]
                self.put(
                    "card",
                    "cover_card",
                    looks.cover(random, self.pack.size),
                    at=[float(v) for v in at],
                    turn=turn,
                    flip=90.0,
                )
            else:
                out = float(random.uniform(0, 60))
                at = [
                    place[0] - out * np.sin(a),
                    place[1] + out * np.cos(a),
                    float(random.uniform(0.4, 1)) * cards * 0.3 + 1.2,
                ]
                self.put(
                    "card", "cover_card", looks.cover(random, self.pack.size), at=[float(v) for v in at], turn=turn
                )

    def dice_game(self) -> None:
        """A shaker, its lid on or beside it, dice in it or about."""
        random = self.random
        colour, trim = (
            looks.pick(random, (*looks.PLASTICS, "#7a1018", "#123a7a")),
            looks.pick(random, ("#1a5c34", "#b9a15a", "#222")),
        )
        radius, height = float(random.uniform(46, 62)), float(random.uniform(28, 60))
        place = self.room(radius + 8)
        if place is None:
            return
        self.put(
            "shaker",
            "shaker",
            {"radius": radius, "height": height, "colour": colour, "trim": trim},
            at=[*place, 0.3],
            turn=0.0,
        )
        spec = {"radius": radius + 3, "height": float(random.uniform(40, 70)), "colour": colour, "trim": trim}
        spec["make"] = looks.pick(random, ("dome", "dome", "disc"))
        covered = self.chance(0.35)
        beside = place if covered else self.room(radius + 8)
        if beside is not None:
            self.put("lid", "shaker_lid", spec, at=[*beside, height + 1 if covered else 0.3], turn=0.0)
        inside = not covered and self.chance(0.6)
        look = looks.die(random)
        for index in range(3):
            angle = 2.1 * index + float(random.uniform(-0.4, 0.4))
            at = [place[0] + 20 * np.cos(angle), place[1] + 20 * np.sin(angle), 9.0]
            where = [float(v) for v in at] if inside else self._on_felt(look["edge"])
            if where is not None and not covered:
                self.put("die", "die", look | {"pips": int(random.integers(1, 7))}, at=where, turn=self.turn())

    def _on_felt(self, size: float) -> list[float] | None:
        place = self.room(size)
        return None if place is None else [*place, 0.3]

    def bets(self) -> None:
        """Chips on the spots and before the seats."""
        for seat in self.table.seats:
            if not self.chance(0.6):
                continue
            x, y = self.table.middle(f"bet:{seat}:main")
            for _ in range(int(self.random.integers(1, 6))):
                a, b = x + float(self.random.normal(0, 45)), y + float(self.random.normal(20, 45))
                if self.claim(a, b, 21):
                    self.put(
                        "chips",
                        "chips",
                        looks.chips(self.random, int(self.random.integers(1, 16))),
                        at=[a, b, 0.3],
                        turn=0.0,
                    )
        for _ in range(int(self.random.integers(0, 4))):
            place = self.room(21)
            if place is not None:
                self.put(
                    "chips",
                    "chips",
                    looks.chips(self.random, int(self.random.integers(1, 12))),
                    at=[*place, 0.3],
                    turn=0.0,
                )

    def hands_of_cards(self) -> None:
        """Cards in the boxes of player and banker, a spread, single ones anywhere."""
        random = self.random
        for zone in ("player", "banker"):
            x, y = self.table.middle(zone)
            up = self.chance(0.7)
            if self.chance(0.65) and self.claim(x, y, 95):
                for index in range(int(random.integers(2, 4))):
                    side = 90.0 if index == 2 else 0.0
                    gap = 72 * (index - 0.6) if self.chance(0.7) else 24 * index
                    self.card(x + gap - 20, y + float(random.normal(0, 3)), side + float(random.normal(0, 5)), up=up)
        if self.chance(0.3):
            self.spread()
        for _ in range(int(random.integers(0, 6))):
            place = self.room(48)
            if place is not None:
                self.card(*place, self.turn(), up=self.chance(0.55))
        if self.chance(0.45) and (place := self.room(48)):
            self.cover(*place, self.turn())

    def spread(self) -> None:
        """A few cards, each over most of the one before."""
        place = self.room(120)
        if place is None:
            return
        up, turn = self.chance(0.5), self.turn()
        gap, bow = float(self.random.uniform(16, 34)), float(self.random.uniform(-4, 4))
        for index in range(int(self.random.integers(3, 8))):
            a = np.radians(turn + bow * index)
            self.card(
                place[0] + gap * (index - 3) * float(np.cos(a)),
                place[1] + gap * (index - 3) * float(np.sin(a)),
                turn + bow * index,
                up=up,
            )


def camera(random: Generator, area: tuple[float, float, float, float] = (-250, 140, 250, 300)) -> Camera:
    """A surveillance camera over the dealer's area."""
    size = SIZES_PX[int(random.integers(len(SIZES_PX)))]
    least = {640: 1.05, 960: 0.9, 1280: 0.65, 1920: 0.5}[size[0]]
    aim = np.array([random.uniform(area[0], area[2]), random.uniform(area[1], area[3])])
    tilt = 0.0 if random.random() < 0.25 else float(30 * random.random())
    top = 180.0 if random.random() < 0.35 else 0.0
    return Camera.over(
        aim,
        size_px=size,
        mm_per_px=float(random.uniform(least, 1.3)),
        height_mm=float(random.uniform(1900, 3300)),
        tilt_deg=tilt,
        azimuth_deg=float(random.uniform(0, 360)),
        roll_deg=top + float(random.normal(0, 6)),
        bend=float(random.choice([0.0, -0.12, -0.25, 0.08])),
    )


def still(random: Generator) -> Scene:
    """One random scene."""
    table = layout(random)
    scene = Still(random, table, looks.pack(random))
    scene.fixed()
    for what, share in (
        (scene.machine, 0.28),
        (scene.stack, 0.75),
        (scene.stack, 0.35),
        (scene.dice_game, 0.4),
        (scene.hands_of_cards, 0.92),
        (scene.bets, 0.8),
        (scene.clutter, 0.75),
        (scene.people, 0.85),
    ):
        if scene.chance(share):
            what()
    if scene.chance(0.15) and (place := scene.room(20)):
        scene.lamp(*place, 0.4)
    return Scene(camera(random), table, looks.light(random), tuple(scene.things), scene.pack.deck)
