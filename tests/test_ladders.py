"""The ladder: pairs and ratings worked out by hand, the same tables however it is played, words that the numbers bear out."""

import math

import numpy as np
import polars as pl
import pytest

import tkg
from tkg.bots.table import bot_names
from tkg.ladders import (
    RUNGS,
    beaten,
    even_shares,
    games_of,
    pair_table,
    rating_table,
    rating_words,
    shown,
    standing_table,
    step_table,
    verdict_of,
)
from tkg.metrics.words import duration

TABLES = ("standings", "pairs", "steps")


def lone(*deals):
    """Two bots: what the first wins alone among the second's, and the other way round, by deal."""
    return np.array([[[0.5, a], [b, 0.5]] for a, b in deals])


def test_the_pairs_of_two_players_by_hand():
    """Four deals of two games, of which a wins 2, 1, 1 and 2: 6 of 8 games."""
    table = pair_table(["a", "b"], lone((1, 0), (0.5, 0.5), (0.5, 0.5), (1, 0)), 2)
    first, second = table.iter_rows(named=True)
    assert (first["bot"], first["opponent"], first["deals"], first["games"]) == ("a", "b", 4, 8)
    assert (first["share"], first["alone"], first["level"]) == (0.75, 0.75, 0.5)
    assert first["share"] + second["share"] == 1
    assert first["low"] == pytest.approx(1 - second["high"])
    assert first["low"] < 0.75 < first["high"]


def test_a_lone_player_among_two_by_hand():
    """A deal of three players: lone a wins in 2 of 3 seats, lone b in 1. So a holds 2 + 2 of 6 victories, having sat in half
    of the seats. It has beaten b twice at each of its lone wins, and once wherever lone b lost: 6 to 3, where level players
    would have 4 each."""
    alone = lone((2 / 3, 1 / 3))
    assert even_shares(alone)[0, 0, 1] == pytest.approx(4 / 6)
    assert beaten(alone, 3)[0, 0, 1] == pytest.approx(6 / 8)
    assert beaten(alone, 3)[0, 1, 0] == pytest.approx(3 / 8)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ratings_hold_for_any_number_of_seats(seats):
    """Where a bot is four times as strong as another by Luce's axiom, it has beaten it four times as often."""
    wins = beaten(lone((4 / (4 + seats - 1), 1 / (1 + 4 * (seats - 1)))), seats)
    assert wins[0, 0, 1] / wins[0, 1, 0] == pytest.approx(4)
    assert beaten(lone((1 / seats, 1 / seats)), seats)[0, 0, 1] == pytest.approx(0.5)


def test_the_rating_of_two_bots_is_the_log_of_their_odds():
    """7.5 of 10 deals, with half a deal more for either side: 400 * log10(8 / 3) = 170.4 points."""
    deals = lone(*[(1, 0)] * 6, *[(0.5, 0.5)] * 3, (0, 1))
    found = rating_table(["a", "b"], beaten(deals, 2), "b", 1)
    assert found["rating"].to_list() == pytest.approx([400 * math.log10(8 / 3), 0])
    first = found.row(0, named=True)
    assert first["rating_low"] < first["rating"] < first["rating_high"]
    assert found.row(1)[1:] == (0, 0, 0)
    assert rating_words(first).startswith("+170 (")


def test_deals_won_whole_give_jeffreys_interval():
    """8 of 10: the quantiles of Beta(8.5, 2.5) are 0.4982 and 0.9560, so -1 and +535 points, give or take the resampling."""
    found = rating_table(["a", "b"], beaten(lone(*[(1, 0)] * 8, *[(0, 1)] * 2), 2), "b", 1).row(0, named=True)
    assert found["rating_low"] == pytest.approx(-1, abs=40)
    assert found["rating_high"] == pytest.approx(535, abs=120)


def test_a_bot_that_never_won_has_a_rating_bounded_above_only():
    """a never beats b or c, who beat each other: nothing bounds it from below. c, who only ever lost to b, is bounded."""
    alone = np.full((10, 3, 3), 0.5)
    alone[:, 0, 1:], alone[:, 1:, 0] = 0, 1
    found = rating_table(["a", "b", "c"], beaten(alone, 2), "b", 1)
    assert found["rating_low"].is_null().to_list() == [True, False, False]
    assert found["rating_high"].is_null().to_list() == [False, False, False]
    assert rating_words(found.row(0, named=True)).startswith("below \u2212")
    from_below = rating_table(["a", "b", "c"], beaten(alone, 2), "a", 1)
    assert from_below["rating_high"].is_null().to_list() == [False, True, True]
    assert rating_words(from_below.row(1, named=True)).startswith("above +")


