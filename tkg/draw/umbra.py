"""Umbra Via as a picture: the altar with its bids, the board with its paths and energy, the seats, the hand of flowers."""

from __future__ import annotations

import math
from typing import Any

from tkg.draw.shapes import Part, Picture, Spot, box, counter, label, part

CELL, GAP, ROAD, MARGIN, PANEL = 88, 4, 26, 24, 270
ALTAR_ROW, SEAT, HAND = 118, 92, 70
COLOURS = {1: "W", 2: "F", 3: "A", 4: "E"}  # the element whose colour a seat's counters have
MIDDLE = {"N": (0.5, 0.0), "E": (1.0, 0.5), "S": (0.5, 1.0), "W": (0.0, 0.5)}
PHASES = {
    "bid": "bids in secret",
    "place": "places a tile",
    "scatter": "may move the energy off the point",
    "void": "chooses where the energy of the void waits",
}


def status(view: dict[str, Any]) -> str:
    if view["phase"] == "over":
        return f"The game is over ({view['ending']}, round {view['round']})"
    bidding = f", bidding {view['bidding']} of {view['biddings']}" if view["phase"] == "bid" else ""
    return f"Seat {view['decider']} {PHASES[view['phase']]} (round {view['round']}{bidding})"


def picture(view: dict[str, Any]) -> Picture:
    side = view["side"]
    across = max(side, len(view["altar"])) * (CELL + GAP) - GAP
    left, top = MARGIN, MARGIN + 22
    parts = [part("status", [label(MARGIN, 27, status(view), "b")])]
    for i, (name, place) in enumerate(view["altar"].items()):
        parts.append(altar_part(left + i * (CELL + GAP), top, name, place))
    board = top + ALTAR_ROW + 18
    for name, cell in view["cells"].items():
        row, column = cell["place"]
        parts.append(cell_part(left + column * (CELL + GAP), board + row * (CELL + GAP), name, cell))
    x = left + across + MARGIN
    parts += seat_parts(x, top, view)
    bottom = max(board + side * (CELL + GAP), top + len(view["seats"]) * SEAT + 50) + 4
    parts += hand_parts(Spot(left, bottom + 14, across, HAND - 24), view["hand"])
    width = max(x + PANEL, left + sum(view["hand"]) * 70 + MARGIN)
    return Picture(width, bottom + HAND + 10, f"{view['variant']}: {status(view)}", parts)


def tile_parts(x: float, y: float, tile: str, size: float) -> list[str]:
    """A path tile as roads from its edges to its middle; a special tile as its sign."""
    centre = size / 2
    if tile == "block":
        cross = f"M{x + 18} {y + 18} {x + size - 18} {y + size - 18}M{x + size - 18} {y + 18} {x + 18} {y + size - 18}"
        return [f'<path d="{cross}" style="stroke:var(--soft);stroke-width:6;stroke-linecap:round"/>']
    if tile in ("point", "void"):
        fill = "var(--soft)" if tile == "point" else "none"
        style = f"fill:{fill};stroke:var(--soft);stroke-width:4"
        words = label(x + centre, y + size - 8, tile, "s m")
        return [f'<circle cx="{x + centre:g}" cy="{y + centre:g}" r="{size / 6:g}" style="{style}"/>', words]
    road = "".join(
        f"M{x + centre:g} {y + centre:g}L{x + size * MIDDLE[e][0]:g} {y + size * MIDDLE[e][1]:g}" for e in tile
    )
    hub = f'<circle cx="{x + centre:g}" cy="{y + centre:g}" r="{ROAD / 2:g}" style="fill:var(--line)"/>'
    return [f'<path d="{road}" style="fill:none;stroke:var(--line);stroke-width:{ROAD}"/>', hub]


def altar_part(x: float, y: float, name: str, place: dict[str, Any]) -> Part:
    """A place of the altar: its tile, and by seat the energy and soul flowers that lie on it."""
    edge: dict[str, Any] = {"line": "var(--good)", "thick": 2.6} if place["due"] else {}
    empty = place["tile"] is None
    fill = "var(--bg)" if empty else "var(--tile)"
    spot = Spot(x, y, CELL, CELL)
    parts = [box(*spot, fill, dash="3 3" if empty else "", **edge), label(x + 8, y + 16, name, "s")]
    if not empty:
        parts += tile_parts(x, y, place["tile"], CELL)
    lying = [(seat, energy, soul) for seat, (energy, soul) in enumerate(place["flowers"], 1) if energy or soul]
    for i, (seat, energy, soul) in enumerate(lying):
        across, down = divmod(i, 2)
        at_x, at_y = x + 2 + across * 46, y + CELL + 4 + down * 20
        parts.append(counter(seat, COLOURS[seat], at_x, at_y, 16))
        parts.append(
            label(at_x + 18, at_y + 12, "E" * energy + "S" * soul if energy + soul < 4 else f"{energy}E{soul}S", "s")
        )
    return part(f"altar {name}", parts, spot)


