"""Every measure against a value worked out by hand on a tiny table."""

import math

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tkg
from tkg import metrics
from tkg.metrics import sums
from tkg.metrics.intervals import with_wilson_over_deals
from tkg.metrics.seats import equal_shares


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


def seats(*wins, bots=None):
    """A table of games of several seats: the share of the victory by seat for every game, and who sat where."""
    n = len(wins[0])
    bots = bots or [["a"] * n] * len(wins)
    return pl.DataFrame(
        {
            "run": ["r"] * n * len(wins),
            "game": [g for g in range(len(wins)) for _ in range(n)],
            "game_seed": [g for g in range(len(wins)) for _ in range(n)],
            "seat": list(range(1, n + 1)) * len(wins),
            "bot": [bot for game in bots for bot in game],
            "win": [float(w) for game in wins for w in game],
        }
    )


def test_seats_of_one_game_are_one_game():
    """Two seats with the same bot in 4 games: 4 games, not 8, and the victory of each is all theirs."""
    found = metrics.win_share(seats([1, 0], [0, 1], [0.5, 0.5], [1, 0])).row(0, named=True)
    assert (found["games"], found["share"]) == (4, 1)


def test_win_shares_of_seats_and_of_bots_add_up_to_the_games():
    """One of three victories is shared by all; a sits in one seat of three, b in two."""
    table = seats([1, 0, 0], [1 / 3, 1 / 3, 1 / 3], [0, 0, 1], bots=[["a", "b", "b"], ["b", "a", "b"], ["b", "b", "a"]])
    by_seat = metrics.win_share(table, "seat")["share"].to_list()
    assert by_seat == pytest.approx([4 / 9, 1 / 9, 4 / 9])
    by_bot = dict(metrics.win_share(table, "bot").select("bot", "share").iter_rows())
    assert by_bot == pytest.approx({"a": 7 / 9, "b": 2 / 9})


def test_a_contests_players_share_no_victory():
    """Two players named alike, each alone on the deal: their wins are averaged, not added up."""
    table = seats([1, 1], [0, 1]).with_columns(contest=pl.col("win"))
    assert metrics.win_share(table).row(0, named=True)["share"] == 0.75


def test_seat_advantage_of_two_seats():
    """7 : 3. Chi-square 2 * 2^2 / 5 = 1.6; exact: 2 * (120 + 45 + 10 + 1) / 1024. The shared victory is left out."""
    table = seats(*[[1, 0]] * 7, *[[0, 1]] * 3, [0.5, 0.5])
    found = metrics.seat_advantage(table).row(0, named=True)
    assert (found["bot"], found["games"], found["shared"], found["best_seat"], found["df"]) == ("a", 10, 1, 1, 1)
    assert found["best_share"] == 0.7
    assert found["chi2"] == pytest.approx(1.6)
    assert found["p_chi2"] == pytest.approx(math.erfc(math.sqrt(1.6 / 2)))
    assert found["p_exact"] == pytest.approx(2 * 176 / 1024)


def test_seat_advantage_of_three_seats():
    """6 : 2 : 1. Chi-square (3^2 + 1 + 2^2) / 3 with 2 degrees, p = e^-(chi2 / 2); exact: three times that of 6 of 9 at 1/3,
    whose outcomes no likelier than 6 are 0, 6, 7, 8 and 9: 512 + 672 + 144 + 18 + 1 of 3^9."""
    table = seats(*[[1, 0, 0]] * 6, *[[0, 1, 0]] * 2, [0, 0, 1])
    found = metrics.seat_advantage(table).row(0, named=True)
    assert found["chi2"] == pytest.approx(14 / 3)
    assert found["p_chi2"] == pytest.approx(math.exp(-7 / 3))
    assert found["p_exact"] == pytest.approx(3 * 1347 / 3**9)


def test_seats_are_told_apart_from_bots():
    """Bot a wins 9 of 10 in seat 1 and 1 of 10 in seat 2; all wins of seat 1 against equal shares would say 18 : 2, and
    so do these: chi-square 20 * (9 * 9 - 1 * 1)^2 / 10^4 = 12.8. A strong bot alone is no advantage of a seat."""
    in_1, in_2 = ["a", "b"], ["b", "a"]
    table = seats(*[[1, 0]] * 9, [0, 1], *[[1, 0]] * 9, [0, 1], bots=[in_1] * 10 + [in_2] * 10)
    for row in metrics.seat_advantage(table).iter_rows(named=True):
        assert row["chi2"] == pytest.approx(12.8)
        assert row["p_exact"] == pytest.approx(2 * (10 * 10 + 1) / math.comb(20, 10))
        assert row["best_seat"] == 1
    strong = seats(*[[1, 0]] * 10, *[[0, 1]] * 10, bots=[in_1] * 10 + [in_2] * 10)
    for row in metrics.seat_advantage(strong).iter_rows(named=True):
        assert (row["chi2"], row["p_chi2"], row["p_exact"]) == (0, 1, 1)


