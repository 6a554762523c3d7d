"""Cosmic Alignments as a picture: the layout of tiles with their tokens, the seats, and the hand of the draft."""

from __future__ import annotations

from typing import Any

from tkg.draw.shapes import Part, Picture, Spot, box, counter, insignias, label, part

SPACE, GAP, HEAD, RIM = 25, 10, 22, 6  # a space, between tiles, a tile's head, inside a tile's edge
MARGIN, PANEL, SEAT = 24, 250, 104  # round the layout, the panel of seats, a seat in it
HAND = 66
PHASES = {
    "draft": "drafts a tile",
    "place": "places a LIFE token",
    "lift": "lifts a LIFE token of their own",
    "take": "occupies or captures",
}


def status(view: dict[str, Any]) -> str:
    if view["phase"] == "over":
        return f"The game is over ({view['ending']}, turn {view['turn']})"
    told = f"Seat {view['decider']} {PHASES[view['phase']]}"
    if view["phase"] == "draft":
        return told
    if view["phase"] == "take":
        return f"{told} tile {view['won']} (turn {view['turn'] + 1})"
    where = f"on tile {view['bound']}" if view["bound"] else "on any tile"
    lifted = f", lifted from {view['lifted']}" if view["lifted"] else ""
    return f"{told} {where}{lifted} (turn {view['turn'] + 1})"


def tile_size(view: dict[str, Any]) -> int:
    return view["side"] * SPACE + 2 * RIM


def picture(view: dict[str, Any]) -> Picture:
    size = tile_size(view)
    left, top = MARGIN, MARGIN + 22
    width, height = size, size + HEAD
    parts = [part("status", [label(MARGIN, 27, status(view), "b")])]
    for name, cell in view["cells"].items():
        row, column = cell["place"]
        parts += tile_parts(left + column * (width + GAP), top + row * (height + GAP), name, cell, view)
    x = left + view["side"] * (width + GAP) - GAP + MARGIN
    parts += seat_parts(x, top, view)
    bottom = top + max(view["side"] * (height + GAP), len(view["seats"]) * SEAT + 30) + 8
    if view["hand"]:
        parts += hand_parts(left, bottom, view)
        bottom += HAND
    return Picture(x + PANEL, bottom + 8, f"{view['variant']}: {status(view)}", parts)


def tile_parts(x: float, y: float, name: str, cell: dict[str, Any], view: dict[str, Any]) -> list[Part]:
    """A tile: the letter of its place, what the seat knows of its insignias, and its spaces or its Oink."""
    size, owner = tile_size(view), cell["owner"]
    aimed = view["bound"] == name or view["won"] == name
    line = "var(--good)" if aimed or cell["aligned"] else "var(--line)"
    fill = "var(--tile)" if cell["laid"] else "var(--bg)"
    spot = Spot(x, y, size, size + HEAD)
    frame: dict[str, Any] = {"line": line, "thick": 2.6 if line != "var(--line)" else 1.2}
    tile = [
        box(*spot, fill, dash="" if cell["laid"] else "3 3", **frame),
        label(x + 8, y + 16, name, "b" if aimed else "s"),
    ]
    if owner:
        letter = view["seats"][owner - 1]["element"]
        tile.append(counter(owner, letter, x + size / 2 - 26, y + size / 2 - 22, 52))
        tile += insignias(cell["tile"], x + 8, y + size - 6, size - 16, 22)
    elif cell["tile"] is not None:
        wide = min(size - 30, 15 * max(1, len(cell["tile"])))
        tile += insignias(cell["tile"], x + size - 8 - wide, y + 4, wide, 15)
    parts = [part(f"tile {name}", tile, spot)]
    if owner or not cell["laid"]:
        return parts
    for space, seat in enumerate(cell["tokens"]):
        row, column = divmod(space, view["side"])
        spot = Spot(x + RIM + column * SPACE, y + HEAD + row * SPACE, SPACE, SPACE)
        last = view["last"] == f"{name}{space + 1}"
        edge: dict[str, Any] = {"line": "var(--ink)", "thick": 1.8} if last else {}
        svg = [box(spot.x + 1, spot.y + 1, SPACE - 2, SPACE - 2, "var(--cell)", round=4, **edge)]
        if seat:
            svg.append(counter(seat, view["seats"][seat - 1]["element"], spot.x + 3, spot.y + 3, SPACE - 6))
        parts.append(part(f"space {name}{space + 1}", svg, spot))
    return parts


