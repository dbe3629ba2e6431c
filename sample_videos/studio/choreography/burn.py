"""The burn of a midibaccarat shoe and the first cards of play, 58 Pa. Code 629a.5(f), as a dealer does it.

`BurnScene(plan, equipment, zones, rng)` builds the whole scene. Built for a shoe at the dealer's left.
"""

from __future__ import annotations

from sample_videos.studio.choreography.cards import CardPath
from sample_videos.studio.choreography.dealer import Arm, carry, let_go, take, turn_over, us
from sample_videos.studio.choreography.dealing import FELT_Z, Dealing, inside, middle
from sample_videos.studio.scene import Vec3

CLEAR_OF_BOX_MM = 22.0  # a card's middle this far beyond a hand's box is not taken for a dealt one


class BurnScene(Dealing):
    """One burn scene, from the seed's choices to poses at any time."""

    def _play_out(self) -> None:
        plan = self.plan
        if plan.load_shoe:
            self._load_shoe()
        if plan.resting_hand:
            self._rest_over_bucket()
        if plan.burn:
            if self.rng.random() < 0.4:
                self.extras.bets(self.now_us + us(self.rng.uniform(0.3, 4.0)))  # some do not wait for the burn
            self._burn()
        if plan.chips:
            self._settle()
            self.now_us = self.extras.chips_through_bucket(self.right, self.now_us)
        if plan.play:
            self._start_play()
        self.moments["end"] = self.now_us

    def _load_shoe(self) -> None:
        start = self.now_us
        arrive = start + us(self.jitter(1.5))
        end = self.extras.load_shoe(self.left, self.right, start, arrive)
        self.event("shoe.load", start, end, by="dealer")
        self.moments["open"] = arrive - us(0.3)
        self._go_idle(end + us(0.5))
        self.now_us = end + us(0.6)

    def _rest_over_bucket(self) -> None:
        x, y = self.equipment.bucket_centre
        self.right.to(self.now_us + us(0.5), (x, y + 25, 85.0), curl=0.4)
        self.right.hold(self.now_us + us(0.5 + self.jitter(2.2)))
        self.now_us = self.right.free_us + us(0.1)
        self.right.to(self.now_us + us(0.4), self.right.idle)
        self.now_us += us(0.45)

    def _burn(self) -> None:
        first = self._first_card()
        self.extras.cover_from(self.now_us + us(0.2))
        left_out: list[CardPath] = []
        for i in range(self.plan.additional):
            if self.plan.empty_trip == i:
                self._settle()
                self._empty_trip()
            if self.plan.pause_before == i:
                self._settle()
                self._go_idle(self.now_us + us(0.5))
                self.now_us += us(self.jitter(2.6))
            if i > 0 and self.plan.pair == i - 1:
                continue  # went along with the one before
            card = self._additional(i)
            if i in self.plan.missed:
                left_out.append(card)
        self._settle()
        if self.plan.expose and self.plan.style.first_goes_last:
            self._first_to_bucket(first)
        if self.plan.fixed_before_play:
            for card, i in zip(left_out, self.plan.missed, strict=True):
                self.now_us += us(self.jitter(0.9))
                self._pick_up_and_burn(card, i + 1)
        self._go_idle(self.now_us + us(0.5))
        self.now_us += us(0.6)

    def _start_play(self) -> None:
        self.now_us = self.extras.bets(self.now_us)
        self._settle()
        started = self.now_us + us(self.jitter(0.25))
        self.event("round.start", started, started, round=1)
        self.moments["play"] = started
        self.now_us = started + us(0.05)
        for i, zone in enumerate(("player", "banker", "player", "banker")[: self.plan.style.dealt]):
            card = self._new_card()
            arm = self._draw(card)
            self._deal(arm, card, zone, i)
        self._go_idle(self.now_us + us(0.4))
        self.now_us += us(0.5)

    # -- the first card --------------------------------------------------------------------------------------------

    def _first_card(self) -> CardPath:
        plan, style = self.plan, self.plan.style
        card = self._new_card(plan.rank, plan.suit)
        arm = self._draw(card)
        if not plan.expose:
            self._into_bucket(arm, card, index=0, face="down")
            return card
        rest = self._show_spot()
        begin = arm.free_us
        reach = begin + us(self.jitter(style.carry_s))
        reach = carry(arm, card, reach, (rest[0], rest[1], 12.0), style.lift_mm)
        turn_over(card, begin + us(0.05), begin + us(0.05) + max(us(0.22), (reach - begin) * 2 // 3))
        done = let_go(card, reach, rest, self.about(0.15), us(0.06))
        arm.hold(done)
        self.event("card.place", done, done, zone=self._zone_at(rest), hand=arm.name, face="up", **self._what(card))
        self.moments["exposed"] = done
        self._rest(arm, done + us(0.35))
        self.now_us = done + us(self.jitter(style.show_s))
        if not style.first_goes_last:
            self._first_to_bucket(card)
        return card

    def _show_spot(self) -> Vec3:
        """Where the shown card lies: where this dealer has it, but not in a hand's box."""
        x, y = middle(self.zones["shuffle"])
        spot = (x + self.about(80), y + self.about(30), FELT_Z)
        if self.plan.style.first_rests == "tray":
            spot = (x + self.about(180), self.equipment.tray[1][1] + 90 + self.about(20), FELT_Z)
        elif self.plan.style.first_rests == "gap":
            top = max(p[1] for p in self.zones["player"])
            between = (middle(self.zones["player"])[0] + middle(self.zones["banker"])[0]) / 2
            spot = (between + self.about(12), top - 40.0 + self.about(35), FELT_Z)
        elif self.plan.style.first_rests == "bucket":
            bx, by = self.equipment.bucket_centre
            beside = bx - self.equipment.bucket_size_mm[0] / 2 - 55
            spot = (beside - self.rng.uniform(0, 30), by + 40 + self.about(35), FELT_Z)
        while self._in_a_box(spot) or self._in_a_box((spot[0], spot[1] - CLEAR_OF_BOX_MM, FELT_Z)):
            spot = (spot[0], spot[1] + 4.0, FELT_Z)
        return spot

    def _in_a_box(self, spot: Vec3) -> bool:
        return any(inside(self.zones[hand], spot) for hand in ("player", "banker"))

    def _first_to_bucket(self, card: CardPath) -> None:
        start = self.now_us
        lies = card.must(start)
        place = self._hold_on(self.right, lies.centre, lies.yaw)
        self.right.to(start + us(self.jitter(0.4)), place, pinch=0.8, lift_mm=25)
        at = self.right.free_us
        take(self.right, card, at)
        carry(self.right, card, at + us(self.jitter(self.plan.style.carry_s)), self._above_bucket(), 40.0)
        done = self._drop_in(self.right, card)
        self.event("card.burn", self.moments["exposed"], done, zone="discard", face="up", index=0, **self._what(card))
        self.now_us = done + us(self.jitter(self.plan.style.pause_s))

    # -- the additional cards --------------------------------------------------------------------------------------

    def _additional(self, i: int) -> CardPath:
        plan = self.plan
        pair = plan.pair == i and i + 1 < plan.additional
        card = self._new_card()
        if pair:
            card.count, card.fan_mm = 2, (float(self.rng.uniform(6, 20)), float(self.rng.uniform(5, 22)))
        arm = self._draw(card)
        if plan.dropped == i:
            arm = self._drop_and_pick_up(arm, card)
        if i in plan.missed:
            self._lay_beside(arm, card)
        else:
            face = "up" if i in plan.face_up else "down"
            self._into_bucket(arm, card, index=i + 1, face=face)
        return card

    def _into_bucket(self, arm: Arm, card: CardPath, *, index: int, face: str) -> None:
        begin = arm.free_us
        over = begin + us(self.jitter(self.plan.style.carry_s))
        over = carry(arm, card, over, self._above_bucket(), self.plan.style.lift_mm)
        if face == "up":
            turn_over(card, begin + (over - begin) // 4, begin + (over - begin) * 3 // 4)
        done = self._drop_in(arm, card)
        facts = self._what(card) if face == "up" else {}
        self.event("card.burn", done, done, zone="discard", face=face, index=index, cards=card.count, **facts)
        overlap = self.plan.style.overlap and arm is self.right and index > 0
        self.now_us = (begin if overlap else done) + us(max(0.02, self.jitter(self.plan.style.pause_s)))

    def _lay_beside(self, arm: Arm, card: CardPath) -> None:
        x, y = self.equipment.bucket_centre
        length, width = self.equipment.bucket_size_mm[:2]
        beside = (x - length / 2 - 62 + self.about(10), y + width / 2 + 40 + self.about(15), FELT_Z)
        reach = arm.free_us + us(self.jitter(self.plan.style.carry_s))
        reach = carry(arm, card, reach, (beside[0], beside[1], 15.0), 40.0)
        done = let_go(card, reach, beside, self.about(0.5), us(0.08))
        arm.hold(done)
        self._rest(arm, done + us(0.35))
        self.event("card.place", done, done, zone=self._zone_at(beside), hand=arm.name, face="down")
        self.now_us = done + us(self.jitter(self.plan.style.pause_s) + 0.1)

    def _drop_and_pick_up(self, arm: Arm, card: CardPath) -> Arm:
        x, y = middle(self.zones["shuffle"])
        spot = (x + 90 + self.about(40), y + 60 + self.about(25), FELT_Z)
        reach = arm.free_us + us(0.3)
        reach = carry(arm, card, reach, (spot[0], spot[1], 25.0), 20.0)
        done = let_go(card, reach, spot, self.about(0.8), us(0.12))
        self._rest(arm, done + us(0.3))
        self.event("card.place", done, done, zone=self._zone_at(spot), hand=arm.name, face="down")
        again = done + us(self.jitter(0.9))
        return self._pick_up(card, spot, again)

    def _pick_up_and_burn(self, card: CardPath, index: int) -> None:
        pose = card.must(self.now_us)
        arm = self._pick_up(card, pose.centre, self.now_us + us(0.45))
        self._into_bucket(arm, card, index=index, face="down")

    def _empty_trip(self) -> None:
        ex, ey = self.equipment.shoe_exit_mm
        start = max(self.now_us, self.left.free_us)
        self.left.to(start + us(0.35), (ex + 15, ey - 5, 18.0), pinch=0.6, lift_mm=15)
        self.left.hold(start + us(0.55))
        self.left.to(start + us(0.95), self.left.idle, lift_mm=15)
        self.now_us = start + us(1.05)
