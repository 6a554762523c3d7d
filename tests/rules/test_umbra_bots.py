"""Umbra Via's greedy bot by hand: it claims at once, knows nothing hidden, and keeps to its style."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest
from playing import amount, drift, first_choice, played

import tkg
from tkg.bots import umbra as bots
from tkg.rules import calls, umbra
from tkg.rules.chance import derive_exact
from tkg.rules.kernel import COMPILING

STYLES = ("", *bots.STYLES)
NO_TILES = dict.fromkeys(umbra.TILE_KINDS, 0)


def choice(game: tkg.Game, style: int = 0, dealt: int | None = None) -> str:
    """What the bot does in a game, with what it cannot know as it is, or dealt anew."""
    states, packed = game.states, game.variant.packed
    if dealt is not None:
        calls.hide(states, packed, int(states[0].decider), np.uint64(derive_exact(dealt, 0)))
    return first_choice(game, states, STYLES[style], len(game.actions))


def positions(variant: tkg.Variant, seeds: int, every: int) -> Iterator[tkg.Game]:
    """Positions from games that play themselves: one decision in so many, and all that are rare."""
    for seed in range(seeds):
        game = tkg.new(variant, seed)
        while not game.over:
            if len(game.actions) % every == 0 or game.kind in ("scatter", "void"):
                yield game
            game.play(drift(game, seed))


def test_it_claims_by_the_third_tile_of_a_column() -> None:
    """Side 3, NS tiles only: seat 1 has won three with two energy each. With two of them on E and B, the third on H
    completes the column B E H: 3 flowers for the 1 on the soul tile, which empties it (`any`)."""
    tiles = {**NO_TILES, "straight": 20}
    variant = tkg.umbra(side=3, tiles=tiles, soul=2, soul_on_tile=1, claim="any", draw=6, biddings=1)
    chance: list[dict[str, Any]] = [
        {"track": [1, 2]},
        {"stack": ["straight"] * 20},
        {"altar": ["NS"] * 4},
        {"draw": {"seat": 1, "flowers": "EEEEEE"}},
        {"draw": {"seat": 2, "flowers": "EEEEEE"}},
    ]
    game = tkg.new(variant, chance=chance)
    for action in ("bid II:EE III:EE IV:EE", "bid I:EEEEEE", "place E", "place B"):
        game.play(action)
    assert game.seat == 1
    assert choice(game) == "place H"
    assert game.play("place H").result["ending"] == "claimed"


def can_win(game: tkg.Game, action: str) -> bool:
    """Whether the action ends the game by a claim of the one who decides, alone: a victory that is shared is half a victory."""
    seat = game.seat
    after = game.play(action)
    won = after.over and after.result["ending"] == "claimed" and after.result["winners"] == [seat]
    game.undo()
    return won


def test_it_claims_wherever_it_can_at_all() -> None:
    found = 0
    for seed in range(amount(400, 20)):
        game = played(tkg.umbra(soul=4, soul_on_tile=2, claim="any"), seed, 7 + seed % 12)
        if game.kind == "place":
            alone = [a for a in game.legal if can_win(game, a)]
            if alone:
                assert choice(game) in alone
                found += 1
    assert found


def test_what_is_hidden_changes_no_choice() -> None:
    variant = tkg.umbra(players=3, draw=2, max_rounds=6, tiles=dict.fromkeys(umbra.TILE_KINDS, 4))
    met = set()
    for game in positions(variant, amount(20), 7):
        met.add(game.kind)
        for style in range(len(STYLES) if game.kind == "bid" else 1):
            assert len({choice(game, style, dealt) for dealt in range(4)}) == 1
    assert met == set(umbra.KINDS)


def test_every_choice_is_legal_in_every_style() -> None:
    """What a style takes away is not chosen: a flower a tile as far as they go, or all flowers on one tile."""
    for variant in (
        tkg.umbra(max_rounds=5),
        tkg.umbra(altar=2, draw=5, max_rounds=3, tiles={**NO_TILES, "tee": 30, "block": 5}),
        tkg.umbra(altar=5, draw=2, side=6, max_rounds=3, specials=True),
    ):
        for game in positions(variant, amount(15), 5):
            if game.kind != "bid":
                assert choice(game) in game.legal
                continue
            places = bin(int(game.states[0].biddable)).count("1")
            for style in range(len(STYLES)):
                chosen = choice(game, style)
                assert chosen in game.legal
                parts = [part.split(":")[1] for part in chosen.split()[1:] if part != "-"]
                flowers = sum(map(len, parts))
                if style == 1:
                    assert len(parts) == min(flowers, places)
                elif style == 2:
                    assert len(parts) == min(flowers, 1)


@pytest.mark.skipif(not COMPILING, reason="whole games")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_is_stronger_than_random(players: int) -> None:
    games = tkg.simulate(tkg.umbra(players=players), "greedy" + ",random" * (players - 1), 100, seed=3, workers=1)
    share = dict(games.group_by(pl.col("bot").cast(pl.String)).agg(pl.col("win").mean()).iter_rows())
    assert share["greedy"] > 0.6 > 0.4 > share["random"]
