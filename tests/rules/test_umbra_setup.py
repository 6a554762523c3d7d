"""Umbra Via: set-up, the altar, draws, U-D1 bid, and stacks and bags that run short, worked by hand."""

from collections import Counter
from itertools import product

import pytest
from umbra_table import ALTAR, KINDS, bags, board, deal, due, play

import tkg
from tkg.rules import calls

# --- Set-up ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows",
    [
        "ABC DEF GHI",
        "ABCD EFGH IJKL MNOP",
        "ABCDE FGHIJ KLMNO PQRST UVWXY",
    ],
)
def test_notation_cells_are_named_in_reading_order(rows):
    side = len(rows.split())
    cells = deal("1 2", "straight*2", "NS NS | E E", side=side).view()["cells"]
    assert {name: cell["place"] for name, cell in cells.items()} == {
        name: (r, c) for r, row in enumerate(rows.split()) for c, name in enumerate(row)
    }


def test_notation_after_z_follow_double_letters():
    """36 cells: 26 letters, and ten more from AA to AJ, of which AE is the first of the last row."""
    cells = deal("1 2", "straight*2", "NS NS | E E", side=6).view()["cells"]
    assert list(cells)[24:] == ["Y", "Z", "AA", "AB", "AC", "AD", "AE", "AF", "AG", "AH", "AI", "AJ"]
    assert (cells["Z"]["place"], cells["AE"]["place"], cells["AJ"]["place"]) == ((4, 1), (5, 0), (5, 5))


@pytest.mark.parametrize(
    ("settings", "bag", "on_tile"),
    [
        ({}, [32, 6], 11),  # 33 less the marker, 17 less 11
        ({"energy": 5, "soul": 9, "soul_on_tile": 2}, [4, 7], 2),
        ({"soul": 11}, [32, 0], 11),
        ({"energy": 1}, [0, 6], 11),
    ],
)
def test_set_up_bags_and_soul_tiles(settings, bag, on_tile):
    game = tkg.new(tkg.umbra(players=3, **settings), seed=4)
    assert bags(game) == [bag] * 3
    assert [seat["soul_tile"] for seat in game.view()["seats"]] == [on_tile] * 3
    assert board(game) == {}


@pytest.mark.parametrize("track", ["1 2", "2 1", "3 1 2", "4 2 3 1"])
def test_set_up_the_track_is_best_first(track):
    seats = track.count(" ") + 1
    game = deal(track, "straight*2", f"NS NS | {'E ' * seats}")
    assert game.view()["track"] == [int(seat) for seat in track.split()]


def test_set_up_the_track_is_in_random_order():
    tracks = [tkg.new(tkg.umbra(players=3), seed).chance[0]["track"] for seed in range(40)]
    assert Counter(map(tuple, map(sorted, tracks))) == {(1, 2, 3): 40}
    assert len(set(map(tuple, tracks))) == 6


@pytest.mark.parametrize("track", ["1 1", "1 3", "0 1", "2", "1 2 3"])
def test_set_up_a_track_must_hold_every_seat_once(track):
    with pytest.raises(tkg.NoChance, match="list 1"):
        deal(track, "straight*2", "NS NS | E E", players=2)


def test_set_up_the_reference_set_is_shuffled():
    games = [tkg.new(tkg.umbra(), seed) for seed in (1, 2)]
    stacks = [game.chance[1]["stack"] for game in games]
    assert [Counter(stack) for stack in stacks] == [{"straight": 5, "curve": 6, "tee": 6}] * 2
    assert stacks[0] != stacks[1]


@pytest.mark.parametrize(
    ("stack", "tiles"),
    [
        ("straight*2", {"straight": 3}),
        ("straight*3", {"straight": 2}),
        ("straight curve", {"straight": 2}),
        ("straight line", {"straight": 2}),
    ],
)
def test_set_up_a_stack_must_be_the_set(stack, tiles):
    with pytest.raises(tkg.NoChance, match="list 2"):
        deal("1 2", stack, "NS NS | E E", tiles={**dict.fromkeys(KINDS, 0), **tiles})


