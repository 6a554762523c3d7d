"""The summary of a study: who won how often, and differences only of what can be compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tkg
from tkg.studies import make_study, play_study
from tkg.studies.summary import Summary, difference_words, summarise


def summary(folder: Path, make: Any, axes: Any, bots: list[str], games: int = 12) -> Summary:
    study = make_study("s", make, axes, bots, games, 3)
    return summarise(study, play_study(study, to=folder, progress=False))


def test_differences_are_of_as_many_seats_and_the_same_bots(tmp_path: Path) -> None:
    """With two seats a share of one half is level, with three a third: cells of two are compared, and cells of three."""
    found = summary(tmp_path, tkg.umbra, {"players": [2, 3], "draw": [3, 4]}, ["random"]).table
    told = {(r["players"], r["draw"], r["seat"]): r["difference"] for r in found.iter_rows(named=True)}
    assert {key for key, value in told.items() if value is None} == {
        (2, 3, 1),
        (2, 3, 2),
        (3, 3, 1),
        (3, 3, 2),
        (3, 3, 3),
    }
    shares = {(r["players"], r["draw"], r["seat"]): r["share"] for r in found.iter_rows(named=True)}
    assert told[3, 4, 2] == pytest.approx(shares[3, 4, 2] - shares[3, 3, 2])


def test_differences_are_of_the_same_deals(tmp_path: Path) -> None:
    found = summary(tmp_path, tkg.rift, {"supply": [6, 15]}, ["greedy"]).table
    wins = [tkg.simulate(tkg.rift(supply=n), "greedy", 12, 3)["win"].sum() for n in (6, 15)]
    assert found["wins"].to_list() == wins
    assert found["difference"].to_list() == [None, pytest.approx((wins[1] - wins[0]) / 12)]
    assert found["difference_high"][1] <= 1


def test_by_other_columns(tmp_path: Path) -> None:
    study = make_study("s", tkg.rift, {"supply": [6, 15], "side": [3, 4]}, ["random"], 10, 3)
    table = play_study(study, to=tmp_path, progress=False)
    assert summarise(study, table, ["side"]).table.select("side", "games").rows() == [(3, 20), (4, 20)]
    with pytest.raises(tkg.Refused, match="no such column; its axes are supply, side"):
        summarise(study, table, ["colour"])


def test_differences_in_words() -> None:
    row = {"difference": -0.123, "difference_low": -0.2, "difference_high": 0.0}
    assert difference_words(row) == "\u221212.3 (\u221220.0 to +0.0) points"
    assert difference_words({"difference": 0.01, "difference_low": None, "difference_high": None}) == "+1.0 points"
    assert difference_words({"difference": None}) == "-"
