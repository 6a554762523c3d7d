"""Umbra Via: claiming the soul tile, the other endings, winners and the result, worked by hand."""

import pytest
from playing import amount, drift
from umbra_table import LOOP, SEVEN, TWO, bags, board, count_all, deal, laid, path, play

import tkg

# E, B and H are a path of three that seat 1 is first on, then E and B one of two, closed by the blank side of H.
TWICE = "NS@E:E NS@B:S | NS@H:S NS@E:S | NS@B:E EW@H:S"

# Round 3 completes G, H, I, where seat 1 is first, and B, E, where seat 2 is.
BOTH = "NS@E:S NS@B:E | EW@G:E EW@I:S | EW@H:S NS:S"


def ended(game):
    """Whether the game is over, by whom it is won, and what is left on the soul tiles."""
    return game.over, game.result["winners"] if game.over else [], game.result["soul_left"]


# --- claim: exact ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tiles", "on_tile", "worth", "claims"),
    [
        (SEVEN, 5, 2, True),  # 7 due, 5 are paid, and 2 are left
        (SEVEN, 6, 2, False),  # 1 is left, though the tile is empty
        (SEVEN, 6, 1, True),
        (SEVEN, 7, 1, False),
        (SEVEN, 3, 4, True),  # more than the worth is no hindrance
        (SEVEN, 1, 2, True),
        (SEVEN, 1, 7, False),
        (LOOP, 2, 2, True),
        (LOOP, 3, 2, False),
        (TWO, 1, 1, True),
        (TWO, 1, 2, False),
    ],
)
def test_claim_exact_what_is_left_of_the_reward_must_be_the_worth_of_the_tile(tiles, on_tile, worth, claims):
    game = path(tiles, [1, 0], soul_on_tile=on_tile, tile_worth=worth)
    assert ended(game) == (claims, [1] if claims else [], [0, on_tile])


@pytest.mark.parametrize(("last", "claims"), [(0, False), (1, True)])
def test_claim_exact_takes_the_thirteen_of_the_text(last, claims):
    """Eleven flowers and a tile that is worth two, by a reward for energy: 6 + 6 and one more on a path of five."""
    flowers = "E" * last + "S" * (6 - last)
    tiles = f"EW@E:EEEEEE NW@F:SSSSSS | NS@C:EEEEEE ES@D:SSSSSS | NW@G:{flowers} NS:SSSSSS"
    game = laid(tiles, reward="energy")
    assert ended(game) == (claims, [1] if claims else [], [0, 11])
    assert game.result["soul_gained"] == [11, 0]  # flowers, without the tile


@pytest.mark.parametrize(("worth", "claims"), [(1, True), (2, True), (3, False)])
def test_claim_exact_with_an_empty_tile_the_whole_reward_is_left(worth, claims):
    """Three flowers are paid for three tiles, and none is left. Then two are due."""
    game = laid(TWICE, soul_on_tile=3, tile_worth=worth)
    assert ended(game) == (claims, [1] if claims else [], [0, 3])
    assert game.result["soul_gained"] == [3, 0]


def test_claim_exact_by_energy_needs_a_reward_and_not_tiles():
    """Three energy flowers on a path of seven: 3 due, 2 paid, 1 left. With four, 2 are left."""
    assert ended(path(SEVEN, [3, 0], soul_on_tile=2, reward="energy")) == (False, [], [0, 2])
    assert ended(path(SEVEN, [4, 0], soul_on_tile=2, reward="energy")) == (True, [1], [0, 2])


# --- claim: any, empty ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("on_tile", "claims"), [(1, True), (6, True), (7, True), (8, False), (11, False)])
def test_claim_any_the_tile_must_be_empty_once_the_reward_is_paid(on_tile, claims):
    game = path(SEVEN, [1, 0], soul_on_tile=on_tile, claim="any", tile_worth=9)
    assert ended(game) == (claims, [1] if claims else [], [max(0, on_tile - 7), on_tile])


@pytest.mark.parametrize("on_tile", [1, 5, 7, 8])
def test_claim_empty_the_tile_must_have_been_empty_before(on_tile):
    game = path(SEVEN, [1, 0], soul_on_tile=on_tile, claim="empty", tile_worth=1)
    assert ended(game) == (False, [], [max(0, on_tile - 7), on_tile])


