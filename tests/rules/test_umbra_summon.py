"""Umbra Via: who is paid what when a path is summoned, worked by hand.

`path(SEVEN, [3, 2, 1])` is a path of seven tiles with that much energy of the seats 1, 2, 3, just summoned. Rewards of
seven tiles: 7, 4, 2, 1 with halves rounded up, 7, 3, 1, 0 rounded down; of five: 5, 3, 2, 1 and 5, 2, 1, 0.
"""

import pytest
from umbra_table import FIVE, LOOP, SEVEN, THREE, TWO, bags, board, energy, laid, path


def gained(game):
    return game.result["soul_gained"]


# --- Ranks and halves -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tiles", "held", "up", "down"),
    [
        (SEVEN, [4, 3, 2, 1], [7, 4, 2, 1], [7, 3, 1, 0]),
        (SEVEN, [2, 4, 1, 3], [2, 7, 1, 4], [1, 7, 0, 3]),
        (FIVE, [4, 3, 2, 1], [5, 3, 2, 1], [5, 2, 1, 0]),
        (LOOP, [4, 3, 2, 1], [4, 2, 1, 1], [4, 2, 1, 0]),
        (THREE, [2, 3, 1], [2, 3, 1], [1, 3, 0]),  # 3, half of it is 1.5, and half of that 1 or 0.5
        (TWO, [2, 1], [2, 1], [2, 1]),
        (SEVEN, [2, 0, 1, 0], [7, 0, 4, 0], [7, 0, 3, 0]),  # who has no energy there has no rank
        (SEVEN, [0, 1], [0, 7], [0, 7]),
        (FIVE, [0, 0, 0], [0, 0, 0], [0, 0, 0]),
    ],
)
def test_summoning_ranks_by_energy_and_halving_up_or_down(tiles, held, up, down):
    for halving, expected in (("up", up), ("down", down)):
        game = path(tiles, held, halving=halving)
        assert gained(game) == expected
        assert game.result["soul_left"] == [11 - n for n in expected]
        assert game.result["firsts"] == [int(n == max(held) > 0) for n in held]
        assert (game.result["summonings"], game.result["track_wins"]) == (1, [0] * len(held))


def test_summoning_the_energy_of_a_player_is_added_up_over_the_path():
    """E and H: 1 + 2 of seat 1; B: 2 of seat 2, and 1 of seat 3 on the tile C that is no part of the path."""
    game = laid("NS@E:ES NS@B:EE NS@F:ES | NS@H:EE NS:SS NS:SS")
    assert gained(game) == [3, 2, 0]


def test_summoning_energy_on_other_paths_does_not_count():
    """On the path of E and B are two energy flowers of seat 1 and one of seat 2, which has two more beside it on F."""
    game = laid("NS@E:EES NS@B:ESS | NS@D:SSS NS@F:EES | EW@H:SSS NS:SSS")
    assert gained(game) == [2, 1]
    assert energy(game) == {"F": [0, 2]}


def test_summoning_a_path_without_energy_nobody_is_ranked():
    game = path(SEVEN, [0, 0])
    assert (game.result["summonings"], game.result["longest_path"]) == (1, 7)
    assert (gained(game), game.result["firsts"]) == ([0, 0], [0, 0])
    assert board(game) == {}
    assert game.view()["discard"]["curve"] == 4  # F, C, D, G


def test_summoning_soul_flowers_go_from_the_soul_tile_into_the_bag_and_energy_goes_back():
    """Both bid three flowers on each of four tiles: seat 1 three energy and nine soul flowers, seat 2 two and ten.

    The last tile, of seat 2, is being placed, and its three soul flowers have left it.
    """
    game = path(SEVEN, [3, 2])
    assert [seat["soul_tile"] for seat in game.view()["seats"]] == [4, 7]
    assert game.result["soul_spent"] == [9, 10]
    assert bags(game) == [[32, 89 - 9 + 7], [32, 89 - 10 + 4]]
    assert energy(game) == {}


