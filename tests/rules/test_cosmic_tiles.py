"""Cosmic Alignments: lines, full tiles, who wins a tile and C-D3 take, worked by hand."""

import pytest
from cosmic_table import WIN_E, bring, dealt, on_layout, play, targets
from playing import amount

LINES = """
1 2 3, 2 3 4, 5 6 7, 6 7 8, 9 10 11, 10 11 12, 13 14 15, 14 15 16,
1 5 9, 5 9 13, 2 6 10, 6 10 14, 3 7 11, 7 11 15, 4 8 12, 8 12 16,
1 6 11, 6 11 16, 2 7 12, 5 10 15, 4 7 10, 7 10 13, 3 6 9, 8 11 14
""".replace("\n", "").split(",")  # rows, columns, diagonals with their short ones


def lined_up(seat, spaces, side=4, elements="FW", **settings):
    """A game in which a seat has placed on the spaces, in their order, of a tile to which none of them sends."""
    numbers = [int(number) for number in spaces.split()]
    tile = next(letter for number, letter in enumerate("ABCDEFGH", 1) if number not in numbers)
    game = dealt(side=side, elements=elements, stack="-", **settings)
    return bring(game, " ".join(f"{seat}:{tile}{number}" for number in numbers)), tile


# --- Lines ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(24), ids=[line.strip() for line in LINES])
def test_line_every_line_of_a_tile_for_every_seat(number):
    """Each of its three tokens is the last one for some seat. Without the compiler, one seat a line, in turns."""
    a, b, c = LINES[number].split()
    for turn in range(amount(4)):
        seat = (number + turn) % 4 + 1
        order = [f"{a} {b} {c}", f"{b} {c} {a}", f"{c} {a} {b}", f"{a} {c} {b}"][turn]
        game, tile = lined_up(seat, order, elements="FWAE")
        assert (game.kind, game.seat, game.legal) == ("take", seat, [f"occupy {tile}", f"capture {tile}"])


@pytest.mark.parametrize(
    ("side", "line", "spaces", "adjacent", "spaced"),
    [
        # A gap in a row, a column, a diagonal.
        (4, 3, "1 2 4", False, True),
        (4, 3, "5 7 8", False, True),
        (4, 3, "1 5 13", False, True),
        (4, 3, "1 6 16", False, True),
        (4, 3, "4 10 13", False, True),
        (5, 3, "1 13 25", False, True),
        # In a short diagonal.
        (4, 3, "2 7 12", True, True),
        (4, 3, "3 6 9", True, True),
        (5, 3, "2 8 20", False, True),
        (5, 3, "4 8 16", False, True),
        (5, 3, "11 17 23", True, True),
        # No straight line at all; some follow each other in numbers over the end of a row.
        (4, 3, "3 4 5", False, False),
        (4, 3, "8 9 10", False, False),
        (4, 3, "1 2 5", False, False),
        (4, 3, "1 6 12", False, False),
        (4, 3, "4 7 9", False, False),
        (4, 3, "2 8 14", False, False),
        (3, 3, "1 6 8", False, False),
        (3, 3, "2 4 9", False, False),
        # Longer lines.
        (4, 4, "1 2 3", False, False),
        (4, 4, "1 2 3 4", True, True),
        (4, 4, "2 6 10 14", True, True),
        (4, 4, "1 6 11 16", True, True),
        (4, 4, "4 7 10 13", True, True),
        (4, 4, "2 3 4 5", False, False),
        (5, 4, "1 2 3 5", False, True),
        (5, 4, "2 8 14 20", True, True),
        (5, 4, "1 7 19 25", False, True),
        (5, 5, "11 12 13 14", False, False),
        (5, 5, "11 12 13 14 15", True, True),
        (5, 5, "5 9 13 17 21", True, True),
    ],
)
def test_line_shape_adjacent_or_spaced(side, line, spaces, adjacent, spaced):
    for shape, wins in (("adjacent", adjacent), ("spaced", spaced)):
        game, tile = lined_up(1, spaces, side, line=line, line_shape=shape)
        assert game.kind == ("take" if wins else "place")
        if not wins:
            tokens = game.view()["cells"][tile]["tokens"]
            assert [number for number, seat in enumerate(tokens, 1) if seat == 1] == sorted(map(int, spaces.split()))


