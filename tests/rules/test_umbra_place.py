"""Umbra Via: the order of placement, winners and the track, U-D2 place, and the special tiles, worked by hand."""

import pytest
from umbra_table import bags, board, deal, due, energy, laid, play, where

import tkg

# Nine points fill a board of side 3 for good; the last token is a tile that comes after them.
FULL = "point@E>stay:SS point@B>stay:SS | point@A>stay:SS point@C>stay:SS | point@D>stay:SS point@F>stay:SS"
FULL += " | point@G>stay:SS point@H>stay:SS | point@I>stay:SS"

# --- The order of placement -----------------------------------------------------------------------------------


def test_round_3_fewest_flowers_first_and_left_before_right():
    """Flowers on I to IV: 4, 1, 3, 1. So II, IV, III, I; the one flower on II is of seat 1, that on IV of seat 3.

    III has one energy flower of seat 3 and two of seat 2; I one each of seats 2 and 3 and two of seat 1.
    """
    rounds = ("NS EW NS EW | EEE EEE EEE",) * 2
    game = deal("3 2 1", "straight*8", *rounds)
    play(game, "bid I:EE II:E, bid I:E III:EE, bid I:E III:E IV:E")
    for place, winner, cell in (("II", 1, "F"), ("IV", 3, "G"), ("III", 2, "J"), ("I", 1, "K")):
        assert (due(game), game.seat, game.kind) == (place, winner, "place")
        play(game, f"place {cell}")
    assert board(game) == {"F": "EW", "G": "EW", "J": "NS", "K": "NS"}
    assert energy(game) == {"F": [1, 0, 0], "G": [0, 0, 1], "J": [0, 2, 1], "K": [2, 1, 1]}
    assert game.view()["round"] == 2


@pytest.mark.parametrize(
    ("settings", "first"),
    [
        ({}, "I"),  # three flowers on each
        ({"order_by": "flowers", "soul_worth": 9}, "I"),
        ({"order_by": "value"}, "II"),  # two soul flowers and an energy flower are 5, three energy flowers 3
        ({"order_by": "value", "soul_worth": 1}, "I"),  # 3 and 3
    ],
)
def test_order_by_flowers_or_value(settings, first):
    game = deal("1 2", "straight*2", "NS EW | ESS EEE", **settings)
    assert due(play(game, "bid I:SS II:E, bid I:E II:EE")) == first


@pytest.mark.parametrize(("order_by", "order"), [("flowers", ["II", "III", "I"]), ("value", ["II", "I", "III"])])
def test_order_by_the_bids_of_all_players_count(order_by, order):
    """I: two energy flowers of each seat, worth 4. II: one. III: one and two soul flowers, worth 5."""
    game = deal("1 2", "straight*3", "NS NS NS | EEEE EESS", "-", order_by=order_by)
    play(game, "bid I:EE II:E III:E, bid I:EE III:SS")
    found = []
    for cell in "FGH":  # straights beside each other, all open to the north and south
        found.append(due(game))
        play(game, f"place {cell}")
    assert found == order


def test_round_3_tiles_without_a_flower_are_discarded():
    game = deal("1 2", "straight tee curve", "NS NES NE | E E")
    play(game, "bid II:E, bid II:E")
    assert [place["tile"] for place in game.view()["altar"].values()] == [None, "NES", None]
    assert {kind: n for kind, n in game.view()["discard"].items() if n} == {"straight": 1, "curve": 1}
    assert due(game) == "II"


# --- Winners and the track ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("soul_worth", "winner"),
    [
        (1, 1),  # 3 against 2
        (2, 2),  # 3 each: by the track
        (3, 2),  # 3 against 4
    ],
)
def test_round_3_the_winner_is_whose_bid_is_worth_most(soul_worth, winner):
    """On I three energy flowers of seat 1, an energy and a soul flower of seat 2."""
    game = deal("2 1", "straight*2", "NS NS | EEEE ESSS", soul_worth=soul_worth)
    play(game, "bid I:EEE II:E, bid I:ES II:SS")
    play(game, "place F")  # II comes first
    assert (due(game), game.seat) == ("I", winner)
    assert game.result["track_wins"] == [0, 1 if soul_worth == 2 else 0]


