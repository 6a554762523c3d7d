"""Measures of tension against values worked out by hand on tiny traces; noise is no tension."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

import tkg
from tkg import metrics

SURE = 100_000_000  # playouts that leave no noise


def trace_of(
    *games: Sequence[Sequence[float]],
    deciders: Sequence[int] = (),
    playouts: int = SURE,
    se: float = 0.0,
    apart: int = 1,
) -> pl.DataFrame:
    """A trace: for every game the values of all seats at every moment, the last of them what came of it.

    Moments are `apart` decisions apart; `deciders` are the seats that decide at them, the first one unless told.
    """
    rows = []
    for number, values in enumerate(games):
        last = len(values) - 1
        for moment, by_seat in enumerate(values):
            for seat, value in enumerate(by_seat, start=1):
                rows.append(
                    {
                        "run": "r",
                        "game": number,
                        "moment": moment,
                        "decision": moment * apart,
                        "decisions": last * apart,
                        "time": moment / last,
                        "options": 2 if moment < last else 0,
                        "seat": seat,
                        "bot": "b",
                        "decides": moment < last and seat == (deciders[moment] if deciders else 1),
                        "playouts": playouts if moment < last else 0,
                        "value": float(value),
                        "se": se if moment < last else 0.0,
                        "win": float(values[last][seat - 1]),
                    }
                )
    return pl.DataFrame(rows)


def two(*firsts: float) -> list[tuple[float, float]]:
    """The values of two seats from those of the first."""
    return [(v, 1 - v) for v in firsts]


def alone(*values: float) -> list[tuple[float]]:
    return [(v,) for v in values]


def told(table: pl.DataFrame) -> dict[str, Any]:
    return {row["measure"]: row["mean"] for row in table.iter_rows(named=True)}


def games_of(**columns: list[Any]) -> pl.DataFrame:
    n = len(columns["game"])
    return pl.DataFrame({"run": ["r"] * n, **columns})


# --- Whole games --------------------------------------------------------------------------------------------------


def test_completion_and_drawishness() -> None:
    """Four games for two: one alone, one shared, one stopped while seat 1 was ahead, one alone: 3 of 4 end, 2 of 4 are draws."""
    table = games_of(
        game=[0, 0, 1, 1, 2, 2, 3, 3],
        seat=[1, 2] * 4,
        win=[1.0, 0, 0.5, 0.5, 1, 0, 0, 1],
        ending=["a", "a", "a", "a", "unfinished", "unfinished", "b", "b"],
    )
    ended, drawn = metrics.completion(table), metrics.drawishness(table)
    assert ended.select("games", "count", "share").row(0) == (4, 3, 0.75)
    assert drawn.select("games", "count", "share").row(0) == (4, 2, 0.5)
    with pytest.raises(tkg.Refused, match="differs within a game"):
        metrics.drawishness(table, "seat")


def test_a_game_without_a_limit_is_always_completed() -> None:
    table = games_of(game=[0, 1], seat=[1, 1], win=[1.0, 0.0], decisions=[10, 14])
    assert metrics.completion(table)["share"].item() == 1
    with pytest.raises(metrics.NotMeasured, match="drawishness: a single player"):
        metrics.drawishness(table)


def test_duration_and_how_far_it_is_from_a_preferred_one() -> None:
    """10 and 14 decisions: 12, s / sqrt 2 = 2; off 20 by 10/20 and 6/20: 0.4."""
    table = games_of(game=[0, 0, 1, 1], seat=[1, 2, 1, 2], decisions=[10, 10, 14, 14])
    found = metrics.duration(table, preferred=20)
    assert told(found) == {"duration": 12, "off_duration": pytest.approx(0.4)}
    assert found["se"][0] == pytest.approx(2)
    with pytest.raises(tkg.Refused, match="above 0"):
        metrics.duration(table, preferred=0)
    with pytest.raises(tkg.Refused, match="column='run': a column of numbers"):
        metrics.duration(table, column="run")
    assert metrics.duration(table, "run")["games"].to_list() == [2]


# --- From behind --------------------------------------------------------------------------------------------------


def test_drama_is_what_winners_lacked() -> None:
    """Seat 1 wins with 0.5, 0.3, 0.4, 0.9: it lacks 0, 0.4, 0.2, 0, on average 0.15, at most 0.4, in half of the moments.

    Seat 2 wins and never lacks anything. Means 0.075, 0.2, 0.25; the first has s = 0.15 / sqrt 2, se = 0.075.
    """
    found = metrics.drama(trace_of(two(0.5, 0.3, 0.4, 0.9, 1), two(0.5, 0.4, 0.2, 0.1, 0)))
    assert told(found) == pytest.approx({"drama": 0.075, "drama_max": 0.2, "behind": 0.25})
    assert found["se"][0] == pytest.approx(0.075)


def test_winners_of_one_game_are_averaged() -> None:
    """Both win: one lacked nothing, the other 0.4 once in two moments: 0.2 and 0 by moment."""
    found = told(metrics.drama(trace_of(two(0.7, 0.5, 0.5))))
    assert found == pytest.approx({"drama": 0.1, "drama_max": 0.2, "behind": 0.25})


def test_a_lag_within_the_margin_is_none() -> None:
    """16 playouts of level seats: the difference has the standard error sqrt((1/2 + 1/2) / 16) = 0.25. A lag of 0.2 is less than one
    of them, 0.8 is more than three and less than three and a half."""
    table = trace_of(two(0.4, 0.1, 1), playouts=16)
    assert told(metrics.drama(table)) == pytest.approx({"drama": 0.4, "drama_max": 0.8, "behind": 0.5})
    assert told(metrics.drama(table, margin=3.5))["drama"] == 0
    assert told(metrics.drama(table, margin=0))["drama"] == pytest.approx(0.5)


def test_lead_changes_pass_over_moments_without_a_leader() -> None:
    """Leads 1, nobody, 2, 2, 1 and at the end 1: two changes, known at four of five moments before the end."""
    found = told(metrics.lead_changes(trace_of(two(0.7, 0.5, 0.4, 0.2, 0.8, 1))))
    assert found == pytest.approx({"lead_changes": 2, "lead_known": 0.8})


def test_who_wins_leads_at_the_end() -> None:
    """Of three seats the first leads and the third wins: one change. In a shared victory nobody leads."""
    lost = [(0.6, 0.3, 0.1), (0.5, 0.3, 0.2), (0, 0, 1)]
    assert told(metrics.lead_changes(trace_of(lost)))["lead_changes"] == 1
    assert told(metrics.lead_changes(trace_of(two(0.7, 0.5))))["lead_changes"] == 0


# --- How open games are -------------------------------------------------------------------------------------------


def test_a_game_is_decided_when_the_winner_stays_above_the_threshold() -> None:
    """0.5, 0.9, 0.7, 0.85, 0.95 at times 0, 0.2 and so on: below 0.8 for the last time at 0.4, so decided at 0.6, before 2/3."""
    found = told(metrics.decisiveness(trace_of(two(0.5, 0.9, 0.7, 0.85, 0.95, 1))))
    assert found == pytest.approx({"decided_at": 0.6, "decided_early": 1})
    late = told(metrics.decisiveness(trace_of(two(0.5, 0.9, 0.7, 0.85, 0.95, 1)), threshold=0.9))
    assert late == pytest.approx({"decided_at": 0.8, "decided_early": 0})


def test_a_single_players_defeat_is_decided_too() -> None:
    """Chances 0.5, 0.3, 0.1, 0.15, then defeat: certain of it by 0.5, 0.7, 0.9, 0.85, above 0.8 from time 0.5 on."""
    assert told(metrics.decisiveness(trace_of(alone(0.5, 0.3, 0.1, 0.15, 0))))["decided_at"] == 0.5


def test_what_nobody_wins_alone_is_decided_at_the_end() -> None:
    assert told(metrics.decisiveness(trace_of(two(0.9, 0.9, 0.5))))["decided_at"] == 1


def test_a_threshold_is_a_share_of_more_than_half() -> None:
    with pytest.raises(tkg.Refused, match=r"threshold=0\.5"):
        metrics.decisiveness(trace_of(two(0.5, 1)), threshold=0.5)


H = 0.811278  # bits of a quarter and three quarters: 0.25 * 2 + 0.75 * 0.415037


def test_uncertainty_is_the_entropy_of_who_wins() -> None:
    """Level 1, three to one 0.8113, certain 0, at times 0, 0.25, 0.5; then 0.8113 at 0.75, the only one in the last third."""
    for values in (two(0.5, 0.75, 1, 0.25, 1), alone(0.5, 0.75, 1, 0.25, 1)):
        found = told(metrics.uncertainty(trace_of(values)))
        whole = {"uncertainty": (1 + 2 * H) / 4, "uncertainty_early": (1 + H) / 2, "uncertainty_late": H}
        assert found == pytest.approx(whole, abs=1e-5)
    three = [(1 / 3, 1 / 3, 1 / 3), (0.5, 0.5, 0), (1, 0, 0)]  # log 3 / log 3, log 2 / log 3
    assert told(metrics.uncertainty(trace_of(three)))["uncertainty"] == pytest.approx((1 + 0.630930) / 2, abs=1e-5)


def test_entropies_of_few_playouts_are_put_right() -> None:
    """Two outcomes seen in 10 playouts: 1 / (2 * 10) nats more, over log 2 = 0.693147; one outcome alone: nothing."""
    found = metrics.uncertainty_over_time(trace_of(two(0.75, 1, 1), playouts=10), parts=2)
    assert found["mean"].to_list() == pytest.approx([H + 0.05 / 0.693147, 0], abs=1e-5)


def test_uncertainty_over_time_is_told_by_parts() -> None:
    """Two games, of four and of two stretches: 1, H, 0, H and 1, 0. In halves: (1 + H) / 2 and H / 2; 1 and 0."""
    table = trace_of(two(0.5, 0.75, 1, 0.25, 1), two(0.5, 1, 1))
    found = metrics.uncertainty_over_time(table, parts=2)
    assert found.columns == ["part", "time", "games", "mean", "se", "low", "high"]
    assert found.select("part", "time", "games").rows() == [(0, 0, 2), (1, 0.5, 2)]
    assert found["mean"].to_list() == pytest.approx([((1 + H) / 2 + 1) / 2, (H / 2 + 0) / 2], abs=1e-5)


def test_instability_is_the_variance_that_is_no_noise() -> None:
    """0.2, 0.4, 0.6: variance 0.04, less 0.1 squared; the end, 1, does not count. The other seat's is the same."""
    assert told(metrics.stability(trace_of(alone(0.2, 0.4, 0.6, 1), se=0.1)))["instability"] == pytest.approx(0.03)
    assert told(metrics.stability(trace_of(two(0.2, 0.4, 0.6, 1), se=0.1)))["instability"] == pytest.approx(0.03)