def test_notation_luck_is_the_track_the_stack_the_altar_and_the_draws_by_seat():
    game = deal("2 1", "straight tee curve", "EW NES | ES EE | EE EE")
    assert game.chance == [
        {"track": [2, 1]},
        {"stack": ["straight", "tee", "curve"]},
        {"altar": ["EW", "NES"]},
        {"draw": {"seat": 1, "flowers": "ES"}},
        {"draw": {"seat": 2, "flowers": "EE"}},
    ]
    play(game, "bid I:ES, bid I:EE")
    assert game.chance[5:] == [{"draw": {"seat": 1, "flowers": "EE"}}, {"draw": {"seat": 2, "flowers": "EE"}}]


# --- Phase 1: the altar ---------------------------------------------------------------------------------------

ORIENTATIONS = {
    "straight": {"NS", "EW"},
    "curve": {"NE", "ES", "SW", "NW"},
    "tee": {"NES", "ESW", "NSW", "NEW"},
    "point": {"point"},
    "void": {"void"},
    "block": {"block"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_round_1_tiles_lie_in_any_orientation_that_they_can_have(kind):
    for tile in set().union(*ORIENTATIONS.values()):
        if tile in ORIENTATIONS[kind]:
            altar = deal("1 2", f"{kind} straight", f"{tile} EW | E E").view()["altar"]
            assert {place: altar[place]["tile"] for place in altar} == {"I": tile, "II": "EW"}
        else:
            with pytest.raises(tkg.NoChance, match="list 3"):
                deal("1 2", f"{kind} straight", f"{tile} EW | E E")


def test_round_1_the_orientation_is_random():
    set_of_six = {**dict.fromkeys(KINDS, 0), "straight": 2, "curve": 2, "tee": 2}
    altars = [tkg.new(tkg.umbra(altar=6, tiles=set_of_six), seed).chance[2]["altar"] for seed in range(40)]
    assert {tile for altar in altars for tile in altar} == set().union(*list(ORIENTATIONS.values())[:3])


@pytest.mark.parametrize("altar", ["NS", "NS NS NS", "SN NS", "straight NS", "NE NS", "NS NE"])
def test_round_1_an_altar_must_be_the_top_of_the_stack(altar):
    with pytest.raises(tkg.NoChance, match="list 3"):
        deal("1 2", "straight straight curve", f"{altar} | E E", altar=2)


def test_round_1_the_stack_loses_what_is_laid_out():
    game = deal("1 2", "straight tee tee curve straight", "NS NES ESW | E E")
    assert game.view()["stack"] == {"straight": 1, "curve": 1, "tee": 0, "point": 0, "void": 0, "block": 0}


# --- Phase 1: a short stack -----------------------------------------------------------------------------------


def test_round_1_the_discard_pile_is_shuffled_under_a_short_stack():
    """Both bid on the straight, so the curve is discarded; a tee is left on the stack and stays on top."""
    first = ("1 2", "straight curve tee", "NS NE | E E")
    game = deal(*first, "tee curve > NES ES | E E", side=3)
    play(game, "bid I:E, bid I:E")
    assert game.view()["discard"]["curve"] == 1
    play(game, "place E")
    view = game.view()
    assert (view["round"], {name: place["tile"] for name, place in view["altar"].items()}) == (
        2,
        {"I": "NES", "II": "ES"},
    )
    assert set(view["stack"].values()) | set(view["discard"].values()) == {0}
    for impossible in ("curve tee > ES NES | E E", "tee > NES | E E", "NES | E E", "tee straight > NES NS | E E"):
        game = play(deal(*first, impossible, side=3, altar=2), "bid I:E, bid I:E")
        with pytest.raises(tkg.NoChance):
            game.play("place E")


def test_round_1_no_shuffle_while_the_stack_holds_enough():
    """Two tees are left, as many as are laid out; the discarded curve stays where it is."""
    game = deal("1 2", "straight curve tee tee", "NS NE | E E", "NES ESW | E E", side=3)
    play(game, "bid I:E, bid I:E, place E")
    assert (game.view()["round"], game.view()["discard"]["curve"]) == (2, 1)


def test_round_1_without_a_discard_pile_there_is_no_shuffle():
    """Both straights of the first round lie on the board, H below them is empty; the third is laid out alone."""
    game = deal("1 2", "straight*3", "NS NS | E E", "NS | E E", side=3)
    play(game, "bid I:E, bid II:E, place E, place B")
    assert (game.view()["round"], list(game.view()["altar"])) == (2, ["I"])
    assert game.legal == ["bid I:E"]


def test_round_1_what_there_is_after_the_shuffle_is_laid_out():
    """Of four straights two lie on the board; one is left on the stack, one was discarded, and three are wanted."""
    game = deal("1 2", "straight*4", "NS NS EW | E E", "straight*2 > NS EW | E E", side=3)
    play(game, "bid I:E, bid II:E, place E, place B")
    assert list(game.view()["altar"]) == ["I", "II"]
    assert set(game.legal) == {"bid I:E", "bid II:E"}


def test_round_1_no_tile_at_all_the_game_is_stuck():
    game = deal("1 2", "straight*2", "NS NS | E E", "-", side=3)
    play(game, "bid I:E, bid II:E, place E")
    assert not game.over
    play(game, "place B")
    assert (game.over, game.legal, game.seat, game.kind) == (True, [], None, None)
    assert (game.result["ending"], game.result["rounds"]) == ("stuck", 2)
    assert game.chance[-1] == {"altar": []}
    assert not game.chance_left


# --- Phase 1: blocks ------------------------------------------------------------------------------------------


def test_round_1_a_block_takes_its_place_and_cannot_be_bid_on():
    """The two energy flowers and the soul flower are divided among I and III alone."""
    game = deal("1 2", "straight block tee", "NS block NES | EES EEE")
    assert list(game.view()["altar"]) == ["I", "II", "III"]
    assert sorted(game.legal) == [
        "bid I:E III:ES",
        "bid I:EE III:S",
        "bid I:EES",
        "bid I:ES III:E",
        "bid I:S III:EE",
        "bid III:EES",
    ]


def test_round_3_a_block_is_discarded():
    game = deal("1 2", "straight block straight*2", "NS block | E E", "NS EW | E E", side=3)
    play(game, "bid I:E, bid I:E")
    assert (game.view()["altar"]["II"]["tile"], game.view()["discard"]["block"]) == (None, 1)
    play(game, "place E")
    assert game.view()["round"] == 2


def test_round_1_nothing_to_bid_on_no_draws_and_the_round_counts():
    game = deal("1 2", "block*2 straight*2", "block block", "NS EW | E E")
    assert (game.view()["round"], game.view()["discard"]["block"], game.actions) == (2, 2, [])
    assert set(game.legal) == {"bid I:E", "bid II:E"}
    assert not game.chance_left


def test_round_1_blocks_alone_pass_by_until_the_last_round():
    """Every round lays out both blocks, after a shuffle in all but the first; nobody ever decides anything."""
    again = "block*2 > block block"
    game = deal("2 1", "block*2", "block block", again, again, max_rounds=3)
    assert (game.over, game.actions, game.chance_left) == (True, [], False)
    assert [next(iter(part)) for part in game.chance] == ["track", *["stack", "altar"] * 3]
    assert (game.result["ending"], game.result["rounds"], game.result["winners"]) == ("unfinished", 3, [1, 2])


def test_round_1_a_round_of_blocks_is_left_out_between_others():
    """Round 2 lays out the two blocks on the stack; they and the straight that nobody wanted are then shuffled."""
    game = deal(
        "1 2", "straight*2 block*2", "NS EW | E E", "block block", "block straight block > block EW | E E", side=3
    )
    play(game, "bid I:E, bid I:E, place E")
    assert (game.view()["round"], game.legal) == (3, ["bid II:E"])


# --- Phase 2: draws -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("draws", "wrong"),
    [
        ("EE EEE", 4),  # three are drawn
        ("EEEE EEE", 4),
        ("- EEE", 4),
        ("SEE EEE", 4),  # energy is written first
        ("EEX EEE", 4),
        ("EES SSE", 5),
        ("SSS EEE", 4),  # two soul flowers are in the bag
        ("EEE EEE", 5),  # of the wrong seat, see below
    ],
)
def test_round_2_a_draw_must_come_from_the_bag(draws, wrong):
    variant = tkg.umbra(soul=13, draw=3, altar=2, tiles="straight:2")
    chance = [{"track": [1, 2]}, {"stack": ["straight"] * 2}, {"altar": ["NS", "NS"]}]
    first, second = draws.replace("-", "").split(" ")
    seat = 1 if draws == "EEE EEE" else 2
    chance += [{"draw": {"seat": 1, "flowers": first}}, {"draw": {"seat": seat, "flowers": second}}]
    with pytest.raises(tkg.NoChance, match=f"list {wrong}"):
        tkg.Game(variant, seed=0, chance=chance)


def test_round_2_energy_that_the_bag_does_not_hold_is_not_drawn():
    """Two energy flowers, one of them the marker: one is in the bag."""
    for flowers, possible in (("ESS", True), ("SSS", True), ("EES", False)):
        if possible:
            assert deal("1 2", "straight*2", f"NS NS | {flowers} ESS", energy=2).view()["hand"] == [
                flowers.count("E"),
                flowers.count("S"),
            ]
        else:
            with pytest.raises(tkg.NoChance, match="list 4"):
                deal("1 2", "straight*2", f"NS NS | {flowers} ESS", energy=2)


def test_round_2_draws_are_random():
    """One energy and one soul flower are in each bag."""
    games = [tkg.new(tkg.umbra(energy=2, soul=12, draw=1), seed) for seed in range(40)]
    draws = {tuple(part["draw"]["flowers"] for part in game.chance[3:]) for game in games}
    assert draws == {("E", "E"), ("E", "S"), ("S", "E"), ("S", "S")}


def test_round_2_all_that_are_left_are_drawn_and_an_empty_bag_bids_nothing():
    """Two energy flowers a seat: all go into the first bidding, none is left for the second."""
    game = deal(
        "1 2", "straight*4", "NS NS | EE EE | - -", "NS NS | - - | - -", energy=3, soul=1, soul_on_tile=1, draw=3
    )
    assert bags(game) == [[2, 0], [2, 0]]
    assert set(game.legal) == {"bid I:EE", "bid I:E II:E", "bid II:EE"}
    play(game, "bid I:EE, bid II:EE")
    assert (game.kind, game.legal, bags(game)) == ("bid", ["bid -"], [[0, 0], [0, 0]])
    play(game, "bid -")
    assert (game.seat, game.legal) == (2, ["bid -"])
    play(game, "bid -")
    assert (game.kind, due(game)) == ("place", "I")
    assert game.actions == ["bid I:EE", "bid II:EE", "bid -", "bid -"]


def test_round_3_without_any_bid_all_tiles_are_discarded():
    """Nobody has a flower in the bag; two straights go out, and in the next round the two others."""
    settings = {"energy": 1, "soul": 1, "soul_on_tile": 1, "draw": 3}
    game = deal("1 2", "straight*4", "NS NS | - -", "EW EW | - -", "straight*4 > NS EW | - -", **settings)
    play(game, "bid -, bid -")
    assert (game.view()["round"], game.view()["discard"]["straight"]) == (2, 2)
    play(game, "bid -, bid -")
    assert (game.view()["round"], game.view()["discard"]["straight"]) == (3, 0)
    assert board(game) == {}
    assert game.result["tiles_won"] == [0, 0]


def test_round_2_a_bag_with_fewer_flowers_than_are_drawn():
    """One energy and one soul flower against three: both are drawn."""
    game = deal("1 2", "straight*2", "NS NS | ES ES", energy=2, soul=2, soul_on_tile=1, draw=3)
    assert game.view()["hand"] == [1, 1]
    assert set(game.legal) == {"bid I:ES", "bid I:E II:S", "bid I:S II:E", "bid II:ES"}


# --- U-D1 bid -------------------------------------------------------------------------------------------------


def bids(hand: str, places: list[str]) -> set[str]:
    """Every way to put each flower of a hand on one of the places."""
    found = set()
    for chosen in product(places, repeat=len(hand)):
        on = {place: "".join(sorted(f for f, p in zip(hand, chosen, strict=True) if p == place)) for place in places}
        found.add("bid " + " ".join(f"{place}:{flowers}" for place, flowers in on.items() if flowers))
    return found


@pytest.mark.parametrize(
    ("hand", "altar", "options"),
    [
        ("E", "NS NS", 2),
        ("S", "NS block", 1),
        ("EEE", "NS NS NS NS", 20),  # 3 among 4: 6 over 3
        ("EES", "NS NS NS NS", 40),  # 2 among 4: 10, times 1 among 4: 4
        ("ESS", "NS block NS NS", 18),  # 3 times 6
        ("EES", "NS NS NS NS NS NS", 126),  # 21 times 6
        ("EEEEEE", "NS NS", 7),
        ("EEESSS", "NS NS NS", 100),  # 10 times 10
        ("SSSSSS", "block NS NS", 7),
        ("EEEEEE", "NS NS NS NS", 84),  # 9 over 3
    ],
)
def test_ud1_bid_every_division_of_the_hand_is_an_option_exactly_once(hand, altar, options):
    """Uniformly random play draws from the compiled options, so none may stand there twice."""
    kinds = altar.replace("NS", "straight")
    game = deal("1 2", kinds, f"{altar} | {hand} {hand}")
    places = [place for place, tile in zip(ALTAR, altar.split(), strict=False) if tile != "block"]
    assert len(calls.options(game.states, game.variant.packed)) == len(game.legal) == options
    assert set(game.legal) == bids(hand, places)


@pytest.mark.parametrize(
    "bid",
    [
        "bid III:S I:EE",  # altar places in ascending order
        "bid I:EE III:S ",
        "bid I:SE III:E",  # energy before soul
        "bid I:EE II: III:S",  # places without flowers are left out
        "bid 1:EE 3:S",
        "bid I:EE",  # not all
        "bid I:EEE",  # other flowers than were drawn
        "bid I:EE III:SS",
        "bid I:EE IV:S",  # three tiles are laid out
        "bid -",
        "bid",
        "place F",
    ],
)
def test_ud1_bid_any_other_spelling_is_refused(bid):
    game = deal("1 2", "straight*3", "NS NS NS | EES EEE")
    assert "bid I:EE III:S" in game.legal
    with pytest.raises(tkg.Illegal):
        game.play(bid)


def test_ud1_bid_in_turn_order_whatever_the_track():
    game = deal("3 2 1", "straight*2", "NS NS | E E E | E E E")
    seats = []
    for _ in range(6):
        seats.append(game.seat)
        play(game, "bid I:E")
    assert seats == [1, 2, 3, 1, 2, 3]


def test_ud1_bid_flowers_go_to_the_tiles_when_all_have_decided():
    game = deal("1 2", "straight*2", "NS NS | EES EEE | ESS EES", altar=2)
    play(game, "bid I:EE II:S")
    assert [place["flowers"] for place in game.view()["altar"].values()] == [[[0, 0], [0, 0]]] * 2
    play(game, "bid II:EEE")
    assert [place["flowers"] for place in game.view()["altar"].values()] == [[[2, 0], [0, 0]], [[0, 1], [3, 0]]]
    play(game, "bid II:ESS, bid I:S II:EE")
    # Now I, with three flowers, is being placed, and the soul flower of seat 2 has left it.
    assert [place["flowers"] for place in game.view()["altar"].values()] == [[[2, 0], [0, 0]], [[1, 3], [5, 0]]]


@pytest.mark.parametrize("biddings", [1, 2, 4])
def test_round_2_each_bidding_draws_from_what_the_last_has_left(biddings):
    """Three flowers go out of a bag of 38 every time."""
    game = deal("1 2", "straight*2", "NS NS" + " | EEE EEE" * biddings)
    for bidding in range(1, biddings + 1):
        assert game.view()["bidding"] == bidding
        assert bags(game) == [[32 - 3 * (bidding - 1), 6]] * 2
        play(game, "bid I:EEE, bid II:EEE")
    assert game.kind == "place"
