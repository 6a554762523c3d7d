"""Umbra Via: what a seat sees of the others, the set of tiles as a knob, and records, worked by hand."""

import pytest
from umbra_table import KINDS, bags, deal, due, laid, play

import tkg

REFERENCE = {"straight": 5, "curve": 6, "tee": 6, "point": 0, "void": 0, "block": 0}

# --- Information ------------------------------------------------------------------------------------------------


def test_information_draws_of_the_others_are_hidden_and_what_they_hold_in_all_is_not():
    """Seat 2 has drawn other flowers; 32 energy and 6 soul flowers are in its bag and hand together."""
    games = [deal("1 2", "straight*2", f"NS EW | EES {hand}") for hand in ("EEE", "EES", "SSS")]
    one, *others = (game.view(1) for game in games)
    assert others == [one, one]
    assert one["hand"] == [2, 1]
    assert one["seats"][1] == {"bag": [32, 6], "drawn": 3, "decided": False, "soul_tile": 11, "spent": 0}
    assert [game.view(2)["hand"] for game in games] == [[3, 0], [2, 1], [0, 3]]


def test_information_what_is_in_the_bag_follows_from_what_leaves_and_enters():
    """After the first bidding three flowers of each seat are on the altar, and both have drawn again."""
    game = deal("1 2", "straight*2", "NS EW | EES EEE | SSS ESS", altar=2)
    play(game, "bid I:EES, bid II:EEE")
    assert bags(game) == [[30, 5], [29, 6]]
    assert (game.view(1)["hand"], game.view(2)["hand"]) == ([0, 3], [1, 2])


def test_information_bids_are_hidden_until_all_have_decided():
    played = []
    for bid in ("I:EE II:S", "II:EES", "I:ES II:E"):
        game = play(deal("1 2 3", "straight*2", "NS EW | EES EEE EEE | EEE EEE EEE"), f"bid {bid}")
        played.append(game)
    for seat in (2, 3):
        one, *others = (game.view(seat) for game in played)
        assert others == [one, one]
        assert [s["decided"] for s in one["seats"]] == [True, False, False]
        assert one["bid"] is None
    assert [game.view(1)["bid"] for game in played] == ["I:EE II:S", "II:EES", "I:ES II:E"]
    for game in played:
        play(game, "bid I:EEE")
        assert game.view(3)["altar"]["I"]["flowers"] == [[0, 0]] * 3
        play(game, "bid I:EEE")
    assert played[0].view(3)["altar"]["II"]["flowers"] == [[0, 1], [0, 0], [0, 0]]
    assert played[1].view(3)["altar"]["II"]["flowers"] == [[2, 1], [0, 0], [0, 0]]


def test_information_the_first_bidding_is_seen_in_the_second():
    game = deal("1 2", "straight*2", "NS EW | EES EEE | EEE EEE")
    play(game, "bid I:EE II:S, bid II:EEE")
    for seat in (1, 2):
        assert game.view(seat)["altar"]["I"]["flowers"] == [[2, 0], [0, 0]]
        assert game.view(seat)["altar"]["II"]["flowers"] == [[0, 1], [3, 0]]
        assert game.view(seat)["bidding"] == 2
        assert game.view(seat)["hand"] == [3, 0]
        assert game.view(seat)["bid"] is None


def test_information_the_order_of_the_stack_is_hidden():
    """Laid out are two straights; a curve, a tee and a block are left in whatever order."""
    games = [
        deal("1 2", f"straight*2 {rest}", "NS EW | E E")
        for rest in ("curve tee block", "block tee curve", "tee curve block")
    ]
    for seat in (1, 2):
        one, *others = (game.view(seat) for game in games)
        assert others == [one, one]
        assert one["stack"] == {"straight": 0, "curve": 1, "tee": 1, "point": 0, "void": 0, "block": 1}