@pytest.mark.parametrize(
    ("claim", "on_tile", "claimed_by", "left"),
    [
        ("exact", 1, 1, 0),  # 3 - 1 = 2
        ("exact", 2, 2, 0),  # 3 - 2 = 1, and the tile is empty; then both flowers of the second reward are left
        ("exact", 3, 2, 0),
        ("exact", 4, None, 0),  # 2 - 1 = 1
        ("exact", 5, None, 0),
        ("any", 1, 1, 0),
        ("any", 3, 1, 0),
        ("any", 4, 2, 0),  # one is left, and paid for the second path
        ("any", 5, 2, 0),
        ("any", 6, None, 1),
        ("empty", 1, 2, 0),
        ("empty", 3, 2, 0),
        ("empty", 4, None, 0),
    ],
)
def test_claim_readings_over_a_path_of_three_and_one_of_two(claim, on_tile, claimed_by, left):
    game = laid(TWICE, soul_on_tile=on_tile, claim=claim)
    assert ended(game) == (claimed_by is not None, [1] if claimed_by else [], [left, on_tile])
    assert game.result["summonings"] == (claimed_by or 2)


@pytest.mark.parametrize("claim", ["exact", "any", "empty"])
def test_claim_any_reading_with_a_tile_that_an_earlier_path_has_emptied(claim):
    """E and B are too short to claim, and their two empty the tile. G, H, I are three, and three are left."""
    tiles = "NS@E:E NS@B:S | EW@H:S EW@G:S | EW@I:E NS:S"
    game = laid(tiles, soul_on_tile=2, tile_worth=2, claim_length=3, claim=claim)
    assert ended(game) == (True, [1], [0, 2])
    assert (game.result["summonings"], game.result["soul_gained"]) == (2, [2, 0])


# --- claim: length, and who may ---------------------------------------------------------------------------------


@pytest.mark.parametrize("claim", ["exact", "any"])
@pytest.mark.parametrize(
    ("tiles", "length", "claims"),
    [(LOOP, 4, True), (LOOP, 5, False), (LOOP, 9, False), (TWO, 2, True), (TWO, 3, False), (SEVEN, 7, True)],
)
def test_claim_length_tiles_that_the_path_needs(claim, tiles, length, claims):
    """One flower on the soul tile is paid, and the tile is worth one, so nothing but the length can fail."""
    game = path(tiles, [1, 0], soul_on_tile=1, tile_worth=1, claim=claim, claim_length=length)
    assert ended(game) == (claims, [1] if claims else [], [0, 1])


@pytest.mark.parametrize(("length", "claims"), [(1, True), (2, False)])
@pytest.mark.parametrize("claim", ["exact", "any"])
def test_claim_length_of_a_path_of_one(claim, length, claims):
    """The straight between the blank side of E and the edge bears three energy flowers, which are the reward."""
    game = laid("NS@E:SSS EW@F:EEE", reward="energy", soul_on_tile=2, tile_worth=1, claim=claim, claim_length=length)
    assert ended(game) == (claims, [2] if claims else [], [2, 0])


@pytest.mark.parametrize(("length", "claims"), [(2, True), (3, False)])
def test_claim_length_with_claim_empty(length, claims):
    game = laid(TWICE, soul_on_tile=3, claim="empty", claim_length=length)
    assert game.over is claims


@pytest.mark.parametrize("settings", [{"claim": "any"}, {"claim": "exact", "tile_worth": 1}])
def test_claim_needs_the_first_rank(settings):
    """Seats 2 and 3 are due 4 and 2: their soul tiles are emptied as well, and they claim nothing."""
    game = path(SEVEN, [3, 2, 1], soul_on_tile=1, **settings)
    assert ended(game) == (True, [1], [0, 0, 0])


def test_claim_a_later_rank_with_an_empty_tile_does_not_claim():
    """Seat 1 has emptied its tile by the first path; by the second it is second, behind a seat that has not."""
    game = laid("NS@E:ES NS@B:SS | NS@H:SS NS@E:EE | NS@B:ES EW@H:SS", soul_on_tile=3, claim="empty")
    assert ended(game) == (False, [], [0, 1])


@pytest.mark.parametrize(("rank_tie", "winners", "left"), [("track", [2], [0, 0]), ("share", [1, 2], [0, 0])])
def test_claim_of_level_players_the_first_rank_alone_or_all(rank_tie, winners, left):
    """By the track seat 2 is first, and seat 1 is paid the second reward, 4 of 7, which empties its tile too."""
    game = path(SEVEN, [1, 1], track="2 1", soul_on_tile=1, rank_tie=rank_tie)
    assert ended(game) == (True, winners, left)
    assert game.outcome.payoffs == ((0.0, 1.0) if rank_tie == "track" else (0.5, 0.5))


