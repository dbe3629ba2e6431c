"""Pictures of stacks by casting rays at exact solids: independent of the studio and of what is tested.

Light is averaged linearly over many rays for each pixel, blurred, made noisy, given a tone curve and compressed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Calibration

Floats = NDArray[np.float64]
HEIGHT_MM, HALF_MM = 63.5, 44.45
BORDER_MM = 3.0
WHITE = np.array([0.80, 0.82, 0.83])  # BGR, linear light


@dataclass(frozen=True)
class Camera:
    """A pinhole above the table, `tilt_deg` off vertical as seen from the place `aim_mm` it looks at."""

    mm_per_px: float
    tilt_deg: float = 0.0
    azimuth_deg: float = -90.0  # from which side of the aim it looks: -90 is the dealer's
    aim_mm: tuple[float, float] = (0.0, 400.0)
    range_mm: float = 2800.0
    size_mm: tuple[float, float] = (215.0, 240.0)
    knows_place: bool = True

    @property
    def place_mm(self) -> Floats:
        tilt, turn = math.radians(self.tilt_deg), math.radians(self.azimuth_deg)
        away = np.array([math.cos(turn) * math.sin(tilt), math.sin(turn) * math.sin(tilt), math.cos(tilt)])
        return np.array([*self.aim_mm, 0.0]) + away * self.range_mm

    @property
    def size_px(self) -> tuple[int, int]:
        return round(self.size_mm[0] / self.mm_per_px), round(self.size_mm[1] / self.mm_per_px)

    def matrices(self) -> tuple[Floats, Floats]:
        """(inverse intrinsic, rotation from camera to table)."""
        width, height = self.size_px
        focal = self.range_mm / self.mm_per_px
        inner = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
        forward = np.array([*self.aim_mm, 0.0]) - self.place_mm
        forward /= np.linalg.norm(forward)
        right = np.cross(forward, [0.0, 1.0, 0.0])
        right /= np.linalg.norm(right)
        return np.linalg.inv(inner), np.column_stack([right, np.cross(forward, right), forward])

    def calibration(self) -> Calibration:
        inverse, turn = self.matrices()
        outward = np.linalg.inv(inverse) @ turn.T
        to_pixels = outward @ np.column_stack([np.eye(3)[:, 0], np.eye(3)[:, 1], -self.place_mm])
        width, height = self.size_px
        x, y, z = (float(v) for v in self.place_mm)
        place = (x, y, z) if self.knows_place else None
        return Calibration(np.asarray(np.linalg.inv(to_pixels), np.float64), width, height, 1.0, camera_mm=place)


@dataclass
class Strip:
    """A stack on its long edge: cards along `yaw_deg` from the end at s = 0, centred at `centre_mm`."""

    cards: int = 416
    centre_mm: tuple[float, float] = (0.0, 400.0)
    yaw_deg: float = 90.0
    seed: int = 0
    thickness_mm: float = 0.30
    jitter: float = 0.03
    end_looseness: float = 0.0
    tone_jitter: float = 0.06
    scatter_mm: float = 0.4
    lace: tuple[tuple[float, float, float], ...] = ()
    cover_after: int | None = None  # cards between the end at s = 0 and the cover card
    cover_bgr: tuple[float, float, float] = (0.03, 0.55, 0.80)
    cover_u_mm: tuple[float, float] = (-30.0, 33.0)
    cover_z_mm: tuple[float, float] = (10.0, 95.0)
    cover_thick_mm: float = 0.4
    gap_mm: float = 0.0  # beside the cover card, on either side
    cover_off_mm: float = 0.0  # the cover card stands so far from its opening's middle
    back_bgr: tuple[float, float, float] = (0.25, 0.05, 0.04)
    near_face_is_back: bool = True
    felt_bgr: tuple[float, float, float] = (0.07, 0.16, 0.05)
    fingers: list[tuple[float, float, float, float, float]] = field(default_factory=list)  # s, u, s, u, width mm
    lean_deg: float = 0.0

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        n = self.cards
        index = np.arange(n)
        loose = 1 + self.end_looseness * (np.exp(-index / 12) + np.exp(-(n - 1 - index) / 12))
        thick = self.thickness_mm * loose * (1 + self.jitter * rng.standard_normal(n))
        self.tones = np.clip(1 + self.tone_jitter * rng.standard_normal(n), 0.6, 1.2)
        share = (index + 0.5) / n
        self.shift = self.scatter_mm * rng.standard_normal(n)
        for low, high, amount in self.lace:
            held = (share >= low) & (share < high)
            side = np.where(index % 2 == 0, 1.0, -1.0)
            self.shift = np.where(held, self.shift + side * amount / 2, self.shift)
        edges = np.concatenate([[0.0], np.cumsum(thick)])
        self.cover_at = 0.0
        if self.cover_after is not None:
            hole = self.cover_thick_mm + 2 * self.gap_mm
            self.cover_at = edges[self.cover_after] + hole / 2
            edges[self.cover_after + 1 :] += hole
        self.starts = edges[:-1].copy()
        if self.cover_after is not None and self.cover_after < n:
            self.starts[self.cover_after] += self.cover_thick_mm + 2 * self.gap_mm
        self.ends = self.starts + thick
        self.length_mm = float(self.ends[-1])

    @property
    def axis(self) -> Floats:
        turn = math.radians(self.yaw_deg)
        return np.array([math.cos(turn), math.sin(turn)])

    def table_mm(self, s: float, u: float) -> Floats:
        """A place on the stack, `s` from its first end and `u` across, in table mm."""
        along = self.axis
        across = np.array([-along[1], along[0]])
        return np.array(self.centre_mm) + along * (s - self.length_mm / 2) + across * u


def _enter(
    origin: Floats, ray: Floats, low: Floats, high: Floats
) -> tuple[Floats, NDArray[np.intp], NDArray[np.bool_]]:
    """Where rays (N, 3) from one origin enter a box: (distance, which axis' face, whether they do)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        one, two = (low - origin) / ray, (high - origin) / ray
    near, far = np.minimum(one, two), np.maximum(one, two)
    start = near.max(axis=1)
    return start, near.argmax(axis=1), (start < far.min(axis=1)) & (start > 0)


def _card_at(strip: Strip, s: Floats) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    index = np.clip(np.searchsorted(strip.starts, s, side="right") - 1, 0, strip.cards - 1)
    return index, (s >= strip.starts[index]) & (s <= strip.ends[index])


def _edge_tone(strip: Strip, s: Floats, index: NDArray[np.intp]) -> Floats:
    """Light of a card's cut edge: darker next to its neighbours."""
    width = strip.ends[index] - strip.starts[index]
    inner = np.abs((s - strip.starts[index]) / width - 0.5)
    return strip.tones[index] * np.where(inner > 0.40, 0.62, 1.0)


def _shade(strip: Strip, place: Floats, face: NDArray[np.intp]) -> Floats:
    """Light (N, 3) of points (N, 3) on the box around the strip, entered through the faces of axis `face`."""
    light = np.zeros_like(place)
    s, u, z = place.T
    index, solid = _card_at(strip, s)
    tone = _edge_tone(strip, s, index) * np.where(face == 2, 1.0, 0.72)
    light[:] = WHITE * (tone * np.where(solid, 1.0, 0.12))[:, None]
    end = face == 0
    inside = (np.abs(u) < HALF_MM - BORDER_MM) & (z > BORDER_MM) & (z < HEIGHT_MM - BORDER_MM)
    back = (s < strip.length_mm / 2) == strip.near_face_is_back
    light[end] = WHITE * 0.80
    light[end & inside & back] = strip.back_bgr
    return light


def _strip_light(strip: Strip, origin: Floats, ray: Floats, felt: Floats) -> tuple[Floats, Floats]:
    """(light, distance) where rays meet the strip; `felt` light and infinity where they miss."""
    reach = HALF_MM + max(2.0, float(np.abs(strip.shift).max()))
    low, high = np.array([0, -reach, 0.0]), np.array([strip.length_mm, reach, HEIGHT_MM])
    start, face, hit = _enter(origin, ray, low, high)
    light, far = felt.copy(), np.full(len(ray), np.inf)
    pending = np.flatnonzero(hit)
    place = origin + ray[pending] * start[pending, None]
    faces = face[pending]
    for _ in range(60):
        if not len(pending):
            break
        index, _solid = _card_at(strip, place[:, 0])
        on = np.abs(place[:, 1] - strip.shift[index]) <= HALF_MM
        done = pending[on]
        light[done] = _shade(strip, place[on], faces[on])
        far[done] = np.linalg.norm(place[on] - origin, axis=1) / np.linalg.norm(ray[done], axis=1)
        pending, place = pending[~on], place[~on]
        place = place + ray[pending] / np.abs(ray[pending, 2:]) * 1.2
        faces = np.full(len(pending), 1)
        kept = (place[:, 2] > 0) & (place[:, 0] > 0) & (place[:, 0] < strip.length_mm) & (np.abs(place[:, 1]) <= reach)
        pending, place, faces = pending[kept], place[kept], faces[kept]
    return light, far


def _lights(strip: Strip, camera: Camera, ray: Floats) -> Floats:
    along = strip.axis
    turn = np.array([[*along, 0.0], [-along[1], along[0], 0.0], [0, 0, 1.0]])
    first = np.array([*strip.table_mm(0.0, 0.0), 0.0])
    origin, local = turn @ (camera.place_mm - first), ray @ turn.T
    ground = origin + local * (-origin[2] / local[:, 2:])
    gap = np.maximum(np.maximum(-ground[:, 0], ground[:, 0] - strip.length_mm), np.abs(ground[:, 1]) - HALF_MM)
    shadow = 1 - 0.35 * np.exp(-np.maximum(gap, 0) / 12)
    felt = np.array(strip.felt_bgr) * shadow[:, None]
    light, far = _strip_light(strip, origin, local, felt)
    if strip.cover_after is not None:
        half = strip.cover_thick_mm / 2
        low = np.array([strip.cover_at + strip.cover_off_mm - half, strip.cover_u_mm[0], strip.cover_z_mm[0]])
        high = np.array([strip.cover_at + strip.cover_off_mm + half, strip.cover_u_mm[1], strip.cover_z_mm[1]])
        start, face, hit = _enter(origin, local, low, high)
        seen = hit & (start < far)
        light[seen] = np.array(strip.cover_bgr) * np.where(face[seen] == 2, 1.0, 0.8)[:, None]
    return light


def picture(strip: Strip, camera: Camera, *, seed: int = 0, rays: int = 4, noise: float = 2.0, blur_px: float = 0.6,
            gamma: float = 2.2, quality: int | None = 85) -> NDArray[np.uint8]:  # fmt: skip
    """The picture (H, W, 3) BGR of one strip on felt, `rays` x `rays` rays for each pixel."""
    light = ideal(strip, camera, seed=seed, rays=rays)
    return expose(light, noise=noise, blur_px=blur_px, gamma=gamma, quality=quality, seed=seed)


def ideal(strip: Strip, camera: Camera, *, seed: int = 0, rays: int = 4) -> Floats:
    """Linear light (H, W, 3) of the scene, averaged over each pixel's area."""
    inverse, turn = camera.matrices()
    width, height = camera.size_px
    rng = np.random.default_rng(seed + 1000)
    total = np.zeros((height * width, 3))
    rows, columns = np.mgrid[:height, :width].astype(np.float64)
    for i in range(rays):
        for j in range(rays):
            dx = (i + rng.random(rows.shape)) / rays - 0.5
            dy = (j + rng.random(rows.shape)) / rays - 0.5
            flat = np.stack([columns + dx, rows + dy, np.ones_like(rows)], axis=-1).reshape(-1, 3)
            total += _lights(strip, camera, flat @ inverse.T @ turn.T)
    light = (total / rays**2).reshape(height, width, 3)
    _lay_fingers(light, strip, camera)
    return light


def _lay_fingers(light: Floats, strip: Strip, camera: Camera) -> None:
    calibration = Camera(**{**camera.__dict__, "knows_place": True}).calibration()
    for s0, u0, s1, u1, width_mm in strip.fingers:
        ends = calibration.to_pixels_at_height([strip.table_mm(s0, u0), strip.table_mm(s1, u1)], np.full(2, 70.0))
        (x0, y0), (x1, y1) = np.round(ends).astype(int)
        thick = max(1, round(width_mm / camera.mm_per_px))
        cv2.line(light, (int(x0), int(y0)), (int(x1), int(y1)), (0.14, 0.22, 0.42), thick)


def expose(
    light: Floats, *, noise: float, blur_px: float, gamma: float, quality: int | None, seed: int
) -> NDArray[np.uint8]:
    """What a camera makes of linear light."""
    rng = np.random.default_rng(seed + 77)
    soft = cv2.GaussianBlur(light, (0, 0), blur_px) if blur_px > 0 else light
    levels = np.clip(soft, 0, 1) ** (1 / gamma) * 255 + rng.normal(0, noise, light.shape)
    image = np.clip(np.round(levels), 0, 255).astype(np.uint8)
    if quality is None:
        return image
    _, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)