@pytest.mark.parametrize(
    ("track", "bids", "winner", "after", "track_wins"),
    [
        ("3 1 2", "E E E", 3, [1, 2, 3], [0, 0, 1]),
        ("1 2 3", "E E E", 1, [2, 3, 1], [1, 0, 0]),
        ("1 2 3", "E E S", 3, [1, 2, 3], [0, 0, 0]),  # level below the winner
        ("3 1 2", "S E E", 1, [3, 1, 2], [0, 0, 0]),
        ("3 2 1", "S S E", 2, [3, 1, 2], [0, 1, 0]),  # the best on the track is not among the level
        ("2 3 1", "S E S", 3, [2, 1, 3], [0, 0, 1]),
        ("4 3 2 1", "S E S E", 3, [4, 2, 1, 3], [0, 0, 1, 0]),
    ],
)
def test_round_3_level_bids_are_separated_by_the_track(track, bids, winner, after, track_wins):
    """The marker of the one who wins by the track goes to its end."""
    game = deal(track, "straight*2", f"NS NS | {bids}")
    play(game, ", ".join(f"bid I:{flower}" for flower in bids.split()))
    assert (game.seat, game.view()["track"]) == (winner, after)
    assert game.result["track_wins"] == track_wins


def test_round_3_energy_and_soul_flowers_of_equal_worth_are_level():
    game = deal("2 1", "straight*2", "NS NS | EES EEE")
    play(game, "bid I:S II:EE, bid I:EE II:E")  # I: 2 and 2; II: 2 and 1
    assert (due(game), game.seat, game.view()["track"]) == ("I", 2, [1, 2])


def test_round_3_the_winner_is_found_when_the_tile_comes():
    """Both tiles are level: seat 1 wins the first and goes to the end, so that seat 2 wins the second."""
    game = deal("1 2", "straight*2", "NS NS | EE EE")
    play(game, "bid I:E II:E, bid I:E II:E")
    assert (due(game), game.seat, game.view()["track"], game.result["track_wins"]) == ("I", 1, [2, 1], [1, 0])
    play(game, "place F")
    assert (due(game), game.seat, game.view()["track"], game.result["track_wins"]) == ("II", 2, [1, 2], [1, 1])


def test_round_3_a_summoning_in_between_moves_the_marker():
    """E, B and H are a path of seat 1's two energy flowers and seat 2's: level, so seat 1 goes to the end of the track.

    Then II is level, a soul flower against two energy flowers, and seat 2 is ahead.
    """
    game = deal("1 2", "straight*6", "NS NS | EE EE", "NS NS | SS EE", "NS NS | EE EE", side=3)
    play(game, "bid I:EE, bid II:EE, place E, place B, bid I:S II:S, bid II:EE")
    assert (due(game), game.seat, game.view()["track"]) == ("I", 1, [1, 2])
    play(game, "place H")
    assert game.result["summonings"] == 1
    assert (due(game), game.seat, game.view()["track"], game.result["track_wins"]) == ("II", 2, [1, 2], [1, 1])


def test_round_3_soul_flowers_leave_the_game_and_energy_stays_on_the_tile():
    """Of 89 soul flowers in the bag seat 1 has drawn one and seat 2 two, of 32 energy flowers one and none."""
    game = laid("NS@F:ES NS:SS", side=4)
    assert [seat["spent"] for seat in game.view()["seats"]] == [1, 2]
    assert energy(game) == {"F": [1, 0]}
    assert bags(game) == [[31, 88], [32, 87]]
    assert game.result["soul_spent"] == [1, 2]


def test_round_3_flowers_of_the_losers_are_treated_alike():
    """Seat 1 bids two energy and a soul flower on I, seat 2 two soul flowers and an energy flower: 4 against 5."""
    game = deal("1 2", "straight*2", "NS NS | EES ESS", max_rounds=1)
    play(game, "bid I:EES, bid I:ESS")
    assert (game.seat, game.result["soul_spent"], game.result["tiles_won"]) == (2, [1, 2], [0, 1])
    assert energy(play(game, "place F")) == {"F": [2, 1]}


# --- U-D2 place -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "centre"), [(3, "E"), (4, "F G J K"), (5, "M"), (6, "O P U V")])
@pytest.mark.parametrize("placing", ["adjacent", "anywhere"])
def test_ud2_place_the_first_tile_is_central(side, centre, placing):
    """Row and column 2 of 3, 3 of 5; rows and columns 2 and 3 of 4, 3 and 4 of 6."""
    game = laid("NS:E NS:E", side=side, placing=placing)
    assert where(game) == centre
    assert game.kind == "place"