def test_bots_that_sit_twice_are_tested_together():
    """a, a, b rotated: no bot sits alone but b, whose wins are held against its seats."""
    bots = [["a", "a", "b"], ["a", "b", "a"], ["b", "a", "a"]] * 4
    table = seats(*[[1, 0, 0]] * 12, bots=bots)
    found = metrics.seat_advantage(table)
    assert found["bot"].to_list() == ["b"]
    assert found["best_seat"].to_list() == [1]
    pairs = [["a", "a", "b", "b"], ["b", "a", "a", "b"], ["b", "b", "a", "a"], ["a", "b", "b", "a"]] * 2
    found = metrics.seat_advantage(seats(*[[1, 0, 0, 0]] * 8, bots=pairs))
    assert found["bot"].to_list() == ["all"]
    assert found["p_exact"].item() == pytest.approx(4 / 4**8)


def test_games_that_nobody_won_tell_nothing_of_seats():
    assert metrics.seat_advantage(seats(*[[0, 0]] * 5)).is_empty()


def test_bots_that_keep_their_seats_tell_nothing_of_seats():
    """a beats b in seat 1 every time: that may be the seat's doing or the bot's."""
    found = metrics.seat_advantage(seats(*[[1, 0]] * 50, bots=[["a", "b"]] * 50))
    assert found.is_empty()
    assert "p_exact" in found.columns


def test_games_of_different_sizes_and_halves_of_games_are_refused():
    two, three = seats(*[[1, 0]] * 4), seats(*[[1, 0, 0]] * 4).with_columns(run=pl.lit("s"))
    mixed = pl.concat([two.with_columns(players=2), three.with_columns(players=3)])
    with pytest.raises(tkg.Refused, match="players"):
        metrics.seat_advantage(mixed)
    assert metrics.seat_advantage(mixed, "players")["games"].to_list() == [4, 4]
    with pytest.raises(tkg.Refused, match="not in the table"):
        metrics.seat_advantage(two.filter((pl.col("game") > 1) | (pl.col("seat") == 1)))


def test_the_seat_tests_keep_their_error_rate():
    """Where no seat has an advantage, no more than one table in twenty says so, but for chance: 300 tables each."""
    random = np.random.default_rng(1)
    for n in (2, 3, 4):
        wins = random.integers(n, size=(300, 60))
        tests = [equal_shares(np.bincount(table, minlength=n).tolist()) for table in wins]
        for p in ("p_exact", "p_chi2"):
            assert sum(test[p] < 0.05 for test in tests) < 300 * 0.05 + 3 * math.sqrt(300 * 0.05 * 0.95)
        loaded = random.choice(n, p=[0.7] + [0.3 / (n - 1)] * (n - 1), size=(50, 60))
        tests = [equal_shares(np.bincount(table, minlength=n).tolist()) for table in loaded]
        assert sum(test["p_exact"] < 0.05 for test in tests) > 25


def test_seats_of_a_game_for_one_are_refused():
    with pytest.raises(tkg.Refused, match="several seats"):
        metrics.seat_advantage(games(win=[1.0, 0.0]))


def test_cells_of_no_game_are_refused():
    table = seats([1, 0]).with_columns(mask=pl.lit(1)).filter(pl.col("win") > 1)
    with pytest.raises(tkg.Refused, match="no games"):
        metrics.cell_shares(table, "mask", "ABCD")


def test_cells_are_counted_from_bits():
    """Sets {A, D}, {A}, {} over four cells, told once for each game."""
    table = seats([1, 0], [0, 1], [1, 0]).with_columns(pl.Series("mask", [9, 9, 1, 1, 0, 0], dtype=pl.UInt32))
    found = metrics.cell_shares(table, "mask", "ABCD")
    assert found.select("cell", "row", "column", "games", "count").rows() == [
        ("A", 1, 1, 3, 2),
        ("B", 1, 2, 3, 0),
        ("C", 2, 1, 3, 0),
        ("D", 2, 2, 3, 1),
    ]


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


