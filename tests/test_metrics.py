"""Every measure against a value worked out by hand on a tiny table."""

import math

import polars as pl
import pytest

import tkg
from tkg import metrics


def games(**columns):
    n = len(next(iter(columns.values())))
    frame = {
        "run": ["r"] * n,
        "game": list(range(n)),
        "game_seed": list(range(n)),
        "seat": [1] * n,
        "bot": ["a"] * n,
        **columns,
    }
    return pl.DataFrame(frame)


def test_win_share_has_wilsons_interval():
    """3 of 10, z = 1.96: centre (0.3 + z^2/20) / (1 + z^2/10) = 0.35551, half width 0.24768."""
    found = metrics.win_share(games(win=[1.0] * 3 + [0.0] * 7)).row(0, named=True)
    assert (found["games"], found["wins"], found["share"]) == (10, 3, 0.3)
    assert found["low"] == pytest.approx(0.10779, abs=1e-4)
    assert found["high"] == pytest.approx(0.60322, abs=1e-4)


def test_no_win_still_has_an_upper_end():
    """0 of 10: the upper end is z^2 / (10 + z^2) = 0.27754."""
    found = metrics.win_share(games(win=[0.0] * 10)).row(0, named=True)
    assert found["low"] == 0
    assert found["high"] == pytest.approx(0.27754, abs=1e-4)


def test_split_wins_have_students_interval():
    """1, 1/2, 1/2, 0: mean 1/2, s = 0.40825, s / sqrt 4 = 0.20412, t(3) = 3.18245, so 1/2 -+ 0.6496, cut at 0 and 1."""
    found = metrics.win_share(games(win=[1.0, 0.5, 0.5, 0.0])).row(0, named=True)
    assert found["share"] == 0.5
    assert (found["low"], found["high"]) == (0, 1)
    half = metrics.win_share(games(win=[0.5, 0.5, 0.25, 0.75])).row(0, named=True)
    assert half["high"] - half["share"] == pytest.approx(3.18245 * 0.10206, abs=1e-4)


