"""What a scene is made of: plain values in table millimetres, the seam between choreography and renderer.

The choreography says where everything is at a time (`SceneState`); the renderer turns it into pixels; the truth is
written from the same values, never from pixels. Axes as in the table file: origin in the middle of the dealer's
edge, +x to the dealer's right, +y towards the players, z up from the felt. Angles are radians, counter-clockwise
seen from above.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Vec2 = tuple[float, float]
Vec3 = tuple[float, float, float]

CARD_WIDTH_MM = 63.5
CARD_LENGTH_MM = 88.9
CARD_THICKNESS_MM = 0.3


@dataclass(frozen=True, slots=True)
class CardPose:
    """A card (or `count` cards held as one, each shifted by `fan_mm` along its own axes) at one moment.

    `yaw` 0 puts the card's long axis along +y. `pitch` turns about the card's short axis, `roll` about its long
    axis (a card being turned over passes through roll = pi/2). `bend_mm` is how far the middle bows up.
    """

    card_id: int
    rank: str  # A, 2..10, J, Q, K
    suit: str  # C, D, H, S
    face_up: bool
    centre: Vec3
    yaw: float
    pitch: float = 0.0
    roll: float = 0.0
    bend_mm: float = 0.0
    count: int = 1
    fan_mm: Vec2 = (0.0, 0.0)
    deck: int = 0  # which deck design of the scene


@dataclass(frozen=True, slots=True)
class HandPose:
    """One hand with its forearm. `side` is anatomical, left or right; `owner` is 'dealer' or 'seat:N'.

    `yaw` 0 points the fingers to +y, palm down. `curl` bends thumb, index, middle, ring, little (0 straight,
    1 fist). `pinch` 0..1 brings thumb and index finger together. The forearm runs from the wrist to `elbow`.
    """

    owner: str
    side: str
    wrist: Vec3
    yaw: float
    pitch: float = 0.0
    roll: float = 0.0
    curl: tuple[float, float, float, float, float] = (0.2, 0.2, 0.2, 0.2, 0.2)
    pinch: float = 0.0
    elbow: Vec3 = (0.0, -250.0, 120.0)


@dataclass(frozen=True, slots=True)
class ChipStack:
    """A stack of `count` chips of one colour, standing at `centre` (z of its foot)."""

    centre: Vec3
    count: int
    colour: str


@dataclass(frozen=True, slots=True)
class StackPose:
    """A stack or packet of `count` cards at `centre` (z of its foot), long axis along `yaw`; backs up.

    `on_edge` stands it on its long edge, the cards' normals along the direction `yaw`; `tip` is the angle on the way
    there (0 lies flat, pi/2 on edge) and overrides `on_edge` where it is given. Shares along the stack run from 0 at
    the bottom card to 1 at the top card, in whichever way it lies.
    """

    centre: Vec3
    count: int
    yaw: float
    on_edge: bool = False
    deck: int = 0
    tip: float | None = None
    #: Laced parts, (from share, to share, mm): neighbouring cards stick out so far, alternately at either short end.
    lace: tuple[tuple[float, float, float], ...] = ()
    #: Openings between cards, (share, mm): where a cover card is stabbed in, or a packet is being split off.
    gaps: tuple[tuple[float, float], ...] = ()
    #: Scatter of single cards along their own axes, and the seed it is drawn with.
    loose_mm: float = 0.4
    seed: int = 0
    #: How far the cards of a stack on edge lean from its axis, and how much looser the ends are packed (0.1 = 10 %).
    lean: float = 0.0
    end_looseness: float = 0.0


@dataclass(frozen=True, slots=True)
class SceneState:
    """Everything that can move, at `t_us`."""

    t_us: int
    cards: tuple[CardPose, ...] = ()
    hands: tuple[HandPose, ...] = ()
    chips: tuple[ChipStack, ...] = ()
    stacks: tuple[StackPose, ...] = ()
    cover_cards: tuple[CardPose, ...] = ()
    shoe_cards: int = 416  # cards left in the shoe (its stack is partly visible through the exit)
    light: float = 1.0  # brightness factor of the room at this moment


@dataclass(frozen=True, slots=True)
class ArmLook:
    """How one person's arms look. Colours are sRGB 0..1."""

    skin: Vec3
    sleeve: Vec3
    sleeve_length: float = 0.85  # share of the forearm covered, 0 bare, 1 to the wrist
    cuff: bool = True
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class CameraSpec:
    """A pinhole with OpenCV's distortion. `position_mm` and `look_at_mm` in table millimetres; `roll` about the axis.

    With `roll` = 0 the image's right is the table's +x and the dealer is at the bottom; pi puts him at the top.
    """

    width_px: int
    height_px: int
    position_mm: Vec3
    look_at_mm: Vec3
    roll: float
    focal_px: float
    principal_px: Vec2
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Sensor:
    """What the camera's electronics do to the picture."""

    fps: float = 30.0
    exposure_s: float = 1 / 120  # motion blur
    gain: float = 1.0
    white_balance: Vec3 = (1.0, 1.0, 1.0)
    noise_sigma: float = 2.0  # grey levels of 255
    gamma: float = 1.0
    bit_rate: int = 4_000_000
    vignetting: float = 0.15
    sharpen: float = 0.0
    variable_rate: bool = False


@dataclass(frozen=True, slots=True)
class Equipment:
    """Where the fixed things stand. Angles: 0 = the shoe's exit points to the dealer's right (+x)."""

    shoe_centre: Vec2
    shoe_size_mm: Vec3  # length, width, height
    shoe_yaw: float
    shoe_exit_mm: Vec2  # where a card leaves
    shoe_colour: Vec3
    shoe_lid: str  # 'opaque', 'smoke', 'none'
    bucket_centre: Vec2
    bucket_size_mm: Vec3
    bucket_yaw: float
    bucket_colour: Vec3
    tray: tuple[Vec2, Vec2]  # two corners
    shoe_faceplate: Vec3 = (0.95, 0.95, 0.95)
    bucket_wall_mm: float = 4.0
    bucket_depth_mm: float = 70.0
    extras: tuple[str, ...] = ()  # 'rack', 'sign', 'shuffler', 'lammer', 'cup', 'paper' ...


@dataclass(frozen=True, slots=True)
class DeckLook:
    """Names of the textures: `faces` is a deck design of the art library, `back` a back design."""

    faces: str
    back: str
    back_colour: Vec3 = (0.6, 0.1, 0.1)
    gloss: float = 0.3


@dataclass(frozen=True, slots=True)
class SceneSpec:
    """What does not change during a scene."""

    seed: int
    camera: CameraSpec
    sensor: Sensor
    equipment: Equipment
    decks: tuple[DeckLook, ...]
    arms: dict[str, ArmLook]  # by owner
    zones_mm: dict[str, tuple[Vec2, ...]]
    seats: tuple[int, ...]
    shoe_side: str
    felt_colour: Vec3
    felt_style: int  # which printed layout style
    table_width_mm: float
    table_depth_mm: float
    lights: tuple[tuple[Vec3, float], ...]  # position (mm), relative strength; softness grows with count
    ambient: float = 0.55
    floor_style: int = 0
    print_colour: Vec3 = (0.95, 0.9, 0.6)
    #: Cover cards are of one solid colour; a cover card's `deck` says which of these.
    cover_colours: tuple[Vec3, ...] = ((0.95, 0.80, 0.10), (0.80, 0.10, 0.12))
    background_chips: tuple[ChipStack, ...] = field(default_factory=tuple)
    #: Seats at which a player sits; None where chance decides who stands about.
    occupied: tuple[int, ...] | None = None
