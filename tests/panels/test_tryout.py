"""A panel that answers while its controls are moved."""

import ipywidgets as widgets
import polars as pl
import pytest

import tkg
from tkg import charts


def counting(asked):
    """A question that costs nothing and notes what it was asked."""

    def ask(variant, games):
        asked.append((str(variant), games))
        if variant.side == 7:
            raise tkg.Refused("side 7 is too large to ask about")
        if variant.side == 6:
            raise KeyboardInterrupt
        found = pl.DataFrame(
            {"supply": [variant.supply], "share": [0.5], "low": [0.4], "high": [0.6], "games": [games]}
        )
        return charts.dots(found, "supply", colour=None), found, f"{games} games at supply {variant.supply}"

    return ask


@pytest.fixture
def asked():
    return []


@pytest.fixture
def panel(asked, tmp_path):
    return tkg.tryout(
        counting(asked), tkg.rift(supply=12), ["supply", "side"], quick=10, long=500, stem=tmp_path / "a" / "x"
    )


def test_it_starts_where_the_variant_is_and_answers_at_once(panel, asked):
    assert [c.value for c in panel.controls.values()] == ["12", 3]
    assert asked == [("rift(supply=12)", 10)]
    assert panel.answer.words in panel.words.value
    assert panel.shown.value.startswith("<svg")


def test_moving_a_control_asks_anew_and_keeps_what_was_asked(panel, asked):
    panel.controls["side"].value = 4
    panel.controls["side"].value = 3
    assert asked == [("rift(supply=12)", 10), ("rift(side=4, supply=12)", 10)]
    assert panel.answer.words == "10 games at supply 12"


def test_a_long_answer_is_not_asked_again_with_fewer_games(panel, asked):
    panel.long_button.click()
    panel.controls["side"].value = 4
    panel.controls["side"].value = 3
    assert [games for _, games in asked] == [10, 500, 10]
    assert panel.answer.words.startswith("500 games")
    assert "500 games" in panel.says.value


@pytest.mark.parametrize(
    ("name", "value", "words"), [("supply", "lots", "supply"), ("side", 7, "too large"), ("side", 6, "stopped")]
)
def test_what_is_refused_or_stopped_leaves_the_last_answer(panel, name, value, words):
    before, drawn = panel.answer, panel.shown.value
    panel.controls[name].value = value
    assert words in panel.failure
    assert words in panel.says.value
    assert (panel.answer, panel.shown.value) == (before, drawn)
    panel.controls[name].value = {"supply": "12", "side": 3}[name]
    assert panel.failure == ""


def test_the_chart_and_its_table_are_exported(panel, tmp_path):
    panel.export_button.click()
    assert sorted(p.name for p in (tmp_path / "a").iterdir()) == [
        f"x.{e}" for e in ("csv", "html", "parquet", "pdf", "png", "svg")
    ]
    assert pl.read_parquet(tmp_path / "a" / "x.parquet").equals(panel.answer.table)


def test_a_widget_of_ones_own_sets_a_knob(asked):
    slider = widgets.IntSlider(7, 0, 24)
    panel = tkg.tryout(counting(asked), tkg.rift(), {"supply": slider, "side": None}, quick=10, stem="x")
    slider.value = 8
    panel.controls["side"].value = 4
    assert [variant for variant, _ in asked] == ["rift(supply=7)", "rift(supply=8)", "rift(side=4, supply=8)"]


def test_a_name_that_is_no_knob_is_refused(asked):
    with pytest.raises(tkg.Refused, match=r"no knob 'suply'.*supply"):
        tkg.tryout(counting(asked), tkg.rift(), ["suply"], stem="x")
    with pytest.raises(tkg.Refused, match="at least one knob"):
        tkg.tryout(counting(asked), tkg.rift(), [], stem="x")
    assert asked == []


@pytest.mark.parametrize("game", list(tkg.GAMES))
def test_every_knob_and_reading_can_be_moved(game, asked):
    variant = tkg.variant(game)
    found = pl.DataFrame({"a": ["x"], "share": [0.5], "low": [0.4], "high": [0.6]})
    chart = charts.dots(found, "a", colour=None)
    panel = tkg.tryout(lambda v, n: (chart, found, str(v)), variant, list(variant), stem="x")
    assert panel.variant == variant
