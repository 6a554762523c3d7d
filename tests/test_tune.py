"""Looking for a variant: targets read and weighed right, searches that end the same however often they are broken off."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import tkg
from tkg import charts
from tkg.cli import main
from tkg.rules.kernel import COMPILING
from tkg.studies.store import Store
from tkg.targets.measuring import Measured, Seconds, edge, loss_of, measure, read_seconds
from tkg.targets.race import Games, Outcome, Race, levels
from tkg.targets.search import JOURNAL, expected
from tkg.targets.space import Whole, read_space
from tkg.targets.terms import read_target
from tkg.targets.tuned import Tuned, dominates, given_up, status

plays = pytest.mark.skipif(not COMPILING, reason="many games")
RIFT = tkg.rift()


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test writes to the data folder."""
    monkeypatch.setenv("TKG_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


# --- What is wanted -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "bots", "low", "high", "share"),
    [
        ("win[mcts:25]=0.5", "win", ("mcts:25",), 0.5, 0.5, True),
        ("win=15%", "win", ("greedy",), 0.15, 0.15, True),
        ("minutes[random] < 45", "minutes", ("random",), -math.inf, 45, False),
        ("points>=12.5", "points", ("greedy",), 12.5, math.inf, False),
        ("decisions = 30 .. 40", "decisions", ("greedy",), 30, 40, False),
        ("matched>90%", "matched", ("greedy",), 0.9, math.inf, True),
        ("choices/build>0.2", "choices/build", ("greedy",), 0.2, math.inf, True),
        ("margin=-3..-1", "margin", ("greedy",), -3, -1, False),
    ],
)
def test_terms_are_read(text: str, name: str, bots: tuple[str, ...], low: float, high: float, share: bool) -> None:
    (term,) = read_target(text, RIFT)
    assert (term.name, term.bots, term.low, term.high, term.share) == (name, bots, low, high, share)


def test_terms_stand_apart_by_spaces_or_commas() -> None:
    terms = read_target("win[greedy, random]=0.8,edge<0.02 ending/alignment>0.5  points/2=1..9", tkg.cosmic())
    assert [term.text for term in terms] == [
        "win[greedy,random]=0.8",
        "edge<0.02",
        "ending/alignment>0.5",
        "points/2=1..9",
    ]


def test_a_mapping_says_the_same_as_text() -> None:
    told = {"win[random]": 0.5, "minutes": "<45", "decisions": (30, 40), "points": (12, None), "void": (None, 9)}
    text = "win[random]=0.5 minutes<45 decisions=30..40 points>12 void<9"
    assert read_target(told, RIFT) == read_target(text, RIFT)


@pytest.mark.parametrize(
    ("game", "target", "words"),
    [
        ("rift", "", "it has no term"),
        ("rift", "win=0.5 win[gredy]=0.15", r"term 2 of 2, 'win\[gredy\]=0.15': .*did you mean greedy"),
        ("rift", "win[]=0.5", "a bot's name is missing"),
        ("rift", "win", "a term is written"),
        ("rift", "win=half", "'half' is no number"),
        ("rift", "win=50", "50 is no share"),
        ("rift", "decisions=40..30", r"written 30\.\.40"),
        ("rift", "decisions<30..40", "a range is written with ="),
        ("rift", "win[greedy,random]=0.5", r"played alone; give a term for each bot, win\[greedy\] and win\[random\]"),
        ("rift", "points[greedy,random]>3", "2 bots for one seat"),
        ("rift", "edge<0.02", "one seat, which is ahead of none"),
        ("rift", "unfinished<0.01", "played to its end"),
        ("rift", "win_shared<0.1", "nobody to share"),
        ("rift", "pionts>12", "did you mean points"),
        ("rift", "options/bild>3", "did you mean build"),
        ("rift", "points/1>3", "one number for all seats"),
        ("cosmic", "win[greedy]=0.5", r"whatever the variant; edge\[greedy\]<0.02"),
        ("cosmic", "win[greedy,greedy]=0.5", "sits in several seats"),
        ("cosmic", "win[greedy,random,random]=0.5", "3 bots for 2 seats"),
        ("cosmic", "ending/draw<0.1", "no ending 'draw'"),
        ("cosmic", "points/3>1", "no seat '3'"),
    ],
)
def test_what_is_no_term_is_refused_with_what_would_be_right(game: str, target: str, words: str) -> None:
    with pytest.raises(tkg.Refused, match=words):
        read_target(target, tkg.variant(game))