def seat_parts(x: float, top: float, view: dict[str, Any]) -> list[Part]:
    """The players: element, points, supplies, captured tiles; who decides is framed."""
    parts = []
    for number, seat in enumerate(view["seats"], 1):
        y = top + (number - 1) * SEAT
        decides = view["decider"] == number
        edge: dict[str, Any] = {"line": "var(--good)", "thick": 2.2} if decides else {}
        svg = [box(x, y, PANEL - MARGIN, SEAT - 12, "var(--tile)", **edge)]
        svg.append(counter(number, seat["element"], x + 8, y + 8, 24))
        svg += insignias(seat["element"], x + 38, y + 10, 20, 20)
        svg.append(label(x + 66, y + 25, f"{seat['points']} points", "b"))
        svg.append(label(x + PANEL - MARGIN - 10, y + 25, f"{seat['occupied']} occupied", "s e"))
        svg.append(label(x + 10, y + 48, f"in supply: LIFE {seat['life']}, Oinks {seat['oinks']}", "s"))
        captured = ", ".join(seat["captured"]) if len(seat["captured"]) <= 8 else f"{len(seat['captured'])} tiles"
        svg.append(label(x + 10, y + 68, f"captured: {captured or 'none'}", "s"))
        parts.append(part(f"seat {number}", svg))
    below = top + len(view["seats"]) * SEAT + 8
    return [*parts, part("stack", [label(x, below, f"{view['stack']} tiles in the stack", "s")])]


def hand_parts(x: float, y: float, view: dict[str, Any]) -> list[Part]:
    parts = [part("hand", [label(x, y + 6, "hand", "s")])]
    for i, tile in enumerate(view["hand"]):
        spot = Spot(x + i * 104, y + 14, 96, 40)
        parts.append(
            part(f"hand {i + 1}", [box(*spot, "var(--tile)"), *insignias(tile, spot.x + 8, y + 23, 80, 22)], spot)
        )
    return parts


def text(view: dict[str, Any]) -> str:
    """Tiles side by side: seats' tokens as numbers; an occupied tile shows its Oink's seat and its insignias."""
    side = view["side"]
    rows: list[list[list[str]]] = [[] for _ in range(side)]
    for name, cell in view["cells"].items():
        rows[cell["place"][0]].append(tile_lines(name, cell, view))
    width = max(len(line) for row in rows for tile in row for line in tile) + 3
    lines = [status(view), ""]
    for row in rows:
        lines += ["".join(line.ljust(width) for line in across).rstrip() for across in zip(*row, strict=True)] + [""]
    for number, seat in enumerate(view["seats"], 1):
        captured = " ".join(seat["captured"]) or "none"
        lines.append(
            f"seat {number} ({seat['element']}): {seat['points']} points, {seat['occupied']} occupied, captured {captured}; "
            f"supply {seat['life']} LIFE, {seat['oinks']} Oinks"
        )
    lines.append(f"{view['stack']} tiles in the stack")
    if view["hand"]:
        lines.append(f"hand   {'  '.join(view['hand'])}")
    return "\n".join(lines)


def tile_lines(name: str, cell: dict[str, Any], view: dict[str, Any]) -> list[str]:
    side = view["side"]
    mark = ">" if name in (view["bound"], view["won"]) else " "
    lines = [f"{mark}{name} {cell['tile'] or ''}".rstrip()]
    for row in range(side):
        if cell["owner"]:
            words = f"Oink {cell['owner']}" if row == 0 else ""
        elif not cell["laid"]:
            words = ""
        else:
            words = " ".join(str(t or ".") for t in cell["tokens"][row * side : (row + 1) * side])
        lines.append(" " + words)
    return lines
