"""Two variants side by side, and every reading of one: differences by hand, no difference where there is none, and words
that say no more than the numbers."""

import json
import math
import re
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from commands import run
from scipy import stats

import tkg
from tkg import charts, metrics
from tkg.comparing.sentences import games_needed, needed_for_all
from tkg.comparing.sentences import verdict_of as reading_verdict
from tkg.comparing.variants import verdict_of
from tkg.comparing.words import difference_words, rounded_up
from tkg.metrics.pairs import Deals, by_deal, gap_of
from tkg.studies import play_cells


def deals(*values, bottom=None, is_share=False):
    top = np.array(values, float)
    return Deals(top, np.ones(len(top)) if bottom is None else np.array(bottom, float), is_share)


# --- Differences by hand ------------------------------------------------------------------------------------------


def test_a_paired_difference_of_numbers():
    """Differences 1, 3, 2, 2: mean 2, squares 2. The largest is 3, t(3) = 3.18245 = q, so half is
    q sqrt((2 + q^2 / 2 * 9) / 12) = 6.3367."""
    gap = gap_of(deals(1, 2, 3, 4), deals(2, 5, 5, 6), True)
    assert gap[:3] == pytest.approx((2, 2, 3))
    assert gap.half() == pytest.approx(6.3367, abs=1e-3)


def test_a_paired_difference_of_shares():
    """Ten deals, two won by the second alone: 0.2; squares 2 - 10 * 0.04 = 1.6, a size of 1, t(9) = 2.26216."""
    gap = gap_of(deals(*[0] * 6, *[1] * 4, is_share=True), deals(*[1] * 2, *[0] * 4, *[1] * 4, is_share=True), True)
    assert gap.difference == pytest.approx(0.2)
    assert gap.half() == pytest.approx(2.26216 * math.sqrt((1.6 + 2.26216**2 / 2) / 90), abs=1e-4)


def test_an_unpaired_difference_has_welchs_degrees_of_freedom():
    """Squares 2 and 8 of three games each: 2 (2 + 8)^2 / (2^2 + 8^2) = 200 / 68; the largest distance from a mean is 2."""
    gap = gap_of(deals(1, 2, 3), deals(5, 3, 7), False)
    assert gap.difference == pytest.approx(3)
    assert gap.df == pytest.approx(200 / 68)
    q = stats.t.ppf(0.975, 200 / 68)
    assert gap.half() == pytest.approx(q * math.sqrt((10 + q * q / 2 * 9) / 6))  # 9: the difference itself is larger, 3


def test_a_ratio_is_compared_by_the_delta_method():
    """4 / 4 against 6 / 4 options a decision: games move the ratios by (top - r bottom) / 2, so by 0, 0 and by
    (2 - 1.5) / 2, (4 - 4.5) / 2."""
    gap = gap_of(deals(1, 3, bottom=[1, 3]), deals(2, 4, bottom=[1, 3]), True)
    assert gap.difference == pytest.approx(0.5)
    assert gap.squares == pytest.approx(2 * 0.25**2)


def test_intervals_hold_together_and_p_goes_with_them():
    """Of m comparisons each is at 1 - 0.05 / m (Bonferroni); p is below 0.05 if and only if 0 is left out."""
    gap = gap_of(deals(*range(20)), deals(*[x + 3 + (x % 3) for x in range(20)]), True)
    q = stats.t.ppf(1 - 0.025 / 7, 19)
    assert gap.half(7) == pytest.approx(q * math.sqrt((gap.squares + q * q / 2 * gap.size**2) / 380))
    for m in (1, 2, 10, 100, 10**3, 10**4, 10**5, 10**6):
        assert (gap.p(m) < 0.05) == (abs(gap.difference) > gap.half(m)), m
    assert gap.p(1) < 0.05 < gap.p(10**6)
    assert all(a <= b for a, b in pairwise(gap.half(m) for m in range(1, 50)))


def test_deals_that_all_come_out_alike_are_no_certainty():
    """400 deals won by both: nothing differs, and yet up to q^2 / sqrt 2 of them may."""
    gap = gap_of(deals(*[1] * 400, is_share=True), deals(*[1] * 400, is_share=True), True)
    assert gap.same
    assert gap.p() == 1
    assert gap.half() == pytest.approx(1.9659**2 / math.sqrt(2) / math.sqrt(400 * 399), rel=1e-3)


