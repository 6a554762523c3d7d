"""Skill, luck and minutes against values worked out by hand on tiny tables; deals that stay while the bots' luck does not."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from commands import run

import tkg
from tkg import metrics
from tkg.ladders import pair_table
from tkg.metrics.luck import RESAMPLES, components
from tkg.metrics.skill import count_levels
from tkg.metrics.thinking import FORCED, SECONDS
from tkg.skills import measures_of

# --- Luck ---------------------------------------------------------------------------------------------------------


def replays_of(*deals: list[list[tuple[float, ...]]]) -> pl.DataFrame:
    """A table of replayed deals: for each deal, for each seating, what all seats win in every replay."""
    rows = [
        {"deal": d, "seating": s, "replay": r, "seat": seat, "win": float(win)}
        for d, seatings in enumerate(deals)
        for s, games in enumerate(seatings)
        for r, wins in enumerate(games)
        for seat, win in enumerate(wins, start=1)
    ]
    return pl.DataFrame(rows)


def solo(*wins: int) -> list[tuple[float, ...]]:
    return [(float(w),) for w in wins]


def shares(table: pl.DataFrame, column: str = "share") -> dict[str, Any]:
    return dict(table.select("source", column).iter_rows())


def test_what_is_due_to_the_deal_by_hand() -> None:
    """Three deals won twice, once and never of two: deals' means 1, 1/2, 0 round 1/2. The mean square of deals is
    2 (1/4 + 1/4) / 2 = 1/2, that of replays (0 + 1/2 + 0) / 3 = 1/6; the deal has (1/2 - 1/6) / 2 = 1/6, as much as the rest."""
    found = metrics.luck(replays_of([solo(1, 1)], [solo(1, 0)], [solo(0, 0)]))
    assert shares(found, "variance") == pytest.approx(
        {"deal": 1 / 6, "seating": None, "deal_and_seating": None, "play": 1 / 6}
    )
    assert shares(found) == pytest.approx({"deal": 1 / 2, "seating": None, "deal_and_seating": None, "play": 1 / 2})
    assert found["games"].to_list() == [6] * 4
    notes = shares(found, "note")
    assert notes["deal"] is notes["play"] is None
    assert "bots of different strength" in notes["seating"]


def test_seats_are_added_up() -> None:
    """For two, what one seat wins the other loses: twice the variance of either, and the same shares."""
    found = metrics.luck(replays_of(*([[(w, 1 - w) for w in wins]] for wins in ((1, 1), (1, 0), (0, 0)))))
    assert shares(found, "variance")["deal"] == pytest.approx(2 / 6)
    assert shares(found)["deal"] == pytest.approx(1 / 2)


def test_what_is_due_to_skill_by_hand() -> None:
    """Two deals, two bots, two replays: the first wins 2 and 1, the second 1 and 0, so means are 1, 1/2; 1/2, 0. Those of deals
    are 3/4 and 1/4, those of bots too, and nothing is particular to both. Mean squares: replays 1/4, deals
    4 (1/16 + 1/16) = 1/2, bots the same, both 0. So the deal has (1/2 - 1/4) / 4 = 1/16, skill 1/2 (1/2) / 4 = 1/16, both (below) 0 and
    play 1/4: 1, 1, 0 and 4 sixths."""
    table = replays_of([solo(1, 1), solo(1, 0)], [solo(1, 0), solo(0, 0)])
    assert shares(metrics.luck(table)) == pytest.approx(
        {"deal": 1 / 6, "seating": 1 / 6, "deal_and_seating": 0, "play": 4 / 6}
    )


def test_deals_that_suit_one_seating_by_hand() -> None:
    """Each of two bots wins its own deal, both times: all of it is due to both together.

    The mean square of both is 2 (4 / 4) = 2, so 1/2 (2 - 0) / 2 = 1/2, while deals have (0 - 0) / 4 and bots 1/2 (0 - 2) / 4, told as 0."""
    found = metrics.luck(replays_of([solo(1, 1), solo(0, 0)], [solo(0, 0), solo(1, 1)]))
    assert shares(found, "variance") == pytest.approx({"deal": 0, "seating": 0, "deal_and_seating": 1 / 2, "play": 0})


def test_deals_that_are_all_alike_tell_of_no_spread() -> None:
    """The better bot wins every game: all is due to skill, and no interval pretends to know that for certain."""
    found = metrics.luck(replays_of(*([solo(1, 1), solo(0, 0)] for _ in range(9))))
    assert shares(found) == {"deal": 0, "seating": 1, "deal_and_seating": 0, "play": 0}
    assert found["low"].null_count() == found["high"].null_count() == 4
    notes = shares(found, "note")
    assert "no spread" in notes["deal"]
    assert "never came out otherwise" in notes["play"]


def drawn(deal: float, skill: float, both: float, deals: int, seed: int) -> np.ndarray:
    """Outcomes of two seatings and four replays with these variances, and 1 of play."""
    rng = np.random.default_rng(seed)
    share = math.sqrt(2) * rng.normal(0, math.sqrt(both), (deals, 1)) * np.array([[1, -1]]) / math.sqrt(2)
    mean = rng.normal(0, math.sqrt(deal), (deals, 1)) + math.sqrt(skill) * np.array([[1, -1]]) + share
    return (mean[:, :, None] + rng.normal(0, 1, (deals, 2, 4)))[..., None]


def test_variances_are_found_again_on_average() -> None:
    found = [components(drawn(0.5, 0.3, 0.2, 30, seed), np.ones((1, 30)))[0] for seed in range(300)]
    assert np.mean(found, axis=0) == pytest.approx([0.5, 0.3, 0.2, 1], abs=0.04)


def test_resampled_deals_vary_round_the_estimate() -> None:
    """Few deals, so that what resampling lacks would show: without the corrections deals have a tenth less, and skill a fifth more."""
    wins, deals = drawn(0.5, 0.1, 0.6, 10, 1), 10
    draws = np.random.default_rng(0).multinomial(deals, np.full(deals, 1 / deals), 20 * RESAMPLES).astype(np.float64)
    assert components(wins, draws, resampled=True).mean(axis=0) == pytest.approx(
        components(wins, np.ones((1, deals)))[0], abs=0.02
    )


def test_intervals_hold_the_truth() -> None:
    """The deal has 0.5 of 1.5: of 60 tables of 60 deals, at least 50 intervals hold a third; 57 may be expected."""
    held = 0
    for seed in range(60):
        wins = drawn(0.5, 0, 0, 60, seed)[:, :1]
        table = metrics.luck(replays_of(*([[tuple(game) for game in games] for games in deal] for deal in wins)))
        row = table.row(by_predicate=pl.col("source") == "deal", named=True)
        held += row["low"] <= 1 / 3 <= row["high"]
    assert held >= 50


def test_luck_that_cannot_be_measured() -> None:
    with pytest.raises(metrics.NotMeasured, match="all games came out alike"):
        metrics.luck(replays_of([solo(1, 1)], [solo(1, 1)]))
    table = replays_of([solo(1, 1)], [solo(0, 1)])
    for bad, words in (
        (table[1:], "each once"),
        (table.filter(pl.col("deal") == 0), "1 deals"),
        (table[:0], "no games"),
    ):
        with pytest.raises(tkg.Refused, match=words):
            metrics.luck(bad)


def test_variants_are_told_apart() -> None:
    one, other = replays_of([solo(1, 1)], [solo(0, 0)]), replays_of([solo(1, 0)], [solo(0, 1)])
    both = pl.concat([one.with_columns(v=pl.lit("one")), other.with_columns(v=pl.lit("other"))])
    found = metrics.luck(both, "v")
    assert dict(found.filter(source="deal").select("v", "share").iter_rows()) == {"one": 1, "other": 0}
    with pytest.raises(tkg.Refused, match="tell runs apart"):
        metrics.luck(both)


def test_games_that_all_came_out_alike_hide_no_others() -> None:
    one, other = replays_of([solo(1, 1)], [solo(0, 0)]), replays_of([solo(1, 1)], [solo(1, 1)])
    found = metrics.luck(pl.concat([one.with_columns(v=pl.lit(3)), other.with_columns(v=pl.lit(4))]), "v")
    assert found.filter(source="deal").select("v", "share").rows() == [(3, 1), (4, None)]
    assert found.filter(v=4)["note"].to_list() == ["all games came out alike, so there is nothing to account for"] * 4


# --- Replayed deals -----------------------------------------------------------------------------------------------


def test_a_deal_stays_while_the_bots_luck_does_not() -> None:
    """The first replay of the first seating is the game of a run; every rotation of bots that differ is played."""
    variant = tkg.umbra(players=3)
    bots = ["greedy", "random", "random"]
    found = tkg.replay_deals(variant, bots, deals=6, replays=3, seed=4)
    run = tkg.simulate(variant, bots, 6, seed=4, fixed_seats=True)
    first = found.filter((pl.col("replay") == 0) & (pl.col("seating") == 0))
    for column in ("game_seed", "seat", "win"):
        assert first[column].to_list() == run[column].to_list()
    sits = found.filter(pl.col("bot").cast(pl.String) == "greedy").select("seating", "seat").unique().sort("seating")
    assert sits.rows() == [(0, 1), (1, 3), (2, 2)]
    assert found.height == 6 * 3 * 3 * 3
    assert found.group_by("game").agg(pl.col("win").sum())["win"].to_list() == pytest.approx([1] * 54)
    assert found.equals(tkg.replay_deals(variant, bots, deals=6, replays=3, seed=4, workers=1))
    assert metrics.luck(found)["share"].sum() == pytest.approx(1)


def test_chance_is_the_same_in_every_replay() -> None:
    """In a game that is nothing but its deal and chance, replays never differ; random players have luck of their own."""
    solo_bot = tkg.replay_deals(tkg.rift(supply=9), "greedy", deals=12, replays=3, seed=2)
    assert (solo_bot.group_by("deal").agg(pl.col("win").n_unique())["win"] == 1).all()
    several = tkg.replay_deals(tkg.cosmic(), "random", deals=12, replays=4, seed=2)
    assert (several.filter(seat=1).group_by("deal").agg(pl.col("win").n_unique())["win"] > 1).any()


def test_players_of_a_game_for_one_are_its_seatings() -> None:
    found = tkg.replay_deals(tkg.rift(), "greedy,random", deals=5, replays=2, seed=1).cast({"bot": pl.String})
    assert found.select("seating", "bot").unique().sort("seating").rows() == [(0, "greedy"), (1, "random")]
    assert found["seat"].unique().to_list() == [1]


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"deals": 1}, "deals=1"), ({"replays": 1}, "replays=1"), ({"bots": "gredy"}, "gredy"), ({"deals": 0}, "games=0")],
)
def test_bad_replays_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(tkg.Refused, match=words):
        tkg.replay_deals(tkg.umbra(), **settings)


# --- Skill --------------------------------------------------------------------------------------------------------


def pairs_of(bots: list[str], won: dict[tuple[int, int], float], deals: int = 100) -> pl.DataFrame:
    """The pairs of a ladder for two in which the higher rung wins such a share of the deals whole."""
    alone = np.full((deals, len(bots), len(bots)), 0.5)
    for (low, high), share in won.items():
        alone[:, high, low] = np.arange(deals) < share * deals
        alone[:, low, high] = 1 - alone[:, high, low]
    return pair_table(bots, alone, 2)


RUNGS = ["a", "b", "c", "d"]
# Of 100 deals, which tell as much as 99 games (n - 1), the lower ends are 0.711 for 80, 0.442 for 54 and 0.512 for 61.
LADDER = pairs_of(RUNGS, {(0, 1): 0.8, (0, 2): 0.9, (0, 3): 0.95, (1, 2): 0.54, (1, 3): 0.61, (2, 3): 0.55})


def test_levels_are_a_chain_of_rungs_that_beat_the_one_before() -> None:
    """b beats a; c cannot be told from b; d beats b, though it cannot be told from c: three levels, a, b and d."""
    found = metrics.strength_levels(LADDER, RUNGS)
    assert found.select("level", "bot", "below").rows() == [(1, "a", None), (2, "b", "a"), (3, "d", "b")]
    assert found["share"].to_list() == [None, 0.8, 0.61]
    assert found["low"][1] == pytest.approx(0.7107, abs=1e-4)


def test_levels_at_least_and_at_most() -> None:
    """For three comparisons together a step takes 2.39 standard errors, and 61 of 100 are 2 (0.11) 10 = 2.2: a and b are left. At most
    all four are, for no rung is beaten by the one below."""
    assert count_levels(LADDER, RUNGS) == (3, 2, 4)
    beaten = pairs_of(["a", "b", "c"], {(0, 1): 0.3, (0, 2): 0.55, (1, 2): 0.9})
    assert count_levels(beaten, ["a", "b", "c"]) == (1, 1, 2)


def test_levels_need_rungs_that_have_met() -> None:
    with pytest.raises(tkg.Refused, match="e and a have not met"):
        metrics.strength_levels(LADDER, [*RUNGS, "e"])
    with pytest.raises(tkg.Refused, match="at least one"):
        metrics.strength_levels(LADDER, [])


def test_a_coin_may_settle_twice_what_the_weaker_wins() -> None:
    """d takes 95% from a: were more than a tenth of the games coin flips, a would win more than 5%. 55% leave room for nearly all."""
    row = metrics.coin_flips(LADDER, "d", "a", 2).row(0, named=True)
    [share] = LADDER.filter((pl.col("bot") == "d") & (pl.col("opponent") == "a")).select("low", "high").rows(named=True)
    assert row["share"] == pytest.approx(0.1)
    assert (row["low"], row["high"]) == pytest.approx((2 - 2 * share["high"], 2 - 2 * share["low"]))
    assert metrics.coin_flips(LADDER, "d", "c", 2)["high"].item() == 1
    for seats, words in ((1, "single player"), (3, "game for two")):
        with pytest.raises(metrics.NotMeasured, match=words):
            metrics.coin_flips(LADDER, "d", "a", seats)


def test_a_class_of_players_wins_three_games_of_four() -> None:
    assert metrics.complexity(400 * math.log10(9)) == pytest.approx(2)
    assert metrics.complexity(None) is None


def test_skill_is_told_from_a_ladder() -> None:
    """Its games are those of the ladder of the same rungs, deals and seed, with the lowest rung at 0."""
    found = tkg.skill(tkg.umbra(), [1, 4], deals=6, seed=3, below="greedy")
    rungs = ["greedy", "mcts:1", "mcts:4"]
    same = tkg.ladder(tkg.umbra(), rungs, deals=6, seed=3, anchor="greedy")
    assert found.ladder.pairs.equals(same.pairs)
    pairs = {(r["bot"], r["opponent"]): r["share"] for r in same.pairs.iter_rows(named=True)}
    assert found.by_budget["share"].to_list() == [pairs["mcts:1", "greedy"], pairs["mcts:4", "greedy"]]
    told = {row["measure"]: row for row in found.measures.iter_rows(named=True)}
    top = same.standings.row(by_predicate=pl.col("bot") == "mcts:4", named=True)
    assert told["elo_spread"]["mean"] == top["rating"]
    assert told["complexity"]["mean"] == pytest.approx(top["rating"] / (400 * math.log10(3)))
    assert told["levels"]["mean"] == len(found.levels)
    assert told["coin_flips"]["low"] <= told["coin_flips"]["mean"] <= told["coin_flips"]["high"]
    assert told["half_chess"]["mean"] is None
    assert "not drawn" in told["half_chess"]["note"]
    text = str(found)
    assert "of the victories over greedy" in text
    assert "half_chess" in text


def test_skill_is_told_on_the_command_line(tmp_path: Any, capsys: Any) -> None:
    """As the same call tells it, but for what a decision costs, which is measured."""
    args = ("skill", "umbra", "-n", 4, "--seed", 3, "--budgets", "1,2", "--below", "random")
    status, out, err = run(capsys, *args, "--out", tmp_path / "skill")
    assert status == 0
    assert "stand-in" in err
    assert out.startswith("umbra(), 4 deals, seed 3; 95% intervals\nshare: of the victories over random")
    assert {file.name for file in (tmp_path / "skill").iterdir()} == {"by_budget.csv", "levels.csv", "measures.csv"}
    status, text, err = run(capsys, *args, "--json")
    assert (status, err) == (0, "")
    told, found = json.loads(text), tkg.skill(tkg.umbra(), [1, 2], 4, 3, below="random")
    assert (told["variant"], told["deals"], told["against"]) == ("umbra()", 4, "random")
    assert told["measures"] == found.measures.to_dicts()
    assert [row["share"] for row in told["by_budget"]] == found.by_budget["share"].to_list()
    assert run(capsys, *args, "--out", tmp_path / "skill")[0] == 2


def test_skill_of_a_single_player_is_what_it_wins() -> None:
    found = tkg.skill(tkg.rift(supply=21), [1, 2], deals=8, seed=3, below="random,greedy")
    wins = dict(found.ladder.standings.select("bot", "win").iter_rows())
    assert found.by_budget["share"].to_list() == [wins["mcts:1"], wins["mcts:2"]]
    notes = dict(found.measures.select("measure", "note").iter_rows())
    assert "single player" in notes["coin_flips"]
    assert "single player" in notes["half_chess"]
    assert found.ladder.standings.filter(bot="random")["win"].item() == 0
    assert "nothing bounds" in notes["elo_spread"]
    assert measures_of(found.ladder, found.ladder.bots).equals(found.measures)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"budgets": []}, "budgets"),
        ({"budgets": [4, 2]}, "ascending"),
        ({"budgets": [2, 2]}, "ascending"),
        ({"budgets": 4}, "budgets=4"),
        ({"budgets": [200_000]}, "100,000"),
        ({"search": "greedy"}, "uct or mcts"),
        ({"search": "peek"}, "uct or mcts"),
        ({"below": "peek:4"}, "looks at what is hidden"),
        ({"below": "greedy,greedy"}, "given twice"),
        ({"deals": 1}, "deals=1"),
    ],
)
def test_bad_measures_of_skill_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(tkg.Refused, match=words):
        tkg.skill(tkg.umbra(), **{"budgets": [1], **settings})


def test_a_ladder_is_anchored_at_a_rung() -> None:
    found = tkg.ladder(tkg.umbra(), "random,greedy", deals=2, anchor="random", workers=1)
    assert found.standings.filter(bot="random")["rating"].item() == 0
    with pytest.raises(tkg.Refused, match="anchor='mcts:4': one of the rungs"):
        tkg.ladder(tkg.umbra(), "random,greedy", deals=2, anchor="mcts:4")


# --- Minutes ------------------------------------------------------------------------------------------------------


def decided(**columns: list[int]) -> pl.DataFrame:
    """Games for two, a row for each seat; columns tell what all seats of a game have decided."""
    n = len(next(iter(columns.values())))
    twice = {name: np.repeat(values, 2) for name, values in columns.items()}
    return pl.DataFrame({"run": "r", "game": np.repeat(np.arange(n), 2), "seat": [1, 2] * n, **twice})


GAMES = decided(decisions_bid=[20, 40], choices_bid=[20, 40], decisions_place=[12, 12], choices_place=[6, 12])


def test_minutes_by_hand() -> None:
    """Two decide each bid together. At 30 s a bid, 10 s a placement and 5 s where nothing is to be decided, the games take
    10 * 30 + 6 * 10 + 6 * 5 = 390 s and 20 * 30 + 12 * 10 = 720 s: 6.5 and 12 minutes, 9.25 on average, with standard error 2.75."""
    row = metrics.minutes(GAMES, seconds={"bid": 30, "place": 10}, forced=5).row(0, named=True)
    assert (row["games"], row["mean"], row["se"]) == (2, pytest.approx(9.25), pytest.approx(2.75))
    assert row["low"] == 0  # 9.25 less 12.7 times 2.75
    assert row["high"] == pytest.approx(9.25 + 12.7062 * 2.75, abs=1e-3)
    assert (row["q5"], row["q95"]) == (6.5, 12)
    apart = metrics.minutes(GAMES, seconds={"bid": 30, "place": 10}, forced=5, together=())
    assert apart["mean"].item() == pytest.approx(9.25 + 30 * 30 / 2 / 60)


def test_seconds_come_from_playtests_or_from_guesses() -> None:
    """Medians of thinking times by kind; kinds that nobody has timed are guessed."""
    log = pl.DataFrame(
        {
            "id": ["g"] * 4, "by": ["person"] * 4, "kind": ["bid"] * 3 + ["place"], "options": [5, 5, 5, 1],
            "seconds": [20.0, 60.0, 600.0, 1.0],
        }
    )  # fmt: skip
    timed = metrics.minutes(GAMES, seconds=metrics.thinking_time(log))
    same = metrics.minutes(GAMES, seconds={"bid": 60})
    assert timed.equals(same)
    guessed = 15 * SECONDS["bid"] + 9 * SECONDS["place"] + 3 * FORCED
    assert metrics.minutes(GAMES)["mean"].item() == pytest.approx(guessed / 60)
    assert metrics.minutes(GAMES, seconds=4, forced=4)["mean"].item() == pytest.approx((15 + 12) * 4 / 60)


def test_players_of_a_contest_do_not_wait_for_each_other() -> None:
    """Each decides alone on its deal, kinds that others would decide together too."""
    row = metrics.minutes(GAMES.with_columns(contest=pl.lit(0.5)), seconds=60, forced=0).row(0, named=True)
    assert row["mean"] == pytest.approx(30 + 9)


def test_every_kind_of_decision_has_a_guess(game: str) -> None:
    assert set(tkg.GAMES[game].KINDS) <= set(SECONDS)
    runs = tkg.simulate(tkg.variant(f"{game}()"), "random", 4, workers=1)
    assert (metrics.minutes(runs, "variant")["mean"] > 0).all()


def test_a_number_of_seconds_is_for_all_kinds_and_a_median_that_is_null_tells_nothing() -> None:
    own = GAMES.rename({name: name.replace("bid", "bluff") for name in GAMES.columns})
    assert metrics.minutes(own, seconds=4, forced=4)["mean"].item() == pytest.approx((30 + 12) * 4 / 60)
    unknown = pl.DataFrame(
        {"kind": ["bid", "place"], "q50": [None, None]}, schema={"kind": pl.String, "q50": pl.Float64}
    )
    assert metrics.minutes(GAMES, seconds=unknown).equals(metrics.minutes(GAMES))


def test_a_kind_that_no_game_has_is_refused() -> None:
    with pytest.raises(tkg.Refused, match=r"no kind of decision 'biuld'.*build"):
        metrics.minutes(GAMES, seconds={"biuld": 400})
    assert metrics.minutes(GAMES, seconds={"build": 400}).equals(metrics.minutes(GAMES))  # of another game


@pytest.mark.parametrize("settings", [{"seconds": -1}, {"seconds": {"bid": "long"}}, {"seconds": True}, {"forced": -1}])
def test_bad_seconds_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(tkg.Refused, match="from 0"):
        metrics.minutes(GAMES, **settings)


def test_minutes_need_decisions() -> None:
    with pytest.raises(tkg.Refused, match="no decisions"):
        metrics.minutes(GAMES.select("run", "game", "seat"))