def test_claim_is_no_decision():
    game = path(LOOP, [1, 0], soul_on_tile=2)
    assert (game.over, game.legal, game.kind, game.seat) == (True, [], None, None)
    assert game.actions[-1] == "place I"


# --- Claims by one placement ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "winners", "left"),
    [
        ({"soul_on_tile": 2, "claim": "any"}, [1, 2], [0, 0]),
        ({"soul_on_tile": 1, "claim": "any"}, [1, 2], [0, 0]),
        ({"soul_on_tile": 1, "tile_worth": 1}, [1, 2], [0, 0]),  # 3 - 1 and 2 - 1
        ({"soul_on_tile": 2, "tile_worth": 1}, [1], [0, 0]),  # 3 - 2, but 2 - 2; seat 2 is paid all the same
        ({"soul_on_tile": 3, "claim": "any"}, [1], [0, 1]),
        ({"soul_on_tile": 4, "claim": "any"}, [], [1, 2]),
        ({"soul_on_tile": 1, "tile_worth": 1, "claim_length": 3}, [1], [0, 0]),
    ],
)
def test_end_players_who_claim_by_the_same_placement_share_the_victory(settings, winners, left):
    """Seat 1 is first on G, H, I, three tiles; seat 2 on B, E, two tiles."""
    game = laid(BOTH, placing="anywhere", **settings)
    assert ended(game) == (bool(winners), winners, left)
    assert game.result["summonings"] == 2
    if winners:
        assert (game.outcome.ending, game.outcome.winners) == ("claimed", tuple(winners))
        assert game.outcome.scores == tuple(settings["soul_on_tile"] - n for n in left)
        assert game.outcome.payoffs == tuple((s in winners) / len(winners) for s in (1, 2))


def test_end_a_claim_by_the_second_of_two_paths():
    """Seat 2 is first on B, E: its one flower is paid and one is left. Nobody has energy on G, H, I."""
    game = laid(BOTH.replace("EW@G:E", "EW@G:S"), placing="anywhere", soul_on_tile=1, tile_worth=1)
    assert ended(game) == (True, [2], [1, 0])


def test_end_the_rest_of_the_altar_stays_unplaced():
    """The first tile of the round completes the path. The other bears an energy and a soul flower of seat 2."""
    game = laid("NS@E:EE NS@B:SS | NS@H:SS NS:ES", soul_on_tile=1)
    assert game.over
    assert game.view()["altar"] == {
        "I": {"tile": None, "flowers": [[0, 0], [0, 0]], "due": False},
        "II": {"tile": "NS", "flowers": [[0, 0], [1, 1]], "due": False},
    }
    assert game.result["tiles_won"] == [2, 1]
    assert game.result["soul_spent"] == [2, 2]  # the soul flower on II is not out of the game
    assert bags(game) == [[32, 99 - 2 + 1], [31, 99 - 3]]
    with pytest.raises(tkg.Illegal, match="the game is over"):
        game.play("place E")


# --- Stuck and unfinished ---------------------------------------------------------------------------------------


def test_stuck_the_round_in_which_nothing_can_be_laid_out_counts():
    game = deal("1 2", "straight*2", "NS NS | E E", "-", side=3)
    play(game, "bid I:E, bid II:E, place E, place B")
    assert (game.result["ending"], game.result["rounds"], game.result["winners"]) == ("stuck", 2, [1, 2])
    assert "no tile could be laid out" in game.outcome.reason


def test_stuck_all_tiles_lie_on_the_board():
    """Nine points fill the board of side 3; the last round has one place."""
    game = deal("1 2", "point*9", *["point point | S S"] * 4, "point | S S", "-", side=3, soul=100)
    for cells in ("EB", "AC", "DF", "GH"):
        play(game, f"bid I:S, bid II:S, place {cells[0]}, scatter stay, place {cells[1]}, scatter stay")
    play(game, "bid I:S, bid I:S, place I, scatter stay")
    assert (game.result["ending"], game.result["rounds"], game.result["tiles_won"]) == ("stuck", 6, [5, 4])