def test_margins_of_numbers():
    """5% of the mean of 100 and 102, or a tenth of the spread of games where that is more; of a share the share itself."""
    narrow = gap_of(deals(99, 101), deals(101, 103), True)
    assert narrow.margin(0.05) == pytest.approx(0.05 * 101)
    wide = gap_of(deals(0, 200), deals(2, 202), True)
    assert wide.margin(0.05) == pytest.approx(0.1 * math.sqrt(2 * 100**2))
    assert gap_of(deals(0, 1, is_share=True), deals(1, 1, is_share=True), True).margin(0.05) == 0.05


def test_sides_of_other_lengths_and_single_games_are_refused():
    with pytest.raises(tkg.Refused, match="3 and 2 games"):
        gap_of(deals(1, 2, 3), deals(1, 2), True)
    with pytest.raises(tkg.Refused, match="at least 2"):
        gap_of(deals(1), deals(1), True)


@pytest.mark.parametrize("bots", ["random", "several"])
def test_every_measure_is_had_by_deal(game, bots):
    """What `measures` names has the same mean deal by deal, or is nowhere; at tables of one bot, of several, in contests."""
    variant = tkg.variant(game)
    names = "random" if bots == "random" else ",".join(["random", "greedy", "random"][: max(2, variant.seats)])
    runs = tkg.simulate(variant, names, 12, seed=3)
    contest = "contest" in runs.columns
    told = metrics.measures(runs, variant.rules, contest, variant.seats)
    found = by_deal(runs, list(told), variant.rules, contest, variant.seats)
    assert list(found) == list(told)
    for name, measure in told.items():
        assert found[name].value == pytest.approx(measure["mean"]), name
        assert len(found[name].top) == 12


@pytest.mark.parametrize(
    ("ends", "compared", "read"),
    [
        ((0.06, 0.2), "differs", "settle"),
        ((-0.2, -0.06), "differs", "settle"),
        ((0.01, 0.2), "differs", "open"),
        ((0.01, 0.04), "slight", "does not matter"),
        ((-0.04, 0.04), "alike", "does not matter"),
        ((-0.04, 0.06), "open", "open"),
        ((-0.06, 0.04), "open", "open"),
    ],
)
def test_verdicts_are_what_intervals_say(ends, compared, read):
    assert verdict_of(*ends, 0.05) == compared
    assert reading_verdict(*ends, 0.05) == read


# --- Two variants -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def supplies():
    return tkg.compare("rift(supply=6)", tkg.rift(supply=12), bots=["hoarder", "greedy"], games=120, seed=1)


def row(found, **where):
    return found.table.filter(*(pl.col(name) == value for name, value in where.items())).row(0, named=True)


def test_a_large_difference_is_found(supplies):
    """The greedy bot wins about 40% at a supply of 6 and 90% at 12."""
    win = row(supplies, bots="greedy", measure="win")
    assert win["verdict"] == "differs"
    assert win["low"] > 0.2
    assert win["p"] < 0.001
    assert win["difference"] == pytest.approx(win["b"] - win["a"])
    for side, supply in (("a", 6), ("b", 12)):
        alone = metrics.win_share(tkg.simulate(tkg.rift(supply=supply), "greedy", 120, 1)).row(0, named=True)
        assert [win[side], win[f"{side}_low"], win[f"{side}_high"]] == [alone[n] for n in ("share", "low", "high")]


def test_what_one_bot_wins_over_the_other_is_compared(supplies):
    """The hoarder builds nothing and never wins, so what greedy wins over it is all that greedy wins."""
    edge = row(supplies, bots="greedy over hoarder", measure="win")
    win = row(supplies, bots="greedy", measure="win")
    assert [edge[name] for name in ("a", "b", "difference", "low")] == pytest.approx(
        [win[name] for name in ("a", "b", "difference", "low")]
    )


