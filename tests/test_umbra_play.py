"""Umbra Via in bulk: the styles of a bid."""

from __future__ import annotations

import pytest
from playing import amount

import tkg


def bids(bot: str, variant: tkg.Variant, games: int) -> list[tuple[str, int]]:
    """Every bid that a bot makes in some games, and how many tiles can be bid on."""
    found = []
    run = tkg.simulate(variant, bots=bot, games=games, seed=4)
    for row in range(games):
        game = tkg.game_of(run, row)
        twin = tkg.new(variant, game.seed)
        for action in game.actions:
            if twin.kind == "bid":
                altar = twin.view(1)["altar"].values()
                found.append((action.removeprefix("bid "), sum(place["tile"] != "block" for place in altar)))
            twin.play(action)
    return found


@pytest.mark.parametrize("settings", [{}, {"draw": 5, "altar": 3, "soul_on_tile": 2, "specials": True, "players": 3}])
def test_styles_bid_as_they_are_called(settings: dict[str, int]) -> None:
    """`lump` bids on one tile, `spread` on as many as there are flowers or tiles; both take all bids of the kind alike."""
    variant, games = tkg.umbra(**settings, max_rounds=4), amount(12, least=2)
    for style, most in (("lump", 1), ("spread", 9)):
        made = bids(f"random-{style}", variant, games)
        assert len(made) > 20
        for bid, tiles in made:
            parts = bid.split() if bid != "-" else []
            flowers = sum(len(part.split(":")[1]) for part in parts)
            assert len(parts) == min(most, flowers, tiles)
        assert len({part.split(":")[0] for bid, _ in made for part in bid.split()}) == variant.altar


def test_bids_without_a_style_are_of_every_kind() -> None:
    """Else the styles would prove nothing."""
    made = bids("random", tkg.umbra(max_rounds=4), amount(12, least=3))
    assert {len(bid.split()) for bid, _ in made} == {1, 2, 3}