def cell_part(x: float, y: float, name: str, cell: dict[str, Any]) -> Part:
    """A cell of the board: its tile, and the energy flowers on it as counters with their number."""
    edge: dict[str, Any] = {"line": "var(--good)", "thick": 2.2} if cell["target"] else {}
    laid = cell["tile"] is not None
    spot = Spot(x, y, CELL, CELL)
    parts = [box(*spot, "var(--tile)" if laid else "var(--cell)", dash="" if laid else "3 3", **edge)]
    if laid:
        parts += tile_parts(x, y, cell["tile"], CELL)
    parts.append(label(x + 7, y + 15, name, "s"))
    standing = [(seat, n) for seat, n in enumerate(cell["energy"], 1) if n]
    for i, (seat, n) in enumerate(standing):
        row, column = divmod(i, 2)
        in_row = min(2, len(standing) - row * 2)
        at_x = x + CELL / 2 + (column - in_row / 2) * 30 + 1
        at_y = y + CELL / 2 - (14 if len(standing) <= 2 else 28 - row * 28)
        parts.append(counter(seat, COLOURS[seat], at_x, at_y, 28, n))
    return part(f"cell {name}", parts, spot)


def seat_parts(x: float, top: float, view: dict[str, Any]) -> list[Part]:
    """The players: flowers left on the soul tile, bag and hand together, flowers spent, place on the track."""
    parts = []
    for number, seat in enumerate(view["seats"], 1):
        y = top + (number - 1) * SEAT
        edge: dict[str, Any] = {"line": "var(--good)", "thick": 2.2} if view["decider"] == number else {}
        svg = [box(x, y, PANEL - MARGIN, SEAT - 12, "var(--tile)", **edge)]
        svg.append(counter(number, COLOURS[number], x + 8, y + 8, 26))
        svg.append(label(x + 42, y + 26, f"soul tile: {seat['soul_tile']} of {view['soul_on_tile']} left", "b"))
        svg.append(label(x + 10, y + 50, f"bag and hand: {seat['bag'][0]} energy, {seat['bag'][1]} soul", "s"))
        decided = ", has bid" if seat["decided"] else ""
        svg.append(label(x + 10, y + 68, f"{seat['drawn']} drawn{decided}, {seat['spent']} soul flowers spent", "s"))
        parts.append(part(f"seat {number}", svg))
    y = top + len(view["seats"]) * SEAT + 12
    track = [label(x, y, "track", "s")]
    track += [counter(s, COLOURS[s], x + 40 + i * 24, y - 14, 20) for i, s in enumerate(view["track"])]
    stack = ", ".join(f"{n} {kind}" for kind, n in view["stack"].items() if n) or "empty"
    return [*parts, part("track", track), part("stack", [label(x, y + 24, f"stack: {stack}", "s")])]


def hand_parts(room: Spot, hand: list[int]) -> list[Part]:
    """The flowers in the hand as cards; their room is kept where there are none."""
    parts = [part("hand", [label(room.x, room.y - 8, "hand", "s")] if sum(hand) else [], room)]
    for i, flower in enumerate(["energy"] * hand[0] + ["soul"] * hand[1]):
        spot = Spot(room.x + i * 70, room.y, 62, room.height)
        words = label(spot.x + 31, spot.y + spot.height - 10, flower, "s m")
        sign = flower_sign(flower == "soul", spot.x + 22, spot.y + 2, 18)
        parts.append(part(f"hand {i + 1}", [box(*spot, "var(--tile)"), sign, words], spot))
    return parts


def flower_sign(soul: bool, x: float, y: float, size: float) -> str:
    """A flower of five petals: hollow for energy, full for soul."""
    turned = [(12 + 6 * math.sin(turn), 12 - 6 * math.cos(turn)) for turn in (2 * math.pi * k / 5 for k in range(5))]
    petals = "".join(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="5"/>' for cx, cy in turned)
    style = "fill:var(--ink);stroke:none" if soul else "fill:var(--tile);stroke:var(--ink);stroke-width:1.6"
    heart = '<circle cx="12" cy="12" r="3.2" style="fill:var(--tile);stroke:var(--ink);stroke-width:1.2"/>'
    return f'<g transform="translate({x:g} {y:g}) scale({size / 24:g})"><g style="{style}">{petals}</g>{heart}</g>'


def text(view: dict[str, Any]) -> str:
    """Altar and board as words: a tile by its openings, behind it by seat the energy on it."""
    lines = [status(view), ""]
    for name, place in view["altar"].items():
        flowers = [f"seat {s} {'E' * e}{'S' * f}" for s, (e, f) in enumerate(place["flowers"], 1) if e or f]
        lines.append(f"{'>' if place['due'] else ' '}{name:<4}{place['tile'] or '.':<6} {', '.join(flowers)}".rstrip())
    side = view["side"]
    words = [cell_text(name, cell) for name, cell in view["cells"].items()]
    width = max(map(len, words)) + 2
    lines += [
        "",
        *("".join(w.ljust(width) for w in words[r * side : (r + 1) * side]).rstrip() for r in range(side)),
        "",
    ]
    for number, seat in enumerate(view["seats"], 1):
        lines.append(
            f"seat {number}: {seat['soul_tile']} of {view['soul_on_tile']} left on the soul tile; bag and hand {seat['bag'][0]} energy, {seat['bag'][1]} soul; "
            f"{seat['spent']} spent"
        )
    lines.append(f"track: {', '.join(map(str, view['track']))}")
    if sum(view["hand"]):
        lines.append(f"hand: {'E' * view['hand'][0]}{'S' * view['hand'][1]}")
    return "\n".join(lines)


def cell_text(name: str, cell: dict[str, Any]) -> str:
    """`K:NES+1:2,2:1`: the cell, its tile, energy by seat."""
    energy = ",".join(f"{seat}:{n}" for seat, n in enumerate(cell["energy"], 1) if n)
    return f"{name}:{cell['tile'] or '.'}" + (f"+{energy}" if energy else "")
