"""Cosmic Alignments: names, elements, C-D0 draft in three layouts, the stack and what is seen of it, worked by hand."""

from collections import Counter

import pytest
from cosmic_table import bring, dealt, everywhere, play, set_up, targets

import tkg
from tkg.rules import calls

# Nine tiles for nine cells, so the stack runs out again and again. Each draft takes the tile named from the front of
# the stack; three hands leave 6 aside; two of 6 leave 4; a hand of 3 and one of 1 leave 2; then 2, 1 and none.
DECK = "F W A | E FF WW | AA EE FW".replace("|", "")
ANEW = ("WW A F FF EE AA", "AA F WW FF", "WW AA", "WW", "")
DRAFT = "W@A E@B FW@C A@D EE@E F@F FF@G AA@H WW@I"


def drafted(text, *stacks, elements="FW", **settings):
    """A game after drafting the tiles named on the cells named."""
    game = set_up(elements, *stacks, **settings)
    return game.play(*(f"draft {token}" for token in text.split()))


def laid(game):
    """The tiles on the layout as they lie, whoever knows them, in reading order."""
    tiles = list(game.variant.deck)
    return " ".join(tiles[kind] for kind in game.states[0].board if kind >= 0)


# --- Names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "names"), [(3, "ABCDEFGHI"), (4, "ABCDEFGHIJKLMNOP"), (5, "ABCDEFGHIJKLMNOPQRSTUVWXY")]
)
def test_set_up_tiles_have_letters_and_spaces_numbers_in_reading_order(side, names):
    game = dealt(side=side)
    cells = game.view()["cells"]
    assert {name: cell["place"] for name, cell in cells.items()} == {n: divmod(i, side) for i, n in enumerate(names)}
    assert len(game.legal) == side**4
    assert set(game.legal) == {f"{name}{space}" for name in names for space in range(1, side * side + 1)}


# --- Elements, supplies -------------------------------------------------------------------------------------


@pytest.mark.parametrize("elements", ["FW", "EA", "WAE", "EFA", "FWAE", "EAWF"])
def test_set_up_elements_are_dealt_by_seat(elements):
    game = dealt(elements=elements)
    assert [seat["element"] for seat in game.view()["seats"]] == list(elements)
    assert game.result["element"] == list(elements)
    assert game.chance[0] == list(elements)


def test_set_up_no_two_players_have_one_element():
    deck = ["-"] * 9
    for elements in ("FF", "FWF"):
        variant = tkg.cosmic(players=len(elements), side=3, deck={"-": 9}, layout="dealt")
        with pytest.raises(tkg.Refused, match="list 1 cannot have fallen"):
            tkg.Game(variant, seed=0, chance=[list(elements), deck])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_set_up_thirteen_oinks_and_thirty_three_life_tokens(players):
    seats = tkg.new(tkg.cosmic(players=players, layout="dealt"), seed=5).view()["seats"]
    assert len(seats) == players
    for seat in seats:
        assert (seat["life"], seat["oinks"], seat["points"], seat["occupied"], seat["captured"]) == (33, 13, 0, 0, [])


def test_set_up_the_deck_has_a_tile_for_every_cell():
    assert tkg.cosmic(side=3, deck={"F": 9}).deck.total == 9
    for side, tiles in ((3, 8), (4, 15), (5, 24)):
        with pytest.raises(tkg.Refused, match=f"{tiles} tiles"):
            tkg.cosmic(side=side, deck={"F": tiles})


# --- layout: dealt ------------------------------------------------------------------------------------------


def test_layout_dealt_the_first_tiles_in_reading_order_and_nothing_to_decide():
    game = set_up("FW", "F W A E FF WW AA EE FW | FFF WWW".replace("|", ""), layout="dealt", side=3)
    assert laid(game) == "F W A E FF WW AA EE FW"
    assert (game.kind, game.seat, game.actions) == ("place", 1, [])
    assert (game.view()["stack"], game.chance_left) == (2, False)
    assert [len(part) for part in game.chance] == [2, 11]