@pytest.mark.parametrize("placing", ["adjacent", "anywhere"])
def test_ud2_place_central_again_when_no_tile_is_left(placing):
    """The column E, B, H is a path of three; when it is cleared the board is empty, though energy waits on A."""
    game = laid("NS@E:E NS@B:E | void@A:E EW@F:E | NS@H:E NS:E", placing=placing)
    assert board(game) == {}  # EW on F, between the blank side of E and the edge, was a path of one
    assert energy(game) == {"A": [1, 0]}
    assert where(game) == "E"


@pytest.mark.parametrize(
    ("side", "tiles", "cells"),
    [
        (4, "NS@F:S NS:S", "B E G J"),
        (4, "NS@F:S NS@G:S | NS:S NS:S", "B C E H J K"),
        # H ends its row and I begins the next one: they share no edge.
        (4, "NS@F:S NS@G:S | NS@H:S NS:S", "B C D E J K L"),
        (4, "EW@G:S EW@K:S | EW@O:S EW:S", "C F H J L N P"),
        (4, "EW@F:S EW@B:S | EW@A:S EW:S", "C E G J"),  # A is between an edge and the opening of B
        (3, "NS@E:S NS@F:S | NS:S NS:S", "B C D H I"),
        (3, "NS@E:S NS@D:S | NS:S NS:S", "A B F G H"),
        (5, "NS@M:S NS:S", "H L N R"),
        (6, "NS@V:S NS@W:S | NS@X:S NS:S", "P Q R U AB AC AD"),
    ],
)
def test_placing_adjacent_a_tile_shares_an_edge_with_another(side, tiles, cells):
    assert where(laid(tiles, side=side)) == cells


@pytest.mark.parametrize(
    ("side", "tiles", "cells"),
    [
        (3, "NS@E:S NS:S", "A B C D F G H I"),
        (3, "NS@E:S EW@A:S | NS:S NS:S", "B C D F G H I"),
        (4, "NS@F:S NS@P:S | NS@H:S NS:S", "A B C D E G I J K L M N O"),
    ],
)
def test_placing_anywhere_any_empty_cell(side, tiles, cells):
    assert where(laid(tiles, side=side, placing="anywhere")) == cells


def test_ud2_place_paths_need_not_continue():
    """A straight from west to east beside one from north to south: the opening at F meets a blank side."""
    game = laid("NS@F:E EW@G:E", side=4)
    assert board(game) == {"F": "NS", "G": "EW"}
    assert game.result["summonings"] == 0


def test_ud2_place_keeps_the_orientation_of_the_altar():
    game = laid("ES@F:E NSW@G:E", side=4)
    assert board(game) == {"F": "ES", "G": "NSW"}


@pytest.mark.parametrize("tile", ["NS", "ES", "point", "void"])
@pytest.mark.parametrize("placing", ["adjacent", "anywhere"])
def test_ud2_place_without_a_legal_cell_the_tile_is_discarded(tile, placing):
    """The tile bears an energy and a soul flower of seat 2. It is won, the energy goes back, the soul flower is out."""
    game = laid(f"{FULL} {tile}:ES", placing=placing)
    kind = {"NS": "straight", "ES": "curve"}.get(tile, tile)
    assert (game.view()["round"], game.kind) == (6, "bid")
    assert len(board(game)) == 9
    assert {k: n for k, n in game.view()["discard"].items() if n} == {kind: 1}
    assert game.result["tiles_won"] == [5, 5]
    assert game.result["soul_spent"] == [10, 9]
    assert bags(game) == [[32, 79], [32, 80]]
    assert energy(game) == {}


def test_ud2_place_without_a_legal_cell_level_bids_still_move_the_marker():
    """The tenth point is bid on by both; nothing is asked, and the next round begins."""
    rounds = ["point point | S S"] * 6
    game = deal("1 2", "point*12", *rounds, "point*3 > point point | S S", side=3, soul=100)
    for cells in ("EB", "AC", "DF", "GH"):
        play(game, "bid I:S, bid II:S")
        play(game, f"place {cells[0]}, scatter stay, place {cells[1]}, scatter stay")
    play(game, "bid I:S, bid I:S")
    assert (game.seat, game.view()["track"]) == (1, [2, 1])
    play(game, "place I, scatter stay, bid II:S, bid II:S")
    assert (game.view()["round"], game.view()["track"]) == (7, [1, 2])
    assert (game.result["tiles_won"], game.result["track_wins"]) == ([5, 5], [1, 1])


# --- point and U-D3 scatter -----------------------------------------------------------------------------------


