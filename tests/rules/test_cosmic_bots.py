"""The greedy bot of Cosmic Alignments: what it takes and avoids in positions from games played, and what it must not see."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from playing import amount, first_choice

import tkg
from tkg.rules import calls
from tkg.rules.chance import derive_exact
from tkg.rules.kernel import COMPILING


def picked(game: tkg.Game, states: np.ndarray, bot: str = "greedy", key: int = 0) -> str:
    """What a bot plays in a position as it is given."""
    return first_choice(game, states, bot.removeprefix("greedy").removeprefix("-"), key)


def choice(game: tkg.Game, bot: str = "greedy", key: int = 0) -> str:
    """What a bot plays in the position of a game, as far as its seat can know it."""
    states = game.states
    calls.hide(states, game.variant.packed, game.seat - 1, np.uint64(derive_exact(key, 1)))
    return picked(game, states, bot, key)


def positions(variant: tkg.Variant, bots: str | list[str], seeds: range, kind: str) -> Iterator[tkg.Game]:
    """Some of the positions of some games in which there is a choice of a kind, fewer with the compiler off."""
    met = 0
    for seed in seeds:
        game = tkg.play_again(variant, bots, seed)
        while game.actions:
            game.undo()
            if game.kind == kind and len(game.legal) > 1:
                met += 1
                if COMPILING or met % 8 == 1:
                    yield game.copy()


def wins_at_once(game: tkg.Game, action: str) -> bool:
    """Whether an action, with the best taking after it, makes an alignment for the seat that decides."""
    seat = game.seat
    after = game.copy().play(action)
    if after.kind == "take" and after.seat == seat:
        after.play(after.legal[0])
    return after.over and after.outcome.ending == "alignment" and after.outcome.winners == (seat,)


def winning(game: tkg.Game) -> set[str]:
    return {action for action in game.legal if wins_at_once(game, action)}


SMALL = tkg.cosmic(side=3, layout="dealt")


def test_it_completes_the_line_that_makes_an_alignment():
    for n, variant in ((2, tkg.cosmic()), (4, SMALL), (1, tkg.cosmic(players=3))):
        found = 0
        for game in positions(variant, "random-only-occupy", range(amount(n)), "place"):
            if wins := winning(game):
                assert choice(game) in wins
                found += len(wins) < len(game.legal)
        assert found or not COMPILING


def test_it_occupies_where_that_makes_an_alignment():
    found = 0
    for game in positions(tkg.cosmic(), "random-only-occupy", range(amount(8)), "take"):
        if wins_at_once(game, game.legal[0]):
            assert choice(game) == game.legal[0]
            found += 1
    assert found or not COMPILING


def lets_win(after: tkg.Game) -> bool:
    """Whether the next player can win at once, whichever way a tile won before is taken."""
    if after.kind == "take":
        return all(lets_win(after.copy().play(take)) for take in after.legal)
    return not after.over and bool(winning(after))


@pytest.mark.skipif(not COMPILING, reason="looks at every answer to every option")
def test_it_does_not_send_the_next_player_to_a_tile_where_that_one_wins():
    found = 0
    for game in positions(tkg.cosmic(), "random-only-occupy", range(1), "place"):
        state = game.states[0]
        if state.bound < 0 or winning(game) or max(bin(m).count("1") for m in state.occupied) < 2:
            continue
        loses = {action for action in game.legal if lets_win(game.copy().play(action))}
        if 0 < len(loses) < len(game.legal):
            assert choice(game) not in loses, (game.seed, len(game.actions), loses)
            found += 1
    assert found or not COMPILING


@pytest.mark.parametrize(
    "variant",
    [tkg.cosmic(), tkg.cosmic(players=3, layout="free"), tkg.cosmic(side=3, layout="dealt")],
    ids=str,
)
def test_it_does_not_look_at_what_its_seat_cannot_know(variant: tkg.Variant):
    """Not even through the dealing that a bot is given: every other dealing leads to the same choice."""
    positions_seen = 0
    for kind in ("draft", "place", "lift", "take"):
        for game in positions(variant, ["greedy", "random", "random"][: variant.seats], range(amount(3)), kind):
            choices = set()
            for dealing in range(4):
                states = game.states
                calls.hide(states, variant.packed, game.seat - 1, np.uint64(derive_exact(dealing, 1)))
                choices.add(picked(game, states, key=7))
            assert len(choices) == 1
            positions_seen += 1
    assert positions_seen


def test_equal_options_are_drawn_by_lot_and_the_key_settles_the_choice():
    game = tkg.new(SMALL, 0)
    assert len({choice(game, key=key) for key in range(20)}) > 1
    assert choice(game, key=3) == choice(game, key=3)


@pytest.mark.parametrize(("style", "verb"), [("only-occupy", "occupy"), ("only-capture", "capture")])
def test_styles_take_in_one_way(style: str, verb: str):
    for game in positions(tkg.cosmic(), "greedy,random", range(amount(4)), "take"):
        assert choice(game, f"greedy-{style}").startswith(verb)
    results = tkg.simulate(tkg.cosmic(), [f"greedy-{style}", "random"], amount(60), workers=1).to_dicts()
    for row in results:
        if row["bot"] != "random":
            assert row["captured" if style == "only-occupy" else "occupied"] == 0


def test_rich_draft_drafts_what_has_most_insignias():
    drafted = 0
    for game in positions(tkg.cosmic(), "greedy", range(amount(3)), "draft"):
        weights = {action: len(action.split()[1].split("@")[0].replace("-", "")) for action in game.legal}
        assert weights[choice(game, "greedy-rich-draft")] == max(weights.values())
        drafted += 1
    assert drafted


@pytest.mark.parametrize(
    "settings",
    [
        {"side": 3, "players": 4, "blocked": "pass", "majority": "strict", "line_shape": "spaced", "oinks": 0},
        {"side": 3, "life": 4, "layout": "free", "alignment": 3},
        {
            "side": 4,
            "line": 4,
            "alignment": 4,
            "players": 3,
            "majority": "strict",
            "blocked": "pass",
            "layout": "dealt",
        },
        {"side": 5, "life": 60, "line_shape": "spaced", "capture_limit": 1},
    ],
    ids=str,
)
def test_it_plays_whole_games_of_every_kind(settings: dict[str, object]):
    variant = tkg.cosmic(max_turns=amount(200, least=40), **settings)
    assert tkg.simulate(variant, "greedy", amount(30), workers=1).height == amount(30) * variant.seats


@pytest.mark.skipif(not COMPILING, reason="many games")
@pytest.mark.parametrize(("players", "share"), [(2, 0.97), (3, 0.9), (4, 0.9)])
def test_it_beats_random(players: int, share: float):
    table = tkg.simulate(tkg.cosmic(players=players), ["greedy"] + ["random"] * (players - 1), 120, workers=1)
    assert table.filter(table["bot"].cast(str) == "greedy")["win"].mean() > share
