"""A Rift of Portals as a picture: ring, gate, void, supply, hand, side sums and the four conditions."""

from __future__ import annotations

from typing import Any

from tkg.draw.shapes import Part, Picture, Spot, box, element, insignias, label, part
from tkg.rules.tiles import BARE, ELEMENT_NAMES, ELEMENTS

CELL, GAP, MARGIN, PANEL = 84, 6, 34, 240  # of the ring; the panel beside it
PANEL_HEIGHT, CARD = 266, 96
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


def picture(view: dict[str, Any]) -> Picture:
    side = view["side"]
    ring = side * CELL + (side - 1) * GAP
    left, top = MARGIN, MARGIN + 26
    parts = [part("status", [label(MARGIN, 28, status(view), "b")])]
    inner, room = CELL + GAP, ring - 2 * (CELL + GAP)
    parts.append(gate_part(Spot(left + inner, top + inner, room, room), view["gate"]))
    for name, cell in view["cells"].items():
        row, column = cell["place"]
        spot = Spot(left + column * (CELL + GAP), top + row * (CELL + GAP), CELL, CELL)
        parts.append(part(f"cell {name}", tile_parts(spot.x, spot.y, name, cell), spot))
    sums = zip(view["sides"], level(view["sides"]), side_places(left, top, ring), strict=True)
    parts.append(part("sides", [label(x, y, total, "g m" if even else "s m") for total, even, (x, y) in sums]))
    x = left + ring + MARGIN
    parts += panel_parts(x, top, view)
    bottom = top + max(ring, PANEL_HEIGHT) + 34
    parts += hand_parts(left, bottom, view)
    width = max(x + PANEL, left + len(view["hand"]) * (CARD + 8) + 30 * sum(view["need"]))
    return Picture(width, bottom + 72, f"{view['variant']}: {status(view)}", parts)


def level(sums: list[int]) -> list[bool]:
    """Which sides are level with most others: those of the commonest sum, or of both if two pairs differ."""
    most = max(map(sums.count, sums))
    return [sums.count(total) == most > 1 for total in sums]


def gate_part(spot: Spot, gate: list[int]) -> Part:
    """The Inner Gate with its Oinks by element, inside the ring."""
    middle = spot.x + spot.width / 2
    top = spot.y + spot.height / 2 - CELL / 2
    words = label(middle, top + 18, f"gate {sum(gate)}", "b m")
    return part("gate", [box(*spot, "var(--bg)", dash="4 4"), words, *pool_parts(middle - 27, top + 25, gate)], spot)


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


def panel_parts(x: float, top: float, view: dict[str, Any]) -> list[Part]:
    """The Outer Void, the supply as bars, and the conditions with their figures."""
    spot = Spot(x - 8, top - 4, PANEL - 18, 56)
    void = [box(*spot, "var(--bg)", dash="4 4"), label(x, top + 14, f"Outer Void {sum(view['void'])}", "b")]
    for e, n in enumerate(view["void"]):
        void.append(element(ELEMENTS[e], x + e * 46, top + 24, 17))
        void.append(label(x + e * 46 + 20, top + 38, n))
    supply = [label(x, top + 80, f"Supply {sum(view['supply'])}", "b")]
    most = max(
        1, *view["supply"], *(sum(pool) for pool in zip(view["supply"], view["gate"], view["void"], strict=True))
    )
    for e, n in enumerate(view["supply"]):
        y = top + 90 + e * 20
        supply.append(element(ELEMENTS[e], x, y, 15))
        supply.append(box(x + 24, y + 2, 120, 11, "var(--cell)"))
        supply.append(box(x + 24, y + 2, 120 * n / most, 11, f"var(--{ELEMENTS[e]})", line="none"))
        supply.append(label(x + 152, y + 12, n, "s"))
    checks = []
    for i, (met, words) in enumerate(conditions(view)):
        y = top + 198 + i * 20
        checks.append(label(x, y, "✓" if met else "○", "g" if met else "s"))
        checks.append(label(x + 18, y, words, "s"))
    return [part("void", void, spot), part("supply", supply), part("conditions", checks)]


def hand_parts(x: float, y: float, view: dict[str, Any]) -> list[Part]:
    """The hand as cards, and the insignias that the Move action has still to serve."""
    parts = [part("hand", [label(x, y - 6, "hand", "s")])]
    for i, tile in enumerate(view["hand"]):
        spot = Spot(x + i * (CARD + 8), y, CARD, 44)
        parts.append(
            part(
                f"hand {i + 1}", [box(*spot, "var(--tile)"), *insignias(tile, spot.x + 6, y + 11, CARD - 12, 22)], spot
            )
        )
    if sum(view["need"]):
        start = x + len(view["hand"]) * (CARD + 8) + 14
        left = "".join(letter * n for letter, n in zip(ELEMENTS, view["need"], strict=True))
        served = [element(letter, start + k * 22, y + 11, 20, hollow=True) for k, letter in enumerate(left)]
        parts.append(part("need", [label(start, y - 6, "still to serve", "s"), *served]))
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
