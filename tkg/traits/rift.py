"""The Rift: which insignias came early and which were set aside, what was built and spent, and the tiles of the ring."""

from __future__ import annotations

from collections.abc import Iterable

from tkg.rules.rift import HAND, NONE, turns_of
from tkg.rules.tiles import ELEMENTS, tile_counts
from tkg.traits.played import Traits, Whole


def insignias(name: str, tiles: Iterable[str]) -> dict[str, float]:
    """`NAME_F` to `NAME_E`: insignias of each element on all these tiles."""
    counts = [tile_counts(tile) for tile in tiles]
    return {f"{name}_{element}": float(sum(c[e] for c in counts)) for e, element in enumerate(ELEMENTS)}


def ring(game: Whole) -> list[str]:
    """The tiles of the ring at the end."""
    kinds = list(game.variant.deck)
    return [kinds[tile] for tile in game.end.board if tile != NONE]


def deal(game: Whole) -> Traits:
    """What chance alone has settled: insignias on tiles set aside at the start, and on those of the first third of turns, rounded down;
    `early_single` counts tiles with one insignia among these."""
    kinds = list(game.variant.deck)
    set_up = int(game.variant.packed[0].set_up)
    order = [kinds[kind] for kind in game.start.deck[: game.variant.deck.total]]
    early = order[set_up : set_up + HAND * (turns_of(game.variant) // 3)]
    single = float(sum(sum(tile_counts(tile)) == 1 for tile in early))
    return [{**insignias("aside", order[:set_up]), **insignias("early", early), "early_single": single}]


def built(game: Whole) -> Traits:
    """Insignias in the ring at the end, and on the tiles that were spent for Oinks."""
    spent = [step.text.removeprefix("gain ") for step in game.steps if step.text.startswith("gain ")]
    return [{**insignias("ring", ring(game)), **insignias("spent", spent)}]


def tiles(game: Whole) -> Traits:
    """Copies of each tile of the deck in the ring at the end."""
    there = ring(game)
    return [{tile: float(there.count(tile)) for tile in game.variant.deck}]


OFFERED = {"deal": deal, "ring": built, "tiles": tiles}
