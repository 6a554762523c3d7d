"""A Rift of Portals: the ring, set-up, R-D0 keep, R-D1 gain and the number of turns, worked by hand."""

from collections import Counter

import pytest
from rift_table import deal, laid, where

import tkg
from tkg.rules import calls

# --- The ring -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows",
    [
        "A B C | D E | F G H",
        "A B C D | E F | G H | J K L M",
        "A B C D E | F G | H J | K L | M N P Q R",
        # 24 cells, and 23 letters without I, O and X: the last cell is AA.
        "A B C D E F G | H J | K L | M N | P Q | R S | T U V W Y Z AA",
    ],
)
def test_set_up_1_cells_are_named_in_reading_order_without_I_O_X(rows):
    lines = [row.split() for row in rows.split("|")]
    last = len(lines) - 1
    expected = {
        name: (r, c)
        for r, names in enumerate(lines)
        for c, name in zip(range(last + 1) if r in (0, last) else (0, last), names, strict=True)
    }
    cells = deal("F F F", side=last + 1).view()["cells"]
    assert list(cells) == list(expected)
    assert {name: tuple(cell["place"]) for name, cell in cells.items()} == expected


@pytest.mark.parametrize(
    ("side", "adjacency", "cells"),
    [
        (3, "orthogonal", "B D E G"),
        (3, "all", "A B C D E F G H"),
        (4, "orthogonal", "B C E F G H K L"),
        (4, "all", "A B C D E F G H J K L M"),
        (7, "orthogonal", "B C D E F H J K L M N P Q R S U V W Y Z"),
    ],
)
def test_rd2_build_first_tile_lies_next_to_the_inside(side, adjacency, cells):
    """The corners touch the inside by their corner only."""
    game = laid("- F F", side=side, adjacency=adjacency).play("gain -")
    assert where(game, "build F") == cells


@pytest.mark.parametrize(
    ("side", "adjacency", "built", "cells"),
    [
        (3, "orthogonal", "F@B", "A C"),
        (3, "orthogonal", "F@D", "A F"),
        (3, "orthogonal", "F@E", "C H"),
        (3, "orthogonal", "F@G", "F H"),
        (3, "orthogonal", "F@B F@A", "C D"),  # the corner A leads on to D
        (3, "all", "F@A", "B D"),
        (3, "all", "F@B", "A C D E"),  # B touches D and E over the corner of the gate
        (3, "all", "F@D", "A B F G"),
        (3, "all", "F@H", "E G"),
        (4, "orthogonal", "F@B", "A C"),
        (4, "orthogonal", "F@E", "A G"),
        (4, "all", "F@A", "B E"),
        (4, "all", "F@B", "A C E"),
        (4, "all", "F@C", "B D F"),
        (4, "all", "F@G", "E J K"),
        (4, "all", "F@M", "H L"),
        (7, "orthogonal", "F@Z", "AA Y"),
        (7, "orthogonal", "F@Z F@AA", "S Y"),
        (7, "all", "F@Z", "AA S Y"),
    ],
)
def test_adjacency_4_or_8_neighbours(side, adjacency, built, cells):
    game = laid("- F F", built=built, side=side, adjacency=adjacency).play("gain -")
    assert where(game, "build F") == cells


# --- Equal tiles --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hand", "options"), [("F F W", 2), ("F W F", 2), ("W F F", 2), ("F F F", 1), ("F W A", 3)])
def test_equal_tiles_are_one_option_to_whoever_counts_them(hand, options):
    """Uniformly random play draws from the compiled options, so none may stand there twice."""
    keep, gain = deal(f"{hand} | W A E"), deal(f"- - - | {hand}").play("keep -")
    for game in (keep, gain):
        assert len(calls.options(game.states, game.variant.packed)) == len(game.legal) == options
    build = gain.play(gain.legal[0])  # each tile left can be refused, or built on B, D, E or G
    left = len(set(build.view()["hand"]))
    assert len(calls.options(build.states, build.variant.packed)) == len(build.legal) == 5 * left


# --- Set-up and R-D0 keep -----------------------------------------------------------------------------------


def test_set_up_2_gate_tile_draws_three_and_keeps_one():
    game = deal("F FFW E | A A A")
    assert (game.kind, game.seat) == ("keep", 1)
    assert set(game.legal) == {"keep F", "keep FFW", "keep E"}
    game.play("keep FFW")
    assert game.view()["gate"] == [2, 1, 0, 0]
    assert game.view()["supply"] == [13, 14, 15, 15]
    assert game.view()["void"] == [0, 0, 0, 0]
    assert game.view()["hand"] == ["A", "A", "A"]


def test_set_up_2_gate_empty_draws_two():
    game = deal("F FFW E | A A A", gate="empty")
    assert set(game.legal) == {"keep F", "keep FFW"}
    game.play("keep F")
    assert game.view()["hand"] == ["E", "A", "A"]
    assert game.view()["stack"] == {"A": 1}


def test_rd0_keep_equal_tiles_are_one_option():
    assert set(deal("FW FW A | E E E").legal) == {"keep FW", "keep A"}
    assert deal("F F F | E E E").legal == ["keep F"]


def test_set_up_1_the_deck_is_shuffled():
    deck = tkg.load_deck("reference")
    games = [tkg.new(tkg.rift(), seed) for seed in (1, 2)]
    assert [Counter(game.chance) for game in games] == [Counter(deck), Counter(deck)]
    assert games[0].chance != games[1].chance


