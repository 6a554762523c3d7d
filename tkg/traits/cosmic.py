"""Cosmic Alignments: what the layout was like when play began, whose it was, and which tiles were captured."""

from __future__ import annotations

from tkg.rules.cosmic import NONE
from tkg.rules.tiles import ELEMENTS, tile_counts
from tkg.traits.played import Traits, Whole


def draft(game: Whole) -> Traits:
    """By seat: insignias of its own element on the layout when play began, and on the tiles that it laid itself; the mean of the others' on the
    layout; insignias in all on what it laid; and which element it has (three columns, for the fourth follows)."""
    seats = range(game.variant.seats)
    own = [int(game.start.element[s]) for s in seats]
    laid: list[list[str]] = [[] for _ in seats]
    for step in game.steps:
        if step.text.startswith("draft "):
            laid[step.seat].append(step.text.removeprefix("draft ").partition("@")[0])
    kinds = list(game.variant.deck)
    first = next((s.before for s in game.steps if not s.text.startswith("draft ")), game.end)
    there = [tile_counts(kinds[tile]) for tile in first.board if tile != NONE]
    total = [sum(counts[e] for counts in there) for e in range(4)]
    return [
        {
            "layout_own": float(total[own[s]]),
            "layout_others": sum(total[own[o]] for o in seats if o != s) / (len(seats) - 1),
            "laid_own": float(sum(tile_counts(tile)[own[s]] for tile in laid[s])),
            "laid_insignias": float(sum(sum(tile_counts(tile)) for tile in laid[s])),
            **{f"has_{element}": float(own[s] == e) for e, element in enumerate(ELEMENTS[1:], 1)},
        }
        for s in seats
    ]


def tiles(game: Whole) -> Traits:
    """By seat: copies of each tile of the deck that it has captured."""
    kinds = list(game.variant.deck)
    found = [dict.fromkeys(kinds, 0.0) for _ in range(game.variant.seats)]
    for tile, captor in zip(game.end.stack, game.end.captor, strict=True):
        if captor != NONE:
            found[captor][kinds[tile]] += 1
    return found


OFFERED = {"draft": draft, "tiles": tiles}
