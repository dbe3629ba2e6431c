"""People and their things: the dealer's hands, players' hands, heads and shoulders; what is none of the classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from sample_videos.second import looks
from sample_videos.second.placing import Placing
from sample_videos.second.things import Pose


class Guests(Placing):
    """Puts people and their things at a table."""

    def people(self) -> None:
        """The dealer's hands, players' hands and, where the camera reaches so far, heads and shoulders."""
        random = self.random
        look = looks.hand(random, "left", dealer=True)
        for side in ("left", "right"):
            if not self.chance(0.65):
                continue
            sign = 1.0 if side == "right" else -1.0
            wrist = [
                sign * float(random.uniform(20, 420)),
                float(random.uniform(30, 330)),
                float(random.uniform(22, 90)),
            ]
            if abs(wrist[0] - self.table.middle("shoe")[0]) < 240:
                wrist[2] += 130.0  # over the shoe, not in it
            yaw = 90 + sign * float(random.uniform(-15, 45))
            self.hand(look | {"side": side, "seed": looks.seed(random)}, wrist, yaw, [sign * 210.0, -330.0, 330.0])
        for _ in range(int(random.integers(0, 4))):
            angle = float(random.uniform(0.15, 2.99))
            x, y = 560 * np.cos(angle), 40 + 560 * np.sin(angle)
            spec = looks.hand(random, looks.pick(random, ("left", "right")), dealer=False)
            far = [float(1300 * np.cos(angle)), float(40 + 1200 * np.sin(angle)), 260.0]
            yaw = float(np.degrees(angle)) + 180 + float(random.normal(0, 25))
            self.hand(spec, [float(x), float(y), float(random.uniform(18, 45))], yaw, far)
        if self.chance(0.5):
            self.put(
                "person",
                "person",
                looks.person(random, look["sleeve"]),
                at=[float(random.normal(0, 60)), -330.0, 400.0],
                turn=0.0,
            )
        for seat in self.table.seats:
            if self.chance(0.4):
                x, y = self.table.middle(f"seat:{seat}")
                away = np.hypot(x, y)
                at = [x * (1 + 420 / away), y * (1 + 420 / away), 330.0]
                turn = float(np.degrees(np.arctan2(y, x))) + 90 + float(random.normal(0, 15))
                self.put("person", "person", looks.person(random), at=[float(v) for v in at], turn=turn)

    def hand(self, spec: dict[str, Any], wrist: list[float], yaw: float, shoulder: list[float]) -> None:
        """A hand that lies, reaches, holds or points; half of those near the felt hold a card."""
        random = self.random
        closed = float(random.uniform(5, 55))
        curl = [float(random.uniform(0, 40))] + [max(0.0, closed + float(random.normal(0, 8))) for _ in range(4)]
        pitch, roll = float(random.uniform(0, 22)), float(random.normal(0, 14))
        pose: Pose = {"wrist": wrist, "yaw": yaw, "pitch": pitch, "roll": roll, "curl": curl}
        self.put("hand", "hand", spec, **pose, spread=float(random.uniform(0, 6)), shoulder=shoulder)
        if self.chance(0.45):
            a, far = np.radians(yaw), float(random.uniform(125, 185))
            up = self.chance(0.4)
            x, y = wrist[0] + far * np.cos(a), wrist[1] + far * np.sin(a)
            self.card(
                float(x),
                float(y),
                yaw + float(random.choice([0, 90])) + float(random.normal(0, 15)),
                up=up,
                height=max(0.0, wrist[2] - 40),
            )

    def clutter(self) -> None:
        """What is none of the classes."""
        for _ in range(int(self.random.integers(0, 6))):
            place = self.room(62)
            if place is not None:
                what = looks.pick(self.random, looks.CLUTTER)
                colour = looks.pick(self.random, ("#111114", "#2b4c9b", "#7a1018", "#c9a227", "#e8e8ea", "#b5651d"))
                spec = {"what": what, "seed": looks.seed(self.random), "colour": colour}
                spec |= {"lit": self.chance(0.5), "share": float(self.random.random())}
                self.put("clutter", None, spec, at=[*place, 0.4], turn=self.turn())
