"""Traces: the games of a run, judged at their moments as nobody in particular sees them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import polars as pl
import pytest
from playing import played, state_of
from polars.testing import assert_frame_equal

import tkg
from tkg.bots.registered import REGISTERED
from tkg.rules import calls
from tkg.traces import Judge, judged, places, some_options

# Variants whose games are short, and open where greedy bots play them.
SMALL = {"rift": tkg.rift(supply=8), "umbra": tkg.umbra(), "cosmic": tkg.cosmic(side=3, capture_limit=2)}


@cache
def traced(game: str) -> pl.DataFrame:
    return tkg.trace(SMALL[game], games=24, seed=4, moments=4, playouts=12)


def of(table: pl.DataFrame, **at: int) -> pl.DataFrame:
    return table.filter(**at)


def test_moments_are_spread_evenly_from_the_beginning_to_the_end() -> None:
    """Quarters of 10 decisions, rounded up; all moments where there are no more decisions than stretches."""
    assert places(10, 4) == [0, 3, 5, 8, 10]
    assert places(3, 4) == places(3, None) == [0, 1, 2, 3]


def test_a_trace_tells_the_games_of_the_run(game: str) -> None:
    """The same deals, seats, results and lengths, two different bots taking turns in the seats."""
    variant = SMALL[game]
    bots = "greedy" if variant.seats == 1 else ["greedy", "random"]
    runs = tkg.simulate(variant, bots, 4, seed=9)
    table = tkg.trace(variant, bots, 4, seed=9, moments=2, playouts=2)
    same = ["run", "variant", "version", "seed", "game", "game_seed", "seat", "bot", "win", "decisions"]
    for moment in range(3):
        assert_frame_equal(of(table, moment=moment).select(same), runs.select(same), check_dtypes=False)
    again = tkg.game_of(runs, variant.seats)  # game 1, by which bots have changed their seats
    halfway = of(table, game=1, moment=1)
    again.undo(halfway["decisions"][0] - halfway["decision"][0])
    assert (again.kind, len(again.legal)) == (halfway["kind"][0], halfway["options"][0])
    assert halfway.filter("decides")["seat"].to_list() == [again.seat]


def test_time_goes_from_beginning_to_end(game: str) -> None:
    table = traced(game)
    assert table["time"].is_between(0, 1).all()
    assert of(table, moment=0)["time"].unique().to_list() == [0]
    assert of(table, moment=4)["time"].unique().to_list() == [1]
    assert table.height == 24 * 5 * SMALL[game].seats
    last = table.filter(pl.col("time") == 1)
    assert last.select("options", "playouts", "se").unique().rows() == [(0, 0, 0.0)]
    assert last["kind"].null_count() == last.height
    before = table.filter(pl.col("time") < 1)
    assert before["kind"].null_count() == 0
    assert before.group_by("game", "moment").agg(pl.col("decides").sum())["decides"].unique().to_list() == [1]


def test_workers_do_not_settle_a_trace(game: str) -> None:
    """Nor does how many games are asked for: those of a shorter trace begin the longer one."""
    variant = SMALL[game]
    one, three = (tkg.trace(variant, games=5, seed=2, moments=2, playouts=4, workers=n) for n in (1, 3))
    assert_frame_equal(one, three)
    assert_frame_equal(tkg.trace(variant, games=2, seed=2, moments=2, playouts=4), one.filter(pl.col("game") < 2))
    other = tkg.trace(variant, games=5, seed=3, moments=2, playouts=4)
    assert other["game_seed"].to_list() != one["game_seed"].to_list()


def test_the_value_at_the_end_is_what_came_of_the_game(game: str) -> None:
    table = traced(game)
    assert of(table, moment=4)["value"].to_list() == of(table, moment=4)["win"].to_list()
    assert table["win"].n_unique() > 1
    if SMALL[game].seats > 1:
        sums = table.group_by("game", "moment").agg(pl.col("value").sum())["value"]
        assert sums.to_list() == pytest.approx([1] * (24 * 5))


def test_the_value_at_the_start_is_what_the_judge_wins(game: str) -> None:
    """The first values of 24 games together are 288 games of the judge, and so stand within five standard errors of its
    share of 600 others; dealings of one start may be alike, so what varies is the mean by game."""
    seat = pl.col("seat") == 1
    first = of(traced(game), moment=0).filter(seat)["value"]
    wins = tkg.simulate(SMALL[game], "greedy", 600, seed=99).filter(seat)["win"]
    error = (first.var() / 24 + wins.var() / 600) ** 0.5  # type: ignore[operator]
    assert abs(first.mean() - wins.mean()) < 5 * error  # type: ignore[operator]
    assert error < 0.06


def test_later_values_predict_the_outcome_better(game: str) -> None:
    """Mean squared differences of value and outcome (Brier), less the noise of the value, fall from the start to the end."""
    miss = (pl.col("value") - pl.col("win")) ** 2 - pl.col("se") ** 2
    brier = traced(game).group_by("moment").agg(miss.mean().alias("miss")).sort("moment")["miss"].to_list()
    assert brier[0] > 0.1
    assert brier[3] < 0.8 * brier[0]
    assert brier[4] == 0


# Bots that take a win wherever they see one, and that see it: what lies face down makes a capture less than certain.
SURE = {"rift": "greedy", "umbra": "greedy", "cosmic": "greedy-only-occupy"}


def test_one_move_before_a_sure_win_the_value_is_1(game: str) -> None:
    """The last decision of games that its decider wins alone."""
    variant, bot = SMALL[game], SURE[game]
    runs = tkg.simulate(variant, bot, 8, seed=4)
    sure = 0
    for row in runs.with_row_index().filter(pl.col("win") == 1)["index"]:
        last = tkg.game_of(runs, row).undo()
        if last.seat == runs["seat"][row]:
            payoffs = judged(variant, Judge(bot, 4), last.states, len(last.actions), 1)
            assert payoffs[:, last.seat - 1].tolist() == [1] * 4
            sure += 1
    assert sure > 4


DRAWN_APART = {"rift": {}, "umbra": {}, "cosmic": {"side": 3, "layout": "dealt"}}  # seats keep nothing from one stack


def test_what_is_hidden_from_everybody_does_not_tell_in_a_value(game: str) -> None:
    """Two positions that look alike to a watcher have one value, whatever the seats have drawn and what is yet to be drawn."""
    variant, judge = getattr(tkg, game)(**DRAWN_APART[game]), Judge("greedy", 4)
    for seed, actions in ((1, 0), (2, 7), (3, 20)):
        position = played(variant, seed, actions)
        other = position.states
        for seat in range(variant.seats):
            calls.hide(other, variant.packed, seat, 1234)
        assert other.tobytes() != state_of(position)
        values = [judged(variant, judge, states, actions, 7).tolist() for states in (position.states, other)]
        assert values[0] == values[1]


def test_to_judge_a_position_leaves_it_as_it_is(game: str) -> None:
    position = played(SMALL[game], 5, 9).states
    before = position.tobytes()
    judged(SMALL[game], Judge("greedy", 2), position, 9, 1)
    assert position.tobytes() == before


def test_bids_that_are_being_made_are_made_anew() -> None:
    """Of two positions that differ by a bid made in secret alone, both have the same value."""
    variant = tkg.umbra()
    game = tkg.new(variant, 3)
    assert game.kind == "bid"
    low, high = (game.copy().play(action) for action in (game.legal[0], game.legal[-1]))
    assert low.kind == "bid"
    assert low.view(None) == high.view(None)
    values = [judged(variant, Judge("greedy", 6), g.states, 1, 5).tolist() for g in (low, high)]
    assert values[0] == values[1]


# --- Bots, and what is refused ------------------------------------------------------------------------------------


@pytest.fixture
def first_option() -> Iterator[str]:
    tkg.register_bot("first_option", lambda seen, options: options[0])
    yield "first_option"
    del REGISTERED["first_option"]


def test_own_bots_play_and_judge(first_option: str) -> None:
    variant = SMALL["cosmic"]
    table = tkg.trace(variant, [first_option, "greedy"], 2, seed=1, judge=first_option, moments=2, playouts=2)
    runs = tkg.simulate(variant, [first_option, "greedy"], 2, seed=1)
    assert of(table, moment=2)["value"].to_list() == runs["win"].to_list()
    assert set(table["bot"].unique()) == {first_option, "greedy"}


def test_what_cannot_be_traced_is_refused() -> None:
    rift = tkg.rift()
    for settings, message in (
        ({"bots": "mcts:0.2s"}, "by time"),
        ({"judge": "mcts:0.2s"}, "by time"),
        ({"judge": "nobody"}, "no bot 'nobody'"),
        ({"bots": "greedy,random"}, "one by one"),
        ({"moments": 0}, "moments=0"),
        ({"moments": "some"}, "moments='some'"),
        ({"playouts": 1}, "playouts=1"),
        ({"games": 0}, "games=0"),
    ):
        with pytest.raises(tkg.Refused, match=message):
            tkg.trace(rift, **settings)
    with pytest.raises(tkg.Refused, match="three seats"):
        tkg.trace_options(traced("umbra"))
    with pytest.raises(tkg.Refused, match="no column 'moment'"):
        tkg.trace_options(tkg.simulate(tkg.umbra(players=3), games=2))


# --- Options of seats that have lost ------------------------------------------------------------------------------


def test_options_are_spread_and_hold_what_was_played() -> None:
    """Three of 0 to 10: both ends and the middle; 7 takes the place of the one next to it."""
    assert some_options(list(range(11)), 5, 3) == [0, 5, 10]
    assert some_options(list(range(11)), 7, 3) == [0, 7, 10]
    assert some_options([4, 2], 2, 3) == [4, 2]


def test_options_of_lost_seats_are_judged() -> None:
    """Of every moment at which the seat that decides won no playout, and of no other; the same on any number of workers."""
    variant = tkg.cosmic(players=3)
    table = tkg.trace(variant, "random", 6, seed=8, judge="random", moments=12, playouts=6)
    found = tkg.trace_options(table, judge="random", playouts=6, options=3)
    lost = table.filter(pl.col("decides"), pl.col("value") == 0, pl.col("options") > 1, pl.col("playouts") > 0)
    assert lost.height > 3
    assert found.select("game", "moment").unique().height == lost.height
    by_option = found.group_by("game", "moment", "option").agg(pl.col("value", "value_again").sum(), pl.len())
    assert by_option["len"].unique().to_list() == [3]
    assert by_option["value"].to_list() == pytest.approx([1] * by_option.height)
    chosen = found.filter("chosen", pl.col("seat") == 1)
    assert chosen.height == lost.height
    moment = chosen.row(0, named=True)
    again = tkg.play_again(variant, ["random"] * 3, moment["game_seed"])
    assert again.actions[moment["decision"]] == moment["action"]
    assert_frame_equal(tkg.trace_options(table, judge="random", playouts=6, options=3, workers=1), found)
    measures = tkg.metrics.kingmaking(table, found)
    assert measures["games"].unique().to_list() == [6]