@pytest.mark.parametrize(("tiles", "rounds"), [("NS@F:S NS@G:S", 1), ("NS@F:S NS@G:S | NS@J:E NS@K:E", 2)])
def test_max_rounds_the_game_is_unfinished_after_the_last_placement(tiles, rounds):
    """Nothing is summoned, so the soul tiles are as they were and both win."""
    game = laid(tiles, side=4, max_rounds=rounds)
    assert (game.over, game.result["ending"], game.result["rounds"]) == (True, "unfinished", rounds)
    assert game.result["winners"] == [1, 2]
    assert f"stopped after {rounds} rounds" in game.outcome.reason


def test_max_rounds_the_last_round_is_played_to_its_end():
    game = laid("NS@F:S NS:S", side=4, max_rounds=1)
    assert (game.over, game.kind) == (False, "place")


def test_max_rounds_comes_before_a_round_that_would_be_stuck():
    game = deal("1 2", "straight*2", "NS NS | E E", side=3, max_rounds=1)
    play(game, "bid I:E, bid II:E, place E, place B")
    assert (game.result["ending"], game.result["rounds"]) == ("unfinished", 1)


def test_max_rounds_also_when_the_last_tile_has_no_bid():
    """Nobody has a flower: the tiles of the one round are discarded and the game stops."""
    game = deal("1 2", "straight*2", "NS NS | - -", energy=1, soul=1, soul_on_tile=1, max_rounds=1)
    play(game, "bid -, bid -")
    assert (game.result["ending"], game.result["rounds"]) == ("unfinished", 1)


def test_max_rounds_a_claim_by_the_last_placement_is_a_claim():
    """Four seats lay the four curves of a loop in one round; four are due, two are paid and two are left."""
    settings = {"soul_on_tile": 2, "max_rounds": 1}
    game = path(LOOP, [1, 0, 0, 0], **settings)
    assert (game.result["ending"], game.result["rounds"], game.result["winners"]) == ("claimed", 1, [1])


@pytest.mark.parametrize(
    ("held", "left", "winners"),
    [
        ([2, 1, 0, 0], [7, 9, 11, 11], [1]),  # rewards 4 and 2
        ([1, 2, 0, 0], [9, 7, 11, 11], [2]),
        ([0, 0, 0, 0], [11, 11, 11, 11], [1, 2, 3, 4]),
        ([4, 3, 2, 1], [7, 9, 10, 10], [1]),
    ],
)
def test_end_without_a_claim_fewest_flowers_on_the_soul_tile_win(held, left, winners):
    game = path(LOOP, held, max_rounds=1)
    assert ended(game) == (True, winners, left)
    assert game.outcome.winners == tuple(winners)
    assert game.outcome.payoffs == tuple((s in winners) / len(winners) for s in range(1, 5))


def test_end_without_a_claim_level_players_share():
    game = path(LOOP, [0, 2, 0, 2], max_rounds=1, rank_tie="share")
    assert ended(game) == (True, [2, 4], [11, 7, 11, 7])


# --- The result -------------------------------------------------------------------------------------------------


def test_result_of_a_complete_game_that_gets_stuck():
    """Three straights in all: a path of three in round 2; then all three lie on the board, open, and none is left."""
    game = deal(
        *("1 2", "straight*3", "NS NS | E S", "NS | E S", "straight*3 > NS NS | S E", "NS | E E", "-"),
        side=3,
        altar=2,
    )
    # Round 1. Seat 1 lays E with an energy flower; seat 2 lays B, and its soul flower is out.
    play(game, "bid I:E, bid II:S, place E, place B")
    # Round 2. One tile is left: a soul flower beats an energy flower. E, B, H hold two energy flowers of seat 1, which
    # is paid three flowers: 8 are left on its soul tile.
    play(game, "bid I:E, bid I:S")
    assert game.seat == 2
    play(game, "place H")
    # Round 3. The three are shuffled. Seat 1 lays E, its soul flower is out; seat 2 lays B with an energy flower.
    play(game, "bid I:S, bid II:E, place E, place B")
    # Round 4. Level: seat 1 wins by the track and lays D, which is open to A and G; two energy flowers lie there.
    play(game, "bid I:E, bid I:E")
    assert game.seat == 1
    play(game, "place D")
    # Round 5. Nothing can be laid out.
    assert game.result == {
        "winners": [1],
        "ending": "stuck",
        "rounds": 5,
        "soul_left": [8, 11],
        "soul_gained": [3, 0],
        "soul_spent": [1, 2],
        "tiles_won": [3, 3],
        "firsts": [1, 0],
        "track_wins": [1, 0],
        "summonings": 1,
        "longest_path": 3,
    }
    assert board(game) == {"B": "NS", "D": "NS", "E": "NS"}
    assert bags(game) == [[32 - 1, 6 - 1 + 3], [32 - 2, 6 - 2]]
    assert tkg.from_record(tkg.to_record(game), finished=True).result == game.result


