"""Panels driven as a person drives them, without a browser."""

import ipywidgets as widgets

import tkg
from tkg.boards import VariantPanel


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
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".csv", ".parquet", ".pdf", ".png", ".svg"]


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
