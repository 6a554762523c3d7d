"""Stopping rules of studies: fixed looks, the same end after a break, and words that say no more than the numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import tkg
from tkg.metrics import win_share
from tkg.studies import make_study, play_study
from tkg.studies.running import sweep
from tkg.studies.stopping import Stop, read_stop
from tkg.studies.store import Store

WITHIN = {"rule": "within", "half_width": 0.04, "first": 100}


def played(
    folder: Path, make: Any, axes: Any, games: int, stop: dict[str, Any], bots: Any = ("greedy",)
) -> tuple[pl.DataFrame, dict[str, str]]:
    study = make_study("s", make, axes, bots, games, 5, stop=stop)
    table = play_study(study, to=folder, progress=False).collect()
    return table, Store(folder).manifest()["verdicts"]


def test_looks_are_fixed_beforehand() -> None:
    """100, then a quarter more each time, up to the games of the study."""
    assert Stop("within", "win", 260, 100).looks == [100, 125, 156, 195, 244, 260]
    assert Stop("within", "win", 100, 100).looks == [100]


def test_a_cell_is_played_until_its_interval_is_narrow(tmp_path: Path) -> None:
    """At supply 12 greedy wins nine games in ten, at supply 6 four in ten: the latter needs more games, and the limit ends it."""
    table, verdicts = played(tmp_path, tkg.rift, {"supply": [6, 12]}, 600, WITHIN)
    shares = win_share(table, "supply")
    games = dict(shares.select("supply", "games").iter_rows())
    looks = Stop("within", "win", 600, 100).looks
    assert games[12] in looks
    assert games[12] < games[6]
    for row in shares.iter_rows(named=True):
        reach = max(row["share"] - row["low"], row["high"] - row["share"])
        assert (reach <= 0.04) == (
            f"enough after {row['games']} games" in verdicts[f"rift(supply={row['supply']}) greedy"]
        )


def test_it_stops_at_the_first_look_that_allows_it(tmp_path: Path) -> None:
    table, _ = played(tmp_path, tkg.rift, {"supply": [12]}, 2000, WITHIN)
    games = table.height
    before = [look for look in Stop("within", "win", 2000, 100).looks if look < games]
    for look in before:
        row = win_share(table.filter(pl.col("game") < look)).row(0, named=True)
        assert max(row["share"] - row["low"], row["high"] - row["share"]) > 0.04


def test_a_break_and_games_that_were_there_before_change_no_end(tmp_path: Path) -> None:
    whole, verdicts = played(tmp_path / "a", tkg.rift, {"supply": [6, 12]}, 600, WITHIN)
    sweep(tkg.rift, supply=[12], bots="greedy", games=550, seed=5, to=tmp_path / "b")  # more than will be needed
    sweep(tkg.rift, supply=[6], bots="greedy", games=130, seed=5, to=tmp_path / "b")
    again, same = played(tmp_path / "b", tkg.rift, {"supply": [6, 12]}, 600, WITHIN)
    assert again.equals(whole)
    assert same == verdicts


def test_variants_are_told_apart_and_likeness_is_said_to_within_a_margin(tmp_path: Path) -> None:
    """Supply 6 is far harder than 15; of 21 and 24 there is always enough."""
    stop = {"rule": "compare", "margin": 0.2, "first": 50}
    table, verdicts = played(tmp_path, tkg.rift, {"supply": [21, 24, 6]}, 1500, stop)
    assert verdicts["rift(supply=6) greedy"].startswith("win is lower than in the first cell: \u2212")
    assert verdicts["rift(supply=24) greedy"].startswith("win is the same as in the first cell to within \u00b10.2")
    assert verdicts["rift(supply=21) greedy"] == "what the others are compared with"
    games = dict(win_share(table, "supply").select("supply", "games").iter_rows())
    assert games[21] == max(games[24], games[6])
    assert games[6] < 1500


def test_what_is_not_settled_is_open(tmp_path: Path) -> None:
    stop = {"rule": "compare", "margin": 0.001, "first": 20}
    _, verdicts = played(tmp_path, tkg.rift, {"supply": [21, 22]}, 60, stop)
    assert verdicts["rift(supply=22) greedy"].startswith("whether win differs from the first cell's is open: ")


def test_a_bot_of_a_game_of_several_seats_is_compared(tmp_path: Path) -> None:
    """A greedy player wins nearly always against a random one, in both variants."""
    stop = {"rule": "within", "half_width": 0.08, "first": 40, "bot": "greedy"}
    table, verdicts = played(tmp_path, tkg.cosmic, {"line": [3]}, 400, stop, ["greedy,random"])
    assert verdicts["cosmic() greedy,random"] == f"enough after {table.height // 2} games"
    assert table.height // 2 < 400


def test_a_sweep_into_memory_can_stop_too() -> None:
    table = sweep(tkg.rift, supply=[12], bots="greedy", games=600, seed=5, stop=WITHIN)
    assert isinstance(table, pl.DataFrame)
    assert table.height < 600


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        ({"rule": "within"}, "needs half_width"),
        ({"rule": "within", "half_width": -1}, "needs half_width"),
        ({"rule": "within", "half_width": "narrow"}, "half_width='narrow'; a number"),
        ({"rule": "within", "half_width": 0.1, "margin": 0.1}, "margin is no matter of the rule within"),
        ({"rule": "compare", "margin": 2}, "margin=2; a difference above 0 and below 1"),
        ({"rule": "compare", "level": 95}, "level=95; a share"),
        ({"rule": "compare", "first": 1}, "first=1; a whole number of games from 2"),
        ({"rule": "compare", "halfwidth": 0.1}, "no entry 'halfwidth'.*did you mean half_width"),
        ({"rule": "compares"}, "did you mean compare"),
        ({"rule": "compare", "seat": 3, "bot": "greedy"}, "bot or seat, not both"),
        ({"rule": "compare", "seat": 3}, r"seat=3; cosmic\(\) has seats from 1 to 2"),
        ({"rule": "compare", "bot": "mcts:25"}, r"'mcts:25' does not play cosmic\(\); greedy do"),
        ({"rule": "compare", "of": "wun", "seat": 1}, "no column 'wun'.*did you mean win"),
        ({"rule": "compare", "of": "ending"}, "ending is no number and has no mean"),
        ({"rule": "compare"}, "say whose by bot or seat"),
        (
            {"rule": "compare", "of": "points", "seat": 1},
            "for win, contest and what holds or does not; points is a number",
        ),
    ],
)
def test_wrong_rules_are_refused(stop: dict[str, Any], words: str) -> None:
    with pytest.raises(tkg.Refused, match=words):
        make_study("s", tkg.cosmic, {"line": [3]}, ["greedy"], 100, 0, stop=stop)


def test_one_cell_cannot_be_compared() -> None:
    with pytest.raises(tkg.Refused, match="needs two cells or more of the same bots and as many seats"):
        make_study("s", tkg.rift, {"side": [3]}, ["greedy"], 100, 0, stop={"rule": "compare"})
    with pytest.raises(tkg.Refused, match="with greedy at 2 seats there is one"):
        make_study("s", tkg.cosmic, {"players": [2, 3]}, ["greedy"], 100, 0, stop={"rule": "compare", "seat": 1})


@pytest.mark.parametrize(
    ("axes", "bots", "whose", "words"),
    [
        ({"players": [3, 2]}, ["greedy"], {"seat": 3}, r"cosmic\(\) has seats from 1 to 2"),
        ({"line": [3]}, ["greedy,random", "mcts:4,random"], {"bot": "greedy"}, "mcts:4, random do"),
    ],
    ids=["seat", "bot"],
)
def test_a_rule_that_one_cell_cannot_be_asked_is_refused_before_any_is_played(
    axes: dict[str, Any], bots: list[str], whose: dict[str, Any], words: str
) -> None:
    with pytest.raises(tkg.Refused, match=words):
        make_study("s", tkg.cosmic, axes, bots, 100, 0, stop={"rule": "within", "half_width": 0.1, **whose})


def test_cells_are_compared_with_those_of_as_many_seats(tmp_path: Path) -> None:
    """A third is no worse than a half where three play instead of two."""
    stop = {"rule": "compare", "seat": 1, "first": 20}
    _, verdicts = played(tmp_path, tkg.cosmic, {"players": [2, 3], "other_points": [0, 9]}, 40, stop)
    compared = [words for words in verdicts.values() if "what the others are compared with" in words]
    assert len(compared) == 2
    assert len(verdicts) == 4


def test_numbers_that_happen_to_be_nothing_or_one_are_no_shares() -> None:
    """So many equal values are within any width, and a width above 1 is none of a share."""
    run = make_study("s", tkg.rift, {"side": [3]}, ["greedy"], 100, 0).cell_runs[0].run
    stop = read_stop({"rule": "within", "of": "points", "half_width": 2}, run, 100)
    assert stop.is_narrow(pl.DataFrame({"value": [0.0] * 50}))