def test_shares_over_deals_have_wilsons_interval_for_as_many_independent_games():
    """Three of ten deals won whole: they vary by 0.21 * 10 / 9, as 9 games would, and Wilson gives for 2.7 of 9 the centre
    (2.7 + 1.92073) / 12.84146 and the half width 1.95996 * sqrt(1.89 + 0.96036) / 12.84146. Half of each of ten deals of two
    games: 4 deals of variance 1/8 in 14 leave 1/28, as 70 games would have. All of ten: 1 - 0.27754 to 1."""
    sums = {"sum": [3.0, 5.0, 10.0], "squares": [3.0, 2.5, 10.0], "deals": [10, 10, 10], "games": [1, 2, 2]}
    found = with_wilson_over_deals(pl.DataFrame(sums), "sum", "squares", "deals", "games")
    whole, level, won = found.select("share", "low", "high").iter_rows()
    assert whole == pytest.approx((0.3, 0.35983 - 0.25768, 0.35983 + 0.25768), abs=1e-4)
    assert level == pytest.approx((0.5, 0.5 - 0.11404, 0.5 + 0.11404), abs=1e-4)
    assert won == pytest.approx((1, 0.72246, 1), abs=1e-4)


# --- Long tables, slice by slice ----------------------------------------------------------------------------------

# By name: what makes a table of a game for one, two and three, with the bots that play it.
LONG = {
    "alone": (tkg.rift, {"supply": [4, 15]}, "greedy,random"),
    "two": (lambda **knobs: tkg.umbra(players=2, **knobs), {"energy": [12, 15]}, "random,greedy"),
    "three": (lambda **knobs: tkg.umbra(players=3, **knobs), {"energy": [12, 15]}, "random,greedy,random"),
}
BY = (None, "{knob}", "bot", ["{knob}", "seat"])
# By function of tables of games: its arguments between the table and `by`.
SUMMED = {
    "choice_share": (),
    "condition_shares": (["{fact}", "win"],),
    "failed_together": (["{fact}"],),
    "numbers": (["decisions", "win"],),
    "options_per_decision": (),
    "ratio": ("win", "decisions"),
    "seat_advantage": (),
    "share": ("{fact}",),
    "win_share": (),
}
OTHERS = {
    "cell_shares",
    "completion",
    "drawishness",
    "duration",
    "minutes",
    "measures",
    "paired_difference",
    "unfinished_games",
}
OF_TRACES = {
    *("decisiveness", "drama", "killer_moves", "kingmaking", "lead_changes", "permanence", "stability", "tension"),
    *("uncertainty", "uncertainty_over_time"),
}
OF_LADDERS_AND_REPLAYS = {"coin_flips", "complexity", "luck", "strength_levels"}
OF_GRIDS_FEATURES_AND_PROSPECTS = {
    *("importance", "interaction", "lost_at", "lost_first", "prospects_over_time", "sensitivity")
}
OF_PEOPLE = {"agreement", "beside", "slowest", "tag_shares", "taken_back", "thinking_time"}


@pytest.fixture(scope="module", params=LONG)
def long(request, tmp_path_factory):
    """(kind, knob, a truth value, table in memory, the same table on files of one cell each, several row groups long)."""
    make, axes, bots = LONG[request.param]
    (knob,) = axes
    table = tkg.sweep(make, bots=bots.split(","), games=60, seed=1, **axes)
    if request.param != "alone":  # every seventh victory is shared by all
        win = pl.when(pl.col("game") % 7 == 0).then(1 / table["seat"].n_unique()).otherwise("win")
        table = table.with_columns(win.alias("win"), win_shared=pl.col("game") % 7 == 0)
    folder = tmp_path_factory.mktemp("shards")
    for (value,), cell in table.partition_by(knob, as_dict=True).items():
        cell.write_parquet(folder / f"{value}.parquet", row_group_size=25)
    fact = "matched" if request.param == "alone" else "win_shared"
    return request.param, knob, fact, table, pl.scan_parquet(folder / "*.parquet")


def given(value, knob, fact):
    """An argument with the names of a game's columns put in."""
    if isinstance(value, str):
        return value.format(knob=knob, fact=fact)
    return value if value is None else [given(name, knob, fact) for name in value]


def answer(name, frame, *arguments):
    """What a metric says, or why it refuses."""
    try:
        return getattr(metrics, name)(frame, *arguments)
    except tkg.Refused as error:
        return str(error)