def test_information_everything_else_is_open():
    """Board, altar, track, soul tiles, discards and what is out of the game, to every seat alike."""
    game = laid("NS@E:ES NS@B:ES | EW@H:SS NS:EE", track="2 1")
    one, other = game.view(1), game.view(2)
    assert (one.pop("seat"), other.pop("seat")) == (1, 2)
    assert one == other
    # E and B: level with one energy flower, seat 2 is first and goes to the end. 2 and 1 flowers are paid.
    assert one["track"] == [1, 2]
    assert [seat["soul_tile"] for seat in one["seats"]] == [10, 9]
    assert [seat["spent"] for seat in one["seats"]] == [3, 1]
    assert one["discard"]["straight"] == 2
    assert (one["cells"]["H"]["tile"], due(game)) == ("EW", "II")


@pytest.mark.parametrize("seat", [0, 3, "1"])
def test_information_of_seats_that_there_are(seat):
    with pytest.raises(tkg.Refused, match="from 1 to 2"):
        laid("NS:E NS:E").view(seat)


# --- The set of tiles ---------------------------------------------------------------------------------------------


def test_tiles_the_reference_set_is_a_stand_in():
    assert tkg.umbra().plain()["tiles"] == REFERENCE
    assert tkg.umbra(tiles=REFERENCE) == tkg.umbra()
    assert any("stand-in" in note for note in tkg.umbra().notes)
    assert not any("stand-in" in note for note in tkg.umbra(tiles={**REFERENCE, "tee": 5}).notes)


@pytest.mark.parametrize(
    ("settings", "tiles"),
    [
        ({}, {"point": 1, "void": 1, "block": 1}),
        ({"tiles": {**REFERENCE, "void": 4}}, {"point": 1, "void": 5, "block": 1}),
    ],
)
def test_tiles_specials_add_one_of_each(settings, tiles):
    variant = tkg.umbra(specials=True, **settings)
    assert variant.plain()["tiles"] == {**REFERENCE, **tiles}
    assert "specials" not in variant.plain()
    assert tkg.umbra(specials=False, **settings) == tkg.umbra(**settings)


@pytest.mark.parametrize("kind", KINDS)
def test_tiles_a_kind_left_out_is_refused(kind):
    tiles = {name: n for name, n in REFERENCE.items() if name != kind}
    with pytest.raises(tkg.Refused, match=f"tiles: {kind} is missing"):
        tkg.umbra(tiles=tiles)


@pytest.mark.parametrize(
    "tiles",
    [
        dict.fromkeys(KINDS, 0),  # at least one in all
        {**REFERENCE, "tee": 101},
        {**REFERENCE, "tee": -1},
        {**REFERENCE, "tee": 1.5},
        {**REFERENCE, "tee": True},
        {**REFERENCE, "cross": 1},
        [5, 6, 6, 0, 0, 0],
        {},
    ],
)
def test_tiles_that_are_no_set_are_refused(tiles):
    with pytest.raises(tkg.Refused, match="tiles"):
        tkg.umbra(tiles=tiles)


def test_tiles_a_hundred_of_a_kind_and_one_in_all():
    assert sum(tkg.umbra(tiles=dict.fromkeys(KINDS, 100)).plain()["tiles"].values()) == 600
    assert tkg.umbra(tiles={**dict.fromkeys(KINDS, 0), "block": 1}).plain()["tiles"]["block"] == 1


@pytest.mark.parametrize("specials", ["yes", 1, None])
def test_tiles_specials_are_true_or_false(specials):
    with pytest.raises(tkg.Refused, match="specials"):
        tkg.umbra(specials=specials)


# --- Records ------------------------------------------------------------------------------------------------------


def recorded(**variant):
    """The record of a game that has begun, with other settings in its variant."""
    record = tkg.to_record(deal("1 2", "straight*2", "NS EW | E E"))
    return {**record, "variant": {**record["variant"], **variant}}


def test_records_name_all_six_kinds_and_no_specials():
    record = recorded()
    assert record["variant"]["tiles"] == {**dict.fromkeys(KINDS, 0), "straight": 2}
    assert "specials" not in record["variant"]
    assert tkg.from_record(record).legal == ["bid I:E", "bid II:E"]


