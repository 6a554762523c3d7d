"""Umbra Via: when a path is complete, and what one placement completes, worked by hand.

The board of side 3 that most of these use, cells in reading order: A B C, D E F, G H I. Where only soul flowers are
bid, nobody is ranked and nothing is paid.
"""

import pytest
from umbra_table import FIVE, LOOP, SEVEN, THREE, TWO, board, deal, laid, path, play


def summoned(game):
    return game.result["summonings"], game.result["longest_path"]


# --- What closes an opening -----------------------------------------------------------------------------------


def test_path_an_opening_the_edge_and_no_empty_cell_left():
    """North to south in the middle column: B meets the edge, E meets B, and H below them is empty until the end."""
    game = laid("NS@E:S NS@B:S | NS:S NS:S")
    assert summoned(game) == (0, 0)
    play(game, "place H")
    assert summoned(game) == (1, 3)
    assert board(game) == {}


def test_path_a_blank_side_closes():
    """The straight on H turns its blank side to E; itself it is open to the empty cells G and I, so it stays."""
    game = laid("NS@E:S NS@B:S | EW@H:S NS:S")
    assert summoned(game) == (1, 2)
    assert board(game) == {"H": "EW"}


@pytest.mark.parametrize(
    ("cell", "tile", "neighbour"),
    [
        ("A", "NW", "NS@D"),
        ("C", "NE", "NS@F"),
        ("G", "SW", "NS@D"),
        ("I", "ES", "NS@F"),
    ],
)
def test_path_both_openings_at_the_edge(cell, tile, neighbour):
    """A curve in a corner, open to the two edges alone, is a path of one; the tiles beside it are open elsewhere."""
    game = laid(f"NS@E:S {neighbour}:S | {tile}@{cell}:S NS:S")
    assert summoned(game) == (1, 1)
    assert len(board(game)) == 2


def test_path_an_opening_that_meets_a_blank_side_on_arrival():
    """F lies between the blank side of E and the edge: complete by itself. E is open to B and H."""
    game = laid("NS@E:S EW@F:S")
    assert summoned(game) == (1, 1)
    assert board(game) == {"E": "NS"}


def test_path_two_blank_sides_neither_join_nor_close():
    game = laid("NS@E:S NS@D:S")
    assert summoned(game) == (0, 0)


def test_path_the_rows_of_the_board_do_not_meet():
    """At side 4, H ends the second row and I begins the third: straights there meet the edges, and not each other."""
    game = laid("EW@G:S EW@H:S | EW@F:S EW@J:S | EW@I:S NS:S", side=4)
    assert summoned(game) == (0, 0)  # F is open to E, J to K
    game = laid("EW@G:S EW@H:S | EW@F:S EW@J:S | EW@I:S EW@E:S", side=4)
    assert summoned(game) == (1, 4)  # E to H from edge to edge
    assert board(game) == {"I": "EW", "J": "EW"}


@pytest.mark.parametrize(("tiles", "length"), [(TWO, 2), (THREE, 3), (LOOP, 4), (FIVE, 5), (SEVEN, 7)])
def test_path_is_not_complete_before_its_last_tile(tiles, length):
    """The paths that other tests use; the last tile is taken back."""
    game = path(tiles, [0, 0])
    assert summoned(game) == (1, length)
    assert summoned(game.undo()) == (0, 0)


def test_path_a_loop():
    """Four curves that lead into each other."""
    game = laid("ES@E:S SW@F:S | NE@H:S NW@I:S")
    assert summoned(game) == (1, 4)
    assert board(game) == {}


@pytest.mark.parametrize(
    ("last", "length", "left"),
    [
        ("EW", 5, {}),  # from H to the edge
        ("NS", 4, {"I": "NS"}),  # a blank side to H; itself open to F
        ("NW", 0, {"B": "NS", "E": "NS", "H": "NEW", "G": "EW", "I": "NW"}),  # leads on to F
    ],
)
def test_path_a_tee_with_one_end_open(last, length, left):
    """The tee on H leads to B by E, to G, and to I, which stays empty at first."""
    game = laid(f"NS@E:S NS@B:S | NEW@H:S EW@G:S | {last}:S NS:S")
    assert summoned(game) == (0, 0)
    play(game, "place I")
    assert summoned(game) == (int(length > 0), length)
    assert board(game) == left


def test_path_a_tee_at_the_edge():
    """On B a tee that leads to the edge, to A and to C: both ends are closed by curves with an opening at the edge."""
    game = laid("NS@E:S NEW@B:S | NE@A:S NW@C:S")
    # A opens to the north edge and to B, C to the north edge and to B; the blank south of B closes nothing of its own.
    assert summoned(game) == (1, 3)
    assert board(game) == {"E": "NS"}


# --- Several paths by one placement ---------------------------------------------------------------------------


def test_summoning_one_placement_completes_two_paths():
    """The straight on H joins G and I from edge to edge, and turns its blank side to the path of E and B.

    That path is complete though the tile that closed it is cleared before.
    """
    tiles = "NS@E:S NS@B:S | EW@G:S EW@I:S | EW:S NS:S"
    game = laid(tiles, placing="anywhere")
    assert summoned(game) == (0, 0)
    play(game, "place H")
    assert summoned(game) == (2, 3)
    assert board(game) == {}
    assert game.view()["discard"]["straight"] == 5