# --- Single moves -------------------------------------------------------------------------------------------------


def test_killer_moves_are_gains_of_who_decides() -> None:
    """Seats 1, 2, 1, 2 decide: gains 0.3 of seat 1, 0.1 of seat 2, 0 of seat 1, and 0.3 of the first seat at the
    end, which is a loss of the second, who decided. One of four decisions is a killer, the largest gain 0.3."""
    table = trace_of(two(0.5, 0.8, 0.7, 0.7, 1), deciders=[1, 2, 1, 2])
    assert told(metrics.killer_moves(table)) == pytest.approx({"killer_moves": 0.25, "largest_gain": 0.3})
    assert told(metrics.killer_moves(table, least=0.05))["killer_moves"] == 0.5
    noisy = told(metrics.killer_moves(table.with_columns(playouts=pl.col("playouts").clip(0, 16))))
    assert noisy == {"killer_moves": 0, "largest_gain": 0}  # se of 0.5 to 0.8: sqrt(0.65 * 0.35 * 2 / 16) = 0.17


def test_killer_moves_need_moments_one_decision_apart() -> None:
    with pytest.raises(metrics.NotMeasured, match='moments="all"'):
        metrics.killer_moves(trace_of(two(0.5, 0.8, 1), apart=2))


def test_permanence_asks_whether_the_next_turn_takes_a_gain_back() -> None:
    """Turns of seats 1 (two decisions), 2, 1 and 2. The first gains 0.3 of the victory, the second takes 0.2 of them,
    more than half, which is a gain of its own; the third takes back 0.05 of it, less than half, and that is a gain too, of which
    the last turn takes all. The last turn has none after it. Kept: one of three."""
    table = trace_of(two(0.5, 0.6, 0.8, 0.6, 0.65, 0.0), deciders=[1, 1, 2, 1, 2])
    found = metrics.permanence(table)
    assert told(found)["permanence"] == pytest.approx(1 / 3)
    with pytest.raises(metrics.NotMeasured, match="no turn gained"):
        metrics.permanence(table.with_columns(playouts=pl.col("playouts").clip(0, 10)))
    with pytest.raises(metrics.NotMeasured, match="leaves decisions out"):
        metrics.permanence(trace_of(two(0.5, 0.6, 0), apart=3))


