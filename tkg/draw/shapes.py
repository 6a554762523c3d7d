"""Shapes and colours that the games' pictures share.

Elements are told apart by shape as well as by colour: flame, drop, wind, mountain, in colours of the palette of
Okabe and Ito (2008, "Color Universal Design"), darkened where they would be too pale on paper.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from tkg.rules.tiles import BARE

FLAME = "M12 1.5c1.2 4.6 6.4 6.6 6.4 12.8a6.4 6.4 0 0 1-12.8 0c0-2.2 1-4.2 2.2-5.3 0 2.2 1 3.3 2.2 3.3 1.1-3.3 0-6.5 2-10.8z"
DROP = "M12 1.5c4.3 5.4 6.5 8.8 6.5 12.7a6.5 6.5 0 0 1-13 0c0-3.9 2.2-7.3 6.5-12.7z"
WIND = "M3 8h11a2.5 2.5 0 1 0-2.5-2.5M3 12.5h15.5a2.5 2.5 0 1 1-2.5 2.5M3 17h8a2.5 2.5 0 1 1-2.5 2.5"
MOUNTAIN = "M1.5 20.5 9 6l4.2 7.3 2.6-4.2 6.7 11.4z"

LIGHT = (
    "--bg:#f3f1ec;--tile:#fffdf8;--line:#cfc8ba;--cell:#ebe6da;--ink:#35322c;--soft:#6f695d;--good:#0b6e4f;"
    "--F:#c04b00;--W:#0072b2;--A:#8f3f80;--E:#00785a"
)
DARK = (
    "--bg:#17191d;--tile:#22262c;--line:#3d444e;--cell:#2d333b;--ink:#e8e6e1;--soft:#a4adb7;--good:#5fe0b0;"
    "--F:#ff9152;--W:#56b4e9;--A:#e9a3d3;--E:#3fd0a4"
)
WORDS = """.t text{font-family:system-ui,"DejaVu Sans",sans-serif;fill:var(--ink);font-size:13px}
.t .s{fill:var(--soft);font-size:11px}.t .b{font-weight:700}.t .g{fill:var(--good);font-weight:700}
.t .m{text-anchor:middle}.t .e{text-anchor:end}.t .n{fill:var(--tile);font-size:13px;font-weight:700;text-anchor:middle}
"""
STYLE = f"""
.t{{{LIGHT}}}
@media (prefers-color-scheme:dark){{.t{{{DARK}}}}}
{WORDS}"""


class Spot(NamedTuple):
    """Where a part of a picture can be pointed at: its top left corner, its width and its height."""

    x: float
    y: float
    width: float
    height: float


class Part(NamedTuple):
    """A part of a picture, under a name that stays while what it shows changes, such as `cell A` or `hand 2`."""

    name: str
    svg: str
    spot: Spot | None = None


class Picture(NamedTuple):
    """A position as parts, those on top last; a board shows them one by one, `document` all at once."""

    width: float
    height: float
    title: str
    parts: list[Part]


def part(name: str, svg: Iterable[str], spot: Spot | None = None) -> Part:
    return Part(name, "".join(svg), spot)


def element(letter: str, x: float, y: float, size: float, hollow: bool = False) -> str:
    """The sign of an element with its top left corner at (x, y); hollow for an insignia that no Oink matches."""
    path = {"F": FLAME, "W": DROP, "A": WIND, "E": MOUNTAIN}[letter]
    colour = f"var(--{letter})"
    if letter == "A":
        style = f"fill:none;stroke:{colour};stroke-width:{1.3 if hollow else 2.8};stroke-linecap:round"
    elif hollow:
        style = f"fill:none;stroke:{colour};stroke-width:1.7"
    else:
        style = f"fill:{colour}"
    return f'<path transform="translate({x:g} {y:g}) scale({size / 24:g})" d="{path}" style="{style}"/>'


def counter(seat: int, letter: str, x: float, y: float, size: float, words: object = None) -> str:
    """The counter of a seat, from 1, with its top left corner at (x, y): a shape for the seat in an element's colour.

    What stands in it is the seat's number, unless it is told.
    """
    shape = {
        1: '<circle cx="12" cy="12" r="9.5"/>',
        2: '<path d="M12 2 22.5 20.5h-21z"/>',
        3: '<path d="M12 1.5 22.5 12 12 22.5 1.5 12z"/>',
        4: '<path d="M6.5 2.5h11L23 12l-5.5 9.5h-11L1 12z"/>',
    }[seat]
    words = f'<text x="12" y="{17.5 if seat == 2 else 16.5}" class="n">{escape(str(seat if words is None else words))}</text>'
    place = f'transform="translate({x:g} {y:g}) scale({size / 24:g})"'
    return f'<g {place} style="fill:var(--{letter})">{shape}{words}</g>'


def label(x: float, y: float, words: object, style: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{style}">{escape(str(words))}</text>'


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str,
    line: str = "var(--line)",
    dash: str = "",
    thick: float = 1.2,
    round: float = 7,
) -> str:
    dashes = f";stroke-dasharray:{dash}" if dash else ""
    style = f"fill:{fill};stroke:{line};stroke-width:{thick:g}{dashes}"
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round:g}" style="{style}"/>'


def insignias(tile: str, x: float, y: float, width: float, size: float, hollow: bool = False) -> list[str]:
    """A tile's insignias in a row centred in `width`, smaller if there are many; `bare` for none."""
    if tile == BARE:
        return [label(x + width / 2, y + size * 0.75, "bare", "s m")]
    size = min(size, width / len(tile))
    start = x + (width - len(tile) * size) / 2
    return [element(letter, start + i * size, y, size - 1, hollow) for i, letter in enumerate(tile)]


def document(picture: Picture) -> str:
    """A whole SVG document with a title that a screen reader can say."""
    size = f'width="{picture.width:g}" height="{picture.height:g}" viewBox="0 0 {picture.width:g} {picture.height:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="t" role="img" {size}>'
    ground = f'<rect width="{picture.width:g}" height="{picture.height:g}" rx="14" style="fill:var(--bg)"/>'
    title = f"<title>{escape(picture.title)}</title><style>{STYLE}</style>"
    return "".join([head, title, ground, *(part.svg for part in picture.parts), "</svg>"])
