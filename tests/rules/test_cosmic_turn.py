"""Cosmic Alignments, a turn: the directed tile, C-D1 place, C-D2 lift and turns that are passed, worked by hand."""

import pytest
from cosmic_table import WIN_E, dealt, everywhere, on_layout, play, targets

# --- The directed tile ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [3, 4, 5])
def test_cd1_place_the_first_token_anywhere(side):
    game = dealt(side=side)
    assert (game.kind, game.seat, game.view()["directed"]) == ("place", 1, None)
    assert targets(game) == everywhere(side)
    assert len(game.legal) == side**4


@pytest.mark.parametrize(
    ("side", "start", "tiles"),
    [
        (3, "B", "ABCDEFGHI"),
        (3, "I", "ABCDEFGHI"),
        (4, "A", "ABCDEFGHIJKLMNOP"),
        (4, "K", "ABCDEFGHIJKLMNOP"),
        (5, "M", "ABCDEFGHIJKLMNOPQRSTUVWXY"),
    ],
)
def test_directed_tile_is_where_the_last_token_stands_in_its_tile(side, start, tiles):
    """Whatever tile that token stands on. The first sends to its own tile, where the second may stand anywhere else."""
    home = tiles.index(start) + 1
    game = play(dealt(side=side), f"{start}{home}")
    assert game.legal == [f"{start}{number}" for number in range(1, side * side + 1) if number != home]
    for space, tile in enumerate(tiles, 1):
        if space != home:
            game.play(f"{start}{space}")
            assert game.legal == [f"{tile}{number}" for number in range(1, side * side + 1)]
            assert (game.seat, game.view()["directed"], game.view()["bound"]) == (1, tile, tile)
            game.undo()


def test_directed_tile_in_the_example_of_the_published_text():
    game = play(dealt(side=4), "A12")
    assert targets(game) == "L1-16"
    assert targets(play(game, "L2")) == "B1-16"


def test_directed_tile_may_be_the_one_placed_on():
    assert targets(play(dealt(), "A1")) == "A2-9"
    assert targets(play(dealt(), "E5")) == "E1-4,6-9"


def test_cd1_place_not_where_a_token_lies_ones_own_or_another_s():
    game = play(dealt(), "A5 E1 A2 B1")
    assert game.seat == 1
    assert targets(game) == "A1,3-4,6-9"
    game = play(dealt(), "A5 E1 A2 B2 B1")
    assert game.seat == 2
    assert targets(game) == "A1,3-4,6-9"


def test_cd1_place_on_the_last_free_space_is_a_decision_and_stands_in_the_record():
    """Eight tokens lie on F, all spaces but F5, and B6 sends seat 2 there."""
    game = play(dealt(elements="FWA"), "F1 A6 F6 F9 I6 F4 D7 G6 F7 G7 G3 C6 F3 C4 D6 F8 H6 F2 B6")
    assert (game.kind, game.seat, game.legal) == ("place", 2, ["F5"])
    assert game.play("F5").actions[-1] == "F5"


@pytest.mark.parametrize(("elements", "seats"), [("FW", "12121212"), ("FWA", "12312312"), ("FWAE", "12341234")])
def test_a_turn_seats_in_turn_order(elements, seats):
    game, movers = dealt(elements=elements), ""
    for action in ["A5", "E1", "A6", "F1", "A8", "H1", "A9", "I1"]:
        movers += str(game.seat)
        play(game, action)
    assert movers == seats
    assert [game.view()["cells"]["A"]["tokens"][number - 1] for number in (5, 6, 8, 9)] == [
        int(seats[turn]) for turn in (0, 2, 4, 6)
    ]


def test_cd1_place_takes_a_token_from_the_supply():
    game = play(dealt(), "A5 E1 A2")
    assert [seat["life"] for seat in game.view()["seats"]] == [31, 32]
    assert game.result["life_on_grid"] == [2, 1]
    assert on_layout(game) == "1:A2 1:A5 2:E1"


# --- Sent to a tile that has been won -----------------------------------------------------------------------------

# The line A1-A2-A3, of which A1 is last and sends seat 2 to A itself. C1 and B1 are seat 2's.
WIN_A_LAST_ON_A1 = "A3 C1 A2 B1 A1"


def test_directed_to_the_tile_just_occupied_one_is_free():
    game = play(dealt(stack="-"), f"{WIN_A_LAST_ON_A1} occupy A")
    assert (game.seat, game.view()["directed"], game.view()["bound"]) == (2, "A", None)
    assert targets(game) == everywhere(3, but="A C1 B1")