def test_the_verdict_says_no_more_than_the_table(supplies):
    """Every measure stands under its verdict, with its difference where there is one, and under no other."""
    lines = dict(line.split(": ", 1) for line in supplies.verdict.splitlines() if not line.startswith("winning"))
    words = {
        "differs": "differ clearly",
        "open": "open, neither shown to differ nor to be alike",
        "same": "the same in every game",
    }
    for verdict, start in words.items():
        for part in lines[start].split("; "):
            bots, names = part.split(": ")
            own = (pl.col("verdict") == verdict) & (pl.col("bots") == bots) & (pl.col("measure") != "win")
            expected = supplies.table.filter(own)["measure"].to_list()
            bare = re.sub(r" [+\u2212][^,]*?\)", "", names)
            told = re.split(r", | and ", re.sub(r" and \d+ more", "", bare))
            assert set(told) <= set(expected)
            assert len(told) == min(8, len(expected))
    assert "winning, greedy: win " in supplies.verdict
    assert "clearly more in B" in supplies.verdict
    assert "better" not in str(supplies)


def test_intervals_are_counted_without_what_never_differs(supplies):
    differing = supplies.table.filter(pl.col("verdict") != "same")
    assert supplies.comparisons == differing.height
    assert row(supplies, bots="greedy", measure="turns")["verdict"] == "same"
    win = row(supplies, bots="greedy", measure="win")
    assert win["high"] - win["low"] > 2 * 1.96 * math.sqrt(0.25 / 120)  # wider than one comparison alone


def test_the_same_seed_gives_the_same_and_notes_are_told(supplies):
    again = tkg.compare("rift(supply=6)", "rift(supply=12)", bots=["hoarder", "greedy"], games=120, seed=1, workers=1)
    assert again.table.equals(supplies.table)
    assert str(again) == str(supplies)
    assert any("stand-in" in note and not note.startswith("A") for note in supplies.notes)
    other = tkg.compare("rift", "rift(deck=pairs)", bots="random", games=2)
    assert any(note.startswith("A: ") and "stand-in" in note for note in other.notes)
    assert any("deck differs" in note for note in other.notes)
    shares = other.table.filter(unit="share").drop_nulls("low")
    assert len(shares)
    assert shares["low"].min() >= -1  # two games tell next to nothing, but shares differ by no more
    assert shares["high"].max() <= 1


def test_a_variant_is_no_other_than_itself(game):
    bots = ["random"] if game == "rift" else ["random", "greedy,random"]
    found = tkg.compare(game, game, bots=bots, games=20, seed=4)
    assert set(found.table["verdict"]) == {"same"}
    assert found.table["difference"].abs().max() == 0
    assert found.comparisons == 0
    assert "A and B are the same variant" in found.notes
    assert "differ clearly: nothing" in found.verdict


def test_other_deals_of_a_variant_are_seldom_told_apart():
    """Forty pairs of runs of one variant with different seeds: by chance a family or so, here no more than four, has a clear
    difference in any of its measures."""
    runs = tkg.simulate(tkg.umbra(), "random", 80 * 60, seed=5)
    rules = tkg.umbra().rules
    names = [n for n in metrics.measures(runs, rules, seats=2) if not n.endswith("/2")]
    whole = by_deal(runs, names, rules, False, 2)
    wrong = 0
    for first in range(0, 80, 2):
        gaps = []
        for d in whole.values():
            a, b = (Deals(d.top[k : k + 60], d.bottom[k : k + 60], d.is_share) for k in (first * 60, first * 60 + 60))
            gaps.append(gap_of(a, b, False))
        m = sum(not gap.same for gap in gaps)
        wrong += any(gap.p(m) < 0.05 for gap in gaps if not gap.same)
    assert wrong <= 4


def test_variants_with_other_numbers_of_seats_are_not_paired():
    found = tkg.compare("umbra", "umbra(players=3)", bots="random", games=60, seed=2)
    assert not found.paired
    assert any("A has 2 seats and B 3" in note and "unpaired" in note for note in found.notes)
    first = row(found, measure="win/1")
    assert first["difference"] == pytest.approx((first["b"] - 1 / 3) - (first["a"] - 1 / 2))
    third = row(found, measure="win/3")
    assert (third["verdict"], third["a"], third["difference"]) == ("only b", None, None)
    assert row(found, measure="decisions")["verdict"] == "differs"  # three bid for one tile more
    assert "on deals that are not common" in str(found)