def test_line_of_several_players_tokens_is_none():
    game = bring(dealt(stack="-"), "1:E1 1:E2 2:E3")
    assert game.kind == "place"
    assert game.view()["cells"]["E"]["tokens"][:3] == [1, 1, 2]


def test_line_two_at_once_win_one_tile():
    """E5 completes the row 4 5 6 and the column 2 5 8."""
    game = bring(dealt(stack="-"), "1:E4 1:E6 1:E2 1:E8 1:E5")
    assert (game.kind, game.seat, game.legal) == ("take", 1, ["occupy E", "capture E"])
    play(game, "occupy E")
    assert [(seat["oinks"], seat["occupied"]) for seat in game.view()["seats"]] == [(12, 1), (13, 0)]


def test_line_wins_a_tile_that_is_not_full_for_a_mover_with_fewer_tokens_there():
    """Seat 2 has four tokens on E, seat 1 three in a row."""
    game = bring(dealt(stack="-"), "2:E4 2:E6 2:E8 2:E9 1:E1 1:E2 1:E3")
    assert (game.kind, game.seat) == ("take", 1)


@pytest.mark.parametrize("majority", ["plurality", "strict"])
def test_line_comes_before_the_majority(majority):
    """E7 fills E, which then holds 1 1 2 | 1 2 1 | 2 1 1: six tokens of seat 1 in no line, three of seat 2 in one."""
    game = play(dealt(stack="-", majority=majority), "H5 E5 E9 I5 E6 F5 E4 D5 E2 B5 E1 A5 E8 H7 G5 E3 C5")
    assert game.view()["cells"]["E"]["tokens"] == [1, 1, 2, 1, 2, 1, 0, 1, 1]
    play(game, "E7")
    assert (game.kind, game.seat, game.legal) == ("take", 2, ["occupy E", "capture E"])


# --- A full tile ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("majority", ["plurality", "strict"])
def test_majority_a_full_tile_goes_to_the_player_with_most_tokens_not_to_the_mover(majority):
    """G holds 2 2 1 | 1 1 2 | 2 1 1, of which G1 is the last. Seat 1 has five of nine, which is more than half."""
    game = play(dealt(stack="-", majority=majority), "C7 G7 G8 H7 G5 E7 G9 I7 G4 D7 G3 C1 A7 G2 B7 G6 F7 G1")
    assert (game.kind, game.seat, game.legal) == ("take", 1, ["occupy G", "capture G"])
    assert game.view()["mover"] == 2
    play(game, "occupy G")
    assert on_layout(game) == "1:A7 1:B7 1:C7 1:F7 1:G 2:C1 2:D7 2:E7 2:H7 2:I7"
    assert [seat["life"] for seat in game.view()["seats"]] == [29, 28]


# G holds 2 3 3 | 1 1 2 | 1 1 2, four of seat 1, three of seat 2, two of seat 3. Seat 2 places the last, G9.
FOUR_THREE_TWO = "G8 H8 H7 G7 G1 A7 G5 E7 G3 C7 G6 F7 G4 D7 G2 B7 G9"
# I holds 2 1 1 | 3 2 2 | 2 1 1. Seats 1 and 2 are level; the last of seat 1 there is I8, that of seat 2 I7, which came
# later. Seat 3 places the last of all, I4.
LEVEL_SEAT_2_LATER = "I9 I5 E4 D9 I1 A9 I2 B5 E1 A7 G1 A3 C9 I6 F9 I3 C8 H9 I8 H6 F7 G9 I7 G4 D5 E9 I4"
# F holds 1 3 1 | 3 2 3 | 3 1 1. Seats 1 and 3 are level; the last of seat 1 there is F8, that of seat 3 F2, which came
# later. Seat 2 places the last of all, F5.
LEVEL_SEAT_3_LATER = "F1 A6 F6 F9 I6 F4 D7 G6 F7 G7 G3 C6 F3 C4 D6 F8 H6 F2 B6 F5"
# B holds 1 3 1 | 2 1 2 | 2 3 3, three of each seat; seat 1 places the last, B1.
LEVEL_OF_THREE = "D7 G2 B2 B5 E2 B9 I2 B7 G1 A2 B6 F2 B3 C2 B8 H2 B4 D2 B1"
FULL = {
    "G": (FOUR_THREE_TWO, 1, 2),
    "I": (LEVEL_SEAT_2_LATER, 2, 3),
    "F": (LEVEL_SEAT_3_LATER, 3, 2),
    "B": (LEVEL_OF_THREE, 1, 1),
}