def test_seats_of_one_game_are_one_game():
    """Two seats with the same bot in 4 games: 4 games, not 8."""
    table = games(win=[1.0, 0.0] * 4).with_columns(pl.col("game") // 2, (pl.col("game") % 2 + 1).alias("seat"))
    found = metrics.win_share(table).row(0, named=True)
    assert (found["games"], found["share"]) == (4, 0.5)


def test_numbers_have_mean_error_and_quantiles():
    """0 to 4: mean 2, s = 1.58114, se = 0.70711, t(4) = 2.77645."""
    found = metrics.numbers(games(points=[0, 1, 2, 3, 4]), ["points"]).row(0, named=True)
    assert (found["mean"], found["q50"], found["q25"], found["q95"]) == (2, 2, 1, 4)
    assert found["se"] == pytest.approx(math.sqrt(0.5))
    assert found["high"] == pytest.approx(2 + 2.77645 * math.sqrt(0.5), abs=1e-4)


def test_options_per_decision_is_a_ratio_over_games():
    """6/2 and 2/2 options: ratio 2; residuals 6-4 and 2-4, so se = sqrt(8 * 2 / 1) / 4 = 1."""
    table = games(decisions_move=[2, 2], options_move=[6, 2], choices_move=[2, 1])
    found = metrics.options_per_decision(table).row(0, named=True)
    assert (found["kind"], found["decisions"], found["options"], found["se"]) == ("move", 4, 2, 1)
    assert metrics.choice_share(table).row(0, named=True)["share"] == 0.75


def test_failed_together_counts_each_game_once():
    table = games(a=[True, False, False, True], b=[True, True, False, False])
    found = {r["failed"]: r["games"] for r in metrics.failed_together(table, ["a", "b"]).iter_rows(named=True)}
    assert found == {"none": 1, "a": 1, "a + b": 1, "b": 1}


def test_condition_shares_are_one_row_a_condition():
    table = games(a=[True, False], b=[True, True])
    found = metrics.condition_shares(table, ["a", "b"])
    assert found["condition"].to_list() == ["a", "b"]
    assert found["share"].to_list() == [0.5, 1.0]


def test_paired_difference_uses_the_same_deals():
    """Differences 1, 1, 0 on deals 0, 1, 2: mean 2/3, s = 0.57735, se = 1/3; deal 9 has no partner.

    Agresti and Min: 2.5 pairs for, 0.5 against of 5: 0.4 -+ 1.96 sqrt(3 - 4/5) / 5 = 0.4 -+ 0.58142.
    """
    base = games(win=[0.0, 0.0, 1.0]).with_columns(pl.lit("a").alias("v"))
    other = games(win=[1.0, 1.0, 1.0]).with_columns(pl.lit("b").alias("v"))
    lonely = games(win=[1.0]).with_columns(pl.lit("b").alias("v"), pl.lit(9).cast(pl.Int64).alias("game_seed"))
    found = metrics.paired_difference(pl.concat([base, other, lonely]), "win", "v", "a").row(0, named=True)
    assert (found["deals"], found["difference"]) == (3, pytest.approx(2 / 3))
    assert found["se"] == pytest.approx(1 / 3)
    assert (found["low"], found["high"]) == (pytest.approx(-0.18142, abs=1e-4), pytest.approx(0.98142, abs=1e-4))
    with pytest.raises(tkg.Refused, match="shares no deal"):
        metrics.paired_difference(pl.concat([base, lonely]), "win", "v", "a")


def test_pairs_are_of_one_bot_and_level_pairs_are_not_certain():
    """Two bots on 4 deals are 4 deals; no pair differs: 0 -+ 1.96 sqrt(1) / 6 = 0.32666."""
    both = pl.concat([games(win=[1.0, 0.0, 1.0, 1.0]).with_columns(pl.lit(b).alias("bot")) for b in ("x", "y")])
    table = pl.concat([both.with_columns(pl.lit(v).alias("v")) for v in ("a", "b")])
    found = metrics.paired_difference(table, "win", "v", "a").row(0, named=True)
    assert (found["deals"], found["difference"]) == (4, 0)
    assert found["high"] == pytest.approx(0.32666, abs=1e-4)
    with pytest.raises(tkg.Refused, match="filter the table"):
        metrics.paired_difference(pl.concat([table, table]), "win", "v", "a")


def test_players_of_a_contest_are_one_game():
    """Two players, two games: (2+4)/(1+1) and (2+2)/(1+1) options, ratio 2.5 of 2 games, residuals 1/2 and -1/2 each."""
    table = games(
        decisions_move=[1, 1, 1, 1], options_move=[2, 4, 2, 2], choices_move=[1, 1, 1, 1], a=[True, False, True, True]
    )
    table = table.with_columns(pl.col("game") // 2, (pl.col("game") % 2 + 1).alias("seat"))
    found = metrics.options_per_decision(table).row(0, named=True)
    assert (found["games"], found["options"], found["se"]) == (2, 2.5, 0.5)
    with pytest.raises(tkg.Refused, match="tell them apart"):
        metrics.failed_together(table, ["a"])


def test_contest_shares_of_bots_add_up():
    table = tkg.simulate(tkg.rift(), ["greedy", "greedy", "random"], 60, seed=3)
    found = metrics.measures(table, tkg.GAMES["rift"], contest=True)
    assert found["contest/greedy"]["mean"] + found["contest/random"]["mean"] == pytest.approx(1)
    assert found["contest/greedy"]["n"] == 60


def test_one_game_tells_of_no_spread():
    found = metrics.numbers(games(points=[3]), ["points"]).row(0, named=True)
    assert (found["mean"], found["se"], found["low"], found["high"]) == (3, None, None, None)
    nothing = metrics.options_per_decision(games(decisions_move=[0], options_move=[0], choices_move=[0]))
    assert nothing.is_empty()


def test_a_missing_column_is_named():
    with pytest.raises(tkg.Refused, match="no column 'colour'"):
        metrics.win_share(games(win=[1.0]), by="colour")


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    """Of 200 runs of 100 games, 95% intervals for the mean number of builds should miss the mean of all about 10 times."""
    table = tkg.simulate(tkg.rift(), "random", 20_000, seed=5).with_columns((pl.col("game") // 100).alias("part"))
    truth = table["built"].mean()
    found = metrics.numbers(table, ["built"], by="part")
    missed = found.filter((pl.col("low") > truth) | (pl.col("high") < truth)).height
    assert 1 <= missed <= 24


def test_eager_and_lazy_tables_give_the_same(tmp_path):
    lazy = tkg.simulate(tkg.rift(), "random", 200, seed=2, to=tmp_path / "f.parquet")
    eager = tkg.simulate(tkg.rift(), "random", 200, seed=2)
    rules = tkg.GAMES["rift"]
    assert metrics.measures(lazy, rules) == metrics.measures(eager, rules)