def options_of(
    *options: Sequence[float], game: int = 0, moment: int = 0, again: Any = None, playouts: int = SURE
) -> pl.DataFrame:
    """What seat 1 of three can do: for each option the values of all seats, and those of the other half of the playouts."""
    rows = [
        {
            "run": "r",
            "game": game,
            "moment": moment,
            "decider": 1,
            "option": option,
            "seat": seat + 1,
            "playouts": playouts,
            "value": float(values[seat]),
            "value_again": float((again or options)[option][seat]),
        }
        for option, values in enumerate(options)
        for seat in range(3)
    ]
    return pl.DataFrame(rows)


LOST = [(0, 0.5, 0.5), (0, 0.4, 0.6), (0, 1, 0)]


def test_kingmakers_have_lost_and_settle_who_wins() -> None:
    """Game 0: by its options seat 1, which has lost, gives seat 2 the share 0.9, 0.5 or 0.2: power 0.7. Game 1: nothing to
    settle. Two decisions with options in each game: 1 of 4 a kingmaker's, 1 of 2 games, mean power 0.35."""
    options = pl.concat(
        [
            options_of((0, 0.9, 0.1), (0, 0.5, 0.5), (0, 0.2, 0.8)),
            options_of((0, 0.5, 0.5), (0, 0.5, 0.5), game=1),
        ]
    )
    found = metrics.kingmaking(trace_of(LOST, LOST), options)
    measures = {"kingmaking": 0.25, "kingmaker_games": 0.5, "kingmaker_power": 0.35}
    assert told(found) == pytest.approx(measures)
    low, high = found.filter(measure="kingmaker_games").select("low", "high").row(0)
    assert (low, high) == pytest.approx((0.09453, 0.90547), abs=1e-4)  # Wilson, 1 of 2
    assert told(metrics.kingmaking(trace_of(LOST, LOST), options, least=0.8))["kingmaking"] == 0