def test_directed_to_the_place_of_the_tile_just_captured_one_is_bound_to_the_fresh_one():
    game = play(dealt(stack="-"), f"{WIN_A_LAST_ON_A1} capture A")
    assert (game.seat, game.view()["directed"], game.view()["bound"]) == (2, "A", "A")
    assert targets(game) == "A1-9"


def test_directed_to_the_tile_left_empty_one_is_bound_to_it():
    """No Oinks and no stack."""
    game = play(dealt(oinks=0), WIN_A_LAST_ON_A1)
    assert game.seat == 2
    assert targets(game) == "A1-9"


@pytest.mark.parametrize("take", ["occupy", "capture"])
def test_directed_by_the_token_just_placed_whatever_became_of_its_tile(take):
    """The line on E is completed on space 3, so the next goes to C, though that token is back in its supply."""
    game = play(dealt(stack="-"), f"{WIN_E} {take} E")
    assert (game.seat, game.view()["directed"]) == (2, "C")
    assert targets(game) == "C1-9"


@pytest.mark.parametrize("seat", [1, 2])
def test_directed_to_an_occupied_tile_one_is_free_whoever_owns_it(seat):
    first, before = ("", "A5 B5") if seat == 1 else ("H5 ", "H5 A5 B5")
    game = play(dealt(stack="-"), f"{first}{WIN_E} occupy E C5")
    assert game.view()["cells"]["E"]["owner"] == seat
    assert game.seat == seat
    assert targets(game) == everywhere(3, but=f"E C5 {before}")
    # And so is the other one, sent there by a token on F5.
    play(game, "F5")
    assert game.seat == 3 - seat
    assert targets(game) == everywhere(3, but=f"E C5 F5 {before}")


def test_free_placements_are_the_first_and_those_of_seats_sent_to_an_occupied_tile():
    game = play(dealt(stack="-"), f"{WIN_E} occupy E")
    assert (game.result["turns"], game.result["free_placements"]) == (5, 1)
    play(game, "C5")
    assert (game.result["turns"], game.result["free_placements"]) == (6, 1)
    play(game, "F5")  # sent to E, free
    assert (game.result["turns"], game.result["free_placements"]) == (7, 2)
    play(game, "G1")  # sent to E, free
    assert (game.result["turns"], game.result["free_placements"]) == (8, 3)
    play(game, "A1")  # sent to A
    assert (game.result["turns"], game.result["free_placements"]) == (9, 3)


# --- C-D2 lift --------------------------------------------------------------------------------------------------


def test_cd2_lift_not_while_there_are_tokens_in_the_supply():
    game = play(dealt(life=2), "A5 E2")
    assert (game.kind, targets(game)) == ("place", "B1-9")


def test_cd2_lift_first_and_then_place_on_the_directed_tile():
    game = play(dealt(life=1), "A5 E2")
    assert (game.kind, game.seat, game.legal) == ("lift", 1, ["lift A5"])
    assert game.view()["lifted"] is None
    game.play("lift A5")
    assert (game.kind, game.seat, targets(game)) == ("place", 1, "B1-9")
    assert (game.view()["lifted"], on_layout(game)) == ("A", "2:E2")
    game.play("B7")
    assert (game.view()["lifted"], on_layout(game)) == (None, "1:B7 2:E2")
    assert (game.kind, game.seat, game.view()["directed"]) == ("lift", 2, "G")


def test_cd2_lift_of_a_single_token_is_a_decision_and_one_turn_with_its_placement():
    game = play(dealt(life=1), "A5 E2 lift A5 B7")
    assert game.actions == ["A5", "E2", "lift A5", "B7"]
    result = game.result
    assert (result["turns"], result["lifts"], result["passes"], result["free_placements"]) == (3, 1, 0, 1)


def test_cd2_lift_leaves_the_space_free():
    """Seat 1's token left A5; B1 sends seat 2 to A."""
    game = play(dealt(life=1), "A5 E2 lift A5 B1 lift E2")
    assert targets(game) == "A1-9"


def test_cd2_lift_not_from_the_directed_tile():
    """Seat 2 has all three tokens on the layout, on C5, B5 and A5, and is sent to B by E2, which completes a line."""
    game = play(dealt(life=3, stack="-"), "F2 B5 E1 A5 E3 C5 lift F2 E2 capture E")
    assert (game.kind, game.seat, game.view()["directed"]) == ("lift", 2, "B")
    assert targets(game) == "A5 C5"
    game.play("lift C5")
    assert targets(game) == "B1-4,6-9"