@pytest.mark.parametrize("tile", FULL)
def test_majority_plurality_most_tokens_and_of_level_players_the_later_last_token(tile):
    text, winner, mover = FULL[tile]
    game = play(dealt(elements="FWA", stack="-"), text)
    assert (game.kind, game.seat, game.view()["mover"]) == ("take", winner, mover)
    play(game, f"occupy {tile}")
    assert game.view()["cells"][tile]["owner"] == winner


@pytest.mark.parametrize("tile", FULL)
def test_majority_strict_without_more_than_half_nobody_wins_the_tile(tile):
    text, _, mover = FULL[tile]
    game = play(dealt(elements="FWA", stack="-", majority="strict"), text)
    assert (game.kind, game.seat) == ("place", mover % 3 + 1)
    assert all(game.view()["cells"][tile]["tokens"])
    assert game.result["occupied"] == game.result["captured"] == [0, 0, 0]


@pytest.mark.parametrize("tile", FULL)
@pytest.mark.parametrize("take", ["occupy", "capture"])
def test_a_taker_who_is_not_the_mover_turn_order_goes_on_from_the_mover(tile, take):
    """The last token lies on G9, I4, F5 or B1, so the next seat is sent to I, D, E or A."""
    text, winner, mover = FULL[tile]
    game = play(dealt(elements="FWA", stack="-"), text)
    play(game, f"{take} {tile}")
    assert game.seat == mover % 3 + 1
    assert game.view()["directed"] == {"G": "I", "I": "D", "F": "E", "B": "A"}[tile]
    seats = game.view()["seats"]
    assert [seat["occupied"] + len(seat["captured"]) for seat in seats] == [int(n == winner) for n in (1, 2, 3)]
    assert [seat["oinks"] for seat in seats] == [13 - (take == "occupy") * (n == winner) for n in (1, 2, 3)]


def test_majority_of_level_players_only_tokens_that_lie_there_now_count():
    """Life 5. E holds 2 4 2 | 4 1 1 | 3 2 4, three of seats 2 and 4 each; seat 1 places the last, E6.

    Of those that lie there, seat 2 placed E8 last, in turn 10, and seat 4 E4, in turn 12. Seat 2 placed E6 in turn 14,
    but has lifted it since, in turn 22.
    """
    text = (
        "E5 E1 A5 E9 I5 E3 C5 E2 B5 E8 H5 E4 D5 E6 F3 C9 I4 D7 G2 B6 "
        "lift D5 F4 lift E6 D5 lift C5 E7 lift C9 G5 lift F4"
    )
    game = play(dealt(elements="FWAE", life=5, stack="-"), text)
    assert game.view()["cells"]["E"]["tokens"] == [2, 4, 2, 4, 1, 0, 3, 2, 4]
    play(game, "E6")
    assert (game.kind, game.seat, game.view()["mover"]) == ("take", 4, 1)
    assert play(game, "capture E").seat == 2


# --- C-D3 take --------------------------------------------------------------------------------------------------


def test_cd3_take_all_tokens_go_back_to_their_owners_first():
    """E holds two of each seat as seat 1 completes 1 2 3; three of each lie elsewhere."""
    game = play(dealt(stack="-"), "H5 E9 I5 E7 G4 D5 E1 A5 E2 B5")
    assert [seat["life"] for seat in game.view()["seats"]] == [28, 28]
    play(game, "E3")
    assert game.kind == "take"
    assert [seat["life"] for seat in game.view()["seats"]] == [30, 30]
    assert on_layout(game) == "1:G4 1:H5 1:I5 2:A5 2:B5 2:D5"


def test_cd3_take_occupy_puts_an_oink_there_for_the_rest_of_the_game():
    game = play(dealt("F W A E FF", stack="AA"), f"{WIN_E} occupy E")
    view = game.view()
    assert [(seat["oinks"], seat["occupied"], seat["life"]) for seat in view["seats"]] == [(12, 1, 33), (13, 0, 31)]
    assert (view["cells"]["E"]["owner"], view["cells"]["E"]["tile"], view["stack"]) == (1, "FF", 1)
    assert on_layout(game) == "1:E 2:A5 2:B5"
    assert game.result["points"] == [0, 0]