@pytest.mark.parametrize("target", [3, {"win": None}, {"win": (0.1, 0.2, 0.3)}, {"win": True}])
def test_what_is_no_target_is_refused(target: Any) -> None:
    with pytest.raises(tkg.Refused, match="target"):
        read_target(target, RIFT)


def test_the_second_of_two_bots_fills_the_other_seats() -> None:
    (term,) = read_target("win[greedy,random]=0.5", tkg.cosmic())
    assert term.seated(tkg.cosmic(players=4)) == ("greedy", "random", "random", "random")


# --- What games say of it -----------------------------------------------------------------------------------------


def rows(games: int = 10, wins: int = 4, seats: int = 1, **columns: Any) -> pl.LazyFrame:
    """A small table of games: the first `wins` of them are won by the first seat, the others by the last one, if there are several."""
    told = []
    for g in range(games):
        for s in range(seats):
            won = (s == 0) if g < wins else (seats > 1 and s == seats - 1)
            told.append({"run": "r", "game": g, "seat": s + 1, "bot": "greedy", "win": float(won), **columns})
    return pl.LazyFrame(told)


def measured(text: str, table: pl.LazyFrame, variant: tkg.Variant = RIFT, seconds: Any = None) -> Measured:
    (term,) = read_target(text, variant)
    return measure(term, table, variant, read_seconds(seconds, variant.rules))


def test_a_win_share_has_wilsons_interval() -> None:
    """4 of 10: (0.4 + 1.92 / 10 +- 1.96 sqrt(0.24 / 10 + 0.96 / 100)) / (1 + 3.84 / 10) is 0.168 to 0.687."""
    found = measured("win=0.5", rows())
    assert (found.value, found.games) == (0.4, 10)
    assert (found.low, found.high) == (pytest.approx(0.168, abs=5e-4), pytest.approx(0.687, abs=5e-4))


def test_minutes_are_choices_times_seconds() -> None:
    """6 keeps of 10 s, which is the guess, 3 builds of 20 s, as told, and 10 keeps of 3 s with nothing to decide: 150 s."""
    counts = {"choices_keep": 6, "choices_gain": 0, "choices_build": 3, "choices_move": 0}
    counts |= {"decisions_keep": 16, "decisions_gain": 0, "decisions_build": 3, "decisions_move": 0}
    assert measured("minutes<3", rows(**counts), seconds={"build": 20}).value == pytest.approx(2.5)
    assert measured("minutes<3", rows(**counts), seconds=4).value == pytest.approx(66 / 60)


@pytest.mark.parametrize("game", list(tkg.GAMES))
def test_minutes_of_a_target_are_those_of_the_metrics(game: str) -> None:
    """One declaration of seconds serves both, and kinds that all seats decide together count once."""
    variant = tkg.variant(game)
    runs = tkg.simulate(variant, "random", 6, 1, workers=1)
    told = tkg.metrics.minutes(runs).row(0, named=True)
    found = measured("minutes<3", runs.lazy(), variant)
    assert (found.value, found.low, found.high, found.games) == (told["mean"], told["low"], told["high"], 6)


def test_an_edge_is_the_best_seats_share_above_an_equal_one() -> None:
    """60 and 40 of 100: Wilson's interval of 0.6 is 0.502 to 0.691. The lower end moves out by 2.241 / 1.960, the quantiles
    of 1 - 0.025 / 2 and 1 - 0.025: 0.6 - 1.1436 x 0.0980 is 0.488, no edge at all."""
    found = measured("edge<0.02", rows(100, 60, seats=2), tkg.cosmic())
    assert found.value == pytest.approx(0.1)
    assert found.low == 0
    assert found.high == pytest.approx(0.1906, abs=5e-4)
    lonely = edge(tkg.metrics.win_share(rows(100, 90, seats=2), "seat"))
    assert lonely.low == pytest.approx(0.3145, abs=5e-4)  # of 0.9 it is 0.826: 0.9 - 1.1436 x 0.0744 - 0.5