def test_layout_dealt_what_is_not_dealt_is_the_stack_top_first():
    """Three tiles are captured in turn; in their places lie the tiles of the stack, the top one in the first."""
    game = dealt("F W A E FF", stack="FFF WWW AAA")
    for tile in "EGC":
        bring(game, f"1:{tile}4 1:{tile}6 1:{tile}5")
        play(game, f"capture {tile}")
    assert game.view()["seats"][0]["captured"] == ["FF", "-", "A"]
    assert (laid(game), game.view()["stack"]) == ("F W AAA E FFF - WWW - -", 0)


# --- C-D0 draft: hands and stacks -----------------------------------------------------------------------------


def test_cd0_draft_three_are_drawn_and_one_is_placed_on_the_next_cell():
    game = set_up("FW", DECK, *ANEW, side=3)
    assert (game.kind, game.seat) == ("draft", 1)
    assert set(game.legal) == {"draft F@A", "draft W@A", "draft A@A"}
    game.play("draft W@A")
    assert (game.kind, game.seat) == ("draft", 2)
    assert set(game.legal) == {"draft E@B", "draft FF@B", "draft WW@B"}
    game.play("draft E@B")
    assert game.seat == 1
    assert set(game.legal) == {"draft AA@C", "draft EE@C", "draft FW@C"}


def test_layout_free_on_any_empty_cell():
    game = set_up("FW", DECK, *ANEW, side=3, layout="free")
    assert set(game.legal) == {f"draft {tile}@{cell}" for tile in ("F", "W", "A") for cell in "ABCDEFGHI"}
    game.play("draft W@E")
    assert set(game.legal) == {f"draft {tile}@{cell}" for tile in ("E", "FF", "WW") for cell in "ABCDFGHI"}
    game.play("draft E@A")
    assert set(game.legal) == {f"draft {tile}@{cell}" for tile in ("AA", "EE", "FW") for cell in "BCDFGHI"}


def test_layout_free_the_last_tile_has_one_cell_left():
    cells = dict(zip("ABCDEFGHI", "IDGAEBHCF", strict=True))
    text = " ".join(f"{token[:-1]}{cells[token[-1]]}" for token in DRAFT.split())
    game = drafted(text.removesuffix(" WW@F"), DECK, *ANEW, side=3, layout="free")
    assert game.legal == ["draft WW@F"]
    game.play("draft WW@F")
    # In the order of drafting W E FW A EE F FF AA WW lie on I D G A E B H C F.
    assert laid(game) == "A F AA E EE WW FW FF W"
    assert game.kind == "place"


@pytest.mark.parametrize(("hand", "options"), [("F F W", 2), ("F W F", 2), ("W F F", 2), ("F F F", 1), ("F W A", 3)])
@pytest.mark.parametrize(("layout", "places"), [("draft", 1), ("free", 9)])
def test_cd0_draft_equal_tiles_are_one_option_to_whoever_counts_them(hand, options, layout, places):
    game = set_up("FW", f"{hand} - - - - - -", side=3, layout=layout)
    assert len(calls.options(game.states, game.variant.packed)) == len(set(game.legal)) == options * places
    assert {option.split("@")[0] for option in game.legal} == {f"draft {tile}" for tile in hand.split()}


def test_cd0_draft_of_equal_tiles_one_is_placed_and_the_other_put_aside():
    game = set_up("FW", "F F W - - - - - -", side=3).play("draft F@A")
    assert game.view(1)["aside"] == {"F": 1, "W": 1}


def test_cd0_draft_an_empty_stack_is_made_anew_of_what_was_put_aside():
    game = drafted(DRAFT, DECK, *ANEW, side=3)
    assert laid(game) == "W E FW A EE F FF AA WW"
    assert [len(part) for part in game.chance] == [2, 9, 6, 4, 2, 1, 0]
    assert (game.view()["stack"], game.chance_left, game.kind) == (0, False, "place")


def test_cd0_draft_a_short_hand_is_not_topped_up():
    """Hands of nine tiles by the stacks: 3 3 3, 3 3, 3 1, 2, 1."""
    game = set_up("FW", DECK, *ANEW, side=3)
    hands = []
    for token in DRAFT.split():
        hands.append(len(game.view(game.seat)["hand"]))
        game.play(f"draft {token}")
    assert hands == [3, 3, 3, 3, 3, 3, 1, 2, 1]


