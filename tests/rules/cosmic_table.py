"""Positions of Cosmic Alignments, all reached by play from elements and stacks in a known order."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import tkg

# A seat wins tile E at side 3: the others' tokens lie alone, on space 5, and send it back there each time. The last
# token, on space 3, sends the next player to tile C.
WIN_E = "E1 A5 E2 B5 E3"


def set_up(elements: str, *stacks: str, **settings: Any) -> tkg.Game:
    """A game whose deck is the first of `stacks`, first drawn first, the others being what is shuffled in the draft.

    There are as many players as elements.
    """
    shuffled = [stack.split() for stack in stacks]
    variant = tkg.cosmic(players=len(elements), deck=Counter(shuffled[0]), **settings)
    return tkg.Game(variant, seed=0, chance=[list(elements), *shuffled])


def dealt(tiles: str = "", stack: str = "", elements: str = "FW", side: int = 3, **settings: Any) -> tkg.Game:
    """A game at its first placement with `tiles` on the first cells, bare ones on the rest, and `stack` behind them."""
    laid = tiles.split()
    deck = [*laid, *["-"] * (side * side - len(laid)), *stack.split()]
    return set_up(elements, " ".join(deck), layout="dealt", side=side, **settings)


def play(game: tkg.Game, text: str) -> tkg.Game:
    """Play actions that spaces part: `play(game, "A2 B5 lift A2 C1 occupy C")`."""
    words = iter(text.split())
    return game.play(*(word if word[0].isupper() else f"{word} {next(words)}" for word in words))


def spaces(numbers: list[int]) -> str:
    """Numbers in ascending order, runs of them shortened: 1-3,7."""
    starts = [n for before, n in pairwise([-1, *numbers]) if n != before + 1]
    ends = [n for n, after in pairwise([*numbers, 99]) if after != n + 1]
    return ",".join(f"{a}-{b}" if a != b else f"{a}" for a, b in zip(starts, ends, strict=True))


def targets(game: tkg.Game) -> str:
    """Where the token may be placed, or from where it may be lifted, by tile: `A1-9 C4,6-9`."""
    found: dict[str, list[int]] = {}
    for option in game.legal:
        place = option.removeprefix("lift ")
        found.setdefault(place[0], []).append(int(place[1:]))
    return " ".join(tile + spaces(sorted(numbers)) for tile, numbers in sorted(found.items()))


def everywhere(side: int, but: str = "") -> str:
    """All places, in the form of `targets`, without some tiles and places: `everywhere(3, but="C A1 A5")`."""
    left = {tile: list(range(1, side * side + 1)) for tile in "ABCDEFGHIJKLMNOPQRSTUVWXY"[: side * side]}
    for taken in but.split():
        if taken[1:]:
            left[taken[0]].remove(int(taken[1:]))
        else:
            del left[taken]
    return " ".join(tile + spaces(numbers) for tile, numbers in left.items() if numbers)


def on_layout(game: tkg.Game) -> str:
    """The tokens on the layout, by seat and place, and the occupied tiles: `1:A5 2:C1 1:E`."""
    found = []
    for tile, cell in game.view()["cells"].items():
        found += [f"{seat}:{tile}{space}" for space, seat in enumerate(cell["tokens"], 1) if seat]
        found += [f"{cell['owner']}:{tile}"] if cell["owner"] else []
    return " ".join(sorted(found))


def bring(game: tkg.Game, text: str) -> tkg.Game:
    """Let certain seats place tokens, `3:A5 3:A6 3:A7`; in between the seats send each other where they need to go.

    What they place on the way lies on none of the places named and wins nothing: no three tokens of a seat come to
    lie in one row, column or diagonal of a tile by it. There must be LIFE tokens for it in the supplies.
    """
    steps = [(int(seat), place) for seat, place in (step.split(":") for step in text.split())]
    for seat, place in steps:
        game.play(*way(game, seat, place[0], {place for _, place in steps}), place)
    return game


def way(game: tkg.Game, seat: int, tile: str, kept: set[str]) -> list[str]:
    """Placements off the places kept, after which the seat may place on the tile."""
    view = game.view()
    cells, side, players = view["cells"], view["side"], len(view["seats"])
    open_tiles = [name for name in cells if not cells[name]["owner"]]
    open_tiles.sort(key=lambda name: sum(map(bool, cells[name]["tokens"])))  # the emptiest first
    closed_tiles = [name for name in cells if name not in open_tiles]
    numbers = {name: number for number, name in enumerate(cells, 1)}
    laid = {f"{name}{space}": who for name in cells for space, who in enumerate(cells[name]["tokens"], 1) if who}

    def harmless(mover: int, place: str) -> bool:
        if place in kept or place in laid:
            return False
        row, column = divmod(int(place[1:]) - 1, side)
        own = [divmod(int(p[1:]) - 1, side) for p, who in laid.items() if who == mover and p[0] == place[0]]
        straights = [(r == row, c == column, r - c == row - column, r + c == row + column) for r, c in own]
        return all(sum(straight) < 2 for straight in zip(*straights, strict=True))

    def go(mover: int, bound: str | None, left: int) -> list[str] | None:
        if left == 0:
            return [] if bound in (None, tile) else None
        for sent in [*open_tiles, *closed_tiles]:
            goal = sent if sent in open_tiles else None
            if left == 1 and goal not in (None, tile):
                continue
            for place in (f"{name}{numbers[sent]}" for name in ([bound] if bound else open_tiles)):
                if harmless(mover, place):
                    laid[place] = mover
                    found = go(mover % players + 1, goal, left - 1)
                    del laid[place]
                    if found is not None:
                        return [place, *found]
        return None

    shortest = (seat - view["mover"]) % players
    ways = (go(view["mover"], view["bound"], shortest + more) for more in (0, players, 2 * players))
    return next(found for found in ways if found is not None)
