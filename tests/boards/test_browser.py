"""A point of a chart leads back to its game."""

from __future__ import annotations

import pytest

import tkg
from tkg.charts.basic import PICK


@pytest.mark.parametrize("game", tkg.GAMES)
def test_a_point_puts_its_game_on_a_board(game: str) -> None:
    runs = tkg.simulate(tkg.variant(f"{game}()"), "greedy", 30, seed=2)
    browser = tkg.browse(runs)
    shown = browser.drawn.children[0]
    assert shown.chart.to_dict()["params"][0]["name"] == PICK
    shown._vl_selections = {PICK: {"value": {"vlPoint": {"or": [{"row": 7}]}}, "store": []}}  # what its script sends
    assert browser.board is not None
    assert browser.board.sitting.line[-1].game.actions == tkg.game_of(runs, 7).actions
    assert "row 7" in browser.says.value
    before = browser.board
    browser.pick([])
    assert browser.board is before
    browser.x.value, browser.y.value = browser.y.value, browser.x.value
    assert browser.drawn.children[0] is not shown


def test_many_games_are_thinned_out_evenly() -> None:
    runs = tkg.simulate(tkg.rift(), "greedy", 100, seed=2)
    browser = tkg.browse(runs.lazy(), "points", "margin", most=30)
    assert browser.rows["row"].to_list() == list(range(0, 100, 4))
    browser.pick([{"row": 96}])
    assert browser.board is not None
    assert browser.board.sitting.line[-1].game.result["points"] == runs["points"][96]


def test_what_cannot_be_charted_is_refused() -> None:
    runs = tkg.simulate(tkg.rift(), "greedy", 20, seed=2)
    with pytest.raises(tkg.Refused, match="no column of numbers"):
        tkg.browse(runs, "variant")
    with pytest.raises(tkg.Refused, match="most=0"):
        tkg.browse(runs, most=0)
    with pytest.raises(tkg.Refused, match="fewer than two"):
        tkg.browse(runs.select("run", "variant", "game_seed", "seat", "bot"))
