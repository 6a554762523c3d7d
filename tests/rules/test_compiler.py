"""Compiled and plain rules play alike, game by game; and no knob or reading is without effect."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playing import play_out

import tkg
from tkg.game import contest_ranks
from tkg.rules.games import GAMES, rules_of
from tkg.rules.kernel import COMPILING
from tkg.rules.knobs import Reading, Variant

DIGEST = str(Path(__file__).with_name("digest.py"))


@pytest.mark.skipif(not COMPILING, reason="runs both ways from where the compiler is on")
def test_compiled_and_plain_rules_play_alike(python: Callable[..., str]) -> None:
    """Every position, option and row of games of odd variants; plain numbers that overflow are errors."""
    with ThreadPoolExecutor() as pool:
        compiled = pool.submit(python, DIGEST, NUMBA_DISABLE_JIT="0")
        plain = pool.submit(python, "-W", "error::RuntimeWarning", DIGEST, NUMBA_DISABLE_JIT="1")
        lines = compiled.result().splitlines()
        assert plain.result().splitlines() == lines
    assert len(lines) > 16


# --- What each setting changes --------------------------------------------------------------------------------

ROUND = {"side": 3, "layout": "dealt", "deck": {"F": 5, "FW": 5, "WA": 4, "-": 1}}
LARGE = {"layout": "dealt", "deck": "pairs"}
FEW = {"deck": {"F": 4, "FW": 4, "WA": 3, "-": 1}}
ROUNDS = {"side": 3, "altar": 3, "biddings": 1, "max_rounds": 40}
POINTS = {**ROUNDS, "tiles": "straight:3,tee:4,point:4"}
RANKS = "ranks"  # of a contest of twelve on one deal

# By game: a setting, what it is added to, a seed, and where it first shows in the game of that seed: at the decision of
# that number, in these fields of the result, or in the ranks of a contest. Found by search once, and frozen.
Shown = tuple[dict[str, Any], dict[str, Any], int, Any]
SHOWS: dict[str, list[Shown]] = {
    "rift": [
        ({"side": 4}, {}, 0, 3),
        ({"side": 7}, {}, 0, 3),
        ({"deck": "threes"}, {}, 0, 1),
        ({"supply": 5}, {}, 0, 24),
        ({"supply": [15, 15, 15, 14]}, {}, 0, ["void"]),
        ({"gate": "empty"}, {}, 0, 1),
        ({"adjacency": "all"}, {}, 0, 3),
        ({"build_match": "common"}, {}, 0, 23),
        ({"build_match": "any"}, {}, 0, 15),
        ({"replace": "free"}, FEW, 10, 10),
        ({"replace": "off"}, {}, 0, 6),
        ({"full_boundary": False}, FEW, 2, ["win"]),
        ({"coverage": "element"}, {"deck": {"FF": 4, "F": 5}}, 16, ["matched"]),
        ({"hop": "again"}, {}, 0, 10),
        ({"tile_moves": "any"}, {}, 0, 19),
        ({"move_mix": False}, {}, 0, 28),
        ({"shortfall": "illegal"}, {}, 0, 48),
        ({"excess": "stay"}, {}, 2, ["points", "void", "unmatched"]),
        ({"standing": "stable-first"}, {"deck": {"F": 8}, "full_boundary": False}, 0, RANKS),
    ],
    "cosmic": [
        ({"players": 3}, {}, 7, 30),
        ({"side": 3}, {}, 0, 10),
        ({"deck": "threes"}, {}, 0, 1),
        ({"oinks": 0}, ROUND, 0, 19),
        ({"life": 4}, ROUND, 0, 9),
        ({"line": 4}, LARGE, 6, 18),
        ({"alignment": 4}, {"layout": "dealt", "line_shape": "spaced", "capture_limit": 9}, 4, 115),
        ({"capture_limit": 1}, ROUND, 0, 20),
        ({"own_points": 5}, ROUND, 0, ["points"]),
        ({"other_points": 0}, ROUND, 0, ["points"]),
        ({"max_turns": 3}, ROUND, 0, 4),
        ({"layout": "free"}, {}, 0, 1),
        ({"layout": "dealt"}, {}, 0, 1),
        ({"line_shape": "spaced"}, LARGE, 1, 31),
        ({"majority": "strict"}, {**ROUND, "players": 3}, 16, 54),
        ({"blocked": "pass"}, {**ROUND, "players": 3, "majority": "strict"}, 2, ["turns", "passes"]),
    ],
    "umbra": [
        ({"players": 3}, {}, 0, 5),
        ({"side": 3}, {}, 0, 5),
        ({"tiles": "straight:1,curve:9,tee:4"}, {}, 0, 14),
        ({"altar": 3}, {}, 0, 1),
        ({"energy": 9}, {}, 0, 1),
        ({"soul": 12}, {}, 0, 1),
        ({"soul_on_tile": 4}, ROUNDS, 0, 2),
        ({"draw": 2}, {}, 0, 1),
        ({"biddings": 1}, {}, 0, 3),
        ({"soul_worth": 1}, ROUNDS, 0, ["track_wins"]),
        ({"claim_length": 6}, ROUNDS, 0, 35),
        ({"tile_worth": 5}, ROUNDS, 0, 35),
        ({"max_rounds": 2}, ROUNDS, 0, 9),
        ({"halving": "down"}, ROUNDS, 0, 35),
        ({"half_of": "paid"}, {**ROUNDS, "players": 3, "soul_on_tile": 3}, 0, ["soul_left", "soul_gained"]),
        ({"rank_tie": "share"}, ROUNDS, 0, ["tiles_won", "firsts", "track_wins"]),
        ({"scatter": "split"}, POINTS, 0, 23),
        ({"claim": "any"}, ROUNDS, 1, 28),
        ({"claim": "empty"}, ROUNDS, 2, 36),
        ({"reward": "energy"}, ROUNDS, 0, 35),
        ({"placing": "anywhere"}, ROUNDS, 0, 4),
        ({"order_by": "value"}, ROUNDS, 0, ["firsts", "summonings"]),
    ],
}
CASES = [(game, *shown) for game, table in SHOWS.items() for shown in table]


def first_difference(one: Variant, other: Variant, seed: int) -> Any:
    """Where two games of the same seed and the same way of choosing part: see SHOWS. None if they never do."""
    games = tkg.new(one, seed), tkg.new(other, seed)
    while not any(game.over for game in games):
        options = [sorted(game.legal) for game in games]
        if options[0] != options[1]:
            return len(games[0].actions) + 1
        for game in games:
            play_out(game, seed, actions=1)
    if games[0].over != games[1].over:
        return len(games[0].actions) + 1
    results = [game.result for game in games]
    if results[0] != results[1]:
        return [name for name in results[0] if results[0][name] != results[1][name]]
    if one.seats == 1:
        ranks = [contest_ranks([play_out(tkg.new(v, seed), player) for player in range(12)]) for v in (one, other)]
        if ranks[0] != ranks[1]:
            return RANKS
    return None


@pytest.mark.parametrize(("game", "setting", "base", "seed", "where"), CASES, ids=[str(case[1]) for case in CASES])
def test_a_setting_shows(game: str, setting: dict[str, Any], base: dict[str, Any], seed: int, where: Any) -> None:
    variant = Variant(rules_of(game), **base)
    assert first_difference(variant, variant.but(**setting), seed) == where


@pytest.mark.parametrize("game", GAMES)
def test_no_setting_is_left_out(game: str) -> None:
    """Every knob that can be varied and every option of a reading but the default stands in the table."""
    shown = {json.dumps([name, value]) for setting, *_ in SHOWS[game] for name, value in setting.items()}
    knobs = {json.loads(entry)[0] for entry in shown}
    for declaration in rules_of(game).DECLARED:
        if isinstance(declaration, Reading):
            missing = [o for o in declaration.options[1:] if json.dumps([declaration.name, o]) not in shown]
            assert not missing, f"{declaration.name}: no game shows what {missing} changes"
        elif getattr(declaration, "low", None) != getattr(declaration, "high", None):
            assert declaration.name in knobs, f"no game shows what {declaration.name} changes"


def test_settings_that_change_nothing_are_seen() -> None:
    """Else the table would prove nothing."""
    variant = tkg.rift(deck={"-": 12})
    assert first_difference(variant, variant.but(coverage="element"), 1) is None
