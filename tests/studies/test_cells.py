"""Cells of sweeps: every axis keeps its values, every design its cells, and every cell meets the same deals."""

import polars as pl
import pytest

import tkg
from tkg import metrics
from tkg.panels.explorer import usual_values
from tkg.studies import play_cells
from tkg.studies.cells import cells_of, latin


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
    from tkg.studies import sweeps

    played = []
    real = sweeps.simulate
    monkeypatch.setattr(sweeps, "simulate", lambda *a, **k: played.append(a[0]) or real(*a, **k))
    cells = [({"cell": n}, tkg.rift(supply=s)) for n, s in enumerate((15, 9, 15))]
    table = play_cells(cells, ["random"], 10, 1)
    assert len(played) == 2
    assert table["game_seed"].to_list() == table["game_seed"].to_list()[:10] * 3


@pytest.mark.parametrize("axes", [{}, {"supply": []}, {"supply": [900]}, {"colour": [1]}])
def test_wrong_axes_are_refused(axes):
    with pytest.raises(tkg.Refused):
        tkg.sweep(tkg.rift, games=5, **axes)


def settings(cells):
    return [tuple(labels.values()) for labels, _ in cells]


def test_a_grid_is_every_combination_the_last_axis_fastest():
    cells, left_out = cells_of(tkg.rift, {"supply": [9, 12], "side": [3, 4]})
    assert settings(cells) == [(9, 3), (9, 4), (12, 3), (12, 4)]
    assert [(v["supply"], v["side"]) for _, v in cells] == settings(cells)
    assert left_out == []


def test_one_at_a_time_begins_with_the_base_and_varies_each_axis_alone():
    cells, _ = cells_of(tkg.rift(supply=12).but, {"supply": [9, 12], "side": [3, 4]}, "one-at-a-time")
    assert settings(cells) == [
        ("default", 12, 3),
        ("supply", 9, 3),
        ("side", 12, 4),
    ]  # supply 12 and side 3 are the base


def test_a_latin_design_meets_every_value_equally_often():
    """8 cells over 4 values and 2 values: each of the former twice, each of the latter four times."""
    drawn = latin({"supply": [6, 9, 12, 15], "side": [3, 4]}, 8, seed=5)
    assert sorted(d["supply"] for d in drawn) == [6, 6, 9, 9, 12, 12, 15, 15]
    assert sorted(d["side"] for d in drawn) == [3] * 4 + [4] * 4
    assert drawn == latin({"supply": [6, 9, 12, 15], "side": [3, 4]}, 8, seed=5)
    assert drawn != latin({"supply": [6, 9, 12, 15], "side": [3, 4]}, 8, seed=6)


def test_what_the_rules_refuse_is_refused_with_its_cell_or_left_out():
    axes = {"side": [3, 4], "line": [3, 4]}  # a line of 4 does not fit on a side of 3
    with pytest.raises(tkg.Refused, match=r"cell side=3, line=4: .*at most side.*skip_refused"):
        cells_of(tkg.cosmic, axes)
    cells, left_out = cells_of(tkg.cosmic, axes, skip_refused=True)
    assert settings(cells) == [(3, 3), (4, 3), (4, 4)]
    assert len(left_out) == 1
    assert "side=3, line=4" in left_out[0]
    with pytest.raises(tkg.Refused, match="the rules refuse every cell"):
        cells_of(tkg.cosmic, {"line": [9]}, skip_refused=True)


def test_labels_of_an_axis_are_of_one_kind():
    """A supply by element is text, so that a plain number beside it becomes text too."""
    cells, _ = cells_of(tkg.rift, {"supply": [9, (20, 5, 15, 0)]})
    assert settings(cells) == [("9",), ("20,5,15,0",)]


@pytest.mark.parametrize(
    ("design", "words"),
    [
        ({"design": "grids"}, "did you mean grid"),
        ({"design": "latin"}, "points=None"),
        ({"points": 5}, "points=5: the number of cells of the design latin"),
        ({"design": "latin", "points": 0}, "a whole number of cells from 1"),
    ],
)
def test_wrong_designs_are_refused(design, words):
    with pytest.raises(tkg.Refused, match=words):
        cells_of(tkg.rift, {"supply": [9, 12]}, **design)


def test_an_axis_that_is_no_knob_is_refused_with_the_nearest():
    with pytest.raises(tkg.Refused, match=r"no knob or reading 'suply'.*did you mean supply"):
        cells_of(tkg.rift, {"suply": [9]})