def test_who_can_still_win_is_no_kingmaker() -> None:
    options = options_of((0, 0.9, 0.1), (0.01, 0.2, 0.79))
    assert told(metrics.kingmaking(trace_of(LOST), options)) == {
        "kingmaking": 0,
        "kingmaker_games": 0,
        "kingmaker_power": 0,
    }


def test_power_is_told_by_the_playouts_that_did_not_pick_it() -> None:
    """The first half picks option 0 against 1 for seat 2: by the second 0.6 - 0.5. The second picks 0 against 2: by the first 0.9 - 0.3.
    For seat 3 the same with the other sign. Mean 0.35; with 16 playouts that is within the margin."""
    first, again = [(0, 0.9, 0.1), (0, 0.2, 0.8), (0, 0.3, 0.7)], [(0, 0.6, 0.4), (0, 0.5, 0.5), (0, 0.4, 0.6)]
    found = told(metrics.kingmaking(trace_of(LOST), options_of(*first, again=again)))
    assert found == pytest.approx({"kingmaking": 0.5, "kingmaker_games": 1, "kingmaker_power": 0.35})
    few = options_of(*first, again=again, playouts=16)
    assert told(metrics.kingmaking(trace_of(LOST), few))["kingmaking"] == 0


def test_nobody_has_lost() -> None:
    found = metrics.kingmaking(trace_of(LOST), options_of((0, 1, 0)).head(0))
    assert told(found) == {"kingmaking": 0, "kingmaker_games": 0, "kingmaker_power": 0}


