"""Cosmic Alignments: how games end and in which order, scores, tie-breaks and the result, worked by hand."""

import pytest
from cosmic_table import WIN_E, bring, dealt, on_layout, play
from playing import amount

import tkg

# fmt: off
ALIGNMENTS = [
    "ABC", "BCD", "EFG", "FGH", "IJK", "JKL", "MNO", "NOP",  # rows
    "AEI", "EIM", "BFJ", "FJN", "CGK", "GKO", "DHL", "HLP",  # columns
    "AFK", "FKP", "BGL", "EJO", "DGJ", "GJM", "CFI", "HKN",  # diagonals with their short ones
]
# fmt: on


def won(seat, *tiles):
    """The steps for `bring` by which a seat wins tiles of side 4, by a row of the tile that sends to none of them."""
    return " ".join(f"{seat}:{tile}{space}" for tile in tiles for space in ((5, 6, 7) if tile in "ABCD" else (1, 2, 3)))


# --- A Cosmic Alignment -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(24), ids=ALIGNMENTS)
def test_end_alignment_every_one_for_every_seat(number):
    """Without a stack tiles are occupied as they are won. Without the compiler, one seat an alignment, in turns."""
    tiles = ALIGNMENTS[number]
    for turn in range(amount(4)):
        seat = (number + turn) % 4 + 1
        order = (tiles, tiles[1:] + tiles[0], tiles[::-1], tiles[2] + tiles[:2])[turn]
        game = bring(dealt(side=4, elements="FWAE"), won(seat, *order))
        assert game.over
        assert (game.result["ending"], game.result["winners"]) == ("alignment", [seat])
        assert game.result["occupied"] == [3 * (n == seat) for n in (1, 2, 3, 4)]
        assert game.outcome.payoffs == tuple(float(n == seat) for n in (1, 2, 3, 4))
        assert "".join(tile for tile, cell in game.view()["cells"].items() if cell["aligned"]) == "".join(sorted(tiles))


@pytest.mark.parametrize("shape", ["adjacent", "spaced"])
@pytest.mark.parametrize("tiles", ["ABD", "AEM", "AFP", "DJM", "BCE", "AFL"])
def test_end_no_alignment_over_a_gap_or_round_a_corner(shape, tiles):
    """Spaced lines within a tile do not make spaced alignments."""
    game = bring(dealt(side=4, line_shape=shape), won(1, *tiles))
    assert not game.over
    assert game.result["occupied"] == [3, 0]


@pytest.mark.parametrize("shape", ["adjacent", "spaced"])
def test_end_alignment_over_a_gap_once_it_is_filled(shape):
    game = bring(dealt(side=4, line_shape=shape), won(1, *"ABDC"))
    assert (game.over, game.result["ending"], game.result["occupied"]) == (True, "alignment", [4, 0])
    assert [cell["aligned"] for cell in game.view()["cells"].values()] == [True] * 4 + [False] * 12


def test_end_no_alignment_of_several_players_tiles():
    game = bring(dealt(side=4), f"{won(1, 'A', 'B')} {won(2, 'C')}")
    assert not game.over
    assert [game.view()["cells"][tile]["owner"] for tile in "ABC"] == [1, 1, 2]


def test_end_no_alignment_of_captured_tiles():
    game = dealt(side=4, stack="- - -")
    for tile in "ABC":
        play(bring(game, won(1, tile)), f"capture {tile}")
    assert not game.over
    assert game.result["captured"] == [3, 0]


def test_end_alignment_of_four():
    game = bring(dealt(side=4, alignment=4), won(1, *"ABC"))
    assert not game.over
    bring(game, won(1, "D"))
    assert (game.over, game.result["ending"], game.result["winners"]) == (True, "alignment", [1])


def test_end_alignment_wins_whatever_the_points():
    """Seat 2 has captured M, of nine waters, its own element, and seat 1 nothing."""
    game = dealt(side=4, stack="-", tiles=f"{'- ' * 12} {'W' * 9}")
    play(bring(game, won(2, "M")), "capture M")
    bring(game, won(1, *"ABC"))
    assert (game.result["ending"], game.result["winners"], game.result["points"]) == ("alignment", [1], [0, 18])