def test_a_field_by_seat_is_one_seats_or_the_mean() -> None:
    table = rows(10, 5, seats=2).with_columns(points=pl.when(pl.col("seat") == 1).then(2).otherwise(6))
    assert measured("points>3", table, tkg.cosmic()).value == 4
    assert measured("points/2>3", table, tkg.cosmic()).value == 6


def test_fields_told_in_words_are_shares() -> None:
    table = rows(10, 5, seats=2).with_columns(
        ending=pl.when(pl.col("game") < 3).then(pl.lit("unfinished")).otherwise(pl.lit("alignment"))
    )
    assert measured("unfinished<0.01", table, tkg.cosmic()).value == pytest.approx(0.3)
    assert measured("ending/alignment>0.5", table, tkg.cosmic()).value == pytest.approx(0.7)


def test_seconds_come_from_playtests_where_there_are_any() -> None:
    log = pl.DataFrame(
        {
            "id": ["a", "a", "b", "c"],
            "game": ["rift", "rift", "rift", "umbra"],
            "by": ["person"] * 4,
            "kind": ["build", "build", "build", "build"],
            "options": [3, 3, 3, 3],
            "seconds": [4.0, 6.0, 30.0, 500.0],
        }
    )
    found = read_seconds(log, RIFT.rules)
    assert dict(found.by_kind) == {"keep": 10, "gain": 10, "build": 6, "move": 8}
    assert found.words == (
        "build 6 s a decision, medians of playtests; keep 10 s, gain 10 s, move 8 s a decision, stated and not measured"
    )


@pytest.mark.parametrize(
    "seconds", [-3, True, "fast", {"bild": 3}, {"build": "slow"}, float("inf"), {"move": float("nan")}]
)
def test_seconds_that_are_none_are_refused(seconds: Any) -> None:
    with pytest.raises(tkg.Refused, match="seconds"):
        read_seconds(seconds, RIFT.rules)


# --- How far that is ----------------------------------------------------------------------------------------------


def test_a_loss_counts_what_noise_does_not_explain() -> None:
    """0.62 (0.58 to 0.66) misses 0.5 by 0.12, 0.08 of it beyond noise; 50 (48 to 52) misses 40 by a quarter and a fifth.

    0.28 beyond, and a tenth of the 0.09 that noise may explain.
    """
    terms = read_target("win=0.5 minutes<40", RIFT)
    found = loss_of(terms, [Measured(0.62, 0.58, 0.66, 9), Measured(50, 48, 52, 9)])
    assert found.beyond == pytest.approx(0.28)
    assert found.raw == pytest.approx(0.37)
    assert found.total == pytest.approx(0.289)
    assert loss_of(terms, [Measured(0.62, 0.58, 0.66, 9), None], 0.003).total == pytest.approx(0.087)


def test_what_noise_may_explain_is_a_small_loss_and_no_miss() -> None:
    (term,) = read_target("win=0.5", RIFT)
    near = Measured(0.52, 0.47, 0.57, 9)
    assert loss_of([term], [near]).total == pytest.approx(0.002)
    assert loss_of([term], [near]).beyond == 0


@pytest.mark.parametrize(
    ("text", "found", "place", "words"),
    [
        ("win=0.5", (0.52, 0.47, 0.57), "within noise", ""),
        ("win=0.5", (0.62, 0.58, 0.66), "missed", "0.62 misses 0.5 by 0.12, by 0.08 even"),
        ("minutes<45", (30, 29, 31), "inside", ""),
        ("minutes<45", (44, 42, 46), "within noise", "holds at most 45, but not with its whole interval"),
        ("minutes<45", (46, 44, 48), "within noise", "misses at most 45 by 1, which noise may explain"),
        ("decisions=30..40", (35, 31, 39), "inside", ""),
        ("points>10", (8, 7, 9), "missed", "8 misses at least 10 by 2, by 1 even"),
    ],
)
def test_words_say_no_more_than_the_numbers(text: str, found: tuple[float, ...], place: str, words: str) -> None:
    (term,) = read_target(text, RIFT)
    told = Measured(*found, 100)  # type: ignore[arg-type]
    assert status(term, told) == place
    assert words in given_up(term, told)
    assert bool(words) == bool(given_up(term, told))