def stack_quad(strip: Strip, camera: Camera, rng: np.random.Generator, off_mm: float = 3.0) -> Floats:
    """What a detector says: the top face as it seems on the felt, corners off by some millimetres, (4, 2) mm."""
    far = strip.length_mm
    corners = [strip.table_mm(s, u) for s, u in ((0, -HALF_MM), (far, -HALF_MM), (far, HALF_MM), (0, HALF_MM))]
    seen = seeming(np.array(corners), HEIGHT_MM, camera)
    return seen + rng.normal(0, off_mm / 2, 2) + rng.normal(0, off_mm / 2, (4, 2))


def cover_quad(strip: Strip, camera: Camera, rng: np.random.Generator, off_mm: float = 3.0) -> Floats:
    """What a detector says of the cover card, (4, 2) mm as it seems on the felt."""
    (u0, u1), top = strip.cover_u_mm, strip.cover_z_mm[1]
    places = [(u0, HEIGHT_MM), (u1, HEIGHT_MM), (u1, top), (u0, top)]
    seen = [seeming(strip.table_mm(strip.cover_at, u)[None], z, camera)[0] for u, z in places]
    return np.array(seen) + rng.normal(0, off_mm / 2, 2) + rng.normal(0, off_mm / 2, (4, 2))


def seeming(places: Floats, z_mm: float, camera: Camera) -> Floats:
    """Where on the felt things at `places` (N, 2) and height `z_mm` seem to be."""
    eye = camera.place_mm
    seen: Floats = eye[:2] + (places - eye[:2]) * eye[2] / (eye[2] - z_mm)
    return seen