def test_cd3_take_capture_takes_the_tile_and_refills_its_place():
    game = play(dealt("F W A E FF", stack="AA"), f"{WIN_E} capture E")
    view = game.view()
    assert [(seat["oinks"], seat["occupied"], seat["life"]) for seat in view["seats"]] == [(13, 0, 33), (13, 0, 31)]
    assert [seat["captured"] for seat in view["seats"]] == [["FF"], []]
    assert (view["cells"]["E"]["owner"], view["cells"]["E"]["tile"], view["stack"]) == (None, None, 0)
    assert (view["cells"]["E"]["laid"], on_layout(game)) == (True, "2:A5 2:B5")
    assert game.result["points"] == [4, 0]  # two fires for seat 1, of fire


def test_cd3_take_without_an_oink_the_tile_is_captured_and_nothing_recorded():
    game = play(dealt("F W A E FF", stack="AA", oinks=0), WIN_E)
    assert (game.kind, game.seat) == ("place", 2)
    assert game.actions == WIN_E.split()
    assert (game.result["captured"], game.result["turns"], game.view()["stack"]) == ([1, 0], 5, 0)
    assert targets(game) == "C1-9"


def test_cd3_take_without_a_stack_the_tile_is_occupied_and_nothing_recorded():
    game = play(dealt("F W A E FF"), WIN_E)
    assert (game.kind, game.seat) == ("place", 2)
    assert game.actions == WIN_E.split()
    assert (game.result["occupied"], game.result["turns"]) == ([1, 0], 5)
    assert (game.view()["cells"]["E"]["owner"], game.view()["seats"][0]["oinks"]) == (1, 12)


def test_cd3_take_with_neither_the_tile_is_left_empty_as_it_lies():
    game = play(dealt("F W A E FF", oinks=0), WIN_E)
    assert (game.kind, game.seat, targets(game)) == ("place", 2, "C1-9")
    assert game.actions == WIN_E.split()
    assert on_layout(game) == "2:A5 2:B5"
    assert [seat["life"] for seat in game.view()["seats"]] == [33, 31]
    assert (game.result["occupied"], game.result["captured"], game.result["turns"]) == ([0, 0], [0, 0], 5)
    assert (game.view()["cells"]["E"]["laid"], game.view()["cells"]["E"]["tile"]) == (True, None)
    assert targets(play(game, "C5")) == "E1-9"


def test_cd3_take_the_last_oink_leaves_captures_alone():
    """One Oink each. Seat 1 occupies E; then H4 H5 H6 of its own, with nothing but a capture left to it."""
    game = play(dealt(stack="- -", oinks=1), f"{WIN_E} occupy E")
    assert game.view()["seats"][0]["oinks"] == 0
    bring(game, "1:H4 1:H6 1:H5")
    assert game.actions[-1] == "H5"
    assert (game.kind, game.result["captured"], game.result["occupied"]) == ("place", [1, 0], [1, 0])
    # Seat 2 has its Oink still, and a choice.
    bring(game, "2:G1 2:G3 2:G2")
    assert (game.kind, game.seat, game.legal) == ("take", 2, ["occupy G", "capture G"])


def test_cd3_take_the_last_tile_of_the_stack_leaves_oinks_alone():
    game = play(dealt(stack="-"), f"{WIN_E} capture E")
    bring(game, "2:H4 2:H6 2:H5")
    assert game.actions[-1] == "H5"
    assert (game.kind, game.result["captured"], game.result["occupied"]) == ("place", [1, 0], [0, 1])


def test_cd3_take_the_next_seat_is_sent_only_after_the_taker_has_chosen():
    game = play(dealt(stack="-"), WIN_E)
    assert (game.kind, game.view()["turn"], game.view()["won"]) == ("take", 4, "E")
    play(game, "capture E")
    assert (game.kind, game.view()["turn"], game.view()["won"]) == ("place", 5, None)


def test_cd3_take_a_fresh_tile_can_be_won_in_its_turn():
    """The tile in the place of the first one is captured too, by the other seat."""
    game = play(dealt("F W A E FF", stack="WAA FE"), f"{WIN_E} capture E")
    bring(game, "2:E1 2:E3 2:E2")
    play(game, "capture E")
    assert [seat["captured"] for seat in game.view()["seats"]] == [["FF"], ["WAA"]]
    assert game.result["points"] == [4, 4]  # two fires for seat 1, of fire; a water and two airs for seat 2, of water
