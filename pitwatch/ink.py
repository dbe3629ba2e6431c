"""Strokes and words of a drawing that lies over a picture: each on a white halo, so that it shows on any ground."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from pitwatch.closeup import Window
from pitwatch.marks import Px

INK = "#14181d"
LETTER = 13.0


@dataclass(frozen=True, slots=True)
class Sheet:
    """Turns pixels of the frame into the drawing's units: the window is `width` wide."""

    window: Window
    width: float

    @property
    def scale(self) -> float:
        """Units for one pixel of the frame."""
        return self.width / self.window.width

    @property
    def height(self) -> float:
        """The drawing's height in its units."""
        return self.window.height * self.scale

    def at(self, px: Px) -> Px:
        """Where a pixel lies."""
        return (px[0] - self.window.x0) * self.scale, (px[1] - self.window.y0) * self.scale

    def holds(self, px: Px) -> bool:
        """Whether a pixel is in the drawing."""
        x, y = self.at(px)
        return 0 <= x <= self.width and 0 <= y <= self.height


def stroke(start: Px, stop: Px, colour: str, wide: float, *, dash: str = "", opacity: float = 1.0) -> str:
    """A straight line."""
    more = f' stroke-dasharray="{dash}"' if dash else ""
    more += f' stroke-opacity="{opacity}"' if opacity < 1 else ""
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{stop[0]:.1f}" y2="{stop[1]:.1f}" stroke="{colour}" '
        f'stroke-width="{wide}"{more}/>'
    )


def word(at: Px, text: str, colour: str = INK, *, anchor: str = "start", style: str = "") -> str:
    """Words on a white halo."""
    return (
        f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="{anchor}" style="font-size:{LETTER:g}px;font-weight:600;'
        f'fill:{colour};stroke:#fff;stroke-width:3.4px;paint-order:stroke;stroke-linejoin:round;{style}">'
        f"{escape(text)}</text>"
    )


def badge(at: Px, text: str, *, dark: bool) -> str:
    """A number on a small white card, or on a dark one."""
    x, y = at
    wide = 7.0 * len(text) + 6
    paper, ink = (INK, "#fff") if dark else ("#fff", INK)
    return (
        f'<rect x="{x - wide / 2:.1f}" y="{y - 8:.1f}" width="{wide:.1f}" height="16" rx="3" fill="{paper}" '
        f'fill-opacity="0.92" stroke="{INK}" stroke-width="0.8"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" style="font-size:11px;font-weight:600;fill:{ink}">'
        f"{escape(text)}</text>"
    )