def test_an_expert_sits_among_novices_and_only_winning_is_told_of_such_a_table():
    found = tkg.compare("cosmic", "cosmic(players=3)", games=2, seed=1)
    assert found.bots == ("greedy", "mcts:4", "mcts:4 among greedy")
    mixed = found.table.filter(pl.col("bots") == "mcts:4 among greedy")
    assert mixed["measure"].to_list() == ["win/mcts:4"]
    assert row(found, bots="greedy", measure="win_shared")["unit"] == "share"


def test_differences_are_told_to_the_digits_that_they_bear():
    told = {"difference": -1.23456, "low": -1.5, "high": -0.9, "unit": "number"}
    assert difference_words(told) == "\u22121.23 (\u22121.50 to \u22120.90)"
    told = {"difference": 0.262, "low": -0.0001, "high": 0.5, "unit": "share"}
    assert difference_words(told) == "+26.2 points (0.0 to +50.0)"


# --- Readings -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rift():
    return tkg.readings("rift", games=100, seed=1)


def option(found, setting):
    return found.ranked.filter(pl.col("setting") == setting).row(0, named=True)


def test_every_option_of_every_reading_is_played_once(rift):
    from tkg.rules.rift import READINGS

    settings = {f"{r.name}: {r.text(o)}" for r in READINGS for o in r.options[1:]}
    assert set(rift.ranked["setting"]) == settings
    assert set(rift.verdicts) == {r.name for r in READINGS}
    assert rift.bots == ("greedy", "hoarder")
    assert set(rift.table["measure"]) == {"win", "decisions"}


def test_known_readings_get_their_verdicts(rift):
    """Without the ring the hoarder wins some 30% of deals; greedy alone never meets that, and nobody meets a contest's rule.
    To play a tile whose Oinks are short for none costs greedy a third of its wins."""
    ring = option(rift, "full_boundary: false")
    assert (ring["verdict"], ring["bots"], ring["base"]) == ("settle", "hoarder", 0)
    assert 0.2 < ring["value"] < 0.4
    assert option(rift, "shortfall: illegal")["verdict"] == "settle"
    contest = option(rift, "standing: stable-first")
    assert (contest["verdict"], contest["low"], contest["difference"]) == ("never met", None, 0)
    assert rift.ranked["setting"].to_list()[-1] == "standing: stable-first"
    alone = tkg.readings("rift", bots="greedy", games=40, seed=1, measures="win")
    assert option(alone, "full_boundary: false")["verdict"] == "never met"


def test_the_ranking_is_that_of_the_table(rift):
    met = rift.ranked.filter(pl.col("verdict") != "never met")
    sizes = met["effect"].abs().to_list()
    assert sizes == sorted(sizes, reverse=True)
    for told in met.iter_rows(named=True):
        own = rift.table.filter(pl.col("setting") == told["setting"])
        worst = next(v for v in ("settle", "open", "does not matter") if v in own["verdict"].to_list())
        assert told["verdict"] == worst
    assert rift.comparisons == rift.table.filter(pl.col("verdict") != "never met").height


def test_a_difference_is_that_of_two_runs(rift):
    base, other = (tkg.simulate(v, "greedy", 100, 1)["win"].sum() for v in (tkg.rift(), tkg.rift(replace="off")))
    told = rift.table.filter(
        (pl.col("setting") == "replace: off") & (pl.col("bots") == "greedy") & (pl.col("measure") == "win")
    )
    assert told["difference"].item() == pytest.approx((other - base) / 100)


def test_lists_say_what_the_tables_say(rift):
    """Each reading stands once, under its gravest verdict, with all its options."""
    parts = re.split(r"\n(?=settle, |open:|does not matter, |never met by)", str(rift))[1:]
    assert len(parts) == 4
    for part, verdict in zip(parts, ("settle", "open", "does not matter", "never met"), strict=True):
        names = re.findall(r"^  (\w+) \(", part, flags=re.MULTILINE)
        assert names == [name for name, worst in rift.verdicts.items() if worst == verdict]
    assert "about" in parts[1] or "open: none" in parts[1]
    assert any("stand-in" in note for note in rift.notes)


