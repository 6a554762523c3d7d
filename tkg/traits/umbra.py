"""Umbra Via: the tiles that every seat placed, by kind, and how it bid."""

from __future__ import annotations

from tkg.rules.umbra import ORIENTATIONS, TILE_KINDS
from tkg.traits.played import Traits, Whole

KIND_OF = {tile: kind for kind, turned in zip(TILE_KINDS, ORIENTATIONS, strict=True) for tile in turned}


def tiles(game: Whole) -> Traits:
    """By seat: tiles of each kind of the set that it placed, and its place on the track at the start, from 1."""
    kinds = [kind for kind, n in zip(TILE_KINDS, game.variant.tiles, strict=True) if n]
    found = [
        {"track": float(game.start.track_start[s]), **dict.fromkeys(kinds, 0.0)} for s in range(game.variant.seats)
    ]
    for step in game.steps:
        if step.text.startswith("place "):
            found[step.seat][KIND_OF[int(step.before.altar[step.before.place])]] += 1
    return found


def bids(game: Whole) -> Traits:
    """By seat: soul flowers of an average bid (the rest of what is drawn is energy), and on how many places of the altar it lay."""
    found = []
    for s in range(game.variant.seats):
        texts = [step.text for step in game.steps if step.seat == s and step.text.startswith("bid ")]
        placed = [part.partition(":")[2] for text in texts for part in text.split() if ":" in part]
        n = max(1, len(texts))
        found.append({"soul": sum(part.count("S") for part in placed) / n, "places": len(placed) / n})
    return found


OFFERED = {"tiles": tiles, "bids": bids}