def test_cd2_lift_only_of_one_s_own_tokens():
    """Life 2. Seat 1 has A5 and A2, seat 2 has E1 and B9, which sends seat 1 to I."""
    game = play(dealt(life=2), "A5 E1 A2 B9")
    assert (game.kind, game.seat, targets(game)) == ("lift", 1, "A2,5")
    game.play("lift A2")
    assert targets(game) == "I1-9"


def test_cd2_lift_and_place_may_complete_a_line():
    """Seat 1 has E1 and E3, and lifts F2 to place it on E2."""
    game = play(dealt(life=3, stack="-"), "F2 B5 E1 A5 E3 C5")
    assert (game.kind, game.seat, targets(game)) == ("lift", 1, "F2")  # E is the directed tile
    play(game, "lift F2 E2")
    assert (game.kind, game.seat, game.legal) == ("take", 1, ["occupy E", "capture E"])
    assert [seat["life"] for seat in game.view()["seats"]] == [3, 0]
    play(game, "occupy E")
    assert (game.result["turns"], game.result["lifts"], game.result["life_on_grid"]) == (7, 1, [0, 3])


def test_cd2_lift_then_place_freely_but_not_back_on_the_tile_it_came_from():
    """E is occupied. Seat 2 has A5, B5 and C5 and is sent to E by F5."""
    game = play(dealt(life=3, stack="-"), f"{WIN_E} occupy E C5 F5")
    assert (game.kind, game.seat, targets(game)) == ("lift", 2, "A5 B5 C5")
    game.play("lift A5")
    assert (game.kind, targets(game)) == ("place", everywhere(3, but="A E B5 C5 F5"))
    game.undo().play("lift C5")
    assert targets(game) == everywhere(3, but="C E A5 B5 F5")
    play(game, "A1")
    assert (game.result["free_placements"], game.result["lifts"]) == (2 + 1, 1)  # the first, F5 and A1


# Two players with five tokens each; tiles are occupied as soon as they are won, for the stack is empty. In the end all
# tiles but A are, none of them three in a row for one seat, and A9 sends seat 2 to I:
#
#     A: . 2 2    B 1  C 1
#        2 . 2
#        2 1 1
#     D 1         E 2  F 2
#     G 1         H 1  I 2
ALL_ROOM_ON_A = (
    "C9 I6 F6 F5 E9 I9 I4 D7 G1 A7 lift C9 G5 lift A7 E7 lift F6 G9 lift D7 I3 C1 A4 D6 F8 H6 F2 B2 B6 lift H6 D4 D3 "
    "lift D6 C5 E3 lift B2 C9 lift A4 E5 A8 H4 D7 B5 D1 A2 B1 A4 H9 lift B5 H3 B2 lift H3 B9 B3 A3 H1 A7 H5 A6 A9"
)


def test_cd2_lift_a_token_is_not_lifted_if_all_room_is_on_its_own_tile():
    """Seat 2, with all five tokens on A, would be free to place, but not on A: it passes, and seat 1 is free."""
    game = play(dealt(life=5), ALL_ROOM_ON_A)
    assert on_layout(game) == "1:A8 1:A9 1:B 1:C 1:D 1:G 1:H 2:A2 2:A3 2:A4 2:A6 2:A7 2:E 2:F 2:I"
    assert (game.kind, game.seat, game.view()["directed"]) == ("place", 1, "I")
    assert targets(game) == "A1,5"
    assert game.result["passes"] == 1


# Three seats with six tokens each, `strict`. C and D alone are not occupied. D6, seat 2's, sends seat 3 to F.
#
#     A 1         B 2   C: 3 1 2
#                          2 3 3
#                          1 3 1
#     D: 1 3 .    E 1   F 3
#        . . 2
#        . . 3
#     G 2         H 2   I 3
ALL_ROOM_ON_D = (
    "B9 I9 I5 E9 I3 C9 I7 G9 I4 D1 A9 I1 A5 E6 F9 I8 H8 H9 lift E9 I2 lift I3 B4 lift C9 D9 lift B9 I3 lift E6 C9 "
    "lift H9 I6 F7 G3 C5 E9 lift C9 G6 F6 F1 A6 F3 C9 B9 C1 A8 H9 B1 A2 B7 B5 E6 B8 H3 C7 H7 C8 C3 C4 D2 lift C3 "
    "E3 C3 C6 C2 D6"
)