def test_end_at_once_nothing_is_decided_any_more():
    game = bring(dealt(side=4), won(1, *"ABC"))
    assert (game.legal, game.kind, game.seat) == ([], None, None)


# --- Every space taken --------------------------------------------------------------------------------------------

# Two seats with six tokens each, and no stack: tiles are occupied as they are won, B last, on B2.
#
#     A 2   B 1   C 1
#     D 1   E 1   F 2
#     G 2   H 2   I 1
ALL_OCCUPIED = (
    "E7 G7 G9 I5 E3 C3 C1 A1 A6 F3 C9 I3 lift G9 C5 E1 A3 lift I5 A5 E5 A9 I7 G1 H6 F2 B5 G4 D2 B9 I9 I1 I8 H3 F8 H4 "
    "D3 F1 D1 H5 B8 H7 B2"
)
# Three seats with eight tokens each, `strict`. C alone is not occupied and holds 3 1 3 | 1 2 3 | 3 1 1, nobody with
# more than half, C2 being the last.
#
#     A 1   B 3   C -
#     D 2   E 3   F 3
#     G 2   H 1   I 2
ONE_TILE_FULL = (
    "H1 A5 E5 E4 D5 E8 H5 E6 F5 E3 C5 E9 I4 D3 C3 C4 D7 G5 E2 B5 E7 G4 I5 B4 H9 I8 F1 A8 I2 B1 A9 A2 B7 G2 G8 F9 A7 G3 "
    "C6 C8 G9 C1 C9 G6 C7 C2"
)
# Two seats with six tokens each. A, the last, goes to seat 2 and makes the row A B C.
#
#     A 2   B 2   C 2
#     D 1   E 1   F 2
#     G 1   H 2   I 1
ALIGNED_LAST = (
    "G2 B9 I7 G1 A8 H9 I2 B8 H8 H1 A6 F9 lift A6 I8 lift G1 H5 E6 F7 lift I2 G8 B7 lift A8 G5 E4 D6 F8 I9 C4 D9 A8 A4 "
    "D2 D3 C5 E3 C6 E9 A1 A2 A7 A9 A6 A3 A5"
)


def test_end_full_when_the_last_tile_is_occupied():
    """No points: seat 1 has occupied more tiles."""
    game = play(dealt(life=6), ALL_OCCUPIED)
    assert on_layout(game) == "1:B 1:C 1:D 1:E 1:I 2:A 2:F 2:G 2:H"
    result = game.result
    assert (game.over, result["ending"], result["winners"]) == (True, "full", [1])
    assert (result["points"], result["occupied"], result["life_on_grid"]) == ([0, 0], [5, 4], [0, 0])
    assert (result["turns"], result["lifts"], result["passes"]) == (39, 2, 0)  # 41 actions, 2 of them lifts
    assert not play(dealt(life=6), ALL_OCCUPIED.removesuffix(" B2")).over


def test_end_full_with_tokens_on_the_last_tile():
    """No points. Seats 2 and 3 have three tiles, seat 1 two; seat 3 has four LIFE tokens on the layout, seat 2 one."""
    game = play(dealt(elements="FWA", life=8, majority="strict"), ONE_TILE_FULL)
    assert on_layout(game) == "1:A 1:C2 1:C4 1:C8 1:C9 1:H 2:C5 2:D 2:G 2:I 3:B 3:C1 3:C3 3:C6 3:C7 3:E 3:F"
    result = game.result
    assert (game.over, result["ending"], result["winners"]) == (True, "full", [3])
    assert (result["occupied"], result["life_on_grid"], result["turns"]) == ([2, 3, 3], [4, 1, 4], 46)


def test_end_full_not_while_a_single_space_is_free():
    game = play(dealt(elements="FWA", life=8, majority="strict"), ONE_TILE_FULL.removesuffix(" C2"))
    assert (game.over, game.legal) == (False, ["C2"])


# --- Captures -------------------------------------------------------------------------------------------------------