# --- rank_tie -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "before", "paid", "after", "moved"),
    [
        # Level at the top: seat 2 is ahead and goes to the end; seat 1, alone now, is second.
        ([2, 2, 1], "2 1 3", [4, 7, 2], [1, 3, 2], [0, 1, 0]),
        ([2, 2, 1], "3 1 2", [7, 4, 2], [3, 2, 1], [1, 0, 0]),
        # Level at the second rank.
        ([3, 2, 2], "1 3 2", [7, 2, 4], [1, 2, 3], [0, 0, 1]),
        # Three level: seat 3 is first and goes to the end, 1 2 3; then seat 1, 2 3 1; seat 2 is alone.
        ([2, 2, 2], "3 1 2", [4, 2, 7], [2, 3, 1], [1, 0, 1]),
        ([2, 2, 2], "1 2 3", [7, 4, 2], [3, 1, 2], [1, 1, 0]),
        # Three level below the first: seat 4, 3 2 1 4; seat 3, 2 1 4 3.
        ([2, 1, 1, 1], "4 3 2 1", [7, 1, 2, 4], [2, 1, 4, 3], [0, 0, 1, 1]),
        # Two pairs: seat 1 before 2, 2 3 4 1; seat 3 before 4, 2 4 1 3.
        ([2, 2, 1, 1], "1 2 3 4", [7, 4, 2, 1], [2, 4, 1, 3], [1, 0, 1, 0]),
        # Four level: 2 4 1 3, then 4 1 3 2, then 1 3 2 4, then 3 2 4 1, and seat 3 is left.
        ([1, 1, 1, 1], "2 4 1 3", [2, 7, 1, 4], [3, 2, 4, 1], [1, 1, 0, 1]),
        # Who has no energy is not level with anybody.
        ([0, 2, 0, 1], "4 3 2 1", [0, 7, 0, 4], [4, 3, 2, 1], [0, 0, 0, 0]),
    ],
)
def test_rank_tie_track_settles_ranks_one_by_one(held, before, paid, after, moved):
    game = path(SEVEN, held, track=before)
    assert gained(game) == paid
    assert (game.view()["track"], game.result["track_wins"]) == (after, moved)
    assert game.result["firsts"] == [int(n == 7) for n in paid]


@pytest.mark.parametrize(
    ("held", "up", "down"),
    [
        ([2, 2, 1], [7, 7, 2], [7, 7, 1]),  # the second rank is used up: 7, 4, 2 and 7, 3, 1
        ([3, 2, 2], [7, 4, 4], [7, 3, 3]),
        ([2, 2, 2], [7, 7, 7], [7, 7, 7]),
        ([2, 2, 2, 1], [7, 7, 7, 1], [7, 7, 7, 0]),  # the fourth rank: 7, 4, 2, 1 and 7, 3, 1, 0
        ([2, 1, 1, 1], [7, 4, 4, 4], [7, 3, 3, 3]),
        ([3, 2, 2, 1], [7, 4, 4, 1], [7, 3, 3, 0]),
        ([2, 1, 2, 1], [7, 2, 7, 2], [7, 1, 7, 1]),
        ([1, 1, 1, 1], [7, 7, 7, 7], [7, 7, 7, 7]),
        ([0, 2, 0, 2], [0, 7, 0, 7], [0, 7, 0, 7]),
    ],
)
def test_rank_tie_share_pays_the_best_rank_and_uses_up_those_below(held, up, down):
    for halving, expected in (("up", up), ("down", down)):
        game = path(SEVEN, held, rank_tie="share", halving=halving)
        assert gained(game) == expected
        assert game.result["firsts"] == [int(n == max(held)) for n in held]
        assert (game.view()["track"], game.result["track_wins"]) == ([1, 2, 3, 4][: len(held)], [0] * len(held))


# --- half_of, and soul tiles that run out ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        # Three flowers on each soul tile, seven due to the first. `due`: 7, 4, 2. `paid`: 3, and half of it, and half.
        ({}, [3, 3, 2]),
        ({"half_of": "due", "halving": "down"}, [3, 3, 1]),
        ({"half_of": "paid"}, [3, 2, 1]),
        ({"half_of": "paid", "halving": "down"}, [3, 1, 0]),
    ],
)
def test_half_of_what_is_due_or_what_the_soul_tile_could_pay(settings, expected):
    game = path(SEVEN, [3, 2, 1], soul_on_tile=3, claim_length=9, **settings)
    assert gained(game) == expected
    assert game.result["soul_left"] == [3 - n for n in expected]
    assert not game.over


@pytest.mark.parametrize(("half_of", "expected"), [("due", [4, 4, 2, 1]), ("paid", [4, 2, 1, 1])])
def test_half_of_over_four_ranks(half_of, expected):
    """Four flowers on each soul tile: 7, 4, 2, 1 are due; or half of the four that could be paid, and on."""
    assert gained(path(SEVEN, [4, 3, 2, 1], soul_on_tile=4, claim_length=9, half_of=half_of)) == expected