def test_point_counts_as_a_placed_tile():
    assert where(laid("point@E>stay:E NS:E")) == "B D F H"


def test_point_is_placed_like_any_tile():
    assert where(laid("NS@E:E point:E")) == "B D F H"
    assert where(laid("NS@E:E point:E", placing="anywhere")) == "A B C D F G H I"
    assert where(laid("point:E NS:E")) == "E"


def test_ud3_scatter_stay_or_a_tile_that_shares_an_edge():
    """Beside the point on H are E and G; D and I touch it at corners, I is empty."""
    game = laid("NS@E:S NS@D:S | NE@G:S point@H:E")
    assert (game.kind, game.seat) == ("scatter", 2)
    assert game.legal == ["scatter stay", "scatter E", "scatter G"]
    assert energy(play(game, "scatter G")) == {"G": [0, 1]}
    assert board(game)["H"] == "point"


def test_ud3_scatter_stay_leaves_the_energy_on_the_point():
    game = play(laid("NS@E:S NS@D:S | NE@G:S point@H:E"), "scatter stay")
    assert energy(game) == {"H": [0, 1]}


def test_ud3_scatter_to_another_point():
    game = laid("point@E>stay:E point@B:E")
    assert game.legal == ["scatter stay", "scatter E"]
    assert energy(play(game, "scatter E")) == {"E": [1, 1]}


@pytest.mark.parametrize(
    ("tiles", "options"),
    [
        ("point@E:E NS:E", ["scatter stay"]),  # no neighbour
        ("NS@E:E point@B:S", ["scatter stay", "scatter E"]),  # no energy
        ("point@E:S NS:E", ["scatter stay"]),  # neither
    ],
)
def test_scatter_together_asks_without_energy_or_a_neighbour(tiles, options):
    game = laid(tiles)
    assert (game.kind, game.legal) == ("scatter", options)


def test_scatter_together_moves_the_energy_of_all():
    """On the point one energy flower of seat 1 and two of its winner, seat 2."""
    game = deal("1 2", "straight point straight*2", "NS point | EE EE", "NS NS | EE EE", side=3)
    play(game, "bid I:E II:E, bid II:EE, place E, place B")
    assert (game.kind, game.seat) == ("scatter", 2)
    assert energy(game) == {"E": [1, 0], "B": [1, 2]}
    play(game, "scatter E")
    assert energy(game) == {"E": [2, 2]}
    assert (game.view()["round"], game.kind) == (2, "bid")


@pytest.mark.parametrize("scatter", ["together", "split"])
def test_ud3_scatter_takes_along_what_waited_on_the_cell(scatter):
    """A flower of seat 2 waits on H; the point comes there with one of seat 1."""
    game = laid("NS@E:S void@H:E | point@H:E NS:S", scatter=scatter)
    assert energy(game) == {"H": [1, 1]}
    play(game, "scatter E")
    if scatter == "split":
        assert energy(game) == {"E": [1, 0], "H": [0, 1]}
        play(game, "scatter E")
    assert energy(game) == {"E": [1, 1]}
    assert game.kind == "place"


@pytest.mark.parametrize(
    ("to", "gained", "left"),
    [
        ("E", [2, 1], {}),  # two energy flowers of seat 1 against one of seat 2 on a path of two
        ("stay", [0, 2], {"H": [2, 0]}),
    ],
)
def test_ud3_scatter_comes_before_the_summonings(to, gained, left):
    """The point on H closes the path of E and B."""
    game = laid("NS@E:SS NS@B:ES | point@H:EE NS:SS")
    assert game.result["summonings"] == 0
    play(game, f"scatter {to}")
    assert (game.result["summonings"], game.result["soul_gained"]) == (1, gained)
    assert (energy(game), board(game)) == (left, {"H": "point"})


def split():
    """A point on B beside the tiles on C and E, with one energy flower of seat 1 and two of its winner, seat 2."""
    game = deal(
        *("1 2", "straight*2 point straight*3", "NS NS | SSS SSS", "point EW | EEE EEE", "EW EW | EEE EEE"),
        side=3,
        placing="anywhere",
        scatter="split",
    )
    return play(game, "bid I:SSS, bid II:SSS, place E, place C, bid I:E II:EE, bid I:EE II:E, place B")