def test_standings_are_means_over_the_field():
    """b beats a in all of 10 deals and c in half: 3/4 of the victories over all others."""
    alone = np.full((10, 3, 3), 0.5)
    alone[:, 0, 1], alone[:, 1, 0] = 0, 1
    found = standing_table(["a", "b", "c"], alone, 2, "a", 1)
    assert dict(found.select("bot", "share").iter_rows()) == {"a": 0.25, "b": 0.75, "c": 0.5}
    assert found["bot"].to_list() == ["b", "c", "a"]
    assert found["games"].to_list() == [40] * 3


@pytest.mark.parametrize(
    ("variant", "bots"),
    [
        (tkg.rift(), "random,hoarder,greedy"),
        (tkg.cosmic(), "random,uct:4,greedy,mcts:4"),
        (tkg.umbra(players=3), "random,random-spread,greedy"),
    ],
    ids=["solo", "two", "three"],
)
def test_the_same_tables_on_any_number_of_workers(variant, bots):
    one, two = (tkg.ladder(variant, bots, deals=10, seed=2, workers=w) for w in (1, 2))
    for name in TABLES:
        assert getattr(one, name).equals(getattr(two, name)), name
    rows = {(r["bot"], r["opponent"]): r for r in one.pairs.iter_rows(named=True)}
    assert all(r["share"] + rows[b, a]["share"] == pytest.approx(1) for (a, b), r in rows.items())
    assert one.standings["share"].mean() == pytest.approx(0.5)
    seats = max(1, variant.seats)
    lines = str(one).splitlines()
    assert lines[0].startswith(f"{variant}, 10 deals")
    assert one.verdict in lines
    assert repr(one) == str(one)
    assert one.costs["bot"].to_list() == list(one.bots)
    assert (one.costs["cpu_ms"] > 0).all()
    assert games_of(variant, len(one.bots), 10) == one.standings["games"].sum() / (1 if seats == 1 else 2)


def test_shares_are_those_of_the_games():
    """Every deal is played once with each bot in each seat, on the deals of a run of that seed."""
    found = tkg.ladder(tkg.umbra(players=3), "random,greedy", deals=6, seed=4)
    runs = []
    for alone, others in (("greedy", "random"), ("random", "greedy")):
        for seat in range(3):
            names = [others] * 3
            names[seat] = alone
            runs.append(tkg.simulate(tkg.umbra(players=3), names, 6, seed=4, fixed_seats=True).cast({"bot": pl.String}))
    among = [r.filter(pl.col("bot") == "greedy")["win"].sum() for r in runs]
    row = found.pairs.filter(pl.col("bot") == "greedy").row(0, named=True)
    assert row["games"] == 36
    assert row["alone"] == pytest.approx(sum(among[:3]) / 18)
    assert row["share"] == pytest.approx(sum(among) / 36)


def test_bots_of_a_game_for_one_meet_on_its_deals():
    found = tkg.ladder(tkg.rift(), "random,hoarder,greedy", deals=30, seed=4)
    runs = tkg.simulate(tkg.rift(), "random,hoarder,greedy", 30, seed=4).cast({"bot": pl.String})
    won = {bot: runs.filter(pl.col("bot") == bot)["win"].cast(pl.Float64) for bot in ("hoarder", "greedy", "random")}
    for bot, opponent in (("greedy", "random"), ("hoarder", "random")):
        row = found.pairs.filter((pl.col("bot") == bot) & (pl.col("opponent") == opponent)).row(0, named=True)
        assert row["share"] == pytest.approx((1 + won[bot] - won[opponent]).mean() / 2)
    assert won["hoarder"].sum() == won["random"].sum() == 0  # and points, of which one has more, do not count
    wins = runs.filter(pl.col("bot") == "greedy")["win"].mean()
    greedy = found.standings.filter(pl.col("bot") == "greedy").row(0, named=True)
    assert greedy["win"] == pytest.approx(wins)
    assert greedy["win_low"] < wins < greedy["win_high"]