@pytest.mark.parametrize(
    ("on_tile", "held", "settings", "expected"),
    [
        # Nothing is left on the soul tile of seat 1, so nothing is half of what it could pay.
        (3, [3, 2, 1], {}, [3 + 0, 3, 2]),
        (3, [3, 2, 1], {"half_of": "paid"}, [3 + 0, 0, 0]),
        # Seat 1 is second: due 4, and its soul tile can pay 2.
        (5, [2, 3, 1], {}, [3 + 2, 5, 2]),
        (5, [2, 3, 1], {"half_of": "paid"}, [3 + 2, 5, 1]),  # half of 5 is 3, of which 2 are there; half of 2
        # Level at the top, 2 and 5 are paid: the larger one counts, halved for the rank used up, and once more.
        (5, [2, 2, 1], {"rank_tie": "share"}, [3 + 2, 5, 2]),  # 7, 4, 2 as ever
        (5, [2, 2, 1], {"rank_tie": "share", "half_of": "paid"}, [3 + 2, 5, 2]),  # 5, 3, 2
        (5, [2, 2, 1], {"rank_tie": "share", "half_of": "paid", "halving": "down"}, [3 + 2, 5, 1]),  # 5, 2, 1
        (6, [2, 2, 1], {"rank_tie": "share", "half_of": "paid"}, [3 + 3, 6, 2]),  # 6, 3, 2
        (9, [2, 2, 1], {"rank_tie": "share", "half_of": "paid", "halving": "down"}, [3 + 6, 7, 1]),  # 7, 3, 1
        # Level at the second rank: the first is paid 5, half of it is 3, of which seat 1 can be paid 2.
        (5, [2, 2, 3], {"rank_tie": "share", "half_of": "paid"}, [3 + 2, 3, 5]),
    ],
)
def test_half_of_with_unequal_soul_tiles(on_tile, held, settings, expected):
    """Seat 1 has taken three flowers for a first path, of E, B and H; then the path of seven tiles is summoned."""
    one, two, three = ("E" * n + "S" * (3 - n) for n in held)
    game = laid(
        f"NS@E:ESS NS@B:SSS NS@H:SSS | EW@E:{one} NW@F:{two} SW@C:{three} | EW@B:SSS EW@A:SSS ES@D:SSS"
        " | NW@G:SSS NS:SSS NS:SSS",
        **{"soul_on_tile": on_tile, "claim_length": 9, **settings},
    )
    assert (game.result["summonings"], game.result["longest_path"]) == (2, 7)
    assert gained(game) == expected
    assert game.result["soul_left"] == [on_tile - n for n in expected]


def test_share_of_level_players_the_largest_amount_paid_counts_whoever_comes_first():
    """As above with the seats 1 and 3 exchanged: of seven due, seat 3 is paid 2 and seat 1 is paid 5."""
    game = laid(
        "NS@E:SS NS@B:SS NS@H:ES | EW@E:EE NW@F:ES SW@C:EE | EW@B:SS EW@A:SS ES@D:SS | NW@G:SS NS:SS NS:SS",
        soul_on_tile=5,
        claim_length=9,
        rank_tie="share",
        half_of="paid",
    )
    assert gained(game) == [5, 2, 3 + 2]


# --- reward ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "settings", "expected"),
    [
        ([3, 2, 1], {}, [3, 2, 1]),  # 3, 1.5, 1
        ([3, 2, 1], {"halving": "down"}, [3, 1, 0]),
        ([4, 3, 2], {}, [4, 2, 1]),
        ([1, 6], {}, [3, 6]),
        ([1, 0], {}, [1, 0]),
        ([2, 2, 1], {"rank_tie": "share"}, [2, 2, 1]),  # 2, 1, 1
        ([2, 2, 1], {"rank_tie": "share", "halving": "down"}, [2, 2, 0]),  # 2, 1, 0
        ([2, 2, 1], {}, [2, 1, 1]),
        ([3, 3, 1], {"soul_on_tile": 2, "half_of": "paid", "claim_length": 9}, [2, 1, 1]),
        ([0, 0], {}, [0, 0]),
    ],
)
def test_reward_energy_one_soul_flower_for_every_energy_flower_of_the_first(held, settings, expected):
    """The path has seven tiles, which do not matter."""
    game = path(SEVEN, held, reward="energy", **settings)
    assert gained(game) == expected


@pytest.mark.parametrize(("reward", "expected"), [("tiles", [2, 3]), ("energy", [3, 5])])
def test_reward_energy_of_the_whole_path(reward, expected):
    """Seat 1: 4 on E. Seat 2: 3 + 2 on B and on the tile that it lays on H."""
    game = laid("NS@E:EEEE NS@D:SSSS | NS@A:SSSS NS@B:EEES | ES@G:SSSS NS@H:EESS", reward=reward)
    assert gained(game) == expected


# --- One summoning after another ------------------------------------------------------------------------------


def test_summoning_soul_flowers_paid_for_one_path_are_gone_for_the_next():
    """The straight on H completes G, H, I for three, then B, E for two: four flowers on the tile are paid 3 and 1."""
    tiles = "NS@E:E NS@B:S | EW@G:E EW@I:S | EW@H:S NS:S"
    game = laid(tiles, placing="anywhere", soul_on_tile=4)
    assert (gained(game), game.result["soul_left"]) == ([4, 0], [0, 4])
    assert not game.over


def test_summoning_the_track_is_used_path_by_path():
    """Seats 1 and 2 are level on both paths: seat 1 is first on G, H, I, and at the end of the track for B, E."""
    tiles = "NS@E:E NS@B:E | EW@G:E EW@I:E | EW@H:S NS:S"
    game = laid(tiles, placing="anywhere")
    # Seat 1: 3, then half of 2. Seat 2: half of 3, then 2.
    assert gained(game) == [3 + 1, 2 + 2]
    assert (game.result["firsts"], game.result["track_wins"], game.view()["track"]) == ([1, 1], [1, 1], [1, 2])