def test_scatter_split_flower_by_flower_seat_by_seat():
    """I and II have three flowers each, so I comes first."""
    game = split()
    for to, left in (
        ("C", {"B": [0, 2], "C": [1, 0]}),
        ("E", {"B": [0, 1], "C": [1, 0], "E": [0, 1]}),
        ("C", {"C": [1, 1], "E": [0, 1]}),
    ):
        assert (game.kind, game.seat) == ("scatter", 2)
        assert game.legal == ["scatter stay", "scatter C", "scatter E"]
        play(game, f"scatter {to}")
        assert energy(game) == left
    assert (game.kind, due(game)) == ("place", "II")


@pytest.mark.parametrize(
    ("moves", "left"),
    [
        ("scatter stay", {"B": [1, 2]}),
        ("scatter E, scatter stay", {"B": [0, 2], "E": [1, 0]}),
        ("scatter E, scatter E, scatter stay", {"B": [0, 1], "E": [1, 1]}),
    ],
)
def test_scatter_split_stay_ends_it(moves, left):
    game = play(split(), moves)
    assert (energy(game), game.kind, due(game)) == (left, "place", "II")


def test_scatter_split_asks_without_a_neighbour():
    game = laid("point@E:E NS:S", scatter="split")
    assert (game.kind, game.legal) == ("scatter", ["scatter stay"])


@pytest.mark.parametrize("tiles", ["point@E:S NS:S", "NS@E:S point@B:S"])
def test_scatter_split_asks_nothing_without_energy(tiles):
    game = laid(tiles, scatter="split")
    assert game.kind != "scatter"


# --- void and U-D4 void ---------------------------------------------------------------------------------------


def test_ud4_void_any_empty_cell_and_the_tile_is_discarded():
    game = laid("NS@E:E void:E")
    assert (game.kind, game.seat, where(game)) == ("void", 2, "A B C D F G H I")
    play(game, "void I")
    assert (board(game), energy(game)) == ({"E": "NS"}, {"E": [1, 0], "I": [0, 1]})
    assert game.view()["discard"]["void"] == 1
    assert game.result["tiles_won"] == [1, 1]


@pytest.mark.parametrize("flower", ["E", "S"])
def test_ud4_void_on_an_empty_board_every_cell_and_asked_even_without_energy(flower):
    game = laid(f"void:{flower} NS:E")
    assert (game.kind, where(game)) == ("void", "A B C D E F G H I")
    play(game, "void A")
    assert energy(game) == ({"A": [1, 0]} if flower == "E" else {})
    assert where(game) == "E"  # what waits is no tile: the first one is central


def test_void_flowers_of_all_wait_and_a_second_void_adds_to_them():
    """Round 1: three energy flowers of both on the void. Round 2: one more of seat 2."""
    rounds = ("void NS | EE EE", "void NS | SS ES", "NS NS | EE EE")
    game = deal("1 2", "void straight void straight*3", *rounds, side=3)
    play(game, "bid I:E II:E, bid I:EE")  # II has one flower and comes first
    play(game, "place E, void B")
    assert energy(game) == {"E": [1, 0], "B": [1, 2]}
    play(game, "bid I:S II:S, bid I:ES")  # here too
    play(game, "place D, void B")
    assert energy(game) == {"E": [1, 0], "B": [1, 3]}
    assert game.view()["discard"]["void"] == 2


def test_void_waiting_energy_joins_the_tile_that_comes_there():
    game = laid("NS@E:S void@D:E | NS@D:E NS:S")
    assert (board(game)["D"], energy(game)) == ("NS", {"D": [1, 1]})


def test_void_waiting_energy_closes_no_path():
    """E and B are open to H, where only a flower waits; with the straight on H it counts in the path's energy."""
    game = laid("NS@E:S NS@B:S | void@H:E NS:S")
    assert game.result["summonings"] == 0
    game = laid("NS@E:S NS@B:S | void@H:E NS@D:S | NS@H:S NS:S")
    assert (game.result["summonings"], game.result["soul_gained"]) == (1, [3, 0])
    assert energy(game) == {}
    assert bags(game)[0][0] == 32


def test_void_waiting_energy_is_no_neighbour_to_place_beside_or_to_scatter_to():
    assert where(laid("void@A:E NS@E:S | NS:S NS:S")) == "B D F H"
    assert laid("void@B:E NS@E:S | point@D:E NS:S").legal == ["scatter stay", "scatter E"]
    assert laid("void@A:E NS@E:S | point@D:E NS:S").legal == ["scatter stay", "scatter E"]


def test_a_tile_is_not_put_on_another():
    game = laid("NS@E:S NS:S")
    with pytest.raises(tkg.Illegal):
        game.play("place E")