def test_how_many_games_settle_something():
    """0.1 +- 0.2 must be known to within 0.05 of the margin of 0.05: sixteen times as many games. At the margin none do."""
    assert games_needed(0.1, 0.2, 0.05, 100) == pytest.approx(1600)
    assert games_needed(0.0, 0.1, 0.05, 100) == pytest.approx(400)
    assert games_needed(0.05, 0.1, 0.05, 100) is None
    assert [rounded_up(n) for n in (1601, 1600, 99.2, 123_456)] == ["1,700", "1,600", "100", "130,000"]
    own = pl.DataFrame(
        {"verdict": ["open", "open", "open"], "effect": [0.2, 1.5, -2.0], "needed": [100.0, 900.0, 400.0]}
    )
    assert needed_for_all(own) == 400
    assert needed_for_all(own.head(1)) == 100
    assert needed_for_all(own.with_columns(effect=pl.lit(0.5), needed=pl.Series([100.0, None, 1.0]))) is None


def test_a_variant_of_ones_own_and_options_that_it_does_not_allow():
    found = tkg.readings(tkg.umbra(claim="any"), games=4, bots="random", measures=["ending/claimed", "options"])
    assert {"claim: exact", "claim: empty"} <= set(found.ranked["setting"])
    assert "claim: any" not in found.ranked["setting"]
    assert set(found.ranked["instead_of"].filter(found.ranked["reading"] == "claim")) == {"any"}
    assert set(found.table["measure"]) == {"ending/claimed", "options/bid", "options/place"}


RANKED = pl.DataFrame(
    {
        "setting": ["a: x", "b: y", "c: z"],
        "bots": ["greedy-lump", "greedy", "greedy"],
        "measure": ["decisions", "win", "win"],
        "unit": ["number", "share", "share"],
        "difference": [-2.0, 0.03, 0.0],
        "low": [-3.0, -0.02, None],
        "high": [-1.0, 0.08, None],
        "margin": [0.5, 0.05, 0.05],
        "effect": [-4.0, 0.6, 0.0],
        "verdict": ["settle", "open", "never met"],
    }
)


def drawn(table):
    """(what the chart says, its rows by setting)"""
    found = charts.readings(table).to_dict()
    return found, {r["setting"]: r for rows in found["datasets"].values() for r in rows if "words" in r}


def test_the_chart_of_readings_draws_each_in_its_margin_or_all_in_points():
    found, rows = drawn(RANKED)
    assert rows["a: x"]["from"] == -6
    assert rows["b: y"]["at"] == pytest.approx(0.6)
    assert rows["a: x"]["words"] == "decisions of greedy-lump \u22122.0"
    assert rows["b: y"]["words"] == "win of greedy +3.0 points"
    assert found["description"].endswith("b: y: win of greedy +3.0 points, open; c: z: never met.")
    assert found["layer"][2]["encoding"]["x"]["title"].startswith("difference from the variant as it is (margins")
    in_points, rows = drawn(RANKED.tail(2))
    assert (rows["b: y"]["at"], rows["b: y"]["to"]) == pytest.approx((3, 8))
    assert "(points" in in_points["layer"][2]["encoding"]["x"]["title"]
    svg = charts.svg_text(charts.readings(RANKED))
    assert svg != charts.svg_text(charts.readings(RANKED), dark=True)
    with pytest.raises(tkg.Refused, match="no rows"):
        charts.readings(RANKED.clear())


def test_the_chart_takes_what_readings_gives(rift):
    _, rows = drawn(rift.ranked)
    assert set(rows) == set(rift.ranked["setting"])
    assert rows["standing: stable-first"]["words"] == "never met"


# --- The command line ---------------------------------------------------------------------------------------------


