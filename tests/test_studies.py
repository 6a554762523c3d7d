"""Sweeps: every axis keeps its values, and every cell meets the same deals."""

import polars as pl
import pytest

import tkg
from tkg import metrics
from tkg.boards.explorer import usual_values
from tkg.studies import play_cells


@pytest.mark.parametrize("declared", [d for d in tkg.GAMES["rift"].DECLARED if d.name != "hand"], ids=lambda d: d.name)
def test_every_knob_and_reading_can_be_swept(declared):
    values = [declared.parse(text) for text in usual_values(declared)][:2]
    table = tkg.sweep(tkg.rift, bots="random", games=20, seed=1, **{declared.name: values})
    found = metrics.win_share(table, declared.name)
    assert found[declared.name].cast(pl.String).sort().to_list() == sorted(usual_values(declared)[:2])
    assert found["games"].to_list() == [20, 20]


def test_a_field_with_the_name_of_an_axis_is_kept_beside_it():
    table = tkg.sweep(tkg.rift, gate=["tile", "empty"], bots="random", games=5, seed=1)
    plain = tkg.simulate(tkg.rift(), "random", 5, seed=1)
    assert table.filter(pl.col("gate") == "tile")["gate_result"].to_list() == plain["gate"].to_list()


def test_cells_meet_the_same_deals_and_equal_cells_are_played_once(monkeypatch):
    from tkg import studies

    played = []
    real = studies.simulate
    monkeypatch.setattr(studies, "simulate", lambda *a, **k: played.append(a[0]) or real(*a, **k))
    cells = [({"cell": n}, tkg.rift(supply=s)) for n, s in enumerate((15, 9, 15))]
    table = play_cells(cells, ["random"], 10, 1)
    assert len(played) == 2
    assert table["game_seed"].to_list() == table["game_seed"].to_list()[:10] * 3


@pytest.mark.parametrize("axes", [{}, {"supply": []}, {"supply": [900]}, {"colour": [1]}])
def test_wrong_axes_are_refused(axes):
    with pytest.raises(tkg.Refused):
        tkg.sweep(tkg.rift, games=5, **axes)