# --- Noise, and what means nothing --------------------------------------------------------------------------------


def level_noise(games: int, playouts: int, seed: int) -> pl.DataFrame:
    """Two level seats, or what their playouts say of them, until one of them wins by luck."""
    random = np.random.default_rng(seed)
    values = random.binomial(playouts, 0.5, size=(games, 11)) / playouts
    values[:, -1] = random.integers(2, size=games)
    table = trace_of(*(two(*map(float, game)) for game in values), deciders=[1, 2] * 5, playouts=playouts)
    error = (pl.col("value") * (1 - pl.col("value")) / (playouts - 1)).sqrt()
    return table.with_columns(se=pl.when(pl.col("playouts") > 0).then(error).otherwise(0.0))


@pytest.mark.parametrize("playouts", [16, 64])
def test_noise_is_no_tension(playouts: int) -> None:
    """What it would be without a margin stands beside it: the mean lag of noise is about 0.4 / sqrt(playouts)."""
    table = level_noise(300, playouts, seed=1)
    found = {row["measure"]: row for row in metrics.tension(table).iter_rows(named=True)}
    assert found["drama"]["mean"] < 0.002
    assert found["behind"]["mean"] < 0.004
    assert found["lead_changes"]["mean"] < 0.04
    before_the_end = table.filter(pl.col("decision") < pl.col("decisions"))
    assert told(metrics.killer_moves(before_the_end))["killer_moves"] < 0.004
    assert found["decided_early"]["mean"] == 0
    assert found["decided_at"]["mean"] > 0.98
    assert found["instability"]["low"] < 0 < found["instability"]["high"]
    assert found["uncertainty"]["mean"] == pytest.approx(1, abs=0.003)
    assert told(metrics.drama(table, margin=0))["drama"] == pytest.approx(0.4 / playouts**0.5, rel=0.15)
    assert told(metrics.lead_changes(table, margin=0))["lead_changes"] > 3


def test_too_few_playouts_tell_no_leads() -> None:
    """Of 9 playouts all and none differ by 1, which is three times sqrt(1 / 9): never more than the margin."""
    table = trace_of(two(0, 1, 1), playouts=9)
    for measure in (metrics.drama, metrics.lead_changes, metrics.killer_moves, metrics.permanence):
        with pytest.raises(metrics.NotMeasured, match=f"{measure.__name__}: 9 playouts are too few.* it takes 10"):
            measure(table)
    assert told(metrics.drama(trace_of(two(0, 1, 1), playouts=10)))["drama"] == 0.5


def test_what_means_nothing_for_a_single_player_is_said() -> None:
    table = trace_of(alone(0.5, 0.9, 1), alone(0.4, 0.2, 0))
    found = metrics.tension(table)
    notes = dict(found.filter(pl.col("note").is_not_null()).select("measure", "note").iter_rows())
    assert set(notes) == {"drama", "lead_changes", "permanence"}
    assert notes["drama"] == "a single player is behind nobody"
    assert found.filter(pl.col("note").is_null())["mean"].null_count() == 0
    for measure in (metrics.drama, metrics.lead_changes, metrics.permanence):
        with pytest.raises(metrics.NotMeasured, match="single player"):
            measure(table)
    with pytest.raises(metrics.NotMeasured, match="three seats"):
        metrics.kingmaking(trace_of(two(0.5, 1)), options_of((0, 1, 0)))


