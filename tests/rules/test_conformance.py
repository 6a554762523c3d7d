"""The conformance suite on every game of the table, at default and other settings."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from conformance import Told, check_dealt, check_declarations, check_luck, check_positions, check_variant, variants_of
from playing import LONG, amount
from sound import SOUND, SOUND_BY_HAND

from tkg.rules.cosmic import DRAFT
from tkg.rules.games import GAMES, rules_of
from tkg.rules.kernel import COMPILING
from tkg.rules.knobs import Variant
from tkg.rules.umbra import TILE_KINDS

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")  # numbers that overflow, with the compiler off

# By game: settings that are worth a check together.
COMBINATIONS = {
    "rift": [
        {"side": 4, "adjacency": "all", "hop": "again", "tile_moves": "any", "move_mix": False, "deck": "one_to_four"},
        {"side": 5, "build_match": "common", "replace": "free", "supply": [20, 5, 15, 0], "shortfall": "illegal"},
        {"gate": "empty", "deck": {"-": 2, "F": 1}, "full_boundary": False},
        {"gate": "empty", "deck": {"FFFFFFFFF": 20, "WAE": 20}, "supply": 255, "tile_moves": "any", "hop": "again"},
        {"side": 7, "deck": {"F": 100, "FW": 100}, "build_match": "any", "coverage": "element", "excess": "stay"},
    ],
    "cosmic": [
        {"players": 4, "side": 3, "majority": "strict", "blocked": "pass", "life": 9, "layout": "dealt"},
        {"side": 5, "line_shape": "spaced", "line": 4, "layout": "free", "players": 3, "max_turns": 400},
        {"deck": {"F": 8, "FW": 8}, "players": 4, "oinks": 1, "alignment": 4},  # drafted through six shuffles
        {"deck": {"F": 3, "FW": 3, "WAE": 3}, "side": 3, "oinks": 0, "layout": "free", "max_turns": 200},
        {"side": 5, "deck": {"-": 25}, "life": 1, "players": 3, "layout": "free", "max_turns": 60},
        {"side": 3, "life": 1, "players": 4, "majority": "strict", "blocked": "pass", "max_turns": 50},
        {"side": 4, "life": 80, "majority": "strict", "blocked": "pass", "line": 4, "oinks": 0, "max_turns": 400},
        {"capture_limit": 48, "oinks": 2, "own_points": 0, "other_points": 9, "deck": {"FFFFFFFFF": 190}},
        {"players": 3, "side": 3, "deck": {"FW": 6, "WA": 7, "AE": 1}, "capture_limit": 2, "layout": "dealt"},
        {"max_turns": 1, "layout": "dealt", "players": 4},
    ],
    "umbra": [
        {"players": 4, "side": 6, "altar": 6, "biddings": 4, "draw": 2, "energy": 255, "soul": 255, "max_rounds": 1},
        {"side": 6, "draw": 6, "altar": 6, "biddings": 1, "energy": 255, "soul_on_tile": 1, "max_rounds": 1},
        {"players": 4, "energy": 255, "soul": 255, "soul_on_tile": 255, "tiles": "straight:100,tee:100,point:100"},
        {"tiles": ",".join(f"{kind}:100" for kind in TILE_KINDS), "side": 6, "players": 3, "max_rounds": 12},
        {"tiles": "block:7", "altar": 3, "max_rounds": 5},  # without a decision
        {"tiles": "block:100", "altar": 6, "max_rounds": 70},
        {"tiles": "curve:1,block:9", "altar": 2, "max_rounds": 9},
        {"tiles": "point:100", "side": 3, "scatter": "split", "players": 3, "energy": 20, "max_rounds": 9},
        {"tiles": "void:3", "altar": 6, "side": 3, "max_rounds": 9},
        {"tiles": "point:9,void:9", "side": 3, "players": 4, "max_rounds": 9},  # voids without an empty cell
        {"max_rounds": 1, "players": 4, "tiles": "tee:4,void:2,point:2,block:1"},
        {"energy": 1, "soul": 1, "soul_on_tile": 1, "draw": 6, "max_rounds": 5},  # with nothing to bid
        {"players": 4, "energy": 2, "soul": 9, "soul_on_tile": 1, "claim_length": 1, "tile_worth": 1},
        {"players": 4, "soul_on_tile": 1, "rank_tie": "share", "claim": "any", "claim_length": 1, "reward": "energy"},
        {"players": 3, "specials": True, "halving": "down", "half_of": "paid", "rank_tie": "share", "claim": "empty"},
    ],
}

UMBRA_DEALT = ("stack", "energy", "soul", "hand", "bid", "options")

# By game: the fields of the state that `hide` changes, beside `luck`, from which shuffles to come are drawn.
DEALT = {"rift": ("deck",), "cosmic": ("board", "stack", "hands", "takes", "options"), "umbra": UMBRA_DEALT}

# By game: of what no position is told, a Move action that has begun and a draft; and what a position leaves to chance.
TOLD = {
    "rift": Told(lambda state: bool(state.begun), ("deck",)),
    "cosmic": Told(lambda state: state.phase == DRAFT, ("stack", "captor")),
    "umbra": Told(lambda state: False, ("stack", "drawn", "stacked", "shuffles", "luck")),
}

# By game: with what long games are cut short where positions are set up by hand, and where all of them are.
SOME: dict[str, dict[str, int]] = {"rift": {}, "cosmic": {"max_turns": 60}, "umbra": {"max_rounds": 4}}
MANY: dict[str, dict[str, int]] = {
    "rift": {},
    "cosmic": {"max_turns": 60 if LONG else 25, "life": 7},
    "umbra": {"max_rounds": 15 if LONG else 8},
}

# By game: how many games of a variant are played where the compiler is on.
SEEDS = {"rift": 1, "cosmic": 1, "umbra": 1}

# By game: with what long games are cut short where the compiler is off; and always, those that last to the end.
SHORT: dict[str, dict[str, int]] = {"rift": {}, "cosmic": {"max_turns": 12}, "umbra": {"max_rounds": 3}}
LASTING: dict[str, dict[str, int]] = {
    "rift": {},
    "cosmic": {"max_turns": 300 if LONG else 150},
    "umbra": {"max_rounds": 25 if LONG else 15},
}


def cut(variant: Variant) -> Variant:
    """The variant with games that a test has the time for."""
    return shortened(variant, LASTING if COMPILING else SHORT)


def shortened(variant: Variant, most_of: Mapping[str, Mapping[str, int]]) -> Variant:
    """The variant with some knobs at most so high."""
    most = most_of[variant.game]
    return variant.but(**{name: min(n, variant[name]) for name, n in most.items()})


# With the compiler off, and where positions are set up by hand, some of them do, for what the time allows.
CASES = list(dict.fromkeys(cut(v) for game in GAMES for v in variants_of(game, COMBINATIONS[game])))


@pytest.mark.parametrize("game", GAMES)
def test_declarations(game: str) -> None:
    check_declarations(game)


@pytest.mark.parametrize("game", GAMES)
def test_luck(game: str) -> None:
    check_luck(cut(Variant(rules_of(game))), range(amount(8, least=3)))


@pytest.mark.parametrize("game", GAMES)
def test_what_hide_deals(game: str) -> None:
    check_dealt(cut(Variant(rules_of(game))), 1, DEALT[game])


@pytest.mark.parametrize("variant", CASES if LONG else CASES[::2] if COMPILING else CASES[::4], ids=str)
def test_variant(variant: Variant) -> None:
    for seed in range(amount(SEEDS[variant.game])):
        check_variant(variant, seed, DEALT[variant.game], SOUND[variant.game])


@pytest.mark.parametrize("variant", CASES[::3] if COMPILING else CASES[::12], ids=str)
def test_some_positions(variant: Variant) -> None:
    check_positions(shortened(variant, SOME), 1, TOLD[variant.game], SOUND_BY_HAND[variant.game], often=1)


@pytest.mark.parametrize("game", GAMES)
def test_every_position(game: str) -> None:
    """Of one game at the default, and of one at all the last readings."""
    rules = rules_of(game)
    last = {r.name: r.options[-1] for r in rules.READINGS}
    for readings in ({}, last) if COMPILING else (last,):
        variant = shortened(cut(Variant(rules, **readings)), MANY)
        check_positions(variant, 2, TOLD[game], SOUND_BY_HAND[game], often=1e6)