# No Oinks: tiles are captured as they are won. Seat 1 takes B with B7 B4 B1, C with C3 C6 C9, H with H6 H5 H4, F with
# F1 F7 F4 and I with I7 I1 I4, its fifth; seat 2 takes A with A3 A6 A9, after B, and D with D3 D6 D9, before I.
FIVE = "H6 F8 H5 E2 B7 G6 F1 A3 C3 C7 G8 H1 A2 B9 I1 A6 F7 G2 B4 D3 C6 F2 B1 A9 I7 G3 C9 I8 H4 D6 F4 D9 I4"
TILES = "FW FF WA E - FFW - AA FE"


def test_end_captures_the_fifth_and_its_place_is_refilled_first():
    """Points of seat 1, of fire: FF 4, WA 2, AA 2, FFW 5, FE 3; of seat 2, of water: FW 3, E 1."""
    game = play(dealt(TILES, stack="F W A E FW FA FE", oinks=0), FIVE)
    assert game.over
    assert game.result == {
        "winners": [1],
        "ending": "captures",
        "element": ["F", "W"],
        "points": [16, 4],
        "occupied": [0, 0],
        "captured": [5, 2],
        "life_on_grid": [1, 4],
        "turns": 33,
        "passes": 0,
        "lifts": 0,
        "free_placements": 1,
    }
    assert on_layout(game) == "1:G8 2:E2 2:G2 2:G3 2:G6"
    view = game.view()
    assert [seat["captured"] for seat in view["seats"]] == [["FF", "WA", "AA", "FFW", "FE"], ["FW", "E"]]
    assert (view["stack"], view["cells"]["I"]["laid"]) == (0, True)
    # In the order of capture, B A C H F D I got F W A E FW FA FE; E and G are the first ones still.
    tiles = list(game.variant.deck)
    assert [tiles[kind] for kind in game.states[0].board[:9]] == ["W", "F", "A", "FA", "-", "FW", "-", "E", "FE"]
    assert tkg.from_record(tkg.to_record(game), finished=True).result == game.result


def test_end_captures_not_with_four_or_with_captures_of_several_players():
    """Before I4 seat 1 has four and seat 2 two."""
    game = play(dealt(TILES, stack="F W A E FW FA FE", oinks=0), FIVE.removesuffix(" I4"))
    assert (game.over, game.result["captured"], game.result["points"]) == (False, [4, 2], [13, 4])


@pytest.mark.parametrize(
    ("limit", "turns", "captured"), [(1, 23, [1, 0]), (2, 27, [2, 1]), (3, 29, [3, 1]), (4, 31, [4, 1])]
)
def test_capture_limit(limit, turns, captured):
    """B is taken in turn 23, A in 24, C in 27, H in 29, F in 31, D in 32, I in 33."""
    text = " ".join(FIVE.split()[:turns])
    game = play(dealt(TILES, stack="F W A E FW FA FE", oinks=0, capture_limit=limit), text)
    assert (game.over, game.result["ending"], game.result["captured"]) == (True, "captures", captured)
    assert game.result["turns"] == turns


@pytest.mark.parametrize(
    ("own", "other", "points", "best"),
    [
        (2, 1, [16, 4], [1]),
        (5, 3, [10 + 6 + 6 + 13 + 8, 8 + 3], [1]),
        (0, 1, [0 + 2 + 2 + 1 + 1, 1 + 1], [1]),
        (9, 0, [18 + 0 + 0 + 18 + 9, 9 + 0], [1]),
        (0, 0, [0, 0], [2]),  # level in points and occupied tiles: one LIFE token on the layout against four
    ],
)
def test_own_points_and_other_points(own, other, points, best):
    game = play(dealt(TILES, stack="- " * 7, oinks=0, own_points=own, other_points=other), FIVE)
    assert (game.result["points"], game.result["winners"]) == (points, best)
    assert game.outcome.scores == tuple(points)


@pytest.mark.parametrize(
    ("tile", "points"),
    [("-", 0), ("F", 2), ("W", 1), ("FFF", 6), ("FWAE", 5), ("WAE", 3), ("FFWWAAEE", 10), ("F" * 9, 18), ("W" * 9, 9)],
)
def test_points_of_a_captured_tile_for_a_player_of_fire(tile, points):
    game = play(dealt(f"- - - - {tile}", stack="F"), f"{WIN_E} capture E")
    assert game.result["points"] == [points, 0]