@pytest.mark.parametrize(
    ("measure", "settings", "words"),
    [
        (metrics.uncertainty_over_time, {"parts": "x"}, "parts='x': a whole number"),
        (metrics.uncertainty_over_time, {"parts": 2.5}, r"parts=2\.5: a whole number"),
        (metrics.decisiveness, {"threshold": "x"}, "threshold='x'"),
        (metrics.drama, {"margin": -1}, "margin=-1: a number of standard errors from 0"),
        (metrics.lead_changes, {"margin": "x"}, "margin='x'"),
        (metrics.permanence, {"margin": float("nan")}, "margin=nan"),
        (metrics.killer_moves, {"least": 2}, "least=2: a share"),
        (metrics.duration, {"preferred": "x"}, "preferred='x'"),
    ],
)
def test_settings_out_of_range_are_refused(measure: Any, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(tkg.Refused, match=words):
        measure(trace_of(two(0.5, 0.8, 1)), **settings)


@pytest.mark.parametrize("settings", [{"margin": -1}, {"least": "x"}])
def test_settings_of_kingmaking_out_of_range_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(tkg.Refused, match=next(iter(settings))):
        metrics.kingmaking(trace_of(LOST), options_of((0, 1, 0)), **settings)


def test_one_group_that_has_no_measure_hides_none_that_has() -> None:
    """Of games of one, two and three seats each is measured by itself; what it has none of is said beside it, and a measure by itself names it."""
    seated = {1: trace_of(alone(0.5, 0.9, 1)), 2: trace_of(two(0.3, 0.6, 1)), 3: trace_of(LOST)}
    table = pl.concat(t.with_columns(players=pl.lit(n), run=pl.lit(str(n))) for n, t in seated.items())
    options = options_of((0, 0.9, 0.1), (0, 0.2, 0.8)).with_columns(run=pl.lit("3"))
    found = metrics.tension(table, "players", options)
    notes = found.drop_nulls("note")
    assert notes.filter(measure="drama")["players"].to_list() == [1]
    assert notes.filter(measure="kingmaking")["players"].to_list() == [1, 2]
    assert found.filter(measure="kingmaker_power").select("players", "mean").rows() == [(3, pytest.approx(0.7))]
    for n, games in seated.items():
        own = found.filter(pl.col("players") == n).drop("players")
        same = metrics.tension(games, options=options.with_columns(run=pl.lit("r")))
        assert sorted(own.rows(), key=str) == sorted(same.rows(), key=str)
    with pytest.raises(metrics.NotMeasured, match=r"single player is behind nobody \(players=1\)"):
        metrics.drama(table, "players")
    few = table.with_columns(pl.when(pl.col("players") == 2).then(9).otherwise("playouts").alias("playouts"))
    with pytest.raises(metrics.NotMeasured, match=r"it takes 10 \(players=2\)"):
        metrics.killer_moves(few, "players")


def test_runs_and_games_are_groups_too() -> None:
    """What names games anyway may tell them apart."""
    both = pl.concat([trace_of(two(0.3, 1)), trace_of(two(0.7, 1)).with_columns(run=pl.lit("s"))])
    assert metrics.tension(both, "run").filter(measure="drama").select("run", "games").rows() == [("r", 1), ("s", 1)]
    assert metrics.uncertainty_over_time(both, ["run", "game"])["games"].to_list() == [1, 1]


def test_variants_are_told_apart_and_parts_of_games_are_not() -> None:
    """`by` gives each group what it has alone; seats and bots are no groups of games."""
    one, other = trace_of(two(0.3, 1)), trace_of(two(0.7, 1)).with_columns(run=pl.lit("s"))
    both = pl.concat([one.with_columns(variant=pl.lit("x")), other.with_columns(variant=pl.lit("y"))])
    found = metrics.drama(both, "variant").filter(measure="drama")
    assert found.select("variant", "games").rows() == [("x", 1), ("y", 1)]
    assert found["mean"].to_list() == pytest.approx([0.4, 0])
    table = metrics.tension(both, "variant")
    assert table.columns == ["measure", "variant", "games", "mean", "se", "low", "high", "note"]
    for key in ("seat", "moment"):
        with pytest.raises(tkg.Refused, match="differs within a game"):
            metrics.uncertainty(both, key)
    with pytest.raises(tkg.Refused, match="no column 'decides'"):
        metrics.drama(both.drop("decides"))
    with pytest.raises(tkg.Refused, match="no games"):
        metrics.stability(both.head(0))