# In both, E and H lead to B from the south, and A and C turn an opening to B from the sides.
SHORT_A = "NS@E:S NS@H:S | EW@A:E SW@C:S | NS@F:E NE@I:S"
SHORT_C = "NS@E:S NS@H:S | ES@A:E NS@D:S | EW@C:E NW@G:S"


@pytest.mark.parametrize("tiles", [SHORT_A, SHORT_C])
def test_summoning_one_placement_completes_three_paths(tiles):
    """The straight on B makes a path of three with E and H; its blank sides close one of three and one of one."""
    game = laid(f"{tiles} | NS:S NS:S", placing="anywhere")
    assert summoned(game) == (0, 0)
    play(game, "place B")
    assert summoned(game) == (3, 3)
    assert board(game) == {}
    assert game.view()["discard"]["straight"] == 5


@pytest.mark.parametrize(
    ("tiles", "claims"),
    [
        (SHORT_A, True),  # A empties the soul tile, and on C, F, I seat 1 then claims
        (SHORT_C, False),  # A, D, G empty it; C is too short to claim
    ],
)
def test_summoning_the_other_paths_in_reading_order_of_their_first_cell(tiles, claims):
    """Seat 1 has energy on both and one flower on the soul tile, which must have been empty before.

    The path of A comes before that of C; were it the other way round, so would be the claims.
    """
    game = laid(f"{tiles} | NS@B:S NS:S", placing="anywhere", claim="empty", soul_on_tile=1)
    assert summoned(game) == (3, 3)
    assert (game.over, game.result["soul_gained"], game.result["firsts"]) == (claims, [1, 0], [2, 0])


def test_summoning_the_path_through_the_placed_tile_comes_first():
    """G, H and I come before B and E: they empty the soul tile, and by the second path it is claimed.

    In reading order the path of B would take two of three flowers and leave one for the other.
    """
    tiles = "NS@E:E NS@B:S | EW@G:E EW@I:S | EW@H:S NS:S"
    game = laid(tiles, placing="anywhere", claim="empty", soul_on_tile=3)
    assert (game.over, game.result["soul_gained"], game.result["firsts"]) == (True, [3, 0], [2, 0])


# --- point ----------------------------------------------------------------------------------------------------


def test_point_closes_its_neighbour_and_stays():
    game = laid("NS@E:S NS@B:S | point@H>stay:S NS:S")
    assert summoned(game) == (1, 2)
    assert board(game) == {"H": "point"}
    assert game.view()["discard"]["point"] == 0


def test_point_belongs_to_no_path():
    """Nothing is summoned when it lies alone, and two beside each other are no path."""
    assert summoned(laid("point@E>stay:E point@B>stay:E")) == (0, 0)


def test_point_already_there_closes_what_comes_to_it():
    """The straight on D lies between the edge and the point on E."""
    game = laid("point@E>stay:S EW@D:S")
    assert summoned(game) == (1, 1)
    assert board(game) == {"E": "point"}


def test_point_closes_three_paths_in_reading_order():
    """On H, beside E with B, G and I. Seat 1 has energy on E and on G, and two flowers on the soul tile.

    B and E come first and empty it; so it was empty before G is summoned, a path of one tile, enough here to claim.
    The other way round G would leave one flower for the path of B.
    """
    tiles = "NS@E:E NS@B:S | EW@G:E EW@I:S | point@H>stay:S NS:S"
    game = laid(tiles, placing="anywhere")
    assert summoned(game) == (3, 2)
    assert board(game) == {"H": "point"}
    game = laid(tiles, placing="anywhere", claim="empty", claim_length=1, soul_on_tile=2)
    assert (game.over, game.result["soul_gained"], game.result["firsts"]) == (True, [2, 0], [2, 0])


def test_point_closes_nothing_while_another_end_is_open():
    """E is open to H still."""
    game = laid("NS@E:S point@B>stay:S")
    assert summoned(game) == (0, 0)


# --- Afterwards -----------------------------------------------------------------------------------------------


def test_summoning_the_tiles_of_the_path_go_to_the_discard_pile():
    """Two straights of the path; the curve that closed it stays, and so does its energy."""
    game = laid("NS@E:E NS@B:E | ES@H:E NS:S")
    assert summoned(game) == (1, 2)
    assert board(game) == {"H": "ES"}
    assert {kind: n for kind, n in game.view()["discard"].items() if n} == {"straight": 2}
    assert game.view()["cells"]["H"]["energy"] == [1, 0]
    assert sum(sum(cell["energy"]) for cell in game.view()["cells"].values()) == 1


def test_summoning_a_cleared_path_leaves_its_neighbours_open_again():
    """The column C, F, I is summoned; what closed E to the east is gone, so D does not complete the path of E."""
    game = laid("EW@E:S NS@F:S | NS@C:S NS@I:S | EW@D:S NS:S")
    assert summoned(game) == (1, 3)
    assert board(game) == {"D": "EW", "E": "EW"}
    play(game, "place F")
    assert summoned(game) == (2, 3)
    assert board(game) == {"F": "NS"}


def test_summoning_discarded_tiles_come_back_with_the_next_shuffle():
    """The straight on F is a path of one; it is shuffled under the one that is left on the stack."""
    game = deal("1 2", "straight*3", "NS EW | S S", "straight*2 > NS EW | S S", side=3)
    play(game, "bid I:S, bid II:S, place E, place F")
    assert (game.view()["round"], summoned(game), board(game)) == (2, (1, 1), {"E": "NS"})
    assert set(game.legal) == {"bid I:S", "bid II:S"}
