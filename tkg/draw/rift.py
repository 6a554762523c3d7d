"""A Rift of Portals as a picture: ring, gate, void, supply, hand, side sums and the four conditions."""

from __future__ import annotations

from typing import Any

from tkg.draw.shapes import box, document, element, label
from tkg.rules.tiles import BARE, ELEMENT_NAMES, ELEMENTS

CELL, GAP, MARGIN, PANEL = 84, 6, 34, 232
PHASES = {
    "keep": "Keep one of the tiles drawn",
    "gain": "Gain: choose a tile",
    "build": "Build, replace or refuse",
    "move": "Move Oinks, or refuse",
    "over": "The game is over",
}
CONDITIONS = {
    "stable_gate": "gate holds at least the void",
    "equal_sides": "sides are equal",
    "matched": "insignias are matched",
    "ring_full": "ring is complete",
}


def status(view: dict[str, Any]) -> str:
    turn = "set-up" if view["phase"] == "keep" else f"turn {min(view['turn'] + 1, view['turns'])} of {view['turns']}"
    return PHASES[view["phase"]] if view["phase"] == "over" else f"{PHASES[view['phase']]} ({turn})"


def conditions(view: dict[str, Any]) -> list[tuple[bool, str]]:
    figures = {
        "stable_gate": f" ({sum(view['gate'])} : {sum(view['void'])})",
        "equal_sides": f" ({', '.join(map(str, view['sides']))})",
    }
    return [(view["conditions"][name], words + figures.get(name, "")) for name, words in CONDITIONS.items()]


def svg(view: dict[str, Any]) -> str:
    side = view["side"]
    ring = side * CELL + (side - 1) * GAP
    left, top = MARGIN, MARGIN + 26
    parts = [label(MARGIN, 28, status(view), "b")]
    for name, cell in view["cells"].items():
        row, column = cell["place"]
        parts += tile_parts(left + column * (CELL + GAP), top + row * (CELL + GAP), name, cell)
    inner = left + CELL + GAP
    room = ring - 2 * (CELL + GAP)
    parts.append(box(inner, top + CELL + GAP, room, room, "var(--bg)", dash="4 4"))
    middle = inner + room / 2
    parts.append(label(middle, top + CELL + GAP + 18, f"gate {sum(view['gate'])}", "b m"))
    parts += pool_parts(middle - 27, top + CELL + GAP + 25, view["gate"])
    for total, (x, y) in zip(view["sides"], side_places(left, top, ring), strict=True):
        even = total == max(view["sides"]) == min(view["sides"])
        parts.append(label(x, y, total, "g m" if even else "s m"))
    x = left + ring + MARGIN
    parts += panel_parts(x, top, view)
    bottom = top + max(ring, 252) + 30
    parts += hand_parts(MARGIN, bottom, view)
    return document(x + PANEL, bottom + 66, f"{view['variant']}: {status(view)}", parts)


def side_places(left: float, top: float, ring: float) -> list[tuple[float, float]]:
    """Where the sums of the top, left, right and bottom side stand."""
    middle = ring / 2
    return [
        (left + middle, top - 7),
        (left - 14, top + middle + 4),
        (left + ring + 14, top + middle + 4),
        (left + middle, top + ring + 16),
    ]


def tile_parts(x: float, y: float, name: str, cell: dict[str, Any]) -> list[str]:
    """A cell of the ring: its letter, the tile's insignias (hollow while unmatched), and the Oinks on it."""
    tile, oinks = cell["tile"], list(cell["oinks"])
    parts = [
        box(x, y, CELL, CELL, "var(--tile)" if tile else "var(--cell)", dash="" if tile else "3 3"),
        label(x + 8, y + 16, name, "s"),
    ]
    if tile is None:
        return parts
    if tile == BARE:
        return [*parts, label(x + CELL / 2, y + 40, "bare", "s m")]
    per_row = 4 if len(tile) <= 8 else 9
    size = min(22, (CELL - 14) / per_row)
    left = list(oinks)
    for i, letter in enumerate(tile):
        e = ELEMENTS.index(letter)
        met = left[e] > 0
        left[e] -= met
        row, column = divmod(i, per_row)
        in_row = min(per_row, len(tile) - row * per_row)
        start = x + (CELL - in_row * size) / 2
        parts.append(element(letter, start + column * size, y + 21 + row * size, size - 1, hollow=not met))
    standing = [(e, n) for e, n in enumerate(oinks) if n]
    for i, (e, n) in enumerate(standing):
        spot = x + CELL / 2 - len(standing) * 9.5 + i * 19
        parts.append(label(spot + 9.5, y + CELL - 7, f"{n}{ELEMENTS[e]}", "s m b"))
    return parts


