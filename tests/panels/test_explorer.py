"""Panels driven as a person drives them, without a browser."""

import ipywidgets as widgets
import pytest

import tkg
from tkg.boards.controls import VariantPanel


def test_the_panel_has_a_control_for_every_knob_and_reading():
    panel = VariantPanel("rift")
    assert list(panel.controls) == list(tkg.rift())
    assert panel.variant == tkg.rift()
    assert (panel.controls["side"].min, panel.controls["side"].max) == (3, 7)
    assert isinstance(panel.controls["hop"], widgets.Dropdown)


def test_moving_a_control_changes_the_variant_and_its_warnings():
    panel = VariantPanel("rift")
    panel.controls["side"].value = 5
    panel.controls["supply"].value = "20,5,15,0"
    panel.controls["full_boundary"].value = False
    assert panel.variant == tkg.rift(side=5, supply=[20, 5, 15, 0], full_boundary=False)
    panel.controls["full_boundary"].value = True
    assert "cannot be filled" in panel.says.value
    panel.controls["supply"].value = "lots"
    assert panel.variant is None
    assert "Refused" in panel.says.value


def test_explore_runs_and_exports(tmp_path):
    panel = tkg.explore("rift", games=30, folder=tmp_path)
    panel.vary.value = "supply"
    panel.values.value = "5; 20,5,15,0"
    panel.panel.controls["full_boundary"].value = False
    panel.bots.value = ("hoarder", "random")
    assert panel.export_button.disabled
    panel.run_button.click()
    assert panel.failure == ""
    assert panel.table.height == 4
    assert panel.shown.value.startswith("<svg")
    panel.vary.value = "side"  # what was played stays the name of the files
    panel.export_button.click()
    assert {p.stem for p in tmp_path.iterdir()} == {"rift_win_share_by_supply"}
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".csv", ".html", ".parquet", ".pdf", ".png", ".svg"]


def test_explore_says_what_it_refuses_and_keeps_the_last_chart():
    panel = tkg.explore("rift", games=10)
    panel.run()
    chart = panel.chart
    for values in ("", "nine", "3; 900"):
        panel.values.value = values
        panel.run()
        assert panel.failure
        assert panel.chart is chart
    panel.values.value = "3"
    panel.games.value = 0
    panel.run()
    assert "games" in panel.failure


def test_a_slider_reaches_as_far_as_the_knob_that_bounds_it():
    panel = VariantPanel("cosmic")
    assert panel.controls["line"].max == 4
    panel.controls["side"].value = 5
    panel.controls["line"].value = 5
    assert panel.variant == tkg.cosmic(side=5, line=5)
    panel.controls["side"].value = 3
    assert panel.variant == tkg.cosmic(side=3)


def test_explore_looks_at_measures_of_every_game():
    """Whatever is looked at, the table holds what a table of the same games says."""
    for game, knob, values in (
        ("rift", "supply", "5; 15"),
        ("umbra", "draw", "2; 3"),
        ("cosmic", "capture_limit", "3; 5"),
    ):
        panel = tkg.explore(game, games=12)
        panel.vary.value = knob
        panel.values.value = values
        for measure in panel.measure.options[::2]:
            panel.measure.value = measure
            panel.run()
            assert panel.failure == "", measure
            assert panel.table.height >= 2
            assert panel.shown.value.startswith("<svg")
    panel.measure.value = "turns"
    panel.games.value = 1  # which tells of no spread
    panel.run()
    assert panel.failure == ""
    panel.games.value = 12
    panel.run()
    games = tkg.simulate(tkg.cosmic(capture_limit=3), "random", 12, 1).filter(seat=1)
    assert panel.table.filter(capture_limit=3)["mean"].item() == pytest.approx(games["turns"].mean())


def test_explore_sets_bots_against_each_other():
    panel = tkg.explore("cosmic", games=12)
    panel.bots.value = ("random", "greedy")
    panel.vary.value = "life"
    panel.values.value = "33"
    panel.run()
    assert panel.failure == ""
    assert panel.table["bot"].cast(str).to_list() == sorted(panel.bots.value)
    assert panel.table["share"].sum() == 1
    panel.panel.controls["players"].value = 3
    panel.run()
    assert "3 seats" in panel.failure