def test_compare_prints_its_table_and_json_agrees(tmp_path, capsys):
    args = ("compare", "rift", "rift(supply=6)", "rift(supply=12)", "--bots", "greedy", "--bots", "random", "-n", 40)
    status, out, _ = run(capsys, *args, "--seed", 1, "--out", tmp_path / "c.csv")
    assert status == 0
    assert "A: rift(supply=6)" in out
    assert "note: The reference deck is a stand-in" in out
    assert re.search(r"^greedy +win +\d", out, flags=re.MULTILINE)
    assert pl.read_csv(tmp_path / "c.csv")["measure"][0] == "win"
    told = json.loads(run(capsys, *args, "--seed", 1, "--json")[1])
    assert told["bots"] == ["greedy", "random"]
    assert told["verdict"] in out
    assert run(capsys, *args, "--out", tmp_path / "c.csv")[0] == 2


def test_readings_keeps_its_tables_and_chart(tmp_path, capsys):
    args = ("readings", "rift", "--bots", "greedy", "--measures", "win", "-n", 10, "--set", "supply=9")
    status, out, _ = run(capsys, *args, "--out", tmp_path / "r")
    assert status == 0
    assert out.startswith("rift(supply=9) with every sentence")
    files = {file.name for file in (tmp_path / "r").iterdir()}
    assert files >= {"readings.png", "readings.svg", "readings.csv", "measures.csv"}
    told = json.loads(run(capsys, *args, "--json")[1])
    assert told["verdicts"]["standing"] == "never met"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("compare", "rift", "rift()", "cosmic()"), "no variant of rift"),
        (("compare", "rift", "rift()", "rift(supply=1000)"), "supply=1000"),
        (("compare", "rift", "rift()", "supply=12"), "written like"),
        (("compare", "rifts", "rift()", "rift()"), "no game 'rifts'"),
        (("compare", "rift", "rift()", "rift()", "-n", "1"), "at least 2"),
        (("compare", "rift", "rift()", "rift()", "--margin", "0"), "margin=0"),
        (("compare", "rift", "rift()", "rift()", "--bots", "gredy"), "greedy"),
        (("compare", "umbra", "umbra", "umbra(players=3)", "--bots", "greedy,random", "-n", "2"), "2 for 3 seats"),
        (("compare", "rift", "rift()", "rift()", "-n", "2", "--out", "no/such/c.csv"), "no folder"),
        (("readings", "rift", "--measures", "wins", "-n", "2", "--bots", "random"), "did you mean win"),
        (("readings", "rift", "--set", "hop=never"), "hop=never"),
        (("readings", "chess"), "no game 'chess'"),
    ],
)
def test_slips_are_told_in_a_line(capsys, args, words):
    status, out, err = run(capsys, *args)
    assert (status, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1


def test_what_is_no_variant_or_table_is_refused():
    with pytest.raises(tkg.Refused, match="a=7"):
        tkg.compare(7, "rift")
    with pytest.raises(tkg.Refused, match="different games"):
        tkg.compare("rift", "umbra")
    for bots in ([], 5, [5]):
        with pytest.raises(tkg.Refused, match="bots="):
            tkg.compare("rift", "rift", bots=bots)
    for measures in ([], 5, [5]):
        with pytest.raises(tkg.Refused, match="measures="):
            tkg.readings("rift", measures=measures)
    with pytest.raises(tkg.Refused, match="margin"):
        tkg.readings("rift", margin=2)


def test_readings_of_contests_and_of_single_players_stand_side_by_side():
    """Who wins a contest is told of the contest, who wins by the rules of the player alone; `standing` moves the former only."""
    bots = ["greedy", "greedy,greedy-no-replace"]
    found = tkg.readings("rift", bots=bots, games=60, seed=1, measures=["win", "contest"])
    told = found.table.select("bots", "measure").unique().sort("bots", "measure").rows()
    assert told == [
        ("greedy", "win"),
        (bots[1], "contest/greedy"),
        (bots[1], "contest/greedy-no-replace"),
        (bots[1], "win/greedy"),
        (bots[1], "win/greedy-no-replace"),
    ]
    assert found.verdicts["standing"] != "never met"
    own = found.table.filter((pl.col("reading") == "standing") & pl.col("measure").str.starts_with("win"))
    assert own["difference"].to_list() == [0, 0, 0]


def test_contests_are_played_apart_from_single_players():
    with pytest.raises(tkg.Refused, match="play them apart"):
        play_cells([({}, tkg.rift())], ["greedy", "greedy,random"], 4, 1)
