"""The conformance suite on every game of the table, at default and other settings."""

from __future__ import annotations

import pytest
from conformance import check_declarations, check_luck, check_variant, variants_of
from playing import amount

from tkg.rules.games import GAMES
from tkg.rules.knobs import Variant

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
}

# By game: the fields of the state between which `hide` deals.
DEALT = {"rift": ("deck",)}

CASES = [variant for game in GAMES for variant in variants_of(game, COMBINATIONS[game])]


@pytest.mark.parametrize("game", GAMES)
def test_declarations(game: str) -> None:
    check_declarations(game)


@pytest.mark.parametrize("game", GAMES)
def test_luck(game: str) -> None:
    check_luck(game, range(amount(8, least=3)))


@pytest.mark.parametrize("variant", CASES, ids=str)
def test_variant(variant: Variant) -> None:
    for seed in range(amount(2)):
        check_variant(variant, seed, DEALT[variant.game])