def pool_parts(x: float, y: float, pool: list[int]) -> list[str]:
    parts = []
    for e, n in enumerate(pool):
        row, column = divmod(e, 2)
        parts.append(element(ELEMENTS[e], x + column * 32 - 6, y + row * 25, 17))
        parts.append(label(x + column * 32 + 13, y + row * 25 + 14, n))
    return parts


def panel_parts(x: float, top: float, view: dict[str, Any]) -> list[str]:
    parts = [label(x, top + 14, f"Outer Void {sum(view['void'])}", "b")]
    for e, n in enumerate(view["void"]):
        parts.append(element(ELEMENTS[e], x + e * 46, top + 24, 17))
        parts.append(label(x + e * 46 + 20, top + 38, n))
    parts.append(label(x, top + 70, f"Supply {sum(view['supply'])}", "b"))
    most = max(
        1, *view["supply"], *(sum(pool) for pool in zip(view["supply"], view["gate"], view["void"], strict=True))
    )
    for e, n in enumerate(view["supply"]):
        y = top + 80 + e * 20
        parts.append(element(ELEMENTS[e], x, y, 15))
        parts.append(box(x + 24, y + 2, 120, 11, "var(--cell)"))
        parts.append(box(x + 24, y + 2, 120 * n / most, 11, f"var(--{ELEMENTS[e]})", line="none"))
        parts.append(label(x + 152, y + 12, n, "s"))
    for i, (met, words) in enumerate(conditions(view)):
        y = top + 186 + i * 20
        parts.append(label(x, y, "✓" if met else "○", "g" if met else "s"))
        parts.append(label(x + 18, y, words, "s"))
    return parts


def hand_parts(x: float, y: float, view: dict[str, Any]) -> list[str]:
    parts = [label(x, y - 6, "hand", "s")]
    for i, tile in enumerate(view["hand"]):
        at = x + i * 100
        parts.append(box(at, y, 92, 38, "var(--tile)"))
        size = min(22, 80 / max(1, len(tile)))
        start = at + 46 - len(tile) * size / 2
        if tile == BARE:
            parts.append(label(at + 46, y + 24, "bare", "s m"))
        else:
            parts += [element(letter, start + k * size, y + 8, size - 1) for k, letter in enumerate(tile)]
    if sum(view["need"]):
        parts.append(label(x + 312, y - 6, "still to serve", "s"))
        left = "".join(letter * n for letter, n in zip(ELEMENTS, view["need"], strict=True))
        parts += [element(letter, x + 312 + k * 22, y + 8, 20, hollow=True) for k, letter in enumerate(left)]
    return parts


def text(view: dict[str, Any]) -> str:
    side = view["side"]
    width = max(9, *(len(cell_text(n, c)) for n, c in view["cells"].items())) + 2
    grid = [["" for _ in range(side)] for _ in range(side)]
    for name, cell in view["cells"].items():
        row, column = cell["place"]
        grid[row][column] = cell_text(name, cell)
    gate = f"gate {sum(view['gate'])}"
    grid[side // 2][side // 2] = gate
    lines = [status(view), ""]
    lines += ["".join(words.ljust(width) for words in row).rstrip() for row in grid]
    lines.append("")
    for name in ("gate", "void", "supply"):
        pool = ", ".join(f"{n} {e}" for n, e in zip(view[name], ELEMENT_NAMES, strict=True))
        lines.append(f"{name:<7}{sum(view[name]):>4}  ({pool})")
    if view["hand"]:
        lines.append(f"hand   {'  '.join(view['hand'])}")
    if sum(view["need"]):
        left = "".join(letter * n for letter, n in zip(ELEMENTS, view["need"], strict=True))
        lines.append(f"to serve  {left}")
    lines += [f"{'[x]' if met else '[ ]'} {words}" for met, words in conditions(view)]
    return "\n".join(lines)


def cell_text(name: str, cell: dict[str, Any]) -> str:
    """`C:FFW+2F1W`: the cell, its tile, the Oinks on it."""
    oinks = "".join(f"{n}{e}" for n, e in zip(cell["oinks"], ELEMENTS, strict=True) if n)
    return f"{name}:{cell['tile'] or '.'}" + (f"+{oinks}" if oinks else "")