@pytest.mark.parametrize(
    ("supply", "left"), [(0, [0, 0, 0, 0]), (7, [6, 6, 6, 6]), (255, [254] * 4), ([9, 0, 2, 1], [8, 0, 1, 0])]
)
def test_supply_one_number_or_four_in_element_order(supply, left):
    assert deal("FWAE - - | A A A", supply=supply).play("keep FWAE").view()["supply"] == left


def test_information_the_order_of_the_stack_is_not_seen():
    games = [deal("F W A | F F F | W A E"), deal("F W A | F F F | E A W")]
    for actions in ([], ["keep A"], ["gain F"]):
        one, other = (game.play(*actions).view() for game in games)
        assert one == other
    assert one["stack"] == {"W": 1, "A": 1, "E": 1}
    assert one["set_up"] == {"F": 1, "W": 1, "A": 1}


# --- R-D1 gain ----------------------------------------------------------------------------------------------


def test_rd1_gain_one_of_three_goes_to_the_gate():
    game = deal("F - - | WW A FE").play("keep F")
    assert game.kind == "gain"
    assert set(game.legal) == {"gain WW", "gain A", "gain FE"}
    game.play("gain WW")
    assert game.view()["gate"] == [1, 2, 0, 0]
    assert game.view()["supply"] == [14, 13, 15, 15]
    assert sorted(game.view()["hand"]) == ["A", "FE"]
    assert game.kind == "build"


def test_rd1_gain_equal_tiles_are_one_option():
    assert set(deal("- - - | F W F").play("keep -").legal) == {"gain F", "gain W"}


def test_rd1_gain_bare_tile_brings_nothing():
    game = deal("F - - | - - -").play("keep F", "gain -")
    assert game.view()["gate"] == [1, 0, 0, 0]


# --- A turn: how many ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tiles", "gate", "turns", "left"),
    [
        (3, "tile", 0, 0),
        (5, "tile", 0, 2),
        (6, "tile", 1, 0),
        (8, "tile", 1, 2),
        (48, "tile", 15, 0),  # 3 and 15 times 3
        (3, "empty", 0, 1),
        (4, "empty", 0, 2),
        (7, "empty", 1, 2),
        (8, "empty", 2, 0),
        (48, "empty", 15, 1),  # 2, 15 times 3, and one over
    ],
)
def test_a_turn_fewer_than_three_tiles_stay_unplayed(tiles, gate, turns, left):
    game = deal("- " * tiles, gate=gate).play("keep -")
    assert game.view()["turns"] == turns
    for turn in range(turns):
        assert (game.over, game.view()["turn"]) == (False, turn)
        game.play("gain -", "refuse -")
    assert (game.over, game.legal, game.kind) == (True, [], None)
    assert game.result["turns"] == turns
    assert sum(game.view()["stack"].values()) == left


def test_a_turn_a_deck_of_three_tiles_has_none():
    game = deal("FW A E").play("keep FW")
    assert game.over
    assert game.result == {
        "win": False,
        "stable_gate": True,
        "equal_sides": True,
        "matched": True,
        "ring_full": False,
        "points": 0,
        "gate": 2,
        "void": 0,
        "unmatched": 0,
        "built": 0,
        "turns": 0,
        "refused_builds": 0,
        "refused_moves": 0,
        "replacements": 0,
        "supply_left": 58,
    }


# --- shortfall at keep and gain -----------------------------------------------------------------------------


def test_shortfall_partial_keep_takes_what_is_left():
    game = deal("FFW W A | E E E", supply=1)
    assert set(game.legal) == {"keep FFW", "keep W", "keep A"}
    game.play("keep FFW")
    assert (game.view()["gate"], game.view()["supply"]) == ([1, 1, 0, 0], [0, 0, 1, 1])


def test_shortfall_illegal_keep_leaves_out_what_the_supply_does_not_hold():
    """FFW asks for two fires of one, though the supply holds four Oinks; W asks for all there is."""
    game = deal("FFW W - | E E E", supply=1, shortfall="illegal")
    assert set(game.legal) == {"keep W", "keep -"}


def test_shortfall_illegal_keep_all_fall_short_all_are_listed():
    game = deal("FF WW FW | E E E", supply=[1, 1, 5, 0], shortfall="illegal")
    assert game.legal == ["keep FW"]
    game = deal("FF WW FE | E E E", supply=[1, 1, 5, 0], shortfall="illegal")
    assert set(game.legal) == {"keep FF", "keep WW", "keep FE"}
    game.play("keep FE")
    assert (game.view()["gate"], game.view()["supply"]) == ([1, 0, 0, 0], [0, 1, 5, 0])


def test_shortfall_partial_gain_takes_what_is_left():
    game = deal("F - - | FFF W A", supply=2).play("keep F")
    assert set(game.legal) == {"gain FFF", "gain W", "gain A"}
    assert game.play("gain FFF").view()["gate"] == [2, 0, 0, 0]


def test_shortfall_illegal_gain():
    game = deal("F - - | FF F A", supply=2, shortfall="illegal").play("keep F")
    assert set(game.legal) == {"gain F", "gain A"}


def test_shortfall_illegal_gain_all_fall_short_all_are_listed():
    game = deal("F - - | F W A", supply=[1, 0, 0, 9], shortfall="illegal").play("keep F")
    assert set(game.legal) == {"gain F", "gain W", "gain A"}
    assert game.play("gain W").view()["gate"] == [1, 0, 0, 0]