def test_result_of_a_complete_game_that_is_claimed():
    """Three seats with two flowers on a soul tile that is worth one; by a path of three two of them claim."""
    game = deal(
        *("2 3 1", "straight*3 void straight*2 curve*3"),
        *("NS EW NS | EE ES EE", "void NS EW | SS EE ES", "SW NW ES | SS ES EE"),
        side=3,
        soul_on_tile=2,
        tile_worth=1,
        halving="down",
        rank_tie="share",
    )
    # Round 1. On I four flowers, of seats 1 and 3; on II two, of seat 2; none on III.
    play(game, "bid I:EE, bid II:ES, bid I:EE")
    # II comes first and goes to E with an energy flower of seat 2. I is level: seat 3 is ahead of seat 1 and goes to
    # the end of the track. D is open to A and G; E, which it closes to the west, is open to F.
    play(game, "place E")
    assert (game.seat, game.view()["track"]) == (3, [2, 1, 3])
    play(game, "place D")
    # Round 2. Seat 1 wins the void with soul flowers, so that nothing waits on F. II on F closes E, a path of one with
    # the energy of seat 2, which is paid one flower. III on E is between D and F: the same for seat 3.
    play(game, "bid I:SS, bid II:EE, bid III:ES, void F, place F")
    assert game.result["soul_left"] == [2, 1, 2]
    play(game, "place E")
    assert game.result["soul_left"] == [2, 1, 1]
    # Round 3. I on A, of seat 1 with soul flowers, and II on G, of seat 2 with an energy flower, make a path of three
    # with D, where two energy flowers each of seats 1 and 3 are. Seats 1 and 3 are due three: two are paid and one is
    # left, one is paid and two are left, so both claim. Seat 2 is third: 3, 1, 0 with halves rounded down.
    play(game, "bid I:SS, bid II:ES, bid III:EE, place A, place G")
    assert game.result == {
        "winners": [1, 3],
        "ending": "claimed",
        "rounds": 3,
        "soul_left": [0, 1, 0],
        "soul_gained": [2, 1, 2],
        "soul_spent": [4, 2, 1],
        "tiles_won": [2, 3, 2],
        "firsts": [1, 1, 2],
        "track_wins": [0, 0, 1],
        "summonings": 3,
        "longest_path": 3,
    }
    assert board(game) == {"F": "NS"}
    # Two energy flowers of seat 2 lie on F, two of seat 3 on III. In the bags were 32 and 15 flowers.
    assert bags(game) == [[32, 15 - 4 + 2], [30, 15 - 2 + 1], [30, 15 - 1 + 2]]
    assert tkg.from_record(tkg.to_record(game), finished=True).result == game.result


def test_result_tiles_won_counts_voids():
    game = laid("void@A:E NS@F:E | void@A:S void@B:S", side=4, max_rounds=2)
    assert game.result["tiles_won"] == [2, 2]


def test_result_longest_path_is_of_summoned_ones():
    """A path of three is open to F at the end; the summoned one had two tiles."""
    game = laid("NS@E:S NS@B:S | EW@H:S EW@G:S | NW@I:S NS:S")
    assert (board(game), game.result["longest_path"]) == ({"G": "EW", "H": "EW", "I": "NW"}, 2)


# --- Always true --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"players": 4, "specials": True},
        {"players": 3, "side": 3, "altar": 2, "draw": 1, "specials": True, "scatter": "split", "energy": 6},
        {"energy": 4, "soul": 3, "soul_on_tile": 2, "side": 3, "biddings": 3, "rank_tie": "share", "reward": "energy"},
    ],
)
def test_always_true_no_flower_and_no_tile_is_lost_or_made(settings):
    for seed in range(amount(15)):
        game = tkg.new(tkg.umbra(max_rounds=12, **settings), seed)
        while not game.over:
            count_all(game)
            game.play(drift(game, seed))
        count_all(game)