def test_a_front_leaves_out_what_is_beaten() -> None:
    points = [(0.1, 0.4), (0.2, 0.2), (0.3, 0.3), (0.4, 0.1), (0.2, 0.2)]
    front = [p for p in points if not any(dominates(q, p) for q in points)]
    assert front == [(0.1, 0.4), (0.2, 0.2), (0.4, 0.1), (0.2, 0.2)]


# --- What may be varied -------------------------------------------------------------------------------------------


def test_what_is_usual_is_what_matters_and_is_not_set() -> None:
    """`standing` ranks contests alone, `hand` is a constant, `max_turns` no rule, and what is set stays."""
    assert set(read_space(RIFT).knobs).isdisjoint({"standing", "hand", "deck"})
    assert {"side", "supply", "gate", "excess"} <= set(read_space(RIFT).knobs)
    assert "supply" not in read_space(tkg.rift(supply=6)).knobs
    assert set(read_space(tkg.cosmic()).knobs).isdisjoint({"players", "max_turns", "deck"})
    for game in tkg.GAMES:
        space = read_space(tkg.variant(game))
        assert space.variant(space.home) == tkg.variant(game)


def test_ranges_lie_round_the_default() -> None:
    """A third of 15 to twice it; of a side of 3, which the rules let be no smaller, up to 6."""
    dims = read_space(RIFT, "supply,side").dims
    assert dims == {"supply": Whole(5, 30, log=True), "side": Whole(3, 6)}
    assert read_space(tkg.cosmic(), "line").dims == {"line": Whole(3, 4)}  # at most `side`, which is 4
    assert read_space(tkg.cosmic(), "side,line").dims["line"] == Whole(3, 5)


def test_ranges_and_values_can_be_given() -> None:
    space = read_space(RIFT, "supply=20,5,15,0;9, side=3..7:2, gate")
    assert space.words == ["supply: 20,5,15,0 or 9", "side: 3 to 7 by 2", "gate: tile or empty"]
    found = space.variant({"supply": "20,5,15,0", "side": 5, "gate": "empty"})
    assert found == tkg.rift(supply=(20, 5, 15, 0), side=5, gate="empty")
    assert read_space(RIFT, {"supply": range(3, 7), "side": [3, 4], "gate": None}).points == 4 * 2 * 2
    assert read_space(RIFT, ["supply", "side"]).knobs == ["supply", "side"]


def test_a_deck_is_made_up_of_sizes_and_purity() -> None:
    """Of 48 tiles 2 tenths are of size 1 (10), half of the other 38 of size 2; the deck keeps its number of tiles."""
    space = read_space(RIFT, "deck")
    assert list(space.dims) == ["deck:1", "deck:2", "deck:pure"]
    total = RIFT.deck.total
    deck = space.variant({"deck:1": 2, "deck:2": 5, "deck:pure": 10}).deck
    ones = round(total * 0.2)
    twos = round((total - ones) * 0.5)
    assert deck == tkg.make_deck({1: ones, 2: twos, 3: total - ones - twos}, purity=1.0)
    named = read_space(RIFT, "deck=threes;pure")
    assert named.variant({"deck": "threes"}) == tkg.rift(deck="threes")


def test_a_set_of_tiles_is_varied_by_kind() -> None:
    space = read_space(tkg.umbra(), "tiles")
    assert list(space.dims) == ["tiles:straight", "tiles:curve", "tiles:tee"]
    found = space.variant({"tiles:straight": 4, "tiles:curve": 8, "tiles:tee": 0})
    assert found == tkg.umbra(tiles="straight:4,curve:8")


@pytest.mark.parametrize(
    ("knobs", "words"),
    [
        ("suply", "did you mean supply"),
        ("supply=3..900", "beyond what the rules allow, 0..255"),
        ("supply=9..3", "the range is empty"),
        ("supply=3..x", "a range is written"),
        ("supply=", "is not written NAME"),
        ("supply,supply", "stands there twice"),
        ("supply=9", "one value leaves nothing to search"),
        ("gate=1..2", "a reading has options and no range"),
        ("gate=tile;full", "gate=full"),
        ("deck=1..12", "sizes of tiles go from 0 to 9"),
        ({"supply": 9}, "supply: 9; a range"),
        (7, "knobs=7"),
    ],
)
def test_what_cannot_be_varied_is_refused(knobs: Any, words: str) -> None:
    with pytest.raises(tkg.Refused, match=words):
        read_space(RIFT, knobs)