@pytest.mark.parametrize(("element", "points"), [("F", 9), ("W", 8), ("A", 7), ("E", 6)])
def test_points_by_the_element_of_the_player(element, points):
    """FFFWWA has six insignias; those of the player's element count once more."""
    other = "W" if element == "F" else "F"
    game = play(dealt("- - - - FFFWWA", stack="F", elements=element + other), f"{WIN_E} capture E")
    assert game.result["points"] == [points, 0]


def test_points_of_occupied_tiles_and_of_those_that_refill_count_for_nobody():
    game = play(dealt("- - - - FFF", stack="FF"), f"{WIN_E} occupy E")
    assert game.result["points"] == [0, 0]
    game = play(dealt("- - - - -", stack="FF"), f"{WIN_E} capture E")
    assert game.result["points"] == [0, 0]


# --- max_turns ------------------------------------------------------------------------------------------------------


def test_max_turns_stops_a_game_as_unfinished_and_scores_it():
    """Seat 1 has captured two fires of its own; the take belongs to the fifth turn."""
    game = play(dealt("- - - - FF", stack="-", max_turns=5), WIN_E)
    assert (game.over, game.kind) == (False, "take")
    play(game, "capture E")
    assert game.over
    assert game.result == {
        "winners": [1],
        "ending": "unfinished",
        "element": ["F", "W"],
        "points": [4, 0],
        "occupied": [0, 0],
        "captured": [1, 0],
        "life_on_grid": [0, 2],
        "turns": 5,
        "passes": 0,
        "lifts": 0,
        "free_placements": 1,
    }
    assert (game.outcome.ending, game.outcome.winners, game.outcome.scores) == ("unfinished", (1,), (4, 0))


def test_max_turns_counts_passes():
    """Life 1: seat 1 passes in the third turn."""
    game = play(dealt(life=1, max_turns=3), "A5 E1")
    assert (game.over, game.result["ending"], game.result["turns"], game.result["passes"]) == (True, "unfinished", 3, 1)


def test_max_turns_counts_a_lift_and_its_placement_as_one():
    game = play(dealt(life=1, max_turns=3), "A5 E2 lift A5")
    assert not game.over
    play(game, "B7")
    assert (game.over, game.result["turns"], game.result["lifts"]) == (True, 3, 1)


# --- Ends that fall together ----------------------------------------------------------------------------------------


def test_end_alignment_comes_before_full():
    """A holds five tokens of seat 2 and four of seat 1 as A5 fills it: by majority seat 2 has the row A B C."""
    game = play(dealt(life=6), ALIGNED_LAST)
    assert on_layout(game) == "1:D 1:E 1:G 1:I 2:A 2:B 2:C 2:F 2:H"
    assert (game.result["ending"], game.result["winners"], game.result["turns"]) == ("alignment", [2], 40)


def test_end_alignment_comes_before_max_turns():
    game = play(dealt(life=6, max_turns=40), ALIGNED_LAST)
    assert (game.result["ending"], game.result["turns"]) == ("alignment", 40)
    game = play(dealt(life=6, max_turns=39), ALIGNED_LAST.removesuffix(" A5"))
    assert (game.result["ending"], game.result["turns"]) == ("unfinished", 39)


def test_end_full_comes_before_max_turns():
    game = play(dealt(life=6, max_turns=39), ALL_OCCUPIED)
    assert (game.result["ending"], game.result["turns"]) == ("full", 39)
    game = play(dealt(life=6, max_turns=38), ALL_OCCUPIED.removesuffix(" B2"))
    assert (game.result["ending"], game.result["turns"]) == ("unfinished", 38)


def test_end_captures_come_before_max_turns():
    settings = {"tiles": "- - - - FF", "stack": "-", "capture_limit": 1}
    game = play(dealt(max_turns=5, **settings), f"{WIN_E} capture E")
    assert (game.result["ending"], game.result["turns"]) == ("captures", 5)
    assert play(dealt(max_turns=4, **settings), WIN_E.removesuffix(" E3")).result["ending"] == "unfinished"


