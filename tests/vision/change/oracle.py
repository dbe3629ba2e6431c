"""Sightings as a good detector would report them, made from the studio's scenes without rendering, and made poorer."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.geometry import Calibration, Lens
from calibration.tablefile import Layout
from sample_videos.studio.camera import homography_and_lens, mm_per_px, project
from sample_videos.studio.cards_gl import card_corners, copies
from sample_videos.studio.hands import skin
from sample_videos.studio.labels import clockwise, shows_face
from sample_videos.studio.meshes import pose_matrix
from sample_videos.studio.scenario import Scenario
from sample_videos.studio.scene import (
    CARD_LENGTH_MM,
    CARD_THICKNESS_MM,
    CARD_WIDTH_MM,
    CardPose,
    HandPose,
    SceneSpec,
    SceneState,
    StackPose,
)
from sample_videos.studio.things import arm_look
from vision.sighting import Points, Sighting
from vision.topview import dealer_bounds


@dataclass(frozen=True)
class Poor:
    """How poor the detector is: jitter of a box's middle and size, boxes lost, stacks broken in two, looks a second."""

    jitter_mm: float = 1.6
    size_mm: float = 2.2
    lost: float = 0.05
    broken: float = 0.02
    fps: float = 15.0
    wide_every: int = 5
    beyond_mm: float = 160.0  # how far the narrow looks reach past the dealer's zones before play
    least_px: float = 2.2  # a thing thinner than this in the picture is not found


def calibration_of(spec: SceneSpec) -> Calibration:
    """The scene's exact calibration."""
    homography, matrix, distortion = homography_and_lens(spec.camera)
    return Calibration(
        homography=np.asarray(homography, dtype=np.float64),
        lens=Lens(np.asarray(matrix, dtype=np.float64), np.asarray(distortion, dtype=np.float64)),
        width_px=spec.camera.width_px,
        height_px=spec.camera.height_px,
        error_mm=0.5,
        camera_mm=spec.camera.position_mm,
    )


def layout_of(spec: SceneSpec) -> Layout:
    """The scene's layout."""
    zones = {name: np.asarray(zone, dtype=np.float64) for name, zone in spec.zones_mm.items()}
    return Layout(spec.shoe_side, spec.seats, zones)


