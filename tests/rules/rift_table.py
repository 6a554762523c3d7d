"""Positions of A Rift of Portals, all reached by play from a deck in a known order."""

from collections import Counter
from typing import Any

import tkg
from tkg.rules.tiles import ELEMENTS, tile_text

# A ring of eight single fires in an order in which it can be built; read as Oinks, it is what matches that ring.
RING = "F@B F@A F@D F@F F@G F@H F@E F@C"


def deal(order: str, **settings: Any) -> tkg.Game:
    """A game whose deck is `order`, first drawn first; bars part the draws for the reader."""
    tiles = order.replace("|", " ").split()
    return tkg.Game(tkg.rift(deck=Counter(tiles), **settings), seed=0, chance=tiles)


def laid(turn: str, built: str = "", on: str = "", have: str = "", **settings: Any) -> tkg.Game:
    """A game at R-D1 with `turn` as the rest of the deck, its first three tiles in hand.

    `built` are the tiles on the ring in the order of building, `on` the Oinks on them, `have` those in the gate;
    the void is empty. Every tile took a turn with two bare tiles, and so did every Oink.

        laid("- - FF", built="F@B F@C", on="FW@B", have="F")
    """
    placed = [(e, cell) for oinks, cell in (token.split("@") for token in on.split()) for e in oinks]
    oinks = have + "".join(e for e, _ in placed)
    kept = tile_text(oinks.count(e) for e in ELEMENTS)
    draws = [kept, "-"] if settings.get("gate") == "empty" else [kept, "-", "-"]
    actions = [f"keep {kept}"]
    for token in built.split():
        draws += ["-", token.split("@")[0], "-"]
        actions += ["gain -", f"build {token}"]
    for e, cell in placed:
        draws += ["-", "-", e]
        actions += ["gain -", "refuse -", f"move {e} gate>{cell}"]
    return deal(" ".join([*draws, turn]), **settings).play(*actions)


def where(game: tkg.Game, what: str) -> str:
    """The cells on which `what`, such as `build FW`, is legal, in alphabetical order."""
    return " ".join(sorted(option.split("@")[1] for option in game.legal if option.startswith(what + "@")))