def test_every_function_of_tables_of_games_is_tried_on_long_ones():
    apart = OF_PEOPLE | OF_TRACES | OF_LADDERS_AND_REPLAYS | OF_GRIDS_FEATURES_AND_PROSPECTS | {"NotMeasured"}
    assert {*SUMMED, *OTHERS} == set(metrics.__all__) - apart


@pytest.mark.parametrize("name", ["numbers", "share", "win_share", "ratio", "paired_difference"])
def test_what_is_no_number_is_told_by_its_name(name):
    table = tkg.simulate(tkg.umbra(), "random", 4, workers=1).with_columns(win=pl.col("bot"))
    arguments = {
        "numbers": (["bot"],), "share": ("bot",), "win_share": (), "ratio": ("bot", "seat"), "paired_difference": ("bot", "game", 0),
    }  # fmt: skip
    with pytest.raises(tkg.Refused, match="numbers or truth values"):
        getattr(metrics, name)(table, *arguments[name])


@pytest.mark.parametrize("name", SUMMED)
def test_many_slices_say_the_same_as_one(long, name, monkeypatch):
    """To the last bit where wins are whole or halves; a third of a victory is not exact."""
    kind, knob, fact, table, lazy = long
    calls = [(*(given(a, knob, fact) for a in SUMMED[name]), given(by, knob, fact)) for by in BY]
    at_once = [answer(name, table, *call) for call in calls]
    assert any(isinstance(found, pl.DataFrame) for found in at_once)
    monkeypatch.setattr(sums, "SLICE_ROWS", 50)
    assert len(sums.slices(lazy)) > 4
    for frame in (table, lazy):
        for call, right in zip(calls, at_once, strict=True):
            found = answer(name, frame, *call)
            if isinstance(right, str):
                assert found == right
            else:
                assert_frame_equal(found, right, check_exact=kind != "three", rel_tol=1e-9, abs_tol=1e-7)


@pytest.mark.parametrize("name", ["completion", "drawishness", "duration"])
def test_whole_games_are_the_same_on_many_slices(long, name, monkeypatch):
    """Also where it is refused: a single player shares no victory, and a bot's seat is no whole game."""
    _, knob, _, table, lazy = long
    at_once = [answer(name, table, by) for by in (None, knob, "bot")]
    monkeypatch.setattr(sums, "SLICE_ROWS", 50)
    for frame in (table, lazy):
        for by, right in zip((None, knob, "bot"), at_once, strict=True):
            found = answer(name, frame, by)
            if isinstance(right, str):
                assert found == right
            else:
                assert_frame_equal(found, right, rel_tol=1e-12)


@pytest.mark.parametrize("column", ["win", "decisions"])
def test_pairs_are_the_same_on_many_slices(long, column, monkeypatch):
    """Also cut by the deal's own number, where a table has no other."""
    kind, knob, _, table, lazy = long
    base = table[knob][0]
    own = pl.col("bot") == "greedy"
    at_once = metrics.paired_difference(table.filter(own), column, knob, base)
    monkeypatch.setattr(sums, "SLICE_ROWS", 50)
    for frame in (table, lazy, table.drop("game"), lazy.drop("seed")):
        found = metrics.paired_difference(frame.filter(own), column, knob, base)
        assert_frame_equal(found, at_once, check_exact=kind != "three", rel_tol=1e-9)
        with pytest.raises(tkg.Refused, match="no row with"):
            metrics.paired_difference(frame, column, knob, -1)
        twice = pl.concat([frame, frame.tail(1)])
        with pytest.raises(tkg.Refused, match="filter the table"):
            metrics.paired_difference(twice, column, knob, base)


def test_deals_of_other_seeds_are_no_partners_on_many_slices(monkeypatch):
    """Of the first cell's two seeds the second cell shares one; a third cell shares none."""
    first, second, third = (tkg.rift(supply=n) for n in (4, 9, 15))
    runs = [(first, 1, "a"), (first, 2, "a"), (second, 2, "b"), (third, 3, "c")]
    tables = [tkg.simulate(v, "random", 40, seed).with_columns(cell=pl.lit(cell)) for v, seed, cell in runs]
    monkeypatch.setattr(sums, "SLICE_ROWS", 30)
    found = metrics.paired_difference(pl.concat(tables[:3]), "decisions", "cell", "a").row(0, named=True)
    assert found["deals"] == 40
    assert found["difference"] == pytest.approx(tables[2]["decisions"].mean() - tables[1]["decisions"].mean())
    with pytest.raises(tkg.Refused, match="cell == c shares no deal"):
        metrics.paired_difference(pl.concat(tables), "decisions", "cell", "a")