class Oracle:
    """`looks()` gives (t_us, sightings) for a whole scene."""

    def __init__(self, scenario: Scenario, poor: Poor, seed: int) -> None:
        camera = replace(scenario.spec.camera, distortion=(0.0, 0.0, 0.0, 0.0, 0.0))
        self.spec = replace(scenario.spec, camera=camera)  # a lens is taken out before all this
        self.scenario, self.poor = scenario, poor
        self._to_mm = np.asarray(homography_and_lens(camera)[0], dtype=np.float64)
        self._mm_per_px = mm_per_px(camera)
        self.layout = layout_of(self.spec)
        self.calibration = calibration_of(self.spec)
        self._rng = np.random.default_rng(seed)
        self._bounds = dealer_bounds(self.layout)
        self._hand_cache: dict[HandPose, tuple[Points, Points]] = {}

    def looks(self) -> Iterator[tuple[int, list[Sighting]]]:
        """Every look of the scene."""
        number, t_us = 0, 0
        while t_us <= self.scenario.end_us:
            state = self.scenario.state(t_us)
            seen = self._seen(t_us, state, wide=number % self.poor.wide_every == 0)
            yield t_us, seen
            number += 1
            t_us = round(number * 1e6 / self.poor.fps)

    # -- one look ------------------------------------------------------------------------------------------------

    def _seen(self, t_us: int, state: SceneState, *, wide: bool) -> list[Sighting]:
        out: list[Sighting] = []
        reach_mm = self._bounds.y1_mm + self.poor.beyond_mm + 120
        hands = [(h, *self._hand(h)) for h in state.hands if h.wrist[2] > -25 and (wide or h.wrist[1] < reach_mm)]
        masks = [m for _, _, mask in hands for m in mask]
        for _, quad, _ in hands:
            out += self._maybe(t_us, "hand", quad, 0.0)
        for stack in state.stacks:
            quad = self._stack(stack)
            out += self._maybe(t_us, "stack", quad, _covered(quad, masks))
        for cover in state.cover_cards:
            quad = self._flat(project(self.spec.camera, card_corners(copies(cover)[-1])))
            inside = max((self._stuck(cover, s) for s in state.stacks), default=0.0)
            out += self._maybe(t_us, "cover_card", quad, max(inside, _covered(quad, masks)))
        out += self._cards(t_us, state.cards, masks)
        for chips in state.chips:
            x, y, z = chips.centre
            h = z + chips.count * 3.3
            quad = self._points([(x + dx, y + dy, v) for dx in (-20, 20) for dy in (-20, 20) for v in (z, h)])
            out += self._maybe(t_us, "chips", quad, _covered(quad, masks))
        return out if wide else [s for s in out if self._near(s)]

    def _near(self, sighting: Sighting) -> bool:
        b, (x, y) = self._bounds, sighting.centre_mm
        return b.x0_mm <= x <= b.x1_mm and b.y0_mm <= y <= b.y1_mm + self.poor.beyond_mm - 30

    def _maybe(self, t_us: int, cls: str, quad: Points, hidden: float) -> list[Sighting]:
        rng, poor = self._rng, self.poor
        limit = {"stack": 0.8, "hand": 1.1}.get(cls, 0.7)
        thin_px = min(np.linalg.norm(quad[0] - quad[1]), np.linalg.norm(quad[1] - quad[2]))
        thin_px = float(thin_px) / self._mm_per_px
        if not np.isfinite(quad).all() or hidden > limit or rng.random() < poor.lost + 0.35 * max(hidden - 0.4, 0):
            return []
        if thin_px < poor.least_px:
            return []
        quad = self._noisy(quad)
        if cls == "stack" and rng.random() < poor.broken:
            return [Sighting(t_us, cls, half, 0.6) for half in _halves(quad)]
        return [Sighting(t_us, cls, quad, float(rng.uniform(0.5, 0.95)))]

    def _noisy(self, quad: Points) -> Points:
        rng, middle = self._rng, quad.mean(axis=0)
        sides = [np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])]
        ax = (quad[1] - quad[0]) / max(sides[0], 1e-6)
        ay = (quad[2] - quad[1]) / max(sides[1], 1e-6)
        half = [max(s + rng.normal(0, self.poor.size_mm), 1.0) / 2 for s in sides]
        angle = rng.normal(0, 0.02)
        c, s = math.cos(angle), math.sin(angle)
        turn = np.array([[c, -s], [s, c]])
        ax, ay = turn @ ax, turn @ ay
        middle = middle + rng.normal(0, self.poor.jitter_mm, 2)
        noisy: Points = np.array(
            [middle - ax * half[0] - ay * half[1], middle + ax * half[0] - ay * half[1],
             middle + ax * half[0] + ay * half[1], middle - ax * half[0] + ay * half[1]]
        )  # fmt: skip
        return noisy

    def _cards(self, t_us: int, cards: tuple[CardPose, ...], masks: list[Points]) -> list[Sighting]:
        camera = self.spec.camera
        quads = [self._flat(project(camera, card_corners(copies(c)[-1]))) for c in cards]
        order = np.argsort([c.centre[2] for c in cards], kind="stable")
        out: list[Sighting] = []
        for place, index in enumerate(order):
            above = [quads[i] for i in order[place + 1 :]]
            over = [q for q in above if abs(q[0] - quads[index][0]).max() < 120]
            hidden = _covered(quads[index], [*over, *masks])
            cls = "card_face" if shows_face(camera, cards[index]) else "card_back"
            if hidden > 0.45 and self._rng.random() < (hidden - 0.45) * 2.0:
                continue
            out += self._maybe(t_us, cls, quads[index], min(hidden, 0.69) if hidden < 0.9 else hidden)
        return out

    def _stuck(self, cover: CardPose, stack: StackPose) -> float:
        """The hidden share of a cover card that is in a stack."""
        standing = abs(math.sin(cover.roll)) > 0.5
        lies = math.hypot(cover.centre[0] - stack.centre[0], cover.centre[1] - stack.centre[1])
        return 0.45 if standing and lies < 70 else 0.3 if lies < 40 else 0.0

    def _hand(self, hand: HandPose) -> tuple[Points, list[Points]]:
        if hand not in self._hand_cache:
            scale = arm_look(self.spec, hand.owner).scale
            curl = tuple(round(c, 1) for c in hand.curl)
            local = scale * _bare(hand.side, curl, round(hand.pinch, 1))
            points = local @ pose_matrix(hand.yaw, hand.pitch, hand.roll).T + np.asarray(hand.wrist)
            px = project(self.spec.camera, points)
            quad = self._flat(cv2.boxPoints(cv2.minAreaRect(px.astype(np.float32))).astype(np.float64))
            hull = self._table(cv2.convexHull(px.astype(np.float32))[:, 0].astype(np.float64))
            arm = self._points([(*p[:2], p[2]) for p in _forearm(hand)])
            if len(self._hand_cache) > 4000:
                self._hand_cache.clear()
            self._hand_cache[hand] = quad, [hull, arm]
        return self._hand_cache[hand]

    def _stack(self, stack: StackPose) -> Points:
        return self._points(stack_corners(stack))

    def _points(self, points: list[tuple[float, float, float]]) -> Points:
        px = project(self.spec.camera, np.asarray(points, dtype=np.float64)).astype(np.float32)
        return self._flat(cv2.boxPoints(cv2.minAreaRect(px)).astype(np.float64))

    def _flat(self, quad_px: Points) -> Points:
        return self._table(clockwise(quad_px))

    def _table(self, px: Points) -> Points:
        flat = np.column_stack([px, np.ones(len(px))]) @ self._to_mm.T
        points: Points = flat[:, :2] / flat[:, 2:]
        return points