def test_bots_that_win_nearly_every_deal_are_said_to_be_alike():
    found = tkg.ladder(tkg.rift(supply=21), "greedy,greedy-no-replace,hoarder", deals=40, seed=4)
    wins = dict(found.standings.select("bot", "win").iter_rows())
    easy = [bot for bot, share in wins.items() if share >= 0.9]
    assert any("win nearly every deal" in note for note in found.notes) == (len(easy) > 1)
    two = tkg.ladder(tkg.rift(full_boundary=False), "hoarder,random", deals=40, seed=4)
    assert not any("nearly every deal" in note for note in two.notes)


# --- Words --------------------------------------------------------------------------------------------------------


def steps(*rows):
    names = ["r", "s", "t", "u"]
    return pl.DataFrame(
        [
            {"bot": names[i + 1], "below": names[i], "share": share, "low": low, "high": high, "verdict": verdict}
            for i, (share, low, high, verdict) in enumerate(rows)
        ]
    )


UP, LEVEL, DOWN = (0.9, 0.8, 0.95, "climbs"), (0.52, 0.45, 0.6, "level"), (0.3, 0.2, 0.4, "falls")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([UP], "climbs to its top: over 100 deals s takes 90% (80% to 95%) of the victories against r."),
        ([UP, UP], "each bot beats the one below it; at the top t takes 90%"),
        ([UP, LEVEL], "climbs up to s: over 100 deals t cannot be told from s (t takes 52% (45% to 60%)"),
        ([DOWN], "does not climb from its first rung: over 100 deals s is beaten by r"),
        ([UP, LEVEL, UP], "Further up it climbs again: u takes 90% (80% to 95%) of the victories against t."),
    ],
)
def test_where_the_ladder_stops(rows, words):
    assert words in verdict_of(steps(*rows), 100)


def test_the_verdict_of_a_step_is_its_intervals():
    """Twenty deals won whole lie above one half; eleven of twenty do not; one of twenty lies below."""
    for won, verdict in ((20, "climbs"), (11, "level"), (1, "falls")):
        table = pair_table(["a", "b"], lone(*[(0, 1)] * won, *[(1, 0)] * (20 - won)), 2)
        assert step_table(table, ["a", "b"])["verdict"].to_list() == [verdict]


def test_who_peeks_is_no_rung_and_says_so():
    """Steps leave it out, tables and charts name it for what it is."""
    assert shown("peek:100") == "peek:100 (sees everything)"
    assert shown("greedy") == "greedy"
    names = ["a", "peek:100", "b"]
    alone = np.full((4, 3, 3), 0.5)
    found = step_table(pair_table(names, alone, 2), names)
    assert found.select("bot", "below").rows() == [("b", "a")]
    assert "no step" in verdict_of(step_table(pair_table(names, alone, 2), names[:2]), 4)
    standings = standing_table(names, alone, 2, "a", 1)
    assert dict(standings.select("bot", "peeks").iter_rows()) == {"a": False, "peek:100": True, "b": False}


@pytest.mark.parametrize(
    ("ms", "words"),
    [(0.000123, "0.12 \u00b5s"), (0.25, "250 \u00b5s"), (3.14, "3.1 ms"), (250.0, "250 ms"), (1500, "1.5 s")],
)
def test_times_are_told_in_the_unit_that_reads_best(ms, words):
    assert duration(ms) == words


# --- Refusals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"bots": "greedy"}, "at least two"),
        ({"bots": "random,greedy,random"}, "random is given twice"),
        ({"bots": "random,gredy"}, "greedy"),
        ({"deals": 1}, "deals=1: a whole number from 2"),
        ({"deals": "many"}, "deals='many'"),
        ({"seed": -1}, "seed"),
        ({"workers": 0}, "workers=0"),
    ],
)
def test_bad_ladders_are_refused(arguments, words):
    with pytest.raises(tkg.Refused, match=words):
        tkg.ladder(tkg.umbra(), **arguments)


def test_what_is_no_variant_is_refused():
    with pytest.raises(tkg.Refused, match="variant"):
        tkg.ladder("umbra")


def test_every_game_has_the_rungs(game):
    assert bot_names(game, list(RUNGS)) == RUNGS
    few = ["random", "uct:2", "mcts:2"]
    assert tkg.ladder(tkg.variant(f"{game}()"), few, deals=2, workers=1).bots == tuple(few)