def test_measures_and_cells_are_the_same_on_many_slices(long, monkeypatch):
    kind, knob, _, table, lazy = long
    game = "rift" if kind == "alone" else "umbra"
    cell = table.filter(pl.col(knob) == table[knob][0])
    seats, contest = cell["seat"].n_unique() if kind != "alone" else 1, kind == "alone"
    at_once = metrics.measures(cell, tkg.GAMES[game], contest, seats)
    marked = table.with_columns(mask=pl.col("game") % 16)
    cells, stopped = metrics.cell_shares(marked, "mask", "ABCD"), metrics.unfinished_games(table)
    monkeypatch.setattr(sums, "SLICE_ROWS", 50)
    for frame, whole in ((cell, table), (lazy.filter(pl.col(knob) == table[knob][0]), lazy)):
        found = metrics.measures(frame, tkg.GAMES[game], contest, seats)
        assert list(found) == list(at_once)
        for name, measure in found.items():
            assert measure == pytest.approx(at_once[name], rel=1e-9, abs=1e-7)
        assert_frame_equal(metrics.cell_shares(whole.with_columns(mask=pl.col("game") % 16), "mask", "ABCD"), cells)
        assert metrics.unfinished_games(whole) == stopped


def test_refusals_reach_every_slice(monkeypatch):
    """What is wrong stands in the last game of 20."""
    monkeypatch.setattr(sums, "SLICE_ROWS", 8)
    table = seats(*[[1, 0], [0, 1]] * 10)
    with pytest.raises(tkg.Refused, match="not in the table"):
        metrics.seat_advantage(table.head(39))
    conditions = table.with_columns(a=(pl.col("game") < 19) | (pl.col("seat") == 1))
    with pytest.raises(tkg.Refused, match="tell them apart"):
        metrics.failed_together(conditions, ["a"])


def test_slices_are_of_whole_games_and_about_as_long_as_told(monkeypatch):
    """A run of 40 games and four of their first 10: 10 numbers with five rows each, and 30 with one; no slice above 10."""
    monkeypatch.setattr(sums, "SLICE_ROWS", 10)
    table = pl.DataFrame({"game": [*range(40), *list(range(10)) * 4]})
    found = [part.collect()["game"].to_list() for part in sums.slices(table.lazy())]
    assert sorted(game for part in found for game in part) == table["game"].sort().to_list()
    assert sum(len(set(part)) for part in found) == 40
    assert [len(part) for part in found] == [10] * 8


def test_a_table_whose_games_bear_no_numbers_is_one_slice(monkeypatch):
    monkeypatch.setattr(sums, "SLICE_ROWS", 3)
    table = seats(*[[1, 0], [0, 1]] * 10)
    right = metrics.win_share(table, "seat")
    assert len(sums.slices(table.lazy())) > 1
    for game in (pl.col("game").cast(pl.String), pl.when(pl.col("game") > 0).then("game")):
        assert len(sums.slices(table.with_columns(game).lazy())) == 1
        assert_frame_equal(metrics.win_share(table.with_columns(game), "seat"), right)


def test_stopped_games_are_counted_once():
    table = seats([1, 0], [0, 1], [1, 0]).with_columns(ending=pl.when(pl.col("game") < 2).then(pl.lit("unfinished")))
    assert metrics.unfinished_games(table) == 2
    assert metrics.unfinished_games(table.drop("ending")) == 0


def test_quantiles_are_those_of_the_values_themselves():
    """Against polars' own, for groups of 1 to 60 values of which some are equal and some unknown; none where all are."""
    random = np.random.default_rng(2)
    parts = [games(points=random.integers(12, size=n).tolist(), group=[n] * n) for n in range(1, 61)]
    table = pl.concat([*parts, games(points=[None, None], group=[0, 0])])
    table = table.with_columns(pl.when(pl.col("points") < 11).then("points"))
    found = metrics.numbers(table, ["points"], "group")
    marks = [
        pl.col("points").cast(float).quantile(q, "nearest").alias(f"q{q * 100:.0f}") for q in metrics.process.QUANTILES
    ]
    assert_frame_equal(found.select("group", "^q.*$"), table.group_by("group").agg(marks).sort("group"))