def test_cd0_draft_a_hand_of_one_is_a_decision():
    """Of the stack of 4, hand 6 takes 3 and leaves FF alone for hand 7."""
    tokens = DRAFT.split()
    game = drafted(" ".join(tokens[:6]), DECK, *ANEW, side=3)
    assert game.legal == ["draft FF@G"]
    assert drafted(DRAFT, DECK, *ANEW, side=3).actions[6] == "draft FF@G"


def test_cd0_draft_ten_tiles_leave_a_short_hand_in_the_first_stack():
    """Hands of 3 3 3 1 leave 6 aside, hands of 3 3 leave 4, hands of 3 1 leave 2 and one of 2 leaves 1."""
    game = set_up("FW", "F " * 10, "F " * 6, "F " * 4, "F " * 2, "F", side=3)
    hands = []
    while game.kind == "draft":
        hands.append(len(game.view(game.seat)["hand"]))
        game.play(game.legal[0])
    assert hands == [3, 3, 3, 1, 3, 3, 3, 1, 2]
    assert [len(part) for part in game.chance] == [2, 10, 6, 4, 2, 1]
    assert (game.view()["stack"], game.chance_left) == (1, False)


def test_cd0_draft_what_is_left_of_the_stack_is_shuffled_with_what_was_put_aside():
    """30 tiles for 9 hands: 27 drawn, 18 aside and 3 never drawn make the stack of play."""
    first = "F W A " * 9 + "FFF WWW AAA"
    stack = "AAA " + "W A " * 9 + "FFF WWW"
    game = drafted(" ".join(f"F@{cell}" for cell in "ABCDEFGHI"), first, stack, side=3)
    assert (game.view()["stack"], game.chance_left) == (21, False)
    assert [len(part) for part in game.chance] == [2, 30, 21]
    bring(game, "1:E1 1:E2 1:E3")
    play(game, "capture E")
    assert laid(game).split()[4] == "AAA"  # the top of the new stack


@pytest.mark.parametrize(("layout", "players"), [("draft", 2), ("draft", 3), ("draft", 4), ("free", 3)])
@pytest.mark.parametrize(("side", "lengths"), [(3, [48, 39]), (4, [48, 32]), (5, [48, 32, 23])])
def test_chance_lengths_of_the_shuffled_stacks(layout, players, side, lengths):
    """Side 3: 27 of 48 drawn, 21 left and 18 aside. Side 4: all drawn, 32 aside. Side 5: as many after 16 of 25 hands,
    then 27 of 32 drawn, 5 left and 18 aside."""
    game = tkg.new(tkg.cosmic(players=players, side=side, layout=layout), seed=3)
    while game.kind == "draft":
        game.play(game.legal[0])
    assert len(game.actions) == side * side
    assert [len(part) for part in game.chance] == [players, *lengths]
    assert Counter(game.chance[1]) == Counter(game.variant.deck)
    assert game.view()["stack"] == 48 - side * side


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chance_lengths_when_dealt(players):
    game = tkg.new(tkg.cosmic(players=players, layout="dealt"), seed=3)
    assert [len(part) for part in game.chance] == [players, 48]


def test_chance_of_the_draft_that_is_missing_or_impossible():
    """The fourth hand needs the second stack, so it falls behind the third draft."""
    first = DRAFT.split()[:2]
    for stacks, words in (([DECK], "list 3 is missing"), ([DECK, ANEW[0].replace("WW", "W")], "list 3 cannot have")):
        game = drafted(" ".join(first), *stacks, side=3)
        with pytest.raises(tkg.Refused, match=words):
            game.play("draft FW@C")


def test_chance_of_an_empty_stack_has_to_stand_there():
    game = drafted(DRAFT.removesuffix(" WW@I"), DECK, *ANEW[:-1], side=3)
    with pytest.raises(tkg.Refused, match="list 7 is missing"):
        game.play("draft WW@I")


# --- C-D0 draft: seats ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("elements", "seats"), [("FW", "121212121"), ("FWA", "123123123"), ("FWAE", "123412341")])
def test_cd0_draft_seats_in_turn_and_seat_1_begins_play_whoever_drafted_last(elements, seats):
    game = set_up(elements, "- " * 27, "- " * 18, side=3)
    drafters = ""
    while game.kind == "draft":
        drafters += str(game.seat)
        game.play(game.legal[0])
    assert drafters == seats
    assert (game.kind, game.seat) == ("place", 1)