@pytest.mark.parametrize("kind", KINDS)
def test_records_that_leave_a_kind_out_are_refused(kind):
    tiles = {name: n for name, n in recorded()["variant"]["tiles"].items() if name != kind}
    with pytest.raises(tkg.BadRecord, match=f"{kind} is missing") as refusal:
        tkg.from_record(recorded(tiles=tiles))
    assert refusal.value.action == 0


@pytest.mark.parametrize("specials", [True, False])
def test_records_never_name_specials(specials):
    with pytest.raises(tkg.BadRecord, match="specials"):
        tkg.from_record(recorded(specials=specials))


def test_records_without_tiles_mean_the_reference_set():
    record = tkg.to_record(tkg.new(tkg.umbra(), seed=3))
    del record["variant"]["tiles"]
    assert tkg.from_record(record).variant == tkg.umbra()


def test_records_hold_decisions_with_a_single_option():
    """On an empty board of side 3 there is one central cell, and of two tiles one is a block."""
    game = deal("1 2", "straight block*2 straight", "NS block | S S", "block NS | S S", side=3)
    play(game, "bid I:S, bid I:S, place E")
    assert game.actions == ["bid I:S", "bid I:S", "place E"]
    record = tkg.to_record(game)
    assert tkg.from_record(record).view() == game.view()
    del record["actions"][2]
    with pytest.raises(tkg.BadRecord, match=r"^action \d"):
        tkg.from_record(record, finished=True)


@pytest.mark.parametrize(
    ("at", "change", "action"),
    [
        (0, {"track": [1, 1]}, 0),
        (1, {"stack": ["straight", "curve", "straight", "straight"]}, 0),
        (2, {"altar": ["NS", "NE"]}, 0),
        (3, {"draw": {"seat": 2, "flowers": "E"}}, 0),
        (5, {"altar": ["NS", "tee"]}, 4),
        (6, {"draw": {"seat": 1, "flowers": "EE"}}, 4),
    ],
)
def test_records_impossible_chance_has_the_number_of_the_action_after_which_it_falls(at, change, action):
    """The second round begins after two bids and two placements."""
    game = deal("1 2", "straight*4", "NS NS | E E", "NS NS | E E", side=3)
    record = tkg.to_record(play(game, "bid I:E, bid II:E, place E, place B"))
    assert len(record["chance"]) == 8
    record["chance"][at] = change
    with pytest.raises(tkg.BadRecord) as refusal:
        tkg.from_record(record)
    assert refusal.value.action == action


@pytest.mark.parametrize(
    "change",
    [
        {"track": [1, 2, 3]},
        {"track": [10**30, 1]},
        {"track": [-(2**63), 1]},
        {"track": [True, 2]},
        {"track": "12"},
        {"draw": {"seat": 10**30, "flowers": "E"}},
        {"draw": {"seat": 1, "flowers": "E", "round": 1}},
        {"altar": []},
        {"deck": []},
        {"track": [1, 2], "stack": []},
        None,
    ],
)
def test_records_chance_that_means_nothing_is_refused(change):
    """In place of the track, with which all luck begins."""
    record = recorded()
    with pytest.raises(tkg.BadRecord) as refusal:
        tkg.from_record({**record, "chance": [change, *record["chance"][1:]]})
    assert refusal.value.action == 0


@pytest.mark.parametrize("last", [[], [{"draw": {"seat": 2, "flowers": "EE"}}]])
def test_records_bad_chance_after_a_round_of_blocks_is_refused(last):
    """Both blocks are laid out at first, so a second altar and its draws fall before the first action.

    The draw of seat 2 is missing, or it is of two flowers where one is drawn.
    """
    chance = [{"track": [1, 2]}, {"stack": ["block"] * 2 + ["straight"] * 98}, {"altar": ["block", "block"]}]
    chance += [{"altar": ["NS", "NS"]}, {"draw": {"seat": 1, "flowers": "E"}}, *last]
    tiles = {**dict.fromkeys(KINDS, 0), "straight": 98, "block": 2}
    record = {"tkg": 1, "game": "umbra", "variant": {"altar": 2, "draw": 1, "tiles": tiles}}
    with pytest.raises(tkg.BadRecord) as refusal:
        tkg.from_record({**record, "chance": chance, "actions": []})
    assert refusal.value.action == 0