def test_end_passes_and_max_turns_are_unfinished_alike():
    """Both tokens lie on the directed tile; the seventh turn is the second pass in a row."""
    game = play(dealt(life=1, max_turns=7), "E5 E1 lift E5 A5 lift A5 E5")
    assert (game.over, game.result["ending"], game.result["turns"], game.result["passes"]) == (True, "unfinished", 7, 3)


# --- Who wins without an alignment ------------------------------------------------------------------------------------

# Seat 1 wins E and seat 2 wins C, with 4 5 6, in turn 10. Two tokens of each then lie on the layout; F1 and A1 follow.
WIN_E_AND_C = f"{WIN_E} occupy E C5 F3 C4 D3 C6"


@pytest.mark.parametrize(
    ("tile", "take", "turns", "best"),
    [
        ("W", "capture", "", [2]),  # points 0 : 2, though seat 1 has occupied a tile
        ("-", "capture", "", [1]),  # points 0 : 0, occupied 1 : 0
        ("-", "capture", "F1 A1", [1]),
        ("-", "occupy", "", [1, 2]),  # occupied 1 : 1, LIFE 2 : 2
        ("-", "occupy", "F1", [1]),  # LIFE 3 : 2
        ("-", "occupy", "F1 A1", [1, 2]),  # LIFE 3 : 3
        ("WWW", "occupy", "", [1, 2]),  # an occupied tile brings no points
    ],
)
def test_tie_breaks_points_then_occupied_tiles_then_life_on_the_layout_then_shared(tile, take, turns, best):
    text = f"{WIN_E_AND_C} {take} C {turns}"
    game = play(dealt(f"- - {tile}", stack="-", max_turns=10 + len(turns.split())), text)
    assert game.over
    assert game.result["winners"] == best
    assert game.result["points"] == [0, 2 if (tile, take) == ("W", "capture") else 0]
    assert game.result["life_on_grid"] == {"": [2, 2], "F1": [3, 2], "F1 A1": [3, 3]}[turns]
    assert game.outcome.payoffs == {1: (1.0, 0.0), 2: (0.0, 1.0)}.get(sum(best), (0.5, 0.5))


def test_tie_breaks_occupied_tiles_come_before_life_on_the_layout():
    """Seat 1 has an occupied tile and nothing else on the layout, seat 2 two tokens."""
    game = play(dealt(stack="-", max_turns=5), f"{WIN_E} occupy E")
    assert (game.result["occupied"], game.result["life_on_grid"], game.result["winners"]) == ([1, 0], [0, 2], [1])


def test_tie_breaks_who_captured_last_may_lose():
    """The one tile captured is bare: 0 : 0, nothing occupied, and seat 2 has two LIFE tokens on the layout."""
    game = play(dealt(stack="F", capture_limit=1), f"{WIN_E} capture E")
    assert (game.result["ending"], game.result["captured"], game.result["points"]) == ("captures", [1, 0], [0, 0])
    assert (game.result["life_on_grid"], game.result["winners"]) == ([0, 2], [2])


@pytest.mark.parametrize(
    ("elements", "turns", "best"),
    [
        ("FW", 1, [1]),
        ("FW", 2, [1, 2]),
        ("FWA", 1, [1]),
        ("FWA", 2, [1, 2]),
        ("FWA", 3, [1, 2, 3]),
        ("FWA", 5, [1, 2]),
        ("FWAE", 3, [1, 2, 3]),
        ("FWAE", 4, [1, 2, 3, 4]),
        ("FWAE", 6, [1, 2]),
    ],
)
def test_tie_breaks_victory_shared_among_those_with_most_life_on_the_layout(elements, turns, best):
    text = " ".join(["A5", "E1", "A6", "F1", "A8", "H1"][:turns])
    game = play(dealt(elements=elements, max_turns=turns), text)
    assert game.result["winners"] == best
    assert game.outcome.winners == tuple(best)
    share = 1.0 / len(best)
    assert game.outcome.payoffs == tuple(share * (seat in best) for seat in range(1, len(elements) + 1))