def test_cd2_lift_only_those_tokens_for_which_there_is_room_on_another_tile():
    """Seat 3 has C1, C5, C6 and C8, all of which could go to D, and D2 and D9, which could go nowhere."""
    game = play(dealt(elements="FWA", life=6, majority="strict"), ALL_ROOM_ON_D)
    assert on_layout(game) == (
        "1:A 1:C2 1:C7 1:C9 1:D1 1:E 2:B 2:C3 2:C4 2:D6 2:G 2:H 3:C1 3:C5 3:C6 3:C8 3:D2 3:D9 3:F 3:I"
    )
    assert (game.kind, game.seat, game.view()["directed"]) == ("lift", 3, "F")
    assert targets(game) == "C1,5-6,8"
    assert targets(game.play("lift C1")) == "D3-5,7-8"


# --- Passes ---------------------------------------------------------------------------------------------------------


def test_pass_with_no_token_but_on_the_directed_tile():
    """Life 1: seat 1's token lies on A5, and E1 sends seat 1 to A."""
    game = play(dealt(life=1), "A5 E1")
    assert game.actions == ["A5", "E1"]
    assert (game.result["turns"], game.result["passes"], game.result["lifts"]) == (3, 1, 0)
    assert on_layout(game) == "1:A5 2:E1"


def test_pass_leaves_the_direction_of_the_last_placement():
    """The next player is sent to A by E1, which is its own."""
    game = play(dealt(life=1), "A5 E1")
    assert (game.kind, game.seat, game.view()["directed"]) == ("lift", 2, "A")
    assert game.legal == ["lift E1"]
    game.play("lift E1")
    assert targets(game) == "A1-4,6-9"


def test_pass_of_three_seats_the_one_after_is_directed():
    """Life 1: A5, E9, I1; seat 1 is sent to A, where its token lies, and passes; seat 2 lifts E9 and goes to A."""
    game = play(dealt(life=1, elements="FWA"), "A5 E9 I1")
    assert (game.kind, game.seat, game.legal) == ("lift", 2, ["lift E9"])
    assert game.result["passes"] == 1
    assert targets(game.play("lift E9")) == "A1-4,6-9"


def test_passes_as_many_in_a_row_as_players_end_the_game():
    """Life 1. E5 and E1 lie on E. Seat 1 goes to A: lift E5 A5. Seat 2, sent to E, where its token lies, passes. Seat 1
    goes to E: lift A5 E5. Both tokens lie on E, to which E5 directs: seats 2 and 1 pass."""
    game = play(dealt(life=1), "E5 E1 lift E5 A5")
    assert (game.over, game.seat, game.result["passes"]) == (False, 1, 1)
    play(game, "lift A5 E5")
    assert game.over
    assert game.result == {
        "winners": [1, 2],
        "ending": "unfinished",
        "element": ["F", "W"],
        "points": [0, 0],
        "occupied": [0, 0],
        "captured": [0, 0],
        "life_on_grid": [1, 1],
        "turns": 7,
        "passes": 3,
        "lifts": 2,
        "free_placements": 1,
    }


def test_passes_that_a_placement_parts_are_not_in_a_row():
    """Seat 1 passes at A, seat 2 lifts E1 and places A1, which sends seat 1 to A once more."""
    game = play(dealt(life=1), "A5 E1 lift E1 A2")
    # A2 sends seat 1 to B: it lifts A5, plays B1 and sends seat 2 to A, where its token lies: the second pass.
    play(game, "lift A5 B1")
    assert (game.over, game.seat, game.result["passes"]) == (False, 1, 2)
    assert game.legal == ["lift B1"]


def test_passes_of_two_among_three_seats_do_not_end_the_game():
    """Life 1: A5 sends seat 1 to E, where E5 and E1 lie: seats 1 and 2 pass, seat 3 has a token to lift."""
    game = play(dealt(life=1, elements="FWA"), "E5 E1 A5")
    assert (game.kind, game.seat, game.legal) == ("lift", 3, ["lift A5"])
    assert (game.result["turns"], game.result["passes"]) == (5, 2)
    assert targets(game.play("lift A5")) == "E2-4,6-9"


