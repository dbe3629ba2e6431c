"""A whole shoe change, 58 Pa. Code 629a.5, from the gathered cards until play starts, or a part of it.

`ShoeChange(plan, equipment, zones, rng, change=..., mirrored=...)` builds the scene; `plan` is that of the burn at its
end.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sample_videos.studio.choreography import offering, riffling, shuffling, washing
from sample_videos.studio.choreography.burn import BurnScene
from sample_videos.studio.choreography.change_plan import ChangePlan, Cut, Offer
from sample_videos.studio.choreography.cutting import (
    Stab,
    cut_by_hand,
    dealer_cuts,
    move_below,
    move_packet,
    player_cuts,
    pull_out,
)
from sample_videos.studio.choreography.dealer import us
from sample_videos.studio.choreography.device import through_shuffler
from sample_videos.studio.choreography.extras import Extras
from sample_videos.studio.choreography.handling import Cover, Stack, flat, hands_off, new_cover, new_stack
from sample_videos.studio.choreography.loading import Loading, load_shoe
from sample_videos.studio.choreography.mirror import mirror_seat
from sample_videos.studio.choreography.pack import Inserted, Pack, open_at
from sample_videos.studio.choreography.plan import Plan
from sample_videos.studio.choreography.ribbon import second_by_hand, second_by_ribbon
from sample_videos.studio.choreography.seats import Players
from sample_videos.studio.scene import CardPose, Equipment, Vec2


class ShoeChange(BurnScene):
    """One shoe change or an episode of it, from the seed's choices to poses at any time."""

    def __init__(
        self,
        plan: Plan,
        equipment: Equipment,
        zones: dict[str, tuple[Vec2, ...]],
        rng: np.random.Generator,
        *,
        change: ChangePlan,
        mirrored: bool,
    ) -> None:
        self.change = change
        self.signals: list[tuple[int, str, object]] = []
        self._top = max(int(name[5:]) for name in zones if name.startswith("seat:"))
        self._mirrored = mirrored
        self.players: Players
        self.cover_tracks: list[Cover] = []
        super().__init__(plan, equipment, zones, rng)
        self.players.finish(self.end_us)

    def _surroundings(self) -> Extras:
        occupied = tuple(self._here(seat) for seat in self.change.occupied)
        self.players = Players(occupied, self.plan, self.equipment, self.zones, self.rng)
        return self.players

    def _here(self, seat: str) -> str:
        """The name under which a seat of the layout is known on the unmirrored table."""
        return mirror_seat(seat, self._top) if self._mirrored else seat

    # -- the course -----------------------------------------------------------------------------------------------

    def _play_out(self) -> None:
        change = self.change
        self.total_cards = change.cards
        self.loaded_us = 1 << 62
        for seat in change.occupied:
            self.event("seat.occupy", 0, 0, seat=self._here(seat))
        self._lay_cover_cards()
        kind = change.kind
        if kind in ("shoe_change", "shuffle_end"):
            pack = self._shuffled()
        if kind == "shuffle_end":
            self._after_shuffle()
        elif kind == "shoe_change":
            self._from_offer(pack)
        elif kind == "cut":
            self._episode_cut()
        elif kind == "second_cover":
            self._episode_second()
        else:
            self._episode_load()
        self.moments["end"] = self.now_us

    def _lay_cover_cards(self) -> None:
        side = self.change.cover_side
        for number in (0, 1):
            out = 118.0 if self.change.cover_near else 252.0
            spot = (side * (out + 38 * number + self.about(6)), 330.0 + 14 * number + self.about(8), 0.6 + 0.4 * number)
            pose = CardPose(9001 + number, "A", "S", False, spot, self.about(0.25), deck=number)
            self.cover_tracks.append(new_cover(self, pose, 0))

    def _from_offer(self, pack: Pack) -> None:
        self._offer_and_cut(pack)
        self._second(pack)
        self._load_and_play(pack)

    def _load_and_play(self, pack: Pack) -> None:
        load_shoe(self, pack, Loading(self.change.hidden, self.change.hidden_s))
        if self.plan.burn:
            self._burn()
        if self.plan.play:
            self._start_play()

    # -- shuffle ---------------------------------------------------------------------------------------------------

    def _shuffled(self) -> Pack:
        """The stack on edge and squared, ready to be offered."""
        change = self.change
        if change.shuffle is None:
            return offering.stand_up(self, self._unshuffled())
        plan = replace(change.shuffle, yaw=change.yaw)
        if change.kind == "shuffle_end":
            pack = shuffling.finish(
                self, new_stack(self, flat(self, change.cards, riffling.WORKING, change.yaw), 0), plan
            )
        elif plan.wash:
            piles = washing.gather(self, washing.wash(self, change.cards), change.yaw)
            pack = shuffling.shuffle(self, piles, plan)
        else:
            pack = shuffling.shuffle(self, shuffling.piles_of(self, change.cards, plan), plan)
        if plan.feathered > 0:
            start, end = riffling.square_edge(self, pack)
            self.event("stack.square", start, end, zone="shuffle")
        return pack

    def _unshuffled(self) -> Stack:
        """The stack as it came: preshuffled, out of a device, or gathered and not shuffled at all."""
        change = self.change
        if change.preshuffled:
            piles = shuffling.piles_of(self, change.cards, shuffling.Shuffle(yaw=change.yaw))
        else:
            piles = washing.gather(self, washing.rows(self, change.cards), change.yaw)
        if change.device is not None:
            stack = through_shuffler(self, piles, runs=change.device == "ran")
        else:
            stack = riffling.put_on(self, piles[1], riffling.put_on(self, piles[0], None))
        riffling.square(self, stack)
        return stack

    def _after_shuffle(self) -> None:
        hands_off(self)
        self.now_us += us(0.4)

    # -- offer and cut -----------------------------------------------------------------------------------------------

    def _offer_and_cut(self, pack: Pack) -> None:
        change = self.change
        self._offers(pack, change.offers)
        if change.cut is not None:
            self._cut(pack, change.cut)
        if change.recut_ordered:
            self._recut(pack)

    def _offers(self, pack: Pack, offers: tuple[Offer, ...]) -> None:
        for offered in offers:
            seat = self._here(offered.seat)
            offering.offer(self, self.players, pack, seat, self.change.manner, refusal=offered.refusal)

    def _cut(self, pack: Pack, cut: Cut) -> None:
        actor = cut.actor if cut.actor == "dealer" else self._here(cut.actor)
        if cut.by_hand and actor != "dealer":
            cut_by_hand(self, self.players, pack, actor, cut.cards_below)
            return
        cover = self.cover_tracks[0]
        stab = Stab(
            cut.cards_below, cut.up_mm, cut.out_mm, cut.lean, cut.gap_mm, cut.dwell_s, reseat_from=cut.reseat_from
        )
        if actor == "dealer":
            offering.draw_back(self, pack)
            hands_off(self, 0.35)
            dealer_cuts(self, pack, cover, stab=stab)
        else:
            offering.slide_cover(self, pack, cover, actor)
            player_cuts(self, self.players, actor, pack, cover, stab=stab)
            offering.draw_back(self, pack)
        if self.change.second_first:
            self._second_now(pack)
        self._move(pack, cut)

    def _move(self, pack: Pack, cut: Cut) -> None:
        if cut.move == "none":
            return
        if cut.move == "below":
            move_below(self, pack)
            return
        if cut.move == "cover_left":
            self._cover_aside(pack)
            move_packet(self, pack, cut.cards_below, with_cover=False)
            return
        move_packet(self, pack, cut.cards_below, left_behind=cut.left_behind)

    def _cover_aside(self, pack: Pack) -> None:
        start = self.now_us
        spot = replace(pack.covers[0].cover.last, centre=self._aside(), yaw=self.about(0.4), roll=0.0)
        pull_out(self, pack, 0, spot)
        self.event("cover.remove", start, self.now_us, which=1, actor="dealer", **{"from": "stack", "to": "elsewhere"})

    def _aside(self) -> tuple[float, float, float]:
        return (self.change.cover_side * 205.0, 320.0 + self.about(10), 0.6)

    def _recut(self, pack: Pack) -> None:
        """The floor orders another cut; the first cover card comes out again."""
        self.signals.append((self.now_us, "floor.recut", True))
        self.moments["recut_ordered"] = self.now_us
        self.now_us += us(self.jitter(0.9))
        if self.change.recut is None:
            return
        self._cover_aside(pack)
        self._offers(pack, self.change.recut_offers)
        self._cut(pack, self.change.recut)

    # -- second cover card, episodes --------------------------------------------------------------------------------

    def _second(self, pack: Pack) -> None:
        if self.change.second is not None and not self.change.second_first:
            self._second_now(pack)

    def _second_now(self, pack: Pack) -> None:
        plan = self.change.second
        assert plan is not None
        if self.change.second_by_hand or self.change.second_first:
            second_by_hand(self, pack, self.cover_tracks[1], Stab(plan.below, 14.0, plan.out_mm, gap_mm=0.8))
        else:
            second_by_ribbon(self, pack, self.cover_tracks[1], plan)

    def _standing(self) -> Pack:
        """The squared stack stands on its long edge before the dealer when the scene starts."""
        pose = offering.standing(self, flat(self, self.change.cards, offering.REST, self.change.yaw))
        return Pack(new_stack(self, pose, 0))

    def _episode_cut(self) -> None:
        stack = new_stack(self, flat(self, self.change.cards, offering.REST, self.change.yaw), 0)
        pack = offering.stand_up(self, stack)
        self._offer_and_cut(pack)
        hands_off(self)

    def _with_cover(self, pack: Pack, number: int, below: int, out_mm: float) -> None:
        """A cover card sticks in the stack from the start."""
        pose = open_at(pack.pose, below, 0.8) if below else pack.pose
        pack.covers.append(Inserted(self.cover_tracks[number], below, 12.0, out_mm, 0.0))
        pack.stack.stops[0] = replace(pack.stack.stops[0], pose=pose)
        for card in pack.covers:
            track = card.cover
            track.stops[0] = replace(track.stops[0], pose=card.in_stack(pose))

    def _episode_second(self) -> None:
        pack = self._standing()
        cut = self.change.cut
        assert cut is not None
        self._with_cover(pack, 0, cut.cards_below, cut.out_mm)
        if self.change.second_first:
            self._second_now(pack)
        self._move(pack, cut)
        self._second(pack)
        hands_off(self)

    def _episode_load(self) -> None:
        pack = self._standing()
        self._with_cover(pack, 0, 0, 20.0)
        if self.change.second is not None:
            self._with_cover(pack, 1, self.change.second.below, self.change.second.out_mm)
        self._load_and_play(pack)