def stack_corners(stack: StackPose) -> list[tuple[float, float, float]]:
    """The eight corners of a stack's block, laced parts included."""
    tip = stack.tip if stack.tip is not None else (math.pi / 2 if stack.on_edge else 0.0)
    yaw = stack.yaw if stack.tip is not None or stack.on_edge else stack.yaw + math.pi / 2
    c, s = math.cos(tip), math.sin(tip)
    normal = np.array([s * math.cos(yaw), s * math.sin(yaw), c])
    up = np.array([-c * math.cos(yaw), -c * math.sin(yaw), s])
    long = np.array([-math.sin(yaw), math.cos(yaw), 0.0])
    thick = stack.count * CARD_THICKNESS_MM + sum(w for _, w in stack.gaps)
    lace = max((mm for _, _, mm in stack.lace), default=0.0)
    middle = np.array(stack.centre) + np.array([0, 0, thick / 2 * c + CARD_WIDTH_MM / 2 * s])
    return [
        tuple(middle + normal * thick / 2 * a + up * CARD_WIDTH_MM / 2 * b + long * (CARD_LENGTH_MM + lace) / 2 * d)
        for a in (-1, 1)
        for b in (-1, 1)
        for d in (-1, 1)
    ]


@functools.cache
def _bare(side: str, curl: tuple[float, float, float, float, float], pinch: float) -> Points:
    """Some points of a hand at the origin."""
    points, _, _ = skin(HandPose("dealer", side, (0.0, 0.0, 0.0), 0.0, curl=curl, pinch=pinch))
    return points[::13]


def _forearm(hand: HandPose) -> list[tuple[float, float, float]]:
    a, b = np.asarray(hand.wrist), np.asarray(hand.elbow)
    side = np.array([-(b - a)[1], (b - a)[0], 0.0])
    side = side / max(float(np.linalg.norm(side)), 1e-6) * 38.0
    return [tuple(p) for p in (a + side, b + side, b - side, a - side)]


def _covered(quad: Points, masks: list[Points]) -> float:
    """The share of a quad that lies under other outlines, by a grid of points."""
    if not masks:
        return 0.0
    u = (np.arange(6) + 0.5) / 6
    grid = np.array([quad[0] + a * (quad[1] - quad[0]) + b * (quad[3] - quad[0]) for a in u for b in u])
    low, high = quad.min(axis=0), quad.max(axis=0)
    hidden = np.zeros(len(grid), bool)
    for mask in masks:
        if (mask.max(axis=0) < low).any() or (mask.min(axis=0) > high).any():
            continue
        edges = np.roll(mask, -1, axis=0) - mask
        offsets = grid[:, None, :] - mask[None]
        side = edges[None, :, 0] * offsets[..., 1] - edges[None, :, 1] * offsets[..., 0]
        hidden |= (side >= 0).all(axis=1) | (side <= 0).all(axis=1)
    return float(hidden.mean())


def _halves(quad: Points) -> list[Points]:
    edges = (np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1]))
    q = quad if edges[0] >= edges[1] else np.roll(quad, -1, axis=0)
    a, b = (q[0] + q[1]) / 2, (q[3] + q[2]) / 2
    return [np.array([q[0], a, b, q[3]]), np.array([a, q[1], q[2], b])]