def test_a_draft_is_no_turn():
    game = drafted(DRAFT, DECK, *ANEW, side=3)
    assert game.view()["turn"] == 0
    assert (game.result["turns"], game.result["passes"], game.result["free_placements"]) == (0, 0, 0)
    assert targets(game) == everywhere(3)


# --- Information ----------------------------------------------------------------------------------------------


def seen(game, seat):
    """The tiles whose insignias the seat sees, by cell."""
    return " ".join(f"{tile}@{name}" for name, cell in game.view(seat)["cells"].items() if (tile := cell["tile"]))


def test_information_a_hand_is_seen_by_its_drafter():
    game = set_up("FW", DECK, *ANEW, side=3)
    assert (game.view(1)["hand"], game.view(2)["hand"]) == (["F", "W", "A"], [])
    game.play("draft W@A")
    assert (game.view(1)["hand"], game.view(2)["hand"]) == ([], ["E", "FF", "WW"])


def test_information_tiles_drafted_by_oneself_are_seen_and_no_others():
    game = drafted(DRAFT, DECK, *ANEW, side=3)
    assert seen(game, 1) == "W@A FW@C EE@E FF@G WW@I"
    assert seen(game, 2) == "E@B A@D F@F AA@H"


def test_information_three_drafters():
    tiles = "F W A E FF WW AA EE FW"
    game = drafted(" ".join(f"{t}@{c}" for t, c in zip(tiles.split(), "ABCDEFGHI", strict=True)),
                   " ".join(f"{t} - -" for t in tiles.split()), "- " * 18, elements="FWA", side=3)  # fmt: skip
    assert [seen(game, seat) for seat in (1, 2, 3)] == ["F@A E@D AA@G", "W@B FF@E EE@H", "A@C WW@F FW@I"]


def test_information_what_was_put_aside_is_known_to_who_put_it_there():
    game = drafted("W@A E@B", DECK, *ANEW, side=3)
    assert game.view(1)["aside"] == {"F": 1, "A": 1}
    assert game.view(2)["aside"] == {"FF": 1, "WW": 1}


def test_information_when_dealt_nobody_knows_a_tile():
    game = dealt("F W A E FF WW AA EE FW", stack="A")
    assert [seen(game, 1), seen(game, 2)] == ["", ""]
    assert [game.view(seat)["aside"] for seat in (1, 2)] == [{}, {}]


def test_information_an_occupied_tile_is_open():
    """E was drafted by seat 1; seat 2, which did not know it, sees it with the Oink on it."""
    game = drafted("-@A -@B -@C -@D FWA@E -@F -@G -@H -@I", "- " * 12 + "FWA " + "- " * 14, "- " * 18, side=3)
    bring(game, "2:E1 2:E2 2:E3")
    assert seen(game, 2) == "-@B -@D -@F -@H"
    play(game, "occupy E")
    assert seen(game, 2) == "-@B -@D FWA@E -@F -@H"
    assert game.view(2)["cells"]["E"]["owner"] == 2


def test_information_a_captured_tile_is_open_and_the_one_in_its_place_seen_by_nobody():
    """Seat 1 drafted the tile that was on E, and that gives it no sight of the one that lies there now."""
    draft = "-@A -@B -@C -@D FWA@E -@F -@G -@H -@I"
    game = drafted(draft, "- " * 12 + "FWA " + "- " * 13 + "EE", "EE " + "- " * 17, side=3)
    assert seen(game, 1) == "-@A -@C FWA@E -@G -@I"
    bring(game, "2:E1 2:E2 2:E3")
    play(game, "capture E")
    assert laid(game).split()[4] == "EE"
    assert seen(game, 1) == "-@A -@C -@G -@I"
    assert seen(game, 2) == "-@B -@D -@F -@H"
    for seat in (1, 2):
        assert [s["captured"] for s in game.view(seat)["seats"]] == [[], ["FWA"]]


def test_information_the_order_of_the_stack_is_not_seen():
    one, other = (dealt(stack=stack) for stack in ("F W A", "A F W"))
    for text in ("E1 A5 E2 B5 E3", "capture E"):
        assert play(one, text).view() == play(other, text).view()
    assert one.view()["stack"] == 2
    assert one.view()["unseen"] == {"F": 1, "W": 1, "A": 1, "-": 8}  # what lies on E is one of the three letters