# --- Searching ----------------------------------------------------------------------------------------------------


def small(target: Any = "win[greedy]=0.4..0.9", knobs: Any = "supply=4..15", **settings: Any) -> Tuned:
    return tkg.tune(RIFT, target, knobs, **{"trials": 12, "games": 40, "seed": 3, "to": "small", **settings})


@plays
def test_an_easy_target_is_reached() -> None:
    """Greedy play wins nearly nothing with 4 Oinks of each element, nearly always with 12, and between with 6 to 8."""
    found = small()
    assert found.reached
    assert 5 < found.variant.supply < 9
    assert found.verdict.startswith("reached")
    assert found.trials.height == 12
    assert found.check["games"].to_list() == [40]
    lines = str(found).splitlines()
    assert lines[0] == "target: win[greedy] 0.4 to 0.9"
    assert any(line.startswith("saved in") and "@small" in line for line in lines)


@plays
def test_a_search_that_was_broken_off_ends_as_if_it_had_not_been(
    own_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once by Ctrl-C, once by a blow that left half a line in Optuna's journal; on one worker and on two."""
    asked = {"knobs": "supply=4..9,gate,hop", "trials": 18, "games": 20}  # of 24, so that some come up twice
    whole = small(workers=2, **asked)
    enter, entered = Race.enter, []

    def stopped(self: Race, *arguments: Any) -> Any:
        entered.append(arguments)
        if len(entered) in (5, 20):
            raise KeyboardInterrupt
        return enter(self, *arguments)

    monkeypatch.setattr(Race, "enter", stopped)
    for half_written in (b"", b'{"op_code": 4, "wor'):
        with pytest.raises(KeyboardInterrupt):
            small(workers=1, to="resumed", **asked)
        with (own_data / "variants" / "resumed" / JOURNAL).open("ab") as journal:
            journal.write(half_written)
    assert not (own_data / "variants" / "resumed.toml").exists()
    again = small(workers=1, to="resumed", **asked)
    assert str(again).replace("resumed", "small") == str(whole)
    assert again.trials.equals(whole.trials)
    assert again.trials["variant"].n_unique() == 18


@plays
def test_damaged_games_are_played_again(own_data: Path) -> None:
    whole = small(trials=3)
    shard = min((own_data / "variants" / "small" / "shards").rglob("*.parquet"))
    shard.write_bytes(shard.read_bytes()[:-9])
    (own_data / "variants" / "small" / JOURNAL).unlink()
    assert small(trials=3).trials.equals(whole.trials)


@plays
def test_more_trials_go_on_from_where_a_search_was(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = small(trials=4)
    entered = []
    enter = Race.enter
    monkeypatch.setattr(Race, "enter", lambda self, *a: entered.append(a) or enter(self, *a))
    more = small(trials=7)
    assert more.trials.head(4).equals(first.trials)
    assert len(entered) - more.run_off.height - 1 == 3
    with pytest.raises(tkg.Refused, match="holds another search: seed is 3 there, and 4 here"):
        small(seed=4)
    assert small(seed=4, trials=3, force=True).trials.height == 3


@plays
def test_what_cannot_be_reached_is_told_with_how_near_it_comes() -> None:
    found = small("win[random]=0.5", "supply,side", trials=5)
    assert not found.reached
    assert "not reached: win[random] is missed beyond noise on 40 fresh games" in found.verdict
    assert "As far as the 5 variants tried can tell it cannot be reached by supply, side" in found.verdict
    (words,) = found.given_up
    assert words.startswith("win[random]: 0 misses 0.5 by 0.5, by 0.41")  # Wilson's end of none of 40 is 0.088
    assert found.plain["reached"] is False
    assert found.front.is_empty()


@plays
def test_goals_that_compete_show_as_a_front() -> None:
    """More Oinks bring more points and more wins, so that many points and few wins are not to be had together."""
    found = small("win[greedy]<0.1 points[greedy]>17.5", trials=8, games=30)
    values = found.front.sort("win[greedy]<0.1")
    assert values.height > 1
    assert values["points[greedy]>17.5"].is_sorted()
    assert "what competes" in str(found)
    points = found.points
    assert points.filter("front")["variant"].sort().to_list() == values["variant"].sort().to_list()
    assert points.filter("chosen")["variant"].to_list() == [str(found.final.variant)]
    assert (points["win[greedy]<0.1_low"] <= points["win[greedy]<0.1"]).all()
    charts.pareto(points, "win[greedy]<0.1", "points[greedy]>17.5", is_share=(True, False)).to_dict()


@plays
def test_variants_that_the_rules_refuse_are_survived() -> None:
    """A line of 4 does not fit on a side of 3."""
    found = tkg.tune(tkg.cosmic, "decisions[random]<500", "side=3..4,line=3..4", trials=8, games=20, to="lines")
    assert found.trials.height == 3
    assert len(found.refused) == 1
    assert "line=4" in found.refused[0]
    assert "1 more refused by the rules" in str(found)


@plays
def test_a_search_in_which_all_is_refused_says_why() -> None:
    with pytest.raises(tkg.Refused, match=r"refuse every variant that was tried; the first: line=4: .*at most side"):
        tkg.tune(tkg.cosmic(side=3), "decisions[random]<500", "line=4;5", trials=2)


def race_for(target: str, folder: Path, games: int) -> Race:
    terms = read_target(target, RIFT)
    seconds = Seconds({}, "")
    return Race(terms, seconds, Games(Store(folder), 1, lambda _: None), games, 5, 0.0, True)


@plays
def test_a_race_drops_what_cannot_be_the_best(tmp_path: Path) -> None:
    """Few games are enough where 30 Oinks win far too often; the dearer bot does not play at all there."""
    assert levels(160) == [20, 40, 80, 160]
    race = race_for("win[greedy]=0.7 win[mcts:1]=0.7", tmp_path, 160)
    near, far = tkg.rift(supply=7), tkg.rift(supply=5)
    good = race.enter(near, 0)
    assert good.whole
    assert race.bar == good.loss.raw
    bad = race.enter(far, 0)
    assert bad.found[0] is not None
    assert bad.found[0].games < 160
    assert bad.found[1] is None


def test_what_was_dropped_is_expected_to_be_like_what_it_resembles() -> None:
    """Dropped with 0.1 for the first bot, it resembles the second, whose other bot misses 0.5 by 0.4."""
    terms = read_target("win[random]=0.4 win[greedy]=0.5", RIFT)

    def outcome(first: float, second: float | None) -> Outcome:
        shares = [None if x is None else Measured(x, x - 0.05, x + 0.05, 100) for x in (first, second)]
        return Outcome(RIFT, tuple(shares), loss_of(terms, shares))

    others = [outcome(0.4, 0.5), outcome(0.05, 0.1), outcome(0.1, None)]
    assert expected(terms, outcome(0.1, None), others) == pytest.approx(0.4)
    assert expected(terms, outcome(0.3, None), others) == 0
    assert expected(terms, outcome(0.1, 0.2), others) == 0
    assert expected(terms, outcome(0.1, None), []) == 0


# --- Named variants -----------------------------------------------------------------------------------------------


def test_a_saved_variant_is_loaded_again(own_data: Path, tmp_path: Path) -> None:
    own = tkg.rift(supply=(20, 5, 15, 0), side=4, hop="again", deck=tkg.make_deck({1: 20, 2: 28}))
    paths = tkg.save_variant(own, "mine", {"target": ["win 0.5"], "reached": True})
    assert paths == [own_data / "variants" / "mine.toml", own_data / "decks" / "mine.csv"]
    assert tkg.load_variant("mine") == own == tkg.load_variant(paths[0])
    assert tkg.load_variant("mine").deck.name == "mine"
    assert tkg.variant_names() == ["mine"]
    with pytest.raises(tkg.Refused, match=r"mine\.toml and .*mine\.csv: there already"):
        tkg.save_variant(own, "mine")
    elsewhere = tkg.save_variant(own, tmp_path / "some" / "where")
    assert [path.name for path in elsewhere] == ["where.toml", "where.csv"]
    assert tkg.load_variant(str(tmp_path / "some" / "where")) == own


@pytest.mark.parametrize("game", tkg.GAMES)
def test_a_variant_with_a_shipped_deck_is_one_file(game: str) -> None:
    variant = tkg.variant(game)
    assert len(tkg.save_variant(variant, "plain")) == 1
    assert tkg.load_variant("plain") == variant


def test_a_deck_that_has_changed_is_told(own_data: Path) -> None:
    tkg.save_variant(tkg.rift(deck={"FW": 24, "A": 24}), "mine")
    (own_data / "decks" / "mine.csv").write_text("tile,copies\nFW,48\n")
    with pytest.raises(tkg.Refused, match=r"mine\.toml: deck: .*has changed since"):
        tkg.load_variant("mine")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('game = "rift"', "are needed"),
        ('gam = "rift"\n[settings]', "did you mean game"),
        ('game = "rift"\n[settings]\nsuply = 3', "did you mean supply"),
        ("game = ", "Invalid value"),
    ],
)
def test_a_file_that_is_no_variant_is_told(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(text)
    with pytest.raises(tkg.Refused, match=words):
        tkg.load_variant(tmp_path / "x.toml")


@pytest.mark.parametrize("name", ["", ".hidden", "a/.b", 7, "two\nlines"])
def test_a_name_that_no_file_can_bear_is_refused(name: Any) -> None:
    with pytest.raises(tkg.Refused, match="a name of letters"):
        tkg.load_variant(name)


# --- The command line ---------------------------------------------------------------------------------------------


@plays
def test_the_command_line_tunes_and_plays_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["tune", "rift", "--target", "win[greedy]=0.4..0.9 minutes<60", "--knobs", "supply=4..15", "--json"]
    more = ["--trials", "6", "-n", "40", "--seconds", "build=20,move=5", "--to", "found", "--set", "hop=again"]
    assert main([*command, *more]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["reached"] is True
    assert [row["status"] for row in told["check"]][1] == "inside"
    assert "hop=again" in told["variant"]
    assert main(["simulate", "@found", "-n", "5", "--set", "hop=once", "--json"]) == 0
    played = json.loads(capsys.readouterr().out)["variant"]
    assert played == str(tkg.load_variant("found").but(hop="once"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--target", "wins=0.5"], "did you mean win"),
        (["--target", "win=0.5", "--knobs", "suply"], "did you mean supply"),
        (["--target", "win=0.5", "--seconds", "fast"], "--seconds fast: a number"),
        (["--target", "win=0.5", "--trials", "0"], "trials=0"),
        (["--target", "win=0.5", "--games", "0"], "games=0"),
        (["--target", "win=0.5", "--to", ".hidden"], "a name of letters"),
    ],
)
def test_slips_are_told_in_a_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str], own_data: Path
) -> None:
    assert main(["tune", "rift", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert not own_data.exists()


def test_a_variant_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    tkg.save_variant(RIFT, "tight")
    assert main(["simulate", "@tigth"]) == 2
    assert "did you mean tight" in capsys.readouterr().err


def test_a_saved_variant_is_compared_with_others(capsys: pytest.CaptureFixture[str], own_data: Path) -> None:
    tkg.save_variant(tkg.rift(supply=6), "tight")
    found = tkg.compare("@tight", "rift(supply=12)", bots="random", games=2)
    assert (found.a, found.b) == (tkg.rift(supply=6), tkg.rift(supply=12))
    assert tkg.readings("@tight", bots="random", games=2, measures="win").variant == found.a
    for game in ("rift", "@tight"):
        assert main(["compare", game, "@tight", "rift", "--bots", "random", "-n", "2"]) == 0
        assert "rift(supply=6)" in capsys.readouterr().out
    assert main(["compare", "umbra", "@tight", "@tight"]) == 2
    assert "no variant of umbra" in capsys.readouterr().err


def test_without_tuning_optuna_stays_away(python: Callable[..., str]) -> None:
    told = python("-c", "import tkg, sys; tkg.tune, tkg.load_variant; print('optuna' in sys.modules)")
    assert told.strip() == "False"