def test_passes_for_want_of_a_liftable_token_end_the_game_too():
    """Life 4. C, the one tile that is not occupied, has four tokens of each; C5, seat 2's last, sends seat 1 to E."""
    game = play(
        dealt(life=4),
        "F1 A2 B2 B1 A5 E2 B8 H2 lift A5 B5 E7 G5 lift H2 E3 C5 lift A2 E5 G8 H5 lift C5 G2 I2 A8 H9 I8 H1 A9 I3 "
        "lift F1 C8 I1 A7 D5 D1 D3 C6 F4 D7 F7 lift C6 F3 lift F7 C1 lift D7 F7 lift D5 F8 lift D1 F5 D1 D8 "
        "D2 C9 C6 C3 C2 C4 C5",
    )
    assert on_layout(game) == ("1:A 1:B 1:C3 1:C4 1:C8 1:C9 1:F 1:G 2:C1 2:C2 2:C5 2:C6 2:D 2:E 2:H 2:I")
    result = game.result
    assert (game.over, result["ending"], result["passes"], result["winners"]) == (True, "unfinished", 2, [1, 2])
    assert (result["occupied"], result["life_on_grid"]) == ([4, 4], [4, 4])


# --- A tile without room ----------------------------------------------------------------------------------------------

# Three seats fill E: 4 tokens for seat 1, 3 for seat 2, 2 for seat 3, which is no more than half of nine for anybody.
#
#     3 2 1
#     1 1 2
#     2 1 3
#
# In between tokens are placed on space 5 of other tiles, which sends the next seat back to E. E4, the last, sends
# seat 2 to D, where it plays D5: seat 3 is sent to E.
FILL_E = "E5 E7 G5 E3 C5 E9 I5 E2 B5 E8 H5 E1 A5 E6 F5 E4"
FIVES = "A5 B5 C5 D5 F5 G5 H5 I5"
# The same with five tokens for each seat, gone after F5: seat 1 lifts I5 for E4, seat 2 H5 for D5.
FILL_E_WITH_FIVE = FILL_E.replace("E4", "lift I5 E4 lift H5 D5")


def test_a_full_tile_stays_as_it_is_under_strict_without_a_majority():
    game = play(dealt(elements="FWA", majority="strict", stack="-"), FILL_E)
    assert (game.kind, game.seat, targets(game)) == ("place", 2, "D1-9")
    assert game.view()["cells"]["E"]["tokens"] == [3, 2, 1, 1, 1, 2, 2, 1, 3]


def test_blocked_anywhere_one_sent_to_a_full_tile_is_free():
    game = play(dealt(elements="FWA", majority="strict"), f"{FILL_E} D5")
    assert (game.seat, game.view()["directed"], game.view()["bound"]) == (3, "E", None)
    assert targets(game) == everywhere(3, but=f"E {FIVES}")
    play(game, "H1")
    assert (game.result["free_placements"], game.result["passes"]) == (2, 0)
    assert (game.seat, targets(game)) == (1, "A1-4,6-9")


def test_blocked_anywhere_no_token_is_lifted_from_the_full_tile_one_is_sent_to():
    """Seat 3 has E1, E9, B5, F5 and G5 and none in its supply."""
    game = play(dealt(elements="FWA", majority="strict", life=5), FILL_E_WITH_FIVE)
    assert (game.kind, game.seat, game.view()["directed"]) == ("lift", 3, "E")
    assert targets(game) == "B5 F5 G5"
    game.play("lift F5")
    assert targets(game) == everywhere(3, but="E F A5 B5 C5 D5 G5")


def test_blocked_pass_the_turn_is_lost_and_the_next_player_is_not_directed():
    game = play(dealt(elements="FWA", majority="strict", blocked="pass"), f"{FILL_E} D5")
    assert (game.kind, game.seat, game.view()["directed"]) == ("place", 1, None)
    assert targets(game) == everywhere(3, but=f"E {FIVES}")
    assert (game.result["turns"], game.result["passes"], game.result["free_placements"]) == (18, 1, 1)
    play(game, "H1")
    assert (game.seat, targets(game)) == (2, "A1-4,6-9")
    assert (game.result["turns"], game.result["passes"], game.result["free_placements"]) == (19, 1, 2)


def test_blocked_pass_the_turn_is_lost_before_any_lift():
    """Seat 3 has B5, F5 and G5 to lift, yet loses its turn; seat 1, not directed, lifts from any tile, E too."""
    game = play(
        dealt(elements="FWA", majority="strict", blocked="pass", life=5),
        FILL_E_WITH_FIVE,
    )
    assert (game.kind, game.seat, game.view()["directed"]) == ("lift", 1, None)
    assert (game.result["passes"], game.result["lifts"]) == (1, 2)
    assert targets(game) == "A5 E3-5,8"
    game.play("lift E3")
    assert targets(game) == everywhere(3, but="E A5 B5 C5 D5 F5 G5")
    game.undo().play("lift A5")
    assert targets(game) == everywhere(3, but="E A B5 C5 D5 F5 G5")


def test_blocked_pass_does_not_concern_occupied_tiles():
    game = play(dealt(stack="-", blocked="pass"), f"{WIN_E} occupy E C5")
    assert (game.seat, targets(game), game.result["passes"]) == (1, everywhere(3, but="E A5 B5 C5"), 0)


# Four seats with four tokens each, `strict`. A and E alone are not occupied. Seat 1 fills E on E5, which sends to E.
#
#     A: 2 2 3    B 4         C 4
#        3 1 .
#        3 3 .
#     D 2         E: 2 4 1    F 1
#                    2 1 4
#                    4 4 1
#     G 3         H 2         I 3
E_FULL_AND_ALL_ROOM_ON_A = (
    "A3 C3 C8 H3 C9 I3 C5 E6 F3 C1 A8 H8 H4 D3 C4 D7 lift C9 G1 lift C1 A5 lift A8 E3 lift H8 C2 lift G1 B8 lift "
    "C3 H9 lift E3 I4 lift H3 D5 lift F3 E3 lift A5 C3 lift I4 C9 lift D5 I9 lift A3 I1 lift C3 A3 lift D7 C3 "
    "lift I1 C6 lift D3 F3 lift E6 C7 lift C6 G3 lift F3 C6 lift C9 F3 lift I9 C9 lift E3 I7 lift H9 G1 lift F3 "
    "A2 lift C9 B3 lift G3 C9 lift G1 I4 lift C5 D3 lift B3 C5 E3 G3 B3 F3 lift H4 F6 lift I4 F2 B6 F9 lift E3 I1 "
    "lift G3 A6 lift B6 F8 H6 lift I1 F5 lift F2 E3 lift B3 H3 G3 lift F6 B7 lift A3 G9 lift H3 I1 lift F3 A1 "
    "lift B7 A3 lift E3 B3 lift A2 G5 lift H6 E6 lift B8 F2 lift A6 B7 lift F8 G1 lift G3 A6 lift I7 F8 lift B7 "
    "H2 lift G5 B6 E3 G3 lift I3 H3 lift B6 I3 lift E6 H6 B5 lift B3 E6 lift G1 I2 lift E3 B3 E3 lift E6 H1 A2 B7 "
    "lift E3 G4 D5 E3 lift A6 D7 lift B5 G5 E4 D9 lift D7 B5 lift G5 E7 G8 lift D9 G7 G1 lift E7 A8 lift G9 E5 "
    "lift G7 E8 D2 lift A3 E6 lift G8 D6 lift E3 A3 E3 lift G4 D9 lift E5 D4 G8 E1 A6 E9 lift A2 E7 lift E3 G4 "
    "lift A8 E3 G7 lift E8 G2 lift E1 A9 lift G3 E1 A4 lift E7 G5 E2 lift A6 E8 A8 E5 E7 lift E1 A7 lift A8 E1 A8 "
    "lift E2 A2 lift E6 A5 lift A4 E2 A4 lift A1 E6 lift E8 A6 lift E9 A1 lift A2 E8 lift A7 E9 lift E2 A2 lift "
    "E5 A7 lift A9 E2 lift A6"
)


def test_blocked_pass_after_an_undirected_pass_for_want_of_a_token_one_is_directed_again():
    """Seat 2 loses its turn, sent to E. Seat 3, not directed, has tokens on A alone, where all room is, and passes.
    Seat 4 is sent to E again and loses its turn. Seat 1 is not directed: it may lift from E, and place on A."""
    variant = {"elements": "FWAE", "life": 4, "majority": "strict", "blocked": "pass"}
    game = play(dealt(**variant), E_FULL_AND_ALL_ROOM_ON_A)
    passes = game.result["passes"]
    assert (game.kind, game.seat) == ("place", 1)
    play(game, "E5")
    assert on_layout(game) == (
        "1:A5 1:E3 1:E5 1:E9 1:F 2:A1 2:A2 2:D 2:E1 2:E4 2:H 3:A3 3:A4 3:A7 3:A8 3:G 3:I 4:B 4:C 4:E2 4:E6 4:E7 4:E8"
    )
    assert (game.kind, game.seat, game.view()["directed"]) == ("lift", 1, None)
    assert game.result["passes"] == passes + 3
    assert targets(game) == "E3,5,9"
    assert targets(game.play("lift E5")) == "A6,9"
